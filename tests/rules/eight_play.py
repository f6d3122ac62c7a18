"""Short ways to write states and records of 8-ball."""

from typing import Any

from play import cushion, hit, judged, official, shot
from pool_play import TABLE, crossed, lying

from referee.rules.eight_ball import EightBall

RACK: dict[str, Any] = {ball: list(place) for ball, place in EightBall().opening(TABLE).items()}
GROUPS = {"A": "solids", "B": "stripes"}
SAFETY = {"safety": True}
OPEN = ["solids", "stripes"]
ON_8 = lying(8, 10, 12)
"""What lies there when A has only the 8 left."""


def eight(stage: str = "play", **more: Any) -> dict[str, Any]:
    """8-ball, A to play; in play he has the solids."""
    own: dict[str, Any] = {"stage": stage} | ({"groups": GROUPS} if stage == "play" else {})
    own |= {name: more.pop(name) for name in ("stalemate_fouls", "coin_table", "groups") if name in more}
    return {"players": ["A", "B"], "striker": "A", "8-ball": own, **more}


def in_8_ball(state: Any, *lines: dict[str, Any], **more: Any) -> dict[str, Any]:
    return judged(dict(state), *lines, game="8-ball", **more)


def broke(*events: Any, **more: Any) -> dict[str, Any]:
    """A break shot from the house that hits the apex ball and leaves the foot spot free."""
    more.setdefault("before", {**RACK, "cue": [560, 480]})
    gone = {event["ball"] for event in events if event["kind"] in ("pocket", "off_table")}
    rest = {ball: [x, y - 400] for ball, (x, y) in more["before"].items() if ball not in gone}
    more.setdefault("after", rest)
    return shot(crossed(), hit("1"), *events, **more)


def cushions(*balls: str) -> list[dict[str, Any]]:
    return [cushion(ball, "right") for ball in balls]


def part(verdict: dict[str, Any]) -> dict[str, Any]:
    own: dict[str, Any] = verdict["state"]["8-ball"]
    return own


def choose(player: str, option: str) -> dict[str, Any]:
    return official("choose", player=player, option=option)


def frame(verdict: dict[str, Any]) -> tuple[Any, Any]:
    return verdict["frame"]["winner"], verdict["frame"].get("result")


WEAK = broke(*cushions("2", "11"))
MISS = shot(hit("2"), cushion("2"), before=lying(2, 3, 8, 10, 12))
"""A legal shot of A that pockets nothing."""
FOUL = shot(hit("10"), cushion("10"), before=lying(2, 8, 10, 12))
"""A plays at the other group."""
