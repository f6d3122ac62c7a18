"""Whole games of 9-ball and 14.1 by random play, counted again by a few lines that know nothing of the engine."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from generators import free_place, new_match, random_line

from referee.match.log import Match
from referee.rules.officials import Official
from tracking.records import Contact, Cushion, OffTable, Pocket, ShotRecord

SEEDS = range(10)
SEEN_FOULS = {"foot_off", "double_hit", "push", "balls_moving", "tip_fault", "bad_placement"}
Line = dict[str, Any]


def play(game: str, seed: int, shape: Callable[[random.Random, Match, Line], Line], **more: Any) -> Match:
    """Random play until the match of one game is over; ``shape`` may change each line before it is entered."""
    rng = random.Random(seed)
    match = new_match(game, frames_to_win=1, **more)
    for turn in range(3000):
        if match.state.finished:
            return match
        line = shape(rng, match, random_line(rng, match, 30.0 * turn, wild=0.2))
        try:
            match.add(line)
        except ValueError:  # a choice of a ball that isn't one of the nearest
            continue
    raise AssertionError("no end")


@dataclass
class Told:
    """What one record says, in the fewest words."""

    first: str | None
    down: list[str]
    lost_cue: bool
    off: list[str]
    cushions: set[str] = field(default_factory=set)
    seen: bool = False


def told(record: ShotRecord) -> Told:
    out = Told(first=None, down=[], lost_cue=False, off=[])
    for event in record.events:
        if isinstance(event, Contact) and "cue" in event.balls and out.first is None:
            out.first = event.other("cue")
        elif isinstance(event, Cushion) and out.first:
            out.cushions.add(event.ball)
        elif isinstance(event, Pocket | OffTable) and event.ball == "cue":
            out.lost_cue = True
        elif isinstance(event, Pocket):
            out.down.append(event.ball)
        elif isinstance(event, OffTable):
            out.off.append(event.ball)
    out.seen = any(each.kind in SEEN_FOULS for each in record.observed)
    return out


def other(player: str) -> str:
    return "B" if player == "A" else "A"


# ---------------------------------------------------------------------------------------------- 9-ball


def shape_9(rng: random.Random, match: Match, line: Line) -> Line:
    """Push-outs now and then, and a warning for most players who are on two fouls."""
    part = match.state.part
    striker = match.state.striker
    if striker and part.fouls[striker] == 2 and not part.warned[striker] and rng.random() < 0.6:
        return {"type": "official", "kind": "warn", "player": striker, "about": "two_fouls"}
    if line["type"] == "shot" and part.stage == "push_out_open" and rng.random() < 0.7:
        line["nominated"] = {"push_out": True}
    return line


def recount_9(items: Sequence[ShotRecord | Official]) -> str:
    """The winner of a game that A breaks."""
    balls, player, stage = set(map(str, range(1, 10))), "A", "break"
    fouls, warned = {"A": 0, "B": 0}, {"A": False, "B": False}
    for item in items:
        if isinstance(item, Official):
            if item.kind == "warn" and item.player:
                warned[item.player] = warned[item.player] or fouls[item.player] == 2
            elif item.option == "pass_back":
                player = other(player)
            continue
        shot, lowest = told(item), min(balls)
        pushed = stage == "push_out_open" and item.nominated is not None and item.nominated.push_out
        foul = shot.lost_cue or bool(shot.off) or shot.seen
        if stage == "break":
            foul |= shot.first != "1" or (not shot.down and len(shot.cushions - {"cue"}) < 4)
        elif not pushed:
            foul |= shot.first != lowest or not (shot.down or shot.cushions)
        if not foul and not pushed and "9" in shot.down:
            return player
        balls -= {*shot.down, *shot.off} - {"9"}
        stage = "push_out_open" if stage == "break" and not foul else "play"
        fouls[player] = fouls[player] + 1 if foul else 0
        if fouls[player] == 3:
            if warned[player]:
                return other(player)
            fouls[player] = 2
        warned[player] = warned[player] and foul
        if foul or pushed or not shot.down:
            player = other(player)
    raise AssertionError("no winner")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_of_9_ball_is_won_by_whom_a_recount_says(seed: int) -> None:
    match = play("9-ball", seed, shape_9)
    verdict = match.lines[-1].verdict
    assert verdict["match"] == {"over": True, "winner": recount_9([line.item for line in match.lines])}
    assert all(not line.verdict["spot"] or set(line.verdict["spot"]) == {"9"} for line in match.lines)


# ---------------------------------------------------------------------------------------------- 14.1


def shape_14(rng: random.Random, match: Match, line: Line) -> Line:
    """Many good pots, and no stroke that only drives the ball first hit to a cushion: no rule of places comes in."""
    if line["type"] == "shot" and rng.random() < 0.5:
        ball = rng.choice(sorted(set(line["before"]) - {"cue"}))
        pot = [{"kind": "contact", "balls": ["cue", ball]}, {"kind": "pocket", "ball": ball, "pocket": "top-left"}]
        start = line["events"][0]["t"]
        events = [*line["events"][:2], *pot, {"kind": "rest"}]
        left = {name: place for name, place in line["before"].items() if name != ball}
        return {
            **line,
            "events": [{**event, "t": start + i / 4} for i, event in enumerate(events)],
            "after": {**left, "cue": free_place(rng, match.state.table, left)},
            "nominated": {"ball": ball, "pocket": "top-left"},
        }
    if line["type"] == "shot":
        events, rest = line["events"][:-1], line["events"][-1]
        if any(event["kind"] == "contact" for event in events) and rng.random() < 0.8:
            events.append({"kind": "cushion", "ball": "cue", "cushion": "right", "t": rest["t"]})
        touched = {event.get("ball") for event in events if event["kind"] == "cushion"}
        if "cue" not in touched:
            events = [event for event in events if event["kind"] != "cushion"]
        line["events"] = [*events, rest]
    return line


def recount_14(items: Sequence[ShotRecord | Official], target: int) -> tuple[dict[str, int], str]:
    """The scores and the winner of a game that A breaks."""
    score, fouls = {"A": 0, "B": 0}, {"A": 0, "B": 0}
    player, breaker, opening, house, left = "A", "A", True, True, 15
    for item in items:
        if isinstance(item, Official):
            if item.option == "rebreak":
                player, opening, house, left = breaker, True, True, 15
            continue
        shot, side = told(item), player
        called = item.nominated and not item.nominated.safety and item.nominated.ball in shot.down
        called = called and any(
            isinstance(e, Pocket) and e.ball == item.nominated.ball and e.pocket == item.nominated.pocket
            for e in item.events
        )
        met = called or ("cue" in shot.cushions and len(shot.cushions) > 2)
        in_house = house and shot.first is not None and (item.before or {})[shot.first][1] < 635
        foul = shot.lost_cue or bool(shot.off) or shot.seen or in_house
        foul |= not opening and (shot.first is None or not (shot.down or shot.cushions))
        breaker, house = player, shot.lost_cue
        if opening and not met:
            score[side] -= 2
            player, opening = other(player), False
            continue
        opening = False
        if foul:
            fouls[side] += 1
            third = fouls[side] == 3
            score[side] -= 15 if third else 1
            if third:
                fouls[side], opening, house, left = 0, True, True, 15
            else:
                player = other(player)
            continue
        fouls[side] = 0
        if not called:
            player = other(player)
            continue
        score[side] += len(shot.down)
        if score[side] >= target:
            return score, side
        left -= len(shot.down)
        if left <= 1:
            left = 15
            house = item is not items[-1] and _in_hand_after(items, item)
    raise AssertionError("no winner")


def _in_hand_after(items: Sequence[ShotRecord | Official], item: ShotRecord) -> bool:
    """After a new rack the cue ball is where it stopped, or it was in the rack's way."""
    follow = next(each for each in items[items.index(item) + 1 :] if isinstance(each, ShotRecord))
    spots = [(635.0, 635.0), (635.0, 1270.0)]
    place = (follow.before or {})["cue"]
    return place != (item.after or {})["cue"] and place not in spots


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_of_14_1_ends_with_the_scores_that_a_recount_gives(seed: int) -> None:
    target = 20 + 5 * (seed % 3)
    match = play("14.1", seed, shape_14, **{"14.1": {"target": target}})
    verdict = match.lines[-1].verdict
    score, winner = recount_14([line.item for line in match.lines], target)
    assert (verdict["score"], verdict["match"]["winner"]) == (score, winner)
    assert score[winner] >= target > score[other(winner)]
    assert any(line.verdict["rack"] for line in match.lines)
