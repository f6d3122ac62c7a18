"""Calibrating from pictures: which way the table lies, and the camera solved against it."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cloth import find_cloth
from calibration.edges import brightness, cut, profiles, slopes
from calibration.model import Lens, from_rectangle
from calibration.noses import CUSHION_DEPTH_MM, nose_depths, side_points
from calibration.outline import find_outline
from calibration.result import Calibration, FailedCalibration
from calibration.solve import measure_noses, residuals_px, solve
from calibration.tables import CUSHIONS, TableSpec

Array = NDArray[np.float64]
Pixels = NDArray[np.uint8]


def calibrate(
    pictures: Sequence[Pixels],
    table: TableSpec,
    *,
    points: dict[str, tuple[float, float]] | None = None,
    baulk: str | None = None,
) -> Calibration | FailedCalibration:
    """The camera that took these pictures of a table (one still, or several frames of one clip from one camera)."""
    picture = np.asarray(np.median(np.stack(pictures), axis=0), dtype=np.uint8) if len(pictures) > 1 else pictures[0]
    size = (picture.shape[1], picture.shape[0])
    plane = brightness(picture)
    best = None
    for region in find_cloth(picture)[:3]:
        outline = find_outline(region, size)
        if outline is None:
            continue
        for turn in range(2):
            corners = np.roll(outline.corners, -turn, axis=0)
            depth = CUSHION_DEPTH_MM
            rectangle = np.array(
                [
                    [-depth, -depth],
                    [-depth, table.length_mm + depth],
                    [table.width_mm + depth, table.length_mm + depth],
                    [table.width_mm + depth, -depth],
                ]
            )
            lens, misfit = from_rectangle(corners, rectangle, table.nose_height_mm, size, outline.curvature)
            if best is None or misfit < best[0]:
                best = misfit, lens
        if best is not None:
            break
    if best is None:
        return FailedCalibration(reason="no table found: no large, evenly coloured region with four straight sides")
    misfit, lens = best
    lens, rms, worst, used = _refined(plane, table, lens)
    missed = tuple(f"nose-{side}" for side in CUSHIONS if f"nose-{side}" not in used)
    if len(used) < 3 or rms > 3.0:
        return FailedCalibration(reason="a cloth was found, but not the noses of its cushions", missed=missed)
    flipped = _flipped(lens, table)
    scores = [_baulk_contrast(plane, table, candidate) for candidate in (lens, flipped)]
    if scores[1] > scores[0]:
        lens = flipped
    camera = lens.camera()
    scale = float(
        np.mean(np.abs(camera.jacobian_px_per_mm(np.array([[table.width_mm / 2, table.length_mm / 2]]), 0.0)))
    )
    return Calibration(
        table=table,
        camera=camera,
        residual_px=rms,
        residual_mm=rms / max(scale, 1e-6),
        residual_max_px=worst,
        found_by="markings",
        used=used,
        baulk_by=f"markings {scores[0]:.2f} {scores[1]:.2f}",
    )


def _refined(plane: NDArray[np.float32], table: TableSpec, lens: Lens) -> tuple[Lens, float, float, tuple[str, ...]]:
    depths, changes = nose_depths(plane, table, lens)
    nose = table.nose_height_mm
    straight = replace(lens, k1=0.0, k2=0.0)
    sides = []
    for side in CUSHIONS:
        ends = np.array([0.0, 1.0])
        inward = np.array(depths[side])[:, None] - CUSHION_DEPTH_MM
        outer = side_points(table, side, ends, 0.0, nose)
        direction = side_points(table, side, ends, -1.0, nose) - outer
        uv = straight.project(outer + direction * inward)
        sides.append(np.cross(np.append(uv[0], 1.0), np.append(uv[1], 1.0)))
    bottom, top, left, right = sides
    meets = [np.cross(*pair) for pair in ((bottom, left), (left, top), (top, right), (right, bottom))]
    corners = np.array([meet[:2] / meet[2] for meet in meets])
    exact = np.array([[0.0, 0.0], [0.0, table.length_mm], [table.width_mm, table.length_mm], [table.width_mm, 0.0]])
    half_diagonal = 0.5 * float(np.hypot(*lens.size))
    moved, _ = from_rectangle(corners, exact, nose, lens.size, lens.k1 * (half_diagonal / lens.focal) ** 2)
    lines = []
    for reach, sigma in ((5.0, 1.2), (3.0, 1.0), (2.5, 0.9), (2.0, 0.9)):
        scale = max(1.0, lens.size[0] / 1600)
        lines = measure_noses(plane, table, moved, changes, reach * scale, sigma * scale)
        if len(lines) < 3:
            break
        moved = solve(moved, lines)
    error = np.abs(residuals_px(moved, lines)) if lines else np.array([np.inf])
    return moved, float(np.sqrt(np.mean(error**2))), float(error.max()), tuple(line.name for line in lines)


def _flipped(lens: Lens, table: TableSpec) -> Lens:
    """The same camera with the table's two ends exchanged."""
    rotation = cv2.Rodrigues(lens.rotation_vector)[0]
    half_turn = np.diag([-1.0, -1.0, 1.0])
    centre = np.array([table.width_mm, table.length_mm, 0.0])
    vector = np.concatenate([cv2.Rodrigues(rotation @ half_turn)[0].reshape(3), lens.to_vector()[3:]])
    moved = lens.moved_to(vector)
    vector[3:6] = (lens.translation + rotation @ centre) / 1000.0
    return moved.moved_to(vector)


def _baulk_contrast(plane: NDArray[np.float32], table: TableSpec, lens: Lens) -> float:
    """How much the baulk line and the D stand out from the cloth around them, in grey levels."""
    if table.baulk_line_y_mm is None or table.d_radius_mm is None:
        return 0.0
    middle, y, radius = table.width_mm / 2, table.baulk_line_y_mm, table.d_radius_mm
    x = np.linspace(0.04, 0.96, 200) * table.width_mm
    angle = np.linspace(np.pi, 2 * np.pi, 120)
    line = np.column_stack([x, np.full(len(x), y)])
    arc = np.column_stack([middle + radius * np.cos(angle), y + radius * np.sin(angle)])
    total = 0.0
    for points in (line, arc):
        uv = lens.project(np.column_stack([points, np.zeros(len(points))]))
        _, values = profiles(plane, cut(uv, uv.mean(axis=0) + np.array([0.0, 1000.0])), 8.0)
        values = values - np.nanmedian(values, axis=1, keepdims=True)
        mean = np.nanmedian(values, axis=0)
        ridge = np.abs(slopes(slopes(mean[None], 1.0), 1.0))[0, 12:-12].max()
        total += float(ridge)
    return total
