"""Whole games of pool and pyramid, played at random, against recounts that know the rules in a few lines each.

Object balls always lie outside the house and away from cushions and each other, so that only what the plan of a
stroke says can happen.
"""

import math
import random
from collections.abc import Sequence
from typing import Any

import pytest
from generators import lying
from play import cushion, hit, off, official, potted, struck

from referee.match.log import Match

POCKET = "top-left"
Event = dict[str, Any]


def in_the_open(rng: random.Random, match: Match, taken: dict[str, list[float]]) -> list[float]:
    """A place outside the house, off the cushions and clear of all balls."""
    table = match.state.table
    while True:
        place = [rng.uniform(150, table.width - 150), rng.uniform(table.head_string + 100, table.length - 150)]
        if all(math.dist(place, other) > table.ball + 10 for other in taken.values()):
            return place


class Play:
    """Adds strokes to a match, with positions and times that fit."""

    def __init__(self, game: str, seed: int, **header: Any) -> None:
        self.rng = random.Random(seed)
        self.match = Match.from_header({"type": "match", "game": game, "players": ["A", "B"], **header})
        self.t = 0.0

    def stroke(self, events: Sequence[Event], **more: Any) -> dict[str, Any]:
        before = lying(self.rng, self.match)
        line = "house_line" if "pyramid" in self.match.game.name else "head_string"
        crossing = {"kind": "crossed", "ball": "cue", "line": line} if self.match.state.in_hand else None
        gone = {event["ball"] for event in events if event["kind"] in ("pocket", "off_table")}
        touched = {ball for event in events for ball in event.get("balls", [event.get("ball")])}
        after = {ball: place for ball, place in before.items() if ball not in gone | touched | {"cue"}}
        for ball in sorted((touched | {"cue"}) - gone):
            after[ball] = in_the_open(self.rng, self.match, after)
        everything = [struck(), *([crossing] if crossing else []), *events, {"kind": "rest"}]
        timed = [{**event, "t": round(self.t + i / 8, 3)} for i, event in enumerate(everything)]
        self.t += 60.0
        record = {"type": "shot", "before": before, "events": timed, "after": after, **more}
        verdict = self.match.add(record).verdict
        assert verdict["undecided"] == [], verdict["undecided"]
        return verdict

    def say(self, kind: str, **more: Any) -> dict[str, Any]:
        return self.match.add(official(kind, **more)).verdict

    def balls(self) -> list[str]:
        return sorted(self.match.state.balls - {"cue"})


def cushions(*balls: str) -> list[Event]:
    return [cushion(ball) for ball in balls]


# ---------------------------------------------------------------------------------------------- 14.1


@pytest.mark.parametrize("seed", range(12))
def test_straight_pool_to_twenty_five(seed: int) -> None:
    play = Play("14.1", seed, frames_to_win=1, **{"14.1": {"target": 25}})
    rng = play.rng
    score, fouls, turn, opening, left = [0, 0], [0, 0], 0, True, 15
    for _ in range(600):
        assert play.match.state.striker == "AB"[turn]
        ball = rng.choice(play.balls())
        others = [each for each in play.balls() if each != ball]
        chance = rng.random()
        called = {"nominated": {"ball": ball, "pocket": POCKET}}
        if opening:
            apex = min(play.balls(), key=lambda each: play.match.state.positions[each][1])
            if chance < 0.6:  # cue ball and two others to a cushion
                verdict = play.stroke([hit(apex), *cushions("cue", *play.balls()[:2])])
                turn, opening = 1 - turn, False
                fouls[1 - turn] = 0
            else:
                verdict = play.stroke([hit(apex), cushion("cue")])
                score[turn] -= 2
                option = rng.choice(["accept", "rebreak"])
                verdict = play.say("choose", player="BA"[turn], option=option)
                turn, opening = (1 - turn, False) if option == "accept" else (turn, True)
        elif chance < 0.7 or not others:
            extra = others[:1] if chance < 0.1 and left > 3 else []
            verdict = play.stroke([hit(ball), potted(ball, POCKET), *map(potted, extra)], **called)
            score[turn] += 1 + len(extra)
            left -= 1 + len(extra)
            fouls[turn] = 0
        elif chance < 0.85:
            verdict = play.stroke([hit(ball), cushion(ball)], **called)
            fouls[turn] = 0
            turn = 1 - turn
        elif chance < 0.9:
            verdict = play.stroke([hit(ball), potted(ball), cushion("cue")], nominated={"safety": True})
            fouls[turn] = 0
            turn = 1 - turn
        else:
            lost = [potted("cue")] if chance < 0.95 else []
            verdict = play.stroke([hit(ball), *lost], **called)
            fouls[turn] += 1
            if fouls[turn] == 3:
                score[turn] -= 15
                fouls[turn], opening, left = 0, True, 15
            else:
                score[turn] -= 1
                turn = 1 - turn
        if left == 1:
            left = 15
        assert verdict["score"] == {"A": score[0], "B": score[1]}
        if max(score) >= 25:
            break
    assert verdict["frame"] == {"over": True, "winner": "AB"[score.index(max(score))], "result": "won"}


# ---------------------------------------------------------------------------------------------- 9-ball


