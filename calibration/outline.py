"""The four straight sides of the cloth's outline, and the lens distortion that makes them straight.

Straight lines in the world stay straight under a pinhole camera, so the distortion that makes the sides of the
outline straight is the lens's (plumb-line method; Brown 1971). It is described here by the one-parameter division
model (Fitzgibbon 2001), whose inverse is exact, and turned into Brown's k1 by the caller.
"""

from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cloth import ClothRegion
from calibration.descent import descend, softened
from calibration.edges import Plane, cut, peak, profiles, slopes
from calibration.planemap import bend, crossed, half_diagonal, middle_of, straighten

Array = NDArray[np.float64]

_CURVATURES = (-0.5, -0.41, -0.33, -0.26, -0.2, -0.15, -0.1, -0.06, -0.03, 0.0, 0.03, 0.06)
"""Division-model parameters tried, for radii in half diagonals; negative is barrel distortion.

Every second one first, then the two beside the best.
"""
_TOLERANCE = 1.2
_TRIALS = 800
_POINTS = 500
_THINNED, _FINALISTS = 4, 40
"""Trials are counted on every fourth point first; those that carry most of them, on all points."""
_OVERLAP = 0.75
_KEPT = 8
_CUT = 0.08
"""Share of the contour on the picture's edge from which the edge is taken for a side: it cuts the table there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """corners: (4, 2) straight px of the full picture, clockwise as seen. curvature: of the division model.

    merit: a logarithm, more where more of the region's boundary lies on the sides and the region fills them better.
    """

    corners: Array
    curvature: float
    merit: float


def _lines(points: Array, hull: Array, rng: np.random.Generator) -> list[tuple[Array, int]]:
    """Up to six lines (nx, ny, d) with ``n·p = d`` that carry many points and have the region on one side only."""
    centre = hull.mean(axis=0)
    size = float(np.ptp(hull, axis=0).max())
    left = np.ones(len(points), dtype=bool)
    at_centre = np.column_stack([points - centre, np.ones(len(points))]).astype(np.float32)
    found: list[tuple[Array, int]] = []
    for _ in range(6):
        alive = np.nonzero(left)[0]
        if len(alive) < 20:
            break
        first = rng.choice(alive, _TRIALS)
        span = rng.integers(len(points) // 40, max(len(points) // 5, 2 + len(points) // 40), _TRIALS)
        second = (first + span) % len(points)
        usable = left[second]
        first, second = first[usable], second[usable]
        direction = points[second] - points[first]
        length = np.hypot(*direction.T)
        first, direction, length = first[length > 5], direction[length > 5], length[length > 5]
        if len(first) == 0:
            break
        normal = np.column_stack([-direction[:, 1], direction[:, 0]]) / length[:, None]
        offset = np.sum(normal * points[first], axis=1)
        sign = np.sign(offset - normal @ centre)
        normal, offset = normal * sign[:, None], offset * sign
        within = np.flatnonzero((hull @ normal.T).max(axis=0) - offset <= 0.06 * size)
        if len(within) == 0:
            break
        normal, offset = normal[within], offset[within]
        trials = np.column_stack([normal, normal @ centre - offset]).astype(np.float32)
        points_left = at_centre[alive]
        rough = _carried(trials, points_left[::_THINNED])
        if len(rough) > _FINALISTS:
            finalists = np.sort(np.argpartition(-rough, _FINALISTS)[:_FINALISTS])
            trials, normal, offset = trials[finalists], normal[finalists], offset[finalists]
        counts = _carried(trials, points_left)
        best = int(np.argmax(counts))
        if counts[best] < 0.02 * len(points):
            break
        line = np.append(normal[best], offset[best])
        for _ in range(3):
            close = left & (np.abs(points @ line[:2] - line[2]) < 1.5 * _TOLERANCE)
            line = _through(points[close], line)
        count = int(np.count_nonzero(close & (np.abs(points @ line[:2] - line[2]) < _TOLERANCE)))
        left &= np.abs(points @ line[:2] - line[2]) > 3 * _TOLERANCE
        found.append((line, count))
    return found


def _carried(lines: NDArray[np.float32], points: NDArray[np.float32]) -> NDArray[np.intp]:
    """(n,) how many of the homogeneous points (m, 3) lie on each of the lines (n, 3)."""
    gaps = lines @ points.T
    near = (np.abs(gaps, out=gaps) < _TOLERANCE).view(np.uint8)
    return np.asarray(cv2.reduce(near, 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S).ravel(), dtype=np.intp)


def _through(points: Array, line: Array) -> Array:
    """The line (nx, ny, d) that fits points (n, 2) best, with its normal to the side of that of ``line``."""
    middle = points.mean(axis=0)
    off = points - middle
    across, both, down = off[:, 0] @ off[:, 0], off[:, 0] @ off[:, 1], off[:, 1] @ off[:, 1]
    angle = 0.5 * np.arctan2(2 * both, across - down) + 0.5 * np.pi
    normal = np.array([np.cos(angle), np.sin(angle)])
    normal *= np.sign(normal @ line[:2])
    return np.append(normal, normal @ middle)


def _meet(a: Array, b: Array) -> Array | None:
    determinant = a[0] * b[1] - a[1] * b[0]
    if abs(determinant) < 0.02:
        return None
    point: Array = np.array([a[2] * b[1] - b[2] * a[1], a[0] * b[2] - b[0] * a[2]]) / determinant
    return point


def _quadrilateral(lines: list[Array], centre: Array) -> Array | None:
    """Corners (4, 2) clockwise in the picture of four lines around the centre, or None where they don't close."""
    order = sorted(lines, key=lambda line: float(np.arctan2(line[1], line[0])))
    corners = [_meet(order[i - 1], order[i]) for i in range(4)]
    if any(corner is None for corner in corners):
        return None
    quad = np.array(corners, dtype=np.float64)
    if not cv2.isContourConvex(quad.astype(np.float32).reshape(-1, 1, 2)):
        return None
    return quad if cv2.pointPolygonTest(quad.astype(np.float32), tuple(map(float, centre)), False) > 0 else None


