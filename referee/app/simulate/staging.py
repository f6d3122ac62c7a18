"""A reel as the camera sees it: balls that turn, fall and are carried, and the people around the table."""

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.tables import Point
from referee.app.simulate.dynamics.events import Happening, Path
from referee.app.simulate.dynamics.motion import GRAVITY_MM_S2, Array, Phase, Segment, State
from referee.app.simulate.film.limbs import Capsule, Dress, Material
from referee.app.simulate.film.people import Reach, Visit, distance_to_edge, hand, nearest_origin, player
from referee.app.simulate.film.shoot import BallPose
from referee.app.simulate.play.aim import Stroke
from referee.app.simulate.reel import Reel, Shot

DROP_S = 0.45
"""How long a ball that falls into a pocket stays in view."""
HELD_MM = 22.0
"""How far over the cloth a hand carries a ball."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How people behave: ``lead_s`` before the strike a player comes in, ``linger_s`` after it he goes.

    ``potted_stay``: potted balls stay in sight in the pockets, as in nets that nobody empties.
    """

    present: bool = True
    lead_s: float = 3.2
    linger_s: float = 1.1
    left_handed: bool = False
    glove: bool = False
    potted_stay: bool = False


def sinking(state: State, radius: float, since: float) -> Array:
    """(3,) where a ball is, so long after its centre came over a hole's lip.

    A slow ball tips over the lip, on which it rolls without slipping: its way d obeys d'' = (5 g / 7 R) d. A fast one
    flies off it. Either way it falls freely once it is past the lip by a radius.
    """
    speed = max(float(np.hypot(*state.velocity[:2])), 5.0)
    way = state.velocity[:2] / speed
    rate = math.sqrt(5.0 * GRAVITY_MM_S2 / (7.0 * radius))
    past = math.asinh(rate * radius / speed) / rate
    free = radius - 0.5 * GRAVITY_MM_S2 * since * since
    if since < past:
        far = speed / rate * math.sinh(rate * since)
        height = max(free, radius * math.sqrt(max(0.0, 1.0 - (far / radius) ** 2)))
    else:
        far = radius + math.hypot(speed, rate * radius) * (since - past)
        height = max(free, -0.5 * GRAVITY_MM_S2 * (since - past) ** 2)
    return np.array([state.position[0] + way[0] * far, state.position[1] + way[1] * far, height])


@dataclass
class _Turning:
    """A ball's orientation over time, integrated from its spin in steps of at most 1/300 s."""

    times: list[float]
    turns: list[Array]
    path: Path

    def at(self, t: float) -> Array:
        k = max(0, bisect_right(self.times, t) - 1)
        segment = self.path.at(self.times[k])
        dt = t - self.times[k]
        if dt <= 0 or segment.phase in (Phase.STILL, Phase.GONE):
            return self.turns[k]
        return rotation(segment.spin_at(self.times[k] + dt / 2) * dt) @ self.turns[k]


def rotation(vector: Array) -> Array:
    """(3, 3) rotation about a vector by its length (Rodrigues)."""
    angle = math.sqrt(float(vector @ vector))
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = vector / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    result: Array = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * (cross @ cross)
    return result


def _turning(path: Path, start: Array) -> _Turning:
    times, turns = [path.segments[0].t0], [start]
    ends = [s.t0 for s in path.segments[1:]] + [path.segments[-1].t0]
    for segment, end in zip(path.segments, ends, strict=True):
        if segment.phase in (Phase.STILL, Phase.GONE):
            times.append(end)
            turns.append(turns[-1])
            continue
        steps = max(1, math.ceil((end - segment.t0) * 300))
        dt = (end - segment.t0) / steps
        for k in range(steps):
            middle = segment.spin_at(segment.t0 + (k + 0.5) * dt)
            times.append(segment.t0 + (k + 1) * dt)
            turns.append(rotation(middle * dt) @ turns[-1])
    return _Turning(times, turns, path)


