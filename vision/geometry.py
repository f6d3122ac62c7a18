"""The calibrated table as a picture sees it: where each pixel looks, how large a ball is there, where balls can be."""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.result import Calibration

Array = NDArray[np.float64]
Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]

WORKING_RADIUS_PX = 10.0
GRID_STEP_PX = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """Maps over the table's part of the picture, at a working scale where a ball's radius is about 10 px.

    ``origin_px`` and ``scale`` take picture to working coordinates: ``w = (p - origin + 0.5) * scale - 0.5`` (centres
    of pixels at whole numbers in both), less ``offset`` in a part of a view. x_mm, y_mm: (h, w) where the ray through
    each working pixel meets the plane of the balls' centres. radius_px: (h, w) radius of a ball's outline in working
    px. allowed: (h, w) where the centre of a ball can be. bed: (h, w) pixels showing the bed between the noses;
    cloth: bed and cushions as far as a ball may stand before them.
    """

    calibration: Calibration
    origin_px: tuple[int, int]
    extent_px: tuple[int, int]
    scale: float
    offset: tuple[int, int] = (0, 0)
    x_mm: Plane
    y_mm: Plane
    radius_px: Plane
    allowed: Mask
    bed: Mask
    cloth: Mask

    def part(self, box: Box) -> "TableView":
        """The view of a box (u0, v0, u1, v1) of working pixels, in coordinates of its own; not for `crop`."""
        u0, v0, u1, v1 = box
        cut = (slice(v0, v1), slice(u0, u1))
        return replace(
            self,
            offset=(self.offset[0] + u0, self.offset[1] + v0),
            x_mm=self.x_mm[cut],
            y_mm=self.y_mm[cut],
            radius_px=self.radius_px[cut],
            allowed=self.allowed[cut],
            bed=self.bed[cut],
            cloth=self.cloth[cut],
        )

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.x_mm.shape
        return height, width

    @property
    def usual_radius_px(self) -> float:
        """The median radius in working px of balls on the bed."""
        some = (slice(GRID_STEP_PX // 2, None, GRID_STEP_PX),) * 2
        radii = self.radius_px[some][self.bed[some]]
        return float(np.median(radii if len(radii) else self.radius_px))

    def crop(self, picture: NDArray[Any]) -> NDArray[Any]:
        """The table's part of a full picture, resampled to working scale."""
        x, y = self.origin_px
        width, height = self.extent_px
        part = picture[y : y + height, x : x + width]
        how = cv2.INTER_AREA if self.scale < 1 else cv2.INTER_CUBIC
        resized: NDArray[Any] = cv2.resize(part, self.shape[::-1], interpolation=how)
        return resized

    def sample(self, plane: NDArray[Any], picture_size: tuple[int, int]) -> NDArray[Any]:
        """The view's part of a plane of a picture of that (width, height), itself of this or half that size."""
        rows, columns = plane.shape[:2]
        step_u, step_v = columns / picture_size[0], rows / picture_size[1]
        first = (np.array(self.offset) + 0.5) / self.scale + self.origin_px
        matrix = np.array(
            [[step_u / self.scale, 0.0, first[0] * step_u - 0.5], [0.0, step_v / self.scale, first[1] * step_v - 0.5]]
        )
        # colour that is coded at half the size has no fine detail
        fine = step_u == 1 and step_u < self.scale
        how = (cv2.INTER_CUBIC if fine else cv2.INTER_LINEAR) | cv2.WARP_INVERSE_MAP
        sampled: NDArray[Any] = cv2.warpAffine(
            plane, matrix, self.shape[::-1], flags=how, borderMode=cv2.BORDER_REPLICATE
        )
        return sampled

    def to_working(self, uv_px: Array) -> Array:
        working: Array = (np.asarray(uv_px) - self.origin_px + 0.5) * self.scale - 0.5 - self.offset
        return working

    def to_picture(self, working: Array) -> Array:
        picture: Array = (np.asarray(working) + self.offset + 0.5) / self.scale - 0.5 + self.origin_px
        return picture

    def on_balls_plane(self, working: Array) -> Array:
        """(n, 2) mm of balls whose centres are seen at working pixels (n, 2)."""
        return self.calibration.camera.on_plane(self.to_picture(working), self.calibration.table.ball_radius_mm)

    def towards_camera(self) -> Array:
        """(2,) in which direction of the picture balls stand that may hide one at the table's middle.

        Its length is 1 for a camera at the height of the balls, 0 for one straight above.
        """
        table, camera = self.calibration.table, self.calibration.camera
        middle = np.array([table.width_mm / 2, table.length_mm / 2, table.ball_radius_mm])
        sight = camera.centre_mm - middle
        level = sight * (1.0, 1.0, 0.0) / np.linalg.norm(sight)
        steepness = float(np.linalg.norm(level))
        if steepness < 1e-6:
            return np.zeros(2)
        ends = camera.project(np.array([middle, middle + table.ball_radius_mm * level / steepness]))
        step: Array = ends[1] - ends[0]
        step *= steepness / np.linalg.norm(step)
        return step


def _outline(calibration: Calibration, margin_mm: float, z_mm: float) -> Array:
    """(n, 2) px of the rectangle ``margin_mm`` outside the noses, densely sampled so that distortion shows."""
    table = calibration.table
    low, high = -margin_mm, margin_mm
    corners = np.array(
        [
            (low, low),
            (table.width_mm + high, low),
            (table.width_mm + high, table.length_mm + high),
            (low, table.length_mm + high),
        ]
    )
    steps = np.linspace(0.0, 1.0, 24, endpoint=False)[:, None]
    sides = [a + (b - a) * steps for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    ring = np.concatenate(sides)
    return calibration.camera.project(np.column_stack([ring, np.full(len(ring), z_mm)]))


def _filled(points: Array, shape: tuple[int, int]) -> Mask:
    canvas = np.zeros(shape, np.uint8)
    cv2.fillPoly(canvas, [np.round(points * 16).astype(np.int32)], 1, shift=4)
    return canvas.astype(bool)


def enlarged(coarse: Plane, step: int, shape: tuple[int, int]) -> Plane:
    """(h, w) of that shape, bilinear between values given at every ``step``-th pixel, the last ones carried on."""
    matrix = np.array([[1 / step, 0.0, 0.0], [0.0, 1 / step, 0.0]])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    plane = cv2.warpAffine(coarse, matrix, shape[::-1], flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(plane, dtype=np.float32)


def ball_radii_px(camera: CameraModel, xy_mm: Array, radius_mm: float) -> Array:
    """(n,) radius in px of the outline of balls that lie at (n, 2) mm."""
    xy = np.asarray(xy_mm, dtype=np.float64).reshape(-1, 2)
    return camera.sphere_radius_px(np.column_stack([xy, np.full(len(xy), radius_mm)]), radius_mm)


def table_view(
    calibration: Calibration, *, radius_px: float = WORKING_RADIUS_PX, margin: float = 2.2, halving: bool = False
) -> TableView:
    """The view of a calibrated table, at the scale that gives a ball in the middle of the table ``radius_px``.

    margin: how much beyond the noses belongs to it, in radii of a ball. halving: take the nearest scale of 1, 1/2,
    1/4 …, and a whole number of pixels of the halved colour planes, so that resampling is cheap.
    """
    table, camera = calibration.table, calibration.camera
    radius = table.ball_radius_mm
    width, height = camera.size
    middle = np.array([[table.width_mm / 2, table.length_mm / 2]])
    scale = radius_px / float(ball_radii_px(camera, middle, radius)[0])
    ring = np.concatenate([_outline(calibration, margin * radius, z) for z in (0.0, 2 * radius)])
    low = np.clip(np.floor(ring.min(axis=0)).astype(int), 0, (width - 1, height - 1))
    high = np.clip(np.ceil(ring.max(axis=0)).astype(int) + 1, low + 1, (width, height))
    if halving:
        scale = 2.0 ** min(0, round(np.log2(scale)))
        step = 2 * round(1 / scale)
        low -= low % step
        high += -(high - low) % step
        high = np.where(high > (width, height), high - step, high)
    extent = high - low
    shape = (max(1, round(extent[1] * scale)), max(1, round(extent[0] * scale)))

    # rays on a coarse grid, bilinear between: the projection bends by far less than 0.01 px over one step
    rows, columns = (np.arange(0, size + GRID_STEP_PX, GRID_STEP_PX, dtype=np.float64) for size in shape)
    grid_u, grid_v = np.meshgrid(columns, rows)
    picture = (np.column_stack([grid_u.ravel(), grid_v.ravel()]) + 0.5) / scale - 0.5 + low
    xy = camera.on_plane(picture, radius)
    radii = ball_radii_px(camera, xy, radius) * scale
    maps = [
        enlarged(values.reshape(grid_u.shape).astype(np.float32), GRID_STEP_PX, shape)
        for values in (xy[:, 0], xy[:, 1], radii)
    ]
    x_mm, y_mm, radius_map = maps

    def working(points: Array) -> Array:
        shifted: Array = (points - low + 0.5) * scale - 0.5
        return shifted

    # a ball at a cushion has its centre a radius inside the nose; half a radius more for errors of the calibration
    inside = radius * 0.5
    allowed = (x_mm > inside) & (x_mm < table.width_mm - inside) & (y_mm > inside) & (y_mm < table.length_mm - inside)
    mouth = 0.5 * table.corner_mouth_mm
    round_it = mouth * np.array([(np.cos(angle), np.sin(angle)) for angle in np.linspace(0, 2 * np.pi, 16)])
    for x, y in table.pocket_corners().values():
        circle = working(camera.project(np.column_stack([round_it + np.array([x, y]), np.full(len(round_it), radius)])))
        left, top = np.clip(np.floor(circle.min(axis=0)).astype(int) - 3, 0, None)
        right, bottom = np.ceil(circle.max(axis=0)).astype(int) + 4
        part = (slice(top, max(top, bottom)), slice(left, max(left, right)))
        allowed[part] |= (x_mm[part] - x) ** 2 + (y_mm[part] - y) ** 2 < mouth**2
    bed = _filled(working(_outline(calibration, 0.0, table.nose_height_mm)), shape)
    bed &= _filled(working(_outline(calibration, 0.0, 0.0)), shape)
    cloth = _filled(working(_outline(calibration, 1.2 * radius, table.nose_height_mm)), shape)
    return TableView(
        calibration=calibration,
        origin_px=(int(low[0]), int(low[1])),
        extent_px=(int(extent[0]), int(extent[1])),
        scale=shape[1] / float(extent[0]),
        x_mm=x_mm,
        y_mm=y_mm,
        radius_px=radius_map,
        allowed=allowed,
        bed=bed,
        cloth=cloth,
    )
