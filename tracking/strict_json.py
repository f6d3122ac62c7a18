"""Reading JSON from outside strictly: a named error with the field's path instead of a guess or a traceback."""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Point = tuple[float, float]

FARTHEST_MM = 1e6
"""No position lies farther away."""


class MalformedRecord(ValueError):
    """Input that doesn't have the documented form: ``path`` says where, ``expected`` what should be there."""

    def __init__(self, path: str, expected: str, got: object) -> None:
        self.path = path or "record"
        self.expected = expected
        self.got = got
        super().__init__(f"{self.path}: expected {expected}, got {shown(got)}")

    def within(self, path: str) -> "MalformedRecord":
        """The same error, its field's path put inside another one (unless it is there already)."""
        inside = not path or self.path == path or self.path.startswith((path + ".", path + "["))
        return self if inside else MalformedRecord(f"{path}.{self.path}", self.expected, self.got)


def shown(value: object) -> str:
    """A value as a short text for an error message."""
    if isinstance(value, dict):
        return f"an object with {len(value)} fields"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class Missing:
    """The value of a field that is not there, in an error message."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()


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
    x, y = (read_number(each, f"{path}[{i}]", least=-FARTHEST_MM, most=FARTHEST_MM) for i, each in enumerate(value))
    return x, y


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
