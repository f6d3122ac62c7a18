"""How hard a pot was: distances, the angle of the cut, whether the way was open. Plain geometry of balls at rest."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tracking.records import Positions
from tracking.strict_json import Point

WIDEST_CUT_DEG = 75.0
"""Beyond this a pot is no chance that anybody plays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """A pot as it was offered. to_ball_mm: cue ball to object ball; to_pocket_mm: object ball to the pocket's middle;
    cut_deg: between the line of aim and the object ball's way, 0 is straight."""

    ball: str
    pocket: str
    to_ball_mm: float
    to_pocket_mm: float
    cut_deg: float


def chance(ball: str, pocket: str, places: Positions, pockets: Mapping[str, Point], ball_mm: float) -> Chance | None:
    """The pot of this ball into this pocket; None where positions are unknown or the cut is beyond a right angle."""
    cue, at = places.get("cue"), places.get(ball)
    if cue is None or at is None:
        return None
    target = pockets[pocket]
    run = math.dist(at, target)
    if run < 1e-6:
        return None
    ghost = tuple(a - ball_mm * (t - a) / run for a, t in zip(at, target, strict=True))
    aim = (ghost[0] - cue[0], ghost[1] - cue[1])
    length = math.hypot(*aim)
    if length < 1e-6:
        return None
    along = (aim[0] * (target[0] - at[0]) + aim[1] * (target[1] - at[1])) / (length * run)
    cut = math.degrees(math.acos(max(-1.0, min(1.0, along))))
    if cut >= 90.0:
        return None
    return Chance(ball=ball, pocket=pocket, to_ball_mm=math.dist(cue, at), to_pocket_mm=run, cut_deg=cut)


def open_chance(ball: str, places: Positions, pockets: Mapping[str, Point], ball_mm: float) -> Chance | None:
    """The straightest pot of this ball for which both ways are clear of other balls; None where there is none."""
    found = [each for pocket in pockets if (each := chance(ball, pocket, places, pockets, ball_mm)) is not None]
    clear = [each for each in found if each.cut_deg <= WIDEST_CUT_DEG and _clear(each, places, pockets, ball_mm)]
    return min(clear, key=lambda each: each.cut_deg, default=None)


def _clear(pot: Chance, places: Positions, pockets: Mapping[str, Point], ball_mm: float) -> bool:
    at, target, cue = places[pot.ball], pockets[pot.pocket], places["cue"]
    run = pot.to_pocket_mm
    ghost = (at[0] - ball_mm * (target[0] - at[0]) / run, at[1] - ball_mm * (target[1] - at[1]) / run)
    others = [place for name, place in places.items() if name not in ("cue", pot.ball)]
    return _free(cue, ghost, others, ball_mm) and _free(at, target, others, ball_mm)


def _free(start: Point, end: Point, others: Collection[Point], ball_mm: float) -> bool:
    """Whether a ball that runs from here to there touches none of the others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    square = dx * dx + dy * dy
    for x, y in others:
        share = 0.0 if square == 0 else max(0.0, min(1.0, ((x - start[0]) * dx + (y - start[1]) * dy) / square))
        if math.hypot(start[0] + share * dx - x, start[1] + share * dy - y) < ball_mm:
            return False
    return True
