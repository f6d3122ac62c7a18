"""What a gap in the record could have hidden.

A gap is a span of time in which some balls, or a part of the table, were not seen. It makes unknown only what could
have happened there and then: a ball that lies where it lay before was not hit, and a ball that isn't near a cushion's
part that was hidden didn't touch it unseen.
"""

import math
from collections.abc import Collection, Sequence

from referee.rules.table import Table
from tracking.records import OUTSIDE_SHOT_S, Answer, Contact, Gap, Moved, Point, ShotRecord, Strike, before

UNMOVED_MM = 1.0
"""A ball that was hit has moved by more than this."""

RAN_MM = 10.0
"""A ball that lies farther than this from where it lay has run, whatever the exactness of its place."""

NEAR_MM = 70.0
"""A ball whose centre is so near to a hidden region may be touched inside it: more than a ball's diameter."""

POCKET_MM = 120.0
"""A hidden region so near to the point of a pocket's mouth may hide a fall: more than a mouth's width in any game."""


def near_region(place: Point, region: Sequence[Point], margin_mm: float) -> bool:
    """Whether the place is inside the polygon or at most so far from its edge."""
    inside = False
    x, y = place
    for (x1, y1), (x2, y2) in zip(region, (*region[1:], region[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
        span = math.hypot(x2 - x1, y2 - y1)
        along = 0.0 if span == 0.0 else ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / span**2
        along = min(1.0, max(0.0, along))
        if math.dist(place, (x1 + along * (x2 - x1), y1 + along * (y2 - y1))) <= margin_mm:
            return True
    return inside


def _overlaps(gap: Gap, start_s: float, end_s: float) -> bool:
    return gap.t0_s < end_s and gap.t1_s > start_s


def hidden_contacts(
    record: ShotRecord, first: Contact | None, strikes: Sequence[Strike], present: Collection[str]
) -> list[str]:
    """Balls that the cue ball may have touched, unseen, before its first contact that is certain.

    A first contact is with a ball at rest, so at its place in ``before``; where ``after`` is known too, only a ball
    that moved or left can have been hit. Where nothing but the cue ball was hidden, it hit one of the balls that ran
    or were hit first, or one that moved though nothing tells when and why.
    """
    if not strikes:
        return []
    until_s = record.t1 if first is None else first.t_s
    found: dict[str, None] = {}
    for gap in record.gaps:
        if not _overlaps(gap, strikes[0].t_s, until_s):
            continue
        only = first_to_run(record) if gap.balls is not None and set(gap.balls) == {"cue"} else frozenset()
        for ball in _hittable(record, gap, present):
            if (first is None or ball not in first.balls) and (not only or ball in only or _untold(record, ball)):
                found[ball] = None
    return list(found)


def _untold(record: ShotRecord, ball: str) -> bool:
    """Whether a ball lies elsewhere afterwards, and no event is of it."""
    places, rest = record.before or {}, record.after or {}
    if ball not in places or ball not in rest or math.dist(places[ball], rest[ball]) <= RAN_MM:
        return False
    return not any(ball in event.balls_involved for event in record.events)


def first_to_run(record: ShotRecord) -> frozenset[str]:
    """The object balls of the earliest certain event without the cue ball, or of several that have no known order."""
    events = [e for e in record.events if e.certain and e.balls_involved and "cue" not in e.balls_involved]
    if not events:
        return frozenset()
    earliest = min(events, key=lambda event: event.t_s)
    together = (event for event in events if before(earliest, event) is not Answer.YES)
    return frozenset(ball for event in together for ball in event.balls_involved)


def ran_unexplained(record: ShotRecord) -> list[str]:
    """The balls one of which the cue ball must have hit: object balls met, so one of them ran, and none had set it off.

    Empty where a hand or anything else moved a ball.
    """
    met = [e for e in record.events if isinstance(e, Contact) and e.certain and "cue" not in e.balls]
    outside = any(isinstance(e, Moved) for e in record.events) or record.observed
    if not met or outside:
        return []
    earliest = min(e.t_s for e in met)
    if any(isinstance(e, Contact) and e.certain and "cue" in e.balls and e.t_s <= earliest for e in record.events):
        return []
    found = {ball: None for e in record.events for ball in e.balls_involved}
    return [ball for ball in found if ball != "cue"]


def _hittable(record: ShotRecord, gap: Gap, present: Collection[str]) -> list[str]:
    places = record.before
    out = []
    for ball in sorted(present) if places is None else (*places, *record.unplaced):
        if ball == "cue" or (gap.balls is not None and not {"cue", ball} & set(gap.balls)):
            continue
        place = None if places is None else places.get(ball)
        if place is not None and gap.region is not None and not near_region(place, gap.region, NEAR_MM):
            continue
        rest = None if record.after is None else record.after.get(ball)
        if rest is None or place is None or math.dist(rest, place) > UNMOVED_MM:
            out.append(ball)
    return out


def hidden_to_the_end(record: ShotRecord, start_s: float, table: Table) -> list[str] | None:
    """The balls that could have left the table, unseen, from then on; None where it could be any of them.

    A ball that a gap names was seen again when the gap ended; so only a gap up to the shot's end hides its leaving.
    One that was hidden inside a region can have left it unseen by a pocket only.
    """
    found: dict[str, None] = {}
    for gap in record.gaps:
        if not _overlaps(gap, start_s, record.t1) or not _reaches_pocket(gap, table):
            continue
        if gap.balls is None:
            return None
        if gap.t1_s >= record.t1 - OUTSIDE_SHOT_S:
            found |= dict.fromkeys(gap.balls)
    return list(found)


def may_hide(record: ShotRecord, start_s: float, table: Table) -> bool:
    """Whether something at a cushion or pocket could have happened, unseen, from then on to the shot's end."""
    return any(_overlaps(gap, start_s, record.t1) and _reaches_edge(gap, table) for gap in record.gaps)


def _reaches_edge(gap: Gap, table: Table) -> bool:
    if gap.region is None:
        return True
    xs, ys = [x for x, _ in gap.region], [y for _, y in gap.region]
    return min(xs) < NEAR_MM or min(ys) < NEAR_MM or max(xs) > table.width - NEAR_MM or max(ys) > table.length - NEAR_MM


def _reaches_pocket(gap: Gap, table: Table) -> bool:
    region = gap.region
    return region is None or any(near_region(mouth, region, POCKET_MM) for mouth in table.pockets.values())
