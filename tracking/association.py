"""Which observation belongs to which track in one frame, by a global assignment over two ways to explain each pair.

A ball is where its motion predicts it, or it has met something since the last frame and may be anywhere within its
reach. What it looks like speaks for either; a path that leads through a ball that still lies there speaks against.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.assignment import linear_sum_assignment

Array = NDArray[np.float64]
Place = Sequence[float]
"""x, y in mm; numbers one by one take Python a tenth of the time that arrays of two take."""

GATE2 = 16.0
"""Squared Mahalanobis distance up to which a pair follows the prediction."""

KINK_COST = 5.0
IDENTITY_WEIGHT = 2.0
STRICT_LOOK = 2.0
IN_MOUTH, SHADED_LOOK = 2.0, 2.0
DOUBT_COST = 3.0
OVERLAP_GAIN = 4.0
"""Speaks for an undoubted sight that overlaps the place where a ball was last seen that nothing has driven off."""

SHARP_MM = 6.0
CLEAR_MOST = 4.0
THROUGH_COST = 8.0
NEVER = 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Tracks that look for an observation, n rows.

    predicted: (n, 2). spread: (n, 2, 2) of the prediction. anchor: (n, 2) where each was seen last, and reach: (n,)
    how far from there it may be if it met something. push: (n, 2) velocity of what may have hit it, 0 where it may
    have gone anywhere: a ball that lay still sets off to the side of the hit. strict: (n,) whose reach is a guess, so
    that only a ball of its look may be it. posterior: (n, k) log probabilities of its kinds. missing_cost: (n,) what
    it costs to leave it unseen. followed: (n,) which move and were seen in the picture before; known: (n,) which were
    seen in it at all.
    """

    predicted: Array
    spread: Array
    anchor: Array
    reach: Array
    push: Array
    strict: NDArray[np.bool_]
    posterior: Array
    missing_cost: Array
    followed: NDArray[np.bool_]
    known: NDArray[np.bool_]


def identity_cost(posterior: Array, identity_logp: Array) -> Array:
    """(n, m) cost of taking looks (m, k) for tracks with log probabilities (n, k): 0 for a perfect match."""
    look = np.maximum(identity_logp - identity_logp.max(axis=1, keepdims=True), -6.0)
    share = np.exp(look)
    share /= share.sum(axis=1, keepdims=True)
    cost: Array = -IDENTITY_WEIGHT * np.log(np.exp(posterior) @ share.T + 1e-3)
    return cost


def crosses(start: Place, end: Place, centre: Place, radius: float) -> bool:
    """Whether the way from ``start`` to ``end`` comes within ``radius`` of ``centre`` and goes on beyond it."""
    way_x, way_y = end[0] - start[0], end[1] - start[1]
    length = math.hypot(way_x, way_y)
    if length < 1e-9:
        return False
    x, y = centre[0] - start[0], centre[1] - start[1]
    return 0.0 < (x * way_x + y * way_y) / length < length and abs(way_x * y - way_y * x) / length < radius


def _meets(start: Place, end: Place, places: list[Place], diameter_mm: float) -> bool:
    """Whether a ball on its way from ``start`` to ``end`` touches one at any of the places but its own."""
    way_x, way_y = end[0] - start[0], end[1] - start[1]
    length = math.hypot(way_x, way_y)
    if length < 1e-9:
        return False
    beyond = end[0] + way_x / length * diameter_mm, end[1] + way_y / length * diameter_mm
    return any(
        math.dist(start, place) > diameter_mm / 2 and crosses(start, beyond, place, 0.95 * diameter_mm)
        for place in places
    )


