"""Detection and identity on pictures whose balls are where they were drawn."""

import numpy as np
import pytest
from drawn_balls import TABLE, Place, overhead, picture

from vision.balls import BALL_SETS
from vision.stills import Ball, detect_balls

SNOOKER = BALL_SETS["snooker"]
SPOTS: list[Place] = [(name, x, y) for name, (x, y) in TABLE.spots.items()]
REDS: list[Place] = [("red", 400.0, 1200.0), ("red", 1300.0, 2900.0), ("red", 1600.0, 900.0), ("red", 250.0, 2300.0)]
ALL = [*SPOTS, *REDS, ("cue", 700.0, 400.0)]


def detected(balls: list[Place], **options: object) -> list[Ball]:
    return detect_balls(picture(balls, **options), overhead(), SNOOKER)  # type: ignore[arg-type]


def kinds(balls: list[Ball]) -> list[str]:
    return sorted(ball.kind for ball in balls)


def miss_px(found: Ball, place: Place) -> float:
    true = overhead().camera.project(np.array([[place[1], place[2], TABLE.ball_radius_mm]]))[0]
    return float(np.hypot(found.u - true[0], found.v - true[1]))


def test_every_ball_is_found_named_and_placed_to_a_third_of_a_pixel() -> None:
    found = detected(ALL)
    assert kinds(found) == sorted(kind for kind, _, _ in ALL)
    for place in ALL:
        nearest = min(found, key=lambda ball: np.hypot(ball.x - place[1], ball.y - place[2]))
        assert nearest.kind == place[0]
        assert miss_px(nearest, place) < 0.35


def test_an_empty_table_has_no_balls() -> None:
    assert detected([]) == []


def test_names_are_unique_and_of_the_set() -> None:
    names = [ball.name for ball in detected(ALL)]
    assert len(set(names)) == len(names)
    assert set(names) <= set(SNOOKER.all_names())


@pytest.mark.parametrize("angle", [0.0, 0.7, 1.57, 2.6])
def test_touching_balls_are_two(angle: float) -> None:
    step = TABLE.ball_diameter_mm * np.array([np.cos(angle), np.sin(angle)])
    pair: list[Place] = [("red", 700.0, 1500.0), ("red", 700.0 + step[0], 1500.0 + step[1])]
    found = detected([*SPOTS, ("cue", 300.0, 300.0), *pair])
    assert kinds(found).count("red") == 2
    assert len(found) == 9


def test_a_triangle_of_reds_is_counted() -> None:
    across, along = TABLE.ball_diameter_mm, TABLE.ball_diameter_mm * np.sqrt(0.75)
    rack: list[Place] = [
        ("red", 889.0 + (i - row / 2) * across, 2740.0 + row * along) for row in range(5) for i in range(row + 1)
    ]
    found = detected([*SPOTS, ("cue", 300.0, 300.0), *rack])
    assert kinds(found).count("red") == 15


def test_an_arm_is_no_ball() -> None:
    found = detected(ALL, arm=(900.0, 2200.0))
    assert len(found) <= len(ALL)
    for ball in found:
        assert min(np.hypot(ball.x - x, ball.y - y) for _, x, y in ALL) < 15.0


def test_a_ball_at_a_cushion_is_found() -> None:
    radius = TABLE.ball_radius_mm
    places: list[Place] = [("red", radius, 1200.0), ("red", 900.0, TABLE.length_mm - radius)]
    found = detected([*SPOTS, ("cue", 300.0, 300.0), *places])
    assert kinds(found).count("red") == 2
