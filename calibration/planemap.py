"""Maps between pixels, straight pixels and one plane of the table, before a full camera is known.

Straight pixels are those that a lens without distortion would show. The distortion is described by the one-parameter
division model (Fitzgibbon 2001), whose inverse is exact: ``straight = c + (px - c) / (1 + curvature * r^2)`` with r
the distance from the picture's centre c in half diagonals.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Projection = Callable[[Array], Array]
"""Takes table points (n, 3) in mm to pixels (n, 2)."""


def half_diagonal(size: tuple[int, int]) -> float:
    """Half the diagonal, px, of a picture (width, height)."""
    return 0.5 * float(np.hypot(*size))


def middle_of(size: tuple[int, int]) -> Array:
    """(2,) the picture's centre in px; the top-left pixel's centre is (0, 0)."""
    return np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])


def straighten(uv: Array, size: tuple[int, int], curvature: float) -> Array:
    """Straight pixels (n, 2) of pixels (n, 2)."""
    centre = middle_of(size)
    radius2 = np.sum(((uv - centre) / half_diagonal(size)) ** 2, axis=1)
    moved: Array = centre + (uv - centre) / (1 + curvature * radius2)[:, None]
    return moved


def bend(uv: Array, size: tuple[int, int], curvature: float) -> Array:
    """Pixels (n, 2) of straight pixels (n, 2): the inverse of `straighten`."""
    centre = middle_of(size)
    radius2 = np.sum(((uv - centre) / half_diagonal(size)) ** 2, axis=1)
    root = np.sqrt(np.maximum(1 - 4 * curvature * radius2, 0.0))
    moved: Array = centre + (uv - centre) * (2 / (1 + root))[:, None]
    return moved


def plane_map(corners: Array, rectangle: Array, size: tuple[int, int], curvature: float) -> Projection:
    """The projection of a plane of the table that takes a rectangle (4, 2) mm to straight pixels (4, 2)."""
    homography = np.asarray(
        cv2.getPerspectiveTransform(rectangle.astype(np.float32), corners.astype(np.float32)), dtype=np.float64
    )

    def to_px(points: Array) -> Array:
        flat = np.column_stack([points[:, :2], np.ones(len(points))]) @ homography.T
        straight: Array = flat[:, :2] / flat[:, 2:]
        return bend(straight, size, curvature)

    return to_px


def crossed(a: Array, b: Array) -> Array:
    """(..., 3) cross products of vectors (..., 3): where lines meet, or the line through points, if homogeneous."""
    pairs = ((1, 2), (2, 0), (0, 1))
    return np.stack([a[..., i] * b[..., k] - a[..., k] * b[..., i] for i, k in pairs], axis=-1)


def meeting(lines: dict[str, Array]) -> Array:
    """Corners (4, 2) bottom-left, top-left, top-right, bottom-right of homogeneous lines (3,) named by cushion."""
    ring = np.stack([lines[side] for side in ("bottom", "left", "top", "right")])
    corners = crossed(ring, ring[[1, 2, 3, 0]])
    return np.asarray(corners[:, :2] / corners[:, 2:], dtype=np.float64)
