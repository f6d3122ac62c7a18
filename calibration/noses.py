"""The noses of the cushions: where they may lie between the cloth's outline and the bed.

From the rail inward a cushion's top is evenly lit; at the nose the light changes: to the shaded face and the shadow
under it, or, seen from behind, to the bed. It is the first such change inside the outline. Shadows that cushions
throw on the bed make more of them, so each side gives a few candidates, and the camera decides between them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.edges import Plane, sampled
from calibration.median import median_of
from calibration.planemap import Projection
from calibration.smooth import gaussian
from calibration.tables import TableSpec

Array = NDArray[np.float64]

CUSHION_DEPTH_MM = 50.0
"""Usual distance from the nose to the edge of the cushion's cloth at the rail."""
_DEPTHS = np.arange(0.0, 92.0, 1.0)
_NEAREST_MM = 16.0
_TILT, _TILT_STEP = 12, 1
_BINS = 14
_PER_BIN = 8
_UNSEEN = 0.1
_CLEAR = 0.6
"""How well the change must agree in direction along the side: 1 where it is the same everywhere."""
_BRIGHTER = 0.75
"""Weight of a change to brighter: a nose shades what is beyond it more often than not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoseCandidate:
    """A line inside one side of the outline: depths (2,) mm at the two ends of `side_points`.

    change: (3,) how L*, a*, b* change inward over it, as a direction; None where the nose doesn't show at all.
    merit: 1 for the likeliest of this side.
    """

    depths: tuple[float, float]
    change: Array | None
    merit: float

    @property
    def depth(self) -> float:
        return 0.5 * (self.depths[0] + self.depths[1])


OUTWARD = {"bottom": (0.0, -1.0, 0.0), "right": (1.0, 0.0, 0.0), "top": (0.0, 1.0, 0.0), "left": (-1.0, 0.0, 0.0)}
"""From the bed over each cushion."""


def side_points(table: TableSpec, side: str, places: Array, outward_mm: float, z_mm: float) -> Array:
    """Points (n, 3) at shares ``places`` of a cushion's nose line, moved outward by so many mm, at height z."""
    width, length = table.width_mm, table.length_mm
    corners = np.array([(0.0, 0.0, z_mm), (width, 0.0, z_mm), (width, length, z_mm), (0.0, length, z_mm)])
    first = ("bottom", "right", "top", "left").index(side)
    start, end = corners[first] + np.multiply(OUTWARD[side], outward_mm), corners[(first + 1) % 4] - corners[first]
    points: Array = start + end * places[:, None]
    return points


def side_places(side: str, count: int) -> Array:
    """Shares of a nose line that are clear of the pockets."""
    if side in ("bottom", "top"):
        return np.linspace(0.09, 0.91, count)
    half = count // 2
    return np.concatenate([np.linspace(0.06, 0.44, half), np.linspace(0.56, 0.94, count - half)])


def _changes(plane: Plane, table: TableSpec, to_px: Projection, side: str) -> Array:
    """(depths, bins, 3) change of colour per mm inward, each of the median over a stretch of the side."""
    places = side_places(side, _BINS * _PER_BIN)
    first, last = (side_points(table, side, places, CUSHION_DEPTH_MM - depth, 0.0) for depth in _DEPTHS[[0, -1]])
    points = first + (last - first) * (_DEPTHS / _DEPTHS[-1])[:, None, None]
    uv = to_px(points.reshape(-1, 3)).reshape(len(_DEPTHS), len(places), 2)
    colours = sampled(plane, uv).reshape(len(_DEPTHS), _BINS, _PER_BIN, 3)
    each = colours.astype(np.float32)
    rows = np.nan_to_num(median_of([each[:, :, k] for k in range(_PER_BIN)]).astype(np.float64))
    change: Array = np.gradient(gaussian(rows, 1.5), axis=0)
    return change


def _pairs() -> Array:
    tilts, count = range(0, _TILT + 1, _TILT_STEP), range(len(_DEPTHS))
    return np.array([(i, j) for i in count for j in count if abs(i - j) in tilts])


_PAIRS = _pairs()
_SHARE = (np.arange(_BINS) + 0.5) / _BINS
_ALONG = np.round(_PAIRS[:, :1] * (1 - _SHARE) + _PAIRS[:, 1:] * _SHARE).astype(np.intp) * _BINS + np.arange(_BINS)
"""(pairs, bins) where a line from one depth to another runs, in an array (depths, bins)."""

_MEAN_DEPTH = _DEPTHS[_PAIRS].mean(axis=1)
_NEAR = np.abs(_MEAN_DEPTH - _DEPTHS[:, None]) < 0.75
"""(depths, pairs) whether a line from one depth to another lies at a depth in the mean."""


def nose_candidates(plane: Plane, table: TableSpec, to_px: Projection, side: str) -> list[NoseCandidate]:
    """Up to three places for one nose, the likeliest first, after the candidate that it doesn't show.

    ``to_px`` takes the plane of the outline, a rectangle ``CUSHION_DEPTH_MM`` outside the noses, to the picture.
    """
    change = _changes(plane, table, to_px, side)
    size = np.linalg.norm(change, axis=2, keepdims=True)
    floor = 0.15 * max(float(np.percentile(size[_DEPTHS >= _NEAREST_MM], 98)), 0.2)
    direction = change / np.maximum(size, 1e-6)
    both = np.concatenate([direction * np.log1p(size / floor), direction], axis=2).reshape(-1, 6)
    along = both.take(_ALONG.T, axis=0).sum(axis=0) / _BINS
    mean, clarity = along[:, :3], np.linalg.norm(along[:, 3:], axis=1)
    strength = np.linalg.norm(mean, axis=1)
    brighter = mean[:, 0] > 0.7 * strength
    tilt = np.abs(_PAIRS[:, 0] - _PAIRS[:, 1])
    merit = strength * np.where(brighter, _BRIGHTER, 1.0) * np.exp(-_MEAN_DEPTH / 90.0 - tilt / 60.0)
    merit *= clarity**2
    by_depth = np.where(_NEAR, merit, -np.inf).max(axis=1)
    summits = [
        depth
        for k, depth in enumerate(_DEPTHS)
        if depth >= _NEAREST_MM and by_depth[k] >= by_depth[max(0, k - 5) : k + 6].max()
    ]
    best = max((by_depth[int(depth)] for depth in summits), default=0.0)
    found = [NoseCandidate(depths=(CUSHION_DEPTH_MM, CUSHION_DEPTH_MM), change=None, merit=_UNSEEN)]
    for depth in sorted(summits, key=lambda depth: -by_depth[int(depth)]):
        at = int(np.argmax(np.where(_NEAR[int(depth)], merit, -1.0)))
        apart = all(abs(depth - other.depth) > 4.0 for other in found[1:])
        if merit[at] < 0.35 * best or merit[at] <= 0 or clarity[at] < _CLEAR or len(found) > 3:
            break
        if apart:
            ends = _DEPTHS[_PAIRS[at]]
            change = mean[at] / max(float(strength[at]), 1e-9)
            found.append(
                NoseCandidate(depths=(float(ends[0]), float(ends[1])), change=change, merit=float(merit[at] / best))
            )
    return found
