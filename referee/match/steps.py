"""The lines of a match that are in force, each judged, and what of it is said and asked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.match.order import Item, Place
from referee.rules import fold
from referee.rules.engine import Game
from referee.rules.officials import Official
from referee.rules.outcome import Call
from tracking.records import ShotRecord, Strike


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line that is in force, as it was folded last: its judgement and the course after it.

    ``before``: the course in which it was judged. ``problem``: why it has become impossible and changes nothing.
    """

    index: int
    item: Item
    n: int | None
    before: fold.Course
    judged: fold.Judged
    condoned: bool = False
    problem: str | None = None

    @property
    def struck(self) -> bool:
        """Whether it is a stroke, not an incident or an official line."""
        return isinstance(self.item, ShotRecord) and any(isinstance(event, Strike) for event in self.item.events)

    @property
    def foul(self) -> bool:
        return isinstance(self.item, ShotRecord) and self.judged.verdict.fields["legal"] is False


def judged(game: Game, place: Place, item: Item, course: fold.Course) -> Step:
    """A line judged in a course. Raises MalformedRecord where it is impossible in it."""
    if isinstance(item, ShotRecord):
        found = fold.judge(game, course, item, place.n, condoned=place.condoned)
    else:
        found = fold.declare(game, course, item, place.n)
    return Step(index=place.index, item=item, n=place.n, before=course, judged=found, condoned=place.condoned)


def judged_anew(game: Game, place: Place, item: Item, course: fold.Course, known: Step | None) -> Step:
    """As `judged`; where the line was judged so before (``known``), not again."""
    if (
        known is not None
        and known.problem is None
        and (known.n, known.condoned, known.item, known.before) == (place.n, place.condoned, item, course)
    ):
        return known
    return judged(game, place, item, course)


def impossible(game: Game, place: Place, item: Item, course: fold.Course, problem: str) -> Step:
    """A line that a correction made impossible: it changes nothing."""
    same = fold.declare(game, course, Official(kind="rack"), place.n)
    return Step(index=place.index, item=item, n=place.n, before=course, judged=same, problem=problem)


def record_of(item: Item) -> Item:
    """What is played: a correction's or an insertion's record under its shot's number; else the line itself."""
    if isinstance(item, Official) and item.kind in ("correct", "insert") and item.record is not None:
        return replace(item.record, n=item.n)
    return item


# ------------------------------------------------------------------------------------------------- what changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What is said of a line in force, and of which shot; ``legal``: of a shot's own line, as its verdict has it."""

    n: int | None
    calls: tuple[Call, ...]
    shot: bool
    legal: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A line judged anew. was, now: None where it wasn't or isn't in force."""

    index: int
    was: Spoken | None
    now: Spoken | None

    @property
    def n(self) -> int | None:
        """The number of the shot that it is about."""
        either = self.now or self.was
        return None if either is None else either.n


def spoken(step: Step) -> Spoken:
    shot = isinstance(step.item, ShotRecord)
    verdict = step.judged.verdict
    return Spoken(n=step.n, calls=verdict.calls, shot=shot, legal=verdict.fields["legal"] if shot else None)


# ------------------------------------------------------------------------------------------------- open questions

Key = tuple[int | None, str, str, str | None]
"""A question: its shot, what is asked, the clause, and the ball that it is about."""
Open = Mapping[Key, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What a step changes of the questions that are open."""

    settled: tuple[Key, ...] = ()
    asked: tuple[tuple[Key, dict[str, Any]], ...] = ()

    def after(self, found: Open) -> Open:
        return {key: q for key, q in found.items() if key not in self.settled} | dict(self.asked)


def asking(step: Step, found: Open) -> Asking | None:
    """What a step changes of the questions that were open before it, None where nothing."""
    answered = {(each.n, each.question.question, each.question.ball) for each in step.judged.settled}
    settled = tuple(key for key in found if (key[0], key[1], key[3]) in answered) if answered else ()
    asked: dict[Key, dict[str, Any]] = {}
    for each in step.judged.verdict.undecided:
        key = (each.get("n", step.n), each["question"], each["clause"], each.get("ball"))
        if key not in found or key in settled:
            asked.setdefault(key, {"n": step.n, **each})
    return Asking(settled=settled, asked=tuple(asked.items())) if settled or asked else None
