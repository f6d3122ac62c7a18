"""The rule engine: state and shot record (or official line) in, verdict and state out. It knows no game.

How a game is made (see ``snooker.py`` for a whole one):

1.  One module ``referee/rules/<game>.py`` with a subclass of :class:`Game`: its ``name``, ``ball_names``, ``ons``,
    ``opening`` (ball → place of the rack), ``begin_frame``, ``check_rack`` and the two ways of a record, ``stroke``
    and ``incident``; ``choices`` for what ``choose`` does. What only this game has to remember goes into a frozen
    dataclass, its ``State.part``, with ``read_part`` and ``part_json``; ``complete`` fills in what a case's state
    left out. Line it up in ``games.py``.
2.  Its infringements, in a ``Fouls`` object: a generator for each clause, decorated with
    ``@FOULS.check("XX-1.2", "contact", ...)`` (the id is in ``book.toml``, the rest is what the check needs), that
    yields (amount, what was done) from a :class:`Shot` or the game's own subclass of it (``shot_type``).
    ``FOULS.found(shot)`` gives all, ordered by amount; the game's ``stroke`` says what follows. ``Fouls(OTHER)``
    takes over the checks of general rules. ``checks = FOULS.checks`` shows them to ``cueref rules``.
3.  Facts come from ``shot.facts`` (``first_contact``, ``pots``, ``off_table``, ``reached_cushions`` ...). Write rules
    in two values. What a record leaves open is asked: ``shot.ask("snookered", (False, True), clause="XX-9")``: the
    referee's ``confirm`` answers; without one the engine runs the rules once for every possible answer and keeps what
    is common, and the question is listed in ``undecided`` if its answer matters. Put the answer first that holds
    if nobody decides.
4.  Outcomes: ``stroke`` and ``incident`` return an :class:`~referee.rules.outcome.Outcome` with the state that they
    leave. ``shot.left(...)`` builds that state with balls and positions brought up to date;
    ``administration.finish_frame`` goes over to the next frame or ends the match. Lines of officials: module
    ``administration`` handles what all games share; the game's ``own_official`` comes first, and ``choices`` for
    ``choose``; ``outcome.again(state, ...)`` repeats the stroke's verdict.
5.  What the referee says: ``Outcome.calls``, made by ``call("code", points=5)``; the sentences for the codes are in
    ``referee/match/phrases_en.toml`` and ``phrases_ru.toml``, those of one game in a table of its name.
6.  Everything is a pure function: no clock, no files, no randomness.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from referee.rules import administration
from referee.rules.continuity import stroke_missed, unseen_balls
from referee.rules.facts import CUE, Facts
from referee.rules.geometry import NEARLY_MM, TOUCHING_MM, gap
from referee.rules.identity import called_otherwise, chosen_reading, outcome_in_recorded_names, unaccounted
from referee.rules.officials import Official
from referee.rules.outcome import Check, MatchEnd, Outcome, nothing_played
from referee.rules.questions import Oracle, Question
from referee.rules.settings import Settings
from referee.rules.state import State
from referee.rules.table import EPSILON_MM, Table
from tracking.records import Answer, Fell, Pocket, Positions, ShotRecord, Strike, before
from tracking.strict_json import MalformedRecord, Point

PLAYERS_ACTS = ("out_of_turn", "touched", "used_out_ball", "deliberate")
"""What also a player who isn't at the table can do; the observation may name him."""


NONE = "none"
"""The answer that no ball was called."""
OF_PLAY = ("toss", "lag", "choose", "concede", "award", "void", "cannot_restore")
"""Lines that have no meaning once the match is over."""


