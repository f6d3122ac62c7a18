"""Incidents between strokes: a ball that hangs over a pocket and falls by itself, a ball that moves though none hit it.

Most that moves between strokes is moved by hands at their work: balls are spotted, placed, racked and cleared. So only
a ball counts that lay still, set off alone and rolled on freely, while all others were seen where they lay.
"""

from dataclasses import dataclass

import numpy as np

from calibration.tables import TableSpec
from tracking.infer.contact import infer_contacts
from tracking.infer.cushion import infer_cushions
from tracking.infer.evidence import Evidence
from tracking.infer.fall import fall_event, hangs
from tracking.infer.pocket import PocketEntry, infer_pocket, pocket_event
from tracking.infer.rest import infer_rest
from tracking.infer.shot import Happenings
from tracking.infer.vanish import lies_and_vanishes
from tracking.paths import BallPath, Kink
from tracking.records import Event, Fell, Moved, OneBallEvent
from vision.balls import CUE

LEAST_LOOKS = 8
"""Looks at a ball on its place before it sets off: fewer, and it may only just have been put there."""

LEAST_RUN = 5
LEAST_WAY_MM, WAY_SIGMAS = 8.0, 6.0
"""A ball has moved where it has got farther than this, mm and sigmas of its place."""

TOGETHER_S = 0.25
"""Another ball that isn't seen, or moves, so near to the start in time may have been what set the ball off."""

HAND_DIAMETERS, HANDLED_SHARE = 1.0, 0.3
"""A ball with a hand so near for more than this share of its way is carried or placed."""

NOBODY_S, STEADY_SHARE = 0.5, 0.8
"""Nobody's hand was near so long before and after a ball was seen last that fell unseen, and it was seen in more than
this share of the pictures before.
"""

BY_ITSELF_SPEED = 55.0
"""A ball that settles on the cloth sets off no faster than this, mm/s."""

