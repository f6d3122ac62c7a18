"""Does a calibration still fit: how far the table lies from where it puts it, in later pictures of the same camera.

A quick look comes first: the changes of colour across the noses are looked up around their projections, and the
picture's shift for which all four sides show them best is nought where the camera stands still. Where that is not
plain, the pictures are calibrated anew and the two cameras are compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.edges import STEP, cut, lab_plane, profiles, slopes
from calibration.find import calibrate
from calibration.noses import side_places, side_points
from calibration.pictures import combined
from calibration.result import Calibration
from calibration.tables import CUSHIONS, TableSpec

Array = NDArray[np.float64]
Pixels = NDArray[np.uint8]

_WIDTH = 1280
"""Wider pictures are looked at at this width: what matters is larger than a pixel there."""
_REACH_PX = 20.0
_PIECES = 36
_GRID_PX = 0.5
_FAINTEST = 0.6
"""A change of colour per px below which a place shows no edge."""
_CLEAR = 0.4
"""By so much the noses must stand out above what is seen at other shifts for the quick look to be enough."""
STILL_PX = 3.0
"""Offsets up to this, at 1280 px wide, are within what light and players do to a calibration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """How far the table lies from where a calibration puts it.

    distance_px: root mean square over the six pockets in px of the picture; None where the table was not found, so that
    nothing can be said. still: whether that is no more than the calibration is good to; None as above.
    """

    distance_px: float | None
    still: bool | None


def drift(calibration: Calibration, pictures: Sequence[Pixels]) -> Drift:
    """The drift seen in later pictures (h, w, 3) uint8 BGR; costs as much as calibrating only where there is some.

    Raises ValueError for no pictures, or pictures of another size than the calibration's.
    """
    picture = combined(pictures)
    size = (picture.shape[1], picture.shape[0])
    if size != calibration.camera.size:
        raise ValueError(f"the calibration is for pictures of size {calibration.camera.size}, got {size}")
    scale = max(1.0, size[0] / _WIDTH)
    shift = _plain_shift(calibration, picture)
    if shift is not None and shift <= STILL_PX:
        return Drift(distance_px=shift * scale, still=True)
    anew = calibrate([picture], calibration.table)
    if not isinstance(anew, Calibration):
        return Drift(distance_px=None, still=None)
    distance = apart_px(calibration.table, calibration.camera, anew.camera)
    return Drift(distance_px=distance, still=distance <= STILL_PX * scale)


def apart_px(table: TableSpec, camera: CameraModel, other: CameraModel) -> float:
    """Root mean square distance in px of the six pockets as two cameras see them, whichever end is taken for baulk."""
    places = np.array([[*point, table.nose_height_mm] for point in table.pocket_corners().values()])
    turned = np.array([table.width_mm, table.length_mm, 0.0]) + places * np.array([-1.0, -1.0, 1.0])
    seen = camera.project(places)
    misses = [np.sum((other.project(points) - seen) ** 2, axis=1) for points in (places, turned)]
    return float(np.sqrt(min(np.mean(miss) for miss in misses)))


def _plain_shift(calibration: Calibration, picture: Pixels) -> float | None:
    """The shift of the picture at which the noses stand out, px at 1280 px wide; None where none stands out plainly."""
    factor = min(1.0, _WIDTH / picture.shape[1])
    if factor < 1:
        small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, dtype=np.uint8)
    strengths, normals = _strengths(calibration, picture, factor)
    if len(normals) < 2 * _PIECES:
        return None
    steps = np.arange(-_REACH_PX, _REACH_PX + _GRID_PX / 2, _GRID_PX)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    grid = grid[np.hypot(*grid.T) <= _REACH_PX]
    index = np.round((grid @ normals.T + _REACH_PX) / STEP).astype(np.int64)
    scores = strengths[np.arange(len(normals)), index].mean(axis=1)
    best = int(np.argmax(scores))
    plain = scores[best] - np.median(scores) > _CLEAR
    return float(np.hypot(*grid[best])) if plain else None


def _strengths(calibration: Calibration, picture: Pixels, factor: float) -> tuple[Array, Array]:
    """(n, m) edge strength, 0 to 1 for the strongest of each place, at shifts along its normal; normals (n, 2)."""
    plane = lab_plane(picture)
    table = calibration.table
    middle = np.array([[table.width_mm / 2, table.length_mm / 2, table.nose_height_mm]])
    towards = (calibration.camera.project(middle)[0] + 0.5) * factor - 0.5
    found, normals = [], []
    for side in CUSHIONS:
        points = side_points(table, side, side_places(side, _PIECES + 1), 0.0, table.nose_height_mm)
        pieces = cut((calibration.camera.project(points) + 0.5) * factor - 0.5, towards)
        _, colours = profiles(plane, pieces, _REACH_PX)
        strength = np.linalg.norm(slopes(colours, 1.0), axis=2)
        seen = np.isfinite(strength).all(axis=1)
        greatest = np.maximum(strength[seen].max(axis=1, initial=0.0), _FAINTEST)
        found.append(strength[seen] / greatest[:, None])
        normals.append(pieces.normals[seen])
    return np.concatenate(found), np.concatenate(normals)
