"""The life cycle of tracks: they move on, are born, come to rest, are hidden, drop, or are gone."""

import numpy as np
from numpy.typing import NDArray

from tracking import filters
from tracking.field import Field
from tracking.geometry import Mouth
from tracking.seeking import RETURN_S, STRIKE_SPEED
from tracking.tracks import ON_TABLE, BallState, Track
from tracking.updates import Updates
from vision.observations import Observations

Array = NDArray[np.float64]

GONE_S = 1.5
"""So long a ball at rest may be missing in the open before it counts as taken away."""

NEAR_DROP = 0.6
"""A ball in a pocket is seen through the opening: so far on the way to the drop edge it may seem to lie."""

REST_S, REST_SPEED = 0.3, 14.0


class LifeCycle:
    """Moves tracks on, starts new ones, and tells what became of each."""

    def __init__(self, field: Field, updates: Updates) -> None:
        self.field, self.updates = field, updates

    def predict(self, dt_s: float) -> None:
        moving = [track for track in self.field.tracks if track.state not in (BallState.AT_REST, BallState.POCKETED)]
        moving = [track for track in moving if self.field.picture_s - track.seen_s < RETURN_S]
        if not moving:
            return
        batch = filters.BallFilters(np.array([t.mean for t in moving]), np.array([t.cov for t in moving]))
        batch.predict(dt_s)
        for track, mean, cov in zip(moving, batch.states, batch.covariances, strict=True):
            track.mean, track.cov = mean, cov
            if not track.seen:
                self._reflect(track)

    def _reflect(self, track: Track) -> None:
        """A ball that isn't seen is thought to come off the cushion that it would run into."""
        if self.field.bed.mouth_at(track.mean[:2], self.field.bed.radius) is not None:
            return
        low = self.field.bed.radius
        for axis, high in ((0, self.field.bed.width - low), (1, self.field.bed.length - low)):
            position = track.mean[axis]
            beyond = low - position if position < low else position - high if position > high else 0.0
            if beyond > 0.0:
                track.mean[axis] = position + (2 * beyond if position < low else -2 * beyond)
                track.mean[axis + 2] *= -0.7
                track.cov = track.cov * 2.0

    def births(self, obs: Observations, logp: Array, free: NDArray[np.bool_], dt_s: float) -> None:
        """What is left over may be a ball that nobody has seen yet, or one that comes back."""
        for j in np.nonzero(free)[0]:
            xy = obs.xy_mm[j]
            if not self.field.bed.inside(xy, margin_mm=self.field.bed.radius) and self.field.bed.mouth_at(xy) is None:
                continue
            if self._lies_in_pocket(xy):
                continue
            if self._is_ghost(xy, logp[j], dt_s):
                continue
            track = Track(
                key=self.field.next_key,
                mean=np.array([*xy, 0.0, 0.0]),
                cov=np.diag([obs.cov_mm2[j, 0, 0], obs.cov_mm2[j, 1, 1], 200.0**2, 200.0**2]),
                logp=np.zeros(len(self.field.ball_set.kinds)),
                born_s=obs.stamp.t_s,
                rest_xy=xy.copy(),
                rest_n=1,
                still_since_s=obs.stamp.t_s,
                hits=0,
                seen_s=obs.stamp.t_s,
            )
            self.field.next_key += 1
            self.updates.sample(track, int(j), obs, logp)
            self.field.tracks.append(track)

    def _lies_in_pocket(self, xy: Array) -> bool:
        """Whether what turns up here lies in a pocket: past the drop edge, or near it where a ball has dropped."""
        mouth = self.field.bed.mouth_at(xy)
        if mouth is None:
            return False
        depth = float(mouth.depth_mm(xy))
        if depth > mouth.drop_mm:
            return True
        dropped = any(t.state is BallState.POCKETED and t.pocket == mouth.pocket for t in self.field.tracks)
        return dropped and depth > NEAR_DROP * mouth.drop_mm

    def _is_ghost(self, xy: Array, look: Array, dt_s: float) -> bool:
        """Whether this is a second image of a ball that is tracked already: split by blur, or of a blended picture."""
        kind = int(look.argmax())
        for track in self.field.tracks:
            if not track.seen or track.state not in ON_TABLE:
                continue
            away = float(np.hypot(*(track.xy - xy)))
            if away < 0.6 * self.field.bed.diameter:
                return True
            single = self.field.ball_set.counts[self.field.ball_set.kinds[kind]] == 1
            if single and int(track.logp.argmax()) == kind and self.field.is_cue(track):
                return away < 1.5 * self.field.bed.diameter + STRIKE_SPEED * dt_s
            if single and track.state is BallState.MOVING and int(track.logp.argmax()) == kind:
                return away < 1.5 * self.field.bed.diameter + 1.5 * track.speed * dt_s
        return False

    def grow_older(self, obs: Observations) -> None:
        for track in self.field.tracks:
            if track.seen:
                self._seen_life(track)
            else:
                track.misses += 1
                self._unseen_life(track, obs)
        self.field.tracks = [
            t for t in self.field.tracks if t.name or t.origin or not (t.misses > 6 or self._double(t))
        ]

    def _double(self, track: Track) -> bool:
        """Whether an unnamed track lies on another one that is older or has a name."""
        return any(
            other is not track
            and other.state in ON_TABLE
            and (other.name is not None or other.key < track.key)
            and np.hypot(*(other.xy - track.xy)) < 0.4 * self.field.bed.diameter
            and (other.seen or not track.seen)
            for other in self.field.tracks
        )

    def _seen_life(self, track: Track) -> None:
        if track.state is not BallState.MOVING:
            return
        mouth = self.field.bed.dropped(track.mean[:2])
        if mouth is not None:
            track.state, track.pocket = BallState.POCKETED, mouth.pocket
            return
        if self._has_stopped(track):
            track.state = BallState.AT_REST
            recent = np.array(track.recent)
            still = recent[recent[:, 0] >= track.seen_s - REST_S - 1e-9]
            track.rest_xy = still[:, 1:].mean(axis=0)
            track.rest_n = len(still)
            track.still_since_s = float(still[0, 0])
            track.drift = 0

    def _has_stopped(self, track: Track) -> bool:
        recent = np.array(track.recent)
        still = recent[recent[:, 0] >= track.seen_s - REST_S - 1e-9]
        if len(still) < 4 or still[-1, 0] - still[0, 0] < 0.7 * REST_S:
            return False
        last = track.samples[-1]
        sigma = float(np.clip(np.sqrt(max(last.xx, last.yy)), 0.3, 3.0))
        spread = float(np.ptp(still[:, 1:], axis=0).max())
        if spread > max(3.0, 4.5 * sigma):
            return False
        t = still[:, 0] - still[:, 0].mean()
        slope = (t @ still[:, 1:]) / (t @ t)
        slope_sigma = sigma / float(np.sqrt(t @ t))
        return float(np.hypot(*slope)) < max(REST_SPEED, 2.0 * slope_sigma)

    def _unseen_life(self, track: Track, obs: Observations) -> None:
        unseen_s = self.field.picture_s - track.seen_s
        if track.state is BallState.AT_REST:
            # A ball at rest that can't be seen is still there; in the open it was taken away sooner or later.
            if unseen_s > GONE_S and not self.field.blind(track.rest_xy):
                track.state = BallState.GONE
                track.mean = np.array([*track.rest_xy, 0.0, 0.0])
            return
        if track.state in (BallState.MOVING, BallState.HIDDEN):
            mouth = self.field.bed.between_jaws(track.mean[:2])
            if mouth is None and track.misses >= 2:
                mouth = self._headed(track)
            if mouth is not None and track.misses >= 2:
                track.state, track.pocket = BallState.POCKETED, mouth.pocket
            elif track.misses >= 2:
                track.state = BallState.HIDDEN
        if track.state is BallState.HIDDEN and unseen_s > RETURN_S:
            track.mean[2:] = 0.0
            if unseen_s > 4.0 and not self.field.blind(track.mean[:2]):
                track.state = BallState.GONE

    def _headed(self, track: Track) -> Mouth | None:
        """The pocket into which the last known path leads within the way that it would have gone by now."""
        if not track.samples:
            return None
        last = track.samples[-1]
        reach = track.speed * (self.field.picture_s - last.t_s) + self.field.bed.radius
        found = self.field.bed.into_mouth(np.array([last.x, last.y]), track.mean[2:], reach)
        return found[0] if found else None
