"""Short ways to write states and records of combined pyramid; the table is 1775 × 3550 mm, balls of 68 mm."""

from typing import Any

from play import cushion, hit, judged, official, potted, shot

from referee.rules.pyramid import CombinedPyramid
from referee.rules.table import table_of

TABLE = table_of("pyramid-combined")
BALL = TABLE.ball
HOUSE = TABLE.head_string
SPOT = list(TABLE.foot_spot)
RACK: dict[str, Any] = {ball: list(place) for ball, place in CombinedPyramid().opening(TABLE).items()}
PLACES = {
    1: [300, 2000], 2: [500, 2100], 3: [1400, 2000], 4: [1200, 1950], 5: [700, 2200], 6: [1500, 2300], 7: [250, 2400],
    8: [600, 2800], 9: [1300, 2900], 10: [200, 3000], 11: [1600, 3100], 12: [450, 3300], 13: [1100, 3300],
    14: [1500, 3400], 15: [300, 2700],
}  # fmt: skip
"""Places for fifteen balls, all in the foot half, clear of the back spot and its line."""
CUE = (900, 1500)


def lying(*numbers: int, cue: Any = CUE, **places: Any) -> dict[str, Any]:
    """The cue ball and these balls at their usual places; ``b3=(x, y)`` puts one elsewhere, ``cue=None`` is in hand."""
    found: dict[str, Any] = {} if cue is None else {"cue": list(cue)}
    found |= {f"ball-{number}": PLACES[number] for number in numbers}
    return found | {f"ball-{name.removeprefix('b')}": list(place) for name, place in places.items()}


def ball(number: int) -> str:
    return f"ball-{number}"


def pyramid(score: tuple[int, int] = (2, 3), stage: str = "play", calls: str = "gentleman", **more: Any) -> Any:
    """Combined pyramid, A to play."""
    state = {"players": ["A", "B"], "striker": "A", "score": {"A": score[0], "B": score[1]}}
    return {**state, "pyramid-combined": {"stage": stage, "calls": calls}, **more}


def in_pyramid(state: Any, *lines: dict[str, Any], **more: Any) -> dict[str, Any]:
    return judged(dict(state), *lines, game="pyramid-combined", **more)


def broke(*events: Any, first: Any = None, **more: Any) -> dict[str, Any]:
    """A break from the house that hits the rack and scatters it."""
    more.setdefault("before", {**RACK, "cue": [800, 700]})
    gone = {event["ball"] for event in events if event["kind"] in ("pocket", "off_table")}
    rest = {b: [x, y if b == "cue" else y - 600] for b, (x, y) in more["before"].items() if b not in gone}
    more.setdefault("after", rest)
    contact = [hit("ball-1")] if first is None else list(first)
    return shot({"kind": "crossed", "ball": "cue", "line": "house_line"}, *contact, *events, **more)


def over_the_middle(who: str, **more: Any) -> dict[str, Any]:
    return {"kind": "crossed", "ball": who, "line": "centre_line", **more}


def cushions(*balls: str) -> list[dict[str, Any]]:
    return [cushion(each, "right") for each in balls]


def shelf(player: str, number: int) -> dict[str, Any]:
    return official("shelf", player=player, ball=ball(number))


def penalty_ball(player: str, number: int) -> dict[str, Any]:
    return official("penalty_ball", player=player, ball=ball(number))


def score(verdict: dict[str, Any]) -> tuple[int, int]:
    return verdict["score"]["A"], verdict["score"]["B"]


def left(verdict: dict[str, Any]) -> set[str]:
    """The object balls on the table."""
    return set(verdict["state"]["balls"]) - {"cue"}


TEN = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
SVOYAK = shot(hit("ball-2"), potted("cue"), before=lying(*TEN))
NOTHING_HIT = shot(cushion("cue"), before=lying(*TEN))
MISS = shot(hit("ball-5"), cushion("ball-5"), cushion("cue"), before=lying(*TEN))


def frame(verdict: dict[str, Any]) -> tuple[Any, Any]:
    return verdict["frame"]["winner"], verdict["frame"].get("result")
