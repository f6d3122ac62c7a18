"""Distances on the table between balls, places and lines, in mm, with what is not known of them.

A ball's centre is uncertain by its track's own sigma, and by CENTRE_PX of the picture, which is what shadows,
highlights and touching balls leave (the error of resting balls in the simulated clips, against their truth). The
calibration is uncertain by its residual: as a whole against the table's markings, and less the nearer two balls lie to
each other, since both are displaced alike then. All of it is one standard deviation along the line that is measured.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.result import Calibration
from calibration.tables import TableSpec
from referee.app.review.errors import ReviewError
from referee.app.review.words import Words

CENTRE_PX = 0.4
CLICKED_PX = 1.0
ALIKE_SHARE = 0.25
"""The calibration's error changes over this share of the table's length."""
TELLS_APART_SIGMAS = 2.0
Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A point to measure from: mm in the table frame, ``z_mm`` its height.

    sigma_mm: its own, without the calibration's. seen: measured by the camera, not given in the table's coordinates.
    """

    name: Words
    x_mm: float
    y_mm: float
    z_mm: float
    sigma_mm: float
    seen: bool
    ball: str | None = None

    @property
    def xy(self) -> Point:
        return self.x_mm, self.y_mm


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A straight line of the table between two points in mm, at a height. cushion: whether it is a cushion's nose."""

    name: Words
    start: Point
    end: Point
    z_mm: float
    cushion: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """Between the points ``a`` and ``b`` (of a line: its nearest point). gap_mm: between the surfaces, None for points.

    sigma_mm: one standard deviation.
    """

    a: Point
    b: Point
    mm: float
    sigma_mm: float
    gap_mm: float | None


def line_of(table: TableSpec, name: str) -> TableLine:
    """A line by its name, as in ``crossed``, or a cushion. Raises ReviewError."""
    width, length = table.width_mm, table.length_mm
    head = table.baulk_line_y_mm if table.baulk_line_y_mm is not None else length / 4
    lines: dict[str, tuple[Point, Point, str]] = {
        "bottom": ((0, 0), (width, 0), "нижний борт"),
        "top": ((0, length), (width, length), "верхний борт"),
        "left": ((0, 0), (0, length), "левый борт"),
        "right": ((width, 0), (width, length), "правый борт"),
        "centre_line": ((0, length / 2), (width, length / 2), "центральная линия"),
        "long_string": ((width / 2, 0), (width / 2, length), "продольная линия"),
    }
    if table.family == "snooker":
        lines["baulk_line"] = ((0, head), (width, head), "линия дома")
    else:
        lines["head_string"] = ((0, head), (width, head), "линия дома")
    if name not in lines:
        raise ReviewError(f"line: expected one of {', '.join(lines)}, got {name!r}")
    start, end, russian = lines[name]
    cushion = name in ("bottom", "top", "left", "right")
    english = f"{name} cushion" if cushion else name.replace("_", " ")
    z = table.nose_height_mm if cushion else 0.0
    return TableLine(name={"en": english, "ru": russian}, start=start, end=end, z_mm=z, cushion=cushion)


def mm_per_px(calibration: Calibration, at: Point, z_mm: float) -> float:
    """At a place: the mean over directions."""
    jacobian = calibration.camera.jacobian_px_per_mm(np.array([at]), z_mm)[0]
    return float(1.0 / math.sqrt(abs(np.linalg.det(jacobian))))


def centre_sigma(calibration: Calibration, at: Point, track_sigma_mm: float | None) -> float:
    """Of a ball's centre that was tracked with this sigma (None: not known), mm."""
    pixel = CENTRE_PX * mm_per_px(calibration, at, calibration.table.ball_radius_mm)
    return math.hypot(pixel, track_sigma_mm or 0.0)


def distance(calibration: Calibration, a: Place, b: Place | TableLine) -> Distance:
    """From a to b, with its standard deviation along the line between them."""
    if isinstance(b, TableLine):
        at, mm = _nearest(a.xy, b)
        sigma = math.hypot(a.sigma_mm, calibration.residual_mm if a.seen else 0.0)
        gap = mm - _touching_cushion_mm(calibration.table) if b.cushion and a.ball else None
        return Distance(a=a.xy, b=at, mm=mm, sigma_mm=sigma, gap_mm=gap)
    mm = math.dist(a.xy, b.xy)
    shift = _calibration_sigma(calibration, a, b, mm)
    gap = mm - calibration.table.ball_diameter_mm if a.ball and b.ball else None
    return Distance(a=a.xy, b=b.xy, mm=mm, sigma_mm=math.hypot(a.sigma_mm, b.sigma_mm, shift), gap_mm=gap)


