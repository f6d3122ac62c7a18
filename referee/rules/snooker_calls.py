"""Snooker: what the referee says of a stroke."""

import math
from collections.abc import Mapping

from referee.rules.facts import CUE
from referee.rules.geometry import TOUCHING_MM, gap
from referee.rules.geometry_snooker import COLOURS
from referee.rules.outcome import Call, call
from referee.rules.snooker_penalties import SnookerShot, is_red, reds
from referee.rules.state import State
from referee.rules.table import Table
from tracking.strict_json import Point

ON_SPOT_MM = 0.1


def score_calls(
    shot: SnookerShot, state: State, points: int, broke: int, spot: Mapping[str, Point]
) -> tuple[Call, ...]:
    calls: list[Call] = []
    if points:
        calls.append(call("score", points=broke))
    else:
        calls += break_over(shot)
    calls += spot_calls(spot, shot.table)
    calls += [call("last_red")] if points and reds(shot.present) and not reds(state.balls) else []
    if state.on[0] in COLOURS and state.on != shot.state.on:
        calls.append(call("on_ball", ball=state.on[0]))
    return (*calls, *touching_calls(state))


def break_over(shot: SnookerShot) -> list[Call]:
    made = shot.state.break_points
    return [call("break_of", player=shot.state.striker, points=made)] if made and shot.facts.stroke else []


def spot_calls(spot: Mapping[str, Point], table: Table) -> list[Call]:
    """A colour that could not go on its own spot."""
    calls = []
    for ball, place in spot.items():
        if not _on_spot(place, table.spots[ball]):
            taken = next((name for name in COLOURS if _on_spot(place, table.spots[name])), None)
            calls.append(call("spotted_elsewhere" if taken is None else "spotted_on", ball=ball, spot=taken))
    return calls


def touching_calls(state: State) -> list[Call]:
    """The cue ball came to rest against a ball that is or may be on (SN-3.7.1)."""
    places = state.positions
    if state.in_hand or CUE not in places:
        return []
    may_be_on = [b for b in places if (is_red(b) and state.on == ("red",)) or b in state.on or state.on == ("colour",)]
    near = [b for b in may_be_on if b != CUE and gap(places[CUE], places[b], state.table.ball) <= TOUCHING_MM]
    return [call("touching")] if near else []


def _on_spot(place: Point, spot: Point) -> bool:
    return math.dist(place, spot) <= ON_SPOT_MM
