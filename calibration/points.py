"""Calibrating from points that a person names: pocket corners, spots and the D's ends, with their pixels."""

from collections.abc import Mapping
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.model import from_rectangle
from calibration.result import FailedCalibration
from calibration.solve import Measured, Solution, solve
from calibration.tables import TableSpec

Array = NDArray[np.float64]

FEWEST = 4
_SPREAD = 0.01
"""The least area of a triangle of points, as a share of the table's."""
_BENT_FROM = 6
"""So many points can also tell the lens's distortion."""


def named_points(table: TableSpec) -> dict[str, tuple[float, float, float]]:
    """Every name that may be given, and its place (x, y, z) on the table in mm.

    Pocket names stand for the place where the two nose lines meet (corners) and for the middle of the side's nose
    line (middle pockets), both at the height of the nose; spots and the D's ends lie on the cloth.
    """
    places = {name: (x, y, table.nose_height_mm) for name, (x, y) in table.pocket_corners().items()}
    places |= {name: (x, y, 0.0) for name, (x, y) in table.spots.items()}
    y, radius, middle = table.baulk_line_y_mm, table.d_radius_mm, table.width_mm / 2
    if y is not None and radius is not None:
        places |= {
            "d-left": (middle - radius, y, 0.0),
            "d-right": (middle + radius, y, 0.0),
            "d-bottom": (middle, y - radius, 0.0),
            "baulk-left": (0.0, y, 0.0),
            "baulk-right": (table.width_mm, y, 0.0),
        }
    return places


def _spread_out(points: Array) -> bool:
    """Whether four of the points (n, 2) lie so that no three of them are on one line."""
    area = float(np.prod(np.ptp(points, axis=0)))
    if area <= 0:
        return False

    def triangle(a: Array, b: Array, c: Array) -> float:
        return 0.5 * abs(float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])))

    return any(
        min(triangle(*three) for three in combinations([points[k] for k in four], 3)) > _SPREAD * area
        for four in combinations(range(len(points)), 4)
    )


def check_points(points: Mapping[str, tuple[float, float]], table: TableSpec, size: tuple[int, int]) -> str | None:
    """What is wrong with the given points for this table and a picture (width, height), or None."""
    places = named_points(table)
    unknown = sorted(set(points) - set(places))
    if unknown:
        return f"unknown point {unknown[0]!r}; this table has {', '.join(sorted(places))}"
    if len(points) < FEWEST:
        return f"{len(points)} points are too few: at least {FEWEST} are needed, no three of them on one line"
    for name, (u, v) in points.items():
        if not (np.isfinite(u) and np.isfinite(v)):
            return f"point {name!r} has no finite pixel coordinates"
        if abs(u - size[0] / 2) > 1.5 * size[0] or abs(v - size[1] / 2) > 1.5 * size[1]:
            return f"point {name!r} at ({u:g}, {v:g}) lies far outside the picture of {size[0]} x {size[1]} pixels"
    xy = np.array([places[name][:2] for name in points])
    uv = np.array(list(points.values()), dtype=np.float64)
    for what, values in (("on the table", xy), ("in the picture", uv)):
        if not _spread_out(values):
            return f"the points lie on too few lines {what}: four are needed of which no three are on one line"
    return None


def solve_points(
    points: Mapping[str, tuple[float, float]], table: TableSpec, size: tuple[int, int]
) -> tuple[Solution, list[Measured]] | FailedCalibration:
    """The camera that sees the named points at their pixels in a picture (width, height)."""
    wrong = check_points(points, table, size)
    if wrong is not None:
        return FailedCalibration(reason=wrong)
    places = named_points(table)
    xyz = np.array([places[name] for name in points])
    uv = np.array(list(points.values()), dtype=np.float64)
    homography, _ = cv2.findHomography(xyz[:, :2], uv, 0)
    if homography is None:
        return FailedCalibration(reason="no camera sees the points like this; check names and pixels")
    width, length = table.width_mm, table.length_mm
    rectangle = np.array([[0.0, 0.0], [0.0, length], [width, length], [width, 0.0]])
    flat = np.column_stack([rectangle, np.ones(4)]) @ np.asarray(homography, dtype=np.float64).T
    if np.any(flat[:, 2] * flat[0, 2] <= 0):
        return FailedCalibration(reason="no camera in front of the table sees the points like this; check the names")
    corners = flat[:, :2] / flat[:, 2:]
    ahead, aside = corners[1] - corners[0], corners[3] - corners[0]
    if ahead[0] * aside[1] - ahead[1] * aside[0] <= 0:
        return FailedCalibration(reason="the points show the table as in a mirror; left and right are mixed up")
    lens, _ = from_rectangle(corners, rectangle, float(np.mean(xyz[:, 2])), size, 0.0)
    lines = [
        Measured(name="points", points_mm=xyz, seen_px=uv, normals=np.tile(normal, (len(xyz), 1)), raised=False)
        for normal in (np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    ]
    solution = solve(Solution(lens=lens), lines, bent=len(points) >= _BENT_FROM)
    miss = np.linalg.norm(solution.lens.project(xyz) - uv, axis=1)
    if float(miss.max()) > 0.01 * size[0]:
        worst = list(points)[int(np.argmax(miss))]
        return FailedCalibration(
            reason=f"the points contradict each other: {worst!r} is {miss.max():.0f} px from where the others put it"
        )
    return solution, lines
