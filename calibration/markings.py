"""Markings on a snooker cloth: the baulk line and the D, where they are, and at which end.

Both are thin strokes, brighter or darker than the cloth. They are looked for along families of parallel lines and of
concentric arcs: the median over a whole line of the stroke's contrast survives balls, players and noise.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.edges import Plane, sampled
from calibration.model import Lens
from calibration.smooth import gaussian, running_median
from calibration.solve import Measured, measure_stroke
from calibration.tables import TableSpec

Array = NDArray[np.float64]

_SURE = 5.0
"""A stroke stands out by so many deviations of what else the search met."""
_SEARCH_MM = 24.0
_SEARCH_SHARE = 0.12
"""How far from its documented place a marking is looked for: on a standard table, and on a measured one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baulk:
    """Where baulk line and D were found: y and radius in mm, NaN where not; how much each stands out (deviations).

    line_sign, d_sign: +1 where the stroke is brighter than the cloth, -1 darker.
    """

    line_y_mm: float
    line_contrast: float
    line_sign: float
    d_radius_mm: float
    d_contrast: float
    d_sign: float

    @property
    def contrast(self) -> float:
        return self.line_contrast + self.d_contrast

    @property
    def found(self) -> bool:
        return not (np.isnan(self.line_y_mm) and np.isnan(self.d_radius_mm))


def _mm_per_px(lens: Lens, points: Array, step: Array) -> float:
    """Mean size on the cloth of a pixel along the direction ``step`` (3,) mm at table points (n, 3)."""
    moved = np.linalg.norm(lens.project(points + step) - lens.project(points - step), axis=1) / 2
    return float(np.linalg.norm(step) / max(float(np.median(moved)), 1e-3))


def _strongest(rows: Array, expected: Array, sigma: float, step: float) -> tuple[float, float, float]:
    """Index of the row (a fraction) where a stroke runs, its contrast in deviations and its sign.

    rows: (n, m) lightness on n parallel curves ``step`` mm apart, m places each. expected: (n,) prior weight.
    """
    if np.count_nonzero(np.isfinite(rows).all(axis=0)) < 0.3 * rows.shape[1]:
        return 0.0, 0.0, 1.0
    width = max(sigma / step, 0.8)
    response = gaussian(rows, width) - gaussian(rows, 2.5 * width)
    mean = np.median(response[:, np.isfinite(response).all(axis=0)], axis=1)
    mean = mean - running_median(mean, max(3, int(9 * width)))
    spread = 1.4826 * float(np.median(np.abs(mean - np.median(mean)))) + 0.01
    weighted = np.abs(mean) * expected
    edge = int(np.ceil(2.5 * width))
    weighted[:edge] = weighted[len(weighted) - edge :] = 0.0
    best = int(np.argmax(weighted))
    shift = 0.0
    if 0 < best < len(mean) - 1:
        left, middle, right = np.abs(mean[best - 1 : best + 2])
        bend = left - 2 * middle + right
        shift = float(np.clip(0.5 * (left - right) / bend, -1, 1)) if bend < 0 else 0.0
    return best + shift, float(weighted[best]) / spread, float(np.sign(mean[best]))


def find_baulk(plane: Plane, table: TableSpec, lens: Lens) -> Baulk | None:
    """Baulk line and D at the bottom end of the table that ``lens`` sees; None where the table has none."""
    y, radius = table.baulk_line_y_mm, table.d_radius_mm
    if y is None or radius is None:
        return None
    measured = table.name == "measured"
    x = np.linspace(0.05, 0.95, 120) * table.width_mm
    flat = np.column_stack([x, np.full(len(x), y), np.zeros(len(x))])
    pixel = _mm_per_px(lens, flat, np.array([0.0, 5.0, 0.0]))
    step = min(2.0, 0.4 * pixel)
    reach = (_SEARCH_SHARE * y if measured else _SEARCH_MM) + 5 * pixel
    shifts = np.arange(-reach, reach + step / 2, step)
    grid = flat[None] + shifts[:, None, None] * np.array([0.0, 1.0, 0.0])
    lightness = sampled(plane, lens.project(grid.reshape(-1, 3)).reshape(*grid.shape[:2], 2))[..., 0]
    expected = np.exp(-0.5 * (shifts / (0.6 * reach)) ** 2)
    row, line_contrast, line_sign = _strongest(lightness, expected, 0.8 * pixel, step)
    found_y = y + float(np.interp(row, np.arange(len(shifts)), shifts))
    if line_contrast < _SURE:
        found_y = float("nan")
    base_y = y if np.isnan(found_y) else found_y
    angle = np.linspace(1.06 * np.pi, 1.94 * np.pi, 100)
    around = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(len(angle))])
    centre = np.array([table.width_mm / 2, base_y, 0.0])
    radii = radius + np.arange(-reach, reach + step / 2, step)
    rings = centre + radii[:, None, None] * around
    lightness = sampled(plane, lens.project(rings.reshape(-1, 3)).reshape(*rings.shape[:2], 2))[..., 0]
    row, d_contrast, d_sign = _strongest(
        lightness, np.exp(-0.5 * ((radii - radius) / (0.6 * reach)) ** 2), 0.7 * pixel, step
    )
    found_radius = float(np.interp(row, np.arange(len(radii)), radii))
    return Baulk(
        line_y_mm=found_y,
        line_contrast=line_contrast,
        line_sign=line_sign,
        d_radius_mm=found_radius if d_contrast >= _SURE else float("nan"),
        d_contrast=d_contrast,
        d_sign=d_sign,
    )


def measure_baulk(plane: Plane, table: TableSpec, lens: Lens, baulk: Baulk) -> list[Measured]:
    """The places where baulk line and D are seen, those of them that stand out.

    Places that agree neither with the documented marking nor with most of the others (balls, scratches) are left out.
    """
    y, radius = table.baulk_line_y_mm, table.d_radius_mm
    if y is None or radius is None:
        return []
    scale = max(1.0, lens.size[0] / 1280)
    curves = []
    if not np.isnan(baulk.line_y_mm):
        x = np.linspace(0.04, 0.96, 61) * table.width_mm
        curves.append(("baulk-line", np.column_stack([x, np.full(len(x), y), 0 * x]), baulk.line_sign))
    if not np.isnan(baulk.d_radius_mm):
        angle = np.linspace(1.04 * np.pi, 1.96 * np.pi, 41)
        arc = np.column_stack([table.width_mm / 2 + radius * np.cos(angle), y + radius * np.sin(angle), 0 * angle])
        curves.append(("d", arc, baulk.d_sign))
    found = []
    for name, points, sign in curves:
        line = measure_stroke(plane, lens.project, name, points, sign, 4.0 * scale)
        if line is None:
            continue
        offset = np.sum((lens.project(line.points_mm) - line.seen_px) * line.normals, axis=1)
        good = np.abs(offset - np.median(offset)) < 1.5 * scale
        if np.count_nonzero(good) >= 8:
            found.append(line.only(good))
    return found