ON_SPOT_MM = 12.0
FELL_CONFIDENCE, MOVED_CONFIDENCE, WHICH_CONFIDENCE = 0.92, 0.7, 0.5
"""That a ball fell is seen; who or what moved one isn't, so this is for the referee to say; and of balls that set off
together, which one it was neither.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOff:
    """A ball that lay still and set off at ``kink``."""

    ball: str
    path: BallPath
    kink: Kink


def infer_incident(evidence: Evidence, *, over: bool) -> Happenings | None:
    """What happened without a stroke, None where nothing did but what hands do at their work."""
    if not over or evidence.blackouts:
        return None
    if not any(path.moved for path in evidence.paths.values()):
        return _fall_unseen(evidence)
    first = first_off(evidence)
    if first is None or not all_in_view(evidence, first.ball, first.kink.t_s) or handled(evidence, first):
        return None
    event, entry = _what(evidence, first)
    if event is None:
        return None
    leaves: dict[str, float] = {}
    events: list[Event] = [event]
    if entry is not None:
        leaves[first.ball] = entry.t_s
        if not isinstance(event, Fell):
            events.append(pocket_event(first.ball, entry))
    explained = {first.ball: {first.kink.index}}
    for ball, path in evidence.paths.items():
        if ball != first.ball and path.moved:
            other = infer_pocket(evidence, ball)
            if other is not None:
                leaves[ball] = other.t_s
                events.append(pocket_event(ball, other))
        for index, cushion in infer_cushions(evidence, ball, path):
            if first.kink.t_s < cushion.t_s <= leaves.get(ball, float("inf")):
                explained.setdefault(ball, set()).add(index)
                events.append(cushion)
    contacts = infer_contacts(evidence, explained, leaves, {}, first.kink.t_s)
    if not _all_explained(evidence, first.ball, contacts):
        return None
    rest = infer_rest(evidence, leaves)
    events += [*contacts, *([rest] if rest is not None else [])]
    order = {"moved": 0, "rest": 2}
    events.sort(key=lambda each: (each.t_s, order.get(each.kind, 1)))
    return Happenings(events=tuple(events), leaves=leaves)


def _fall_unseen(evidence: Evidence) -> Happenings | None:
    """The fall of a ball that hung over a pocket and is gone from there, with nobody near, while all others lie."""
    gone = [ball for ball in evidence.paths if lies_and_vanishes(evidence, ball)]
    mouth = evidence.bed.hanging_over(evidence.paths[gone[0]].pieces[-1].place) if len(gone) == 1 else None
    if mouth is None:
        return None
    ball, path, last_s = gone[0], evidence.paths[gone[0]], evidence.fates[gone[0]].last_s
    if not all_in_view(evidence, ball, last_s):
        return None
    moments = [t for t in evidence.picture_s.values() if abs(t - last_s) < NOBODY_S]
    margin = HAND_DIAMETERS * evidence.bed.diameter
    if any(evidence.blind.hides(t, path.pieces[-1].place, margin) for t in moments):
        return None
    before = [t for t in moments if t <= last_s]
    steady = float(np.mean([np.abs(path.t_s - t).min() < evidence.spacing_s / 2 for t in before])) if before else 0.0
    sure = FELL_CONFIDENCE if steady > STEADY_SHARE else WHICH_CONFIDENCE
    half_s = evidence.spacing_s / 2
    entry = PocketEntry(mouth=mouth, t_s=last_s + half_s, t_sigma_s=half_s, confidence=sure)
    fell = fall_event(evidence, ball, len(path.pieces) - 1, last_s, entry, sure)
    rest = infer_rest(evidence, {ball: entry.t_s})
    events: list[Event] = [fell, *([rest] if rest is not None and rest.t_s >= fell.t_s else [])]
    return Happenings(events=tuple(events), leaves={ball: entry.t_s})


def first_off(evidence: Evidence) -> SetOff | None:
    """The ball that left its place first, None where one was on its way from the beginning."""
    best: SetOff | None = None
    for ball, path in evidence.paths.items():
        if not path.moved:
            continue
        if not path.pieces[0].at_rest:
            return None
        kink = path.kinks[0]
        if path.pieces[1].at_rest:
            continue
        if best is None or kink.t_s < best.kink.t_s:
            best = SetOff(ball=ball, path=path, kink=kink)
    if best is None or best.path.pieces[0].count < LEAST_LOOKS:
        return None
    return best


def all_in_view(evidence: Evidence, ball: str, t_s: float) -> bool:
    """Whether all other balls were seen at their places when this one set off, so that none can have hit it."""
    for other, path in evidence.paths.items():
        if other == ball or evidence.left_before(other, t_s):
            continue
        if not np.any(np.abs(path.t_s - t_s) < TOGETHER_S):
            return False
    return True


def handled(evidence: Evidence, first: SetOff) -> bool:
    """Whether a hand was at the ball on its way, it was put back, or it came to lie where it is spotted."""
    if evidence.fates[first.ball].back_s is not None:
        return True
    path, start = first.path, first.kink.t_s
    on_way = [(t, xy) for t, xy in zip(path.t_s, path.xy_mm, strict=True) if t > start and not path.piece_at(t).at_rest]
    margin = HAND_DIAMETERS * evidence.bed.diameter
    near = [evidence.blind.hides(float(t), xy, margin) for t, xy in on_way]
    if near and float(np.mean(near)) > HANDLED_SHARE:
        return True
    if first.ball == CUE and any(near):
        return True
    table, end = evidence.bed.table, path.pieces[-1]
    return end.at_rest and _on_spot(table, end.place) and not _on_spot(table, path.pieces[0].place)


def _on_spot(table: TableSpec, place: np.ndarray) -> bool:
    return any(np.hypot(*(place - np.array(spot))) < ON_SPOT_MM for spot in table.spots.values())


def _what(evidence: Evidence, first: SetOff) -> tuple[OneBallEvent | None, PocketEntry | None]:
    """The fall or the movement of the ball that set off, and its pocket where it dropped."""
    path, kink, ball = first.path, first.kink, first.ball
    entry = infer_pocket(evidence, ball)
    if entry is not None and hangs(evidence, path, kink):
        return fall_event(evidence, ball, kink.index, kink.t_s, entry, FELL_CONFIDENCE), entry
    after = path.t_s > kink.t_s
    way = float(np.hypot(*(path.xy_mm[after] - kink.place).T).max()) if after.any() else 0.0
    if (
        way < max(LEAST_WAY_MM, WAY_SIGMAS * path.sigma_mm)
        or int(after.sum()) < LEAST_RUN
        or not rolls_freely(path, kink)
    ):
        return None, None
    speed = float(np.hypot(*path.pieces[kink.index + 1].velocity_at(kink.t_s)))
    cause = "itself" if speed < BY_ITSELF_SPEED else "player"
    sure = WHICH_CONFIDENCE if _with_others(evidence, first) else MOVED_CONFIDENCE
    moved = Moved(t_s=kink.t_s, t_sigma_s=kink.t_sigma_s, confidence=sure, ball=ball, cause=cause)
    return moved, entry


def _with_others(evidence: Evidence, first: SetOff) -> bool:
    """Whether another ball set off at the same time, as far as the pictures tell, so that it may have been that one."""
    t = first.kink.t_s
    starts = [path.kinks[0].t_s for ball, path in evidence.paths.items() if ball != first.ball and path.moved]
    return any(start - t < max(2.0 * evidence.spacing_s, TOGETHER_S) for start in starts)


def rolls_freely(path: BallPath, kink: Kink) -> bool:
    """Whether a ball that set off rolled on freely: its speed never grows but by a hit of its own."""
    runs = [piece for piece in path.pieces[kink.index + 1 :] if not piece.at_rest]
    if not runs or sum(piece.count for piece in runs) < LEAST_RUN:
        return False
    speeds = []
    for piece in runs:
        speeds += [float(np.hypot(*piece.velocity_at(t))) for t in (piece.t0_s, piece.t1_s)]
    slowest = speeds[0]
    for speed in speeds[1:]:
        if speed > 1.5 * slowest + 40.0:
            return False
        slowest = min(slowest, speed)
    return True


def _all_explained(evidence: Evidence, first: str, contacts: list[Event]) -> bool:
    """Whether every other ball that moved was hit by one that did."""
    hit = {ball for event in contacts for ball in event.balls_involved}
    return all(ball == first or not path.moved or ball in hit for ball, path in evidence.paths.items())
