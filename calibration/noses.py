"""The noses of the cushions: where they lie between the cloth's outline and the bed.

From the rail inward a cushion's top is evenly bright; at the nose the light changes: to the shaded face and the
shadow under it, or, seen from behind, to the bed. That first change inside the outline, at about the same distance
on all four sides, is the nose.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges import Plane
from calibration.model import Lens
from calibration.tables import CUSHIONS, TableSpec

Array = NDArray[np.float64]

CUSHION_DEPTH_MM = 52.0
"""Usual distance from the nose to the edge of the cushion's cloth at the rail."""
_DEPTHS = np.arange(24.0, 96.0, 1.0)
_SPREAD_MM = 14.0
_TILT_MM = 24
_BRIGHTER = 0.75
_BINS = 14
_PER_BIN = 8


def side_points(table: TableSpec, side: str, places: Array, outward_mm: float, z_mm: float) -> Array:
    """Points (n, 3) at shares ``places`` of a cushion's nose line, moved outward by so many mm, at height z."""
    width, length = table.width_mm, table.length_mm
    ends = {
        "bottom": ((0.0, 0.0), (width, 0.0), (0.0, -1.0)),
        "right": ((width, 0.0), (width, length), (1.0, 0.0)),
        "top": ((width, length), (0.0, length), (0.0, 1.0)),
        "left": ((0.0, length), (0.0, 0.0), (-1.0, 0.0)),
    }
    start, end, outward = (np.array(point) for point in ends[side])
    points = start + (end - start) * places[:, None] + outward * outward_mm
    return np.column_stack([points, np.full(len(points), z_mm)])


def side_places(side: str, count: int) -> Array:
    """Shares of a nose line that are clear of the pockets."""
    if side in ("bottom", "top"):
        return np.linspace(0.09, 0.91, count)
    half = count // 2
    return np.concatenate([np.linspace(0.06, 0.44, half), np.linspace(0.56, 0.94, count - half)])


def _slopes(plane: Plane, table: TableSpec, lens: Lens, side: str) -> Array:
    """(depths, bins) change of brightness per mm inward, each the median over a stretch of the side."""
    places = side_places(side, _BINS * _PER_BIN)
    outward = CUSHION_DEPTH_MM - np.repeat(_DEPTHS, len(places))
    points = np.concatenate(
        [side_points(table, side, places, CUSHION_DEPTH_MM - depth, table.nose_height_mm) for depth in _DEPTHS]
    )
    assert len(points) == len(outward)
    uv = lens.project(points).astype(np.float32).reshape(len(_DEPTHS), len(places), 2)
    sampled = cv2.remap(plane, uv[..., 0], uv[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rows = np.median(sampled.reshape(len(_DEPTHS), _BINS, _PER_BIN), axis=2)
    smooth = np.asarray(cv2.GaussianBlur(rows.astype(np.float64), (1, 0), sigmaX=0.01, sigmaY=1.5))
    change: Array = np.gradient(smooth, axis=0)
    return change


def nose_depths(plane: Plane, table: TableSpec, lens: Lens) -> tuple[dict[str, tuple[float, float]], dict[str, float]]:
    """For each cushion how far (mm) the nose lies inside the outline at its two ends, and how the light changes there.

    ``lens`` sees the outline's rectangle, ``CUSHION_DEPTH_MM`` outside the noses, at nose height. The ends are those
    of `side_points`. The change is in grey levels per mm inward, signed.
    """
    pairs = np.array([(i, j) for i in range(len(_DEPTHS)) for j in range(len(_DEPTHS)) if abs(i - j) <= _TILT_MM])
    share = (np.arange(_BINS) + 0.5) / _BINS
    index = np.round(pairs[:, :1] * (1 - share) + pairs[:, 1:] * share).astype(np.int64)
    mean_depth = _DEPTHS[pairs].mean(axis=1)
    tilt = np.abs(pairs[:, 0] - pairs[:, 1])
    signed, merit = {}, {}
    for side in CUSHIONS:
        change = _slopes(plane, table, lens, side)
        floor = 0.15 * max(float(np.percentile(np.abs(change), 99)), 0.5)
        along = np.clip(change[index, np.arange(_BINS)], -20 * floor, 20 * floor)
        compressed = np.sign(along) * np.log1p(np.abs(along) / floor)
        signed[side] = compressed.mean(axis=1)
        merit[side] = (
            np.where(signed[side] < 0, 1.0, _BRIGHTER)
            * np.abs(signed[side])
            * np.exp(-(mean_depth - _DEPTHS[0]) / 70.0 - tilt / 60.0)
        )
        merit[side] /= max(float(merit[side].max()), 0.2)
    common = np.zeros(len(_DEPTHS))
    for k, depth in enumerate(_DEPTHS):
        near = np.abs(mean_depth - depth) <= _SPREAD_MM
        common[k] = sum(float(values[near].max()) for values in merit.values())
    common -= 0.3 * np.abs(np.log(_DEPTHS / CUSHION_DEPTH_MM))
    plateau = np.nonzero(common > common.max() - 0.02)[0]
    best = _DEPTHS[plateau[len(plateau) // 2]]
    depths, changes = {}, {}
    for side, values in merit.items():
        at = int(np.argmax(np.where(np.abs(mean_depth - best) <= _SPREAD_MM, values, -1.0)))
        depths[side] = (float(_DEPTHS[pairs[at, 0]]), float(_DEPTHS[pairs[at, 1]]))
        changes[side] = float(signed[side][at])
    return depths, changes
