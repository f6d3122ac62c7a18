"""What one ball did, as pieces: at rest, or a smooth run with steady acceleration; and the kinks between them.

``tracking.cutting`` cuts the samples of one ball into pieces. A kink's time lies between two pictures: it is where the
pieces on both sides come closest, so it is better known than the pictures' spacing.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tracking.cutting import ACCELERATION_PRIOR, LEAST_REST, REST_PENALTY, RUN_PENALTY, Cut, Cuts, best_cuts

Array = NDArray[np.float64]

LEAST_SIGMA = 0.3
ROUGH_WINDOW, ROUGH_LEAST, ROUGH_MOST = 9, 0.5, 6.0
JUMP_MM = 40.0
"""Pieces that miss each other by more than this are not joined by one kink."""
NEAR_S, NEAR_LEAST = 0.17, 5
"""A kink is dated by the samples so near to it, s, where there are so many of them."""

FAR_SIGMA_S = 0.006
"""What dating a kink by the whole runs before and after it adds to the error of its time."""

PLACE_BIAS_MM, LEAST_SIGMA_S = 1.5, 0.0015
"""What the places of a ball near a kink share as an error (another ball or a nose beside it, sliding), and what is left
of a kink's time besides: counted over simulated games.
"""

SOFT_KINK = 60.0
"""A change of velocity below this, mm/s, is spin or noise and no event by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """``place + velocity·s + acceleration·s²/2`` with ``s = t - ref_s``, fitted to the samples from t0_s to t1_s.

    spread: (3, 3) covariance of (place, velocity, acceleration) on each axis. A piece at rest has no velocity.
    """

    t0_s: float
    t1_s: float
    ref_s: float
    place: Array
    velocity: Array
    acceleration: Array
    spread: Array
    count: int
    at_rest: bool

    def at(self, t_s: float | Array) -> Array:
        """(2,) or (n, 2) centre at time or times (n,)."""
        s = np.asarray(t_s - self.ref_s)[..., None]
        where: Array = self.place + self.velocity * s + self.acceleration * s**2 / 2
        return where

    def velocity_at(self, t_s: float | Array) -> Array:
        """(2,) or (n, 2) velocity at time or times (n,)."""
        s = np.asarray(t_s - self.ref_s)[..., None]
        velocity: Array = self.velocity + self.acceleration * s
        return velocity

    def place_variance(self, t_s: float | Array) -> Array:
        """Variance of the centre on each axis, mm²."""
        s = np.asarray(t_s - self.ref_s, dtype=np.float64)
        basis = np.stack([np.ones_like(s), s, s**2 / 2], axis=-1)
        variance: Array = np.einsum("...i,ij,...j->...", basis, self.spread, basis)
        return variance

    def velocity_variance(self, t_s: float) -> float:
        """Variance of the velocity on each axis, mm²/s²."""
        basis = np.array([0.0, 1.0, t_s - self.ref_s])
        return float(basis @ self.spread @ basis)

    @property
    def speed(self) -> float:
        return float(np.hypot(*self.velocity))


@dataclass(frozen=True, slots=True, kw_only=True)
class Kink:
    """A change of motion at ``t_s``: velocities just before and after, and by how much the two pieces miss."""

    t_s: float
    t_sigma_s: float
    place: Array
    before: Array
    after: Array
    change_sigma: float
    miss_mm: float
    span: tuple[float, float]
    """The last picture before and the first after it, s: it lies between them."""
    index: int
    """The piece that ends here; ``index + 1`` begins."""

    @property
    def change(self) -> Array:
        turned: Array = self.after - self.before
        return turned

    @property
    def strength(self) -> float:
        return float(np.hypot(*self.change))

    @property
    def hard(self) -> bool:
        """Whether it is more than noise or spin."""
        return self.strength > max(SOFT_KINK, 3.5 * self.change_sigma)


