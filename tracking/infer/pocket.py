"""Pots: a path into a mouth, no reappearance, and nothing in front of the pocket that could have hidden the ball."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tracking.geometry import Mouth
from tracking.infer.evidence import Evidence
from tracking.paths import BallPath, Kink, Piece
from tracking.records import Pocket
from tracking.tracks import BallState

Array = NDArray[np.float64]


STREAK_DEGREES, STREAK_S = 9.0, 0.3
NEAR_DIAMETERS = 3.0
UNSEEN_DEGREES = 14.0
"""So far off may be the direction that is read from what the ball that hit it lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PocketEntry:
    """A ball's way into a mouth: when it drops, and how sure that is."""

    mouth: Mouth
    t_s: float
    t_sigma_s: float
    confidence: float


def vanishes(evidence: Evidence, ball: str) -> bool:
    """Whether a ball that moved wasn't seen any more well before the evidence ends, and not at rest either."""
    path, fate = evidence.paths[ball], evidence.fates[ball]
    if fate.state in (BallState.POCKETED, BallState.OFF):
        return True
    ends_at_rest = path.pieces[-1].at_rest and path.pieces[-1].count >= 4
    return not ends_at_rest and fate.last_s < evidence.t1_s - 2.5 * evidence.spacing_s


def _last_run(path: BallPath) -> Piece | None:
    runs = [piece for piece in path.pieces if not piece.at_rest]
    return runs[-1] if runs else None


def aimed_mouth(evidence: Evidence, place: Array, unit: Array, degrees: float) -> tuple[float, Mouth, float] | None:
    """The mouth that a direction points at best within so many degrees: how far off, it, and the distance, mm."""
    best: tuple[float, Mouth, float] | None = None
    for mouth in evidence.bed.mouths:
        way = mouth.centre - place
        distance = float(np.hypot(*way))
        off = float(np.degrees(np.arccos(np.clip(way @ unit / max(distance, 1e-6), -1.0, 1.0))))
        allowed = degrees + float(np.degrees(np.arctan2(mouth.width_mm / 2, distance)))
        if off < allowed and (best is None or off < best[0]):
            best = (off, mouth, distance)
    return best


def infer_unseen_pot(evidence: Evidence, ball: str, hit: Kink) -> PocketEntry | None:
    """How a ball that was hit and never seen again dropped, None where the hit sent it nowhere near a pocket."""
    place, speed = hit.place, hit.strength
    unit = hit.after / max(speed, 1e-6)
    near, gap = evidence.bed.nearest_mouth(place)
    best = aimed_mouth(evidence, place, unit, UNSEEN_DEGREES)
    if best is None and gap < near.width_mm + evidence.bed.radius:
        best = (0.0, near, gap)
    if best is None:
        return None
    off, mouth, distance = best
    sure = 0.92 if mouth is near and gap < 3 * evidence.bed.diameter else 0.85 - off / 60.0
    t = hit.t_s + distance / max(speed, 300.0)
    return PocketEntry(mouth=mouth, t_s=t, t_sigma_s=max(0.3 * (t - hit.t_s), evidence.spacing_s), confidence=sure)


