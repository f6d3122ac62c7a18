"""8-ball: what follows from a stroke, a foul, a choice and a loss, in the order of its rule book (``EB-``).

It is played with gentlemen's calls: an obvious ball needn't be called (EB-2). The infringements are in
``eight_ball_fouls``; the general rules of pool in ``pool`` and ``pool_fouls``.
"""

import math
from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from referee.rules.administration import finish_frame, rotated, treat
from referee.rules.eight_ball_fouls import (
    ALL_FOULS,
    BREAK_CLAUSES,
    EIGHT,
    GROUPS,
    LOSS,
    STAGES,
    EightBallPart,
    EightBallShot,
    group_of,
)
from referee.rules.engine import Shot
from referee.rules.facts import CUE
from referee.rules.geometry_pool import full_rack
from referee.rules.officials import Official
from referee.rules.outcome import Call, Finding, Outcome, call, nothing_played
from referee.rules.pool import RACKED_MM, PoolGame, called_spots
from referee.rules.state import Option, State
from referee.rules.table import Table
from tracking.strict_json import MalformedRecord, Point, read_boolean, read_integer, read_object, read_string

RACK_ORDER = ("1", "10", "2", "13", EIGHT, "6", "4", "14", "7", "11", "3", "12", "5", "15", "9")
CENTRE, REAR_CORNERS = 4, (10, 14)
"""Places in the rack, counted from its apex row by row (EB-3)."""


