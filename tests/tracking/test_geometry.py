"""Mouths, noses and hidden regions of a snooker table, by numbers that anybody can check."""

import numpy as np
import pytest

from calibration.tables import TABLES
from tracking.geometry import Bed, polygon_distance

BED = Bed(TABLES["snooker-12ft"])
SQUARE = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])


@pytest.mark.parametrize(
    ("place", "pocket"),
    [
        ((5, 5), "bottom-left"),
        ((1773, 3564), "top-right"),
        ((-15, 1784), "middle-left"),
        ((1790, 1790), "middle-right"),
        ((889, 1784), None),
        ((26, 900), None),
        ((60, 60), None),
    ],
)
def test_a_place_is_in_a_mouth_or_not(place: tuple[float, float], pocket: str | None) -> None:
    mouth = BED.mouth_at(np.array(place, dtype=float))
    assert (mouth.pocket if mouth else None) == pocket


def test_a_ball_in_the_jaws_has_not_dropped() -> None:
    # The mouth's line of a corner is 31.5 mm inside both noses; a ball falls 0.4 of the mouth's 89 mm behind it.
    assert BED.dropped(np.array([25.0, 25.0])) is None
    assert BED.mouth_at(np.array([25.0, 25.0])) is not None
    dropped = BED.dropped(np.array([0.0, 0.0]))
    assert dropped is not None and dropped.pocket == "bottom-left"


def test_a_straight_path_into_a_mouth() -> None:
    found = BED.into_mouth(np.array([889.0, 1784.5]), np.array([-500.0, 0.0]), 2000.0)
    assert found is not None
    mouth, way, miss = found
    assert mouth.pocket == "middle-left"
    assert way == pytest.approx(889.0)
    assert miss == pytest.approx(0.0, abs=1e-9)
    assert BED.into_mouth(np.array([889.0, 1700.0]), np.array([-500.0, 0.0]), 2000.0) is None
    assert BED.into_mouth(np.array([889.0, 1784.5]), np.array([-500.0, 0.0]), 500.0) is None


def test_gaps_to_the_cushions_are_those_of_the_balls_edge() -> None:
    gaps = BED.cushion_gaps(np.array([26.25, 1000.0]))
    assert gaps["left"] == pytest.approx(0.0)
    assert gaps["bottom"] == pytest.approx(973.75)
    assert gaps["right"] == pytest.approx(1778 - 52.5)


def test_points_and_a_polygon() -> None:
    assert polygon_distance(np.array([5.0, 5.0]), SQUARE) == 0.0
    assert polygon_distance(np.array([15.0, 5.0]), SQUARE) > 0.0
    assert polygon_distance(np.array([5.0, 5.0]), SQUARE) == 0.0
    assert polygon_distance(np.array([13.0, 14.0]), SQUARE) == pytest.approx(5.0)
