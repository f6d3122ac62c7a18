"""What happens to balls between strokes: one that hangs over a pocket drops, one is touched and moves."""

import math
from collections.abc import Mapping

import numpy as np

from calibration.tables import Point
from referee.app.simulate.dynamics.events import Happening, Roll, resting_state, roll_out
from referee.app.simulate.dynamics.motion import GRAVITY_MM_S2, Physics, State, rolling_spin
from referee.app.simulate.dynamics.table import Hole, PlayingTable
from referee.app.simulate.reel import Reel, Shot, Touch

LIP_MM = 8.0
"""A ball whose centre is nearer than this to a hole can tip over its lip."""


def lip_gap(hole: Hole, place: Point) -> float:
    """How far, mm, a ball's centre is from a hole's edge; negative over the hole."""
    return math.dist(place, (float(hole.centre[0]), float(hole.centre[1]))) - hole.radius


def hanging(table: PlayingTable, layout: Mapping[str, Point], within_mm: float) -> list[tuple[str, str]]:
    """Balls that hang over a pocket, with its name."""
    return [
        (ball, hole.pocket)
        for ball, place in layout.items()
        for hole in table.holes
        if 0.0 < lip_gap(hole, place) < within_mm
    ]


def fall(reel: Reel, ball: str, pocket: str, t: float) -> None:
    """A ball tips slowly over the lip at time t and drops; raises ValueError where it doesn't lie on the lip."""
    hole, layout = reel.table.hole(pocket), reel.layout()
    gap = lip_gap(hole, layout[ball])
    if not 0.0 < gap < LIP_MM:
        raise ValueError(f"{ball} lies {gap:.1f} mm from {pocket}'s hole, not on its lip")
    physics = Physics()
    speed = 12.0 + 2.0 * math.sqrt(2.0 * physics.roll_friction * GRAVITY_MM_S2 * gap)
    way = hole.centre - np.array(layout[ball])
    way = way / float(np.linalg.norm(way)) * speed
    still = round(t - max(0.0, reel.paths[ball].segments[-1].t0), 3)
    before, roll = _set_off(reel, ball, (float(way[0]), float(way[1])), t)
    drop = next(event for event in roll.events if event.kind == "pocket" and event.fields["ball"] == ball)
    rest = tuple(event for event in roll.events if event is not drop)
    fell = Happening(t=drop.t, kind="fell", fields={"ball": ball, "pocket": pocket, "still_s": still})
    reel.drops.setdefault(ball, []).append(drop)
    _add(reel, before, Roll(paths=roll.paths, events=rest, t_rest=roll.t_rest), t, fell)


def move(reel: Reel, ball: str, velocity: Point, cause: str, t: float) -> None:
    """A ball starts to roll at time t though no ball hit it; a person's hand is seen at it."""
    place = reel.layout()[ball]
    if cause != "itself":
        reel.touches.append(Touch(place=place, t=t, by=cause))
    before, roll = _set_off(reel, ball, velocity, t)
    _add(reel, before, roll, t, Happening(t=t, kind="moved", fields={"ball": ball, "cause": cause}))


def _set_off(reel: Reel, ball: str, velocity: Point, t: float) -> tuple[dict[str, Point], Roll]:
    radius, before = reel.table.radius, reel.layout()
    states = {name: resting_state(place, radius) for name, place in before.items()}
    rolling = np.array([velocity[0], velocity[1], 0.0])
    spin = rolling_spin(rolling, radius, 0.0)
    states[ball] = State(position=states[ball].position, velocity=rolling, spin=spin)
    return before, roll_out(reel.table, states, t)


def _add(reel: Reel, before: Mapping[str, Point], roll: Roll, t: float, extra: Happening) -> None:
    n = len(reel.shots) + 1
    reel.add(Shot(n=n, player="", stroke=None, t0=t, roll=roll, before=before, extra=(extra,)))
