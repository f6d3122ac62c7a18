"""Smoothing along a row of values: what SciPy's ndimage does, without the time that loading it takes."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_TRUNCATED = 4.0
"""A Gaussian is cut off so many sigmas from its middle."""


def gaussian(values: Array, sigma: float) -> Array:
    """(n, …) weighted by a Gaussian along the first axis; beyond its ends a row is taken to be mirrored.

    NaN goes as far as the Gaussian reaches.
    """
    radius = int(_TRUNCATED * sigma + 0.5)
    kernel = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    padded = np.pad(values, [(radius, radius)] + [(0, 0)] * (values.ndim - 1), mode="symmetric")
    result = np.zeros(values.shape)
    for k, weight in enumerate(kernel):
        result += weight * padded[k : k + len(values)]
    return result


def running_median(values: Array, size: int) -> Array:
    """(n,) the median of ``size`` neighbours of each value, the greater of the middle two of an even number."""
    padded = np.pad(values, (size // 2, size - size // 2 - 1), mode="symmetric")
    windows = np.lib.stride_tricks.sliding_window_view(padded, size)
    return np.asarray(np.partition(windows, size // 2, axis=1)[:, size // 2], dtype=np.float64)
