"""Pictures made by construction: a camera, a cloth with uneven light, and shaded balls at known places on it."""

from fractions import Fraction
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.result import Calibration
from calibration.tables import TABLES
from vision.frames import Frame, FrameStamp, Pixels

TABLE = TABLES["snooker-12ft"]
SIZE = (1000, 560)
FINE = 3
COLOURS_BGR = {
    "cue": (225, 245, 245),
    "red": (25, 15, 170),
    "yellow": (20, 200, 235),
    "green": (85, 95, 10),
    "brown": (25, 75, 115),
    "blue": (170, 85, 20),
    "pink": (150, 130, 245),
    "black": (18, 18, 18),
}
CLOTH_BGR = (40, 140, 30)
SKIN_BGR = (130, 165, 215)
Place = tuple[str, float, float]


def overhead() -> Calibration:
    """Six metres above the table's middle, its length along the picture, 1 px about 4 mm: balls of 6.5 px."""
    rotation = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    centre = np.array([TABLE.width_mm / 2, TABLE.length_mm / 2, 6000.0])
    camera = CameraModel(
        matrix=np.array([[1500.0, 0, (SIZE[0] - 1) / 2], [0, 1500.0, (SIZE[1] - 1) / 2], [0, 0, 1]]),
        distortion=np.zeros(5),
        rotation=rotation,
        translation=-rotation @ centre,
        size=SIZE,
    )
    return Calibration(
        table=TABLE, camera=camera, residual_px=0.0, residual_mm=0.0, residual_max_px=0.0, found_by="points"
    )


@cache
def _cloth() -> NDArray[np.float32]:
    """The room dark, rails brown, the cloth lit more at one end, at `FINE` times the picture's size."""
    camera = overhead().camera
    canvas = np.full((SIZE[1] * FINE, SIZE[0] * FINE, 3), 20.0, np.float32)

    def outline(margin: float, z: float) -> NDArray[np.int32]:
        width, length = TABLE.width_mm + margin, TABLE.length_mm + margin
        corners = np.array(
            [[-margin, -margin, z], [width, -margin, z], [width, length, z], [-margin, length, z]], dtype=np.float64
        )
        return np.round((camera.project(corners) + 0.5) * FINE - 0.5).astype(np.int32)

    cv2.fillPoly(canvas, [outline(170.0, 40.0)], (20.0, 30.0, 70.0))
    cv2.fillPoly(canvas, [outline(50.0, 40.0)], tuple(0.8 * value for value in CLOTH_BGR))
    cv2.fillPoly(canvas, [outline(0.0, TABLE.nose_height_mm)], CLOTH_BGR)
    light = np.linspace(0.8, 1.15, canvas.shape[1])
    return np.asarray(canvas * light[None, :, None], np.float32)


def _ball(canvas: NDArray[np.float32], uv: NDArray[np.float64], radius: float, colour: tuple[int, int, int]) -> None:
    """A sphere lit from above the picture's middle, with a highlight, and a soft contact shadow round it."""
    u, v = (uv + 0.5) * FINE - 0.5
    size = radius * FINE
    reach = int(1.5 * size) + 2
    rows = slice(int(v) - reach, int(v) + reach + 1)
    columns = slice(int(u) - reach, int(u) + reach + 1)
    grid_v, grid_u = np.mgrid[rows, columns].astype(np.float64)
    gap = np.hypot(grid_u - u, grid_v - v) / size
    part = canvas[rows, columns]
    part *= np.clip(0.55 + 0.45 * (gap - 0.9) / 0.35, 0.55, 1.0)[..., None]
    shade = 0.45 + 0.55 * np.sqrt(np.clip(1 - gap**2, 0, 1))
    lit = np.array(colour)[None, None] * shade[..., None]
    spark = np.exp(-((np.hypot(grid_u - u - 0.2 * size, grid_v - v + 0.2 * size) / (0.16 * size)) ** 2))
    lit = lit + (245.0 - lit) * spark[..., None]
    np.copyto(part, lit, where=(gap <= 1.0)[..., None])


def picture(balls: list[Place], *, seed: int = 1, arm: tuple[float, float] | None = None) -> Pixels:
    """Balls (kind, x mm, y mm) on the cloth; ``arm``: fingertips in mm of an arm that reaches in from the right."""
    camera, radius_mm = overhead().camera, TABLE.ball_radius_mm
    canvas = _cloth().copy()
    for kind, x, y in balls:
        centre = np.array([[x, y, radius_mm]])
        radius = float(camera.sphere_radius_px(centre, radius_mm)[0])
        _ball(canvas, camera.project(centre)[0], radius, COLOURS_BGR[kind])
    if arm is not None:
        tip_u, tip_v = camera.project(np.array([[arm[0], arm[1], 60.0]]))[0] * FINE
        for finger in (-14, 0, 14):
            start = (int(tip_u), int(tip_v + finger * FINE * 0.5))
            cv2.line(canvas, start, (int(tip_u + 14 * FINE), int(tip_v + finger * 2)), SKIN_BGR, 5 * FINE)
        cv2.ellipse(canvas, (int(tip_u + 20 * FINE), int(tip_v)), (13 * FINE, 11 * FINE), 0, 0, 360, SKIN_BGR, -1)
        cv2.line(
            canvas,
            (int(tip_u + 25 * FINE), int(tip_v)),
            (SIZE[0] * FINE, int(tip_v + 60 * FINE)),
            (60, 50, 50),
            26 * FINE,
        )
    small = cv2.resize(canvas, SIZE, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(seed).standard_normal(small.shape, np.float32) * 1.2
    return np.clip(np.round(small + noise), 0, 255).astype(np.uint8)


def frame(index: int, bgr: Pixels, rate: int = 30) -> Frame:
    base = Fraction(1, rate)
    return Frame(stamp=FrameStamp(index=index, pts=index, time_base=base, t_s=float(index * base)), bgr=bgr)
