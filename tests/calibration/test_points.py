"""Points that a person names: the camera is exact for exact points, and each kind of mistake is said."""

import numpy as np
import pytest
from drawn import looking_at

from calibration.camera import CameraModel
from calibration.find import calibrate
from calibration.points import named_points
from calibration.result import Calibration, FailedCalibration
from calibration.tables import TABLES

SNOOKER, POOL = TABLES["snooker-12ft"], TABLES["pool-9ft"]
BLANK = np.zeros((720, 1280, 3), dtype=np.uint8)
POCKETS = tuple(SNOOKER.pocket_corners())


def camera() -> CameraModel:
    """At a slant from beyond the top end."""
    return looking_at(SNOOKER, (900.0, 9300.0, 3700.0), (889.0, 1900.0), (0, 0, 1), focal=2300.0)


def seen(*names: str, by: CameraModel | None = None) -> dict[str, tuple[float, float]]:
    places = named_points(SNOOKER)
    uv = (by or camera()).project(np.array([places[name] for name in names]))
    return {name: (float(u), float(v)) for name, (u, v) in zip(names, uv, strict=True)}


def failure(points: dict[str, tuple[float, float]]) -> str:
    result = calibrate([BLANK], SNOOKER, points=points)
    assert isinstance(result, FailedCalibration)
    return result.reason


def test_names_are_pockets_spots_and_ends_of_the_d() -> None:
    places = named_points(SNOOKER)
    assert places["bottom-left"] == (0.0, 0.0, pytest.approx(33.3375))
    assert places["middle-right"][:2] == (1778.0, 1784.5)
    assert places["d-left"] == (597.0, 737.0, 0.0)
    assert places["d-bottom"] == (889.0, 445.0, 0.0)
    assert places["black"] == (889.0, 3245.0, 0.0)
    assert "d-left" not in named_points(POOL)
    assert named_points(POOL)["foot_spot"] == (635.0, 1905.0, 0.0)


def test_six_pockets_and_two_spots_give_the_camera() -> None:
    points = seen(*POCKETS, "black", "d-left")
    result = calibrate([BLANK], SNOOKER, points=points)
    assert isinstance(result, Calibration)
    assert result.found_by == "points"
    assert set(result.used) == set(points)
    assert result.residual_max_px < 0.2
    xyz = np.array([[200.0, 400.0, 26.25], [1600.0, 3300.0, 26.25], [889.0, 1784.5, 26.25]])
    uv = camera().project(xyz)
    np.testing.assert_allclose(result.camera.project(xyz), uv, atol=0.5)


def test_four_corners_are_enough() -> None:
    result = calibrate([BLANK], SNOOKER, points=seen("bottom-left", "bottom-right", "top-left", "top-right"))
    assert isinstance(result, Calibration)
    blue = np.array([[889.0, 1784.5, 26.25]])
    np.testing.assert_allclose(result.camera.project(blue), camera().project(blue), atol=1.5)


def test_a_pixel_of_carelessness_stays_a_pixel() -> None:
    rng = np.random.default_rng(5)
    points = {
        name: tuple(np.array(at) + rng.normal(0, 1.0, 2)) for name, at in seen(*POCKETS, "brown", "black").items()
    }
    result = calibrate([BLANK], SNOOKER, points=points)
    assert isinstance(result, Calibration)
    assert 0.2 < result.residual_px < 2.0
    middle = np.array([[889.0, 1784.5, 26.25]])
    np.testing.assert_allclose(result.camera.project(middle), camera().project(middle), atol=2.5)


def test_an_unknown_name_is_said_with_the_known_ones() -> None:
    reason = failure({**seen(*POCKETS), "centre-pocket": (1.0, 2.0)})
    assert "centre-pocket" in reason
    assert "middle-left" in reason


def test_three_points_are_too_few() -> None:
    assert "too few" in failure(seen("bottom-left", "bottom-right", "top-left"))


def test_points_on_one_line_are_refused() -> None:
    assert "line" in failure(seen("black", "pink", "blue", "brown", "d-bottom"))
    assert "line" in failure(seen("black", "pink", "blue", "top-left"))


def test_left_and_right_mixed_up_is_a_mirror() -> None:
    points = seen(*POCKETS)
    for end in ("bottom", "middle", "top"):
        points[f"{end}-left"], points[f"{end}-right"] = points[f"{end}-right"], points[f"{end}-left"]
    assert "mirror" in failure(points)


def test_one_point_in_a_wrong_place_is_a_contradiction() -> None:
    points = seen(*POCKETS, "blue")
    points["blue"] = (points["blue"][0] + 150.0, points["blue"][1])
    assert "contradict" in failure(points)


def test_points_far_outside_the_picture_are_refused() -> None:
    assert "outside" in failure({**seen(*POCKETS), "blue": (9000.0, 20.0)})
    assert "finite" in failure({**seen(*POCKETS), "blue": (float("nan"), 20.0)})