class EightBall(PoolGame):
    name = "8-ball"
    ons = frozenset({"any", *GROUPS, EIGHT})
    doubtful_clauses: ClassVar = ("EB-8a", "EB-8a", "EB-12")
    turn_clause = "EB-10a"
    shot_type = EightBallShot
    fouls = ALL_FOULS
    checks: ClassVar = ALL_FOULS.checks
    clauses_of_contact = frozenset({"EB-5b", "EB-8a"})

    # -------------------------------------------------------------------------------- the start of a game (EB-3, EB-4)

    def alike(self, ball: str) -> Hashable:
        return ball if ball == CUE else group_of(ball) or ball

    def sort_of(self, ball: str) -> str:
        group = group_of(ball)
        return group.removesuffix("s") if group in GROUPS else ball

    def opening(self, table: Table) -> dict[str, Point]:
        return dict(zip(RACK_ORDER, full_rack(table), strict=True))

    def rack_fits(self, places: Mapping[str, Point], table: Table, slack_mm: float = 0.0) -> bool:
        """The 8 in the centre and one ball of each group at the rear corners, as far as they are known (EB-3)."""
        wanted = full_rack(table)
        if not self.rack_is(places, wanted, {EIGHT: wanted[CENTRE]}, slack_mm):
            return False
        centre, left, right = (_group_at(places, wanted[place]) for place in (CENTRE, *REAR_CORNERS))
        return centre in (None, EIGHT) and EIGHT not in (left, right) and (left is None or left != right)

    def begin_frame(self, state: State) -> State:
        rack = self.opening(state.table)
        part = EightBallPart(coin_table=state.part.coin_table)
        return replace(
            state, balls=frozenset(rack), positions=rack, cue_ball="in_hand_house", on=("any",), placed=None, part=part
        )

    def usual_break(self, state: State) -> str:
        """Single players break in turn (EB-4b); of teams the winner breaks (SUP-PG-29)."""
        return super().usual_break(state) if state.sides.teams else "alternate"

    # -------------------------------------------------------------------------------- a stroke (EB-11c)

    def stroke(self, shot: Shot) -> Outcome:
        """A touch with the cue before the cue ball in hand had been placed starts no shot."""
        if shot.state.in_hand and shot.oracle.confirmed("placed") is False:
            return nothing_played(shot.state, legal=True, penalty=0)
        return super().stroke(shot)

    # -------------------------------------------------------------------------------- a legal shot (EB-6 to EB-10)

    def legal(self, shot: EightBallShot) -> Outcome:
        if shot.breaking:
            return self._broken(shot)
        counted = shot.counted
        if EIGHT in map(shot.group, counted):
            return self._won(shot, counted)
        goes_on = bool(counted)
        groups, calls = shot.part.groups, list[Call]()
        if shot.open_table and goes_on:
            groups = _groups(shot.state, shot.state.side, shot.group(counted[0]))
            calls.append(call(groups[shot.state.side]))
        if shot.safety:
            calls.append(call("safety"))
        if shot.eight_first:
            calls.append(call("eight_first"))
        elif shot.open_table and not goes_on:
            calls.append(call("table_open"))
        part = replace(self._counted(shot, not goes_on), groups=groups, stage="play" if groups else "open")
        return self._after(shot, counted, goes_on=goes_on, part=part, calls=calls)

    def _after(
        self,
        shot: EightBallShot,
        counted: tuple[str, ...],
        *,
        goes_on: bool,
        part: EightBallPart,
        calls: list[Call],
        options: tuple[Option, ...] = (),
    ) -> Outcome:
        """What is left by a legal shot: who plays on at what."""
        restore = shot.put_back
        spot, unknown = self.spots(shot, self._back(shot), restore)
        state = self.left(shot, spot=spot, unknown=unknown, restore=restore, foul_by=None, options=options, part=part)
        player = shot.state.striker if goes_on else shot.state.follower()
        state = replace(state, striker=player)
        return Outcome(
            state=replace(state, on=self._on(shot, state)),
            legal=True,
            penalty=0,
            points=state.sides.zero(),
            score=state.score,
            potted=counted,
            spot=spot,
            restore=restore,
            calls=(*calls, *self._spot_calls(shot, spot, options)),
        )

    def _spot_calls(self, shot: EightBallShot, spot: Mapping[str, Point], options: tuple[Option, ...]) -> list[Call]:
        """What is spotted; not the 8 while it is still to be chosen whether it is (EB-5g, EB-5h)."""
        to_choose = any(option.id == "spot_and_play" for option in options)
        return called_spots({b: p for b, p in spot.items() if not (to_choose and shot.group(b) == EIGHT)})

    def _counted(self, shot: EightBallShot, visit_over: bool) -> EightBallPart:
        """What the referee has to know at a stalemate: the run of fouls ended, a visit more (EB-16a, DIF-30)."""
        visits = shot.part.stalemate_visits
        more = None if visits is None else visits + (1 if visit_over else 0)
        return replace(shot.part, stalemate_fouls=0, stalemate_visits=more)

    def _back(self, shot: EightBallShot) -> set[str]:
        """Balls that are spotted: off the table (EB-13c), and the 8 where its fall didn't end the game (EB-5g, 5h)."""
        down = set() if shot.eight_down is None else {shot.eight_down.ball}
        back = shot.settings.eight_ball_off_table == "spotted"
        return {b for b in shot.off if b != CUE and (back or shot.group(b) == EIGHT)} | down

    def _on(self, shot: EightBallShot, state: State) -> tuple[str, ...]:
        """What the next player may play at, as ``next.on`` has it (EB-6a, EB-8a, EB-10b)."""
        part: EightBallPart = state.part
        if part.stage == "break":
            return ("any",)
        if part.stage == "open" or state.striker is None:
            return GROUPS
        group = part.groups[state.side]
        return (group,) if shot.left_of(group, state.balls, "next_group_left") else (EIGHT,)

    def _won(self, shot: EightBallShot, counted: tuple[str, ...]) -> Outcome:
        """The 8 legally pocketed after the own group (EB-1b)."""
        state = self.left(shot, foul_by=None)
        outcome = Outcome(state=state, legal=True, penalty=0, score=state.score, potted=counted)
        return finish_frame(self, outcome, winner=shot.state.side, result="won")

    # -------------------------------------------------------------------------------- the break (EB-5)

    def _broken(self, shot: EightBallShot) -> Outcome:
        """A legal break: the table is open, and the breaker goes on if anything fell (EB-2d, EB-6b, EB-7a)."""
        eight = shot.eight_down
        counted = tuple(ball for ball in shot.down if eight is None or ball != eight.ball)
        if eight is not None and shot.part.coin_table:  # EB-5i
            return self._won(shot, counted)
        part = replace(shot.part, stage="open", stalemate_fouls=0)
        player = shot.state.striker
        options: tuple[Option, ...] = ()
        calls = [call("table_open")]
        if eight is not None and player is not None:
            ids = ("spot_and_play", "rebreak")
            options = tuple(Option(id=each, player=player, clause="EB-5g") for each in ids)
            calls = [call("eight_on_break")]
        return self._after(shot, counted, goes_on=bool(shot.down), part=part, calls=calls, options=options)

    def _break_options(self, shot: EightBallShot, clauses: Collection[str], player: str) -> tuple[Option, ...]:
        """What the opponent may choose after a foul on the break (EB-5b, 5f, 5h)."""
        ids: dict[str, str] = {}
        if "EB-5b" in clauses:
            ids |= dict.fromkeys(("accept", "rebreak_self", "rebreak"), "EB-5b")
        elif shot.eight_down is not None:
            ids |= dict.fromkeys(("spot_and_play", "rebreak_self"), "EB-5h")
        if "EB-5f" in clauses and self._cue_ball(shot, clauses) == "as_it_lies":
            ids |= dict.fromkeys(("house",) if ids else ("accept", "house"), "EB-5f")
        return tuple(Option(id=each, player=player, clause=clause) for each, clause in ids.items())

    def _cue_ball(self, shot: EightBallShot, clauses: Collection[str]) -> str:
        """In hand anywhere (EB-11a); on the break as EB-5 says: behind the line after a scratch (EB-5d)."""
        if not shot.breaking or not set(clauses) <= BREAK_CLAUSES:
            return "in_hand_any"
        return "in_hand_house" if shot.lost_cue_ball else "as_it_lies"

    # -------------------------------------------------------------------------------- a foul (EB-11 to EB-15)

    def foul(self, shot: EightBallShot, findings: tuple[Finding, ...]) -> Outcome:
        clauses = {each.clause for each in findings}
        losses = [each for each in findings if each.value == LOSS]
        if losses:
            return self._lost(shot, findings, losses[0])
        restore = shot.put_back
        cue_ball = self._cue_ball(shot, clauses)
        lies = cue_ball == "as_it_lies"
        spot, unknown = self.spots(shot, self._back(shot), restore, cue_stays=lies)
        state = self.left(shot, spot=spot, unknown=unknown, restore=restore, cue_ball=cue_ball)
        player = self.next_player(shot)
        own_foul = shot.state.sides.of(shot.offender) == shot.state.side
        part = self._counted(shot, own_foul)
        part = replace(
            part,
            stage="open" if shot.breaking else part.stage,
            stalemate_fouls=shot.part.stalemate_fouls + (1 if own_foul else 0),
        )
        options = self._break_options(shot, clauses, player) if shot.breaking else ()
        state = replace(state, striker=player, foul_by=shot.offender, part=part, options=options, break_points=0)
        calls = [call("illegal_break") if "EB-5b" in clauses else call("foul_for", what=findings[0].what)]
        if shot.breaking and shot.eight_down:
            calls.append(call("eight_on_break"))
        if "EB-5f" in clauses and lies:
            calls.append(call("off_on_break"))
        return Outcome(
            state=replace(state, on=self._on(shot, state)),
            legal=False,
            fouls=findings,
            penalty=0,
            points=state.sides.zero(),
            score=state.score,
            spot=spot,
            restore=restore,
            calls=(*calls, *self._spot_calls(shot, spot, options), *(() if lies else (call(cue_ball),))),
        )

    def _lost(self, shot: EightBallShot, findings: tuple[Finding, ...], loss: Finding) -> Outcome:
        """The striker, or whoever did it, loses the game (EB-13b, EB-15)."""
        state = replace(self.left(shot), foul_by=shot.offender)
        calls = (call("loss_for", what=loss.what),)
        outcome = Outcome(state=state, legal=False, fouls=findings, penalty=0, score=state.score, calls=calls)
        winner = state.sides.opponent(shot.offender)
        return finish_frame(self, outcome, winner=winner, result="lost")

    # -------------------------------------------------------------------------------- between strokes

    def incident(self, shot: Shot) -> Outcome:
        assert isinstance(shot, EightBallShot)
        outcome = super().incident(shot)
        if outcome.frame.over:
            return outcome
        return replace(outcome, state=replace(outcome.state, on=self._on(shot, outcome.state)))

    def next_on(self, balls: Collection[str]) -> tuple[str, ...]:
        return GROUPS

    # -------------------------------------------------------------------------------- stalemate, choices (EB-16, EB-5)

    def own_official(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        if line.kind == "warn" and line.about == "stalemate" and state.settings.eight_ball_stalemate == "visits":
            counting = replace(state, part=replace(state.part, stalemate_visits=0))
            return treat(self, counting, line, last)
        return super().own_official(state, line, last)

    def choices(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        if line.option in ("accept", "spot_and_play"):
            eight = {ball: place for ball, place in last.spot.items() if group_of(ball) == EIGHT}
            calls = called_spots(eight) if line.option == "spot_and_play" else []
            return last.again(replace(state, options=()), calls=tuple(calls))
        if line.option == "house":
            places = {ball: place for ball, place in state.positions.items() if ball != CUE}
            in_hand = replace(state, options=(), cue_ball="in_hand_house", balls=state.balls - {CUE}, positions=places)
            return last.again(in_hand, calls=(call("in_hand_house"),))
        if line.option in ("rebreak", "rebreak_self"):
            return self._rebroken(state, last, again=line.option == "rebreak")
        return None

    def _rebroken(self, state: State, last: Outcome, *, again: bool) -> Outcome:
        """The balls are racked again; the breaker breaks again, or the one who chose (EB-5b, 5g, 5h)."""
        broke = state.before.striker if state.before is not None else state.breaker
        player = broke if again else state.striker
        assert player is not None
        begun = self.begin_frame(
            replace(
                state,
                striker=player,
                order=rotated(state.order, player),
                options=(),
                foul_by=None,
                break_points=0,
                strokes=0,
                before=None,
                record=None,
            )
        )
        calls = (call("racked_to_break", player=player),)
        return last.again(begun, spot={}, rack="full", calls=calls)

    # -------------------------------------------------------------------------------- states of cases

    def read_part(self, data: Mapping[str, Any], state: State, dot: str) -> EightBallPart:
        stage, fouls, visits = data.get("stage"), data.get("stalemate_fouls", 0), data.get("stalemate_visits")
        groups: dict[str, str] = {}
        given = data.get("groups")
        for side, name in read_object({} if given is None else given, f"{dot}groups").items():
            read_string(side, f"{dot}groups", state.sides.names)
            own = read_string(name, f"{dot}groups.{side}", GROUPS)
            if groups and groups.get(side) != own:
                raise MalformedRecord(f"{dot}groups.{side}", "the other group than the other side's", own)
            groups = _groups(state, side, own)
        if stage is not None:
            read_string(stage, f"{dot}stage", STAGES)
        if stage == "play" and not groups:
            raise MalformedRecord(f"{dot}groups", "whose group is which, as the stage is play", given)
        if stage in ("break", "open") and groups:
            raise MalformedRecord(f"{dot}groups", f"no groups at stage {stage}", given)
        return EightBallPart(
            stage=str(stage or ("play" if groups else "")),
            groups=groups,
            stalemate_fouls=read_integer(fouls, f"{dot}stalemate_fouls", least=0),
            stalemate_visits=None if visits is None else read_integer(visits, f"{dot}stalemate_visits", least=0),
            coin_table=read_boolean(data.get("coin_table", False), f"{dot}coin_table"),
        )

    def part_json(self, state: State) -> dict[str, Any]:
        part: EightBallPart = state.part
        own = {
            "stage": part.stage,
            "groups": dict(part.groups),
            "stalemate_fouls": part.stalemate_fouls,
            "coin_table": part.coin_table,
        }
        return own if part.stalemate_visits is None else own | {"stalemate_visits": part.stalemate_visits}

    def complete(self, state: State, given: Collection[str]) -> State:
        part: EightBallPart = state.part
        stage = part.stage or ("break" if self.at_the_start(state, given) else "open")
        state = self.completed(replace(state, part=replace(part, stage=stage)), given, opening=stage == "break")
        group = part.groups.get(state.side) if stage == "play" else None
        if "on" in given:
            if "balls" in given or state.on != (EIGHT,) or group is None:
                return state
            return replace(state, balls=frozenset(ball for ball in state.balls if group_of(ball) != group))
        if group is None:
            return replace(state, on=("any",) if stage == "break" else GROUPS)
        cleared = all(group_of(ball) not in (group, None) for ball in state.balls - {CUE})
        return replace(state, on=(EIGHT,) if cleared else (group,))


def _groups(state: State, side: str, group: str) -> dict[str, str]:
    """Whose group is which, if this side has this one."""
    other = GROUPS[1 - GROUPS.index(group)]
    return {name: group if name == side else other for name in state.sides.names}


def _group_at(places: Mapping[str, Point], place: Point) -> str | None:
    """The group of the ball that lies there; None where it isn't known."""
    return next((group_of(ball) for ball, at in places.items() if math.dist(at, place) <= RACKED_MM), None)
