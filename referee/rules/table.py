"""The table as the rules see it: its marks, areas and racks, in mm in table coordinates."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

from calibration.tables import DEFAULT_TABLE, TABLES, TableSpec, measured_table
from tracking.strict_json import MISSING, MalformedRecord, Point, read_number, read_object, read_string

EPSILON_MM = 1e-6
"""Rounding of floating point only: a position exactly on a line counts as on it."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table. ``name`` is the documented size's, or ``measured``."""

    spec: TableSpec

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def length(self) -> float:
        return self.spec.length_mm

    @property
    def width(self) -> float:
        return self.spec.width_mm

    @property
    def ball(self) -> float:
        """Diameter of a ball, mm."""
        return self.spec.ball_diameter_mm

    @property
    def middle(self) -> float:
        """x of the long string, mm."""
        return self.width / 2

    @property
    def foot_spot(self) -> Point:
        return self.middle, self.length * 0.75

    @property
    def centre_spot(self) -> Point:
        return self.middle, self.length / 2

    @property
    def head_spot(self) -> Point:
        return self.middle, self.length / 4

    @property
    def head_string(self) -> float:
        """y of the head string (pool) or house line (pyramid), mm."""
        return self.length / 4

    @property
    def spots(self) -> dict[str, Point]:
        """Snooker: colour → its own spot."""
        return self.spec.spots

    @cached_property
    def pockets(self) -> dict[str, Point]:
        """Pocket → where the cushions' nose lines would meet (corners), or the middle of the side."""
        return self.spec.pocket_corners()

    def in_d(self, place: Point) -> bool:
        """In or on the lines of the D (SN-3.4)."""
        return self.outside_d(place) <= EPSILON_MM

    def outside_d(self, place: Point) -> float:
        """How far a place is outside the D; negative inside. Infinite on a table without one."""
        baulk, radius = self.spec.baulk_line_y_mm, self.spec.d_radius_mm
        if baulk is None or radius is None:
            return math.inf
        return max(math.dist(place, (self.middle, baulk)) - radius, place[1] - baulk)

    def in_house(self, place: Point) -> bool:
        """Behind the head string; the string itself is outside (PG-14a)."""
        return place[1] < self.head_string - EPSILON_MM

    def behind_foot_line(self, place: Point) -> bool:
        """Beyond the line through the foot spot: the temporary house of pyramid (SUP-PYR-6)."""
        return place[1] > self.foot_spot[1] + EPSILON_MM

    def may_stand(self, place: Point, area: str) -> bool:
        """Whether a cue ball in hand may be put there: ``area`` as ``next.cue_ball`` has it."""
        if area == "in_hand_D":
            return self.in_d(place)
        if area == "in_hand_house":
            return self.in_house(place)
        if area == "in_hand_foot":
            return self.behind_foot_line(place)
        half = self.ball / 2 - EPSILON_MM
        return half <= place[0] <= self.width - half and half <= place[1] <= self.length - half

    def with_ball(self, diameter_mm: float) -> "Table":
        """The same table with balls of another size."""
        return Table(spec=replace(self.spec, ball_diameter_mm=diameter_mm))

    def to_json(self) -> object:
        if self.name in TABLES:
            return self.name
        return {"length": self.length, "width": self.width, "ball_diameter": self.ball}


def table_of(game: str) -> Table:
    """The table that a game is played on if nothing is said."""
    return Table(spec=TABLES[DEFAULT_TABLE[game]])


def table_from_json(value: object, game: str, path: str) -> Table:
    """A table's name, or a measured one ``{"length", "width", "ball_diameter"}`` in mm."""
    if value is None:
        return table_of(game)
    if isinstance(value, str):
        return Table(spec=TABLES[read_string(value, path, tuple(TABLES))])
    data = read_object(value, path)
    sizes = [
        read_number(data.get(name, MISSING), f"{path}.{name}", least=1.0, most=20000.0)
        for name in ("length", "width", "ball_diameter")
    ]
    if sizes[2] * 8 > min(sizes[:2]):
        raise MalformedRecord(f"{path}.ball_diameter", "a ball much smaller than the table", sizes[2])
    family = TABLES[DEFAULT_TABLE[game]].family
    return Table(spec=measured_table(family, sizes[0], sizes[1], sizes[2]))
