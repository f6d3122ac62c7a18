"""Which ball is which, as far as it isn't sure: the other ways to name what was seen that come near to the best one.

The balls of a set are known, so names are doubted together: where one track may bear another's name, that one bears
a third, or none of the set is left for it. What was seen for a moment only, and then vanished, may be no ball at all.
"""

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from tracking.records import Reading
from tracking.tracks import BallState, Track
from vision.assignment import linear_sum_assignment
from vision.balls import CUE, BallSet

Array = NDArray[np.float64]
NEAR_NATS = 3.0
"""A way to name the balls is looked at if it is at most so much less probable than the best one, a twentieth."""

BRIEF_S = 3.0
"""What was seen no longer than this before it vanished may have been a hand or a piece of chalk."""

BESIDE_A_HAND = 0.5


def is_brief(track: Track) -> bool:
    """Whether a track was seen too shortly for it to be sure that a ball was there."""
    return track.seen_s - track.shown_s < BRIEF_S


def may_be_no_ball(track: Track) -> bool:
    """Whether a track vanished where nothing hid or took a ball, was seen for a moment only, or beside a hand only."""
    if track.state is BallState.GONE:
        # Nothing leaves the table untouched: what lay there long, and no hand was near, is only seen badly.
        return is_brief(track) or track.doubt > BESIDE_A_HAND or (track.was_covered and not track.taken)
    return track.doubt > BESIDE_A_HAND or (not track.seen and is_brief(track))


def _returned(track: Track) -> bool:
    """Whether a track is a ball that was in a pocket before, and was seen on the table for a moment only."""
    return track.back_from is not None and is_brief(track)


def _left_again(track: Track, left: Mapping[str, float]) -> bool:
    """Whether a ball left that had returned for a moment only; one that was put back after it left was a ball."""
    return _returned(track) and left[str(track.name)] > track.shown_s


def other_readings(
    tracks: Collection[Track], ball_set: BallSet, present: Collection[str], left: Mapping[str, float]
) -> tuple[Reading, ...]:
    """What the names of the balls ``present`` may be instead, one reading each; none where they are sure.

    left: when balls left the bed in the shot, by an event of their own, so that they were balls unless they had been in
    a pocket before. Names of balls that dropped earlier are taken.
    """
    named = [track for track in tracks if track.name in present]
    taken = {t.name for t in tracks if t.name and t.name not in present and t.state is BallState.POCKETED}
    doubtful = [t for t in named if t.name != CUE and (_left_again(t, left) if t.name in left else may_be_no_ball(t))]
    gone: list[Reading] = [{str(t.name): None} for t in doubtful]
    if len(doubtful) > 1:
        gone.append({str(t.name): None for t in doubtful})
    without: dict[str, str | None] = {str(t.name): None for t in doubtful}
    sure = [t for t in named if t.name not in without]
    found = [*gone, *_other_names(named, ball_set, taken)]
    if doubtful:
        found += [{**without, **each} for each in _other_names(sure, ball_set, taken)]
    unique: list[Reading] = []
    for each in found:
        if each not in unique:
            unique.append(each)
    return tuple(unique)


def _other_names(tracks: list[Track], ball_set: BallSet, taken: Collection[str | None]) -> list[Reading]:
    """The best way to name them with each name forced in turn that isn't the track's own, as far as it comes near."""
    slots = [(name, k) for k, kind in enumerate(ball_set.kinds) for name in ball_set.names(kind) if name not in taken]
    if not tracks or len(slots) < len(tracks):
        return []
    kinds = np.array([k for _, k in slots])
    logp = np.array([track.posterior() for track in tracks])
    own = _own_slots(tracks, slots)
    cost = -logp[:, kinds]
    best = float(cost[np.arange(len(tracks)), own].sum())
    near = -logp - cost[np.arange(len(tracks)), own][:, None]
    found: list[Reading] = []
    for i in range(len(tracks)):
        for k in range(len(ball_set.kinds)):
            # What a track alone would lose is made up for by what the others gain, if they bear wrong names.
            if k == kinds[own[i]] or near[i, k] > NEAR_NATS + _most_gained(cost, own):
                continue
            forced = cost.copy()
            forced[i, kinds != k] = np.inf
            forced[i] = np.where(np.isinf(forced[i]), 1e6, forced[i])
            rows, columns = linear_sum_assignment(forced)
            if kinds[columns[i]] != k or float(forced[rows, columns].sum()) > best + NEAR_NATS:
                continue
            found.append(_changes(tracks, slots, kinds, own, columns))
    return [each for each in found if each]


def _most_gained(cost: Array, own: NDArray[np.intp]) -> float:
    """How much better than by their own names the tracks could be named at all."""
    rows, columns = linear_sum_assignment(cost)
    return max(0.0, float(cost[np.arange(len(own)), own].sum() - cost[rows, columns].sum()))


def _own_slots(tracks: list[Track], slots: list[tuple[str, int]]) -> NDArray[np.intp]:
    at = {name: j for j, (name, _) in enumerate(slots)}
    return np.array([at[str(track.name)] for track in tracks], dtype=np.intp)


def _changes(
    tracks: list[Track],
    slots: list[tuple[str, int]],
    kinds: NDArray[np.intp],
    own: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> Reading:
    """The renaming; among balls that look alike each keeps its own name where it can."""
    keep = {str(t.name) for i, t in enumerate(tracks) if kinds[own[i]] == kinds[columns[i]]}
    free = {k: [name for name, of in slots if of == k and name not in keep] for k in set(kinds.tolist())}
    return {
        str(track.name): free[int(kinds[columns[i]])].pop(0)
        for i, track in enumerate(tracks)
        if kinds[own[i]] != kinds[columns[i]]
    }
