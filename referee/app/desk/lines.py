"""Small things about the lines of a match and its log, for the desk."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any

from referee.match.changes import changes
from referee.match.log import Match, Step
from tracking.records import ShotRecord

MOST_TOLD = 12
"""So many open questions of earlier shots a verdict names; the match has all of them."""

MOST_DIFFERENCES = 400
"""So many are told of what a line would change."""


def call_message(line: Mapping[str, Any]) -> dict[str, Any]:
    names = ("id", "n", "announce", "early", "retracts", "t")
    return {"type": "call", "seq": line["seq"], "call": {name: line.get(name) for name in names}}


def shifted(record: ShotRecord, by_s: float) -> ShotRecord:
    if not by_s:
        return record
    events = tuple(replace(event, t_s=event.t_s + by_s) for event in record.events)
    return replace(record, t0=record.t0 + by_s, t1=record.t1 + by_s, events=events)


def differences(before: Match, after: Match) -> list[dict[str, Any]]:
    """What a line changes, verdict by verdict, as `referee.match.changes` has it."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(before.places, after.places, strict=False)))
    here = [match.places[same].n for match in (before, after) if same < len(match.places)]
    while same and before.places[same - 1].n in here:  # the verdicts of a shot are told by their order
        same -= 1
    return changes(_verdicts(before, same), _verdicts(after, same))


def _verdicts(match: Match, start: int) -> list[dict[str, Any]]:
    """Those from a step on, without the states that they leave, which aren't compared."""
    steps = match.steps.between(start, len(match.places))
    return [{**verdict_of(match, step), "state": None} for step in steps]


def verdict_of(match: Match, step: Step) -> dict[str, Any]:
    said = match.phrases.announce(step.judged.verdict.calls, match.game.name)
    return {"n": step.n, **step.judged.verdict.fields, "announce": said}


def told(verdict: dict[str, Any] | None) -> dict[str, Any] | None:
    """A verdict as it is told: of what is open from earlier shots, and of what is taken back, the last few."""
    if verdict is None:
        return None
    own = [each for each in verdict["undecided"] if "n" not in each]
    earlier = [each for each in verdict["undecided"] if "n" in each]
    short = {**verdict, "undecided": [*own, *earlier[-MOST_TOLD:]]}
    for name in ("open", "retracted", "dropped"):
        if name in short:
            short[name] = short[name][-MOST_TOLD:]
    return short
