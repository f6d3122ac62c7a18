"""Shadows taken for balls: told by the colour of what such a ball has for itself beside the ball that casts it."""

import numpy as np
from numpy.typing import NDArray

from vision.cloth import ClothModel
from vision.geometry import Array, Plane

OVERLAP = 1.3
LEAST_POINTS = 6
TURNED = 0.5
LEAST_TURN = 0.15
COLOURED = 0.5
LUMA_FLOOR = 25.0
_SIDE = np.arange(-0.85, 0.86, 0.1)
_GRID = np.stack(np.meshgrid(_SIDE, _SIDE), axis=-1).reshape(-1, 2)
_GRID = _GRID[np.hypot(_GRID[:, 0], _GRID[:, 1]) < 0.87]


def _hues(planes: tuple[Plane, Plane, Plane], points: Array) -> Array:
    """(n, 2) colour differences over luma at working pixels (n, 2)."""
    rows, columns = planes[0].shape
    u = np.clip(np.round(points[:, 0]).astype(int), 0, columns - 1)
    v = np.clip(np.round(points[:, 1]).astype(int), 0, rows - 1)
    luma = planes[0][v, u].astype(np.float64) + LUMA_FLOOR
    return np.column_stack([planes[1][v, u] / luma, planes[2][v, u] / luma])


def are_shadows(
    planes: tuple[Plane, Plane, Plane],
    cloth: ClothModel,
    centre: Array,
    radius: Array,
    nearness: Array,
    only: int | None = None,
) -> NDArray[np.bool_]:
    """(m,) whether each of m balls is the shadow of another that stands behind it.

    A ball before another shows its own colour there too. A shadow shows the other's colour where they overlap, and
    the cloth's, shaded, beside it. nearness: (m,) greater for balls nearer to the camera. only: the one
    to ask about, if not all.
    """
    result = np.zeros(len(centre), dtype=bool)
    for i in range(len(centre)) if only is None else [only]:
        gap = np.linalg.norm(centre - centre[i], axis=1) / radius[i]
        points = centre[i] + radius[i] * _GRID
        for j in np.flatnonzero((gap < OVERLAP) & (nearness < nearness[i])):
            common = np.linalg.norm(points - centre[j], axis=1) < 0.9 * radius[j]
            others = [k for k in np.flatnonzero(gap < 2.2) if k != i]
            beside = np.ones(len(points), dtype=bool)
            for k in others:
                beside &= np.linalg.norm(points - centre[k], axis=1) > 1.08 * radius[k]
            if common.sum() < LEAST_POINTS or beside.sum() < LEAST_POINTS:
                continue
            shared = np.median(_hues(planes, points[common]), axis=0)
            own = np.median(_hues(planes, points[beside]), axis=0)
            bare = np.median(_hues((cloth.luma, cloth.cr, cloth.cb), points[beside]), axis=0)
            way = bare - shared
            turn = float((own - shared) @ way) / max(float(way @ way), 1e-9)
            # a black ball has no colour of its own either, but none of the cloth's
            shaded = np.linalg.norm(own) > COLOURED * np.linalg.norm(bare)
            if shaded and turn > TURNED and np.linalg.norm(own - shared) > LEAST_TURN:
                result[i] = True
                break
    return result
