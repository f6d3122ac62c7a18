"""Balls ray-traced exactly: outline in perspective, texture that turns with the ball, lamps mirrored in the polish.

A ball is drawn into a `Sprite`, a small window of premultiplied linear light with its coverage, and throws its shadow
into a `Shade`, a window of factors on the bed's light.
"""

import math
from dataclasses import dataclass

import numpy as np

from calibration.camera import Array, CameraModel
from referee.app.simulate.film.look import Floats, Lamp, Look, linear
from referee.app.simulate.film.markings import Markings
from referee.app.simulate.film.plate import on_level, sub_rays


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprite:
    """light: (h, w, 3) premultiplied; alpha: (h, w); row, column: the window's place; depth: distance to the camera."""

    row: int
    column: int
    light: Floats
    alpha: Floats
    depth: float
    share_open: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shade:
    """factor: (h, w) what is left of the bed's light."""

    row: int
    column: int
    factor: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What all balls of a film share."""

    camera: CameraModel
    look: Look
    radius: float
    nose_height: float
    opening: Floats
    bed: Floats
    markings: dict[str, Markings]


def window(scene: Scene, centre: Array, reach_mm: float) -> tuple[int, int, int, int] | None:
    """Rows and columns (r0, r1, c0, c1) of the picture that show what lies within ``reach_mm`` of a point, or None."""
    uv = scene.camera.project(centre[None, :])[0]
    depth = float(centre @ scene.camera.rotation[2] + scene.camera.translation[2])
    span = scene.camera.matrix[0, 0] * reach_mm / depth + 2.0
    width, height = scene.camera.size
    r0, r1 = max(0, math.floor(uv[1] - span)), min(height, math.ceil(uv[1] + span) + 1)
    c0, c1 = max(0, math.floor(uv[0] - span)), min(width, math.ceil(uv[0] + span) + 1)
    return (r0, r1, c0, c1) if r1 > r0 and c1 > c0 else None


def _blocks(fine: Floats, factor: int) -> Floats:
    """Means over factor × factor blocks."""
    h, w = fine.shape[0] // factor, fine.shape[1] // factor
    return np.asarray(fine.reshape(h, factor, w, factor, *fine.shape[2:]).mean(axis=(1, 3)), np.float32)


def ball_sprite(scene: Scene, name: str, centre: Array, turn: Array, *, blurred: bool = False) -> Sprite | None:
    """One ball at a moment; ``turn`` (3, 3) takes the ball's directions to the table's. None: not in the picture.

    ``blurred``: it is one of several over an exposure, whose mean smooths what fewer sub-pixels leave rough.
    """
    radius = scene.radius
    box = window(scene, centre, radius * 1.25)
    if box is None:
        return None
    r0, r1, c0, c1 = box
    px = scene.camera.matrix[0, 0] * radius / float(scene.camera.centre_mm[2])
    factor = 4 if px < 9 else 3 if px < 20 and not blurred else 2
    slope = sub_rays(scene.camera, (r0, r1), (c0, c1), factor)
    eye = scene.camera.centre_mm
    ray = np.dstack([-slope, np.full(slope.shape[:2], -1.0)])
    ray /= np.linalg.norm(ray, axis=2, keepdims=True)
    offset = eye - centre
    along = ray @ offset
    inside = along**2 - (float(offset @ offset) - radius**2)
    hit = inside > 0
    rows, columns = np.nonzero(hit)
    light = np.zeros((*hit.shape, 3), np.float32)
    alpha = np.zeros(hit.shape, np.float32)
    distance = math.sqrt(float(offset @ offset))
    if len(rows):
        ways = ray[rows, columns]
        reach = -along[rows, columns] - np.sqrt(inside[rows, columns])
        points = eye + ways * reach[:, None]
        normals = (points - centre) / radius
        albedo = scene.markings[name].colours(normals @ turn)
        shaded = _shade(scene, points, normals, ways, albedo)
        hidden = points[:, 2] < scene.nose_height
        seen = np.where(hidden, scene.opening[r0:r1, c0:c1][rows // factor, columns // factor], 1.0)
        depth = np.clip((centre[2] - radius) / 55.0, -1.6, 0.0)
        light[rows, columns] = shaded * seen[:, None] * math.exp(1.3 * depth)
        alpha[rows, columns] = seen
    share = float(alpha.sum() / max(1, len(rows)))
    return Sprite(
        row=r0, column=c0, light=_blocks(light, factor), alpha=_blocks(alpha, factor), depth=distance, share_open=share
    )


def _shade(scene: Scene, points: Array, normals: Array, ways: Array, albedo: Floats) -> Floats:
    """(n, 3) light of points on a polished ball: lamps, sky and cloth on the body, mirrored lamps on the polish."""
    look = scene.look
    up = 0.5 + 0.5 * normals[:, 2]
    cloth = linear(look.cloth)
    body = look.ambient * (up[:, None] + (1.0 - up[:, None]) * 0.9 * cloth)
    bounce = 0.55 * np.clip(0.55 - normals[:, 2], 0.0, 1.0)
    body = body + bounce[:, None] * cloth
    mirrored = ways - 2.0 * (ways * normals).sum(axis=1)[:, None] * normals
    cosine = np.clip(-(ways * normals).sum(axis=1), 0.0, 1.0)
    fresnel = 0.04 + 0.96 * (1.0 - cosine) ** 5
    gloss = np.zeros(len(points))
    total = sum(lamp.power for lamp in look.lamps) or 1.0
    for lamp in look.lamps:
        to_lamp = np.array(lamp.centre) - points
        d2 = (to_lamp * to_lamp).sum(axis=1)
        lit = np.clip((to_lamp * normals).sum(axis=1) / np.sqrt(d2), 0.0, 1.0)
        strength = (1.0 - look.ambient) * lamp.power / total * 1.9 * (lamp.centre[2] ** 2 / d2) ** 1.2
        body = body + (lit * strength)[:, None]
        gloss += _mirror(lamp, points, mirrored) * min(20.0, lamp.radiance / total)
    sky = np.clip(mirrored[:, 2], 0.0, 1.0) * 0.25 * look.ambient
    cloth_seen = np.clip(-mirrored[:, 2], 0.0, 1.0)[:, None] * cloth
    polish = fresnel[:, None] * (sky[:, None] + 0.8 * cloth_seen) + (fresnel * gloss * 9.0)[:, None]
    return np.asarray(albedo * body + polish, np.float32)


def _mirror(lamp: Lamp, points: Array, mirrored: Array) -> Array:
    """(n,) how much of the lamp a mirrored ray meets, with a soft border."""
    rise = mirrored[:, 2]
    upward = rise > 0.05
    reach = (lamp.centre[2] - points[:, 2]) / np.where(upward, rise, 1.0)
    x = np.abs(points[:, 0] + mirrored[:, 0] * reach - lamp.centre[0]) - lamp.half[0]
    y = np.abs(points[:, 1] + mirrored[:, 1] * reach - lamp.centre[1]) - lamp.half[1]
    soft = 60.0
    edge = np.clip(0.5 - x / soft, 0, 1) * np.clip(0.5 - y / soft, 0, 1)
    result: Array = np.where(upward, edge, 0.0)
    return result


def ball_shade(scene: Scene, centre: Array) -> Shade | None:
    """The shadow that a ball throws on the bed: each lamp's, with penumbra, and the darkness where ball meets cloth."""
    radius = scene.radius
    height = max(float(centre[2]), radius * 0.3)
    reach = radius + height * 2.6
    box = window(scene, np.array([centre[0], centre[1], 0.0]), reach)
    if box is None or centre[2] < radius - 1.0:
        return None
    r0, r1, c0, c1 = box
    xy = on_level(scene.camera, sub_rays(scene.camera, (r0, r1), (c0, c1), 1), 0.0)
    look = scene.look
    gap = xy - centre[:2]
    d2 = (gap * gap).sum(axis=2) + height * height
    sky = 1.0 - 0.9 * np.clip((radius * radius / d2) * (height / np.sqrt(d2)), 0.0, 1.0)
    lit = np.zeros(xy.shape[:2])
    total = sum(lamp.power for lamp in look.lamps) or 1.0
    for lamp in look.lamps:
        source = np.array(lamp.centre)
        ground = np.dstack([xy, np.zeros(xy.shape[:2])])
        to_lamp = source - ground
        length = np.sqrt((to_lamp * to_lamp).sum(axis=2))
        to_ball = centre - ground
        along = (to_lamp * to_ball).sum(axis=2) / length
        miss = np.sqrt(np.maximum((to_ball * to_ball).sum(axis=2) - along**2, 0.0))
        soft = np.maximum(2.0 * (lamp.half[0] + lamp.half[1]) / 2 / source[2] * np.maximum(along, 8.0), 4.0)
        seen = np.clip((miss - radius) / soft + 0.5, 0.0, 1.0)
        seen = seen * seen * (3 - 2 * seen)
        lit += lamp.power / total * seen
    factor = look.ambient * sky + (1.0 - look.ambient) * lit * (0.75 + 0.25 * sky)
    fade = np.clip((reach - np.sqrt((gap * gap).sum(axis=2))) / (0.3 * reach), 0.0, 1.0)
    factor = 1.0 - (1.0 - factor) * fade * scene.bed[r0:r1, c0:c1]
    return Shade(row=r0, column=c0, factor=factor.astype(np.float32))
