"""What happened in a shot: the border between tracking and the rules, and the ``shots.jsonl`` file format.

Nothing here says what was right or wrong. Pure standard library. Times are seconds on the video's own clock,
positions are ball centres in mm in the table frame. The field names of the JSON form are those of the contract,
section 3; ``gaps`` is an addition to it: spans of time in which (some) balls were not seen.

Reading is strict: :class:`MalformedRecord` names the field's path and what was expected there. Fields that are not
known are ignored, because later versions of the format may add some.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar, TypeVar

Point = tuple[float, float]
Positions = Mapping[str, Point]

POCKETS = ("bottom-left", "bottom-right", "middle-left", "middle-right", "top-left", "top-right")
CUSHIONS = ("bottom", "top", "left", "right")
LINES = ("head_string", "house_line", "centre_line", "long_string", "baulk_line")

ORDER_SIGMAS = 3.0
"""Two events are in a known order when their times differ by more than so many combined standard deviations."""

CERTAIN_CONFIDENCE = 0.9
"""An event at least so confident is taken as a fact; a less confident one only may have happened."""

OUTSIDE_SHOT_S = 0.001
"""An event may lie outside the shot's own span by so much, for rounding."""


class Answer(StrEnum):
    """Three values, because what was not seen did not 'not happen'."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class MalformedRecord(ValueError):
    """Input that doesn't have the documented form: ``path`` says where, ``expected`` what should be there."""

    def __init__(self, path: str, expected: str, got: object) -> None:
        self.path = path or "record"
        self.expected = expected
        super().__init__(f"{self.path}: expected {expected}, got {shown(got)}")


def shown(value: object) -> str:
    """A value as a short text for an error message."""
    if isinstance(value, dict):
        return f"an object with {len(value)} fields"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


# ---------------------------------------------------------------------------------------------- reading


