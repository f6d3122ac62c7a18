"""Snooker: how the balls are set up, and what the state of a case means that leaves something out."""

import math
from collections.abc import Collection, Iterator
from dataclasses import replace

from referee.rules.engine import Shot
from referee.rules.facts import CUE
from referee.rules.geometry import TOUCHING_MM, gap
from referee.rules.geometry_snooker import COLOURS, reds_triangle
from referee.rules.outcome import Outcome, call, nothing_played
from referee.rules.snooker_part import SnookerPart
from referee.rules.snooker_penalties import REDS, first_on, is_red, lowest, reds
from referee.rules.state import Option, State
from referee.rules.table import Table
from tracking.records import Positions
from tracking.strict_json import Point

RACK_MM = 3.0
"""A ball that is set up farther than this from its place is to be placed anew."""
NEARLY_ALL_REDS = 13
"""With so many reds a record without events asks whether the balls are set up rightly."""
NEAR_RACK_MM = 30.0
"""Reds that lie so near their places have not been played at yet."""
RACK_GAP_MM = 10.0
"""The reds' apex is 'as near as possible' to the pink up to this distance (SN-3.2b)."""


def check_rack(shot: Shot) -> Outcome:
    """The colours on their spots and the reds' triangle clear of the pink (SN-3.2); ``spot`` names what isn't."""
    places, table = shot.record.before or {}, shot.table
    wrong = {c: table.spots[c] for c in COLOURS if not _near(places.get(c), table.spots[c])}
    wrong |= _reds_to_place(places, table, shot.settings.clearance_mm)
    state = shot.state
    right = {**places, **wrong}
    racked = replace(state, balls=frozenset(right) - {CUE}, positions=right)
    return nothing_played(racked if places else state, spot=wrong, calls=(call("rack_again"),) if wrong else ())


def _reds_to_place(places: Positions, table: Table, clearance_mm: float) -> dict[str, Point]:
    """Reds that are not in the triangle, each with the nearest place that is open; all if the apex is wrong."""
    lying = {ball: place for ball, place in places.items() if is_red(ball)}
    rack = list(reds_triangle(table, clearance_mm).values())
    air = min((gap(table.spots["pink"], place, table.ball) for place in lying.values()), default=math.inf)
    waiting, open_places = [ball for ball in REDS if ball in lying], rack
    if TOUCHING_MM < air <= RACK_GAP_MM:
        actual = [(x, y + air - clearance_mm) for x, y in rack]
        waiting = [ball for ball in waiting if not any(_near(lying[ball], place) for place in actual)]
        taken = [any(_near(place, wanted) for place in lying.values()) for wanted in actual]
        open_places = [place for place, full in zip(rack, taken, strict=True) if not full]
    found: dict[str, Point] = {}
    pairs = sorted((math.dist(lying[b], p), b, p) for b in waiting for p in open_places)
    for _, ball, place in pairs:
        if ball not in found and place not in found.values():
            found[ball] = place
    missing = [ball for ball in REDS if ball not in lying]
    return found | dict(zip(missing, (p for p in open_places if p not in found.values()), strict=False))


def _near(place: Point | None, wanted: Point) -> bool:
    return place is not None and math.dist(place, wanted) <= RACK_MM


def complete(state: State, given: Collection[str]) -> State:
    """Fills in the fields that were not given: the start of a frame, as far as nothing speaks against it."""
    part: SnookerPart = state.part
    if part.respotted_black and "balls" not in given:
        state = replace(state, balls=frozenset({"black"}), positions={"black": state.table.spots["black"]})
    whole = len(reds(state.balls)) >= NEARLY_ALL_REDS and frozenset(COLOURS) <= state.balls
    start = "balls" not in given or state.cue_ball == "in_hand_D" or ("first_before" in given and whole)
    start = start and not part.respotted_black and state.on in ((), ("red",)) and not any(state.score.values())
    start = start and state.cue_ball in ("as_it_lies", "in_hand_D") and state.foul_by is None
    place = state.positions.get(CUE)
    played_at = place is not None and not state.table.in_d(place) and not _racked(state)
    if "cue_ball" not in given and played_at:
        start = False
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
