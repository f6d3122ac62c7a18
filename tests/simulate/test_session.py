"""Simulated games: the same seed gives the same game, the rule book judges it, and the truth is sound."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from referee.app.simulate.checks import problems
from referee.app.simulate.dynamics.motion import Physics
from referee.app.simulate.play.aim import play
from referee.app.simulate.play.choose import SKILLS, Mind
from referee.app.simulate.play.layout import opening
from referee.app.simulate.play.session import Played, Session
from referee.app.simulate.settings import table_for


def played(game: str, seed: int, shots: int, skill: str = "good") -> Played:
    skills = {"A": SKILLS[skill], "B": SKILLS[skill]}
    return Session(game, table_for(game, None), skills, np.random.default_rng(seed)).run(shots)


@pytest.mark.parametrize("game", ["snooker", "8-ball", "9-ball", "14.1", "pyramid-combined"])
def test_a_game_is_sound_and_judged(game: str) -> None:
    result = played(game, 4, 3)
    shots = [line for line in result.lines if line["type"] == "shot"]
    assert [line["n"] for line in shots] == [1, 2, 3]
    assert len(result.verdicts) == len(result.lines)
    for shot in result.reel.shots:
        assert problems(shot.roll, result.reel.table) == []
    for before, after in pairwise(shots):
        assert before["t1"] < after["t0"]
        judged = next(v for line, v in zip(result.lines, result.verdicts, strict=True) if line is before)
        moved = {*judged["spot"], *judged["restore"], "cue"}
        for ball, place in after["before"].items():
            if ball not in moved and not judged["rack"]:
                assert place == before["after"][ball]


def test_the_same_seed_gives_the_same_game() -> None:
    one, two, other = played("9-ball", 8, 3), played("9-ball", 8, 3), played("9-ball", 9, 3)
    assert json.dumps(one.lines) == json.dumps(two.lines)
    assert json.dumps(one.verdicts) == json.dumps(two.verdicts)
    assert json.dumps(one.lines) != json.dumps(other.lines)


@pytest.mark.parametrize(
    ("game", "count"), [("snooker", 21), ("8-ball", 15), ("9-ball", 9), ("14.1", 15), ("pyramid-combined", 15)]
)
def test_racks_are_complete_and_no_ball_touches_another(game: str, count: int) -> None:
    table = table_for(game, None)
    layout = opening(game, table.spec, np.random.default_rng(1))
    places = np.array(list(layout.values()))
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(count, 1)]
    assert len(layout) == count
    assert table.spec.ball_diameter_mm < gaps.min() < table.spec.ball_diameter_mm + 0.2


def test_the_eight_ball_rack_has_the_8_in_the_middle_and_both_groups_in_the_corners() -> None:
    table = table_for("8-ball", None)
    layout = opening("8-ball", table.spec, np.random.default_rng(5))
    foot = table.spec.spots["foot_spot"]
    third_row = foot[1] + 2 * table.spec.ball_diameter_mm * np.sqrt(0.75)
    assert layout["8"] == pytest.approx((foot[0], third_row), abs=0.5)
    back = sorted((place for place in layout.items() if place[1][1] > third_row + 90), key=lambda item: item[1][0])
    corners = {int(back[0][0]) > 8, int(back[-1][0]) > 8}
    assert corners == {True, False}


@pytest.mark.parametrize("area", ["in_hand_D", "in_hand_any"])
def test_a_ball_in_hand_is_put_where_it_may_be(area: str) -> None:
    table = table_for("snooker", None)
    rng = np.random.default_rng(3)
    layout = opening("snooker", table.spec, rng)
    mind = Mind(table, Session("snooker", table, {}, rng).physics, rng)
    for _ in range(20):
        x, y = mind.in_hand(layout, area, ["red-1"])
        gaps = [np.hypot(x - u, y - v) for u, v in layout.values()]
        assert min(gaps) > table.spec.ball_diameter_mm
        if area == "in_hand_D":
            assert y <= 737.0
            assert np.hypot(x - 889.0, y - 737.0) <= 292.0


def test_a_mischievous_player_now_and_then_goes_for_two_balls_at_once() -> None:
    """Two reds 60 mm apart straight ahead: now and then the cue ball goes for the middle between them."""
    table = table_for("snooker", None)
    layout = {"cue": (889.0, 1000.0), "red-1": (859.0, 2000.0), "red-2": (919.0, 2000.0)}
    skill = replace(SKILLS["good"], mischief=1.0)
    mind = Mind(table, Physics(), np.random.default_rng(1))
    strokes = [mind.choose(layout, ["red-1", "red-2"], skill, others=[]).stroke for _ in range(30)]
    straight = [stroke for stroke in strokes if abs(stroke.direction_rad - np.pi / 2) < 1e-12]
    assert straight
    roll = play(table, layout, straight[0], 0.0, Physics())
    both = [event for event in roll.events if event.kind == "contact" and "cue" in event.fields["balls"]][:2]
    assert both[0].t == pytest.approx(both[1].t, abs=1e-7)
