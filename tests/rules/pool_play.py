"""Short ways to write states and records of pool games; tables are the 9 ft one: 1270 × 2540 mm, balls of 57.15 mm."""

from collections.abc import Mapping
from typing import Any

from play import hit, judged, potted, shot

from referee.rules.table import table_of

TABLE = table_of("14.1")
BALL = TABLE.ball
HEAD = TABLE.head_string
FOOT = list(TABLE.foot_spot)
LYING = {
    "1": [200, 1400], "2": [420, 1520], "3": [900, 1480], "4": [1100, 1700], "5": [300, 1750], "6": [1050, 2100],
    "7": [180, 2050], "8": [860, 2250], "9": [420, 2300], "10": [1080, 2380], "11": [760, 1300], "12": [500, 1150],
    "13": [1000, 1150], "14": [160, 1100], "15": [300, 2150],
}  # fmt: skip
"""Places for fifteen balls, none in the house, near a cushion, on the long string or in the rack's area."""
CUE = [640, 1000]


def lying(*numbers: int, cue: Any = tuple(CUE), **places: Any) -> dict[str, list[float]]:
    """The cue ball and these balls at their usual places; ``b3=(x, y)`` puts the 3 elsewhere, ``cue=None`` is away."""
    found: dict[str, list[float]] = {} if cue is None else {"cue": list(cue)}
    found |= {str(number): LYING[str(number)] for number in numbers}
    return found | {name.removeprefix("b"): list(place) for name, place in places.items()}


def straight(score: tuple[int, int] = (31, 20), fouls: tuple[int, int] = (0, 0), **more: Any) -> dict[str, Any]:
    """14.1 in the middle of a rack, A to play; what belongs to the game's own field goes there."""
    own = {"target": 150, "opening": False, "fouls": {"A": fouls[0], "B": fouls[1]}}
    own |= {name: more.pop(name) for name in ("target", "opening", "near_cushion") if name in more}
    state = {"players": ["A", "B"], "striker": "A", "score": {"A": score[0], "B": score[1]}, "14.1": own}
    return {**state, **more}


def nine(stage: str = "play", fouls: tuple[int, int] = (0, 0), **more: Any) -> dict[str, Any]:
    """9-ball, A to play."""
    own: dict[str, Any] = {"stage": stage, "fouls": {"A": fouls[0], "B": fouls[1]}}
    own |= {name: more.pop(name) for name in ("warned",) if name in more}
    return {"players": ["A", "B"], "striker": "A", "9-ball": own, **more}


def call(ball: int, pocket: str = "top-left") -> dict[str, Any]:
    return {"ball": str(ball), "pocket": pocket}


def crossed(line: str = "head_string", ball: str = "cue", **more: Any) -> dict[str, Any]:
    return {"kind": "crossed", "ball": ball, "line": line, **more}


def returned(ball: str, via: str = "rail", **more: Any) -> dict[str, Any]:
    return {"kind": "returned", "ball": ball, "via": via, **more}


def seen(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, **more}


def pot(number: int, pocket: str = "top-left", **more: Any) -> dict[str, Any]:
    """This ball is hit first, falls, and was called."""
    ball = str(number)
    more.setdefault("nominated", call(number, pocket))
    return shot(hit(ball), potted(ball, pocket), **more)


def in_14_1(state: Mapping[str, Any], *lines: dict[str, Any], **more: Any) -> dict[str, Any]:
    return judged(dict(state), *lines, game="14.1", **more)


def in_9_ball(state: Mapping[str, Any], *lines: dict[str, Any], **more: Any) -> dict[str, Any]:
    return judged(dict(state), *lines, game="9-ball", **more)


def fouls(verdict: Mapping[str, Any]) -> dict[str, int]:
    """The counts of consecutive fouls after it."""
    own: dict[str, int] = verdict["state"][verdict["game"]]["fouls"]
    return own


def after(verdict: Mapping[str, Any]) -> tuple[str | None, Any]:
    """Who plays next, and from where."""
    return verdict["next"]["player"], verdict["next"]["cue_ball"]
