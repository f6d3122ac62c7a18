"""Lines crossed, by paths whose truth is known exactly."""

import numpy as np
import pytest

from calibration.tables import TABLES
from tracking.geometry import Bed
from tracking.infer.evidence import BlindLog, Evidence
from tracking.infer.line import infer_crossings
from tracking.paths import BallPath, fit_path
from tracking.records import Crossed

FPS = 50


def crossed(table: str, y: np.ndarray, sigma: float = 1.0) -> list[Crossed]:
    """The crossings of a ball that goes up and down the table along these y, a picture each."""
    t = np.arange(len(y)) / FPS
    places = np.stack([np.full(len(y), 700.0), y], axis=1)
    noisy = places + np.random.default_rng(1).normal(0, sigma, places.shape)
    path: BallPath = fit_path("cue", t, noisy, np.broadcast_to(np.eye(2) * sigma**2, (len(t), 2, 2)).copy())
    evidence = Evidence(
        bed=Bed(TABLES[table]),
        paths={"cue": path},
        fates={},
        blind=BlindLog(),
        picture_s={},
        blackouts=(),
        t0_s=0.0,
        t1_s=float(t[-1]),
        spacing_s=1 / FPS,
        clock_sigma_s=0.001,
    )
    return infer_crossings(evidence, "cue", path)


def test_a_ball_up_the_pyramid_table_crosses_the_house_line_and_the_middle() -> None:
    y = 500 + 2000 * np.arange(60) / FPS
    events = crossed("pyramid-12ft", y)
    assert [event.line for event in events] == ["house_line", "centre_line"]
    assert [event.t_s for event in events] == pytest.approx([387.5 / 2000, 1275 / 2000], abs=0.003)
    assert all(event.certain and event.t_sigma_s < 0.01 for event in events)


def test_over_the_head_string_and_back_by_the_foot_cushion() -> None:
    t = np.arange(150) / FPS
    y = np.where(t < 1.0, 500 + 2000 * t, 2500 - 1500 * (t - 1.0))
    events = crossed("pool-9ft", y)
    assert [event.line for event in events] == ["head_string", "head_string"]
    assert [event.t_s for event in events] == pytest.approx([135 / 2000, 1.0 + 1865 / 1500], abs=0.004)


def test_a_ball_that_stays_on_its_side_crosses_nothing() -> None:
    assert crossed("pyramid-12ft", 900 + 400 * np.arange(60) / FPS) == []
    assert crossed("snooker-12ft", 500 + 2000 * np.arange(60) / FPS) == []


def test_one_that_stops_on_the_line_may_not_have_crossed_it() -> None:
    t = np.arange(120) / FPS
    speed, stop = 400.0, 1.0
    run = np.where(t < stop, speed * t - speed / stop * t**2 / 2, speed * stop / 2)
    events = crossed("pyramid-12ft", 1775.6 - speed * stop / 2 + run)
    assert all(event.line == "centre_line" and not event.certain for event in events)