@pytest.mark.parametrize("seed", range(12))
def test_a_race_to_three_at_nine_ball(seed: int) -> None:
    play = Play("9-ball", seed, frames_to_win=3)
    rng = play.rng
    games, turn, opening = [0, 0], 0, True
    for _ in range(600):
        assert play.match.state.striker == "AB"[turn]
        balls = sorted(map(int, play.balls()))
        low, others = str(balls[0]), [str(each) for each in balls[1:]]
        chance = rng.random()
        won = False
        if opening and chance < 0.7:
            verdict = play.stroke([hit("1"), *cushions("2", "3", "4", "5")])
            turn, opening = 1 - turn, False
        elif opening:
            verdict = play.stroke([hit("1"), *cushions("2", "3")])
            turn, opening = 1 - turn, False
        elif chance < 0.5:
            verdict = play.stroke([hit(low), potted(low)])
            won = low == "9"
        elif chance < 0.6 and others:
            ball = rng.choice(others)
            verdict = play.stroke([hit(low), hit(ball, by=low), potted(ball)])
            won = ball == "9"
        elif chance < 0.8 or not others:
            verdict = play.stroke([hit(low), cushion(low)])
            turn = 1 - turn
        else:
            which = rng.randrange(3)
            events = ([hit(others[0]), cushion("cue")], [hit(low), potted("cue")], [hit(low)])[which]
            fall = [potted("9")] if which < 2 and rng.random() < 0.3 else []  # on a foul it is spotted
            verdict = play.stroke([*events, *fall])
            assert set(verdict["spot"]) == ({"9"} if fall else set())
            turn = 1 - turn
        if won:
            games[turn] += 1
            assert verdict["frame"] == {"over": True, "winner": "AB"[turn], "result": "won"}
            if games[turn] == 3:
                break
            turn, opening = "AB".index(verdict["next"]["player"]), True
    assert verdict["match"] == {"over": True, "winner": "AB"[games.index(3)]}
    assert verdict["state"]["frames"] == {"A": games[0], "B": games[1]}


# ---------------------------------------------------------------------------------------------- 8-ball


def group(ball: str) -> str:
    return "solids" if int(ball) < 8 else "stripes"


@pytest.mark.parametrize("seed", range(12))
def test_a_game_of_eight_ball(seed: int) -> None:
    play = Play("8-ball", seed, frames_to_win=1)
    rng = play.rng
    play.stroke([hit("1"), *cushions("2", "3", "4", "5")])
    turn, groups = 1, {}
    winner = None
    for _ in range(400):
        assert play.match.state.striker == "AB"[turn]
        balls = [ball for ball in play.balls() if ball != "8"]
        mine = [ball for ball in balls if not groups or group(ball) == groups[turn]]
        ball = rng.choice(mine) if mine else "8"
        others = [each for each in balls if each not in mine]
        chance = rng.random()
        called = {"nominated": {"ball": ball, "pocket": POCKET}}
        if chance < 0.55:
            verdict = play.stroke([hit(ball), potted(ball, POCKET)], **called)
            if ball == "8":
                winner = turn
            elif not groups:
                groups = {turn: group(ball), 1 - turn: "stripes" if group(ball) == "solids" else "solids"}
        elif chance < 0.58:
            # the 8 into another pocket, too early, or with the cue ball: lost in any case
            events = [hit(ball), hit("8", by=ball)] if ball != "8" else [hit("8")]
            verdict = play.stroke([*events, potted("8", "middle-left")], **called)
            winner = 1 - turn
        elif chance < 0.8 or not others:
            verdict = play.stroke([hit(ball), cushion(ball)], **called)
            turn = 1 - turn
        else:
            wrong = others[0]
            events = {0: [hit(wrong), cushion(wrong)], 1: [hit(ball), potted("cue")], 2: [hit(ball)]}[rng.randrange(3)]
            if groups:
                verdict = play.stroke(events, **called)
                assert (verdict["legal"], verdict["next"]["cue_ball"]) == (False, "in_hand_any")
                turn = 1 - turn
        if winner is not None:
            break
    assert verdict["frame"]["winner"] == "AB"[winner or 0]
    assert verdict["frame"]["result"] == ("won" if winner == turn else "lost")
    assert verdict["match"]["over"] is True


# ---------------------------------------------------------------------------------------------- combined pyramid


@pytest.mark.parametrize("seed", range(12))
def test_a_game_of_combined_pyramid(seed: int) -> None:
    play = Play("pyramid-combined", seed, frames_to_win=1)
    rng = play.rng
    play.stroke([hit("ball-1"), *cushions("ball-2", "ball-3", "ball-4")])
    turn, shelves = 1, [0, 0]
    for _ in range(200):
        assert play.match.state.striker == "AB"[turn]
        ball = rng.choice(play.balls())
        chance = rng.random()
        if chance < 0.35:
            verdict = play.stroke([hit(ball), potted(ball)])
            shelves[turn] += 1
        elif chance < 0.5:  # svoyak: the cue ball off a ball, and a ball from the table for it
            verdict = play.stroke([hit(ball), potted("cue")])
            shelves[turn] += 1
            if shelves[turn] < 8:
                verdict = play.say("shelf", player="AB"[turn], ball=ball)
        elif chance < 0.75:
            verdict = play.stroke([hit(ball), cushion(ball), cushion("cue")])
            turn = 1 - turn
        else:
            events = {0: [cushion("cue")], 1: [cushion("cue"), potted("cue")], 2: [hit(ball), off("cue")]}[
                rng.randrange(3)
            ]
            verdict = play.stroke(events)
            turn = 1 - turn
            shelves[turn] += 1
            if shelves[turn] < 8:
                verdict = play.say("penalty_ball", player="AB"[turn], ball=rng.choice(play.balls()))
        assert verdict["score"] == {"A": shelves[0], "B": shelves[1]}
        if max(shelves) == 8:
            break
        assert len(play.balls()) == 15 - sum(shelves)
    assert verdict["frame"] == {"over": True, "winner": "AB"[shelves.index(8)], "result": "won"}
