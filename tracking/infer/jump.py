"""Jumps: a ball's path leads over the place of another one that lies still, and neither of them is turned.

On the cloth two balls can't be nearer than a diameter, so one that runs on through that place passed over it. From
above nothing else tells of it; how high it flew isn't seen.
"""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.paths import BallPath, Piece
from tracking.records import Jump

LEAST_SPEED = 800.0
"""A ball that jumps over another one is faster than this, mm/s."""

DEEPEST = 0.65
"""The centres must come nearer than so many diameters: farther apart, errors of the places could explain it."""

STILL_S = 0.3
LOOKS_EACH_SIDE = 2
CONFIDENCE = 0.7
"""A ball taken for another one where several run looks alike, so the referee is asked."""


def infer_jumps(evidence: Evidence, since_s: float) -> list[Jump]:
    """All passings over balls at rest after ``since_s``, in order of time."""
    found = []
    for ball, path in evidence.paths.items():
        for piece in path.pieces:
            if piece.at_rest or piece.t1_s <= since_s or piece.count < 2 * LOOKS_EACH_SIDE:
                continue
            for over, other in evidence.paths.items():
                if over != ball and (t := _passes_over(evidence, path, piece, other)) is not None and t > since_s:
                    sigma = float(np.hypot(evidence.clock_sigma_s, 0.1 * evidence.spacing_s))
                    found.append(
                        Jump(t_s=t, t_sigma_s=sigma, confidence=CONFIDENCE, ball=ball, over=over, touched=False)
                    )
    return sorted(found, key=lambda event: event.t_s)


def _passes_over(evidence: Evidence, path: BallPath, piece: Piece, other: BallPath) -> float | None:
    """When one smooth run passes over a ball that lies still before and after it, None where it doesn't."""
    times = np.linspace(piece.t0_s, piece.t1_s, 6 * piece.count)
    place = other.at(float(times[0]))
    away = np.hypot(*(piece.at(times) - place).T)
    nearest = int(away.argmin())
    t = float(times[nearest])
    if away[nearest] > DEEPEST * evidence.bed.diameter - 3.0 * np.hypot(path.sigma_mm, other.sigma_mm):
        return None
    if float(np.hypot(*piece.velocity_at(t))) < LEAST_SPEED:
        return None
    looks = path.t_s[(path.t_s >= piece.t0_s - 1e-6) & (path.t_s <= piece.t1_s + 1e-6)]
    if min(int((looks < t).sum()), int((looks > t).sum())) < LOOKS_EACH_SIDE:
        return None
    if not other.piece_at(t).at_rest or np.hypot(*(other.at(t) - other.at(t + STILL_S))) > 3.0 * other.sigma_mm + 1.0:
        return None
    seen = other.t_s[np.abs(other.t_s - t) < STILL_S]
    # It must have been seen to lie there, before the other ball passed and afterwards.
    return t if np.any(seen < t) and np.any(seen > t) else None
