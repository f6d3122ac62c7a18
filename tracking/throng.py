"""Balls that burst out of a pack: which of those that run off is which of those that lay in it.

In a burst a tracker follows whatever is nearest, and names go wrong. But how each ball of the pack lay and what it
looked like is known from before, and so is what those look like that ran off, once they slow down. So a track that is
driven out of a pack is cut there into a head and a tail, each with evidence of its own, and once all is over heads and
tails are joined anew: by their looks, with the set conserved, by what a ball can have run, and by what was followed.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tracking.field import Field
from tracking.naming import Array, kind_of
from tracking.tracks import LOOKS_WORTH, ON_TABLE, BallState, Origin, Sample, Track
from vision.assignment import linear_sum_assignment
from vision.balls import BallSet
from vision.identity import marginals

TOUCHING = 1.25
"""Balls of a pack lie no more than so many diameters apart, centre to centre."""

LEAST_PACK, LEAST_NEIGHBOURS, LEAST_LOOKS = 4, 2, 3
LEFT = 0.35
"""A ball has left its place once it is so many diameters from it."""

UNSEEN_PICTURES = 2
ARRIVING, ARRIVING_S = 3.0, 0.1
"""A ball runs into a pack if it is within so many diameters, and what it runs in so much time."""

FASTEST, EARLY_S = 12000.0, 0.05
STEP, STEPS_S = 0.4, 0.5
"""A ball that moves by less than so many diameters a picture for so long after its start was followed surely."""

FOLLOWED_SURELY, FOLLOWED, STRIDE, NEAREST = 8.0, 2.5, 0.6, 0.7
"""Nats that speak for this, and for a ball first seen again within ``STRIDE`` diameters; farther off it may be any."""

MENDED_S, STRAIGHT = 0.12, 1.2
SAME_LOOK = -1.0
"""Two parts of one ball's way look alike: log of the probability that both show the same kind."""

HEAD_MOST, PAST_MOST = 8.0, 3.0
"""Nats that a head may speak against a name, and then in later shots: heads and tails may be joined wrongly."""

UNLIKE = 2.0
"""What is so many nats less like any ball than the balls of the pack is none of them."""

IMPOSSIBLE, NEVER, SEEN, LOST, FAINTEST = 60.0, 1000.0, 4.0, 2.0, 1e-4


def cut_throngs(field: Field) -> None:
    """Called once a picture: where a ball leaves a pack, cuts the tracks of all balls of it and of what ran into it."""
    leaving = [t for t in field.tracks if t.state is BallState.MOVING and t.seen and not t.left and _off(field, t)]
    lying = [t for t in field.tracks if t.name is not None and t.origin is None and t.rest_n >= LEAST_LOOKS]
    lying = [t for t in lying if not t.left and t.state in ON_TABLE]
    for track in leaving:
        if any(t is track for t in lying) and track.origin is None:
            _cut_pack(field, _pack(field, track, lying))
    for track in leaving:
        track.left = True
    for track in field.tracks:
        if track.state is BallState.AT_REST:
            track.left = False


def _off(field: Field, track: Track) -> bool:
    away = track.mean[:2] - track.rest_xy
    return float(np.hypot(away[0], away[1])) > LEFT * field.bed.diameter


def in_packs(xy: Array, diameter_mm: float) -> list[NDArray[np.bool_]]:
    """For each place (n, 2) which of all are in its pack (n,): none where it isn't in one of at least `LEAST_PACK`."""
    near = np.hypot(*np.moveaxis(xy[:, None] - xy[None], 2, 0)) < TOUCHING * diameter_mm
    packs = []
    for own in near:
        inside = own
        for _ in range(len(xy)):
            inside = near[inside].any(axis=0)
        held = own.sum() - 1 >= LEAST_NEIGHBOURS and inside.sum() >= LEAST_PACK
        packs.append(inside if held else np.zeros_like(own))
    return packs


