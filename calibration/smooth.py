"""Smoothing along a row of values: what SciPy's ndimage does, without the time that loading it takes."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_TRUNCATED = 4.0
"""A Gaussian is cut off so many sigmas from its middle."""


def gaussian(values: Array, sigma: float) -> Array:
    """(n, …) weighted by a Gaussian along the first axis; beyond its ends a row is taken to be mirrored.

    A row in which a value is NaN is NaN.
    """
    rows = _weights(len(values), sigma) @ values.reshape(len(values), -1)
    return np.asarray(rows.reshape(values.shape), dtype=np.float64)


@lru_cache(maxsize=16)
def _weights(count: int, sigma: float) -> Array:
    """(count, count) what each value counts in each smoothed one."""
    radius = int(_TRUNCATED * sigma + 0.5)
    kernel = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    taps = np.pad(np.arange(count), radius, mode="symmetric")
    weights = np.zeros((count, count))
    for shift, weight in enumerate(kernel / kernel.sum()):
        weights[np.arange(count), taps[shift : shift + count]] += weight
    return weights


def running_median(values: Array, size: int) -> Array:
    """(n,) the median of ``size`` neighbours of each value, the greater of the middle two of an even number."""
    padded = np.pad(values, (size // 2, size - size // 2 - 1), mode="symmetric")
    windows = np.lib.stride_tricks.sliding_window_view(padded, size)
    return np.asarray(np.partition(windows, size // 2, axis=1)[:, size // 2], dtype=np.float64)
