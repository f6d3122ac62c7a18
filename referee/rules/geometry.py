"""Geometry that several games share: balls that touch, racks, places on a line. All lengths in mm."""

import math
from collections.abc import Iterable

from tracking.strict_json import Point

ROUNDING_MM = 1e-6
"""Floating point only."""
ROUNDED_MM = 0.02
"""Places come written in hundredths of a millimetre: balls that overlap by no more than this only touch."""
TOUCHING_MM = 0.05
"""Balls nearer than this touch; between it and the next the referee says so."""
NEARLY_MM = 1.5


def gap(a: Point, b: Point, diameter: float) -> float:
    """The air between two balls; 0 where they touch."""
    return math.dist(a, b) - diameter


def touches(a: Point, b: Point, diameter: float) -> bool:
    return gap(a, b, diameter) <= ROUNDING_MM


def triangle(apex: Point, diameter: float, rows: int = 5) -> list[Point]:
    """Centres of a tight triangle, apex first, row by row away from the head, each row from left to right."""
    step = diameter * math.sqrt(3.0) / 2
    return [(apex[0] + (k - row / 2) * diameter, apex[1] + row * step) for row in range(rows) for k in range(row + 1)]


def diamond(apex: Point, diameter: float) -> list[Point]:
    """Centres of the nine-ball rack, apex first, row by row, each row from left to right."""
    step = diameter * math.sqrt(3.0) / 2
    places: list[Point] = []
    for row, count in enumerate((1, 2, 3, 2, 1)):
        places += [(apex[0] + (k - (count - 1) / 2) * diameter, apex[1] + row * step) for k in range(count)]
    return places


def nearest_on_line(start: Point, toward_y: float, obstacles: Iterable[tuple[Point, float]]) -> Point | None:
    """The place on the line x = start.x, from ``start`` on towards ``toward_y``, that is nearest to ``start``.

    Each obstacle is a ball's centre and how far from it the place must be at least. None where the line is taken up
    to ``toward_y``.
    """
    x, y = start
    sign = 1.0 if toward_y >= y else -1.0
    at = 0.0
    for low, high in sorted(_blocked(x, y, sign, obstacles)):
        if low < at - ROUNDED_MM and at < high - ROUNDED_MM:
            at = high
    return (x, y + sign * at) if at <= abs(toward_y - y) + ROUNDING_MM else None


def _blocked(
    x: float, y: float, sign: float, obstacles: Iterable[tuple[Point, float]]
) -> Iterable[tuple[float, float]]:
    """Open spans of the distance from the start in which an obstacle is too near."""
    for (bx, by), least in obstacles:
        aside = abs(bx - x)
        if aside < least:
            half = math.sqrt(least * least - aside * aside)
            centre = sign * (by - y)
            yield centre - half, centre + half