def _pack(field: Field, track: Track, lying: list[Track]) -> list[Track]:
    """The balls of the pack that a ball lay in; none where it lay in none, or all of it look alike."""
    packs = in_packs(np.array([t.rest_xy for t in lying]), field.bed.diameter)
    inside = packs[next(i for i, t in enumerate(lying) if t is track)]
    members = [t for t, one in zip(lying, inside, strict=True) if one]
    return members if len({kind_of(str(t.name), field.ball_set) for t in members}) > 1 else []


def _cut_pack(field: Field, members: list[Track]) -> None:
    for track in members:
        track.origin = _cut(field, track, track.rest_xy)
    places = np.array([t.rest_xy for t in members]).reshape(-1, 2)
    for other in field.tracks:
        if other.name is None or other.origin is not None or other.state is not BallState.MOVING or not members:
            continue
        reach = ARRIVING * field.bed.diameter + other.speed * ARRIVING_S
        if np.hypot(*(places - other.mean[:2]).T).min() < reach:
            other.origin = _cut(field, other, other.mean[:2])


def _cut(field: Field, track: Track, place: Array) -> Origin:
    """The head of a track; the track goes on as a tail that nothing is known of yet."""
    origin = Origin(
        key=track.key,
        name=str(track.name),
        place=place.copy(),
        picture=field.picture,
        t_s=field.picture_s,
        evidence=np.maximum(track.own_evidence(), -HEAD_MOST),
        joined=False,
    )
    track.logp, track.looks, track.run_logp, track.run_looks = np.zeros_like(track.logp), 1e-9, None, 0
    return origin


def _parted(field: Field, track: Track, head: Origin) -> tuple[list[Sample], list[Sample]]:
    """What was seen of a track before and after its ball left its place, or ran into the pack."""
    k = next((k for k, s in enumerate(track.samples) if s.picture >= head.picture), len(track.samples))
    while 0 < k < len(track.samples):
        sample = track.samples[k]
        gap = sample.picture - track.samples[k - 1].picture
        away = np.hypot(sample.x - head.place[0], sample.y - head.place[1])
        if gap > UNSEEN_PICTURES or away > LEFT * field.bed.diameter:
            break
        k += 1
    return track.samples[:k], track.samples[k:]


def close_throngs(field: Field) -> None:
    """Takes what was joined for settled: the evidence of the heads goes on with their tracks."""
    for track in field.tracks:
        if track.origin is not None:
            track.past = np.maximum(track.origin.evidence, -PAST_MOST)
            track.origin = None


def join_throngs(field: Field, late: list[Track]) -> None:
    """Joins heads and tails of all tracks that went through a burst; ``late`` turned up since and may be tails too.

    Names go with the heads.
    """
    pool = [t for t in field.tracks if t.origin is not None]
    parts = {id(t): _parted(field, t, t.origin) for t in pool if t.origin is not None}
    _mend(field, pool, parts)
    for track in [t for t in pool if t.seen and t.state is BallState.AT_REST and not parts[id(t)][1]]:
        _stays(track)
    pool = [t for t in pool if t.origin is not None]
    if len(pool) < 2:
        return
    heads = [t.origin for t in pool if t.origin is not None]
    since = min(head.t_s for head in heads)
    spare = {id(t): t for t in pool if not parts[id(t)][1]}
    tails = [t for t in pool if id(t) not in spare]
    least = min((t.fit for t in tails if t.looks > LEAST_LOOKS), default=-np.inf) - UNLIKE
    tails += [t for t in late if t.origin is None and t.born_s >= since and t.samples and t.fit > least]
    behind = [parts[id(t)][1] if id(t) in parts else t.samples for t in tails]
    known = {id(t) for t in pool + tails}
    ahead = [parts[id(t)][0] for t in pool]
    keepers = [t for t in field.tracks if t.name and id(t) not in known]
    pairs = _pairs(field, pool, heads, tails, ahead, behind, keepers)
    used = set(pairs.values())
    spare.update({id(t): t for j, t in enumerate(tails) if j not in used and t.origin is not None})
    for i, j in pairs.items():
        _mount(tails[j], heads[i], ahead[i], behind[j])
    lost = sorted(set(range(len(heads))) - set(pairs), key=lambda i: id(pool[i]) not in spare)
    for i in lost:
        track = spare.pop(id(pool[i])) if id(pool[i]) in spare else spare.popitem()[1]
        _put_back(track, heads[i], ahead[i])
    field.tracks = [t for t in field.tracks if id(t) not in spare]


