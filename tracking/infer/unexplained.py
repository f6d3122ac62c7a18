"""What must have happened though its cause wasn't seen: a ball set off, so something hit it.

Silence would be read as "nothing was touched". Where one ball only can have done it, that is the contact, its time
known no better than the pictures tell; else the record says that it wasn't seen: a gap of that ball, there and then.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tracking.infer.contact import meeting
from tracking.infer.evidence import Array, Evidence
from tracking.infer.vanish import lies_and_vanishes
from tracking.paths import JUMP_MM, Kink
from tracking.records import ORDER_SIGMAS, Answer, Contact, Event, Fell, Gap, Moved, before
from vision.balls import CUE

ONLY_ONE, IN_FRONT = 0.85, 0.7
"""Confidence of a contact that nothing shows but that one ball only was near enough for it, and that it was in front of
the others that set off.
"""

LEAST_START = 40.0
"""A ball that sets off more slowly than this, mm/s, may have been moved by the cloth or by an error of its place."""

LEAST_TURN, TURN_SIGMAS = 150.0, 6.0
"""The cue ball doesn't change its velocity by so much, mm/s, at once but at a ball, a nose or a jaw."""

ON_ITS_WAY, CLEARLY_FIRST, FULL = 0.92, 0.25, 0.85
"""Confidence of a contact with the ball that lay on the cue ball's line, touched so many diameters before any other one
would be, with the line so few diameters off its centre that it can't have passed.
"""

LEAST_WAY = 3
"""Looks at a run that tell where it leads."""

BESIDE, AROUND = 0.3, 1.5
"""In diameters: how near a ball lies that is driven off before a way is seen; how much around a place a gap covers."""

Span = tuple[float, float]


def unexplained(
    evidence: Evidence, told: Sequence[Event], explained: set[int], leaves: dict[str, float], since_s: float
) -> tuple[list[Contact], list[Gap]]:
    """Contacts that must have been, and gaps where it isn't known what was.

    told: all events of the stroke; explained: kinks of the cue ball that strike and cushions account for; leaves: when
    each ball dropped; since_s: the strike.
    """
    contacts = _out_of_sight(evidence, told, since_s)
    gaps: list[Gap] = []
    for ball in evidence.paths:
        span = _set_off(evidence, ball, since_s) if ball != CUE else None
        if span is None or _accounted([*told, *contacts], ball, span[1] + evidence.spacing_s):
            continue
        by = _within_reach(evidence, ball, span, since_s)
        if len(by) == 1 and _in_view(evidence, by[0], span):
            t, sigma = max((span[0] + span[1]) / 2, since_s), max((span[1] - span[0]) / 2, evidence.spacing_s / 2)
            pair = (by[0], ball) if by[0] == CUE else (ball, by[0])
            contacts.append(Contact(t_s=t, t_sigma_s=sigma, confidence=ONLY_ONE, balls=pair))
        else:
            gaps.append(_gap(evidence, ball, evidence.paths[ball].pieces[0].place, span))
    for kink in _cue_turns(evidence, [*told, *contacts], explained, leaves, since_s):
        contact = _met_on_its_way(evidence, kink)
        if contact is not None:
            contacts.append(contact)
        else:
            gaps.append(_gap(evidence, CUE, kink.place, kink.span))
    gaps += _unseen_first(evidence, [*told, *contacts], gaps, since_s)
    return contacts, gaps


def _unseen_first(evidence: Evidence, told: Sequence[Event], gaps: Sequence[Gap], since_s: float) -> list[Gap]:
    """A gap of the cue ball where balls that lay still ran into each other before it is told to have touched any.

    In a pack each ball's start has its cause in another one's, so that none is missed: but the cue ball began it.
    """
    meetings = sorted((e.t_s, CUE in e.balls, e.balls) for e in told if isinstance(e, Contact))
    if not meetings or meetings[0][1] or any(gap.balls is not None and CUE in gap.balls for gap in gaps):
        return []
    first_s, _, balls = meetings[0]
    by_cue = [t for t, of_cue, _ in meetings if of_cue]
    if by_cue and by_cue[0] < first_s + evidence.spacing_s:
        return []
    lay = [evidence.paths[ball].pieces[0] for ball in balls if ball in evidence.paths]
    if not lay or not all(piece.at_rest for piece in lay):
        return []
    span = (min(since_s, first_s), first_s + evidence.spacing_s)
    return [_gap(evidence, CUE, lay[0].place, span)]


