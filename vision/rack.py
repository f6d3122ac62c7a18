"""Racks: balls set up in their triangle or diamond, touching each other, found as a whole.

In a rack one sees no outline of most balls, only the outline of all. But the layout is known, and so are the size of a
ball and the way the rack points: along the table. So the layout is laid over each blob of about its size and moved
until it covers just that.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array, Mask, Plane, TableView, ball_radii_px

TRIANGLE = (1, 2, 3, 4, 5)
DIAMOND = (1, 2, 3, 2, 1)
# at 14.1 the balls are set up without the first one
HEADLESS = (2, 3, 4, 5)
LAYOUTS = {"pool": (TRIANGLE, HEADLESS, DIAMOND), "snooker": (TRIANGLE,), "pyramid": (TRIANGLE,)}
AREA_RATIO = (0.8, 1.65)
LEAST_COMMON, LEAST_SOLID = 0.8, 0.75
# what covers less after each round of steps is given up, and what is so much worse than the best
HOPELESS, HOPEFUL = (0.5, 0.65, 0.72, 0.8), 0.1
# coding blurs a rack's outline and so widens it
SOFT_EDGE, COMMON_GAIN = 0.35, 0.3
# balls of a rack touch, or nearly so
SPACING = 1.01
SHIFTS, TURNS_DEG = (1.0, 0.5, 0.25, 0.12), (6.0, 3.0, 1.5, 0.75)
# where the camera's model is a little off, rows look nearer to each other or farther apart
STRETCHES, MOST_STRETCH = (0.04, 0.04, 0.02, 0.01), 0.08


@dataclass(frozen=True, slots=True, kw_only=True)
class Rack:
    """centre: (n, 2) working px of its balls. visible: (n,) share of each that no nearer one hides.

    common: at most 1, how well the layout covers the blob. blob: (h, w).
    """

    centre: Array
    visible: Array
    common: float
    blob: Mask


def layout_mm(rows: tuple[int, ...], diameter_mm: float) -> Array:
    """(n, 2) places about the middle, of rows of balls that lie in each other's gaps, the first row towards -y."""
    step = diameter_mm * SPACING
    places = [
        ((i - (count - 1) / 2) * step, row * step * np.sqrt(0.75))
        for row, count in enumerate(rows)
        for i in range(count)
    ]
    xy = np.array(places)
    middle: Array = xy - xy.mean(axis=0)
    return middle


