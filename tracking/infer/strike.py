"""The strike: the cue ball leaves its place while all balls lie still, by itself and at once at speed."""

from dataclasses import replace

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.paths import JUMP_MM, BallPath, Kink, Piece, kink_between
from tracking.records import Strike
from vision.balls import CUE

LEAST_SPEED = 50.0
"""Slower than this, mm/s, a ball is pushed along by a hand or the tip, or creeps."""

USUAL_SPEED = 3000.0
JUST_STRUCK_SPEED = 1500.0
"""A cue ball faster than this, mm/s, has met nothing yet."""

LEAST_WAY = 0.6
"""A struck ball rolls at least so many diameters."""


def strike_kink(evidence: Evidence) -> Kink | None:
    """The kink at which the cue ball sets off, None where it never does so like a struck ball."""
    path = evidence.paths.get(CUE)
    if path is None:
        return None
    for index, piece in enumerate(path.pieces):
        rest = _place_left(path, index, evidence.bed.diameter)
        if piece.at_rest or rest is None:
            continue
        kink = path.kinks[rest]
        if rest + 1 < index:
            kink = kink_between(path.pieces[rest], piece, rest, evidence.clock_sigma_s)
        run = [p for p in path.pieces[index:] if not p.at_rest]
        seen = path.t_s >= kink.t_s
        way = float(np.hypot(*(path.xy_mm[seen] - kink.place).T).max()) if seen.any() else 0.0
        if piece.speed < LEAST_SPEED or way < LEAST_WAY * evidence.bed.diameter:
            continue
        looks = sum(p.count for p in run)
        if (looks < 3 and not _drove_another(evidence, kink, piece.t1_s)) or _pushed(evidence, kink):
            continue
        return _dated(kink, path.pieces[rest], piece) if kink.miss_mm > JUMP_MM else kink
    return _just_struck(evidence, path)


def _just_struck(evidence: Evidence, path: BallPath) -> Kink | None:
    """For a view that begins with the cue ball on its way and all others still: it was struck a moment before."""
    run = path.pieces[0]
    if run.at_rest or run.t0_s > evidence.t0_s + 2 * evidence.spacing_s:
        return None
    velocity = run.velocity_at(run.t0_s)
    if float(np.hypot(*velocity)) < JUST_STRUCK_SPEED or len(path.t_s) < 5:
        return None
    if any(not other.pieces[0].at_rest for ball, other in evidence.paths.items() if ball != CUE):
        return None
    return Kink(
        t_s=run.t0_s,
        t_sigma_s=evidence.spacing_s,
        place=run.at(run.t0_s),
        before=np.zeros(2),
        after=velocity,
        change_sigma=float(np.sqrt(run.velocity_variance(run.t0_s))),
        miss_mm=JUMP_MM,
        span=(run.t0_s, run.t0_s),
        index=-1,
    )


def _drove_another(evidence: Evidence, kink: Kink, until_s: float) -> bool:
    """Whether another ball left its place while the cue ball shot away: what is seen of that twice only is no hand."""
    if float(np.hypot(*kink.after)) < JUST_STRUCK_SPEED:
        return False
    return any(
        start.t_s > kink.span[0] and start.t_s < until_s + 2.0 * evidence.spacing_s and start.hard
        for ball, path in evidence.paths.items()
        if ball != CUE
        for start in path.kinks
        if path.pieces[start.index].at_rest
    )


def _place_left(path: BallPath, index: int, diameter_mm: float) -> int | None:
    """The rest from which the piece ``index`` sets out, with nothing but a first twitch in between."""
    for rest in range(index - 1, -1, -1):
        if path.pieces[rest].at_rest:
            return rest
        last = path.pieces[rest]
        place = next((p.place for p in reversed(path.pieces[:rest]) if p.at_rest), None)
        if place is None or last.count > 3 or np.hypot(*(last.at(last.t1_s) - place)) > 1.5 * diameter_mm:
            return None
    return None


def _dated(kink: Kink, rest: Piece, run: Piece) -> Kink:
    """The strike of a cue ball whose first way wasn't seen, dated by a usual speed over that way."""
    low, high = kink.span
    way_s = float(np.hypot(*(run.at(run.t0_s) - rest.place))) / USUAL_SPEED
    t = max(low, high - way_s)
    return replace(kink, t_s=t, t_sigma_s=min((high - low) / 2, 0.5 * way_s + 0.01), place=rest.place)


def _pushed(evidence: Evidence, kink: Kink) -> bool:
    """Whether another ball ran into the cue ball and gave it its motion: then it was a contact."""
    for ball, path in evidence.paths.items():
        if ball == CUE or not path.moved:
            continue
        for other in path.kinks:
            if abs(other.t_s - kink.t_s) > 2.5 * np.hypot(other.t_sigma_s, kink.t_sigma_s) + 0.01 or not other.hard:
                continue
            piece = path.pieces[other.index]
            gap = float(np.hypot(*(other.place - kink.place))) - evidence.bed.diameter
            lost, gained = other.change, kink.change
            against = float(lost @ gained) < -0.5 * float(np.hypot(*lost) * np.hypot(*gained))
            if not piece.at_rest and piece.count >= 5 and gap < evidence.tolerance_mm(ball, CUE) and against:
                return True
    return False


def infer_strike(evidence: Evidence) -> Strike | None:
    """The strike, None where there was none that was seen."""
    kink = strike_kink(evidence)
    if kink is None:
        return None
    speed = float(np.hypot(*kink.after))
    certain = 0.98 if speed > 4 * LEAST_SPEED and kink.miss_mm < JUMP_MM else 0.9
    return Strike(t_s=kink.t_s, t_sigma_s=kink.t_sigma_s, confidence=certain, ball=CUE)