@dataclass(frozen=True, slots=True, kw_only=True)
class BallPath:
    """Pieces in order of time, kinks between neighbours. t_s: (n,) and xy_mm: (n, 2) are the samples used."""

    ball: str
    pieces: tuple[Piece, ...]
    kinks: tuple[Kink, ...]
    t_s: Array
    xy_mm: Array
    sigma_mm: float

    @property
    def moved(self) -> bool:
        return any(not piece.at_rest for piece in self.pieces)

    def piece_at(self, t_s: float) -> Piece:
        """The piece in whose span ``t_s`` is, cut at the kinks."""
        for kink in self.kinks:
            if t_s < kink.t_s:
                return self.pieces[kink.index]
        return self.pieces[-1]

    def at(self, t_s: float) -> Array:
        """(2,) the centre; a run is not drawn out beyond where its ball would stop."""
        piece = self.piece_at(t_s)
        if piece.at_rest:
            return piece.place
        return piece.at(min(max(t_s, piece.t0_s - 0.1), max(piece.t1_s + 0.1, piece.t0_s)))

    def places(self, t_s: Array) -> Array:
        """(n, 2) the centre at each of the times (n,), as `at` gives it."""
        where = np.empty((len(t_s), 2))
        later = np.ones(len(t_s), dtype=bool)
        for kink in (*self.kinks, None):
            now = later & (t_s < kink.t_s) if kink is not None else later
            if now.any():
                piece = self.pieces[kink.index if kink is not None else -1]
                until = max(piece.t1_s + 0.1, piece.t0_s)
                where[now] = piece.place if piece.at_rest else piece.at(np.clip(t_s[now], piece.t0_s - 0.1, until))
                later &= ~now
        return where

    def velocity_at(self, t_s: float) -> Array:
        return self.piece_at(t_s).velocity_at(t_s)


def fit_piece(t: Array, xy: Array, weight: Array, *, at_rest: bool) -> Piece:
    """Least squares with a weak prior on the acceleration; weight (n, 2, 2) are the samples' inverse covariances."""
    trace = np.trace(weight, axis1=1, axis2=2)
    ref = float(np.average(t, weights=trace))
    order = 1 if at_rest else 3
    s = t - ref
    basis = np.stack([np.ones_like(s), s, s**2 / 2], axis=1)[:, :order]
    design = np.zeros((len(t), 2, 2 * order))
    design[:, 0, :order] = design[:, 1, order:] = basis
    weighted = weight @ design
    normal = np.tensordot(design, weighted, axes=((0, 1), (0, 1)))
    if not at_rest:
        normal[(2, 5), (2, 5)] += ACCELERATION_PRIOR**-2
        normal[(1, 4), (1, 4)] += 1e-9
    covariance = np.linalg.inv(normal)
    fitted = covariance @ np.tensordot(weighted, xy, axes=((0, 1), (0, 1)))
    spread = np.zeros((3, 3))
    spread[:order, :order] = (covariance[:order, :order] + covariance[order:, order:]) / 2
    values = np.zeros((3, 2))
    values[:order] = fitted.reshape(2, order).T
    return Piece(
        t0_s=float(t[0]),
        t1_s=float(t[-1]),
        ref_s=ref,
        place=values[0],
        velocity=values[1],
        acceleration=values[2],
        spread=spread,
        count=len(t),
        at_rest=at_rest,
    )


def _joined(cuts: list[Cut], t: Array, xy: Array, weight: Array) -> list[Cut]:
    """Joins neighbours of one kind that were cut only because a piece may not be longer than it may."""
    joined: list[Cut] = []
    for start, end, name in cuts:
        if joined and joined[-1][2] == name and name != "outlier" and joined[-1][1] == start:
            first = joined[-1][0]
            parts = sum(_misfit(t, xy, weight, a, b, name) for a, b in ((first, start), (start, end)))
            penalty = RUN_PENALTY if name == "run" else REST_PENALTY
            if _misfit(t, xy, weight, first, end, name) < parts + penalty:
                joined[-1] = (first, end, name)
                continue
        joined.append((start, end, name))
    return joined


