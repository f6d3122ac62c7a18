"""A verdict: what the outcomes of all possible readings of a record have in common, as the contract writes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from referee.rules.outcome import Call, FrameEnd, Outcome
from referee.rules.questions import Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An open question and the shot whose record leaves it open."""

    question: Question
    n: int | None

    def to_json(self, n: int | None) -> dict[str, Any]:
        """``n`` is the shot of the verdict in which it is listed: an earlier shot's question names its shot."""
        return _question_json(self.question, None if self.n == n else self.n)


@lru_cache(maxsize=4096)
def _question_json(question: Question, n: int | None) -> dict[str, Any]:
    """One object for all verdicts that list it, which are many in a long match; to be left as it is."""
    out = question.to_json()
    return out if n is None else out | {"n": n}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """``fields`` are those of contract section 5 but ``announce``, which is made from ``calls``."""

    fields: dict[str, Any]
    calls: tuple[Call, ...]

    @property
    def undecided(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.fields["undecided"]
        return found


def outcome_fields(outcome: Outcome, state: dict[str, Any]) -> dict[str, Any]:
    """One outcome in the contract's form; ``state`` is what it left, in that of section 6."""
    after = outcome.state
    fields: dict[str, Any] = {
        "legal": outcome.legal,
        "fouls": [finding.to_json() for finding in outcome.fouls],
        "penalty": outcome.penalty,
        "points": {side: outcome.points.get(side, 0) for side in after.sides.names},
        "score": dict(outcome.score),
        "potted": list(outcome.potted),
        "spot": {ball: list(place) for ball, place in outcome.spot.items()},
        "restore": {ball: list(place) for ball, place in outcome.restore.items()},
        "next": {
            "player": after.striker,
            "on": list(after.on),
            "cue_ball": list(after.cue_ball) if isinstance(after.cue_ball, tuple) else after.cue_ball,
            "free_ball": after.free_ball,
            "options": [option.to_json() for option in after.options],
        },
        "break": after.break_points if outcome.made is None else outcome.made,
        "frame": _frame_end(outcome).to_json(),
        "match": outcome.match.to_json(),
        "rack": outcome.rack,
        "state": state,
    }
    if outcome.answer is not None:
        fields["answer"] = outcome.answer
    return fields


def _frame_end(outcome: Outcome) -> FrameEnd:
    """How the frame stands: in lines after the match's end as it was ended."""
    if outcome.frame.over or outcome.state.ending is None:
        return outcome.frame
    winner, result = outcome.state.ending
    return FrameEnd(over=True, winner=winner, result=result)


def merged(readings: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What all readings agree on. What they don't is null, or what holds as long as nothing is decided.

    Nothing is given or taken while it is open: points on which readings differ are 0, the score stands as it was.
    """
    first = readings[0]
    if all(reading == first for reading in readings[1:]):
        return first
    out = _common(readings)
    for side, points in first["points"].items():
        agreed = all(reading["points"][side] == points for reading in readings)
        out["points"][side] = points if agreed else 0
        same = all(reading["score"][side] == first["score"][side] for reading in readings)
        out["score"][side] = first["score"][side] if agreed or same else first["score"][side] - points
    out["next"]["free_ball"] = all(reading["next"]["free_ball"] for reading in readings)
    for name in ("frame", "match"):
        out[name]["over"] = all(reading[name]["over"] for reading in readings)
    out["break"] = min(reading["break"] for reading in readings)
    return out


_LISTS = ("fouls", "potted", "options")


def _common(readings: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Key by key: the equal values, lists cut to what is in all, null for the rest."""
    out: dict[str, Any] = {}
    for key, value in readings[0].items():
        values: list[Any] = [reading.get(key) for reading in readings]
        if all(each == value for each in values):
            out[key] = value
        elif key in ("spot", "restore"):
            out[key] = {ball: place for ball, place in value.items() if all(e.get(ball) == place for e in values)}
        elif key in _LISTS and isinstance(value, list):
            out[key] = [each for each in value if all(each in other for other in values)]
        elif all(isinstance(each, dict) for each in values):
            out[key] = _common(values)
        else:
            out[key] = None
    return out


def common_calls(readings: Sequence[Outcome]) -> tuple[Call, ...]:
    """What can be said whatever the answers are."""
    return tuple(each for each in readings[0].calls if all(each in other.calls for other in readings[1:]))
