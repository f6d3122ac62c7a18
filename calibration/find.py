"""Calibrating from pictures: which way the table lies, and the camera solved against it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.cloth import find_cloth
from calibration.edges import Plane, cut, lab_plane, profiles, strokes
from calibration.fit import Fit, fit_noses, likeliest
from calibration.model import Lens
from calibration.outline import find_outlines, refine_outline
from calibration.result import Calibration, FailedCalibration
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
    plane = lab_plane(picture)
    best: Fit | None = None
    for region in find_cloth(picture)[:3]:
        outlines = find_outlines(region, size)
        for rough in likeliest(outlines, table, size):
            fit = fit_noses(plane, table, refine_outline(plane, rough, size), size)
            if fit is not None and (best is None or fit.merit > best.merit):
                best = fit
        if best is not None:
            break
    if best is None:
        return FailedCalibration(reason="no table found: no large, evenly coloured region with four straight sides")
    lens = best.solution.lens
    error = np.abs(best.solution.residuals_px(best.lines))
    rms, worst, used = float(np.sqrt(np.mean(error**2))), float(error.max()), tuple(line.name for line in best.lines)
    missed = tuple(side for side in CUSHIONS if f"nose-{side}" not in used and f"rail-{side}" not in used)
    if missed or rms > 3.0:
        return FailedCalibration(reason="a cloth was found, but not the noses of its cushions", missed=missed)
    flipped = lens.turned(table.width_mm, table.length_mm)
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


def _baulk_contrast(plane: Plane, table: TableSpec, lens: Lens) -> float:
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
        total += float(np.abs(strokes(mean[None], 1.0))[0, 12:-12, 0].max())
    return total
