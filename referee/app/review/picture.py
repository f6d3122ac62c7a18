"""A picture of a frame with a measured distance drawn over it, enlarged about what is measured."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.result import Calibration
from referee.app.overlay.text import BOLD, Picture, fitted, put_panel, put_text, text_width
from referee.app.palette import Colour, bgr
from referee.app.review.measure import Distance, Place, TableLine, in_words

WIDTH_PX = 1280
LARGEST_ZOOM = 6.0
INSET_SHARE = 0.24
COLOURS: tuple[Colour, ...] = ((255, 224, 90), (120, 220, 255))
INK: Colour = (240, 242, 236)
DARK: Colour = (14, 16, 18)
_SHIFT = 4
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A distance and what it was measured between."""

    a: Place
    b: Place | TableLine
    distance: Distance


def draw_measured(
    frame: Picture, calibration: Calibration, found: Sequence[Measured], caption: Sequence[str], lang: str
) -> Picture:
    """The part of the frame about the distances, 1280 px wide, each drawn with its number; the caption below.

    Where it is enlarged a small picture of the whole frame shows which part it is.
    """
    pixels = np.concatenate([_ends(calibration, each) for each in found])
    x0, y0, width, height = _part(frame, calibration, pixels)
    zoom = WIDTH_PX / width
    way = cv2.INTER_CUBIC if zoom >= 1 else cv2.INTER_AREA
    part = np.ascontiguousarray(frame[y0 : y0 + height, x0 : x0 + width])
    picture: Picture = np.asarray(cv2.resize(part, (WIDTH_PX, round(height * zoom)), interpolation=way), dtype=np.uint8)

    def shown(uv: Array) -> Array:
        """px of the frame → px of the enlarged part; pixel centres lie at whole numbers in both."""
        out: Array = (uv - (x0, y0) + 0.5) * zoom - 0.5
        return out

    for each, colour in zip(found, COLOURS, strict=False):
        _draw_ends(picture, calibration, each, colour, shown, zoom)
    taken = [
        _draw_distance(
            picture,
            shown(_ends(calibration, each)),
            in_words(each.distance)[lang],
            colour,
            zoom * max(_ball_px(calibration, end) for end in (each.a, each.b)),
        )
        for each, colour in zip(found, COLOURS, strict=False)
    ]
    if zoom > 1.6 * WIDTH_PX / frame.shape[1]:
        _draw_inset(picture, frame, (x0, y0, width, height), np.concatenate([shown(pixels), *taken]))
    return _with_caption(picture, caption)


def _ends(calibration: Calibration, found: Measured) -> Array:
    """(2, 2) px of a distance's two ends in the frame, each at its own height."""
    points = np.array([[*found.distance.a, found.a.z_mm], [*found.distance.b, found.b.z_mm]])
    return calibration.camera.project(points)


def _ball_px(calibration: Calibration, place: Place | TableLine) -> float:
    """The radius of a ball's outline, of a point or line 0."""
    if isinstance(place, TableLine) or place.ball is None:
        return 0.0
    at = np.array([[place.x_mm, place.y_mm, place.z_mm]])
    return float(calibration.camera.sphere_radius_px(at, calibration.table.ball_radius_mm)[0])


def _part(frame: Picture, calibration: Calibration, pixels: Array) -> tuple[int, int, int, int]:
    """Left, top, width, height of the part that shows all points with room about them, in the frame's proportions."""
    height, width = frame.shape[:2]
    middle = (pixels.min(axis=0) + pixels.max(axis=0)) / 2
    span = pixels.max(axis=0) - pixels.min(axis=0)
    centre = np.array([[calibration.table.width_mm / 2, calibration.table.length_mm / 2, 0.0]])
    ball = float(calibration.camera.sphere_radius_px(centre, calibration.table.ball_radius_mm)[0])
    wanted = max(span[0] * 1.5 + 8 * ball, (span[1] * 1.5 + 8 * ball) * width / height, WIDTH_PX / LARGEST_ZOOM)
    wide = min(width, round(wanted))
    high = min(height, round(wide * height / width))
    x0 = int(np.clip(round(middle[0] - wide / 2), 0, width - wide))
    y0 = int(np.clip(round(middle[1] - high / 2), 0, height - high))
    return x0, y0, wide, high


def _fixed(point: Array) -> tuple[int, int]:
    return round(float(point[0]) * 16), round(float(point[1]) * 16)


def _stroke(picture: Picture, a: Array, b: Array, colour: Colour, thick: int) -> None:
    cv2.line(picture, _fixed(a), _fixed(b), bgr(DARK), thick + 2, cv2.LINE_AA, _SHIFT)
    cv2.line(picture, _fixed(a), _fixed(b), bgr(colour), thick, cv2.LINE_AA, _SHIFT)


