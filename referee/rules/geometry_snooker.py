"""Geometry of snooker: which balls can be hit directly, and where a colour is spotted. All lengths in mm.

A direct stroke sends the cue ball in a straight line to its first contact. Seen from the cue ball's centre at ``c``,
a ball at distance r is hit in the directions within asin(d / r) of its own, d being a ball's diameter; of two balls
the one is hit whose circle of radius d the line enters first. Between the directions where that can change, the
middle one is tried: so the answers are exact, not sampled.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from referee.rules.geometry import nearest_on_line, touches, triangle
from referee.rules.table import Table
from tracking.strict_json import Point

COLOURS = ("yellow", "green", "brown", "blue", "pink", "black")
TINY = 1e-9


def _entry(c: Point, direction: float, ball: Point, d: float) -> float | None:
    """How far a ball runs from ``c`` until it touches ``ball``; None where it passes by."""
    dx, dy = ball[0] - c[0], ball[1] - c[1]
    along = dx * math.cos(direction) + dy * math.sin(direction)
    aside2 = dx * dx + dy * dy - along * along
    if along <= 0.0 or aside2 >= d * d:
        return None
    return along - math.sqrt(d * d - aside2)


def _turn(angle: float, base: float) -> float:
    """The angle as its difference from ``base``, within ± pi."""
    return math.remainder(angle - base, 2 * math.pi)


def _bearing(c: Point, p: Point) -> float:
    return math.atan2(p[1] - c[1], p[0] - c[0])


def _circles_meet(a: Point, b: Point, d: float) -> Iterator[Point]:
    """Where circles of radius ``d`` around both points cross."""
    span = math.dist(a, b)
    if TINY < span < 2 * d:
        mx, my = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        h = math.sqrt(d * d - span * span / 4) / span
        for sign in (1, -1):
            yield mx - sign * h * (b[1] - a[1]), my + sign * h * (b[0] - a[0])


def _at_cushions(target: Point, d: float, table: Table) -> Iterator[Point]:
    """Places of a ball touching ``target`` at which it touches a cushion too."""
    r = d / 2
    for wall in (r, table.width - r):
        if abs(wall - target[0]) < d:
            h = math.sqrt(d * d - (wall - target[0]) ** 2)
            yield from ((wall, target[1] + h), (wall, target[1] - h))
    for wall in (r, table.length - r):
        if abs(wall - target[1]) < d:
            h = math.sqrt(d * d - (wall - target[1]) ** 2)
            yield from ((target[0] + h, wall), (target[0] - h, wall))


def _segment_clear(a: Point, b: Point, balls: Iterable[Point], d: float) -> bool:
    """Whether a ball that runs from ``a`` to ``b`` touches none of the balls."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx * dx + dy * dy
    for x, y in balls:
        t = 0.0 if length2 == 0.0 else min(1.0, max(0.0, ((x - a[0]) * dx + (y - a[1]) * dy) / length2))
        if (a[0] + t * dx - x) ** 2 + (a[1] + t * dy - y) ** 2 < (d - TINY) ** 2:
            return False
    return True


def hits(c: Point, target: Point, obstacles: Sequence[Point], table: Table) -> bool:
    """Whether a direct stroke from ``c`` can hit any part of ``target`` before any of ``obstacles``."""
    d = table.ball
    r = math.dist(c, target)
    if r <= d + TINY:
        return True
    base, half = _bearing(c, target), math.asin(d / r)
    near = [b for b in obstacles if math.dist(c, b) < r + d and abs(_turn(_bearing(c, b), base)) < math.pi / 2 + half]
    if any(math.dist(c, b) < d - TINY for b in near):
        return False
    if full_ball_open(c, target, near, table):
        return True
    return any(
        _first_is(c, base + middle, target, near, table) for middle in _middles(c, target, near, table, base, half)
    )


def _middles(
    c: Point, target: Point, obstacles: Sequence[Point], table: Table, base: float, half: float
) -> Iterator[float]:
    """The middles between the directions (from ``base``) where it may change what is hit first."""
    d = table.ball
    turns = [-half, half]
    for ball in obstacles:
        away = math.dist(c, ball)
        width = math.asin(min(1.0, d / away))
        centre = _turn(_bearing(c, ball), base)
        turns += [centre - width, centre + width]
        turns += [_turn(_bearing(c, p), base) for p in _circles_meet(ball, target, d)]
    turns += [_turn(_bearing(c, p), base) for p in _at_cushions(target, d, table)]
    inside = sorted(turn for turn in turns if -half <= turn <= half)
    for low, high in pairwise(inside):
        if high - low > TINY:
            yield (low + high) / 2


