"""Ten thousand damaged inputs: each is judged or refused with a clear error, none ends in a traceback."""

import copy
import json
import random
from typing import Any

import pytest
from generators import random_match
from play import cushion, fell, hit, jumped, layout, moved, off, official, only, potted, shot, snooker

from referee.app.judge import judge_case
from referee.app.judge_check import differences
from referee.match.log import Match
from referee.rules.games import GAMES
from tracking.strict_json import MalformedRecord, parse_json

JUNK: list[Any] = [
    None, True, False, 0, -1, 7, 1.5, 1e308, -1e308, 10**400, float("nan"), float("inf"), "", "A", "cue", "red-1", "8",
    "red-99", "ball-1", "\u0000", "ё" * 50, [], [[]], {}, {"a": {}}, [1, 2], [1, 2, 3], ["cue", "cue"], "strike",
    "seed", {"t": 1, "kind": "rest"}, "in_hand_D", "as_it_lies", {"cue": [1, 2]}, ["red"], ["A", "A"], "snooker",
]  # fmt: skip


def good_cases() -> list[dict[str, Any]]:
    """Cases of every game and with every kind of line."""
    lines = [
        shot(hit("red-1"), potted("red-1"), before=layout(15), after=layout(15, red_1=None)),
        shot(jumped("green"), hit("black"), off("black"), before=layout(8), on="black", seen=["miss", "push"]),
        shot(fell("red-1", 3.0), moved("blue", "player"), before=layout(8), strike=False),
        shot(
            cushion(), before=only("blue", "black"), gaps=[{"t0": 10.0, "t1": 10.1, "region": [[0, 0], [9, 0], [9, 9]]}]
        ),
        official("choose", player="B", option="play_again"),
        official("toss", winner="B"),
        official("order", players=["A", "B"]),
        official("concede", player="A"),
        official("warn", player=["A", "B"], about="stalemate"),
        official("award", to="B", for_="conduct"),
        official("disqualify", player="A"),
        official("void"),
        official("not_called"),
        official("restored", balls={"blue": [889, 1784.5]}),
        official("place_cue_ball", at=[889, 600]),
        official("ask", player="A", about="difference"),
        official("correct", n=1, record=shot(cushion())),
        official("undo"),
        official("lag", winner="A"),
        official("shelf", player="A", ball="ball-3"),
    ]
    cases = [{"id": "x", "game": "snooker", "rules": "seed", "state": snooker(), "inputs": [line]} for line in lines]
    for game in sorted(GAMES):
        for seed in range(3):
            match = random_match(game, seed, 4)
            inputs = [json.loads(json.dumps(line.item.to_json())) for line in match.lines]
            state = json.loads(json.dumps(random_match(game, seed + 9, 3).state_json))
            cases.append({"id": "y", "game": game, "rules": "seed", "state": state, "inputs": inputs})
            cases.append({"id": "z", "game": game, "rules": "seed", "state": {}, "inputs": inputs})
    return cases


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places in a JSON value, as paths."""
    found = [path] if path else []
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        found += spots(child, (*path, key))
    return found


def damaged(rng: random.Random, case: dict[str, Any]) -> dict[str, Any]:
    """A copy with one to three fields replaced, removed, renamed or doubled."""
    out = copy.deepcopy(case)
    for _ in range(rng.choice([1, 1, 2, 3])):
        *path, last = rng.choice(spots(out))
        holder: Any = out
        for step in path:
            holder = holder[step]
        action = rng.random()
        if action < 0.55:
            holder[last] = rng.choice(JUNK)
        elif action < 0.8 or isinstance(holder, list):
            del holder[last]
        else:
            holder[rng.choice(["ball", "t", "kind", "player", "on", "events", "x"])] = holder.pop(last)
        if not spots(out):
            break
    return out


def judged_or_refused(text: str) -> str:
    try:
        case = parse_json(text)
        if not isinstance(case, dict):
            raise MalformedRecord("line", "an object", case)
        lines = judge_case(case)
        json.dumps([line.verdict for line in lines], allow_nan=False)
        if "expect" in case:
            differences(case, [line.verdict for line in lines])
    except MalformedRecord as error:
        assert error.path
        assert "expected" in str(error)
        assert len(str(error)) < 600
        return "refused"
    return "judged"


@pytest.mark.parametrize("part", range(8))
def test_damaged_cases(part: int) -> None:
    rng = random.Random(part)
    cases = good_cases()
    results = {"judged": 0, "refused": 0}
    for _ in range(1000):
        text = json.dumps(damaged(rng, rng.choice(cases)))
        results[judged_or_refused(text)] += 1
    assert results["refused"] > 300


def test_truncated_and_garbled_text() -> None:
    rng = random.Random(99)
    texts = [json.dumps(case) for case in good_cases()]
    for _ in range(2000):
        text = rng.choice(texts)
        if rng.random() < 0.5:
            text = text[: rng.randrange(len(text))]
        else:
            for _ in range(rng.randrange(1, 4)):
                at = rng.randrange(len(text))
                text = text[:at] + rng.choice('{}[]",:0x\u0000é-') + text[at + rng.randrange(2) :]
        judged_or_refused(text)


@pytest.mark.parametrize("junk", JUNK)
def test_a_header_that_is_anything(junk: Any) -> None:
    with pytest.raises(MalformedRecord):
        Match.from_header(junk)
    for name in ("game", "rules", "players", "teams", "frames_to_win", "options", "order", "score", "snooker", "table"):
        header = {"type": "match", "game": "snooker", name: junk}
        try:
            Match.from_header(header)
        except MalformedRecord as error:
            assert error.path
