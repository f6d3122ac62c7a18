"""Is it really a table that was fitted: pockets where a table has them, cushions between, and a bed of cloth inside.

Each test compares colours at places that the camera predicts, so a fit to some other rectangle fails them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.edges import Plane, sampled
from calibration.noses import side_places, side_points
from calibration.solve import Solution
from calibration.tables import CUSHIONS, TableSpec

Array = NDArray[np.float64]

_BED_SHARE = 0.75
_CUSHION_SHARE = 0.55
_GRAIN = np.array([2.0, 1.5, 1.5])
_OTHER = 20.0
"""Difference in a*, b* from which a strip is not cloth."""
_OPEN = 4.0
"""A place is no cushion where its colour is so many spreads away from the cushion's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What speaks for a table: shares of the bed and of the cushions that look like cloth, and pockets seen open.

    pockets: names of those seen; looked_at: of those within the picture.
    """

    bed: float
    cushions: float
    pockets: tuple[str, ...]
    looked_at: tuple[str, ...]

    def objections(self, table: TableSpec) -> tuple[str, ...]:
        """What is missing for a table of this kind; empty where it is one."""
        found = []
        if self.bed < _BED_SHARE:
            found.append("an even cloth between the cushions")
        if self.cushions < _CUSHION_SHARE:
            found.append("cushions of the cloth's colour")
        carom = table.name == "measured" and not self.pockets
        if not carom and len(self.pockets) < 0.5 * len(self.looked_at):
            found.append(f"pockets (only {len(self.pockets)} of {len(self.looked_at)} are where they should be)")
        return tuple(found)


def _inside(uv: Array, size: tuple[int, int]) -> NDArray[np.bool_]:
    inside: NDArray[np.bool_] = np.all((uv > 0) & (uv < np.array(size) - 1), axis=1)
    return inside


def pocket_places(table: TableSpec, depth_mm: float) -> dict[str, Array]:
    """For each pocket points (n, 3) over its hole, at nose height."""
    out = 0.45 * depth_mm
    width, length, height = table.width_mm, table.length_mm, table.nose_height_mm
    spread = 0.12 * max(table.corner_mouth_mm, 60.0)
    grid = spread * np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    places = {}
    for name, (x, y) in table.pocket_corners().items():
        outward = np.array([-1.0 if x < width / 2 else 1.0, 0.0])
        if not name.startswith("middle"):
            outward[1] = -1.0 if y < length / 2 else 1.0
        points = np.array([x, y]) + out * outward + grid
        places[name] = np.column_stack([points, np.full(len(points), height)])
    return places


def evidence(plane: Plane, table: TableSpec, solution: Solution) -> Evidence:
    """What the picture shows at the places where a table seen by this camera would have bed, cushions and pockets."""
    lens = solution.lens
    x, y = np.meshgrid(np.linspace(0.06, 0.94, 25) * table.width_mm, np.linspace(0.04, 0.96, 45) * table.length_mm)
    bed_uv = lens.project(np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)]))
    bed = sampled(plane, bed_uv[_inside(bed_uv, lens.size)])
    if len(bed) < 50:
        return Evidence(bed=0.0, cushions=0.0, pockets=(), looked_at=())
    cloth = np.median(bed, axis=0)
    chroma = np.hypot(bed[:, 1] - cloth[1], bed[:, 2] - cloth[2])
    like = (chroma < 8 + 0.25 * float(np.hypot(cloth[1], cloth[2]))) & (np.abs(bed[:, 0] - cloth[0]) < 25)
    strips, alike = [], []
    for side in CUSHIONS:
        points = side_points(table, side, side_places(side, 40), 0.5 * solution.depth_mm, table.nose_height_mm)
        uv = lens.project(points)
        colours = sampled(plane, uv[_inside(uv, lens.size)])
        if len(colours) >= 12:
            usual = np.median(colours, axis=0)
            spread = np.median(np.abs(colours - usual), axis=0) + _GRAIN
            if np.hypot(*(usual[1:] - cloth[1:])) < _OTHER:
                strips.append((usual, np.minimum(spread, 3 * _GRAIN)))
            alike.append(np.mean(np.all(np.abs(colours - usual) < _OPEN * spread, axis=1)))
    seen, looked_at = [], []
    for name, points in pocket_places(table, solution.depth_mm).items():
        uv = lens.project(points)
        if not _inside(uv, lens.size).all():
            continue
        looked_at.append(name)
        colours = sampled(plane, uv)
        other = [np.any(np.abs(colours - usual) > _OPEN * spread, axis=1) for usual, spread in strips]
        if other and float(np.mean(np.all(other, axis=0))) >= 0.5:
            seen.append(name)
    return Evidence(
        bed=float(np.mean(like)),
        cushions=float(np.mean(alike)) if alike else 0.0,
        pockets=tuple(seen),
        looked_at=tuple(looked_at),
    )
