"""The ball that was struck, where the one that is taken for the cue ball lay still.

Two balls may look alike from above, a stripe with its white cap up and the cue ball. Players strike the cue ball, next
to never another one: a ball that sets off alone, at speed and freely, is the cue ball.
"""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.infer.incident import all_in_view, first_off, handled, rolls_freely
from vision.balls import CUE

LEAST_SPEED = 200.0
"""A ball that a sleeve or a hand touches by accident sets off no faster than this, mm/s."""

LEAST_WAY = 2.0
"""It gets so many diameters before it meets anything, or a little less where it meets another ball."""


def struck_ball(evidence: Evidence) -> tuple[str, float] | None:
    """The ball that set off as the cue ball does when it is struck, though it is called otherwise, and when, s; None
    where there is no such."""
    if evidence.blackouts:
        return None
    first = first_off(evidence)
    if first is None or first.ball == CUE or handled(evidence, first):
        return None
    if not all_in_view(evidence, first.ball, first.kink.t_s):
        return None
    if float(np.hypot(*first.kink.after)) < LEAST_SPEED or not rolls_freely(first.path, first.kink):
        return None
    later = first.path.xy_mm[first.path.t_s > first.kink.t_s]
    way = float(np.hypot(*(later - first.kink.place).T).max()) if len(later) else 0.0
    return (first.ball, first.kink.t_s) if way > LEAST_WAY * evidence.bed.diameter else None
