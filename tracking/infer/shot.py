"""All that happened in one shot, from its evidence."""

from dataclasses import dataclass

import numpy as np

from tracking.infer.contact import infer_contacts
from tracking.infer.cushion import infer_cushions, possible_touches
from tracking.infer.evidence import Evidence
from tracking.infer.fall import FALL_IN_STROKE, fall_event, hangs
from tracking.infer.jump import infer_jumps
from tracking.infer.line import infer_crossings
from tracking.infer.off_table import infer_off_table
from tracking.infer.pocket import PocketEntry, infer_pocket, infer_unseen_pot, pocket_event
from tracking.infer.rest import infer_rest
from tracking.infer.strike import infer_strike, jumped, strike_kink, twitches
from tracking.infer.unexplained import surer_of_first, unexplained
from tracking.infer.vanish import vanishing_hit
from tracking.paths import Kink
from tracking.records import CERTAIN_CONFIDENCE, Contact, Event, Fell, Gap, Pocket
from vision.balls import CUE


@dataclass(frozen=True, slots=True, kw_only=True)
class Happenings:
    """Events in order of time, ``leaves``: when each ball left the bed for good, and ``gaps``: what must have happened
    unseen."""

    events: tuple[Event, ...]
    leaves: dict[str, float]
    gaps: tuple[Gap, ...] = ()


def _with_falls(evidence: Evidence, events: list[Event], entries: dict[str, PocketEntry]) -> list[Event]:
    """The events, where a ball that hung over its pocket and that nothing is known to have hit has fallen by itself."""
    touched = {ball for event in events if isinstance(event, Contact) for ball in event.balls}
    fallen: dict[str, Fell] = {}
    for ball, entry in entries.items():
        path = evidence.paths[ball]
        if ball in touched or not path.kinks or not path.pieces[0].at_rest:
            continue
        kink = path.kinks[0]
        if hangs(evidence, path, kink) and not _reached(evidence, ball, kink):
            fallen[ball] = fall_event(evidence, ball, kink.index, kink.t_s, entry, FALL_IN_STROKE)
    return [fallen[event.ball] if isinstance(event, Pocket) and event.ball in fallen else event for event in events]


def _reached(evidence: Evidence, ball: str, kink: Kink) -> bool:
    """Whether any ball that ran may have come near this one when it set off."""
    for other, path in evidence.paths.items():
        if other == ball or not path.moved:
            continue
        speed = float(np.hypot(*path.velocity_at(kink.t_s)))
        reach = 1.5 * evidence.bed.diameter + speed * max(2.0 * evidence.spacing_s, 0.1)
        if float(np.hypot(*(path.at(kink.t_s) - kink.place))) < reach:
            return True
    return False


def infer_shot(evidence: Evidence, *, over: bool) -> Happenings | None:
    """What happened, None where no ball was struck. ``over``: all balls came to rest, so a rest may be inferred."""
    kink = strike_kink(evidence)
    strike = infer_strike(evidence)
    if kink is None or strike is None:
        return None
    events: list[Event] = [strike]
    entries: dict[str, PocketEntry] = {}
    leaves: dict[str, float] = {}
    vanished = {
        ball: hit
        for ball in evidence.paths
        if ball != CUE and (hit := vanishing_hit(evidence, ball)) is not None and hit[1].t_s > strike.t_s
    }
    for ball in evidence.paths:
        hit = vanished.get(ball)
        entry = infer_unseen_pot(evidence, ball, hit[1]) if hit is not None else infer_pocket(evidence, ball)
        if hit is not None and entry is not None and len(vanished) > 1 and entry.confidence < CERTAIN_CONFIDENCE:
            # Where several balls are lost at once they are lost in the crowd, and not in pockets.
            entry = None
        if entry is not None and entry.t_s > strike.t_s:
            entries[ball] = entry
            leaves[ball] = entry.t_s
            events.append(pocket_event(ball, entry))
            continue
        off = infer_off_table(evidence, ball)
        if off is not None and off.t_s > strike.t_s:
            leaves[ball] = off.t_s
            events.append(off)
    explained: dict[str, set[int]] = {CUE: {kink.index, *twitches(evidence, strike)}}
    for ball, path in evidence.paths.items():
        ends = leaves.get(ball, float("inf"))
        sure = []
        for index, cushion in infer_cushions(evidence, ball, path):
            if strike.t_s < cushion.t_s <= ends:
                explained.setdefault(ball, set()).add(index)
                sure.append(cushion)
        events += [*sure, *possible_touches(evidence, ball, sure, strike.t_s, ends)]
        events.extend(each for each in infer_crossings(evidence, ball, path) if strike.t_s < each.t_s <= ends)
    contacts = infer_contacts(evidence, explained, leaves, vanished, strike.t_s)
    contacts = surer_of_first(evidence, contacts, strike.t_s)
    events = _with_falls(evidence, [*events, *contacts, *infer_jumps(evidence, strike.t_s)], entries)
    unseen, gaps = unexplained(evidence, events, explained[CUE], leaves, strike.t_s)
    events += unseen
    if jumped(evidence, kink):
        gaps.append(Gap(t0_s=kink.span[0], t1_s=evidence.t1_s))
    if over and not jumped(evidence, kink):
        rest = infer_rest(evidence, leaves)
        if rest is not None:
            events.append(rest)
    order = {"strike": 0, "rest": 2}
    events.sort(key=lambda event: (event.t_s, order.get(event.kind, 1)))
    return Happenings(events=tuple(events), leaves=leaves, gaps=tuple(gaps))
