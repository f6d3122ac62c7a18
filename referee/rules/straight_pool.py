"""14.1 continuous, in the order of its rule book (``P141-``): points, the opening break, racks of 14, fouls, the end.

A point for each ball pocketed as called, and for each that falls with it; fouls take points from the offender. The
infringements are in ``straight_pool_fouls``, the new racks in ``straight_pool_racks``, the general rules of pool in
``pool`` and ``pool_fouls``.
"""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from referee.rules.administration import finish_frame, rotated
from referee.rules.facts import CUE
from referee.rules.geometry_pool import full_rack, number
from referee.rules.officials import Official
from referee.rules.outcome import Call, Finding, Outcome, call, nothing_played
from referee.rules.pool import NUMBERS, PoolGame, called_spots, chosen_ball, read_side_counts
from referee.rules.state import Option, State
from referee.rules.straight_pool_fouls import (
    BY_OTHER_PLAYER,
    DELIBERATE,
    FOULS,
    NEAR_SAFETIES,
    NearCushion,
    StraightPoolPart,
    StraightPoolShot,
)
from referee.rules.straight_pool_racks import new_rack
from referee.rules.table import Table
from tracking.strict_json import Point, read_boolean, read_integer, read_object, read_string

THIRD_FOUL = 15
LOSING_FOULS = 3
USUAL_TARGET = 150
EQUALLY_NEAR_MM = 1.0
"""Balls whose distances from the head string differ by no more than this are equally near it (P141-7.7b)."""
RIGHT_CORNER, LEFT_CORNER = 14, 10
"""Places of the triangle, counted from the apex row by row."""


