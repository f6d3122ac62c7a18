"""Whether the balls lie before a stroke as the last one left them; if not, a stroke in between was missed."""

import math
from collections.abc import Sequence

from referee.rules.facts import CUE
from referee.rules.state import State
from tracking.records import ShotRecord, Strike
from tracking.strict_json import Point

ELSEWHERE_MM = 60.0
"""A ball that lies farther than this from every place where one was left has been moved since."""


def stroke_missed(state: State, record: ShotRecord) -> bool:
    """Whether object balls lie elsewhere than they were left, several or together with the cue ball, or one of them is
    there no more and the cue ball lies elsewhere.

    Which ball is which doesn't matter. A single ball may have been moved by a hand. What isn't known to lie where it is
    said to lie, as in a match told by people and not seen by a camera, is nobody's stroke.
    """
    if not state.settings.measured_mm or state.strokes == 0 or not state.positions or record.before is None:
        return False
    if not any(isinstance(event, Strike) for event in record.events):
        return False
    left = [place for ball, place in state.positions.items() if ball != CUE]
    lying = [place for ball, place in record.before.items() if ball != CUE]
    moved = min(len(lying), len(left)) - _unmoved(lying, left)
    gone = len(left) - len(lying) - len(set(record.unplaced) - {CUE})
    return moved > 1 or ((moved == 1 or gone > 0) and _cue_ball_moved(state, record))


def _unmoved(places: Sequence[Point], others: Sequence[Point]) -> int:
    """How many of these places are those of others, each of one; the nearest go together first."""
    near = ((math.dist(a, b), i, j) for i, a in enumerate(places) for j, b in enumerate(others))
    taken: set[int] = set()
    found: set[int] = set()
    for _, i, j in sorted(pair for pair in near if pair[0] <= ELSEWHERE_MM):
        if i not in found and j not in taken:
            found.add(i)
            taken.add(j)
    return len(found)


def _cue_ball_moved(state: State, record: ShotRecord) -> bool:
    """Whether the cue ball lies elsewhere than it was left though it wasn't in hand."""
    was, now = state.positions.get(CUE), (record.before or {}).get(CUE)
    return not state.in_hand and was is not None and now is not None and math.dist(was, now) > ELSEWHERE_MM
