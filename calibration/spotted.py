"""Balls that lie on their spots, as a sign of which end of a table is which.

Snooker's colours lie on their own spots most of the time, and a rack of pool balls stands on the foot spot; a foot
spot is often marked, the head spot seldom. None of them is used to measure with.
"""

import numpy as np
from numpy.typing import NDArray

from calibration.edges import Plane, sampled
from calibration.model import Lens
from calibration.tables import TableSpec

Array = NDArray[np.float64]

_DISC, _RING = 0.55, 2.1
_RACKED = 0.45
_MARK_CONTRAST = 15.0


def _round_spot(plane: Plane, lens: Lens, centre: Array, radius_mm: float, share: float, count: int) -> Array:
    """(count, 3) colours on a circle of ``share`` ball radii round a point (3,) mm."""
    angle = np.linspace(0.0, 2 * np.pi, count, endpoint=False)
    circle = centre + share * radius_mm * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(count)])
    return sampled(plane, lens.project(circle))


def _is_colour(name: str, ball: Array, cloth: Array) -> bool:
    """Whether L*, a*, b* (3,) are those of this snooker ball on a cloth (3,); only for balls that are told easily."""
    lightness, red, yellow = ball
    if np.hypot(*(ball[1:] - cloth[1:])) < 18:
        return False
    if name == "yellow":
        return bool(yellow > 35 and lightness > 45 and red < 25)
    if name == "brown":
        return bool(red > 3 and 8 < yellow < 45 and lightness < 55)
    if name == "pink":
        return bool(red > 12 and yellow < 30 and lightness > 48)
    return bool(name == "black" and lightness < 28 and np.hypot(red, yellow) < 16)


def colours_spotted(plane: Plane, table: TableSpec, lens: Lens) -> int:
    """How many of yellow, brown, pink and black lie on their spots of a snooker table that ``lens`` sees."""
    found = 0
    for name in ("yellow", "brown", "pink", "black"):
        if name not in table.spots:
            continue
        centre = np.array([*table.spots[name], table.ball_radius_mm])
        ball = np.median(_round_spot(plane, lens, centre, table.ball_radius_mm, _DISC, 16), axis=0)
        cloth = np.median(_round_spot(plane, lens, centre, table.ball_radius_mm, _RING, 24), axis=0)
        found += int(np.isfinite(ball).all() and np.isfinite(cloth).all() and _is_colour(name, ball, cloth))
    return found


def rack_share(plane: Plane, table: TableSpec, lens: Lens) -> float:
    """The share of the area just behind the foot spot that isn't cloth: near 1 under a rack of pool balls."""
    spot = table.spots.get("foot_spot")
    if spot is None:
        return 0.0
    width = table.ball_diameter_mm
    rows = [
        (spot[0] + across * width, spot[1] + row * 0.866 * width, table.ball_radius_mm)
        for row in range(3)
        for across in np.linspace(-row / 2, row / 2, row + 1)
    ]
    balls = sampled(plane, lens.project(np.array(rows)))
    far = np.array([*spot, 0.0]) + np.array([[5.0, 0.0, 0.0], [-5.0, 0.0, 0.0], [0.0, -3.0, 0.0]]) * width
    around = sampled(plane, lens.project(far))
    if not (np.isfinite(balls).all() and np.isfinite(around).all()):
        return 0.0
    return float(np.mean(np.linalg.norm(balls - np.median(around, axis=0), axis=1) > 18))


def spot_mark(plane: Plane, table: TableSpec, lens: Lens) -> float:
    """How much a small mark stands out on the foot spot's place, in units of CIE L*, a*, b*; 0 where a ball lies."""
    spot = table.spots.get("foot_spot")
    if spot is None:
        return 0.0
    radius = table.ball_radius_mm
    cloth = _round_spot(plane, lens, np.array([*spot, 0.0]), radius, 1.5, 24)
    if not np.isfinite(cloth).all() or float(np.median(np.abs(cloth - np.median(cloth, axis=0)))) > 4.0:
        return 0.0
    shifts = np.array([[x, y, 0.0] for x in (-8.0, 0.0, 8.0) for y in (-8.0, 0.0, 8.0)])
    inside = sampled(plane, lens.project(np.array([*spot, 0.0]) + shifts))
    return float(np.max(np.linalg.norm(inside - np.median(cloth, axis=0), axis=1)))


def foot_evidence(plane: Plane, table: TableSpec, lens: Lens) -> float:
    """How much speaks for the top end being the foot: 2 for a rack, 1 for a marked spot, else 0."""
    if rack_share(plane, table, lens) >= _RACKED:
        return 2.0
    return 1.0 if spot_mark(plane, table, lens) > _MARK_CONTRAST else 0.0
