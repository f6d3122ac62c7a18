"""What holds after every stroke of 14.1 and 9-ball, whatever happens in it."""

import json
import math
import random
from typing import Any

from generators import new_match, random_match
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.match.log import Match

seeds = st.integers(0, 2**32)
few = settings(max_examples=40, deadline=None)


def verdicts(match: Match) -> list[dict[str, Any]]:
    return [line.verdict for line in match.lines]


def apart(match: Match) -> None:
    """No two balls lie in one place; the cue ball is on the table unless it is in hand."""
    for step in match.steps:
        state = step.judged.course.likely.state
        places = list(state.positions.items())
        for i, (one, place) in enumerate(places):
            for other, there in places[i + 1 :]:
                assert math.dist(place, there) >= state.table.ball - 1e-3, (one, other)
        assert state.finished or ("cue" in state.balls) is not state.in_hand


@few
@given(seeds)
def test_14_1_points_fouls_and_balls(seed: int) -> None:
    match = random_match("14.1", seed, 40)
    apart(match)
    score = {"A": 0, "B": 0}
    for line, verdict in zip(match.lines, verdicts(match), strict=True):
        points, own = verdict["points"], verdict["state"]["14.1"]
        if verdict["frame"]["over"]:
            break
        if line.item.to_json()["type"] == "shot":
            score = {side: score[side] + points[side] for side in score}
        assert verdict["score"] == score
        assert all(0 <= count <= 2 for count in own["fouls"].values())
        objects = set(verdict["state"]["balls"]) - {"cue"}
        assert 2 <= len(objects) <= 15
        assert verdict["rack"] is None or len(objects) == 15
        if verdict["legal"]:
            assert verdict["fouls"] == [] and sum(points.values()) == len(verdict["potted"])
        elif verdict["legal"] is False:
            assert verdict["potted"] == [] and verdict["penalty"] in (1, 2, 15, 16)
            assert sorted(points.values()) == [-verdict["penalty"], 0]


@few
@given(seeds)
def test_14_1_numbers_of_balls_mean_nothing_for_the_score(seed: int) -> None:
    match = random_match("14.1", seed, 15)
    numbers = list(map(str, range(1, 16)))
    renamed = dict(zip(numbers, random.Random(seed).sample(numbers, 15), strict=True))
    other = new_match("14.1")
    for line in match.lines:
        other.add(_renamed(line.item.to_json(), renamed))
    for mine, theirs in zip(verdicts(match), verdicts(other), strict=True):
        for key in ("legal", "penalty", "points", "score", "rack"):
            assert mine[key] == theirs[key], key
        assert mine["next"] == theirs["next"]
        assert sorted(mine["spot"].values()) == sorted(theirs["spot"].values())


def _renamed(value: Any, names: dict[str, str], key: str = "") -> Any:
    if isinstance(value, dict):
        return {names.get(name, name): _renamed(each, names, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, names, key) for each in value]
    return names.get(value, value) if isinstance(value, str) and key in ("ball", "balls") else value


@few
@given(seeds)
def test_9_ball_the_9_stays_and_the_lowest_is_on(seed: int) -> None:
    match = random_match("9-ball", seed, 60)
    apart(match)
    for verdict in verdicts(match):
        own, balls = verdict["state"]["9-ball"], verdict["state"]["balls"]
        assert "9" in balls
        assert verdict["next"]["on"] == [min(set(balls) - {"cue"})]
        assert set(verdict["spot"]) <= {"9"} and verdict["score"] == {"A": 0, "B": 0}
        assert all(0 <= count <= 2 for count in own["fouls"].values())
        assert (verdict["legal"] is False) is bool(verdict["fouls"])
        if verdict["legal"] is False and not verdict["frame"]["over"]:
            assert verdict["next"]["cue_ball"] == "in_hand_any" and own["stage"] == "play"
        if own["stage"] == "break":
            assert len(set(balls) - {"cue"}) == 9 and verdict["next"]["cue_ball"] == "in_hand_house"


@few
@given(seeds, st.sampled_from(["14.1", "9-ball"]))
def test_a_match_goes_on_from_its_own_state(seed: int, game: str) -> None:
    """The state that a verdict gives is a state that a case can begin with, and leads to the same verdicts."""
    match = random_match(game, seed, 12)
    cut = random.Random(seed).randrange(len(match.lines)) if match.lines else 0
    for line in match.lines[cut : cut + 1]:
        state = json.loads(json.dumps(line.verdict["state"]))
        follow = match.lines[cut + 1] if cut + 1 < len(match.lines) else None
        if follow is None or follow.item.to_json()["type"] != "shot" or match.settings.rules != "seed":
            return
        again = Match.from_case(game, state)
        verdict = again.add(follow.item).verdict
        for key in ("legal", "fouls", "points", "score", "potted", "spot", "frame"):
            assert verdict[key] == follow.verdict[key], key
        assert verdict["next"] == follow.verdict["next"]
