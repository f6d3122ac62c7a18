"""Names for tracks: the most probable way to give the balls of a known set, each at most once, to what is seen."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tracking.tracks import Track, posteriors
from vision.assignment import linear_sum_assignment
from vision.balls import BallSet, group_of

Array = NDArray[np.float64]

KEEP_BONUS = 2.5
"""Nats in favour of the name a track bears already: names change on evidence only, and never to and fro."""

STRANGER_COST = 8.0
"""Cost of a track that is no ball of the set; a ball's own name costs less unless its look speaks against it."""

SURE_COST = 25.0
"""Cost of a ball of a rack that is none of the set: more than any look speaks against a name."""

DOUBT_COST = 3.0
"""Cost of naming what was beside a hand or hidden in part at all looks."""

LATE_STRANGER_COST = 5.0
"""The same for a track that turns up when the balls are known: it must look like one that is missing."""


def kind_columns(ball_set: BallSet, identities: tuple[str, ...]) -> NDArray[np.intp]:
    """For each kind of the set the column of ``Observations.identity_logp`` that speaks of it.

    Raises ValueError where the observations know nothing of a kind.
    """
    columns = []
    for kind in ball_set.kinds:
        name = kind if kind in identities else group_of(kind)
        if name not in identities:
            raise ValueError(f"observations have no identity for {kind!r}; they have {', '.join(identities)}")
        columns.append(identities.index(name))
    return np.array(columns, dtype=np.intp)


def best_names(
    tracks: list[Track], ball_set: BallSet, reserved: frozenset[str], stranger_cost: float = STRANGER_COST
) -> dict[int, str]:
    """Track key → name. ``reserved`` names are held by tracks that aren't in the list and aren't given away.

    Tracks that fit no free name are left out.
    """
    slots = [
        (name, k) for k, kind in enumerate(ball_set.kinds) for name in ball_set.names(kind) if name not in reserved
    ]
    if not tracks or not slots:
        return {}
    posterior = posteriors(tracks)
    doubt = np.array([track.doubt for track in tracks])
    cost = DOUBT_COST * doubt[:, None] - posterior[:, [k for _, k in slots]]
    # Among names of one kind the earlier track takes the earlier name.
    cost = cost + 1e-6 * np.arange(len(slots))[None, :] * (1 + np.arange(len(tracks)))[::-1, None]
    columns = {name: j for j, (name, _) in enumerate(slots)}
    for i, track in enumerate(tracks):
        if track.name in columns:
            cost[i, columns[track.name]] -= KEEP_BONUS
    stranger = np.array([SURE_COST if track.sure else stranger_cost for track in tracks])
    full = np.hstack([cost, np.broadcast_to(stranger[:, None], (len(tracks), len(tracks)))])
    rows, chosen = linear_sum_assignment(full)
    return {tracks[i].key: slots[j][0] for i, j in zip(rows, chosen, strict=True) if j < len(slots)}


def kind_of(name: str, ball_set: BallSet) -> int:
    """The index of a ball name's kind in the set. Raises KeyError for a ball that isn't in it."""
    return kind_indices(ball_set)[name]


def kind_indices(ball_set: BallSet) -> dict[str, int]:
    """The index of its kind for every name of a set."""
    return _kind_indices(tuple(ball_set.counts.items()))


@cache
def _kind_indices(counts: tuple[tuple[str, int], ...]) -> dict[str, int]:
    ball_set = BallSet(game="", counts=dict(counts))
    return {name: k for k, kind in enumerate(ball_set.kinds) for name in (kind, *ball_set.names(kind))}
