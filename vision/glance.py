"""The fast look at every frame: small planes, what the bare table looks like in them, and what differs from that."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cloth import CHROMA_GAIN, SHADOW_SHADE, ClothModel
from vision.frames import Pixels, Planes
from vision.geometry import Array, Mask, Plane, TableView

BLACK, GREY = 16.0, 128.0
BRIGHTER = 8.0
LEARN_EVERY = 4
LEARN_RATE = 0.15
RING_SAMPLES = 900
RING_NEAR = 28
MARGIN = 4.2
RAIL = 3.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """Luma, cr and cb (h, w) uint8 of the table's part of one frame at the small scale, as decoded."""

    luma: Pixels
    cr: Pixels
    cb: Pixels


def look(planes: Planes, view: TableView) -> Glance:
    """The small planes of a frame; ``view`` is the small view."""
    height, width = planes.luma.shape

    def part(plane: Pixels) -> Pixels:
        rows, columns = plane.shape
        step_u, step_v = columns / width, rows / height
        left, top = round(view.origin_px[0] * step_u), round(view.origin_px[1] * step_v)
        wide, high = round(view.extent_px[0] * step_u), round(view.extent_px[1] * step_v)
        how = cv2.INTER_AREA if view.scale / step_u < 0.4 else cv2.INTER_LINEAR
        small = cv2.resize(plane[top : top + high, left : left + wide], view.shape[::-1], interpolation=how)
        return np.asarray(small, dtype=np.uint8)

    return Glance(luma=part(planes.luma), cr=part(planes.cr), cb=part(planes.cb))


