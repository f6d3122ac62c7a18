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


def same_view(pictures: Sequence[Pixels]) -> list[Pixels]:
    """Those of the pictures that show what most of them show; a cut to another camera is left out."""
    if len(pictures) < 3:
        return list(pictures[:1])
    small = [cv2.resize(picture, _SMALL, interpolation=cv2.INTER_AREA).astype(np.float64) for picture in pictures]
    apart = np.array([[float(np.mean(np.abs(a - b))) for b in small] for a in small])
    near = apart < _SAME_VIEW
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
