"""Fields of a given state that no rule reads: mistyped, or another game's."""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from referee.match.log import Match


class _Watched(dict[str, Any]):
    """An object as read from JSON that notes which of its fields were asked for, in ``known``."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__((name, _Within(value) if isinstance(value, dict) else value) for name, value in data.items())
        self.known: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.known.add(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        self.known.add(name)
        return super().__getitem__(name)


class _Within(_Watched):
    """An object inside of another: who goes through all of it, as through scores and positions, reads all of it."""

    def items(self) -> Any:
        self.known.update(self)
        return super().items()


def unread_fields(state: dict[str, Any], game: str) -> Iterator[str]:
    """A line for each field of a state that has no meaning in this game; the state must be sound (`check_state`)."""
    watched = _Watched(state)
    Match.from_case(game, watched)
    yield from _unread(watched, game, "")


def _unread(watched: _Watched, game: str, dot: str) -> Iterator[str]:
    for name in watched:
        value = dict.__getitem__(watched, name)
        if name not in watched.known:
            near = get_close_matches(name, watched.known - {*watched}, n=1)
            perhaps = f"; did you mean {near[0]!r}?" if near else ""
            yield f"the field {dot + name!r} means nothing in a state of {game} and is ignored{perhaps}"
        elif isinstance(value, _Watched):
            yield from _unread(value, game, f"{dot}{name}.")
