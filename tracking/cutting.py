"""Cuts the samples of one ball into rests and smooth runs, at the least cost over all ways to cut them.

Dynamic programming (Bellman 1961); the penalty a piece is that of Schwarz's criterion, raised for errors that aren't
Gaussian. What was found for the first samples holds when more are added, so cutting a growing path again is cheap.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Cut = tuple[int, int, str]
"""Samples [start, end) and what they are: ``run``, ``rest`` or ``outlier``."""

ACCELERATION_PRIOR = 1200.0
"""1 sigma of a piece's acceleration, mm/s²: rolling takes 100, sliding up to 2000 for a short while."""

REST_PENALTY, RUN_PENALTY, OUTLIER_PENALTY = 14.0, 24.0, 14.0
LONGEST = 90
LEAST_REST = 4
HOLE_S = 0.2
START_VARIANCE = 1e9
"""Of a piece's velocity on each axis, mm²/s²: as good as unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts:
    """The best way to cut the samples t_s (n,), xy_mm (n, 2) with weight (n, 2, 2).

    best: (n + 1,) the cost of the first so many samples; back: where the last piece of these begins, and what it is.
    """

    t_s: Array
    xy_mm: Array
    weight: Array
    best: Array
    back: list[tuple[int, str]]

    @property
    def cuts(self) -> list[Cut]:
        """In order of time."""
        found = []
        end = len(self.t_s)
        while end > 0:
            start, name = self.back[end]
            found.append((start, end, name))
            end = start
        return found[::-1]


def best_cuts(t_s: Array, xy_mm: Array, weight: Array, *, known: Cuts | None = None) -> Cuts:
    """The best cuts; ``known``: those found before for samples of which some first ones are the same."""
    n = len(t_s)
    done = _same(known, t_s, xy_mm, weight) if known is not None else 0
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    back: list[tuple[int, str]] = [(0, "")] * (n + 1)
    if known is not None:
        best[: done + 1], back[: done + 1] = known.best[: done + 1], known.back[: done + 1]
    ends = np.arange(done + 1, n + 1)
    lows = np.maximum(ends - LONGEST, 0)
    counts = ends - lows
    until = np.cumsum(counts)
    end = np.repeat(ends, counts)
    start = np.arange(len(end)) - np.repeat(until - counts, counts) + np.repeat(lows, counts)
    # From the path's own start, or hours into a video the powers of time leave no digit of a short piece.
    run_cost, rest_cost = _costs(t_s - t_s[0], xy_mm - xy_mm[0], weight, start, end)
    run_cost += RUN_PENALTY
    rest_cost += REST_PENALTY
    for at, low, first, last in zip(
        ends.tolist(), lows.tolist(), (until - counts).tolist(), until.tolist(), strict=True
    ):
        for costs, name in ((run_cost, "run"), (rest_cost, "rest")):
            cost = best[low:at] + costs[first:last]
            i = int(cost.argmin())
            if cost[i] < best[at]:
                best[at], back[at] = cost[i], (low + i, name)
        if best[at - 1] + OUTLIER_PENALTY < best[at]:
            best[at], back[at] = best[at - 1] + OUTLIER_PENALTY, (at - 1, "outlier")
    return Cuts(t_s=t_s, xy_mm=xy_mm, weight=weight, best=best, back=back)


def _same(known: Cuts, t_s: Array, xy_mm: Array, weight: Array) -> int:
    """How many of the first samples are those of ``known``."""
    n = min(len(known.t_s), len(t_s))
    same = (known.t_s[:n] == t_s[:n]) & (known.xy_mm[:n] == xy_mm[:n]).all(axis=1)
    same &= (known.weight[:n] == weight[:n]).all(axis=(1, 2))
    return n if same.all() else int(same.argmin())


def _shift(sums: Array, by: Array) -> None:
    """Moments (k, n) of time about 0 become those about ``-by``, in place: Σ(t + d)ᵏ from the binomial formula."""
    for r in range(1, len(sums)):
        for k in range(len(sums) - 1, r - 1, -1):
            sums[k] += by * sums[k - 1]


def _costs(t: Array, xy: Array, weight: Array, start: NDArray[np.int_], end: NDArray[np.int_]) -> tuple[Array, Array]:
    """Chi² of each of the pieces of samples [start, end) as a run and as a rest; inf where not allowed."""
    parts = (weight[:, 0, 0], weight[:, 0, 1], weight[:, 1, 1])
    pulled = np.einsum("nij,nj->ni", weight, xy)
    columns = [part * t**k for part in parts for k in range(5)]
    columns += [pulled[:, a] * t**k for a in range(2) for k in range(3)]
    columns.append((pulled * xy).sum(axis=1))
    sums = np.concatenate([np.zeros((len(columns), 1)), np.cumsum(np.array(columns), axis=1)], axis=1)
    s = np.take(sums, end, axis=1) - np.take(sums, start, axis=1)
    # Shift the origin of time to each piece's own mean, or the powers of time cancel badly.
    back = -(s[1] + s[11]) / (s[0] + s[10])
    for first, last in ((0, 5), (5, 10), (10, 15), (15, 18), (18, 21)):
        _shift(s[first:last], back)
    scale = (1.0, 1.0, 0.5)
    pull = [s[15 + 3 * a + k] * scale[k] for k in range(3) for a in range(2)]
    normal = [
        [s[5 * (a + b) + i + j] * (scale[i] * scale[j]) for j in range(3) for b in range(2)][: 2 * i + a + 1]
        for i in range(3)
        for a in range(2)
    ]
    for axis in range(2):
        normal[2 + axis][2 + axis] += 1.0 / START_VARIANCE
        normal[4 + axis][4 + axis] += ACCELERATION_PRIOR**-2
    explained = _explained(normal, pull)
    # The place comes first of the unknowns, so what it explains alone is what a rest explains.
    rest, run = s[21] - explained[1], s[21] - explained[5]
    # Two samples far apart in time make no run: any two places can be joined.
    joined = (end - start >= 3) | ((end - start == 2) & (t[end - 1] - t[start] < HOLE_S))
    # A rest of a few pictures between two runs is a picture shown twice, or a mistake.
    lasting = (end - start >= LEAST_REST) | (start == 0)
    return np.where(joined, np.maximum(run, 0.0), np.inf), np.where(lasting, np.maximum(rest, 0.0), np.inf)


def _explained(normal: list[list[Array]], pull: list[Array]) -> list[Array]:
    """What the first 1, 2, ... unknowns explain of chi², by LDLᵀ of the normal equations, many at once.

    normal[i][j]: (n,) entries of the lower triangle, used up; pull[i]: (n,) right sides, used up.
    """
    found = []
    total = np.zeros_like(pull[0])
    for j in range(len(pull)):
        pivot = 1.0 / normal[j][j]
        total = total + pull[j] * pull[j] * pivot
        found.append(total)
        for i in range(j + 1, len(pull)):
            factor = normal[i][j] * pivot
            pull[i] -= factor * pull[j]
            for k in range(j + 1, i + 1):
                normal[i][k] -= factor * normal[k][j]
    return found
