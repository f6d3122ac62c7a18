"""A foul that is certain while the balls still run: judged on what has happened, whatever may follow.

The rules judge complete records. So what happened so far is completed in several ways, each the best or the worst that
could follow, and only a foul in all of them is certain: that no ball was hit, or no cushion reached, something that
follows may still cure; a first contact with a ball that isn't on, nothing can.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.match.log import Match
from tracking.records import Answer, Contact, Cushion, Event, Pocket, ShotRecord, Strike, before
from tracking.strict_json import MalformedRecord

CUE = "cue"
MOST_WORLDS = 4
"""Where more states are possible, because questions are open, nothing is called early."""

MOST_READINGS = 6
"""Where the balls may be named in more ways, nothing is called early."""

INCURABLE = ("SN-3.11.2b", "SN-3.11.2d", "SN-3.11.4c")
"""Fouls by what was hit first, or by how the balls lay: what may follow needn't be tried, which takes long where
questions are open.
"""

LATER_S = 1.0
"""What may still follow is put so long after what happened that its order is beyond doubt."""


def certain_foul(match: Match, so_far: ShotRecord) -> bool:
    """Whether the running shot is a foul whatever follows. ``match`` stays as it is.

    so_far: what is known of it, with the other readings of its balls' names and what was not seen.
    """
    if len(match.course.worlds) > MOST_WORLDS or len(so_far.doubtful) > MOST_READINGS:
        return False
    struck = any(isinstance(event, Strike) for event in so_far.events)
    if not struck or not any(isinstance(event, Contact) and CUE in event.balls for event in so_far.events):
        return False
    try:
        verdict = match.copy().add(so_far).verdict
        if verdict["legal"] is not False:
            return False
        if _first_is_sure(so_far) and any(foul["clause"] in INCURABLE for foul in verdict["fouls"]):
            return True
        return all(match.copy().add(record).verdict["legal"] is False for record in _completed(match, so_far))
    except MalformedRecord:
        return False


def _first_is_sure(so_far: ShotRecord) -> bool:
    """Whether it is beyond doubt what the cue ball hit first."""
    first, *others = (event for event in so_far.events if isinstance(event, Contact) and CUE in event.balls)
    late = all(before(first, other) is Answer.YES for other in others)
    return first.certain and late and not so_far.doubtful and not so_far.gaps


def _completed(match: Match, so_far: ShotRecord) -> Iterator[ShotRecord]:
    """What may follow: each ball on the table is hit, it or all run to cushions, it falls; or the cue ball falls."""
    gone = {event.ball for event in so_far.events if isinstance(event, Pocket)}
    lying = so_far.before if so_far.before is not None else dict.fromkeys(match.state.balls)
    balls = [ball for ball in lying if ball != CUE and ball not in gone]
    t_s = so_far.t1 + LATER_S
    said = so_far.nominated
    pocket = said.pocket if said is not None and said.pocket is not None else "top-left"
    everywhere = [Cushion(t_s=t_s + 0.5, ball=ball, cushion="top") for ball in (*balls, CUE)]
    everywhere += [Cushion(t_s=t_s + 0.6, ball=ball, cushion="left") for ball in (*balls, CUE)]
    for ball in _one_of_each(balls):
        hit, fell = Contact(t_s=t_s, balls=(CUE, ball)), Pocket(t_s=t_s + 1.0, ball=ball, pocket=pocket)
        yield _with(so_far, hit, *(each for each in everywhere if each.ball in (ball, CUE)))
        yield _with(so_far, hit, *everywhere)
        yield _with(so_far, hit, *everywhere, fell)
        yield _with(so_far, fell)
    if CUE not in gone:
        yield _with(so_far, Pocket(t_s=t_s, ball=CUE, pocket="top-right"))


def _one_of_each(balls: Sequence[str]) -> list[str]:
    """One red stands for all reds."""
    kinds = {ball.rpartition("-")[0] or ball: ball for ball in balls}
    return list(kinds.values())


def _with(record: ShotRecord, *events: Event) -> ShotRecord:
    return replace(record, events=(*record.events, *events), t1=max(event.t_s for event in events))
