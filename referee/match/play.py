"""The lines of a match in force, in the order of play, judged; gone on with, and folded anew from where they differ."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import overload

from referee.match.order import Item, Mark, Place, in_force, in_order
from referee.match.series import Series
from referee.match.steps import (
    Asking,
    Change,
    Open,
    Step,
    asking,
    impossible,
    judged_anew,
    record_of,
    spoken,
)
from referee.rules import fold
from referee.rules.engine import Game
from referee.rules.state import State
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord

Fetch = Callable[[int], Item]
"""What a line holds, by its index."""


@dataclass(slots=True, kw_only=True)
class Play:
    """What came of the lines in force. ``steps``: of each what it came to; ``places``: where it belongs.

    A step that is judged anew gets a place of its own, even an equal one: where two plays share a place they share
    all up to it. opened_by: index of the shot whose balls the start was read from. asked: what each step changed of
    the open questions. entered: the place of the shot that was entered last. impossible: index of each line that
    changes nothing any more → why.
    """

    start: State
    opened_by: int | None = None
    steps: Series[Step] = field(default_factory=Series)
    places: list[Place] = field(default_factory=list)
    asked: list[Asking | None] = field(default_factory=list)
    open: Open = field(default_factory=dict)
    entered: Place | None = None
    impossible: dict[int, str] = field(default_factory=dict)

    @property
    def course(self) -> fold.Course:
        """The states that are possible after all of it."""
        return self.steps[-1].judged.course if self.places else fold.begin(self.start)

    def copy(self) -> "Play":
        return replace(self, steps=self.steps.copy(), places=[*self.places], asked=[*self.asked])

    def first(self, count: int) -> "Play":
        """As it was after the first so many steps."""
        kept = replace(
            self, steps=self.steps.first(count), places=self.places[:count], asked=self.asked[:count], open={}
        )
        for each in kept.asked:
            kept.open = kept.open if each is None else each.after(kept.open)
        shots = (place for place in kept.places if place.shot)
        kept.entered = max(shots, key=lambda place: place.index, default=None)
        here = {place.index for place in kept.places}
        kept.impossible = {index: why for index, why in self.impossible.items() if index in here}
        return kept

    def add(self, place: Place, step: Step) -> None:
        change = asking(step, self.open)
        self.steps.append(step)
        self.places.append(place)
        self.asked.append(change)
        self.open = self.open if change is None else change.after(self.open)
        if place.shot and (self.entered is None or place.index > self.entered.index):
            self.entered = place
        if step.problem is not None:
            self.impossible = {**self.impossible, place.index: step.problem}

    def folded(
        self, game: Game, places: Sequence[Place], fetch: Fetch, newest: int, *, start: State | None = None
    ) -> "tuple[Play, tuple[Change, ...]]":
        """The play of these places, and what changes. What comes before the first that differs isn't judged again.

        newest: index of the line that was added; it alone may not be impossible. start: where that is another one now.
        Raises MalformedRecord.
        """
        same = 0 if start is not None else _shared(self.places, places)
        play = self.first(same) if start is None else Play(start=start)
        old = [place.index for place in self.places[same:]]
        earlier = Earlier(self.steps.between(same, len(self.places)), old)
        found: dict[int, Change] = {}
        for place in places[same:]:
            item = record_of(fetch(place.index if place.by is None else place.by))
            known = earlier.take(place.index)
            try:
                step = judged_anew(game, place, item, play.course, known)
            except MalformedRecord as error:
                if place.shot or place.index == newest:
                    raise
                step = impossible(game, place, item, play.course, str(error))
            if step is not known:
                was = None if known is None else spoken(known)
                found[place.index] = Change(index=place.index, was=was, now=spoken(step))
            play.add(replace(place), step)
        for gone in earlier.left():
            found[gone.index] = Change(index=gone.index, was=spoken(gone), now=None)
        order = in_order(old, [place.index for place in places[same:]])
        return play, tuple(found[index] for index in order if index in found)

    def condoned(self, game: Game, places: Sequence[Place], marks: Sequence[Mark], fetch: Fetch) -> list[Place]:
        """These places, and which shots were called too late: by ``not_called``, the last foul that a stroke followed.

        What was put in after that line doesn't count for it. Raises MalformedRecord where the last line finds none.
        """
        late: set[int] = set()
        for at in (index for index in in_force(marks) if marks[index].kind == "not_called"):
            then = [replace(each, condoned=each.index in late) for each in places if each.index < at]
            index = _last_foul(self._judged_backwards(game, then, fetch))
            if index is not None:
                late.add(index)
            elif at == len(marks) - 1:
                raise MalformedRecord("kind", "not_called after an infringement and a stroke that followed it", "none")
        return [replace(each, condoned=True) if each.index in late else each for each in places]

    def _judged_backwards(self, game: Game, places: Sequence[Place], fetch: Fetch) -> Iterator[tuple[int, bool, bool]]:
        """Of each of these places from the last back: the line's index, whether it is a foul, and a stroke."""
        same = _shared(self.places, places)
        kept = self.steps.first(same)
        course = kept[-1].judged.course if same else fold.begin(self.start)
        earlier = Earlier(self.steps.between(same, len(self.places)), [each.index for each in self.places[same:]])
        tail = []
        for place in places[same:]:
            item = record_of(fetch(place.index if place.by is None else place.by))
            try:
                step = judged_anew(game, place, item, course, earlier.take(place.index))
            except MalformedRecord:
                continue
            course = step.judged.course
            tail.append((step.index, step.foul, step.struck))
        yield from reversed(tail)
        yield from ((step.index, step.foul, step.struck) for step in reversed(kept))


