"""Geometry of the pool rules: spotting on the long string, balls near a cushion, the rack and its tables. mm."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from referee.rules.facts import CUE
from referee.rules.geometry import ROUNDING_MM, nearest_on_line, triangle
from referee.rules.table import Table
from tracking.strict_json import Point

RACK_MM = 3.0
"""A ball that is racked farther than this from its place is not racked rightly (PG-2)."""


def number(ball: str) -> tuple[int, str]:
    """For sorting: by the number on the ball; balls without a known number last, by the number in their name."""
    counted = ball.rpartition("-")[2]
    return (int(counted) + (0 if counted == ball else 100), ball) if counted.isdigit() else (1000, ball)


# ------------------------------------------------------------------------------------------ spotting (PG-26)


def spot_balls(
    balls: Collection[str], lying: Mapping[str, Point], table: Table, clearance_mm: float
) -> dict[str, Point]:
    """Where these balls are put on the long string; ``lying`` are the balls on the table, the cue ball perhaps too.

    The lowest number goes on the foot spot, the others behind it towards the foot cushion (PG-26a), against balls in
    the way without moving them (b), clear of the cue ball (c). What finds no room there goes in front of the foot
    spot, the lowest number foremost (d, POL-20).
    """
    taken = [(place, table.ball + (clearance_mm if ball == CUE else 0.0)) for ball, place in lying.items()]
    spots: dict[str, Point] = {}
    front: list[str] = []
    last_y = table.length - table.ball / 2
    for ball in sorted(balls, key=number):
        place = None if front else nearest_on_line(table.foot_spot, last_y, taken)
        if place is None:
            front.append(ball)
        else:
            spots[ball] = place
            taken.append((place, table.ball))
    for ball in reversed(front):
        place = nearest_on_line(table.foot_spot, 0.0, taken)
        assert place is not None  # fifteen balls are not as long as the table
        spots[ball] = place
        taken.append((place, table.ball))
    return spots


# ------------------------------------------------------------------------------------------ cushions (P141-7.2)


def air_to_cushions(place: Point, table: Table) -> dict[str, float]:
    """The clear space between a ball and each cushion."""
    x, y = place
    half = table.ball / 2
    return {"left": x - half, "right": table.width - x - half, "bottom": y - half, "top": table.length - y - half}


def cushions_within(place: Point, table: Table, air_mm: float) -> frozenset[str]:
    """The cushions from which the ball is less than so far away."""
    return frozenset(name for name, air in air_to_cushions(place, table).items() if air < air_mm - ROUNDING_MM)


# ------------------------------------------------------------------------------------------ racks (PG-2, P141-7.3, 7.6)


def full_rack(table: Table) -> list[Point]:
    """The triangle's places, apex on the foot spot first, then row by row from left to right."""
    return triangle(table.foot_spot, table.ball)


def racked(places: Iterable[Point], wanted: Sequence[Point], slack_mm: float = 0.0) -> bool:
    """Whether a ball lies on every wanted place of the rack and none elsewhere; ``slack_mm``: how exact places are."""
    lying, most = list(places), RACK_MM + slack_mm
    return len(lying) == len(wanted) and all(any(math.dist(p, w) <= most for p in lying) for w in wanted)


def lies_in_rack(place: Point, table: Table, slack_mm: float = 0.0) -> bool:
    """Whether a ball is in the way of the rack: it overlaps the outline of the triangle of fifteen balls.

    The outline runs half a ball outside the centres of the outermost balls, so the ball overlaps it when its own
    centre is closer than a diameter, and the slack, to the triangle of these centres (SUP-P141-B).
    """
    corners = full_rack(table)
    return _distance_to_triangle(place, (corners[0], corners[10], corners[14])) < table.ball + slack_mm - ROUNDING_MM


def blocks_spot(place: Point, spot: Point, table: Table, slack_mm: float = 0.0) -> bool:
    """Whether a ball is in the way of one on the spot: the centres are closer than a diameter (P141-7.6.n)."""
    return math.dist(place, spot) < table.ball + slack_mm - ROUNDING_MM


def _distance_to_triangle(place: Point, corners: tuple[Point, Point, Point]) -> float:
    """0 inside."""
    a, b, c = corners
    edges = ((a, b), (b, c), (c, a))
    sides = [(q[0] - p[0]) * (place[1] - p[1]) - (q[1] - p[1]) * (place[0] - p[0]) for p, q in edges]
    if all(side >= 0 for side in sides) or all(side <= 0 for side in sides):
        return 0.0
    return min(_distance_to_segment(place, p, q) for p, q in edges)


def _distance_to_segment(place: Point, p: Point, q: Point) -> float:
    dx, dy = q[0] - p[0], q[1] - p[1]
    along = ((place[0] - p[0]) * dx + (place[1] - p[1]) * dy) / (dx * dx + dy * dy)
    along = min(1.0, max(0.0, along))
    return math.dist(place, (p[0] + along * dx, p[1] + along * dy))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerack:
    """What is done before fourteen balls are racked: where the fifteenth and the cue ball go (None: they stay).

    ``cue``: a place, or ``in_hand_house``. ``rack``: ``full`` where the fifteenth goes on the apex, else
    ``apex_empty``.
    """

    ball: Point | None = None
    cue: Point | str | None = None
    rack: str = "apex_empty"


def reracks(fifteenth: Point, cue: Point, table: Table, measured_mm: float) -> list[Rerack]:
    """The rulings that are possible where places are known to within some mm, the one of these places first."""
    slacks = (0.0, -measured_mm, measured_mm) if measured_mm else (0.0,)
    return list(dict.fromkeys(rerack(fifteenth, cue, table, ball, of_cue) for ball in slacks for of_cue in slacks))


def rerack(fifteenth: Point, cue: Point, table: Table, slack_mm: float = 0.0, cue_slack_mm: float = 0.0) -> Rerack:
    """The table of P141-7.6 (SUP-P141-B): the fifteenth ball or the cue ball is in the way of the new rack.

    The slacks widen what is in the way.
    """
    head_spot, centre_spot = table.head_spot, table.centre_spot
    cue_in_rack = lies_in_rack(cue, table, cue_slack_mm)
    cue_on_spot = blocks_spot(cue, head_spot, table, cue_slack_mm)
    if lies_in_rack(fifteenth, table, slack_mm):
        if cue_in_rack:
            return Rerack(ball=table.foot_spot, cue="in_hand_house", rack="full")
        return Rerack(ball=centre_spot if cue_on_spot else head_spot)
    if not cue_in_rack:
        return Rerack()
    if blocks_spot(fifteenth, head_spot, table, slack_mm):
        return Rerack(cue=centre_spot)
    in_house = table.in_house((fifteenth[0], fifteenth[1] - slack_mm))
    return Rerack(cue=head_spot if in_house else "in_hand_house")