def _first_is(c: Point, direction: float, target: Point, obstacles: Sequence[Point], table: Table) -> bool:
    """Whether the target is what a ball sent in this direction touches first, cushions counted."""
    d, r = table.ball, table.ball / 2
    run = _entry(c, direction, target, d)
    if run is None:
        return False
    x, y = c[0] + run * math.cos(direction), c[1] + run * math.sin(direction)
    if not (r - TINY <= x <= table.width - r + TINY and r - TINY <= y <= table.length - r + TINY):
        return False
    return all((other := _entry(c, direction, ball, d)) is None or other > run for ball in obstacles)


def obstructors(c: Point, target: Point, obstacles: Mapping[str, Point], table: Table) -> frozenset[str]:
    """The balls that keep some direct stroke at the target from hitting it."""
    d = table.ball
    r = math.dist(c, target)
    if r <= d + TINY:
        return frozenset()
    base, half = _bearing(c, target), math.asin(d / r)
    found = set()
    for middle in _middles(c, target, list(obstacles.values()), table, base, half):
        run = _entry(c, base + middle, target, d)
        for name, ball in obstacles.items():
            first = _entry(c, base + middle, ball, d)
            if first is not None and run is not None and first < run:
                found.add(name)
    return frozenset(found)


def full_ball_open(c: Point, target: Point, obstacles: Sequence[Point], table: Table) -> bool:
    """Whether the cue ball can run straight at the target's middle."""
    r = math.dist(c, target)
    if r <= table.ball + TINY:
        return True
    reach = (r - table.ball) / r
    touch = c[0] + (target[0] - c[0]) * reach, c[1] + (target[1] - c[1]) * reach
    return _segment_clear(c, touch, obstacles, table.ball)


def both_edges(c: Point, target: Point, obstacles: Sequence[Point], table: Table) -> bool:
    """Whether direct strokes can hit both edges of the target (the finest contact on either side)."""
    d = table.ball
    r = math.dist(c, target)
    if r <= d + TINY:
        return True
    base, half, run = _bearing(c, target), math.asin(d / r), math.sqrt(r * r - d * d)
    for side in (-half, half):
        end = c[0] + run * math.cos(base + side), c[1] + run * math.sin(base + side)
        if not _segment_clear(c, end, obstacles, d):
            return False
    return True


def _open(c: Point, on: Iterable[Point], obstacles: Sequence[Point], table: Table, test: str) -> bool:
    can_hit = hits if test == "any_part" else both_edges
    return any(can_hit(c, target, obstacles, table) for target in on)


def snookered(c: Point, places: Mapping[str, Point], on: Sequence[str], table: Table, test: str = "any_part") -> bool:
    """Whether balls that are not on prevent a direct stroke at every ball on (SN-2.15), the cue ball at ``c``."""
    obstacles = [place for ball, place in places.items() if ball not in on and ball != "cue"]
    return not _open(c, [places[ball] for ball in on], obstacles, table, test)


def effective_snookering_balls(
    c: Point, places: Mapping[str, Point], on: Sequence[str], table: Table, test: str = "any_part"
) -> frozenset[str]:
    """The obstructing ball nearest the cue ball (SN-2.15.3), or those at the same distance; empty: not snookered."""
    if not snookered(c, places, on, table, test):
        return frozenset()
    others = {ball: place for ball, place in places.items() if ball not in on and ball != "cue"}
    found = frozenset[str]().union(*(obstructors(c, places[ball], others, table) for ball in on))
    nearest = min((math.dist(c, others[ball]) for ball in found), default=0.0)
    return frozenset(ball for ball in found if math.dist(c, others[ball]) <= nearest + 1e-6)


# ---------------------------------------------------------------------------------------------- from the D

GRID_MM = 8.0


