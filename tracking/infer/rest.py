"""Rest: when the last ball stops, if that was seen."""

from tracking.infer.evidence import Evidence
from tracking.records import Rest


def infer_rest(evidence: Evidence, leaves: dict[str, float]) -> Rest | None:
    """When all balls lie still, None where the evidence ends before or a ball's end wasn't seen."""
    last = evidence.t0_s
    sigma = evidence.spacing_s
    for ball, path in evidence.paths.items():
        if ball in leaves:
            last = max(last, leaves[ball])
            continue
        if not path.moved:
            continue
        if not path.pieces[-1].at_rest:
            return None
        kink = path.kinks[-1] if path.kinks else None
        if kink is not None and kink.t_s > last:
            last = kink.t_s
            # The last way of a rolling ball is a crawl: the time of rest is known to some tenths of a second.
            sigma = max(evidence.spacing_s, 0.1)
    return Rest(t_s=last, t_sigma_s=sigma, confidence=0.95)
