"""The fast look at every frame: small planes, what the bare table looks like in them, and what differs from that."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cloth import CHROMA_GAIN, SHADOW_SHADE, ClothModel
from vision.frames import Pixels, Planes
from vision.geometry import Array, Box, Mask, Plane, TableView
from vision.looks import Scale

GREY = 128.0
BRIGHTER = 8.0
LEARN_EVERY = 8
LEARN_NEAR = 0.12
HEAL_SHADE = 0.25
LEARN_RATE = 0.25
RING_SAMPLES = 900
RING_NEAR = 28
MARGIN = 4.2
RAIL = 3.8
LUMA_CHANGE, CHROMA_CHANGE = 11, 7
REFRESH_EVERY = 15
_PAIR = np.ones((2, 2), np.uint8)


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
        cut = plane[top : top + high, left : left + wide]
        if cut.shape == view.shape:
            return np.ascontiguousarray(cut)
        how = cv2.INTER_AREA if view.scale < step_u else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(cut, view.shape[::-1], interpolation=how), dtype=np.uint8)

    return Glance(luma=part(planes.luma), cr=part(planes.cr), cb=part(planes.cb))


class BareTable:
    """What the table looks like without balls and people, kept up to date, and the distance of a frame from it."""

    def __init__(self, glance: Glance, cover: Mask, cloth: ClothModel, view: TableView, scale: Scale) -> None:
        """cover: (h, w) where the glance shows something else than the table; there the fitted cloth
        stands in. scale: how the video stores luma and chroma.
        """
        self.scale = scale
        offset, gain, colour = scale.luma_zero, 1 / scale.luma_gain, 1 / scale.chroma_gain
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
        self._fitted = fitted
        self._inverse = (1.0 / self._luma).astype(np.float32)
        self.limit = 3.0 * CHROMA_GAIN * cloth.chroma_sigma + 9.0
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

    def away(self, glance: Glance, box: Box) -> Plane:
        """Squared distance in levels from the bare table of each pixel of a box (u0, v0, u1, v1), shade not counted."""
        cut = (slice(box[1], box[3]), slice(box[0], box[2]))
        bare = self._luma[cut]
        luma = glance.luma[cut] - np.float32(self._offset)
        shade = luma * self._inverse[cut]
        np.minimum(shade, 1.3, out=shade)
        total = glance.cr[cut] - np.float32(GREY)
        total -= shade * self._cr[cut]
        np.multiply(total, total, out=total)
        work = glance.cb[cut] - np.float32(GREY)
        work -= shade * self._cb[cut]
        np.multiply(work, work, out=work)
        total += work
        total *= CHROMA_GAIN**2
        np.subtract(luma, bare, out=work)
        work -= BRIGHTER
        np.maximum(work, 0, out=work)
        np.multiply(work, work, out=work)
        total += work
        np.subtract(np.float32(SHADOW_SHADE), shade, out=work)
        np.maximum(work, 0, out=work)
        work *= bare
        np.multiply(work, work, out=work)
        total += work
        return np.asarray(total, dtype=np.float32)

    def shade(self, glance: Glance) -> Plane:
        """(h, w) luma of a glance over the bare table's."""
        return (glance.luma - np.float32(self._offset)) * self._inverse

    def heal(self, glance: Glance, box: Box, bed: Mask) -> None:
        """In a box (u0, v0, u1, v1) that differs, trust what looks like the fitted cloth: there the memory is wrong."""
        cut = (slice(box[1], box[3]), slice(box[0], box[2]))
        luma, cr, cb = (plane[cut] for plane in self._fitted)
        now = glance.luma[cut] - np.float32(self._offset)
        now_cr, now_cb = glance.cr[cut] - np.float32(GREY), glance.cb[cut] - np.float32(GREY)
        shade = now / np.maximum(luma, 4.0)
        off = np.hypot(now_cr - shade * cr, now_cb - shade * cb)
        like = bed[cut] & (np.abs(shade - 1.0) < HEAL_SHADE) & (CHROMA_GAIN * off < 0.5 * self.limit)
        for plane, value in ((self._luma, now), (self._cr, now_cr), (self._cb, now_cb)):
            plane[cut][like] = value[like]
        self._inverse[cut] = 1.0 / np.maximum(self._luma[cut], 4.0)

    def due(self) -> bool:
        """Whether it is time to `learn` again."""
        self._count += 1
        return self._count % LEARN_EVERY == 0

    def learn(self, glance: Glance, free: Mask) -> None:
        """Follow slow changes of light where nothing covers the table, ``free`` (h, w)."""
        ratio = self.shade(glance)
        # a dark sleeve looks like shaded cloth
        ratio -= 1
        mask = (free & (np.abs(ratio, out=ratio) < LEARN_NEAR)).view(np.uint8)
        for bare, plane, offset in (
            (self._luma, glance.luma, self._offset),
            (self._cr, glance.cr, GREY),
            (self._cb, glance.cb, GREY),
        ):
            cv2.accumulateWeighted(plane - np.float32(offset), bare, LEARN_RATE, mask)
        np.maximum(self._luma, 4.0, out=self._luma)
        np.divide(1.0, self._luma, out=self._inverse)


class Changes:
    """Where a frame differs from the last picture of each place that was looked at closely."""

    def __init__(self, region: Pixels) -> None:
        """region: (h, w) 0 or 255, where changes matter."""
        self._region = region
        self._kept: Glance | None = None
        self._age = 0

    def forget(self) -> None:
        self._kept = None

    def mask(self, glance: Glance) -> Pixels:
        """(h, w) 0 or 255; all of the region at first."""
        kept = self._kept
        if kept is None:
            return self._region.copy()
        colour = cv2.max(cv2.absdiff(glance.cr, kept.cr), cv2.absdiff(glance.cb, kept.cb))
        changed = cv2.bitwise_or(
            cv2.threshold(cv2.absdiff(glance.luma, kept.luma), LUMA_CHANGE, 255, cv2.THRESH_BINARY)[1],
            cv2.threshold(colour, CHROMA_CHANGE, 255, cv2.THRESH_BINARY)[1],
        )
        changed = cv2.bitwise_and(changed, self._region)
        return np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, _PAIR), np.uint8)

    def share(self, glance: Glance) -> float:
        """0 to 1, how much of the region has changed; 0 at first."""
        if self._kept is None:
            return 0.0
        return cv2.countNonZero(self.mask(glance)) / max(1, cv2.countNonZero(self._region))

    def keep(self, glance: Glance, box: Box | None) -> None:
        """Remember this frame: all of it now and then, else only the box (u0, v0, u1, v1) that was looked at."""
        self._age += 1
        if self._kept is None or self._age >= REFRESH_EVERY:
            self._kept = Glance(luma=glance.luma.copy(), cr=glance.cr.copy(), cb=glance.cb.copy())
            self._age = 0
        elif box is not None:
            cut = (slice(box[1], box[3]), slice(box[0], box[2]))
            for old, new in zip(
                (self._kept.luma, self._kept.cr, self._kept.cb), (glance.luma, glance.cr, glance.cb), strict=True
            ):
                old[cut] = new[cut]


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
