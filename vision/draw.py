"""Drawing what was detected over the picture, for looking at it."""

from typing import Any

import cv2
from numpy.typing import NDArray

COLOURS_BGR = {
    "cue": (255, 255, 255),
    "red": (60, 60, 255),
    "yellow": (0, 230, 255),
    "green": (90, 220, 60),
    "brown": (40, 110, 190),
    "blue": (255, 140, 60),
    "pink": (190, 150, 255),
    "black": (130, 130, 130),
}
OTHER_BGR = (255, 255, 0)
_SHIFT = 4


def _subpixel(value: float) -> int:
    return round(value * (1 << _SHIFT))


def draw_circle(picture: NDArray[Any], u: float, v: float, r: float, colour: tuple[int, int, int]) -> None:
    """A thin circle with sub-pixel centre and radius, in place."""
    centre = (_subpixel(u), _subpixel(v))
    cv2.circle(picture, centre, _subpixel(r), (0, 0, 0), 2, cv2.LINE_AA, _SHIFT)
    cv2.circle(picture, centre, _subpixel(r), colour, 1, cv2.LINE_AA, _SHIFT)


def draw_label(picture: NDArray[Any], text: str, u: float, v: float, colour: tuple[int, int, int]) -> None:
    """Small text with a dark edge, its lower left corner at (u, v), in place."""
    at = (round(u), round(v))
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.4, colour, 1, cv2.LINE_AA)