def snookered_in_d(places: Mapping[str, Point], on: Sequence[str], table: Table, test: str = "any_part") -> bool:
    """Whether no place in or on the lines of the D gives a direct stroke at a ball on (SN-2.15.2).

    A ball that can be hit from inside the D can be hit from the point where the line leaves the D, or, if the ball is
    in the D itself, from beside it; so those places are enough. Along them a stroke can open or close only where
    a line touches two balls: besides a grid, the middles between all such points are tried.
    """
    obstacles = [place for ball, place in places.items() if ball not in on and ball != "cue"]
    balls = [place for ball, place in places.items() if ball != "cue"]
    targets = [places[ball] for ball in on]

    def free(c: Point) -> bool:
        return table.in_d(c) and all(math.dist(c, ball) > table.ball - TINY for ball in balls)

    for c in _d_outline(table):
        if free(c) and _open(c, targets, obstacles, table, test):
            return False
    return not any(
        free(c) and _open(c, [target], obstacles, table, test)
        for target in targets
        for c in _critical_places(target, obstacles, table)
    )


def _baulk(table: Table) -> tuple[float, float, float]:
    """The D's centre and radius."""
    y, radius = table.spec.baulk_line_y_mm, table.spec.d_radius_mm
    assert y is not None and radius is not None
    return table.middle, y, radius


def _d_outline(table: Table) -> Iterator[Point]:
    x, y, radius = _baulk(table)
    steps = int(2 * radius / GRID_MM)
    for i in range(steps + 1):
        yield x - radius + 2 * radius * i / steps, y
    for i in range(1, steps):
        angle = math.pi * (1 + i / steps)
        yield x + radius * math.cos(angle), y + radius * math.sin(angle)


def _critical_places(target: Point, obstacles: Sequence[Point], table: Table) -> Iterator[Point]:
    """Places from which a stroke at this ball may be open if it is anywhere."""
    x, y, radius = _baulk(table)
    if math.dist(target, (x, y)) < radius + 2 * table.ball:
        for k in range(180):
            angle = math.pi * k / 90
            beside = (table.ball + 1e-6) * math.cos(angle), (table.ball + 1e-6) * math.sin(angle)
            yield target[0] + beside[0], target[1] + beside[1]
    straight: list[float] = [x - radius, x + radius]
    round_: list[float] = [math.pi, 2 * math.pi]
    for i, a in enumerate([target, *obstacles]):
        for b in [target, *obstacles][:i]:
            for line in _common_tangents(a, b, table.ball):
                straight += _on_baulk_line(line, y)
                round_ += _on_arc(line, (x, y), radius)
    for low, high in _neighbours(straight, x - radius, x + radius):
        yield (low + high) / 2, y
    for low, high in _neighbours(round_, math.pi, 2 * math.pi):
        angle = (low + high) / 2
        yield x + radius * math.cos(angle), y + radius * math.sin(angle)


def _neighbours(values: list[float], least: float, most: float) -> Iterator[tuple[float, float]]:
    inside = sorted(value for value in values if least <= value <= most)
    yield from ((low, high) for low, high in pairwise(inside) if high - low > TINY)


Line = tuple[float, float, float]
"""nx, ny, c with nx² + ny² = 1: the points with nx·x + ny·y = c."""


def _common_tangents(a: Point, b: Point, d: float) -> Iterator[Line]:
    """Lines at distance ``d`` from both points."""
    span = math.dist(a, b)
    if span < TINY:
        return
    ux, uy = (b[0] - a[0]) / span, (b[1] - a[1]) / span
    for sa in (d, -d):
        for sb in (d, -d):
            cos = (sa - sb) / span
            if abs(cos) <= 1.0:
                for sin in (math.sqrt(1 - cos * cos), -math.sqrt(1 - cos * cos)):
                    nx, ny = cos * ux - sin * uy, sin * ux + cos * uy
                    yield nx, ny, nx * a[0] + ny * a[1] + sa


def _on_baulk_line(line: Line, y: float) -> list[float]:
    nx, ny, c = line
    return [] if abs(nx) < TINY else [(c - ny * y) / nx]


def _on_arc(line: Line, centre: Point, radius: float) -> list[float]:
    nx, ny, c = line
    away = c - nx * centre[0] - ny * centre[1]
    if abs(away) > radius:
        return []
    base, half = math.atan2(ny, nx), math.acos(away / radius)
    return [(base + sign * half) % (2 * math.pi) for sign in (1, -1)]


