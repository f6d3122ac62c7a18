"""The facts of one shot, computed once from its record: what was hit first, what fell, what reached a cushion.

Nothing here knows a game. A fact that the record leaves open is asked of the oracle (see ``questions``) when a rule
needs it, so an open fact that no rule needs makes nothing undecided.
"""

import itertools
import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from referee.rules.gaps import RAN_MM, first_to_run, hidden_contacts, hidden_to_the_end, may_hide, ran_unexplained
from referee.rules.questions import Oracle
from referee.rules.table import Table
from tracking.records import (
    Answer,
    Contact,
    Crossed,
    Cushion,
    Event,
    Fell,
    Jump,
    Moved,
    Observed,
    OffTable,
    OneBallEvent,
    Pocket,
    Positions,
    Returned,
    ShotRecord,
    Strike,
    before,
)

CUE = "cue"

STIRRED = ("touched", "interference", "foreign_object", "deliberate", "balls_moving", "not_a_stroke")
"""What people may have seen that sets balls off without the cue ball."""

MOST_DOUBTFUL = 4
"""So many contacts that may not have happened are looked at, in all combinations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """A ball that went down, into which pocket (None: not seen which), and when (None: not seen when)."""

    ball: str
    pocket: str | None
    event: Event | None


class Facts:
    """What happened in one record, for one run of the rules.

    ``present``: the balls on the table before it, ``unseen`` those of them that the record doesn't have, so that it
    doesn't tell either what became of them. ``clause_of_first``, ``clause_of_cushion``: cited where the first
    contact or a cushion after it is in doubt.
    """

    def __init__(
        self,
        record: ShotRecord,
        oracle: Oracle,
        present: Collection[str],
        table: Table,
        *,
        unseen: Collection[str] = (),
        balance_s: float = 5.0,
        clause_of_first: str = "",
        clause_of_cushion: str = "",
        clause_of_pot: str = "",
    ) -> None:
        self.record = record
        self.oracle = oracle
        self.present = present
        self.table = table
        self.unseen = unseen
        self._balance_s = balance_s
        self._clause_first = clause_of_first
        self._clause_cushion = clause_of_cushion
        self._clause_pot = clause_of_pot

    # ------------------------------------------------------------------------------------------ simple ones

    @property
    def before(self) -> Positions | None:
        return self.record.before

    @property
    def after(self) -> Positions | None:
        return self.record.after

    def events(self, kind: type[Event]) -> Iterator[Event]:
        return (event for event in self.record.events if isinstance(event, kind))

    @cached_property
    def strikes(self) -> tuple[Strike, ...]:
        return tuple(event for event in self.record.events if isinstance(event, Strike))

    @property
    def stroke(self) -> bool:
        """Whether a ball was struck; a touch with the tip while placing the ball is none (``not_a_stroke``)."""
        return bool(self.strikes) and not self.seen("not_a_stroke")

    @cached_property
    def struck(self) -> frozenset[str]:
        return frozenset(strike.ball for strike in self.strikes)

    @cached_property
    def struck_twice(self) -> bool:
        """Whether the tip met the cue ball more than once."""
        certain = [each for each in self.strikes if each.certain and each.ball == CUE]
        return self.seen("double_hit") or (self.stroke and len(certain) > 1)

    def observed(self, kind: str) -> tuple[Observed, ...]:
        """What people saw of this kind."""
        return tuple(each for each in self.record.observed if each.kind == kind)

    def seen(self, kind: str) -> bool:
        return any(each.kind == kind for each in self.record.observed)

    @cached_property
    def moved(self) -> tuple[Moved, ...]:
        """Balls that moved though none hit them."""
        return tuple(event for event in self.record.events if isinstance(event, Moved))

    @cached_property
    def jumps(self) -> tuple[Jump, ...]:
        return tuple(event for event in self.record.events if isinstance(event, Jump))

    @cached_property
    def fallen(self) -> tuple[Fell, ...]:
        """Balls that dropped untouched after lying still at least as long as counts (POL-12, PG-25b)."""
        return tuple(e for e in self.record.events if isinstance(e, Fell) and self._by_itself(e))

    def _by_itself(self, fell: Fell) -> bool:
        """The referee may say that it did not fall by itself; an uncertain fall is a question unless it lies there."""
        if fell.still_s < self._balance_s or self._lies_there(fell):
            return False
        if self.oracle.confirmed("self_fell", fell.ball) is False:
            return False
        return fell.certain or bool(
            self.oracle.ask("self_fell", (True, False), clause=self._clause_pot, ball=fell.ball)
        )

    def _lies_there(self, event: OneBallEvent) -> bool:
        """Whether the ball of an uncertain event is seen on the table afterwards, so that it never left."""
        return not event.certain and self.after is not None and event.ball in self.after

    def crossings(self, ball: str, lines: Collection[str]) -> tuple[Crossed, ...]:
        return tuple(e for e in self.record.events if isinstance(e, Crossed) and e.ball == ball and e.line in lines)

    @cached_property
    def cushions(self) -> tuple[Cushion, ...]:
        return tuple(event for event in self.record.events if isinstance(event, Cushion))

    # ------------------------------------------------------------------------------------------ contacts

    @cached_property
    def contacts(self) -> tuple[Contact, ...]:
        return tuple(event for event in self.record.events if isinstance(event, Contact))

    @cached_property
    def cue_contacts(self) -> tuple[Contact, ...]:
        """The contacts of the cue ball with object balls, in order of time."""
        return tuple(e for e in self.contacts if CUE in e.balls)

    @cached_property
    def first_contact(self) -> frozenset[str]:
        """The balls that the cue ball touched first: none, one, or several at the same moment."""
        said = self.oracle.confirmed("first_contact")
        if said is not None:
            return frozenset([said] if isinstance(said, str) else said or ())
        options = self._possible_first_contacts
        answer = self.oracle.ask("first_contact", options, clause=self._clause_first)
        return frozenset(answer)

    @cached_property
    def _possible_first_contacts(self) -> list[frozenset[str]]:
        """What may have been touched first, the likeliest first."""
        out: dict[frozenset[str], None] = {}
        doubtful = [c for c in self.cue_contacts if not self._happened(c)][:MOST_DOUBTFUL]
        worlds = sorted(
            itertools.product((True, False), repeat=len(doubtful)),
            key=lambda kept: (
                -math.prod(c.confidence if keep else 1 - c.confidence for c, keep in zip(doubtful, kept, strict=True))
            ),
        )
        for kept in worlds:
            absent = {id(c) for c, keep in zip(doubtful, kept, strict=True) if not keep}
            happened = [c for c in self.cue_contacts if id(c) not in absent]
            for first in self._firsts(happened):
                out[first] = None
        earliest = next((c for c in self.cue_contacts if self._happened(c)), None)
        hidden = hidden_contacts(self.record, earliest, self.strikes, self.present)
        if hidden and first_to_run(self.record):
            out.pop(frozenset(), None)  # object balls ran, so one of them was hit
        out |= {frozenset({ball}): None for ball in hidden}
        if frozenset() in out:
            out |= {frozenset({ball}): None for ball in self.unseen}
        if not hidden and frozenset() in out and (ran := ran_unexplained(self.record)):
            out.pop(frozenset())
            out |= {frozenset({ball}): None for ball in ran}
        return list(out)

    def _happened(self, contact: Contact) -> bool:
        """Whether a contact of the cue ball is certain: seen so, or the only reason why the other ball ran.

        A ball doesn't run without being hit. If it certainly ran, nothing was hidden, and no other ball can have hit
        it before, then the cue ball did.
        """
        if contact.certain:
            return True
        ball = contact.other(CUE)
        if ball is None or self.record.gaps or any(event.ball == ball for event in self.moved):
            return False
        own = [e for e in self.record.events if ball in e.balls_involved and e is not contact]
        if any(isinstance(e, Contact) and before(contact, e) is not Answer.YES for e in own):
            return False
        ran = any(e.certain and isinstance(e, Pocket | OffTable | Cushion | Contact) for e in own)
        places, rest = self.before or {}, self.after or {}
        known = ball in places and ball in rest
        return ran or (known and math.dist(places[ball], rest[ball]) > RAN_MM)

    def _firsts(self, contacts: list[Contact]) -> Iterator[frozenset[str]]:
        """What was first among these contacts: every reading that their times allow."""
        if not contacts:
            yield frozenset()
            return
        leading = [c for c in contacts if not any(before(d, c) is Answer.YES for d in contacts)]
        exact = [c for c in leading if c.t_sigma_s == 0.0]
        if len(exact) == len(leading):
            yield self._others(leading)
            return
        for contact in leading:
            yield self._others([contact])
        for several in itertools.combinations(leading, 2):
            yield self._others(several)

    def _others(self, contacts: Collection[Contact]) -> frozenset[str]:
        return frozenset(other for contact in contacts if (other := contact.other(CUE)) is not None)

    @cached_property
    def first_contact_events(self) -> tuple[Contact, ...]:
        """The recorded contacts that are the first one; none where nothing was hit or the contact was not seen."""
        balls = self.first_contact
        found: dict[str, Contact] = {}
        for contact in self.cue_contacts:
            other = contact.other(CUE)
            if other in balls and other is not None:
                found.setdefault(other, contact)
        return tuple(found.values())

    def after_contact(self, event: Event) -> Answer:
        """Whether the event happened after the cue ball's first contact with a ball."""
        if not self.first_contact:
            return Answer.NO
        if any(c.certain and before(c, event) is Answer.YES for c in self.cue_contacts):
            return Answer.YES  # the first contact, seen or not, was no later than any other
        contacts = self.first_contact_events
        answers = {before(contact, event) for contact in contacts} or {Answer.UNKNOWN}
        seen = any(contact.certain for contact in contacts)
        if Answer.YES in answers or (not seen and self._set_off_by(event)):
            return Answer.YES
        return Answer.UNKNOWN if Answer.UNKNOWN in answers else Answer.NO

    def _set_off_by(self, event: Event) -> bool:
        """Whether an object ball ran for certain by then: the cue ball set the first one off, if nobody else did."""
        if self.moved or self.fallen or any(self.seen(kind) for kind in STIRRED):
            return False
        if event.balls_involved and CUE not in event.balls_involved:
            return True
        ran = (e for e in self.record.events if isinstance(e, Contact | Cushion) and CUE not in e.balls_involved)
        return any(e.certain and before(e, event) is Answer.YES for e in ran)

    # ------------------------------------------------------------------------------------------ cushions

    @property
    def _seen_from_s(self) -> float:
        """The time of the first contact, or the shot's beginning where it isn't known."""
        return min((contact.t_s for contact in self.first_contact_events), default=self.record.t0)

    @cached_property
    def cushions_after(self) -> tuple[Cushion, ...]:
        """The cushions touched, certainly, after the first contact."""
        return tuple(e for e in self.cushions if e.certain and self.after_contact(e) is Answer.YES)

    @cached_property
    def cushions_maybe_after(self) -> tuple[Cushion, ...]:
        """Those that may have been touched after it, beside the certain ones."""
        sure = set(map(id, self.cushions_after))
        return tuple(e for e in self.cushions if id(e) not in sure and self.after_contact(e) is not Answer.NO)

    @property
    def cushion_after_contact(self) -> bool:
        """Whether the cue ball or any object ball touched a cushion after the first contact."""
        return self.reached_cushions(1)

    def reached_cushions(self, least: int, *, cue_counts: bool = True) -> bool:
        """Whether at least so many different balls touched a cushion after the first contact."""

        def enough(cushions: Collection[Cushion]) -> bool:
            return len({e.ball for e in cushions if cue_counts or e.ball != CUE}) >= least

        return self.cushions_suffice(enough)

    def cushions_suffice(self, enough: Callable[[Collection[Cushion]], bool]) -> bool:
        """Whether the cushions touched after the first contact meet a condition that more of them can only help.

        The referee's word goes before the record.
        """
        said = self.oracle.confirmed("cushion_after_contact")
        if said is not None:
            return bool(said)
        if enough(self.cushions_after):
            return True
        unseen = bool(self.first_contact) and may_hide(self.record, self._seen_from_s, self.table)
        if not unseen and not enough((*self.cushions_after, *self.cushions_maybe_after)):
            return False
        return bool(self.oracle.ask("cushion_after_contact", (False, True), clause=self._clause_cushion))

    # ------------------------------------------------------------------------------------------ pockets

    @cached_property
    def pots(self) -> tuple[Pot, ...]:
        """The balls that went down and stayed there, in order, the cue ball too.

        A ball that dropped after balancing for a moment counts among them, one that lay still for long does not.
        """
        out = [Pot(ball=ball, pocket=None, event=None) for ball in self._gone_unseen]
        by_themselves = {id(fell) for fell in self.fallen}
        for event in self.record.events:
            if not isinstance(event, Pocket | Fell) or id(event) in by_themselves or self._lies_there(event):
                continue
            if event.ball in self._back_after(event):
                continue
            if event.certain or (event.ball not in self._lost and self._went_down(event.ball)):
                out.append(Pot(ball=event.ball, pocket=event.pocket, event=event))
        for ball in self._lost:
            where = self.oracle.ask("potted", ("pocket", "off_table"), clause=self._clause_pot, ball=ball)
            if where in ("pocket", True):
                out.append(Pot(ball=ball, pocket=None, event=None))
        for ball in self.unseen if self.stroke else ():
            if self.oracle.ask("potted", (False, True), clause=self._clause_pot, ball=ball) in ("pocket", True):
                out.append(Pot(ball=ball, pocket=None, event=None))
        seen: dict[str, Pot] = {}
        for pot in out:
            seen.setdefault(pot.ball, pot)
        return tuple(seen.values())

    @cached_property
    def _gone_unseen(self) -> tuple[str, ...]:
        """Balls that a gap hid up to the end, so that nobody knows whether they fell; the referee is asked."""
        if self.after is not None or not self.stroke:
            return ()
        hidden = hidden_to_the_end(self.record, self.strikes[0].t_s, self.table)
        if hidden is None:
            self.oracle.whatever("potted", clause=self._clause_pot)
            return ()
        left = {e.ball for e in self.record.events if isinstance(e, Pocket | Fell | OffTable)}
        return tuple(ball for ball in hidden if ball in self.present and ball not in left and self._went_down(ball))

    def _back_after(self, event: Event) -> frozenset[str]:
        """Balls that came back to the bed after this event; one that isn't there at the end did not."""
        later = [e for e in self.record.events if isinstance(e, Returned) and before(event, e) is not Answer.NO]
        later += [e for e in self.record.events if isinstance(e, Returned) and e.t_s == event.t_s and e not in later]
        return frozenset(e.ball for e in later if self._came_back(e))

    def _came_back(self, event: Returned) -> bool:
        if event.certain:
            return True
        if self.after is not None:
            return event.ball in self.after
        return not self._went_down(event.ball)

    def _went_down(self, ball: str) -> bool:
        """Whether a ball whose pot isn't certain went down: the position afterwards tells, if it is known."""
        if self.after is not None:
            return ball not in self.after
        return bool(self.oracle.ask("potted", (False, True), clause=self._clause_pot, ball=ball))

    @cached_property
    def _lost(self) -> tuple[str, ...]:
        """Balls that were there before and are not afterwards, though nobody saw, or not for certain, how they left."""
        if self.after is None or self.before is None:
            return ()
        leaving = [e for e in self.record.events if isinstance(e, Pocket | Fell | OffTable)]
        doubtful = {e.ball for e in leaving if isinstance(e, OffTable) and not e.certain}
        left = {e.ball for e in leaving if e.certain or e.ball not in doubtful}
        there = self.record.present or ()
        return tuple(sorted(ball for ball in there if ball not in self.after and ball not in left))

    @cached_property
    def potted(self) -> tuple[str, ...]:
        """The names of the balls in ``pots``."""
        return tuple(pot.ball for pot in self.pots)

    def pocket_of(self, ball: str) -> str | None:
        return next((pot.pocket for pot in self.pots if pot.ball == ball), None)

    @cached_property
    def off_table(self) -> tuple[str, ...]:
        """The balls that ended off the table, in order."""
        out: dict[str, None] = {}
        for event in self.record.events:
            if isinstance(event, OffTable) and event.ball not in self._back_after(event):
                gone = event.certain or (
                    event.ball not in self.after and event.ball not in self._lost
                    if self.after is not None
                    else bool(self.oracle.ask("off_table", (False, True), clause=self._clause_pot, ball=event.ball))
                )
                if gone:
                    out[event.ball] = None
        for ball in self._lost:
            if ball not in self.potted:
                out[ball] = None
        return tuple(out)

    @cached_property
    def gone(self) -> frozenset[str]:
        """All balls that are no longer on the bed after the shot."""
        return frozenset(self.potted) | frozenset(self.off_table) | {e.ball for e in self.fallen}
