"""Contacts: two balls a diameter apart at a time at which both change their motion.

Balls of one set have equal masses, so what one loses the other gains: a ball that is hit sets off along the line of
centres, a ball that turned sharply has set another one going. Balls that only overlap in the picture, or pass close
by, keep their motion and have not touched. Alciatore, "The Illustrated Principles of Pool and Billiards", ch. 4.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tracking.infer.evidence import Evidence
from tracking.infer.jaws import AXIS
from tracking.paths import JUMP_MM, BallPath, Kink
from tracking.records import ORDER_SIGMAS, Contact, Cushion, Event
from vision.balls import CUE

Array = NDArray[np.float64]

GRAZE_MOST = 55.0
"""A ball that takes more than this, mm/s, is seen to move: it rolls 13 mm."""

GRAZE_LEAST = 12.0
AIMED, AIMED_REACH = 0.2, 0.4
"""A ball that passes where it must have been to send another off its way, to within so many diameters, hit it though
the two are measured so many diameters apart.
"""

CROWD, IN_A_CROWD, NEAREST = 1.3, 0.8, 0.7
"""Confidences counted over simulated games: of contacts in a bursting pack (balls so many diameters apart), and with
the nearest ball that ran where none is seen to arrive.
"""

BAD_START = 0.25
"""A ball that is first seen to run so many diameters off the way that leads from its place may be another one."""

VIA_COST, LEAST_SCORE = 1.5, -1.0
VIA, MAYBE_VIA = 0.92, 0.8
"""Confidence of a cushion that a ball came off at once, where it can't have gone so without, and else."""

LEAST_START = 25.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A kink of one ball that something must have caused; ``start``: from rest."""

    ball: str
    kink: Kink
    start: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """How two balls came together around a time: the least gap, when, and the line of centres a ← b there."""

    t_s: float
    gap_mm: float
    normal: Array
    closing: float


def turns_of(path: BallPath, explained: set[int], until_s: float) -> list[Turn]:
    """The kinks of a path before ``until_s`` that aren't explained yet and need a cause."""
    found = []
    for kink in path.kinks:
        if kink.index in explained or kink.t_s > until_s:
            continue
        first, second = path.pieces[kink.index], path.pieces[kink.index + 1]
        start = first.at_rest and not second.at_rest
        if (start and kink.strength > max(LEAST_START, 2.5 * kink.change_sigma)) or (kink.hard and not first.at_rest):
            found.append(Turn(ball=path.ball, kink=kink, start=start))
    return found


def meeting(evidence: Evidence, a: str, b: str, span: tuple[float, float]) -> Meeting:
    """How near the centres of two balls came in a span of time."""
    times = np.linspace(*span, 17)
    between = evidence.paths[a].places(times) - evidence.paths[b].places(times)
    distance = np.hypot(*between.T)
    diameter = evidence.bed.diameter
    # Up to the contact the distance shrinks to a diameter; what the fits say beyond it is no ball's path.
    best = int(np.abs(distance - diameter).argmin()) if distance.min() < diameter else int(distance.argmin())
    closing = float((distance[0] - distance[best]) / max(times[best] - times[0], 1e-4)) if best else 0.0
    return Meeting(
        t_s=float(times[best]),
        gap_mm=float(distance[best] - diameter),
        normal=between[best] / max(float(distance[best]), 1e-6),
        closing=closing,
    )


def _meeting_of_kinks(evidence: Evidence, ours: Kink, theirs: Kink) -> Meeting:
    """The meeting if both kinks are one: each ball where its own path bends, however the two are dated."""
    between = ours.place - theirs.place
    distance = float(np.hypot(*between))
    return Meeting(
        t_s=(ours.t_s + theirs.t_s) / 2,
        gap_mm=distance - evidence.bed.diameter,
        normal=between / max(distance, 1e-6),
        closing=float(np.hypot(*(ours.before - theirs.before))),
    )


