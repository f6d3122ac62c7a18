"""What other light, lenses, cameras and coding make of a picture, at the same places."""

from collections.abc import Callable
from functools import partial
from typing import Any

import cv2
import numpy as np

from vision.frames import Pixels

GAINS_BGR = {"warm": (0.80, 1.0, 1.15), "cool": (1.15, 1.0, 0.82)}
SEED = 7


RAMP = np.arange(256.0)[:, None, None] * np.ones(3)
"""(256, 1, 3): every value that a channel can have."""


def _pixels(values: Any) -> Pixels:
    return np.clip(np.round(values), 0, 255).astype(np.uint8)


def _by_value(values: Any) -> Callable[[Pixels], Pixels]:
    """The change that gives each value of `RAMP` one of values (256, 1, 3)."""
    return partial(_looked_up, table=_pixels(values))


def _looked_up(picture: Pixels, table: Pixels) -> Pixels:
    return np.asarray(cv2.LUT(picture, table), np.uint8)


def _pale(picture: Pixels) -> Pixels:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None].astype(np.float64)
    return _pixels(grey + 0.65 * (picture - grey))


def _noisy(picture: Pixels) -> Pixels:
    return _pixels(picture + np.random.default_rng(SEED).normal(0.0, 10.0, picture.shape))


def _blurred(picture: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8)


def _compressed(picture: Pixels) -> Pixels:
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 25])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _vignetted(picture: Pixels) -> Pixels:
    rows, columns = picture.shape[:2]
    v, u = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    return _pixels(picture * (1.0 - 0.25 * (u**2 + v**2))[..., None])


CHANGES: dict[str, Callable[[Pixels], Pixels]] = {
    "dark": _by_value(0.6 * RAMP),
    "bright": _by_value(1.35 * RAMP),
    "gamma 0.7": _by_value(255.0 * (RAMP / 255.0) ** 0.7),
    "gamma 1.4": _by_value(255.0 * (RAMP / 255.0) ** 1.4),
    "warm": _by_value(GAINS_BGR["warm"] * RAMP),
    "cool": _by_value(GAINS_BGR["cool"] * RAMP),
    "flat": _by_value(110.0 + 0.7 * (RAMP - 110.0)),
    "pale": _pale,
    "noisy": _noisy,
    "blurred": _blurred,
    "compressed": _compressed,
    "vignetted": _vignetted,
}
