"""How a ball is lit in this picture, learned from its clear balls, and where in a crowd the same pattern is seen.

Every ball of a picture has its highlight and its shade in about the same place. In a pack, where outlines vanish
between balls of one colour, this pattern still marks each of them.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array, Box, Plane

CELL = 0.1
REACH = 1.2
GRID = np.arange(-REACH, REACH + CELL / 2, CELL)
SIZE = len(GRID)
TEMPLATE_RADIUS_PX = 1 / CELL
LEAST_BALLS = 3
MOST_BALLS = 24
SEEN_DEPTH = 0.15
_U, _V = np.meshgrid(GRID, GRID)


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """pattern: (SIZE, SIZE) luma of a ball of 10 px radius, mean 0; mask: which of it is compared."""

    pattern: Plane
    mask: Plane


def learn_template(luma: Plane, centre: Array, radius: Array, towards: Array) -> Template | None:
    """The median pattern of clear balls (n, 2); None for too few.

    towards: (2,) direction in the picture in which nearer balls hide others, of length 0 (seen from above) to 1.
    """
    if len(centre) < LEAST_BALLS:
        return None
    u = centre[:MOST_BALLS, 0, None] + radius[:MOST_BALLS, None] * _U.ravel()
    v = centre[:MOST_BALLS, 1, None] + radius[:MOST_BALLS, None] * _V.ravel()
    patches = cv2.remap(
        luma, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float64)
    disc = np.hypot(_U, _V).ravel() < 1.0
    patches -= patches[:, disc].mean(axis=1, keepdims=True)
    patches /= np.maximum(np.linalg.norm(patches[:, disc], axis=1, keepdims=True), 1e-6)
    mask = np.hypot(_U, _V) < 1.0
    length = float(np.linalg.norm(towards))
    if length > 0.3:
        mask &= (_U * towards[0] + _V * towards[1]) / length < SEEN_DEPTH
    pattern = np.median(patches, axis=0).reshape(SIZE, SIZE)
    return Template(pattern=pattern.astype(np.float32), mask=mask.astype(np.float32))


def likeness(luma: Plane, template: Template, box: Box, radius: float) -> tuple[Plane, float]:
    """Correlation (-1 to 1) of the template with each place of a box (u0, v0, u1, v1), and px of it per working px.

    The box is resampled so that a ball in it has the template's size.
    """
    u0, v0, u1, v1 = box
    factor = TEMPLATE_RADIUS_PX / radius
    part: NDArray[Any] = luma[v0:v1, u0:u1]
    size = (max(SIZE, round(part.shape[1] * factor)), max(SIZE, round(part.shape[0] * factor)))
    part = cv2.resize(part, size, interpolation=cv2.INTER_LINEAR)
    pad = SIZE // 2
    part = cv2.copyMakeBorder(part, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    result = cv2.matchTemplate(part, template.pattern, cv2.TM_CCOEFF_NORMED, mask=template.mask)
    return np.nan_to_num(result, nan=0.0, posinf=0.0, neginf=0.0).astype(np.float32), factor


def likeness_at(luma: Plane, template: Template, centre: Array, radius: Array) -> Array:
    """(n,) correlation of the template with the picture at each place, the best within a tenth of a radius."""
    best = np.full(len(centre), -1.0)
    if len(centre) == 0:
        return best
    mask = template.mask.ravel() > 0
    pattern = template.pattern.ravel()[mask].astype(np.float64)
    pattern = ((pattern - pattern.mean()) / np.linalg.norm(pattern - pattern.mean())).astype(np.float32)
    across, down = _U.ravel()[mask], _V.ravel()[mask]
    around = ((0, 0), (0.1, 0), (-0.1, 0), (0, 0.1), (0, -0.1))
    for shift_u, shift_v in around:
        u = centre[:, 0, None] + radius[:, None] * (across + shift_u)
        v = centre[:, 1, None] + radius[:, None] * (down + shift_v)
        values = cv2.remap(
            luma, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        values -= values.mean(axis=1, keepdims=True)
        size = np.sqrt(np.einsum("ij,ij->i", values, values))
        best = np.maximum(best, values @ pattern / np.maximum(size, 1e-6))
    return best