class StraightPool(PoolGame):
    name = "14.1"
    ons = frozenset({"any"})
    doubtful_clauses: ClassVar = ("P141-7.2a", "P141-7.2a", "P141-5")
    turn_clause = "P141-1a"
    shot_type = StraightPoolShot
    fouls = FOULS
    fouls_of_others = BY_OTHER_PLAYER
    checks: ClassVar = FOULS.checks
    clauses_of_contact = frozenset({"P141-6b", "P141-7.2a"})

    # -------------------------------------------------------------------------------- the rack (P141-4)

    def alike(self, ball: str) -> Hashable:
        return ball == CUE

    def sort_of(self, ball: str) -> str:
        return ball if ball == CUE else "ball"

    def opening(self, table: Table) -> dict[str, Point]:
        rest = [ball for ball in NUMBERS if ball not in ("1", "5")]
        order = [*rest[:LEFT_CORNER], "5", *rest[LEFT_CORNER:], "1"]
        return dict(zip(order, full_rack(table), strict=True))

    def rack_fits(self, places: Mapping[str, Point], table: Table, slack_mm: float = 0.0) -> bool:
        """A full tight triangle, the 1 at its right corner, the 5 at its left one."""
        wanted = full_rack(table)
        return self.rack_is(places, wanted, {"1": wanted[RIGHT_CORNER], "5": wanted[LEFT_CORNER]}, slack_mm)

    def begin_frame(self, state: State) -> State:
        part = StraightPoolPart(target=state.part.target, fouls=state.sides.zero())
        return self._racked(replace(state, part=part))

    def _racked(self, state: State) -> State:
        """All fifteen balls racked for an opening break from the house (P141-6, P141-12d)."""
        rack = self.opening(state.table)
        return replace(
            state,
            balls=frozenset(rack),
            positions=rack,
            cue_ball="in_hand_house",
            on=("any",),
            break_points=0,
            options=(),
            placed=None,
            part=replace(state.part, opening=True, near={}),
        )

    def next_on(self, balls: Collection[str]) -> tuple[str, ...]:
        return ("any",)

    def waits_for_break(self, state: State) -> bool:
        part: StraightPoolPart = state.part
        return bool(part.opening)

    # -------------------------------------------------------------------------------- a legal stroke (P141-7)

    def legal(self, shot: StraightPoolShot) -> Outcome:
        return self._scored(shot) if shot.called_down else self._not_scored(shot)

    def _scored(self, shot: StraightPoolShot) -> Outcome:
        """The called ball and each that fell with it (P141-5, 7.1c); the same player goes on (7.1a)."""
        side = shot.state.side
        points = {side: len(shot.down)}
        restore = shot.put_back
        state = self.left(
            shot,
            restore=restore,
            score=shot.state.add(points),
            break_points=shot.state.break_points + len(shot.down),
            foul_by=None,
            part=self._cleared(shot, scored=True),
        )
        calls: list[Call] = [call("score", points=state.score[side])]
        outcome = Outcome(
            state=state,
            legal=True,
            penalty=0,
            points=points,
            score=state.score,
            potted=shot.down,
            restore=restore,
            calls=tuple(calls),
        )
        if state.score[side] >= state.part.target:
            made = replace(outcome, made=state.break_points)
            return finish_frame(self, made, winner=side, result="won")
        left = state.balls - {CUE}
        return outcome if len(left) > 1 else new_rack(shot, outcome, left)

    def _not_scored(self, shot: StraightPoolShot) -> Outcome:
        """A miss or a safety: what fell is spotted without penalty, the visit ends (P141-7.4b, P141-8)."""
        restore = shot.put_back
        spot, unknown = self.spots(shot, shot.down, restore)
        state = self.left(
            shot,
            spot=spot,
            unknown=unknown,
            restore=restore,
            striker=shot.state.follower(),
            break_points=0,
            foul_by=None,
            part=self._cleared(shot, scored=False),
        )
        calls: list[Call] = [call("safety")] if shot.safety else []
        calls += [*self._near_calls(state, shot.state.side), *called_spots(spot), *_visit_over(shot, state)]
        return Outcome(
            state=state,
            legal=True,
            penalty=0,
            points=state.sides.zero(),
            score=state.score,
            spot=spot,
            restore=restore,
            calls=tuple(calls),
        )

    def _cleared(self, shot: StraightPoolShot, *, scored: bool) -> StraightPoolPart:
        """What a stroke without a foul leaves of the fouls (P141-12a, POL-4) and of a run of near-cushion safeties."""
        part, side = shot.part, shot.state.side
        clears = scored or shot.safety or shot.settings.fouls_cleared_14_1 == "foul_free_stroke"
        near = {each: run for each, run in shot.runs_left.items() if each != side}
        if shot.only_near_cushion:
            near |= self._near_run(shot, part.fouls[side] if clears else 0)
        fouls_left = {**part.fouls, side: 0} if clears else part.fouls
        return replace(part, opening=False, fouls=fouls_left, near=near)

    def _near_run(self, shot: StraightPoolShot, fouls: int) -> dict[str, NearCushion]:
        """The run of visits after a stroke that drove a ball to the cushion it lay near; safeties count (P141-7.2b).

        ``fouls``: those that the stroke takes off the record; they belong to the run all the same (X-53).
        """
        side, ball = shot.state.side, shot.only_near_cushion[0]
        run = shot.part.near.get(side)
        if run is None or run.ball != ball:
            run = NearCushion(ball=ball)
        run = replace(run, safeties=run.safeties + shot.safety, fouls=run.fouls + fouls)
        return {side: run} if run.safeties else {}

    def _near_calls(self, state: State, side: str) -> list[Call]:
        """What a ball near a cushion may still be used for (P141-7.2b)."""
        part: StraightPoolPart = state.part
        run = part.near.get(side)
        if run is None:
            return []
        used = run.safeties + run.fouls + part.fouls[side]
        if used >= NEAR_SAFETIES:
            return [call("counts_as_frozen", ball=run.ball)]
        return [call("last_near_safety", ball=run.ball)] if used == NEAR_SAFETIES - 1 else []

    # -------------------------------------------------------------------------------- a foul (P141-6, 7.5, 9 to 13)

    def foul(self, shot: StraightPoolShot, findings: tuple[Finding, ...]) -> Outcome:
        """One penalty, the strictest; every ball pocketed in the stroke is spotted and unscored (PG-15, PG-24)."""
        worst = findings[0].clause
        side = shot.state.sides.of(shot.offender)
        illegal_break = worst == "P141-6b"
        counts = not illegal_break and (worst != "P141-7.5a" or shot.settings.deliberate_foul_counts)
        count = shot.part.fouls[side] + counts
        penalty = findings[0].value
        if count >= LOSING_FOULS:
            return self._third_foul(shot, findings)
        restore = shot.put_back
        lost = shot.lost_cue_ball is not None
        in_hand = lost or worst == "P141-7.5a"
        spot, unknown = self.spots(shot, {*shot.down, *shot.off} - {CUE}, restore, cue_stays=not in_hand)
        kept = shot.facts.stroke or not shot.state.in_hand
        cue_ball = "in_hand_house" if in_hand else "as_it_lies" if kept else shot.state.cue_ball
        part = replace(shot.part, opening=False, fouls={**shot.part.fouls, side: count}, near=shot.runs_left)
        state = self.left(
            shot,
            spot=spot,
            unknown=unknown,
            restore=restore,
            cue_ball=cue_ball,
            score=shot.state.add({side: -penalty}),
            striker=self.next_player(shot),
            break_points=0,
            foul_by=shot.offender,
            part=part,
        )
        state = self._with_options(state, worst)
        return Outcome(
            state=state,
            legal=False,
            fouls=findings,
            penalty=penalty,
            points={side: -penalty},
            score=state.score,
            spot=spot,
            restore=restore,
            calls=(*self._foul_calls(shot, findings[0], count), *called_spots(spot), *_visit_over(shot, state)),
        )

    def _with_options(self, state: State, worst: str) -> State:
        """Accept or have the offender break (P141-6c, 7.5b), or have a ball in the house spotted (7.7)."""
        assert state.striker is not None
        clause = {"P141-6b": "P141-6c", "P141-7.5a": "P141-7.5b"}.get(worst)
        if clause is None:
            return self._with_house_option(state)
        options = tuple(Option(id=each, player=state.striker, clause=clause) for each in ("accept", "rebreak"))
        return replace(state, options=options)

    def _with_house_option(self, state: State) -> State:
        """In hand behind the head string with all object balls in the house (P141-7.7a)."""
        objects = state.balls - {CUE}
        known = objects and all(ball in state.positions for ball in objects)
        if state.cue_ball != "in_hand_house" or state.striker is None or not known:
            return state
        if not all(state.table.in_house(state.positions[ball]) for ball in objects):
            return state
        return replace(state, options=(Option(id="spot_for_house", player=state.striker, clause="P141-7.7a"),))

    def _third_foul(self, shot: StraightPoolShot, findings: tuple[Finding, ...]) -> Outcome:
        """The third foul running: fifteen points, no foul on record, all balls racked, the offender breaks (12c, d)."""
        side, offender = shot.state.sides.of(shot.offender), shot.offender
        third = THIRD_FOUL + (findings[0].value if shot.settings.third_foul_14_1 == "1+15" else 0)
        penalty = max(findings[0].value, third)
        part = replace(shot.part, fouls={**shot.part.fouls, side: 0})
        state = replace(
            shot.left(),
            score=shot.state.add({side: -penalty}),
            striker=offender,
            order=rotated(shot.state.order, offender),
            foul_by=offender,
            part=part,
        )
        state = self._racked(state)
        return Outcome(
            state=state,
            legal=False,
            fouls=findings,
            penalty=penalty,
            points={side: -penalty},
            score=state.score,
            rack="full",
            calls=(
                call("foul_for", what=findings[0].what),
                call("third_foul", points=penalty, player=offender),
                call("in_hand_house"),
            ),
        )

    def _foul_calls(self, shot: StraightPoolShot, worst: Finding, count: int) -> list[Call]:
        in_hand = [call("in_hand_house")] if shot.lost_cue_ball else []
        if worst.clause == "P141-6b":
            return [call("illegal_break"), *in_hand]
        if worst.clause == "P141-7.5a":
            return [call("deliberate_foul", points=DELIBERATE)]
        return [call("foul_for", what=worst.what), call("foul_count", count=count), *in_hand]

    # -------------------------------------------------------------------------------- choices (P141-6c, 7.5b, 7.7)

    def choices(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        if line.option == "accept":
            return last.again(self._with_house_option(replace(state, options=())))
        if line.option == "rebreak":
            breaker = self._breaker_of(state)
            again = replace(state, striker=breaker, order=rotated(state.order, breaker), foul_by=None)
            calls = (call("breaks_again", player=breaker), call("in_hand_house"))
            return last.again(self._racked(again), spot={}, rack="full", calls=calls)
        if line.option == "spot_for_house":
            return self._spot_for_house(state, line, last)
        return None

    def _breaker_of(self, state: State) -> str:
        """Who has to break again: the one who fouled, or of his side the one who played before."""
        if state.foul_by in state.order:
            return str(state.foul_by)
        assert state.striker is not None
        return state.order[state.order.index(state.striker) - 1]

    def _spot_for_house(self, state: State, line: Official, last: Outcome) -> Outcome:
        """The ball nearest to the head string goes on the foot spot; of equally near ones the player's choice."""
        lying = {ball: place for ball, place in state.positions.items() if ball != CUE}
        nearest = max((place[1] for place in lying.values()), default=0.0)
        least = nearest - max(EQUALLY_NEAR_MM, state.settings.measured_mm)
        near = [ball for ball, place in lying.items() if place[1] >= least]
        allowed = sorted(near or state.balls - {CUE}, key=number)  # all of them where no places are known
        ball = chosen_ball(line, allowed, "one of the balls nearest to the head string")
        spot = {ball: state.table.foot_spot}
        after = replace(state, positions={**state.positions, **spot}, options=())
        return last.again(after, spot={**last.spot, **spot}, calls=tuple(called_spots(spot)))

    # -------------------------------------------------------------------------------- interrupted (PG-28c)

    def own_official(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        if line.kind == "void" and state.settings.stalemate_14_1 == "new_rack":
            return self.cannot_restore(state)
        return super().own_official(state, line, last)

    def cannot_restore(self, state: State) -> Outcome:
        """The rack is abandoned, the score stays; who breaks the new one is decided anew (PG-28c, SUP-PG-28)."""
        again = replace(self._racked(state), striker=None, breaker=None, foul_by=None, before=None, record=None)
        return nothing_played(again, rack="full", calls=(call("new_rack"),))

    # -------------------------------------------------------------------------------- states of cases

    def read_part(self, data: Mapping[str, Any], state: State, dot: str) -> StraightPoolPart:
        target = data.get("target")
        opening = data.get("opening")
        return StraightPoolPart(
            target=USUAL_TARGET if target is None else read_integer(target, f"{dot}target", least=1),
            opening=None if opening is None else read_boolean(opening, f"{dot}opening"),
            fouls=read_side_counts(data, "fouls", state, dot),
            near=self._read_near(data.get("near_cushion"), state, f"{dot}near_cushion"),
        )

    def _read_near(self, value: object, state: State, path: str) -> dict[str, NearCushion]:
        if value is None:
            return {}
        data = read_object(value, path)
        ball = read_string(data.get("ball"), f"{path}.ball", sorted(self.ball_names - {CUE}))
        dot = f"{path}."
        safeties, fouls = (read_side_counts(data, name, state, dot) for name in ("safeties", "fouls"))
        near = {
            side: NearCushion(ball=ball, safeties=safeties[side], fouls=fouls[side])
            for side in state.sides.names
            if safeties[side] or fouls[side]
        }
        return {**self._read_near(data.get("other"), state, f"{dot}other"), **near}

    def part_json(self, state: State) -> dict[str, Any]:
        part: StraightPoolPart = state.part
        out: dict[str, Any] = {"target": part.target, "opening": part.opening, "fouls": dict(part.fouls)}
        near: dict[str, Any] | None = None
        for ball in sorted({run.ball for run in part.near.values()}):
            runs = {side: run for side, run in part.near.items() if run.ball == ball}
            safeties = {side: runs[side].safeties if side in runs else 0 for side in state.sides.names}
            fouls = {side: run.fouls for side, run in runs.items() if run.fouls}
            own = {"ball": ball, "safeties": safeties, **({"fouls": fouls} if fouls else {})}
            near = own if near is None else {**own, "other": near}
        return out if near is None else {**out, "near_cushion": near}

    def complete(self, state: State, given: Collection[str]) -> State:
        part: StraightPoolPart = state.part
        opening = part.opening
        if opening is None:
            opening = self.at_the_start(state, given) and not any(state.score.values())
        state = replace(state, on=("any",), part=replace(part, opening=opening))
        state = self.completed(state, given, opening=opening)
        return state if opening else self._with_house_option(state)


def _visit_over(shot: StraightPoolShot, state: State) -> list[Call]:
    """The score at the end of a visit (ANN-14-1)."""
    first, second = state.sides.names
    return [call("visit_score", first=first, points=state.score[first], second=second, other=state.score[second])]