def _out_of_sight(evidence: Evidence, told: Sequence[Event], since_s: float) -> list[Contact]:
    """The first contact of a cue ball that wasn't seen from its place on until balls had set off: with the one of them
    that lay nearest to it, the front one of a pack; and none where it is told.
    """
    path = evidence.paths[CUE]
    rest, run = path.pieces[0], next((piece for piece in path.pieces if not piece.at_rest), None)
    if run is None or not rest.at_rest or float(np.hypot(*(run.at(run.t0_s) - rest.place))) < JUMP_MM:
        return []
    span = (max(rest.t1_s, since_s), run.t0_s)
    if span[1] - span[0] < 1.5 * evidence.spacing_s:
        return []
    if any(isinstance(e, Contact) and CUE in e.balls and e.t_s < span[1] + evidence.spacing_s for e in told):
        return []
    driven = {}
    for ball, other in evidence.paths.items():
        if ball == CUE or not other.moved or not other.pieces[0].at_rest:
            continue
        start = other.kinks[0]
        # one that was hit before the next picture may be dated back to the last in which it lay, that of the strike
        if span[0] - 0.5 * evidence.spacing_s < start.t_s < span[1]:
            driven[ball] = (float(np.hypot(*(other.pieces[0].place - rest.place))), start)
    if not driven:
        return []
    ball = min(driven, key=lambda each: driven[each][0])
    first_s = max(min(start.t_s for _, start in driven.values()), span[0] + 0.5 * evidence.spacing_s)
    sure = ONLY_ONE if len(driven) == 1 else IN_FRONT
    sigma = max((span[1] - span[0]) / 3.5, evidence.spacing_s / 2)
    return [Contact(t_s=first_s, t_sigma_s=sigma, confidence=sure, balls=(CUE, ball))]


def _set_off(evidence: Evidence, ball: str, since_s: float) -> Span | None:
    """Between which times a ball left the place where it lay at the strike, None where it didn't."""
    path, margin = evidence.paths[ball], evidence.spacing_s
    if lies_and_vanishes(evidence, ball):
        last_s = evidence.fates[ball].last_s
        later = [t for t in evidence.picture_s.values() if t > last_s + 1e-6]
        return (last_s, min(later, default=last_s + margin)) if last_s > since_s - margin else None
    if not path.pieces[0].at_rest:
        return None
    for kink in path.kinks:
        if path.pieces[kink.index + 1].at_rest:
            continue
        if kink.strength < max(LEAST_START, 3.5 * kink.change_sigma) or kink.t_s < since_s - margin:
            return None
        around = 3.0 * kink.t_sigma_s
        return max(kink.span[0], kink.t_s - around), min(kink.span[1], kink.t_s + around)
    return None


def _accounted(told: Sequence[Event], ball: str, until_s: float) -> bool:
    """Whether the record tells, for certain or not, what set this ball going."""
    return any(
        ball in event.balls_involved and (isinstance(event, Fell | Moved) or event.t_s < until_s)
        for event in told
        if isinstance(event, Contact | Fell | Moved)
    )


def _within_reach(evidence: Evidence, ball: str, span: Span, since_s: float) -> list[str]:
    """The balls that ran so near to this one when it set off that they may have hit it."""
    margin = evidence.spacing_s
    around = (span[0] - margin, span[1] + margin)
    found = []
    for other, path in evidence.paths.items():
        if other == ball or not evidence.on_bed(other, span[0]):
            continue
        speed = max(float(np.hypot(*path.velocity_at(t))) for t in (*around, *span))
        struck = other == CUE and around[0] < since_s < around[1]
        if speed == 0.0 and not struck:
            continue
        met = meeting(evidence, ball, other, around)
        reach = max(BESIDE, 0.15 if speed < LEAST_START else 0.5) * evidence.bed.diameter + 0.5 * speed * margin
        if met.gap_mm < reach:
            found.append(other)
    return found


def _in_view(evidence: Evidence, ball: str, span: Span) -> bool:
    """Whether the ball was seen right before or after, so that it is known where it ran."""
    away = np.maximum(span[0] - evidence.paths[ball].t_s, evidence.paths[ball].t_s - span[1])
    return float(away.min()) < 1.5 * evidence.spacing_s


def _cue_turns(
    evidence: Evidence, told: Sequence[Event], explained: set[int], leaves: dict[str, float], since_s: float
) -> list[Kink]:
    """Where the cue ball was turned in the open by what isn't told."""
    path, found = evidence.paths[CUE], []
    for kink in path.kinks:
        first, second = path.pieces[kink.index], path.pieces[kink.index + 1]
        if kink.index in explained or first.at_rest or second.at_rest:
            continue
        if not since_s < kink.t_s < leaves.get(CUE, np.inf):
            continue
        if kink.strength < max(LEAST_TURN, TURN_SIGMAS * kink.change_sigma) or _at_the_edge(evidence, kink.place):
            continue
        low, high = kink.span[0] - evidence.spacing_s, kink.span[1] + evidence.spacing_s
        if not any(isinstance(e, Contact) and CUE in e.balls and low < e.t_s < high for e in told):
            found.append(kink)
    return found


