"""Events that follow from the paths: lines that are crossed, balls that are jumped over."""

from collections.abc import Iterator, Mapping

import numpy as np

from calibration.tables import TableSpec
from referee.app.simulate.dynamics.events import Happening, Path, Roll
from referee.app.simulate.dynamics.motion import Phase, Segment

LINES: dict[str, tuple[str, ...]] = {"pool": ("head_string",), "pyramid": ("house_line", "centre_line"), "snooker": ()}
"""Lines whose crossing matters, by the table's family."""

OVER = 0.95
"""A ball flies over another where their centres come nearer, seen from above, than this share of a diameter; two that
meet side by side in the air don't."""


def _segments(path: Path, t_end: float) -> Iterator[tuple[Segment, float]]:
    """Segments with the time at which the next one starts."""
    ends = [segment.t0 for segment in path.segments[1:]] + [t_end]
    yield from zip(path.segments, ends, strict=True)


def crossings(path: Path, axis: int, level: float, t_end: float) -> list[float]:
    """Times at which a ball's centre goes from one side of a line to the other."""
    times = []
    for segment, end in _segments(path, t_end):
        if segment.phase not in (Phase.ROLLING, Phase.SLIDING, Phase.FLYING):
            continue
        a, v, p = 0.5 * segment.acceleration[axis], segment.velocity[axis], segment.position[axis] - level
        roots = [-p / v] if a == 0.0 and v != 0.0 else np.roots([a, v, p]) if a != 0.0 else []
        for root in roots:
            dt = float(np.real(root))
            if np.imag(root) == 0.0 and 0.0 < dt <= end - segment.t0 and 2 * a * dt + v != 0.0:
                times.append(segment.t0 + dt)
    return sorted(times)


def line_events(roll: Roll, spec: TableSpec) -> list[Happening]:
    """All crossings of the family's lines."""
    where = {"head_string": (1, spec.length_mm / 4), "house_line": (1, spec.length_mm / 4)}
    where["centre_line"] = (1, spec.length_mm / 2)
    return [
        Happening(t=t, kind="crossed", fields={"ball": ball, "line": line})
        for line in LINES[spec.family]
        for ball, path in roll.paths.items()
        for t in crossings(path, *where[line], roll.t_rest)
    ]


def jump_events(roll: Roll, radius: float) -> list[Happening]:
    """Flights whose outline from above overlaps another ball's: when they are closest, and whether they touched."""
    contacts: Mapping[frozenset[str], list[float]] = {}
    touching: dict[frozenset[str], list[float]] = dict(contacts)
    for event in roll.events:
        if event.kind == "contact":
            touching.setdefault(frozenset(event.fields["balls"]), []).append(event.t)
    found = []
    for ball, path in roll.paths.items():
        for start, end in _flights(path, roll.t_rest):
            times = np.linspace(start, end, max(3, int((end - start) / 0.0005)))
            mine = path.positions(times)
            for other, way in roll.paths.items():
                if other == ball or way.left_at() < start:
                    continue
                gap = np.linalg.norm((mine - way.positions(times))[:, :2], axis=1)
                k = int(gap.argmin())
                if gap[k] >= OVER * 2 * radius or k in (0, len(times) - 1) or mine[k, 2] < radius + 1.0:
                    continue
                touched = any(start <= t <= end for t in touching.get(frozenset((ball, other)), []))
                fields = {"ball": ball, "over": other, "touched": touched}
                found.append(Happening(t=float(times[k]), kind="jump", fields=fields))
    return found


def _flights(path: Path, t_end: float) -> list[tuple[float, float]]:
    """Spans in the air; a contact in flight doesn't end one."""
    spans: list[tuple[float, float]] = []
    for segment, end in _segments(path, t_end):
        if segment.phase is not Phase.FLYING:
            continue
        if spans and abs(spans[-1][1] - segment.t0) < 1e-9:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((segment.t0, end))
    return [(start, end) for start, end in spans if end > start]
