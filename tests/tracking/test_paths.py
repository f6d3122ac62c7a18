"""Pieces and kinks of paths whose truth is known exactly."""

import numpy as np
import pytest

from tracking.paths import BallPath, fit_path

FPS = 30


def path_of(places: np.ndarray, t: np.ndarray, sigma: float, seed: int = 0) -> BallPath:
    noisy = places + np.random.default_rng(seed).normal(0, sigma, places.shape)
    cov = np.broadcast_to(np.eye(2) * sigma**2, (len(t), 2, 2)).copy()
    return fit_path("cue", t, noisy, cov)


def test_a_ball_at_rest_has_one_piece_and_no_kink() -> None:
    t = np.arange(300) / FPS
    path = path_of(np.full((300, 2), 500.0), t, 2.0)
    assert not path.moved and path.kinks == ()
    assert path.pieces[0].place == pytest.approx([500.0, 500.0], abs=0.6)


@pytest.mark.parametrize("start", [1.0, 1.011, 1.027])
def test_the_start_is_dated_between_two_pictures(start: float) -> None:
    t = np.arange(60) / FPS
    run = np.maximum(t - start, 0.0)[:, None]
    path = path_of(np.array([800.0, 600.0]) + run * np.array([1200.0, 900.0]), t, 1.0)
    hard = [kink for kink in path.kinks if kink.hard]
    assert len(hard) == 1
    kink = hard[0]
    assert kink.t_s == pytest.approx(start, abs=0.004)
    assert abs(kink.t_s - start) < 4 * kink.t_sigma_s
    assert np.hypot(*kink.after) == pytest.approx(1500, rel=0.03)


def test_a_rebound_is_dated_and_placed() -> None:
    t = np.arange(45) / FPS
    hit = 0.7431
    x = np.where(t < hit, 26.25 + (hit - t) * 2000, 26.25 + (t - hit) * 1600)
    path = path_of(np.stack([x, 400 + 500 * t], axis=1), t, 1.0)
    assert [kink.hard for kink in path.kinks] == [True]
    assert path.kinks[0].t_s == pytest.approx(hit, abs=0.003)
    assert path.kinks[0].place[0] == pytest.approx(26.25, abs=4.0)


def test_slowing_down_is_no_kink() -> None:
    t = np.arange(150) / FPS
    run = 900 * t - 60 * t**2
    path = path_of(np.stack([100 + run, 200 + 0 * t], axis=1), t, 1.5)
    assert not any(kink.hard for kink in path.kinks)


def test_one_wrong_place_is_an_outlier_and_no_event() -> None:
    t = np.arange(60) / FPS
    places = np.stack([100 + 800 * t, 300 + 0 * t], axis=1)
    places[30] += [0, 400]
    path = path_of(places, t, 1.0)
    assert not any(kink.hard for kink in path.kinks)
    assert path.at(float(t[30])) == pytest.approx([900.0, 300.0], abs=2.0)


def test_trembling_on_the_place_is_rest() -> None:
    t = np.arange(90) / FPS
    places = np.full((90, 2), 700.0)
    places[40:44] += [4.0, 3.0]
    assert not path_of(places, t, 1.0).moved


def test_a_last_glimpse_of_a_ball_in_flight_makes_a_run() -> None:
    t = np.append(np.arange(30) / FPS, 1.1)
    places = np.vstack([np.full((30, 2), 700.0), [[1000.0, 700.0]]])
    path = path_of(places, t, 1.0)
    assert path.moved and not path.pieces[-1].at_rest
    assert path.pieces[-1].velocity[0] > 1000 and abs(path.pieces[-1].velocity[1]) < 100


@pytest.mark.parametrize("begun_s", [0.0, 337.0, 7200.0])
def test_a_path_is_cut_alike_however_late_in_the_video(begun_s: float) -> None:
    """Two hours into a match a ball still sets off when it is hit, and not some pictures before."""
    t = np.arange(100) / 25
    run = np.maximum(t - 1.843, 0.0)[:, None]
    places = np.array([413.0, 994.0]) + np.array([820.0, 1540.0]) * (run - 0.08 * run**2)
    noisy = places + np.random.default_rng(3).normal(0, 0.5, places.shape)
    path = fit_path("ball-14", begun_s + t, noisy, np.broadcast_to(np.eye(2) * 1.7**2, (100, 2, 2)).copy())
    assert [piece.at_rest for piece in path.pieces] == [True, False]
    assert path.kinks[0].t_s - begun_s == pytest.approx(1.843, abs=0.005)


@pytest.mark.parametrize("seed", range(3))
def test_a_kink_is_dated_by_what_the_ball_did_near_it(seed: int) -> None:
    # Hit at 1 s, it slides for 0.4 s, losing 2000 mm/s², and rolls on at 120 mm/s²: one steady acceleration over 2 s
    # would have it start at 600 mm/s or so, and half a picture too early.
    times = np.arange(0.0, 3.0, 0.04)
    slide = np.clip(times - 1.0, 0.0, 0.4)
    roll = np.clip(times - 1.4, 0.0, None)
    way = 1500.0 * slide - 1000.0 * slide**2 + 700.0 * roll - 60.0 * roll**2
    path = path_of(np.stack([300.0 + way, np.full(len(times), 900.0)], axis=1), times, 0.6, seed)
    start = next(kink for kink in path.kinks if path.pieces[kink.index].at_rest)
    assert abs(start.t_s - 1.0) < 0.004
    assert abs(start.t_s - 1.0) < 3.0 * start.t_sigma_s < 0.02
