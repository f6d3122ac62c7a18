"""Measuring where a drawn line really lies: profiles of brightness across it, and the edge in each of them.

A line of the table is projected with the camera known so far and cut into pieces; across each piece the picture is
sampled and averaged along the piece, and the extremum of the profile's derivative is found to a fraction of a pixel
by a parabola (Steger 1998 gives the same for curves).
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Plane = NDArray[np.float32]

STEP = 0.25
"""Distance of samples across a line, px."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """n pieces of a projected line: points (n, 2) px, normals (n, 2) unit, half_length (n,) px along the line."""

    points: Array
    normals: Array
    half_length: Array


def cut(uv: Array, towards: Array) -> Pieces:
    """Pieces between the points (n + 1, 2) of a projected line; normals point to the side where ``towards`` lies."""
    points = 0.5 * (uv[1:] + uv[:-1])
    along = uv[1:] - uv[:-1]
    length = np.maximum(np.hypot(*along.T), 1e-6)
    normals = np.column_stack([-along[:, 1], along[:, 0]]) / length[:, None]
    sign = np.sign(np.sum((towards - points) * normals, axis=1))
    sign[sign == 0] = 1
    return Pieces(points=points, normals=normals * sign[:, None], half_length=0.5 * length)


def profiles(plane: Plane, pieces: Pieces, reach: float) -> tuple[Array, Array]:
    """Offsets (m,) px along the normal, and brightness (n, m): the median along each piece; NaN outside the picture."""
    offsets = np.arange(-reach, reach + 0.5 * STEP, STEP)
    places = np.linspace(-1.0, 1.0, 9)
    tangents = np.column_stack([-pieces.normals[:, 1], pieces.normals[:, 0]])
    along = places[None, :, None] * np.minimum(pieces.half_length, 8.0)[:, None, None] * tangents[:, None, :]
    across = offsets[None, :, None] * pieces.normals[:, None, :]
    uv = (pieces.points[:, None, None, :] + along[:, :, None, :] + across[:, None, :, :]).astype(np.float32)
    n, k, m, _ = uv.shape
    flat = uv.reshape(n * k, m, 2)
    sampled = cv2.remap(
        plane, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=float("nan")
    )
    values: Array = np.median(sampled.reshape(n, k, m).astype(np.float64), axis=1)
    return offsets, values


def slopes(values: Array, sigma_px: float) -> Array:
    """Derivative (n, m) of profiles (n, m) per px after Gaussian smoothing of ``sigma_px``."""
    radius = int(np.ceil(3 * sigma_px / STEP))
    x = np.arange(-radius, radius + 1) * STEP
    kernel = x * np.exp(-0.5 * (x / sigma_px) ** 2)
    kernel /= np.sum(kernel * x)
    padded = np.pad(values, ((0, 0), (radius, radius)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * radius + 1, axis=1)
    derivative: Array = windows @ kernel
    return derivative


def peak(offsets: Array, response: Array) -> tuple[Array, Array]:
    """Where each row (n, m) is greatest, to a fraction of a step, and how great; NaN at the ends of the range."""
    filled = np.where(np.isfinite(response), response, -np.inf)
    index = np.argmax(filled, axis=1)
    rows = np.arange(len(response))
    inner = (index > 0) & (index < response.shape[1] - 1) & np.isfinite(filled[rows, index])
    at = np.clip(index, 1, response.shape[1] - 2)
    left, middle, right = (filled[rows, at + shift] for shift in (-1, 0, 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        bend = left - 2 * middle + right
        shift = np.where(bend < 0, 0.5 * (left - right) / bend, 0.0)
    place = offsets[at] + np.clip(shift, -1, 1) * STEP
    return np.where(inner & np.isfinite(place), place, np.nan), np.where(inner, middle, 0.0)


def brightness(picture: NDArray[np.uint8]) -> Plane:
    """(h, w) float32 mean of the three channels, lightly smoothed."""
    mean = picture.astype(np.float32).mean(axis=2)
    return np.asarray(cv2.GaussianBlur(mean, (0, 0), 0.6), dtype=np.float32)
