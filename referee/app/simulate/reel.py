"""A film's whole course before it is filmed: every ball's path over all strokes, and what people did between them."""

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from calibration.tables import Point
from referee.app.simulate.dynamics.events import Happening, Path, Roll, resting_state
from referee.app.simulate.dynamics.motion import GRAVITY_MM_S2, Array, Phase, Physics, Segment, segment_on_plane
from referee.app.simulate.dynamics.table import PlayingTable
from referee.app.simulate.film.shoot import BallPose
from referee.app.simulate.play.aim import Stroke

DROP_S = 0.45
"""How long a ball that falls into a pocket stays in view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A hand puts a ball on the cloth at time t; it is seen there once the hand has gone."""

    ball: str
    place: Point
    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One stroke of the film with all that belongs to it."""

    n: int
    player: str
    stroke: Stroke
    t0: float
    roll: Roll
    before: Mapping[str, Point]
    nominated: Mapping[str, Any] = field(default_factory=dict)
    extra: tuple[Happening, ...] = ()

    @property
    def t1(self) -> float:
        """When all balls lay still."""
        return self.roll.t_rest


@dataclass
class Reel:
    """Shots and placements in order of time."""

    table: PlayingTable
    t_end: float = 0.0
    shots: list[Shot] = field(default_factory=list)
    placements: list[Placement] = field(default_factory=list)
    paths: dict[str, Path] = field(default_factory=dict)
    drops: dict[str, list[Happening]] = field(default_factory=dict)

    def place(self, ball: str, where: Point, t: float, *, by_hand: bool = True) -> None:
        """Put a ball on the cloth at time t."""
        state = resting_state(where, self.table.radius)
        segment = segment_on_plane(t, state, self.table.radius, Physics())
        self.paths.setdefault(ball, Path([])).segments.append(segment)
        if by_hand:
            self.placements.append(Placement(ball=ball, place=where, t=t))

    def add(self, shot: Shot) -> None:
        """Append a stroke; its roll's paths continue those so far."""
        self.shots.append(shot)
        for name, path in shot.roll.paths.items():
            moved = [s for k, s in enumerate(path.segments) if k > 0 or s.phase is not Phase.STILL]
            self.paths[name].segments.extend(moved)
        for event in shot.roll.events:
            if event.kind in ("pocket", "off_table"):
                self.drops.setdefault(event.fields["ball"], []).append(event)
        self.t_end = max(self.t_end, shot.t1)

    def layout(self) -> dict[str, Point]:
        """Where the balls lie after the last event so far."""
        last = {name: path.segments[-1] for name, path in self.paths.items()}
        return {
            name: (float(s.position[0]), float(s.position[1])) for name, s in last.items() if s.phase is not Phase.GONE
        }


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

    def __init__(self, reel: Reel, rng: np.random.Generator) -> None:
        self.reel = reel
        self.turnings = {}
        for name, path in reel.paths.items():
            axis = rng.standard_normal(3)
            start = rotation(axis / np.linalg.norm(axis) * rng.uniform(0, math.pi))
            self.turnings[name] = _turning(path, start)

    def balls(self, t: float) -> dict[str, BallPose]:
        """The balls in view at time t."""
        found = {}
        for name, path in self.reel.paths.items():
            if t < path.segments[0].t0:
                continue
            segment = path.at(t)
            if segment.phase is not Phase.GONE:
                found[name] = BallPose(centre=segment.state(t).position, turn=self.turnings[name].at(t))
                continue
            centre = self._falling(name, segment, t)
            if centre is not None:
                found[name] = BallPose(centre=centre, turn=self.turnings[name].at(t))
        return found

    def _falling(self, name: str, segment: Segment, t: float) -> Array | None:
        drop = max((d for d in self.reel.drops.get(name, []) if d.t <= t + 1e-9), key=lambda d: d.t, default=None)
        if drop is None or drop.t < segment.t0 - 1e-6:
            return None
        since = t - drop.t
        state = drop.fields.get("entry" if drop.kind == "pocket" else "exit")
        if state is None or since > (DROP_S if drop.kind == "pocket" else 3.0):
            return None
        place = state.position + state.velocity * since
        place[2] = state.position[2] - 0.5 * GRAVITY_MM_S2 * since * since
        if drop.kind == "pocket":
            return self._in_pocket(drop, place)
        place[2] = max(place[2], -850.0 + self.reel.table.radius)
        return np.asarray(place)

    def _in_pocket(self, drop: Happening, place: Array) -> Array | None:
        hole = self.reel.table.hole(drop.fields["pocket"])
        offset = place[:2] - hole.centre
        far = float(np.linalg.norm(offset))
        room = max(4.0, hole.radius - self.reel.table.radius * 0.9)
        if far > room and float(offset @ drop.fields["entry"].velocity[:2]) > 0:
            place[:2] = hole.centre + offset / far * room
        place[2] = max(place[2], -2.6 * self.reel.table.radius)
        return place if place[2] > -2.4 * self.reel.table.radius else None
