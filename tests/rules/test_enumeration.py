"""All abstract shots to a depth of three strokes from each game's start, counted by the kind of their verdict."""

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from generators import new_match
from play import confirm, cushion, hit, official, potted, shot

from referee.rules.state import State

DEPTH = 3
Table = dict[int, dict[str, int]]


def kind(verdict: dict[str, Any]) -> str:
    if verdict["legal"] is None:
        return "undecided"
    if verdict["frame"]["over"]:
        return "frame over"
    if verdict["legal"] is False:
        return "foul"
    return "on" if verdict["next"]["player"] == "A" else "over"


def same_position(state: State) -> tuple[Any, ...]:
    """What the next stroke's verdict can depend on but the score."""
    options = tuple(option.id for option in state.options)
    striker, balls = state.striker, tuple(sorted(state.balls))
    return striker, balls, state.on, state.cue_ball, state.free_ball, options, state.foul_by, str(state.part)


def enumerate_shots(game: str, shots: list[dict[str, Any]]) -> Table:
    """Depth → kind of verdict → how many sequences of abstract shots end so. Different ways to one position are
    played on once and counted each."""
    start = new_match(game, frames_to_win=99)
    waiting: dict[tuple[Any, ...], tuple[int, list[Any]]] = {same_position(start.state): (1, [])}
    table: Table = {}
    for depth in range(1, DEPTH + 1):
        counts: Counter[str] = Counter()
        reached: dict[tuple[Any, ...], tuple[int, list[Any]]] = {}
        for ways, lines in waiting.values():
            base = new_match(game, frames_to_win=99)
            for line in lines:
                base.add(line)
            striker = base.state.striker
            for record in shots:
                match = base.copy()
                if not _fits(record, match.state):
                    continue
                later = {**record, "events": [{**e, "t": e["t"] + 30.0 * depth} for e in record["events"]]}
                verdict = match.add(later).verdict
                what = kind(verdict)
                if what in ("on", "over"):
                    what = "visit goes on" if verdict["next"]["player"] == striker else "turn passes"
                counts[what] += ways
                if verdict["frame"]["over"]:
                    continue
                key = same_position(match.state)
                known = reached.get(key)
                reached[key] = (ways, [*lines, later]) if known is None else (known[0] + ways, known[1])
        table[depth] = dict(counts)
        waiting = reached
    return table


def _fits(record: dict[str, Any], state: State) -> bool:
    """Only balls that are on the table can be hit."""
    named = {ball for event in record["events"] for ball in event.get("balls", [event.get("ball")]) if ball}
    return named - {"cue"} <= state.balls


# ---------------------------------------------------------------------------------------------- snooker

SEEN = [confirm("snookered", False), confirm("angled", False), confirm("spot_place", True), confirm("touching", False)]


def snooker_shots() -> Iterator[dict[str, Any]]:
    """First contact with nothing, a red, the yellow or the black; what falls of red, yellow and black; in-off or
    not. A colour that is hit first was nominated, else the black."""
    for first, in_off in itertools.product((None, "red-1", "yellow", "black"), (False, True)):
        for falls in ((), ("red-1",), ("yellow",), ("black",), ("red-1", "black")):
            events = [] if first is None else [hit(first)]
            events += [potted(ball) for ball in falls] + ([potted("cue")] if in_off else [])
            nominated = first if first in ("yellow", "black") else "black"
            yield shot(*(events or [cushion()]), on=nominated, seen=SEEN)


SNOOKER_MOVES = {
    # R: red-1 is on the table and a red is on. Of the 40 shots one is legal and quiet (red first, nothing falls) and
    # one scores (red first and falls, nothing else); of the 38 fouls red-1 falls in 15 (16 of the 40 let it fall).
    "R": [("turn passes", "R", 1), ("visit goes on", "C", 1), ("foul", "R", 23), ("foul", "G", 15)],
    # C: red-1 was potted and a colour is on. 3 first contacts x 3 falls x 2 = 18 shots are left: the yellow or the
    # black hit first, nothing or itself falling, is legal.
    "C": [("turn passes", "G", 2), ("visit goes on", "G", 2), ("foul", "G", 14)],
    # G: red-1 is gone and a red is on: all of the 18 are fouls.
    "G": [("foul", "G", 18)],
}
"""Kind of position → kind of verdict, position that follows, number of shots."""


