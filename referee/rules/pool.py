"""The general rules of pool: what 14.1, 9-ball and 8-ball share beside their infringements (``pool_fouls``).

A game is a subclass of :class:`PoolGame` that gives its ``fouls`` and says what follows from a legal stroke
(``legal``) and from a foul (``foul``). Spotting, balls put back, replayed strokes, incidents between strokes, the lag
and the choice of the break are here.
"""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from referee.rules.administration import break_choice, replay_frame, who
from referee.rules.engine import Game, Shot
from referee.rules.facts import CUE
from referee.rules.geometry import TOUCHING_MM, gap
from referee.rules.geometry_pool import lies_in_rack, number, racked, spot_balls
from referee.rules.officials import Official
from referee.rules.outcome import Call, Finding, Fouls, FrameEnd, Outcome, call, nothing_played
from referee.rules.pool_fouls import BY_OTHERS
from referee.rules.pool_lag import judge_lag
from referee.rules.pool_shot import PoolShot
from referee.rules.questions import Oracle
from referee.rules.state import State
from referee.rules.table import Table
from tracking.records import Answer, Event, Fell, Pocket, ShotRecord, before
from tracking.strict_json import MalformedRecord, Point, read_boolean, read_integer, read_object, read_string

NUMBERS = tuple(str(i) for i in range(1, 16))
UNIDENTIFIED = frozenset(
    f"{kind}-{i}" for kind, most in (("solid", 7), ("stripe", 7), ("ball", 15)) for i in range(1, most + 1)
)
"""Names of balls of which only the group, or nothing, could be seen."""
UNMOVED_MM = 0.1


