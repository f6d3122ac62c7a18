"""Whether an answer fits its question, before it is taken."""

from collections.abc import Sequence
from typing import Any

from referee.app.desk.choices import NO_BALL, choices
from referee.match.log import Match
from tracking.records import Observed
from tracking.strict_json import MalformedRecord

OF_BALLS = {"first_contact": frozenset[str](), "identity": frozenset({NO_BALL})}
"""Questions answered with balls, and what else may be said to them."""


def check_answers(match: Match, n: int, observed: Sequence[Observed]) -> None:
    """Raises MalformedRecord for an answer with a ball that the game doesn't have, or to an open question with one that
    is none of its answers. What isn't asked may be said too: the referee may know better than the picture."""
    for said in observed:
        if said.kind != "confirm" or said.question is None:
            continue
        more = OF_BALLS.get(said.question)
        if more is not None:
            _check_balls(said.value, match.game.ball_names | more)
            continue
        possible = [choice["value"] for choice in choices(match, n, said.question, said.ball)]
        if possible and _plain(said.value) not in possible:
            shown = ", ".join(str(each).lower() if isinstance(each, bool) else str(each) for each in possible)
            raise MalformedRecord("value", f"one of {shown}", said.value)


def _check_balls(value: Any, known: frozenset[str]) -> None:
    if isinstance(value, bool):
        return
    for name in [value] if isinstance(value, str) else value:
        if name not in known:
            raise MalformedRecord("value", "balls of the game", name)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