def by_hand(moves: dict[str, list[tuple[str, str, int]]], start: str) -> Table:
    """The table that follows from the numbers of shots in each kind of position."""
    ways, table = Counter({start: 1}), {}
    for depth in range(1, DEPTH + 1):
        counts: Counter[str] = Counter()
        reached: Counter[str] = Counter()
        for position, number in ways.items():
            for what, following, shots in moves.get(position, []):
                counts[what] += number * shots
                reached[following] += number * shots
        table[depth], ways = dict(counts), reached
    return table


def test_snooker_from_the_start() -> None:
    shots = list(snooker_shots())
    assert len(shots) == 40
    table = enumerate_shots("snooker", shots)
    assert table == by_hand(SNOOKER_MOVES, "R")
    assert table[3] == {"turn passes": 624, "visit goes on": 624, "foul": 33888}


# ---------------------------------------------------------------------------------------------- the other games

ANSWERS = [*SEEN, confirm("in_house", False), confirm("left_house", True), confirm("rack_area", [])]
CROSSED = {"kind": "crossed", "ball": "cue", "line": "head_string"}


def pool_shots(balls: list[str], falls: list[tuple[str, ...]], cushions: list[str]) -> Iterator[dict[str, Any]]:
    """First contact with nothing or one of the balls; what falls; in-off or not; nothing or all of the cushions.

    What falls was called; where nothing falls, the ball that was hit. Nothing falls where nothing was hit.
    """
    for first, fallen, in_off, many in itertools.product((None, *balls), falls, (False, True), (False, True)):
        if fallen and first is None:
            continue
        events = [CROSSED, *([] if first is None else [hit(first)])]
        events += [cushion(ball) for ball in cushions] if many else []
        events += [potted(ball) for ball in fallen] + ([potted("cue", "middle-left")] if in_off else [])
        record = shot(*events, seen=ANSWERS)
        called = fallen[0] if fallen else first
        if called is not None:
            record["nominated"] = {"ball": called, "pocket": "top-left"}
        yield record


NINE_BALL_MOVES = {
    # L: the 1 is on the table, at the break as later: hit first, without in-off, it is legal with four cushions (turn
    # passes) or when the 1 (visit goes on) or the 9 (won) falls, with or without cushions. Of the 28 shots the 1
    # falls in 8, 2 of them legal: in 6 fouls it stays down.
    "L": [
        ("turn passes", "L", 1),
        ("visit goes on", "M", 2),
        ("frame over", "", 2),
        ("foul", "L", 17),
        ("foul", "M", 6),
    ],
    # M: the 1 is gone and the 2 is the lowest: 12 shots are left, 4 of them with nothing hit.
    "M": [("turn passes", "M", 1), ("frame over", "", 2), ("foul", "M", 9)],
}


def test_nine_ball_from_the_break() -> None:
    shots = list(pool_shots(["1", "2"], [(), ("1",), ("9",)], ["3", "4", "5", "6"]))
    assert len(shots) == 28
    assert enumerate_shots("9-ball", shots) == by_hand(NINE_BALL_MOVES, "L")


