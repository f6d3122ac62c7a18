"""What a correction changes: the verdicts before and after it, field by field. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

Verdict = Mapping[str, Any]
Key = tuple[int | None, int]

FIELDS = ("legal", "penalty", "points", "score", "break", "potted", "spot", "rack", "frame", "match")
"""Fields of a verdict (contract, section 5) that are compared as they are."""


def changes(before: Sequence[Verdict], after: Sequence[Verdict]) -> list[dict[str, Any]]:
    """The differences between two series of verdicts, in the order of play.

    Each is ``{"n", "line", "field", "was", "now"}``: the shot, which of that shot's verdicts (0: its own, then those
    of the official lines that followed it), a field, and its two values. A verdict that is new or gone is the one
    field ``verdict``. ``fouls`` are compared by clause and value, ``undecided`` by question and ball, ``announce`` is
    what was said.
    """
    was, now = _by_key(before), _by_key(after)
    out: list[dict[str, Any]] = []
    for key in _in_order(list(was), list(now)):
        old, new = was.get(key), now.get(key)
        if old is not None and new is not None:
            found = _of_one(old, new)
        else:
            found = [("verdict", None if old is None else _short(old), None if new is None else _short(new))]
        out += [{"n": key[0], "line": key[1], "field": name, "was": a, "now": b} for name, a, b in found]
    return out


def _by_key(verdicts: Sequence[Verdict]) -> dict[Key, Verdict]:
    """By the number of the shot, and the place among its verdicts."""
    out: dict[Key, Verdict] = {}
    count: dict[int | None, int] = {}
    for verdict in verdicts:
        n = verdict.get("n")
        out[n, count.get(n, 0)] = verdict
        count[n] = count.get(n, 0) + 1
    return out


def _in_order(was: list[Key], now: list[Key]) -> list[Key]:
    """All keys; what is new comes where it is played, after what is played before it now."""
    order = [*was]
    for i, key in enumerate(now):
        if key not in was:
            order.insert(order.index(now[i - 1]) + 1 if i else 0, key)
    return order


def _of_one(old: Verdict, new: Verdict) -> list[tuple[str, Any, Any]]:
    pairs = [(name, old.get(name), new.get(name)) for name in FIELDS]
    pairs.append(("fouls", _fouls(old), _fouls(new)))
    pairs.append(("next", _next(old), _next(new)))
    pairs.append(("undecided", _questions(old), _questions(new)))
    pairs.append(("assumed", list(old.get("assumed", ())), list(new.get("assumed", ()))))
    pairs.append(("announce", old.get("announce"), new.get("announce")))
    return [(name, a, b) for name, a, b in pairs if a != b]


def _short(verdict: Verdict) -> dict[str, Any]:
    """What is said of a whole verdict."""
    return {name: verdict.get(name) for name in ("legal", "penalty", "score", "announce")}


def _fouls(verdict: Verdict) -> list[dict[str, Any]]:
    return [{name: foul.get(name) for name in ("clause", "value", "what")} for foul in verdict.get("fouls") or ()]


def _questions(verdict: Verdict) -> list[dict[str, Any]]:
    """The questions of this verdict itself; those of earlier shots stand with theirs."""
    return [
        {name: each[name] for name in ("question", "clause", "ball") if each.get(name) is not None}
        for each in verdict.get("undecided") or ()
        if "n" not in each
    ]


def _next(verdict: Verdict) -> dict[str, Any]:
    following = verdict.get("next") or {}
    options = [option.get("id") for option in following.get("options") or ()]
    kept = {name: following.get(name) for name in ("player", "on", "cue_ball", "free_ball")}
    return {**kept, "options": options}
