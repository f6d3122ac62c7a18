"""The table as the balls meet it: noses, pocket jaws and holes, built from a `TableSpec`.

A jaw is the nose line's rounded end (radius ``round_mm``) and the straight facing that follows, turned away from the
nose by ``turn_deg``. Pool's facings are cut at 142° in the corners and 104° in the middle (WPA equipment
specifications), which turns them by 38° and 76°; snooker's jaws are drawn by templates with a wide curve; pyramid's
facings are almost parallel, and the mouth is a few millimetres wider than the ball.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from calibration.tables import TableSpec
from referee.app.simulate.dynamics.motion import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class JawShape:
    """One kind of pocket. ``lip_mm`` is how far the hole's edge lies from the corner of the nose lines (corners, along
    the pocket's axis into the table) or from the nose line (middles, positive into the table). ``at_tips``: the mouth
    is measured between the sharp tips, else between the ends of the curves.
    """

    turn_deg: float
    round_mm: float
    facing_mm: float
    hole_mm: float
    lip_mm: float
    at_tips: bool


SHAPES: dict[str, tuple[JawShape, JawShape]] = {
    "snooker": (
        JawShape(turn_deg=40.0, round_mm=80.0, facing_mm=34.0, hole_mm=46.0, lip_mm=14.0, at_tips=False),
        JawShape(turn_deg=72.0, round_mm=62.0, facing_mm=12.0, hole_mm=50.0, lip_mm=-4.0, at_tips=False),
    ),
    "pool": (
        JawShape(turn_deg=38.0, round_mm=3.0, facing_mm=58.0, hole_mm=60.0, lip_mm=14.0, at_tips=True),
        JawShape(turn_deg=76.0, round_mm=3.0, facing_mm=50.0, hole_mm=61.0, lip_mm=-6.0, at_tips=True),
    ),
    "pyramid": (
        JawShape(turn_deg=43.0, round_mm=4.0, facing_mm=56.0, hole_mm=42.0, lip_mm=6.0, at_tips=True),
        JawShape(turn_deg=82.0, round_mm=4.0, facing_mm=46.0, hole_mm=44.0, lip_mm=-10.0, at_tips=True),
    ),
}


RAIL_MM = {"snooker": 150.0, "pool": 135.0, "pyramid": 160.0}
"""From the nose line to the table's outer edge: 50 mm of cushion, the rest wood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A straight piece of a nose from ``start`` to ``end``; ``normal`` (2,) is the unit vector into the table."""

    start: Array
    end: Array
    normal: Array
    cushion: str
    jaw: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arc:
    """A rounded piece of a nose: part of a circle between the unit vectors ``first`` and ``last`` from its centre."""

    centre: Array
    radius: float
    first: Array
    last: Array
    cushion: str
    jaw: str

    def faces(self, direction: Array) -> bool:
        """Whether a vector (2,) from the centre points between the two ends."""
        middle = self.first + self.last
        half = float(self.first @ middle) / math.sqrt(float(middle @ middle))
        return float(direction @ middle) >= half * math.sqrt(float(middle @ middle) * float(direction @ direction))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """A pocket's hole in the slate: a ball whose centre comes over it falls."""

    pocket: str
    centre: Array
    radius: float


@dataclass(frozen=True)
class PlayingTable:
    """All that a ball can meet on one table."""

    spec: TableSpec
    lines: tuple[Line, ...]
    arcs: tuple[Arc, ...]
    holes: tuple[Hole, ...]
    rail_mm: float
    """Distance from the nose line to the table's outer edge."""
    cushion_mm: float = 50.0
    """Distance from the nose line to the rail's wood."""

    @property
    def radius(self) -> float:
        return self.spec.ball_radius_mm

    @property
    def nose_height(self) -> float:
        """Height of the nose over a lying ball's centre, in ball radii."""
        return self.spec.nose_height_mm / self.radius - 1.0

    @property
    def reach(self) -> float:
        """Horizontal distance, mm, from the nose to the centre of a ball on the cloth that touches it."""
        return self.radius * math.sqrt(max(0.0, 1.0 - self.nose_height**2))

    @cached_property
    def line_arrays(self) -> tuple[Array, Array, Array, Array]:
        """(n, 2) starts, unit tangents and normals and (n,) lengths of the straight pieces."""
        starts = np.array([line.start for line in self.lines])
        along = np.array([line.end - line.start for line in self.lines])
        lengths = np.linalg.norm(along, axis=1)
        return starts, along / lengths[:, None], np.array([line.normal for line in self.lines]), lengths

    @cached_property
    def circles(self) -> tuple[Array, Array]:
        """(n, 2) centres and (n,) radii at which a ball's centre meets the arcs, then the holes."""
        centres = [arc.centre for arc in self.arcs] + [hole.centre for hole in self.holes]
        radii = [arc.radius + self.reach for arc in self.arcs] + [hole.radius for hole in self.holes]
        return np.array(centres), np.array(radii)

    def hole(self, pocket: str) -> Hole:
        """The hole of that name."""
        return next(hole for hole in self.holes if hole.pocket == pocket)


