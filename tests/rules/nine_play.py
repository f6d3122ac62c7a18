"""Short ways to write records of 9-ball: the break, a miss, a wrong ball hit first."""

from typing import Any

from play import cushion, hit, shot
from pool_play import TABLE, crossed, lying, nine

from referee.rules.nine_ball import NineBall

RACK: dict[str, Any] = {ball: list(place) for ball, place in NineBall().opening(TABLE).items()}
TO_BREAK = nine("break")
PUSH_OUT = {"push_out": True}


def broke(*events: Any, **more: Any) -> dict[str, Any]:
    """A break shot from the house."""
    more.setdefault("before", {**RACK, "cue": [560, 480]})
    return shot(crossed(), *events, **more)


def cushions(*balls: str) -> list[dict[str, Any]]:
    return [cushion(ball, "right") for ball in balls]


GOOD_BREAK = broke(hit("1"), *cushions("1", "4", "6", "9"))
MISS = shot(hit("2"), cushion("2"), before=lying(2, 3, 5, 9))
WRONG = shot(hit("3"), cushion("3"), before=lying(2, 3, 5, 9))
