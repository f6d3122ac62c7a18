"""What comes of all steps of a match, gone on with where only some are new: figures that grow with each shot."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from referee.match.log import Match
from referee.match.order import Place
from referee.match.steps import Step

EVERY, MOST = 32, 4
"""Besides after the last step it is kept after every so many, the last few times: a correction is seldom older."""

S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept(Generic[S]):
    """What came of the first ``count`` steps, the last of which had this place."""

    count: int
    place: Place | None
    state: S

    def holds(self, match: Match) -> bool:
        return self.count == 0 or (self.count <= len(match.places) and match.places[self.count - 1] is self.place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Running(Generic[S]):
    """A fold over the steps of a match. ``take`` returns what comes of one step more and changes nothing.

    May be called from any thread: what another one keeps meanwhile is lost at most, and worked out again.
    """

    name: str
    begin: Callable[[Match], S]
    take: Callable[[S, Step], S]

    def of(self, match: Match) -> S:
        kept: tuple[_Kept[S], ...] = match.kept.get(self.name, ())
        holding = [each for each in kept if each.holds(match)]
        if holding:
            count, state = holding[-1].count, holding[-1].state
        else:
            count, state = 0, self.begin(match)
        whole = [each for each in holding if each.count % EVERY == 0]
        for step in match.steps.between(count, len(match.places)):
            state, count = self.take(state, step), count + 1
            if count % EVERY == 0:
                whole.append(_at(match, count, state))
        last = () if count % EVERY == 0 else (_at(match, count, state),)
        match.kept[self.name] = (*whole[-MOST:], *last)
        return state


def _at(match: Match, count: int, state: Any) -> _Kept[Any]:
    return _Kept(count=count, place=match.places[count - 1] if count else None, state=state)
