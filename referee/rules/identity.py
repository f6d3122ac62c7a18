"""Which ball is which: a record read in each of the ways in which its balls may be named.

Tracking lists the other readings of a record's names (``ShotRecord.doubtful``). The rules run once for each that
makes a difference in the game; a verdict that they don't share is the referee's (``identity``).
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.rules.facts import CUE
from referee.rules.outcome import Outcome
from referee.rules.questions import Key, Oracle
from referee.rules.state import State
from tracking.events import Contact, Pocket
from tracking.records import Reading, ShotRecord

MOST_READINGS = 40
"""Of a record with more readings than this it isn't known which ball is which at all."""

NO_BALL = "none"
"""The referee's answer that what bore a name was no ball."""

Alike = Callable[[str], Hashable]


def called_otherwise(state: State, record: ShotRecord, unseen: Collection[str] = ()) -> tuple[Reading, ...]:
    """Other readings of a record whose nominated ball a camera did not find on the table: who plays sees it there.

    Each ball that was hit first or potted may be that one, unless it is one of the ``unseen`` of which none is there.
    """
    wanted = None if record.nominated is None else record.nominated.ball
    if (
        wanted is None
        or wanted in unseen
        or not state.settings.measured_mm
        or record.present is None
        or wanted in record.present
    ):
        return ()
    hit = next((e.balls for e in record.events if isinstance(e, Contact) and CUE in e.balls), ())
    down = tuple(e.ball for e in record.events if isinstance(e, Pocket))
    return tuple({ball: wanted} for ball in dict.fromkeys((*hit, *down)) if ball != CUE)


def unaccounted(state: State, record: ShotRecord) -> tuple[Reading, ...]:
    """The reading without the balls that a camera tells though they left the table: a set of balls is conserved, so a
    hand may have been taken for them, unless something happened to them in the stroke. Within a frame a ball that was
    put back is among the state's.
    """
    if not state.settings.measured_mm or state.strokes == 0 or record.present is None:
        return ()
    moved = {ball for event in record.events for ball in event.balls_involved}
    extra = sorted(record.present - state.balls - moved - {CUE})
    return (dict.fromkeys(extra),) if extra else ()


def chosen_reading(record: ShotRecord, oracle: Oracle, alike: Alike, clause: str) -> Reading:
    """The reading of this run, empty where the names are right. ``alike``: what the game knows of a ball's name."""
    called = None if record.nominated is None else record.nominated.ball
    readings: list[Reading] = [{}, *(each for each in record.doubtful if _matters(each, alike, called))]
    for ball in sorted({ball for each in readings for ball in each}):
        said = oracle.confirmed("identity", ball)
        if said is not None:
            name = ball if said is True else said
            readings = [each for each in readings if (each.get(ball, ball) or NO_BALL) == name] or [{}]
    if len(readings) == 1:
        return readings[0]
    if len(readings) > MOST_READINGS:
        oracle.whatever("identity", clause=clause)
        return {}
    about = next(ball for each in readings for ball in each if oracle.confirmed("identity", ball) is None)
    reading: Reading = oracle.ask("identity", readings, clause=clause, ball=about)
    return reading


def _matters(reading: Reading, alike: Alike, called: str | None) -> bool:
    """Balls that a game doesn't tell apart, as in 14.1, it does once one of them is called."""
    return any(new is None or called in (old, new) or alike(old) != alike(new) for old, new in reading.items())


def names_known(
    potted: Sequence[str], record: ShotRecord, known: Mapping[Key, Any], game_alike: Alike, sort: Callable[[str], str]
) -> list[str]:
    """The potted balls, with one that may be another of its sort called by the sort alone: ``stripe-1``.

    Nothing hangs on which it is, or it would be asked; but it isn't known. ``known``: the referee's answers.
    """
    found: list[str] = []
    for ball in potted:
        others = [new for each in record.doubtful if (new := each.get(ball)) is not None and new != ball]
        unsure = any(game_alike(new) == game_alike(ball) for new in others) and ("identity", ball) not in known
        name = sort(ball) if unsure else ball
        found.append(name if name == ball else f"{name}-{1 + sum(each.startswith(f'{name}-') for each in found)}")
    return found


def outcome_in_recorded_names(outcome: Outcome, record: ShotRecord, reading: Reading) -> Outcome:
    """The outcome of a record read so, with the balls of the state and those potted called as the record calls them.

    So outcomes differ only where something follows from a name.
    """
    old_names = {new: old for old, new in reading.items() if new is not None}

    def old(ball: str) -> str:
        return old_names.get(ball, ball)

    after = record.after if record.after is not None else record.before or {}
    none = {ball: after[ball] for ball, name in reading.items() if name is None and ball in after}

    def named(state: State, more: Mapping[str, Any]) -> State:
        places = {old(ball): place for ball, place in state.positions.items()}
        return replace(
            state,
            balls=frozenset(map(old, state.balls)) | frozenset(more),
            positions={**places, **more} if places else places,
        )

    state = outcome.state
    if state.record is None or state.strokes == 0:
        return outcome  # the next frame's balls have nothing to do with these
    start = None if state.before is None else named(state.before, _present(record, none))
    state = replace(named(state, none), before=start, record=record)
    return replace(outcome, state=state, potted=tuple(map(old, outcome.potted)))


def _present(record: ShotRecord, none: Mapping[str, Any]) -> Mapping[str, Any]:
    return {ball: (record.before or {})[ball] for ball in none if ball in (record.before or {})}
