"""9-ball, in the order of its rule book (``NB-``): the break, the push-out, fouls, three fouls running, the game's end.

It is played without calls: the lowest ball on the table must be hit first, and who pockets the 9 on a legal shot wins.
The general rules of pool are in ``pool`` and ``pool_fouls``.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from referee.rules.administration import finish_frame, treat, who
from referee.rules.geometry import diamond
from referee.rules.geometry_pool import number
from referee.rules.officials import Official
from referee.rules.outcome import Call, Finding, Fouls, Outcome, call
from referee.rules.pool import PoolGame, called_spots, read_side_counts, read_side_flags
from referee.rules.pool_fouls import (
    FOUL,
    GENERAL,
    Found,
    cue_ball_lost,
    missed_legal_balls,
    no_cushion,
    object_balls_off,
    played_in_the_house,
)
from referee.rules.pool_shot import PoolShot
from referee.rules.state import Option, State
from referee.rules.table import Table
from tracking.strict_json import Point, read_string

NINE = "9"
STAGES = ("break", "push_out_open", "play")
BALLS_TO_CUSHIONS = 4
LOSING_FOULS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class NineBallPart:
    """``fouls``: by side, on consecutive shots. ``warned``: by side, of two fouls since the second one."""

    stage: str = "break"
    fouls: Mapping[str, int] = field(default_factory=dict)
    warned: Mapping[str, bool] = field(default_factory=dict)


class NineBallShot(PoolShot):
    """A record seen with the eyes of 9-ball."""

    part: NineBallPart
    break_clauses = ("NB-3a", "NB-3a", "NB-3a")

    @property
    def push_out(self) -> bool:
        """Declared before the shot, and allowed only right after a legal break (NB-5a, NB-5c)."""
        if self.part.stage != "push_out_open" or not self.facts.stroke:
            return False
        if self.undeclared:
            return bool(self.ask("push_out", (False, True), clause="NB-5c"))
        return self.record.nominated is not None and self.record.nominated.push_out

    @property
    def legal_first(self) -> frozenset[str]:
        """The lowest ball on the table (NB-1a); any on a push-out (NB-5b)."""
        if self.push_out:
            return self.objects
        known = lowest(self.objects)
        if all(ball.isdigit() for ball in self.objects) or known == ("1",):
            return frozenset(known)
        hit = self.facts.first_contact  # a ball whose number isn't known may be lower
        maybe = {ball for ball in hit if not ball.isdigit()} | (hit & set(known))
        return frozenset(ball for ball in maybe if self.ask("ball_on", (True, False), clause="NB-1a", ball=ball))


def lowest(balls: Collection[str]) -> tuple[str, ...]:
    """The lowest ball whose number is known."""
    return tuple(sorted((ball for ball in balls if ball.isdigit()), key=number)[:1])


# ------------------------------------------------------------------------------------------ infringements

FOULS: Fouls[NineBallShot] = Fouls()


@FOULS.check("NB-3a", "contact", "pocket", "cushion")
def break_requirements(shot: NineBallShot) -> Found:
    """The 1 hit first, and an object ball pocketed or four of them to cushions."""
    if not shot.breaking:
        return
    yield from missed_legal_balls(shot)
    if not shot.pots and not shot.facts.reached_cushions(BALLS_TO_CUSHIONS, cue_counts=False):
        yield FOUL, "conditions of the break not met: no ball pocketed and not four object balls to cushions"


@FOULS.check("NB-3b", "pocket", "off_table", "foreign_object")
def cue_ball_lost_on_the_break(shot: NineBallShot) -> Found:
    if shot.breaking:
        yield from cue_ball_lost(shot)


@FOULS.check("NB-3c", "off_table", "foreign_object")
def object_ball_off_on_the_break(shot: NineBallShot) -> Found:
    if shot.breaking:
        yield from object_balls_off(shot)


@FOULS.check("NB-7", "contact")
def lowest_ball_not_hit_first(shot: NineBallShot) -> Found:
    if not shot.breaking and not shot.push_out:
        yield from missed_legal_balls(shot)


@FOULS.check("NB-8", "contact", "pocket", "cushion")
def nothing_reached(shot: NineBallShot) -> Found:
    if not shot.breaking and not shot.push_out:
        yield from no_cushion(shot)


@FOULS.check("NB-10b", "off_table", "foreign_object")
def object_ball_off(shot: NineBallShot) -> Found:
    if not shot.breaking:
        yield from object_balls_off(shot)


@FOULS.check("PG-7c", "contact", "cushion", "before")
def house_shot(shot: NineBallShot) -> Found:
    yield from played_in_the_house(shot)


ALL_FOULS: Fouls[Any] = Fouls(FOULS, GENERAL)


class NineBall(PoolGame):
    name = "9-ball"
    ball_names = PoolGame.ball_names - {str(i) for i in range(10, 16)}
    ons = frozenset(str(i) for i in range(1, 10))
    doubtful_clauses: ClassVar = ("NB-7", "NB-8", "PG-9a")
    turn_clause = "NB-12a"
    shot_type = NineBallShot
    fouls = ALL_FOULS
    checks: ClassVar = ALL_FOULS.checks
    clauses_of_contact = frozenset({"NB-3a", "NB-7"})

    # -------------------------------------------------------------------------------- the start of a game (NB-2)

    def opening(self, table: Table) -> dict[str, Point]:
        order = ("1", "2", "3", "4", NINE, "5", "6", "7", "8")
        return dict(zip(order, diamond(table.foot_spot, table.ball), strict=True))

    def rack_fits(self, places: Mapping[str, Point], table: Table, slack_mm: float = 0.0) -> bool:
        """A tight diamond, the 1 on the foot spot, the 9 in the centre."""
        wanted = diamond(table.foot_spot, table.ball)
        return self.rack_is(places, wanted, {"1": wanted[0], NINE: wanted[4]}, slack_mm)

    def begin_frame(self, state: State) -> State:
        rack = self.opening(state.table)
        part = NineBallPart(fouls=state.sides.zero(), warned=dict.fromkeys(state.sides.names, False))
        return replace(
            state, balls=frozenset(rack), positions=rack, cue_ball="in_hand_house", on=("1",), placed=None, part=part
        )

    def next_on(self, balls: Collection[str]) -> tuple[str, ...]:
        return lowest(balls) or ("1",)

    def waits_for_break(self, state: State) -> bool:
        part: NineBallPart = state.part
        return part.stage == "break"

    # -------------------------------------------------------------------------------- a legal stroke (NB-1, NB-4, NB-5)

    def legal(self, shot: NineBallShot) -> Outcome:
        if NINE in shot.down and not shot.push_out:
            return self._won(shot)
        restore = shot.put_back
        spot, unknown = self.spots(shot, set(shot.down) & {NINE}, restore)
        state = self.left(shot, spot=spot, unknown=unknown, restore=restore, foul_by=None)
        goes_on = bool(shot.down) and not shot.push_out
        assert shot.state.striker is not None
        player = shot.state.striker if goes_on else shot.state.follower()
        ids = ("accept", "pass_back") if shot.push_out else ()
        options = tuple(Option(id=each, player=player, clause="NB-5e") for each in ids)
        part = replace(self._cleared(shot), stage="push_out_open" if shot.breaking else "play")
        state = replace(state, striker=player, on=self.next_on(state.balls), options=options, part=part)
        return Outcome(
            state=state,
            legal=True,
            penalty=0,
            points=state.sides.zero(),
            score=state.score,
            potted=shot.down if goes_on else (),
            spot=spot,
            restore=restore,
            calls=(
                *(
                    (
                        call("push_out"),
                        call("play_or_pass"),
                    )
                    if shot.push_out
                    else ()
                ),
                *called_spots(spot),
            ),
        )

    def _won(self, shot: NineBallShot) -> Outcome:
        """The 9 pocketed on a legal shot, the break and combinations included (NB-4c, NB-13b)."""
        state = replace(self.left(shot), part=self._cleared(shot))
        outcome = Outcome(state=state, legal=True, penalty=0, score=state.score, potted=shot.down)
        return finish_frame(self, outcome, winner=state.side, result="won")

    def _cleared(self, shot: NineBallShot) -> NineBallPart:
        """A legal shot ends the run of fouls (NB-11a)."""
        part, side = shot.part, shot.state.side
        return replace(part, fouls={**part.fouls, side: 0}, warned={**part.warned, side: False})

    # -------------------------------------------------------------------------------- a foul (NB-6, NB-10, NB-11)

    def foul(self, shot: NineBallShot, findings: tuple[Finding, ...]) -> Outcome:
        restore = shot.put_back
        gone = {*shot.down, *shot.off}
        spot, unknown = self.spots(shot, gone & {NINE}, restore, cue_stays=False)
        state = self.left(shot, spot=spot, unknown=unknown, restore=restore, cue_ball="in_hand_any")
        side = state.sides.of(shot.offender)
        count, lost = self._counted(shot, side)
        part = replace(shot.part, fouls={**shot.part.fouls, side: count}, stage="play")
        state = replace(
            state,
            striker=self.next_player(shot),
            on=self.next_on(state.balls),
            foul_by=shot.offender,
            part=part,
        )
        calls: list[Call] = [call("foul_for", what=findings[0].what)]
        outcome = Outcome(
            state=state, legal=False, fouls=findings, penalty=0, score=state.score, spot=spot, restore=restore
        )
        if lost:
            third = replace(outcome, calls=(*calls, call("third_foul")), spot={})
            return finish_frame(self, third, winner=state.sides.opponent(side), result="lost")
        return replace(outcome, calls=(*calls, *called_spots(spot), call("in_hand_any")))

    def _counted(self, shot: NineBallShot, side: str) -> tuple[int, bool]:
        """The fouls running after this one, and whether the game is lost (NB-11, POL-8)."""
        count = shot.part.fouls[side] + 1
        if count < LOSING_FOULS:
            return count, False
        if shot.part.warned[side] or shot.settings.third_foul_unwarned == "loss":
            return count, True
        return LOSING_FOULS - 1, False

    # -------------------------------------------------------------------------------- choices and lines (NB-5e, NB-11b)

    def choices(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        if line.option == "accept":
            return last.again(replace(state, options=()))
        if line.option == "pass_back":
            pusher = state.order[state.order.index(state.striker or "") - 1]
            return last.again(replace(state, striker=pusher, options=()), calls=(call("passed_back", player=pusher),))
        return None

    def own_official(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        if line.kind == "warn" and line.about == "two_fouls":
            return self._warned(state, line, last)
        return super().own_official(state, line, last)

    def _warned(self, state: State, line: Official, last: Outcome) -> Outcome:
        """The warning counts between the second foul and the third (NB-11b)."""
        part: NineBallPart = state.part
        named = line.players or ((line.player,) if line.player else ())
        on_two = [side for side in state.sides.names if part.fouls[side] == LOSING_FOULS - 1]
        sides = [state.sides.of(who(state, each, "player")) for each in named] or on_two
        warned = {side: part.warned[side] or (side in sides and side in on_two) for side in state.sides.names}
        told = replace(line, player=None, players=tuple(sides))
        return treat(self, replace(state, part=replace(part, warned=warned)), told, last)

    # -------------------------------------------------------------------------------- states of cases

    def read_part(self, data: Mapping[str, Any], state: State, dot: str) -> NineBallPart:
        stage = data.get("stage")
        return NineBallPart(
            stage="" if stage is None else read_string(stage, f"{dot}stage", STAGES),
            fouls=read_side_counts(data, "fouls", state, dot),
            warned=read_side_flags(data, "warned", state, dot),
        )

    def part_json(self, state: State) -> dict[str, Any]:
        part: NineBallPart = state.part
        return {"stage": part.stage, "fouls": dict(part.fouls), "warned": dict(part.warned)}

    def complete(self, state: State, given: Collection[str]) -> State:
        part: NineBallPart = state.part
        stage = part.stage or ("break" if self.at_the_start(state, given) else "play")
        state = replace(state, part=replace(part, stage=stage))
        if "on" not in given:
            state = replace(state, on=self.next_on(state.balls))
        return self.completed(state, given, opening=stage == "break")
