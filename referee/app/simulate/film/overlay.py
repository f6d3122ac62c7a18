"""What a broadcaster lays over the picture: a scoreboard and a mark in a corner."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frames import Pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """The scoreboard from time ``t`` on: names and scores of the sides, whose turn it is, and a note (break, call)."""

    t: float
    names: tuple[str, str]
    scores: tuple[str, str]
    striker: int = 0
    note: str = ""


@dataclass(frozen=True)
class Overlay:
    """Captions in order of time and the text of the corner mark; either may be empty."""

    captions: Sequence[Caption] = ()
    mark: str = ""

    def draw(self, picture: Pixels, t: float) -> Pixels:
        """The picture with the overlay of time t drawn into it."""
        height, width = picture.shape[:2]
        if self.mark:
            layer = picture.copy()
            size = height / 900
            (w, h), _ = cv2.getTextSize(self.mark, cv2.FONT_HERSHEY_DUPLEX, size, 2)
            place = (width - w - width // 40, h + height // 36)
            cv2.putText(layer, self.mark, place, cv2.FONT_HERSHEY_DUPLEX, size, (235, 235, 235), 1, cv2.LINE_AA)
            cv2.addWeighted(layer, 0.75, picture, 0.25, 0, picture)
        k = bisect_right([caption.t for caption in self.captions], t) - 1
        if k >= 0:
            _board(picture, self.captions[k])
        return picture


def _board(picture: Pixels, caption: Caption) -> None:
    height, width = picture.shape[:2]
    unit = height / 540
    tall, left, right = int(18 * unit), int(width * 0.22), int(width * 0.78)
    top = height - tall - int(5 * unit)
    middle = width // 2
    box = int(46 * unit)
    blocks = (
        (left, middle - box, (36, 196, 232), caption.names[0], (20, 20, 20)),
        (middle - box, middle, (240, 240, 240), caption.scores[0], (20, 20, 20)),
        (middle, middle + box, (240, 240, 240), caption.scores[1], (20, 20, 20)),
        (middle + box, right, (36, 196, 232), caption.names[1], (20, 20, 20)),
    )
    for x0, x1, colour, text, ink in blocks:
        cv2.rectangle(picture, (x0, top), (x1 - 1, top + tall), colour, -1)
        _centred(picture, text, (x0 + x1) // 2, top + tall // 2, unit, ink)
    arrow = left + int(8 * unit) if caption.striker == 0 else right - int(8 * unit)
    points = np.array([(-4, -4), (4, 0), (-4, 4)]) * unit * (1 if caption.striker == 0 else -1)
    corners = np.round(points + np.array([arrow, top + tall / 2])).astype(np.int32)
    cv2.fillPoly(picture, [corners], (20, 20, 20), cv2.LINE_AA)
    if caption.note:
        cv2.rectangle(picture, (middle - 2 * box, top - tall), (middle + 2 * box, top - 1), (60, 40, 30), -1)
        _centred(picture, caption.note, middle, top - tall // 2, unit, (240, 240, 240))


def _centred(picture: Pixels, text: str, x: int, y: int, unit: float, ink: tuple[int, int, int]) -> None:
    size = 0.42 * unit
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, size, 1)
    cv2.putText(picture, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_DUPLEX, size, ink, 1, cv2.LINE_AA)
