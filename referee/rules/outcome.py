"""What came of one shot or one official line: the findings, the points and the state it leaves."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from referee.rules.book import book
from referee.rules.state import State
from tracking.strict_json import Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One infringement: the clause, its amount in points (0 where none are counted), and what was done."""

    clause: str
    value: int
    what: str

    def to_json(self) -> dict[str, Any]:
        return {"clause": self.clause, "value": self.value, "what": self.what}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Something the referee says: the code of a phrase and what goes into it."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)


def call(code: str, **values: Any) -> Call:
    return Call(code=code, values=values)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameEnd:
    """How the frame stands: over or not, by ``result`` (won, lost, conceded, awarded, void, tied)."""

    over: bool = False
    winner: str | None = None
    result: str | None = None

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"over": self.over, "winner": self.winner}
        return out | ({"result": self.result} if self.over else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnd:
    """How the match stands; ``aggregate``: each side's points over all frames, where they count."""

    over: bool = False
    winner: str | None = None
    aggregate: Mapping[str, int] | None = None

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"over": self.over, "winner": self.winner}
        return out | ({} if self.aggregate is None else {"aggregate": dict(self.aggregate)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One verdict without doubt: what holds if the open questions are answered in one way.

    state: from which the next stroke starts (after a frame's end: the next frame's first). score: after this shot, in
    the frame it belongs to. options: copied into the verdict from ``state.options``. legal: None where nothing was
    played and nothing happened. made: the visit's points where they aren't ``state.break_points`` (a frame's end).
    """

    state: State
    legal: bool | None = None
    fouls: tuple[Finding, ...] = ()
    penalty: int | None = None
    points: Mapping[str, int] = field(default_factory=dict)
    score: Mapping[str, int]
    potted: tuple[str, ...] = ()
    spot: Mapping[str, Point] = field(default_factory=dict)
    restore: Mapping[str, Point] = field(default_factory=dict)
    frame: FrameEnd = FrameEnd()
    match: MatchEnd = MatchEnd()
    rack: str | None = None
    calls: tuple[Call, ...] = ()
    made: int | None = None
    answer: Any = None

    def again(self, state: State, **changes: Any) -> "Outcome":
        """The same stroke's outcome, brought up to date after a line that belongs to it."""
        return replace(self, **{"state": state, "score": state.score, "calls": (), **changes})


def nothing_played(state: State, **changes: Any) -> Outcome:
    """The outcome of a line that judges no stroke; a match that was over stays over."""
    match = MatchEnd(over=state.finished, winner=state.champion)
    plain = Outcome(state=state, score=state.score, points=state.sides.zero(), match=match)
    return replace(plain, **changes)


# ---------------------------------------------------------------------------------------------- clauses with a check

S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Generic[S]):
    """A clause that decides something: its id in the book, what of a record it needs, and how it is tested.

    ``needs`` names event kinds, ``before`` or ``after`` (positions), ``nominated`` or kinds of ``observed``.
    """

    clause: str
    needs: tuple[str, ...]
    find: Callable[[S], Iterable[Finding]]


class Fouls(Generic[S]):
    """The infringements that a game knows, in the order of its rule book."""

    def __init__(self, *parts: "Fouls[S]") -> None:
        self.checks: list[Check[S]] = [check for part in parts for check in part.checks]

    def check(
        self, clause: str, *needs: str
    ) -> Callable[[Callable[[S], Iterable[tuple[int, str]]]], Callable[[S], Iterable[tuple[int, str]]]]:
        """Registers a generator of (amount, what was done) as the check of this clause of the book."""
        if clause not in book():
            raise KeyError(f"no clause {clause} in the book")

        def register(
            find: Callable[[S], Iterable[tuple[int, str]]],
        ) -> Callable[[S], Iterable[tuple[int, str]]]:
            def findings(shot: S) -> Iterator[Finding]:
                for value, what in find(shot):
                    yield Finding(clause=clause, value=value, what=what)

            self.checks.append(Check(clause=clause, needs=needs, find=findings))
            return find

        return register

    def found(self, shot: S) -> tuple[Finding, ...]:
        """All infringements, the gravest first; those of equal gravity in the order of the book."""
        findings = [finding for check in self.checks for finding in check.find(shot)]
        return tuple(sorted(findings, key=lambda finding: -finding.value))
