"""Measuring where a drawn line really lies: profiles of colour across it, and the edge or the stroke in each of them.

A line of the table is projected with the camera known so far and cut into pieces; across each piece the picture is
sampled and the median taken along the piece, and the extremum of the profile's first derivative (an edge) or second
derivative (a stroke) is found to a fraction of a pixel by a parabola (Steger 1998).
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.median import median_of

Array = NDArray[np.float64]
Plane = NDArray[np.float32]
"""(h, w, 3) CIE L*, a*, b*."""

STEP = 0.25
"""Distance of samples across a line, px."""
_ALONG = 9
_STRIP = 32
"""So many rows of a picture are converted at once: they stay in the processor's cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """n pieces of a projected line: points (n, 2) px, normals (n, 2) unit, half_length (n,) px along the line."""

    points: Array
    normals: Array
    half_length: Array

    def part(self, chosen: slice) -> "Pieces":
        """Some of them."""
        return Pieces(points=self.points[chosen], normals=self.normals[chosen], half_length=self.half_length[chosen])


def lab_plane(picture: NDArray[np.uint8]) -> Plane:
    """L*, a*, b* of a BGR picture (h, w, 3), lightly smoothed against noise and block edges."""
    smooth = cv2.GaussianBlur(picture, (0, 0), 0.6)
    plane = np.empty(picture.shape, np.float32)
    for row in range(0, len(plane), _STRIP):
        strip = slice(row, row + _STRIP)
        shares = np.multiply(smooth[strip], np.float32(1 / 255), dtype=np.float32)
        plane[strip] = cv2.cvtColor(shares, cv2.COLOR_BGR2LAB)
    return plane


def _looked_up(plane: Plane, u: NDArray[np.float32], v: NDArray[np.float32]) -> Plane:
    """(n, m, 3) colours at pixels (n, m), bilinear; NaN outside the picture."""
    outside = (float("nan"),) * 3
    colours = cv2.remap(plane, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=outside)
    return np.asarray(colours, dtype=np.float32)


def sampled(plane: Plane, uv: Array) -> Array:
    """(..., 3) colours at pixels (..., 2), bilinear; NaN outside the picture."""
    places = (uv.reshape(-1, 1, 2) if uv.ndim < 3 else uv.reshape(uv.shape[0], -1, 2)).astype(np.float32)
    return _looked_up(plane, places[..., 0], places[..., 1]).astype(np.float64).reshape(*uv.shape[:-1], 3)


