"""The tracker: one track a ball, through collisions, misses, blind regions, repeated pictures and cuts."""

from collections import deque
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.tables import TableSpec
from tracking import filters
from tracking.association import Candidates, associate
from tracking.geometry import Bed, Mouth, polygon_distance
from tracking.naming import LATE_STRANGER_COST, best_names, kind_columns, kind_of
from tracking.tracks import ON_TABLE, BallState, Break, Sample, Track, TrackedBall, TrackFrame
from vision.balls import CUE, BallSet
from vision.observations import Observations

Array = NDArray[np.float64]

STRIKE_SPEED = 9000.0
"""Fastest a cue ball leaves the tip, mm/s: a hard break shot."""

RETURN_S = 1.2
"""So long a moving ball that was lost sight of is looked for within its reach; later it must show itself first."""

GONE_S = 1.5
MISSING_LONG_S = 5.0
"""So long a ball at rest may be missing in the open before it counts as taken away."""

CONFIRM_HITS, LATE_REST_HITS = 3, 14
DOUBTFUL = 0.5
FOUND_SPEED = 6000.0
ELSEWHERE_LOGP = 7.0
SETTLE_PICTURES = 10
"""Pictures after the start in which names are still settled."""

FAST = 300.0
PARTLY_HIDDEN = 0.5
"""Error of the centre of a ball of which nothing but a sliver shows, in radii."""

REST_S = 0.3
REST_SPEED = 14.0
BEAT_SIGMA_S = 0.012
"""1 sigma of a picture's time where pictures are repeated to fill another rate."""


