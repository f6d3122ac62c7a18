"""What an observation does to the track that it is given to."""

import math

import numpy as np
from numpy.typing import NDArray

from tracking import filters
from tracking.field import Field
from tracking.tracks import BallState, Break, Sample, Track
from vision.observations import Observations

Array = NDArray[np.float64]

DOUBT_PICTURES = 10
"""Whether a named ball is beside a hand is looked at in the first so many pictures, and then once in so many."""

BLUR_SPEED, BLURRED = 150.0, 0.05
"""A ball faster than this, mm/s, shows mixed colours: such a look counts for so much."""

SHADED = 0.02
"""So much a look counts in a pocket's mouth, where a ball that runs in lies in the shade."""


class Updates:
    """Takes observations into tracks; ``logp`` (m, k) are the looks by the kinds of the ball set."""

    def __init__(self, field: Field) -> None:
        self.field = field

    def sample(self, track: Track, j: int, obs: Observations, logp: Array) -> None:
        x, y = obs.xy_mm[j].tolist()
        u, v = obs.uv_px[j].tolist()
        (xx, xy), (_, yy) = obs.cov_mm2[j].tolist()
        visibility = float(obs.visibility[j])
        track.samples.append(Sample(self.field.picture, obs.stamp.t_s, x, y, xx, xy, yy, u, v, visibility))
        track.recent.append((obs.stamp.t_s, x, y))
        doubt = 1.0 - visibility
        looked = (
            track.name is None
            or self.field.picture < DOUBT_PICTURES
            or (self.field.picture + track.key) % DOUBT_PICTURES == 0
        )
        if doubt < 1.0 and looked:
            doubt = max(doubt, self.field.doubt(obs.xy_mm[j]))
        running, fit = track.speed > BLUR_SPEED, float(obs.identity_logp[j].max())
        weight = max(visibility, 0.1) * (BLURRED if running else 1.0)
        if track.state is BallState.MOVING and self.field.bed.mouth_at(obs.xy_mm[j], 0.3 * self.field.bed.radius):
            weight *= SHADED
        track.learn(logp[j], weight, doubt if looked else max(doubt, track.doubt), running=running, fit=fit)
        track.uv = (u, v)
        track.seen, track.seen_s, track.misses = True, obs.stamp.t_s, 0
        track.push = None
        track.hits += 1

    def take_at_rest(self, track: Track, j: int, obs: Observations, logp: Array) -> None:
        """A ball that lay still is seen near its place: the same place measured again, or the start of a move."""
        xy = obs.xy_mm[j]
        self.sample(track, j, obs, logp)
        last = track.samples[-1]
        sigma = math.sqrt(max(last.xx, last.yy))
        away = math.hypot(*(xy - track.rest_xy).tolist())
        if away <= min(max(3.5 * sigma, 3.0), 0.2 * self.field.bed.diameter):
            track.drift = 0
            track.rest_n = min(track.rest_n + 1, 60)
            track.rest_xy = track.rest_xy + (xy - track.rest_xy) / track.rest_n
            return
        track.drift += 1
        if track.drift >= 2:
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
                    self.take_at_rest(track, j, obs, logp)
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
