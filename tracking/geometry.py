"""Noses, mouths and pockets of a table, as a ball's centre meets them. All in mm in the table frame."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.tables import TableSpec

Array = NDArray[np.float64]
Point = Array | Sequence[float]
"""x and y in mm."""

CORNER_DROP, MIDDLE_DROP = 0.4, 0.1
"""How far behind the mouth's line a ball falls, as a share of the mouth's width (the shelf of the slate)."""

HANGS_DIAMETERS = 0.75
"""A ball so near to a pocket's drop edge may hang over it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mouth:
    """One pocket's opening: ``centre`` (2,) of the line between the jaws' tips, ``inward`` (2,) unit into the table."""

    pocket: str
    centre: Array
    inward: Array
    width_mm: float
    drop_mm: float

    def depth_mm(self, xy_mm: Array) -> Array:
        """(n,) how far centres (n, 2) are behind the mouth's line; negative on the table's side."""
        depth: Array = (self.centre - np.asarray(xy_mm)) @ self.inward
        return depth

    def aside_mm(self, xy_mm: Array) -> Array:
        """(n,) signed distance of centres (n, 2) from the pocket's axis."""
        across = np.array([-self.inward[1], self.inward[0]])
        aside: Array = (np.asarray(xy_mm) - self.centre) @ across
        return aside


class Bed:
    """Where a ball may lie on this table, and what it meets at the edge."""

    def __init__(self, table: TableSpec) -> None:
        self.table = table
        self.width, self.length, self.radius = table.width_mm, table.length_mm, table.ball_radius_mm
        self.diameter = table.ball_diameter_mm
        middle = np.array([self.width / 2, self.length / 2])
        mouths = []
        for name, corner in table.pocket_corners().items():
            at = np.array(corner)
            if name.startswith("middle"):
                inward = np.array([np.sign(middle[0] - at[0]), 0.0])
                width, drop, centre = table.middle_mouth_mm, MIDDLE_DROP * table.middle_mouth_mm, at
            else:
                inward = np.sign(middle - at) / np.sqrt(2.0)
                width, drop = table.corner_mouth_mm, CORNER_DROP * table.corner_mouth_mm
                centre = at + inward * width / 2
            mouths.append(Mouth(pocket=name, centre=centre, inward=inward, width_mm=width, drop_mm=drop))
        self.mouths = tuple(mouths)
        # as plain numbers: asked for every ball in every frame
        self._openings: list[tuple[Mouth, float, float, float, float, float]] = [
            (mouth, *mouth.centre.tolist(), *mouth.inward.tolist(), mouth.width_mm / 2 + self.radius)
            for mouth in self.mouths
        ]

    def inside(self, xy_mm: Array, margin_mm: float = 0.0) -> NDArray[np.bool_]:
        """(n,) whether centres (n, 2) lie between the noses, give or take ``margin_mm``."""
        x, y = np.asarray(xy_mm).reshape(-1, 2).T
        low = self.radius - margin_mm
        within: NDArray[np.bool_] = (x >= low) & (x <= self.width - low) & (y >= low) & (y <= self.length - low)
        return within

    def mouth_at(self, xy_mm: Point, margin_mm: float = 0.0) -> Mouth | None:
        """The pocket in whose mouth a centre (2,) is: behind the jaws' line, less ``margin_mm``, and between them."""
        x, y = float(xy_mm[0]), float(xy_mm[1])
        for mouth, at_x, at_y, inward_x, inward_y, half in self._openings:
            dx, dy = at_x - x, at_y - y
            if dx * inward_x + dy * inward_y > -margin_mm and abs(dx * inward_y - dy * inward_x) < half + margin_mm:
                return mouth
        return None

    def between_jaws(self, xy_mm: Array, margin_mm: float = 0.0) -> Mouth | None:
        """The pocket between whose jaws a centre (2,) is, or ``margin_mm`` before them.

        No ball that lies on the bed gets behind their line farther aside.
        """
        mouth = self.mouth_at(xy_mm, margin_mm)
        if mouth is None:
            return None
        # Behind the drop edge the hole is wider than the mouth, and a ball falls where it likes.
        fallen = float(mouth.depth_mm(np.asarray(xy_mm))) > mouth.drop_mm
        room = mouth.width_mm / 2 + (0.5 * self.radius if fallen else 0.0)
        return mouth if abs(float(mouth.aside_mm(np.asarray(xy_mm)))) < room else None

    def dropped(self, xy_mm: Array) -> Mouth | None:
        """The pocket in which a ball at this centre (2,) can't be lying on the bed any more."""
        mouth = self.between_jaws(xy_mm)
        if mouth is not None and float(mouth.depth_mm(np.asarray(xy_mm))) > mouth.drop_mm:
            return mouth
        return None

    def hanging_over(self, xy_mm: Array) -> Mouth | None:
        """The pocket over whose edge a ball at rest at this centre (2,) may hang."""
        mouth, _ = self.nearest_mouth(xy_mm)
        short = mouth.drop_mm - float(mouth.depth_mm(np.asarray(xy_mm)))
        aside = abs(float(mouth.aside_mm(np.asarray(xy_mm))))
        return mouth if short < HANGS_DIAMETERS * self.diameter and aside < mouth.width_mm / 2 else None

    def nearest_mouth(self, xy_mm: Array) -> tuple[Mouth, float]:
        """The mouth nearest to a centre (2,) and the distance to its middle."""
        point = np.asarray(xy_mm)
        distances = [float(np.hypot(*(mouth.centre - point))) for mouth in self.mouths]
        best = int(np.argmin(distances))
        return self.mouths[best], distances[best]

    def cushion_gaps(self, xy_mm: Array) -> dict[str, float]:
        """For each cushion how far a ball at this centre (2,) is from touching its nose line; negative beyond it."""
        x, y = float(xy_mm[0]), float(xy_mm[1])
        r = self.radius
        return {"bottom": y - r, "top": self.length - r - y, "left": x - r, "right": self.width - r - x}

    def into_mouth(self, xy_mm: Array, velocity: Array, reach_mm: float) -> tuple[Mouth, float, float] | None:
        """The mouth that a straight path meets within ``reach_mm``: it, the way there and the miss of its axis, mm.

        The miss is measured on the jaws' line and is at most half the mouth's width.
        """
        speed = float(np.hypot(*velocity))
        if speed < 1e-6:
            return None
        unit = np.asarray(velocity) / speed
        best: tuple[Mouth, float, float] | None = None
        for mouth in self.mouths:
            closing = -float(unit @ mouth.inward)
            if closing < 0.05:
                continue
            way = -float(mouth.depth_mm(np.asarray(xy_mm))) / closing
            if way > reach_mm or way < -3 * mouth.width_mm:
                continue
            miss = abs(float(mouth.aside_mm(np.asarray(xy_mm) + unit * way)))
            if miss <= mouth.width_mm / 2 and (best is None or way < best[1]):
                best = (mouth, way, miss)
        return best


def polygon_distance(point: Point, polygon: Array) -> float:
    """Distance of a point (2,) from a polygon (m, 2), 0 inside."""
    inside = cv2.pointPolygonTest(polygon.astype(np.float32), (float(point[0]), float(point[1])), True)
    return max(0.0, -float(inside))
