"""Which outlines are balls: explains the foreground by discs that keep a ball's distance from each other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array
from vision.outline import ANGLES, DIRECTIONS, Outlines

LEAST_FILL = 0.75
LEAST_SUPPORT = 0.48
LEAST_VISIBLE = 0.3
UNFREE_WORTH = 0.25
LEAST_GAP = 0.80
SIZE_RANGE = (0.84, 1.18)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """index: (m,) chosen outlines, best first. score: (m,) 0 to 1. visible: (m,) share of the outline in the open."""

    index: NDArray[np.intp]
    score: Array
    visible: Array


def _covered(centre: Array, radius: float, others: Array, other_radii: Array) -> NDArray[np.bool_]:
    """(ANGLES,) which points of a circle's outline lie inside other circles."""
    points = centre + radius * DIRECTIONS
    gap = np.linalg.norm(points[:, None] - others[None], axis=2)
    return np.asarray((gap < 0.92 * other_radii).any(axis=1))


def _beside(centre: Array, radius: float, others: Array, other_radii: Array) -> NDArray[np.bool_]:
    """(ANGLES,) in which directions another circle stands so near that no cloth is seen between."""
    points = centre + 1.35 * radius * DIRECTIONS
    gap = np.linalg.norm(points[:, None] - others[None], axis=2)
    return np.asarray((gap < 1.25 * other_radii).any(axis=1))


def rate(
    outlines: Outlines, i: int, others: NDArray[np.intp], bounded: NDArray[np.bool_], nearness: Array
) -> tuple[float, float]:
    """Score 0 to 1 of outline i given the balls already chosen, and the share of it that they leave visible.

    bounded: (ANGLES,) directions in which the cloth ends near by, so that no cloth can be expected outside.
    nearness: (n,) of all outlines, greater for balls nearer to the camera: only these can hide others.
    """
    centre, radius = outlines.centre[i], float(outlines.radius[i])
    support, outside = outlines.support[i], outlines.open[i]
    if len(others):
        their_radii = outlines.radius[others]
        nearer = others[nearness[others] > nearness[i]]
        covered = _covered(centre, radius, outlines.centre[nearer], outlines.radius[nearer])
        beside = _beside(centre, radius, outlines.centre[others], their_radii)
    else:
        covered = beside = np.zeros(ANGLES, dtype=bool)
    seen = ~covered
    visible = float(seen.mean())
    if visible < LEAST_VISIBLE:
        return 0.0, visible
    # an outline with neither cloth nor a ball beyond it belongs to something larger
    free = outside | beside | bounded
    worth = support * np.where(free, 1.0, UNFREE_WORTH)
    bare = outlines.bare[i] & seen
    score = float(worth[seen].mean()) - 1.5 * float(bare.mean())
    return max(0.0, score) * min(1.0, visible / 0.6) ** 0.5, visible


def select(
    outlines: Outlines, xy_mm: Array, bounded: NDArray[np.bool_], nearness: Array, diameter_mm: float
) -> Selection:
    """Choose balls greedily by score; each choice explains directions and hides outlines of the ones behind it."""
    low, high = SIZE_RANGE
    possible = (
        (outlines.fill > LEAST_FILL)
        & (outlines.size > low)
        & (outlines.size < high)
        & (outlines.support.mean(axis=1) > 0.25)
    )
    alone = np.array([rate(outlines, i, np.empty(0, np.intp), bounded[i], nearness)[0] for i in range(len(outlines))])
    order = [int(i) for i in np.argsort(-(alone * outlines.fill)) if possible[i]]
    chosen: list[int] = []
    scores: dict[int, tuple[float, float]] = {}
    waiting = order
    for _ in range(2):
        rest = []
        for i in waiting:
            others = np.array(chosen, dtype=np.intp)
            if len(others) and np.linalg.norm(xy_mm[others] - xy_mm[i], axis=1).min() < LEAST_GAP * diameter_mm:
                continue
            score, visible = rate(outlines, i, others, bounded[i], nearness)
            if score * outlines.fill[i] > LEAST_SUPPORT:
                chosen.append(i)
                scores[i] = (score, visible)
            else:
                rest.append(i)
        waiting = rest
    for i in chosen:
        scores[i] = rate(outlines, i, np.array([j for j in chosen if j != i], dtype=np.intp), bounded[i], nearness)
    return Selection(
        index=np.array(chosen, dtype=np.intp),
        score=np.array([scores[i][0] for i in chosen]),
        visible=np.array([scores[i][1] for i in chosen]),
    )
