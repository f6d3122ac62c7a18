"""Rest: when the last ball stops, if that was seen.

The last way of a rolling ball is a crawl that is lost in the noise of its places. But a ball that loses speed steadily
is a (T - t)² / 2 away from the place where it comes to lie, and so T is drawn from where it still ran well.
"""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.paths import Array, BallPath, Piece
from tracking.records import Rest

CRAWL_SPEED = 60.0
"""A ball faster than this, mm/s, has a well measured speed."""

ROLL_S = 1.5
"""For so long before it stops a ball rolls, and slides no more."""

CLEAR_SIGMAS, CLEAR_MM = 4.0, 5.0
"""A last way shorter than this, in sigmas of the places and in mm, tells nothing of when it ends."""

PLACE_SIGMA_MM, LEAST_SIGMA_MM = 1.5, 0.5
LEAST_LOOKS, ROUNDS = 6, 6
LONGEST_CRAWL_S = 1.5
CREEP_MM = 25.0
"""Rests that lie no farther apart than this are the crawl of a ball that comes to its last one."""

LEAST_REST_SIGMA_S = 0.015
REST_SIGMA_S, DRAWN_OUT_SHARE = 0.05, 0.3


def infer_rest(evidence: Evidence, leaves: dict[str, float]) -> Rest | None:
    """When all balls lie still, None where the evidence ends before or a ball's end wasn't seen.

    What was lost from sight before the pictures of this stroke has no part in it.
    """
    last = evidence.t0_s
    sigma = evidence.spacing_s
    for ball, path in evidence.paths.items():
        if ball in leaves:
            last = max(last, leaves[ball])
            continue
        if not path.moved or evidence.fates[ball].last_s < evidence.t0_s:
            continue
        if not path.pieces[-1].at_rest:
            return None
        stop = _stop(path)
        if stop is not None and stop[0] > last:
            last = min(stop[0], evidence.t1_s)
            sigma = max(evidence.spacing_s / 2, stop[1])
    return Rest(t_s=last, t_sigma_s=sigma, confidence=0.95)


def _stop(path: BallPath) -> tuple[float, float] | None:
    """When a ball that ends at rest stops for good, and its sigma, s."""
    end = len(path.pieces) - 1
    place = path.pieces[end].place
    while end > 0 and path.pieces[end - 1].at_rest and np.hypot(*(path.pieces[end - 1].place - place)) < CREEP_MM:
        end -= 1
    if end == 0:
        return None
    seen, run = path.kinks[end - 1].t_s, path.pieces[end - 1]
    if run.at_rest:
        return path.kinks[-1].t_s, 2 * REST_SIGMA_S
    times = np.linspace(run.t0_s, run.t1_s, 30)
    speeds = np.hypot(*run.velocity_at(times).T)
    fast = np.nonzero(speeds >= CRAWL_SPEED)[0]
    at = int(fast[-1]) if len(fast) else 0
    way = float(np.hypot(*(place - run.at(float(times[at])))))
    drawn = float(times[at]) + 2.0 * way / max(float(speeds[at]), 10.0)
    stop = float(np.clip(drawn, seen, seen + LONGEST_CRAWL_S))
    rolled = _rolled_out(path, run, _last_place(path, seen), stop)
    if rolled is not None and abs(rolled[0] - stop) < LONGEST_CRAWL_S / 2:
        return rolled
    return stop, REST_SIGMA_S + DRAWN_OUT_SHARE * (stop - seen)


def _last_place(path: BallPath, seen_s: float) -> Array:
    """(2,) where the ball lies after ``seen_s``, when it seems to rest: by the second half of its looks, since it may
    still crawl in the first."""
    later = path.xy_mm[path.t_s >= seen_s]
    place: Array = np.median(later[len(later) // 2 :], axis=0) if len(later) else path.pieces[-1].place
    return place


def _rolled_out(path: BallPath, run: Piece, place: Array, about_s: float) -> tuple[float, float] | None:
    """When the ball stops, and its sigma, s, from the way d(T) = p - a (T - t)² / 2 of its last roll; None where too
    little of it was seen.

    Where it lies (p) is known to within `PLACE_SIGMA_MM` only: the crawl of the last moments passes for rest.
    """
    use = (path.t_s >= run.t0_s) & (path.t_s <= run.t1_s) & (path.t_s > about_s - ROLL_S)
    t, xy = path.t_s[use], path.xy_mm[use]
    if len(t) < LEAST_LOOKS:
        return None
    way = place - xy[0]
    length = float(np.hypot(*way))
    if length < max(CLEAR_SIGMAS * path.sigma_mm, CLEAR_MM):
        return None
    along = (xy - place) @ (way / length)
    sigma = max(path.sigma_mm, LEAST_SIGMA_MM)
    rest = np.array([0.0, 2.0 * length / max(about_s - t[0], 0.1) ** 2, about_s])
    lever = np.diag([PLACE_SIGMA_MM**-2, 0.0, 0.0])
    for _ in range(ROUNDS):
        p, a, stop = rest
        left = np.maximum(stop - t, 0.0)
        if np.count_nonzero(left) < 2:
            # It is said to have stopped before it was seen to roll: nothing is known of how it slowed down.
            return None
        off = along - (p - a * left**2 / 2)
        slope = np.stack([np.ones_like(t), -(left**2) / 2, -a * left], axis=1) / sigma
        normal = slope.T @ slope + lever
        step = np.linalg.solve(normal, slope.T @ (off / sigma) - lever @ [p, 0.0, 0.0])
        rest = rest + step
        if rest[1] <= 0.0 or not abs(rest[2] - about_s) < LONGEST_CRAWL_S:
            return None
    scatter = max(1.0, float(np.sqrt(np.mean(off**2))) / sigma)
    return float(rest[2]), float(np.hypot(LEAST_REST_SIGMA_S, scatter * np.sqrt(np.linalg.inv(normal)[2, 2])))
