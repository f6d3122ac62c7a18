"""The lag for the break (PG-5): whose ball stopped nearer to the head cushion without breaking a rule.

In its record the two balls bear the players' names.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import product

from referee.rules.administration import break_choice, who
from referee.rules.outcome import Finding, Outcome, call, nothing_played
from referee.rules.questions import Oracle
from referee.rules.state import State
from referee.rules.table import Table
from tracking.records import Crossed, Cushion, Event, Fell, OffTable, Pocket, ShotRecord
from tracking.strict_json import MalformedRecord, Point

AGAIN = "again"
MOST_DOUBTFUL = 6
"""So many events that may not have happened are looked at, in all combinations."""
LEVEL_MM = 1.0
"""Balls that stop at distances as equal as this: the referee can't tell which is nearer (PG-5d)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ball:
    """What one ball did."""

    name: str
    record: ShotRecord
    table: Table

    @property
    def start(self) -> Point | None:
        return (self.record.before or {}).get(self.name)

    @property
    def rest(self) -> Point | None:
        return (self.record.after or {}).get(self.name)

    def touched(self, *cushions: str) -> int:
        return sum(isinstance(e, Cushion) and e.ball == self.name and e.cushion in cushions for e in self.record.events)

    @property
    def crossed(self) -> bool:
        """Into the opponent's half: over the long string, by an event or by where it stopped."""
        if any(isinstance(e, Crossed) and e.ball == self.name and e.line == "long_string" for e in self.record.events):
            return True
        if self.start is None or self.rest is None:
            return False
        middle = self.table.middle
        return (self.start[0] - middle) * (self.rest[0] - middle) < 0

    def faults(self) -> Iterator[tuple[str, str]]:
        """The clauses by which it loses (PG-5c)."""
        events = self.record.events
        if self.crossed:
            yield "PG-5c1", "crossed into the other half"
        if not self.touched("top"):
            yield "PG-5c2", "did not reach the foot cushion"
        if any(isinstance(e, Pocket | Fell) and e.ball == self.name for e in events):
            yield "PG-5c3", "fell into a pocket"
        if any(isinstance(e, OffTable) and e.ball == self.name for e in events):
            yield "PG-5c4", "left the table"
        if self.touched("left", "right"):
            yield "PG-5c5", "touched a long cushion"
        if self.rest is not None and self.rest[1] < 0:
            yield "PG-5c6", "stopped in a corner pocket's opening beyond the head cushion's nose"
        if self.touched("top") > 1:
            yield "PG-5c7", "touched the foot cushion more than once"


def judge_lag(state: State, record: ShotRecord, oracle: Oracle) -> Outcome:
    """Who won the lag and may choose; nobody where both broke a rule or stopped level: it is repeated (PG-5d).

    Where the record doesn't tell the referee is asked: ``lag_winner``, a player's name or ``again``. Raises
    MalformedRecord where the balls don't bear the players' names.
    """
    names = _names(state, record)
    findings = [
        Finding(clause=clause, value=0, what=f"{ball.name}: {what}")
        for ball in _balls(state, names, [event for event in record.events if event.certain], record)
        for clause, what in ball.faults()
    ]
    said = oracle.confirmed("lag_winner")
    if said is not None and said != AGAIN:
        said = who(state, said, "record.observed.value")
    won = said or oracle.ask("lag_winner", _possible(state, names, record), clause="PG-5d")
    legal = False if findings else None
    if won == AGAIN:
        waiting = replace(state, striker=None, options=())
        return nothing_played(waiting, fouls=tuple(findings), legal=legal, calls=(call("lag_again"),))
    person = state.person(won)
    calls = (call("won_lag", winner=won), call("break_choice"))
    chosen = break_choice(state, person, "PG-6b")
    return nothing_played(chosen, fouls=tuple(findings), legal=legal, calls=calls)


def _balls(state: State, names: tuple[str, str], events: Collection[Event], record: ShotRecord) -> list[_Ball]:
    seen = replace(record, events=tuple(events))
    return [_Ball(name=name, record=seen, table=state.table) for name in names]


def _possible(state: State, names: tuple[str, str], record: ShotRecord) -> list[str]:
    """Who may have won: each reading of the events that aren't certain is looked at; ``again`` stands first."""
    everything = [AGAIN, *names]
    doubtful = [event for event in record.events if not event.certain]
    if record.gaps or len(doubtful) > MOST_DOUBTFUL:
        return everything
    found: set[str] = set()
    for kept in product((True, False), repeat=len(doubtful)):
        absent = {id(event) for event, keep in zip(doubtful, kept, strict=True) if not keep}
        one, other = _balls(state, names, [e for e in record.events if id(e) not in absent], record)
        good = [ball for ball in (one, other) if not any(ball.faults())]
        if len(good) == 2:
            found |= _nearer(one, other, state.settings.measured_mm)
        else:
            found.add(good[0].name if good else AGAIN)
    return [each for each in everything if each in found]


def _names(state: State, record: ShotRecord) -> tuple[str, str]:
    """Of whom the two balls are, in the order of the sides."""
    seen = {name for event in record.events for name in event.balls_involved}
    seen |= set(record.before or ()) | set(record.after or ())
    wrong = sorted(name for name in seen if not state.sides.knows(name))
    if wrong:
        raise MalformedRecord("record", "balls that bear the players' names", wrong[0])
    found = []
    for side in state.sides.names:
        name = next((name for name in sorted(seen) if state.sides.of(name) == side), None)
        found.append(side if name is None else name)
    return found[0], found[1]


def _nearer(one: _Ball, other: _Ball, measured_mm: float) -> set[str]:
    """Whose ball may be the nearer one; ``again`` where the referee can't tell."""
    if one.rest is None or other.rest is None:
        return {AGAIN, one.name, other.name}
    ahead = other.rest[1] - one.rest[1]
    readings = {ahead - measured_mm, ahead, ahead + measured_mm}
    return {AGAIN if abs(each) <= LEVEL_MM else one.name if each > 0 else other.name for each in readings}
