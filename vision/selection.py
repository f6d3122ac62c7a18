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
RIVAL_RATIO, RIVAL_POWER = 0.8, 0.2
"""Of two outlines in one place, about as good, the one whose disc differs less from the cloth is worth less by so
much of the ratio: the dark underside of a bright ball makes a round thing with its shadow."""
SECTOR = 5
LEAST_EDGE = 0.2
BAND_WORTH = 0.6
BARE_COST = 1.5
COVERED, BESIDE = (1.0, 0.92), (1.35, 1.25)
"""A point of an outline at so many radii is covered by a circle of so many of another's, or has it beside it."""

_SIDE = np.arange(-0.8, 0.81, 0.1)
_GRID = np.stack(np.meshgrid(_SIDE, _SIDE), axis=-1).reshape(-1, 2)
_GRID = _GRID[np.hypot(_GRID[:, 0], _GRID[:, 1]) < 0.85]

Directions = NDArray[np.bool_]
"""(ANGLES,) flags of the directions from a centre."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """index: (m,) chosen outlines, best first. score: (m,) 0 to 1. visible: (m,) share of the outline in the open."""

    index: NDArray[np.intp]
    score: Array
    visible: Array


class _Neighbours:
    """Which of n outlines stand near each other, and what they hide of one another."""

    def __init__(self, outlines: Outlines, nearness: Array) -> None:
        """nearness: (n,) greater for balls nearer to the camera: only these can hide others."""
        centre, radius = outlines.centre, outlines.radius
        offset = centre[None] - centre[:, None]
        self.gaps = np.hypot(offset[..., 0], offset[..., 1])
        self._radius: list[float] = radius.tolist()
        self._nearness: list[float] = nearness.tolist()
        self._covered = self._within(outlines, COVERED)
        self._beside = self._within(outlines, BESIDE)
        touching = (self.gaps < radius + radius[:, None]) & (nearness < nearness[:, None])
        np.fill_diagonal(touching, val=False)
        self._farther = [np.flatnonzero(row).tolist() for row in touching]

    def _within(self, outlines: Outlines, sizes: tuple[float, float]) -> list[dict[int, Directions]]:
        """Of each outline, and each other one that is near, which points of a circle about it lie in the other's."""
        centre, own, reach = outlines.centre, sizes[0] * outlines.radius, sizes[1] * outlines.radius
        near = self.gaps < own[:, None] + reach
        np.fill_diagonal(near, val=False)
        mine, others = np.nonzero(near)
        away = (centre[:, None] + own[:, None, None] * DIRECTIONS)[mine] - centre[others, None]
        inside = np.hypot(away[..., 0], away[..., 1]) < reach[others, None]
        result: list[dict[int, Directions]] = [{} for _ in own]
        for i, j, flags in zip(mine.tolist(), others.tolist(), inside, strict=True):
            result[i][j] = flags
        return result

    def covered(self, i: int, others: list[int]) -> list[Directions]:
        """For each of the others that may hide a part of outline i, which points of it."""
        near = self._covered[i]
        return [near[j] for j in others if j in near and self._nearness[j] > self._nearness[i]] if near else []

    def beside(self, i: int, others: list[int]) -> list[Directions]:
        """For each of the others that is near, in which directions it is so near that no cloth is seen between."""
        near = self._beside[i]
        return [near[j] for j in others if j in near] if near else []

    def contradicts(self, i: int, others: list[int], support: Array) -> bool:
        """Whether outline i would hide a part of a farther one whose outline is plainly seen there."""
        for j in self._farther[i]:
            if j in others and i in self._covered[j]:
                hidden = self._covered[j][i]
                if np.count_nonzero(hidden) >= 5 and support[j][hidden].mean() > 0.5:
                    return True
        return False


def _scores(support: Array, free: Directions, bare: Directions) -> Array:
    """(n,) of outlines that nothing covers. An outline with neither cloth nor a ball beyond it belongs to something
    larger; where cloth is inside it is none."""
    score: Array = (support * np.where(free, 1.0, UNFREE_WORTH)).mean(axis=1) - BARE_COST * bare.mean(axis=1)
    faint = support < LEAST_EDGE
    score[_are_bands(faint)] *= BAND_WORTH
    return np.maximum(0.0, score)