def find_racks(mask: Plane, view: TableView) -> list[Rack]:
    """The racks in a foreground mask (h, w), 0 to 1; what the mask's edge cuts is none."""
    layouts = LAYOUTS.get(view.calibration.table.family, ())
    rows, columns = mask.shape
    solid = ((mask > 0.5) & view.bed).astype(np.uint8)
    least = min((sum(each) for each in layouts), default=0) * np.pi * float(view.radius_px.min()) ** 2
    if not layouts or cv2.countNonZero(solid) < AREA_RATIO[0] * least:
        return []
    solid = np.asarray(cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    count, labels, stats, centroids = cv2.connectedComponentsWithStats(solid, connectivity=4)
    racks = []
    for blob in range(1, count):
        left, top, wide, high = stats[blob, :4].tolist()
        if left == 0 or top == 0 or left + wide == columns or top + high == rows:
            continue
        u, v = np.round(centroids[blob]).astype(int)
        disc = np.pi * float(view.radius_px[v, u]) ** 2
        area = int(stats[blob, cv2.CC_STAT_AREA]) / disc
        about = [each for each in layouts if AREA_RATIO[0] < area / sum(each) < AREA_RATIO[1]]
        if not about:
            continue
        own, solidity = _filled(np.asarray(labels == blob))
        if solidity < LEAST_SOLID:
            continue
        diameter = view.calibration.table.ball_diameter_mm
        common, xy = _fit(own, centroids[blob], [layout_mm(each, diameter) for each in about], view)
        if common > LEAST_COMMON:
            centre, visible = _seen(xy, view)
            racks.append(Rack(centre=centre, visible=visible, common=common, blob=own))
    return racks


def _filled(blob: Mask) -> tuple[Mask, float]:
    """A blob without the holes in it, and which share of its convex hull it fills."""
    contours, _ = cv2.findContours(blob.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    canvas = np.zeros(blob.shape, np.uint8)
    cv2.drawContours(canvas, contours, -1, 1, -1)
    hull = cv2.contourArea(cv2.convexHull(np.concatenate(contours)))
    return canvas.astype(bool), float(np.count_nonzero(canvas)) / max(hull, 1.0)


def _places(pose: Array, layout: Array, view: TableView) -> tuple[Array, Array, Array]:
    """xy mm (n, 2), centres (n, 2) and radii (n,) in working px, of a layout at a pose.

    pose: x, y, turn in rad, and by how much the rows are stretched apart.
    """
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    xy = pose[:2] + layout * (1.0, 1.0 + pose[3]) @ np.array([[cos, sin], [-sin, cos]])
    table, camera = view.calibration.table, view.calibration.camera
    xyz = np.column_stack([xy, np.full(len(xy), table.ball_radius_mm)])
    return xy, view.to_working(camera.project(xyz)), ball_radii_px(camera, xy, table.ball_radius_mm) * view.scale


def _drawn(centres: Array, radii: Array, box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """(h, w) 1 where the discs are, in a box (u0, v0, u1, v1), gaps between touching ones closed."""
    canvas = np.zeros((box[3] - box[1], box[2] - box[0]), np.uint8)
    for (u, v), radius in zip(centres - box[:2], radii, strict=True):
        cv2.circle(canvas, (round(u * 16), round(v * 16)), round(radius * 16), 1, -1, cv2.LINE_8, 4)
    size = 2 * int(0.35 * float(radii.mean())) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(cv2.morphologyEx(canvas, cv2.MORPH_CLOSE, kernel), np.uint8)


def _fit(own: Mask, centroid: Array, layouts: list[Array], view: TableView) -> tuple[float, Array]:
    """How well the best of some layouts covers a blob at its best pose, at most 1, and its xy mm (n, 2)."""
    pad = round(2 * float(np.median(view.radius_px)))
    v, u = np.nonzero(own)
    rows, columns = own.shape
    box = (max(0, u.min() - pad), max(0, v.min() - pad), min(columns, u.max() + pad), min(rows, v.max() + pad))
    here = own[box[1] : box[3], box[0] : box[2]].astype(np.uint8)
    area = cv2.countNonZero(here)
    middle = view.on_balls_plane(np.asarray(centroid, dtype=np.float64)[None])[0]

    size = 2 * round(SOFT_EDGE * float(np.median(view.radius_px))) + 1
    soft = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))

    def common(pose: Array, layout: Array) -> float:
        _, centres, radii = _places(pose, layout, view)
        canvas = _drawn(centres, radii, box)
        drawn, both = cv2.countNonZero(canvas), cv2.countNonZero(cv2.bitwise_and(canvas, here))
        spilt = area - cv2.countNonZero(cv2.bitwise_and(cv2.dilate(canvas, soft), here))
        overlap = both / max(1, drawn + area - both)
        return both / max(1, drawn) - spilt / max(1, area) + COMMON_GAIN * (overlap - 1)

    starts = [(np.array([*middle, turn, 0.0]), layout) for layout in layouts for turn in (0.0, np.pi)]
    ways = [(common(pose, layout), pose, layout) for pose, layout in starts]
    for shift, degrees, stretch, hopeless in zip(SHIFTS, TURNS_DEG, STRETCHES, HOPELESS, strict=True):
        steps = np.diag([shift * view.calibration.table.ball_radius_mm] * 2 + [np.radians(degrees), stretch])
        for k, (value, pose, layout) in enumerate(ways):
            failed = 0
            for step in np.tile(np.vstack([steps, -steps]), (2, 1)):
                # once every step from here has failed none needs to be tried again
                if failed == 2 * len(steps):
                    break
                failed += 1
                if abs(pose[3] + step[3]) > MOST_STRETCH:
                    continue
                tried = common(pose + step, layout)
                if tried > value:
                    pose, value, failed = pose + step, tried, 0
            ways[k] = (value, pose, layout)
        best = max(way[0] for way in ways)
        if best < hopeless:
            break
        ways = [way for way in ways if way[0] > best - HOPEFUL]
    value, pose, layout = max(ways, key=lambda way: way[0])
    return value, _places(pose, layout, view)[0]


def _seen(xy: Array, view: TableView) -> tuple[Array, Array]:
    """Centres (n, 2) in working px, and of each ball the share that no nearer one hides."""
    table, camera = view.calibration.table, view.calibration.camera
    xyz = np.column_stack([xy, np.full(len(xy), table.ball_radius_mm)])
    centres = view.to_working(camera.project(xyz))
    radii = ball_radii_px(camera, xy, table.ball_radius_mm) * view.scale
    away = np.linalg.norm(xyz - camera.centre_mm, axis=1)
    side = np.linspace(-0.9, 0.9, 13)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    grid = grid[np.hypot(grid[:, 0], grid[:, 1]) < 0.95]
    visible = np.ones(len(xy))
    for i in range(len(xy)):
        points = centres[i] + radii[i] * grid
        nearer = away < away[i] - 1e-6
        hidden = (np.linalg.norm(points[:, None] - centres[nearer][None], axis=2) < 0.97 * radii[nearer]).any(axis=1)
        visible[i] = 1.0 - float(hidden.mean())
    return centres, visible
