"""Why a verdict is wrong though final: what of the shot was seen otherwise than it was, or that an earlier shot's was.

Each wrong verdict's record is judged once more in the true state before its shot. If that gives the true verdict, only
the state was wrong: the fault lies with an earlier shot. Else the record itself is at fault, and what differs in it is
named.
"""

import copy
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.app.names import kind, same_ball
from referee.app.score.events import claimed_events, first_contact, paired_incidents, paired_shots, strike_time
from referee.app.score.verdicts import differences, is_open
from referee.match.log import Match
from tracking.strict_json import MalformedRecord

Shot = dict[str, Any]
PLACED_MM = 30.0
"""A ball that lies further from its true place before the stroke counts as misplaced."""


def wrong_verdicts(
    truth: Mapping[str, Any],
    inputs: Sequence[Mapping[str, Any]],
    shots: Sequence[Shot],
    wrong: Sequence[Mapping[str, Any]],
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The wrong verdicts with their causes: n and t of the true shot, what differs, ``final``, ``own``.

    ``final`` are those of `verdict_figures`; ``own`` those that are wrong too when judged in the true state before the
    shot. Also how many shots are ``right``, ``undecided`` and ``wrong`` when judged so: what each record is worth by
    itself, as if a referee had put right what went before.
    """
    differing = {each["n"]: each["differ"] for each in wrong}
    true_shots = truth.get("shots", [])
    partner = {j: i for i, j in paired_shots(shots, true_shots) + paired_incidents(shots, true_shots)}
    verdicts = {verdict.get("n"): verdict for verdict in truth.get("verdicts", ()) if verdict.get("n") is not None}
    found, alone = [], Counter({"of": 0, "right": 0, "undecided": 0, "wrong": 0})
    for j, match in _states(truth, inputs):
        true = true_shots[j]
        meant = verdicts.get(true["n"])
        if meant is None:
            continue
        alone["of"] += 1
        if j not in partner:
            continue
        mine = shots[partner[j]]
        outcome, differ = _from_true_state(match, mine, true, meant)
        alone[outcome] += 1
        final, own = true["n"] in differing, outcome == "wrong"
        if final or own:
            causes = [*_record_differences(mine, true)] if own else ["the state before it was wrong: an earlier shot"]
            facts = {"n": true["n"], "t": true["t0"], "differ": differing.get(true["n"], differ)}
            found.append({**facts, "final": final, "own": own, "causes": causes})
    return found, dict(alone)


def _states(truth: Mapping[str, Any], inputs: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, Match]]:
    """Each true shot's index, and the match as it stood before it."""
    match = Match.from_case(truth["game"], truth.get("state", {}))
    officials = sorted(
        (line for line in inputs if line["type"] == "official"), key=lambda line: float(line.get("t", 0))
    )
    for j, shot in enumerate(truth.get("shots", [])):
        while officials and officials[0].get("t", 0) <= shot["t0"]:
            match.add({key: value for key, value in officials.pop(0).items() if key != "t"})
        yield j, match
        match.add(shot)


def _from_true_state(match: Match, mine: Shot, true: Shot, meant: Mapping[str, Any]) -> tuple[str, list[str]]:
    """What the verdict on a record is in the true state before it, ``right``, ``undecided`` or ``wrong``, and why."""
    record = {**mine, "n": true["n"], "nominated": true.get("nominated")}
    trial = copy.deepcopy(match)
    try:
        verdict = dict(trial.add({name: value for name, value in record.items() if value is not None}).verdict)
    except MalformedRecord as error:
        return "wrong", [str(error)]
    if is_open(verdict):
        return ("right" if is_open(dict(meant)) else "undecided"), []
    differ = ["undecided"] if is_open(dict(meant)) else differences(verdict, dict(meant))
    return ("wrong" if differ else "right"), differ


def _record_differences(mine: Shot, true: Shot) -> Iterator[str]:
    """What a record says otherwise than the truth, in words, the gravest first."""
    said, meant = first_contact(mine), first_contact(true)
    if (said is None) != (meant is None) or (said is not None and meant is not None and not same_ball(said, meant)):
        yield f"hit first: said {said}, true {meant}"
    for name, key in (("pocket", "pocket"), ("off_table", None)):
        a, b = _counted(mine, name, key), _counted(true, name, key)
        if a != b:
            yield f"{name}: said {_listed(a)}, true {_listed(b)}"
    if _cushion_after(mine) != _cushion_after(true):
        yield f"cushion after the first contact: said {_cushion_after(mine)}, true {_cushion_after(true)}"
    a, b = (Counter(kind(ball) for ball in shot.get("before") or {}) for shot in (mine, true))
    if a != b:
        yield f"balls before: too many {_listed(a - b)}, lacking {_listed(b - a)}"
    else:
        yield from _misplaced(mine, true)
    for name in ("jump", "fell", "moved", "returned", "crossed", "cushion", "contact"):
        a, b = _counted(mine, name, None), _counted(true, name, None)
        if a != b:
            yield f"{name}: said {sum(a.values())}, true {sum(b.values())}"


def _misplaced(mine: Shot, true: Shot) -> Iterator[str]:
    for ball, place in (mine.get("before") or {}).items():
        others = [at for name, at in (true.get("before") or {}).items() if same_ball(ball, name)]
        near = min((math.dist(at, place) for at in others), default=None)
        if near is not None and near > PLACED_MM:
            yield f"before: {ball} {near:.0f} mm from its place"


def _counted(shot: Shot, name: str, key: str | None) -> Counter[str]:
    return Counter(
        " ".join([*sorted(kind(ball) for ball in _balls(event)), *([str(event[key])] if key else [])])
        for event in claimed_events([shot])
        if event["kind"] == name
    )


def _balls(event: Mapping[str, Any]) -> list[str]:
    return list(event["balls"]) if "balls" in event else [event["ball"]]


def _cushion_after(shot: Shot) -> bool:
    events = claimed_events([shot])
    start = next((k for k, e in enumerate(events) if e["kind"] == "contact" and "cue" in e["balls"]), None)
    return start is not None and any(event["kind"] in ("cushion", "pocket") for event in events[start:])


def _listed(counts: Counter[str]) -> str:
    return ", ".join(sorted(counts.elements())) or "none"


def missed_shots(shots: Sequence[Shot], true_shots: Sequence[Shot]) -> list[dict[str, Any]]:
    """True shots without a record at their time, and records of shots that were not played."""
    pairs = paired_shots(shots, true_shots) + paired_incidents(shots, true_shots)
    said, meant = {i for i, _ in pairs}, {j for _, j in pairs}
    found: list[dict[str, Any]] = [
        {"missed": true["n"], "t": true["t0"], "stroke": strike_time(true) is not None}
        for j, true in enumerate(true_shots)
        if j not in meant
    ]
    return found + [{"invented": shot.get("n"), "t": shot["t0"]} for i, shot in enumerate(shots) if i not in said]