def infer_pocket(evidence: Evidence, ball: str) -> PocketEntry | None:
    """How this ball left the table into a pocket, None where it didn't or that can't be said."""
    path = evidence.paths[ball]
    if not path.moved or not vanishes(evidence, ball):
        return None
    fate = evidence.fates[ball]
    seen_in = _seen_inside(evidence, path)
    if seen_in is not None:
        return seen_in
    run = _last_run(path)
    if run is None:
        return None
    last_s = max(fate.last_s, run.t1_s)
    last = path.xy_mm[-1]
    velocity = run.velocity_at(run.t1_s)
    speed = float(np.hypot(*velocity))
    # As far as a ball can roll before the evidence ends; rolling takes at least 60 mm/s².
    reach = min(speed * (evidence.t1_s - last_s), speed**2 / 120.0) + evidence.bed.diameter
    best = _entry_by_path(evidence, run, last, velocity, reach)
    near, gap = evidence.bed.nearest_mouth(last)
    if best is None and gap < max(near.width_mm, speed * 2.5 * evidence.spacing_s * 0.5 + near.width_mm / 2):
        # Seen last at the mouth itself: what it did between the jaws can't be read from the path.
        best = (near, gap, near.width_mm / 2, 0.75)
    if best is None and speed > 0.0 and run.count <= 4:
        # A streak or two of a fast ball give its direction to some degrees only.
        aimed = aimed_mouth(evidence, last, velocity / speed, STREAK_DEGREES)
        if aimed is not None and aimed[2] < STREAK_S * speed:
            best = (aimed[1], aimed[2], 0.0, 0.85 - aimed[0] / 60.0)
    if best is None:
        return None
    mouth, way, _, confidence = best
    t = last_s + way / max(speed, 100.0)
    hidden = evidence.blind.hides(last_s + evidence.spacing_s, mouth.centre, evidence.bed.radius)
    shown = _open_later(evidence, mouth, t)
    if hidden and not shown:
        # Right before the mouth and on its way in there is little else that it could have done.
        confidence = min(confidence, 0.9 if way < NEAR_DIAMETERS * evidence.bed.diameter else 0.6)
    blackout = any(a <= t <= b for a, b in evidence.blackouts)
    if blackout or t > evidence.t1_s:
        confidence = min(confidence, 0.7)
    sigma = float(np.hypot(evidence.spacing_s / 2, way * 0.1 / max(speed, 100.0)))
    return PocketEntry(mouth=mouth, t_s=t, t_sigma_s=sigma, confidence=confidence)


def _seen_inside(evidence: Evidence, path: BallPath) -> PocketEntry | None:
    """A ball whose last samples lie where nothing can lie on the bed: it was seen to drop."""
    mouth = evidence.bed.dropped(path.xy_mm[-1])
    if mouth is None:
        return None
    depth = mouth.depth_mm(path.xy_mm)
    aside = np.abs(mouth.aside_mm(path.xy_mm))
    inside = (depth > 0.0) & (aside < mouth.width_mm)
    first = len(inside) - int(np.argmin(inside[::-1])) if not inside.all() else 0
    t = float(path.t_s[min(first, len(path.t_s) - 1)])
    return PocketEntry(mouth=mouth, t_s=t, t_sigma_s=evidence.spacing_s / 2, confidence=0.97)


def _entry_by_path(
    evidence: Evidence, run: Piece, last: Array, velocity: Array, reach: float
) -> tuple[Mouth, float, float, float] | None:
    """Mouth, way to it, miss of its axis and confidence, from where the last run leads."""
    found = evidence.bed.into_mouth(last, velocity, reach)
    if found is None:
        return None
    mouth, way, miss = found
    sigma = float(np.sqrt(run.place_variance(run.t1_s + max(way, 0.0) / max(run.speed, 50.0))))
    inner = mouth.width_mm / 2 - 0.4 * evidence.bed.radius
    close = way < 4 * evidence.bed.diameter + run.speed * 2 * evidence.spacing_s
    confidence = 0.96 if miss < inner and close else 0.9 if close else 0.75
    if sigma > mouth.width_mm / 2:
        confidence -= 0.1
    return mouth, max(way, 0.0), miss, confidence


def _open_later(evidence: Evidence, mouth: Mouth, t_s: float) -> bool:
    """Whether the place before this pocket was in full view later in the evidence, so that a ball there would show."""
    place = mouth.centre + mouth.inward * evidence.bed.radius
    times = np.linspace(t_s + 0.3, evidence.t1_s, 6) if evidence.t1_s > t_s + 0.3 else np.empty(0)
    return any(not evidence.blind.hides(float(t), place, evidence.bed.diameter) for t in times)


def pocket_event(ball: str, entry: PocketEntry) -> Pocket:
    return Pocket(
        t_s=entry.t_s,
        t_sigma_s=entry.t_sigma_s,
        confidence=round(entry.confidence, 3),
        ball=ball,
        pocket=entry.mouth.pocket,
    )
