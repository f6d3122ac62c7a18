"""What happened in a shot: the border between tracking and the rules, and the ``shots.jsonl`` file format.

Nothing here says what was right or wrong. Pure standard library. Times are seconds on the video's own clock,
positions are ball centres in mm in the table frame. The field names of the JSON form are those of the contract,
section 3; ``gaps``, ``doubtful`` and ``unplaced`` are additions to it: spans of time in which (some) balls were not
seen, other ways to name the balls that come near to being as probable, and balls whose place before isn't known.

Reading is strict: :class:`MalformedRecord` names the field's path and what was expected there. Fields that are not
known are ignored, because later versions of the format may add some. The events' types are at home in
``tracking.events`` and can be imported from here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tracking.events import (
    CERTAIN_CONFIDENCE,
    CUSHIONS,
    EVENT_TYPES,
    LINES,
    ORDER_SIGMAS,
    POCKETS,
    Answer,
    Contact,
    Crossed,
    Cushion,
    Event,
    Fell,
    Jump,
    Moved,
    OffTable,
    OneBallEvent,
    Pocket,
    Rest,
    Returned,
    Strike,
    before,
    event_from_json,
)
from tracking.strict_json import (
    MISSING,
    MalformedRecord,
    Point,
    parse_json,
    read_ball_list,
    read_boolean,
    read_integer,
    read_list,
    read_number,
    read_object,
    read_point,
    read_positions,
    read_string,
)

__all__ = [
    "CERTAIN_CONFIDENCE",
    "CUSHIONS",
    "EVENT_TYPES",
    "LINES",
    "OBSERVED_KINDS",
    "ORDER_SIGMAS",
    "POCKETS",
    "Answer",
    "Contact",
    "Crossed",
    "Cushion",
    "Event",
    "Fell",
    "Gap",
    "Jump",
    "MalformedRecord",
    "Moved",
    "Nominated",
    "Observed",
    "OffTable",
    "OneBallEvent",
    "Pocket",
    "Point",
    "Positions",
    "Reading",
    "Rest",
    "Returned",
    "ShotRecord",
    "Strike",
    "before",
    "event_from_json",
    "parse_json",
]

Positions = Mapping[str, Point]

Reading = Mapping[str, str | None]
"""Another way to name balls of a record: its name for a ball → what it may be instead, None: no ball at all."""

OUTSIDE_SHOT_S = 0.001
"""An event may lie outside the shot's own span by so much, for rounding."""


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
        if isinstance(region, list | tuple) and len(region) < 3:
            raise MalformedRecord(f"{path}.region", "a polygon of at least three corners", region)
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
            if value is not None and (value != () or each.name == "value"):
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
            numbers = len(answer) == 2 and not any(isinstance(each, str) for each in answer)
            where = f"{path}.value"
            answer = read_point(answer, where) if numbers else read_list(answer, where, read_string)
        elif answer is not None and not isinstance(answer, bool | str):
            raise MalformedRecord(f"{path}.value", "true, false, a ball, a list of balls or a position", answer)
        return cls(kind=kind, balls=read_ball_list(data.get("balls", ()), f"{path}.balls"), value=answer, **texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotRecord:
    """What happened from ``t0`` to ``t1`` (seconds): a stroke, or an incident between strokes where none was struck.

    before, after: the balls at rest on the table, None where the positions are not known. unplaced: balls that were on
    the table before though nobody saw where they lay; ``before`` doesn't have them. events: in order of time.
    nominated: None where nothing was declared. gaps: what was not seen. doubtful: other readings of the balls' names,
    each of the whole record; none where it is sure which ball is which.
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
    doubtful: tuple[Reading, ...] = ()
    unplaced: tuple[str, ...] = ()

    @property
    def present(self) -> frozenset[str] | None:
        """The balls that were on the table before, None where that isn't known."""
        return None if self.before is None else frozenset((*self.before, *self.unplaced))

    def read_as(self, reading: Reading) -> "ShotRecord":
        """The record with these balls called so, and without those that are none. What people observed stays."""

        def named(event: Event) -> Event:
            changes: dict[str, Any] = {}
            if isinstance(event, OneBallEvent):
                changes["ball"] = name(event.ball)
            elif isinstance(event, Contact):
                changes["balls"] = tuple(name(ball) for ball in event.balls)
            return replace(event, **changes)

        def name(ball: str) -> str:
            return reading.get(ball) or ball

        def places(of: Positions | None) -> Positions | None:
            return None if of is None else {name(ball): at for ball, at in of.items() if ball not in none}

        none = {ball for ball, new in reading.items() if new is None}
        said = self.nominated
        if said is not None:
            ball = None if said.ball is None else name(said.ball)
            said = replace(said, ball=ball, balls=tuple(name(ball) for ball in said.balls))
        gaps = [
            replace(
                gap, balls=None if gap.balls is None else tuple(name(ball) for ball in gap.balls if ball not in none)
            )
            for gap in self.gaps
        ]
        return replace(
            self,
            before=places(self.before),
            after=places(self.after),
            events=tuple(named(event) for event in self.events if none.isdisjoint(event.balls_involved)),
            nominated=said,
            gaps=tuple(gap for gap in gaps if gap.balls != ()),
            doubtful=(),
            unplaced=tuple(name(ball) for ball in self.unplaced if ball not in none),
        )

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
        if self.doubtful:
            out["doubtful"] = [dict(reading) for reading in self.doubtful]
        if self.unplaced:
            out["unplaced"] = list(self.unplaced)
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
            doubtful=read_list(data.get("doubtful") or (), f"{dot}doubtful", _read_reading),
            unplaced=read_ball_list(data.get("unplaced") or (), f"{dot}unplaced"),
        )


def _read_reading(value: object, path: str) -> Reading:
    data = read_object(value, path)
    return {ball: None if new is None else read_string(new, f"{path}.{ball}") for ball, new in data.items()}


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