EIGHT_BALL_MOVES = {
    # 36 shots: 16 with a ball hit first and no in-off, 16 in-offs off a ball, 4 with nothing hit.
    # B, the break: nothing falls and four reach cushions: 2; the 1, the 9 or the 8 falls: 2 x 3 x 2 = 12, the 8 being
    # spotted unless something else is chosen. Fouls: 16 in-offs, in 8 of which the 1 or 9 stays down, 2 without
    # cushions, 4 with nothing hit.
    "B": [
        ("turn passes", "O", 2),
        ("visit goes on", "O", 4),
        ("visit goes on", "P", 8),
        ("foul", "O", 14),
        ("foul", "P", 8),
    ],
    # O, the table open: the 8 down loses (8 shots); the 1 or 9 called and down gives the group (8).
    "O": [
        ("frame over", "", 8),
        ("visit goes on", "Q", 8),
        ("turn passes", "O", 2),
        ("foul", "P", 8),
        ("foul", "O", 10),
    ],
    # P, open with the 1 or the 9 gone: 16 shots are left, 4 of them with nothing hit.
    "P": [
        ("frame over", "", 4),
        ("visit goes on", "N", 2),
        ("turn passes", "P", 1),
        ("foul", "N", 2),
        ("foul", "P", 7),
    ],
    # Q, the striker has the group of the ball that is gone: the other one is wrong; the 8 down loses.
    "Q": [("frame over", "", 4), ("foul", "Q", 12)],
    # N, both gone: nothing can be hit.
    "N": [("foul", "N", 4)],
}
STRAIGHT_POOL_MOVES = {
    # F, both balls on the table (at the break the cushions are those of a legal one): the called ball falls, no
    # in-off: 2 x 2 x 2; nothing falls, with cushions: 2; fouls, after which all is spotted: 12 in-offs off a ball, 2
    # without cushions, 4 with nothing hit.
    "F": [("visit goes on", "G", 8), ("turn passes", "F", 2), ("foul", "F", 18)],
    # G, one of the two gone: 12 shots are left. H, both gone: nothing can be hit.
    "G": [("visit goes on", "H", 2), ("turn passes", "G", 1), ("foul", "G", 9)],
    "H": [("foul", "H", 4)],
}
PYRAMID_MOVES = {
    # F, both balls on the table: a ball falls, with the cue ball or without: 2 x 2 x 2 x 2 = 16, the cue ball alone 4;
    # nothing falls, with cushions: 2; fouls: 2 without cushions, 4 with nothing hit.
    "F": [
        ("visit goes on", "G", 16),
        ("visit goes on", "F", 4),
        ("turn passes", "F", 2),
        ("foul", "F", 6),
    ],
    # G, one of the two gone: 12 shots are left. H, both gone: nothing can be hit.
    "G": [
        ("visit goes on", "H", 4),
        ("visit goes on", "G", 2),
        ("turn passes", "G", 1),
        ("foul", "G", 5),
    ],
    "H": [("foul", "H", 4)],
}


@pytest.mark.parametrize(
    ("game", "balls", "cushions", "moves", "start"),
    [
        ("8-ball", ["1", "9", "8"], ["2", "3", "10", "11"], EIGHT_BALL_MOVES, "B"),
        ("14.1", ["1", "2"], ["cue", "3", "4"], STRAIGHT_POOL_MOVES, "F"),
        ("pyramid-combined", ["ball-1", "ball-2"], ["ball-3", "ball-4", "ball-5"], PYRAMID_MOVES, "F"),
    ],
)
def test_every_abstract_shot_of_the_other_games(
    game: str, balls: list[str], cushions: list[str], moves: dict[str, list[tuple[str, str, int]]], start: str
) -> None:
    shots = list(pool_shots(balls[:2], [(), *((ball,) for ball in balls)], cushions))
    assert len(shots) == sum(number for _, _, number in moves[start])
    assert enumerate_shots(game, shots) == by_hand(moves, start)


@pytest.mark.parametrize("choice", ["play_again", "replay"])
def test_snooker_choices_lead_somewhere(choice: str) -> None:
    match = new_match("snooker")
    match.add(shot(cushion(), seen=[*SEEN, "miss"]))
    match.add(official("choose", player="B", option=choice))
    assert match.state.striker == "A"
