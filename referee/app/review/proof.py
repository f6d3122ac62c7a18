"""The frames that prove a verdict: of each event that decided it, the frames before and after it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.app.review.words import event_in_words
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

LEAVING = (Pocket, OffTable, Fell, Returned, Jump, Moved)
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


def proofs(record: ShotRecord, verdict: dict[str, Any] | None) -> list[Proof]:
    """Strike, first contact, what fell or left, cushions and rest, in order of time."""
    return list(_proofs(record, verdict or {}))


def _proofs(record: ShotRecord, verdict: dict[str, Any]) -> Iterator[Proof]:
    contacts = first_contacts(record)
    first = contacts[0] if contacts else None
    fell = any(isinstance(event, Pocket) for event in record.events)
    cushion_proved = fell or verdict.get("game") == "snooker"
    for index, event in enumerate(record.events):
        if isinstance(event, Strike):
            yield Proof(what="strike", index=index, event=event, decides=False)
        elif event is first:
            yield Proof(what="first_contact", index=index, event=event, decides=True)
        elif isinstance(event, Contact) and "cue" in event.balls and first is not None and event in contacts[1:2]:
            yield Proof(what="contact", index=index, event=event, decides=False)
        elif isinstance(event, LEAVING):
            yield Proof(what=event.kind, index=index, event=event, decides=True)
        elif isinstance(event, Cushion):
            after = first is not None and event.t_s >= first.t_s
            yield Proof(what="cushion", index=index, event=event, decides=after and not cushion_proved)
            cushion_proved = cushion_proved or after
        elif isinstance(event, Rest):
            yield Proof(what="rest", index=index, event=event, decides=False)
