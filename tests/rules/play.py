"""Short ways to write records, states and verdicts in the tests of the rules."""

import itertools
from collections.abc import Mapping
from typing import Any

from referee.match.log import Match
from referee.rules.table import table_of

Places = dict[str, list[float]]
SPOTS: Places = {ball: list(place) for ball, place in table_of("snooker").spots.items()}
AWAY = [(640, 2380), (1150, 2420), (480, 2720), (1300, 2760), (700, 2900), (1080, 2930), (420, 3020), (1380, 3060)]
AWAY += [(620, 3160), (1160, 3180), (500, 3330), (1290, 3350), (250, 2500), (1550, 2550), (1560, 3200)]
"""Places for fifteen reds that leave the spots free and lie all over the upper half."""


def layout(reds: int = 0, *, cue: tuple[float, float] | None = (1100.0, 1300.0), **moved: Any) -> Places:
    """Reds out of the way, colours on their spots; ``blue=None`` takes one off, ``blue=(x, y)`` moves it."""
    places: Places = {} if cue is None else {"cue": list(cue)}
    places |= {f"red-{i + 1}": list(AWAY[i]) for i in range(reds)}
    for ball, place in {**SPOTS, **moved}.items():
        name = ball.replace("_", "-")
        if place is None:
            places.pop(name, None)
        else:
            places[name] = list(place)
    return places


def only(*balls: str, cue: tuple[float, float] = (1100.0, 1300.0)) -> Places:
    """The cue ball and these colours on their spots."""
    return {"cue": list(cue), **{ball: SPOTS[ball] for ball in balls}}


def happened(*events: Any, start: float = 10.0) -> list[dict[str, Any]]:
    """Events a tenth of a second apart: ``hit("red-1")`` and the like, or ready-made objects with ``t``."""
    times = itertools.count()
    out = []
    for event in events:
        step = next(times)
        out.append({"t": round(start + step / 10, 3), **event})
    end = max([start, *(event["t"] for event in out)]) + 0.1
    return [*out, {"t": round(end, 3), "kind": "rest"}]


def struck(ball: str = "cue") -> dict[str, Any]:
    return {"kind": "strike", "ball": ball}


def hit(ball: str, by: str = "cue", **more: Any) -> dict[str, Any]:
    return {"kind": "contact", "balls": [by, ball], **more}


def cushion(ball: str = "cue", side: str = "top", **more: Any) -> dict[str, Any]:
    return {"kind": "cushion", "ball": ball, "cushion": side, **more}


def potted(ball: str, pocket: str = "top-left", **more: Any) -> dict[str, Any]:
    return {"kind": "pocket", "ball": ball, "pocket": pocket, **more}


def off(ball: str, **more: Any) -> dict[str, Any]:
    return {"kind": "off_table", "ball": ball, **more}


def fell(ball: str, still_s: float, pocket: str = "top-left") -> dict[str, Any]:
    return {"kind": "fell", "ball": ball, "pocket": pocket, "still_s": still_s}


def moved(ball: str, cause: str) -> dict[str, Any]:
    return {"kind": "moved", "ball": ball, "cause": cause}


def jumped(over: str, *, touched: bool = False, **more: Any) -> dict[str, Any]:
    return {"kind": "jump", "ball": "cue", "over": over, "touched": touched, **more}


def shot(
    *events: Any,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | str | None = "same",
    on: str | None = None,
    seen: Any = (),
    strike: bool = True,
    **more: Any,
) -> dict[str, Any]:
    """A record. ``after`` is as ``before`` without what fell unless given; ``on``: nominated; ``seen``: observed."""
    all_events = happened(*([struck()] if strike else []), *events) if events or strike else []
    if after == "same":
        gone = {e["ball"] for e in all_events if e["kind"] in ("pocket", "off_table", "fell")}
        after = None if before is None else {ball: place for ball, place in before.items() if ball not in gone}
    record: dict[str, Any] = {"type": "shot", "before": before, "events": all_events, "after": after, **more}
    record["observed"] = [{"kind": each} if isinstance(each, str) else each for each in seen]
    if on is not None:
        record["nominated"] = {"ball": on}
    return record


def confirm(question: str, value: Any, ball: str | None = None) -> dict[str, Any]:
    return {"kind": "confirm", "question": question, "value": value, **({} if ball is None else {"ball": ball})}


def official(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": "official", "kind": kind, **{name.rstrip("_"): value for name, value in more.items()}}


def snooker(on: str | list[str] | None = "red", score: tuple[int, int] = (0, 0), **more: Any) -> dict[str, Any]:
    """A state in which A plays at what is on."""
    state = {"players": ["A", "B"], "striker": "A", "score": {"A": score[0], "B": score[1]}, "cue_ball": "as_it_lies"}
    return {**state, "on": [on] if isinstance(on, str) else on, **more}


def judged(state: dict[str, Any], *lines: dict[str, Any], game: str = "snooker", **more: Any) -> dict[str, Any]:
    """The verdict after the last line."""
    match = Match.from_case(game, state, **more)
    verdict: dict[str, Any] = {}
    for line in lines:
        verdict = match.add(line).verdict
    return verdict


def clauses(verdict: Mapping[str, Any]) -> list[str]:
    return [foul["clause"] for foul in verdict["fouls"]]


def options(verdict: Mapping[str, Any]) -> set[str]:
    return {option["id"] for option in verdict["next"]["options"]}


def questions(verdict: Mapping[str, Any]) -> set[str]:
    return {each["question"] for each in verdict["undecided"]}


def potting(ball: str, **more: Any) -> dict[str, Any]:
    """The ball is hit first and falls."""
    return shot(hit(ball), potted(ball), **more)