def _closer(a: Meeting, b: Meeting) -> Meeting:
    return a if abs(a.gap_mm) <= abs(b.gap_mm) else b


def ghost_miss(evidence: Evidence, hit: str, kink: Kink, by: str, span: tuple[float, float]) -> float:
    """How far the path of ``by`` passes from where it must have been to send ``hit`` off in its direction, mm."""
    direction = kink.after / max(float(np.hypot(*kink.after)), 1e-6)
    ghost = evidence.paths[hit].at(span[0]) - direction * evidence.bed.diameter
    times = np.linspace(*span, 33)
    return float(np.hypot(*(evidence.paths[by].places(times) - ghost).T).min())


def _cosine(a: Array, b: Array) -> float:
    return float(a @ b / max(float(np.hypot(*a) * np.hypot(*b)), 1e-9))


def _span(evidence: Evidence, turn: Turn) -> tuple[float, float]:
    """The time in which what caused a turn must have happened.

    Two balls' kinks are dated apart from each other and a blurred ball is anywhere along its streak, so half a
    picture is allowed for.
    """
    kink, margin = turn.kink, 0.5 * evidence.spacing_s
    around = max(2.5 * kink.t_sigma_s, 0.6 * evidence.spacing_s)
    return max(kink.t_s - around, kink.span[0] - margin), min(kink.t_s + around, kink.span[1] + margin)


