"""The batch of filters equals filterpy, and the motion model is that of a ball on cloth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracking.filters import ROLLING_MM_S2, BallFilters, control, reference_filter, reference_predict, smooth

STATES = np.array([[100.0, 200.0, 1500.0, -800.0], [900.0, 1200.0, -30.0, 4.0], [50.0, 3000.0, 0.0, 0.0]])
STEPS = (1 / 30, 1 / 30, 1 / 15, 0.041, 1 / 60)


def test_batch_equals_filterpy_over_uneven_steps() -> None:
    rng = np.random.default_rng(3)
    start = np.stack([np.diag([4.0, 9.0, 1e4, 2e4])] * 3)
    batch = BallFilters(STATES.copy(), start.copy())
    singles = [reference_filter(state, cov) for state, cov in zip(STATES, start, strict=True)]
    noise = np.array([[2.0, 0.5], [0.5, 3.0]])
    for dt in STEPS:
        batch.predict(dt)
        for single in singles:
            reference_predict(single, dt)
        seen = np.array([0, 2])
        measured = batch.states[seen, :2] + rng.normal(0, 2, (2, 2))
        batch.update(seen, measured, np.stack([noise] * 2))
        for row, place in zip(seen, measured, strict=True):
            singles[row].update(place, R=noise)
        for row, single in enumerate(singles):
            np.testing.assert_allclose(batch.states[row], single.x, rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(batch.covariances[row], single.P, rtol=1e-7, atol=1e-7)


def test_a_ball_slows_down_steadily_and_stops_where_it_should() -> None:
    batch = BallFilters(np.array([[0.0, 0.0, 240.0, 0.0]]), np.eye(4)[None])
    for _ in range(300):
        batch.predict(0.01)
    # 240 mm/s at 120 mm/s² stops after 2 s and 240 mm.
    assert batch.states[0] == pytest.approx([240.0, 0.0, 0.0, 0.0], abs=1e-6)
    assert ROLLING_MM_S2 == 120.0


@given(st.floats(-5000, 5000), st.floats(-5000, 5000), st.floats(0.001, 0.2))
def test_resistance_never_turns_a_ball_round(vx: float, vy: float, dt: float) -> None:
    after = np.array([vx, vy]) + control(np.array([[0.0, 0.0, vx, vy]]), dt)[0, 2:]
    assert np.hypot(*after) <= np.hypot(vx, vy) + 1e-9
    assert after @ [vx, vy] >= -1e-9


def test_smoother_fills_what_was_not_seen() -> None:
    t = np.arange(30) / 30
    truth = np.stack([100 + 900 * t, 50 + 300 * t], axis=1)
    rng = np.random.default_rng(1)
    measured = truth + rng.normal(0, 1.5, truth.shape)
    seen = np.ones(30, dtype=bool)
    seen[10:17] = False
    states, covariances = smooth(t, measured, np.stack([np.eye(2) * 2.25] * 30), seen)
    assert np.abs(states[10:17, :2] - truth[10:17]).max() < 4.0
    assert np.abs(states[5:25, 2:] - [900, 300]).max() < 60.0
    assert covariances[13, 0, 0] > covariances[5, 0, 0]
