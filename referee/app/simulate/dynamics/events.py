"""From a layout and a stroke to the paths of all balls and the events between them.

A queue of predicted events is kept; the earliest happens, and only predictions that involve the balls it changed are
made anew (Leckie and Greenspan 2006). Event times are roots of polynomials of degree four or less.
"""

import heapq
import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from referee.app.simulate.dynamics import collide
from referee.app.simulate.dynamics.flight import flight_events, land, leaves_rail, outside_by, rail_height
from referee.app.simulate.dynamics.motion import (
    Array,
    Phase,
    Physics,
    Segment,
    State,
    gone,
    segment_in_flight,
    segment_on_plane,
)
from referee.app.simulate.dynamics.roots import first_fall
from referee.app.simulate.dynamics.table import PlayingTable

TOUCHING_MM = 1e-7
NUDGE_MM = 1e-4
"""Balls that press on each other are set this far apart after a soft contact, so that the series of contacts ends."""
IN_TOUCH_MM = 0.008
"""Balls nearer than this to each other are in touch: what hits one pushes all at once."""
TOO_MANY = 60_000


class Unsettled(Exception):
    """The balls didn't come to rest within the allowed number of events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One physical event: ``kind`` and fields as in a shot record, exact time."""

    t: float
    kind: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Path:
    """A ball's path: segments in order of time, each valid until the next one starts."""

    segments: list[Segment]
    _starts: list[float] = field(default_factory=list)

    def starts(self) -> list[float]:
        """When each segment starts."""
        if len(self._starts) != len(self.segments):
            self._starts = [segment.t0 for segment in self.segments]
        return self._starts

    def at(self, t: float) -> Segment:
        """The segment in force at time t."""
        return self.segments[max(0, bisect_right(self.starts(), t) - 1)]

    def state(self, t: float) -> State:
        """Centre, velocity and spin at time t."""
        return self.at(t).state(t)

    def positions(self, t: Array) -> Array:
        """(n, 3) centres at times (n,)."""
        starts = np.array(self.starts())
        which = np.maximum(np.searchsorted(starts, t, side="right") - 1, 0)
        p = np.array([segment.position for segment in self.segments])[which]
        v = np.array([segment.velocity for segment in self.segments])[which]
        a = np.array([segment.acceleration for segment in self.segments])[which]
        dt = (t - starts[which])[:, None]
        result: Array = p + v * dt + 0.5 * a * dt * dt
        return result

    def left_at(self) -> float:
        """When the ball went out of play; infinity if it didn't."""
        return next((segment.t0 for segment in self.segments if segment.phase is Phase.GONE), math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """What became of one stroke: every ball's path, the events in order of time, and when all lay still."""

    paths: dict[str, Path]
    events: tuple[Happening, ...]
    t_rest: float

    def resting(self) -> dict[str, tuple[float, float]]:
        """Where the balls that are left lie in the end."""
        last = {name: path.segments[-1] for name, path in self.paths.items()}
        return {
            name: (float(segment.position[0]), float(segment.position[1]))
            for name, segment in last.items()
            if segment.phase is not Phase.GONE
        }


class _Engine:
    def __init__(self, table: PlayingTable, physics: Physics, states: Mapping[str, State], t: float) -> None:
        self.table, self.physics, self.t = table, physics, t
        self.names = list(states)
        self.segments: list[Segment] = []
        self.paths: list[Path] = []
        self.version = [0] * len(self.names)
        self.on_rail = [False] * len(self.names)
        self.queue: list[tuple[float, int, str, tuple[int, ...], tuple[int, ...], Any]] = []
        self.order = count()
        self.happened: list[Happening] = []
        for state in states.values():
            segment = self._fly_or_lie(state, rail=False)
            self.segments.append(segment)
            self.paths.append(Path([segment]))
        for index in range(len(self.names)):
            self._predict(index, pairs=self._moving(index))

    def _moving(self, index: int) -> bool:
        return self.segments[index].phase in (Phase.ROLLING, Phase.SLIDING, Phase.FLYING)

    def _fly_or_lie(self, state: State, *, rail: bool) -> Segment:
        level = rail_height(self.table) if rail else self.table.radius
        if abs(state.velocity[2]) > 0 or state.position[2] > level + 1e-6:
            return segment_in_flight(self.t, state)
        return segment_on_plane(self.t, state, self.table.radius, self.physics, on_rail=rail)

    def _set(self, index: int, segment: Segment) -> None:
        self.segments[index] = segment
        self.paths[index].segments.append(segment)
        self.version[index] += 1

    def _push(self, t: float, kind: str, who: tuple[int, ...], detail: Any = None) -> None:
        if t < math.inf:
            entry = (t, next(self.order), kind, who, tuple(self.version[i] for i in who), detail)
            heapq.heappush(self.queue, entry)

    def _predict(self, index: int, *, pairs: bool = True) -> None:
        segment = self.segments[index]
        if segment.phase is Phase.GONE:
            return
        if segment.phase is Phase.FLYING:
            for t, kind, detail in flight_events(self.table, segment, self.t):
                self._push(t, kind, (index,), detail)
        else:
            self._push(segment.t1, "phase", (index,))
            if self.on_rail[index]:
                self._push(leaves_rail(self.table, segment), "leave_rail", (index,))
            elif self._moving(index):
                self._predict_obstacles(index, segment)
        if pairs:
            self._predict_pairs(index)

    def _predict_obstacles(self, index: int, segment: Segment) -> None:
        horizon = segment.t1 - segment.t0
        p, v, half = segment.position[:2], segment.velocity[:2], 0.5 * segment.acceleration[:2]
        starts, along, normals, lengths = self.table.line_arrays
        c = np.zeros((len(starts), 5))
        c[:, 0] = ((p - starts) * normals).sum(axis=1) - self.table.reach
        c[:, 1], c[:, 2] = normals @ v, normals @ half
        c[c[:, 0] < -self.table.radius, :] = (1.0, 0, 0, 0, 0)
        when = first_fall(c, np.full(len(c), horizon), TOUCHING_MM)
        for k in np.flatnonzero(np.isfinite(when)):
            dt = float(when[k])
            place = float((p + v * dt + half * dt * dt - starts[k]) @ along[k])
            if 0.0 <= place <= lengths[k]:
                self._push(segment.t0 + dt, "line", (index,), int(k))
        centres, radii = self.table.circles
        when = first_fall(_circle(p - centres, v, half, radii), np.full(len(centres), horizon), TOUCHING_MM * 100)
        for k in np.flatnonzero(np.isfinite(when)):
            dt, arcs = float(when[k]), self.table.arcs
            if k >= len(arcs):
                self._push(segment.t0 + dt, "hole", (index,), self.table.holes[k - len(arcs)])
            elif arcs[k].faces(p + v * dt + half * dt * dt - centres[k]):
                self._push(segment.t0 + dt, "arc", (index,), int(k))

    def _predict_pairs(self, index: int) -> None:
        mine = self.segments[index]
        rail = self.on_rail[index]
        others = [
            k
            for k, segment in enumerate(self.segments)
            if k != index and segment.phase is not Phase.GONE and self.on_rail[k] == rail
            if self._moving(index) or self._moving(k)
        ]
        if not others:
            return
        now = self.t
        state = mine.state(now)
        theirs = [self.segments[k] for k in others]
        states = [segment.state(now) for segment in theirs]
        gap = np.array([s.position for s in states]) - state.position
        speed = np.array([s.velocity for s in states]) - state.velocity
        half = 0.5 * (np.array([segment.acceleration for segment in theirs]) - mine.acceleration)
        horizon = np.array([min(mine.t1, segment.t1) for segment in theirs]) - now
        horizon = np.where(np.isfinite(horizon), horizon, 1.0)
        contact = np.full(len(others), 2.0 * self.table.radius)
        when = first_fall(_circle(gap, speed, half, contact), horizon, 4.0 * self.table.radius * TOUCHING_MM)
        for k in np.flatnonzero(np.isfinite(when)):
            self._push(now + float(when[k]), "pair", (index, others[k]))

    def run(self) -> None:
        for _ in range(TOO_MANY):
            if not self.queue:
                return
            t, _, kind, who, versions, detail = heapq.heappop(self.queue)
            if versions != tuple(self.version[i] for i in who):
                continue
            self.t = max(t, self.t)
            getattr(self, f"_on_{kind}")(*who, detail)
        raise Unsettled(f"balls still move at {self.t:.3f} s after {TOO_MANY} events")

    def _note(self, kind: str, **fields: Any) -> None:
        self.happened.append(Happening(t=self.t, kind=kind, fields=fields))

    def _restart(self, index: int, state: State) -> None:
        self._set(index, self._fly_or_lie(state, rail=self.on_rail[index]))

    def _on_phase(self, index: int, _: Any) -> None:
        segment = self.segments[index]
        state = segment.state(self.t)
        if segment.phase is Phase.SLIDING:
            vx, vy = state.velocity[0], state.velocity[1]
            spin = np.array([-vy / self.table.radius, vx / self.table.radius, state.spin[2]])
            state = State(position=state.position, velocity=state.velocity, spin=spin)
        else:
            stopped = np.array([0.0, 0.0, state.spin[2] if segment.phase is Phase.ROLLING else 0.0])
            state = State(position=state.position, velocity=np.zeros(3), spin=stopped)
        self._set(index, self._fly_or_lie(state, rail=self.on_rail[index]))
        if self.segments[index].phase is Phase.STILL and self.on_rail[index]:
            self._note("off_table", ball=self.names[index])
            self._set(index, gone(self.t, state))
        self._predict(index)

    def _bounce(self, index: int, outward: Array, cushion: str, jaw: str | None) -> None:
        state = self.segments[index].state(self.t)
        normal = collide.nose_normal(outward, self.table.nose_height)
        approach = -float(state.velocity @ normal)
        after = collide.against(
            state,
            normal,
            self.table.radius,
            restitution=self.physics.cushion_restitution,
            friction=self.physics.cushion_friction,
            on_bed=True,
        )
        if approach <= collide.SOFT_MM_S:
            shift = np.array([outward[0], outward[1], 0.0]) * NUDGE_MM
            after = State(position=after.position + shift, velocity=after.velocity, spin=after.spin)
        self._note("cushion", ball=self.names[index], cushion=cushion, **({"jaw": jaw} if jaw else {}))
        self._restart(index, after)
        self._predict(index)

    def _on_line(self, index: int, k: int) -> None:
        line = self.table.lines[k]
        self._bounce(index, line.normal, line.cushion, line.jaw)

    def _on_arc(self, index: int, k: int) -> None:
        arc = self.table.arcs[k]
        outward = self.segments[index].state(self.t).position[:2] - arc.centre
        self._bounce(index, outward / math.hypot(*outward), arc.cushion, arc.jaw)

    def _on_hole(self, index: int, hole: Any) -> None:
        state = self.segments[index].state(self.t)
        self._note("pocket", ball=self.names[index], pocket=hole.pocket, entry=state)
        self._set(index, gone(self.t, state))

    def _on_pair(self, one: int, two: int, _: Any) -> None:
        cluster = self._cluster(one, two)
        if len(cluster) > 2:
            self._push_together(cluster)
            return
        a, b = self.segments[one].state(self.t), self.segments[two].state(self.t)
        lying = (self._lies(one), self._lies(two))
        line = b.position - a.position
        line = line / np.linalg.norm(line)
        soft = float((a.velocity - b.velocity) @ line) <= collide.SOFT_MM_S
        after_a, after_b = collide.ball_ball(a, b, self.table.radius, self.physics, on_bed=lying)
        if soft:
            after_a = State(position=a.position - line * NUDGE_MM / 2, velocity=after_a.velocity, spin=after_a.spin)
            after_b = State(position=b.position + line * NUDGE_MM / 2, velocity=after_b.velocity, spin=after_b.spin)
        faster = float(a.velocity @ a.velocity) >= float(b.velocity @ b.velocity)
        self._note("contact", balls=[self.names[k] for k in ((one, two) if faster else (two, one))])
        self._restart(one, after_a)
        self._restart(two, after_b)
        self._predict(one)
        self._predict(two)

    def _lies(self, index: int) -> bool:
        return self.segments[index].phase is not Phase.FLYING

    def _cluster(self, one: int, two: int) -> list[int]:
        """The balls that touch, directly or through others, the two that meet now."""
        here = [k for k, segment in enumerate(self.segments) if segment.phase is not Phase.GONE]
        places = np.array([self.segments[k].state(self.t).position for k in here])
        gaps = np.linalg.norm(places[:, None] - places[None], axis=2) - 2.0 * self.table.radius
        touching = gaps < IN_TOUCH_MM
        found, todo = {here.index(one), here.index(two)}, [here.index(one), here.index(two)]
        while todo:
            for k in np.flatnonzero(touching[todo.pop()]):
                if int(k) not in found:
                    found.add(int(k))
                    todo.append(int(k))
        return sorted(here[k] for k in found)

    def _push_together(self, cluster: list[int]) -> None:
        states = [self.segments[k].state(self.t) for k in cluster]
        places = np.array([state.position for state in states])
        first, second = np.triu_indices(len(cluster), 1)
        between = places[second] - places[first]
        apart = np.linalg.norm(between, axis=1)
        near = apart - 2.0 * self.table.radius < IN_TOUCH_MM
        pairs = np.column_stack([first, second])[near]
        lines = between[near] / apart[near, None]
        before = np.array([state.velocity for state in states])
        after, onset = collide.together(before, pairs, lines, self.physics.ball_restitution)
        for a, b in pairs[np.argsort(onset, kind="stable")][: int(np.isfinite(onset).sum())]:
            faster = float(before[a] @ before[a]) >= float(before[b] @ before[b])
            self._note("contact", balls=[self.names[cluster[k]] for k in ((a, b) if faster else (b, a))])
        changed = []
        for k, (index, state) in enumerate(zip(cluster, states, strict=True)):
            velocity = after[k] * (1.0, 1.0, 0.0) if self._lies(index) else after[k]
            if np.array_equal(velocity, before[k]):
                continue
            changed.append(index)
            self._restart(index, State(position=self._eased(k, places), velocity=velocity, spin=state.spin))
        for index in changed:
            self._predict(index)

    def _eased(self, k: int, places: Array) -> Array:
        """A place in a cluster moved a hair's breadth away from the others, so that pressing balls come apart."""
        away = places[k] - places.mean(axis=0)
        far = float(np.linalg.norm(away))
        return np.asarray(places[k] + away / far * NUDGE_MM if far > 0 else places[k])

    def _on_land(self, index: int, _: Any) -> None:
        state, rail, pocket = land(self.table, self.physics, self.segments[index].state(self.t))
        if pocket is not None:
            self._on_hole(index, pocket)
            return
        if self.on_rail[index] and not rail:
            self._note("returned", ball=self.names[index], via="rail")
        self.on_rail[index] = rail
        self._restart(index, state)
        self._predict(index)

    def _on_edge(self, index: int, detail: tuple[Array, str, str | None]) -> None:
        normal, cushion, jaw = detail
        state = self.segments[index].state(self.t)
        after = collide.against(
            state,
            normal,
            self.table.radius,
            restitution=self.physics.cushion_restitution,
            friction=self.physics.cushion_friction,
        )
        self._note("cushion", ball=self.names[index], cushion=cushion, **({"jaw": jaw} if jaw else {}))
        self._restart(index, after)
        self._predict(index)

    def _on_leave_rail(self, index: int, _: Any) -> None:
        state = self.segments[index].state(self.t)
        if outside_by(self.table, state.position[:2]) > 1.0:
            self._on_out(index, None)
            return
        self._set(index, segment_in_flight(self.t, state))
        self._predict(index)

    def _on_out(self, index: int, _: Any) -> None:
        self._note("off_table", ball=self.names[index], exit=self.segments[index].state(self.t))
        self._set(index, gone(self.t, self.segments[index].state(self.t)))


def _circle(gap: Array, speed: Array, half: Array, radii: Array) -> Array:
    """(n, 5) coefficients of |gap + speed t + half t²|² - radii²; speed and half may be shared by all rows."""
    speed, half = np.broadcast_to(speed, gap.shape), np.broadcast_to(half, gap.shape)
    return np.column_stack(
        [
            (gap * gap).sum(axis=1) - radii**2,
            2.0 * (gap * speed).sum(axis=1),
            (speed * speed).sum(axis=1) + 2.0 * (gap * half).sum(axis=1),
            2.0 * (speed * half).sum(axis=1),
            (half * half).sum(axis=1),
        ]
    )


def roll_out(table: PlayingTable, states: Mapping[str, State], t: float, physics: Physics | None = None) -> Roll:
    """Let the balls go at time t until all lie still; raises Unsettled where they don't."""
    engine = _Engine(table, physics or Physics(), states, t)
    engine.run()
    return Roll(
        paths=dict(zip(engine.names, engine.paths, strict=True)),
        events=tuple(engine.happened),
        t_rest=engine.t,
    )


def resting_state(xy_mm: tuple[float, float], radius: float) -> State:
    """A ball that lies still on the cloth."""
    return State(position=np.array([xy_mm[0], xy_mm[1], radius]), velocity=np.zeros(3), spin=np.zeros(3))
