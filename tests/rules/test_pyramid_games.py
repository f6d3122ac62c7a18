"""Whole games of combined pyramid, played at random, against a recount that knows the rules in a few lines."""

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import confirm, cushion, hit, off, official, potted, shot
from pool_play import crossed, seen
from pyramid_play import ball, penalty_ball, shelf

from referee.match.log import Match

ANSWERS = [confirm("spot_place", True), confirm("all_in_house", False)]
OUT = crossed("house_line")


@dataclass
class Recount:
    """The balls on the table and on the shelves, and whose turn it is, counted by hand."""

    table: set[int] = field(default_factory=lambda: set(range(1, 16)))
    shelves: list[int] = field(default_factory=lambda: [0, 0])
    turn: int = 0
    breaking: bool = True

    @property
    def over(self) -> bool:
        return max(self.shelves) >= 8

    def down(self, balls: list[int], svoyak: bool) -> None:
        self.table -= set(balls)
        self.shelves[self.turn] += len(balls) + svoyak
        self.breaking = False

    def miss(self) -> None:
        self.turn = 1 - self.turn
        self.breaking = False

    def foul(self) -> None:
        self.miss()
        self.shelves[self.turn] += 1


def play(rng: random.Random, count: Recount, match: Match, clock: list[float]) -> dict[str, Any]:
    """A random stroke and the lines that belong to it, counted by hand at once; the last verdict."""

    def add(*events: Any, observed: Any = ()) -> dict[str, Any]:
        record = shot(OUT, *events, seen=[*ANSWERS, *observed])
        clock[0] += 30.0
        record["events"] = [{**event, "t": event["t"] + clock[0]} for event in record["events"]]
        return match.add(record).verdict

    me, first = "AB"[count.turn], rng.choice(sorted(count.table))
    chance = rng.random()
    if chance < 0.45:
        fallen = rng.sample(sorted(count.table), min(len(count.table), rng.choice([0, 1, 1, 1, 2])))
        svoyak = not fallen or rng.random() < 0.2
        own = [potted("cue", "middle-left")] if svoyak else []
        count.down(fallen, svoyak)
        verdict = add(hit(ball(first)), *(potted(ball(n)) for n in fallen), *own)
        if svoyak and not count.over and count.table:
            if rng.random() < 0.8:
                taken = rng.choice(sorted(count.table))
                count.table.remove(taken)
                return match.add(shelf(me, taken)).verdict
            count.shelves["AB".index(me)] -= 1  # the next stroke comes first
            rng.choice([miss_quietly, foul_with_nothing_hit])(rng, count, match, add)
            return dict(match.verdict or {})
        return verdict
    if chance < 0.75:
        return miss_quietly(rng, count, match, add)
    if chance < 0.9:
        return foul_with_nothing_hit(rng, count, match, add)
    fallen = rng.sample(sorted(count.table), 1)
    count.foul()
    verdict = add(hit(ball(first)), *(potted(ball(n)) for n in fallen), off("cue"))
    return take_penalty(rng, count, match) or verdict


def miss_quietly(rng: random.Random, count: Recount, match: Match, add: Any) -> dict[str, Any]:
    """Legal; or, at the break, now and then not enough balls at cushions."""
    first, *others = rng.sample(sorted(count.table), min(3, len(count.table)))
    if count.breaking and rng.random() < 0.5:
        chooser = "AB"[1 - count.turn]
        add(hit(ball(first)), cushion(ball(first)))
        option = rng.choice(["accept", "rebreak_self"])
        count.miss()
        count.breaking = option == "rebreak_self"
        return match.add(official("choose", player=chooser, option=option)).verdict
    count.miss()
    return add(hit(ball(first)), cushion(ball(first)), cushion("cue"), *(cushion(ball(n)) for n in others))


def foul_with_nothing_hit(rng: random.Random, count: Recount, match: Match, add: Any) -> dict[str, Any]:
    """At the break it costs no ball."""
    if count.breaking:
        count.miss()
        return add(cushion("cue"))
    count.foul()
    verdict: dict[str, Any] = add(cushion("cue"))
    return take_penalty(rng, count, match) or verdict


def take_penalty(rng: random.Random, count: Recount, match: Match) -> dict[str, Any] | None:
    if count.over:
        return None
    taken = rng.choice(sorted(count.table))
    count.table.remove(taken)
    return match.add(penalty_ball("AB"[count.turn], taken)).verdict


def play_a_game(seed: int) -> None:
    rng, count, clock = random.Random(seed), Recount(), [0.0]
    match = Match.from_header({"type": "match", "game": "pyramid-combined", "players": ["A", "B"], "frames_to_win": 1})
    for _ in range(500):
        verdict = play(rng, count, match, clock)
        assert verdict["undecided"] == []
        assert verdict["score"] == {"A": count.shelves[0], "B": count.shelves[1]}
        if count.over:
            break
        assert verdict["next"]["player"] == "AB"[count.turn]
        assert {b for b in match.state.balls if b != "cue"} == {ball(n) for n in count.table}
        assert sum(count.shelves) + len(count.table) == 15
    winner = "A" if count.shelves[0] >= 8 else "B"
    assert verdict["frame"] == {"over": True, "winner": winner, "result": "won"}
    assert verdict["match"] == {"over": True, "winner": winner}


@pytest.mark.parametrize("seed", range(20))
def test_a_whole_game(seed: int) -> None:
    play_a_game(seed)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_any_game_ends_as_counted(seed: int) -> None:
    play_a_game(seed)


@settings(max_examples=50, deadline=None)
@given(st.sets(st.integers(1, 15), min_size=1, max_size=6), st.booleans(), st.booleans())
def test_what_falls_counts_or_comes_back(fallen: set[int], svoyak: bool, foul: bool) -> None:
    """After any stroke each object ball is on the table or counted, and nothing is both."""
    match = Match.from_case("pyramid-combined", {"pyramid-combined": {"stage": "play"}, "striker": "A"})
    own = [potted("cue", "middle-left")] if svoyak else []
    observed = [*ANSWERS, *([seen("foot_off")] if foul else [])]
    record = shot(hit("ball-1"), *(potted(ball(n)) for n in sorted(fallen)), *own, seen=observed)
    verdict = match.add(record).verdict
    on_table = {b for b in match.state.balls if b != "cue"} if not verdict["frame"]["over"] else None
    counted = set(verdict["potted"]) - {"cue"}
    assert counted == (set() if foul else {ball(n) for n in fallen})
    if on_table is not None:
        assert on_table | counted == {ball(n) for n in range(1, 16)}
        assert not on_table & counted
    assert verdict["points"]["A"] == (0 if foul else len(fallen) + svoyak)