def _met_on_its_way(evidence: Evidence, kink: Kink) -> Contact | None:
    """The ball at rest that the cue ball's run, drawn on, comes to touch at this kink before any other one, None where
    it meets none that then left its place.
    """
    met = _first_in_line(evidence, kink, 0.0)
    if met is None or met[1] > FULL * evidence.bed.diameter:
        return None
    t, _, ball = met
    speed = float(np.hypot(*evidence.paths[CUE].pieces[kink.index].velocity_at(t)))
    sigma = float(np.hypot(evidence.tolerance_mm(CUE, ball) / max(speed, 100.0), evidence.clock_sigma_s))
    return Contact(t_s=t, t_sigma_s=sigma, confidence=ON_ITS_WAY, balls=(CUE, ball))


def _first_in_line(evidence: Evidence, kink: Kink, slack_mm: float) -> tuple[float, float, str] | None:
    """The ball at rest that the cue ball's run, drawn on, touches first: when, how near their centres would come, mm,
    and which; None where none is touched clearly first or that one stays. slack_mm: what counts as touched besides.
    """
    run, diameter = evidence.paths[CUE].pieces[kink.index], evidence.bed.diameter
    margin = evidence.spacing_s
    times = np.linspace(kink.span[0] - margin, kink.span[1] + margin, 240)
    places = run.at(times)
    met: list[tuple[float, float, str]] = []
    for ball, path in evidence.paths.items():
        if ball == CUE or not path.piece_at(times[0]).at_rest or not evidence.on_bed(ball, float(times[0])):
            continue
        away = np.hypot(*(places - path.at(float(times[0]))).T)
        (touching,) = np.nonzero(away < diameter + slack_mm)
        if len(touching):
            met.append((float(times[touching[0]]), float(away.min()), ball))
    if not met:
        return None
    t, nearest, ball = min(met)
    speed = float(np.hypot(*run.velocity_at(t)))
    path = evidence.paths[ball]
    runs_later = any(not piece.at_rest for piece in path.pieces) or lies_and_vanishes(evidence, ball)
    rivals = [other for other in met if other[2] != ball and (other[0] - t) * speed < CLEARLY_FIRST * diameter]
    return (t, nearest, ball) if runs_later and not rivals else None


def surer_of_first(evidence: Evidence, contacts: Sequence[Event], since_s: float) -> list[Event]:
    """The contacts, with the cue ball's first one certain and first where its way up to there led into that ball.

    Which ball of a pack ran into which isn't seen when it bursts, nor in which order two balls were hit between two
    pictures, but what the cue ball was about to meet is.
    """
    path = evidence.paths[CUE]
    first = next((e for e in contacts if isinstance(e, Contact) and CUE in e.balls), None)
    if first is None:
        return list(contacts)
    margin = evidence.spacing_s
    turns = [kink for kink in path.kinks if kink.t_s > since_s and path.pieces[kink.index].count >= LEAST_WAY]
    turns = [kink for kink in turns if not path.pieces[kink.index].at_rest]
    turns = [kink for kink in turns if kink.span[0] - margin < first.t_s < kink.span[1] + margin]
    if not turns:
        return list(contacts)
    turn = min(turns, key=lambda kink: abs(kink.t_s - first.t_s))
    met = _first_in_line(evidence, turn, evidence.tolerance_mm(CUE))
    if met is None or met[2] not in first.balls:
        return list(contacts)
    sure = replace(first, confidence=max(first.confidence, ON_ITS_WAY))
    return [sure if e is first else _put_after(sure, e) for e in contacts]


def _put_after(first: Contact, event: Event) -> Event:
    """Another contact of the cue ball, dated so that it is told to be later than the first one, which it was."""
    if not isinstance(event, Contact) or CUE not in event.balls or before(first, event) is Answer.YES:
        return event
    lead = max(event.t_s - first.t_s, 1.1 * ORDER_SIGMAS * first.t_sigma_s + 0.001)
    sigma = float(np.sqrt((0.98 * lead / ORDER_SIGMAS) ** 2 - first.t_sigma_s**2))
    return replace(event, t_s=first.t_s + lead, t_sigma_s=min(event.t_sigma_s, sigma))


def _at_the_edge(evidence: Evidence, place: Array) -> bool:
    """Whether a nose or a jaw may have turned a ball here."""
    mouth, away = evidence.bed.nearest_mouth(place)
    return away < mouth.width_mm or min(evidence.bed.cushion_gaps(place).values()) < 0.5 * evidence.bed.diameter


def _gap(evidence: Evidence, ball: str, place: Array, span: Span) -> Gap:
    reach = AROUND * evidence.bed.diameter
    x, y = float(place[0]), float(place[1])
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    region = tuple((round(x + dx * reach, 1), round(y + dy * reach, 1)) for dx, dy in corners)
    return Gap(t0_s=span[0], t1_s=span[1], balls=(ball,), region=region)