def _shared(one: Sequence[Place], other: Sequence[Place]) -> int:
    """How many places are the same from the first on."""
    both = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1] or pair[0] == pair[1], both))


def _last_foul(judged: Iterator[tuple[int, bool, bool]]) -> int | None:
    """Index of the last infringement that a stroke followed."""
    followed = False
    for index, foul, struck in judged:
        if followed and foul:
            return index
        followed = followed or struck
    return None


class Earlier:
    """The steps as they were, from a place on, looked through in their order and each given once."""

    def __init__(self, steps: Iterator[Step], indices: Sequence[int]) -> None:
        self.indices = indices
        self._steps = steps
        self._ahead = set(indices)
        self._passed: dict[int, Step] = {}

    def take(self, index: int) -> Step | None:
        """The step of this line, None where it had none."""
        if index in self._passed:
            return self._passed.pop(index)
        if index not in self._ahead:
            return None
        for step in self._steps:
            self._ahead.discard(step.index)
            if step.index == index:
                return step
            self._passed[step.index] = step
        return None

    def left(self) -> Iterator[Step]:
        """Those that weren't taken."""
        yield from self._passed.values()
        yield from self._steps


class Shots(Sequence[Step]):
    """The strokes and incidents in force, corrections applied, in the order of play."""

    def __init__(self, steps: Series[Step], places: Sequence[Place]) -> None:
        self._steps, self._places = steps, places
        self._at = [at for at, place in enumerate(places) if place.shot]

    @property
    def numbers(self) -> list[int]:
        """Of each its number."""
        return [self._places[at].n or 0 for at in self._at]

    def __len__(self) -> int:
        return len(self._at)

    @overload
    def __getitem__(self, at: int) -> Step: ...

    @overload
    def __getitem__(self, at: slice) -> list[Step]: ...

    def __getitem__(self, at: int | slice) -> Step | list[Step]:
        if isinstance(at, slice):
            return [self._steps[each] for each in self._at[at]]
        return self._steps[self._at[at]]

    def __iter__(self) -> Iterator[Step]:
        return (step for step in self._steps if isinstance(step.item, ShotRecord))

    def __reversed__(self) -> Iterator[Step]:
        return (step for step in reversed(self._steps) if isinstance(step.item, ShotRecord))