class BareTable:
    """What the table looks like without balls and people, kept up to date, and the distance of a frame from it."""

    def __init__(self, glance: Glance, cover: Mask, cloth: ClothModel, view: TableView, full_range: bool) -> None:
        """cover: (h, w) where the glance shows something else than the table; there the fitted cloth stands in."""
        offset, gain, colour = (0.0, 1.0, 1.0) if full_range else (BLACK, 219 / 255, 224 / 255)
        self._offset, self._gain = offset, gain
        fitted = (cloth.luma * gain, cloth.cr * colour, cloth.cb * colour)
        seen = (
            glance.luma.astype(np.float32) - offset,
            glance.cr.astype(np.float32) - GREY,
            glance.cb.astype(np.float32) - GREY,
        )
        self._luma, self._cr, self._cb = (
            np.where(cover, fit, now).astype(np.float32) for fit, now in zip(fitted, seen, strict=True)
        )
        self._luma = np.maximum(self._luma, 4.0)
        self._inverse = (1.0 / self._luma).astype(np.float32)
        self.limit = 3.0 * CHROMA_GAIN * cloth.chroma_sigma + 9.0
        self._buffers = [np.empty(view.shape, np.float32) for _ in range(4)]
        self._ring = self._ring_samples(view)
        self._ring_seen = glance.luma.reshape(-1)[self._ring].astype(np.int16)
        self._count = 0

    @staticmethod
    def _ring_samples(view: TableView) -> NDArray[np.intp]:
        """Flat indices of pixels about the noses, rails and pockets."""
        outer = cv2.dilate(view.cloth.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(bool)
        inner = cv2.erode(view.bed.astype(np.uint8), np.ones((9, 9), np.uint8), borderValue=0).astype(bool)
        ring = np.flatnonzero(outer & ~inner)
        step = max(1, len(ring) // RING_SAMPLES)
        return np.asarray(ring[::step], dtype=np.intp)

    def luma_at(self, points: Array) -> Array:
        """(n,) luma of the bare table at small px (n, 2), on the scale of 0 to 255."""
        rows, columns = self._luma.shape
        u = np.clip(np.round(points[:, 0]).astype(int), 0, columns - 1)
        v = np.clip(np.round(points[:, 1]).astype(int), 0, rows - 1)
        return np.asarray(self._luma[v, u] / self._gain, dtype=np.float64)

    def same_view(self, glance: Glance) -> float:
        """Share of the surroundings that look as they did, 0 to 1; people cover some, another camera changes all."""
        now = glance.luma.reshape(-1)[self._ring].astype(np.int16)
        return float((np.abs(now - self._ring_seen) < RING_NEAR).mean())

    def away(self, glance: Glance) -> Plane:
        """(h, w) squared distance in levels of each pixel from the bare table, shade not counted.

        The array is overwritten by the next call.
        """
        total, shade, work, luma = self._buffers
        np.subtract(glance.luma, np.float32(self._offset), out=luma, dtype=np.float32, casting="unsafe")
        np.multiply(luma, self._inverse, out=shade)
        np.minimum(shade, 1.3, out=shade)
        for k, (plane, bare) in enumerate(((glance.cr, self._cr), (glance.cb, self._cb))):
            target = total if k == 0 else work
            np.subtract(plane, np.float32(GREY), out=target, dtype=np.float32, casting="unsafe")
            target -= cv2.multiply(shade, bare)
            np.multiply(target, target, out=target)
        total += work
        total *= CHROMA_GAIN**2
        np.subtract(luma, self._luma, out=work)
        work -= BRIGHTER
        np.maximum(work, 0, out=work)
        np.multiply(work, work, out=work)
        total += work
        np.subtract(np.float32(SHADOW_SHADE), shade, out=work)
        np.maximum(work, 0, out=work)
        work *= self._luma
        np.multiply(work, work, out=work)
        total += work
        return total

    def learn(self, glance: Glance, free: Mask) -> None:
        """Follow slow changes of light where nothing covers the table; one in `LEARN_EVERY` calls is used."""
        self._count += 1
        if self._count % LEARN_EVERY:
            return
        mask = free.astype(np.uint8)
        for bare, plane, offset in (
            (self._luma, glance.luma, self._offset),
            (self._cr, glance.cr, GREY),
            (self._cb, glance.cb, GREY),
        ):
            now = plane.astype(np.float32)
            if offset:
                now -= offset
            cv2.accumulateWeighted(now, bare, LEARN_RATE, mask)
        np.maximum(self._luma, 4.0, out=self._luma)
        np.divide(1.0, self._luma, out=self._inverse)

    def absorb(self, glance: Glance, where: Mask) -> None:
        """Take what lies there now for a part of the table."""
        self._luma[where] = np.maximum(glance.luma[where].astype(np.float32) - self._offset, 4.0)
        self._cr[where] = glance.cr[where].astype(np.float32) - GREY
        self._cb[where] = glance.cb[where].astype(np.float32) - GREY
        np.divide(1.0, self._luma, out=self._inverse)


def shows_table(away: Plane, limit: float, view: TableView) -> bool:
    """Whether cloth lies inside the noses and ends outside them all round, as the calibration says it does.

    away: (h, w) distance from the fitted cloth in levels.
    """
    table = view.calibration.table
    radius = table.ball_radius_mm
    steps = np.linspace(0.08, 0.92, 24)
    width, length = table.width_mm, table.length_mm

    def sides(margin: float) -> Array:
        return np.concatenate(
            [
                np.column_stack([np.full(24, -margin), steps * length]),
                np.column_stack([np.full(24, width + margin), steps * length]),
                np.column_stack([steps * width, np.full(24, -margin)]),
                np.column_stack([steps * width, np.full(24, length + margin)]),
            ]
        )

    def cloth_at(margin: float) -> Mask:
        points = sides(margin)
        uv = view.to_working(
            view.calibration.camera.project(np.column_stack([points, np.full(len(points), table.nose_height_mm)]))
        )
        rows, columns = away.shape
        u, v = np.round(uv[:, 0]).astype(int), np.round(uv[:, 1]).astype(int)
        inside = (u >= 0) & (u < columns) & (v >= 0) & (v < rows)
        result = np.ones(len(points), dtype=bool)
        result[inside] = away[v[inside], u[inside]] < limit
        return np.asarray(result & inside)

    return bool((cloth_at(-2.0 * radius) & ~cloth_at(RAIL * radius)).mean() > 0.4)