# ---------------------------------------------------------------------------------------------- spotting


def spot_taken(spot: Point, places: Iterable[Point], diameter: float) -> bool:
    """A spot is occupied where a ball on it would touch another (SN-2.17)."""
    return any(touches(spot, place, diameter) for place in places)


def spot_colours(
    colours: Iterable[str],
    places: Mapping[str, Point],
    table: Table,
    *,
    clearance_mm: float = 1.0,
    own_spot_first: bool = True,
) -> dict[str, Point]:
    """Where each colour is spotted among the balls at ``places`` (SN-3.6): colour → centre.

    Its own spot; else the free spot of the highest value; else as near its own spot as possible towards the top
    cushion, and if that line is taken, towards baulk. Several colours: those whose own spot is free first
    (POL-2, unless ``own_spot_first`` is off), then by value, the highest first.
    """
    waiting = sorted(set(colours), key=COLOURS.index, reverse=True)
    taken = dict(places)
    out: dict[str, Point] = {}

    def put(colour: str, place: Point) -> None:
        out[colour] = taken[colour] = place

    if own_spot_first:
        for colour in list(waiting):
            if not spot_taken(table.spots[colour], taken.values(), table.ball):
                put(colour, table.spots[colour])
                waiting.remove(colour)
    for colour in waiting:
        free = [colour, *reversed(COLOURS)]
        spots = [table.spots[each] for each in free]
        place = next((spot for spot in spots if not spot_taken(spot, taken.values(), table.ball)), None)
        put(colour, place or _beside_spot(table.spots[colour], taken.values(), table, clearance_mm))
    return out


def _beside_spot(spot: Point, balls: Iterable[Point], table: Table, clearance_mm: float) -> Point:
    """As near the spot as possible on its line, towards the top cushion or else towards baulk (SN-3.6.3, 3.6.4)."""
    obstacles = [(ball, table.ball + clearance_mm) for ball in balls]
    edge = table.ball / 2
    for end in (table.length - edge, edge):
        place = nearest_on_line(spot, end, obstacles)
        if place is not None:
            return place
    return spot


def reds_triangle(table: Table, clearance_mm: float = 1.0) -> dict[str, Point]:
    """The fifteen reds as they are racked: the apex clear of the pink by as little as possible (SN-3.2b)."""
    x, y = table.spots["pink"]
    places = triangle((x, y + table.ball + clearance_mm), table.ball)
    return {f"red-{i + 1}": place for i, place in enumerate(places)}


# ---------------------------------------------------------------------------------------------- angled


def may_be_angled(c: Point, places: Mapping[str, Point], on: Sequence[str], table: Table) -> bool:
    """Whether a pocket's jaw could prevent a direct stroke at every ball on (SN-2.16).

    The cushions' exact shape at the pockets isn't documented, so the true answer is a person's. This one is no where
    the cue ball has left no pocket's opening, or where some ball on can be hit on a line that keeps clear of both
    jaws whatever their shape.
    """
    jaws = _jaws_near(c, table)
    if not jaws:
        return False
    return not any(_clear_of_jaws(c, places[ball], jaws, table) for ball in on)


def _jaws_near(c: Point, table: Table) -> list[Point]:
    """The jaws' tips of the pocket in whose opening the ball lies; none where it lies on the open bed."""
    r = table.ball / 2
    inside = r - TINY <= c[0] <= table.width - r + TINY and r - TINY <= c[1] <= table.length - r + TINY
    if inside:
        return []
    for name, corner in table.pockets.items():
        mouth = table.spec.middle_mouth_mm if name.startswith("middle") else table.spec.corner_mouth_mm
        if math.dist(c, corner) < mouth:
            if name.startswith("middle"):
                return [(corner[0], corner[1] - mouth / 2), (corner[0], corner[1] + mouth / 2)]
            away = mouth / math.sqrt(2)
            x = away if corner[0] == 0 else corner[0] - away
            y = away if corner[1] == 0 else corner[1] - away
            return [(x, corner[1]), (corner[0], y)]
    return []


def _clear_of_jaws(c: Point, target: Point, jaws: Sequence[Point], table: Table) -> bool:
    """Whether the straight line to the middle of the target passes both jaws' tips with a ball's radius to spare."""
    return _segment_clear(c, target, jaws, table.ball / 2 + 3.0)
