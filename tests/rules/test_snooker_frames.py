"""Whole frames of snooker, played at random, against a recount that knows the rules in a few lines."""

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from play import SPOTS, cushion, hit, official, potted, shot

from referee.match.log import Match

COLOURS = ["yellow", "green", "brown", "blue", "pink", "black"]
VALUE = {colour: i + 2 for i, colour in enumerate(COLOURS)}
ANSWERS = [
    {"kind": "confirm", "question": question, "value": value}
    for question, value in (("snookered", False), ("angled", False), ("spot_place", True), ("touching", False))
]


@dataclass
class Recount:
    """Reds and colours left, what is on, whose turn it is and the score, counted by hand."""

    reds: int = 15
    colours: list[str] = field(default_factory=lambda: list(COLOURS))
    colour_on: bool = False
    turn: int = 0
    score: list[int] = field(default_factory=lambda: [0, 0])
    over: bool = False

    def pot(self, balls: int, colour: str | None) -> None:
        """So many reds, or this colour, from the ball on."""
        if colour is None:
            self.score[self.turn] += balls
            self.reds -= balls
            self.colour_on = True
            return
        self.score[self.turn] += VALUE[colour]
        if not self.colour_on:
            self.colours.remove(colour)
            self.over = not self.colours
        self.colour_on = False

    def miss(self) -> None:
        self.turn = 1 - self.turn
        self.colour_on = False

    def foul(self, points: int, reds_gone: int = 0) -> None:
        last_black = self.reds == 0 and not self.colour_on and self.colours == ["black"]
        self.reds -= reds_gone
        self.miss()
        self.score[self.turn] += max(4, points)
        self.over = last_black


def stroke(rng: random.Random, count: Recount, reds_left: list[str]) -> dict[str, Any]:
    """A random stroke, recorded, and counted by hand at once."""
    chance = rng.random()
    colour = rng.choice(COLOURS) if count.colour_on else None if count.reds else count.colours[0]
    on = colour or rng.choice(reds_left)
    value = 1 if colour is None else VALUE[colour]
    nominated = colour if count.colour_on else None
    if chance < 0.62:
        fallen = [on]
        if colour is None and len(reds_left) > 1 and rng.random() < 0.1:
            fallen.append(next(red for red in reds_left if red != on))
        for ball in fallen:
            if ball in reds_left:
                reds_left.remove(ball)
        count.pot(len(fallen), colour)
        return shot(hit(on), *map(potted, fallen), on=nominated)
    if chance < 0.80:
        count.miss()
        return shot(hit(on), cushion(), on=nominated)
    if chance < 0.86:
        count.foul(value)
        return shot(cushion(), on=nominated)
    if chance < 0.92:
        gone = on in reds_left
        if gone:
            reds_left.remove(on)
        count.foul(value, int(gone))
        return shot(hit(on), potted(on), potted("cue"), on=nominated)
    others = [each for each in count.colours if each != colour]
    if not others:
        count.miss()
        return shot(hit(on), on=nominated)
    wrong = rng.choice(others)
    count.foul(max(value, VALUE[wrong]))
    return shot(hit(wrong), on=nominated)


@pytest.mark.parametrize("seed", range(30))
def test_a_whole_frame(seed: int) -> None:
    rng = random.Random(seed)
    match = Match.from_header({"type": "match", "game": "snooker", "players": ["A", "B"], "frames_to_win": 1})
    count, reds_left = Recount(), [f"red-{i}" for i in range(1, 16)]
    for n in range(2000):
        record = stroke(rng, count, reds_left)
        record["observed"] = ANSWERS
        record["events"] = [{**event, "t": event["t"] + 30.0 * n} for event in record["events"]]
        verdict = match.add(record).verdict
        assert verdict["undecided"] == []
        assert verdict["score"] == {"A": count.score[0], "B": count.score[1]}
        if count.over and count.score[0] == count.score[1]:
            count = Recount(reds=0, colours=["black"], score=count.score, turn=rng.randrange(2))
            assert verdict["spot"] == {"black": SPOTS["black"]}
            match.add(official("toss", winner="AB"[count.turn]))
        elif count.over:
            break
        else:
            assert verdict["next"]["player"] == "AB"[count.turn]
    winner = "A" if count.score[0] > count.score[1] else "B"
    assert verdict["frame"] == {"over": True, "winner": winner, "result": "won"}
    assert verdict["match"] == {"over": True, "winner": winner}
    assert verdict["next"]["player"] is None


def test_a_break_of_147() -> None:
    match = Match.from_header({"type": "match", "game": "snooker", "players": ["A", "B"], "frames_to_win": 1})
    sequence = [ball for i in range(1, 16) for ball in (f"red-{i}", "black")] + COLOURS
    for n, ball in enumerate(sequence):
        record = shot(hit(ball), potted(ball), on="black" if ball == "black" and n < 30 else None, seen=ANSWERS)
        record["events"] = [{**event, "t": event["t"] + 30.0 * n} for event in record["events"]]
        verdict = match.add(record).verdict
    assert (verdict["score"], verdict["break"], verdict["frame"]["winner"]) == ({"A": 147, "B": 0}, 147, "A")
    assert verdict["announce"]["en"][:2] == ["One hundred and forty-seven", "Frame, A"]
