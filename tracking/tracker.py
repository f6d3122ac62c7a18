"""The tracker: one track a ball, through collisions, misses, blind regions, repeated pictures and cuts."""

import math

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.tables import TableSpec
from tracking.field import Field
from tracking.geometry import Bed
from tracking.lifecycle import LifeCycle
from tracking.naming import kind_columns, kind_of
from tracking.roll import Roll
from tracking.seeking import Seeker
from tracking.sighting import Sightings
from tracking.tracks import BallState, Track, TrackedBall, TrackFrame
from tracking.updates import Updates
from vision.balls import CUE, BallSet
from vision.observations import Observations

UNLIKE_NATS = 5.0
"""A ball that looks by so much more like itself than like the cue ball isn't taken for it in any case."""

STRUCK_NATS = 12.0
"""In favour of the cue ball for a ball that was struck: nobody in thousands of strokes plays with another one."""

NOWHERE = (math.nan, math.nan)


class Tracker:
    """Tracks the balls of one set on one table; `step` takes the frames in order.

    ``camera``, where given, serves to give ``u, v`` of balls that weren't seen in a frame.
    """

    def __init__(self, table: TableSpec, ball_set: BallSet, *, camera: CameraModel | None = None) -> None:
        self.field = Field(bed=Bed(table), ball_set=ball_set)
        self.camera = camera
        updates = Updates(self.field)
        self._sightings = Sightings(self.field)
        self._seeker = Seeker(self.field, updates)
        self._life = LifeCycle(self.field, updates)
        self._roll = Roll(self.field)
        self._columns: NDArray[np.intp] | None = None

    @property
    def bed(self) -> Bed:
        return self.field.bed

    @property
    def tracks(self) -> list[Track]:
        return self.field.tracks

    @property
    def picture(self) -> int:
        """The number of the last picture, from 0; a repeated picture keeps its number, before the first it is -1."""
        return self.field.picture

    def step(self, observations: Observations) -> TrackFrame:
        """The balls after this frame. A repeated picture and a frame without the view bring nothing new."""
        field = self.field
        field.renamed = []
        field.dropped = False
        field.repeats.append(observations.repeat)
        if not observations.view:
            for track in field.tracks:
                track.seen = False
            return self._frame(observations)
        t_s = observations.stamp.t_s
        if field.picture >= 0 and (observations.repeat or self._sightings.stands(observations)):
            field.repeats[-1] = True
            return self._frame(observations)
        dt_s = max(t_s - field.picture_s, 1e-3) if field.picture >= 0 else 0.0
        field.picture += 1
        field.picture_s = t_s
        if field.picture == 0:
            field.start_s = t_s
        self._take_in(observations, dt_s)
        return self._frame(observations)

    def _take_in(self, observations: Observations, dt_s: float) -> None:
        """One new picture."""
        if self._columns is None:
            self._columns = kind_columns(self.field.ball_set, observations.identities)
        self.field.cover(observations.blind)
        shown = observations.xy_mm
        observations = self._sightings.single(observations)
        observations = self._sightings.whole(observations, observations.identity_logp[:, self._columns], dt_s)
        observations = self._sightings.humbled(observations)
        observations, hanging = self._sightings.hanging(observations)
        logp = observations.identity_logp[:, self._columns].copy()
        for row, track in enumerate(hanging, start=len(logp) - len(hanging)):
            # How it looks there isn't known: as it always does.
            logp[row] = track.logp + track.fit
        if self.field.picture:
            self._life.predict(dt_s)
        free = self._seeker.match(observations, logp, dt_s, shown)
        self._life.births(observations, logp, free, dt_s)
        self._life.grow_older(observations)
        self._roll.settle()

    def settle_names(self) -> None:
        """Settles names by the evidence of the whole shot; called when all balls lie still."""
        self._roll.settle_names()

    def take_for_cue_ball(self, name: str) -> bool:
        """Swaps the names of this ball, which was struck, and the cue ball; whether their looks allow for it."""
        struck = next(track for track in self.field.tracks if track.name == name)
        called = next((track for track in self.field.tracks if track.name == CUE), None)
        own, cue = kind_of(name, self.field.ball_set), kind_of(CUE, self.field.ball_set)
        # By how they look where they lie: what was joined to them at a burst may be another ball's past.
        looks = struck.tail_evidence()
        cost = float(looks[own] - looks[cue])
        if cost > UNLIKE_NATS:
            # The cue ball itself may have been lost from sight, and this be the ball that it hit.
            return False
        if called is not None:
            looks = called.tail_evidence()
            cost += float(looks[cue] - looks[own])
        if cost > STRUCK_NATS:
            return False
        for track in self.field.tracks:
            track.favour = None
        struck.favour = np.zeros(len(self.field.ball_set.kinds))
        struck.favour[cue] = STRUCK_NATS
        struck.name, struck.past = CUE, None
        if called is not None:
            called.name, called.past = name, None
        self.field.renamed.append((name, CUE))
        return True

    def bearer(self, key: int, picture: int) -> str | None:
        """The name of what the track ``key`` was at a picture, as known now."""
        return self._roll.bearer(key, picture)

    def _frame(self, obs: Observations) -> TrackFrame:
        named = [t for t in self.field.tracks if t.name is not None]
        unseen = [t for t in named if not t.seen]
        places: dict[int, tuple[float, float]] = {}
        if unseen and self.camera is not None and obs.view:
            xyz = np.array([[*t.xy, self.field.bed.radius] for t in unseen])
            uv = self.camera.project(xyz)
            places = {t.key: (float(u), float(v)) for t, (u, v) in zip(unseen, uv, strict=True)}
        balls = []
        for t in named:
            x, y = t.xy.tolist()
            vx = vy = 0.0
            sigma = 1.0
            if t.state in (BallState.MOVING, BallState.HIDDEN):
                _, _, vx, vy = t.mean.tolist()
                sigma = math.sqrt(max(t.cov[0, 0], t.cov[1, 1]))
            u, v = t.uv if t.seen else places.get(t.key, NOWHERE)
            balls.append(TrackedBall(t.key, t.name or "", x, y, vx, vy, sigma, t.state, t.seen, u, v))
        return TrackFrame(stamp=obs.stamp, balls=tuple(balls), view=obs.view, renamed=tuple(self.field.renamed))
