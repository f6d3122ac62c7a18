"""Balls that were lost sight of on their way: how far they can have got.

A dim ball on a cloth of its colour may be seen only while it runs. One that rolls out in the open, far from every
pocket, and that no ball comes near lies there, though nobody sees it.
"""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.infer.pocket import LEAST_SLOWING
from tracking.paths import Piece
from tracking.tracks import BallState, Reach

SIGMAS = 2.0
UNSEEN_S = 1.0
"""What was lost sight of where it seemed to stop, and isn't seen there in the open for so long, isn't there."""

LEAST_LOOKS = 5
"""Looks at a run that tell how fast a ball is."""


def unseen_end(evidence: Evidence, ball: str) -> bool:
    """Whether what became of a ball wasn't seen: it ran when it was lost sight of, and isn't known to have dropped.

    One that seems to have stopped there isn't there if nothing hides the place, and it isn't seen.
    """
    path, fate = evidence.paths[ball], evidence.fates[ball]
    if fate.state in (BallState.POCKETED, BallState.OFF) or not path.moved:
        return False
    last = path.pieces[-1]
    if last.at_rest:
        open_there = not evidence.blind.hides(evidence.t1_s, last.place, evidence.bed.radius)
        return fate.state is BallState.HIDDEN and open_there and fate.last_s < evidence.t1_s - UNSEEN_S
    return fate.last_s < evidence.t1_s - 4 * evidence.spacing_s


def rolled_out(evidence: Evidence, ball: str) -> Reach | None:
    """Where a ball has come to rest that was lost sight of; None where that isn't known.

    It may have got to a pocket, been hit once more, or been moved by a hand. A ball only loses speed: one that is hard
    to see is known best by how it ran while it was seen well.
    """
    fate = evidence.fates[ball]
    if not unseen_end(evidence, ball) or fate.taken or fate.back_s is not None:
        return None
    if evidence.paths[ball].pieces[-1].at_rest:
        return None  # it isn't where it seemed to stop
    if fate.reach is not None:
        return fate.reach if _nobody_near(evidence, ball, fate.reach, evidence.t0_s) else None
    if fate.last_s < evidence.t0_s:
        return None  # what happened between isn't known any more
    found = []
    for run in evidence.paths[ball].pieces:
        for t in () if run.at_rest or run.count < LEAST_LOOKS else ((run.t0_s + run.t1_s) / 2, run.t1_s):
            reach = _reach(evidence, ball, run, t)
            if reach is None or evidence.blind.hides(fate.last_s + evidence.spacing_s, reach.near, reach.slack_mm):
                continue
            if _in_the_open(evidence, reach) and _nobody_near(evidence, ball, reach, t):
                found.append(reach)
    return min(found, key=lambda reach: float(np.hypot(*(reach.far - reach.near))) + reach.slack_mm, default=None)


def _reach(evidence: Evidence, ball: str, run: Piece, t_s: float) -> Reach | None:
    """Where the ball comes to rest if it goes on as it ran at a time of this run, the longest way that cloth allows."""
    velocity, doubt = run.velocity_at(t_s), float(np.sqrt(run.velocity_variance(t_s)))
    speed = float(np.hypot(*velocity))
    if speed < SIGMAS * doubt:
        return None
    way = (speed + SIGMAS * doubt) ** 2 / (2 * LEAST_SLOWING)
    slack = evidence.bed.radius + SIGMAS * doubt / speed * way
    near = evidence.paths[ball].xy_mm[-1]
    far = run.at(t_s) + velocity / speed * way
    return Reach(seen_s=evidence.fates[ball].last_s, near=near, far=far, slack_mm=slack)


def _in_the_open(evidence: Evidence, reach: Reach) -> bool:
    """Whether the ball can have met neither a cushion nor a pocket."""
    bed = evidence.bed
    if not bed.inside(np.array([reach.near, reach.far]), -reach.slack_mm).all():
        return False
    return all(float(reach.gap_mm(mouth.centre)[0]) > mouth.width_mm / 2 + bed.radius for mouth in bed.mouths)


def _nobody_near(evidence: Evidence, ball: str, reach: Reach, since_s: float) -> bool:
    """Whether no ball can have met this one from then on: none was turned or stopped there, or lost sight of."""
    for other, path in evidence.paths.items():
        if other == ball:
            continue
        if unseen_end(evidence, other) and evidence.fates[other].reach is None:
            last = path.pieces[-1]
            its = _reach(evidence, other, last, last.t1_s)
            if its is None or float(reach.gap_mm(its.far)[0]) < np.hypot(*(its.far - its.near)) + its.slack_mm:
                return False
        for kink in path.kinks:
            if kink.t_s > since_s and float(reach.gap_mm(kink.place)[0]) < evidence.bed.diameter + kink.miss_mm:
                return False
    return True
