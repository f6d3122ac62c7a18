"""People and cues as tapered capsules: projected, joined into a height map per material, and shaded from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from calibration.camera import Array, CameraModel
from referee.app.simulate.film.look import Floats, Look, Rgb, linear


class Material(StrEnum):
    """What a capsule is made of."""

    SKIN = "skin"
    SLEEVE = "sleeve"
    SHIRT = "shirt"
    HAIR = "hair"
    GLOVE = "glove"
    CUFF = "cuff"
    MAPLE = "maple"
    BUTT = "butt"
    FERRULE = "ferrule"
    TIP = "tip"
    BRASS = "brass"


_FIXED: dict[Material, Rgb] = {
    Material.MAPLE: (214, 178, 122),
    Material.BUTT: (46, 26, 18),
    Material.FERRULE: (232, 226, 210),
    Material.TIP: (48, 92, 130),
    Material.BRASS: (176, 142, 74),
    Material.CUFF: (232, 232, 236),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dress:
    """Colours of one person's skin and clothes."""

    skin: Rgb = (206, 152, 122)
    sleeve: Rgb = (28, 26, 32)
    shirt: Rgb = (22, 20, 24)
    hair: Rgb = (44, 30, 22)
    glove: Rgb = (24, 24, 28)

    def colour(self, material: Material) -> Rgb:
        """sRGB of a material on this person."""
        if material in _FIXED:
            return _FIXED[material]
        own: dict[Material, Rgb] = {
            Material.SKIN: self.skin,
            Material.SLEEVE: self.sleeve,
            Material.SHIRT: self.shirt,
            Material.HAIR: self.hair,
            Material.GLOVE: self.glove,
        }
        return own[material]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capsule:
    """A rod from ``a`` to ``b`` (3,) mm with radii ``ra`` and ``rb`` mm."""

    a: Array
    b: Array
    ra: float
    rb: float
    material: Material
    dress: Dress


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """What is in front of the table: premultiplied light (h, w, 3), coverage (h, w) and the shade (h, w) it throws."""

    row: int
    column: int
    light: Floats
    alpha: Floats
    dark: Floats


SOFT_SHADOW_MM = 34.0