def sampled_raw(picture: NDArray[np.uint8], uv: Array) -> Array:
    """(n, 3) L*, a*, b* at pixels (n, 2) of a BGR picture, without converting all of it; NaN outside the picture."""
    places = uv.reshape(-1, 1, 2).astype(np.float32)
    columns, rows = places[..., 0], places[..., 1]
    bgr = cv2.remap(picture, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = cv2.cvtColor(bgr.astype(np.float32) / 255.0, cv2.COLOR_BGR2LAB)
    lab = np.asarray(colours, dtype=np.float64).reshape(-1, 3)
    size = np.array([picture.shape[1], picture.shape[0]])
    lab[~np.all((uv >= 0) & (uv <= size - 1), axis=1)] = np.nan
    return lab


def cut(uv: Array, towards: Array) -> Pieces:
    """Pieces between the points (..., n + 1, 2) of projected lines; normals point to the side where ``towards`` lies.

    Those of several lines come one line after the other.
    """
    points = (0.5 * (uv[..., 1:, :] + uv[..., :-1, :])).reshape(-1, 2)
    along = (uv[..., 1:, :] - uv[..., :-1, :]).reshape(-1, 2)
    length = np.maximum(np.hypot(*along.T), 1e-6)
    normals = np.column_stack([-along[:, 1], along[:, 0]]) / length[:, None]
    sign = np.sign(np.sum((towards - points) * normals, axis=1))
    sign[sign == 0] = 1
    return Pieces(points=points, normals=normals * sign[:, None], half_length=0.5 * length)


def profiles(plane: Plane, pieces: Pieces, reach: float) -> tuple[Array, Array]:
    """Offsets (m,) px along the normals, and colours (n, m, 3): the median along each piece; NaN off the picture."""
    offsets = np.arange(-reach, reach + 0.5 * STEP, STEP)
    along = np.linspace(-1.0, 1.0, _ALONG)[:, None] * np.minimum(pieces.half_length, 8.0)
    normal_u, normal_v = pieces.normals.T
    starts = ((pieces.points[:, 0] - along * normal_v, normal_u), (pieces.points[:, 1] + along * normal_u, normal_v))
    u, v = (
        start.astype(np.float32)[..., None] + (normal[:, None] * offsets).astype(np.float32) for start, normal in starts
    )
    colours = _looked_up(plane, u.reshape(-1, len(offsets)), v.reshape(-1, len(offsets)))
    median = median_of(list(colours.reshape(_ALONG, len(pieces.points), -1, 3)))
    return np.asarray(offsets, dtype=np.float64), median.astype(np.float64)


def _filtered(values: Array, kernel: tuple[float, ...]) -> Array:
    """Profiles (n, m, 3) weighted by a kernel round each place; at its ends a profile is taken to go on."""
    count, length, channels = values.shape
    columns = values.transpose(1, 0, 2).reshape(length, -1)
    matrix = _filter_matrix(kernel, length)
    unseen = np.isnan(columns)
    if unseen.any():
        result = matrix @ np.where(unseen, 0.0, columns)
        result[(matrix != 0).astype(np.float64) @ unseen > 0] = np.nan
    else:
        result = matrix @ columns
    return np.asarray(result.reshape(length, count, channels).transpose(1, 0, 2), dtype=np.float64)


@lru_cache(maxsize=64)
def _filter_matrix(kernel: tuple[float, ...], length: int) -> Array:
    """(length, length) rows of a filter over a profile."""
    taps = np.arange(length)[:, None] + np.arange(len(kernel)) - len(kernel) // 2
    matrix = np.zeros((length, length))
    np.add.at(matrix, (np.arange(length)[:, None], np.clip(taps, 0, length - 1)), np.array(kernel))
    return matrix


def _grid(sigma_px: float) -> Array:
    radius = int(np.ceil(3 * sigma_px / STEP))
    return np.asarray(np.arange(-radius, radius + 1) * STEP, dtype=np.float64)


def slopes(values: Array, sigma_px: float) -> Array:
    """First derivative (n, m, 3) of profiles (n, m, 3) per px after Gaussian smoothing of ``sigma_px``."""
    x = _grid(sigma_px)
    kernel = x * np.exp(-0.5 * (x / sigma_px) ** 2)
    return _filtered(values, tuple(kernel / np.sum(kernel * x)))


def strokes(values: Array, sigma_px: float) -> Array:
    """Height (n, m, 3) of a stroke of about ``sigma_px`` half width above its surroundings, at each place."""
    x = _grid(sigma_px)
    gauss = np.exp(-0.5 * (x / sigma_px) ** 2)
    kernel = (1 - (x / sigma_px) ** 2) * gauss
    kernel -= kernel.mean()
    return _filtered(values, tuple(kernel / np.sum(kernel * gauss)))


def peak(offsets: Array, response: Array) -> tuple[Array, Array]:
    """Where each row (n, m) is greatest, to a fraction of a step, and how great; NaN at the ends of the range."""
    filled = np.where(np.isfinite(response), response, -np.inf)
    index = np.argmax(filled, axis=1)
    rows = np.arange(len(response))
    at = np.clip(index, 1, response.shape[1] - 2)
    left, middle, right = (filled[rows, at + shift] for shift in (-1, 0, 1))
    inner = (index == at) & np.isfinite(left) & np.isfinite(middle) & np.isfinite(right)
    with np.errstate(invalid="ignore", divide="ignore"):
        bend = left - 2 * middle + right
        shift = np.where(inner & (bend < 0), 0.5 * (left - right) / bend, 0.0)
    place = offsets[at] + np.clip(shift, -1, 1) * STEP
    return np.where(inner, place, np.nan), np.where(inner, middle, 0.0)
