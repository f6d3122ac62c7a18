"""Reading the state of a case or the first line of a match, and checking that records belong to the game."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.rules.engine import Game
from referee.rules.settings import Settings
from referee.rules.state import CUE_BALL, Sides, State
from referee.rules.table import Table, table_from_json
from tracking.records import Positions, ShotRecord
from tracking.strict_json import (
    MalformedRecord,
    Point,
    read_ball_list,
    read_boolean,
    read_integer,
    read_list,
    read_object,
    read_point,
    read_positions,
    read_string,
)

OUTSIDE_MM = 200.0
"""A ball's centre at rest is at most so far outside the cushions' nose lines: in a pocket's jaws."""


def read_state(
    data: Mapping[str, Any],
    game: Game,
    settings: Settings,
    first_before: Positions | None = None,
    path: str = "",
    unplaced: Collection[str] = (),
) -> State:
    """The state from which a match or a case starts, contract section 6.

    What is left out is the start of a frame; ``first_before`` and ``unplaced`` are the balls of the first record, which
    count where the state names none. ``on`` may be null: not known. Raises MalformedRecord with the field's path.
    """
    dot = f"{path}." if path else ""
    sides = Sides.from_json(data, dot)
    table = table_from_json(data.get("table"), game.name, f"{dot}table")
    order = _read_order(data, sides, dot)
    striker = _person(data.get("striker"), sides, order, f"{dot}striker") or order[0]
    if data.get("order") is None:
        order = sides.usual_order(striker)
    state = State(
        game=game.name,
        settings=settings,
        table=table,
        sides=sides,
        order=order,
        striker=striker,
        breaker=_person(data.get("breaker"), sides, order, f"{dot}breaker"),
        score=_read_counts(data.get("score"), sides, f"{dot}score"),
        frames=_read_counts(data.get("frames"), sides, f"{dot}frames", least=0),
        frames_to_win=_optional_integer(data, "frames_to_win", dot, least=1),
        balls=frozenset(),
        break_points=_optional_integer(data, "break", dot, least=0) or 0,
        foul_by=None if data.get("foul_by") is None else sides.read(data["foul_by"], f"{dot}foul_by"),
        free_ball=read_boolean(data.get("free_ball", False), f"{dot}free_ball"),
    )
    given = {name for name, value in data.items() if value is not None or name == "on"}
    balls, positions = _read_balls(data.get("balls"), first_before, unplaced, game, table, f"{dot}balls")
    changes: dict[str, Any] = {"balls": balls, "positions": positions}
    if data.get("on") is not None:
        changes["on"] = read_list(data["on"], f"{dot}on", lambda v, p: read_string(v, p, tuple(sorted(game.ons))))
        if not changes["on"]:
            raise MalformedRecord(f"{dot}on", "at least one ball or group, or null where it isn't known", [])
    cue_ball = data.get("cue_ball")
    if cue_ball is not None:
        where = f"{dot}cue_ball"
        as_place = isinstance(cue_ball, list)
        changes["cue_ball"] = read_point(cue_ball, where) if as_place else read_string(cue_ball, where, CUE_BALL)
    if data.get("balls") is None and first_before is None:
        given.discard("balls")
    else:
        given |= {"balls"} if data.get("balls") is not None else {"balls", "first_before"}
    begun = replace(state, **changes)
    own = data.get(game.name)
    part = game.read_part(read_object({} if own is None else own, f"{dot}{game.name}"), begun, f"{dot}{game.name}.")
    return game.complete(replace(begun, part=part), given)


def _read_order(data: Mapping[str, Any], sides: Sides, dot: str) -> tuple[str, ...]:
    value = data.get("order")
    if value is None:
        return sides.usual_order(sides.members(sides.names[0])[0])
    order = read_list(value, f"{dot}order", read_string)
    if sorted(order) != sorted(sides.persons):
        raise MalformedRecord(f"{dot}order", "every player once: " + ", ".join(sides.persons), list(order))
    return order


def _person(value: object, sides: Sides, order: Sequence[str], path: str) -> str | None:
    """A person; of a side that is named the one who comes first in the order of play."""
    if value is None:
        return None
    name = sides.read(value, path)
    return name if name in order else next(person for person in order if sides.of(person) == name)


def _read_counts(value: object, sides: Sides, path: str, least: int | None = None) -> dict[str, int]:
    counts = sides.zero()
    for side, number in read_object({} if value is None else value, path).items():
        counts[read_string(side, path, sides.names)] = read_integer(number, f"{path}.{side}", least=least)
    return counts


def _optional_integer(data: Mapping[str, Any], name: str, dot: str, least: int) -> int | None:
    value = data.get(name)
    return None if value is None else read_integer(value, f"{dot}{name}", least=least)


def _read_balls(
    value: object, first_before: Positions | None, unplaced: Collection[str], game: Game, table: Table, path: str
) -> tuple[frozenset[str], dict[str, Point]]:
    if value is None and first_before is not None:
        return frozenset((*first_before, *unplaced)), dict(first_before)
    if value is None:
        opening = game.opening(table)
        return frozenset(opening), opening
    if isinstance(value, list):
        names = read_ball_list(value, path)
        check_balls(names, game, path)
        return frozenset(names), {}
    positions = read_positions(value, path)
    check_balls(positions, game, path)
    check_places(positions, table, path)
    return frozenset(positions), positions


def check_balls(names: Collection[str], game: Game, path: str) -> None:
    """Raises MalformedRecord for a ball that the game doesn't have."""
    for name in names:
        if name not in game.ball_names:
            raise MalformedRecord(path, f"balls of {game.name}", name)


def check_places(places: Positions, table: Table, path: str) -> None:
    """Raises MalformedRecord for a position that is nowhere near the table."""
    for ball, (x, y) in places.items():
        near = -OUTSIDE_MM <= x <= table.width + OUTSIDE_MM and -OUTSIDE_MM <= y <= table.length + OUTSIDE_MM
        if not near:
            raise MalformedRecord(f"{path}.{ball}", "a position on the table, in mm", f"[{x:g}, {y:g}]")


def check_record(record: ShotRecord, game: Game, table: Table, path: str = "") -> None:
    """Raises MalformedRecord where a record names a ball that the game doesn't have, or a place off the table."""
    dot = f"{path}." if path else ""
    for where, names in _named_balls(record):
        check_balls(names, game, dot + where)
    for name, places in (("before", record.before), ("after", record.after)):
        if places is not None:
            check_places(places, table, dot + name)


def _named_balls(record: ShotRecord) -> Iterator[tuple[str, Collection[str]]]:
    yield "before", record.before or ()
    yield "after", record.after or ()
    yield "unplaced", record.unplaced
    for i, event in enumerate(record.events):
        yield f"events[{i}]", event.balls_involved
    if record.nominated is not None:
        yield "nominated", [ball for ball in (record.nominated.ball, *record.nominated.balls) if ball]
    for i, seen in enumerate(record.observed):
        yield f"observed[{i}]", [ball for ball in (seen.ball, *seen.balls) if ball]
    for i, gap in enumerate(record.gaps):
        yield f"gaps[{i}].balls", gap.balls or ()
