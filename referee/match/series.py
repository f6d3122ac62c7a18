"""A long series of which only the last few are held as they are; what is older is packed, and unpacked to be looked at.

A match of hours would otherwise hold tens of kilobytes a line, most of them states that nobody asks for again. Packed
together, lines that follow each other take some hundred bytes each.
"""

import pickle
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Generic, TypeVar, overload

T = TypeVar("T")

PACKED = 16
"""So many are packed together."""
LAST = 16
"""At least so many, the last ones, aren't packed."""
LOOKED_AT = 4
"""So many packs, those looked at last, are held unpacked."""
FAST = 1
"""Of zlib; a better compression saves a tenth and takes twice as long."""


class _Pack:
    """Some of a series; equal only to itself."""

    __slots__ = ("data",)

    def __init__(self, items: Sequence[object]) -> None:
        self.data = zlib.compress(pickle.dumps(tuple(items), pickle.HIGHEST_PROTOCOL), FAST)


def _unpacked(pack: _Pack) -> tuple[object, ...]:
    found: tuple[object, ...] = pickle.loads(zlib.decompress(pack.data))
    return found


_looked_at = lru_cache(maxsize=LOOKED_AT)(_unpacked)


class Series(Sequence[T], Generic[T]):
    """Only added to. Copies share what is packed, and adding to one changes no other.

    What is unpacked is equal to what was added, not the same object; nobody may change it.
    """

    __slots__ = ("_last", "_packs")

    def __init__(self) -> None:
        self._packs: list[_Pack] = []
        self._last: list[T] = []

    def append(self, item: T) -> None:
        self._last.append(item)
        if len(self._last) >= LAST + PACKED:
            self._packs.append(_Pack(self._last[:PACKED]))
            del self._last[:PACKED]

    def copy(self) -> "Series[T]":
        return self.first(len(self))

    def first(self, count: int) -> "Series[T]":
        """A series of the first so many."""
        other = Series[T]()
        whole = min(count // PACKED, len(self._packs))
        other._packs = self._packs[:whole]
        other._last = list(self.between(whole * PACKED, count))
        return other

    def between(self, start: int, end: int) -> Iterator[T]:
        """Those from ``start`` on and before ``end``, unpacked one pack after another."""
        at = start
        while at < end:
            number, offset = divmod(at, PACKED)
            if number >= len(self._packs):
                packed = len(self._packs) * PACKED
                yield from self._last[at - packed : end - packed]
                return
            yield from _unpacked(self._packs[number])[offset : offset + end - at]  # type: ignore[misc]
            at += PACKED - offset

    def __len__(self) -> int:
        return len(self._packs) * PACKED + len(self._last)

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> list[T]: ...

    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            start, end, step = at.indices(len(self))
            return list(self.between(start, end)) if step == 1 else [self[each] for each in range(start, end, step)]
        index = at + len(self) if at < 0 else at
        if not 0 <= index < len(self):
            raise IndexError("no such line")
        number, offset = divmod(index, PACKED)
        if number >= len(self._packs):
            return self._last[index - len(self._packs) * PACKED]
        return _looked_at(self._packs[number])[offset]  # type: ignore[return-value]

    def __iter__(self) -> Iterator[T]:
        return self.between(0, len(self))

    def __reversed__(self) -> Iterator[T]:
        yield from reversed(self._last)
        for pack in reversed(self._packs):
            yield from reversed(_unpacked(pack))  # type: ignore[misc]

    def __eq__(self, other: object) -> bool:
        """Item by item, also with a list or tuple."""
        if not isinstance(other, Series | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]
