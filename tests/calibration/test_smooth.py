"""Smoothing along rows is what SciPy's ndimage does, which it stands in for."""

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d, median_filter

from calibration.smooth import gaussian, running_median


@pytest.mark.parametrize("sigma", [0.8, 1.5, 6.0])
def test_a_gaussian_is_that_of_scipy(sigma: float) -> None:
    rows = np.random.default_rng(1).normal(size=(92, 5, 3))
    np.testing.assert_allclose(gaussian(rows, sigma), gaussian_filter1d(rows, sigma, axis=0), atol=1e-12)


def test_a_gaussian_of_an_impulse_is_the_bell_itself() -> None:
    impulse = np.zeros(41)
    impulse[20] = 1.0
    bell = gaussian(impulse, 2.0)
    assert bell.sum() == pytest.approx(1.0)
    assert bell[22] / bell[20] == pytest.approx(np.exp(-0.5))


@pytest.mark.parametrize("size", [3, 4, 9, 22])
def test_a_running_median_is_that_of_scipy(size: int) -> None:
    values = np.random.default_rng(2).normal(size=60)
    np.testing.assert_array_equal(running_median(values, size), median_filter(values, size=size))


def test_a_running_median_leaves_out_a_single_peak() -> None:
    assert running_median(np.array([1.0, 1.0, 9.0, 1.0, 1.0]), 3).tolist() == [1.0] * 5
