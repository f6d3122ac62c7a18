"""Balls in the air: landing on the bed or on a rail, meeting a nose's edge, leaving the table.

The top of the cushions and rails is taken as one level plane at the height of the nose.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from referee.app.simulate.dynamics import collide
from referee.app.simulate.dynamics.motion import GRAVITY_MM_S2, Array, Physics, Segment, State
from referee.app.simulate.dynamics.roots import first_fall
from referee.app.simulate.dynamics.table import Hole, PlayingTable

LIES_MM_S = 40.0
"""A bounce slower than this (less than 0.1 mm high) is none."""


def outside_by(table: PlayingTable, xy: Array) -> float:
    """How far, mm, a point lies outside the rectangle of the nose lines; negative inside."""
    return float(max(-xy[0], xy[0] - table.spec.width_mm, -xy[1], xy[1] - table.spec.length_mm))


def rail_height(table: PlayingTable) -> float:
    """Height, mm, of the centre of a ball that lies on a rail."""
    return table.spec.nose_height_mm + table.radius


def _falls_to(z0: float, vz: float, level: float) -> float:
    """Time until a height is passed downwards, infinity if it starts at or below it."""
    if z0 - level <= 1e-9 and vz <= 0:
        return math.inf if z0 < level - 1e-9 or vz == 0 else 0.0
    root = vz * vz + 2.0 * GRAVITY_MM_S2 * (z0 - level)
    return (vz + math.sqrt(root)) / GRAVITY_MM_S2 if root >= 0 else math.inf


def _border(p: Array, v: Array, low: Array, high: Array) -> float:
    """Time until a point in a rectangle that moves evenly crosses its border."""
    times = [math.inf]
    for axis in range(2):
        if v[axis] > 0:
            times.append((high[axis] - p[axis]) / v[axis])
        elif v[axis] < 0:
            times.append((low[axis] - p[axis]) / v[axis])
    return max(0.0, min(times))


def _size(table: PlayingTable) -> Array:
    return np.array([table.spec.width_mm, table.spec.length_mm])


def flight_events(table: PlayingTable, segment: Segment, now: float) -> Iterator[tuple[float, str, Any]]:
    """What may end this flight: (time, kind, detail) with kinds land, edge, hole and out."""
    p, v = segment.position, segment.velocity
    on_bed, on_rail = _falls_to(p[2], v[2], table.radius), _falls_to(p[2], v[2], rail_height(table))
    rail = np.full(2, table.rail_mm)
    out = _border(p[:2], v[:2], -rail, _size(table) + rail)
    yield segment.t0 + out, "out", None
    if on_rail < math.inf and outside_by(table, p[:2] + v[:2] * on_rail) > 0.0:
        yield segment.t0 + on_rail, "land", None
    elif on_bed < math.inf:
        yield segment.t0 + on_bed, "land", None
    lasts = on_bed if on_bed < math.inf else 1.0
    yield from _edges(table, segment, lasts)
    for hole in table.holes:
        gap = p[:2] - hole.centre
        c = np.array([[gap @ gap - hole.radius**2, 2 * gap @ v[:2], v[:2] @ v[:2], 0.0, 0.0]])
        when = float(first_fall(c, np.array([lasts]), 1e-6)[0])
        if when < math.inf and p[2] + v[2] * when - 0.5 * GRAVITY_MM_S2 * when * when < rail_height(table) - 5.0:
            yield segment.t0 + when, "hole", hole


def _edges(table: PlayingTable, segment: Segment, lasts: float) -> Iterator[tuple[float, str, Any]]:
    starts, along, normals, lengths = table.line_arrays
    p, v, half_g = segment.position, segment.velocity, -0.5 * GRAVITY_MM_S2
    side, side_speed = ((p[:2] - starts) * normals).sum(axis=1), normals @ v[:2]
    up = p[2] - table.spec.nose_height_mm
    c = np.empty((len(starts), 5))
    c[:, 0] = side**2 + up * up - table.radius**2
    c[:, 1] = 2 * side * side_speed + 2 * up * v[2]
    c[:, 2] = side_speed**2 + v[2] ** 2 + 2 * up * half_g
    c[:, 3] = 2 * v[2] * half_g
    c[:, 4] = half_g**2
    c[c[:, 0] < -1e-3, :] = (1.0, 0, 0, 0, 0)
    when = first_fall(c, np.full(len(c), lasts), 1e-6)
    for k in np.flatnonzero(np.isfinite(when)):
        t = float(when[k])
        xy = p[:2] + v[:2] * t
        if 0.0 <= float((xy - starts[k]) @ along[k]) <= lengths[k]:
            offset = float((xy - starts[k]) @ normals[k])
            height = p[2] + v[2] * t + half_g * t * t - table.spec.nose_height_mm
            normal = np.array([offset * normals[k][0], offset * normals[k][1], height])
            detail = (normal / np.linalg.norm(normal), table.lines[k].cushion, table.lines[k].jaw)
            yield segment.t0 + t, "edge", detail
    for arc in table.arcs:
        gap = p[:2] - arc.centre
        reach = arc.radius + table.reach
        c = np.array([[gap @ gap - reach**2, 2 * gap @ v[:2], v[:2] @ v[:2], 0.0, 0.0]])
        t = float(first_fall(c, np.array([lasts]), 1e-6)[0])
        if t < math.inf and arc.faces(gap + v[:2] * t):
            height = (p[2] + v[2] * t + half_g * t * t - table.spec.nose_height_mm) / table.radius
            if abs(height) < 0.9:
                outward = (gap + v[:2] * t) / np.linalg.norm(gap + v[:2] * t)
                yield segment.t0 + t, "edge", (collide.nose_normal(outward, -height), arc.cushion, arc.jaw)


def land(table: PlayingTable, physics: Physics, state: State) -> tuple[State, bool, Hole | None]:
    """A ball comes down: its state after the bounce, whether that was on a rail, and the hole it fell into if any."""
    xy = state.position[:2]
    rail = outside_by(table, xy) > 0.0 and state.position[2] > table.radius + 1.0
    if not rail:
        for hole in table.holes:
            if float(np.hypot(*(xy - hole.centre))) <= hole.radius:
                return state, False, hole
    after = collide.against(
        state,
        np.array([0.0, 0.0, 1.0]),
        table.radius,
        restitution=physics.bed_restitution,
        friction=physics.bed_friction,
    )
    level = rail_height(table) if rail else table.radius
    position = np.array([xy[0], xy[1], level])
    velocity = after.velocity
    if velocity[2] < LIES_MM_S:
        velocity = np.array([velocity[0], velocity[1], 0.0])
    return State(position=position, velocity=velocity, spin=after.spin), rail, None


def leaves_rail(table: PlayingTable, segment: Segment) -> float:
    """When a ball that rolls on a rail comes to the rail's inner or outer edge; infinity if it stops before."""
    speed = float(np.hypot(*segment.velocity[:2]))
    if speed == 0.0:
        return math.inf
    way = segment.velocity[:2] / speed
    low, high, rail = np.zeros(2), _size(table), np.full(2, table.rail_mm)
    distance = _border(segment.position[:2], way, low - rail, high + rail)
    p = segment.position[:2]
    for axis in range(2):
        if way[axis] == 0.0:
            continue
        for edge in (low[axis], high[axis]):
            along = (edge - p[axis]) / way[axis]
            inner = p + way * along
            other = 1 - axis
            if along > 1e-9 and low[other] <= inner[other] <= high[other]:
                distance = min(distance, float(along))
    slow = -float(segment.acceleration[:2] @ way)
    root = speed * speed - 2.0 * slow * distance
    return segment.t0 + (speed - math.sqrt(root)) / slow if root > 0 and slow > 0 else math.inf
