"""14.1 continuous, racks of fourteen (P141-7.3, P141-7.6): what is racked, and where the fifteenth and cue ball go."""

from collections.abc import Mapping
from dataclasses import replace

from referee.rules.facts import CUE
from referee.rules.geometry_pool import Rerack, full_rack, lies_in_rack, reracks
from referee.rules.outcome import Outcome, call
from referee.rules.pool import NUMBERS, called_spots
from referee.rules.state import State
from referee.rules.straight_pool_fouls import StraightPoolShot
from tracking.strict_json import Point


def new_rack(shot: StraightPoolShot, outcome: Outcome, left: frozenset[str]) -> Outcome:
    """Fourteen balls are down, or all fifteen: a new rack, the same player goes on with an ordinary stroke."""
    state = outcome.state
    places = state.positions if shot.after is not None else None
    if left:
        (fifteenth,) = left
        ruling = _ruling(shot, fifteenth, places)
        spot = {} if ruling.ball is None else {fifteenth: ruling.ball}
    else:
        fifteenth = shot.down[-1]
        ruling = Rerack(cue=_cue_of_full_rack(shot, places), rack="full")
        spot = {fifteenth: state.table.foot_spot}
    state = _reracked(state, ruling, spot, fifteenth, known=places is not None)
    calls = [*outcome.calls, call("rerack" if left else "rerack_full")]
    calls += called_spots(spot) if ruling.rack == "apex_empty" else []
    calls += [call("in_hand_house")] if state.cue_ball == "in_hand_house" else []
    return replace(outcome, state=state, spot=spot, rack=ruling.rack, calls=tuple(calls))


def _cue_of_full_rack(shot: StraightPoolShot, places: Mapping[str, Point] | None) -> str | None:
    """The cue ball in the rack's area goes in hand when all fifteen fell (SUP-P141-A)."""
    readings = {True, False}
    if places is not None and CUE in places:
        measured_mm = shot.settings.measured_mm
        readings = {lies_in_rack(places[CUE], shot.table, by) for by in (-measured_mm, 0.0, measured_mm)}
    if len(readings) == 1:
        return "in_hand_house" if readings.pop() else None
    in_rack = shot.ask("rack_area", ((), (CUE,)), clause="P141-7.3c")
    return "in_hand_house" if CUE in _in_the_way(in_rack) else None


def _ruling(shot: StraightPoolShot, fifteenth: str, places: Mapping[str, Point] | None) -> Rerack:
    """What P141-7.6 says; a question where it isn't known, or not exactly enough, how the balls lie."""
    if places is None or CUE not in places:
        return _asked(shot, fifteenth, None)
    rulings = reracks(places[fifteenth], places[CUE], shot.table, shot.settings.measured_mm)
    return rulings[0] if len(rulings) == 1 else _asked(shot, fifteenth, rulings)


def _asked(shot: StraightPoolShot, fifteenth: str, possible: list[Rerack] | None) -> Rerack:
    """The table of P141-7.6 by the referee's word on what is in the rack's way."""
    table = shot.table
    spots = {"head_spot": table.head_spot, "centre_spot": table.centre_spot}
    both = Rerack(ball=table.foot_spot, cue="in_hand_house", rack="full")
    of_ball = [Rerack(ball=place) for place in spots.values()]
    of_cue = [Rerack(cue="in_hand_house"), *(Rerack(cue=place) for place in spots.values())]
    said = shot.oracle.confirmed("rack_area")
    if said is None:
        rulings = possible or [Rerack(), *of_ball, *of_cue, both]
        ruling: Rerack = shot.ask("rack_area", rulings, clause="P141-7.6")
        return ruling
    way = _in_the_way(said)
    fitting = [each for each in possible or () if _ways(each, fifteenth) == set(way)]
    if len(fitting) == 1:
        return fitting[0]
    if CUE in way and fifteenth in way:
        return both
    if fifteenth in way:
        where = shot.ask("spot_place", tuple(spots), clause="P141-7.6", ball=fifteenth)
        return Rerack(ball=where if isinstance(where, tuple) else spots.get(str(where), table.head_spot))
    if CUE in way:
        where = shot.ask("spot_place", ("in_hand_house", *spots), clause="P141-7.6", ball=CUE)
        return Rerack(cue=where if isinstance(where, tuple) else spots.get(str(where), "in_hand_house"))
    return Rerack()


def _reracked(state: State, ruling: Rerack, spot: Mapping[str, Point], fifteenth: str, *, known: bool) -> State:
    """The state with the new rack: the racked balls' numbers are not known to lie in a certain order."""
    table = state.table
    others = [ball for ball in NUMBERS if ball != fifteenth]
    rack = dict(zip(others, full_rack(table)[1:], strict=False))
    places = {**(state.positions if known else {}), **rack, **spot}
    cue_ball: str | Point = state.cue_ball if ruling.cue is None else ruling.cue
    if ruling.cue is not None:
        places.pop(CUE, None)
    if not isinstance(cue_ball, str):
        places[CUE] = cue_ball
    balls = frozenset(rack) | {fifteenth} | (frozenset() if cue_ball == "in_hand_house" else {CUE})
    return replace(
        state,
        balls=balls,
        positions={ball: place for ball, place in places.items() if ball in balls},
        cue_ball=cue_ball,
        part=replace(state.part, near={}),
    )


def _ways(ruling: Rerack, fifteenth: str) -> set[str]:
    """The balls that are in the rack's way if this is the ruling."""
    return ({fifteenth} if ruling.ball is not None else set()) | ({CUE} if ruling.cue is not None else set())


def _in_the_way(answer: object) -> tuple[str, ...]:
    """The balls that a referee named as being in the rack's way."""
    if isinstance(answer, str):
        return (answer,)
    return tuple(answer) if isinstance(answer, tuple | list) else ()
