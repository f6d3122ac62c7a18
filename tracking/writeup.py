"""A shot's record from its evidence and what was inferred: positions before and after, events, and what wasn't seen."""

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.infer.lost import rolled_out, unseen_end
from tracking.infer.shot import Happenings
from tracking.infer.vanish import lies_and_vanishes, ran_there
from tracking.records import Contact, Fell, Gap, Pocket, Point, ShotRecord
from vision.balls import CUE

LEAST_DECELERATION = 70.0
"""A ball on cloth loses at least this, mm/s²: so long it may go on rolling unseen."""

HOLE_S = 0.15
AWAY_DIAMETERS = 1.3
"""A ball whose centre stays so far away touched nothing there, for all errors of its way."""
CREEP_MM = 4.0


def _point(xy: np.ndarray) -> Point:
    return (round(float(xy[0]), 1), round(float(xy[1]), 1))


def _before(evidence: Evidence, strike_s: float) -> dict[str, Point]:
    """Where each ball lay when the cue ball was struck, as far as that was seen."""
    return {
        ball: _point(path.at(min(strike_s - 1e-3, path.pieces[0].t1_s)))
        for ball, path in evidence.paths.items()
        if ball not in _unplaced(evidence, strike_s)
    }


def _unplaced(evidence: Evidence, strike_s: float) -> tuple[str, ...]:
    """Balls that were seen first when they were on their way: out of a rack in which they weren't told apart, say."""
    return tuple(
        ball
        for ball, path in evidence.paths.items()
        if ball != CUE and not path.pieces[0].at_rest and path.t_s[0] > strike_s
    )


def _lost(evidence: Evidence, ball: str) -> bool:
    """Whether it wasn't seen where a ball went: it was lost sight of on its way, or left where it lay unseen.

    One that can't have been hit is there still, whatever hides it.
    """
    if unseen_end(evidence, ball):
        return True
    unknown = any(unseen_end(evidence, other) and rolled_out(evidence, other) is None for other in evidence.paths)
    return lies_and_vanishes(evidence, ball) and (unknown or ran_there(evidence, ball))


def _after(evidence: Evidence, leaves: dict[str, float]) -> dict[str, Point] | None:
    """Where each ball came to rest, None where that isn't known of all."""
    places = {}
    for ball, path in evidence.paths.items():
        if ball in leaves:
            continue
        if _lost(evidence, ball):
            return None
        places[ball] = _point(path.pieces[-1].at(path.pieces[-1].t1_s))
    return places


def _rolling(evidence: Evidence, leaves: dict[str, float]) -> list[tuple[str, float, float]]:
    """Balls that still run when the evidence ends: name, how long and how far they may go on, s and mm."""
    found = []
    for ball, path in evidence.paths.items():
        last = path.pieces[-1]
        if ball in leaves or last.at_rest or not path.moved or unseen_end(evidence, ball):
            continue
        speed = float(np.hypot(*last.velocity_at(min(evidence.t1_s, last.t1_s))))
        way = speed**2 / (2 * LEAST_DECELERATION)
        if way > CREEP_MM:
            found.append((ball, speed / LEAST_DECELERATION, way))
    return found


def _end_gaps(evidence: Evidence, leaves: dict[str, float]) -> tuple[list[Gap], float]:
    """What the end of the evidence leaves open, and until when."""
    gaps, end = [], evidence.t1_s
    diameter = evidence.bed.diameter
    for ball, run_s, way in _rolling(evidence, leaves):
        end = max(end, evidence.t1_s + run_s)
        place = evidence.paths[ball].at(evidence.t1_s)
        reach = way + diameter
        near = any(
            float(np.hypot(*(path.at(evidence.t1_s) - place))) < reach
            for other, path in evidence.paths.items()
            if other != ball and other not in leaves
        )
        gaps.append(
            Gap(
                t0_s=evidence.t1_s,
                t1_s=evidence.t1_s + run_s,
                balls=None if near else (ball,),
                region=_square(place, reach),
            )
        )
    return gaps, end