def _stilled(cuts: list[Cut], xy: Array, sigma_mm: float) -> list[Cut]:
    """Takes a run that gets nowhere for a rest, and joins rests on one place."""
    still: list[Cut] = []
    limit = max(1.5 * sigma_mm, 2.5)
    for start, end, name in cuts:
        kind = name
        if name == "run" and end - start >= LEAST_REST:
            middle = (start + end) // 2
            way = float(np.hypot(*(xy[middle:end].mean(axis=0) - xy[start:middle].mean(axis=0))))
            if way < limit and float(np.ptp(xy[start:end], axis=0).max()) < 4 * limit:
                kind = "rest"
        if still and kind == "rest" and still[-1][2] == "rest" and still[-1][1] == start:
            home, here = xy[still[-1][0] : start].mean(axis=0), xy[start:end].mean(axis=0)
            if float(np.hypot(*(home - here))) < limit:
                still[-1] = (still[-1][0], end, "rest")
                continue
        still.append((start, end, kind))
    return still


def _calmed(cuts: list[Cut], xy: Array, sigma_mm: float) -> list[Cut]:
    """Takes a ball that trembles on its place and lies there again for one that lay still all the time."""
    calm: list[Cut] = []
    for cut in cuts:
        calm.append(cut)
        rests = [i for i, (_, _, name) in enumerate(calm) if name == "rest"]
        if cut[2] != "rest" or len(rests) < 2:
            continue
        first = rests[-2]
        home = xy[calm[first][0] : calm[first][1]].mean(axis=0)
        back = xy[cut[0] : cut[1]].mean(axis=0)
        away = np.hypot(*(xy[calm[first][1] : cut[0]] - home).T)
        limit = max(6.0 * sigma_mm, 10.0)
        if np.hypot(*(back - home)) < max(2.5 * sigma_mm, 4.0) and (not len(away) or float(away.max()) < limit):
            calm[first:] = [(calm[first][0], cut[1], "rest")]
    return _without_twitch(calm, xy, max(6.0 * sigma_mm, 10.0))


def _without_twitch(cuts: list[Cut], xy: Array, limit_mm: float) -> list[Cut]:
    """Joins a few samples at the end to the rest that they don't leave."""
    if len(cuts) > 1 and cuts[-2][2] == "rest" and cuts[-1][1] - cuts[-1][0] <= LEAST_REST:
        home = xy[cuts[-2][0] : cuts[-2][1]].mean(axis=0)
        if float(np.hypot(*(xy[cuts[-1][0] : cuts[-1][1]] - home).T).max()) < limit_mm / 2:
            return [*cuts[:-2], (cuts[-2][0], cuts[-1][1], "rest")]
    return cuts


def _misfit(t: Array, xy: Array, weight: Array, start: int, end: int, name: str) -> float:
    part = slice(start, end)
    piece = fit_piece(t[part], xy[part], weight[part], at_rest=name == "rest")
    off = piece.at(t[part]) - xy[part]
    return float((off * (weight[part] @ off[:, :, None])[:, :, 0]).sum())


def _flight(rest: Piece, t: Array, xy: Array, weight: Array) -> Piece:
    """A run seen only here and there at the end of a path, drawn from the place where the ball had lain."""
    times = np.concatenate([[rest.t1_s], t])
    places = np.vstack([rest.place, xy])
    return fit_piece(times, places, np.concatenate([weight[:1], weight]), at_rest=False)


