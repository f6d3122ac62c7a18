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
    """Luma, cr and cb (h, w) uint8 of the table's part of one frame at the small scale, as decoded.

    planes: the three, one below the other (3h, w).
    """

    luma: Pixels
    cr: Pixels
    cb: Pixels
    planes: Pixels


def _glance(planes: Pixels) -> Glance:
    """Of (3h, w)."""
    height = len(planes) // 3
    return Glance(luma=planes[:height], cr=planes[height : 2 * height], cb=planes[2 * height :], planes=planes)


def look(planes: Planes, view: TableView) -> Glance:
    """The small planes of a frame; ``view`` is the small view."""
    height, width = planes.luma.shape
    rows, columns = view.shape
    glance = _glance(np.empty((3 * rows, columns), np.uint8))
    for plane, small in ((planes.luma, glance.luma), (planes.cr, glance.cr), (planes.cb, glance.cb)):
        step_u, step_v = plane.shape[1] / width, plane.shape[0] / height
        left, top = round(view.origin_px[0] * step_u), round(view.origin_px[1] * step_v)
        wide, high = round(view.extent_px[0] * step_u), round(view.extent_px[1] * step_v)
        cut = plane[top : top + high, left : left + wide]
        if cut.shape == view.shape:
            np.copyto(small, cut)
        else:
            how = cv2.INTER_AREA if view.scale < step_u else cv2.INTER_LINEAR
            cv2.resize(cut, (columns, rows), dst=small, interpolation=how)
    return glance


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
        self._ring_seen = glance.luma.reshape(-1)[self._ring]
        self._count = 0
        self._scratch = np.empty((4, view.x_mm.size), np.float32)

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
        u, v = np.minimum(np.maximum(np.rint(points), 0), (columns - 1, rows - 1)).astype(np.intp).T
        return np.asarray(self._luma[v, u] / self._gain, dtype=np.float64)

    def same_view(self, glance: Glance) -> float:
        """Share of the surroundings that look as they did, 0 to 1; people cover some, another camera changes all."""
        apart = cv2.absdiff(glance.luma.take(self._ring), self._ring_seen)
        return np.count_nonzero(apart < RING_NEAR) / len(self._ring)

    def away(self, glance: Glance, box: Box) -> Plane:
        """Squared distance in levels from the bare table of each pixel of a box (u0, v0, u1, v1), shade not counted.

        What it gives holds until it is called again.
        """
        u0, v0, u1, v1 = box
        cut = (slice(v0, v1), slice(u0, u1))
        total, shade, luma, work = self._scratch[:, : (v1 - v0) * (u1 - u0)].reshape(4, v1 - v0, u1 - u0)
        bare = self._luma[cut]
        np.copyto(luma, glance.luma[cut])
        luma -= np.float32(self._offset)
        np.multiply(luma, self._inverse[cut], out=shade)
        cv2.threshold(shade, 1.3, 0, cv2.THRESH_TRUNC, shade)
        np.copyto(total, glance.cr[cut])
        total -= np.float32(GREY)
        np.multiply(shade, self._cr[cut], out=work)
        total -= work
        total *= total
        luma -= bare
        luma -= np.float32(BRIGHTER)
        cv2.threshold(luma, 0, 0, cv2.THRESH_TOZERO, luma)
        luma *= luma
        np.multiply(shade, self._cb[cut], out=work)
        np.subtract(np.float32(SHADOW_SHADE), shade, out=shade)
        cv2.threshold(shade, 0, 0, cv2.THRESH_TOZERO, shade)
        shade *= bare
        shade *= shade
        shade += luma
        np.copyto(luma, glance.cb[cut])
        luma -= np.float32(GREY)
        luma -= work
        luma *= luma
        total += luma
        total *= np.float32(CHROMA_GAIN**2)
        total += shade
        return total

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
        ratio, plane = self._scratch[:2].reshape(2, *self._luma.shape)
        np.copyto(ratio, glance.luma)
        ratio -= np.float32(self._offset)
        ratio *= self._inverse
        # a dark sleeve looks like shaded cloth
        ratio -= 1
        mask = (free & (np.abs(ratio, out=ratio) < LEARN_NEAR)).view(np.uint8)
        for bare, seen, offset in (
            (self._luma, glance.luma, self._offset),
            (self._cr, glance.cr, GREY),
            (self._cb, glance.cb, GREY),
        ):
            np.copyto(plane, seen)
            plane -= np.float32(offset)
            cv2.accumulateWeighted(plane, bare, LEARN_RATE, mask)
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

    def _changed(self, glance: Glance, kept: Glance) -> Pixels:
        """(h, w) 0 or 255 in the region."""
        height = len(self._region)
        apart = cv2.absdiff(glance.planes, kept.planes)
        luma, colour = apart[:height], apart[height : 2 * height]
        cv2.max(colour, apart[2 * height :], colour)
        cv2.threshold(luma, LUMA_CHANGE, 255, cv2.THRESH_BINARY, luma)
        cv2.threshold(colour, CHROMA_CHANGE, 255, cv2.THRESH_BINARY, colour)
        cv2.bitwise_or(luma, colour, luma)
        return np.asarray(cv2.bitwise_and(luma, self._region, luma), np.uint8)

    def box(self, glance: Glance) -> Box | None:
        """(u0, v0, u1, v1) about all changes of more than single pixels; about the whole region at first."""
        if self._kept is None:
            left, top, wide, high = cv2.boundingRect(self._region)
            return left, top, left + wide, top + high
        pairs = cv2.erode(self._changed(glance, self._kept), _PAIR)
        if not cv2.hasNonZero(pairs):
            return None
        left, top, wide, high = cv2.boundingRect(pairs)
        # an opening would grow them by one
        rows, columns = pairs.shape
        return left, top, min(left + wide + 1, columns), min(top + high + 1, rows)

    def share(self, glance: Glance) -> float:
        """0 to 1, how much of the region has changed; 0 at first."""
        if self._kept is None:
            return 0.0
        opened = cv2.morphologyEx(self._changed(glance, self._kept), cv2.MORPH_OPEN, _PAIR)
        return cv2.countNonZero(opened) / max(1, cv2.countNonZero(self._region))

    def keep(self, glance: Glance, box: Box | None) -> None:
        """Remember this frame: all of it now and then, else only the box (u0, v0, u1, v1) that was looked at."""
        self._age += 1
        if self._kept is None or self._age >= REFRESH_EVERY:
            self._kept = _glance(glance.planes.copy())
            self._age = 0
        elif box is not None:
            cut = (slice(None), slice(box[1], box[3]), slice(box[0], box[2]))
            shape = (3, *glance.luma.shape)
            self._kept.planes.reshape(shape)[cut] = glance.planes.reshape(shape)[cut]


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
