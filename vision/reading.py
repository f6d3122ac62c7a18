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

FOLLOWED_SHIFT, SLOW_SHIFT, FOLLOWED_REACH, LONGEST_STEP = 2.0, 0.3, 0.4, 2.0
FOLLOWED_SUPPORT, FOLLOWED_LOSS, FOLLOWED_CONTRAST = 0.33, 0.12, 0.2
APART = 1.7
SAME_THING = 0.5
"""A blob is the thing that was in the frame before if their boxes share so much of the larger one."""

PAUSES, STANDING_PAUSES = (1, 2, 4), (6, 12, 24)
"""So many frames a thing is left alone after it was looked at once, twice and more often in vain, where a ball is
expected, and where it is looked at only because it stands still.
"""
FRUITLESS_MOST, FRUITLESS_SLACK = 5, 2
STREAK_SHIFT, STREAK_SLACK = 14.0, 2
LEAST_LOGP = -9.0
LEAST_UNSHARP_LOGP = 0.0

Expected = Callable[[Blob], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Crowd:
    """A blob: its box and luma, and the balls found in it if ``read``; else for how long it stood.

    support and contrast: (n,) of its balls' outlines when all of it was looked at. followed: for how many frames it
    has not been looked at as a whole though it changed. steps: (n, 2) by how much its balls moved since the frame
    before, where that is known. expected: whether a ball was, near it. vain: how often it was
    looked at in vain, one time after the other; pause: for how many frames it is left alone.
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
    steps: Array | None = None
    expected: bool = False
    vain: int = 0
    pause: int = 0


class BlobReader:
    """Reads the blobs of one frame after the other; crowds that stay as they were are not read again."""

    def __init__(self, closeup: Closeup) -> None:
        self._closeup = closeup
        self._crowds: list[_Crowd] = []
        self._open: list[_Crowd] = []
        """Those of the frame before that no blob of this frame has followed yet."""

        self._before: list[Find] = []
        """All balls of the frame before."""

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
        alone = self._singles(glance, singles, bare, away, box)
        known: list[_Crowd] = []
        finds = [find for find in alone if find is not None]
        self._open = list(self._crowds)
        for blob in [blob for blob, find in zip(singles, alone, strict=True) if find is None] + crowds:
            wanted = expected(blob)
            crowd = self._crowd(planes, glance, blob, wanted)
            known.append(crowd)
            found = [replace(find) for find in crowd.finds]
            if not found and blob.streak and wanted:
                ball = self._singles(glance, [replace(blob, kind=BlobKind.BALL)], bare, away, box)[0]
                found = [] if ball is None else [ball]
            elif not found:
                covers.append(blob)
            finds += found
        for blob, find in zip(singles, alone, strict=True):
            if find is not None:
                # in the next frame it may not look like a single ball any more
                known.append(_Crowd(blob=blob, box=blob.box, luma=_cut(glance, blob), finds=[find], read=True))
        self._crowds = known
        self._before = finds
        return finds, covers

    def sharp_ones(self, glance: Glance, blobs: list[Blob], bare: BareTable, away: Plane, box: Box) -> list[Find]:
        """The blobs that have a ball's sharp outline. away: of the box, squared."""
        found = self._singles(glance, [replace(blob, kind=BlobKind.CROWD) for blob in blobs], bare, away, box)
        return [find for find in found if find is not None]

    def _singles(self, glance: Glance, blobs: list[Blob], bare: BareTable, away: Plane, box: Box) -> list[Find | None]:
        """Each blob as one ball, centred by its outline where that is sharp, for a shadow draws the weight off.

        None for blobs that are not round and have no sharp outline of a ball either.
        """
        if not blobs:
            return []
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
        finds: list[Find | None] = []
        for i, blob in enumerate(blobs):
            round_one = blob.kind is BlobKind.BALL
            least = LEAST_LOGP if sharp[i] or not self._closeup.learned.palette.classes else LEAST_UNSHARP_LOGP
            ball = logp[i].max() > least and (sharp[i] or round_one)
            finds.append(
                Find(
                    centre=centres[i],
                    radius=blob.radius,
                    logp=logp[i],
                    visible=1.0,
                    axis=blob.axis,
                    length=0.0 if sharp[i] else blob.length,
                )
                if ball
                else None
            )
        return finds

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
        u0, v0 = blob.box[:2]
        before = None
        for known in self._crowds:
            if all(abs(old - new) <= 1 for old, new in zip(known.box, blob.box, strict=True)):
                left, top = known.box[0] - u0, known.box[1] - v0
                rows, columns = known.luma.shape
                now = glance.luma[v0 + top : v0 + top + rows, u0 + left : u0 + left + columns]
                if now.shape == known.luma.shape and _alike(now, known.luma):
                    before = known
        if before is not None and (before.read or not expected) and before.stood < STOOD:
            stood = before.stood + 1
            if before.read or stood < STOOD:
                return replace(before, stood=0 if before.read else stood)
        luma = _cut(glance, blob)
        if before is None and expected:
            followed = self._follow(planes, blob, luma)
            if followed is not None:
                return followed
        due = expected or (before is not None and before.stood + 1 >= STOOD)
        vain, pause = self._looked_at_in_vain(blob, expected)
        if not due or pause:
            # what stood still goes on to do so
            stood = STOOD - 1 if due and not expected else 0
            return _Crowd(
                blob=blob,
                box=blob.box,
                luma=luma,
                finds=[],
                read=False,
                stood=stood,
                expected=expected,
                vain=vain,
                pause=max(pause - 1, 0),
            )
        finds = self._closeup.look_into(planes, blob.box, blob.radius)
        pauses = PAUSES if expected else STANDING_PAUSES
        return _Crowd(
            blob=blob,
            box=blob.box,
            luma=luma,
            finds=finds,
            read=True,
            steps=self._steps(finds),
            expected=expected,
            vain=0 if finds else vain + 1,
            pause=0 if finds else pauses[min(vain, len(pauses) - 1)],
        )

    def _steps(self, finds: list[Find]) -> Array | None:
        """(n, 2) by how much the balls moved since the frame before; None where it isn't plain which is which."""
        if len(finds) < 2 or len(self._before) < len(finds):
            return None
        centres, before = (np.array([find.centre for find in each]) for each in (finds, self._before))
        apart = centres[:, None] - before
        gaps = np.hypot(apart[..., 0], apart[..., 1])
        nearest = gaps.argmin(axis=1)
        rows = np.arange(len(finds))
        if len(set(nearest.tolist())) < len(finds) or gaps[rows, nearest].max() > LONGEST_STEP * finds[0].radius:
            return None
        return np.asarray(apart[rows, nearest], dtype=np.float64)

    def _looked_at_in_vain(self, blob: Blob, expected: bool) -> tuple[int, int]:
        """How often the thing of a blob was looked at in vain for this reason, and for how long it is left alone."""
        for crowd in self._crowds:
            if crowd.vain and crowd.expected == expected and _share(crowd.box, blob.box) > SAME_THING:
                return crowd.vain, crowd.pause
        return 0, 0

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
        if len(known.finds) > 1 and known.steps is not None:
            # balls of several that run go each their own way
            shift = known.steps
        elif len(known.finds) > 1 and np.abs(shift).max() > SLOW_SHIFT * blob.radius:
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
        steps = centres - np.array([find.centre for find in known.finds])
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
            steps=steps,
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


def _cut(glance: Glance, blob: Blob) -> NDArray[np.uint8]:
    u0, v0, u1, v1 = blob.box
    return glance.luma[v0:v1, u0:u1].copy()


def _share(box: Box, other: Box) -> float:
    """How much of the larger of two boxes lies in both."""
    wide = min(box[2], other[2]) - max(box[0], other[0])
    high = min(box[3], other[3]) - max(box[1], other[1])
    sizes = ((each[2] - each[0]) * (each[3] - each[1]) for each in (box, other))
    return max(wide, 0) * max(high, 0) / max(sizes)


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
