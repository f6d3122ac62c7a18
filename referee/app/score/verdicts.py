"""Figures of the verdicts: right, undecided, or wrong though called final."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from referee.app.names import INTERCHANGEABLE, kind, same_ball
from referee.app.score.events import paired_incidents, paired_shots

Verdict = dict[str, Any]


def is_open(verdict: Verdict) -> bool:
    """Whether a verdict leaves a question to the referee."""
    return bool(verdict.get("undecided")) or verdict.get("legal", True) is None


def differences(said: Verdict, true: Verdict) -> list[str]:
    """The fields in which two verdicts say different things about the stroke and what comes next.

    Scores are not among them, since an analysis may start in the middle of a frame: the points of the stroke are.
    """
    out: list[str] = [name for name in ("legal", "penalty") if name in true and said.get(name) != true[name]]
    if "points" in true and _nonzero(said.get("points")) != _nonzero(true["points"]):
        out.append("points")
    if "potted" in true and not _same_balls(said.get("potted") or (), true["potted"]):
        out.append("potted")
    said_next, true_next = said.get("next") or {}, true.get("next") or {}
    if "player" in true_next and said_next.get("player") != true_next["player"]:
        out.append("next.player")
    if "on" in true_next and _kinds(said_next.get("on")) != _kinds(true_next["on"]):
        out.append("next.on")
    return out


def _nonzero(points: dict[str, float] | None) -> dict[str, float]:
    return {player: value for player, value in (points or {}).items() if value}


def _kinds(balls: Sequence[str] | None) -> Counter[str]:
    return Counter(kind(ball) for ball in balls or ())


def _same_balls(said: Sequence[str], true: Sequence[str]) -> bool:
    """Whether each ball said can be one of the true ones; where its name isn't known a verdict gives its sort only."""
    left = list(true)
    for ball in sorted(said, key=lambda ball: kind(ball) in INTERCHANGEABLE):
        fitting = next((each for each in left if same_ball(ball, each) or kind(ball) == "ball"), None)
        if fitting is None:
            return False
        left.remove(fitting)
    return not left


def verdict_figures(
    said: Sequence[Verdict],
    said_shots: Sequence[dict[str, Any]],
    true: Sequence[Verdict],
    true_shots: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """Each true verdict of a shot or incident against the verdict on the one that was struck or began at the same time.

    ``wrong`` are those called final that say something else; a true shot without a verdict is ``missing``; ``invented``
    are final verdicts on shots that were not played. A true verdict that is open asks for an open one. ``confusion``:
    for each true finding how often which one is said.
    """
    said_by_n = {verdict.get("n"): verdict for verdict in said if verdict.get("n") is not None}
    true_by_n = {verdict.get("n"): verdict for verdict in true if verdict.get("n") is not None}
    pairs = paired_shots(said_shots, true_shots) + paired_incidents(said_shots, true_shots)
    partner = {j: i for i, j in pairs}
    figures: dict[str, Any] = {"of": 0, "right": 0, "undecided": 0, "wrong": 0, "missing": 0, "invented": 0}
    confusion: dict[str, Counter[str]] = {}
    wrong = []
    for j, shot in enumerate(true_shots):
        meant = true_by_n.get(shot.get("n", j + 1))
        if meant is None:
            continue
        figures["of"] += 1
        mine = said_by_n.get(said_shots[partner[j]].get("n", partner[j] + 1)) if j in partner else None
        confusion.setdefault(_finding(meant), Counter())[_finding(mine)] += 1
        if mine is None:
            figures["missing"] += 1
        elif is_open(meant) and is_open(mine):
            figures["right"] += 1
        elif is_open(mine):
            figures["undecided"] += 1
        else:
            differ = ["undecided"] if is_open(meant) else differences(mine, meant)
            figures["wrong" if differ else "right"] += 1
            if differ:
                wrong.append({"n": meant.get("n"), "differ": differ})
    for i, shot in enumerate(said_shots):
        mine = said_by_n.get(shot.get("n", i + 1))
        figures["invented"] += i not in partner.values() and mine is not None and not is_open(mine)
    table = {meant: dict(sorted(row.items())) for meant, row in sorted(confusion.items())}
    return {**figures, "differ": wrong, "confusion": table}


def _finding(verdict: Verdict | None) -> str:
    """In one word what a verdict finds: ``fair``, ``foul``, ``open``; ``missing`` where there is none."""
    if verdict is None:
        return "missing"
    return "open" if is_open(verdict) else "fair" if verdict.get("legal") else "foul"
