"""Snooker: what it keeps between the strokes beside the state that all games share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.rules.state import Sides
from tracking.strict_json import Point, read_boolean, read_integer, read_list, read_object, read_string


@dataclass(frozen=True, slots=True, kw_only=True)
class SnookerPart:
    """What snooker keeps beside the common state.

    aggregate: each side's points in earlier frames, None where they don't count. frames_left: frames to play after
    this one. disabled: players in wheelchairs. spotted: colours put on the table after the last stroke, and where.
    failures: misses running that count under the current rules (DIF-3).
    """

    respotted_black: bool = False
    aggregate: Mapping[str, int] | None = None
    frames_left: int | None = None
    last_frame: bool = False
    disabled: tuple[str, ...] = ()
    spotted: Mapping[str, Point] = field(default_factory=dict)
    failures: int = 0

    @classmethod
    def from_json(cls, data: Mapping[str, Any], sides: Sides, dot: str) -> "SnookerPart":
        """From a case's field ``snooker``. Raises MalformedRecord."""
        totals, left = data.get("aggregate"), data.get("frames_left")
        everybody = (*sides.names, *sides.persons)
        aggregate = None
        if totals is not None:
            read_object(totals, f"{dot}aggregate")
            aggregate = {side: read_integer(totals.get(side, 0), f"{dot}aggregate.{side}") for side in sides.names}
        return cls(
            respotted_black=read_boolean(data.get("respotted_black", False), f"{dot}respotted_black"),
            aggregate=aggregate,
            frames_left=None if left is None else read_integer(left, f"{dot}frames_left", least=0),
            failures=read_integer(data.get("failures", 0), f"{dot}failures", least=0),
            last_frame=read_boolean(data.get("last_frame", False), f"{dot}last_frame"),
            disabled=read_list(
                data.get("players_disabled", ()),
                f"{dot}players_disabled",
                lambda name, path: read_string(name, path, everybody),
            ),
        )

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"respotted_black": self.respotted_black, "last_frame": self.last_frame}
        if self.aggregate is not None:
            out["aggregate"] = dict(self.aggregate)
        if self.frames_left is not None:
            out["frames_left"] = self.frames_left
        if self.failures:
            out["failures"] = self.failures
        if self.disabled:
            out["players_disabled"] = list(self.disabled)
        return out
