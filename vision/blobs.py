"""What differs from the bare table in one frame, sorted into balls in the open, crowds, and bodies that cover balls."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array, Box, Mask, Plane

LEAST_AREA = 0.3
BALL_AREA = (0.35, 1.9)
CROWD_AREA, RACK_AREA = 14.0, 28.0
BODY_AREA = 4.0
RIM_CONTACT = 2.2
MATTE_SHARE = 0.5
SPREAD = (0.45, 1.9)
LONGEST = 14.0
ROUND = 1.3
LONGEST_BLUR = 6.0
CUT = 0.8
SIDES = (1.1, 3.2)
STREAK_AREA = (0.5, 1.6)
_NEAR = np.ones((3, 3), np.uint8)


class BlobKind(StrEnum):
    BALL = "ball"
    CROWD = "crowd"
    BODY = "body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """One connected difference.

    streak: whether it may be one moving ball, blurred. box: (u0, v0, u1, v1). area in small px. radius: of a ball
    there. centre: (2,) weighted by how far each pixel is from the bare table. axis: (2,) unit vector of its longest
    extent, length: how much longer than a ball it is along that, in small px; 0 for a round one. shape: 1 where it is
    in its box, 0 elsewhere.
    """

    kind: BlobKind
    streak: bool
    box: Box
    area: int
    radius: float
    centre: Array
    axis: Array
    length: float
    shape: NDArray[np.uint8]

    @property
    def corners(self) -> Array:
        """(m, 2) of its outline in small px, coarse."""
        contours, _ = cv2.findContours(self.shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=self.box[:2])
        longest = max(contours, key=len)
        corners: Array = cv2.approxPolyDP(longest, 1.5, True).reshape(-1, 2).astype(np.float64)
        return corners

    @property
    def size_of_ball(self) -> bool:
        u0, v0, u1, v1 = self.box
        disc = np.pi * self.radius**2
        sides = (u1 - u0, v1 - v0)
        return bool(
            BALL_AREA[0] * disc < self.area < BALL_AREA[1] * disc
            and min(sides) > SIDES[0] * self.radius
            and max(sides) < SIDES[1] * self.radius
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Component:
    """A connected part of a mask. box: (u0, v0, u1, v1) in it. shape: as a blob's."""

    box: Box
    area: int
    centroid: tuple[float, float]
    shape: NDArray[np.uint8]


def _components(mask: NDArray[np.uint8]) -> Iterator[_Component]:
    """The connected parts of a mask of 0 and 1; rows and columns where nothing is are left out before labelling."""
    filled = mask.view(np.bool_)
    for top, bottom in _runs(np.asarray(filled.any(axis=1))):
        for left, right in _runs(np.asarray(filled[top:bottom].any(axis=0))):
            part = mask[top:bottom, left:right]
            _, labels, stats, centroids = cv2.connectedComponentsWithStats(part, connectivity=4, ltype=cv2.CV_32S)
            for label, ((u, v, wide, high, area), middle) in enumerate(
                zip(stats.tolist(), centroids.tolist(), strict=True)
            ):
                if label:
                    yield _Component(
                        box=(left + u, top + v, left + u + wide, top + v + high),
                        area=area,
                        centroid=(left + middle[0], top + middle[1]),
                        shape=(labels[v : v + high, u : u + wide] == label).view(np.uint8),
                    )


def _runs(filled: NDArray[np.bool_]) -> list[list[int]]:
    """Beginnings and ends of the runs that are filled."""
    padded = np.zeros(len(filled) + 2, np.int8)
    padded[1:-1] = filled
    ends: list[list[int]] = np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2).tolist()
    return ends


def _measure(shape: NDArray[np.uint8], away: Plane, box: Box) -> tuple[Array, tuple[float, float], Array]:
    """Weighted centre (2,), the smaller and the greater variance, and the axis (2,) of the greater."""
    u0, v0, u1, v1 = box
    rows, columns = away.shape
    left, top, right, bottom = min(2, u0), min(2, v0), min(2, columns - u1), min(2, rows - v1)
    own = cv2.copyMakeBorder(shape, top, bottom, left, right, cv2.BORDER_CONSTANT, value=0)
    near = cv2.dilate(own, _NEAR)
    level = np.sqrt(away[v0 - top : v1 + bottom, u0 - left : u1 + right])
    inside = level[own.view(np.bool_)]
    half = len(inside) // 2
    inside.partition((half - 1, half) if len(inside) % 2 == 0 else half)
    median = float(inside[half]) if len(inside) % 2 else float(inside[half - 1] + inside[half]) / 2
    level /= MATTE_SHARE * 2 * max(median, 1e-3)
    moments = cv2.moments(np.minimum(level, 1) * near)
    total = moments["m00"]
    centre = np.array([u0 - left + moments["m10"] / total, v0 - top + moments["m01"] / total])
    across, both, down = (moments[name] / total for name in ("mu20", "mu11", "mu02"))
    middle, half_gap = (across + down) / 2, math.hypot((across - down) / 2, both)
    angle = math.atan2(2 * both, across - down) / 2
    return centre, (middle - half_gap, middle + half_gap), np.array([math.cos(angle), math.sin(angle)])


