"""The answers that an open question may have, found by letting the rules ask it again."""

from collections.abc import Iterable, Mapping
from typing import Any

from referee.app.desk.words import choice_text
from referee.match.log import Match, Step
from referee.rules import fold
from referee.rules.engine import confirmed
from referee.rules.outcome import Outcome
from referee.rules.questions import Oracle, TooManyQuestions, Unknowable, explore
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord

NO_BALL = "none"
YES_NO = (False, True)


def choices(match: Match, n: int | None, question: str, ball: str | None = None) -> list[dict[str, Any]]:
    """The possible answers to a question of shot n, ``{"value", "en", "ru"}`` each, the likeliest first.

    Empty where an answer can't be given to the question itself, but only by a correction.
    """
    step = next((each for each in match.shots if each.n == n), None)
    if step is None or not isinstance(step.item, ShotRecord):
        return []
    found: dict[str, Any] = {}
    for possible in _asked(match, step, step.item, question, ball):
        for value in _values(possible, question, ball):
            found.setdefault(repr(value), value)
    return [{"value": value, **choice_text(value, question)} for value in found.values()]


def _asked(match: Match, step: Step, record: ShotRecord, question: str, ball: str | None) -> list[Any]:
    """All answers among which the rules choose in some run."""
    out: list[Any] = []
    known = confirmed(record)
    for world in _course_before(match, step).worlds:

        def run(oracle: Oracle, start: fold.World = world) -> Outcome | None:
            try:
                return match.game.judge(start.state, record, oracle)
            except Unknowable:
                return None
            finally:
                for asked, possible, _ in oracle.asked:
                    if (asked.question, asked.ball) == (question, ball):
                        out.extend(each for each in possible if each not in out)

        if world.state.striker is None or not world.state.on:
            continue
        try:
            explore(run, known)
        except (TooManyQuestions, MalformedRecord):
            continue
    return out


def _course_before(match: Match, step: Step) -> fold.Course:
    earlier = [each for each in match.steps if each.index < step.index]
    return earlier[-1].judged.course if earlier else fold.begin(match.start)


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
