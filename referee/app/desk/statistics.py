"""Statistics of a match and of a player: what can be counted from records and verdicts, as sums that can be added.

What a player meant nobody recorded. So a pot *tried* is a stroke without a declared safety in which the ball hit first
was on and lay open to a pocket, or a ball was called into one, or a ball on fell; a *safety* is a stroke declared one,
or a fair stroke without a pot where nothing lay open. A safety *held* where the other side's next stroke scored
nothing. Distances and angles are those of the straightest pocket that was open, or of the pocket it fell into.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from referee.app.desk.chances import Chance, chance, open_chance
from referee.app.names import group, kind
from referee.app.nominations import first_hit
from referee.match.log import Match, Step
from referee.match.running import Running
from referee.rules.state import State
from tracking.records import Pocket, ShotRecord

DISTANCES_MM = (500.0, 1000.0, 1500.0, 2000.0)
ANGLES_DEG = (15.0, 30.0, 45.0, 60.0)
COLUMNS, ROWS = 12, 24
"""Cells of a heat map across and along the table."""
BEST_BREAKS = 20
SECONDS = (5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0)


def nothing() -> dict[str, Any]:
    """The statistics of somebody who hasn't played."""
    return {
        "strokes": 0,
        "visits": 0,
        "points": 0,
        "fouls": 0,
        "points_given": 0,
        "potted": 0,
        "frames_won": 0,
        "frames": 0,
        "breaks": [],
        "tried": 0,
        "made": 0,
        "by_distance": [[0, 0] for _ in range(len(DISTANCES_MM) + 1)],
        "by_angle": [[0, 0] for _ in range(len(ANGLES_DEG) + 1)],
        "by_pocket": {},
        "safeties": 0,
        "safeties_held": 0,
        "time_s": 0.0,
        "timed": 0,
        "by_time": [0] * (len(SECONDS) + 1),
        "cue_ball": [[0] * COLUMNS for _ in range(ROWS)],
        "pots_from": [[0] * COLUMNS for _ in range(ROWS)],
    }


@dataclass(slots=True, kw_only=True)
class _SoFar:
    """The sums up to a step. state: after it. last, visit: who played last, and his visit, which is among his breaks.
    rest_s: when the balls lay still. safe: whose safety was played last, if nothing followed it yet."""

    people: dict[str, dict[str, Any]]
    state: State
    last: str | None = None
    visit: dict[str, Any] | None = None
    rest_s: float | None = None
    safe: str | None = None

    def copied(self) -> "_SoFar":
        people, visit = deepcopy((self.people, self.visit))
        return replace(self, people=people, visit=visit)


def of_match(match: Match) -> dict[str, dict[str, Any]]:
    """Person → statistics, over all strokes in force."""
    people = _STATISTICS.of(match).people
    return {person: {**numbers, "breaks": _best(numbers["breaks"])} for person, numbers in people.items()}


def _begin(match: Match) -> _SoFar:
    return _SoFar(people={person: nothing() for person in match.start.sides.persons}, state=match.start)


def _take(so_far: _SoFar, step: Step) -> _SoFar:
    fields, record, before = step.judged.verdict.fields, step.item, so_far.state
    person, out = before.striker, so_far.people
    if step.struck and person is not None and isinstance(record, ShotRecord):
        mine, side = out[person], before.sides.of(person)
        scored = max(0, fields["points"][side]) if fields["legal"] else 0
        if so_far.safe is not None and before.sides.of(so_far.safe) != side:
            out[so_far.safe]["safeties_held"] += scored == 0 and not _pots(fields, before)
        if person != so_far.last or so_far.visit is None or before.strokes == 0:
            so_far.visit = _begin_visit(mine, step)
        so_far.last = person
        _count(mine, before, record, fields, scored)
        so_far.visit["points"] += scored
        so_far.visit["balls"] += len(_pots(fields, before)) if fields["legal"] else 0
        if so_far.rest_s is not None and record.t0 >= so_far.rest_s and before.strokes:
            _time(mine, record.t0 - so_far.rest_s)
        so_far.rest_s = record.t1
        so_far.safe = person if _pot(mine, before, record, fields) else None
    if fields["frame"]["over"]:
        so_far.visit, so_far.safe, so_far.rest_s = None, None, None
        for each, numbers in out.items():
            numbers["frames"] += 1
            numbers["frames_won"] += fields["frame"]["winner"] == before.sides.of(each)
    so_far.state = step.judged.course.likely.state
    return so_far


_STATISTICS = Running(name="statistics", begin=_begin, take=_take, copied=_SoFar.copied)


