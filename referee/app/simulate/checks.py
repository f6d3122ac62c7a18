"""The truth's own checks: each gives one line for each thing that is wrong, and nothing where all is well."""

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from referee.app.simulate.dynamics.events import Path, Roll
from referee.app.simulate.dynamics.motion import Phase, energy
from referee.app.simulate.dynamics.table import PlayingTable

OVERLAP_MM = 0.01
JUMP_MM = 0.001
PLACE_MM = 0.01


def discontinuities(name: str, path: Path) -> Iterator[str]:
    """Places where a path jumps; balls that come back onto the table by hand excepted."""
    for before, after in zip(path.segments, path.segments[1:], strict=False):
        if before.phase is Phase.GONE or after.t0 < before.t0:
            continue
        gap = float(np.linalg.norm(before.state(after.t0).position - after.position))
        if gap > JUMP_MM:
            yield f"{name}: jumps {gap:.4f} mm at {after.t0:.6f} s"


def overlaps(roll: Roll, radius: float, step_s: float = 0.002) -> Iterator[str]:
    """Balls that are in one another by more than 0.01 mm, looked for at even steps and at all events."""
    start = min(path.segments[0].t0 for path in roll.paths.values())
    times = np.unique(np.concatenate([np.arange(start, roll.t_rest, step_s), [event.t for event in roll.events]]))
    where = {name: path.positions(times) for name, path in roll.paths.items()}
    left = {name: path.left_at() for name, path in roll.paths.items()}
    for one, two in combinations(roll.paths, 2):
        both = times < min(left[one], left[two])
        if not both.any():
            continue
        depth = 2 * radius - np.linalg.norm(where[one][both] - where[two][both], axis=1)
        worst = int(depth.argmax())
        if depth[worst] > OVERLAP_MM:
            yield f"{one} and {two} overlap by {depth[worst]:.4f} mm at {times[both][worst]:.4f} s"


def energy_gains(roll: Roll, radius: float, step_s: float = 0.002) -> Iterator[str]:
    """Moments at which the balls' energy grows after the strike."""
    start = min(path.segments[0].t0 for path in roll.paths.values())
    times = np.unique(np.concatenate([np.arange(start, roll.t_rest, step_s), [event.t for event in roll.events]]))
    left = {name: path.left_at() for name, path in roll.paths.items()}
    before = math.inf
    for t in times:
        total = sum(energy(path.state(float(t)), radius) for name, path in roll.paths.items() if t < left[name])
        if total > before * (1 + 1e-9) + 1e-3:
            yield f"energy grows by {total - before:.4f} mm²/s² at {t:.4f} s"
        before = total


def misplaced_events(roll: Roll, table: PlayingTable) -> Iterator[str]:
    """Events that aren't where the paths say: contacts apart, cushions not reached, pockets elsewhere."""
    radius = table.radius
    for event in roll.events:
        if event.kind == "contact":
            one, two = (roll.paths[name].state(event.t).position for name in event.fields["balls"])
            gap = float(np.linalg.norm(one - two)) - 2 * radius
            if abs(gap) > PLACE_MM:
                yield f"contact {event.fields['balls']} at {event.t:.6f} s with a gap of {gap:.4f} mm"
        elif event.kind == "cushion":
            place = roll.paths[event.fields["ball"]].state(event.t).position
            gap = _nose_gap(table, place)
            if abs(gap) > PLACE_MM:
                yield f"cushion {event.fields['ball']} at {event.t:.6f} s, {gap:.4f} mm from the nose"
        elif event.kind == "pocket":
            place = event.fields["entry"].position[:2]
            hole = table.hole(event.fields["pocket"])
            if float(np.linalg.norm(place - hole.centre)) > hole.radius + PLACE_MM:
                yield f"pocket {event.fields['ball']} at {event.t:.6f} s outside the hole of {hole.pocket}"


def _nose_gap(table: PlayingTable, place: np.ndarray) -> float:
    """Distance of a ball's surface from the nearest point of the noses, mm."""
    height = place[2] - table.spec.nose_height_mm
    best = math.inf
    starts, along, _, lengths = table.line_arrays
    offset = place[:2] - starts
    reach = np.clip((offset * along).sum(axis=1), 0.0, lengths)
    level = np.linalg.norm(offset - along * reach[:, None], axis=1)
    best = min(best, float(np.min(np.hypot(level, height))))
    for arc in table.arcs:
        out = place[:2] - arc.centre
        if arc.faces(out):
            best = min(best, math.hypot(float(np.linalg.norm(out)) - arc.radius, height))
    return best - table.radius


def problems(roll: Roll, table: PlayingTable) -> list[str]:
    """All that is wrong with one roll."""
    found = [line for name, path in roll.paths.items() for line in discontinuities(name, path)]
    found += overlaps(roll, table.radius)
    found += energy_gains(roll, table.radius)
    found += misplaced_events(roll, table)
    return found
