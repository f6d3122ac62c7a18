"""What a reviewer changes, a line each: the lines of ``cueref analyze --inputs``, and some of its own.

- ``{"type": "official", "kind": "correct", "n": 3, "record": {…}}``: the record of shot 3 was wrong
- ``{"type": "observed", "n": 3, "observed": […]}``: what somebody saw; with ``confirm``, the answer to a question
- ``{"type": "nomination", "n": 3, "nominated": {…}}``: what was declared; null: infer it again
- ``{"type": "official", "kind": …, "n": 4}``: said before shot 4 (one more than the shots: after the last)
- ``{"type": "shot", "n": 1001, …}``: the record of a shot that wasn't seen; its place is that of its ``t0``
- ``{"type": "opening", "state": {…}}``: what held before the first shot, instead of what was assumed
- ``{"type": "undo", "line": 2}``: takes back line 2 of the corrections, which may be an undo itself
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from referee.rules.officials import Official
from tracking.records import Nominated, Observed, ShotRecord
from tracking.strict_json import MISSING, MalformedRecord, read_integer, read_list, read_object, read_string


class Kind(StrEnum):
    RECORD = "record"
    INSERT = "insert"
    OBSERVED = "observed"
    NOMINATION = "nomination"
    OFFICIAL = "official"
    SAID = "said"
    OPENING = "opening"
    UNDO = "undo"


TYPES = ("official", "shot", "observed", "nomination", "opening", "undo")
REFUSED_OFFICIALS = {"undo": "take back a correction by its line instead"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One line. Fields that its kind doesn't have are None or empty; ``line`` is the line that an undo takes back.

    ``said`` is what an official said in the course of a match, after shot ``n``; it corrects nothing.
    """

    kind: Kind
    n: int | None = None
    record: ShotRecord | None = None
    observed: tuple[Observed, ...] = ()
    nominated: Nominated | None = None
    official: Official | None = None
    state: Mapping[str, Any] | None = None
    line: int | None = None

    @property
    def is_answer(self) -> bool:
        """Whether it settles questions and does nothing else."""
        return self.kind is Kind.OBSERVED and all(each.kind == "confirm" for each in self.observed)

    def to_json(self) -> dict[str, Any]:
        """``from_json`` gives an equal one back."""
        match self.kind:
            case Kind.RECORD:
                assert self.record is not None
                return {"type": "official", "kind": "correct", "n": self.n, "record": self.record.to_json()}
            case Kind.INSERT:
                assert self.record is not None
                return self.record.to_json()
            case Kind.OBSERVED:
                return {"type": "observed", "n": self.n, "observed": [each.to_json() for each in self.observed]}
            case Kind.NOMINATION:
                said = None if self.nominated is None else self.nominated.to_json()
                return {"type": "nomination", "n": self.n, "nominated": said}
            case Kind.OFFICIAL | Kind.SAID:
                assert self.official is not None
                return {**self.official.to_json(), "n": self.n}
            case Kind.OPENING:
                return {"type": "opening", "state": dict(self.state or {})}
            case Kind.UNDO:
                return {"type": "undo", "line": self.line}

    @classmethod
    def from_json(cls, value: object) -> "Correction":
        """Raises MalformedRecord."""
        data = read_object(value, "line")
        kind = read_string(data.get("type", MISSING), "type", TYPES)
        if kind == "shot":
            record = ShotRecord.from_json(data)
            return cls(kind=Kind.INSERT, n=record.n, record=record)
        if kind == "undo":
            return cls(kind=Kind.UNDO, line=read_integer(data.get("line", MISSING), "line", least=1))
        if kind == "opening":
            return cls(kind=Kind.OPENING, state=read_object(data.get("state", MISSING), "state"))
        n = read_integer(data.get("n", MISSING), "n", least=1)
        if kind == "observed":
            return cls(kind=Kind.OBSERVED, n=n, observed=_observed(data.get("observed", MISSING)))
        if kind == "nomination":
            said = data.get("nominated")
            return cls(kind=Kind.NOMINATION, n=n, nominated=None if said is None else Nominated.from_json(said, kind))
        official = Official.from_json(data)
        if official.kind in REFUSED_OFFICIALS:
            raise MalformedRecord("kind", f"another line ({REFUSED_OFFICIALS[official.kind]})", official.kind)
        if official.kind == "correct":
            return cls(kind=Kind.RECORD, n=n, record=official.record)
        return cls(kind=Kind.OFFICIAL, n=n, official=official)


def _observed(value: object) -> tuple[Observed, ...]:
    seen = read_list(value, "observed", Observed.from_json)
    if not seen:
        raise MalformedRecord("observed", "at least one thing observed", [])
    return seen


def in_force(corrections: Sequence[Correction]) -> list[bool]:
    """Which of the lines hold: those that no undo in force takes back."""
    live = [True] * len(corrections)
    for i in range(len(corrections) - 1, -1, -1):
        line = corrections[i].line
        if live[i] and corrections[i].kind is Kind.UNDO and line is not None and line <= i:
            live[line - 1] = False
    return live