class Staging:
    """The balls of a reel as a camera can see them, falling into pockets and off the table included."""

    def __init__(
        self, reel: Reel, rng: np.random.Generator, manners: Manners, dresses: Mapping[str, Dress] | None = None
    ) -> None:
        self.reel = reel
        self.dresses = dict(dresses or {})
        self.potted_stay = manners.potted_stay
        struck = [(shot, shot.stroke) for shot in reel.shots if shot.stroke is not None]
        self.visits = [self._visit(shot, stroke, manners) for shot, stroke in struck] if manners.present else []
        self.reaches = self._reaches(rng) if manners.present else []
        self.turnings = {}
        for name, path in reel.paths.items():
            axis = rng.standard_normal(3)
            start = rotation(axis / np.linalg.norm(axis) * rng.uniform(0, math.pi))
            self.turnings[name] = _turning(path, start)

    def balls(self, t: float) -> dict[str, BallPose]:
        """The balls in view at time t."""
        poses = {name: self.ball(name, t) for name in self.reel.paths}
        return {name: pose for name, pose in poses.items() if pose is not None}

    def ball(self, name: str, t: float) -> BallPose | None:
        """One ball at time t; None while it isn't in view."""
        path = self.reel.paths[name]
        segment = path.at(t)
        if segment.phase is not Phase.GONE and t >= path.segments[0].t0:
            return BallPose(centre=segment.state(t).position, turn=self.turnings[name].at(t))
        centre = self._carried(name, t)
        if centre is None and t >= path.segments[0].t0:
            centre = self._falling(name, segment, t)
        return None if centre is None else BallPose(centre=centre, turn=self.turnings[name].at(t))

    def people(self, t: float) -> list[Capsule]:
        """What of people and cues is over the table at time t."""
        parts: list[Capsule] = []
        for visit in self.visits:
            parts += player(visit, t)
        for _, reach in self.reaches:
            parts += hand(reach, t)
        return parts + self._frame(t)

    def _visit(self, shot: Shot, stroke: Stroke, manners: Manners) -> Visit:
        table = self.reel.table
        place = np.array([*shot.before["cue"], table.radius])
        way = np.array([math.cos(stroke.direction_rad), math.sin(stroke.direction_rad)])
        return Visit(
            ball=place,
            direction=way,
            t_in=shot.t0 - manners.lead_s,
            t_strike=shot.t0,
            t_out=shot.t0 + manners.linger_s + 0.9,
            ball_radius=table.radius,
            speed_mm_s=stroke.speed_mm_s,
            above=stroke.above,
            elevation_rad=stroke.elevation_rad,
            edge_mm=distance_to_edge(table.spec, table.rail_mm, place, -way),
            dress=self.dresses.get(shot.player, Dress()),
            side=-1.0 if manners.left_handed else 1.0,
            glove=manners.glove,
        )

    def _reaches(self, rng: np.random.Generator) -> list[tuple[str, Reach]]:
        reel, found = self.reel, []
        moves = [(p.ball, p.place, p.t, False) for p in reel.placements]
        moves += [(p.ball, p.place, p.t, True) for p in reel.removals]
        moves += [
            ("", (p.apex[0] + side * 90.0, p.apex[1] + 120.0), p.t, False) for p in reel.rackings for side in (-1, 1)
        ]
        for ball, where, t, takes in sorted(moves, key=lambda move: move[2]):
            found.append((ball, self._reach(where, t, takes, rng)))
        for touch in reel.touches:
            reach = self._reach(touch.place, touch.t, False, rng)
            bare = replace(reach, dress=self.dresses.get("A", Dress()), glove=False)
            found.append(("", bare if touch.by == "player" else reach))
        return found

    def _reach(self, where: Point, t: float, takes: bool, rng: np.random.Generator) -> Reach:
        table = self.reel.table
        place = np.array([*where, table.radius])
        origin = nearest_origin(table.spec, table.rail_mm, place, skew=float(rng.uniform(-160, 160)))
        dress = self.dresses.get("referee", Dress(sleeve=(24, 24, 26)))
        return Reach(place=place, origin=origin, t_touch=t, stay_s=0.15, dress=dress, glove=True, takes=takes)

    def _frame(self, t: float) -> list[Capsule]:
        """The rack's three sides while balls are set up."""
        parts = []
        for racking in self.reel.rackings:
            if not -1.0 < t - racking.t < 0.5:
                continue
            high = 30.0 + 260.0 * max(0.0, t - racking.t)
            reach = self.reel.table.radius * 2 * racking.rows
            x, y = racking.apex
            corners = [
                np.array([x, y - self.reel.table.radius * 2.2, high]),
                np.array([x - reach * 0.56, y + reach * 0.86, high]),
                np.array([x + reach * 0.56, y + reach * 0.86, high]),
            ]
            for a, b in ((0, 1), (1, 2), (2, 0)):
                rod = Capsule(a=corners[a], b=corners[b], ra=8.0, rb=8.0, material=Material.BUTT, dress=Dress())
                parts.append(rod)
        return parts

    def _carried(self, name: str, t: float) -> Array | None:
        """Where a hand carries a ball that it is about to put down or has taken."""
        for ball, reach in self.reaches:
            if ball != name or (t < reach.t_touch) == reach.takes:
                continue
            tips = reach.at(t)
            if tips is not None:
                height = HELD_MM * min(1.0, 4.0 * abs(reach.t_touch - t))
                return np.array([tips[0], tips[1], self.reel.table.radius + height])
        return None

    def _falling(self, name: str, segment: Segment, t: float) -> Array | None:
        drop = max((d for d in self.reel.drops.get(name, []) if d.t <= t + 1e-9), key=lambda d: d.t, default=None)
        if drop is None or drop.t < segment.t0 - 1e-6:
            return None
        since = t - drop.t
        state = drop.fields.get("entry" if drop.kind == "pocket" else "exit")
        if state is None or since > (DROP_S if drop.kind == "pocket" else 3.0):
            stays = state is not None and drop.kind == "pocket" and self.potted_stay
            return self._kept(name, drop) if stays else None
        if drop.kind == "pocket":
            sunk = self._in_pocket(drop, sinking(state, self.reel.table.radius, since))
            return self._kept(name, drop) if sunk is None and self.potted_stay else sunk
        place = state.position + state.velocity * since
        place[2] -= 0.5 * GRAVITY_MM_S2 * since * since
        place[2] = max(place[2], -850.0 + self.reel.table.radius)
        return np.asarray(place)

    def _kept(self, name: str, drop: Happening) -> Array:
        """Where a ball lies in a pocket that keeps it: the later it came, the higher and nearer to the table."""
        pocket = drop.fields["pocket"]
        all_drops = [each for drops in self.reel.drops.values() for each in drops]
        earlier = sum(each.fields.get("pocket") == pocket and each.t < drop.t for each in all_drops)
        hole, spec = self.reel.table.hole(pocket), self.reel.table.spec
        inward = np.array([spec.width_mm / 2, spec.length_mm / 2]) - hole.centre
        inward = np.sign(inward) / (1.0 if pocket.startswith("middle") else math.sqrt(2.0))
        if pocket.startswith("middle"):
            inward[1] = 0.0
        place = hole.centre + inward * min(12.0, -14.0 + 13.0 * earlier)
        height = min(-0.9, -1.7 + 0.4 * earlier) * self.reel.table.radius
        return np.array([place[0], place[1], height])

    def _in_pocket(self, drop: Happening, place: Array) -> Array | None:
        hole = self.reel.table.hole(drop.fields["pocket"])
        offset = place[:2] - hole.centre
        far = float(np.linalg.norm(offset))
        room = max(4.0, hole.radius - self.reel.table.radius * 0.9)
        if far > room and float(offset @ drop.fields["entry"].velocity[:2]) > 0:
            place[:2] = hole.centre + offset / far * room
        place[2] = max(place[2], -2.6 * self.reel.table.radius)
        return place if place[2] > -2.4 * self.reel.table.radius else None
