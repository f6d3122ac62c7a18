"""What the blobs of a frame are: balls one by one, several in a crowd, or something that covers the table."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blobs import Blob, BlobKind
from vision.closeup import Closeup, Find
from vision.frames import Planes
from vision.geometry import Array, Box, Plane
from vision.glance import BareTable, Glance
from vision.looks import see
from vision.outline import fit_outlines

CROWD_CHANGE, CROWD_PIXELS = 16, 2
SHARP = 0.5
INSIDE = 0.3
NEAR = 0.8
FILLED = 0.8
STOOD = 3
LEAST_LOGP = -9.0
LEAST_UNSHARP_LOGP = 0.0

Expected = Callable[[Blob], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Crowd:
    """A blob not like a ball: its box and luma, and the balls found in it if ``read``; else for how long it stood."""

    box: Box
    luma: NDArray[np.uint8]
    finds: list[Find]
    read: bool
    stood: int = 0


class BlobReader:
    """Reads the blobs of one frame after the other; crowds that stay as they were are not read again."""

    def __init__(self, closeup: Closeup) -> None:
        self._closeup = closeup
        self._crowds: list[_Crowd] = []

    def read(
        self,
        planes: Planes,
        glance: Glance,
        bare: BareTable,
        blobs: list[Blob],
        away: Plane,
        box: Box,
        expected: Expected,
    ) -> tuple[list[Find], list[Blob]]:
        """Balls found in the blobs, and the blobs that cover the table. away: of the box, squared."""
        covers = [blob for blob in blobs if blob.kind is BlobKind.BODY]
        singles: list[Blob] = []
        crowds: list[Blob] = []
        for blob in blobs:
            if blob.kind is BlobKind.BALL or (blob.kind is BlobKind.CROWD and blob.size_of_ball):
                singles.append(blob)
            elif blob.kind is BlobKind.CROWD:
                crowds.append(blob)
        finds, doubtful = self._singles(glance, singles, bare, away, box)
        known: list[_Crowd] = []
        for blob in doubtful + crowds:
            crowd = self._crowd(planes, glance, blob, expected(blob))
            known.append(crowd)
            finds.extend(replace(find) for find in crowd.finds)
            if not crowd.finds and blob.streak and expected(blob):
                finds += self._singles(glance, [replace(blob, kind=BlobKind.BALL)], bare, away, box)[0]
            elif not crowd.finds:
                covers.append(blob)
        self._crowds = known
        return finds, covers

    def _singles(
        self, glance: Glance, blobs: list[Blob], bare: BareTable, away: Plane, box: Box
    ) -> tuple[list[Find], list[Blob]]:
        """Each blob as one ball, centred by its outline where that is sharp, for a shadow draws the weight off.

        Blobs that are not round and have no sharp outline of a ball either come back as doubtful.
        """
        if not blobs:
            return [], []
        cut = (slice(box[1], box[3]), slice(box[0], box[2]))
        planes = tuple(plane[cut].astype(np.float32) for plane in (glance.luma, glance.cr, glance.cb))
        origin = np.array(box[:2], dtype=np.float64)
        start = np.array([blob.centre for blob in blobs]) - origin
        radius = np.array([blob.radius for blob in blobs])
        fitted = fit_outlines((planes[0], planes[1], planes[2]), np.sqrt(away), start, radius, rounds=2)
        near = np.linalg.norm(fitted.centre - start, axis=1) < NEAR * radius
        sharp = near & (fitted.support.mean(axis=1) > SHARP) & (fitted.fill > FILLED)
        centres = np.where(sharp[:, None], fitted.centre, start) + origin
        logp = self._colours(glance, bare, centres, radius)
        finds, doubtful = [], []
        for i, blob in enumerate(blobs):
            round_one = blob.kind is BlobKind.BALL
            least = LEAST_LOGP if sharp[i] or not self._closeup.learned.palette.classes else LEAST_UNSHARP_LOGP
            if logp[i].max() > least and (sharp[i] or round_one):
                length = 0.0 if sharp[i] else blob.length
                finds.append(
                    Find(
                        centre=centres[i],
                        radius=blob.radius,
                        logp=logp[i],
                        visible=1.0,
                        axis=blob.axis,
                        length=length,
                    )
                )
            else:
                doubtful.append(blob)
        return finds, doubtful

    def _colours(self, glance: Glance, bare: BareTable, centre: Array, radius: Array) -> Array:
        looks = see(
            (glance.luma, glance.cr, glance.cb),
            centre,
            radius,
            bare.luma_at(centre),
            scale=bare.scale,
            white_level=self._closeup.learned.palette.white_level,
        )
        return self._closeup.learned.palette.logp(looks)

    def _crowd(self, planes: Planes, glance: Glance, blob: Blob, expected: bool) -> "_Crowd":
        """The balls in a blob of several: as before where it looks as before, else its part is taken apart.

        Where no ball is expected that is put off until it stands still: most such things are hands.
        """
        u0, v0, u1, v1 = blob.box
        before = None
        for known in self._crowds:
            if np.abs(np.subtract(known.box, blob.box)).max() <= 1:
                left, top = known.box[0] - u0, known.box[1] - v0
                rows, columns = known.luma.shape
                now = glance.luma[v0 + top : v0 + top + rows, u0 + left : u0 + left + columns]
                if now.shape == known.luma.shape and _alike(now, known.luma):
                    before = known
        if before is not None and (before.read or not expected) and before.stood < STOOD:
            stood = before.stood + 1
            if before.read or stood < STOOD:
                return replace(before, stood=0 if before.read else stood)
        read = expected or (before is not None and before.stood + 1 >= STOOD)
        finds = self._inside(planes, blob) if read else []
        return _Crowd(box=blob.box, luma=glance.luma[v0:v1, u0:u1].copy(), finds=finds, read=read)

    def _inside(self, planes: Planes, blob: Blob) -> list[Find]:
        """The balls of a blob; its neighbours, that its surroundings show too, are left out."""
        u0, v0, u1, v1 = blob.box
        slack = INSIDE * blob.radius
        return [
            find
            for find in self._closeup.look_into(planes, blob.box, blob.radius)
            if u0 - slack <= find.centre[0] <= u1 + slack and v0 - slack <= find.centre[1] <= v1 + slack
        ]


def _alike(now: NDArray[np.uint8], before: NDArray[np.uint8]) -> bool:
    return bool((cv2.absdiff(now, before) > CROWD_CHANGE).sum() <= CROWD_PIXELS)
