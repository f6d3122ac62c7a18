"""Short ways to write records of 14.1: the break, strokes, safeties near a cushion, the last balls of a rack."""

from typing import Any

from play import cushion, hit, moved, shot
from pool_play import TABLE, call, crossed, lying, pot, seen, straight

from referee.rules.straight_pool import StraightPool

RACK: dict[str, Any] = {ball: list(place) for ball, place in StraightPool().opening(TABLE).items()}
TO_BREAK = straight(score=(0, 0), opening=True)
SAFETY = {"safety": True}


def broke(*events: Any, **more: Any) -> dict[str, Any]:
    more.setdefault("before", {**RACK, "cue": [560, 480]})
    return shot(crossed(), *events, **more)


def played(number: int, *events: Any, **more: Any) -> dict[str, Any]:
    """This ball is hit first, then the events happen."""
    more.setdefault("before", lying(2, 4, 6, 9, 12))
    return shot(hit(str(number)), *events, **more)


MISS = played(4, cushion("4"), nominated=call(4))
FOULED = played(4, nominated=call(4))
THEIRS = played(9, cushion("9"), cushion("cue"), nominated=call(9))
"""A legal miss by the other player."""
ILLEGAL = broke(hit("1"), cushion("cue"))

NEAR = lying(2, 4, 9, b6=(70, 1200))
"""The 6 is 41 mm from the left cushion."""


def near(*events: Any, nominated: Any = SAFETY, before: Any = None, **more: Any) -> dict[str, Any]:
    """A stroke at the 6, driven to the cushion near it if nothing else is said."""
    chosen = events or (cushion("6", "left"),)
    return shot(hit("6"), *chosen, nominated=nominated, before=before or NEAR, **more)


def run(verdict: dict[str, Any]) -> Any:
    return verdict["state"]["14.1"].get("near_cushion")


def last_two(cue: tuple[float, float], fifteenth: tuple[float, float], **more: Any) -> dict[str, Any]:
    """The called 3 falls, this ball stays; the cue ball stops there."""
    ending = {"cue": list(cue), "9": list(fifteenth)}
    return pot(3, before=lying(3, b9=fifteenth), after=ending, **more)


STOPPED = played(4, moved("4", "player"), nominated=call(4), seen=[seen("deliberate", ball="4")])
MEASURED = {"measured_mm": 3.0}