def sort_blobs(mask: NDArray[np.uint8], away: Plane, radius_px: Plane, rim: Mask, at: tuple[int, int]) -> list[Blob]:
    """The blobs of a mask (h, w) that are big enough to be a ball's part or more.

    rim: (h, w) the edge of the region that is watched; what crosses it widely comes from outside. at: where the
    arrays' first pixel lies in the small view.
    """
    blobs = []
    rows, columns = mask.shape
    for part in _components(mask):
        u = min(max(round(part.centroid[0]), 0), columns - 1)
        v = min(max(round(part.centroid[1]), 0), rows - 1)
        radius = float(radius_px[v, u])
        if part.area >= LEAST_AREA * np.pi * radius**2:
            u0, v0, u1, v1 = part.box
            contact = int(np.count_nonzero(rim[v0:v1, u0:u1] & part.shape.view(np.bool_)))
            blobs.append(_sorted(part, away, radius, contact, at))
    return blobs


def _sorted(part: _Component, away: Plane, radius: float, contact: int, at: tuple[int, int]) -> Blob:
    area, (u0, v0, u1, v1) = part.area, part.box
    disc = np.pi * radius**2
    centre: Array = np.array(part.centroid)
    axis, length, streak = np.zeros(2), 0.0, False
    kind = BlobKind.CROWD
    # a lump as large as a rack that nothing joins to the edge may be one
    most = CROWD_AREA if contact else RACK_AREA
    if area > most * disc or (contact > RIM_CONTACT * radius and area > BALL_AREA[1] * disc):
        kind = BlobKind.BODY
    elif max(u1 - u0, v1 - v0) < LONGEST * radius:
        middle, variances, longest = _measure(part.shape, away, part.box)
        usual = radius**2 / 4
        extent = math.sqrt(12 * max(0.0, variances[1] - usual))
        slim = SPREAD[0] * usual < variances[0] < SPREAD[1] * usual
        expected = disc + 2 * radius * extent
        filled = STREAK_AREA[0] * expected < area < STREAK_AREA[1] * expected
        if slim and filled:
            centre = middle
            if extent < ROUND * radius and BALL_AREA[0] * disc < area < BALL_AREA[1] * disc:
                kind = BlobKind.BALL
            elif extent < LONGEST_BLUR * radius:
                streak, axis, length = True, longest, extent
    return Blob(
        kind=kind,
        streak=streak,
        box=(u0 + at[0], v0 + at[1], u1 + at[0], v1 + at[1]),
        area=area,
        radius=radius,
        centre=centre + at,
        axis=axis,
        length=length,
        shape=part.shape,
    )


def reaching_in(mask: NDArray[np.uint8], radius_px: Plane, rim: Mask) -> Mask:
    """(h, w) what of a mask reaches in over the rim: arms and players."""
    count, labels, stats, centroids = cv2.connectedComponentsWithStats(mask, connectivity=4, ltype=cv2.CV_32S)
    result = np.zeros(mask.shape, dtype=np.bool_)
    rows, columns = mask.shape
    for k in range(1, count):
        u, v = np.clip(np.round(centroids[k]).astype(int), 0, (columns - 1, rows - 1))
        radius, area = float(radius_px[v, u]), int(stats[k, cv2.CC_STAT_AREA])
        own = labels == k
        if area > BODY_AREA * np.pi * radius**2 and np.count_nonzero(rim & own) > RIM_CONTACT * radius:
            result |= own
    return result


def beside_bodies(
    mask: NDArray[np.uint8], away: Plane, radius_px: Plane, rim: Mask, at: tuple[int, int], bodies: list[Blob]
) -> list[Blob]:
    """Balls and crowds that only a cue or a shadow joins to a body: what stays apart once thin parts are cut."""
    parts: list[Blob] = []
    for body in bodies:
        u0, v0, u1, v1 = body.box[0] - at[0], body.box[1] - at[1], body.box[2] - at[0], body.box[3] - at[1]
        width = 2 * int(CUT * body.radius) + 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
        cut = (slice(v0, v1), slice(u0, u1))
        opened = np.asarray(cv2.morphologyEx(mask[cut], cv2.MORPH_OPEN, kernel), np.uint8)
        pieces = sort_blobs(opened, away[cut], radius_px[cut], rim[cut], (body.box[0], body.box[1]))
        parts.extend(piece for piece in pieces if piece.kind is not BlobKind.BODY)
    return parts
