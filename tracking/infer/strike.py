"""The strike: the cue ball leaves its place while all balls lie still, by itself and at once at speed."""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.paths import Kink
from tracking.records import Strike
from vision.balls import CUE

LEAST_SPEED = 50.0
"""Slower than this, mm/s, a ball is pushed along by a hand or the tip, or creeps."""

LEAST_WAY = 0.6
"""A struck ball rolls at least so many diameters."""


def strike_kink(evidence: Evidence) -> Kink | None:
    """The kink at which the cue ball sets off, None where it never does so like a struck ball."""
    path = evidence.paths.get(CUE)
    if path is None:
        return None
    for kink in path.kinks:
        piece = path.pieces[kink.index + 1]
        if not path.pieces[kink.index].at_rest or piece.at_rest:
            continue
        run = [p for p in path.pieces[kink.index + 1 :] if not p.at_rest]
        seen = path.t_s >= kink.t_s
        way = float(np.hypot(*(path.xy_mm[seen] - kink.place).T).max()) if seen.any() else 0.0
        if np.hypot(*kink.after) < LEAST_SPEED or way < LEAST_WAY * evidence.bed.diameter:
            continue
        if sum(p.count for p in run) < 3 or kink.miss_mm > 1.5 * evidence.bed.diameter:
            continue
        if _pushed(evidence, kink):
            continue
        return kink
    return None


def _pushed(evidence: Evidence, kink: Kink) -> bool:
    """Whether another ball was running and set the cue ball going: then it was a contact."""
    for ball, path in evidence.paths.items():
        if ball == CUE or not path.moved:
            continue
        piece = path.piece_at(kink.t_s - 1.5 * evidence.spacing_s)
        if piece.at_rest or np.hypot(*piece.velocity_at(kink.t_s)) < LEAST_SPEED:
            continue
        gap = float(np.hypot(*(path.at(kink.t_s) - kink.place))) - evidence.bed.diameter
        if gap < evidence.tolerance_mm(ball, CUE):
            return True
    return False


def infer_strike(evidence: Evidence) -> Strike | None:
    """The strike, None where there was none that was seen."""
    kink = strike_kink(evidence)
    if kink is None:
        return None
    speed = float(np.hypot(*kink.after))
    certain = 0.98 if speed > 4 * LEAST_SPEED else 0.9
    return Strike(t_s=kink.t_s, t_sigma_s=kink.t_sigma_s, confidence=certain, ball=CUE)
