"""What table, balls, lamps and room look like: colours as a camera gives them, turned into linear light."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rgb = tuple[int, int, int]


def linear(rgb: Rgb) -> Floats:
    """(3,) linear light, in OpenCV's order blue, green, red, of an sRGB colour 0 … 255."""
    c = np.array(rgb[::-1], dtype=np.float64) / 255.0
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4).astype(np.float32)


def to_srgb(light: Floats) -> Floats:
    """sRGB 0 … 255 as float32 of linear light; values above 1 saturate softly, as a sensor's curve does."""
    x = np.clip(light, 0.0, None)
    x = np.where(x > 0.8, 0.8 + 0.2 * (1.0 - np.exp(-(x - 0.8) / 0.2)), x)
    curve = np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.maximum(x, 1e-8) ** (1 / 2.4) - 0.055)
    return (curve * 255.0).astype(np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """A rectangular lamp that shines down: centre and half sizes in mm, and its share of the light."""

    centre: tuple[float, float, float]
    half: tuple[float, float]
    power: float = 1.0

    @property
    def radiance(self) -> float:
        """Brightness of its face, 1 for a lamp of one square metre that gives all the light."""
        return self.power / (4.0 * self.half[0] * self.half[1]) * 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The appearance of one table in one room.

    ``cloth``, ``wood``, ``floor``, ``pocket`` (leather, net or casting), ``plate`` (corner fittings) and ``line`` are
    sRGB. ``net``: the holes show a net instead of darkness. ``round_mm``: the radius of the table's outer corners.
    ``lighting``: a row of large lamps, or small bright ones round the table. ``head_line``: pool's head string is
    drawn. ``chalks``: cubes of chalk on the rails. ``wear`` 0 … 1: specks and mottling.
    """

    cloth: Rgb
    wood: Rgb
    floor: Rgb
    pocket: Rgb
    plate: Rgb
    line: Rgb
    sight: Rgb = (230, 225, 215)
    lamps: tuple[Lamp, ...] = ()
    ambient: float = 0.25
    lighting: Literal["row", "spots"] = "row"
    sights: bool = True
    net: bool = False
    head_line: bool = True
    chalks: int = 1
    round_mm: float = 30.0
    casting: Literal["leather", "plastic", "metal"] = "leather"
    wear: float = 0.4


SNOOKER_BALLS: dict[str, Rgb] = {
    "cue": (240, 232, 205),
    "red": (176, 18, 22),
    "yellow": (242, 190, 22),
    "green": (8, 104, 62),
    "brown": (112, 52, 18),
    "blue": (18, 72, 172),
    "pink": (238, 132, 150),
    "black": (16, 16, 18),
}
POOL_BALLS: dict[str, Rgb] = {
    "cue": (240, 234, 212),
    "1": (243, 180, 14),
    "2": (20, 48, 150),
    "3": (198, 24, 26),
    "4": (86, 36, 122),
    "5": (236, 98, 22),
    "6": (10, 98, 56),
    "7": (116, 22, 30),
    "8": (16, 16, 18),
}
PYRAMID_BALLS: dict[str, Rgb] = {"cue": (150, 60, 28), "ball": (238, 230, 206)}


def lamp_row(width: float, length: float, count: int, height: float, *, along: float = 0.28) -> tuple[Lamp, ...]:
    """``count`` lamps in a row over the table's long axis."""
    half = (width * 0.16, length * along / count)
    return tuple(
        Lamp(centre=(width / 2, length * (k + 0.5) / count, height), half=half, power=1.0 / count) for k in range(count)
    )


def spots(width: float, length: float, height: float) -> tuple[Lamp, ...]:
    """Four small bright lamps round the table that throw plain shadows, and a weak large one."""
    places = ((-0.30, 0.38), (1.25, 0.28), (0.25, 0.97), (1.05, 0.72))
    shares = (0.26, 0.22, 0.16, 0.14)
    small = tuple(
        Lamp(centre=(x * width, y * length, height), half=(45.0, 60.0), power=share)
        for (x, y), share in zip(places, shares, strict=True)
    )
    return (*small, Lamp(centre=(width * 0.5, length * 0.6, height * 1.4), half=(500.0, 700.0), power=0.22))
