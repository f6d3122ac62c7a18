"""The table's markings drawn back over the picture through the calibrated camera."""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.result import Calibration
from calibration.tables import TableSpec

Array = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]

NOSE: Colour = (255, 0, 255)
POCKET: Colour = (0, 160, 255)
CLOTH_LINE: Colour = (0, 255, 255)
SPOT: Colour = (60, 60, 255)
BALL: Colour = (255, 255, 255)


def _segment(start: tuple[float, float], end: tuple[float, float], z_mm: float, count: int = 80) -> Array:
    shares = np.linspace(0.0, 1.0, count)[:, None]
    points = np.array(start) + (np.array(end) - np.array(start)) * shares
    return np.column_stack([points, np.full(count, z_mm)])


def sphere_outline(camera: CameraModel, centre_mm: Array, radius_mm: float, count: int = 48) -> Array:
    """(count, 3) points in mm on the circle that is a ball's outline for this camera (a tangent cone's rim)."""
    away = camera.centre_mm - centre_mm
    distance = float(np.linalg.norm(away))
    axis = away / distance
    first = np.cross(axis, np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.9 else np.array([0.0, 1.0, 0.0]))
    first /= np.linalg.norm(first)
    second = np.cross(axis, first)
    rim = radius_mm * np.sqrt(1 - (radius_mm / distance) ** 2)
    angle = np.linspace(0.0, 2 * np.pi, count)
    circle: Array = (
        centre_mm
        + axis * radius_mm**2 / distance
        + rim * (np.cos(angle)[:, None] * first + np.sin(angle)[:, None] * second)
    )
    return circle


def table_curves(table: TableSpec) -> list[tuple[str, Colour, Array]]:
    """Named curves (n, 3) in mm: noses, pocket mouths, and the lines on the cloth."""
    width, length, nose = table.width_mm, table.length_mm, table.nose_height_mm
    corners = [(0.0, 0.0), (width, 0.0), (width, length), (0.0, length), (0.0, 0.0)]
    curves = [("nose", NOSE, _segment(a, b, nose)) for a, b in pairwise(corners)]
    half = table.middle_mouth_mm / 2
    leg = table.corner_mouth_mm / np.sqrt(2)
    for name, (x, y) in table.pocket_corners().items():
        if name.startswith("middle"):
            ends = ((x, y - half), (x, y + half))
        else:
            inward_x, inward_y = (leg if x == 0 else -leg), (leg if y == 0 else -leg)
            ends = ((x + inward_x, y), (x, y + inward_y))
        curves.append((name, POCKET, _segment(*ends, nose, 12)))
    if table.baulk_line_y_mm is not None and table.d_radius_mm is not None:
        y, radius = table.baulk_line_y_mm, table.d_radius_mm
        angle = np.linspace(np.pi, 2 * np.pi, 80)
        arc = np.column_stack([width / 2 + radius * np.cos(angle), y + radius * np.sin(angle), np.zeros(80)])
        curves += [("baulk-line", CLOTH_LINE, _segment((0.0, y), (width, y), 0.0)), ("d", CLOTH_LINE, arc)]
    else:
        for name, y in (("head-string", length / 4), ("foot-string", 3 * length / 4)):
            curves.append((name, CLOTH_LINE, _segment((0.0, y), (width, y), 0.0)))
    return curves


def draw_preview(picture: Pixels, calibration: Calibration) -> Pixels:
    """A copy of the BGR picture (h, w, 3) with noses, pocket mouths, lines, spots and balls on the spots drawn."""
    canvas = picture.copy()
    table, camera = calibration.table, calibration.camera
    thickness = max(1, round(picture.shape[1] / 1600))

    def draw(points_mm: Array, colour: Colour) -> None:
        uv = camera.project(points_mm)
        if np.all(np.isfinite(uv)) and np.abs(uv).max() < 1e6:
            cv2.polylines(canvas, [np.round(uv * 16).astype(np.int32)], False, colour, thickness, cv2.LINE_AA, 4)

    for _, colour, points in table_curves(table):
        draw(points, colour)
    for x, y in table.spots.values():
        draw(sphere_outline(camera, np.array([x, y, table.ball_radius_mm]), table.ball_radius_mm), BALL)
        for dx, dy in ((12.0, 0.0), (0.0, 12.0)):
            draw(np.array([[x - dx, y - dy, 0.0], [x + dx, y + dy, 0.0]]), SPOT)
    label = f"baulk end by {calibration.baulk_by}; rms {calibration.residual_px:.2f} px"
    end = camera.project(np.array([[table.width_mm / 2, 0.06 * table.length_mm, 0.0]]))[0]
    place = (int(np.clip(end[0] - 40, 4, picture.shape[1] - 120)), int(np.clip(end[1], 20, picture.shape[0] - 8)))
    size = 0.5 * max(1.0, picture.shape[1] / 1280)
    cv2.putText(canvas, "baulk", place, cv2.FONT_HERSHEY_SIMPLEX, size, CLOTH_LINE, thickness, cv2.LINE_AA)
    corner = (8, picture.shape[0] - 8)
    cv2.putText(canvas, label, corner, cv2.FONT_HERSHEY_SIMPLEX, size, BALL, thickness, cv2.LINE_AA)
    return canvas