def _overlap(quad: Array, hull: Array) -> float:
    """Intersection over union of two convex polygons, by drawing both 200 px wide."""
    low = np.minimum(quad.min(axis=0), hull.min(axis=0))
    scale = 200.0 / float((np.maximum(quad.max(axis=0), hull.max(axis=0)) - low).max())
    drawn = []
    for polygon in (quad, hull):
        canvas = np.zeros((202, 202), np.uint8)
        cv2.fillConvexPoly(canvas, np.round((polygon - low) * scale).astype(np.int32), 1)
        drawn.append(canvas > 0)
    return int(np.count_nonzero(drawn[0] & drawn[1])) / max(int(np.count_nonzero(drawn[0] | drawn[1])), 1)


def _at_curvature(visible: Array, hull: Array, region: ClothRegion, curvature: float) -> list[Outline]:
    """Quadrilaterals round the region if the lens bends so. visible, hull: (n, 2) px of its mask."""
    height, width = region.mask.shape
    points = straighten(visible, (width, height), curvature)
    bent_hull = straighten(hull, (width, height), curvature)
    lines = _lines(points, bent_hull, np.random.default_rng(7))
    found = []
    for chosen in combinations(lines, 4):
        quad = _quadrilateral([line for line, _ in chosen], bent_hull.mean(axis=0))
        if quad is None:
            continue
        overlap = _overlap(quad, bent_hull)
        support = sum(count for _, count in chosen) / len(points)
        if overlap > _OVERLAP:
            found.append(
                Outline(
                    corners=(quad + 0.5) / region.scale - 0.5,
                    curvature=curvature,
                    merit=float(np.log(support)) + 4 * float(np.log(overlap)) - 0.1 * abs(curvature),
                )
            )
    return found


