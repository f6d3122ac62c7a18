"""The camera as a vector of parameters, for solving: pose, focal length and radial distortion.

Square pixels and a principal point in the middle of the picture are assumed, as Hartley and Zisserman (2004,
section 8.8) advise for one view of one plane, which cannot tell more.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """rotation_vector: (3,), translation: (3,) mm, focal in px, k1 and k2 of Brown, size (width, height) px."""

    rotation_vector: Array
    translation: Array
    focal: float
    k1: float
    k2: float
    size: tuple[int, int]

    def to_vector(self) -> Array:
        """(9,) rotation, translation in units of the distance, log focal, k1, k2."""
        return np.concatenate([self.rotation_vector, self.translation / 1000.0, [np.log(self.focal), self.k1, self.k2]])

    def moved_to(self, vector: Array) -> "Lens":
        """The same picture's camera with the parameters of `to_vector`."""
        return replace(
            self,
            rotation_vector=np.asarray(vector[:3], dtype=np.float64),
            translation=np.asarray(vector[3:6], dtype=np.float64) * 1000.0,
            focal=float(np.exp(vector[6])),
            k1=float(vector[7]),
            k2=float(vector[8]),
        )

    def camera(self) -> CameraModel:
        """The camera model proper."""
        return CameraModel(
            matrix=np.array(
                [
                    [self.focal, 0.0, (self.size[0] - 1) / 2],
                    [0.0, self.focal, (self.size[1] - 1) / 2],
                    [0.0, 0.0, 1.0],
                ]
            ),
            distortion=np.array([self.k1, self.k2, 0.0, 0.0, 0.0]),
            rotation=np.asarray(cv2.Rodrigues(self.rotation_vector)[0], dtype=np.float64),
            translation=self.translation,
            size=self.size,
        )

    def project(self, xyz_mm: Array) -> Array:
        """Pixels (n, 2) of table points (n, 3) in mm; faster than through the camera model."""
        turned = xyz_mm @ cv2.Rodrigues(self.rotation_vector)[0].T + self.translation
        plane = turned[:, :2] / np.maximum(turned[:, 2:], 1.0)
        radius2 = np.sum(plane**2, axis=1)
        bent = plane * (1 + self.k1 * radius2 + self.k2 * radius2**2)[:, None]
        uv: Array = bent * self.focal + np.array([(self.size[0] - 1) / 2, (self.size[1] - 1) / 2])
        return uv


_FOCALS = np.geomspace(0.45, 6.0, 60)
"""Focal lengths tried, in widths of the picture."""
TYPICAL_FOCAL = 1.2
"""Where one view straight from above can't tell the focal length: 45 degrees across, a usual camera."""


def from_rectangle(
    corners_px: Array, rectangle_mm: Array, z_mm: float, size: tuple[int, int], curvature: float
) -> tuple[Lens, float]:
    """The camera that sees a rectangle (4, 2) mm at height z in straight pixels (4, 2), and its misfit.

    The focal length is the one for which the plane's two axes come out at right angles and equally long (Zhang 2000).
    Misfit: how far they are from that, 0 at best; 0.05 is usual, 0.3 hopeless.
    """
    centre = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    middle = rectangle_mm.mean(axis=0)
    homography = cv2.getPerspectiveTransform(
        (rectangle_mm - middle).astype(np.float32), (corners_px - centre).astype(np.float32)
    )
    best: tuple[float, float, Array] | None = None
    for focal in _FOCALS * size[0]:
        axes = homography / np.array([[focal], [focal], [1.0]])
        lengths = np.linalg.norm(axes[:, :2], axis=0)
        ratio = float(np.log(lengths[0] / lengths[1]))
        cosine = float(axes[:, 0] @ axes[:, 1] / (lengths[0] * lengths[1]))
        prior = 0.02 * float(np.log(focal / (TYPICAL_FOCAL * size[0])))
        cost = float(np.sqrt(ratio**2 + cosine**2 + prior**2))
        if best is None or cost < best[0]:
            best = cost, float(focal), axes / np.sqrt(lengths[0] * lengths[1])
    assert best is not None
    misfit, focal, axes = best
    if axes[2, 2] < 0:
        axes = -axes
    raw = np.column_stack([axes[:, 0], axes[:, 1], np.cross(axes[:, 0], axes[:, 1])])
    u, _, vt = np.linalg.svd(raw)
    rotation = u @ np.diag([1.0, 1.0, float(np.linalg.det(u @ vt))]) @ vt
    translation = axes[:, 2] - rotation @ np.array([middle[0], middle[1], z_mm])
    half_diagonal = 0.5 * float(np.hypot(*size))
    lens = Lens(
        rotation_vector=cv2.Rodrigues(rotation)[0].reshape(3),
        translation=translation,
        focal=focal,
        k1=curvature * (focal / half_diagonal) ** 2,
        k2=0.0,
        size=size,
    )
    return lens, misfit
