"""Combined pyramid: what follows from a stroke, a foul and a ball taken to a shelf, in the order of its rule book.

The infringements are in ``pyramid_fouls``. The score is the balls on each side's shelf; whose eighth ball it is wins
(PC-1). The seed text refers to general rules of pyramid that it doesn't hold: the supplied ones are ``SUP-PYR-``.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from referee.rules.administration import finish_frame, rotated, who
from referee.rules.engine import Shot
from referee.rules.facts import CUE
from referee.rules.geometry_pool import full_rack, number, racked
from referee.rules.officials import Official
from referee.rules.outcome import Call, Finding, Outcome, call
from referee.rules.pool import PoolGame
from referee.rules.pool_lag import judge_lag
from referee.rules.pool_shot import PoolShot
from referee.rules.pyramid_fouls import BY_OTHERS, FOULS, Debt, PyramidPart, PyramidShot
from referee.rules.questions import Oracle
from referee.rules.state import Option, State
from referee.rules.table import Table
from tracking.records import Positions, ShotRecord
from tracking.strict_json import MalformedRecord, Point

WINNING = 8
OBJECT_BALLS = tuple(f"ball-{i}" for i in range(1, 16))


class CombinedPyramid(PoolGame):
    name = "pyramid-combined"
    ball_names = frozenset({CUE, *OBJECT_BALLS})
    ons = frozenset({"any"})
    doubtful_clauses: ClassVar = ("SUP-PYR-11", "SUP-PYR-5", "PC-4c")
    turn_clause = "PC-4c"
    fouls: ClassVar = FOULS
    checks: ClassVar = (*FOULS.checks, *BY_OTHERS.checks)
    spotting_clause = "SUP-PYR-8"
    shot_type = PyramidShot

    # -------------------------------------------------------------------------------- the start of a game (PC-2)

    def alike(self, ball: str) -> Hashable:
        return ball == CUE

    def unseen(self, state: State, record: ShotRecord) -> tuple[str, ...]:
        """A ball that is owed may have been taken, though nobody said which."""
        part = state.part
        assert isinstance(part, PyramidPart)
        return super().unseen(state, record)[len(part.debts) :]

    def opening(self, table: Table) -> dict[str, Point]:
        return dict(zip(OBJECT_BALLS, full_rack(table), strict=True))

    def begin_frame(self, state: State) -> State:
        rack = self.opening(state.table)
        part: PyramidPart = state.part
        return replace(
            state,
            balls=frozenset(rack),
            positions=rack,
            cue_ball="in_hand_house",
            on=("any",),
            part=replace(part, stage="break", debts=()),
        )

    def rack_fits(self, places: Mapping[str, Point], table: Table, slack_mm: float = 0.0) -> bool:
        """Fifteen balls in a tight triangle with its apex on the back spot (SUP-PYR-2)."""
        return racked(places.values(), full_rack(table), slack_mm)

    def next_on(self, balls: Collection[str]) -> tuple[str, ...]:
        return ("any",)

    def waits_for_break(self, state: State) -> bool:
        """Touching a ball while placing the cue ball is a foul before the break, too (SUP-PYR-6)."""
        return False

    def usual_break(self, state: State) -> str:
        """Breaks alternate (SUP-PYR-3)."""
        return "alternate"

    # -------------------------------------------------------------------------------- a stroke (PC-3, PC-4)

    def stroke(self, shot: Shot) -> Outcome:
        assert isinstance(shot, PyramidShot)
        findings = self._findings(shot)
        if self._fell_before_it_was_hit(shot, findings):
            return self._replayed(shot)
        return self.foul(shot, findings) if findings else self.legal(shot)

    def _findings(self, shot: PoolShot) -> tuple[Finding, ...]:
        if shot.condoned:
            return ()
        assert isinstance(shot, PyramidShot)
        return (FOULS if shot.intruder is None else BY_OTHERS).found(shot)

    def _lapsed(self, shot: PyramidShot) -> tuple[dict[str, int], tuple[Debt, ...]]:
        """What becomes of balls that nobody was said to have taken before this stroke: points taken back, debts left.

        The point of a svoyak is lost (SUP-PYR-10), that of a penalty stays. A ball that is no longer on the table has
        been taken, though nobody said which.
        """
        if not shot.facts.stroke:
            return {}, shot.part.debts
        seen = shot.record.present
        missing = 0 if seen is None else len(shot.state.balls - {CUE}) - len(set(seen) - {CUE})
        open_debts = sorted(shot.part.debts, key=lambda debt: debt.reason != "svoyak")[max(0, missing) :]
        lapsed = _sum(*({debt.side: -1} for debt in open_debts if debt.reason == "svoyak"))
        return lapsed, tuple(debt for debt in open_debts if debt.reason == "penalty")

    def _fell_before_it_was_hit(self, shot: PyramidShot, findings: Sequence[Finding]) -> bool:
        """Nothing was hit because a ball that had hung for long fell by itself: the stroke is played again."""
        missed = [each for each in findings if each.what == "no ball hit"]
        return (
            bool(missed)
            and len(missed) == len(findings)
            and any(
                bool(shot.ask("self_fell", (True, False), clause="SUP-PYR-12", ball=fell.ball))
                for fell in shot.facts.fallen
            )
        )

    def legal(self, shot: PyramidShot) -> Outcome:
        """Balls that count stay down and let him play on; the others go back on the table (PC-4c, 4d, SUP-PYR-8)."""
        lapsed, debts = self._lapsed(shot)
        side = shot.state.sides.of(shot.offender)
        counted = tuple(pot.ball for pot in shot.in_pockets if shot.counts(pot))
        svoyak = CUE in counted
        idle = [ball for ball in (*shot.down, *shot.off) if ball not in counted and ball != CUE]
        points = _sum(lapsed, {side: len(counted)})
        next_player = shot.state.striker if counted else shot.state.follower()
        debts += (Debt(side=side, reason="svoyak"),) if svoyak else ()
        state, spot, restore = self._left(
            shot, idle, striker=next_player, score=shot.state.add(points), foul_by=None, debts=debts
        )
        visit = shot.state.break_points + len(counted) if counted else 0
        assert state.striker is not None
        options = _to_take(debts[-1:], state) if svoyak else ()
        calls = [*_spot_calls(spot)]
        calls += [_score_call(state)] if any(points.values()) else []
        if state.score[side] < WINNING:
            calls += [call("own_ball")] if svoyak else []
            calls += _in_hand_calls(shot, state)
        outcome = Outcome(
            state=replace(state, break_points=visit, options=options),
            legal=True,
            penalty=0,
            points=points,
            score=state.score,
            potted=counted,
            spot=spot,
            restore=restore,
            calls=tuple(calls),
        )
        return self._won(outcome)

    def foul(self, shot: PyramidShot, findings: tuple[Finding, ...]) -> Outcome:
        """What fell is put back, and the opponent takes a ball to his shelf and plays (SUP-PYR-7)."""
        lapsed, debts = self._lapsed(shot)
        sides, offender = shot.state.sides, shot.offender
        other = sides.opponent(offender)
        penalty = max(each.value for each in findings)
        points = _sum(lapsed, {other: penalty})
        back = [ball for ball in (*shot.down, *shot.off) if ball != CUE]
        debts += (Debt(side=other, reason="penalty"),) if penalty else ()
        state, spot, restore = self._left(
            shot,
            back,
            striker=self.next_player(shot),
            score=shot.state.add(points),
            foul_by=offender,
            debts=debts,
            stays_break=not shot.facts.stroke,
        )
        assert state.striker is not None
        weak = any(each.clause == "SUP-PYR-4" for each in findings)
        ids = [("accept", "SUP-PYR-4"), ("rebreak_self", "SUP-PYR-4")] if weak else []
        options = tuple(Option(id=each, player=state.striker, clause=clause) for each, clause in ids)
        options += _to_take(debts[-1:], state) if penalty else ()
        calls = [call("foul_for", what=findings[0].what)] if penalty else []
        calls += _spot_calls(spot)
        calls += [call("penalty_ball", player=other), _score_call(state)] if penalty else []
        calls += [call("bad_break")] if weak else []
        calls += _in_hand_calls(shot, state) if state.score[other] < WINNING else []
        outcome = Outcome(
            state=replace(state, break_points=0, options=options),
            legal=False,
            fouls=findings,
            penalty=penalty,
            points=points,
            score=state.score,
            spot=spot,
            restore=restore,
            calls=tuple(calls),
        )
        return self._won(outcome)

    def _won(self, outcome: Outcome) -> Outcome:
        """The eighth ball ends the game (PC-1)."""
        winner = next((side for side, balls in outcome.score.items() if balls >= WINNING), None)
        return outcome if winner is None else finish_frame(self, outcome, winner=winner, result="won")

    # -------------------------------------------------------------------------------- what the stroke left

    def _left(
        self,
        shot: PyramidShot,
        back: Sequence[str],
        *,
        debts: tuple[Debt, ...],
        stays_break: bool = False,
        **changes: Any,
    ) -> tuple[State, dict[str, Point], dict[str, Point]]:
        """The state after a record, the balls spotted and the balls put back to where they lay."""
        restore = shot.put_back
        spot, unknown = self.spots(shot, back, restore, cue_stays=shot.lost_cue_ball is None)
        stage = shot.part.stage if stays_break or not shot.facts.stroke else "play"
        part = replace(shot.part, stage=stage, debts=debts)
        state = shot.left(spot=spot, restore=restore, unknown=unknown, part=part, on=("any",), **changes)
        if shot.lost_cue_ball or (shot.state.in_hand and not shot.facts.stroke):
            state = _without_cue_ball(state)
            house = self._house(state, {**shot.resting, **spot, **restore})
            if house is None and (shot.breaking or not shot.lost_cue_ball):
                house = "in_hand_house" if shot.lost_cue_ball else str(shot.state.cue_ball)
            if house is None:
                inside = shot.ask("all_in_house", (False, True), clause="SUP-PYR-6")
                house = "in_hand_foot" if inside else "in_hand_house"
            return replace(state, cue_ball=house), spot, restore
        cue_ball = "as_it_lies" if shot.facts.stroke else shot.state.cue_ball
        return replace(state, cue_ball=cue_ball), spot, restore

    def _house(self, state: State, resting: Positions) -> str | None:
        """Where the cue ball in hand is played from: the opposite end where all balls lie in the house (SUP-PYR-6).

        None where too little is known of where they lie.
        """
        inside = [state.table.in_house(resting[ball]) if ball in resting else None for ball in state.balls - {CUE}]
        if False in inside:
            return "in_hand_house"
        return None if None in inside else "in_hand_foot"

    # -------------------------------------------------------------------------------- officials and choices

    def own_official(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        if line.kind in ("shelf", "penalty_ball"):
            return self._taken(state, line, last)
        if line.kind == "cannot_restore":
            return self.cannot_restore(state)
        return None

    def lag(self, state: State, record: ShotRecord, oracle: Oracle) -> Outcome:
        """The lag is judged as in pool, and its winner breaks (SUP-PYR-3)."""
        lag = judge_lag(state, record, oracle)
        fouls = tuple(replace(each, clause="SUP-PYR-3") for each in lag.fouls)
        calls = tuple(each for each in lag.calls if each.code != "break_choice")
        return replace(lag, state=replace(lag.state, options=()), fouls=fouls, calls=calls)

    def choices(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        if line.option == "take_ball":
            return self._taken(state, line, last)
        if line.option == "accept":
            options = tuple(each for each in state.options if each.id == "take_ball")
            return last.again(replace(state, options=options))
        if line.option == "rebreak_self":
            return self._rebroken(state, last)
        return None

    def _rebroken(self, state: State, last: Outcome) -> Outcome:
        """The balls are racked and the opponent breaks; what the break gave is annulled (PC-3c, SUP-PYR-4)."""
        score = {side: state.score[side] - last.points.get(side, 0) for side in state.sides.names}
        assert state.striker is not None
        again = replace(
            state, score=score, options=(), order=rotated(state.order, state.striker), before=None, record=None
        )
        begun = replace(self.begin_frame(again), strokes=0, foul_by=None)
        calls = (call("racked_to_break", player=state.striker),)
        return last.again(begun, points=state.sides.zero(), spot={}, rack="full", calls=calls)

    def _taken(self, state: State, line: Official, last: Outcome) -> Outcome:
        """A ball goes from the table to the shelf of the player it is owed to (PC-4g, SUP-PYR-7)."""
        side = state.sides.of(who(state, line.player, "player"))
        if line.ball is None:
            raise MalformedRecord("ball", "the ball that leaves the table", line.ball)
        if last.frame.over and line.kind != "choose":
            if side != last.frame.winner:
                raise MalformedRecord("player", "the player whose ball ended the game", line.player)
            return replace(last, calls=())
        part: PyramidPart = state.part
        debt = next((each for each in part.debts if each.side == side), None)
        if debt is None:
            raise MalformedRecord("player", "a player who has a ball to take from the table", line.player)
        named = line.ball in state.balls and line.ball != CUE
        if not named and (line.ball == CUE or not state.settings.measured_mm or state.balls <= {CUE}):
            on_table = ", ".join(sorted(state.balls - {CUE}, key=number))
            raise MalformedRecord("ball", f"an object ball on the table: {on_table}", line.ball)
        debts = tuple(each for each in part.debts if each is not debt)
        # A camera names balls that all look alike as it likes: by a name that it doesn't use people mean another one,
        # and where the rest lie is not known.
        taken = line.ball if named else max(state.balls - {CUE}, key=number)
        after = replace(
            state,
            balls=state.balls - {taken},
            positions={ball: place for ball, place in state.positions.items() if ball != taken} if named else {},
            options=(),
            part=replace(part, debts=debts),
        )
        if state.cue_ball == "in_hand_house" and part.stage == "play":
            after = replace(after, cue_ball=self._house(after, after.positions) or "in_hand_house")
        return last.again(after, calls=(call("ball_taken", player=line.player, ball=line.ball),))

    # -------------------------------------------------------------------------------- states of cases

    def read_part(self, data: Mapping[str, Any], state: State, dot: str) -> PyramidPart:
        for side, balls in state.score.items():
            if balls >= WINNING:
                path = dot.replace(f"{self.name}.", "score")
                raise MalformedRecord(f"{path}.{side}", f"fewer than {WINNING} balls on a shelf", balls)
        return PyramidPart.from_json(data, state.sides, state.settings.pyramid_calls, dot)

    def part_json(self, state: State) -> dict[str, Any]:
        part: PyramidPart = state.part
        return part.to_json()

    def complete(self, state: State, given: Collection[str]) -> State:
        part: PyramidPart = state.part
        start = self.at_the_start(state, given) and not any(state.score.values())
        stage = part.stage or ("break" if start else "play")
        state = replace(state, on=state.on or ("any",), part=replace(part, stage=stage))
        state = self.completed(state, given, opening=stage == "break")
        return replace(state, options=_to_take(part.debts, state), strokes=0 if stage == "break" else 1)


def _without_cue_ball(state: State) -> State:
    places = {ball: place for ball, place in state.positions.items() if ball != CUE}
    return replace(state, balls=state.balls - {CUE}, positions=places)


def _to_take(debts: Sequence[Debt], state: State) -> tuple[Option, ...]:
    """The options to take a ball: of the striker himself if it is his side's, else of any of that side."""

    def person(side: str) -> str:
        mine = [each for each in state.order if state.sides.of(each) == side]
        return state.striker if state.striker in mine and state.striker is not None else mine[0]

    return tuple(Option(id="take_ball", player=person(debt.side), clause=debt.clause) for debt in debts)


def _sum(*points: Mapping[str, int]) -> dict[str, int]:
    sides = {side for each in points for side in each}
    return {side: sum(each.get(side, 0) for each in points) for side in sorted(sides)}


def _score_call(state: State) -> Call:
    first, second = state.sides.names
    return call("score_now", first=state.score[first], second=state.score[second])


def _in_hand_calls(shot: PyramidShot, state: State) -> list[Call]:
    return [call(str(state.cue_ball))] if shot.lost_cue_ball else []


def _spot_calls(spot: Mapping[str, Point]) -> list[Call]:
    return [call("spotted", balls=len(spot))] if spot else []