def kink_between(first: Piece, second: Piece, index: int, clock_sigma_s: float) -> Kink:
    """Where and when one piece goes over into the next."""
    low, high = first.t1_s, second.t0_s
    # A sample of the first piece was taken before the kink, whatever the second one says when drawn out backwards.
    slack = 0.001 + 2.0 * clock_sigma_s
    times = np.linspace(low - slack, high + slack, 81)
    gap2 = ((first.at(times) - second.at(times)) ** 2).sum(axis=1)
    variance = first.place_variance(times) + second.place_variance(times)
    outside = np.maximum(low - times, 0.0) + np.maximum(times - high, 0.0)
    score = gap2 / (variance + 0.25) + (outside / (0.5 * slack)) ** 2
    best = int(score.argmin())
    t = float(times[best])
    before, after = first.velocity_at(t), second.velocity_at(t)
    change = float(np.hypot(*(after - before)))
    place_sigma = float(np.sqrt(variance[best]))
    sigma = min(place_sigma / max(change, 1e-6), (high - low + 0.02) / 2)
    if min(p.count for p in (first, second) if not p.at_rest or p.count > 1) < 3:
        # Two samples make a line, but say nothing of how the speed changed.
        sigma = max(sigma, (high - low) / 3.5)
    miss = float(np.sqrt(gap2[best]))
    if miss > max(JUMP_MM, 4.0 * place_sigma):
        # The pieces don't meet: something more happened in between, and nothing tells when.
        t, sigma = (low + high) / 2, (high - low) / 3.5
        before, after = first.velocity_at(t), second.velocity_at(t)
    sigma = float(np.hypot.reduce([sigma, clock_sigma_s, LEAST_SIGMA_S, PLACE_BIAS_MM / max(change, SOFT_KINK)]))
    place = second.at(t) if second.place_variance(t) < first.place_variance(t) else first.at(t)
    return Kink(
        t_s=t,
        t_sigma_s=sigma,
        place=place,
        before=before,
        after=after,
        change_sigma=float(np.sqrt(first.velocity_variance(t) + second.velocity_variance(t))),
        miss_mm=miss,
        span=(low, high),
        index=index,
    )


def _weights(t: Array, xy: Array, cov: Array, clock_sigma_s: float) -> Array:
    """(n, 2, 2) inverse covariances: a picture's time that is off moves a ball along its way, not across it."""
    full = cov + np.eye(2) * LEAST_SIGMA**2
    if len(t) > 1:
        step = np.diff(xy, axis=0) / np.maximum(np.diff(t), 1e-3)[:, None]
        ahead, behind = np.vstack([step, step[-1:]]), np.vstack([step[:1], step])
        slower = np.hypot(*ahead.T) < np.hypot(*behind.T)
        velocity = np.where(slower[:, None], ahead, behind)
        full = full + clock_sigma_s**2 * velocity[:, :, None] * velocity[:, None, :]
    scale = _roughness(t, xy, full)
    return np.asarray(np.linalg.inv(full * scale[:, None, None] ** 2), dtype=np.float64)


