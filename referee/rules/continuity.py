"""Whether the balls lie before a stroke as the last one left them.

If not, a stroke in between was missed, or a ball that is still there isn't seen.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence

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


def unseen_balls(state: State, record: ShotRecord, alike: Callable[[str], Hashable]) -> tuple[str, ...]:
    """Balls that were left on the table and that a camera doesn't tell any more: a set of balls is conserved.

    As many of each sort as there are too few of, where all sorts together are too few: balls of one sort may have
    changed names. What may have been no ball in the stroke before isn't missed.
    """
    if not state.settings.measured_mm or state.strokes == 0 or record.present is None:
        return ()
    doubtful = () if state.record is None else state.record.doubtful
    nothing = {ball for reading in doubtful for ball, new in reading.items() if new is None}
    left, there = state.balls - nothing - {CUE}, record.present - {CUE}
    fewer = Counter(map(alike, left)) - Counter(map(alike, there))
    more = Counter(map(alike, there)) - Counter(map(alike, left))
    if fewer.total() <= more.total():
        return ()
    found: list[str] = []
    for ball in sorted(left - there):
        if fewer[alike(ball)] > 0:
            fewer[alike(ball)] -= 1
            found.append(ball)
    return tuple(found)


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