def lost_tail(field: Field, track: Track) -> Track | None:
    """The ball of a burst pack that was followed, lost sight of in the open, and may go on as this new track."""
    best, found = SAME_LOOK, None
    for old in field.tracks:
        if old.origin is None or old.seen or old.looks < 1.0 or old.state is BallState.POCKETED or not old.samples:
            continue
        last, first = old.samples[-1], track.samples[0]
        way = float(np.hypot(first.x - last.x, first.y - last.y))
        if last.picture < old.origin.picture or way > FASTEST * (first.t_s - last.t_s):
            continue
        alike = float(np.log(np.exp(old.way_evidence() + track.way_evidence()).sum()))
        if alike > best:
            best, found = alike, old
    return found


def _mend(field: Field, pool: list[Track], parts: dict[int, tuple[list[Sample], list[Sample]]]) -> None:
    """A ball that vanished, and one that came from nowhere at once and at the same place, are the same."""
    for track in pool:
        ahead, behind = parts[id(track)]
        if track.origin is None or not ahead or not behind or behind[0].picture - ahead[-1].picture <= UNSEEN_PICTURES:
            continue
        first = behind[0]
        for old in pool:
            end = parts[id(old)][1][-1:]
            if old is track or old.seen or not end or not 0.0 < first.t_s - end[0].t_s < MENDED_S:
                continue
            way = float(np.hypot(first.x - end[0].x, first.y - end[0].y))
            if way < field.bed.diameter + STRAIGHT * old.speed * (first.t_s - end[0].t_s):
                _give(old, track)
                parts[id(old)] = (parts[id(old)][0], parts[id(old)][1] + behind)
                parts[id(track)] = (ahead, [])
                _put_back(track, track.origin, ahead)
                break


def _give(old: Track, track: Track) -> None:
    """Makes what was followed as ``track`` the rest of what was followed as ``old``."""
    looks = old.looks + track.looks
    old.logp = (old.logp * old.looks + track.logp * track.looks) / looks
    old.looks, old.run_looks = looks, old.run_looks + track.run_looks
    old.run_logp = track.run_logp if track.run_logp is not None else old.run_logp
    for name in ("fit", "state", "mean", "cov", "rest_xy", "rest_n", "drift", "left", "still_since_s", "recent"):
        setattr(old, name, getattr(track, name))
    old.seen, old.seen_s, old.misses, old.uv, old.pocket = (
        track.seen,
        track.seen_s,
        track.misses,
        track.uv,
        track.pocket,
    )
    track.seen = False


def _stays(track: Track) -> None:
    """A ball of the pack that wasn't driven out of its place."""
    assert track.origin is not None
    if track.looks < LEAST_LOOKS:
        track.logp, track.looks = track.origin.evidence / LOOKS_WORTH, float(LEAST_LOOKS)
    track.origin = None


def _shares(evidence: list[Array], nobody: list[float], ball_set: BallSet) -> Array:
    """(n, k) probability of each kind of n things at one time; ``nobody``: log weight of each to be no ball of its own.

    evidence: each (k,) log probabilities.
    """
    with_none = replace(ball_set, counts={**ball_set.counts, "": len(evidence)})
    rows = [np.append(each, weight - np.log(len(evidence))) for each, weight in zip(evidence, nobody, strict=True)]
    return marginals(np.array(rows), with_none)[:, :-1]


