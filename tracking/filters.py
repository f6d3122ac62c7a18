"""The motion model of a rolling ball and its Kalman filters, state ``(x, y, vx, vy)`` in mm and mm/s.

A ball on cloth runs straight and loses speed at a steady rate (rolling resistance, a tenth of a m/s² or less, up to
two while it slides), so the deceleration enters as a known control along the velocity and what is not known (sliding,
spin, the cloth's nap) as white acceleration. Steps are as long as the time stamps say. `BallFilters` runs all moving
balls as one batch; `reference_filter` is the same filter in filterpy, and `smooth` its Rauch-Tung-Striebel smoother.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from filterpy.kalman import KalmanFilter

Array = NDArray[np.float64]

ROLLING_MM_S2 = 120.0
"""Deceleration of a rolling ball on napped cloth; napless pool cloth is slower to stop by a third."""

ACCELERATION_MM_S2 = 900.0
"""1 sigma of the acceleration that the model doesn't know: sliding, spin, a bouncing picture clock."""

OBSERVE = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])


def transition(dt_s: float) -> Array:
    """(4, 4) matrix that moves a state on by ``dt_s`` at its velocity."""
    matrix = np.eye(4)
    matrix[0, 2] = matrix[1, 3] = dt_s
    return matrix


def process_noise(dt_s: float, acceleration_mm_s2: float = ACCELERATION_MM_S2) -> Array:
    """(4, 4) covariance that a constant unknown acceleration of this sigma adds in ``dt_s``."""
    gain = np.array([[dt_s**2 / 2, 0.0], [0.0, dt_s**2 / 2], [dt_s, 0.0], [0.0, dt_s]])
    noise: Array = acceleration_mm_s2**2 * gain @ gain.T
    return noise


def control(states: Array, dt_s: float) -> Array:
    """(n, 4) what the cloth's resistance takes from states (n, 4) in ``dt_s``; it stops a ball, never turns it."""
    speed = np.hypot(states[:, 2], states[:, 3])
    safe = np.maximum(speed, 1e-9)
    lost = np.minimum(ROLLING_MM_S2 * dt_s, speed)
    # A ball that stops within the step decelerates only until then.
    way = np.where(speed > ROLLING_MM_S2 * dt_s, lost * dt_s / 2, speed * dt_s - speed**2 / (2 * ROLLING_MM_S2))
    unit = states[:, 2:] / safe[:, None]
    taken: Array = np.hstack([-unit * way[:, None], -unit * lost[:, None]])
    return taken


@dataclass(slots=True)
class BallFilters:
    """A batch of Kalman filters. states: (n, 4). covariances: (n, 4, 4)."""

    states: Array
    covariances: Array

    def predict(self, dt_s: float) -> None:
        """Moves all on by ``dt_s``."""
        move = transition(dt_s)
        taken = control(self.states, dt_s)
        self.states = self.states @ move.T + taken
        self.covariances = move @ self.covariances @ move.T + process_noise(dt_s)

    def update(self, rows: NDArray[np.intp], xy_mm: Array, cov_mm2: Array) -> None:
        """Takes in measured centres (m, 2) with covariances (m, 2, 2) for the filters ``rows``."""
        prior = self.covariances[rows]
        innovation = xy_mm - self.states[rows, :2]
        spread = prior[:, :2, :2] + cov_mm2
        gain = prior[:, :, :2] @ np.linalg.inv(spread)
        self.states[rows] += (gain @ innovation[:, :, None])[:, :, 0]
        # Joseph's form keeps the covariance symmetric and positive.
        keep = np.eye(4) - gain @ OBSERVE
        self.covariances[rows] = keep @ prior @ keep.transpose(0, 2, 1) + gain @ cov_mm2 @ gain.transpose(0, 2, 1)


def reference_filter(state: Array, covariance: Array) -> "KalmanFilter":
    """filterpy's filter for one ball from this state (4,) and covariance (4, 4)."""
    # loading it takes as long as a hundred frames
    from filterpy.kalman import KalmanFilter

    kalman = KalmanFilter(dim_x=4, dim_z=2, dim_u=4)
    kalman.x = np.asarray(state, dtype=np.float64).copy()
    kalman.P = np.asarray(covariance, dtype=np.float64).copy()
    kalman.H = OBSERVE
    kalman.B = np.eye(4)
    return kalman


def reference_predict(kalman: "KalmanFilter", dt_s: float) -> None:
    """One step of `BallFilters.predict` in filterpy."""
    taken = control(kalman.x.reshape(1, 4), dt_s)[0]
    kalman.predict(u=taken, F=transition(dt_s), Q=process_noise(dt_s))


def smooth(t_s: Array, xy_mm: Array, cov_mm2: Array, seen: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Smoothed states (n, 4) and covariances (n, 4, 4) of one ball at times (n,), where it was ``seen`` or not.

    xy_mm (n, 2) and cov_mm2 (n, 2, 2) are read only where seen; the first row must be. A span without kinks is
    expected: a cushion or a contact begins a new one.
    """
    kalman = reference_filter(np.array([*xy_mm[0], 0.0, 0.0]), np.diag([*np.diag(cov_mm2[0]), 4e6, 4e6]))
    states, covariances = [kalman.x.copy()], [kalman.P.copy()]
    moves, noises = [np.eye(4)], [np.zeros((4, 4))]
    for i in range(1, len(t_s)):
        dt_s = float(t_s[i] - t_s[i - 1])
        moves.append(transition(dt_s))
        noises.append(process_noise(dt_s))
        reference_predict(kalman, dt_s)
        if seen[i]:
            kalman.update(xy_mm[i], R=cov_mm2[i])
        states.append(kalman.x.copy())
        covariances.append(kalman.P.copy())
    # The control is a few mm/s a step: within the noise, so the smoother may run without it.
    mean, spread, _, _ = kalman.rts_smoother(np.array(states), np.array(covariances), moves, noises)
    return np.asarray(mean, dtype=np.float64), np.asarray(spread, dtype=np.float64)