def cover(capsules: Sequence[Capsule], camera: CameraModel, look: Look, grain: Floats) -> Cover | None:
    """Draw capsules over one another, the lower ones first; ``grain`` is a texture (n, n) of unit deviation."""
    if not capsules:
        return None
    ends = np.array([[c.a, c.b] for c in capsules]).reshape(-1, 3)
    uv = camera.project(ends).reshape(-1, 2, 2)
    depth = (ends @ camera.rotation[2] + camera.translation[2]).reshape(-1, 2)
    radii = np.array([[c.ra, c.rb] for c in capsules]) * camera.matrix[0, 0] / np.maximum(depth, 200.0)
    shadow_px = SOFT_SHADOW_MM * camera.matrix[0, 0] / float(camera.centre_mm[2])
    pad = 2.5 * shadow_px + 2
    width, height = camera.size
    low = np.floor((uv - radii[..., None]).reshape(-1, 2).min(axis=0) - pad)
    high = np.ceil((uv + radii[..., None]).reshape(-1, 2).max(axis=0) + pad)
    c0, r0 = int(np.clip(low[0], 0, width)), int(np.clip(low[1], 0, height))
    c1, r1 = int(np.clip(high[0], 0, width)), int(np.clip(high[1], 0, height))
    if c1 <= c0 or r1 <= r0:
        return None
    shape = (r1 - r0, c1 - c0)
    light, alpha = np.zeros((*shape, 3), np.float32), np.zeros(shape, np.float32)
    for group in _groups(capsules):
        _paint(light, alpha, group, capsules, uv, radii, (r0, c0), look, grain)
    quarter = (max(1, shape[1] // 4), max(1, shape[0] // 4))
    small = cv2.resize(alpha, quarter, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), max(0.6, shadow_px / 4))
    dark = cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    return Cover(row=r0, column=c0, light=light, alpha=alpha, dark=np.asarray(0.5 * dark, np.float32))


def _groups(capsules: Sequence[Capsule]) -> list[list[int]]:
    """Indices of capsules of the same material and person, in order of their mean height."""
    found: dict[tuple[Material, Rgb], list[int]] = {}
    for index, capsule in enumerate(capsules):
        found.setdefault((capsule.material, capsule.dress.colour(capsule.material)), []).append(index)
    return sorted(
        found.values(), key=lambda group: float(np.mean([capsules[k].a[2] + capsules[k].b[2] for k in group]))
    )


def _paint(
    light: Floats,
    alpha: Floats,
    group: list[int],
    capsules: Sequence[Capsule],
    uv: Array,
    radii: Array,
    corner: tuple[int, int],
    look: Look,
    grain: Floats,
) -> None:
    r0, c0 = corner
    low = np.floor(min((uv[k] - radii[k][:, None]).min(axis=0)[1] for k in group)) - 2
    top = max(0, int(low) - r0)
    bottom = min(alpha.shape[0], int(max((uv[k] + radii[k][:, None]).max(axis=0)[1] for k in group)) + 3 - r0)
    left = max(0, int(min((uv[k] - radii[k][:, None]).min(axis=0)[0] for k in group)) - 2 - c0)
    right = min(alpha.shape[1], int(max((uv[k] + radii[k][:, None]).max(axis=0)[0] for k in group)) + 3 - c0)
    if bottom <= top or right <= left:
        return
    heights = np.full((bottom - top, right - left), -1e6, np.float32)
    cover_here = np.zeros_like(heights)
    for k in group:
        _raise(heights, cover_here, capsules[k], uv[k], radii[k], (r0 + top, c0 + left))
    scale = float(np.mean([radii[k].mean() / max(0.5, (capsules[k].ra + capsules[k].rb) / 2) for k in group]))
    shade = _relief(heights, cover_here, scale)
    first = capsules[group[0]]
    colour = linear(first.dress.colour(first.material))
    if first.material in (Material.SLEEVE, Material.SHIRT, Material.HAIR, Material.SKIN):
        amount = 0.05 if first.material is Material.SKIN else 0.13
        texture = np.tile(grain, (heights.shape[0] // len(grain) + 1, heights.shape[1] // len(grain) + 1))
        shade = shade * (1.0 + amount * texture[: heights.shape[0], : heights.shape[1]])
    part = (slice(top, bottom), slice(left, right))
    lit = colour * shade[..., None] * (0.75 + 0.5 * look.ambient)
    light[part] = light[part] * (1 - cover_here[..., None]) + lit * cover_here[..., None]
    alpha[part] = alpha[part] * (1 - cover_here) + cover_here


def _raise(heights: Floats, alpha: Floats, capsule: Capsule, uv: Array, radii: Array, corner: tuple[int, int]) -> None:
    """Lift the height map where a capsule is higher."""
    span = radii.max() + 2
    low, high = np.floor(uv.min(axis=0) - span).astype(int), np.ceil(uv.max(axis=0) + span).astype(int)
    r0, c0 = max(0, low[1] - corner[0]), max(0, low[0] - corner[1])
    r1, c1 = min(alpha.shape[0], high[1] - corner[0]), min(alpha.shape[1], high[0] - corner[1])
    if r1 <= r0 or c1 <= c0:
        return
    v = (np.arange(r0, r1) + corner[0] - uv[0, 1]).astype(np.float32)[:, None]
    u = (np.arange(c0, c1) + corner[1] - uv[0, 0]).astype(np.float32)[None, :]
    du, dv = (float(x) for x in uv[1] - uv[0])
    length2 = max(du * du + dv * dv, 1e-6)
    along = np.clip((u * du + v * dv) / length2, 0.0, 1.0)
    radius = radii[0] + (radii[1] - radii[0]) * along
    off = np.sqrt((u - along * du) ** 2 + (v - along * dv) ** 2)
    inside = np.clip(radius - off + 0.5, 0.0, 1.0).astype(np.float32)
    round_ = np.sqrt(np.clip(1.0 - (off / np.maximum(radius, 0.5)) ** 2, 0.0, 1.0))
    spine = capsule.a[2] + (capsule.b[2] - capsule.a[2]) * along
    top = spine + (capsule.ra + (capsule.rb - capsule.ra) * along) * round_
    part = (slice(r0, r1), slice(c0, c1))
    heights[part] = np.where(inside > 0, np.maximum(heights[part], top), heights[part])
    alpha[part] = np.maximum(alpha[part], inside)


def _relief(heights: Floats, alpha: Floats, px_per_mm: float) -> Floats:
    """(h, w) light on a height map (mm) lit from above and a little from the side."""
    base = np.where(alpha > 0, heights, heights[alpha > 0].min() if (alpha > 0).any() else 0.0).astype(np.float32)
    smooth = cv2.GaussianBlur(base, (0, 0), max(0.6, 2.2 * px_per_mm))
    gx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3) * (px_per_mm / 8)
    gy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3) * (px_per_mm / 8)
    norm = np.sqrt(1.0 + gx * gx + gy * gy)
    return np.asarray(0.30 + 0.85 * np.clip((1.0 + 0.16 * gx + 0.22 * gy) / norm, 0.0, 1.3), np.float32)
