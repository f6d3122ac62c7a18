"""Cushions: a kink beside a nose, towards it before and away from it after."""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.paths import BallPath, Kink
from tracking.records import Cushion

AXIS = {"left": (0, -1.0), "right": (0, 1.0), "bottom": (1, -1.0), "top": (1, 1.0)}
"""Axis and direction in which a ball runs into each cushion."""


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
        if abs(gap) > slack or turned < max(60.0, 2.5 * kink.change_sigma):
            continue
        if (into < 0.25 * turned and into < 40.0) or out > 0.35 * max(into, 1.0):
            continue
        along = abs(float(kink.change[1 - axis]))
        fit = np.exp(-0.5 * (gap / slack) ** 2) * (1.0 if along < 1.2 * turned else 0.5)
        if best is None or fit > best[1]:
            best = (cushion, float(fit))
    return best


def infer_cushions(evidence: Evidence, ball: str, path: BallPath) -> list[tuple[int, Cushion]]:
    """Cushion events of one ball, each with the index of the kink that it explains."""
    found = []
    for kink in path.kinks:
        if not kink.hard or path.pieces[kink.index].at_rest:
            continue
        hit = cushion_of(evidence, ball, kink)
        if hit is None:
            continue
        mouth = evidence.bed.mouth_at(kink.place)
        confidence = 0.6 + 0.37 * hit[1] - (0.3 if mouth is not None else 0.0)
        event = Cushion(
            t_s=kink.t_s, t_sigma_s=kink.t_sigma_s, confidence=round(confidence, 3), ball=ball, cushion=hit[0]
        )
        found.append((kink.index, event))
    return found
