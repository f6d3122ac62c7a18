"""Questions that a record doesn't settle, and what follows whatever their answers are.

The rules themselves are written in two values, as a rule book is. Where one needs a fact that the record leaves open
it asks its :class:`Oracle`; a referee's ``confirm`` answers, and if there is none, :func:`explore` runs the rules
once for each answer that is possible. What all those runs agree on is decided; a question whose answer changes the
result is undecided. So more doubt in a record can only move a result towards undecided, never to another result.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

MOST_RUNS = 512
"""So many combinations of answers are looked at; a record with more open questions is undecided as a whole."""

FEW_RUNS = 64
"""Up to so many runs are compared pair by pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One open question, with the clause for which it matters and the ball it is about."""

    question: str
    clause: str
    ball: str | None = None

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"question": self.question, "clause": self.clause, "needs": "referee"}
        if self.ball is not None:
            out["ball"] = self.ball
        return out


Key = tuple[str, str | None]


class TooManyQuestions(Exception):
    """More combinations of answers than can be looked at."""


class Unknowable(Exception):
    """In this run anything may have happened: its result is unknown as a whole."""


class Oracle:
    """Answers the rules' questions in one run: the referee's word first, then this run's assumption."""

    def __init__(self, confirmed: Mapping[Key, Any], script: Sequence[int] = ()) -> None:
        self._confirmed = confirmed
        self._script = script
        self.asked: list[tuple[Question, Sequence[Any], int]] = []
        self._answers: dict[Key, Any] = {}

    def confirmed(self, question: str, ball: str | None = None) -> Any:
        """What the referee said to this question, None if he said nothing."""
        exact = self._confirmed.get((question, ball))
        return exact if exact is not None or ball is None else self._confirmed.get((question, None))

    def knowing(self, earlier: Mapping[Key, Any]) -> "Oracle":
        """The same oracle in the same run, with what the referee said of an earlier record too."""
        other = copy(self)
        other._confirmed = {**earlier, **self._confirmed}
        return other

    def ask(self, question: str, possible: Sequence[Any], *, clause: str, ball: str | None = None) -> Any:
        """The answer: one of ``possible``, the likeliest or most harmless of which stands first."""
        said = self.confirmed(question, ball)
        if said is not None:
            return said
        key = (question, ball)
        if key not in self._answers:
            if len(possible) == 1:
                return possible[0]
            step = len(self.asked)
            choice = self._script[step] if step < len(self._script) else 0
            self.asked.append((Question(question=question, clause=clause, ball=ball), possible, choice))
            self._answers[key] = possible[choice]
        return self._answers[key]

    def whatever(self, question: str, *, clause: str) -> None:
        """A question that this code cannot follow up: in one run nothing is known of what came of it."""
        if self.ask(question, (False, True), clause=clause):
            raise Unknowable


R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(Generic[R]):
    """One run: the answers it assumed and what came out (None: anything may have happened)."""

    answers: Mapping[Question, int]
    result: R | None


def explore(run: Callable[[Oracle], R], confirmed: Mapping[Key, Any], most: int = MOST_RUNS) -> list[Branch[R]]:
    """All runs over all answers to the questions that come up; the first is the likeliest.

    Raises TooManyQuestions where that would take more than ``most`` runs.
    """
    branches: list[Branch[R]] = []
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        if len(branches) == most:
            raise TooManyQuestions
        script = waiting.pop()
        oracle = Oracle(confirmed, script)
        try:
            result: R | None = run(oracle)
        except Unknowable:
            result = None
        branches.append(Branch(answers={q: choice for q, _, choice in oracle.asked}, result=result))
        taken = [choice for _, _, choice in oracle.asked]
        for step in range(len(script), len(taken)):
            waiting.extend((*taken[:step], other) for other in range(1, len(oracle.asked[step][1])))
    return branches


def deciding(branches: Sequence[Branch[R]], same: Callable[[R | None, R | None], bool]) -> list[Question]:
    """The questions whose answer alone changes the result in some case, in the order in which they came up."""
    if len(branches) == 1:
        return []
    order = {q: None for branch in branches for q in branch.answers}
    kinds = numbered([branch.result for branch in branches], same)
    if len(branches) > FEW_RUNS:
        return [q for q in order if _splits(q, branches, kinds)]
    found: set[Question] = set()
    for i, one in enumerate(branches):
        for j, other in enumerate(branches[:i]):
            if kinds[i] != kinds[j]:
                differing = [q for q, answer in one.answers.items() if other.answers.get(q, answer) != answer]
                found |= set(differing) if len(differing) == 1 else set()
    return [q for q in order if q in found]


def numbered(results: Sequence[R], same: Callable[[R, R], bool]) -> list[int]:
    """A number for each, the same for those that are the same."""
    different: list[R] = []
    out = []
    for result in results:
        kind = next((i for i, each in enumerate(different) if same(each, result)), len(different))
        if kind == len(different):
            different.append(result)
        out.append(kind)
    return out


def _splits(question: Question, branches: Sequence[Branch[R]], kinds: Sequence[int]) -> bool:
    """Whether different answers to it leave different sets of results."""
    left: dict[int, set[int]] = {}
    for branch, kind in zip(branches, kinds, strict=True):
        if question in branch.answers:
            left.setdefault(branch.answers[question], set()).add(kind)
    return len({frozenset(each) for each in left.values()}) > 1
