"""The camera as a vector of parameters, for solving: pose, focal length, aspect and radial distortion.

The principal point is taken to be in the middle of the picture, as Hartley and Zisserman (2004, section 8.8) advise
for one view of one plane, which cannot tell more; only a lens that bends strongly shows where its centre is.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.planemap import crossed, half_diagonal, middle_of

Array = NDArray[np.float64]

TYPICAL_FOCAL = 1.2
"""In widths of the picture, where one view straight from above can't tell: 45 degrees across, a usual camera."""
_FOCALS = np.geomspace(0.4, 8.0, 90)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """rotation_vector: (3,), translation: (3,) mm, focal in px, aspect = log(fx / fy), k1 and k2 of Brown.

    size: (width, height) of the picture in px. shift: of the principal point from the picture's middle, px.
    """

    rotation_vector: Array
    translation: Array
    focal: float
    size: tuple[int, int]
    aspect: float = 0.0
    k1: float = 0.0
    k2: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)

    def to_vector(self) -> Array:
        """(12,) rotation, translation in m, log focal, aspect, k1 and k2 as shares at the picture's corner, shift.

        The shift is in half diagonals.
        """
        reach = half_diagonal(self.size)
        corner2 = (reach / self.focal) ** 2
        return np.concatenate(
            [
                self.rotation_vector,
                self.translation / 1000.0,
                [np.log(self.focal), self.aspect, self.k1 * corner2, self.k2 * corner2**2],
                np.array(self.shift) / reach,
            ]
        )

    def moved_to(self, vector: Array) -> "Lens":
        """The same picture's camera with the parameters of `to_vector`."""
        focal = float(np.exp(vector[6]))
        reach = half_diagonal(self.size)
        corner2 = (reach / focal) ** 2
        return replace(
            self,
            rotation_vector=np.asarray(vector[:3], dtype=np.float64),
            translation=np.asarray(vector[3:6], dtype=np.float64) * 1000.0,
            focal=focal,
            aspect=float(vector[7]),
            k1=float(vector[8] / corner2),
            k2=float(vector[9] / corner2**2),
            shift=(float(vector[10] * reach), float(vector[11] * reach)),
        )

    @property
    def focals(self) -> Array:
        """(2,) fx and fy in px."""
        return self.focal * np.exp(np.array([0.5, -0.5]) * self.aspect)

    @property
    def principal(self) -> Array:
        """(2,) the principal point in px."""
        point: Array = middle_of(self.size) + np.array(self.shift)
        return point

    @property
    def rotation(self) -> Array:
        """(3, 3) from table to camera."""
        return np.asarray(cv2.Rodrigues(self.rotation_vector)[0], dtype=np.float64)

    def camera(self) -> CameraModel:
        """The camera model proper."""
        matrix = np.eye(3)
        matrix[[0, 1], [0, 1]] = self.focals
        matrix[:2, 2] = self.principal
        return CameraModel(
            matrix=matrix,
            distortion=np.array([self.k1, self.k2, 0.0, 0.0, 0.0]),
            rotation=self.rotation,
            translation=self.translation,
            size=self.size,
        )

    def project(self, xyz_mm: Array) -> Array:
        """Pixels (n, 2) of table points (n, 3) in mm; the same as the camera model's, and faster."""
        turned = xyz_mm @ self.rotation.T + self.translation
        flat = turned[:, :2] / np.maximum(turned[:, 2:], 1.0)
        radius2 = flat[:, 0] * flat[:, 0] + flat[:, 1] * flat[:, 1]
        flat *= (1 + (self.k1 + self.k2 * radius2) * radius2)[:, None]
        flat *= self.focals
        flat += self.principal
        return np.asarray(flat, dtype=np.float64)

    def slopes(self, xyz_mm: Array, normals: Array) -> tuple[Array, Array]:
        """How `project` moves along the normals (n, 2): (n, 12) by `to_vector`, (n, 3) by the table points in mm."""
        rotation, by_angles = cv2.Rodrigues(self.rotation_vector)
        turned = xyz_mm @ rotation.T + self.translation
        depth = turned[:, 2]
        flat = turned[:, :2] / depth[:, None]
        radius2 = flat[:, 0] * flat[:, 0] + flat[:, 1] * flat[:, 1]
        bend, bend2 = self.k1 * radius2, self.k2 * radius2 * radius2
        stretch = 1 + bend + bend2
        ahead = normals * self.focals
        both = ahead * flat
        along = both[:, 0] + both[:, 1]
        by_flat = ahead * stretch[:, None]
        by_flat += flat * ((2 * self.k1 + 4 * self.k2 * radius2) * along)[:, None]
        by_turned = np.empty((len(flat), 3))
        by_turned[:, :2] = by_flat / depth[:, None]
        by_turned[:, 2] = -(by_turned[:, 0] * flat[:, 0] + by_turned[:, 1] * flat[:, 1])
        reach = half_diagonal(self.size)
        share2 = radius2 * (self.focal / reach) ** 2
        by_vector = np.empty((len(flat), 12))
        pairs = (by_turned[:, :, None] * xyz_mm[:, None]).reshape(-1, 9)
        by_vector[:, :3] = pairs @ by_angles.reshape(3, 9).T
        np.multiply(by_turned, 1000.0, out=by_vector[:, 3:6])
        by_vector[:, 6] = along * (stretch + 2 * bend + 4 * bend2)
        by_vector[:, 7] = 0.5 * stretch * (both[:, 0] - both[:, 1])
        by_vector[:, 8] = along * share2
        by_vector[:, 9] = by_vector[:, 8] * share2
        np.multiply(normals, reach, out=by_vector[:, 10:])
        return by_vector, by_turned @ rotation

    def turned(self, width_mm: float, length_mm: float) -> "Lens":
        """The same camera with the table's two ends exchanged."""
        half_turn = np.diag([-1.0, -1.0, 1.0])
        centre = np.array([width_mm, length_mm, 0.0])
        vector = np.asarray(cv2.Rodrigues(self.rotation @ half_turn)[0], dtype=np.float64).reshape(3)
        return replace(self, rotation_vector=vector, translation=self.translation + self.rotation @ centre)

    def scaled(self, factor: float, size: tuple[int, int]) -> "Lens":
        """The camera of the same picture at ``factor`` times the resolution."""
        shift = (self.shift[0] * factor, self.shift[1] * factor)
        return replace(self, focal=self.focal * factor, size=size, shift=shift)