def _draw_ends(
    picture: Picture,
    calibration: Calibration,
    found: Measured,
    colour: Colour,
    shown: Callable[[Array], Array],
    zoom: float,
) -> None:
    """The balls' outlines, and the line of the table that is measured to."""
    if isinstance(found.b, TableLine):
        share = np.linspace(0.0, 1.0, 40)[:, None]
        along = np.array(found.b.start) + share * (np.array(found.b.end) - np.array(found.b.start))
        uv = shown(calibration.camera.project(np.column_stack([along, np.full(len(along), found.b.z_mm)])))
        for a, b in zip(uv[:-1:2], uv[1::2], strict=True):
            _stroke(picture, a, b, colour, 1)
    for place in (found.a, found.b):
        if isinstance(place, Place):
            at = shown(calibration.camera.project(np.array([[place.x_mm, place.y_mm, place.z_mm]])))[0]
            radius = max(4.0, _ball_px(calibration, place) * zoom)
            cv2.circle(picture, _fixed(at), round(radius * 16), bgr(DARK), 4, cv2.LINE_AA, _SHIFT)
            cv2.circle(picture, _fixed(at), round(radius * 16), bgr(colour), 2, cv2.LINE_AA, _SHIFT)


def _draw_distance(picture: Picture, ends: Array, text: str, colour: Colour, ball_px: float) -> Array:
    """The line with bars across its ends, and the number beside its middle; returns the number's corners.

    ball_px: the radius of the balls at its ends, which the number leaves free where the line is short.
    """
    a, b = ends
    length = float(np.linalg.norm(b - a))
    along = (b - a) / length if length > 0 else np.array([1.0, 0.0])
    across = np.array([-along[1], along[0]])
    _stroke(picture, a, b, colour, 2)
    for end in (a, b):
        _stroke(picture, end - 9 * across, end + 9 * across, colour, 2)
    size = 26
    width, height = text_width(text, size, BOLD), round(size * 1.45)
    across = across if across[1] <= 0 else -across
    away = (ball_px if length < 3 * ball_px else 0.0) + 14 + abs(across[0]) * width / 2 + abs(across[1]) * height / 2
    corner = (a + b) / 2 + away * across - np.array([width / 2, height / 2])
    corner = np.clip(corner, 6, [picture.shape[1] - width - 6, picture.shape[0] - height - 6])
    x, y = (round(float(value)) for value in corner)
    put_panel(picture, x - 8, y - 2, x + width + 8, y + height + 2, DARK, 0.78)
    put_text(picture, text, x, y, size, colour, weight=BOLD)
    return np.array([[x, y], [x + width, y + height]], dtype=np.float64)


def _draw_inset(picture: Picture, frame: Picture, part: tuple[int, int, int, int], taken: Array) -> None:
    """The whole frame, small, in the corner farthest from everything drawn, with the part that is shown large."""
    height, width = picture.shape[:2]
    wide = round(INSET_SHARE * width)
    scale = wide / frame.shape[1]
    high = round(frame.shape[0] * scale)
    small = np.asarray(cv2.resize(frame, (wide, high), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    x0, y0, w, h = part
    corners = (round(x0 * scale), round(y0 * scale)), (round((x0 + w) * scale), round((y0 + h) * scale))
    cv2.rectangle(small, *corners, bgr(COLOURS[0]), 2, cv2.LINE_AA)
    cv2.rectangle(small, (0, 0), (wide - 1, high - 1), bgr(INK), 1)
    spots = [(10, 10), (width - wide - 10, 10), (10, height - high - 10), (width - wide - 10, height - high - 10)]
    middle = np.array([wide / 2, high / 2])
    x, y = max(spots, key=lambda at: float(np.linalg.norm(taken - (np.array(at) + middle), axis=1).min()))
    picture[y : y + high, x : x + wide] = small


def _with_caption(picture: Picture, lines: Sequence[str]) -> Picture:
    size, step = 20, 30
    high = step * len(lines) + 16
    whole: Picture = np.empty((picture.shape[0] + high + picture.shape[0] % 2, picture.shape[1], 3), np.uint8)
    whole[:] = bgr(DARK)
    whole[: picture.shape[0]] = picture
    for i, line in enumerate(lines):
        text = fitted(line, size, picture.shape[1] - 32, BOLD if i == 0 else 420)
        put_text(whole, text, 16, picture.shape[0] + 8 + i * step, size, INK, weight=BOLD if i == 0 else 420)
    return whole