def _are_bands(faint: Directions) -> NDArray[np.bool_]:
    """(...,) whether an outline (..., ANGLES) is faint on two opposite sides: so look fingers, cues and edges."""
    wide = np.concatenate([faint, faint[..., : SECTOR - 1]], axis=-1)
    dead = wide[..., :ANGLES]
    for k in range(1, SECTOR):
        dead = dead & wide[..., k : k + ANGLES]
    return np.asarray((dead[..., : ANGLES // 2] & dead[..., ANGLES // 2 :]).any(axis=-1))


def _rated(
    support: Array, free: Directions, bare: Directions, covered: list[Directions], beside: list[Directions]
) -> tuple[float, float]:
    """Score 0 to 1 of one outline given what others cover of it or have beside it, and the share left visible."""
    seen = np.ones(ANGLES, dtype=bool)
    for flags in covered:
        seen &= ~flags
    visible = np.count_nonzero(seen) / ANGLES
    if visible < LEAST_VISIBLE:
        return 0.0, visible
    expected = seen
    for flags in beside:
        free = free | flags
        expected = expected & ~flags
    worth = support * np.where(free, 1.0, UNFREE_WORTH)
    score = float(worth[seen].mean()) - BARE_COST * (np.count_nonzero(bare & seen) / ANGLES)
    if _are_bands((support < LEAST_EDGE) & expected):
        score *= BAND_WORTH
    return max(0.0, score) * min(1.0, visible / 0.6) ** 0.5, visible


def _without_shadows(outlines: Outlines, gaps: Array, merit: Array, shade: Mask) -> NDArray[np.bool_]:
    """(n,) which outlines are no shadow of a ball of about their merit: what a shadow has beside it is shaded cloth.

    A black ball mirrors the cloth and looks shaded, too, beside its shadow: the one that does so less is the ball.
    """
    left = np.ones(len(outlines), dtype=bool)
    near = (gaps < CASTER_REACH * outlines.radius[:, None]) & (gaps > 0)
    near &= (merit > SHADOW_RATIO * merit[:, None]) & (merit > 0)[:, None]
    for mine in np.flatnonzero(near.any(axis=1)).tolist():
        casters = np.flatnonzero(near[mine] & left)
        shares = _shaded_beside(outlines, mine, casters, shade)
        for caster, share in zip(casters[shares > 0.5].tolist(), shares[shares > 0.5].tolist(), strict=True):
            if share >= _shaded_beside(outlines, caster, np.array([mine]), shade)[0]:
                left[mine] = False
                break
    return left


def _shaded_beside(outlines: Outlines, mine: int, others: NDArray[np.intp], shade: Mask) -> Array:
    """(n,) how much of an outline's disc beside each of the others is shaded cloth; 0 where hardly any is beside it."""
    rows, columns = shade.shape
    points = outlines.centre[mine] + outlines.radius[mine] * _GRID
    away = points - outlines.centre[others, None]
    away *= away
    beside = np.sqrt(away[..., 0] + away[..., 1]) > 1.05 * outlines.radius[others, None]
    u, v = np.minimum(np.maximum(np.round(points).astype(int), 0), (columns - 1, rows - 1)).T
    count, shaded = np.count_nonzero(beside, axis=1), np.count_nonzero(beside & shade[v, u], axis=1)
    return np.where(count >= LEAST_BESIDE, shaded / np.maximum(count, 1), 0.0)


def select(
    outlines: Outlines, xy_mm: Array, bounded: Mask, nearness: Array, shade: Mask, diameter_mm: float
) -> Selection:
    """Choose balls greedily by score; each choice explains directions and hides outlines of the ones behind it.

    xy_mm: (n, 2). bounded: (n, ANGLES) directions in which the cloth ends near by, so that none is expected outside.
    nearness: (n,) greater for balls nearer to the camera. shade: (h, w) pixels with the colour of shaded cloth.
    """
    low, high = SIZE_RANGE
    possible = np.flatnonzero(
        (outlines.fill > LEAST_FILL)
        & (outlines.core > LEAST_CORE)
        & (outlines.size > low)
        & (outlines.size < high)
        & (outlines.support.mean(axis=1) > 0.25)
    )
    outlines, xy_mm, nearness = outlines.take(possible), xy_mm[possible], nearness[possible]
    support, bare, free = outlines.support, outlines.bare, outlines.open | bounded[possible]
    alone = _scores(support, free, bare)
    neighbours = _Neighbours(outlines, nearness)
    merit = alone * outlines.fill
    left = _without_shadows(outlines, neighbours.gaps, merit, shade)
    fill: list[float] = outlines.fill.tolist()
    # soft edges of little contrast, as of a green ball on green cloth, are left to the later tests
    gate: list[float] = np.interp(outlines.contrast, FAINT, LEAST_SUPPORT).tolist()
    offset = xy_mm[None] - xy_mm[:, None]
    offset *= offset
    close = np.sqrt(offset[..., 0] + offset[..., 1]) < LEAST_GAP * diameter_mm

    def rated(i: int, others: list[int]) -> tuple[float, float]:
        covered, beside = neighbours.covered(i, others), neighbours.beside(i, others)
        if not covered and not beside:
            return float(alone[i]), 1.0
        return _rated(support[i], free[i], bare[i], covered, beside)

    rivals = close & (merit > RIVAL_RATIO * merit[:, None])
    strongest = np.where(rivals, outlines.contrast, 0.0).max(axis=1, initial=0.0)
    ranked = merit * np.minimum(outlines.contrast / np.maximum(strongest, 1.0), 1.0) ** RIVAL_POWER
    chosen: list[int] = []
    waiting = [i for i in np.argsort(-ranked).tolist() if left[i]]
    for _ in range(2):
        rest = []
        for i in waiting:
            if close[i, chosen].any() or neighbours.contradicts(i, chosen, support):
                continue
            if rated(i, chosen)[0] * fill[i] > gate[i]:
                chosen.append(i)
            else:
                rest.append(i)
        waiting = rest
    ratings = [rated(i, [j for j in chosen if j != i]) for i in chosen]
    return Selection(
        index=possible[chosen],
        score=np.array([score for score, _ in ratings]),
        visible=np.array([visible for _, visible in ratings]),
    )
