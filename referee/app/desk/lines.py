"""Small things about the lines of a match and its log, for the desk."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.match import order
from referee.match.changes import changes
from referee.match.log import Match, Step
from referee.rules.officials import Official
from tracking.records import ShotRecord


def in_force(match: Match) -> list[int]:
    """The indices of the lines in force that aren't themselves an undo."""
    live = order.in_force([line.item for line in match.lines])
    return [index for index, item in live if not (isinstance(item, Official) and item.kind == "undo")]


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
    return changes(_verdicts(before), _verdicts(after))


def _verdicts(match: Match) -> list[dict[str, Any]]:
    return [verdict_of(match, step) for step in match.steps]


def verdict_of(match: Match, step: Step) -> dict[str, Any]:
    said = match.phrases.announce(step.judged.verdict.calls, match.game.name)
    return {"n": step.n, **step.judged.verdict.fields, "announce": said}
