"""Which lines of a log are in force, and where each belongs in the order of play. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.rules.officials import Official
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord

Item = ShotRecord | Official
REFOLDING = ("undo", "correct", "not_called")
"""Official lines after which the log is folded anew, and which are no line of play themselves."""


def in_force(items: Sequence[Item]) -> list[tuple[int, Item]]:
    """The lines that no ``undo`` takes back, with their indices; an undo that is taken back itself takes nothing."""
    live = [True] * len(items)
    for i in range(len(items) - 1, -1, -1):
        item = items[i]
        if not live[i] or not isinstance(item, Official) or item.kind != "undo":
            continue
        if item.line is not None:
            live[item.line - 1] = False
        else:
            live[max(0, i - item.lines) : i] = [False] * min(i, item.lines)
    return [(i, item) for i, item in enumerate(items) if live[i]]


def in_order(was: Mapping[int, object], now: Mapping[int, object]) -> list[int]:
    """The indices of two series of lines, each by index and in the order of play, in the order of play."""
    order = [*now]
    for before, index in zip([None, *was], was, strict=False):
        if index not in now:
            order.insert(0 if before is None else order.index(before) + 1, index)
    return order


def order_of_play(items: Sequence[Item]) -> list[tuple[int, Item]]:
    """The lines in force as they belong: those put in later after the shot that they follow and what was said there.

    An ``insert`` has become a shot of its own. Raises MalformedRecord where the last line follows no shot in force;
    an earlier one whose shot was taken back is taken back with it.
    """
    live = in_force(items)
    out = [(i, item) for i, item in live if _follows(item) is None]
    for index, item in live:
        follows = _follows(item)
        if follows is None or not isinstance(item, Official):
            continue
        numbered = numbered_shots(out)
        at = next((at for at, (i, _) in enumerate(out) if numbered.get(i) == follows), None)
        if at is None and follows > 0:
            if index == len(items) - 1:
                raise MalformedRecord("follows", "the number of a shot in force, or 0", follows)
            continue
        at = 0 if at is None else at + 1
        while at < len(out) and not isinstance(out[at][1], ShotRecord):
            at += 1
        inserted = item.kind == "insert" and item.record is not None
        out.insert(at, (index, replace(item.record, n=item.n) if inserted and item.record is not None else item))
    return out


def _follows(item: Item) -> int | None:
    return item.follows if isinstance(item, Official) and item.kind not in REFOLDING else None


def number_of(record: ShotRecord, last_n: int | None) -> int:
    """A shot's number: its own, or one more than the shot before."""
    return record.n if record.n is not None else (last_n or 0) + 1


def numbered_shots(live: Sequence[tuple[int, Item]]) -> dict[int, int]:
    """Index of each shot → its number: its own, or one more than the shot that was recorded before it."""
    last, out = 0, {}
    for index, item in sorted(live, key=lambda each: each[0]):
        if isinstance(item, ShotRecord):
            last = out[index] = number_of(item, last)
    return out


def corrections(items: Sequence[Item], numbered: Mapping[int, int]) -> dict[int, ShotRecord]:
    """Index of each corrected shot → the record that holds; what corrects a shot that was taken back, holds nothing.

    Raises MalformedRecord where the last line corrects no shot in force.
    """
    out: dict[int, ShotRecord] = {}
    for at, item in in_force(items):
        if isinstance(item, Official) and item.kind == "correct" and item.record is not None:
            index = next((i for i, n in numbered.items() if n == item.n and i < at), None)
            if index is not None:
                out[index] = replace(item.record, n=item.n)
            elif at == len(items) - 1:
                raise MalformedRecord("n", "the number of a shot in force before this line", item.n)
    return out
