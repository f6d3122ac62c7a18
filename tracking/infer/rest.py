"""Rest: when the last ball stops, if that was seen.

The last way of a rolling ball is a crawl that is lost in the noise of its places, so its end is drawn from where it
still ran well: a ball that loses speed steadily from v and stops after a way s takes 2 s / v.
"""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.paths import BallPath
from tracking.records import Rest

CRAWL_SPEED = 60.0
"""A ball faster than this, mm/s, has a well measured speed."""

LONGEST_CRAWL_S = 1.5
CREEP_MM = 25.0
"""Rests that lie no farther apart than this are the crawl of a ball that comes to its last one."""

REST_SIGMA_S, DRAWN_OUT_SHARE = 0.05, 0.3


def infer_rest(evidence: Evidence, leaves: dict[str, float]) -> Rest | None:
    """When all balls lie still, None where the evidence ends before or a ball's end wasn't seen."""
    last = evidence.t0_s
    sigma = evidence.spacing_s
    for ball, path in evidence.paths.items():
        if ball in leaves:
            last = max(last, leaves[ball])
            continue
        if not path.moved:
            continue
        if not path.pieces[-1].at_rest:
            return None
        stop = _stop(path)
        if stop is not None and stop[0] > last:
            last = min(stop[0], evidence.t1_s)
            sigma = max(evidence.spacing_s, stop[1])
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
    return stop, REST_SIGMA_S + DRAWN_OUT_SHARE * (stop - seen)