def _jaw(
    tip: Array, along: Array, normal: Array, shape: JawShape, cushion: str, pocket: str
) -> tuple[Array, Arc, Line]:
    """The start of the curve, the curve and the facing, for a nose that runs ``along`` towards its ``tip``."""
    turn = math.radians(shape.turn_deg)
    tangent = shape.round_mm * math.tan(turn / 2)
    facing = math.cos(turn) * along - math.sin(turn) * normal
    facing_normal = math.cos(turn) * normal + math.sin(turn) * along
    begin = tip - along * tangent
    corner = tip + facing * tangent
    arc = Arc(
        centre=begin - normal * shape.round_mm,
        radius=shape.round_mm,
        first=normal,
        last=facing_normal,
        cushion=cushion,
        jaw=pocket,
    )
    line = Line(start=corner, end=corner + facing * shape.facing_mm, normal=facing_normal, cushion=cushion, jaw=pocket)
    return begin, arc, line


def _tip_offset(shape: JawShape, mouth: float, *, corner: bool) -> float:
    """Distance of the sharp tip from the corner of the nose lines, or from the middle of the side."""
    turn = math.radians(shape.turn_deg)
    tangent = 0.0 if shape.at_tips else shape.round_mm * math.tan(turn / 2)
    if corner:
        return mouth / math.sqrt(2.0) + tangent * (math.cos(turn) - math.sin(turn))
    return mouth / 2.0 + tangent * math.cos(turn)


def playing_table(spec: TableSpec) -> PlayingTable:
    """Noses, jaws and holes of a table, with the mouths of its specification."""
    corner_shape, middle_shape = SHAPES[spec.family]
    offsets = {
        "corner": _tip_offset(corner_shape, spec.corner_mouth_mm, corner=True),
        "middle": _tip_offset(middle_shape, spec.middle_mouth_mm, corner=False),
    }
    corners = {name: np.array(point) for name, point in spec.pocket_corners().items()}
    runs = [
        ("bottom", "bottom-left", "bottom-right", (0.0, 1.0)),
        ("top", "top-left", "top-right", (0.0, -1.0)),
        ("left", "bottom-left", "middle-left", (1.0, 0.0)),
        ("left", "middle-left", "top-left", (1.0, 0.0)),
        ("right", "bottom-right", "middle-right", (-1.0, 0.0)),
        ("right", "middle-right", "top-right", (-1.0, 0.0)),
    ]
    lines: list[Line] = []
    arcs: list[Arc] = []
    for cushion, low, high, inward in runs:
        normal = np.array(inward)
        ends = []
        for pocket, other in ((low, high), (high, low)):
            along = corners[pocket] - corners[other]
            along = along / np.linalg.norm(along)
            kind = "middle" if pocket.startswith("middle") else "corner"
            shape = middle_shape if kind == "middle" else corner_shape
            tip = corners[pocket] - along * offsets[kind]
            begin, arc, facing = _jaw(tip, along, normal, shape, cushion, pocket)
            ends.append(begin)
            arcs.append(arc)
            lines.append(facing)
        lines.append(Line(start=ends[0], end=ends[1], normal=normal, cushion=cushion, jaw=None))
    centre = np.array([spec.width_mm / 2, spec.length_mm / 2])
    holes = []
    for pocket, point in corners.items():
        middle = pocket.startswith("middle")
        shape = middle_shape if middle else corner_shape
        inward_axis = np.sign(centre - point) / (1.0 if middle else math.sqrt(2.0))
        holes.append(
            Hole(pocket=pocket, centre=point + inward_axis * (shape.lip_mm - shape.hole_mm), radius=shape.hole_mm)
        )
    return PlayingTable(
        spec=spec, lines=tuple(lines), arcs=tuple(arcs), holes=tuple(holes), rail_mm=RAIL_MM[spec.family]
    )
