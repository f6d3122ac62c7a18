"""A picture of the camera with the table's markings, the balls, or the wanted places drawn over it, as JPEG."""

from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from calibration.points import named_points
from calibration.result import Calibration
from referee.app.desk.desk import Desk
from referee.app.palette import ball_colour, bgr
from vision.frames import Pixels

QUALITY = 85
LINE = (80, 220, 255)
GOOD, OFF = (90, 220, 90), (60, 90, 255)
SHIFT = 4


def jpeg(
    picture: Pixels, calibration: Calibration | None, desk: Desk | None, draw: str, width: int | None = None
) -> bytes:
    """The picture (h, w, 3) as JPEG, at most ``width`` px wide. draw: ``none``, ``markings``, ``balls``, ``wanted``."""
    image = np.ascontiguousarray(picture)
    if calibration is not None and draw != "none" and calibration.camera.size == (image.shape[1], image.shape[0]):
        image = image.copy()
        if draw == "markings":
            _markings(image, calibration)
        elif draw == "balls" and desk is not None:
            _balls(image, calibration, dict(desk.lying))
        elif draw == "wanted" and desk is not None:
            _wanted(image, calibration, desk)
    if width is not None and width < image.shape[1]:
        height = max(1, round(image.shape[0] * width / image.shape[1]))
        image = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert done
    return bytes(data)


def _fixed(point: Any) -> tuple[int, int]:
    return round(float(point[0]) * (1 << SHIFT)), round(float(point[1]) * (1 << SHIFT))


def _whole(point: Any) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def _line(image: Pixels, calibration: Calibration, points_mm: Any) -> None:
    """A line on the cloth through these points, bent as the lens bends it."""
    ends = np.asarray(points_mm, float)
    steps = np.linspace(0, 1, 24)[:, None]
    dense = np.vstack([a + (b - a) * steps for a, b in pairwise(ends)])
    seen = calibration.camera.project(np.column_stack([dense, np.zeros(len(dense))]))
    if np.abs(seen).max() > 1e5:
        return
    path = np.round(seen * (1 << SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(image, [path], False, LINE, 2, cv2.LINE_AA, SHIFT)


def _markings(image: Pixels, calibration: Calibration) -> None:
    table = calibration.table
    width, length = table.width_mm, table.length_mm
    _line(image, calibration, [(0, 0), (width, 0), (width, length), (0, length), (0, 0)])
    if table.baulk_line_y_mm is not None and table.d_radius_mm is not None:
        baulk, radius = table.baulk_line_y_mm, table.d_radius_mm
        _line(image, calibration, [(0, baulk), (width, baulk)])
        around = np.linspace(np.pi, 2 * np.pi, 24)
        arc = np.column_stack([width / 2 + radius * np.cos(around), baulk + radius * np.sin(around)])
        _line(image, calibration, arc)
    for at in calibration.camera.project(np.array(list(named_points(table).values()))):
        if np.abs(at).max() < 1e5:
            cv2.drawMarker(image, _whole(at), LINE, cv2.MARKER_CROSS, 18, 2, cv2.LINE_AA)


def _rings(calibration: Calibration, places: dict[str, tuple[float, float]]) -> list[tuple[str, Any, float]]:
    """Ball → its centre and radius in px."""
    if not places:
        return []
    radius_mm = calibration.table.ball_radius_mm
    xyz = np.array([[x, y, radius_mm] for x, y in places.values()])
    centres, radii = calibration.camera.project(xyz), calibration.camera.sphere_radius_px(xyz, radius_mm)
    rings = zip(places, centres, radii, strict=True)
    return [(name, at, float(r)) for name, at, r in rings if np.abs(at).max() < 1e5]


def _balls(image: Pixels, calibration: Calibration, places: dict[str, tuple[float, float]]) -> None:
    for name, at, r in _rings(calibration, places):
        cv2.circle(image, _fixed(at), _fixed((r + 2, 0))[0], bgr(ball_colour(name)), 2, cv2.LINE_AA, SHIFT)


def _wanted(image: Pixels, calibration: Calibration, desk: Desk) -> None:
    """Each wanted place as a ring with a cross, green where its ball lies there."""
    wanted, off = desk.wanted(), desk.putback_figures()
    if wanted is None:
        return
    for name, at, r in _rings(calibration, dict(wanted.wanted)):
        good = off is not None and off["balls"][name]["good"]
        colour = GOOD if good else OFF
        cv2.circle(image, _fixed(at), _fixed((r, 0))[0], colour, 2, cv2.LINE_AA, SHIFT)
        cv2.circle(image, _fixed(at), _fixed((r + 4, 0))[0], bgr(ball_colour(name)), 2, cv2.LINE_AA, SHIFT)
        cv2.drawMarker(image, _whole(at), colour, cv2.MARKER_CROSS, 9, 1, cv2.LINE_AA)