@dataclass(frozen=True, kw_only=True)
class Shot:
    """One record about to be judged: the state before it, its facts, and whom to ask.

    ``condoned``: an infringement in it was called too late and counts for nothing. ``unseen``: balls that were on the
    table though the record doesn't have them.
    """

    game: "Game"
    state: State
    record: ShotRecord
    oracle: Oracle
    condoned: bool = False
    unseen: tuple[str, ...] = ()
    touching_clause: ClassVar[str]
    """Cited where it isn't sure whether a ball touched the cue ball at rest."""

    @cached_property
    def present(self) -> frozenset[str]:
        """The balls on the table when it began; the cue ball is among them for a stroke."""
        present = self.record.present
        if present is not None:
            return present | frozenset(self.unseen)
        return self.state.balls | ({CUE} if self.record.events else frozenset())

    @cached_property
    def facts(self) -> Facts:
        first, cushion, pot = self.doubtful_clauses
        return Facts(
            self.record,
            self.oracle,
            self.present,
            self.table,
            unseen=self.unseen,
            balance_s=self.settings.balance_s,
            clause_of_first=first,
            clause_of_cushion=cushion,
            clause_of_pot=pot,
        )

    @property
    def doubtful_clauses(self) -> tuple[str, str, str]:
        """The clauses cited where the first contact, a cushion after it, or a pot is in doubt."""
        return self.game.doubtful_clauses

    @property
    def settings(self) -> Settings:
        return self.state.settings

    @property
    def table(self) -> Table:
        return self.state.table

    @property
    def before(self) -> Positions | None:
        """Where the balls lay: from the record, else from the state if it knows all of them."""
        if self.record.before is not None:
            return self.record.before
        known = self.state.positions
        return known if self.state.balls and all(ball in known for ball in self.state.balls) else None

    @cached_property
    def after(self) -> Positions | None:
        """Where the balls lie at rest afterwards: from the record, or as before where nothing moved."""
        if self.record.after is None and not any(event.balls_involved for event in self.record.events):
            return self.before
        return self.record.after

    def ask(self, question: str, possible: Sequence[Any], *, clause: str, ball: str | None = None) -> Any:
        return self.oracle.ask(question, possible, clause=clause, ball=ball)

    @property
    def undeclared(self) -> bool:
        """Whether the player may have declared something before the stroke that nobody wrote down."""
        return self.facts.stroke and self.record.nominated is None and self.settings.undeclared == "unknown"

    def perhaps(self, question: str, balls: Sequence[str], *, clause: str) -> str | None:
        """Which of these balls was called or nominated, where nobody wrote it down; None: none of them."""
        if not self.undeclared or not balls:
            return None
        said: str = self.ask(question, (NONE, *balls), clause=clause)
        return None if said == NONE else said

    def declared(self, balls: Collection[str], *, clause: str) -> str | None:
        """The ball nominated; where nobody knows, one of these, the referee is asked."""
        said = self.record.nominated
        if said is not None:
            return said.ball
        return self.perhaps("nominated", [ball for ball in balls if ball in self.present], clause=clause)

    @cached_property
    def offender(self) -> str:
        """The person who answers for it: the striker, or who played out of turn or interfered."""
        others = [seen.player for kind in PLAYERS_ACTS for seen in self.facts.observed(kind)]
        others += [seen.who for seen in self.facts.observed("interference")]
        wrong = next((each for each in others if each is not None and self.state.sides.knows(each)), None)
        who = wrong or self.state.striker
        assert who is not None
        return who

    @cached_property
    def saved_from(self) -> frozenset[str]:
        """Balls moved by outsiders, the referee among them: no player answers for that (SN-3.12, PG-28a)."""
        found: set[str] = {event.ball for event in self.facts.moved if event.cause == "outside"}
        for seen in self.facts.observed("interference"):
            if seen.who is None or not self.state.sides.knows(seen.who):
                found |= set(seen.balls) or {event.ball for event in self.facts.moved}
        found |= {seen.ball for seen in self.facts.observed("touched") if seen.by == "referee" and seen.ball}
        return frozenset(found)

    @cached_property
    def put_back(self) -> dict[str, Point]:
        """Balls put back where they lay: fallen by themselves after lying still, or disturbed from outside.

        One that this stroke drove to the pocket's edge goes back to that edge; no record says where it hung.
        """
        places = self.before or {}
        balls = {fell.ball for fell in self.facts.fallen if not self._driven_there(fell)} | self.disturbed
        return {ball: places[ball] for ball in sorted(balls) if ball in places}

    @cached_property
    def disturbed(self) -> frozenset[str]:
        """Balls that only outsiders moved, so that they go back where they lay, even out of a pocket."""
        struck = {ball for contact in self.facts.cue_contacts for ball in contact.balls}
        struck |= {CUE} if self.facts.stroke else set()
        return self.saved_from - struck

    def _driven_there(self, fell: Fell) -> bool:
        """Whether the ball was hit in this stroke before it fell, and had not lain at that pocket before."""
        place, corner = (self.before or {}).get(fell.ball), self.table.pockets[fell.pocket]
        hung = place is not None and math.dist(place, corner) <= 2 * self.table.ball
        return not hung and any(
            fell.ball in contact.balls and before(contact, fell) is Answer.YES for contact in self.facts.contacts
        )

    def touching(self, ball: str) -> bool:
        """Whether this ball touched the cue ball before the stroke."""
        said = self.oracle.confirmed("touching", ball)
        if said is not None:
            return bool(said)
        places = self.before or {}
        if CUE not in places or ball not in places:
            return False
        air, measured_mm = gap(places[CUE], places[ball], self.table.ball), self.settings.measured_mm
        if air <= TOUCHING_MM - measured_mm or (air <= TOUCHING_MM and not measured_mm):
            return True
        near = air < max(NEARLY_MM, measured_mm)
        return near and bool(self.ask("touching", (False, True), clause=self.touching_clause, ball=ball))

    def outside(self, by_mm: float, question: str, *, clause: str, ball: str | None = None) -> bool:
        """Whether something lies beyond a limit by so much; a question where measured positions can't tell."""
        measured_mm = self.settings.measured_mm
        if measured_mm and abs(by_mm) <= measured_mm:
            return bool(self.ask(question, (False, True), clause=clause, ball=ball))
        return by_mm > EPSILON_MM

    def played_into(self, ball: str) -> bool:
        """Whether this ball was the first to be hit, with no cushion in between."""
        contact = next((e for e in self.facts.first_contact_events if e.other(CUE) == ball), None)
        cushions = [e for e in self.facts.cushions if e.ball == CUE]
        return contact is not None and not any(before(e, contact) is Answer.YES for e in cushions)

    def left(
        self,
        *,
        spot: Positions | None = None,
        restore: Positions | None = None,
        unknown: Collection[str] = (),
        **changes: Any,
    ) -> State:
        """The state after this record: balls that left are gone, ``spot`` and ``restore`` put balls back.

        ``unknown``: balls that are put back, nobody knows where. ``changes`` are further fields of the state.
        """
        back = {**(spot or {}), **(restore or {})}
        fallen = {fell.ball for fell in self.facts.fallen}  # they are put back, if nobody knows where
        fallen |= self.disturbed & self.facts.gone
        balls = _one((self.present - self.facts.gone) | fallen | frozenset(back) | frozenset(unknown))
        state = self.state
        still = {ball: state.positions[ball] for ball in self.unseen if ball in state.positions}
        places = {} if self.after is None else {**still, **self.after, **back}
        fields: dict[str, Any] = {
            "balls": balls,
            "positions": {ball: place for ball, place in places.items() if ball in balls},
            "options": (),
            "placed": None,
        }
        if self.facts.stroke:
            fields["strokes"] = state.strokes + 1
            there = _one(self.present | state.balls)
            fields["before"] = replace(state.past(), balls=there, positions=self.before or {})
            fields["record"] = self.record
            if state.breaker is None and state.strokes == 0 and state.in_hand:
                fields["breaker"] = state.striker
        return replace(state, **{**fields, **changes})


