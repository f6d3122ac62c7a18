"""Which lines of a log are in force, and where each belongs in the order of play. Pure.

This is worked out from the lines' marks alone, so that what the lines hold needn't be at hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.rules.officials import Official
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord

Item = ShotRecord | Official
REFOLDING = ("undo", "correct", "not_called")
"""Official lines after which the log is folded anew, and which are no line of play themselves."""

SHOT = "shot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What of a line decides where it belongs: its kind (``shot``, or the official's) and whom it is about.

    n: of a shot its own number, if it has one; of a correction or an insertion that of its shot. whole: whether the
    line holds a record. follows, line, lines: as the official's.
    """

    kind: str
    n: int | None = None
    whole: bool = False
    follows: int | None = None
    line: int | None = None
    lines: int = 1

    @property
    def shot(self) -> bool:
        """Whether it is played: a shot, or one that was put in later."""
        return self.kind == SHOT or (self.kind == "insert" and self.whole)


def mark_of(item: Item) -> Mark:
    if isinstance(item, ShotRecord):
        return Mark(kind=SHOT, n=item.n, whole=True)
    whole = item.record is not None
    return Mark(kind=item.kind, n=item.n, whole=whole, follows=item.follows, line=item.line, lines=item.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A line's place in the order of play. index: of the line in the log; n: the number of the shot, or of the shot
    before an official line; by: index of the line that corrects it; shot: whether it is one; condoned: called too
    late, so that no infringement in it counts."""

    index: int
    n: int | None
    by: int | None = None
    shot: bool = False
    condoned: bool = False


def in_force(marks: Sequence[Mark]) -> list[int]:
    """The lines that no ``undo`` takes back, by their indices; an undo that is taken back itself takes nothing."""
    live = [True] * len(marks)
    for i in range(len(marks) - 1, -1, -1):
        mark = marks[i]
        if mark.kind != "undo" or not live[i]:
            continue
        if mark.line is not None:
            live[mark.line - 1] = False
        else:
            live[max(0, i - mark.lines) : i] = [False] * min(i, mark.lines)
    return [i for i, holds in enumerate(live) if holds]


def in_order(was: Sequence[int], now: Sequence[int]) -> list[int]:
    """The indices of two series of lines, each in the order of play, in the order of play."""
    order, here = [*now], set(now)
    for before, index in zip([None, *was], was, strict=False):
        if index not in here:
            order.insert(0 if before is None else order.index(before) + 1, index)
    return order


def order_of_play(marks: Sequence[Mark], live: Sequence[int]) -> list[int]:
    """The lines in force as they belong: those put in later after the shot that they follow and what was said there.

    Raises MalformedRecord where the last line follows no shot in force; an earlier one whose shot was taken back is
    taken back with it.
    """
    out = [i for i in live if _follows(marks[i]) is None]
    for index in live:
        follows = _follows(marks[index])
        if follows is None:
            continue
        numbered = numbered_shots(marks, out)
        at = next((at for at, i in enumerate(out) if numbered.get(i) == follows), None)
        if at is None and follows > 0:
            if index == len(marks) - 1:
                raise MalformedRecord("follows", "the number of a shot in force, or 0", follows)
            continue
        at = 0 if at is None else at + 1
        while at < len(out) and not marks[out[at]].shot:
            at += 1
        out.insert(at, index)
    return out


def _follows(mark: Mark) -> int | None:
    return None if mark.kind == SHOT or mark.kind in REFOLDING else mark.follows


def number_of(mark: Mark, last_n: int | None) -> int:
    """A shot's number: its own, or one more than the shot before."""
    return mark.n if mark.n is not None else (last_n or 0) + 1


def numbered_shots(marks: Sequence[Mark], played: Sequence[int]) -> dict[int, int]:
    """Index of each shot → its number: its own, or one more than the shot that was recorded before it."""
    last = 0
    out: dict[int, int] = {}
    for index in sorted(played):
        if marks[index].shot:
            last = number_of(marks[index], last)
            out[index] = last
    return out


def corrections(marks: Sequence[Mark], live: Sequence[int], numbered: dict[int, int]) -> dict[int, int]:
    """Index of each corrected shot → that of the line that holds; what corrects a shot taken back, holds nothing.

    Raises MalformedRecord where the last line corrects no shot in force.
    """
    out: dict[int, int] = {}
    first: dict[int, int] = {}
    for shot, n in numbered.items():
        first.setdefault(n, shot)
    for at in live:
        mark = marks[at]
        if mark.kind != "correct" or not mark.whole:
            continue
        index = first.get(mark.n or 0)
        if index is not None and index < at:
            out[index] = at
        elif at == len(marks) - 1:
            raise MalformedRecord("n", "the number of a shot in force before this line", mark.n)
    return out


def places(marks: Sequence[Mark]) -> list[Place]:
    """All lines of play in force, in order, none of them condoned. Raises MalformedRecord as the parts of it do."""
    live = in_force(marks)
    order = order_of_play(marks, live)
    numbered = numbered_shots(marks, order)
    corrected = corrections(marks, live, numbered)
    out: list[Place] = []
    n: int | None = None
    for index in order:
        if marks[index].kind in REFOLDING:
            continue
        n = numbered.get(index, n)
        out.append(Place(index=index, n=n, by=corrected.get(index), shot=marks[index].shot))
    return out
