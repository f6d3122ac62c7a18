"""The solver of small robust least-squares problems is what SciPy's is, which it stands in for."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.descent import descend, softened

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 3.0, 40)


def decayed(vector: Array) -> Array:
    """Misses of a curve a·exp(-b·t) + c to one of 2, 1.3 and 0.5 with two places far off."""
    truth = 2.0 * np.exp(-1.3 * TIMES) + 0.5
    truth[[7, 21]] += 4.0
    return np.asarray(vector[0] * np.exp(-vector[1] * TIMES) + vector[2] - truth)


def decayed_slopes(vector: Array) -> Array:
    bell = np.exp(-vector[1] * TIMES)
    return np.column_stack([bell, -vector[0] * TIMES * bell, np.ones(len(TIMES))])


def test_a_curve_is_fitted_as_by_scipy() -> None:
    start = np.array([1.0, 0.3, 0.0])
    wanted = least_squares(decayed, start)
    found, cost = descend(decayed, decayed_slopes, start)
    np.testing.assert_allclose(found, wanted.x, atol=1e-3)
    assert cost == pytest.approx(wanted.cost, rel=1e-6)


def test_places_far_off_draw_a_softened_fit_less() -> None:
    scale = 0.1

    def misses(vector: Array) -> Array:
        return softened(decayed(vector) / scale, 1.0)[0]

    def slopes(vector: Array) -> Array:
        return decayed_slopes(vector) * (softened(decayed(vector) / scale, 1.0)[1] / scale)[:, None]

    start = np.array([1.0, 0.3, 0.0])
    wanted = least_squares(lambda vector: decayed(vector) / scale, start, loss="soft_l1")
    found, cost = descend(misses, slopes, start)
    np.testing.assert_allclose(found, wanted.x, atol=1e-3)
    assert cost == pytest.approx(wanted.cost, rel=1e-6)
    np.testing.assert_allclose(found, [2.0, 1.3, 0.5], atol=0.1)


def test_a_linear_problem_is_solved_exactly() -> None:
    rows = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 4.0]])
    right = rows @ np.array([7.0, -3.0])
    found, cost = descend(lambda vector: rows @ vector - right, lambda vector: rows, np.zeros(2))
    np.testing.assert_allclose(found, [7.0, -3.0], atol=1e-6)
    assert cost == pytest.approx(0.0, abs=1e-9)


def test_small_errors_stay_and_large_ones_grow_like_their_root() -> None:
    error = np.array([-1e-6, 0.0, 1e-3, 1e6])
    soft, slope = softened(error, 2.0)
    np.testing.assert_allclose(soft[:3], error[:3], rtol=1e-6)
    # half its square is about width · |error| - width²
    assert 0.5 * soft[3] ** 2 == pytest.approx(2.0 * 1e6 - 4.0)
    np.testing.assert_allclose(slope[:3], 1.0, atol=1e-6)
    step = 1e-4
    ahead, behind = (softened(np.array([3.0 + sign * step]), 2.0)[0][0] for sign in (1, -1))
    assert softened(np.array([3.0]), 2.0)[1][0] == pytest.approx((ahead - behind) / (2 * step), rel=1e-6)
