"""The strike: the cue ball leaves its place while all balls lie still, by itself and at once at speed."""

from dataclasses import replace

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.paths import JUMP_MM, BallPath, Kink, Piece, kink_between
from tracking.records import ORDER_SIGMAS, Strike
from vision.balls import CUE

LEAST_SPEED = 50.0
"""Slower than this, mm/s, a ball is pushed along by a hand or the tip, or creeps."""

USUAL_SPEED = 3000.0
JUST_STRUCK_SPEED = 1500.0
"""A cue ball faster than this, mm/s, has met nothing yet."""

TWITCH = 0.25
"""A ball that gets no farther than so many diameters has not left its place, however long that takes."""

LEAST_WAY = 0.6
"""A struck ball rolls at least so many diameters, unless it drives another one first."""

DRIVEN_SPEED, DRIVEN_REACH = 100.0, 2.0
"""A ball that lay so many diameters from the cue ball and sets off with it, faster than this, mm/s, was driven by it: a
hand that touches the cue ball doesn't do that.
"""

DEAD_REACH, DEAD_COSINE = 0.3, 0.9
"""A cue ball so many diameters behind another one, so well in line with its way, drove it."""

LEAST_LOOKS, LEAST_FREE_LOOKS, OUT_OF_SIGHT_S = 3, 6, 0.12
"""Looks at its run that tell a struck ball, and where it was out of sight for so long as it set off: a hand that takes
the cue ball away, in a white glove, shows something like it for a moment.
"""

JUMP_S = 0.2
"""No hand takes the cue ball from one place and lays it on another one in so short a time."""


def strike_kink(evidence: Evidence) -> Kink | None:
    """The kink at which the cue ball sets off, None where it never does so like a struck ball."""
    path = evidence.paths.get(CUE)
    if path is None:
        return None
    for index, piece in enumerate(path.pieces):
        if index and jumped(evidence, path.kinks[index - 1]):
            return path.kinks[index - 1]
        rest = _place_left(path, index, evidence.bed.diameter)
        if piece.at_rest or rest is None:
            continue
        kink = path.kinks[rest]
        if rest + 1 < index:
            kink = kink_between(path.pieces[rest], piece, rest, evidence.clock_sigma_s)
        run = [p for p in path.pieces[index:] if not p.at_rest]
        seen = path.t_s >= kink.t_s
        way = float(np.hypot(*(path.xy_mm[seen] - kink.place).T).max()) if seen.any() else 0.0
        fast = piece.speed >= LEAST_SPEED or _shot_away(path.pieces[rest], piece, evidence.spacing_s)
        slow = not fast or way < LEAST_WAY * evidence.bed.diameter
        if slow and not _drove_a_neighbour(evidence, kink):
            continue
        looks = sum(p.count for p in run)
        enough = LEAST_LOOKS if kink.span[1] - kink.span[0] < OUT_OF_SIGHT_S else LEAST_FREE_LOOKS
        if (looks < enough and not _drove_another(evidence, kink, piece.t1_s)) or _pushed(evidence, kink):
            continue
        return _dated(evidence, kink, path.pieces[rest], piece) if kink.miss_mm > JUMP_MM else kink
    return _just_struck(evidence, path) or _stopped_dead(evidence, path)


def _shot_away(rest: Piece, run: Piece, spacing_s: float) -> bool:
    """Whether a ball got from its place to where it is seen next faster than a hand pushes it.

    What it did until pictures come again, such as a bounce, may leave next to no speed on the whole.
    """
    way = float(np.hypot(*(run.at(run.t0_s) - rest.place)))
    return way / max(run.t0_s - rest.t1_s, spacing_s) > JUST_STRUCK_SPEED


