"""The lag for the break (PG-5): whose ball stopped nearer to the head cushion without breaking a rule.

In its record the two balls bear the players' names.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.rules.administration import break_choice
from referee.rules.outcome import Finding, Outcome, call, nothing_played
from referee.rules.state import State
from referee.rules.table import Table
from tracking.records import Crossed, Cushion, Fell, OffTable, Pocket, ShotRecord
from tracking.strict_json import MISSING, MalformedRecord, Point

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


def judge_lag(state: State, record: ShotRecord) -> Outcome:
    """Who won the lag and may choose; nobody where both broke a rule or stopped level: it is repeated (PG-5d).

    Raises MalformedRecord where the balls don't bear the players' names, or where it isn't known how they stopped.
    """
    names = _names(state, record)
    balls = [_Ball(name=name, record=record, table=state.table) for name in names]
    findings = [
        Finding(clause=clause, value=0, what=f"{ball.name}: {what}") for ball in balls for clause, what in ball.faults()
    ]
    good = [ball for ball in balls if not any(ball.faults())]
    winner = good[0].name if len(good) == 1 else None
    if len(good) == 2:
        winner = _nearer(good[0], good[1])
    legal = False if findings else None
    if winner is None:
        waiting = replace(state, striker=None, options=())
        return nothing_played(waiting, fouls=tuple(findings), legal=legal, calls=(call("lag_again"),))
    person = state.person(winner)
    calls = (call("won_lag", winner=winner), call("break_choice"))
    chosen = break_choice(state, person, "PG-6b")
    return nothing_played(chosen, fouls=tuple(findings), legal=legal, calls=calls)


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


def _nearer(one: _Ball, other: _Ball) -> str | None:
    if one.rest is None or other.rest is None:
        raise MalformedRecord("record.after", "where both balls stopped, or the winner named", MISSING)
    ahead = other.rest[1] - one.rest[1]
    if abs(ahead) <= LEVEL_MM:
        return None
    return one.name if ahead > 0 else other.name
