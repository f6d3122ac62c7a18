"""A film's whole course before it is filmed: every ball's path over all strokes, and what people did between them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calibration.tables import Point
from referee.app.simulate.dynamics.events import Happening, Path, Roll, resting_state
from referee.app.simulate.dynamics.motion import Phase, Physics, gone, segment_on_plane
from referee.app.simulate.dynamics.table import PlayingTable
from referee.app.simulate.play.aim import Stroke

START_S = -1.0
"""Balls that lie there from the start do so a little before the first frame, whose exposure begins before its time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A hand puts a ball on the cloth at time t; it is seen there once the hand has gone."""

    ball: str
    place: Point
    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A hand takes a ball off the table at time t."""

    ball: str
    place: Point
    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """A hand touches a ball at ``place`` at time t: a player's, or with ``by`` "outside" the referee's in its glove."""

    place: Point
    t: float
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Racking:
    """Balls are set up in a frame around ``apex`` (``rows`` of them) that is lifted at time t."""

    apex: Point
    rows: int
    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One stroke of the film with all that belongs to it; without ``stroke`` an incident between two of them."""

    n: int
    player: str
    stroke: Stroke | None
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
    removals: list[Removal] = field(default_factory=list)
    rackings: list[Racking] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    paths: dict[str, Path] = field(default_factory=dict)
    drops: dict[str, list[Happening]] = field(default_factory=dict)

    def place(self, ball: str, where: Point, t: float, *, by_hand: bool = True) -> None:
        """Put a ball on the cloth at time t."""
        state = resting_state(where, self.table.radius)
        segment = segment_on_plane(t, state, self.table.radius, Physics())
        self.paths.setdefault(ball, Path([])).segments.append(segment)
        if by_hand:
            self.placements.append(Placement(ball=ball, place=where, t=t))

    def take(self, ball: str, t: float) -> None:
        """A hand takes a ball off the table at time t."""
        state = self.paths[ball].state(t)
        self.paths[ball].segments.append(gone(t, state))
        place = (float(state.position[0]), float(state.position[1]))
        self.removals.append(Removal(ball=ball, place=place, t=t))

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
