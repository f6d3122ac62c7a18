"""The parts of vision by themselves: sets of balls, the two scales, naming, resting balls, shadows."""

import cv2
import numpy as np
import pytest
from drawn_balls import TABLE, frame, overhead, picture
from hypothesis import given
from hypothesis import strategies as st

from vision.balls import BALL_SETS, group_of
from vision.cloth import fit_cloth, split
from vision.geometry import table_view
from vision.glance import look
from vision.identity import assign, honest_kinds, marginals, names_of
from vision.looks import have_cloths_hue, see
from vision.resting import RestingSet, resting_ball


@pytest.mark.parametrize(
    ("game", "total"), [("snooker", 22), ("8-ball", 16), ("14.1", 16), ("9-ball", 10), ("pyramid-combined", 16)]
)
def test_each_set_has_its_balls_and_as_many_names(game: str, total: int) -> None:
    balls = BALL_SETS[game]
    assert balls.total == total
    assert len(set(balls.all_names())) == total


def test_names_and_groups_are_the_contracts() -> None:
    assert BALL_SETS["snooker"].names("red") == tuple(f"red-{number}" for number in range(1, 16))
    assert BALL_SETS["snooker"].names("blue") == ("blue",)
    assert BALL_SETS["pyramid-combined"].names("ball")[-1] == "ball-15"
    assert [group_of(kind) for kind in ("cue", "1", "7", "8", "9", "15")] == [
        "cue",
        "solid",
        "solid",
        "8",
        "stripe",
        "stripe",
    ]


VIEW = table_view(overhead())


@given(st.floats(0, 999), st.floats(0, 559))
def test_working_pixels_lead_back_to_the_pictures(u: float, v: float) -> None:
    view = VIEW
    part = view.part((20, 30, 120, 130))
    point = np.array([[u, v]])
    assert np.allclose(view.to_picture(view.to_working(point)), point)
    assert np.allclose(part.to_picture(part.to_working(point)), point)
    assert np.allclose(view.to_working(point) - part.to_working(point), (20, 30))


def test_the_view_says_where_each_pixel_looks_and_how_large_a_ball_is() -> None:
    calibration = overhead()
    view = table_view(calibration)
    place = np.array([[600.0, 1500.0, TABLE.ball_radius_mm]])
    u, v = np.round(view.to_working(calibration.camera.project(place))[0]).astype(int)
    assert abs(view.x_mm[v, u] - 600.0) < 2.5
    assert abs(view.y_mm[v, u] - 1500.0) < 2.5
    # 26.25 mm at about 5974 mm under 1500 px of focal length, at the scale of the view
    assert view.radius_px[v, u] == pytest.approx(1500 * 26.25 / 5973.75 * view.scale, rel=0.01)


def test_the_small_view_halves_and_its_planes_fit_it() -> None:
    view = table_view(overhead(), radius_px=3.2, margin=4.0, halving=True)
    assert view.scale == 0.5
    glance = look(frame(0, picture([])).planes, view)
    assert glance.luma.shape == glance.cr.shape == view.shape


def test_the_cloth_is_fitted_under_the_balls_too() -> None:
    view = table_view(overhead())
    bare = fit_cloth(split(view.crop(picture([]))), view)
    covered = fit_cloth(split(view.crop(picture([("red", 300.0 + 90 * i, 1500.0) for i in range(14)]))), view)
    inside = cv2.erode(view.bed.astype(np.uint8), np.ones((15, 15), np.uint8)) > 0
    assert float(np.abs(bare.luma - covered.luma)[inside].max()) < 3.0


def test_the_counts_of_the_set_decide_between_two_of_a_colour() -> None:
    balls = BALL_SETS["snooker"]
    logp = np.full((2, len(balls.kinds)), -20.0)
    blue, green = balls.kinds.index("blue"), balls.kinds.index("green")
    logp[:, blue] = (5.0, 4.0)
    logp[:, green] = (1.0, 3.5)
    assert list(assign(logp, balls, -10.0)) == [blue, green]
    logp[:, green] = -20.0
    assert sorted(assign(logp, balls, -10.0)) == [-1, blue]


def test_reds_are_numbered_and_colours_are_not() -> None:
    balls = BALL_SETS["snooker"]
    assert names_of(["red", "pink", "red"], balls) == ["red-1", "pink", "red-2"]


