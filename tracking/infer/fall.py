"""Falls: a ball that had come to rest over the edge of a pocket drops though nothing hits it."""

from tracking.infer.evidence import Evidence
from tracking.infer.pocket import PocketEntry
from tracking.paths import BallPath, Kink
from tracking.records import Fell

HANGS_DIAMETERS = 0.75
"""A ball so near to a pocket's drop edge may hang over it."""

FALL_IN_STROKE = 0.7
"""While other balls run, a touch too thin or too quick to be seen may have been the cause."""


def hangs(evidence: Evidence, path: BallPath, kink: Kink) -> bool:
    """Whether a ball lay over the edge of a pocket before it set off."""
    if not path.pieces[kink.index].at_rest:
        return False
    place = path.pieces[kink.index].place
    mouth, _ = evidence.bed.nearest_mouth(place)
    short = mouth.drop_mm - float(mouth.depth_mm(place))
    aside = abs(float(mouth.aside_mm(place)))
    return short < HANGS_DIAMETERS * evidence.bed.diameter and aside < mouth.width_mm / 2


def still_s(evidence: Evidence, ball: str, kink: Kink) -> float:
    """For how long the ball had lain still when it set off, as far back as it was watched."""
    since = evidence.paths[ball].pieces[kink.index].t0_s
    earlier = evidence.fates[ball].still_since_s
    if kink.index == 0 and earlier is not None:
        since = min(since, earlier)
    return max(0.0, kink.t_s - since)


def fall_event(evidence: Evidence, ball: str, kink: Kink, entry: PocketEntry, most: float) -> Fell:
    """The fall of a ball that set off at ``kink``; ``most`` is the highest confidence that it may have."""
    return Fell(
        t_s=entry.t_s,
        t_sigma_s=entry.t_sigma_s,
        confidence=round(min(most, entry.confidence), 3),
        ball=ball,
        pocket=entry.mouth.pocket,
        still_s=round(still_s(evidence, ball, kink), 3),
    )
