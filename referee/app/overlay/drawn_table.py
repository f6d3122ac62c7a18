"""The drawn table: seen from straight above, baulk end at the bottom, with balls and their paths."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.tables import TableSpec
from referee.app.overlay.text import Picture
from referee.app.palette import CLOTH, MARKING, POCKET, RAIL, Colour, ball_colour, bgr, is_striped

RAIL_MM = 150.0
CUSHION_MM = 48.0
_SHIFT = 4


def _fixed(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0]) * 16), round(float(point[1]) * 16)


class DrawnTable:
    """Draws one kind of table into a box of ``height`` px; ``width`` follows from the table."""

    def __init__(self, table: TableSpec, height: int, cloth: Colour = CLOTH) -> None:
        self.table = table
        self.cloth = cloth
        self.scale = height / (table.length_mm + 2 * RAIL_MM)
        self.height = height
        self.width = round((table.width_mm + 2 * RAIL_MM) * self.scale)
        self._empty = self._draw_empty()

    def to_px(self, xy_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 2) px in the box of points (n, 2) mm: y runs up the picture."""
        points = np.asarray(xy_mm, dtype=np.float64).reshape(-1, 2)
        x = (points[:, 0] + RAIL_MM) * self.scale
        y = (self.table.length_mm - points[:, 1] + RAIL_MM) * self.scale
        return np.column_stack([x, y])

    def _box(self, picture: Picture, margin_mm: float, colour: tuple[int, int, int]) -> None:
        corners = self.to_px(
            np.array([[-margin_mm, self.table.length_mm + margin_mm], [self.table.width_mm + margin_mm, -margin_mm]])
        )
        (x0, y0), (x1, y1) = np.round(corners).astype(int)
        picture[max(0, y0) : y1, max(0, x0) : x1] = bgr(colour)

    def _draw_empty(self) -> Picture:
        picture: Picture = np.zeros((self.height, self.width, 3), np.uint8)
        self._box(picture, RAIL_MM, RAIL)
        self._box(picture, CUSHION_MM, shaded(self.cloth, 0.78))
        self._box(picture, 0.0, self.cloth)
        table = self.table
        for name, corner in table.pocket_corners().items():
            mouth = table.middle_mouth_mm if name.startswith("middle") else table.corner_mouth_mm
            out = 0.35 * mouth if name.startswith("middle") else 0.1 * mouth
            outward = np.sign(np.array(corner) - np.array([table.width_mm / 2, table.length_mm / 2]))
            outward = np.where(np.abs(outward) > 0, outward, 0)
            if name.startswith("middle"):
                outward[1] = 0
            at = self.to_px(np.array(corner) + out * outward)[0]
            cv2.circle(picture, _fixed(at), round(0.62 * mouth * self.scale * 16), bgr(POCKET), -1, cv2.LINE_AA, _SHIFT)
        self._draw_markings(picture)
        return picture

    def _draw_markings(self, picture: Picture) -> None:
        table, colour = self.table, bgr(MARKING)
        if table.baulk_line_y_mm is not None and table.d_radius_mm is not None:
            ends = self.to_px(np.array([[0, table.baulk_line_y_mm], [table.width_mm, table.baulk_line_y_mm]]))
            cv2.line(picture, _fixed(ends[0]), _fixed(ends[1]), colour, 1, cv2.LINE_AA, _SHIFT)
            centre = self.to_px(np.array([table.width_mm / 2, table.baulk_line_y_mm]))[0]
            radius = round(table.d_radius_mm * self.scale * 16)
            cv2.ellipse(picture, _fixed(centre), (radius, radius), 0, 0, 180, colour, 1, cv2.LINE_AA, _SHIFT)
        elif table.family != "snooker":
            ends = self.to_px(np.array([[0, table.length_mm / 4], [table.width_mm, table.length_mm / 4]]))
            cv2.line(picture, _fixed(ends[0]), _fixed(ends[1]), bgr(shaded(self.cloth, 0.7)), 1, cv2.LINE_AA, _SHIFT)
        for spot in table.spots.values():
            cv2.circle(picture, _fixed(self.to_px(np.array(spot))[0]), 16, colour, -1, cv2.LINE_AA, _SHIFT)

    def draw(
        self,
        balls: Iterable[tuple[str, float, float]],
        paths: Iterable[tuple[str, Sequence[tuple[float, float]]]] = (),
        marks: Iterable[tuple[float, float, float]] = (),
    ) -> Picture:
        """The table with balls ``(name, x, y)``, their paths, and rings ``(x, y, age from 0 to 1)``, all in mm."""
        picture = self._empty.copy()
        for name, points in paths:
            if len(points) > 1:
                line = np.round(self.to_px(np.array(points)) * 16).astype(np.int32)
                cv2.polylines(picture, [line], False, bgr(_path_colour(name)), 1, cv2.LINE_AA, _SHIFT)
        for x, y, age in marks:
            at = self.to_px(np.array([x, y]))[0]
            radius = (1.0 + 2.5 * age) * self.table.ball_diameter_mm * self.scale
            shade = round(255 * (1 - age))
            cv2.circle(picture, _fixed(at), round(radius * 16), (shade, shade, shade), 1, cv2.LINE_AA, _SHIFT)
        radius = max(2.5, 0.62 * self.table.ball_diameter_mm * self.scale)
        for name, x, y in balls:
            self._ball(picture, name, self.to_px(np.array([x, y]))[0], radius)
        return picture

    def _ball(self, picture: Picture, name: str, at: NDArray[np.float64], radius: float) -> None:
        colour = bgr(ball_colour(name))
        cv2.circle(picture, _fixed(at), round((radius + 0.8) * 16), (20, 24, 20), -1, cv2.LINE_AA, _SHIFT)
        if is_striped(name):
            cv2.circle(picture, _fixed(at), round(radius * 16), (244, 250, 250), -1, cv2.LINE_AA, _SHIFT)
            cv2.circle(picture, _fixed(at), round(radius * 0.62 * 16), colour, -1, cv2.LINE_AA, _SHIFT)
        else:
            cv2.circle(picture, _fixed(at), round(radius * 16), colour, -1, cv2.LINE_AA, _SHIFT)


def shaded(colour: Colour, share: float) -> Colour:
    """So much of a colour's brightness."""
    r, g, b = (min(255, round(value * share)) for value in colour)
    return r, g, b


def _path_colour(name: str) -> tuple[int, int, int]:
    """A ball's colour, lightened where it is dark, so that a path stands out from the cloth."""
    colour = ball_colour(name)
    lift = max(0.0, 150 - max(colour)) / 255
    r, g, b = (round(value + (255 - value) * lift) for value in colour)
    return r, g, b
