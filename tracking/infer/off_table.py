"""Off the table: a ball that was seen beyond the noses, outside every mouth, and not on the bed again."""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.infer.pocket import vanishes
from tracking.records import OffTable


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
    return OffTable(t_s=run.t1_s, t_sigma_s=2 * evidence.spacing_s, confidence=0.8, ball=ball)