def from_rectangle(
    corners_px: Array, rectangle_mm: Array, z_mm: float, size: tuple[int, int], curvature: float
) -> tuple[Lens, float]:
    """The camera that sees a rectangle (4, 2) mm at height z in straight pixels (4, 2), and its misfit.

    The focal length is the one for which the plane's two axes come out at right angles and equally long (Zhang 2000).
    Misfit: how far they are from that; 0 at best, 0.01 usual, 0.3 hopeless.
    """
    middle = rectangle_mm.mean(axis=0)
    homography = cv2.getPerspectiveTransform(
        (rectangle_mm - middle).astype(np.float32), (corners_px - middle_of(size)).astype(np.float32)
    )
    focals = _FOCALS * size[0]
    first, second = (
        np.vstack([homography[0, k] / focals, homography[1, k] / focals, np.full(len(focals), homography[2, k])])
        for k in (0, 1)
    )
    lengths = np.linalg.norm(first, axis=0), np.linalg.norm(second, axis=0)
    ratio = np.log(lengths[0] / lengths[1])
    cosine = np.sum(first * second, axis=0) / (lengths[0] * lengths[1])
    misfits = np.hypot(ratio, cosine)
    best = int(np.argmin(np.hypot(misfits, 0.015 * np.log(_FOCALS / TYPICAL_FOCAL))))
    focal = float(focals[best])
    axes = homography / np.array([[focal], [focal], [1.0]]) / np.sqrt(lengths[0][best] * lengths[1][best])
    if axes[2, 2] < 0:
        axes = -axes
    raw = np.column_stack([axes[:, 0], axes[:, 1], crossed(axes[:, 0], axes[:, 1])])
    u, _, vt = np.linalg.svd(raw)
    rotation = u @ np.diag([1.0, 1.0, float(np.linalg.det(u @ vt))]) @ vt
    lens = Lens(
        rotation_vector=np.asarray(cv2.Rodrigues(rotation)[0], dtype=np.float64).reshape(3),
        translation=axes[:, 2] - rotation @ np.array([middle[0], middle[1], z_mm]),
        focal=focal,
        k1=curvature * (focal / half_diagonal(size)) ** 2,
        size=size,
    )
    return lens, float(misfits[best])
