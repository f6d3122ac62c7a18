"""Aiming: from a ball and a pocket to a stroke, by ghost ball and a look at what the physics makes of it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.tables import Point
from referee.app.simulate.dynamics import collide
from referee.app.simulate.dynamics.events import Roll, resting_state, roll_out
from referee.app.simulate.dynamics.motion import GRAVITY_MM_S2, Array, Physics
from referee.app.simulate.dynamics.table import Hole, PlayingTable

Layout = Mapping[str, Point]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """How the cue meets the cue ball: direction (rad, from x towards y), speed, and the tip's place in radii."""

    direction_rad: float
    speed_mm_s: float
    side: float = 0.0
    above: float = 0.0
    elevation_rad: float = 0.0
    target: str | None = None
    pocket: str | None = None


def play(
    table: PlayingTable, layout: Layout, stroke: Stroke, t: float, physics: Physics, striker_ball: str = "cue"
) -> Roll:
    """The stroke played at time t; raises Unsettled where the balls don't come to rest."""
    states = {name: resting_state(place, table.radius) for name, place in layout.items()}
    states[striker_ball] = collide.strike(
        states[striker_ball].position,
        table.radius,
        speed_mm_s=stroke.speed_mm_s,
        direction=(math.cos(stroke.direction_rad), math.sin(stroke.direction_rad)),
        side=stroke.side,
        above=stroke.above,
        elevation_rad=stroke.elevation_rad,
    )
    return roll_out(table, states, t, physics)


def clear(layout: Layout, start: Array, end: Array, diameter: float, but: tuple[str, ...]) -> bool:
    """Whether a ball can go straight from start to end without touching one of the others."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 1e-6:
        return True
    along = along / length
    for name, place in layout.items():
        if name in but:
            continue
        gap = np.array(place) - start
        ahead = float(np.clip(gap @ along, 0.0, length))
        if float(np.linalg.norm(gap - along * ahead)) < diameter * 0.995:
            return False
    return True


def meeting(layout: Layout, one: str, two: str, diameter: float) -> Array | None:
    """(2,) mm, where a cue ball that rolls straight is when it touches two balls at the same moment; None where the gap
    between them lets it through, or they lie in each other's way.
    """
    cue, first, second = (np.array(layout[name]) for name in ("cue", one, two))
    half = float(np.linalg.norm(second - first)) / 2
    if half >= diameter:
        return None
    along = (second - first) / (2 * half)
    away = np.array([-along[1], along[0]])
    away = away if float((cue - first) @ away) > 0 else -away
    place = np.asarray((first + second) / 2 + away * math.sqrt(diameter**2 - half**2))
    way = place - cue
    if min(float(way @ (ball - place)) for ball in (first, second)) <= 0.0:
        return None  # it meets one of them before it comes there
    return place


def mouth(table: PlayingTable, hole: Hole) -> Array:
    """(2,) the point to aim at: just inside the hole's lip."""
    spec = table.spec
    corner = np.array(spec.pocket_corners()[hole.pocket])
    inward = np.sign(np.array([spec.width_mm / 2, spec.length_mm / 2]) - corner)
    if hole.pocket.startswith("middle"):
        return np.asarray(corner + np.array([inward[0], 0.0]) * -6.0)
    return np.asarray(corner + inward * 6.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """A way to pot a ball: where the cue ball must be at contact, how thick, how far, and how hard it is (0 easy)."""

    ball: str
    pocket: str
    ghost: tuple[float, float]
    cut_rad: float
    run_mm: float
    far_mm: float
    difficulty: float


def pots(table: PlayingTable, layout: Layout, on: list[str], cue: Point, cue_name: str = "cue") -> list[Pot]:
    """All straight pots of the balls ``on`` that are open, the easiest first."""
    found = []
    start = np.array(cue)
    diameter = 2 * table.radius
    for ball in on:
        place = np.array(layout[ball])
        for hole in table.holes:
            goal = mouth(table, hole)
            way = goal - place
            far = float(np.linalg.norm(way))
            if far < 1.0:
                continue
            way = way / far
            ghost = place - way * diameter
            run = float(np.linalg.norm(ghost - start))
            if run < 60.0:
                continue
            cosine = float(((ghost - start) / run) @ way)
            if cosine < 0.34:
                continue
            entry = _entry(table, hole, way)
            if entry < (0.5 if hole.pocket.startswith("middle") else 0.72):
                continue
            if not clear(layout, place, goal, diameter, (ball, cue_name)):
                continue
            if not clear(layout, start, ghost, diameter, (ball, cue_name)):
                continue
            if not _on_table(table, ghost):
                continue
            difficulty = (run + 0.4 * table.spec.width_mm) * far / cosine**1.5 / entry / table.spec.width_mm**2
            found.append(
                Pot(
                    ball=ball,
                    pocket=hole.pocket,
                    ghost=(float(ghost[0]), float(ghost[1])),
                    cut_rad=math.acos(min(1.0, cosine)),
                    run_mm=run,
                    far_mm=far,
                    difficulty=difficulty,
                )
            )
    return sorted(found, key=lambda pot: pot.difficulty)


def _entry(table: PlayingTable, hole: Hole, way: Array) -> float:
    """Cosine between a way and the pocket's axis."""
    spec = table.spec
    corner = np.array(spec.pocket_corners()[hole.pocket])
    inward = np.sign(np.array([spec.width_mm / 2, spec.length_mm / 2]) - corner)
    axis = np.array([-inward[0], 0.0]) if hole.pocket.startswith("middle") else -inward / math.sqrt(2.0)
    return float(way @ axis)


def _on_table(table: PlayingTable, place: Array) -> bool:
    spec, reach = table.spec, table.reach - 1.0
    return bool(reach < place[0] < spec.width_mm - reach and reach < place[1] < spec.length_mm - reach)


def speed_for(pot: Pot, physics: Physics, extra: float) -> float:
    """Strike speed, mm/s, that brings the ball to the pocket with some to spare (``extra`` 1: just so).

    Backwards: rolling to the pocket costs 2 μ g s; a ball that is hit starts to roll at 5/7; the cut takes a share.
    """
    pull = 2.0 * physics.roll_friction * GRAVITY_MM_S2
    arrive = 500.0
    after = math.sqrt(arrive**2 + pull * pot.far_mm) / (5.0 / 7.0)
    contact = after / max(0.35, math.cos(pot.cut_rad)) * 2.0 / (1.0 + physics.ball_restitution)
    return float(min(6500.0, extra * math.sqrt(contact**2 + pull * pot.run_mm) * 1.12))


def aim_pot(table: PlayingTable, layout: Layout, pot: Pot, stroke: Stroke, physics: Physics) -> Stroke | None:
    """The direction that pots, found by trying a fan around the ghost ball's; None where nothing in it does.

    Only cue ball and object ball are tried: what else is on the way has been looked at.
    """
    cue = np.array(layout["cue"])
    way = np.array(pot.ghost) - cue
    straight = math.atan2(way[1], way[0])
    pair = {"cue": layout["cue"], pot.ball: layout[pot.ball]}
    half = min(0.03, 2.4 * table.radius / max(pot.run_mm, 60.0))
    good = []
    for offset in np.linspace(-half, half, 15):
        tried = replace(stroke, direction_rad=straight + float(offset))
        roll = play(table, pair, tried, 0.0, physics)
        if any(e.kind == "pocket" and e.fields["ball"] == pot.ball for e in roll.events):
            good.append(float(offset))
    if not good:
        return None
    return replace(stroke, direction_rad=straight + good[len(good) // 2], target=pot.ball, pocket=pot.pocket)
