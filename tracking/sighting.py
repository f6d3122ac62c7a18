"""What a frame's observations are worth before they go to tracks: repeated pictures, split images, slivers."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tracking.field import Field
from tracking.tracks import ON_TABLE, BallState, Track
from vision.observations import Observations

Array = NDArray[np.float64]

FAST = 300.0
OVERLAP_DIAMETERS = 0.2
"""Two balls lie or fly at least a diameter apart; nearer than this to each other are two sights of one."""

PARTLY_HIDDEN = 0.5
"""Error of the centre of a ball of which nothing but a sliver shows, in radii."""

SAME_PLACE = 0.2
"""What lies still in a pocket's mouth so near, in diameters, to where a ball was seen last is that ball."""

ROLLED_OUT_S, ROLLED_OUT = 0.4, 0.4
"""A ball that gets no farther than this, in diameters, in so long rolls out: one that drops gets farther."""


class Sightings:
    """Judges observations against what is tracked already."""

    def __init__(self, field: Field) -> None:
        self.field = field

    def humbled(self, obs: Observations) -> Observations:
        """Centres of balls that are hidden in part are less sure: the outline is fitted to what is left of it."""
        hidden = np.clip(1.0 - obs.visibility, 0.0, 1.0) * PARTLY_HIDDEN * self.field.bed.radius
        if not np.any(hidden > 0.5):
            return obs
        return replace(obs, cov_mm2=obs.cov_mm2 + hidden[:, None, None] ** 2 * np.eye(2))

    def single(self, obs: Observations) -> Observations:
        """The sights without those that overlap another one so far that both can't be balls; the clearer one stays."""
        offset = obs.xy_mm[:, None] - obs.xy_mm
        near = np.hypot(offset[..., 0], offset[..., 1]) < OVERLAP_DIAMETERS * self.field.bed.diameter
        if np.count_nonzero(near) == len(obs):
            return obs
        keep = np.ones(len(obs), dtype=bool)
        for j in np.argsort(-obs.visibility, kind="stable"):
            if keep[j]:
                keep &= ~near[j]
                keep[j] = True
        return _only(obs, keep)

    def hanging(self, obs: Observations) -> tuple[Observations, list[Track]]:
        """The sights with those of balls that hang in a pocket's mouth as rows at the end, and whose these are.

        Whether what lies still there is on the bed can't be seen. A ball is that rolled out there before one's eyes, up
        to where one drops.
        """
        lying = [xy for xy in obs.in_pockets_mm if self.field.bed.dropped(xy) is None]
        found: list[tuple[Track, Array]] = []
        for track in self.field.tracks if lying else ():
            if track.name is None or not track.samples or track.state not in (BallState.AT_REST, BallState.MOVING):
                continue
            last = track.samples[-1]
            place = track.rest_xy if track.state is BallState.AT_REST else np.array([last.x, last.y])
            xy = min(lying, key=lambda each: float(np.hypot(*(each - place))))
            near = float(np.hypot(*(xy - place))) < SAME_PLACE * self.field.bed.diameter
            if near and (track.state is BallState.AT_REST or self._rolled_out(track)):
                found.append((track, xy))
        if not found:
            return obs, []
        last_seen = [track.samples[-1] for track, _ in found]
        more = len(found)
        obs = replace(
            obs,
            xy_mm=np.concatenate([obs.xy_mm, [xy for _, xy in found]]),
            cov_mm2=np.concatenate([obs.cov_mm2, [[[s.xx, s.xy], [s.xy, s.yy]] for s in last_seen]]),
            uv_px=np.concatenate([obs.uv_px, [[s.u, s.v] for s in last_seen]]),
            radius_px=np.concatenate([obs.radius_px, np.full(more, np.median(obs.radius_px) if len(obs) else 1.0)]),
            identity_logp=np.concatenate([obs.identity_logp, np.zeros((more, len(obs.identities)))]),
            visibility=np.concatenate([obs.visibility, [s.visibility for s in last_seen]]),
        )
        return obs, [track for track, _ in found]

    def _rolled_out(self, track: Track) -> bool:
        """Whether a ball was seen all the last moments, and was slow."""
        since_s = self.field.picture_s - ROLLED_OUT_S
        if track.misses > 1 or track.samples[0].t_s > since_s:
            return False
        x, y = track.samples[-1].x, track.samples[-1].y
        moments = [sample for sample in track.samples if sample.t_s > since_s]
        return all(np.hypot(x - s.x, y - s.y) < ROLLED_OUT * self.field.bed.diameter for s in moments)

    def stands(self, obs: Observations) -> bool:
        """Whether all that moves fast is seen just where it was: the picture before, though it wasn't marked so."""
        if len(self.field.repeats) > 2 and self.field.repeats[-2] and self.field.repeats[-3]:
            return False
        dt_s = obs.stamp.t_s - self.field.picture_s
        fast = [t for t in self.field.tracks if t.state is BallState.MOVING and t.seen and t.speed > FAST]
        for track in fast:
            last = track.samples[-1]
            sigma = float(np.sqrt(max(last.xx, last.yy)))
            limit = float(np.clip(0.5 * sigma, 0.8, 2.0))
            if track.speed * dt_s < 5 * limit or not len(obs):
                return False
            if np.hypot(*(obs.xy_mm - (last.x, last.y)).T).min() > limit:
                return False
        return bool(fast)

    def whole(self, obs: Observations, logp: Array, dt_s: float) -> Observations:
        """Joins two images of one ball, split by blur or by a picture blended of two: there is one cue ball.

        In the first picture nothing is known to run: two balls of a rack may look alike there.
        """
        if self.field.picture == 0 or not len(obs):
            return obs
        best = logp.argmax(axis=1)
        often = np.bincount(best, minlength=logp.shape[1]).tolist()
        twice = [k for k, count in enumerate(self.field.ball_set.counts.values()) if count == 1 and often[k] > 1]
        if not twice:
            return obs
        keep = np.ones(len(obs), dtype=bool)
        xy, uv, cov = obs.xy_mm, obs.uv_px, obs.cov_mm2
        resting = [t for t in self.field.tracks if t.state is BallState.AT_REST]
        homes = np.array([t.rest_xy for t in resting]).reshape(-1, 2)
        of_kind = np.array([int(t.logp.argmax()) for t in resting], dtype=np.intp)
        for k in twice:
            rows = np.nonzero(best == k)[0]
            if not any(t.state in ON_TABLE and int(t.logp.argmax()) == k for t in self.field.tracks):
                # Nothing like that was here that could be split: two balls that look alike are set up.
                continue
            if len(homes):
                away = np.hypot(*np.moveaxis(xy[rows][:, None] - homes[None], 2, 0)).min(axis=1)
                rows = rows[away > 0.2 * self.field.bed.diameter]
            if len(rows) != 2:
                continue
            a, b = rows
            apart = xy[a] - xy[b]
            if not 0.3 * self.field.bed.diameter < np.hypot(*apart) < 2.5 * self.field.bed.diameter + 500.0 * dt_s:
                continue
            own = homes[of_kind == k]
            if len(own) and np.hypot(*np.moveaxis(own[:, None] - xy[rows][None], 2, 0)).min() < self.field.bed.radius:
                # One of them is that ball, just setting off; the other one is another ball.
                continue
            if self._own_places(xy[a], xy[b]) or self._left_home((xy[a] + xy[b]) / 2, homes[of_kind != k], obs.xy_mm):
                continue
            if xy is obs.xy_mm:
                xy, uv, cov = xy.copy(), uv.copy(), cov.copy()
            xy[a], uv[a] = (xy[a] + xy[b]) / 2, (uv[a] + uv[b]) / 2
            cov[a] = cov[a] + np.outer(apart, apart) / 16
            keep[b] = False
        if keep.all():
            return obs
        return _only(replace(obs, xy_mm=xy, uv_px=uv, cov_mm2=cov), keep)

    def _own_places(self, one: Array, other: Array) -> bool:
        """Whether two images are each where another track was seen in the picture before: then they are two balls."""
        seen = [t for t in self.field.tracks if t.misses == 0 and t.samples]
        if len(seen) < 2:
            return False
        places = np.array([(t.samples[-1].x, t.samples[-1].y) for t in seen])
        away = np.hypot(*np.moveaxis(np.array([one, other])[:, None] - places[None], 2, 0))
        nearest = away.argmin(axis=1)
        return bool(nearest[0] != nearest[1] and away.min(axis=1).max() < self.field.bed.radius / 2)

    def _left_home(self, place: Array, homes: Array, xy_mm: Array) -> bool:
        """Whether a ball that lay near ``place`` isn't seen at home: then two images are two balls, one just hit."""
        near = homes[np.hypot(*(homes - place).T) < 3.0 * self.field.bed.diameter] if len(homes) else homes
        away = np.hypot(*np.moveaxis(near[:, None] - xy_mm[None], 2, 0))
        return bool(len(near)) and bool((away.min(axis=1) > 0.2 * self.field.bed.diameter).any())


def _only(obs: Observations, keep: NDArray[np.bool_]) -> Observations:
    return replace(
        obs,
        xy_mm=obs.xy_mm[keep],
        cov_mm2=obs.cov_mm2[keep],
        uv_px=obs.uv_px[keep],
        radius_px=obs.radius_px[keep],
        identity_logp=obs.identity_logp[keep],
        visibility=obs.visibility[keep],
    )