def _stopped_dead(evidence: Evidence, path: BallPath) -> Kink | None:
    """For a ball that shoots off from right before the cue ball, in line with it, while nothing else ran: the cue ball
    drove it and stopped, too soon to be seen to move."""
    if path.moved:
        return None
    place = path.pieces[0].place
    starts = [
        start
        for ball, other in evidence.paths.items()
        if ball != CUE
        for start in other.kinks[:1]
        if other.pieces[0].at_rest and not other.pieces[1].at_rest
    ]
    if not starts or any(not other.pieces[0].at_rest for other in evidence.paths.values()):
        return None
    first = min(starts, key=lambda start: start.t_s)
    way, speed = first.place - place, float(np.hypot(*first.after))
    gap = float(np.hypot(*way)) - evidence.bed.diameter
    if speed < 2 * DRIVEN_SPEED or gap > DEAD_REACH * evidence.bed.diameter:
        return None
    if float(way @ first.after) < DEAD_COSINE * speed * float(np.hypot(*way)):
        return None
    t = first.t_s - max(gap, 0.0) / speed
    sigma = float(np.hypot(first.t_sigma_s, 0.25 * evidence.spacing_s))
    rest = np.zeros(2)
    return replace(first, t_s=t, t_sigma_s=sigma, place=place, before=rest, after=rest, miss_mm=JUMP_MM, index=-1)


def _just_struck(evidence: Evidence, path: BallPath) -> Kink | None:
    """For a view that begins with the cue ball on its way and all others still: it was struck a moment before."""
    run = path.pieces[0]
    if run.at_rest or run.t0_s > evidence.t0_s + 2 * evidence.spacing_s:
        return None
    velocity = run.velocity_at(run.t0_s)
    if float(np.hypot(*velocity)) < JUST_STRUCK_SPEED or len(path.t_s) < 5:
        return None
    if any(not other.pieces[0].at_rest for ball, other in evidence.paths.items() if ball != CUE):
        return None
    return Kink(
        t_s=run.t0_s,
        t_sigma_s=evidence.spacing_s,
        place=run.at(run.t0_s),
        before=np.zeros(2),
        after=velocity,
        change_sigma=float(np.sqrt(run.velocity_variance(run.t0_s))),
        miss_mm=JUMP_MM,
        span=(run.t0_s, run.t0_s),
        index=-1,
    )


def _drove_another(evidence: Evidence, kink: Kink, until_s: float) -> bool:
    """Whether another ball left its place while the cue ball shot away: what is seen of that twice only is no hand."""
    if float(np.hypot(*kink.after)) < JUST_STRUCK_SPEED:
        return False
    return any(
        start.t_s > kink.span[0] and start.t_s < until_s + 2.0 * evidence.spacing_s and start.hard
        for ball, path in evidence.paths.items()
        if ball != CUE
        for start in path.kinks
        if path.pieces[start.index].at_rest
    )


def _drove_a_neighbour(evidence: Evidence, kink: Kink) -> bool:
    """Whether a ball that lay close to the cue ball was driven off as this one left its place."""
    reach = DRIVEN_REACH * evidence.bed.diameter
    return any(
        float(np.hypot(*(start.place - kink.place))) < reach and float(np.hypot(*start.after)) > DRIVEN_SPEED
        for start in _starts(evidence, kink)
    )


def _starts(evidence: Evidence, kink: Kink) -> list[Kink]:
    """How object balls set off from rest within a picture or two of this kink."""
    margin = 2.0 * evidence.spacing_s
    return [
        start
        for ball, path in evidence.paths.items()
        if ball != CUE
        for start in path.kinks
        if path.pieces[start.index].at_rest
        and not path.pieces[start.index + 1].at_rest
        and start.hard
        and kink.span[0] - 1e-6 < start.t_s < kink.span[1] + margin
    ]


