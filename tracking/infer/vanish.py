"""Balls that lay still and weren't seen again after something ran into them: too fast, or dropped at once.

What the ball that hit them lost, they gained: equal masses.
"""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.infer.strike import USUAL_SPEED
from tracking.paths import BallPath, Kink

BY = 1.5
"""Balls whose centres came nearer than so many diameters may have touched."""

STEPS = 4
"""Places looked at from one picture to the next: at 10 m/s some 80 mm apart."""

LEAST_LOSS = 150.0
"""A ball that takes less than this, mm/s, from the one that hits it doesn't get far, and would be seen."""


def lies_and_vanishes(evidence: Evidence, ball: str) -> bool:
    """Whether a ball lay still until it wasn't seen any more, well before the end and with nothing to hide it."""
    path, fate = evidence.paths[ball], evidence.fates[ball]
    if path.moved or fate.last_s > evidence.t1_s - _while(evidence):
        return False
    place = path.pieces[-1].place
    times = np.linspace(fate.last_s + evidence.spacing_s, evidence.t1_s, 12)
    open_share = np.mean([not evidence.blind.hides(float(t), place, evidence.bed.radius) for t in times])
    return bool(open_share > 0.5)


def _while(evidence: Evidence) -> float:
    """A time, s, for which a track may hold on to a ball that has left, or miss one that is there."""
    return max(0.35, 6 * evidence.spacing_s)


def ran_there(evidence: Evidence, ball: str) -> bool:
    """Whether a ball that vanished so may have been sent off: another ran by where it lay, then or later."""
    since_s, place = evidence.fates[ball].last_s - _while(evidence), evidence.paths[ball].pieces[-1].place
    for other, path in evidence.paths.items():
        for piece in path.pieces:
            if other == ball or piece.at_rest or piece.t1_s + evidence.spacing_s < since_s:
                continue
            first, last = max(since_s, piece.t0_s - evidence.spacing_s), piece.t1_s + evidence.spacing_s
            times = np.arange(first, last, evidence.spacing_s / STEPS)
            if len(times) and float(np.hypot(*(piece.at(times) - place).T).min()) < BY * evidence.bed.diameter:
                return True
    return False


def vanishing_hit(evidence: Evidence, ball: str) -> tuple[str, Kink] | None:
    """The ball that sent this one off unseen and the hit, None where it didn't vanish so or nothing ran into it."""
    if not lies_and_vanishes(evidence, ball):
        return None
    path, fate = evidence.paths[ball], evidence.fates[ball]
    place = path.pieces[-1].place
    later = [t for t in evidence.picture_s.values() if t > fate.last_s + 1e-6]
    span = (path.pieces[-1].t1_s, min(later, default=fate.last_s + evidence.spacing_s))
    best: tuple[float, str, Kink] | None = None
    for other, theirs in evidence.paths.items():
        if other == ball:
            continue
        for kink in theirs.kinks:
            found = _hit_by(evidence, theirs, kink, place, span)
            if found is not None and (best is None or found[0] < best[0]):
                best = (found[0], other, found[1])
    return best[1:] if best else None


def _ran_into(evidence: Evidence, theirs: BallPath, kink: Kink, place: np.ndarray, until_s: float) -> bool:
    """Whether the run that ends with this kink, drawn out, comes to touch a ball at ``place`` in time."""
    run = theirs.pieces[kink.index]
    if run.at_rest:
        return False
    times = np.linspace(min(run.t1_s, until_s), until_s, 25)
    return float(np.hypot(*(run.at(times) - place).T).min()) < evidence.bed.diameter


def _hit_by(
    evidence: Evidence, theirs: BallPath, kink: Kink, place: np.ndarray, span: tuple[float, float]
) -> tuple[float, Kink] | None:
    """How far off a diameter the balls' centres were at this kink, and the kink of the ball hit there."""
    margin = 0.5 * evidence.spacing_s
    if kink.span[1] < span[0] - margin or kink.span[0] > span[1] + margin:
        return None
    if theirs.pieces[kink.index].at_rest and kink.miss_mm < evidence.bed.diameter:
        return None
    times = np.linspace(max(kink.span[0], span[0] - margin), min(kink.span[1], span[1] + margin) + 1e-4, 9)
    gap = min(abs(float(np.hypot(*(theirs.at(float(t)) - place))) - evidence.bed.diameter) for t in times)
    if _ran_into(evidence, theirs, kink, place, span[1] + margin):
        gap = 0.0
    speed = max(float(np.hypot(*kink.before)), float(np.hypot(*kink.after)))
    if gap > evidence.tolerance_mm(theirs.ball) + min(0.5 * speed * evidence.spacing_s, evidence.bed.diameter):
        return None
    change = kink.change
    if theirs.pieces[kink.index].at_rest:
        # Struck and arrived unseen: it came straight from its place, at a usual speed.
        way = theirs.pieces[kink.index + 1].at(kink.span[1]) - theirs.pieces[kink.index].place
        change = kink.after - way / max(float(np.hypot(*way)), 1e-6) * USUAL_SPEED
    if float(np.hypot(*change)) < LEAST_LOSS:
        return None
    t = float(np.clip(kink.t_s, *span))
    hit = Kink(
        t_s=t,
        t_sigma_s=max(kink.t_sigma_s, (span[1] - span[0]) / 3.5),
        place=place,
        before=np.zeros(2),
        after=-change,
        change_sigma=kink.change_sigma,
        miss_mm=0.0,
        span=span,
        index=-1,
    )
    return gap, hit