class Missing:
    """The value of a field that is not there, in an error message."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()
Json = Mapping[str, Any]


def parse_json(text: str, path: str = "") -> Any:
    """Strict JSON: no NaN or infinity, no field twice in one object.

    Raises MalformedRecord for any text that is not such JSON.
    """

    def constant(name: str) -> None:
        raise MalformedRecord(path, "JSON with finite numbers", name)

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, value in pairs:
            if key in out:
                raise MalformedRecord(f"{path}.{key}" if path else key, "each field once", "the field twice")
            out[key] = value
        return out

    try:
        return json.loads(text, parse_constant=constant, object_pairs_hook=unique)
    except MalformedRecord:
        raise
    except RecursionError:
        raise MalformedRecord(path, "JSON nested less deeply", text) from None
    except ValueError as error:
        reason = str(error).split(":")[0]
        raise MalformedRecord(path, f"JSON ({reason} is wrong with it)", text) from None


def read_object(value: object, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MalformedRecord(path, "an object", value)
    return value


def read_number(value: object, path: str, *, least: float = -math.inf, most: float = math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MalformedRecord(path, "a number", value)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or not least <= number <= most:
        span = "a finite number" if least == -math.inf else f"a number from {least:g}"
        raise MalformedRecord(path, span if most == math.inf else f"{span} to {most:g}", value)
    return number


def read_integer(value: object, path: str, *, least: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or (least is not None and value < least):
        raise MalformedRecord(path, "an integer" if least is None else f"an integer of at least {least}", value)
    return value


def read_string(value: object, path: str, allowed: Sequence[str] = ()) -> str:
    if not isinstance(value, str) or not value:
        raise MalformedRecord(path, "a name" if not allowed else "one of " + ", ".join(allowed), value)
    if allowed and value not in allowed:
        raise MalformedRecord(path, "one of " + ", ".join(allowed), value)
    return value


def read_boolean(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise MalformedRecord(path, "true or false", value)
    return value


def read_point(value: object, path: str) -> Point:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise MalformedRecord(path, "a position [x, y] in mm", value)
    return read_number(value[0], f"{path}[0]"), read_number(value[1], f"{path}[1]")


T = TypeVar("T")


def read_list(value: object, path: str, item: Callable[[object, str], T]) -> tuple[T, ...]:
    if not isinstance(value, list | tuple):
        raise MalformedRecord(path, "a list", value)
    return tuple(item(each, f"{path}[{i}]") for i, each in enumerate(value))


def read_positions(value: object, path: str) -> dict[str, Point]:
    """Ball → centre in mm."""
    out: dict[str, Point] = {}
    for ball, place in read_object(value, path).items():
        out[read_string(ball, path)] = read_point(place, f"{path}.{ball}")
    return out


def read_ball_list(value: object, path: str) -> tuple[str, ...]:
    balls = read_list(value, path, read_string)
    if len(set(balls)) != len(balls):
        raise MalformedRecord(path, "each ball once", value)
    return balls


# ---------------------------------------------------------------------------------------------- events


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


# ---------------------------------------------------------------------------------------------- the rest of a record


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A span of time in which something was not seen: these balls (None: any), in this polygon in mm (None: all)."""

    t0_s: float
    t1_s: float
    balls: tuple[str, ...] | None = None
    region: tuple[Point, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "t0": self.t0_s,
            "t1": self.t1_s,
            "balls": None if self.balls is None else list(self.balls),
            "region": None if self.region is None else [list(corner) for corner in self.region],
        }

    @classmethod
    def from_json(cls, value: object, path: str) -> "Gap":
        data = read_object(value, path)
        t0 = read_number(data.get("t0", MISSING), f"{path}.t0")
        t1 = read_number(data.get("t1", MISSING), f"{path}.t1")
        if t1 < t0:
            raise MalformedRecord(f"{path}.t1", f"a time not before t0 = {t0:g}", t1)
        balls, region = data.get("balls"), data.get("region")
        return cls(
            t0_s=t0,
            t1_s=t1,
            balls=None if balls is None else read_ball_list(balls, f"{path}.balls"),
            region=None if region is None else read_list(region, f"{path}.region", read_point),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Nominated:
    """What was declared before the shot."""

    ball: str | None = None
    balls: tuple[str, ...] = ()
    pocket: str | None = None
    pockets: tuple[str, ...] = ()
    safety: bool = False
    push_out: bool = False

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if value:
                out[each.name] = list(value) if isinstance(value, tuple) else value
        return out

    @classmethod
    def from_json(cls, value: object, path: str) -> "Nominated":
        data = read_object(value, path)
        ball, pocket = data.get("ball"), data.get("pocket")
        found = cls(
            ball=None if ball is None else read_string(ball, f"{path}.ball"),
            balls=read_ball_list(data.get("balls", ()), f"{path}.balls"),
            pocket=None if pocket is None else read_string(pocket, f"{path}.pocket", POCKETS),
            pockets=read_list(data.get("pockets", ()), f"{path}.pockets", lambda v, p: read_string(v, p, POCKETS)),
            safety=read_boolean(data.get("safety", False), f"{path}.safety"),
            push_out=read_boolean(data.get("push_out", False), f"{path}.push_out"),
        )
        if found.pockets and len(found.pockets) != len(found.balls):
            raise MalformedRecord(
                f"{path}.pockets", f"one pocket for each of {len(found.balls)} balls", data["pockets"]
            )
        return found


OBSERVED_KINDS = (
    "foot_off",
    "tip_fault",
    "double_hit",
    "push",
    "touched",
    "miscue",
    "jump_method",
    "balls_moving",
    "out_of_turn",
    "bad_placement",
    "ball_misplaced",
    "used_out_ball",
    "foreign_object",
    "deliberate",
    "interference",
    "miss",
    "call_valid",
    "not_a_stroke",
    "confirm",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What a person at the table saw, or how the referee settled a question (``confirm``)."""

    kind: str
    ball: str | None = None
    balls: tuple[str, ...] = ()
    by: str | None = None
    player: str | None = None
    what: str | None = None
    who: str | None = None
    question: str | None = None
    value: Any = None

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None and value != ():
                out[each.name] = list(value) if isinstance(value, tuple) else value
        return out

    @classmethod
    def from_json(cls, value: object, path: str) -> "Observed":
        data = read_object(value, path)
        kind = read_string(data.get("kind", MISSING), f"{path}.kind", OBSERVED_KINDS)
        texts = {
            name: read_string(data[name], f"{path}.{name}")
            for name in ("ball", "by", "player", "what", "who", "question")
            if data.get(name) is not None
        }
        answer = data.get("value")
        if kind == "confirm":
            read_string(data.get("question", MISSING), f"{path}.question")
            if answer is None:
                raise MalformedRecord(f"{path}.value", "the answer to the question", MISSING)
        if kind == "call_valid":
            read_boolean(data.get("value", MISSING), f"{path}.value")
        if isinstance(answer, list):
            answer = read_list(answer, f"{path}.value", read_string)
        elif answer is not None and not isinstance(answer, bool | str):
            raise MalformedRecord(f"{path}.value", "true, false, a ball or a list of balls", answer)
        return cls(kind=kind, balls=read_ball_list(data.get("balls", ()), f"{path}.balls"), value=answer, **texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotRecord:
    """What happened from ``t0`` to ``t1`` (seconds): a stroke, or an incident between strokes where none was struck.

    before, after: the balls at rest on the table, None where the positions are not known. events: in order of time.
    nominated: None where nothing was declared. gaps: what was not seen.
    """

    n: int | None = None
    t0: float
    t1: float
    before: Positions | None = None
    events: tuple[Event, ...] = ()
    after: Positions | None = None
    nominated: Nominated | None = None
    observed: tuple[Observed, ...] = ()
    gaps: tuple[Gap, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """The record as the contract writes it; ``from_json`` gives an equal one back."""
        out: dict[str, Any] = {"type": "shot"}
        if self.n is not None:
            out["n"] = self.n
        out |= {"t0": self.t0, "t1": self.t1}
        for name in ("before", "after"):
            places: Positions | None = getattr(self, name)
            if places is not None:
                out[name] = {ball: list(place) for ball, place in places.items()}
        out["events"] = [event.to_json() for event in self.events]
        if self.nominated is not None:
            out["nominated"] = self.nominated.to_json()
        out["observed"] = [each.to_json() for each in self.observed]
        if self.gaps:
            out["gaps"] = [gap.to_json() for gap in self.gaps]
        return out

    @classmethod
    def from_json(cls, value: object, path: str = "") -> "ShotRecord":
        """Reads a parsed JSON object; ``path`` is put in front of the fields' names in errors.

        Raises MalformedRecord for anything that is not a record.
        """
        data = read_object(value, path or "record")
        dot = f"{path}." if path else ""
        read_string(data.get("type", "shot"), f"{dot}type", ("shot",))
        events = read_list(data.get("events", MISSING), f"{dot}events", event_from_json)
        n, places = data.get("n"), {name: data.get(name) for name in ("before", "after")}
        first = events[0].t_s if events else 0.0
        t0 = read_number(data.get("t0", first), f"{dot}t0")
        t1 = read_number(data.get("t1", max(t0, events[-1].t_s if events else t0)), f"{dot}t1")
        _check_times(t0, t1, events, dot)
        declared = data.get("nominated")
        observed = data.get("observed")
        return cls(
            n=None if n is None else read_integer(n, f"{dot}n", least=1),
            t0=t0,
            t1=t1,
            before=None if places["before"] is None else read_positions(places["before"], f"{dot}before"),
            events=events,
            after=None if places["after"] is None else read_positions(places["after"], f"{dot}after"),
            nominated=None if declared is None else Nominated.from_json(declared, f"{dot}nominated"),
            observed=() if observed is None else read_list(observed, f"{dot}observed", Observed.from_json),
            gaps=read_list(data.get("gaps") or (), f"{dot}gaps", Gap.from_json),
        )


def _check_times(t0: float, t1: float, events: tuple[Event, ...], dot: str) -> None:
    if t1 < t0:
        raise MalformedRecord(f"{dot}t1", f"a time not before t0 = {t0:g}", t1)
    earliest = t0 - OUTSIDE_SHOT_S
    for i, event in enumerate(events):
        if event.t_s < earliest:
            raise MalformedRecord(
                f"{dot}events[{i}].t",
                f"events in order of time and within the shot, so at least {earliest:g}",
                event.t_s,
            )
        earliest = max(earliest, event.t_s)
        if event.t_s > t1 + OUTSIDE_SHOT_S:
            raise MalformedRecord(f"{dot}events[{i}].t", f"a time within the shot, which ends at {t1:g}", event.t_s)
