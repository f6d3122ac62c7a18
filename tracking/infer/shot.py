"""All that happened in one shot, from its evidence."""

from dataclasses import dataclass

from tracking.infer.contact import infer_contacts
from tracking.infer.cushion import infer_cushions
from tracking.infer.evidence import Evidence
from tracking.infer.line import infer_crossings
from tracking.infer.off_table import infer_off_table
from tracking.infer.pocket import PocketEntry, infer_pocket, infer_unseen_pot, pocket_event
from tracking.infer.rest import infer_rest
from tracking.infer.strike import infer_strike, strike_kink
from tracking.infer.vanish import vanishing_hit
from tracking.records import CERTAIN_CONFIDENCE, Event
from vision.balls import CUE


@dataclass(frozen=True, slots=True, kw_only=True)
class Happenings:
    """Events in order of time, and ``leaves``: when each ball left the bed for good."""

    events: tuple[Event, ...]
    leaves: dict[str, float]


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
    explained: dict[str, set[int]] = {CUE: {kink.index}}
    for ball, path in evidence.paths.items():
        for index, cushion in infer_cushions(evidence, ball, path):
            if strike.t_s < cushion.t_s <= leaves.get(ball, float("inf")):
                explained.setdefault(ball, set()).add(index)
                events.append(cushion)
        ends = leaves.get(ball, float("inf"))
        events.extend(each for each in infer_crossings(evidence, ball, path) if strike.t_s < each.t_s <= ends)
    events.extend(infer_contacts(evidence, explained, leaves, vanished, strike.t_s))
    if over:
        rest = infer_rest(evidence, leaves)
        if rest is not None:
            events.append(rest)
    order = {"strike": 0, "rest": 2}
    events.sort(key=lambda event: (event.t_s, order.get(event.kind, 1)))
    return Happenings(events=tuple(events), leaves=leaves)
