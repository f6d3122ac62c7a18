"""Balls as they are reported: from places in the small view to millimetres and the picture's pixels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.closeup import Find
from vision.geometry import Array, TableView
from vision.resting import RestingBall

REST_SIGMA_PX = 0.25
MOVING_SIGMA_PX = 0.5
BLUR_SIGMA_SHARE = 0.12


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Balls as they are reported, n rows; see `Observations`."""

    xy_mm: Array
    cov_mm2: Array
    uv_px: Array
    radius_px: Array
    logp: Array

    def and_(self, more: "Placed") -> "Placed":
        return Placed(
            xy_mm=np.concatenate((self.xy_mm, more.xy_mm)),
            cov_mm2=np.concatenate((self.cov_mm2, more.cov_mm2)),
            uv_px=np.concatenate((self.uv_px, more.uv_px)),
            radius_px=np.concatenate((self.radius_px, more.radius_px)),
            logp=np.concatenate((self.logp, more.logp)),
        )


def placed_balls(view: TableView, balls: Sequence[Find] | Sequence[RestingBall], xy_mm: Array, kinds: int) -> Placed:
    """The balls as ``view``, the small one, sees them; xy_mm: (n, 2) theirs. kinds: how many the set has."""
    places = np.array([ball.centre for ball in balls]).reshape(-1, 2)
    local = np.zeros((len(balls), 2, 2))
    for own, ball in zip(local, balls, strict=True):
        sigma = REST_SIGMA_PX
        if isinstance(ball, Find):
            sigma = MOVING_SIGMA_PX
            if ball.length:
                own[:] = (BLUR_SIGMA_SHARE * ball.length) ** 2 * ball.axis[:, None] * ball.axis
        own[0, 0] += (sigma * view.scale) ** 2
        own[1, 1] += (sigma * view.scale) ** 2
    to_mm = _jacobian(view, places)
    return Placed(
        xy_mm=xy_mm,
        cov_mm2=to_mm @ local @ to_mm.transpose(0, 2, 1),
        uv_px=view.to_picture(places),
        radius_px=np.array([ball.radius for ball in balls]) / view.scale,
        logp=np.array([ball.logp for ball in balls]).reshape(-1, kinds),
    )


def _jacobian(view: TableView, centres: Array) -> Array:
    """(n, 2, 2) mm per small px at small px (n, 2)."""
    rows, columns = view.shape
    u, v = np.minimum(np.maximum(np.rint(centres), 1), (columns - 2, rows - 2)).astype(np.intp).T
    at = v * columns + u
    jacobian = np.empty((len(centres), 2, 2))
    for row, plane in enumerate((view.x_mm.reshape(-1), view.y_mm.reshape(-1))):
        jacobian[:, row, 0] = plane[at + 1] - plane[at - 1]
        jacobian[:, row, 1] = plane[at + columns] - plane[at - columns]
    jacobian /= 2
    return jacobian
