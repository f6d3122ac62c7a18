"""Documented sizes and markings of the tables, in table coordinates (mm).

Sources: snooker, World Snooker rules section 1 and the clauses SN-1.1; pool, WPA equipment specifications;
pyramid, rules of combined pyramid section 1.
"""

from dataclasses import dataclass, field, replace

POCKETS = ("bottom-left", "bottom-right", "middle-left", "middle-right", "top-left", "top-right")
CUSHIONS = ("bottom", "top", "left", "right")
OPPOSITE = {"bottom": "top", "top": "bottom", "left": "right", "right": "left"}
Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSpec:
    """One kind of table with its ball, all sizes in mm.

    ``length`` and ``width`` are between the cushions' noses. ``nose_height_mm`` is the height of the nose's edge
    above the cloth. ``spots`` are named points on the cloth. ``baulk_line_y_mm`` and ``d_radius_mm`` are None
    where the game has none. ``corner_mouth_mm`` and ``middle_mouth_mm`` are the openings between the jaws' tips.
    """

    name: str
    family: str
    length_mm: float
    width_mm: float
    ball_diameter_mm: float
    nose_height_mm: float
    corner_mouth_mm: float
    middle_mouth_mm: float
    spots: dict[str, Point] = field(default_factory=dict)
    baulk_line_y_mm: float | None = None
    d_radius_mm: float | None = None

    @property
    def ball_radius_mm(self) -> float:
        return self.ball_diameter_mm / 2

    def pocket_corners(self) -> dict[str, Point]:
        """For each pocket the point where the nose lines meet (corners) or the side's middle, mm."""
        length, width = self.length_mm, self.width_mm
        return {
            "bottom-left": (0.0, 0.0),
            "bottom-right": (width, 0.0),
            "middle-left": (0.0, length / 2),
            "middle-right": (width, length / 2),
            "top-left": (0.0, length),
            "top-right": (width, length),
        }


def _snooker(name: str, length: float, width: float, ball: float, *, scale: float = 1.0) -> TableSpec:
    """Snooker markings on a bed of this size; on a smaller table they stand in proportion to its length."""
    baulk, radius, black = 737.0 * scale, 292.0 * scale, 324.0 * scale
    middle = width / 2
    return TableSpec(
        name=name,
        family="snooker",
        length_mm=length,
        width_mm=width,
        ball_diameter_mm=ball,
        nose_height_mm=0.635 * ball,
        corner_mouth_mm=89.0 * scale,
        middle_mouth_mm=105.0 * scale,
        spots={
            "yellow": (middle + radius, baulk),
            "brown": (middle, baulk),
            "green": (middle - radius, baulk),
            "blue": (middle, length / 2),
            "pink": (middle, length * 0.75),
            "black": (middle, length - black),
        },
        baulk_line_y_mm=baulk,
        d_radius_mm=radius,
    )


def _pool(name: str, family: str, length: float, width: float, ball: float, mouths: Point) -> TableSpec:
    middle = width / 2
    return TableSpec(
        name=name,
        family=family,
        length_mm=length,
        width_mm=width,
        ball_diameter_mm=ball,
        nose_height_mm=0.635 * ball,
        corner_mouth_mm=mouths[0],
        middle_mouth_mm=mouths[1],
        spots={
            "head_spot": (middle, length / 4),
            "centre_spot": (middle, length / 2),
            "foot_spot": (middle, length * 0.75),
        },
    )


TABLES: dict[str, TableSpec] = {
    spec.name: spec
    for spec in (
        _snooker("snooker-12ft", 3569.0, 1778.0, 52.5),
        _pool("pool-9ft", "pool", 2540.0, 1270.0, 57.15, (116.0, 129.0)),
        _pool("pool-8ft", "pool", 2336.8, 1168.4, 57.15, (116.0, 129.0)),
        _pool("pool-7ft", "pool", 1981.0, 991.0, 57.15, (116.0, 129.0)),
        _pool("pyramid-12ft", "pyramid", 3550.0, 1775.0, 68.0, (73.0, 83.0)),
    )
}

DEFAULT_TABLE = {
    "snooker": "snooker-12ft",
    "14.1": "pool-9ft",
    "9-ball": "pool-9ft",
    "8-ball": "pool-9ft",
    "pyramid-combined": "pyramid-12ft",
}


def measured_table(family: str, length_mm: float, width_mm: float, ball_diameter_mm: float) -> TableSpec:
    """A table of the given size with the family's markings in proportion to its length."""
    if family == "snooker":
        scale = length_mm / TABLES["snooker-12ft"].length_mm
        return _snooker("measured", length_mm, width_mm, ball_diameter_mm, scale=scale)
    model = TABLES["pyramid-12ft" if family == "pyramid" else "pool-9ft"]
    return replace(
        _pool(model.name, family, length_mm, width_mm, ball_diameter_mm, (0.0, 0.0)),
        name="measured",
        corner_mouth_mm=model.corner_mouth_mm * ball_diameter_mm / model.ball_diameter_mm,
        middle_mouth_mm=model.middle_mouth_mm * ball_diameter_mm / model.ball_diameter_mm,
    )