def _pairs(
    field: Field,
    pool: list[Track],
    heads: list[Origin],
    tails: list[Track],
    ahead: list[list[Sample]],
    behind: list[list[Sample]],
    keepers: list[Track],
) -> dict[int, int]:
    """Index of a head → index of its tail. Tails of which it is known what became of them all get one."""
    others = [t.posterior() for t in keepers]
    sure = [-IMPOSSIBLE] * len(others)
    before = _shares([h.evidence for h in heads] + others, [-IMPOSSIBLE] * len(heads) + sure, field.ball_set)[
        : len(heads)
    ]
    parts = [-_unexplained(t) for t in tails]
    after = _shares([t.way_evidence() for t in tails] + others, parts + sure, field.ball_set)
    counts = np.array(list(field.ball_set.counts.values()), dtype=np.float64)
    missing = np.clip(counts - after.sum(axis=0), 0.0, 1.0)
    n, m = len(heads), len(tails)
    cost = -np.log(before @ after[:m].T + FAINTEST)
    for i, (track, head) in enumerate(zip(pool, heads, strict=True)):
        for j, tail in enumerate(tails):
            if tail is track:
                cost[i, j] -= _followed(field, ahead[i], behind[j])
            elif not _possible(field, head, behind[j][0]):
                cost[i, j] += IMPOSSIBLE
    unpaired = LOST - np.log(before @ missing + FAINTEST)
    full = np.zeros((n + m, m + n))
    full[:n, :m] = cost
    full[:n, m:] = np.where(np.eye(n, dtype=bool), unpaired[:, None], NEVER)
    full[n:, :m] = np.where(np.eye(m, dtype=bool), [_unexplained(t) for t in tails], NEVER)
    rows, columns = linear_sum_assignment(full)
    return {int(i): int(j) for i, j in zip(rows, columns, strict=True) if i < n and j < m}


def _unexplained(tail: Track) -> float:
    """Nats that it costs to take what was followed for no ball of its own: a part of another one's way, or a hand."""
    if not tail.seen and tail.state is not BallState.POCKETED:
        return LOST
    return SEEN if tail.origin is None else IMPOSSIBLE


def _possible(field: Field, head: Origin, first: Sample) -> bool:
    """Whether a ball can have come from where the head ends to where a tail begins."""
    span_s = first.t_s - head.t_s + EARLY_S
    way = float(np.hypot(first.x - head.place[0], first.y - head.place[1]))
    return way < FASTEST * max(span_s, 0.0) + 2 * field.bed.diameter


def _followed(field: Field, ahead: list[Sample], behind: list[Sample]) -> float:
    """How much speaks for what was followed, in nats: much where a ball left its place step by step."""
    steps = ahead[-1:] + [s for s in behind if s.t_s < behind[0].t_s + STEPS_S]
    xy = np.array([(s.x, s.y) for s in steps])
    ways = np.hypot(*np.diff(xy, axis=0).T) / field.bed.diameter
    gaps = np.diff([s.picture for s in steps])
    if not ahead or gaps[0] > UNSEEN_PICTURES or ways[0] > STRIDE:
        return NEAREST
    return FOLLOWED_SURELY if len(steps) > 2 and gaps.max() == 1 and ways.max() < STEP else FOLLOWED


def _mount(track: Track, head: Origin, ahead: list[Sample], behind: list[Sample]) -> None:
    """Makes a track, which is the tail ``behind``, that of a head."""
    track.samples = ahead + behind
    track.origin = replace(head, joined=True)
    track.name = head.name


def _put_back(track: Track, head: Origin, ahead: list[Sample]) -> None:
    """A head of which nothing was seen again: its ball is missing from its place."""
    track.samples = ahead
    track.origin = replace(head, joined=True)
    track.name = head.name
    track.logp, track.looks = np.zeros_like(track.logp), 1e-9
    track.rest_xy = head.place.copy()
    track.mean = np.array([*head.place, 0.0, 0.0])
    if track.state in ON_TABLE and track.state is not BallState.AT_REST:
        track.state = BallState.GONE
