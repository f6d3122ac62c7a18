"""Which outlines are balls: explains the foreground by discs that keep a ball's distance from each other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array, Mask
from vision.outline import ANGLES, DIRECTIONS, Outlines

LEAST_FILL = 0.75
LEAST_CORE = 0.4
LEAST_SUPPORT = (0.36, 0.43)
FAINT = (20.0, 40.0)
LEAST_VISIBLE = 0.3
UNFREE_WORTH = 0.25
LEAST_GAP = 0.80
SIZE_RANGE = (0.84, 1.18)
LEAST_BESIDE = 12
CASTER_REACH = 1.5
SHADOW_RATIO = 0.8
SECTOR = 5
LEAST_EDGE = 0.2
BAND_WORTH = 0.6
_SIDE = np.arange(-0.8, 0.81, 0.1)
_GRID = np.stack(np.meshgrid(_SIDE, _SIDE), axis=-1).reshape(-1, 2)
_GRID = _GRID[np.hypot(_GRID[:, 0], _GRID[:, 1]) < 0.85]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """index: (m,) chosen outlines, best first. score: (m,) 0 to 1. visible: (m,) share of the outline in the open."""

    index: NDArray[np.intp]
    score: Array
    visible: Array


def _covered(centre: Array, radius: float, others: Array, other_radii: Array) -> NDArray[np.bool_]:
    """(ANGLES,) which points of a circle's outline lie inside other circles."""
    return _within(centre, radius, others, 0.92 * other_radii)


def _beside(centre: Array, radius: float, others: Array, other_radii: Array) -> NDArray[np.bool_]:
    """(ANGLES,) in which directions another circle stands so near that no cloth is seen between."""
    return _within(centre, 1.35 * radius, others, 1.25 * other_radii)


def _within(centre: Array, radius: float, others: Array, reach: Array) -> NDArray[np.bool_]:
    """(ANGLES,) which points of a circle lie within so much of one of the others."""
    near = np.flatnonzero(np.hypot(*(others - centre).T) < radius + reach)
    if len(near) == 0:
        return np.zeros(ANGLES, dtype=bool)
    away = (centre + radius * DIRECTIONS)[:, None] - others[near]
    return np.asarray((np.hypot(away[..., 0], away[..., 1]) < reach[near]).any(axis=1))


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
    if _is_band(support, seen & ~beside):
        score *= BAND_WORTH
    return max(0.0, score) * min(1.0, visible / 0.6) ** 0.5, visible


def _is_band(support: Array, expected: NDArray[np.bool_]) -> bool:
    """Whether the outline is missing on two opposite sides where it is expected: so look fingers, cues and edges."""
    faint = ((support < LEAST_EDGE) & expected).astype(np.int8)
    wide = np.concatenate([faint, faint[: SECTOR - 1]])
    dead = np.convolve(wide, np.ones(SECTOR, np.int8), mode="valid") == SECTOR
    return bool((dead & np.roll(dead, ANGLES // 2)).any())


def _only_shade(outlines: Outlines, i: int, j: int, shade: Mask) -> bool:
    """Whether what outline i has beside ball j is shaded cloth: then i is j's shadow."""
    centre, radius = outlines.centre[i], outlines.radius[i]
    gap = outlines.centre[j] - centre
    if not 0 < np.hypot(*gap) < CASTER_REACH * radius:
        return False
    points = centre + radius * _GRID
    beside = np.linalg.norm(points - outlines.centre[j], axis=1) > 1.05 * outlines.radius[j]
    rows, columns = shade.shape
    u = np.clip(np.round(points[beside, 0]).astype(int), 0, columns - 1)
    v = np.clip(np.round(points[beside, 1]).astype(int), 0, rows - 1)
    return bool(len(u) >= LEAST_BESIDE and shade[v, u].mean() > 0.5)


def _contradicts(outlines: Outlines, i: int, others: NDArray[np.intp], nearness: Array) -> bool:
    """Whether outline i would hide a part of a farther ball whose outline is plainly seen there."""
    farther = others[nearness[others] < nearness[i]]
    gaps = np.hypot(*(outlines.centre[farther] - outlines.centre[i]).T)
    for j in farther[gaps < outlines.radius[farther] + outlines.radius[i]]:
        hidden = _covered(outlines.centre[j], float(outlines.radius[j]), outlines.centre[[i]], outlines.radius[[i]])
        if hidden.sum() >= 5 and outlines.support[j][hidden].mean() > 0.5:
            return True
    return False


def select(
    outlines: Outlines, xy_mm: Array, bounded: Mask, nearness: Array, shade: Mask, diameter_mm: float
) -> Selection:
    """Choose balls greedily by score; each choice explains directions and hides outlines of the ones behind it.

    xy_mm: (n, 2). bounded, nearness: see `rate`. shade: (h, w) pixels with the colour of shaded cloth.
    """
    low, high = SIZE_RANGE
    possible = (
        (outlines.fill > LEAST_FILL)
        & (outlines.core > LEAST_CORE)
        & (outlines.size > low)
        & (outlines.size < high)
        & (outlines.support.mean(axis=1) > 0.25)
    )
    alone, nobody = np.zeros(len(outlines)), np.empty(0, np.intp)
    for mine in np.flatnonzero(possible):
        alone[mine] = rate(outlines, int(mine), nobody, bounded[mine], nearness)[0]
    merit = alone * outlines.fill
    for mine in np.flatnonzero(possible & (merit > 0)):
        near = np.hypot(*(outlines.centre - outlines.centre[mine]).T) < CASTER_REACH * outlines.radius[mine]
        for other in np.flatnonzero(near & possible & (merit > SHADOW_RATIO * merit[mine])):
            if mine != other and _only_shade(outlines, int(mine), int(other), shade):
                possible[mine] = False
                break
    order = [int(i) for i in np.argsort(-merit) if possible[i]]
    # soft edges of little contrast, as of a green ball on green cloth, are left to the later tests
    gate = np.interp(outlines.contrast, FAINT, LEAST_SUPPORT)
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
            if _contradicts(outlines, i, others, nearness):
                continue
            if score * outlines.fill[i] > gate[i]:
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
