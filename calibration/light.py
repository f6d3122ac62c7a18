"""Dark pictures: what sets a table off from its surroundings, and balls from the cloth, is fewer levels there."""

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

DIM_LUMA, USUAL_LUMA, MOST_GAIN = 65.0, 90.0, 2.0
"""A picture whose cloth is darker than the first is lit up to the second, at most so many times: more would bring out
its noise."""


def light_wanted(luma: float) -> float:
    """How many times as much light a picture needs whose cloth has that luma, 0 to 255; 1 where that is enough."""
    return min(USUAL_LUMA / max(luma, 1.0), MOST_GAIN) if luma < DIM_LUMA else 1.0


def lit_up(picture: Pixels, gain: float) -> Pixels:
    """A BGR picture (h, w, 3) as if so many times as much light had been there, as far as it can hold it."""
    return np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)
