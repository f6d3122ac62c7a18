"""Pots: a path into a mouth, no reappearance, and nothing in front of the pocket that could have hidden the ball."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tracking.geometry import Mouth
from tracking.infer.absence import is_absent, surer
from tracking.infer.evidence import Evidence
from tracking.paths import BallPath, Kink, Piece
from tracking.records import CERTAIN_CONFIDENCE, Pocket
from tracking.tracks import BallState

Array = NDArray[np.float64]


STREAK_DEGREES, STREAK_S = 9.0, 0.3
NEAR_DIAMETERS = 3.0
UNSEEN_DEGREES = 14.0
"""So far off may be the direction that is read from what the ball that hit it lost."""

UNSEEN_DIAMETERS = 8.0


LEAST_SLOWING, USUAL_SLOWING, MOST_SLOWING = 60.0, 120.0, 1500.0
"""What cloth takes from a ball, mm/s²: rolling on fast cloth, on usual cloth, and sliding."""

USUAL_SLOWING_SIGMA = 60.0
EDGE_SPEED, JAW_SPEED, JAW_SLACK_MM = 120.0, 400.0, 2.0
"""A ball that is to come to the drop edge with less than this, mm/s, may hang there as well: clear of the jaws, and
where it touches one.
"""


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
    if distance < UNSEEN_DIAMETERS * evidence.bed.diameter and evidence.fates[ball].proven:
        # Farther away another pocket may have been the one.
        sure = max(sure, surer(sure)) if is_absent(evidence, ball, mouth, hit.t_s, speed) else sure
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
    if run is None or _over_the_rail(evidence, path.xy_mm[-1]):
        return None
    last_s = max(fate.last_s, run.t1_s)
    approach = _approach(evidence, path, run, last_s)
    if approach is None:
        return None
    t = last_s + _roll_s(approach.way_mm, approach.speed, approach.slows)
    confidence = approach.confidence
    hidden = evidence.blind.hides(last_s + evidence.spacing_s, approach.mouth.centre, evidence.bed.radius)
    if hidden and not _open_later(evidence, approach.mouth, t):
        # Right before the mouth and on its way in there is little else that it could have done.
        close = approach.way_mm < NEAR_DIAMETERS * evidence.bed.diameter
        confidence = min(confidence, 0.9 if close else 0.6)
    if any(a <= t <= b for a, b in evidence.blackouts) or t > evidence.t1_s:
        confidence = min(confidence, 0.7)
    absent = fate.proven and confidence < CERTAIN_CONFIDENCE
    if absent and is_absent(evidence, ball, approach.mouth, last_s, approach.speed):
        confidence = surer(confidence)
    sigma = float(np.hypot(evidence.spacing_s / 2, 0.15 * (t - last_s)))
    return PocketEntry(mouth=approach.mouth, t_s=t, t_sigma_s=sigma, confidence=confidence)


def _seen_inside(evidence: Evidence, path: BallPath) -> PocketEntry | None:
    """A ball whose last samples lie where nothing can lie on the bed: it was seen to drop."""
    mouth = evidence.bed.dropped(path.xy_mm[-1])
    if mouth is None:
        return None
    inside = (mouth.depth_mm(path.xy_mm) > mouth.drop_mm) & (np.abs(mouth.aside_mm(path.xy_mm)) < mouth.width_mm)
    first = len(inside) - int(np.argmin(inside[::-1])) if not inside.all() else 0
    at = min(first, len(path.t_s) - 1)
    t = float(path.t_s[at]) - (evidence.spacing_s / 2 if at else 0.0)
    return PocketEntry(mouth=mouth, t_s=t, t_sigma_s=evidence.spacing_s / 2, confidence=0.97)


def _over_the_rail(evidence: Evidence, last: Array) -> bool:
    """Whether a ball was seen last beyond a nose and not between the jaws of a pocket."""
    beyond = -min(evidence.bed.cushion_gaps(last).values())
    return beyond > 0.6 * evidence.bed.radius and evidence.bed.between_jaws(last, evidence.bed.radius) is None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Approach:
    """A last run towards a mouth: the way to the edge over which a ball drops, mm, its speed, mm/s, and what it loses,
    mm/s², where it was seen last.
    """

    mouth: Mouth
    way_mm: float
    speed: float
    slows: float
    confidence: float


def _roll_s(way_mm: float, speed: float, slows: float) -> float:
    """How long a ball takes for a way, s; one that stops short is taken as far as it gets."""
    rest = max(speed**2 - 2.0 * slows * way_mm, 0.0)
    return 2.0 * way_mm / max(speed + float(np.sqrt(rest)), 30.0)


def _slowing(run: Piece, velocity: Array) -> float:
    """What the ball loses at the end of its last run, mm/s²: as fitted, within what cloth can do."""
    speed = max(float(np.hypot(*velocity)), 1e-6)
    fitted = -float(run.acceleration @ velocity) / speed
    doubt = float(np.sqrt(run.spread[2, 2]))
    weight = USUAL_SLOWING_SIGMA**2 / (USUAL_SLOWING_SIGMA**2 + doubt**2)
    return float(np.clip(USUAL_SLOWING + weight * (fitted - USUAL_SLOWING), LEAST_SLOWING, MOST_SLOWING))


def _approach(evidence: Evidence, path: BallPath, run: Piece, last_s: float) -> _Approach | None:
    """Where the last run leads, None where no pocket is near enough."""
    last, velocity = path.xy_mm[-1], run.velocity_at(run.t1_s)
    speed = float(np.hypot(*velocity))
    # As far as a ball can roll before the evidence ends.
    reach = min(speed * (evidence.t1_s - last_s), speed**2 / (2 * LEAST_SLOWING)) + evidence.bed.diameter
    found = evidence.bed.into_mouth(last, velocity, reach)
    mouth: Mouth | None = None
    confidence, way = 0.0, 0.0
    if found is not None:
        mouth, way, miss = found
        way += mouth.drop_mm / max(-float(velocity @ mouth.inward) / speed, 0.3)
        confidence = _sureness(evidence, run, mouth, way, miss)
    else:
        near, gap = evidence.bed.nearest_mouth(last)
        if gap < max(near.width_mm, speed * 1.25 * evidence.spacing_s + near.width_mm / 2):
            # Seen last at the mouth itself: what it did between the jaws can't be read from the path.
            mouth, way, confidence = near, max(near.drop_mm - float(near.depth_mm(last)), 0.0), 0.75
        elif speed > 0.0 and run.count <= 4:
            # A streak or two of a fast ball give its direction to some degrees only.
            aimed = aimed_mouth(evidence, last, velocity / speed, STREAK_DEGREES)
            if aimed is not None and aimed[2] < STREAK_S * speed:
                mouth, way, confidence = aimed[1], aimed[2], 0.85 - aimed[0] / 60.0
    if mouth is None:
        return None
    way, slows = max(way, 0.0), _slowing(run, velocity)
    clear = found is not None and _clears_jaws(evidence, mouth, last, velocity / speed)
    carried = _carries(speed, slows, way, EDGE_SPEED if clear else JAW_SPEED)
    if carried <= 0.0:
        return None
    return _Approach(mouth=mouth, way_mm=way, speed=speed, slows=slows, confidence=confidence * carried)


def _clears_jaws(evidence: Evidence, mouth: Mouth, last: Array, unit: Array) -> bool:
    """Whether a straight path stays a radius off both jaws from their line to the drop edge."""
    closing = max(-float(unit @ mouth.inward), 0.05)
    ways = (np.array([0.0, mouth.drop_mm]) - float(mouth.depth_mm(last))) / closing
    aside = mouth.aside_mm(last + unit * ways[:, None])
    return bool(np.abs(aside).max() < mouth.width_mm / 2 - evidence.bed.radius + JAW_SLACK_MM)


def _carries(speed: float, slows: float, way_mm: float, edge_speed: float) -> float:
    """How likely a ball gets over the drop edge, 0 to 1: 1 where it does with speed to spare, 0 where it can't."""
    spare = speed**2 - 2.0 * slows * way_mm
    if spare >= edge_speed**2:
        return 1.0
    most = speed**2 - 2.0 * LEAST_SLOWING * way_mm
    return 0.0 if most <= 0.0 else float(np.clip(0.5 + 0.5 * spare / edge_speed**2, 0.2, 0.9))


def _sureness(evidence: Evidence, run: Piece, mouth: Mouth, way: float, miss: float) -> float:
    """How sure a path leads into a mouth, from how far it was seen and how near to the jaws it passes."""
    sigma = float(np.sqrt(run.place_variance(run.t1_s + max(way, 0.0) / max(run.speed, 50.0))))
    inner = mouth.width_mm / 2 - 0.4 * evidence.bed.radius
    close = way - mouth.drop_mm < 4 * evidence.bed.diameter + run.speed * 2 * evidence.spacing_s
    confidence = 0.96 if miss < inner and close else 0.9 if close else 0.75
    return confidence - 0.1 if sigma > mouth.width_mm / 2 else confidence


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
