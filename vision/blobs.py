"""What differs from the bare table in one frame, sorted into balls in the open, crowds, and bodies that cover balls."""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array, Box, Mask, Plane

LEAST_AREA = 0.3
BALL_AREA = (0.35, 1.9)
CROWD_AREA = 14.0
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
    extent, length: how much longer than a ball it is along that, in small px; 0 for a round one. corners: (m, 2) of
    its outline, coarse.
    """

    kind: BlobKind
    streak: bool
    box: Box
    area: int
    radius: float
    centre: Array
    axis: Array
    length: float
    corners: Array

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


def connected(mask: NDArray[np.uint8]) -> tuple[NDArray[np.int32], NDArray[np.int32], Array]:
    """Labels (h, w), and of each component of a mask but the background stats (n, 5) and centroids (n, 2)."""
    _, labels, stats, centroids = cv2.connectedComponentsWithStats(mask, connectivity=4, ltype=cv2.CV_32S)
    return np.asarray(labels, np.int32), np.asarray(stats[1:], np.int32), np.asarray(centroids[1:], np.float64)


def _measure(labels: NDArray[np.int32], away: Plane, label: int, box: Box) -> tuple[Array, Array, Array]:
    """Weighted centre (2,), and variances (2,) with their axes (2, 2) in columns, the smaller first."""
    u0, v0, u1, v1 = box
    pad = 2
    rows, columns = labels.shape
    u0, v0, u1, v1 = max(0, u0 - pad), max(0, v0 - pad), min(columns, u1 + pad), min(rows, v1 + pad)
    own = labels[v0:v1, u0:u1] == label
    near = cv2.dilate(own.view(np.uint8), _NEAR)
    level = np.sqrt(away[v0:v1, u0:u1])
    inside = level[own]
    half = len(inside) // 2
    inside.partition((half - 1, half) if len(inside) % 2 == 0 else half)
    median = float(inside[half]) if len(inside) % 2 else float(inside[half - 1] + inside[half]) / 2
    level /= MATTE_SHARE * 2 * max(median, 1e-3)
    moments = cv2.moments(np.minimum(level, 1) * near)
    total = moments["m00"]
    centre = np.array([u0 + moments["m10"] / total, v0 + moments["m01"] / total])
    spread = np.array([[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]]) / total
    variances, axes = np.linalg.eigh(spread)
    return centre, variances, axes


def sort_blobs(mask: NDArray[np.uint8], away: Plane, radius_px: Plane, rim: Mask, at: tuple[int, int]) -> list[Blob]:
    """The blobs of a mask (h, w) that are big enough to be a ball's part or more.

    rim: (h, w) the edge of the region that is watched; what crosses it widely comes from outside. at: where the
    arrays' first pixel lies in the small view.
    """
    labels, stats, centroids = connected(mask)
    blobs = []
    rows, columns = mask.shape
    for k in range(len(stats)):
        left, top, wide, high, area = (int(value) for value in stats[k])
        u = min(max(round(centroids[k, 0]), 0), columns - 1)
        v = min(max(round(centroids[k, 1]), 0), rows - 1)
        radius = float(radius_px[v, u])
        if area < LEAST_AREA * np.pi * radius**2:
            continue
        inside = (slice(top, top + high), slice(left, left + wide))
        contact = int(np.count_nonzero(rim[inside] & (labels[inside] == k + 1)))
        box = (left, top, left + wide, top + high)
        blobs.append(_sorted(labels, away, k + 1, box, area, centroids[k], radius, contact, at))
    return blobs


def _sorted(
    labels: NDArray[np.int32],
    away: Plane,
    label: int,
    box: Box,
    area: int,
    centre: Array,
    radius: float,
    contact: int,
    at: tuple[int, int],
) -> Blob:
    disc = np.pi * radius**2
    axis, length, streak = np.zeros(2), 0.0, False
    kind = BlobKind.CROWD
    if area > CROWD_AREA * disc or (contact > RIM_CONTACT * radius and area > BALL_AREA[1] * disc):
        kind = BlobKind.BODY
    elif max(box[2] - box[0], box[3] - box[1]) < LONGEST * radius:
        middle, variances, axes = _measure(labels, away, label, box)
        usual = radius**2 / 4
        extent = float(np.sqrt(12 * max(0.0, variances[1] - usual)))
        slim = SPREAD[0] * usual < variances[0] < SPREAD[1] * usual
        expected = disc + 2 * radius * extent
        filled = STREAK_AREA[0] * expected < area < STREAK_AREA[1] * expected
        if slim and filled:
            centre = middle
            if extent < ROUND * radius and BALL_AREA[0] * disc < area < BALL_AREA[1] * disc:
                kind = BlobKind.BALL
            elif extent < LONGEST_BLUR * radius:
                streak, axis, length = True, axes[:, 1], extent
    origin = np.array(at, dtype=np.float64)
    return Blob(
        kind=kind,
        streak=streak,
        box=(box[0] + at[0], box[1] + at[1], box[2] + at[0], box[3] + at[1]),
        area=area,
        radius=radius,
        centre=centre + origin,
        axis=axis,
        length=length,
        corners=_corners(labels, label, box) + origin,
    )


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


def _corners(labels: NDArray[np.int32], label: int, box: Box) -> Array:
    """(m, 2) corners of a blob's outline in small px, coarse."""
    u0, v0, u1, v1 = box
    own = (labels[v0:v1, u0:u1] == label).astype(np.uint8)
    contours, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(u0, v0))
    longest = max(contours, key=len)
    corners: Array = cv2.approxPolyDP(longest, 1.5, True).reshape(-1, 2).astype(np.float64)
    return corners
