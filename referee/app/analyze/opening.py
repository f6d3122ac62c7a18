"""The state in which a clip begins, where nobody said: the opening layout, or as little as can be assumed.

A clip often begins in the middle of a frame. Then the score counts from the clip's start, A is whoever plays first, and
what is on is taken from the ball hit first, if it could have been on. What is taken so is listed with the state.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from calibration.tables import TableSpec
from referee.app.names import group, kind
from referee.app.nominations import first_hit, only_potted
from referee.app.score.matching import nearest_pairs
from tracking.records import ShotRecord
from vision.balls import BALL_SETS, SNOOKER_COLOURS

Places = Mapping[str, tuple[float, float]]
Added = tuple[dict[str, Any], list[str]]
Infer = Callable[[Collection[str], str | None], Added]
"""From the balls and the one hit first to what the state gets, and the sentences on what was assumed."""

ON_ITS_PLACE_MM = 45.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A state of the case files' form. ``assumed``: a sentence for each thing in it that was assumed."""

    state: dict[str, Any]
    assumed: tuple[str, ...] = ()


def rack_places(game: str, table: TableSpec) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(n, 2) mm, where the racked balls of a game lie: behind the pink in snooker, from the foot spot up elsewhere."""
    diameter = table.ball_diameter_mm
    x, y = table.spots["pink"] if game == "snooker" else (table.width_mm / 2, 0.75 * table.length_mm)
    apex = y + (1.02 * diameter if game == "snooker" else 0.0)
    rows = [1, 2, 3, 2, 1] if game == "9-ball" else [1, 2, 3, 4, 5]
    places = [
        (x + (i - (count - 1) / 2) * diameter, apex + row * diameter * 0.75**0.5)
        for row, count in enumerate(rows)
        for i in range(count)
    ]
    return np.array(places)


def table_json(table: TableSpec) -> Any:
    """A table as a state of the case files names it."""
    if table.name != "measured":
        return table.name
    return {"length": table.length_mm, "width": table.width_mm, "ball_diameter": table.ball_diameter_mm}


def is_opening_layout(game: str, table: TableSpec, places: Places, unplaced: Collection[str] = ()) -> bool:
    """Whether all balls of the game lie as they do before the first stroke of a frame, the cue ball anywhere.

    ``unplaced`` are there too, nobody knows where; then most must be known to lie so.
    """
    objects = {name: at for name, at in places.items() if name != "cue"}
    hidden = [name for name in unplaced if name != "cue"]
    if len(objects) + len(hidden) != BALL_SETS[game].total - 1 or len(hidden) >= len(objects):
        return False
    racked = [at for name, at in objects.items() if game != "snooker" or kind(name) == "red"]
    if game == "snooker":
        for colour in SNOOKER_COLOURS:
            if colour not in objects or np.hypot(*np.subtract(objects[colour], table.spots[colour])) > ON_ITS_PLACE_MM:
                return False
    wanted = rack_places(game, table)
    distance = np.linalg.norm(np.array(racked)[:, None] - wanted[None], axis=-1)
    return len(nearest_pairs(distance, ON_ITS_PLACE_MM)) == len(racked) == len(wanted) - len(hidden)


def infer_opening(game: str, table: TableSpec, record: ShotRecord) -> Opening:
    """The state before the first shot of a clip, from its record."""
    base = {"players": ["A", "B"], "striker": "A", "score": {"A": 0, "B": 0}, "table": table_json(table)}
    if record.before is None or record.present is None:
        return Opening(state=base, assumed=("the clip begins with the opening stroke of a frame",))
    if is_opening_layout(game, table, record.before, record.unplaced):
        return Opening(state=base)
    known = {name: list(at) for name, at in record.before.items()}
    base["balls"] = sorted(record.present) if record.unplaced else known
    snooker = partial(_snooker, potted=only_potted(record))
    ways: dict[str, Infer] = {"snooker": snooker, "8-ball": _eight_ball, "9-ball": _nine_ball}
    added, assumed = ways.get(game, _any_ball)(record.present, first_hit(record))
    if game == "pyramid-combined":
        added["pyramid-combined"] = {"stage": "play"}
    return Opening(state={**base, **added}, assumed=(*assumed, "the score counts from the start of the clip"))


def _snooker(names: Collection[str], hit: str | None, potted: str | None) -> Added:
    reds = sum(kind(name) == "red" for name in names)
    if hit is None and potted is not None and kind(potted) != "red" and (reds or potted != _lowest(names)):
        # that what was hit first wasn't seen is no reason to take the pot for a foul
        return {"on": ["colour"]}, [f"a colour was on in the first shot, {potted}, since it was potted"]
    if hit is None:
        on = "red" if reds else _lowest(names)
        return {"on": [on]}, [f"{on} was on in the first shot, though no ball is known to have been hit"]
    if kind(hit) == "red":
        return {"on": ["red"]}, ["red was on in the first shot, since a red was hit first"]
    lowest = next(colour for colour in SNOOKER_COLOURS if colour in names or colour == hit)
    if not reds and hit == lowest:
        return {"on": [hit]}, [f"{hit} was on in the first shot, since it was hit first and is the lowest colour"]
    return {"on": ["colour"]}, [f"a colour was on in the first shot, {hit}, since it was hit first"]


def _lowest(names: Collection[str]) -> str:
    return next((colour for colour in SNOOKER_COLOURS if colour in names), "black")


def _eight_ball(names: Collection[str], hit: str | None) -> Added:
    groups = {name: group(name) for name in names}
    mine = {"solid": "solids", "stripe": "stripes"}.get(group(hit)) if hit is not None else None
    if mine is None:
        left = {value for value in groups.values() if value in ("solid", "stripe")}
        if hit == "8" and len(left) == 1:
            theirs = {"solid": "solids", "stripe": "stripes"}[next(iter(left))]
            mine = {"solids": "stripes", "stripes": "solids"}[theirs]
            state = {"on": ["8"], "8-ball": {"stage": "play", "groups": {"A": mine, "B": theirs}}}
            return state, ["the 8 was on in the first shot, since it was hit first and one group is gone"]
        return {"on": ["solids", "stripes"], "8-ball": {"stage": "open"}}, ["the table was open in the first shot"]
    theirs = {"solids": "stripes", "stripes": "solids"}[mine]
    state = {"on": [mine], "8-ball": {"stage": "play", "groups": {"A": mine, "B": theirs}}}
    return state, [f"{mine} were A's group in the first shot, since {hit} was hit first"]


def _nine_ball(names: Collection[str], hit: str | None) -> Added:
    numbers = sorted(int(name) for name in names if name.isdigit())
    on = [str(numbers[0])] if numbers else []
    return {"on": on, "9-ball": {"stage": "play"}}, ["no push-out was open and no foul counted before the first shot"]


def _any_ball(names: Collection[str], hit: str | None) -> Added:
    return {"on": ["any"]}, ["no foul counted before the first shot"]
