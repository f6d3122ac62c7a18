"""What balls look like: the measures of colour by which they are told apart."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array
from vision.outline import ANGLES, RADII, polar

BODY = RADII < 0.8
LUMA_RANGE = (0.35, 0.85)
PALE_RATIO = 0.28
WHITE_SHARE = 0.55
BLACK_SHARE = 0.25
LUMA_FLOOR, CHROMA_FLOOR = 8.0, 25.0


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


def hue_gap(looks: Looks, cloth: tuple[Array, Array, Array]) -> Array:
    """(n,) how far the bodies' colour ratios are from those of the cloth, shaded or lit to the same luma.

    cloth: luma, cr and cb (n,) of the cloth at each ball.
    """
    luma, cr, cb = cloth
    body = (luma + LUMA_FLOOR) * np.exp(looks.body[:, 0]) - LUMA_FLOOR
    shade = np.maximum(body, 0.0) / np.maximum(luma, 1.0)
    gap: Array = np.hypot(
        looks.body[:, 1] - shade * cr / (body + CHROMA_FLOOR), looks.body[:, 2] - shade * cb / (body + CHROMA_FLOOR)
    )
    return gap


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How stored samples become luma and colour differences about 0: ``(sample - zero) * gain``."""

    luma_zero: float = 0.0
    luma_gain: float = 1.0
    chroma_zero: float = 0.0
    chroma_gain: float = 1.0


PLAIN = Scale()


def _features(luma: Array, cr: Array, cb: Array, cloth_luma: Array) -> Array:
    return np.column_stack(
        [
            np.log((np.maximum(luma, 0) + LUMA_FLOOR) / (cloth_luma + LUMA_FLOOR)),
            cr / (luma + CHROMA_FLOOR),
            cb / (luma + CHROMA_FLOOR),
        ]
    )


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
    n = len(centre)
    samples = ANGLES * int(BODY.sum())
    luma, cr, cb = (polar(plane, centre, radius)[..., BODY].reshape(n, samples).astype(np.float64) for plane in planes)
    luma = (luma - scale.luma_zero) * scale.luma_gain
    cr, cb = (cr - scale.chroma_zero) * scale.chroma_gain, (cb - scale.chroma_zero) * scale.chroma_gain
    weight = np.tile(RADII[BODY], (ANGLES, 1)).ravel() / (RADII[BODY].sum() * ANGLES)

    def mean(values: Array, weights: Array) -> Array:
        average: Array = (values * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
        return average

    order = np.argsort(luma, axis=1)
    cumulated = np.empty_like(luma)
    np.put_along_axis(cumulated, order, np.cumsum(weight[order], axis=1), axis=1)
    low, high = LUMA_RANGE
    middle = weight * ((cumulated > low) & (cumulated < high))
    body = _features(mean(luma, middle), mean(cr, middle), mean(cb, middle), cloth_luma)

    ratio = np.hypot(cr, cb) / (luma + CHROMA_FLOOR)
    pale = ratio < PALE_RATIO
    if white_level is None:
        bright = luma[pale]
        white_level = float(np.percentile(bright, 95)) if len(bright) else 255.0
        white_level = max(white_level, float(np.median(cloth_luma)) if n else 0.0)
    white = pale & (luma > WHITE_SHARE * white_level)
    black = luma < BLACK_SHARE * white_level
    paint = weight * ~white * (ratio > 0.5 * PALE_RATIO) + 1e-6 * weight
    return Looks(
        body=body,
        coloured=_features(mean(luma, paint), mean(cr, paint), mean(cb, paint), cloth_luma),
        white=(weight * white).sum(axis=1),
        black=(weight * (black & ~white)).sum(axis=1),
        white_level=white_level,
    )