def _overlap(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def _partner_turn(evidence: Evidence, turn: Turn, other: str, turns: list[Turn]) -> Turn | None:
    span = _span(evidence, turn)
    near = [t for t in turns if t.ball == other and _overlap(span, _span(evidence, t))]
    return min(near, key=lambda t: abs(t.kink.t_s - turn.kink.t_s)) if near else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """A ball that may have caused a turn, with a score (higher explains better) and when they met.

    via: the cushion off which the ball hit came at once, too soon for its way there to be seen. forced: whether the hit
    can't have sent it off so but by way of that cushion.
    """

    ball: str
    score: float
    t_s: float
    t_sigma_s: float
    mutual: bool
    via: str | None = None
    forced: bool = False


def _cause(evidence: Evidence, turn: Turn, other: str, turns: list[Turn]) -> Cause | None:
    """``other`` as the cause of this turn, None where it can't be."""
    kink, path, span = turn.kink, evidence.paths[other], _span(evidence, turn)
    if not evidence.on_bed(other, kink.t_s):
        return None
    partner = _partner_turn(evidence, turn, other, turns)
    runs = not path.piece_at(span[0]).at_rest or not path.piece_at(kink.t_s).at_rest
    if partner is None and not runs:
        return None
    met = meeting(evidence, turn.ball, other, span)
    if partner is not None:
        met = _closer(met, _meeting_of_kinks(evidence, kink, partner.kink))
    tolerance = evidence.tolerance_mm(turn.ball, other)
    fast = max(float(np.hypot(*kink.before)), float(np.hypot(*path.velocity_at(kink.t_s))))
    reach = tolerance + min(fast * kink.t_sigma_s, 0.5 * evidence.bed.diameter)
    miss = ghost_miss(evidence, turn.ball, kink, other, span) if turn.start else np.inf
    if miss < AIMED * evidence.bed.diameter:
        # The way that a ball takes says from where it was hit, better than two blurred balls' distance does.
        reach = max(reach, AIMED_REACH * evidence.bed.diameter)
    if met.gap_mm > reach:
        return None
    score = 2.0 - (max(met.gap_mm, -0.5 * evidence.bed.diameter) / reach) ** 2
    score += 2.0 * _cosine(kink.change, met.normal)
    if turn.start:
        score += 2.0 - 2.0 * min(miss / (0.35 * evidence.bed.diameter), 3.0)
    t, sigma = kink.t_s, kink.t_sigma_s
    if partner is not None:
        score += 1.0 - 1.5 * _cosine(kink.change, partner.kink.change)
        ratio = partner.kink.strength / max(kink.strength, 1.0)
        score -= 0.5 * abs(float(np.log(max(ratio, 1e-3))))
        wa, wb = sigma**-2, partner.kink.t_sigma_s**-2
        # The one's errors are the other's too: where both overlap in the picture.
        t, sigma = (wa * t + wb * partner.kink.t_s) / (wa + wb), min(sigma, partner.kink.t_sigma_s)
    elif not turn.start:
        # A sharp turn without a partner that moves: the other would have been set going.
        score -= 3.0
    return Cause(ball=other, score=score, t_s=t, t_sigma_s=sigma, mutual=partner is not None)


def _best_cause(evidence: Evidence, turn: Turn, other: str, turns: list[Turn]) -> Cause | None:
    """``other`` as the cause, directly or by way of a cushion beside which the ball lay."""
    direct = _cause(evidence, turn, other, turns)
    if not turn.start:
        return direct
    best = direct
    for cushion, mirrored in _mirrored(evidence, turn):
        cause = _cause(evidence, mirrored, other, turns)
        if cause is not None and cause.score - VIA_COST > (best.score if best else LEAST_SCORE):
            forced = direct is None or direct.score < LEAST_SCORE
            best = replace(cause, score=cause.score - VIA_COST, via=cushion, forced=forced)
    return best


def _mirrored(evidence: Evidence, turn: Turn) -> list[tuple[str, Turn]]:
    """The turn as it was before the ball came off each cushion close by that it runs away from."""
    found = []
    for cushion, gap in evidence.bed.cushion_gaps(turn.kink.place).items():
        axis, sign = AXIS[cushion]
        if gap < 2.5 * evidence.bed.diameter and sign * float(turn.kink.after[axis]) < -LEAST_START:
            after = turn.kink.after.copy()
            after[axis] *= -1.0
            # Its path was drawn back to its place from behind the cushion, so the hit is dated too late.
            sigma = max(turn.kink.t_sigma_s, 0.7 * evidence.spacing_s)
            span = (turn.kink.span[0] - evidence.spacing_s, turn.kink.span[1])
            kink = replace(turn.kink, after=after, t_sigma_s=sigma, span=span)
            found.append((cushion, replace(turn, kink=kink)))
    return found


def _crowded(evidence: Evidence, turn: Turn, other: str) -> bool:
    """Whether more balls touch one of two object balls that met, and run too: of a bursting pack no pair is sure.

    What the cue ball hit is the ball that lay there; only its name may be another one's, where it wasn't followed well.
    """
    place = turn.kink.place
    if CUE in (turn.ball, other):
        hit = evidence.paths[other if turn.ball == CUE else turn.ball]
        start = _start_near(hit, turn.kink.t_s, 2.0 * evidence.spacing_s)
        if start is None or not _followed_badly(evidence, hit, start):
            return False
        place = start.place
    for ball, path in evidence.paths.items():
        if ball in (turn.ball, other, CUE) or not path.moved or not evidence.on_bed(ball, turn.kink.t_s):
            continue
        times = (turn.kink.span[0] - evidence.spacing_s, turn.kink.t_s)
        away = min(float(np.hypot(*(path.at(t) - place))) for t in times)
        sets_off = any(abs(kink.t_s - turn.kink.t_s) < 2.0 * evidence.spacing_s for kink in path.kinks)
        if sets_off and away < CROWD * evidence.bed.diameter:
            return True
    return False


def _start_near(path: BallPath, t_s: float, margin_s: float) -> Kink | None:
    """How the ball set off from rest at about this time, None where it didn't."""
    near = (kink for kink in path.kinks if path.pieces[kink.index].at_rest and abs(kink.t_s - t_s) < margin_s)
    return next(near, None)


def _followed_badly(evidence: Evidence, path: BallPath, start: Kink) -> bool:
    """Whether a ball's path jumps right when it sets off: what is seen further on may be another ball of the pack."""
    jumps = any(kink.miss_mm > JUMP_MM and 0.0 < kink.t_s - start.t_s < 4.0 * evidence.spacing_s for kink in path.kinks)
    return jumps or start.miss_mm > BAD_START * evidence.bed.diameter


def _confidence(causes: list[Cause], crowded: bool) -> float:
    best = causes[0]
    confidence = 0.97 if best.mutual else 0.9
    if best.score < 3.0:
        confidence -= 0.15
    if best.score < 1.0:
        confidence -= 0.2
    if len(causes) > 1:
        margin = best.score - causes[1].score
        if margin < 1.5:
            confidence = min(confidence, 0.6 + 0.2 * margin)
    return min(confidence, IN_A_CROWD) if crowded else confidence


def _relaxed(evidence: Evidence, turn: Turn) -> Cause | None:
    """For a ball that set off though nothing is seen to reach it: the running ball that was nearest, if near enough."""
    best: Cause | None = None
    for other, path in evidence.paths.items():
        if other == turn.ball or not evidence.on_bed(other, turn.kink.t_s) or not path.moved:
            continue
        speed = max(
            float(np.hypot(*path.velocity_at(turn.kink.t_s - evidence.spacing_s))),
            float(np.hypot(*path.velocity_at(turn.kink.t_s + evidence.spacing_s))),
        )
        if speed < LEAST_START:
            continue
        around = (turn.kink.t_s - 2.0 * evidence.spacing_s, turn.kink.t_s + 2.0 * evidence.spacing_s)
        met = meeting(evidence, turn.ball, other, around)
        limit = 0.6 * evidence.bed.diameter + 0.5 * speed * evidence.spacing_s
        if turn.kink.miss_mm < JUMP_MM and _cosine(turn.kink.change, met.normal) < 0.2:
            continue
        if met.gap_mm < limit and (best is None or -met.gap_mm / limit > best.score):
            best = Cause(
                ball=other, score=-met.gap_mm / limit, t_s=turn.kink.t_s, t_sigma_s=evidence.spacing_s, mutual=False
            )
    return best


def infer_contacts(
    evidence: Evidence,
    explained: dict[str, set[int]],
    leaves: dict[str, float],
    vanished: dict[str, tuple[str, Kink]],
    begin_s: float,
) -> list[Event]:
    """Contacts in order of time, and cushions that a ball touched right after the hit, too soon to be seen.

    explained: kinks of each ball that strike or cushions account for. leaves: when each ball dropped. vanished: hits
    that sent balls off unseen, and by which ball. begin_s: the strike; kinks before it are no business of this shot.
    """
    turns = [
        turn
        for ball, path in evidence.paths.items()
        for turn in turns_of(path, explained.get(ball, set()), leaves.get(ball, np.inf))
        if turn.kink.t_s > begin_s - evidence.spacing_s
    ]
    turns += [Turn(ball=ball, kink=kink, start=True) for ball, (_, kink) in vanished.items()]
    # Balls that were set off first: a start always has a cause, a turn may be a jaw or spin.
    turns.sort(key=lambda turn: (not turn.start, turn.kink.t_s))
    contacts: list[Contact] = []
    rebounds: list[Cushion] = []
    for turn in turns:
        if not turn.start and _involved(contacts, turn, evidence):
            continue
        causes = [
            c for other in evidence.paths if other != turn.ball if (c := _best_cause(evidence, turn, other, turns))
        ]
        causes.sort(key=lambda cause: -cause.score)
        if turn.start and turn.ball in vanished and (not causes or causes[0].score < 1.0):
            by, hit = vanished[turn.ball]
            cause = Cause(ball=by, score=1.0, t_s=hit.t_s, t_sigma_s=hit.t_sigma_s, mutual=True)
            _add(contacts, evidence, turn.ball, cause, 0.85)
        elif turn.start and (not causes or causes[0].score < LEAST_SCORE):
            relaxed = _relaxed(evidence, turn)
            if relaxed is not None:
                _add(contacts, evidence, turn.ball, relaxed, NEAREST)
        elif causes and causes[0].score > (LEAST_SCORE if turn.start else 1.5):
            crowded = _crowded(evidence, turn, causes[0].ball)
            _add(contacts, evidence, turn.ball, causes[0], _confidence(causes, crowded))
            if causes[0].via is not None:
                rebounds.append(_rebound(evidence, turn, causes[0], causes[0].via))
    contacts.extend(_grazes(evidence, explained, contacts, leaves, begin_s))
    events: list[Event] = [*contacts, *rebounds]
    return sorted(events, key=lambda event: event.t_s)


def _rebound(evidence: Evidence, turn: Turn, cause: Cause, cushion: str) -> Cushion:
    t = max(cause.t_s, turn.kink.t_s) + 0.3 * evidence.spacing_s
    sure, sigma = VIA if cause.forced else MAYBE_VIA, evidence.spacing_s / 2
    # It was the hit that took it there, so it was the later one.
    after = (0.98 * (t - cause.t_s) / ORDER_SIGMAS) ** 2 - cause.t_sigma_s**2
    if cause.forced and after > 0.0:
        sigma = min(sigma, float(np.sqrt(after)))
    return Cushion(t_s=t, t_sigma_s=sigma, confidence=sure, ball=turn.ball, cushion=cushion)


def _involved(contacts: list[Contact], turn: Turn, evidence: Evidence) -> bool:
    span = _span(evidence, turn)
    return any(
        turn.ball in c.balls and _overlap(span, (c.t_s - 2.0 * c.t_sigma_s, c.t_s + 2.0 * c.t_sigma_s))
        for c in contacts
    )


def _add(contacts: list[Contact], evidence: Evidence, ball: str, cause: Cause, confidence: float) -> None:
    pair = (cause.ball, ball) if cause.ball == CUE or ball != CUE else (ball, cause.ball)
    for contact in contacts:
        if set(contact.balls) == set(pair) and abs(contact.t_s - cause.t_s) < 1.5 * evidence.spacing_s:
            return
    contacts.append(Contact(t_s=cause.t_s, t_sigma_s=cause.t_sigma_s, confidence=round(confidence, 3), balls=pair))


def _grazes(
    evidence: Evidence,
    explained: dict[str, set[int]],
    contacts: list[Contact],
    leaves: dict[str, float],
    begin_s: float,
) -> list[Contact]:
    """Touches so thin that the other ball isn't seen to move, though the cue ball's path bends away from it."""
    path = evidence.paths.get(CUE)
    if path is None:
        return []
    found = []
    for kink in path.kinks:
        first, second = path.pieces[kink.index], path.pieces[kink.index + 1]
        if first.at_rest or second.at_rest or kink.index in explained.get(CUE, set()):
            continue
        if not begin_s < kink.t_s < leaves.get(CUE, np.inf) or min(first.count, second.count) < 5:
            continue
        if not max(GRAZE_LEAST, 4.0 * kink.change_sigma) < kink.strength < GRAZE_MOST:
            continue
        turn = Turn(ball=CUE, kink=kink, start=False)
        if _involved(contacts, turn, evidence):
            continue
        for other, still in evidence.paths.items():
            if other == CUE or not evidence.on_bed(other, kink.t_s) or not still.piece_at(kink.t_s).at_rest:
                continue
            slack = max(3.0 * kink.t_sigma_s, evidence.spacing_s)
            met = meeting(evidence, CUE, other, (kink.t_s - slack, kink.t_s + slack))
            if abs(met.gap_mm) < evidence.tolerance_mm(CUE, other) and _cosine(kink.change, met.normal) > 0.7:
                found.append(
                    Contact(t_s=kink.t_s, t_sigma_s=max(kink.t_sigma_s, 0.01), confidence=0.7, balls=(CUE, other))
                )
    return found
