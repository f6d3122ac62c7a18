"""The life cycle of tracks: they move on, are born, come to rest, are hidden, drop, or are gone."""

import math
from itertools import pairwise

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

HUNG_GONE_S = 0.8
"""So long one that hung over a pocket's edge: it drops at once, and nobody sees it run."""

LOOKED_S = 0.5
"""So long a place that was covered must lie in the open again."""

DRAGGED_S = 1.0
"""A hand that takes a ball off the table is seen to move with it for no longer than this."""

RETURNED_S = 3.0
"""A ball that was in a pocket and is on the table again stays there longer than this."""

RUNS_MM, PASSED_DIAMETERS = 4.0, 2.0
"""A ball that gets farther than this between two pictures runs; so near to another one it may have hit it."""

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
                shown_s=obs.stamp.t_s,
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
        track.taken = False
        if track.state is BallState.AT_REST and self.field.blind(track.rest_xy):
            track.covered_s = self.field.picture_s
        if track.state is not BallState.MOVING:
            return
        mouth = self.field.bed.dropped(track.mean[:2])
        if mouth is not None:
            track.state, track.pocket = BallState.POCKETED, mouth.pocket
            self.field.dropped = True
            return
        if self._has_stopped(track):
            track.state = BallState.AT_REST
            track.found_anew = True
            recent = np.array(track.recent)
            still = recent[recent[:, 0] >= track.seen_s - REST_S - 1e-9]
            track.rest_xy = still[:, 1:].mean(axis=0)
            track.rest_n = len(still)
            track.still_since_s = float(still[0, 0])
            track.drift = 0

    def _has_stopped(self, track: Track) -> bool:
        """Whether the last places where it was seen lie together, and don't lead anywhere."""
        still = [look for look in track.recent if look[0] >= track.seen_s - REST_S - 1e-9]
        if len(still) < 4 or still[-1][0] - still[0][0] < 0.7 * REST_S:
            return False
        last = track.samples[-1]
        sigma = min(max(math.sqrt(max(last.xx, last.yy)), 0.3), 3.0)
        t, x, y = zip(*still, strict=True)
        if max(max(x) - min(x), max(y) - min(y)) > max(3.0, 4.5 * sigma):
            return False
        middle = sum(t) / len(t)
        t2 = sum((each - middle) ** 2 for each in t)
        slopes = (sum((each - middle) * place for each, place in zip(t, places, strict=True)) / t2 for places in (x, y))
        return math.hypot(*slopes) < max(REST_SPEED, 2.0 * sigma / math.sqrt(t2))

    def _may_be_nothing(self, track: Track) -> bool:
        """Whether what was taken for a ball that came to the table may be a hand, a sleeve or a piece of chalk.

        It showed itself for a moment only, and no ball has run into it.
        """
        if track.back_from is None:
            return False
        if track.seen_s - track.shown_s >= RETURNED_S:
            track.back_from = None
            return False
        return not self._may_have_been_hit(track, track.shown_s)

    def _may_have_been_hit(self, track: Track, since_s: float) -> bool:
        """Whether a ball that ran came near to where this track has been since then."""
        return any(self._passed(other, track, since_s) for other in self.field.tracks if other is not track)

    def _passed(self, other: Track, track: Track, since_s: float) -> bool:
        shown = np.array([(s.x, s.y) for s in track.samples if s.t_s >= since_s]).reshape(-1, 2)
        for one, next_one in pairwise(other.samples):
            if next_one.t_s < since_s or one.t_s > track.seen_s + GONE_S:
                continue
            way = float(np.hypot(next_one.x - one.x, next_one.y - one.y))
            near = PASSED_DIAMETERS * self.field.bed.diameter + way
            if way > RUNS_MM and np.any(np.hypot(*(shown - (next_one.x, next_one.y)).T) < near):
                return True
        return False

    def _unseen_life(self, track: Track, obs: Observations) -> None:
        unseen_s = self.field.picture_s - track.seen_s
        if track.state in ON_TABLE and self._may_be_nothing(track):
            if track.state is BallState.MOVING and track.misses >= 2:
                track.state = BallState.HIDDEN
            if not self._lies_open(track):
                track.covered_s = self.field.picture_s
            elif unseen_s > GONE_S and self.field.picture_s - track.covered_s > LOOKED_S:
                self._put_away(track)
            return
        if track.state is BallState.AT_REST:
            # A ball at rest that can't be seen is still there; in the open it was taken away sooner or later.
            mouth = self.field.bed.hanging_over(track.rest_xy)
            if self.field.blind(track.rest_xy):
                track.covered_s = self.field.picture_s
            elif mouth is not None and unseen_s > HUNG_GONE_S and not track.was_covered:
                track.state, track.pocket = BallState.POCKETED, mouth.pocket
                self.field.dropped = True
            elif unseen_s > GONE_S and self.field.picture_s - track.covered_s > LOOKED_S:
                track.state = BallState.GONE
                track.taken = track.found_anew and track.was_covered
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
                # A ball that moved from under a hand was moved by it.
                since_s = track.seen_s - DRAGGED_S
                covered = track.found_anew and track.covered_s > since_s and self._lies_open(track)
                track.taken = covered and not self._may_have_been_hit(track, since_s)

    def _lies_open(self, track: Track) -> bool:
        """Whether nothing covers the places where a track lay and was seen last."""
        places = [track.xy, track.rest_xy, *(np.array([s.x, s.y]) for s in track.samples[-1:])]
        return not any(self.field.blind(place) for place in places)

    def _put_away(self, track: Track) -> None:
        """It was no ball: one whose name it bore is off the table as before."""
        if track.back_from is BallState.GONE:
            track.name, track.back_from, track.state = None, None, BallState.GONE
            return
        track.state, track.back_from = BallState.POCKETED, None
        track.samples = [sample for sample in track.samples if sample.t_s < track.shown_s]
        track.breaks = [at for at in track.breaks if at.back_s < track.shown_s]
        track.seen_s = track.samples[-1].t_s if track.samples else track.born_s

    def _headed(self, track: Track) -> Mouth | None:
        """The pocket into which the last known path leads within the way that it would have gone by now."""
        if not track.samples:
            return None
        last = track.samples[-1]
        reach = track.speed * (self.field.picture_s - last.t_s) + self.field.bed.radius
        found = self.field.bed.into_mouth(np.array([last.x, last.y]), track.mean[2:], reach)
        return found[0] if found else None
