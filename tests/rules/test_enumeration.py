"""All abstract shots to a depth of three strokes from each game's start, counted by the kind of their verdict."""

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from generators import new_match
from play import confirm, cushion, hit, official, potted, shot

from referee.match.log import Match
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
                match = _copy(base)
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


def _copy(match: Match) -> Match:
    again = Match(game=match.game, settings=match.settings, header=match.header, phrases=match.phrases)
    again.lines, again._steps, again._start = list(match.lines), list(match._steps), match._start
    return again


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
            for what, following, shots in moves[position]:
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


@pytest.mark.parametrize("choice", ["play_again", "replay"])
def test_snooker_choices_lead_somewhere(choice: str) -> None:
    match = new_match("snooker")
    match.add(shot(cushion(), seen=[*SEEN, "miss"]))
    match.add(official("choose", player="B", option=choice))
    assert match.state.striker == "A"
