"""Making one picture of several from the same camera, so that players and moving balls fall out."""

from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.median import median_of

Pixels = NDArray[np.uint8]

_SMALL = (96, 54)
_SAME_VIEW = 14.0
"""Mean difference in grey levels up to which two small pictures show the same view."""


def thumbnail(picture: Pixels, size: tuple[int, int]) -> Pixels:
    """A picture's mean colours in (width, height) equal parts, about; for comparing what it shows."""
    while picture.shape[1] > 6 * size[0] and picture.shape[0] > 6 * size[1]:
        # the middle four of every sixteen pixels stand for all
        quarter = (picture.shape[1] // 4, picture.shape[0] // 4)
        whole = picture[: 4 * quarter[1], : 4 * quarter[0]]
        picture = np.asarray(cv2.resize(whole, quarter, interpolation=cv2.INTER_LINEAR), np.uint8)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def difference(small: Pixels, other: Pixels) -> float:
    """By how many grey levels two thumbnails differ in the mean."""
    return cv2.norm(small, other, cv2.NORM_L1) / small.size


def _small(picture: Pixels) -> Pixels:
    return thumbnail(picture, _SMALL)


def _alike(small: Pixels, other: Pixels) -> bool:
    return difference(small, other) < _SAME_VIEW


def showing(view: Pixels, pictures: Sequence[Pixels]) -> list[Pixels]:
    """Those of the pictures that have the size of a view and show it."""
    wanted = _small(view)
    return [each for each in pictures if each.shape == view.shape and _alike(_small(each), wanted)]


def same_view(pictures: Sequence[Pixels]) -> list[Pixels]:
    """Those of the pictures that show what most of them show; a cut to another camera is left out."""
    if len(pictures) < 3:
        return list(pictures[:1])
    small = [_small(picture) for picture in pictures]
    near = np.eye(len(small), dtype=bool)
    for i, j in combinations(range(len(small)), 2):
        near[i, j] = near[j, i] = _alike(small[i], small[j])
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