def _square(place: np.ndarray, reach: float) -> tuple[Point, ...]:
    x, y = float(place[0]), float(place[1])
    return tuple(
        (round(x + dx * reach, 1), round(y + dy * reach, 1)) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )


def _hole_gaps(evidence: Evidence, strike_s: float, happened: Happenings) -> list[Gap]:
    """Spans in which a running ball wasn't seen and came out on another course than it went in."""
    gaps = []
    hits = [event.t_s for event in happened.events if isinstance(event, Contact) and CUE in event.balls]
    for ball, path in evidence.paths.items():
        for kink in path.kinks:
            first, second = path.pieces[kink.index], path.pieces[kink.index + 1]
            hole = second.t0_s - first.t1_s
            if hole > HOLE_S and kink.t_s > strike_s and (kink.hard or kink.miss_mm > evidence.bed.radius):
                since_s = first.t1_s
                if first.at_rest and hits and _shielded(evidence, first.place, strike_s, hits[0]):
                    # The cue ball was seen elsewhere up to what it hit first: that set off the others.
                    since_s = min(max(since_s, hits[0]), second.t0_s)
                gaps.append(Gap(t0_s=since_s, t1_s=second.t0_s, balls=(ball,)))
        if ball not in happened.leaves and _lost(evidence, ball):
            gaps += _unseen(evidence, ball, strike_s)
    return gaps


def _shielded(evidence: Evidence, place: np.ndarray, strike_s: float, hit_s: float) -> bool:
    """Whether the cue ball was seen on its way to what it hit first, and that way led nowhere near a place."""
    cue = evidence.paths.get(CUE)
    if cue is None or not np.any((cue.t_s > strike_s) & (cue.t_s < hit_s)):
        return False
    times = np.append(np.arange(strike_s, hit_s, evidence.spacing_s / 4), hit_s)
    way = np.array([cue.at(float(t)) for t in times])
    return float(np.hypot(*(way - place).T).min()) > AWAY_DIAMETERS * evidence.bed.diameter


def _unseen(evidence: Evidence, ball: str, strike_s: float) -> list[Gap]:
    """That a ball isn't seen to the end; nothing of one that lay unseen before the stroke with no ball near."""
    last_s, reach = evidence.fates[ball].last_s, rolled_out(evidence, ball)
    if reach is not None and last_s < strike_s:
        return []
    region = None if reach is None else tuple(_point(xy) for xy in reach.corners(evidence.bed.radius))
    return [Gap(t0_s=last_s, t1_s=evidence.t1_s, balls=(ball,), region=region)]


def write_record(n: int, evidence: Evidence, happened: Happenings, *, over: bool) -> ShotRecord:
    """The record of shot ``n``; ``over`` where all balls came to rest."""
    strike_s = happened.events[0].t_s
    gaps = [*happened.gaps, *_hole_gaps(evidence, strike_s, happened)]
    gaps += [Gap(t0_s=a, t1_s=b) for a, b in evidence.blackouts if b > strike_s]
    end = max(evidence.t1_s, max(event.t_s for event in happened.events))
    after = _after(evidence, happened.leaves)
    if not over:
        late, until = _end_gaps(evidence, happened.leaves)
        gaps += late
        end = max(end, until)
        if late:
            after = None
    if any(isinstance(event, Pocket | Fell) and not event.certain for event in happened.events):
        # What lies on the table isn't known where a ball only may have dropped.
        after = None
    return ShotRecord(
        n=n,
        t0=strike_s,
        t1=end,
        before=_before(evidence, strike_s),
        unplaced=_unplaced(evidence, strike_s),
        events=happened.events,
        after=after,
        gaps=tuple(sorted(gaps, key=lambda gap: gap.t0_s)),
    )