class Tracker:
    """Tracks the balls of one set on one table; `step` takes the frames in order.

    ``camera``, where given, serves to give ``u, v`` of balls that weren't seen in a frame.
    """

    def __init__(self, table: TableSpec, ball_set: BallSet, *, camera: CameraModel | None = None) -> None:
        self.bed = Bed(table)
        self.ball_set = ball_set
        self.camera = camera
        self.tracks: list[Track] = []
        self.picture = -1
        """Counts pictures, not frames: a repeated picture keeps its number."""
        self.picture_s = 0.0
        self._columns: NDArray[np.intp] | None = None
        self._next_key = 0
        self._repeats: deque[bool] = deque(maxlen=18)
        self._start_s = 0.0
        self._renamed: list[tuple[str, str]] = []

    # ------------------------------------------------------------------------------------------ one frame

    def step(self, observations: Observations) -> TrackFrame:
        """The balls after this frame. A repeated picture and a frame without the view bring nothing new."""
        self._renamed = []
        self._repeats.append(observations.repeat)
        if not observations.view:
            for track in self.tracks:
                track.seen = False
            return self._frame(observations)
        t_s = observations.stamp.t_s
        if self.picture >= 0 and (observations.repeat or self._stands(observations)):
            self._repeats[-1] = True
            return self._frame(observations)
        dt_s = max(t_s - self.picture_s, 1e-3) if self.picture >= 0 else 0.0
        self.picture += 1
        self.picture_s = t_s
        if self.picture == 0:
            self._start_s = t_s
        if self._columns is None:
            self._columns = kind_columns(self.ball_set, observations.identities)
        observations = self._whole(observations, dt_s)
        observations = self._humbled(observations)
        logp = observations.identity_logp[:, self._columns].copy()
        if self.picture:
            self._predict(dt_s)
        free = self._match(observations, logp, dt_s)
        self._births(observations, logp, free, dt_s)
        self._life(observations)
        self._name()
        return self._frame(observations)

    def _humbled(self, obs: Observations) -> Observations:
        """Centres of balls that are hidden in part are less sure: the outline is fitted to what is left of it."""
        hidden = np.clip(1.0 - obs.visibility, 0.0, 1.0) * PARTLY_HIDDEN * self.bed.radius
        if not np.any(hidden > 0.5):
            return obs
        return replace(obs, cov_mm2=obs.cov_mm2 + hidden[:, None, None] ** 2 * np.eye(2))

    def _stands(self, obs: Observations) -> bool:
        """Whether all that moves fast is seen just where it was: the picture before, though it wasn't marked so."""
        if len(self._repeats) > 2 and self._repeats[-2] and self._repeats[-3]:
            return False
        dt_s = obs.stamp.t_s - self.picture_s
        fast = [t for t in self.tracks if t.state is BallState.MOVING and t.seen and t.speed > FAST]
        for track in fast:
            last = track.samples[-1]
            sigma = float(np.sqrt(max(last.xx, last.yy)))
            limit = float(np.clip(0.5 * sigma, 0.8, 2.0))
            if track.speed * dt_s < 5 * limit or not len(obs):
                return False
            if np.hypot(*(obs.xy_mm - (last.x, last.y)).T).min() > limit:
                return False
        return bool(fast)

    def _whole(self, obs: Observations, dt_s: float) -> Observations:
        """Joins two images of one ball, split by blur or by a picture blended of two: there is one cue ball."""
        assert self._columns is not None
        best = obs.identity_logp[:, self._columns].argmax(axis=1) if len(obs) else np.empty(0, dtype=np.intp)
        keep = np.ones(len(obs), dtype=bool)
        xy, uv, cov = obs.xy_mm, obs.uv_px, obs.cov_mm2
        homes = np.array([t.rest_xy for t in self.tracks if t.state is BallState.AT_REST]).reshape(-1, 2)
        for k, kind in enumerate(self.ball_set.kinds):
            rows = np.nonzero(best == k)[0]
            if self.ball_set.counts[kind] != 1 or len(rows) < 2:
                continue
            if len(homes):
                away = np.hypot(*np.moveaxis(xy[rows][:, None] - homes[None], 2, 0)).min(axis=1)
                rows = rows[away > 0.2 * self.bed.diameter]
            if len(rows) != 2:
                continue
            a, b = rows
            apart = xy[a] - xy[b]
            if not 0.3 * self.bed.diameter < np.hypot(*apart) < 2.5 * self.bed.diameter + 500.0 * dt_s:
                continue
            if self._left_home((xy[a] + xy[b]) / 2, homes, obs.xy_mm):
                continue
            if xy is obs.xy_mm:
                xy, uv, cov = xy.copy(), uv.copy(), cov.copy()
            xy[a], uv[a] = (xy[a] + xy[b]) / 2, (uv[a] + uv[b]) / 2
            cov[a] = cov[a] + np.outer(apart, apart) / 16
            keep[b] = False
        if keep.all():
            return obs
        return replace(
            obs,
            xy_mm=xy[keep],
            cov_mm2=cov[keep],
            uv_px=uv[keep],
            radius_px=obs.radius_px[keep],
            identity_logp=obs.identity_logp[keep],
            visibility=obs.visibility[keep],
        )

    def _left_home(self, place: Array, homes: Array, xy_mm: Array) -> bool:
        """Whether a ball that lay near ``place`` isn't seen at home: then two images are two balls, one just hit."""
        near = homes[np.hypot(*(homes - place).T) < 3.0 * self.bed.diameter] if len(homes) else homes
        away = np.hypot(*np.moveaxis(near[:, None] - xy_mm[None], 2, 0))
        return bool(len(near)) and bool((away.min(axis=1) > 0.2 * self.bed.diameter).any())

    def _predict(self, dt_s: float) -> None:
        moving = [track for track in self.tracks if track.state not in (BallState.AT_REST, BallState.POCKETED)]
        moving = [track for track in moving if self.picture_s - track.seen_s < RETURN_S]
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
        if self.bed.mouth_at(track.mean[:2], self.bed.radius) is not None:
            return
        low = self.bed.radius
        for axis, high in ((0, self.bed.width - low), (1, self.bed.length - low)):
            position = track.mean[axis]
            beyond = low - position if position < low else position - high if position > high else 0.0
            if beyond > 0.0:
                track.mean[axis] = position + (2 * beyond if position < low else -2 * beyond)
                track.mean[axis + 2] *= -0.7
                track.cov = track.cov * 2.0

    # ------------------------------------------------------------------------------------------ association

    def _match(self, obs: Observations, logp: Array, dt_s: float) -> NDArray[np.bool_]:
        """Gives observations to tracks and updates them; returns which observations are still free."""
        m = len(obs)
        free = np.ones(m, dtype=bool)
        for track in self.tracks:
            track.seen = False
        resting = [t for t in self.tracks if t.state is BallState.AT_REST]
        for track, j in self._at_home(resting, obs, logp):
            free[j] = False
            self._take_at_rest(track, j, obs, logp)
        logp[free] -= self._elsewhere()
        self._swallow_pocketed(obs, free)
        seekers = [t for t in self.tracks if not t.seen and self._seeks(t)]
        rows = np.nonzero(free)[0]
        if not seekers or not len(rows):
            return free
        candidates = self._candidates(seekers, dt_s, obs)
        still = np.array([t.rest_xy for t in resting if t.seen]).reshape(-1, 2)
        left = np.array([t.rest_xy for t in resting if not t.seen]).reshape(-1, 2)
        doubt = 1.0 - obs.visibility[rows] + np.array([self._doubt(obs.xy_mm[j], obs) for j in rows])
        pairs = associate(
            candidates, obs.xy_mm[rows], obs.cov_mm2[rows], logp[rows], doubt, still, left, self.bed.diameter
        )
        self._update_moving([(seekers[i], int(rows[j]), kinked) for i, j, kinked in pairs], obs, logp)
        for _, j, _ in pairs:
            free[rows[j]] = False
        return free

    def _at_home(self, resting: list[Track], obs: Observations, logp: Array) -> list[tuple[Track, int]]:
        """Balls at rest that are seen where they lay: nearest to each other and alike."""
        if not resting or not len(obs):
            return []
        places = np.array([t.rest_xy for t in resting])
        away = np.hypot(*np.moveaxis(places[:, None] - obs.xy_mm[None], 2, 0))
        nearest = away.argmin(axis=1)
        back = away.argmin(axis=0)
        found = []
        for i, j in enumerate(nearest):
            if back[j] != i or away[i, j] > 0.2 * self.bed.diameter:
                continue
            track = resting[i]
            if track.name is not None and logp[j].max() - logp[j, kind_of(track.name, self.ball_set)] > 4.0:
                best = track.posterior()[int(logp[j].argmax())]
                if best < -4.0 and self._mover_near(track):
                    continue
            found.append((track, int(j)))
        return found

    def _elsewhere(self) -> Array:
        """(k,) what speaks against each kind for anything that isn't at home: a ball can't be in two places."""
        against = np.zeros(len(self.ball_set.kinds))
        for track in self.tracks:
            if track.seen and track.name is not None and track.rest_n >= SETTLE_PICTURES:
                kind = kind_of(track.name, self.ball_set)
                if self.ball_set.counts[self.ball_set.kinds[kind]] == 1:
                    against[kind] = ELSEWHERE_LOGP
        return against

    def _mover_near(self, track: Track) -> bool:
        return any(
            other is not track
            and other.speed > 200.0
            and np.hypot(*(other.mean[:2] - track.xy)) < 5 * self.bed.diameter
            for other in self.tracks
        )

    def _seeks(self, track: Track) -> bool:
        if track.state is BallState.AT_REST:
            return True
        if track.name is None and track.misses > 4:
            return False
        return track.state in ON_TABLE | {BallState.POCKETED} and self.picture_s - track.seen_s < RETURN_S

    def _candidates(self, seekers: list[Track], dt_s: float, obs: Observations) -> Candidates:
        beat = BEAT_SIGMA_S if any(self._repeats) else 0.002
        movers = [t for t in self.tracks if t.speed > 100.0 and self.picture_s - t.seen_s < 0.5]
        spread, reach, push, strict, missing = [], [], [], [], []
        for track in seekers:
            base = np.eye(2) * 4.0 if track.state is BallState.AT_REST else track.cov[:2, :2]
            velocity = np.zeros(2) if track.state is BallState.AT_REST else track.mean[2:]
            spread.append(base + beat**2 * np.outer(velocity, velocity))
            unseen_s = max(dt_s, self.picture_s - track.seen_s)
            pusher = self._pusher(track, movers, unseen_s + dt_s)
            reach.append(self._reach(track, pusher, unseen_s))
            known = 1.2 * max(track.speed, float(np.hypot(*pusher))) * unseen_s + self.bed.diameter
            strict.append(reach[-1] > known)
            one_way = track.state is BallState.AT_REST and not self._is_cue(track)
            push.append(pusher if one_way and not self._rebounds(track, pusher, unseen_s) else np.zeros(2))
            hidden = self._blind(track.xy, obs) or self.bed.mouth_at(track.xy, self.bed.radius) is not None
            unsure = track.misses > 0
            missing.append(5.0 if track.name is None else 8.0 if hidden or unsure else 14.0)
        return Candidates(
            predicted=np.array([t.xy for t in seekers]),
            spread=np.array(spread),
            anchor=np.array([self._anchor(t) for t in seekers]),
            reach=np.array(reach),
            push=np.array(push),
            strict=np.array(strict),
            posterior=np.array([t.posterior() for t in seekers]),
            missing_cost=np.array(missing),
        )

    @staticmethod
    def _anchor(track: Track) -> Array:
        return np.array([track.samples[-1].x, track.samples[-1].y]) if track.samples else track.xy

    def _pusher(self, track: Track, movers: list[Track], span_s: float) -> Array:
        """Velocity (2,) of the fastest ball that may have run into this one within ``span_s``; 0 where none could."""
        anchor = self._anchor(track)
        best = np.zeros(2) if track.push is None else track.push
        for other in movers:
            if other is track or other.speed <= np.hypot(*best):
                continue
            if np.hypot(*(other.mean[:2] - anchor)) < other.speed * span_s + 2.5 * self.bed.diameter:
                best = other.mean[2:].copy()
        if track.state is BallState.AT_REST and not track.seen and track.misses == 0:
            track.push = best if np.any(best) else None
        return best

    def _rebounds(self, track: Track, push: Array, unseen_s: float) -> bool:
        """Whether a ball sent off along ``push`` may have come off a cushion by now."""
        gone = self._anchor(track) + push * (unseen_s + 0.02)
        return not bool(self.bed.inside(gone)[0])

    def _reach(self, track: Track, push: Array, unseen_s: float) -> float:
        """How far from where it was last seen a ball may be if it met something meanwhile, mm."""
        own = max(track.speed, float(np.hypot(*push)))
        if self._is_cue(track) and unseen_s < 0.5:
            own = max(own, STRIKE_SPEED)
        elif track.name is None and track.hits <= 2:
            # Just found: nobody knows yet how fast it is.
            own = max(own, FOUND_SPEED)
        if own <= 0.0:
            return 0.5 * self.bed.diameter
        return 1.2 * own * unseen_s + 0.5 * self.bed.diameter

    def _is_cue(self, track: Track) -> bool:
        if track.name is not None:
            return track.name == CUE
        return CUE in self.ball_set.counts and int(track.logp.argmax()) == self.ball_set.kinds.index(CUE)

    def _swallow_pocketed(self, obs: Observations, free: NDArray[np.bool_]) -> None:
        """What lies in a pocket is on nobody's path: it is taken out, unless a ball is just running in there."""
        for j in np.nonzero(free)[0]:
            mouth = self.bed.dropped(obs.xy_mm[j])
            if mouth is None:
                continue
            running = any(
                t.state is BallState.MOVING
                and np.hypot(*(t.mean[:2] - obs.xy_mm[j])) < 4 * self.bed.diameter + t.speed * 0.1
                for t in self.tracks
            )
            if not running:
                free[j] = False

    def _doubt(self, xy: Array, obs: Observations) -> float:
        """How much speaks against a ball at this place: 1 where a hand or a cue is beside it, 2 in a pocket's mouth."""
        if self.bed.mouth_at(xy, 0.3 * self.bed.radius) is not None:
            return 2.0
        return float(self._blind(xy, obs))

    def _blind(self, xy: Array, obs: Observations) -> bool:
        return any(len(p) >= 3 and polygon_distance(xy, p) < self.bed.radius for p in obs.blind)

    # ------------------------------------------------------------------------------------------ updates

    def _sample(self, track: Track, j: int, obs: Observations, logp: Array) -> None:
        (x, y), cov, (u, v) = obs.xy_mm[j], obs.cov_mm2[j], obs.uv_px[j]
        track.samples.append(
            Sample(
                self.picture,
                obs.stamp.t_s,
                float(x),
                float(y),
                float(cov[0, 0]),
                float(cov[0, 1]),
                float(cov[1, 1]),
                float(u),
                float(v),
                float(obs.visibility[j]),
            )
        )
        track.recent.append((obs.stamp.t_s, float(x), float(y)))
        doubt = 1.0 - float(obs.visibility[j])
        looked = (
            track.name is None or self.picture < SETTLE_PICTURES or (self.picture + track.key) % SETTLE_PICTURES == 0
        )
        if doubt < 1.0 and looked:
            doubt = max(doubt, self._doubt(obs.xy_mm[j], obs))
        track.learn(logp[j], max(float(obs.visibility[j]), 0.1), doubt if looked else max(doubt, track.doubt))
        track.uv = (float(u), float(v))
        track.seen, track.seen_s, track.misses = True, obs.stamp.t_s, 0
        track.push = None
        track.hits += 1

    def _take_at_rest(self, track: Track, j: int, obs: Observations, logp: Array) -> None:
        """A ball that lay still is seen near its place: the same place measured again, or the start of a move."""
        xy = obs.xy_mm[j]
        sigma = float(np.sqrt(max(obs.cov_mm2[j, 0, 0], obs.cov_mm2[j, 1, 1])))
        away = float(np.hypot(*(xy - track.rest_xy)))
        self._sample(track, j, obs, logp)
        if away <= min(max(3.5 * sigma, 3.0), 0.2 * self.bed.diameter):
            track.drift = 0
            track.rest_n = min(track.rest_n + 1, 60)
            track.rest_xy = track.rest_xy + (xy - track.rest_xy) / track.rest_n
            return
        track.drift += 1
        if track.drift >= 2:
            self._set_off(track, obs)

    def _set_off(self, track: Track, obs: Observations) -> None:
        """From rest to moving, with a velocity from the last two samples."""
        last = track.samples[-1]
        velocity, sigma = np.zeros(2), 500.0
        if len(track.samples) > 1:
            before = track.samples[-2]
            dt_s = max(last.t_s - before.t_s, 1e-3)
            velocity = np.array([last.x - before.x, last.y - before.y]) / dt_s
            # The start lies somewhere between the two pictures, so the ball is up to a few times faster.
            sigma = 0.6 * float(np.hypot(*velocity)) + 100.0
        track.state = BallState.MOVING
        track.drift = 0
        while len(track.recent) > 1:
            track.recent.popleft()
        track.mean = np.array([last.x, last.y, *velocity])
        track.cov = np.diag([last.xx, last.yy, sigma**2, sigma**2])
        track.cov[0, 1] = track.cov[1, 0] = last.xy

    def _update_moving(self, pairs: list[tuple[Track, int, bool]], obs: Observations, logp: Array) -> None:
        regular = [(t, j) for t, j, kinked in pairs if not kinked and t.state is not BallState.AT_REST]
        if regular:
            batch = filters.BallFilters(np.array([t.mean for t, _ in regular]), np.array([t.cov for t, _ in regular]))
            rows = np.array([j for _, j in regular])
            beat = BEAT_SIGMA_S if any(self._repeats) else 0.002
            velocity = batch.states[:, 2:]
            cov = obs.cov_mm2[rows] + beat**2 * velocity[:, :, None] * velocity[:, None, :]
            batch.update(np.arange(len(rows)), obs.xy_mm[rows], cov)
            for (track, j), mean, spread in zip(regular, batch.states, batch.covariances, strict=True):
                track.mean, track.cov = mean, spread
                self._sample(track, j, obs, logp)
                track.state = BallState.MOVING
        for track, j, kinked in pairs:
            if track.state is BallState.AT_REST:
                if np.hypot(*(obs.xy_mm[j] - track.rest_xy)) <= 0.2 * self.bed.diameter:
                    self._take_at_rest(track, j, obs, logp)
                else:
                    self._sample(track, j, obs, logp)
                    self._set_off(track, obs)
            elif kinked:
                self._turn(track, j, obs, logp)

    def _turn(self, track: Track, j: int, obs: Observations, logp: Array) -> None:
        """The ball met something since it was last seen: its velocity starts anew."""
        lost = track.misses > 3
        if lost:
            track.breaks.append(Break(track.seen_s, obs.stamp.t_s, False, track.state))
        self._sample(track, j, obs, logp)
        self._set_off(track, obs)
        if lost:
            track.mean[2:] = 0.0
            track.cov[2, 2] = track.cov[3, 3] = 1000.0**2
        track.pocket = None

    # ------------------------------------------------------------------------------------------ life cycle

    def _births(self, obs: Observations, logp: Array, free: NDArray[np.bool_], dt_s: float) -> None:
        """What is left over may be a ball that nobody has seen yet, or one that comes back."""
        for j in np.nonzero(free)[0]:
            xy = obs.xy_mm[j]
            if not self.bed.inside(xy, margin_mm=self.bed.radius) and self.bed.mouth_at(xy) is None:
                continue
            if self._is_ghost(xy, logp[j], dt_s):
                continue
            track = Track(
                key=self._next_key,
                mean=np.array([*xy, 0.0, 0.0]),
                cov=np.diag([obs.cov_mm2[j, 0, 0], obs.cov_mm2[j, 1, 1], 200.0**2, 200.0**2]),
                logp=np.zeros(len(self.ball_set.kinds)),
                born_s=obs.stamp.t_s,
                rest_xy=xy.copy(),
                rest_n=1,
                hits=0,
                seen_s=obs.stamp.t_s,
            )
            self._next_key += 1
            self._sample(track, int(j), obs, logp)
            self.tracks.append(track)

    def _is_ghost(self, xy: Array, look: Array, dt_s: float) -> bool:
        """Whether this is a second image of a ball that is tracked already: split by blur, or of a blended picture."""
        kind = int(look.argmax())
        for track in self.tracks:
            if not track.seen or track.state not in ON_TABLE:
                continue
            away = float(np.hypot(*(track.xy - xy)))
            if away < 0.6 * self.bed.diameter:
                return True
            single = self.ball_set.counts[self.ball_set.kinds[kind]] == 1
            if single and int(track.logp.argmax()) == kind and self._is_cue(track):
                return away < 1.5 * self.bed.diameter + STRIKE_SPEED * dt_s
            if single and track.state is BallState.MOVING and int(track.logp.argmax()) == kind:
                return away < 1.5 * self.bed.diameter + 1.5 * track.speed * dt_s
        return False

    def _life(self, obs: Observations) -> None:
        for track in self.tracks:
            if track.seen:
                self._seen_life(track)
            else:
                track.misses += 1
                self._unseen_life(track, obs)
        self.tracks = [t for t in self.tracks if t.name is not None or not (t.misses > 6 or self._double(t))]

    def _double(self, track: Track) -> bool:
        """Whether an unnamed track lies on another one that is older or has a name."""
        return any(
            other is not track
            and other.state in ON_TABLE
            and (other.name is not None or other.key < track.key)
            and np.hypot(*(other.xy - track.xy)) < 0.4 * self.bed.diameter
            and (other.seen or not track.seen)
            for other in self.tracks
        )

    def _seen_life(self, track: Track) -> None:
        if track.state is not BallState.MOVING:
            return
        mouth = self.bed.dropped(track.mean[:2])
        if mouth is not None:
            track.state, track.pocket = BallState.POCKETED, mouth.pocket
            return
        if self._has_stopped(track):
            track.state = BallState.AT_REST
            recent = np.array(track.recent)
            still = recent[recent[:, 0] >= track.seen_s - REST_S - 1e-9]
            track.rest_xy = still[:, 1:].mean(axis=0)
            track.rest_n = len(still)
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
        unseen_s = self.picture_s - track.seen_s
        if track.state is BallState.AT_REST:
            # A ball at rest that can't be seen is still there; in the open it was taken away sooner or later.
            if unseen_s > GONE_S and not self._blind(track.rest_xy, obs):
                track.state = BallState.GONE
                track.mean = np.array([*track.rest_xy, 0.0, 0.0])
            return
        if track.state in (BallState.MOVING, BallState.HIDDEN):
            mouth = self.bed.mouth_at(track.mean[:2])
            if mouth is None and track.misses >= 2:
                mouth = self._headed(track)
            if mouth is not None and track.misses >= 2:
                track.state, track.pocket = BallState.POCKETED, mouth.pocket
            elif track.misses >= 2:
                track.state = BallState.HIDDEN
        if track.state is BallState.HIDDEN and unseen_s > RETURN_S:
            track.mean[2:] = 0.0
            if unseen_s > 4.0 and not self._blind(track.mean[:2], obs):
                track.state = BallState.GONE

    def _headed(self, track: Track) -> Mouth | None:
        """The pocket into which the last known path leads within the way that it would have gone by now."""
        if not track.samples:
            return None
        last = track.samples[-1]
        reach = track.speed * (self.picture_s - last.t_s) + self.bed.radius
        found = self.bed.into_mouth(np.array([last.x, last.y]), track.mean[2:], reach)
        return found[0] if found else None

    # ------------------------------------------------------------------------------------------ names

    def _name(self) -> None:
        """Gives names while they settle at the start, and to tracks that prove to be balls later on."""
        live = [t for t in self.tracks if t.state in ON_TABLE]
        if self.picture < SETTLE_PICTURES:
            first = [t for t in live if t.name or (t.seen and (t.born_s <= self._start_s or t.hits >= CONFIRM_HITS))]
            self.rename(first)
            return
        if self.picture % SETTLE_PICTURES == 0 and self._quiet():
            self.rename([t for t in live if t.seen and (t.name is not None or self._proven(t))])
        for track in [t for t in self.tracks if t.name is None and t.seen and self._proven(t)]:
            self._introduce(track)

    def _quiet(self) -> bool:
        """Whether all balls that are seen lie still: names are looked at again between shots only."""
        return all(t.state is BallState.AT_REST for t in self.tracks if t.name is not None and t.state in ON_TABLE)

    def _proven(self, track: Track) -> bool:
        """Whether a track that turned up later has shown itself long enough: what lies still may be a hand."""
        if track.doubt > DOUBTFUL:
            return False
        return track.hits >= (LATE_REST_HITS if track.state is BallState.AT_REST else CONFIRM_HITS)

    def _missing_long(self, track: Track) -> bool:
        """Whether a track may have been no ball: gone from the open, or lost from sight for long."""
        if track.state is BallState.GONE:
            return True
        return track.state is BallState.HIDDEN and self.picture_s - track.seen_s > MISSING_LONG_S

    def rename(self, tracks: list[Track]) -> None:
        """Settles the names of these tracks anew by all evidence so far.

        A name whose ball is gone is free: what bore it and was taken away may have been no ball at all.
        """
        chosen = {id(t) for t in tracks}
        others = [t for t in self.tracks if t.name is not None and id(t) not in chosen]
        reserved = frozenset(t.name for t in others if t.name and not self._missing_long(t))
        names = best_names(tracks, self.ball_set, reserved)
        taken = set(names.values())
        for track in others:
            if track.name in taken:
                track.name = None
        for track in tracks:
            name = names.get(track.key)
            if name != track.name:
                if track.name is not None and name is not None:
                    self._renamed.append((track.name, name))
                track.name = name

    def settle_names(self) -> None:
        """Settles names by the evidence of the whole shot; called when all balls lie still."""
        self.rename([t for t in self.tracks if t.name is not None])

    def _introduce(self, track: Track) -> None:
        """A new track is a ball of the set that is missing: it goes on as that ball."""
        missing = [t for t in self.tracks if t.name is not None and self._may_be(t, track)]
        held = frozenset(t.name for t in self.tracks if t.name and t not in missing and t.state is not BallState.GONE)
        name = best_names([track], self.ball_set, held, LATE_STRANGER_COST).get(track.key)
        if name is None:
            return
        bearer = next((t for t in self.tracks if t.name == name), None)
        if bearer is not None and bearer not in missing:
            # Both were seen at a time, and the other one is gone: it bore the name wrongly.
            bearer.name, track.name = None, name
            self._renamed.append((name, name))
            return
        kind = kind_of(name, self.ball_set)
        same = [t for t in missing if t.name is not None and kind_of(t.name, self.ball_set) == kind]
        if self._unused(kind):
            # Of many alike there are some that nobody has seen yet; what dropped stays down.
            same = [t for t in same if t.state is not BallState.POCKETED]
        if not same:
            track.name = best_names([track], self.ball_set, held | {t.name for t in missing if t.name}).get(track.key)
            return
        old = min(
            same,
            key=lambda t: (
                t.state is BallState.POCKETED,
                np.hypot(t.xy[0] - track.samples[0].x, t.xy[1] - track.samples[0].y),
            ),
        )
        way = float(np.hypot(track.samples[0].x - old.mean[0], track.samples[0].y - old.mean[1]))
        rolled = old.state is BallState.HIDDEN and way < old.speed * (track.born_s - old.seen_s) + self.bed.diameter
        old.breaks.append(Break(old.seen_s, track.born_s, not rolled, old.state))
        old.samples.extend(track.samples)
        old.recent = track.recent
        old.state, old.mean, old.cov = track.state, track.mean, track.cov
        old.rest_xy, old.rest_n, old.drift = track.rest_xy, track.rest_n, track.drift
        old.logp, old.looks = track.logp, track.looks
        old.seen, old.seen_s, old.misses, old.uv = True, track.seen_s, 0, track.uv
        old.pocket = None
        self.tracks.remove(track)

    def _unused(self, kind: int) -> bool:
        """Whether a ball of this kind has had no track yet."""
        names = self.ball_set.names(self.ball_set.kinds[kind])
        return sum(t.name in names for t in self.tracks) < len(names)

    def _may_be(self, old: Track, new: Track) -> bool:
        """Whether a known ball that isn't seen could be this new track."""
        if old is new or old.seen or (old.samples and old.samples[-1].t_s > new.born_s):
            return False
        if old.state is BallState.AT_REST:
            return self.picture_s - old.seen_s > 0.25
        return True

    # ------------------------------------------------------------------------------------------ output

    def _frame(self, obs: Observations) -> TrackFrame:
        named = [t for t in self.tracks if t.name is not None]
        unseen = [t for t in named if not t.seen]
        places: dict[int, tuple[float, float]] = {}
        if unseen and self.camera is not None and obs.view:
            xyz = np.array([[*t.xy, self.bed.radius] for t in unseen])
            uv = self.camera.project(xyz)
            places = {t.key: (float(u), float(v)) for t, (u, v) in zip(unseen, uv, strict=True)}
        balls = []
        for t in named:
            moving = t.state in (BallState.MOVING, BallState.HIDDEN)
            x, y = t.xy
            sigma = float(np.sqrt(max(t.cov[0, 0], t.cov[1, 1]))) if moving else 1.0
            u, v = t.uv if t.seen else places.get(t.key, (float("nan"), float("nan")))
            balls.append(
                TrackedBall(
                    key=t.key,
                    name=t.name or "",
                    x=float(x),
                    y=float(y),
                    vx=float(t.mean[2]) if moving else 0.0,
                    vy=float(t.mean[3]) if moving else 0.0,
                    sigma_mm=sigma,
                    state=t.state,
                    visible=t.seen,
                    u=u,
                    v=v,
                )
            )
        return TrackFrame(stamp=obs.stamp, balls=tuple(balls), view=obs.view, renamed=tuple(self._renamed))
