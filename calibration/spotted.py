"""Balls that lie on their spots, as a sign of which end of a table is which.

Snooker's colours lie on their own spots most of the time, and a rack of pool balls stands on the foot spot; a foot
spot is often marked, the head spot seldom. None of them is used to measure with.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.model import Lens
from calibration.tables import Point, TableSpec

Array = NDArray[np.float64]
Look = Callable[[Array], Array]
"""Gives the colours (n, 3), CIE L*, a*, b*, that a picture has at pixels (n, 2); NaN outside it."""

_DISC, _RING = 0.55, 2.1
_RACKED, _NO_RACK = 0.6, 0.4
_AROUND = ((0.0, -1.7), (1.6, -0.9), (-1.6, -0.9), (2.3, 0.0), (-2.3, 0.0))
"""Places round the front of a rack, in balls from its foremost, where there is nothing but cloth."""
_CLOTH, _NOT_CLOTH = 12.0, 18.0
"""Differences in L*, a*, b* up to which a place is cloth, and from which it is not."""
_RINGS, _RING_SHARE = (0.85, 1.5), 0.65
"""Circles round a mark, in balls' radii, and the share of each that must be cloth: no ball lies on it."""
_MARK_CONTRAST, _NO_MARK = 15.0, 0.4


def _round_spot(look: Look, lens: Lens, centre: Array, radius_mm: float, share: float, count: int) -> Array:
    """(count, 3) colours on a circle of ``share`` ball radii round a point (3,) mm."""
    angle = np.linspace(0.0, 2 * np.pi, count, endpoint=False)
    circle = centre + share * radius_mm * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(count)])
    return look(lens.project(circle))


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


def colours_spotted(look: Look, table: TableSpec, lens: Lens) -> int:
    """How many of yellow, brown, pink and black lie on their spots of a snooker table that ``lens`` sees."""
    found = 0
    for name in ("yellow", "brown", "pink", "black"):
        if name not in table.spots:
            continue
        centre = np.array([*table.spots[name], table.ball_radius_mm])
        ball = np.median(_round_spot(look, lens, centre, table.ball_radius_mm, _DISC, 16), axis=0)
        cloth = np.median(_round_spot(look, lens, centre, table.ball_radius_mm, _RING, 24), axis=0)
        found += int(np.isfinite(ball).all() and np.isfinite(cloth).all() and _is_colour(name, ball, cloth))
    return found


def rack_share(look: Look, table: TableSpec, lens: Lens) -> float:
    """How many of the six foremost places of a rack hold a ball, as a share, with nothing but cloth around.

    The rack stands with its foremost or, as often in 9-ball, with its middle ball on the foot spot.
    """
    x, y = table.spots["foot_spot"]
    middle = 2 * 0.75**0.5 * table.ball_diameter_mm
    return max(_rack_at(look, table, lens, (x, front)) for front in (y, y - middle))


def _rack_at(look: Look, table: TableSpec, lens: Lens, front: Point) -> float:
    """`rack_share` with the foremost ball at a point; 0 as among scattered balls or under a player."""
    width = table.ball_diameter_mm
    balls = [(across, 0.75**0.5 * row) for row in range(3) for across in np.linspace(-row / 2, row / 2, row + 1)]
    colours = _patches(look, lens, np.array([*front, width / 2]), np.array(balls) * width, width)
    around = _patches(look, lens, np.array([*front, 0.0]), np.array(_AROUND) * width, width)
    cloth = np.median(around, axis=0)
    if not (np.isfinite(colours).all() and np.isfinite(around).all()) or np.any(_apart(around, cloth) > _CLOTH):
        return 0.0
    return float(np.mean(_apart(colours, cloth) > _NOT_CLOTH))


def _apart(colours: Array, other: Array) -> Array:
    return np.asarray(np.linalg.norm(colours - other, axis=1), dtype=np.float64)


def _patches(look: Look, lens: Lens, origin: Array, places_mm: Array, width_mm: float) -> Array:
    """(n, 3) median colours of small patches round places (n, 2) beside a point (3,) mm."""
    spread = 0.2 * width_mm * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    points = (places_mm[:, None] + spread).reshape(-1, 2)
    uv = lens.project(origin + np.column_stack([points, np.zeros(len(points))]))
    colours: Array = np.median(look(uv).reshape(len(places_mm), len(spread), 3), axis=1)
    return colours


def spot_mark(look: Look, table: TableSpec, lens: Lens) -> float:
    """How much a small mark stands out on the foot spot, in units of CIE L*, a*, b*; NaN where a ball or arm is."""
    spot = table.spots["foot_spot"]
    radius = table.ball_radius_mm
    rings = [_round_spot(look, lens, np.array([*spot, 0.0]), radius, share, 24) for share in _RINGS]
    cloth = np.median(rings[1], axis=0)
    if not np.isfinite(rings).all() or any(np.quantile(_apart(ring, cloth), _RING_SHARE) > _CLOTH for ring in rings):
        return float("nan")
    shifts = np.array([[x, y, 0.0] for x in (-8.0, 0.0, 8.0) for y in (-8.0, 0.0, 8.0)])
    inside = look(lens.project(np.array([*spot, 0.0]) + shifts))
    return float(np.median(_apart(inside, cloth)))


def foot_of(looks: Sequence[Look], table: TableSpec, lenses: Sequence[Lens]) -> int | None:
    """Which of two lenses, the table seen either way round, has the foot at its top end; None where nothing tells.

    looks: the picture without what moves, then pictures as they were taken. A rack in one of them tells, unless one at
    the other end contradicts; else a foot spot that is marked where the other end is seen to have no mark.
    """
    if "foot_spot" not in table.spots:
        return None
    racked = set()
    for look in looks:
        shares = [rack_share(look, table, lens) for lens in lenses]
        if max(shares) > _RACKED and min(shares) < _NO_RACK:
            racked.add(int(np.argmax(shares)))
    if racked:
        return racked.pop() if len(racked) == 1 else None
    marks = [spot_mark(looks[0], table, lens) for lens in lenses]
    if np.isfinite(marks).all() and max(marks) > _MARK_CONTRAST and min(marks) < _NO_MARK * max(marks):
        return int(np.argmax(marks))
    return None
