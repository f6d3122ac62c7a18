"""The sets of balls of each game: which kinds there are, how many of each, and what they are called."""

from dataclasses import dataclass
from functools import cache

CUE = "cue"
SNOOKER_COLOURS = ("yellow", "green", "brown", "blue", "pink", "black")
SOLIDS = tuple(str(number) for number in range(1, 8))
STRIPES = tuple(str(number) for number in range(9, 16))
GROUP_OF = {CUE: CUE, "8": "8", **dict.fromkeys(SOLIDS, "solid"), **dict.fromkeys(STRIPES, "stripe")}


@dataclass(frozen=True, slots=True, kw_only=True)
class BallSet:
    """The balls with which a game is played.

    counts: how many balls of each kind the full set holds, in the order of ``Observations.identities``. A kind is
    what can be told from a ball's look: ``red`` and not ``red-3``; each numbered pool ball is a kind of its own.
    """

    game: str
    counts: dict[str, int]

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self.counts)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def names(self, kind: str) -> tuple[str, ...]:
        """The names of the balls of this kind: ``red`` gives ``red-1`` … ``red-15``, ``blue`` gives ``blue``."""
        return _names(kind, self.counts[kind])

    def all_names(self) -> tuple[str, ...]:
        return tuple(name for kind in self.counts for name in self.names(kind))


@cache
def _names(kind: str, count: int) -> tuple[str, ...]:
    return (kind,) if count == 1 else tuple(f"{kind}-{number}" for number in range(1, count + 1))


def group_of(kind: str) -> str:
    """``cue``, ``8``, ``solid`` or ``stripe`` for a pool ball's kind; any other kind is its own group."""
    return GROUP_OF.get(kind, kind)


def _singles(kinds: tuple[str, ...]) -> dict[str, int]:
    return dict.fromkeys(kinds, 1)


_POOL = _singles((CUE, *SOLIDS, "8", *STRIPES))

BALL_SETS: dict[str, BallSet] = {
    ball_set.game: ball_set
    for ball_set in (
        BallSet(game="snooker", counts={CUE: 1, "red": 15, **_singles(SNOOKER_COLOURS)}),
        BallSet(game="14.1", counts=dict(_POOL)),
        BallSet(game="8-ball", counts=dict(_POOL)),
        BallSet(game="9-ball", counts=_singles((CUE, *(str(number) for number in range(1, 10))))),
        BallSet(game="pyramid-combined", counts={CUE: 1, "ball": 15}),
    )
}