@lru_cache(maxsize=512)
def _one(balls: frozenset[str]) -> frozenset[str]:
    """Equal sets as one object: the possible states of a match with many open questions differ in little else."""
    return balls


class Game(ABC):
    """One game: its balls, the start of a frame, and what follows from strokes, incidents and official lines."""

    name: ClassVar[str]
    ball_names: ClassVar[frozenset[str]]
    """All names of balls that a record of this game may hold."""

    ons: ClassVar[frozenset[str]]
    """All words that ``on`` may hold."""

    doubtful_clauses: ClassVar[tuple[str, str, str]]
    """The clauses cited, as a rule, where the first contact, a cushion after it, or a pot is in doubt."""

    turn_clause: ClassVar[str]
    """The clause that says whose turn it is."""

    checks: ClassVar[Sequence[Check[Any]]]
    """The clauses that are looked at in every record (``Fouls.checks``)."""

    warns_of_placement: ClassVar[bool] = True
    """Whether the referee says unasked that the cue ball in hand is badly placed (PG-14b, POL-23)."""

    shot_type: ClassVar[type[Shot]] = Shot
    """The view of a record that the game's rules work with."""

    # -------------------------------------------------------------------------------------- a game's own part

    @abstractmethod
    def opening(self, table: Table) -> dict[str, Point]:
        """The balls at the start of a frame, the cue ball not among them, and where they are racked."""

    @abstractmethod
    def begin_frame(self, state: State) -> State:
        """The state before the first stroke of a frame; ``striker``, ``order``, ``frames`` are set already."""

    @abstractmethod
    def read_part(self, data: Mapping[str, Any], state: State, dot: str) -> Any:
        """What the game keeps, from the fields of a case's state. Raises MalformedRecord."""

    @abstractmethod
    def part_json(self, state: State) -> dict[str, Any]:
        """The state's field of the game's own name."""

    @abstractmethod
    def complete(self, state: State, given: Collection[str]) -> State:
        """Fills in what a case's state left out; ``given`` are the fields it has."""

    @abstractmethod
    def stroke(self, shot: Shot) -> Outcome:
        """What follows from a stroke."""

    @abstractmethod
    def incident(self, shot: Shot) -> Outcome:
        """What follows from a record without a strike: something that happened between strokes."""

    @abstractmethod
    def check_rack(self, shot: Shot) -> Outcome:
        """Whether the balls are set up rightly at the start of a frame."""

    def choices(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        """What follows from choosing one of the state's open options; None: nothing that this game knows."""
        return None

    def own_official(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        """A line that this game treats in its own way, before the common treatment; None: it doesn't."""
        return None

    def alike(self, ball: str) -> Hashable:
        """Equal for balls of which it makes no difference in this game which is which."""
        return ball

    def sort_of(self, ball: str) -> str:
        """What a ball is called of which only the sort is known, without a number; its name where that is all."""
        return ball

    def unseen(self, state: State, record: ShotRecord) -> tuple[str, ...]:
        """Balls that are on the table though a camera's record doesn't have them (``continuity.unseen_balls``)."""
        return unseen_balls(state, record, self.alike)

    def readings(self, state: State) -> Iterator[State]:
        """The states that a state whose ``on`` is unknown may mean, the likeliest first."""
        yield state

    def opener(self, state: State, winner: str | None) -> str | None:
        """Who opens the next frame: the one who follows the opener of this one; None where nobody knows."""
        return None if state.breaker is None else state.follower(state.breaker)

    def match_end(self, state: State, winner: str | None) -> MatchEnd:
        """Whether the match is over after a frame; ``state.frames`` counts that frame already."""
        target = state.frames_to_win
        if winner is not None and target is not None and state.frames[winner] >= target:
            return MatchEnd(over=True, winner=winner)
        return MatchEnd()

    def may_place(self, state: State, at: Point) -> bool:
        """Whether the cue ball in hand may be put there: in its area and clear of the balls."""
        area = state.cue_ball if isinstance(state.cue_ball, str) else "as_it_lies"
        clear = all(
            (at[0] - x) ** 2 + (at[1] - y) ** 2 >= (state.table.ball - 1e-6) ** 2
            for ball, (x, y) in state.positions.items()
            if ball != CUE
        )
        return clear and state.in_hand and state.table.may_stand(at, area)

    # -------------------------------------------------------------------------------------- what all games share

    def state_json(self, state: State) -> dict[str, Any]:
        return {**state.to_json(), self.name: self.part_json(state)}

    def judge(
        self,
        state: State,
        record: ShotRecord,
        oracle: Oracle,
        *,
        condoned: bool = False,
        named: bool = False,
        unseen: tuple[str, ...] = (),
    ) -> Outcome:
        """One record in one run; ``named``: its names are settled; ``unseen``: see `Shot`. The state's striker is
        known. After the match nothing counts any more."""
        if state.finished:
            return nothing_played(replace(state, striker=None))
        if not named:
            more = (*called_otherwise(state, record, unseen), *unaccounted(state, record))
            record = replace(record, doubtful=(*record.doubtful, *more)) if more else record
        if record.doubtful:
            clause = self.shot_type(game=self, state=state, record=record, oracle=oracle).doubtful_clauses[0]
            reading = chosen_reading(record, oracle, self.alike, clause)
            read = record.read_as(reading)
            outcome = self.judge(state, read, oracle, condoned=condoned, named=True, unseen=unseen)
            return outcome_in_recorded_names(outcome, record, reading)
        if stroke_missed(state, record):
            oracle.whatever("missed_stroke", clause=self.turn_clause)
            unseen = unseen if oracle.confirmed("missed_stroke") is False else ()
        belated = self._belated_pot(state, record, oracle)
        if belated is not None:
            return belated
        shot = self.shot_type(game=self, state=state, record=record, oracle=oracle, condoned=condoned, unseen=unseen)
        if not record.events and not record.observed and state.strokes == 0:
            return self.check_rack(shot)
        outcome = self.stroke(shot) if shot.facts.stroke else self.incident(shot)
        if state.breaker is None and state.strokes == 0 and shot.facts.stroke and outcome.state.strokes:
            outcome = replace(outcome, state=replace(outcome.state, breaker=self._opened(state)))
        return outcome

    def _belated_pot(self, state: State, record: ShotRecord, oracle: Oracle) -> Outcome | None:
        """A ball that balanced for a moment after the stroke and then fell was pocketed by it (SN-3.8.3, PG-25b)."""
        short = [e for e in record.events if isinstance(e, Fell) and e.still_s < state.settings.balance_s]
        stroke, start = state.record, state.before
        if not short or stroke is None or start is None or any(isinstance(e, Strike) for e in record.events):
            return None
        pots = tuple(
            Pocket(t_s=max(stroke.t1, fell.t_s), ball=fell.ball, pocket=fell.pocket, confidence=fell.confidence)
            for fell in short
        )
        whole = replace(stroke, events=(*stroke.events, *pots), after=record.after, t1=max(stroke.t1, record.t1))
        outcome = self.judge(start, whole, oracle.knowing(confirmed(stroke)))
        points = {side: outcome.score[side] - state.score[side] for side in state.sides.names}
        late = {fell.ball for fell in short}
        return replace(outcome, points=points, potted=tuple(ball for ball in outcome.potted if ball in late))

    def _opened(self, state: State) -> str | None:
        return state.striker if state.in_hand else None

    def lag(self, state: State, record: ShotRecord, oracle: Oracle) -> Outcome | None:
        """Who won the lag of which this is the record; None: this game has no lag."""
        return None

    def official(self, state: State, line: Official, last: Outcome | None, oracle: Oracle | None = None) -> Outcome:
        """What follows from an official line. ``last``: the outcome of the stroke before it, None at the start."""
        stroke = last or nothing_played(state)
        if state.finished and line.kind in OF_PLAY:
            raise MalformedRecord("kind", "undo or correct: the match is over", line.kind)
        if line.kind == "lag" and line.record is not None and line.winner is None:
            lagged = self.lag(state, line.record, oracle or Oracle(confirmed(line.record)))
            if lagged is not None:
                return lagged
        own = self.own_official(state, line, stroke)
        return own if own is not None else administration.treat(self, state, line, stroke)


def confirmed(record: ShotRecord) -> dict[tuple[str, str | None], Any]:
    """The referee's answers in a record, by question and ball."""
    return {
        (each.question, each.ball): each.value
        for each in record.observed
        if each.kind == "confirm" and each.question is not None
    }


def question_of_turn(game: Game) -> Question:
    return Question(question="striker", clause=game.turn_clause)


def question_of_on(game: Game) -> Question:
    return Question(question="ball_on", clause=game.turn_clause)