def jumped(evidence: Evidence, kink: Kink) -> bool:
    """Whether the cue ball left its place here for another one in no time, while another ball set off.

    It was too fast to be followed; what lies on the other place may even be a ball that it hit.
    """
    path = evidence.paths[CUE]
    if kink.index < 0 or not (path.pieces[kink.index].at_rest and path.pieces[kink.index + 1].at_rest):
        return False
    if kink.miss_mm < LEAST_WAY * evidence.bed.diameter or kink.span[1] - kink.span[0] > JUMP_S:
        return False
    first_runs = (
        next((piece for piece in other.pieces if not piece.at_rest), None)
        for ball, other in evidence.paths.items()
        if ball != CUE
    )
    until_s = kink.span[1] + 2.0 * evidence.spacing_s
    return any(
        kink.span[0] < run.t0_s < until_s and float(np.hypot(*run.velocity_at(run.t0_s))) > DRIVEN_SPEED
        for run in first_runs
        if run is not None
    )


def _place_left(path: BallPath, index: int, diameter_mm: float) -> int | None:
    """The rest from which the piece ``index`` sets out, with nothing but a first twitch in between."""
    for rest in range(index - 1, -1, -1):
        if path.pieces[rest].at_rest:
            return rest
        last = path.pieces[rest]
        place = next((p.place for p in reversed(path.pieces[:rest]) if p.at_rest), None)
        far = np.inf if place is None else float(np.hypot(*(last.at(last.t1_s) - place)))
        if far > (1.5 if last.count <= 3 else TWITCH) * diameter_mm:
            return None
    return None


def _dated(evidence: Evidence, kink: Kink, rest: Piece, run: Piece) -> Kink:
    """The strike of a cue ball whose first way wasn't seen, dated by a usual speed over that way.

    Where the first ball to set off did so meanwhile, the way ends there.
    """
    low, high = kink.span
    way = float(np.hypot(*(run.at(run.t0_s) - rest.place)))
    first = min((start for start in _starts(evidence, kink)), key=lambda start: start.t_s, default=None)
    if first is not None and first.t_s < high:
        high = first.t_s
        way = max(float(np.hypot(*(first.place - rest.place))) - evidence.bed.diameter, 0.0)
    way_s = way / USUAL_SPEED
    t = max(low, high - way_s)
    return replace(kink, t_s=t, t_sigma_s=min((high - low) / 2, 0.5 * way_s + 0.01), place=rest.place)


def _pushed(evidence: Evidence, kink: Kink) -> bool:
    """Whether another ball ran into the cue ball and gave it its motion: then it was a contact."""
    for ball, path in evidence.paths.items():
        if ball == CUE or not path.moved:
            continue
        for other in path.kinks:
            if abs(other.t_s - kink.t_s) > 2.5 * np.hypot(other.t_sigma_s, kink.t_sigma_s) + 0.01 or not other.hard:
                continue
            piece = path.pieces[other.index]
            gap = float(np.hypot(*(other.place - kink.place))) - evidence.bed.diameter
            lost, gained = other.change, kink.change
            against = float(lost @ gained) < -0.5 * float(np.hypot(*lost) * np.hypot(*gained))
            if not piece.at_rest and piece.count >= 5 and gap < evidence.tolerance_mm(ball, CUE) and against:
                return True
    return False


def infer_strike(evidence: Evidence) -> Strike | None:
    """The strike, None where there was none that was seen."""
    kink = strike_kink(evidence)
    if kink is None:
        return None
    speed = float(np.hypot(*kink.after))
    certain = 0.98 if speed > 4 * LEAST_SPEED and kink.miss_mm < JUMP_MM else 0.9
    return Strike(t_s=kink.t_s, t_sigma_s=kink.t_sigma_s, confidence=certain, ball=CUE)


def twitches(evidence: Evidence, strike: Strike) -> list[int]:
    """The kinks of the cue ball's path that are the strike too, where it trembled on its place before it."""
    path = evidence.paths[CUE]
    found = []
    for kink in path.kinks:
        first = path.pieces[kink.index]
        stays = first.at_rest or float(np.hypot(*(first.at(first.t1_s) - first.at(first.t0_s)))) < (
            TWITCH * evidence.bed.diameter
        )
        if stays and kink.t_s < strike.t_s + ORDER_SIGMAS * float(np.hypot(kink.t_sigma_s, strike.t_sigma_s)):
            found.append(kink.index)
    return found
