"""The frames that prove a verdict: of each event that matters, the frames before and after it.

An event decides a verdict if another one, or a question, comes out where it is left out of the record: this is tried in
the state that was likeliest before the shot. Where a question is open already, what it is about needs no trial.
"""

from dataclasses import dataclass, replace
from typing import Any

from referee.app.review.words import event_in_words
from referee.match.log import Step
from referee.rules import fold
from referee.rules.engine import Game
from tracking.records import (
    Contact,
    Cushion,
    Event,
    Fell,
    Jump,
    Moved,
    OffTable,
    Pocket,
    Rest,
    Returned,
    ShotRecord,
    Strike,
)
from tracking.strict_json import MalformedRecord

LEAVING = (Pocket, OffTable, Fell, Returned, Jump, Moved)
MOST_TRIED = 24
SAME = ("legal", "fouls", "penalty", "points", "potted", "spot", "next", "frame", "undecided")
AROUND_FRAMES = 2
LONGEST_S = 0.5
"""So far an event's uncertainty widens the frames that show it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """An event worth showing. ``decides``: whether the verdict would be another one without it."""

    what: str
    index: int
    event: Event
    decides: bool

    def to_json(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "event": self.index,
            "t": self.event.t_s,
            "t_sigma": self.event.t_sigma_s,
            "confidence": self.event.confidence,
            "text": event_in_words(self.event.to_json()),
            "decides": self.decides,
        }

    @property
    def span_s(self) -> tuple[float, float]:
        """When it happened, two sigmas either way."""
        wide = min(LONGEST_S, 2 * self.event.t_sigma_s)
        return self.event.t_s - wide, self.event.t_s + wide


def first_contacts(record: ShotRecord) -> list[Contact]:
    """The cue ball's contacts, each ball once, in order."""
    found: dict[str, Contact] = {}
    for event in record.events:
        if isinstance(event, Contact) and (other := event.other("cue")) is not None:
            found.setdefault(other, event)
    return list(found.values())


def proofs(record: ShotRecord, game: Game | None, step: Step | None) -> list[Proof]:
    """Strike, first contact, what fell or left, rest, and every other event that decides the verdict, in order.

    step: how the record was judged, None where it wasn't.
    """
    first = next(iter(first_contacts(record)), None)
    deciding = deciding_events(game, step)
    found = []
    for index, event in enumerate(record.events):
        what = "first_contact" if event is first else event.kind
        always = isinstance(event, (Strike, Rest, *LEAVING)) or event is first
        if always or index in deciding or isinstance(event, Cushion):
            found.append(Proof(what=what, index=index, event=event, decides=index in deciding))
    return found


def deciding_events(game: Game | None, step: Step | None) -> set[int]:
    """The indices of the events of a shot without which its verdict would be another one; the strike isn't tried.

    With an open question: the first contact and what fell or left.
    """
    if game is None or step is None or not isinstance(step.item, ShotRecord):
        return set()
    record, course = step.item, fold.Course(worlds=(step.before.likely,))
    first = next(iter(first_contacts(record)), None)
    plain = {i for i, event in enumerate(record.events) if event is first or isinstance(event, LEAVING)}
    whole = None if step.judged.verdict.undecided else _judged(game, course, record)
    if whole is None:
        return plain
    others = (i for i, event in enumerate(record.events) if isinstance(event, Contact | Cushion) and i not in plain)
    return {
        index
        for index in [*sorted(plain), *others][:MOST_TRIED]
        if _judged_without(game, course, record, index) != whole
    }


def _judged_without(game: Game, course: fold.Course, record: ShotRecord, index: int) -> dict[str, Any] | None:
    return _judged(game, course, replace(record, events=(*record.events[:index], *record.events[index + 1 :])))


def _judged(game: Game, course: fold.Course, record: ShotRecord) -> dict[str, Any] | None:
    """The part of the verdict that an event can decide, None where there is none."""
    try:
        fields = fold.judge(game, course, record, record.n).verdict.fields
    except MalformedRecord:
        return None
    return {name: fields[name] for name in SAME}
