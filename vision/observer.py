"""The balls frame by frame: what rests is recognized by its pixels, what changes is looked at anew."""

from collections import deque
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.result import Calibration
from vision.balls import BallSet
from vision.blobs import Blob, BlobKind, beside_bodies, reaching_in, sort_blobs
from vision.closeup import Closeup, Find, sampled, scale_of
from vision.cloth import ClothModel, compare, gain_for, shrunk
from vision.dim import DimSeeker
from vision.faint import FaintSeeker
from vision.frames import Frame, Planes
from vision.geometry import Array, Box, Mask, Plane, TableView, table_view
from vision.glance import MARGIN, BareTable, Changes, Glance, look, shows_table
from vision.observations import Observations
from vision.placing import Placed, placed_balls
from vision.reading import BlobReader
from vision.resting import RestingSet, Seen, resting_ball
from vision.scene import LEAST_EVIDENCE, in_pocket
from vision.sizing import possible_sizes
from vision.stills import Ball, detect_balls

SMALL_RADIUS_PX = 5.0
INTACT_INNER, INTACT_RIM = 0.8, 0.7
HELD = 0.45
MOST_DOUBTS = 6
SAME_PLACE_PX = 0.35
FIRST_PLACE_PX = 0.9
SAME_BALL = 0.8
SAME_VIEW = 0.45
SETTLED_PX = 0.25
SETTLED_FRAMES = 4
CHANGED_LEVELS = 10
REPEAT_SHARE = 0.1
REPEAT_LEAST = 24
MOST_REPEATS = 2
NEAR = 0.8
BESET_PENALTY = 0.5
BLENDED, YOUNG = 0.12, 10
"""A cut is a blend if so much of the bed changes at once within so many pictures from the first."""

NEARBY, STREAK_WIDTH, STREAK_WAY = 3.0, 1.5, 2.5
TRAIL = 12


