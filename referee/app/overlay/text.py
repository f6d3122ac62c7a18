"""Text for pictures: drawn once, kept as a mask, and blended in wherever it is wanted."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.app.palette import Colour, bgr

Picture = NDArray[np.uint8]
REGULAR, BOLD = 420, 640


@lru_cache(maxsize=1)
def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")


@lru_cache(maxsize=1024)
def _mask(text: str, size: int, weight: int) -> NDArray[np.float32]:
    """(height, width) coverage, 0 to 1, of one line of text; the height depends on the size alone."""
    height = round(size * 1.45)
    x, _, width, _ = cv2.getTextSize((8192, height), text, (0, 0), _font(), size, weight)
    drawn = np.zeros((height, max(1, width + x + 2), 3), np.uint8)
    cv2.putText(drawn, text, (0, round(size * 1.05)), (255, 255, 255), _font(), size, weight)
    return (drawn[:, :, 0] / np.float32(255)).astype(np.float32)


def text_width(text: str, size: int, weight: int = REGULAR) -> int:
    """In px."""
    return int(_mask(text, size, weight).shape[1])


def blend(picture: Picture, mask: NDArray[np.float32], x: int, y: int, colour: Colour, alpha: float = 1.0) -> None:
    """Lays a colour over the picture through a mask whose upper left corner is at (x, y), in place."""
    height, width = picture.shape[:2]
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(width, x + mask.shape[1]), min(height, y + mask.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    cover = (mask[y0 - y : y1 - y, x0 - x : x1 - x] * np.float32(alpha))[..., None]
    part = picture[y0:y1, x0:x1]
    part[:] = (part + (np.array(bgr(colour), dtype=np.float32) - part) * cover).astype(np.uint8)


@lru_cache(maxsize=1024)
def _halo(text: str, size: int, weight: int) -> NDArray[np.float32]:
    """The text's mask grown and softened, to set it off from any background."""
    padded = np.pad(_mask(text, size, weight), 3)
    grown = cv2.dilate(padded, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.GaussianBlur(grown, (0, 0), 1.2), dtype=np.float32)


def put_text(
    picture: Picture,
    text: str,
    x: float,
    y: float,
    size: int,
    colour: Colour,
    *,
    weight: int = REGULAR,
    alpha: float = 1.0,
    halo: bool = False,
) -> None:
    """One line with its upper left corner at (x, y) px, in place."""
    if not text:
        return
    if halo:
        blend(picture, _halo(text, size, weight), round(x) - 3, round(y) - 3, (0, 0, 0), 0.75 * alpha)
    blend(picture, _mask(text, size, weight), round(x), round(y), colour, alpha)


def put_panel(picture: Picture, x0: int, y0: int, x1: int, y1: int, colour: Colour, alpha: float) -> None:
    """A translucent rectangle, in place."""
    height, width = picture.shape[:2]
    part = picture[max(0, y0) : min(height, y1), max(0, x0) : min(width, x1)]
    if part.size:
        cover = np.full_like(part, bgr(colour))
        part[:] = cv2.addWeighted(cover, alpha, part, 1 - alpha, 0)


def fitted(text: str, size: int, width: int, weight: int = REGULAR) -> str:
    """The text, shortened with an ellipsis where it is wider than ``width`` px."""
    if text_width(text, size, weight) <= width:
        return text
    while text and text_width(text + "…", size, weight) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text: str, size: int, width: int, weight: int = REGULAR) -> list[str]:
    """The text in lines of at most ``width`` px."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, weight) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [fitted(line, size, width, weight) for line in lines]
