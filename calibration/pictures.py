"""Making one picture of several from the same camera, so that players and moving balls fall out."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.median import median_of

Array = NDArray[np.float64]
Pixels = NDArray[np.uint8]

_SMALL = (96, 54)
_SAME_VIEW = 14.0
"""Mean difference in grey levels up to which two small pictures show the same view."""


def thumbnail(picture: Pixels, size: tuple[int, int]) -> Array:
    """A picture's mean colours in (width, height) equal parts, about; for comparing what it shows."""
    while picture.shape[1] > 6 * size[0] and picture.shape[0] > 6 * size[1]:
        halved = (picture.shape[1] // 2, picture.shape[0] // 2)
        even = picture[: 2 * halved[1], : 2 * halved[0]]
        picture = np.asarray(cv2.resize(even, halved, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.float64)


def _small(picture: Pixels) -> Array:
    return thumbnail(picture, _SMALL)


def _alike(small: Array, other: Array) -> bool:
    return float(np.mean(np.abs(small - other))) < _SAME_VIEW


def showing(view: Pixels, pictures: Sequence[Pixels]) -> list[Pixels]:
    """Those of the pictures that have the size of a view and show it."""
    wanted = _small(view)
    return [each for each in pictures if each.shape == view.shape and _alike(_small(each), wanted)]


def same_view(pictures: Sequence[Pixels]) -> list[Pixels]:
    """Those of the pictures that show what most of them show; a cut to another camera is left out."""
    if len(pictures) < 3:
        return list(pictures[:1])
    small = [_small(picture) for picture in pictures]
    near = np.array([[_alike(a, b) for b in small] for a in small])
    chosen = near[int(np.argmax(near.sum(axis=1)))]
    return [picture for picture, use in zip(pictures, chosen, strict=True) if use]


def combined(pictures: Sequence[Pixels]) -> Pixels:
    """The median (h, w, 3) of the pictures that show the same view; raises ValueError where their sizes differ."""
    if not pictures:
        raise ValueError("at least one picture is needed")
    shapes = {picture.shape for picture in pictures}
    if len(shapes) > 1:
        raise ValueError(f"pictures of one camera must have one size, got {sorted(shapes)}")
    view = same_view(pictures)
    if len(view) < 3:
        return view[0]
    return np.asarray(median_of(view), dtype=np.uint8)
