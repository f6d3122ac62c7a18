"""Off the table: a ball that was seen beyond the noses, outside every mouth, and not on the bed again."""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.infer.pocket import vanishes
from tracking.paths import BallPath
from tracking.records import OffTable

OVER, PERHAPS = 0.93, 0.8
"""Confidence where a ball was seen to fly out over the rail, and where it was only lost beyond a nose."""

LEAST_LOOKS = 2


def infer_off_table(evidence: Evidence, ball: str) -> OffTable | None:
    """The ball left the table over a cushion, None where it didn't or that wasn't seen."""
    path = evidence.paths[ball]
    if not path.moved or not vanishes(evidence, ball) or len(path.xy_mm) < 2:
        return None
    last = path.xy_mm[-1]
    if evidence.bed.between_jaws(last, evidence.bed.radius) is not None:
        return None
    beyond = -min(evidence.bed.cushion_gaps(last).values())
    run = next((p for p in reversed(path.pieces) if not p.at_rest), None)
    if run is None or beyond < 0.7 * evidence.bed.radius:
        return None
    outward = last - np.array([evidence.bed.width / 2, evidence.bed.length / 2])
    if float(run.velocity_at(run.t1_s) @ outward) <= 0.0:
        return None
    sure = OVER if _flew_over(evidence, path) else PERHAPS
    return OffTable(t_s=run.t1_s, t_sigma_s=2 * evidence.spacing_s, confidence=sure, ball=ball)


def _flew_over(evidence: Evidence, path: BallPath) -> bool:
    """Whether a ball was seen far beyond a nose more than once and farther each time, with no pocket anywhere near."""
    bed, looks = evidence.bed, path.xy_mm[-LEAST_LOOKS:]
    beyond = [-min(bed.cushion_gaps(xy).values()) for xy in looks]
    mouth, away = bed.nearest_mouth(looks[-1])
    return min(beyond) > bed.radius and beyond[-1] > max(bed.diameter, beyond[0]) and away > 1.25 * mouth.width_mm