class Observer:
    """Watches the balls of one calibrated table through the frames of one video, in order."""

    def __init__(self, calibration: Calibration, ball_set: BallSet) -> None:
        self.calibration = calibration
        self.ball_set = ball_set
        self._small = table_view(calibration, radius_px=SMALL_RADIUS_PX, margin=MARGIN, halving=True)
        self._closeup = Closeup(calibration, ball_set, self._small)
        self._reader = BlobReader(self._closeup)
        self._region = _region(self._small)
        self._rim = _rim(self._region)
        self._dim = DimSeeker(self._small, ball_set.kinds, self._region, self._rim)
        self._faint = FaintSeeker(self._small, ball_set, self._region, self._rim, self._reader.sharp_ones)
        self._gain = 1.0
        self._bare: BareTable | None = None
        self._resting = RestingSet()
        self._finds: list[Find] = []
        self._luma: NDArray[np.uint8] | None = None
        self._counts: list[int] = []
        self._again = 0
        self._in_pockets: list[Array] = []
        self._trail: deque[list[Array]] = deque(maxlen=TRAIL)
        self._boxes: list[Box] = []
        self._changes = Changes(self._region * np.uint8(255))
        self._last: Observations | None = None
        self._rest_report: tuple[int, Placed] | None = None
        self._first: Array | None = None
        self._young = 0
        width = 2 * int(0.45 * float(np.median(self._small.radius_px[self._small.bed]))) + 1
        self._kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))

    def observe(self, frame: Frame) -> Observations:
        """What this frame shows; frames must come in the order of their stamps."""
        planes, glance = self._look(frame)
        if self._bare is None:
            if not self._begin(frame):
                return Observations.without_view(frame.stamp, self.ball_set.kinds)
            planes, glance = self._look(frame)
        assert self._bare is not None
        if self._bare.same_view(glance) < SAME_VIEW:
            self._luma, self._last = None, None
            self._finds = []
            self._changes.forget()
            self._dim.clear()
            return Observations.without_view(frame.stamp, self.ball_set.kinds)
        if self._young > 0:
            self._young -= 1
            # a picture that is blended over from another view showed the table's things too soon
            if self._changes.share(glance) > BLENDED:
                self._begin(frame)
                planes, glance = self._look(frame)
                self._finds = []
        if self._repeated(glance) and self._last is not None:
            return replace(self._last, stamp=frame.stamp, repeat=True)
        self._last = self._watch(frame, planes, glance)
        return self._last

    def first_balls(self, frame: Frame) -> list[Ball]:
        """The balls of ``frame``, the first that showed the table."""
        if possible_sizes(self.calibration):
            return detect_balls(frame.bgr, self.calibration, self.ball_set)
        return self._closeup.learned.balls

    # ------------------------------------------------------------------------------------------ the first look

    def _look(self, frame: Frame) -> tuple[Planes, Glance]:
        planes = frame.planes.lit_up(self._gain)
        return planes, look(planes, self._small)

    def _begin(self, frame: Frame) -> bool:
        """Take the whole picture apart once; False where it doesn't show the table."""
        whole = self._closeup.cloth_of(frame.planes)
        gain = gain_for(whole.model, self._closeup.full)
        planes = frame.planes.lit_up(gain)
        if gain > 1:
            whole = self._closeup.cloth_of(planes)
        cloth = shrunk(whole.model, self._closeup.full, self._small)
        away = compare(sampled(planes, self._small), cloth).distance()
        if not shows_table(away, 3.0 * cloth.chroma_sigma + 18.0, self._small):
            return False
        self._gain, glance = gain, look(planes, self._small)
        finds = self._closeup.first_look(whole)
        cover = self._covered(away, cloth, finds)
        self._bare = BareTable(glance, cover, cloth, self._small, scale_of(planes))
        self._resting.clear()
        self._changes.forget()
        # a blend changes far more than any motion
        self._luma, self._counts = None, []
        self._young = YOUNG
        self._first = np.array([find.score for find in finds])
        self._faint.know(glance, self._bare, finds)
        for find in finds:
            self._resting.add(resting_ball(find.centre, find.radius, find.logp, find.visible, glance))
        return True

    def _covered(self, away: Plane, cloth: ClothModel, finds: list[Find]) -> Mask:
        """Where the first picture shows balls or people on the bed, not the bare table."""
        differs = (away > 3.0 * cloth.chroma_sigma + 10.0).astype(np.uint8)
        near_balls = np.zeros(differs.shape, np.uint8)
        for find in finds:
            cv2.circle(near_balls, (round(find.centre[0]), round(find.centre[1])), round(2.2 * find.radius), 1, -1)
        bed = self._small.bed.astype(np.uint8)
        opened = cv2.morphologyEx(differs & bed, cv2.MORPH_OPEN, self._kernel)
        # with their shadows and soft edges
        people = cv2.dilate(opened, np.ones((11, 11), np.uint8)) > 0
        inside = cv2.erode(bed, np.ones((3, 3), np.uint8)) > 0
        return np.asarray((people & inside) | ((near_balls > 0) & (self._region > 0)))

    # ------------------------------------------------------------------------------------------ every frame

    def _repeated(self, glance: Glance) -> bool:
        """Whether this is the picture before, shown again, while something moved in the pictures before it."""
        before, self._luma = self._luma, glance.luma
        if before is None:
            self._counts = []
            return False
        changed = cv2.threshold(cv2.absdiff(glance.luma, before), CHANGED_LEVELS, 1, cv2.THRESH_BINARY)[1]
        count = cv2.countNonZero(changed)
        usual = _upper(self._counts) if len(self._counts) >= 3 else 0.0
        self._counts = [*self._counts[-5:], count]
        again = usual >= REPEAT_LEAST and count < REPEAT_SHARE * usual and self._again < MOST_REPEATS
        self._again = self._again + 1 if again else 0
        return again

    def _watch(self, frame: Frame, planes: Planes, glance: Glance) -> Observations:
        assert self._bare is not None
        box = self._box(self._changes.box(glance))
        visibility = np.ones(len(self._resting))
        finds: list[Find] = []
        blobs: list[Blob] = []
        left: list[Array] = []
        if box is not None:
            cut = (slice(box[1], box[3]), slice(box[0], box[2]))
            away = self._bare.away(glance, box)
            raw = (away > self._bare.limit**2).view(np.uint8) & self._region[cut]
            seen = self._resting.check(glance)
            intact = (seen.inner > INTACT_INNER) & (seen.rim > INTACT_RIM)
            intact |= self._outside(box, glance, intact)
            mask = raw & self._resting.outside(intact, self._small.shape)[cut]
            mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, self._kernel), np.uint8)
            radius_px, rim = self._small.radius_px[cut], self._rim[cut]
            blobs = sort_blobs(mask, away, radius_px, rim, box[:2])
            bodies = [blob for blob in blobs if blob.kind is BlobKind.BODY]
            if bodies:
                parts = beside_bodies(mask, away, radius_px, rim, box[:2], bodies)
                # what comes off a sleeve must have a ball's outline
                blobs += [replace(part, kind=BlobKind.CROWD) for part in parts if self._expected(part, intact)]
            finds, covers = self._reader.read(
                planes, glance, self._bare, blobs, away, box, lambda blob: self._expected(blob, intact)
            )
            kept, finds = self._hold(glance, seen, intact, finds, covers)
            if self._first is not None:
                # beyond the noses the first picture itself is all that is known of the table
                bed = self._small.bed[cut].astype(np.uint8)
                opened = np.asarray(cv2.morphologyEx(raw & bed, cv2.MORPH_OPEN, self._kernel), np.uint8)
                beset = self._resting.beset(reaching_in(opened, radius_px, _rim(bed)), box[:2])
                # what nothing reaches was settled by shape and colour together
                kept &= (beset == 0) | (self._first - BESET_PENALTY * beset > LEAST_EVIDENCE)
                self._first = None
            visibility = np.where(intact, 1.0, np.where(kept, seen.inner, 0.0))[kept]
            for ball in (self._resting.balls[i] for i in np.flatnonzero(~kept)):
                self._dim.lose(ball.centre, ball.radius, ball.logp)
                left.append(ball.centre)
            self._resting.keep(kept)
            finds += self._dim.seek(glance, self._bare, finds, self._resting.centres)
        else:
            covers = []
        self._boxes = [blob.box for blob in blobs]
        finds += self._faint.seek(glance, self._bare, finds, self._resting.balls, covers)
        finds, places = self._settle(planes, glance, finds)
        self._trail[-1].extend(left)
        if self._bare.due():
            free = self._region > 0
            if box is not None:
                free[cut] &= raw == 0
            free.reshape(-1)[self._resting.surroundings()] = False
            self._bare.learn(glance, free)
            for blob in covers:
                self._bare.heal(glance, blob.box, self._small.bed)
        self._changes.keep(glance, box)
        return self._report(frame, visibility, finds, places, covers)

    def _outside(self, box: Box, glance: Glance, intact: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Balls at rest where nothing changed of late; one that looks otherwise did so slowly, by the light."""
        u0, v0, u1, v1 = box
        (u, v), reach = self._resting.centres.T, 1.3 * self._resting.radii
        outside = ~((u0 - reach < u) & (u < u1 + reach) & (v0 - reach < v) & (v < v1 + reach))
        for i in np.flatnonzero(outside & ~intact):
            self._resting.refresh(int(i), glance)
        return np.asarray(outside, dtype=np.bool_)

    def _expected(self, part: Blob, intact: NDArray[np.bool_]) -> bool:
        """Whether a ball was seen hereabouts that is looked for: none comes out of a sleeve."""
        places = [place for frame in self._trail for place in frame]
        places += [ball.centre for ball, stays in zip(self._resting.balls, intact, strict=True) if not stays]
        if not places:
            return False
        u0, v0, u1, v1 = part.box
        points, reach = np.array(places), NEARBY * part.radius
        near = np.all((points > (u0 - reach, v0 - reach)) & (points < (u1 + reach, v1 + reach)), axis=1)
        if part.streak:
            # its blur says whence a ball came, and about how fast
            offset = points - part.centre
            beside = np.abs(offset[:, 0] * part.axis[1] - offset[:, 1] * part.axis[0])
            near |= (beside < STREAK_WIDTH * part.radius) & (
                np.abs(offset @ part.axis) < reach + STREAK_WAY * part.length
            )
        return bool(near.any())

    def _box(self, changed: Box | None) -> Box | None:
        """(u0, v0, u1, v1) about all that changed and all that moved before; None where there is nothing."""
        boxes = self._boxes if changed is None else [*self._boxes, changed]
        if not boxes:
            return None
        left, top, right, bottom = zip(*boxes, strict=True)
        pad = round(3 * SMALL_RADIUS_PX)
        rows, columns = self._small.shape
        return (
            max(min(left) - pad, 0),
            max(min(top) - pad, 0),
            min(max(right) + pad, columns),
            min(max(bottom) + pad, rows),
        )

    def _hold(
        self, glance: Glance, seen: Seen, intact: NDArray[np.bool_], finds: list[Find], covers: list[Blob]
    ) -> tuple[NDArray[np.bool_], list[Find]]:
        """Which balls at rest stay, and the finds that are none of them.

        One that doesn't look as before stays where a ball is found in its very place (the light has changed), and
        where enough of it looks as before while something covers it; else for a few frames only.
        """
        kept = intact.copy()
        free = np.ones(len(finds), dtype=bool)
        places = np.array([find.centre for find in finds]).reshape(-1, 2)
        if len(places) and intact.any():
            offset = places[:, None] - self._resting.centres[None, intact]
            apart = np.hypot(offset[..., 0], offset[..., 1])
            free &= (apart > SAME_BALL * self._resting.radii[intact]).all(axis=1)
        for i, ball in enumerate(self._resting.balls):
            if intact[i]:
                ball.doubts = 0
                continue
            gaps = np.linalg.norm(places - (ball.centre if ball.blob is None else ball.blob), axis=1)
            nearest = int(gaps.argmin()) if len(gaps) else -1
            reach = FIRST_PLACE_PX if ball.blob is None else SAME_PLACE_PX
            if nearest >= 0 and gaps[nearest] < reach and free[nearest]:
                free[nearest] = False
                kept[i] = True
                if ball.blob is None:
                    ball.blob = places[nearest].copy()
                self._resting.refresh(i, glance)
                ball.doubts = 0
                continue
            if nearest >= 0 and gaps[nearest] < 1.5 * ball.radius:
                continue
            covered = any(
                blob.box[0] - 2 <= ball.centre[0] <= blob.box[2] + 2
                and blob.box[1] - 2 <= ball.centre[1] <= blob.box[3] + 2
                for blob in covers
            )
            ball.doubts += 0 if covered else 1
            kept[i] = seen.inner[i] > HELD and ball.doubts <= MOST_DOUBTS
        return kept, [find for find, stays in zip(finds, free, strict=True) if stays]

    def _settle(self, planes: Planes, glance: Glance, finds: list[Find]) -> tuple[list[Find], Array]:
        """Count for how long each find has stood still, and take those that stand long enough for resting.

        What is left, and its places (n, 2) in mm.
        """
        before = self._finds
        moving: list[int] = []
        followed: list[Find] = []
        places = np.empty((0, 2))
        self._in_pockets = []
        if finds:
            centres = np.array([find.centre for find in finds])
            places = self._small.on_balls_plane(centres)
            in_pockets = in_pocket(places, self._small)
            if before:
                offset = centres[:, None] - np.array([find.centre for find in before])
                gaps = np.hypot(offset[..., 0], offset[..., 1])
                for find, nearest, gap in zip(finds, gaps.argmin(axis=1), gaps.min(axis=1), strict=True):
                    if gap < SETTLED_PX:
                        find.age = before[nearest].age + 1
        for i, find in enumerate(finds):
            fallen = in_pockets[i]
            if find.age >= SETTLED_FRAMES and not fallen:
                self._rest(planes, glance, find)
                continue
            followed.append(find)
            # what lies still in a pocket is out of play, or hangs over its edge
            if find.age < SETTLED_FRAMES:
                moving.append(i)
            else:
                self._in_pockets.append(places[i])
        self._finds = followed
        left = [finds[i] for i in moving]
        self._trail.append([find.centre for find in left])
        return left, places[moving]

    def _rest(self, planes: Planes, glance: Glance, find: Find) -> None:
        """Take a find for a ball at rest, measured once more at full size."""
        blob_centre = find.centre
        (u, v), reach = find.centre, find.radius
        for better in self._closeup.look_into(
            planes, (int(u - reach), int(v - reach), int(u + reach), int(v + reach)), reach
        ):
            if np.linalg.norm(better.centre - find.centre) < NEAR * find.radius:
                find = better
                break
        if len(self._resting) and np.hypot(*(self._resting.centres - find.centre).T).min() < SAME_BALL * find.radius:
            # two finds of one ball: there is only one in a place
            return
        ball = resting_ball(find.centre, find.radius, find.logp, find.visible, glance)
        ball.blob = blob_centre
        self._resting.add(ball)

    # ------------------------------------------------------------------------------------------ reporting

    def _report(
        self, frame: Frame, visibility: Array, finds: list[Find], places: Array, covers: list[Blob]
    ) -> Observations:
        """finds: what moves, and its places (n, 2) in mm."""
        placed = self._rest_placed()
        still = len(placed.xy_mm)
        seen = np.ones(still + len(finds))
        seen[: len(visibility)] = visibility
        if finds:
            placed = placed.and_(placed_balls(self._small, finds, places, len(self.ball_set.kinds)))
            seen[still:] = [find.visible for find in finds]
        return Observations(
            stamp=frame.stamp,
            identities=self.ball_set.kinds,
            xy_mm=placed.xy_mm,
            cov_mm2=placed.cov_mm2,
            uv_px=placed.uv_px,
            radius_px=placed.radius_px,
            identity_logp=placed.logp,
            visibility=seen,
            blind=self._hidden(covers),
            in_pockets_mm=np.array(self._in_pockets).reshape(-1, 2),
        )

    def _rest_placed(self) -> Placed:
        """The balls at rest; they stay where they are until one comes or goes."""
        if self._rest_report is None or self._rest_report[0] != self._resting.changes:
            balls, places = self._resting.balls, self._small.on_balls_plane(self._resting.centres)
            placed = placed_balls(self._small, balls, places, len(self.ball_set.kinds))
            self._rest_report = (self._resting.changes, placed)
        return self._rest_report[1]

    def _hidden(self, covers: list[Blob]) -> tuple[Array, ...]:
        """Polygons (m, 2) in mm of what the blobs cover."""
        corners = [cover.corners for cover in covers if len(cover.corners) >= 3]
        if not corners:
            return ()
        ends = np.cumsum([len(each) for each in corners])
        return tuple(np.split(self._small.on_balls_plane(np.concatenate(corners)), ends[:-1]))


def _upper(counts: list[int]) -> float:
    """The 70th percentile, linear between ranks."""
    ordered = sorted(counts)
    rank = 0.7 * (len(ordered) - 1)
    low = int(rank)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (rank - low)


def _region(view: TableView) -> NDArray[np.uint8]:
    """(h, w) 0 or 1: where a part of a ball can be seen."""
    reach = int(0.9 * float(np.median(view.radius_px[view.bed]))) * 2 + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    return np.asarray(cv2.dilate(view.allowed.astype(np.uint8), kernel), np.uint8)


def _rim(region: NDArray[np.uint8]) -> Mask:
    eroded = cv2.erode(region, np.ones((5, 5), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray((region > 0) & (eroded == 0))
