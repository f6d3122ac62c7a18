"""The median of a few equal arrays, place by place: much faster than sorting each place by itself."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Layer = NDArray[np.uint8] | NDArray[np.float32]

_BLOCK = 1 << 16
"""So many values of each array are worked on at once: they stay in the processor's cache."""


def median_of(layers: Sequence[Layer]) -> Layer:
    """The median over arrays of one shape and type, which of an even number is the mean of the middle two.

    Whole numbers are rounded down; NaN in one of the arrays is NaN in the result. Of somewhat more than half of the
    arrays the least and the greatest can't be the median, so they are dropped, and others put in (forgetful selection).
    """
    whole = np.empty(layers[0].shape, layers[0].dtype)
    flat: list[Layer] = [layer.reshape(-1) for layer in layers]
    target = whole.reshape(-1)
    for start in range(0, whole.size, _BLOCK):
        part: list[Layer] = [layer[start : start + _BLOCK] for layer in flat]
        target[start : start + _BLOCK] = _median_of(part)
    return whole


def _median_of(waiting: list[Layer]) -> Layer:
    count = len(waiting)
    pool, waiting = waiting[: count // 2 + 2], waiting[count // 2 + 2 :]
    while len(pool) > 2:
        for k in range(1, len(pool)):
            pool[0], pool[k] = np.minimum(pool[0], pool[k]), np.maximum(pool[0], pool[k])
        for k in range(1, len(pool) - 1):
            pool[k], pool[-1] = np.minimum(pool[k], pool[-1]), np.maximum(pool[k], pool[-1])
        pool = pool[1:-1] + waiting[:1]
        waiting = waiting[1:]
    if len(pool) == 1:
        return pool[0]
    if pool[0].dtype == np.uint8:
        return np.asarray((pool[0].astype(np.uint16) + pool[1]) // 2, dtype=np.uint8)
    return np.asarray((pool[0] + pool[1]) / 2, dtype=np.float32)