def find_outlines(region: ClothRegion, size: tuple[int, int]) -> list[Outline]:
    """Quadrilaterals round the cloth region of a picture (width, height), the likeliest first; empty if none fits."""
    height, width = region.mask.shape
    contour = region.contour
    inner = (contour[:, 0] > 3) & (contour[:, 0] < width - 4) & (contour[:, 1] > 3) & (contour[:, 1] < height - 4)
    if np.count_nonzero(~inner) > _CUT * len(contour):
        inner[:] = True
    if np.count_nonzero(inner) < 60:
        return []
    visible = contour[inner]
    visible = visible[:: max(1, len(visible) // _POINTS)]
    hull = cv2.convexHull(contour.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    tried = {k: _at_curvature(visible, hull, region, _CURVATURES[k]) for k in range(1, len(_CURVATURES), 2)}
    if any(tried.values()):
        best = max(tried, key=lambda k: max((outline.merit for outline in tried[k]), default=-np.inf))
        for k in (best - 1, best + 1):
            if k < len(_CURVATURES):
                tried[k] = _at_curvature(visible, hull, region, _CURVATURES[k])
    found = [outline for outlines in tried.values() for outline in outlines]
    found.sort(key=lambda outline: -outline.merit)
    distinct: list[Outline] = []
    for outline in found:
        if all(np.abs(outline.corners - other.corners).max() > 3 / region.scale for other in distinct):
            distinct.append(outline)
        if len(distinct) == _KEPT:
            break
    return distinct


_PIECES = 60
_CURVATURE_SIGMA = 0.02
"""How far the curvature found with the outline may be off."""


def _line_through(angle: float, offset: float) -> Array:
    return np.array([np.cos(angle), np.sin(angle), -offset])


def refine_outline(plane: Plane, outline: Outline, size: tuple[int, int]) -> Outline:
    """The outline moved to the edge of cloth and rail at the picture's full resolution, lines and curvature together.

    plane: the picture's colours. A side that shows no edge stays as it is.
    """
    scale = max(1.0, size[0] / 1280)
    shares = np.concatenate([np.linspace(0.07, 0.44, _PIECES // 2), np.linspace(0.56, 0.93, _PIECES // 2)])
    middle = bend(outline.corners.mean(axis=0)[None], size, outline.curvature)[0]
    seen, start = [], [outline.curvature]
    for k in range(4):
        ends = outline.corners[[k - 1, k]]
        points = ends[0] + (ends[1] - ends[0]) * shares[:, None]
        pieces = cut(bend(points, size, outline.curvature), middle)
        offsets, colours = profiles(plane, pieces, 5.0 * scale)
        strength = np.linalg.norm(slopes(colours, scale), axis=2) * np.exp(-0.5 * (offsets / (2.5 * scale)) ** 2)
        place, height = peak(offsets, strength)
        good = np.isfinite(place) & (height > 0.3 * np.nanmedian(height)) & (height > 0.5)
        if np.count_nonzero(good) >= 12:
            seen.append(pieces.points[good] + place[good, None] * pieces.normals[good])
        else:
            seen.append(pieces.points)
        along = ends[1] - ends[0]
        angle = float(np.arctan2(along[0], -along[1]))
        start += [angle, float(ends[0] @ [np.cos(angle), np.sin(angle)])]

    solved = _straightest(np.array(start), seen, size, 0.5 * scale)
    lines = [_line_through(angle, offset) for angle, offset in zip(solved[1::2], solved[2::2], strict=True)]
    corners = np.array([crossed(lines[k], lines[(k + 1) % 4]) for k in range(4)])
    return replace(outline, corners=corners[:, :2] / corners[:, 2:], curvature=float(solved[0]))


def _straightest(start: Array, seen: list[Array], size: tuple[int, int], noise_px: float) -> Array:
    """The vector (9,) of a curvature and four lines' angles and offsets that fits the pixels (n, 2) seen of each best.

    The curvature is held near that of ``start``.
    """
    points, side = np.concatenate(seen), np.repeat(np.arange(4), [len(each) for each in seen])
    rows = np.arange(len(points))
    from_middle = points - middle_of(size)
    radius2 = np.sum((from_middle / half_diagonal(size)) ** 2, axis=1)

    def errors(vector: Array) -> tuple[Array, Array, Array]:
        angle = vector[1::2][side]
        normal = np.column_stack([np.cos(angle), np.sin(angle)])
        straight = straighten(points, size, float(vector[0]))
        error = (np.sum(straight * normal, axis=1) - vector[2::2][side]) / noise_px
        return np.append(error, (vector[0] - start[0]) / _CURVATURE_SIGMA), normal, straight

    def misses(vector: Array) -> Array:
        return softened(errors(vector)[0], 1.0)[0]

    def slopes(vector: Array) -> Array:
        error, normal, straight = errors(vector)
        by_vector = np.zeros((len(error), len(vector)))
        grown = -radius2 / (1 + vector[0] * radius2) ** 2
        by_vector[:-1, 0] = grown * np.sum(from_middle * normal, axis=1) / noise_px
        across = straight[:, 1] * normal[:, 0] - straight[:, 0] * normal[:, 1]
        by_vector[rows, 1 + 2 * side] = across / noise_px
        by_vector[rows, 2 + 2 * side] = -1 / noise_px
        by_vector[-1, 0] = 1 / _CURVATURE_SIGMA
        return by_vector * softened(error, 1.0)[1][:, None]

    return descend(misses, slopes, start)[0]
