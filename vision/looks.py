"""What balls look like: the measures of colour by which they are told apart."""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array
from vision.outline import ANGLES, DIRECTIONS, ONE_MAP, RADII

BODY = RADII[RADII < 0.8]
_RAYS = np.outer(DIRECTIONS[:, 0], BODY).ravel(), np.outer(DIRECTIONS[:, 1], BODY).ravel()
_PAIRS = np.column_stack(_RAYS)
_WEIGHT = np.tile(BODY, ANGLES) / (BODY.sum() * ANGLES)
LUMA_RANGE = (0.35, 0.85)
PALE_RATIO = 0.28
WHITE_SHARE = 0.55
BRIGHT_SHARE = 0.7
PAINT_FLOOR, PAINT_DARK, PAINT_SHARE = 0.15, 0.05, 0.3
WHITE_LIT, LEAST_WAY, TINT_FLOOR = 0.95, 0.02, 0.3
NEVER_WHITE = 0.35
SLANT, LIT_DEPTH = 0.3, 0.1
SAME_HUE_DEG, SATURATION_RANGE = 6.0, (0.5, 1.6)
DARKEST_SHADE, CUSHIONS_SHADE, LEAST_COLOUR = -0.6, -0.9, 0.1
HIGHLIGHT = 0.002
# as shares of the cloth's luma, so that the exposure of the picture drops out
LUMA_FLOOR, CHROMA_FLOOR = 0.08, 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class White:
    """What a white ball looks like. level: its luma. tint: (2,) its colour differences over luma, see `Looks.paint`."""

    level: float
    tint: tuple[float, float]

    def paint(self) -> Array:
        """(3,) luma, cr and cb of a white ball's lit side as shares of `level`."""
        return np.array([WHITE_LIT, *(np.array(self.tint) * (WHITE_LIT + PAINT_FLOOR))])


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """What n balls look like. body: (n, 3) features of the lit body. white: (n,) share of the disc that is about white.

    Features: log of luma over the cloth's luma there, and the two colour differences over luma. paint: (n, 3) the same
    of the part that is least like a white ball, but luma over the white's. blank: (n,) share of the disc that is white
    beside that paint, 0 to 1; of a ball of one colour it says nothing.
    """

    body: Array
    white: Array
    paint: Array
    blank: Array
    of_white: White

    def __len__(self) -> int:
        return len(self.body)

    def take(self, index: NDArray[np.intp]) -> "Looks":
        return replace(
            self, body=self.body[index], white=self.white[index], paint=self.paint[index], blank=self.blank[index]
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
    numbered: bool = False,
    towards: Array | None = None,
    scale: Scale = PLAIN,
    of_white: White | None = None,
    trust: Array | None = None,
) -> Looks:
    """Measure n balls. The body is what lies between shaded rim and highlight: the middle half of the disc by luma.

    planes: luma, cr and cb. cloth_luma: (n,) of the cloth there, scaled already. numbered: whether to look at the paint
    of numbered balls, too. towards: (2,) as `TableView.towards_camera` gives it. of_white: what a white ball looks like
    where it is known; else the brightest pale pixels of these balls give it, each ball weighted by ``trust`` (n,).
    """
    samples = np.empty((3, len(centre), len(_WEIGHT)))
    if len(centre):
        at = radius[:, None, None] * _PAIRS
        at += centre[:, None]
        where = at.astype(np.float32)
        for k, plane in enumerate(planes):
            samples[k] = cv2.remap(plane, where, ONE_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if scale is not PLAIN:
        samples -= np.array([scale.luma_zero, scale.chroma_zero, scale.chroma_zero])[:, None, None]
        samples *= np.array([scale.luma_gain, scale.chroma_gain, scale.chroma_gain])[:, None, None]
    luma, cr, cb = samples

    cumulated = _cumulated(luma, _WEIGHT)
    low, high = LUMA_RANGE
    middle = _WEIGHT * ((cumulated > low) & (cumulated < high))
    means = (samples * middle).sum(axis=2) / np.maximum(middle.sum(axis=1), 1e-9)
    body = _features(means[0], means[1], means[2], cloth_luma)

    pale = np.sqrt(cr * cr + cb * cb) < PALE_RATIO * (
        np.maximum(luma, 0.0) + CHROMA_FLOOR * np.maximum(cloth_luma, 1.0)[:, None]
    )
    if of_white is None:
        of_white = _white((luma, cr, cb), pale, np.ones(len(centre)) if trust is None else trust, cloth_luma)
    none = np.zeros((len(centre), 3)), np.zeros(len(centre))
    paint, blank = _painted((luma, cr, cb), of_white, towards) if numbered else none
    return Looks(
        body=body,
        white=(_WEIGHT * (pale & (luma > WHITE_SHARE * of_white.level))).sum(axis=1),
        paint=paint,
        blank=blank,
        of_white=of_white,
    )


def _mean(values: Array, weights: Array) -> Array:
    average: Array = (values * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
    return average


def _painted(planes: tuple[Array, Array, Array], of_white: White, towards: Array | None) -> tuple[Array, Array]:
    """`Looks.paint` and `Looks.blank` of samples (n, m)."""
    luma, cr, cb = planes
    lit = _WEIGHT * _lit_side(towards)
    whole, tint = luma + PAINT_FLOOR * of_white.level, of_white.tint
    off_cr, off_cb = cr - tint[0] * whole, cb - tint[1] * whole
    unlike = np.sqrt(off_cr**2 + off_cb**2) / (np.maximum(luma, 0.0) + TINT_FLOOR * of_white.level)
    unlike += np.maximum(NEVER_WHITE - luma / of_white.level, 0.0)
    most = lit * (_cumulated(-unlike, lit) < PAINT_SHARE * lit.sum())
    paint = np.column_stack([_mean(plane, most) for plane in planes]) / of_white.level
    way = of_white.paint() - paint
    along = np.zeros_like(luma)
    for k, plane in enumerate(planes):
        along += (plane / of_white.level - paint[:, k, None]) * way[:, k, None]
    blank = np.clip(along / np.maximum((way**2).sum(axis=1), LEAST_WAY)[:, None], 0.0, 1.0)
    return paint_features(paint), (_WEIGHT * blank).sum(axis=1)


def paint_features(paint: Array) -> Array:
    """Features (n, 3) as in `Looks.paint` of luma, cr and cb (n, 3) as shares of a white ball's luma."""
    luma = np.maximum(paint[:, 0], 0.0)
    whole = luma + PAINT_FLOOR
    return np.column_stack([np.log(luma + PAINT_DARK), paint[:, 1] / whole, paint[:, 2] / whole])


def paint_colour(features: Array) -> Array:
    """Luma, cr and cb (n, 3) as shares of a white ball's luma: the inverse of `paint_features`."""
    luma = np.exp(features[:, 0]) - PAINT_DARK
    whole = luma + PAINT_FLOOR
    return np.column_stack([luma, features[:, 1] * whole, features[:, 2] * whole])


def _cumulated(values: Array, weight: Array) -> Array:
    """(n, m) for each sample the weight of those of its row that are no greater."""
    order = np.argsort(values, axis=1)
    rows = np.arange(len(order))[:, None]
    cumulated = np.empty_like(values)
    cumulated[rows, order] = weight.take(order).cumsum(axis=1)
    return cumulated


def _white(planes: tuple[Array, Array, Array], pale: NDArray[np.bool_], trust: Array, cloth_luma: Array) -> White:
    """What the brightest pale pixels (n, m) say of white; of a ball without any colour where there are none.

    The tint is the middle one of the balls', so that a sleeve or a line among them doesn't set it.
    """
    luma, cr, cb = planes
    if not pale.any():
        return White(level=255.0, tint=(0.0, 0.0))
    brightest = max(float(np.percentile(luma[pale], 95)), float(np.median(cloth_luma)))
    whole = luma + PAINT_FLOOR * brightest
    bright = np.where(pale & (luma > BRIGHT_SHARE * brightest), _WEIGHT, 0.0)
    worth = trust * bright.sum(axis=1)
    if worth.sum() <= 0:
        return White(level=brightest, tint=(0.0, 0.0))
    size = np.maximum(bright.sum(axis=1), 1e-9)
    tints = [(plane / whole * bright).sum(axis=1) / size for plane in (cr, cb)]
    return White(level=brightest, tint=(_middle(tints[0], worth), _middle(tints[1], worth)))


def _middle(values: Array, weights: Array) -> float:
    """The weighted median."""
    order = np.argsort(values)
    place = np.searchsorted(np.cumsum(weights[order]), 0.5 * weights.sum())
    return float(values[order[min(int(place), len(values) - 1)]])


def _lit_side(towards: Array | None) -> Array:
    """(m,) 1 where a ball is seen by the lamps' light; 0 on its underside, which mirrors the cloth at a slant."""
    length = float(np.linalg.norm(towards)) if towards is not None else 0.0
    if towards is None or length < SLANT:
        return np.ones(len(_WEIGHT))
    along = (_RAYS[0] * towards[0] + _RAYS[1] * towards[1]) / length
    return np.asarray(along < LIT_DEPTH, dtype=np.float64)
