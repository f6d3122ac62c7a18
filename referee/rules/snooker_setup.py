"""Snooker: how the balls are set up, and what the state of a case means that leaves something out."""

import math
from collections.abc import Collection, Iterator
from dataclasses import replace

from referee.rules.engine import Shot
from referee.rules.facts import CUE
from referee.rules.geometry import gap
from referee.rules.geometry_snooker import COLOURS, reds_triangle
from referee.rules.outcome import Outcome, call, nothing_played
from referee.rules.snooker_penalties import REDS, TOUCHING_MM, SnookerPart, first_on, is_red, lowest, reds
from referee.rules.state import Option, State

RACK_MM = 3.0
"""A ball that is set up farther than this from its place is to be placed anew."""
NEAR_RACK_MM = 30.0
"""Reds that lie so near their places have not been played at yet."""
RACK_GAP_MM = 10.0
"""The reds' apex is 'as near as possible' to the pink up to this distance (SN-3.2b)."""


def check_rack(shot: Shot) -> Outcome:
    """The colours on their spots and the reds' triangle clear of the pink (SN-3.2); ``spot`` names what isn't."""
    places, table = shot.record.before or {}, shot.table
    clearance = shot.settings.clearance_mm
    wrong = {c: table.spots[c] for c in COLOURS if math.dist(places.get(c, (0, 0)), table.spots[c]) > RACK_MM}
    apex_and_base = reds_triangle(table, clearance)
    lying = [place for ball, place in places.items() if is_red(ball)]
    air = min((gap(table.spots["pink"], place, table.ball) for place in lying), default=math.inf)
    if air <= TOUCHING_MM or air > RACK_GAP_MM or len(lying) != len(REDS):
        wrong |= apex_and_base
    else:
        shift = air - clearance
        for ball, (x, y) in apex_and_base.items():
            if not any(math.dist(place, (x, y + shift)) <= RACK_MM for place in lying):
                wrong[ball] = x, y
    state = shot.state
    right = {**places, **wrong}
    racked = replace(state, balls=frozenset(right) - {CUE}, positions=right)
    return nothing_played(racked if places else state, spot=wrong, calls=(call("rack_again"),) if wrong else ())


def complete(state: State, given: Collection[str]) -> State:
    """Fills in the fields that were not given: the start of a frame, as far as nothing speaks against it."""
    part: SnookerPart = state.part
    if part.respotted_black and "balls" not in given:
        state = replace(state, balls=frozenset({"black"}), positions={"black": state.table.spots["black"]})
    start = "balls" not in given or state.cue_ball == "in_hand_D" or _racked(state)
    start = start and not part.respotted_black and state.on in ((), ("red",)) and not any(state.score.values())
    start = start and state.cue_ball in ("as_it_lies", "in_hand_D") and state.foul_by is None
    if "cue_ball" not in given:
        state = replace(state, cue_ball="in_hand_D" if start or part.respotted_black else "as_it_lies")
    if "on" not in given:
        state = replace(state, on=first_on(state.balls))
    if not state.in_hand:
        state = replace(state, balls=state.balls | {CUE})
    state = replace(state, strokes=0 if start and state.in_hand else 1)
    fouled = state.foul_by is not None and state.sides.of(state.foul_by) != state.side
    if fouled and state.striker is not None:
        ids = [("play_again", "SN-3.10.3b"), *([("free_ball", "SN-3.9.1")] if state.free_ball else [])]
        options = tuple(Option(id=each, player=state.striker, clause=clause) for each, clause in ids)
        state = replace(state, options=options)
    return state


def _racked(state: State) -> bool:
    """Whether all reds lie in the rack, as far as positions are known."""
    rack = reds_triangle(state.table)
    if not frozenset(rack) <= state.balls:
        return False
    lying = [place for ball, place in state.positions.items() if is_red(ball)]
    return all(any(math.dist(place, each) <= NEAR_RACK_MM for each in lying) for place in rack.values())


def readings(state: State) -> Iterator[State]:
    """What may be on where that isn't known."""
    if reds(state.balls):
        yield replace(state, on=("red",))
    yield replace(state, on=("colour",))
    colour = lowest(state.balls)
    if not reds(state.balls) and colour is not None:
        yield replace(state, on=(colour,))
