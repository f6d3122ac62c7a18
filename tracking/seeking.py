"""Which observation belongs to which track: balls at home first, then all others at once."""

import numpy as np
from numpy.typing import NDArray

from tracking.association import Candidates, associate
from tracking.field import Field
from tracking.naming import kind_indices
from tracking.tracks import ON_TABLE, BallState, Track, posteriors
from tracking.updates import Updates
from vision.observations import Observations

Array = NDArray[np.float64]

STRIKE_SPEED = 9000.0
"""Fastest a cue ball leaves the tip, mm/s: a hard break shot."""

FOUND_SPEED = 6000.0
"""So fast, mm/s, may be a ball that was just found in flight."""

RETURN_S = 1.2
"""So long a moving ball that was lost sight of is looked for within its reach; later it must show itself first."""

RATTLE_S, RATTLED_SHARE = 0.6, 0.3
"""A ball comes out of a pocket's jaws again that soon, and keeps so much of its speed."""

SURE_S = 0.15
"""A ball that wasn't seen for longer must look like itself where it turns up off its course."""

STOOD_DIAMETERS = 0.1
"""What is seen so near to where it was in the picture before stands still."""

_LYING = np.eye(2) * 4.0
"""How far, mm², a ball at rest may be from where it lies."""

HOME_PICTURES = 10
ELSEWHERE_LOGP = 7.0
"""Nats against a look at a ball of which the only one is seen at home."""


