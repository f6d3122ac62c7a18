"""What comes of all steps of a match, gone on with where only some are new: figures that grow with each shot."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

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
    place: Place
    state: S

    def holds(self, match: Match) -> bool:
        return self.count <= len(match.places) and match.places[self.count - 1] is self.place


@dataclass(frozen=True, slots=True, kw_only=True)
class Running(Generic[S]):
    """A fold over the steps of a match. take: what comes of one step more.

    copied: for a state that ``take`` changes in place. May be called from any thread: what another one keeps meanwhile
    is lost at most, and worked out again.
    """

    name: str
    begin: Callable[[Match], S]
    take: Callable[[S, Step], S]
    copied: Callable[[S], S] = lambda state: state

    def of(self, match: Match) -> S:
        """What came of all steps; nobody may change it."""
        kept: tuple[_Kept[S], ...] = match.kept.get(self.name, ())
        holding = [each for each in kept if each.holds(match)]
        count, state = (holding[-1].count, holding[-1].state) if holding else (0, self.begin(match))
        if count == len(match.places):
            return state
        whole = [each for each in holding if each.count % EVERY == 0]
        state = self.copied(state)
        for step in match.steps.between(count, len(match.places)):
            state, count = self.take(state, step), count + 1
            if count % EVERY == 0:
                whole.append(_Kept(count=count, place=match.places[count - 1], state=self.copied(state)))
        last = _Kept(count=count, place=match.places[count - 1], state=state)
        match.kept[self.name] = (*whole[-MOST:], last)
        return state
