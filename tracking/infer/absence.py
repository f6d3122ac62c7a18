"""Whether pictures show that a ball isn't on the table any more: every place where it could be is open and empty."""

import numpy as np
from numpy.typing import NDArray

from tracking.geometry import Mouth, polygon_distance
from tracking.infer.evidence import Evidence

Array = NDArray[np.float64]

LEAST_LOOKS, LEAST_LOOKING_S = 6, 0.2
"""So many pictures, over so long, must show that a ball is on no place that it could have reached."""

LEAST_REACH_SPEED = 150.0
"""What a ball does between the jaws isn't seen: it may come out so fast, mm/s, however slowly it went in."""

SAME_DIAMETERS = 0.6
"""What is seen so near to where another ball lies or runs is that ball."""

BALL_DIAMETERS = 1.3
"""What is seen of a ball in a pocket is no larger than this."""

WORTH = 20.0
"""How much likelier open and empty jaws are where a ball has dropped than where it hangs, unseen against a pocket."""


def is_absent(evidence: Evidence, ball: str, mouth: Mouth, last_s: float, speed: float) -> bool:
    """Whether a ball seen last at ``last_s`` on its way into a mouth, mm/s, was looked for and is on the bed no more.

    In each picture that counts, everything within the way that it can have made by then is in the open, and nothing is
    seen there but balls that had been at rest: what was seen first on its way may be this ball itself.
    """
    others = [b for b, path in evidence.paths.items() if b != ball and path.pieces[0].at_rest]
    if len(others) < len(evidence.paths) - 1:
        return False
    short_mm = float(np.hypot(*(evidence.paths[ball].xy_mm[-1] - mouth.centre)))
    looks = []
    for t, places in evidence.sights.between(last_s, evidence.t1_s):
        if any(a <= t <= b for a, b in evidence.blackouts):
            continue
        reach = short_mm + mouth.width_mm / 2 + evidence.bed.diameter + max(speed, LEAST_REACH_SPEED) * (t - last_s)
        if _is_open(evidence, mouth, reach, t) and _is_empty(evidence, others, mouth, reach, t, places):
            looks.append(t)
    return len(looks) >= LEAST_LOOKS and looks[-1] - looks[0] > LEAST_LOOKING_S


def jaws_are_empty(evidence: Evidence, mouth: Mouth, until_s: float) -> bool:
    """Whether a pocket's jaws lay open, with no ball in them but those that are known, in the pictures up to then."""
    others = list(evidence.paths)
    reach = mouth.width_mm / 2 + evidence.bed.diameter
    looks = [
        t
        for t, places in evidence.sights.between(evidence.t0_s, until_s)
        if _is_open(evidence, mouth, reach, t) and _is_empty(evidence, others, mouth, reach, t, places)
    ]
    return len(looks) >= LEAST_LOOKS


def _is_open(evidence: Evidence, mouth: Mouth, reach_mm: float, t_s: float) -> bool:
    """Whether nothing covers any place on the bed within so far of the mouth."""
    reach_mm += evidence.bed.radius
    return all(
        polygon_distance(mouth.centre, polygon) >= reach_mm
        for polygon in evidence.blind.at(t_s)
        if len(polygon) >= 3 and not _beside(evidence, polygon) and not _has_dropped(evidence, polygon)
    )


def _beside(evidence: Evidence, polygon: Array) -> bool:
    """Whether what is covered lies beside the bed, beyond one of its noses."""
    (x0, y0), (x1, y1) = polygon.min(axis=0), polygon.max(axis=0)
    return bool(x1 < 0.0 or y1 < 0.0 or x0 > evidence.bed.width or y0 > evidence.bed.length)


def _has_dropped(evidence: Evidence, polygon: Array) -> bool:
    """Whether what seems to cover a part of a pocket is a ball that lies in it: no larger, and behind the drop edge."""
    size = np.ptp(polygon, axis=0)
    mouth = evidence.bed.dropped(polygon.mean(axis=0))
    if mouth is None or float(size.max()) > BALL_DIAMETERS * evidence.bed.diameter:
        return False
    return bool((mouth.depth_mm(polygon) > 0.0).all())


def _is_empty(evidence: Evidence, others: list[str], mouth: Mouth, reach_mm: float, t_s: float, places: Array) -> bool:
    """Whether all that a picture shows within so far of the mouth is another ball, or has dropped."""
    for xy in places:
        if float(np.hypot(*(xy - mouth.centre))) > reach_mm or evidence.bed.dropped(xy) is not None:
            continue
        near = SAME_DIAMETERS * evidence.bed.diameter
        if all(float(np.hypot(*(evidence.paths[other].at(t_s) - xy))) > near for other in others):
            return False
    return True


def surer(confidence: float) -> float:
    """A pot's confidence once its ball is known to be absent."""
    odds = WORTH * confidence / max(1.0 - confidence, 1e-6)
    return min(odds / (1.0 + odds), 0.95)
