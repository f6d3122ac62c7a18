"""What the numbered balls of pool look like: their paint, how much of each is white, and how that shows in a picture.

Sets differ: the 4 is purple or pink, the 7 maroon or brown, and so are the stripes of their colours.
"""

from dataclasses import dataclass

import numpy as np

from vision.balls import BallSet, group_of
from vision.geometry import Array
from vision.looks import Looks, paint_colour, paint_features

FREEDOM = 6.0
# how far a thin band's colour may be mixed with the white beside it, and the odds of that
MIXED = ((0.0, 0.0), (0.25, -0.7), (0.5, -1.6))
# of the disc, the share that shows white: a solid's is the circle of its number
SOLID_BLANK, EIGHT_BLANK, STRIPE_BLANK = (0.13, 0.07), (0.14, 0.09), (0.38, 0.16)
# a ball of one colour has no white beside its paint, so the share says nothing: as improbable as a usual stripe's
CUE_BLANK_LOGP = 1.0
# measured: what is right is so more often than the likelihoods say
SHARPNESS = 1.3
DARKEST = 0.004
"""No channel's share of white is taken for less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """Mean and scatter of one paint's features; see `Looks.paint`."""

    mean: tuple[float, float, float]
    sigma: tuple[float, float, float]


# measured on about 220 balls of four cameras and four sets
YELLOW = Paint(mean=(-0.28, 0.21, -0.37), sigma=(0.16, 0.08, 0.08))
BLUE = Paint(mean=(-1.20, -0.30, 0.38), sigma=(0.25, 0.12, 0.13))
RED = Paint(mean=(-0.98, 0.68, -0.14), sigma=(0.22, 0.16, 0.08))
PURPLE = Paint(mean=(-1.17, -0.04, 0.23), sigma=(0.28, 0.10, 0.12))
PINK = Paint(mean=(-0.55, 0.45, -0.16), sigma=(0.16, 0.12, 0.06))
ORANGE = Paint(mean=(-0.55, 0.48, -0.30), sigma=(0.15, 0.13, 0.06))
GREEN = Paint(mean=(-1.10, -0.34, 0.03), sigma=(0.22, 0.09, 0.09))
MAROON = Paint(mean=(-1.18, 0.42, 0.00), sigma=(0.22, 0.17, 0.13))
BROWN = Paint(mean=(-0.80, 0.28, -0.22), sigma=(0.15, 0.08, 0.07))
BLACK = Paint(mean=(-1.90, -0.15, 0.18), sigma=(0.40, 0.13, 0.11))
WHITE_SIGMA = (0.14, 0.06, 0.07)
PAINTS = ((YELLOW,), (BLUE,), (RED,), (PURPLE, PINK), (ORANGE,), (GREEN,), (MAROON, BROWN))
"""Of the solids 1 to 7 and of the stripes 9 to 15."""


def _fit(features: Array, mean: Array, sigma: Array) -> Array:
    """(n,) log likelihood (Student's t with `FREEDOM` degrees) of features (n, 3)."""
    squared = (((features - mean) / sigma) ** 2).sum(axis=1)
    value: Array = -0.5 * (FREEDOM + 3) * np.log1p(squared / FREEDOM) - np.log(sigma).sum()
    return value


def _share(values: Array, mean_sigma: tuple[float, float]) -> Array:
    mean, sigma = mean_sigma
    value: Array = -0.5 * (FREEDOM + 1) * np.log1p(((values - mean) / sigma) ** 2 / FREEDOM) - np.log(sigma)
    return value


def _paint_logp(looks: Looks, paint: Paint, *, mixed: bool) -> Array:
    """(n,) of one paint, ``mixed`` with white as far as a thin band is."""
    mean, sigma = np.array(paint.mean), np.array(paint.sigma)
    if not mixed:
        return _fit(looks.paint, mean, sigma)
    white = looks.of_white.paint()
    own = paint_colour(mean[None])
    ways = [
        _fit(looks.paint, paint_features((1 - share) * own + share * white[None])[0], sigma) + odds
        for share, odds in MIXED
    ]
    best: Array = np.max(ways, axis=0)
    return best


def _white_features(looks: Looks) -> Array:
    """(1, 3) of a white ball in this picture."""
    return paint_features(looks.of_white.paint()[None])


def toned(paint: Paint, tone: float) -> Paint:
    """A paint as a camera shows it that raises each channel's share of white to the power of ``tone`` (its gamma)."""
    if tone == 1.0:
        return paint
    luma, cr, cb = paint_colour(np.array([paint.mean]))[0]
    blue_green_red = np.array([luma + 1.773 * cb, luma - 0.344 * cb - 0.714 * cr, luma + 1.403 * cr])
    b, g, r = np.clip(blue_green_red, DARKEST, None) ** tone
    luma = 0.114 * b + 0.587 * g + 0.299 * r
    mean = paint_features(np.array([[luma, 0.713 * (r - luma), 0.564 * (b - luma)]]))[0]
    return Paint(mean=(float(mean[0]), float(mean[1]), float(mean[2])), sigma=(tone * paint.sigma[0], *paint.sigma[1:]))


def numbered_logp(looks: Looks, ball_set: BallSet, tone: float = 1.0) -> Array:
    """(n, k) log likelihood of the cue ball and of each numbered ball, each row up to a constant.

    tone: the camera's, as of `toned`.
    """
    blank = {"solid": _share(looks.blank, SOLID_BLANK), "stripe": _share(looks.blank, STRIPE_BLANK)}
    columns = []
    for kind in ball_set.kinds:
        group = group_of(kind)
        if group == "cue":
            sigma = tone * np.array(WHITE_SIGMA)
            columns.append(_fit(looks.paint, _white_features(looks)[0], sigma) + CUE_BLANK_LOGP)
        elif group == "8":
            columns.append(_paint_logp(looks, toned(BLACK, tone), mixed=False) + _share(looks.blank, EIGHT_BLANK))
        else:
            paints = [
                _paint_logp(looks, toned(paint, tone), mixed=group == "stripe") for paint in PAINTS[(int(kind) - 1) % 8]
            ]
            columns.append(np.max(paints, axis=0) + blank[group])
    return SHARPNESS * np.column_stack(columns)
