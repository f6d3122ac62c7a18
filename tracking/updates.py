"""What an observation does to the track that it is given to."""

import math

import numpy as np
from numpy.typing import NDArray

from tracking import filters
from tracking.field import Field
from tracking.tracks import BallState, Break, Learning, Sample, Track, looks_of
from vision.observations import Observations

Array = NDArray[np.float64]

DOUBT_PICTURES = 10
"""Whether a named ball is beside a hand is looked at in the first so many pictures, and then once in so many."""

BLUR_SPEED, BLURRED = 150.0, 0.05
"""A ball faster than this, mm/s, shows mixed colours: such a look counts for so much."""

SHADED = 0.02
"""So much a look counts in a pocket's mouth, where a ball that runs in lies in the shade."""


class _Numbers:
    """A picture's observations as plain numbers, which are asked for ball by ball."""

    def __init__(self, obs: Observations) -> None:
        self.obs = obs
        self.xy: list[list[float]] = obs.xy_mm.tolist()
        self.uv: list[list[float]] = obs.uv_px.tolist()
        self.cov: list[list[list[float]]] = obs.cov_mm2.tolist()
        self.visibility: list[float] = obs.visibility.tolist()
        self.fit: list[float] = obs.identity_logp.max(axis=1).tolist()


class Updates:
    """Takes observations into tracks; ``logp`` (m, k) are the looks by the kinds of the ball set."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._numbers: _Numbers | None = None

    def sample(self, track: Track, j: int, obs: Observations, logp: Array) -> None:
        learning = self._sighted(track, j, obs)
        track.learn(looks_of(logp[j]), learning)

    def _sighted(self, track: Track, j: int, obs: Observations) -> Learning:
        """Notes that a track is seen; what is to be learned from that but its look."""
        if self._numbers is None or self._numbers.obs is not obs:
            self._numbers = _Numbers(obs)
        seen = self._numbers
        x, y = place = seen.xy[j]
        u, v = seen.uv[j]
        (xx, xy), (_, yy) = seen.cov[j]
        visibility = seen.visibility[j]
        track.samples.append(Sample(self.field.picture, obs.stamp.t_s, x, y, xx, xy, yy, u, v, visibility))
        track.recent.append((obs.stamp.t_s, x, y))
        doubt = 1.0 - visibility
        looked = (
            track.name is None
            or self.field.picture < DOUBT_PICTURES
            or (self.field.picture + track.key) % DOUBT_PICTURES == 0
        )
        if doubt < 1.0 and looked:
            doubt = max(doubt, self.field.doubt(place, stopped=track.name is not None and track.found_anew))
        running = track.speed > BLUR_SPEED
        weight = max(visibility, 0.1) * (BLURRED if running else 1.0)
        if track.state is BallState.MOVING and self.field.bed.mouth_at(place, 0.3 * self.field.bed.radius):
            weight *= SHADED
        learning = Learning(weight, doubt if looked else max(doubt, track.doubt), running, seen.fit[j])
        track.uv = (u, v)
        track.seen, track.seen_s, track.misses = True, obs.stamp.t_s, 0
        track.push = None
        track.hits += 1
        return learning

    def take_at_rest(self, pairs: list[tuple[Track, int]], obs: Observations, logp: Array) -> None:
        """Balls that lay still are seen near their places: the same place measured again, or the start of a move."""
        rows = [j for _, j in pairs]
        shares = [track.weigh(self._sighted(track, j, obs)) for track, j in pairs]
        means = np.array([track.logp for track, _ in pairs])
        means += (looks_of(logp[rows]) - means) * np.array(shares)[:, None]
        places = np.array([track.rest_xy for track, _ in pairs])
        offset = obs.xy_mm[rows] - places
        counts = []
        for (track, _), mean, way in zip(pairs, means, offset.tolist(), strict=True):
            track.logp = mean
            last = track.samples[-1]
            sigma = math.sqrt(max(last.xx, last.yy))
            if math.hypot(*way) <= min(max(3.5 * sigma, 3.0), 0.2 * self.field.bed.diameter):
                track.drift = 0
                track.rest_n = min(track.rest_n + 1, 60)
            else:
                track.drift += 1
            counts.append(track.rest_n)
        places += offset / np.array(counts)[:, None]
        for (track, _), place in zip(pairs, places, strict=True):
            if track.drift == 0:
                track.rest_xy = place
            elif track.drift >= 2:
                self.set_off(track, obs)

    def set_off(self, track: Track, obs: Observations) -> None:
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

    def take_moving(self, pairs: list[tuple[Track, int, bool]], obs: Observations, logp: Array) -> None:
        regular = [(t, j) for t, j, kinked in pairs if not kinked and t.state is not BallState.AT_REST]
        if regular:
            batch = filters.BallFilters(np.array([t.mean for t, _ in regular]), np.array([t.cov for t, _ in regular]))
            rows = np.array([j for _, j in regular])
            beat = self.field.clock_sigma_s
            velocity = batch.states[:, 2:]
            cov = obs.cov_mm2[rows] + beat**2 * velocity[:, :, None] * velocity[:, None, :]
            batch.update(np.arange(len(rows)), obs.xy_mm[rows], cov)
            for (track, j), mean, spread in zip(regular, batch.states, batch.covariances, strict=True):
                track.mean, track.cov = mean, spread
                self.sample(track, j, obs, logp)
                track.state = BallState.MOVING
        for track, j, kinked in pairs:
            if track.state is BallState.AT_REST:
                if np.hypot(*(obs.xy_mm[j] - track.rest_xy)) <= 0.2 * self.field.bed.diameter:
                    self.take_at_rest([(track, j)], obs, logp)
                else:
                    self.sample(track, j, obs, logp)
                    self.set_off(track, obs)
            elif kinked:
                self.turn(track, j, obs, logp)

    def turn(self, track: Track, j: int, obs: Observations, logp: Array) -> None:
        """The ball met something since it was last seen: its velocity starts anew."""
        lost = track.misses > 3
        if lost:
            track.breaks.append(Break(track.seen_s, obs.stamp.t_s, False, track.state))
        self.sample(track, j, obs, logp)
        self.set_off(track, obs)
        if lost:
            track.mean[2:] = 0.0
            track.cov[2, 2] = track.cov[3, 3] = 1000.0**2
        track.pocket = None
