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
from vision.places import fit_places

CROWD_CHANGE, CROWD_PIXELS = 16, 2
SHARP = 0.5
NEAR = 0.8
FILLED = 0.8
STOOD = 3
FOLLOWED_MOST = 8
"""So many frames balls of a crowd are followed by their outlines until all of it is looked at once more."""

SAME_SIDES, SAME_AREA = 3, 0.35
"""A crowd is the one before if its sides are as long within so many px, its area within so much of a ball's disc."""

FOLLOWED_SHIFT, SLOW_SHIFT, FOLLOWED_REACH = 2.0, 0.3, 0.4
FOLLOWED_SUPPORT, FOLLOWED_LOSS, FOLLOWED_CONTRAST = 0.33, 0.12, 0.2
APART = 1.7
FRUITLESS_MOST, FRUITLESS_SLACK = 5, 2
STREAK_SHIFT, STREAK_SLACK = 14.0, 2
LEAST_LOGP = -9.0
LEAST_UNSHARP_LOGP = 0.0

Expected = Callable[[Blob], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Crowd:
    """A blob not like a ball: its box and luma, and the balls found in it if ``read``; else for how long it stood.

    support and contrast: (n,) of its balls' outlines when all of it was looked at. followed: for how many frames it
    has not been looked at as a whole though it changed.
    """

    blob: Blob
    box: Box
    luma: NDArray[np.uint8]
    finds: list[Find]
    read: bool
    stood: int = 0
    support: Array | None = None
    contrast: Array | None = None
    followed: int = 0


class BlobReader:
    """Reads the blobs of one frame after the other; crowds that stay as they were are not read again."""

    def __init__(self, closeup: Closeup) -> None:
        self._closeup = closeup
        self._crowds: list[_Crowd] = []
        self._open: list[_Crowd] = []
        """Those of the frame before that no blob of this frame has followed yet."""

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
        self._open = list(self._crowds)
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

    def sharp_ones(self, glance: Glance, blobs: list[Blob], bare: BareTable, away: Plane, box: Box) -> list[Find]:
        """The blobs that have a ball's sharp outline. away: of the box, squared."""
        finds, _ = self._singles(glance, [replace(blob, kind=BlobKind.CROWD) for blob in blobs], bare, away, box)
        return finds

    def _singles(
        self, glance: Glance, blobs: list[Blob], bare: BareTable, away: Plane, box: Box
    ) -> tuple[list[Find], list[Blob]]:
        """Each blob as one ball, centred by its outline where that is sharp, for a shadow draws the weight off.

        Blobs that are not round and have no sharp outline of a ball either come back as doubtful.
        """
        if not blobs:
            return [], []
        start = np.array([blob.centre for blob in blobs])
        radius = np.array([blob.radius for blob in blobs])
        cut = (slice(box[1], box[3]), slice(box[0], box[2]))
        fitted = fit_places((glance.luma[cut], glance.cr[cut], glance.cb[cut]), away, start - box[:2], radius, rounds=2)
        found = fitted.centre + box[:2]
        apart = found - start
        near = np.hypot(apart[:, 0], apart[:, 1]) < NEAR * radius
        sharp = near & (fitted.support > SHARP) & (fitted.fill > FILLED)
        centres = np.where(sharp[:, None], found, start)
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
            numbered="8" in self._closeup.ball_set.counts,
            towards=self._closeup.towards,
            of_white=self._closeup.learned.palette.of_white,
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
        luma = glance.luma[v0:v1, u0:u1].copy()
        if before is None and expected:
            followed = self._follow(planes, blob, luma)
            if followed is not None:
                return followed
        read = expected or (before is not None and before.stood + 1 >= STOOD)
        finds = self._closeup.look_into(planes, blob.box, blob.radius) if read else []
        return _Crowd(blob=blob, box=blob.box, luma=luma, finds=finds, read=read)

    def _follow(self, planes: Planes, blob: Blob, luma: NDArray[np.uint8]) -> "_Crowd | None":
        """A crowd that has moved or changed a little, with its balls' outlines fitted anew; None where that fails."""
        known = next((crowd for crowd in self._open if crowd.read and _follows(blob, crowd)), None)
        if known is None:
            return self._follow_streak(blob, luma)
        if not known.finds:
            if known.followed >= FRUITLESS_MOST:
                return None
            return replace(known, blob=blob, box=blob.box, luma=luma, followed=known.followed + 1, stood=0)
        if known.followed >= FOLLOWED_MOST:
            return None
        shift = blob.centre - known.blob.centre
        # balls of several that run go each their own way
        if len(known.finds) > 1 and np.abs(shift).max() > SLOW_SHIFT * blob.radius:
            return None
        if known.support is None:
            # the first time its outlines are not measured yet
            support, contrast = np.full(len(known.finds), FOLLOWED_SUPPORT), None
        else:
            support, contrast = known.support, known.contrast
        centres, now, levels = self._closeup.follow(planes, known.finds, shift)
        start = np.array([find.centre for find in known.finds]) + shift
        radius = np.array([find.radius for find in known.finds])
        kept = (np.linalg.norm(centres - start, axis=1) < FOLLOWED_REACH * radius) & (now > FOLLOWED_SUPPORT)
        kept &= now > support - FOLLOWED_LOSS
        if contrast is not None:
            kept &= np.abs(levels - contrast) < FOLLOWED_CONTRAST * contrast
        gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2) + np.diag(4 * radius)
        if not kept.all() or (gaps < APART * radius).any():
            return None
        finds = [replace(find, centre=centre) for find, centre in zip(known.finds, centres, strict=True)]
        return replace(
            known,
            blob=blob,
            box=blob.box,
            luma=luma,
            finds=finds,
            followed=known.followed + 1,
            support=now if known.support is None else support,
            contrast=levels if contrast is None else contrast,
            stood=0,
        )

    def _follow_streak(self, blob: Blob, luma: NDArray[np.uint8]) -> "_Crowd | None":
        """The streak of a single ball that runs on; None where no such streak was near."""
        if not blob.streak:
            return None
        for known in sorted(self._open, key=lambda crowd: float(np.abs(crowd.blob.centre - blob.centre).max())):
            alone = known.read and known.blob.streak and len(known.finds) == 1
            if alone and known.followed < FOLLOWED_MOST and _follows(blob, known, STREAK_SHIFT, STREAK_SLACK):
                self._open = [crowd for crowd in self._open if crowd is not known]
                find = replace(known.finds[0], centre=blob.centre, axis=blob.axis, length=blob.length)
                return replace(
                    known,
                    blob=blob,
                    box=blob.box,
                    luma=luma,
                    finds=[find],
                    followed=known.followed + 1,
                    stood=0,
                )
        return None


def _alike(now: NDArray[np.uint8], before: NDArray[np.uint8]) -> bool:
    return bool((cv2.absdiff(now, before) > CROWD_CHANGE).sum() <= CROWD_PIXELS)


def _follows(blob: Blob, crowd: _Crowd, reach: float = FOLLOWED_SHIFT, slack: int = 1) -> bool:
    """Whether a blob is that of a crowd of the frame before, moved by no more than ``reach`` radii.

    slack: how many times more than usual it may have changed; more where no ball was found in it.
    """
    before = crowd.blob
    if not crowd.finds:
        slack = FRUITLESS_SLACK
    gap = max(abs(float(blob.centre[0] - before.centre[0])), abs(float(blob.centre[1] - before.centre[1])))
    (u0, v0, u1, v1), (p0, q0, p1, q1) = blob.box, before.box
    sides = max(abs(u1 - u0 - p1 + p0), abs(v1 - v0 - q1 + q0))
    area = abs(blob.area - before.area) / (np.pi * blob.radius**2)
    return bool(gap < reach * blob.radius and sides <= slack * SAME_SIDES and area < slack * SAME_AREA)
