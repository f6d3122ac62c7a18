"""Cushions: a kink beside a nose, towards it before and away from it after."""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.infer.jaws import AXIS, jaw_touches, mouth_of
from tracking.paths import BallPath, Kink
from tracking.records import Cushion

MAYBE, MAYBE_SIGMA_S = 0.6, 0.1
"""Confidence, and time's sigma, of a touch that can't be told from a near miss."""

MIRROR_SPEED, MIRROR_REACH = 100.0, 0.55
"""A ball faster than this, mm/s, that is thrown back so many diameters from a nose, with no ball beside it, has touched
it: what a nose hides of a ball draws its centre towards the bed.
"""


def cushion_of(evidence: Evidence, ball: str, kink: Kink) -> tuple[str, float] | None:
    """The cushion that explains this kink, and how well, 0 to 1."""
    best: tuple[str, float] | None = None
    tolerance = evidence.tolerance_mm(ball)
    for cushion, gap in evidence.bed.cushion_gaps(kink.place).items():
        axis, sign = AXIS[cushion]
        into, out = sign * float(kink.before[axis]), sign * float(kink.after[axis])
        turned = into - out
        # A place known only to within its kink's time may lie off the nose by the way run in that time.
        slack = tolerance + kink.miss_mm / 2 + min(abs(into), abs(out) + 200.0) * kink.t_sigma_s
        slack = min(slack, 1.2 * evidence.bed.diameter)
        if mirrors(kink, axis, sign) and not beside_a_ball(evidence, ball, kink):
            slack = max(slack, MIRROR_REACH * evidence.bed.diameter)
        if abs(gap) > slack or turned < max(60.0, 2.5 * kink.change_sigma):
            continue
        if (into < 0.25 * turned and into < 40.0) or out > 0.35 * max(into, 1.0):
            continue
        along = abs(float(kink.change[1 - axis]))
        fit = np.exp(-0.5 * (gap / slack) ** 2) * (1.0 if along < 1.2 * turned else 0.5)
        if best is None or fit > best[1]:
            best = (cushion, float(fit))
    return best


def mirrors(kink: Kink, axis: int, sign: float) -> bool:
    """Whether a ball left as a cushion throws it back: turned round across it, little changed along it."""
    into, out = sign * float(kink.before[axis]), -sign * float(kink.after[axis])
    along = abs(float(kink.change[1 - axis]))
    return into > MIRROR_SPEED and out > 0.25 * into and along < 0.35 * (into + out)


def beside_a_ball(evidence: Evidence, ball: str, kink: Kink) -> bool:
    """Whether another ball was near enough to have turned this one."""
    return any(
        other != ball
        and evidence.on_bed(other, kink.t_s)
        and float(np.hypot(*(path.at(kink.t_s) - kink.place))) < 1.6 * evidence.bed.diameter
        for other, path in evidence.paths.items()
    )


def infer_cushions(evidence: Evidence, ball: str, path: BallPath) -> list[tuple[int, Cushion]]:
    """Cushion events of one ball, each with the index of the kink that it explains."""
    found = []
    for kink in path.kinks:
        if not kink.hard or path.pieces[kink.index].at_rest:
            continue
        mouth = mouth_of(evidence, kink)
        if mouth is not None and not beside_a_ball(evidence, ball, kink):
            touches = jaw_touches(evidence, ball, kink, mouth)
            if touches:
                found += [(kink.index, touch) for touch in touches]
                continue
        hit = cushion_of(evidence, ball, kink)
        if hit is None:
            continue
        confidence = 0.6 + 0.37 * hit[1] - (0.3 if evidence.bed.mouth_at(kink.place) is not None else 0.0)
        event = Cushion(
            t_s=kink.t_s, t_sigma_s=kink.t_sigma_s, confidence=round(confidence, 3), ball=ball, cushion=hit[0]
        )
        found.append((kink.index, event))
    return found


def possible_touches(
    evidence: Evidence, ball: str, found: list[Cushion], since_s: float, until_s: float
) -> list[Cushion]:
    """Cushions that a running ball came so near to that it may have touched them, though its path doesn't show it.

    A ball that barely reaches a nose, or a jaw, keeps no way that would be seen; whether it got there is left open.
    until_s: when it left the bed, inf where it didn't.
    """
    path = evidence.paths[ball]
    during = (path.t_s > since_s) & (path.t_s <= until_s)
    if np.isfinite(until_s) and during.any():
        # On its way into a pocket a ball passes beside the noses.
        mouth, _ = evidence.bed.nearest_mouth(path.xy_mm[during][-1])
        during &= np.hypot(*(path.xy_mm - mouth.centre).T) > 1.5 * mouth.width_mm
    if not path.moved or not during.any():
        return []
    times, places = path.t_s[during], path.xy_mm[during]
    start = path.at(since_s)
    doubtful = []
    for cushion, home in evidence.bed.cushion_gaps(start).items():
        axis, sign = AXIS[cushion]
        limit = evidence.bed.width if axis == 0 else evidence.bed.length
        gaps = (limit if sign > 0 else 0.0) * sign - sign * places[:, axis] - evidence.bed.radius
        within = min(max(3.0, 2.5 * path.sigma_mm), 0.25 * evidence.bed.diameter)
        nearest = int(gaps.argmin())
        came = home - float(gaps[nearest]) > 2.0 * within
        known = any(event.ball == ball and event.cushion == cushion for event in found)
        if came and not known and float(gaps[nearest]) < within:
            event = Cushion(
                t_s=float(times[nearest]), t_sigma_s=MAYBE_SIGMA_S, confidence=MAYBE, ball=ball, cushion=cushion
            )
            doubtful.append(event)
    return doubtful
