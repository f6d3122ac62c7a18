"""Whole games of 8-ball, played at random, against a recount that knows the rules in a few lines."""

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import confirm, cushion, hit, official, potted, shot
from pool_play import crossed

from referee.match.log import Match

ANSWERS = [confirm("spot_place", True), confirm("in_house", False)]


def group(ball: int) -> str:
    return "8" if ball == 8 else "solids" if ball < 8 else "stripes"


@dataclass
class Recount:
    """The balls on the table, whose group is which, whose turn it is and who has won, counted by hand."""

    table: set[int] = field(default_factory=lambda: set(range(1, 16)))
    groups: list[str | None] = field(default_factory=lambda: [None, None])
    turn: int = 0
    winner: int | None = None

    def left(self, player: int) -> list[int]:
        return sorted(ball for ball in self.table if group(ball) == self.groups[player])

    def allowed(self) -> list[int]:
        """What the player at the table may hit first."""
        if self.groups[self.turn] is None:
            return sorted(self.table - {8})
        return self.left(self.turn) or [8]

    def on(self) -> set[str]:
        if self.groups[self.turn] is None:
            return {"solids", "stripes"}
        return {str(self.groups[self.turn])} if self.left(self.turn) else {"8"}

    def take(self, ball: int) -> None:
        if self.groups[self.turn] is None:
            self.groups[self.turn] = group(ball)
            self.groups[1 - self.turn] = "stripes" if group(ball) == "solids" else "solids"


def stroke(rng: random.Random, count: Recount) -> dict[str, Any]:
    """A random stroke, recorded, and counted by hand at once."""
    allowed = count.allowed()
    first = rng.choice(allowed)
    others = sorted(count.table - {first, 8})
    chance = rng.random()
    call = {"ball": str(first), "pocket": "top-left"}
    if chance < 0.5:  # as called, perhaps with another ball
        fallen = [first, *(rng.sample(others, 1) if others and first != 8 and rng.random() < 0.1 else [])]
        count.take(first)
        count.table -= set(fallen)
        count.winner = count.turn if first == 8 else None
        return shot(hit(str(first)), *(potted(str(n)) for n in fallen), nominated=call)
    if chance < 0.6 and first != 8:  # declared a safety
        count.table.discard(first)
        count.turn = 1 - count.turn
        return shot(hit(str(first)), potted(str(first)), nominated={"safety": True})
    if chance < 0.7:  # into another pocket than called: for the 8 that is the end
        count.table.discard(first)
        count.winner = 1 - count.turn if first == 8 else None
        count.turn = 1 - count.turn
        return shot(hit(str(first)), potted(str(first), "top-right"), nominated=call)
    if chance < 0.82:
        count.turn = 1 - count.turn
        return shot(hit(str(first)), cushion(str(first)), nominated=call)
    if chance < 0.97:  # a scratch, with or without the ball
        falls = rng.random() < 0.3
        count.table -= {first} if falls else set()
        count.winner = 1 - count.turn if falls and first == 8 else None
        count.turn = 1 - count.turn
        own = [potted(str(first))] if falls else [cushion(str(first))]
        return shot(hit(str(first)), *own, potted("cue", "middle-left"), nominated=call)
    count.winner = count.turn if first == 8 else 1 - count.turn  # the 8 falls, early or as it should
    return shot(hit(str(first)), *([potted("8")] if first == 8 else [hit("8", by=str(first)), potted("8")]))


def broke(rng: random.Random, count: Recount) -> dict[str, Any]:
    fallen = rng.sample([n for n in range(1, 16) if n != 8], rng.randrange(3))
    scratch = rng.random() < 0.2
    count.table -= set(fallen)
    count.turn = int(scratch or not fallen)
    at_cushions = [] if fallen else [cushion(str(n)) for n in (2, 5, 11, 14)]
    own = [potted("cue", "middle-left")] if scratch else []
    return shot(crossed(), hit("1"), *at_cushions, *(potted(str(n)) for n in fallen), *own)


def play_a_game(seed: int) -> None:
    rng, count = random.Random(seed), Recount()
    match = Match.from_header({"type": "match", "game": "8-ball", "players": ["A", "B"], "frames_to_win": 1})
    for n in range(500):
        record = stroke(rng, count) if n else broke(rng, count)
        record["observed"] = ANSWERS
        record["events"] = [{**event, "t": event["t"] + 30.0 * n} for event in record["events"]]
        if match.state.cue_ball == "in_hand_house" and n:
            record["events"].insert(1, {"t": record["events"][0]["t"] + 0.01, **crossed()})
        verdict = match.add(record).verdict
        assert verdict["undecided"] == []
        if count.winner is not None:
            break
        assert verdict["next"]["player"] == "AB"[count.turn]
        assert set(verdict["next"]["on"]) == count.on()
        assert {int(ball) for ball in match.state.balls if ball != "cue"} == count.table
        known = {} if count.groups[0] is None else {"A": count.groups[0], "B": count.groups[1]}
        assert verdict["state"]["8-ball"]["groups"] == known
    assert count.winner is not None
    winner = "AB"[count.winner]
    assert (verdict["frame"]["over"], verdict["frame"]["winner"]) == (True, winner)
    assert verdict["frame"]["result"] == ("won" if verdict["legal"] else "lost")
    assert verdict["match"] == {"over": True, "winner": winner}


@pytest.mark.parametrize("seed", range(20))
def test_a_whole_game(seed: int) -> None:
    play_a_game(seed)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_any_game_ends_as_counted(seed: int) -> None:
    play_a_game(seed)


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(1, 15), min_size=1, max_size=5), st.booleans(), st.sampled_from(["solids", "stripes"]))
def test_the_8_decides_the_game_whenever_it_falls_in_play(fallen: set[int], scratch: bool, own: str) -> None:
    """It wins only alone in its pocket after the own group, without a foul."""
    other = "stripes" if own == "solids" else "solids"
    state = {"striker": "A", "8-ball": {"stage": "play", "groups": {"A": own, "B": other}}}
    match = Match.from_case("8-ball", {**state, "balls": ["cue", *map(str, sorted(fallen | {8}))]})
    cleared = not any(group(ball) == own for ball in fallen)
    first = "8" if cleared else str(min(ball for ball in fallen if group(ball) == own))
    events = [hit(first), *(potted(str(ball)) for ball in sorted(fallen)), *([potted("cue", "middle-left")] * scratch)]
    call = {"ball": first, "pocket": "top-left"}
    verdict = match.add(shot(*events, seen=ANSWERS, nominated=call)).verdict
    assert verdict["frame"]["over"] is (8 in fallen)
    if 8 in fallen:
        assert verdict["frame"]["winner"] == ("A" if cleared and not scratch else "B")


def test_a_match_of_three_games_is_broken_in_turn() -> None:
    match = Match.from_header({"type": "match", "game": "8-ball", "players": ["A", "B"], "frames_to_win": 2})
    match.add(official("lag", winner="B"))
    breakers = []
    for n in range(3):
        breakers.append(match.state.striker)
        record = shot(crossed(), hit("1"), potted("1"), seen=ANSWERS)
        record["events"] = [{**event, "t": event["t"] + 100.0 * n} for event in record["events"]]
        match.add(record)
        if n < 2:
            match.add(official("concede", player="AB"[n]))
    assert breakers == ["B", "A", "B"]
