"""Where the simulated camera hangs and how it looks."""

import math
from dataclasses import dataclass

import numpy as np

from calibration.camera import Array, CameraModel
from calibration.tables import TableSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraPlace:
    """The camera's place in words of somebody who hangs one up.

    ``baulk`` is the side of the picture at which the bottom (baulk, head) end lies. The camera is ``height_mm``
    over the cloth; it looks at the table's middle from ``tilt_deg`` off the vertical, from the picture's lower edge,
    and is then turned by ``roll_deg``. ``off_centre_mm`` moves camera and aim across the table. The focal length is
    chosen so that the table fills the picture but for ``margin`` of its size; ``k1``, ``k2`` bend the lens.
    """

    height_mm: float = 4200.0
    tilt_deg: float = 0.0
    roll_deg: float = 0.0
    off_centre_mm: tuple[float, float] = (0.0, 0.0)
    baulk: str = "right"
    margin: float = 0.06
    k1: float = -0.03
    k2: float = 0.0

    def __post_init__(self) -> None:
        if self.baulk not in ("left", "right", "top", "bottom"):
            raise ValueError(f"baulk must be left, right, top or bottom, got {self.baulk!r}")
        if not 500.0 <= self.height_mm <= 20_000.0:
            raise ValueError(f"camera height must be 500 to 20000 mm, got {self.height_mm:g}")
        if not 0.0 <= self.tilt_deg <= 70.0:
            raise ValueError(f"tilt must be 0 to 70 degrees off the vertical, got {self.tilt_deg:g}")
        if not 0.0 <= self.margin < 0.45:
            raise ValueError(f"margin must be 0 to 0.45 of the picture, got {self.margin:g}")


_UP = {"bottom": (0.0, 1.0), "top": (0.0, -1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
"""Table direction that points up in the picture, by the side of the picture at which baulk lies."""


def hang(place: CameraPlace, spec: TableSpec, size: tuple[int, int], rail_mm: float) -> CameraModel:
    """The camera model of this place over this table for pictures of ``size`` (width, height)."""
    middle = np.array([spec.width_mm / 2, spec.length_mm / 2, 0.0])
    middle[:2] += place.off_centre_mm
    up = np.array([*_UP[place.baulk], 0.0])
    tilt = math.radians(place.tilt_deg)
    away = math.cos(tilt) * np.array([0.0, 0.0, 1.0]) - math.sin(tilt) * up
    centre = middle + away * place.height_mm / math.cos(tilt)
    forward = -away
    right = np.cross(forward, math.cos(tilt) * up + math.sin(tilt) * np.array([0.0, 0.0, 1.0]))
    right = right / np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = math.radians(place.roll_deg)
    turned = np.array([math.cos(roll) * right + math.sin(roll) * down, -math.sin(roll) * right + math.cos(roll) * down])
    rotation = np.vstack([turned, forward])
    translation = -rotation @ centre
    principal = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    edge = _outline(spec, rail_mm)
    spread = 0.0
    unit = CameraModel(
        matrix=np.eye(3),
        distortion=np.array([place.k1, place.k2, 0.0, 0.0, 0.0]),
        rotation=rotation,
        translation=translation,
        size=size,
    )
    reach = unit.project(edge)
    low, high = reach.min(axis=0), reach.max(axis=0)
    spread = float(np.max((high - low) / np.array(size)))
    focal = (1.0 - 2.0 * place.margin) / spread
    principal = principal - focal * (low + high) / 2 if place.tilt_deg > 0 else principal
    return CameraModel(
        matrix=np.array([[focal, 0, principal[0]], [0, focal, principal[1]], [0, 0, 1.0]]),
        distortion=unit.distortion,
        rotation=rotation,
        translation=translation,
        size=size,
    )


def _outline(spec: TableSpec, rail_mm: float) -> Array:
    x = np.array([-rail_mm, spec.width_mm / 2, spec.width_mm + rail_mm])
    y = np.linspace(-rail_mm, spec.length_mm + rail_mm, 5)
    grid = np.array([(a, b, spec.nose_height_mm) for a in x for b in y])
    return np.asarray(grid, dtype=np.float64)
