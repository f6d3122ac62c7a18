"""The answers that an open question may have, found by letting the rules ask it again."""

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.app.desk.words import choice_text
from referee.match.log import Match, Step
from referee.match.order import Place
from referee.rules import fold
from referee.rules.engine import confirmed
from referee.rules.outcome import Outcome
from referee.rules.questions import Oracle, TooManyQuestions, Unknowable, explore
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord

NO_BALL = "none"
MOST_KNOWN = 32
"""Of so many shots, those asked about last, the choices are held."""
MOST_RUNS = 64
"""So many runs of the rules show what a question's answers may be."""

Asked = tuple[str, str | None]
"""A question and the ball it is about."""


@dataclass(slots=True)
class Choices:
    """The choices of a match's open questions; those of a shot are looked for once as long as its verdict stands."""

    _known: dict[int, tuple[int, Place, dict[Asked, list[Any]]]] = field(default_factory=dict)
    """Number of the shot → which of the steps it is, its place, and what may be answered."""

    def of(self, match: Match, n: int | None, question: str, ball: str | None = None) -> list[dict[str, Any]]:
        """The possible answers to a question of shot n, ``{"value", "en", "ru"}`` each, the likeliest first.

        Empty where an answer can't be given to the question itself, but only by a correction.
        """
        known = None if n is None else self._known.get(n)
        if known is None or known[0] >= len(match.places) or match.places[known[0]] is not known[1]:
            at = match.at(n)
            if at is None or n is None:
                return []
            known = (at, match.places[at], asked(match, match.steps[at]))
            self._known = {**dict([*self._known.items()][-MOST_KNOWN:]), n: known}
        found: dict[str, Any] = {}
        for possible in known[2].get((question, ball), ()):
            for value in _values(possible, question, ball):
                found.setdefault(repr(value), value)
        return [{"value": value, **choice_text(value, question)} for value in found.values()]


def choices(match: Match, n: int | None, question: str, ball: str | None = None) -> list[dict[str, Any]]:
    """The possible answers to one question, as `Choices.of` gives them."""
    return Choices().of(match, n, question, ball)


def asked(match: Match, step: Step) -> dict[Asked, list[Any]]:
    """Every question of a shot → all answers among which the rules choose in some run."""
    out: dict[Asked, list[Any]] = {}
    record = step.item
    if not isinstance(record, ShotRecord):
        return out
    known = confirmed(record)
    wanted = {
        (each["question"], each.get("ball"))
        for each in step.judged.verdict.undecided
        if each.get("n", step.n) == step.n
    }
    for world in step.before.worlds:

        def run(oracle: Oracle, start: fold.World = world) -> Outcome | None:
            try:
                return match.game.judge(start.state, record, oracle)
            except Unknowable:
                return None
            finally:
                for question, possible, _ in oracle.asked:
                    answers = out.setdefault((question.question, question.ball), [])
                    answers.extend(each for each in possible if each not in answers)

        if world.state.striker is None or not world.state.on:
            continue
        with contextlib.suppress(TooManyQuestions, MalformedRecord):
            explore(run, known, MOST_RUNS)
        if wanted <= set(out):
            break
    return out


def _values(possible: Any, question: str, ball: str | None) -> Iterable[Any]:
    """An answer of the rules as a referee writes it in a ``confirm``."""
    if question == "identity" and isinstance(possible, Mapping):
        return [] if ball is None else [possible.get(ball, ball) or NO_BALL]
    if question == "rack_area" and not isinstance(possible, tuple):
        return [[], *([[ball]] if ball else []), ["cue"]]
    if isinstance(possible, frozenset | set):
        names = sorted(possible)
        return [names[0] if len(names) == 1 else names]
    if isinstance(possible, tuple):
        return [list(possible)]
    return [possible] if isinstance(possible, str | bool) else []
