"""What balls look like: the measures of colour by which they are told apart."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array
from vision.outline import ANGLES, DIRECTIONS, RADII

BODY = RADII[RADII < 0.8]
_RAYS = np.outer(DIRECTIONS[:, 0], BODY).ravel(), np.outer(DIRECTIONS[:, 1], BODY).ravel()
_WEIGHT = np.tile(BODY, ANGLES) / (BODY.sum() * ANGLES)
LUMA_RANGE = (0.35, 0.85)
PALE_RATIO = 0.28
WHITE_SHARE = 0.55
BLACK_SHARE = 0.25
SAME_HUE_DEG, SATURATION_RANGE = 6.0, (0.5, 1.6)
DARKEST_SHADE, CUSHIONS_SHADE, LEAST_COLOUR = -0.6, -0.9, 0.1
HIGHLIGHT = 0.002
# as shares of the cloth's luma, so that the exposure of the picture drops out
LUMA_FLOOR, CHROMA_FLOOR = 0.08, 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """What n balls look like. body, coloured: (n, 3) features of the lit body, and of its coloured part.

    Features: log of luma over the cloth's luma there, and the two colour differences over luma. white, black: (n,)
    shares of the disc that are about white (against ``white_level``) and about black.
    """

    body: Array
    coloured: Array
    white: Array
    black: Array
    white_level: float

    def __len__(self) -> int:
        return len(self.body)

    def take(self, index: NDArray[np.intp]) -> "Looks":
        return Looks(
            body=self.body[index],
            coloured=self.coloured[index],
            white=self.white[index],
            black=self.black[index],
            white_level=self.white_level,
        )


def have_cloths_hue(
    looks: Looks, cloth: tuple[Array, Array, Array], at_cushion: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(n,) whether a body is cloth by its colour: lit or shaded cloth, a cushion's edge, a line or a print on it.

    Light, shade and reflections change luma and saturation, hardly the hue. What is much darker than shaded cloth is
    not told: a black ball mirrors the cloth. Under a cushion shade is darker, but holds no highlight.

    cloth: luma, cr and cb (n,) of the cloth at each ball. at_cushion: (n,) whether a cushion is near.
    """
    luma, cr, cb = cloth
    shade = np.maximum((1 + LUMA_FLOOR) * np.exp(looks.body[:, 0]) - LUMA_FLOOR, 0.0)
    share = shade / (shade + CHROMA_FLOOR) / np.maximum(luma, 1.0)
    bare, own = share[:, None] * np.column_stack([cr, cb]), looks.body[:, 1:]
    size, bare_size = np.linalg.norm(own, axis=1), np.maximum(np.linalg.norm(bare, axis=1), 1e-6)
    along = (own * bare).sum(axis=1) / (np.maximum(size, 1e-6) * bare_size)
    least, most = SATURATION_RANGE
    darkest = np.where(at_cushion & (looks.white < HIGHLIGHT), CUSHIONS_SHADE, DARKEST_SHADE)
    same: NDArray[np.bool_] = (
        (along > np.cos(np.radians(SAME_HUE_DEG)))
        & (size > least * bare_size)
        & (size < most * bare_size)
        & (looks.body[:, 0] > darkest)
        & (bare_size > LEAST_COLOUR)
    )
    return same


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How stored samples become luma and colour differences about 0: ``(sample - zero) * gain``."""

    luma_zero: float = 0.0
    luma_gain: float = 1.0
    chroma_zero: float = 0.0
    chroma_gain: float = 1.0


PLAIN = Scale()


def _features(luma: Array, cr: Array, cb: Array, cloth_luma: Array) -> Array:
    level = np.maximum(cloth_luma, 1.0)
    lit = np.maximum(luma, 0.0) / level
    whole = (lit + CHROMA_FLOOR) * level
    return np.column_stack([np.log((lit + LUMA_FLOOR) / (1 + LUMA_FLOOR)), cr / whole, cb / whole])


def see(
    planes: tuple[NDArray[Any], NDArray[Any], NDArray[Any]],
    centre: Array,
    radius: Array,
    cloth_luma: Array,
    *,
    scale: Scale = PLAIN,
    white_level: float | None = None,
) -> Looks:
    """Measure n balls. The body is what lies between shaded rim and highlight: the middle half of the disc by luma.

    planes: luma, cr and cb. cloth_luma: (n,) of the cloth there, scaled already. white_level: luma of a white ball
    where it is known; else the brightest pale pixels of these balls give it.
    """
    u = (centre[:, 0, None] + radius[:, None] * _RAYS[0]).astype(np.float32)
    v = (centre[:, 1, None] + radius[:, None] * _RAYS[1]).astype(np.float32)
    luma, cr, cb = (
        cv2.remap(plane, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float64)
        if len(centre)
        else np.empty(u.shape)
        for plane in planes
    )
    if scale is not PLAIN:
        luma = (luma - scale.luma_zero) * scale.luma_gain
        cr, cb = (cr - scale.chroma_zero) * scale.chroma_gain, (cb - scale.chroma_zero) * scale.chroma_gain

    def mean(values: Array, weights: Array) -> Array:
        average: Array = (values * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
        return average

    order = np.argsort(luma, axis=1)
    rows = np.arange(len(order))[:, None]
    cumulated = np.empty_like(luma)
    cumulated[rows, order] = np.cumsum(_WEIGHT[order], axis=1)
    low, high = LUMA_RANGE
    middle = _WEIGHT * ((cumulated > low) & (cumulated < high))
    body = _features(mean(luma, middle), mean(cr, middle), mean(cb, middle), cloth_luma)

    ratio = np.sqrt(cr * cr + cb * cb) / (np.maximum(luma, 0.0) + CHROMA_FLOOR * np.maximum(cloth_luma, 1.0)[:, None])
    pale = ratio < PALE_RATIO
    if white_level is None:
        bright = luma[pale]
        white_level = float(np.percentile(bright, 95)) if len(bright) else 255.0
        white_level = max(white_level, float(np.median(cloth_luma)) if len(centre) else 0.0)
    white = pale & (luma > WHITE_SHARE * white_level)
    black = luma < BLACK_SHARE * white_level
    paint = _WEIGHT * ~white * (ratio > 0.5 * PALE_RATIO) + 1e-6 * _WEIGHT
    return Looks(
        body=body,
        coloured=_features(mean(luma, paint), mean(cr, paint), mean(cb, paint), cloth_luma),
        white=(_WEIGHT * white).sum(axis=1),
        black=(_WEIGHT * (black & ~white)).sum(axis=1),
        white_level=white_level,
    )
