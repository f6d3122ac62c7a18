"""The first moment at which a polynomial of degree four or less falls through zero."""

import numpy as np

from referee.app.simulate.dynamics.motion import Array

NEVER = np.inf


def first_fall(coefficients: Array, horizon: Array, touching: float) -> Array:
    """(n,) earliest t in [0, horizon] at which c0 + c1 t + … + c4 t⁴ goes from positive to negative, else infinity.

    coefficients: (n, 5), lowest degree first. A polynomial that starts at or below ``touching`` and falls gives 0; one
    that starts there and rises is free to leave. Roots come from the eigenvalues of the companion matrix of the
    reversed polynomial, whose leading term is the start value and so isn't zero, and are polished by Newton's rule.
    """
    n = len(coefficients)
    result = np.full(n, NEVER)
    start, slope = coefficients[:, 0], coefficients[:, 1]
    now = (start <= touching) & (slope < 0)
    result[now] = 0.0
    spread = np.maximum(np.abs(coefficients[:, 1:]) * horizon[:, None] ** np.arange(1, 5), 0.0)
    can = ~now & (horizon > 0) & (spread.sum(axis=1) >= start)
    rows = np.flatnonzero(can)
    if len(rows) == 0:
        return result
    scale = horizon[rows, None] ** np.arange(5)
    scaled = coefficients[rows] * scale
    tiny = 1e-14 * np.abs(scaled).max(axis=1)
    lead = np.where(np.abs(scaled[:, 0]) > tiny, scaled[:, 0], tiny)
    companion = np.zeros((len(rows), 4, 4))
    companion[:, 1:, :3] = np.eye(3)
    companion[:, 0, :] = -scaled[:, 1:] / lead[:, None]
    inverse = np.linalg.eigvals(companion)
    real = (np.abs(inverse.imag) < 1e-5 * np.maximum(1.0, np.abs(inverse.real))) & (inverse.real > 0.999)
    s = np.where(real, 1.0 / np.where(real, inverse.real, 1.0), NEVER)
    s = np.where(real, _polished(scaled, np.where(real, s, 0.5)), NEVER)
    falling = _slope(scaled, np.where(np.isfinite(s), s, 0.0)) < 0
    near = np.abs(_value(scaled, np.where(np.isfinite(s), s, 0.0))) <= 1e-9 * np.abs(scaled).max(axis=1)[:, None]
    s = np.where(falling & near & (s > 0) & (s <= 1.0), s, NEVER)
    result[rows] = s.min(axis=1) * horizon[rows]
    return result


def _value(scaled: Array, s: Array) -> Array:
    c = [scaled[:, k, None] for k in range(5)]
    return (((c[4] * s + c[3]) * s + c[2]) * s + c[1]) * s + c[0]


def _slope(scaled: Array, s: Array) -> Array:
    c = [scaled[:, k, None] for k in range(5)]
    return ((4 * c[4] * s + 3 * c[3]) * s + 2 * c[2]) * s + c[1]


def _polished(scaled: Array, s: Array) -> Array:
    for _ in range(4):
        slope = _slope(scaled, s)
        step = np.where(slope != 0, _value(scaled, s) / np.where(slope != 0, slope, 1.0), 0.0)
        s = s - np.clip(step, -0.1, 0.1)
    return s