def _calibration_sigma(calibration: Calibration, a: Place, b: Place, mm: float) -> float:
    if not (a.seen and b.seen):
        return calibration.residual_mm if a.seen or b.seen else 0.0
    alike = math.exp(-((mm / (ALIKE_SHARE * calibration.table.length_mm)) ** 2))
    return calibration.residual_mm * math.sqrt(2.0 * (1.0 - alike))


def _nearest(point: Point, line: TableLine) -> tuple[Point, float]:
    """The nearest point of the whole straight line, and how far it is."""
    start, end, at = np.array(line.start), np.array(line.end), np.array(point)
    along = (end - start) / np.linalg.norm(end - start)
    foot = start + along * float(along @ (at - start))
    return (float(foot[0]), float(foot[1])), float(np.linalg.norm(at - foot))


def _touching_cushion_mm(table: TableSpec) -> float:
    """How far a ball's centre is from the nose line when it touches the nose, which is above its centre."""
    above = table.nose_height_mm - table.ball_radius_mm
    return math.sqrt(max(0.0, table.ball_radius_mm**2 - above**2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearer:
    """Which of two distances from the same place is the shorter one: 0 or 1, None where it can't be told."""

    which: int | None
    by_mm: float
    sigma_mm: float


def nearer(first: Distance, second: Distance) -> Nearer:
    """Told only where the difference is more than two standard deviations."""
    by = abs(first.mm - second.mm)
    sigma = math.hypot(first.sigma_mm, second.sigma_mm)
    known = by > TELLS_APART_SIGMAS * sigma
    return Nearer(which=(0 if first.mm < second.mm else 1) if known else None, by_mm=by, sigma_mm=sigma)


def in_words(found: Distance) -> Words:
    """``412 ± 3 mm``, and the gap between surfaces where there is one."""
    digits = 1 if found.sigma_mm < 1 else 0
    number = f"{found.mm:.{digits}f} ± {max(found.sigma_mm, 0.1):.{digits}f}"
    out = {"en": f"{number} mm", "ru": f"{number} мм"}
    if found.gap_mm is not None:
        gap = f"{max(0.0, found.gap_mm):.{digits}f}"
        touching = found.gap_mm < TELLS_APART_SIGMAS * found.sigma_mm
        out["en"] += f" (gap {gap} mm{', may touch' if touching else ''})"
        out["ru"] += f" (зазор {gap} мм{', могут касаться' if touching else ''})"
    return out


def nearer_in_words(found: Nearer, first: Words, second: Words) -> Words:
    if found.which is None:
        return {
            "en": f"Can't be told apart: they differ by {found.by_mm:.0f} ± {found.sigma_mm:.0f} mm",
            "ru": f"Не различить: разница {found.by_mm:.0f} ± {found.sigma_mm:.0f} мм",
        }
    name = (first, second)[found.which]
    return {
        "en": f"Nearer: {name['en']}, by {found.by_mm:.0f} ± {found.sigma_mm:.0f} mm",
        "ru": f"Ближе: {name['ru']}, на {found.by_mm:.0f} ± {found.sigma_mm:.0f} мм",
    }


def to_json(found: Distance, calibration: Calibration, a: Place, b: Place | TableLine) -> dict[str, Any]:
    """Numbers for the page, the points in mm and in px of the picture."""
    uv = calibration.camera.project(np.array([[*found.a, a.z_mm], [*found.b, b.z_mm]]))
    points = [
        {"x": round(x, 1), "y": round(y, 1), "u": round(float(u), 2), "v": round(float(v), 2)}
        for (x, y), (u, v) in zip((found.a, found.b), uv, strict=True)
    ]
    return {
        "distance_mm": round(found.mm, 1),
        "sigma_mm": round(found.sigma_mm, 1),
        "gap_mm": None if found.gap_mm is None else round(found.gap_mm, 1),
        "a": points[0],
        "b": points[1],
        "text": in_words(found),
    }
