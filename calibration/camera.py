"""The camera: pinhole with lens distortion and pose, mapping table millimetres to pixels and back.

Model and distortion coefficients follow Brown (1971) in the order that OpenCV uses, ``(k1, k2, p1, p2, k3)``.
Pixel coordinates have the centre of the top-left pixel at ``(0, 0)``; table coordinates are those of the
table frame: origin at the left end of the bottom cushion's nose line, x right, y up the table, z up, in mm.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@lru_cache(maxsize=64)
def _turn(rotation: bytes) -> Array:
    """(3, 1) the axis of a rotation, as long as its angle in rad. rotation: (3, 3) float64 row by row."""
    return np.asarray(cv2.Rodrigues(np.frombuffer(rotation).reshape(3, 3))[0], dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraModel:
    """Intrinsics, distortion and pose of one camera over one table.

    matrix: (3, 3) intrinsics in px. distortion: (5,). rotation: (3, 3) and translation: (3,) in mm take table
    coordinates into camera coordinates, ``X_cam = R @ X_table + t``. size: (width, height) of the picture in px.
    """

    matrix: Array
    distortion: Array
    rotation: Array
    translation: Array
    size: tuple[int, int]

    def __post_init__(self) -> None:
        wanted = {"matrix": (3, 3), "distortion": (5,), "rotation": (3, 3), "translation": (3,)}
        for name, shape in wanted.items():
            value = np.asarray(getattr(self, name), dtype=np.float64)
            if value.shape != shape:
                raise ValueError(f"{name} must have shape {shape}, got {value.shape}")
            object.__setattr__(self, name, value)

    @property
    def centre_mm(self) -> Array:
        """(3,) the optical centre in table coordinates, mm."""
        centre: Array = -self.rotation.T @ self.translation
        return centre

    def project(self, xyz_mm: Array) -> Array:
        """Pixels (n, 2) of table points (n, 3) in mm."""
        points = np.asarray(xyz_mm, dtype=np.float64).reshape(-1, 1, 3)
        if len(points) == 0:
            return np.empty((0, 2))
        uv, _ = cv2.projectPoints(
            points, _turn(self.rotation.tobytes()), self.translation, self.matrix, self.distortion
        )
        return np.asarray(uv, dtype=np.float64).reshape(-1, 2)

    def on_plane(self, uv_px: Array, z_mm: float) -> Array:
        """Table points (n, 2) in mm where the rays through pixels (n, 2) meet the plane ``z = z_mm``."""
        pixels = np.asarray(uv_px, dtype=np.float64).reshape(-1, 1, 2)
        if len(pixels) == 0:
            return np.empty((0, 2))
        criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-9)
        normal = cv2.undistortPoints(pixels, self.matrix, self.distortion, None, None, None, criteria).reshape(-1, 2)
        rays = np.column_stack([normal, np.ones(len(normal))]) @ self.rotation
        centre = self.centre_mm
        reach = (z_mm - centre[2]) / rays[:, 2]
        points: Array = centre[:2] + rays[:, :2] * reach[:, None]
        return points

    def jacobian_px_per_mm(self, xy_mm: Array, z_mm: float | Array) -> Array:
        """(n, 2, 2) derivative of the pixel by (x, y) on the plane ``z = z_mm``, one or one a point, by differences."""
        xy = np.asarray(xy_mm, dtype=np.float64).reshape(-1, 2)
        step = 0.5
        columns = []
        for axis in range(2):
            delta = np.zeros(2)
            delta[axis] = step
            ahead = self.project(np.column_stack([xy + delta, np.full(len(xy), z_mm)]))
            behind = self.project(np.column_stack([xy - delta, np.full(len(xy), z_mm)]))
            columns.append((ahead - behind) / (2 * step))
        return np.stack(columns, axis=2)

    def sphere_radius_px(self, xyz_mm: Array, radius_mm: float) -> Array:
        """(n,) mean radius in px of the outline of spheres with centres (n, 3) mm, away from the picture's corners.

        The outline of a sphere at distance d is that of a disc of radius r / sqrt(1 - (r/d)^2) across the ray.
        """
        points = np.asarray(xyz_mm, dtype=np.float64).reshape(-1, 3)
        distance = np.linalg.norm(points - self.centre_mm, axis=1)
        disc = radius_mm / np.sqrt(1.0 - (radius_mm / distance) ** 2)
        focal = 0.5 * (self.matrix[0, 0] + self.matrix[1, 1])
        depth = points @ self.rotation[2] + self.translation[2]
        radius: Array = focal * disc * np.sqrt(distance / depth) / depth
        return radius

    def to_json(self) -> dict[str, Any]:
        """Plain lists and numbers, as they stand in ``calibration.json``."""
        return {
            "matrix": self.matrix.tolist(),
            "distortion": self.distortion.tolist(),
            "rotation": self.rotation.tolist(),
            "translation_mm": self.translation.tolist(),
            "size_px": list(self.size),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "CameraModel":
        """The inverse of `to_json`; raises KeyError or ValueError on missing or misshapen fields."""
        width, height = data["size_px"]
        return cls(
            matrix=np.array(data["matrix"], dtype=np.float64),
            distortion=np.array(data["distortion"], dtype=np.float64),
            rotation=np.array(data["rotation"], dtype=np.float64),
            translation=np.array(data["translation_mm"], dtype=np.float64),
            size=(int(width), int(height)),
        )