def added(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The statistics of several matches together."""
    out = nothing()
    for part in parts:
        for name, value in part.items():
            out[name] = _sum(out.get(name), value)
    out["breaks"] = _best(out["breaks"])
    return out


def finished(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """With the shares and means that follow from the sums, and what the classes mean."""
    timed, tried, safeties = numbers["timed"], numbers["tried"], numbers["safeties"]
    return {
        **numbers,
        "pot_success": None if not tried else round(numbers["made"] / tried, 4),
        "safety_success": None if not safeties else round(numbers["safeties_held"] / safeties, 4),
        "mean_time_s": None if not timed else round(numbers["time_s"] / timed, 1),
        "classes": {"distance_mm": DISTANCES_MM, "angle_deg": ANGLES_DEG, "time_s": SECONDS, "cells": [COLUMNS, ROWS]},
    }


def _sum(one: Any, other: Any) -> Any:
    """Numbers added, lists of numbers place by place, lists of objects put together, objects key by key."""
    if one is None:
        return other
    if isinstance(other, dict):
        return {key: _sum(one.get(key), other.get(key)) if key in other else one[key] for key in {*one, *other}}
    if isinstance(other, list):
        if any(isinstance(each, dict) for each in (*one, *other)):
            return [*one, *other]
        return [_sum(a, b) for a, b in zip(one, other, strict=True)] if one and other else [*one, *other]
    return one + other


def _best(breaks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    worth = [each for each in breaks if each["points"] or each["balls"]]
    return sorted(worth, key=lambda each: (-each["points"], -each["balls"]))[:BEST_BREAKS]


def _begin_visit(mine: dict[str, Any], step: Step) -> dict[str, Any]:
    mine["visits"] += 1
    mine["breaks"] = _best(mine["breaks"])
    visit = {"points": 0, "balls": 0, "n": step.n}
    mine["breaks"].append(visit)
    return visit


def _count(mine: dict[str, Any], before: State, record: ShotRecord, fields: Mapping[str, Any], scored: int) -> None:
    side = before.sides.of(before.striker or "")
    other = before.sides.opponent(side)
    mine["strokes"] += 1
    mine["points"] += scored
    mine["potted"] += len(_pots(fields, before)) if fields["legal"] else 0
    if fields["legal"] is False:
        mine["fouls"] += 1
        mine["points_given"] += max(0, fields["points"][other])
    if record.before is not None and "cue" in record.before:
        _mark(mine["cue_ball"], record.before["cue"], before)


def _pot(mine: dict[str, Any], before: State, record: ShotRecord, fields: Mapping[str, Any]) -> bool:
    """Counts a pot that was tried; whether the stroke was a safety instead."""
    declared = record.nominated
    fell = _pots(fields, before) if fields["legal"] else []
    hit = first_hit(record)
    offered = None if hit is None or not _on(hit, before) else _offered(hit, record, before)
    called = None if declared is None or declared.pocket is None else declared.ball
    safety = declared is not None and declared.safety
    if fell and not safety:
        made = _made(fell[0], record, before)
        _tried(mine, made, made=True, pocket=_pocket_of(fell[0], record))
        if made is not None and record.before is not None:
            _mark(mine["pots_from"], record.before[made.ball], before)
        return False
    if not safety and (offered is not None or called is not None):
        _tried(mine, offered, made=False, pocket=None)
        return False
    if fields["legal"] and before.strokes:
        mine["safeties"] += 1
        return True
    return False


def _tried(mine: dict[str, Any], pot: Chance | None, *, made: bool, pocket: str | None) -> None:
    mine["tried"] += 1
    mine["made"] += made
    if pocket is not None:
        mine["by_pocket"][pocket] = mine["by_pocket"].get(pocket, 0) + 1
    if pot is not None:
        for row, value, limits in (
            ("by_distance", pot.to_ball_mm + pot.to_pocket_mm, DISTANCES_MM),
            ("by_angle", pot.cut_deg, ANGLES_DEG),
        ):
            cell = mine[row][sum(value >= limit for limit in limits)]
            cell[0] += made
            cell[1] += 1


def _offered(ball: str, record: ShotRecord, before: State) -> Chance | None:
    places = record.before
    return None if places is None else open_chance(ball, places, before.table.pockets, before.table.ball)


def _made(ball: str, record: ShotRecord, before: State) -> Chance | None:
    pocket = _pocket_of(ball, record)
    if pocket is None or record.before is None:
        return None
    return chance(ball, pocket, record.before, before.table.pockets, before.table.ball)


def _pocket_of(ball: str, record: ShotRecord) -> str | None:
    return next((e.pocket for e in record.events if isinstance(e, Pocket) and e.ball == ball), None)


def _pots(fields: Mapping[str, Any], before: State) -> list[str]:
    """The balls that counted; a svoyak too."""
    return [ball for ball in fields["potted"] or () if ball != "cue" or before.game.startswith("pyramid")]


def _on(ball: str, before: State) -> bool:
    names = {ball, kind(ball), f"{group(ball)}s", "any"} | (set() if kind(ball) in ("red", "cue") else {"colour"})
    return before.free_ball or bool(names & set(before.on))


def _time(mine: dict[str, Any], seconds: float) -> None:
    mine["time_s"] = round(mine["time_s"] + seconds, 3)
    mine["timed"] += 1
    mine["by_time"][sum(seconds >= limit for limit in SECONDS)] += 1


def _mark(cells: list[list[int]], place: tuple[float, float], before: State) -> None:
    column = min(COLUMNS - 1, max(0, int(place[0] / before.table.width * COLUMNS)))
    row = min(ROWS - 1, max(0, int(place[1] / before.table.length * ROWS)))
    cells[row][column] += 1
