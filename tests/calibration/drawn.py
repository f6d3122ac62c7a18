"""Pictures of tables drawn by construction: every edge lies where a known camera projects it."""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.tables import TableSpec

Array = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Colour = tuple[float, float, float]

CUSHION_MM = 50.0
RAIL_MM = 130.0
LIFT_MM = 2.0
FINE = 3
"""Pictures are drawn so many times finer and averaged."""


def looking_at(
    table: TableSpec,
    centre_mm: tuple[float, float, float],
    target_mm: tuple[float, float],
    up_mm: tuple[float, float, float],
    *,
    focal: float,
    size: tuple[int, int] = (1280, 720),
    k1: float = 0.0,
) -> CameraModel:
    """A camera at a point, looking at a point on the cloth, with the direction that is up in the picture."""
    centre = np.array(centre_mm)
    ahead = np.array([*target_mm, 0.0]) - centre
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, np.array(up_mm))
    right /= np.linalg.norm(right)
    rotation = np.vstack([right, np.cross(ahead, right), ahead])
    return CameraModel(
        matrix=np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]]),
        distortion=np.array([k1, 0, 0, 0, 0]),
        rotation=rotation,
        translation=-rotation @ centre,
        size=size,
    )


class _Canvas:
    def __init__(self, camera: CameraModel, background: Colour) -> None:
        self.camera = camera
        width, height = camera.size
        self.pixels = np.full((height * FINE, width * FINE, 3), background, dtype=np.uint8)

    def _places(self, points_mm: Array) -> NDArray[np.int32]:
        uv = self.camera.project(points_mm)
        return np.round(((uv + 0.5) * FINE - 0.5) * 16).astype(np.int32)

    def area(self, corners_mm: list[tuple[float, float]], z_mm: float, colour: Colour) -> None:
        ring = [*corners_mm, corners_mm[0]]
        points = np.vstack([np.linspace(a, b, 80) for a, b in pairwise(ring)])
        places = self._places(np.column_stack([points, np.full(len(points), z_mm)]))
        cv2.fillPoly(self.pixels, [places], colour, cv2.LINE_AA, 4)

    def disc(self, x: float, y: float, z_mm: float, radius: float, colour: Colour) -> None:
        angle = np.linspace(0, 2 * np.pi, 60)
        self.area([(x + radius * np.cos(a), y + radius * np.sin(a)) for a in angle], z_mm, colour)

    def strip(self, points_mm: Array, width_mm: float, colour: Colour) -> None:
        """A line (n, 2) on the cloth, so many mm wide."""
        along = np.gradient(points_mm, axis=0)
        normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
        edge = np.vstack([points_mm + normal * width_mm / 2, (points_mm - normal * width_mm / 2)[::-1]])
        places = self._places(np.column_stack([edge, np.zeros(len(edge))]))
        cv2.fillPoly(self.pixels, [places], colour, cv2.LINE_AA, 4)

    def finished(self, noise: float, seed: int) -> Pixels:
        small = cv2.resize(self.pixels, self.camera.size, interpolation=cv2.INTER_AREA).astype(np.float64)
        small += np.random.default_rng(seed).normal(0, noise, small.shape)
        return np.clip(np.round(small), 0, 255).astype(np.uint8)


def draw_table(
    table: TableSpec,
    camera: CameraModel,
    *,
    cloth: Colour = (60, 140, 40),
    background: Colour = (70, 60, 60),
    balls: tuple[tuple[float, float, Colour], ...] = (),
    noise: float = 2.0,
    seed: int = 1,
) -> Pixels:
    """A picture of the table: rails, cushions lit from above, a shadow under each nose, pockets, markings, balls."""
    canvas = _Canvas(camera, background)
    width, length, nose = table.width_mm, table.length_mm, table.nose_height_mm + LIFT_MM

    def box(out: float) -> list[tuple[float, float]]:
        return [(-out, -out), (width + out, -out), (width + out, length + out), (-out, length + out)]

    def frame(inner: float, outer: float, z_mm: float, colour: Colour) -> None:
        """The four trapezoids between two boxes, the far side of the table first."""
        near, far = box(inner), box(outer)
        sides = [[far[k], far[(k + 1) % 4], near[(k + 1) % 4], near[k]] for k in range(4)]
        middles = [np.mean(side, axis=0) - camera.centre_mm[:2] for side in sides]
        for k in np.argsort([-np.hypot(*middle) for middle in middles]):
            canvas.area(sides[k], z_mm, colour)

    dark = tuple(0.55 * value for value in cloth)
    bright = tuple(1.15 * value for value in cloth)
    line = tuple(min(255.0, value + 60) for value in cloth)
    canvas.area(box(CUSHION_MM + RAIL_MM), 0.0, dark)
    canvas.area(box(-18.0), 0.0, cloth)
    if table.baulk_line_y_mm is not None and table.d_radius_mm is not None:
        y, radius = table.baulk_line_y_mm, table.d_radius_mm
        canvas.strip(np.column_stack([np.linspace(20, width - 20, 200), np.full(200, y)]), 4.0, line)
        angle = np.linspace(np.pi, 2 * np.pi, 100)
        arc = np.column_stack([width / 2 + radius * np.cos(angle), y + radius * np.sin(angle)])
        canvas.strip(arc, 4.0, line)
    for x, y, colour in balls:
        radius = table.ball_radius_mm
        canvas.disc(x, y, radius, radius, colour)
    frame(CUSHION_MM, CUSHION_MM + RAIL_MM, nose + 3, (25, 30, 70))
    frame(0.0, CUSHION_MM, nose, bright)
    hole = 0.55 * max(table.corner_mouth_mm, 70.0)
    for name, (x, y) in table.pocket_corners().items():
        away = 0.35 * hole if not name.startswith("middle") else 0.7 * hole
        shift_x = -away if x < width / 2 else away
        shift_y = 0.0 if name.startswith("middle") else (-away if y < length / 2 else away)
        canvas.disc(x + shift_x, y + shift_y, nose, hole, (8, 8, 8))
    return canvas.finished(noise, seed)
