"""Falls: a ball that had come to rest over the edge of a pocket drops though nothing hits it."""

from tracking.infer.evidence import Evidence
from tracking.infer.pocket import PocketEntry
from tracking.paths import BallPath, Kink
from tracking.records import Fell

FALL_IN_STROKE = 0.7
"""While other balls run, a touch too thin or too quick to be seen may have been the cause."""


def hangs(evidence: Evidence, path: BallPath, kink: Kink) -> bool:
    """Whether a ball lay over the edge of a pocket before it set off."""
    if not path.pieces[kink.index].at_rest:
        return False
    return evidence.bed.hanging_over(path.pieces[kink.index].place) is not None


def still_s(evidence: Evidence, ball: str, piece: int, t_s: float) -> float:
    """For how long the ball had lain still, in this piece of its path, when it set off, as far as it was watched."""
    since = evidence.paths[ball].pieces[piece].t0_s
    earlier = evidence.fates[ball].still_since_s
    if piece == 0 and earlier is not None:
        since = min(since, earlier)
    return max(0.0, t_s - since)


def fall_event(evidence: Evidence, ball: str, piece: int, set_off_s: float, entry: PocketEntry, most: float) -> Fell:
    """The fall of a ball that lay in this piece of its path and set off then; ``most``: its highest confidence."""
    return Fell(
        t_s=entry.t_s,
        t_sigma_s=entry.t_sigma_s,
        confidence=round(min(most, entry.confidence), 3),
        ball=ball,
        pocket=entry.mouth.pocket,
        still_s=round(still_s(evidence, ball, piece, set_off_s), 3),
    )