def _roughness(t: Array, xy: Array, cov: Array) -> Array:
    """(n,) by how much places scatter more than their covariances say, by neighbours three at a time."""
    n = len(t)
    if n < 7:
        return np.ones(n)
    share = ((t[1:-1] - t[:-2]) / np.maximum(t[2:] - t[:-2], 1e-6))[:, None]
    off = xy[1:-1] - (1 - share) * xy[:-2] - share * xy[2:]
    sigma = np.sqrt(np.trace(cov[1:-1], axis1=1, axis2=2) / 2 * 1.5)
    ratio = np.hypot(*off.T) / sigma
    # Mirrored, not held, at the ends: a ball that sets off with its last sample doesn't make all before it rough.
    around = np.pad(ratio, min(ROUGH_WINDOW + 1, len(ratio) - 1), mode="reflect")
    width = len(around) - n + 1
    windows = np.lib.stride_tricks.sliding_window_view(around, width)
    # The median of a Rayleigh distribution is 1.18 sigma.
    return np.asarray(np.clip(np.median(windows, axis=1) / 1.18, ROUGH_LEAST, ROUGH_MOST), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class _Near:
    """The samples of a path, from which its kinks are dated: times (n,), centres (n, 2), weights (n, 2, 2)."""

    t_s: Array
    xy_mm: Array
    weight: Array

    def dated(self, kink: Kink, first: Piece, second: Piece, clock_sigma_s: float) -> Kink:
        """The kink, dated by what the ball did right before and after it.

        A ball slides after a hit and rolls later on, so a steady acceleration fitted to a long run is off at its ends.
        """
        low, high = kink.span
        if high - low > NEAR_S:
            # A way so long unseen is drawn better from all that was seen.
            return kink
        before, after = self._part(first, low - NEAR_S, low), self._part(second, high, high + NEAR_S)
        if before is first and after is second:
            return kink
        local = kink_between(before, after, kink.index, clock_sigma_s)
        if local.miss_mm > max(kink.miss_mm, JUMP_MM):
            return kink
        # A gentle touch is lost in the noise of so few samples, and bends a long run little.
        near, far = local.t_sigma_s**-2, 1.0 / (kink.t_sigma_s**2 + FAR_SIGMA_S**2)
        t = (near * local.t_s + far * kink.t_s) / (near + far)
        return replace(kink, t_s=t, t_sigma_s=max(near, far) ** -0.5, place=local.place)

    def _part(self, piece: Piece, low: float, high: float) -> Piece:
        """The piece fitted anew to its samples from low to high only, itself where that would be too few or all."""
        if piece.at_rest:
            return piece
        use = (self.t_s >= max(low, piece.t0_s) - 1e-9) & (self.t_s <= min(high, piece.t1_s) + 1e-9)
        if not NEAR_LEAST <= int(use.sum()) < piece.count:
            return piece
        return fit_piece(self.t_s[use], self.xy_mm[use], self.weight[use], at_rest=False)


def fit_path(
    ball: str,
    t_s: Array,
    xy_mm: Array,
    cov_mm2: Array,
    *,
    clock_sigma_s: float = 0.001,
    still_mm: float | None = None,
    memory: dict[str, Cuts] | None = None,
) -> BallPath:
    """Cuts the samples of a ball, times (n,), centres (n, 2) and covariances (n, 2, 2), into pieces.

    clock_sigma_s: 1 sigma of the pictures' times. still_mm: a ball all of whose samples lie within this is at rest.
    memory: the cuts found last for each ball, which go on from there where its samples have only grown.
    """
    weight = _weights(t_s, xy_mm, cov_mm2, clock_sigma_s)
    sigma = np.asarray(np.sqrt(np.trace(cov_mm2, axis1=1, axis2=2) / 2), dtype=np.float64)
    median_sigma = float(np.median(sigma))
    still = 8.0 * median_sigma if still_mm is None else still_mm
    if len(t_s) < 3 or float(np.ptp(xy_mm, axis=0).max()) < still:
        cuts = [(0, len(t_s), "rest")]
    else:
        found = best_cuts(t_s, xy_mm, weight, known=memory.get(ball) if memory is not None else None)
        if memory is not None:
            memory[ball] = found
        cuts = _joined(found.cuts, t_s, xy_mm, weight)
    cuts = _calmed(_stilled(cuts, xy_mm, median_sigma), xy_mm, median_sigma)
    pieces = [
        fit_piece(t_s[a:b], xy_mm[a:b], weight[a:b], at_rest=name == "rest") for a, b, name in cuts if name != "outlier"
    ]
    tail = next((i for i, (_, _, name) in enumerate(reversed(cuts)) if name != "outlier"), 0)
    if tail and pieces and pieces[-1].at_rest:
        pieces.append(_flight(pieces[-1], t_s[-tail:], xy_mm[-tail:], weight[-tail:]))
    if not pieces:
        pieces = [fit_piece(t_s, xy_mm, weight, at_rest=True)]
    near = _Near(t_s, xy_mm, weight)
    kinks = tuple(
        near.dated(kink_between(a, b, i, clock_sigma_s), a, b, clock_sigma_s)
        for i, (a, b) in enumerate(pairwise(pieces))
    )
    return BallPath(ball=ball, pieces=tuple(pieces), kinks=kinks, t_s=t_s, xy_mm=xy_mm, sigma_mm=median_sigma)
