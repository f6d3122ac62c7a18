"""The empty table as the camera sees it, in linear light: everything that doesn't move.

Bed, cushions and rails are drawn on planes at their own heights in table millimetres and seen through the camera,
so parallax at the noses and in the pockets is right.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Array, CameraModel
from referee.app.simulate.dynamics.table import PlayingTable
from referee.app.simulate.film.look import Floats, Lamp, Look
from referee.app.simulate.film.surfaces import Canvas, bed_surface, floor_surface, open_area, top_surface


@dataclass(frozen=True, slots=True, kw_only=True)
class Plate:
    """light: (h, w, 3) linear light of the empty table. open: (h, w) share of each pixel through which one sees past
    the rails to bed and pockets. bed: (h, w) share that shows the bed itself, where shadows fall.
    """

    light: Floats
    open: Floats
    bed: Floats


def sub_rays(camera: CameraModel, rows: tuple[int, int], columns: tuple[int, int], factor: int) -> Array:
    """(h·factor, w·factor, 2) table directions dx/dz and dy/dz of the rays through a window's sub-pixels."""
    offset = (np.arange(factor) + 0.5) / factor - 0.5
    v = (np.arange(*rows)[:, None] + offset[None, :]).ravel()
    u = (np.arange(*columns)[:, None] + offset[None, :]).ravel()
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 1, 2)
    plain = cv2.undistortPoints(grid, camera.matrix, camera.distortion).reshape(-1, 2)
    rays = np.column_stack([plain, np.ones(len(plain))]) @ camera.rotation
    slope: Array = rays[:, :2] / rays[:, 2:3]
    return slope.reshape(len(v), len(u), 2)


def on_level(camera: CameraModel, slope: Array, z: float) -> Array:
    """Table points (h, w, 2) at height z of rays given by `sub_rays`."""
    centre = camera.centre_mm
    points: Array = centre[:2] + slope * (z - centre[2])
    return points


def illumination(lamps: tuple[Lamp, ...], ambient: float, xy: Array, middle: tuple[float, float]) -> Floats:
    """(…) light on a level surface at table points (…, 2), about 1 under the lamps' middle."""

    def direct(points: Array) -> Array:
        total = np.zeros(points.shape[:-1])
        for lamp in lamps:
            x, y, z = lamp.centre
            for k in (-0.7, 0.0, 0.7):
                d2 = (points[..., 0] - x) ** 2 + (points[..., 1] - y - k * lamp.half[1]) ** 2 + z * z
                total += lamp.power / 3 * z**4 / d2**2
        return total

    reference = float(direct(np.array(middle)))
    return (ambient + (1.0 - ambient) * direct(xy) / max(reference, 1e-9)).astype(np.float32)


def render_plate(table: PlayingTable, camera: CameraModel, look: Look, rng: np.random.Generator) -> Plate:
    """The empty table; a few seconds at 1080p."""
    width, height = camera.size
    factor = 2 if width * height < 4_000_000 else 1
    spec = table.spec
    canvas = Canvas.around(table, margin_mm=40.0, mm_per_px=_scale(camera, factor))
    bed = bed_surface(canvas, table, look, rng)
    top, top_alpha = top_surface(canvas, table, look, rng)
    through = open_area(canvas, table)
    middle = (spec.width_mm / 2, spec.length_mm / 2)
    floor = floor_surface(look, rng)
    light = np.empty((height, width, 3), np.float32)
    opening = np.empty((height, width), np.float32)
    cloth = np.empty((height, width), np.float32)
    step = 120
    for row in range(0, height, step):
        end = min(height, row + step)
        slope = sub_rays(camera, (row, end), (0, width), factor)
        on_bed, on_top = on_level(camera, slope, 0.0), on_level(camera, slope, spec.nose_height_mm)
        picture = floor.at(on_level(camera, slope, -850.0)) * 0.45
        alpha_apron = canvas.rectangle(
            on_level(camera, slope, -120.0), table, table.rail_mm - 6.0, round_mm=look.round_mm
        )
        picture = picture * (1 - alpha_apron[..., None])
        base = canvas.sample(bed, on_bed)
        base *= illumination(look.lamps, look.ambient, on_bed, middle)[..., None]
        base *= _nose_shadow(canvas, through, table, look, on_bed)[..., None]
        inside = canvas.rectangle(on_level(camera, slope, 0.0), table, table.rail_mm - 20.0)
        picture = picture * (1 - inside[..., None]) + base * inside[..., None]
        under = canvas.sample(through, on_level(camera, slope, spec.nose_height_mm * 0.62))
        picture *= (1.0 - 0.55 * (1.0 - under) * inside)[..., None]
        alpha = canvas.sample(top_alpha, on_top)
        face = canvas.sample(top, on_top) * illumination(look.lamps, look.ambient, on_top, middle)[..., None]
        picture = picture * (1 - alpha[..., None]) + face * alpha[..., None]
        shape = (width, end - row)
        light[row:end] = cv2.resize(picture.astype(np.float32), shape, interpolation=cv2.INTER_AREA)
        past = (1.0 - alpha).astype(np.float32)
        opening[row:end] = cv2.resize(past, shape, interpolation=cv2.INTER_AREA)
        on_cloth = past * canvas.sample(through, on_bed)
        cloth[row:end] = cv2.resize(on_cloth.astype(np.float32), shape, interpolation=cv2.INTER_AREA)
    return Plate(light=light, open=opening, bed=cloth)


def _scale(camera: CameraModel, factor: int) -> float:
    mm_per_px = float(camera.centre_mm[2]) / float(camera.matrix[0, 0])
    return float(np.clip(mm_per_px / factor, 0.6, 2.5))


def _nose_shadow(canvas: Canvas, through: Floats, table: PlayingTable, look: Look, xy: Array) -> Floats:
    """(…) share of each lamp's light that the cushions let through to the bed, with the corner's own darkness."""
    h = table.spec.nose_height_mm
    lit = np.zeros(xy.shape[:-1], np.float32)
    total = sum(lamp.power for lamp in look.lamps) or 1.0
    for lamp in look.lamps:
        for k in (-0.8, 0.0, 0.8):
            source = np.array([lamp.centre[0], lamp.centre[1] + k * lamp.half[1]])
            lit += lamp.power / 3 / total * canvas.sample(through, xy + (source - xy) * (h / lamp.centre[2]))
    near = canvas.sample(canvas.closeness(through), xy)
    shadow: Floats = (look.ambient + (1 - look.ambient) * lit) * (1.0 - 0.35 * near)
    return shadow
