"""Solving the camera against measured edges: robust non-linear least squares over pose, focal length and distortion."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.edges import Pieces, Plane, cut, peak, profiles, slopes
from calibration.model import TYPICAL_FOCAL, Lens
from calibration.noses import side_places, side_points
from calibration.tables import CUSHIONS, TableSpec

Array = NDArray[np.float64]

NOISE_PX = 0.4
"""What an edge's place is good to where nothing disturbs it."""

INDEPENDENT = 8
"""As how many independent measurements one line counts: shading shifts the edges of a whole stretch alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """n places of one marking: table points (n, 3) mm, where seen (n, 2) px, normals (n, 2), weights (n,).

    ``outward`` is the direction (3,) in which the whole line may be shifted by an unknown amount, or None where the
    line's place on the table is documented.
    """

    name: str
    points_mm: Array
    seen_px: Array
    normals: Array
    weights: Array
    outward: Array | None = None


def measure_line(
    plane: Plane, lens: Lens, points_mm: Array, towards_mm: Array, name: str, sign: float, reach: float, sigma: float
) -> Measured | None:
    """Where a line through table points (n + 1, 3) is seen within ``reach`` px of its projection.

    sign: +1 where it gets brighter towards ``towards_mm`` (3,), -1 darker, 0 where either may be.
    """
    uv = lens.project(points_mm)
    pieces = cut(uv, lens.project(towards_mm[None])[0])
    offsets, values = profiles(plane, pieces, reach + 3 * sigma)
    derivative = slopes(values, sigma)
    response = np.abs(derivative) if sign == 0 else sign * derivative
    response = np.where(np.abs(offsets) <= reach, response, np.nan)
    place, strength = peak(offsets, response)
    return _kept(name, points_mm, pieces, place, strength)


def _kept(name: str, points_mm: Array, pieces: Pieces, place: Array, strength: Array) -> Measured | None:
    good = np.isfinite(place) & (strength > 0.25 * np.nanmedian(strength)) & (strength > 0.4)
    if np.count_nonzero(good) < 6:
        return None
    middle = 0.5 * (points_mm[1:] + points_mm[:-1])
    return Measured(
        name=name,
        points_mm=middle[good],
        seen_px=pieces.points[good] + place[good, None] * pieces.normals[good],
        normals=pieces.normals[good],
        weights=np.ones(int(np.count_nonzero(good))),
    )


def measure_noses(
    plane: Plane, table: TableSpec, lens: Lens, changes: dict[str, float], reach: float, sigma: float
) -> list[Measured]:
    """The four noses near where ``lens`` puts them; ``changes`` says how the light changes inward over each."""
    found = []
    middle = np.array([table.width_mm / 2, table.length_mm / 2, table.nose_height_mm])
    for side in CUSHIONS:
        places = side_places(side, 72)
        points = side_points(table, side, places, 0.0, table.nose_height_mm)
        sign = float(np.sign(changes[side]))
        line = measure_line(plane, lens, points, middle, f"nose-{side}", sign, reach, sigma)
        if line is not None:
            found.append(line)
    return found


def residuals_px(lens: Lens, lines: list[Measured]) -> Array:
    """(n,) distances in px of all seen places from the projected lines, across the lines."""
    parts = [np.sum((lens.project(line.points_mm) - line.seen_px) * line.normals, axis=1) for line in lines]
    return np.concatenate(parts) if parts else np.empty(0)


def solve(lens: Lens, lines: list[Measured], *, k2: bool = False, focal_sigma: float = 0.35) -> Lens:
    """The camera that fits the measured lines best.

    Where the lines can't tell the focal length or the distortion, a usual one is taken: a prior of ``focal_sigma``
    on its logarithm, and 0.1 on k1.
    """
    weights = np.concatenate([line.weights * np.sqrt(min(1.0, INDEPENDENT / len(line.weights))) for line in lines])
    usual = np.log(TYPICAL_FOCAL * lens.size[0])
    free = np.array([True] * 8 + [k2])
    start = lens.to_vector()

    def cost(vector: Array) -> Array:
        full = start.copy()
        full[free] = vector
        moved = lens.moved_to(full)
        parts = [np.sum((moved.project(line.points_mm) - line.seen_px) * line.normals, axis=1) for line in lines]
        error = np.concatenate(parts) * weights / NOISE_PX
        robust = np.sign(error) * np.sqrt(2 * (np.sqrt(1 + error**2 / 4) - 1) * 4)
        prior = np.array([(full[6] - usual) / focal_sigma, full[7] / 0.1, full[8] / 0.05])
        return np.concatenate([robust, prior])

    solved = least_squares(cost, start[free], method="trf", x_scale="jac", max_nfev=60)
    final = start.copy()
    final[free] = solved.x
    return lens.moved_to(final)