def associate(
    tracks: Candidates,
    xy_mm: Array,
    cov_mm2: Array,
    identity_logp: Array,
    doubt: Array,
    solid: Array,
    stood: NDArray[np.bool_],
    obstacles: Array,
    left: Array,
    diameter_mm: float,
) -> list[tuple[int, int, bool]]:
    """Pairs (track row, observation row, kinked).

    obstacles: (b, 2) balls that lie still in this frame; left: (c, 2) places at which balls lay until this frame.

    xy_mm (m, 2), cov_mm2 (m, 2, 2), identity_logp (m, k) and doubt (m,), 0 to 1 that it is no ball and ``IN_MOUTH``
    or more in a pocket's mouth, are the observations'; solid: (m,) 1 to 0, the same turned round, and 0 in a mouth,
    where leather may look so. stood: (m,) which were seen in the picture before too, on the same place and as no ball
    that is known, so that no ball that was seen elsewhere then can be it.
    """
    n, m = len(tracks.predicted), len(xy_mm)
    if n == 0 or m == 0:
        return []
    offset = xy_mm[None] - tracks.predicted[:, None]
    spread = tracks.spread[:, None] + cov_mm2[None]
    det = spread[..., 0, 0] * spread[..., 1, 1] - spread[..., 0, 1] ** 2
    distance2 = (
        spread[..., 1, 1] * offset[..., 0] ** 2
        - 2 * spread[..., 0, 1] * offset[..., 0] * offset[..., 1]
        + spread[..., 0, 0] * offset[..., 1] ** 2
    ) / np.maximum(det, 1e-9)
    # A wide streak is near everything: it explains a place less well than a sharp look at it.
    vague = np.log(np.maximum(det, SHARP_MM**4) / SHARP_MM**4) / 2
    straight = np.where(distance2 < GATE2, distance2 / 2 + vague, NEVER)
    way = xy_mm - tracks.anchor[:, None]
    away = np.hypot(way[..., 0], way[..., 1])
    share = away / np.maximum(tracks.reach[:, None], 1e-9)
    against = np.einsum("nmi,ni->nm", way, tracks.push) < 0.0
    kinked = np.where((share <= 1.0) & ~(against & (away > diameter_mm / 3)), KINK_COST + 2.0 * share, NEVER)
    kinked = np.where(tracks.known[:, None] & stood[None, :] & (away > diameter_mm / 3), NEVER, kinked)
    look = identity_cost(tracks.posterior, identity_logp)
    # A ball that was there a moment ago is no less one for what is beside it: it rattles between a pocket's jaws.
    doubted = np.where(tracks.followed[:, None] & (away < diameter_mm), 0.0, doubt[None, :])
    # In a mouth's shade a ball that was followed there looks like anything.
    shaded = tracks.followed[:, None] & (away < diameter_mm) & (doubt >= IN_MOUTH)[None, :]
    look = np.where(shaded, np.minimum(look, SHADED_LOOK), look)
    kinked = np.where(tracks.strict[:, None] & (look > STRICT_LOOK), NEVER, kinked + DOUBT_COST * doubted)
    anchors, gone = tracks.anchor.tolist(), left.tolist()
    for i, predicted in enumerate(tracks.predicted.tolist()):
        # Nothing runs straight on where it would have met a ball that has just been driven from its place.
        if _meets(anchors[i], predicted, gone, diameter_mm):
            straight[i] = np.where(straight[i] < NEVER, straight[i] + THROUGH_COST, NEVER)
    cost = np.minimum(straight, kinked) + look
    if len(obstacles):
        centres, ends = obstacles.tolist(), xy_mm.tolist()
        for i, j in np.argwhere(cost < NEVER).tolist():
            over = sum(crosses(anchors[i], ends[j], centre, 0.75 * diameter_mm) for centre in centres)
            if over:
                cost[i, j] += over * THROUGH_COST
    # To leave a clear look at a ball unexplained costs more than to leave a doubtful one.
    ordered = np.sort(identity_logp, axis=1)
    clear = np.minimum(ordered[:, -1] - ordered[:, -2], CLEAR_MOST) if identity_logp.shape[1] > 1 else np.zeros(m)
    overlaps = (away < diameter_mm / 2) & (np.hypot(*tracks.push.T) == 0.0)[:, None]
    gain = clear * np.clip(1.0 - doubt, 0.0, 1.0) + OVERLAP_GAIN * overlaps * solid
    full = np.full((n, m + n), NEVER)
    full[:, :m] = np.where(cost < NEVER, cost - gain, NEVER)
    full[np.arange(n), m + np.arange(n)] = tracks.missing_cost
    rows, columns = linear_sum_assignment(full)
    return [
        (int(i), int(j), bool(straight[i, j] > kinked[i, j]))
        for i, j in zip(rows, columns, strict=True)
        if j < m and cost[i, j] < NEVER
    ]
