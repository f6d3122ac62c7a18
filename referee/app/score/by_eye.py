"""Figures against events that a person read off a clip frame by frame (``*.events.json``).

Such a file has ``shots`` with ``strike_frame``, ``first_contact``, ``pots`` and so on, frames counted from 0 in
decoding order. A strike is right within 3 frames; the ball hit first and each pot (ball and pocket)
in the shot struck there.
"""

from collections import Counter
from typing import Any

import numpy as np

from referee.app.names import same_ball
from referee.app.score.analysis import Analysis
from referee.app.score.events import first_contact, pots, strike_time
from referee.app.score.matching import nearest_pairs

STRIKE_FRAMES = 3
SAME_SHOT_S = 1.0


def is_by_eye(truth: dict[str, Any]) -> bool:
    """Whether a truth file is one of events read by eye."""
    shots = truth.get("shots")
    return isinstance(shots, list) and any("strike_frame" in shot for shot in shots)


def _right_pots(said: list[tuple[str, str]], true: list[tuple[str, str]]) -> int:
    """How many true pots have a said pot of the same ball in the same pocket, each used once."""
    cost = np.array([[0.0 if p == q and same_ball(a, b) else np.inf for b, q in true] for a, p in said])
    return len(nearest_pairs(cost.reshape(len(said), len(true)), 0.5))


def by_eye_figures(analysis: Analysis, truth: dict[str, Any]) -> dict[str, Any]:
    """Counts over the shots of one clip, and what is not right in words."""
    shots, true = analysis.shots or [], truth["shots"]
    fps = float(truth.get("fps", 30))
    frame_of = analysis.tracks.frame_of if analysis.tracks is not None else lambda t_s: t_s * fps
    struck = [(shot, strike_time(shot)) for shot in shots]
    played = [(shot, frame_of(t)) for shot, t in struck if t is not None]
    cost = np.array([[abs(frame - shot["strike_frame"]) for shot in true] for _, frame in played])
    pairs = {j: i for i, j in nearest_pairs(cost.reshape(len(played), len(true)), SAME_SHOT_S * fps)}
    counts: Counter[str] = Counter()
    remarks = []
    for j, shot in enumerate(true):
        counts["shots"] += 1
        true_pots = [(pot["ball"], pot["pocket"]) for pot in shot["pots"]]
        counts["pots"] += len(true_pots)
        if j not in pairs:
            remarks.append(f"shot {j + 1}: not found")
            continue
        mine, frame = played[pairs[j]]
        late = frame - shot["strike_frame"]
        if abs(late) <= STRIKE_FRAMES:
            counts["strike_right"] += 1
        else:
            remarks.append(f"shot {j + 1}: strike {late:+.1f} frames")
        said, meant = first_contact(mine), (shot.get("first_contact") or {}).get("ball")
        if (said is None and meant is None) or (said is not None and meant is not None and same_ball(said, meant)):
            counts["first_contact_right"] += 1
        else:
            remarks.append(f"shot {j + 1}: hit {said} first, by eye {meant}")
        said_pots = pots([mine])
        right = _right_pots(said_pots, true_pots)
        counts["pots_right"] += right
        counts["pots_invented"] += len(said_pots) - right
        if right < len(true_pots) or len(said_pots) > right:
            remarks.append(f"shot {j + 1}: potted {said_pots}, by eye {true_pots}")
    counts["invented"] = len(played) - len(pairs)
    if counts["invented"]:
        others = sorted(set(range(len(played))) - set(pairs.values()))
        remarks.append(f"invented shots at frames {[round(played[i][1]) for i in others]}")
    names = ("shots", "strike_right", "first_contact_right", "pots", "pots_right", "pots_invented", "invented")
    return {**{name: counts[name] for name in names}, "remarks": remarks}