class PoolGame(Game):
    """What the pool games have in common."""

    ball_names = frozenset({CUE, *NUMBERS, *UNIDENTIFIED})
    turn_clause = "PG-4"
    shot_type: ClassVar[type[Shot]] = PoolShot
    fouls: ClassVar[Fouls[Any]]
    """The infringements of the game, those of the general rules among them."""
    fouls_of_others: ClassVar[Fouls[Any]] = BY_OTHERS
    """What a player does who isn't at the table."""
    spotting_clause: ClassVar[str] = "PG-26a"

    @abstractmethod
    def legal(self, shot: Any) -> Outcome:
        """What follows from a stroke without a foul."""

    @abstractmethod
    def foul(self, shot: Any, findings: tuple[Finding, ...]) -> Outcome:
        """What follows from one or several infringements of ``shot.offender`` in a stroke or between strokes."""

    @abstractmethod
    def rack_fits(self, places: Mapping[str, Point], table: Table, slack_mm: float = 0.0) -> bool:
        """Whether the object balls are racked rightly, as far as positions known to within the slack tell."""

    # -------------------------------------------------------------------------------- a stroke

    def stroke(self, shot: Shot) -> Outcome:
        assert isinstance(shot, PoolShot)
        if self._spoilt(shot):
            return self._replayed(shot)
        shot = self._with_knocked_down(shot)
        findings = self._findings(shot)
        if findings:
            return self.foul(shot, findings)
        if shot.never_left_house:
            return self._not_in_play(shot)
        return self.legal(shot)

    def _findings(self, shot: PoolShot) -> tuple[Finding, ...]:
        if shot.condoned:
            return ()
        if shot.intruder is not None:
            return self.fouls_of_others.found(shot)
        found = self.fouls.found(shot)
        if shot.never_left_house:  # no ball could be hit yet: nothing but a touch or the like counts
            found = tuple(each for each in found if each.clause not in self.clauses_of_contact)
        return found

    clauses_of_contact: ClassVar[frozenset[str]] = frozenset()
    """The clauses that are broken by hitting nothing, or not the right ball, or no cushion."""

    def _spoilt(self, shot: PoolShot) -> bool:
        """A ball fell or moved by itself during the stroke, so that it is replayed (PG-25c, PG-25d)."""
        moved = (e for e in shot.facts.moved if e.cause == "itself" and e.ball != CUE and self._during(shot, e))
        return any(self._fell_by_itself(shot, fell) for fell in shot.facts.fallen) or any(
            bool(shot.ask("self_moved", (True, False), clause="PG-25d", ball=event.ball)) for event in moved
        )

    def _fell_by_itself(self, shot: PoolShot, fell: Fell) -> bool:
        """During the stroke, and before any ball reached it."""
        if fell.ball == CUE or not self._during(shot, fell):
            return False
        reached = (contact for contact in shot.facts.contacts if fell.ball in contact.balls)
        if any(before(contact, fell) is Answer.YES for contact in reached):
            return False
        return bool(shot.ask("self_fell", (True, False), clause="PG-25c", ball=fell.ball))

    def _with_knocked_down(self, shot: PoolShot) -> PoolShot:
        """A hanging ball that fell during the stroke, but not by itself, was pocketed by it."""
        knocked = [fell for fell in shot.facts.fallen if fell.ball != CUE and self._during(shot, fell)]
        if not knocked:
            return shot
        events = [
            Pocket(t_s=e.t_s, t_sigma_s=e.t_sigma_s, confidence=e.confidence, ball=e.ball, pocket=e.pocket)
            if isinstance(e, Fell) and e in knocked
            else e
            for e in shot.record.events
        ]
        return replace(shot, record=replace(shot.record, events=tuple(events)))

    def _during(self, shot: PoolShot, event: Event) -> bool:
        return before(event, shot.facts.strikes[0]) is not Answer.YES

    def _replayed(self, shot: PoolShot) -> Outcome:
        """The stroke counts for nothing and is played again from where all balls lay (PG-25c)."""
        places, rest = shot.before or {}, shot.after or {}
        restore = {ball: place for ball, place in places.items() if not _lies_at(rest.get(ball), place)}
        cue_ball = places.get(CUE, shot.state.cue_ball)
        balls = shot.present if CUE in places or not shot.state.in_hand else shot.objects
        state = replace(shot.state, balls=balls, positions=places, cue_ball=cue_ball, options=(), placed=None)
        return nothing_played(state, legal=True, penalty=0, restore=restore, calls=(call("stroke_replayed"),))

    def _not_in_play(self, shot: PoolShot) -> Outcome:
        """The cue ball didn't leave the house: it isn't in play yet and may be placed anew (PG-6c, PG-7e)."""
        state = replace(shot.state, placed=None)
        return nothing_played(state, legal=True, penalty=0, calls=(call("in_hand_house"),))

    # -------------------------------------------------------------------------------- between strokes

    def incident(self, shot: Shot) -> Outcome:
        assert isinstance(shot, PoolShot)
        state = shot.state
        if self.waits_for_break(state):
            return nothing_played(state, legal=True, penalty=0)
        findings = self._findings(shot)
        if findings:
            return self.foul(shot, findings)
        if not shot.record.events and not any(seen.kind != "confirm" for seen in shot.record.observed):
            return nothing_played(state)
        if shot.down or shot.off:  # a ball that dropped after a stroke of which nothing is known
            shot.oracle.whatever("potted", clause="PG-25b")
        restore = shot.put_back
        moved = any(event.ball == CUE for event in shot.facts.moved)
        cue_ball = "as_it_lies" if moved and not state.in_hand else state.cue_ball
        left = self.left(shot, restore=restore, cue_ball=cue_ball)
        after = replace(left, options=state.options, placed=state.placed, on=self.next_on(left.balls))
        calls: tuple[Call, ...] = (call("ball_replaced"),) if restore else ()
        return nothing_played(after, legal=True, penalty=0, restore=restore, calls=calls)

    @abstractmethod
    def next_on(self, balls: Collection[str]) -> tuple[str, ...]:
        """What is on with these balls on the table, as ``next.on`` has it."""

    def waits_for_break(self, state: State) -> bool:
        """Whether the balls are racked and nothing is in play yet, so that they may be touched (PG-19a, NB-13a)."""
        return state.strokes == 0

    # -------------------------------------------------------------------------------- helpers of the games

    def next_player(self, shot: PoolShot) -> str:
        """Who plays after a foul: the turn passes, or stays if the other side fouled (PG-15)."""
        state = shot.state
        assert state.striker is not None
        return state.follower() if state.sides.of(shot.offender) == state.side else state.striker

    def left(
        self,
        shot: PoolShot,
        *,
        spot: Mapping[str, Point] | None = None,
        restore: Mapping[str, Point] | None = None,
        unknown: Sequence[str] = (),
        cue_ball: str | Point = "as_it_lies",
        **changes: Any,
    ) -> State:
        """The state after a record: ``shot.left`` without balls off the table and without a cue ball in hand."""
        back = {*(spot or ()), *(restore or ())}
        lost = [fell.ball for fell in shot.facts.fallen if fell.ball not in back]  # put back, not known where
        state = shot.left(spot=spot, restore=restore, unknown=[*unknown, *lost], cue_ball=cue_ball, **changes)
        out = set(shot.off) - set(spot or ()) - set(unknown)
        if isinstance(cue_ball, str) and cue_ball != "as_it_lies":
            out.add(CUE)
        places = {ball: place for ball, place in state.positions.items() if ball not in out}
        if not isinstance(cue_ball, str):
            places[CUE] = cue_ball
        return replace(state, balls=state.balls - out, positions=places)

    def spots(
        self, shot: PoolShot, balls: Iterable[str], restore: Mapping[str, Point], *, cue_stays: bool = True
    ) -> tuple[dict[str, Point], list[str]]:
        """Where these balls are spotted (PG-26), and those of which that isn't known.

        ``cue_stays``: the cue ball is on the table and may be in the way.
        """
        wanted = sorted(set(balls), key=number)
        if not wanted:
            return {}, []
        clearance = shot.settings.clearance_mm
        if shot.after is not None:
            away = {*wanted, *shot.off, *(() if cue_stays else (CUE,))}
            lying = {ball: place for ball, place in {**shot.after, **restore}.items() if ball not in away}
            return spot_balls(wanted, lying, shot.table, clearance), []
        free = spot_balls(wanted, {}, shot.table, clearance)
        spots: dict[str, Point] = {}
        unknown = []
        for ball in wanted:
            place = shot.oracle.confirmed("spot_place", ball)
            if place is None:  # one question for all: each ball more would double the readings
                place = shot.ask("spot_place", (True, False), clause=self.spotting_clause)
            if place is False:
                unknown.append(ball)
            else:
                spots[ball] = place if isinstance(place, tuple) else free[ball]
        return spots, unknown

    def check_rack(self, shot: Shot) -> Outcome:
        """Whether the balls are racked as the game requires (PG-2); if not, they are racked again."""
        places = {ball: place for ball, place in (shot.record.before or {}).items() if ball != CUE}
        if not places:
            return nothing_played(shot.state)
        if not self.rack_fits(places, shot.table, shot.settings.measured_mm):
            return nothing_played(shot.state, rack="full", calls=(call("rack_again"),))
        return nothing_played(replace(shot.state, balls=frozenset(places), positions=places))

    def rack_is(
        self, places: Mapping[str, Point], wanted: Sequence[Point], fixed: Mapping[str, Point], slack_mm: float
    ) -> bool:
        """Whether balls lie on all wanted places and none elsewhere, and the fixed ones on theirs."""
        if not racked(places.values(), wanted, slack_mm):
            return False
        return all(ball not in places or _lies_at(places[ball], place, mm=RACKED_MM) for ball, place in fixed.items())

    def may_place(self, state: State, at: Point) -> bool:
        """In its area, and touching no object ball (PG-7a, PG-14b, NB-9a, SUP-PG-29)."""
        area = state.cue_ball if isinstance(state.cue_ball, str) else "as_it_lies"
        if not state.in_hand or not state.table.may_stand(at, area):
            return False
        others = (place for ball, place in state.positions.items() if ball != CUE)
        return all(gap(at, place, state.table.ball) > TOUCHING_MM for place in others)

    # -------------------------------------------------------------------------------- states of cases

    def at_the_start(self, state: State, given: Collection[str]) -> bool:
        """Whether a case that doesn't say so begins with a game's first stroke: nothing has happened yet."""
        racked_yet = "balls" not in given or self._lies_racked(state)
        as_usual = "cue_ball" not in given or state.cue_ball == "in_hand_house"
        return racked_yet and as_usual and state.foul_by is None

    def _lies_racked(self, state: State) -> bool:
        """Whether all object balls are there and those whose place is known, more than half, lie in the rack.

        A camera may not tell every ball of a rack from its neighbours; what is known of them must speak for it.
        """
        places = [place for ball, place in state.positions.items() if ball != CUE]
        whole = len(self.opening(state.table))
        known = len(state.balls - {CUE}) == whole and 2 * len(places) > whole
        return known and all(lies_in_rack(place, state.table) for place in places)

    def completed(self, state: State, given: Collection[str], *, opening: bool) -> State:
        """Where the cue ball is, if the case doesn't say so, and that the game hasn't begun yet if it is the break."""
        if "cue_ball" not in given:
            state = replace(state, cue_ball="in_hand_house" if opening else "as_it_lies")
        balls = state.balls - {CUE} if state.in_hand else state.balls | {CUE}
        places = {ball: place for ball, place in state.positions.items() if ball in balls}
        if not isinstance(state.cue_ball, str):
            places[CUE] = state.cue_ball
        strokes = 0 if opening and state.in_hand else 1
        return replace(state, balls=balls, positions=places, strokes=strokes)

    # -------------------------------------------------------------------------------- lines of officials

    def own_official(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        if line.kind in ("lag", "toss"):
            return self._for_the_break(state, line)
        if line.kind == "cannot_restore":
            return self.cannot_restore(state)
        return None

    def lag(self, state: State, record: ShotRecord, oracle: Oracle) -> Outcome:
        return judge_lag(state, record, oracle)

    def _for_the_break(self, state: State, line: Official) -> Outcome:
        """The winner of the lag or lot breaks, or has the other one break (PG-5, PG-6)."""
        winner = who(state, line.winner, "winner")
        person = state.person(winner)
        chosen = break_choice(state, person, "PG-6b")
        return nothing_played(chosen, calls=(call("won_" + line.kind, winner=winner), call("break_choice")))

    def cannot_restore(self, state: State) -> Outcome:
        """Balls disturbed from outside that can't be put back: the game is replayed, the same breaks (PG-28b)."""
        again = replay_frame(self, state)
        end = FrameEnd(over=True, winner=None, result="void")
        return nothing_played(again, frame=end, rack="full", calls=(call("frame_replayed"),))

    def usual_break(self, state: State) -> str:
        """Who breaks the next game if the organisers chose nothing: a choice of policy ``next_break``."""
        return "winner"

    def opener(self, state: State, winner: str | None) -> str | None:
        """The winner of a game breaks the next one, or whoever the book or the organisers have break (SUP-PG-29)."""
        way = state.settings.next_break
        way = self.usual_break(state) if way == "by_game" else way
        broke = state.breaker or (state.striker if state.strokes == 0 else None)
        if winner is None:
            return broke
        games = {side: state.frames[side] + (side == winner) for side in state.sides.names}
        behind = min(games, key=lambda side: games[side])
        if way == "alternate" or (way == "trailing" and len(set(games.values())) == 1):
            return None if broke is None else state.follower(broke)
        side = {"loser": state.sides.opponent(winner), "trailing": behind}.get(way, winner)
        return next(person for person in state.order if state.sides.of(person) == side)


RACKED_MM = 28.0
"""A ball that is nearer than this to a place of the rack is the one that lies on it: about a ball's radius."""


def _lies_at(place: Point | None, wanted: Point, *, mm: float = UNMOVED_MM) -> bool:
    return place is not None and abs(complex(place[0] - wanted[0], place[1] - wanted[1])) <= mm


def called_spots(spot: Mapping[str, Point]) -> list[Call]:
    """What is said of balls that are spotted."""
    return [call("spotted", ball=ball) for ball in sorted(spot, key=number)]


# ------------------------------------------------------------------------------------------ states of cases


def read_side_counts(data: Mapping[str, Any], name: str, state: State, dot: str) -> dict[str, int]:
    """Counts by side, 0 where not given. Raises MalformedRecord."""
    counts = state.sides.zero()
    given = data.get(name)
    for side, value in read_object({} if given is None else given, f"{dot}{name}").items():
        counts[read_string(side, f"{dot}{name}", state.sides.names)] = read_integer(
            value, f"{dot}{name}.{side}", least=0
        )
    return counts


def read_side_flags(data: Mapping[str, Any], name: str, state: State, dot: str) -> dict[str, bool]:
    """Flags by side, false where not given. Raises MalformedRecord."""
    return {**dict.fromkeys(state.sides.names, False), **_by_side(data, name, state, dot, read_boolean)}


V = TypeVar("V")


def _by_side(
    data: Mapping[str, Any], name: str, state: State, dot: str, read: Callable[[object, str], V]
) -> dict[str, V]:
    path, given = f"{dot}{name}", data.get(name)
    values = read_object({} if given is None else given, path)
    return {read_string(side, path, state.sides.names): read(value, f"{path}.{side}") for side, value in values.items()}


def chosen_ball(line: Official, allowed: Sequence[str], what: str) -> str:
    """The ball that a choice is about: the one named, or the only one possible. Raises MalformedRecord."""
    if line.ball is None and len(allowed) == 1:
        return allowed[0]
    if line.ball is None or line.ball not in allowed:
        raise MalformedRecord("ball", f"{what}: " + ", ".join(allowed), line.ball)
    return line.ball