def test_a_pool_ball_bears_its_number_only_where_its_looks_tell_it() -> None:
    balls = BALL_SETS["8-ball"]
    kinds = balls.kinds
    logp = np.full((4, len(kinds)), -20.0)
    logp[0, kinds.index("cue")] = 0.0
    logp[1, kinds.index("3")] = 0.0
    solids = [kinds.index(kind) for kind in ("2", "4", "6")]
    logp[2, solids] = 0.0
    logp[3, [kinds.index(kind) for kind in ("2", "4", "8", "10", "12")]] = 0.0
    chosen = np.array([kinds.index(kind) for kind in ("cue", "3", "4", "2")])
    naming = honest_kinds(chosen, logp, balls)
    assert naming.kinds == ("cue", "3", "solid", "ball")
    assert names_of(naming.kinds, balls) == ["cue", "3", "solid-1", "ball-1"]
    assert naming.probability[:3] == pytest.approx([1.0, 1.0, 1.0], abs=0.01)


def test_dull_cloth_under_a_cushion_is_shade_down_to_darker_tones() -> None:
    planes = tuple(np.full((40, 40), 0.42 * value, np.float32) for value in (100.0, -40.0, -30.0))
    looks = see(planes, np.array([[20.0, 20.0]]), np.array([10.0]), np.array([100.0]))  # type: ignore[arg-type]
    bare = (np.array([100.0]), np.array([-40.0]), np.array([-30.0]))
    assert list(have_cloths_hue(looks, bare, np.array([True]))) == [True]
    assert list(have_cloths_hue(looks, bare, np.array([False]))) == [False]


def test_marginals_give_no_kind_to_more_balls_than_the_set_holds() -> None:
    balls = BALL_SETS["snooker"]
    blue, green = balls.kinds.index("blue"), balls.kinds.index("green")
    logp = np.full((2, len(balls.kinds)), -40.0)
    logp[:, blue] = 0.0
    logp[1, green] = -1.0
    share = marginals(logp, balls)
    assert share.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert share[:, blue].sum() <= 1.01
    assert share[0, blue] > 0.95
    assert share[1, green] > 0.95


@pytest.mark.parametrize("exposure", [0.4, 1.0, 1.8])
def test_looks_do_not_depend_on_the_exposure(exposure: float) -> None:
    planes = tuple(np.full((40, 40), value * exposure, np.float32) for value in (60.0, 40.0, -20.0))
    centre, radius, cloth = np.array([[20.0, 20.0]]), np.array([10.0]), np.array([100.0])
    looks = see(planes, centre, radius, cloth * exposure)  # type: ignore[arg-type]
    assert looks.body[0] == pytest.approx([np.log(0.68 / 1.08), 40 / 85, -20 / 85], abs=1e-5)


@pytest.mark.parametrize(
    ("share", "red", "blue", "is_cloth"),
    [
        (0.7, -40.0, -30.0, True),
        (1.2, -40.0, -30.0, True),
        (0.7, -45.0, 0.0, False),
        (0.2, -40.0, -30.0, False),
        (1.0, 40.0, -30.0, False),
    ],
)
def test_shaded_cloth_is_told_by_its_hue_but_a_black_ball_is_not(
    share: float, red: float, blue: float, is_cloth: bool
) -> None:
    planes = tuple(np.full((40, 40), share * value, np.float32) for value in (100.0, red, blue))
    looks = see(planes, np.array([[20.0, 20.0]]), np.array([10.0]), np.array([100.0]))  # type: ignore[arg-type]
    bare = (np.array([100.0]), np.array([-40.0]), np.array([-30.0]))
    assert list(have_cloths_hue(looks, bare, np.array([False]))) == [is_cloth]


def test_a_resting_ball_is_known_by_its_pixels_until_it_goes() -> None:
    view = table_view(overhead(), radius_px=6.5, margin=4.0, halving=True)
    here = look(frame(0, picture([("red", 600.0, 1500.0)], seed=1)).planes, view)
    gone = look(frame(1, picture([], seed=2)).planes, view)
    again = look(frame(2, picture([("red", 600.0, 1500.0)], seed=3)).planes, view)
    centre = view.to_working(overhead().camera.project(np.array([[600.0, 1500.0, TABLE.ball_radius_mm]])))[0]
    resting = RestingSet()
    resting.add(resting_ball(centre, 6.6, np.zeros(8), 1.0, here))
    assert resting.check(again).inner[0] == pytest.approx(1.0, abs=0.05)
    assert resting.check(gone).inner[0] < 0.2
