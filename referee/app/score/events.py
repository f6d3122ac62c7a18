"""Figures of what happened: events by kind, first contacts, and the one pot of a clip."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from referee.app.names import kind, same_ball
from referee.app.score.matching import nearest_pairs, rates, spread

Event = dict[str, Any]
Shot = dict[str, Any]
WINDOW_S = 0.05
SHOT_WINDOW_S = 0.5
CLAIMED = 0.5
"""An event of less confidence than this is not claimed."""


def claimed_events(shots: Iterable[Shot]) -> list[Event]:
    """The events of shot records that are claimed, in order."""
    return [e for shot in shots for e in shot.get("events", ()) if e.get("confidence", 1.0) >= CLAIMED]


def _balls(event: Event, names: dict[str, str]) -> list[str]:
    balls = event["balls"] if "balls" in event else [event["ball"]] if "ball" in event else []
    return [names.get(ball, ball) for ball in balls]


def _same_balls(found: Event, true: Event, names: dict[str, str]) -> bool:
    """Whether both are about the same balls; a ball whose track the truth names must be that very ball."""

    def same(said: str, ball: str) -> bool:
        return said == ball if said in names.values() else same_ball(said, ball)

    a, b = _balls(found, names), _balls(true, {})
    if len(a) != len(b):
        return False
    if len(a) == 2:
        return (same(a[0], b[0]) and same(a[1], b[1])) or (same(a[0], b[1]) and same(a[1], b[0]))
    return all(same(x, y) for x, y in zip(a, b, strict=True))


def _matched(
    found: Sequence[Event], true: Sequence[Event], names: dict[str, str], keyed: bool
) -> list[tuple[int, int]]:
    cost = np.full((len(found), len(true)), np.inf)
    for i, said in enumerate(found):
        for j, event in enumerate(true):
            right = _same_balls(said, event, names) and all(
                said.get(key) == event.get(key) for key in ("cushion", "pocket", "line")
            )
            if not keyed or right:
                # Where times allow several, the event about the same balls is the one that is meant.
                cost[i, j] = abs(said["t"] - event["t"]) + (0.0 if right else 1e-3)
    return nearest_pairs(cost, WINDOW_S + 2e-3)


def event_figures(found: Sequence[Event], true: Sequence[Event], names: dict[str, str]) -> dict[str, Any]:
    """For each kind: precision, recall and F1 within 50 ms, timing error in ms, and ``exact``: the same also by what
    it is about, the pair of a contact, ball and pocket of a pot, ball and cushion.

    names: the true name of each track, where known.
    """
    figures: dict[str, Any] = {}
    for name, said, meant in _by_kind(found, true):
        pairs = _matched(said, meant, names, keyed=False)
        errors_ms = [1000 * abs(said[i]["t"] - meant[j]["t"]) for i, j in pairs]
        figures[name] = rates(len(pairs), len(said) - len(pairs), len(meant) - len(pairs))
        figures[name]["timing"] = spread(errors_ms, "ms")
        if name != "rest":
            exact = len(_matched(said, meant, names, keyed=True))
            figures[name]["exact"] = rates(exact, len(said) - exact, len(meant) - exact)
    return figures


def _by_kind(found: Sequence[Event], true: Sequence[Event]) -> Iterator[tuple[str, list[Event], list[Event]]]:
    for name in sorted({event["kind"] for event in (*found, *true)}):
        yield name, [e for e in found if e["kind"] == name], [e for e in true if e["kind"] == name]


def timing_errors_ms(found: Sequence[Event], true: Sequence[Event], names: dict[str, str]) -> dict[str, list[float]]:
    """For each kind how late (positive) the events of the matched pairs are said to be."""
    return {
        name: [1000 * (said[i]["t"] - meant[j]["t"]) for i, j in _matched(said, meant, names, keyed=False)]
        for name, said, meant in _by_kind(found, true)
    }


def strike_time(shot: Shot) -> float | None:
    """When the shot was struck, None for an incident."""
    return next((float(event["t"]) for event in shot.get("events", ()) if event["kind"] == "strike"), None)


def paired_shots(found: Sequence[Shot], true: Sequence[Shot], window_s: float = SHOT_WINDOW_S) -> list[tuple[int, int]]:
    """Indices of shots struck at the same time, to within the window."""
    said, meant = [strike_time(shot) for shot in found], [strike_time(shot) for shot in true]
    cost = np.array([[np.inf if a is None or b is None else abs(a - b) for b in meant] for a in said])
    return nearest_pairs(cost.reshape(len(said), len(meant)), window_s)


def paired_incidents(
    found: Sequence[Shot], true: Sequence[Shot], window_s: float = SHOT_WINDOW_S
) -> list[tuple[int, int]]:
    """Indices of records without a stroke that begin at the same time, to within the window."""
    said, meant = (
        [None if strike_time(shot) is not None else shot.get("t0") for shot in shots] for shots in (found, true)
    )
    cost = np.array([[np.inf if a is None or b is None else abs(a - b) for b in meant] for a in said])
    return nearest_pairs(cost.reshape(len(said), len(meant)), window_s)


def first_contact(shot: Shot) -> str | None:
    """The ball that the cue ball touched first, None where it touched none."""
    for event in claimed_events([shot]):
        if event["kind"] == "contact" and "cue" in event["balls"]:
            return next(str(ball) for ball in event["balls"] if ball != "cue")
    return None


def first_contact_figures(found: Sequence[Shot], true: Sequence[Shot], names: dict[str, str]) -> dict[str, Any]:
    """Shots in which the ball hit first, or that none was hit, is right; and shots missed and invented."""
    pairs = paired_shots(found, true)
    struck = sum(strike_time(shot) is not None for shot in true)
    right = 0
    for i, j in pairs:
        said, meant = first_contact(found[i]), first_contact(true[j])
        if said is None or meant is None:
            right += said is meant
        else:
            right += _same_balls({"ball": said}, {"ball": meant}, names)
    return {
        "shots": struck,
        "missed": struck - len(pairs),
        "invented": sum(strike_time(shot) is not None for shot in found) - len(pairs),
        "right": right,
        "wrong": len(pairs) - right,
    }


def pots(shots: Iterable[Shot]) -> list[tuple[str, str]]:
    """Kind of ball and pocket of each object ball that is said to have fallen."""
    return [
        (kind(event["ball"]), event["pocket"])
        for event in claimed_events(shots)
        if event["kind"] == "pocket" and event["ball"] != "cue"
    ]


def pot_figures(shots: Sequence[Shot], pot: dict[str, Any] | None) -> dict[str, Any]:
    """Whether pot or no pot is right, and where there is one, its ball and its pocket; other balls may not fall."""
    said = pots(shots)
    figures: dict[str, Any] = {"true": pot, "found": [list(one) for one in said], "right": bool(said) == bool(pot)}
    if pot is not None:
        figures["ball_right"] = Counter(ball for ball, _ in said) == Counter([kind(pot["ball"])])
        figures["ball_and_pocket_right"] = said == [(kind(pot["ball"]), pot["pocket"])]
    return figures