class Seeker:
    """Gives observations to tracks."""

    def __init__(self, field: Field, updates: Updates) -> None:
        self.field, self.updates = field, updates
        self._strays = np.empty((0, 2))
        """(n, 2) what the last picture showed beside the balls that are known."""

    def match(self, obs: Observations, logp: Array, dt_s: float, shown: Array) -> NDArray[np.bool_]:
        """Gives observations to tracks and updates them; returns which observations are still free.

        shown: (n, 2) all that this picture shows, also what was left out of ``obs``.
        """
        free = self._matched(obs, logp, dt_s)
        known = np.array([(t.samples[-1].x, t.samples[-1].y) for t in self.field.tracks if t.seen]).reshape(-1, 2)
        offset = shown[:, None] - known
        gaps = np.hypot(offset[..., 0], offset[..., 1])
        self._strays = shown[np.all(gaps > 0.5 * self.field.bed.diameter, axis=1)]
        return free

    def _matched(self, obs: Observations, logp: Array, dt_s: float) -> NDArray[np.bool_]:
        m = len(obs)
        free = np.ones(m, dtype=bool)
        for track in self.field.tracks:
            track.seen = False
        resting = [t for t in self.field.tracks if t.state is BallState.AT_REST]
        at_home = self._at_home(resting, obs, logp)
        if at_home:
            free[[j for _, j in at_home]] = False
            self.updates.take_at_rest(at_home, obs, logp)
        logp[free] -= self._elsewhere()
        self._swallow_pocketed(obs, free)
        seekers = [t for t in self.field.tracks if not t.seen and self._seeks(t)]
        rows = np.nonzero(free)[0]
        if not seekers or not len(rows):
            return free
        candidates = self._candidates(seekers, dt_s, obs)
        still = np.array([t.rest_xy for t in resting if t.seen]).reshape(-1, 2)
        left = np.array([t.rest_xy for t in resting if not t.seen]).reshape(-1, 2)
        radius, xy_mm = self.field.bed.radius, obs.xy_mm[rows]
        places = xy_mm.tolist()
        doubt = 1.0 - obs.visibility[rows] + np.array([self.field.doubt(place) for place in places])
        on_bed = np.array([self.field.bed.mouth_at(place, radius) is None for place in places])
        solid = np.clip(1.0 - doubt, 0.0, 1.0) * on_bed
        offset = xy_mm[:, None] - self._strays
        gaps = np.hypot(offset[..., 0], offset[..., 1])
        stood = np.any(gaps < STOOD_DIAMETERS * 2 * radius, axis=1)
        pairs = associate(
            candidates, xy_mm, obs.cov_mm2[rows], logp[rows], doubt, solid, stood, still, left, 2 * radius
        )
        self.updates.take_moving([(seekers[i], int(rows[j]), kinked) for i, j, kinked in pairs], obs, logp)
        for _, j, _ in pairs:
            free[rows[j]] = False
        return free

    def _at_home(self, resting: list[Track], obs: Observations, logp: Array) -> list[tuple[Track, int]]:
        """Balls at rest that are seen where they lay: nearest to each other and alike."""
        if not resting or not len(obs):
            return []
        offset = np.array([t.rest_xy for t in resting])[:, None] - obs.xy_mm
        away = np.hypot(offset[..., 0], offset[..., 1])
        nearest, gaps, back = away.argmin(axis=1).tolist(), away.min(axis=1).tolist(), away.argmin(axis=0).tolist()
        unlike = (logp.max(axis=1, keepdims=True) - logp > 4.0).tolist()
        kinds = kind_indices(self.field.ball_set)
        found = []
        for i, (track, j) in enumerate(zip(resting, nearest, strict=True)):
            if back[j] != i or gaps[i] > 0.2 * self.field.bed.diameter:
                continue
            if track.name is not None and unlike[j][kinds[track.name]]:
                best = track.posterior()[int(logp[j].argmax())]
                if best < -4.0 and self._mover_near(track):
                    continue
            found.append((track, j))
        return found

    def _elsewhere(self) -> Array:
        """(k,) what speaks against each kind for anything that isn't at home: a ball can't be in two places."""
        counts = list(self.field.ball_set.counts.values())
        kinds, against = kind_indices(self.field.ball_set), [0.0] * len(counts)
        for track in self.field.tracks:
            if track.seen and track.name is not None and track.rest_n >= HOME_PICTURES:
                kind = kinds[track.name]
                if counts[kind] == 1:
                    against[kind] = ELSEWHERE_LOGP
        return np.array(against)

    def _mover_near(self, track: Track) -> bool:
        return any(
            other is not track
            and other.speed > 200.0
            and np.hypot(*(other.mean[:2] - track.xy)) < 5 * self.field.bed.diameter
            for other in self.field.tracks
        )

    def _seeks(self, track: Track) -> bool:
        if track.state is BallState.AT_REST:
            return True
        if track.name is None and track.misses > 4:
            return False
        unseen_s = self.field.picture_s - track.seen_s
        if track.state is BallState.POCKETED:
            return unseen_s < RATTLE_S
        return track.state in ON_TABLE and unseen_s < RETURN_S

    def _candidates(self, seekers: list[Track], dt_s: float, obs: Observations) -> Candidates:
        beat = self.field.clock_sigma_s
        movers = [t for t in self.field.tracks if t.speed > 100.0 and self.field.picture_s - t.seen_s < 0.5]
        spread, reach, push, strict, missing = [], [], [], [], []
        for track in seekers:
            if track.state is BallState.AT_REST:
                spread.append(_LYING)
            else:
                velocity = track.mean[2:]
                spread.append(track.cov[:2, :2] + beat**2 * (velocity[:, None] * velocity))
            unseen_s = max(dt_s, self.field.picture_s - track.seen_s)
            pusher = self._pusher(track, movers, unseen_s + dt_s)
            reach.append(self._reach(track, pusher, unseen_s))
            known = 1.2 * max(track.speed, float(np.hypot(*pusher))) * unseen_s + self.field.bed.diameter
            strict.append(reach[-1] > known or (track.name is not None and unseen_s > SURE_S))
            one_way = track.state is BallState.AT_REST and not self.field.is_cue(track)
            push.append(pusher if one_way and not self._rebounds(track, pusher, unseen_s) else np.zeros(2))
            hidden = self.field.blind(track.xy) or self.field.bed.mouth_at(track.xy, self.field.bed.radius) is not None
            unsure = track.misses > 0
            missing.append(5.0 if track.name is None else 8.0 if hidden or unsure else 14.0)
        return Candidates(
            predicted=np.array([t.xy for t in seekers]),
            spread=np.array(spread),
            anchor=np.array([self._anchor(t) for t in seekers]),
            reach=np.array(reach),
            push=np.array(push),
            strict=np.array(strict),
            posterior=posteriors(seekers),
            missing_cost=np.array(missing),
            followed=np.array([t.state is BallState.MOVING and t.misses == 0 for t in seekers]),
            known=np.array([t.misses == 0 for t in seekers]),
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
            if np.hypot(*(other.mean[:2] - anchor)) < other.speed * span_s + 2.5 * self.field.bed.diameter:
                best = other.mean[2:].copy()
        if track.state is BallState.AT_REST and not track.seen and track.misses == 0:
            track.push = best if np.any(best) else None
        return best

    def _rebounds(self, track: Track, push: Array, unseen_s: float) -> bool:
        """Whether a ball sent off along ``push`` may have come off a cushion by now."""
        gone = self._anchor(track) + push * (unseen_s + 0.02)
        return not bool(self.field.bed.inside(gone)[0])

    def _reach(self, track: Track, push: Array, unseen_s: float) -> float:
        """How far from where it was last seen a ball may be if it met something meanwhile, mm."""
        own = max(track.speed, float(np.hypot(*push)))
        if self.field.is_cue(track) and unseen_s < 0.5:
            own = max(own, STRIKE_SPEED)
        elif track.name is None and track.hits <= 2:
            # Just found: nobody knows yet how fast it is.
            own = max(own, FOUND_SPEED)
        if track.state is BallState.POCKETED:
            own *= RATTLED_SHARE
        if own <= 0.0:
            return 0.5 * self.field.bed.diameter
        return 1.2 * own * unseen_s + 0.5 * self.field.bed.diameter

    def _swallow_pocketed(self, obs: Observations, free: NDArray[np.bool_]) -> None:
        """What lies in a pocket is on nobody's path: it is taken out, unless a ball is just running in there, or one
        that hung over its edge is off its place.
        """
        for j in np.nonzero(free)[0]:
            mouth = self.field.bed.dropped(obs.xy_mm[j])
            if mouth is None:
                continue
            running = any(
                t.state is BallState.MOVING
                and np.hypot(*(t.mean[:2] - obs.xy_mm[j])) < 4 * self.field.bed.diameter + t.speed * 0.1
                for t in self.field.tracks
            )
            hung = any(
                t.state is BallState.AT_REST
                and not t.seen
                and self.field.bed.mouth_at(t.rest_xy) is mouth
                and np.hypot(*(t.rest_xy - obs.xy_mm[j])) < self.field.bed.diameter
                for t in self.field.tracks
            )
            if not (running or hung):
                free[j] = False
