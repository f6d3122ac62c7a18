"""What differs from the bare table in one frame, sorted into balls in the open, crowds, and bodies that cover balls."""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array, Box, Mask, Plane

LEAST_AREA = 0.3
BALL_AREA = (0.35, 1.7)
CROWD_AREA = 14.0
RIM_CONTACT = 2.2
MATTE_SHARE = 0.5
SPREAD = (0.45, 1.9)
LONGEST = 14.0
STREAK_AREA = (0.5, 1.6)


class BlobKind(StrEnum):
    BALL = "ball"
    CROWD = "crowd"
    BODY = "body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """One connected difference. box: (u0, v0, u1, v1). area in small px. radius: of a ball there.

    centre: (2,) weighted by how far each pixel is from the bare table. axis: (2,) unit vector of its longest
    extent, length: how much longer than a ball it is along that, in small px; 0 for a round one. corners: (m, 2) of
    its outline, coarse.
    """

    kind: BlobKind
    box: Box
    area: int
    radius: float
    centre: Array
    axis: Array
    length: float
    corners: Array


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
    near = cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    level = np.sqrt(away[v0:v1, u0:u1])
    contrast = max(float(np.median(level[own])), 1e-3)
    weight = np.where(near, np.clip(level / (MATTE_SHARE * 2 * contrast), 0, 1), 0.0)
    total = float(weight.sum())
    u = np.arange(u0, u1, dtype=np.float64)
    v = np.arange(v0, v1, dtype=np.float64)
    along_u, along_v = weight.sum(axis=0), weight.sum(axis=1)
    mean_u, mean_v = float(along_u @ u) / total, float(along_v @ v) / total
    du, dv = u - mean_u, v - mean_v
    cross = float(dv @ weight @ du) / total
    spread = np.array([[float(along_u @ du**2) / total, cross], [cross, float(along_v @ dv**2) / total]])
    variances, axes = np.linalg.eigh(spread)
    return np.array([mean_u, mean_v]), variances, axes


def sort_blobs(mask: NDArray[np.uint8], away: Plane, radius_px: Plane, rim: Mask, at: tuple[int, int]) -> list[Blob]:
    """The blobs of a mask (h, w) that are big enough to be a ball's part or more.

    rim: (h, w) the edge of the region that is watched; what crosses it widely comes from outside. at: where the
    arrays' first pixel lies in the small view.
    """
    labels, stats, centroids = connected(mask)
    origin = np.array(at, dtype=np.float64)
    blobs = []
    rows, columns = mask.shape
    for k in range(len(stats)):
        left, top, wide, high, area = (int(value) for value in stats[k])
        u = min(max(round(centroids[k, 0]), 0), columns - 1)
        v = min(max(round(centroids[k, 1]), 0), rows - 1)
        radius = float(radius_px[v, u])
        disc = np.pi * radius**2
        if area < LEAST_AREA * disc:
            continue
        label = k + 1
        box = (left, top, left + wide, top + high)
        inside = (slice(top, top + high), slice(left, left + wide))
        contact = int((rim[inside] & (labels[inside] == label)).sum())
        centre, axis, length = centroids[k], np.zeros(2), 0.0
        kind = BlobKind.CROWD
        if (contact > RIM_CONTACT * radius and area > BALL_AREA[1] * disc) or area > CROWD_AREA * disc:
            kind = BlobKind.BODY
        elif max(wide, high) < LONGEST * radius:
            centre, variances, axes = _measure(labels, away, label, box)
            usual = radius**2 / 4
            length = float(np.sqrt(12 * max(0.0, variances[1] - usual)))
            streak = disc + 2 * radius * length
            slim = SPREAD[0] * usual < variances[0] < SPREAD[1] * usual
            filled = STREAK_AREA[0] * streak < area < STREAK_AREA[1] * streak
            if slim and filled and (length > 0.6 * radius or BALL_AREA[0] * disc < area < BALL_AREA[1] * disc):
                kind = BlobKind.BALL
                axis = axes[:, 1]
                length = length if length > 0.6 * radius else 0.0
            else:
                length = 0.0
        blobs.append(
            Blob(
                kind=kind,
                box=(box[0] + at[0], box[1] + at[1], box[2] + at[0], box[3] + at[1]),
                area=area,
                radius=radius,
                centre=centre + origin,
                axis=axis,
                length=length,
                corners=_corners(labels, label, box) + origin,
            )
        )
    return blobs


def _corners(labels: NDArray[np.int32], label: int, box: Box) -> Array:
    """(m, 2) corners of a blob's outline in small px, coarse."""
    u0, v0, u1, v1 = box
    own = (labels[v0:v1, u0:u1] == label).astype(np.uint8)
    contours, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(u0, v0))
    longest = max(contours, key=len)
    corners: Array = cv2.approxPolyDP(longest, 1.5, True).reshape(-1, 2).astype(np.float64)
    return corners
