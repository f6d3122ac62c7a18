"""The typed events of a shot, and what is known of their order.

Each event carries the time ``t_s`` (s), its standard deviation and a confidence. Field names of the JSON form are
those of the contract, section 3.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar

from tracking.strict_json import (
    MISSING,
    MalformedRecord,
    read_ball_list,
    read_boolean,
    read_number,
    read_object,
    read_string,
)

POCKETS = ("bottom-left", "bottom-right", "middle-left", "middle-right", "top-left", "top-right")
CUSHIONS = ("bottom", "top", "left", "right")
LINES = ("head_string", "house_line", "centre_line", "long_string", "baulk_line")

ORDER_SIGMAS = 3.0
"""Two events are in a known order when their times differ by more than so many combined standard deviations."""

CERTAIN_CONFIDENCE = 0.9
"""An event at least so confident is taken as a fact; a less confident one only may have happened."""


class Answer(StrEnum):
    """Three values, because what was not seen did not 'not happen'."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened at ``t_s``, known to within ``t_sigma_s`` (1 sigma), with a confidence of 0 to 1."""

    kind: ClassVar[str]
    t_s: float
    t_sigma_s: float = 0.0
    confidence: float = 1.0

    @property
    def certain(self) -> bool:
        return self.confidence >= CERTAIN_CONFIDENCE

    @property
    def balls_involved(self) -> tuple[str, ...]:
        """The balls that the event is about."""
        return ()

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"t": self.t_s, "kind": self.kind}
        if self.t_sigma_s:
            out["t_sigma"] = self.t_sigma_s
        if self.confidence != 1.0:
            out["confidence"] = self.confidence
        for each in fields(self):
            if each.name not in ("t_s", "t_sigma_s", "confidence"):
                value = getattr(self, each.name)
                out[each.name] = list(value) if isinstance(value, tuple) else value
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class OneBallEvent(Event):
    """An event about one ball."""

    ball: str

    @property
    def balls_involved(self) -> tuple[str, ...]:
        return (self.ball,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike(OneBallEvent):
    """The tip struck this ball."""

    kind: ClassVar[str] = "strike"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact(Event):
    """The two balls touched."""

    kind: ClassVar[str] = "contact"
    balls: tuple[str, str]

    @property
    def balls_involved(self) -> tuple[str, ...]:
        return self.balls

    def other(self, ball: str) -> str | None:
        """The ball that ``ball`` touched, None where it isn't one of the two."""
        first, second = self.balls
        return second if ball == first else first if ball == second else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cushion(OneBallEvent):
    """The ball touched this cushion."""

    kind: ClassVar[str] = "cushion"
    cushion: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossed(OneBallEvent):
    """The ball's centre crossed a line of the table."""

    kind: ClassVar[str] = "crossed"
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pocket(OneBallEvent):
    """The ball fell into this pocket."""

    kind: ClassVar[str] = "pocket"
    pocket: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OffTable(OneBallEvent):
    """The ball came to rest anywhere but on the bed or in a pocket."""

    kind: ClassVar[str] = "off_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned(OneBallEvent):
    """The ball left the bed over a cushion or rail, or out of a pocket, and came back by itself."""

    kind: ClassVar[str] = "returned"
    via: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump(OneBallEvent):
    """``ball`` passed over the ball ``over`` in the air, and touched it in flight or not."""

    kind: ClassVar[str] = "jump"
    over: str
    touched: bool

    @property
    def balls_involved(self) -> tuple[str, ...]:
        return self.ball, self.over


@dataclass(frozen=True, slots=True, kw_only=True)
class Fell(OneBallEvent):
    """The ball dropped untouched into the pocket after lying still for ``still_s`` seconds."""

    kind: ClassVar[str] = "fell"
    pocket: str
    still_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(OneBallEvent):
    """The ball moved though no ball hit it; ``cause`` is ``itself``, ``player`` or ``outside``."""

    kind: ClassVar[str] = "moved"
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest(Event):
    """All balls at rest."""

    kind: ClassVar[str] = "rest"


EVENT_TYPES: dict[str, type[Event]] = {
    each.kind: each for each in (Strike, Contact, Cushion, Crossed, Pocket, OffTable, Returned, Jump, Fell, Moved, Rest)
}

_ALLOWED: dict[str, Sequence[str]] = {
    "cushion": CUSHIONS,
    "pocket": POCKETS,
    "line": LINES,
    "via": ("cushion", "rail", "pocket"),
    "cause": ("itself", "player", "outside"),
}


def before(a: Event, b: Event) -> Answer:
    """Whether ``a`` happened before ``b``; UNKNOWN where their times' uncertainty doesn't let them be ordered.

    Two events exactly at the same exact time are simultaneous: NO both ways.
    """
    lead_s = b.t_s - a.t_s
    spread_s = ORDER_SIGMAS * math.hypot(a.t_sigma_s, b.t_sigma_s)
    if lead_s > spread_s:
        return Answer.YES
    return Answer.NO if spread_s == 0.0 or lead_s < -spread_s else Answer.UNKNOWN


def _read_contact_balls(value: object, path: str) -> tuple[str, str]:
    balls = read_ball_list(value, path)
    if len(balls) != 2:
        raise MalformedRecord(path, "two balls", value)
    return balls[0], balls[1]


def event_from_json(value: object, path: str) -> Event:
    """One event of the contract's form. Raises MalformedRecord."""
    data = read_object(value, path)
    kind = EVENT_TYPES[read_string(data.get("kind", MISSING), f"{path}.kind", tuple(EVENT_TYPES))]
    values: dict[str, Any] = {
        "t_s": read_number(data.get("t", MISSING), f"{path}.t"),
        "t_sigma_s": read_number(data.get("t_sigma", 0.0), f"{path}.t_sigma", least=0.0),
        "confidence": read_number(data.get("confidence", 1.0), f"{path}.confidence", least=0.0, most=1.0),
    }
    for each in fields(kind):
        if each.name in values:
            continue
        got, where = data.get(each.name, MISSING), f"{path}.{each.name}"
        if each.name == "balls":
            values["balls"] = _read_contact_balls(got, where)
        elif each.name == "touched":
            values["touched"] = read_boolean(got, where)
        elif each.name == "still_s":
            values["still_s"] = read_number(got, where, least=0.0)
        else:
            values[each.name] = read_string(got, where, _ALLOWED.get(each.name, ()))
    if kind is Jump and values["ball"] == values["over"]:
        raise MalformedRecord(f"{path}.over", "another ball than the one that jumps", values["over"])
    return kind(**values)
