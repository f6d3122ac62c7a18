"""One ball's track: its filter state, life cycle, identity evidence and the samples of the running shot."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.frames import FrameStamp

Array = NDArray[np.float64]


class BallState(StrEnum):
    """The life cycle of a ball, with the names of ``tracks.parquet``."""

    AT_REST = "at_rest"
    MOVING = "moving"
    HIDDEN = "hidden"
    POCKETED = "pocketed"
    OFF = "off"
    GONE = "gone"


ON_TABLE = frozenset({BallState.AT_REST, BallState.MOVING, BallState.HIDDEN})


class Sample(NamedTuple):
    """A centre seen in one picture: mm, mm², px."""

    picture: int
    t_s: float
    x: float
    y: float
    xx: float
    xy: float
    yy: float
    u: float
    v: float
    visibility: float


class TrackedBall(NamedTuple):
    """A ball in one frame; ``key`` is its track's and stays when a name is corrected.

    Position in mm, velocity in mm/s, ``sigma_mm`` (1 sigma, the larger axis), ``u, v`` in px. Positions of balls that
    aren't on the table are those last held; ``u, v`` are nan where they can't be given.
    """

    key: int
    name: str
    x: float
    y: float
    vx: float
    vy: float
    sigma_mm: float
    state: BallState
    visible: bool
    u: float
    v: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackFrame:
    """All balls known at one frame. ``renamed`` lists pairs (old, new) of names that were corrected in this frame."""

    stamp: FrameStamp
    balls: tuple[TrackedBall, ...]
    view: bool = True
    renamed: tuple[tuple[str, str], ...] = ()

    def ball(self, name: str) -> TrackedBall | None:
        return next((ball for ball in self.balls if ball.name == name), None)


class Break(NamedTuple):
    """A ball turned up elsewhere at ``back_s`` after it wasn't seen since ``lost_s``.

    ``placed``: no way of its own led there, so a hand put it there. ``state`` is what it was taken for meanwhile.
    """

    lost_s: float
    back_s: float
    placed: bool
    state: BallState


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where a ball came to rest that was seen last at ``seen_s``, on its way: within ``slack_mm`` of the line from
    ``near`` (2,) to ``far`` (2,).
    """

    seen_s: float
    near: Array
    far: Array
    slack_mm: float

    def gap_mm(self, xy_mm: Array) -> Array:
        """(n,) how far points (n, 2) are from where it may lie, 0 within."""
        way = self.far - self.near
        off = np.asarray(xy_mm).reshape(-1, 2) - self.near
        share = np.clip(off @ way / max(float(way @ way), 1e-9), 0.0, 1.0)
        gaps: Array = np.maximum(np.hypot(*(off - share[:, None] * way).T) - self.slack_mm, 0.0)
        return gaps

    def corners(self, margin_mm: float) -> Array:
        """(4, 2) of a rectangle around it and so much more."""
        way, wide = self.far - self.near, self.slack_mm + margin_mm
        along = way / max(float(np.hypot(*way)), 1e-9) * wide
        across = np.array([-along[1], along[0]])
        ends = (self.near - along, self.far + along)
        return np.array([ends[0] - across, ends[0] + across, ends[1] + across, ends[1] - across])


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """How a ball lay in a pack before it was driven out, or ran into one: the head of a track that is cut there.

    ``key`` is of the track that held it then, ``place`` (2,) where it ends. ``picture`` is the first after the cut and
    ``t_s`` its time. ``evidence`` (k,) are the log probabilities of its kinds by all looks before. ``joined``: whether
    it was settled which tail is its.
    """

    key: int
    name: str
    place: Array
    picture: int
    t_s: float
    evidence: Array
    joined: bool


LOGP_FLOOR = -12.0
"""One look never speaks more strongly than this against a kind."""


def looks_of(logp: Array) -> Array:
    """Looks (..., k): log likelihoods less the greatest of each, bounded."""
    looks: Array = np.maximum(logp - logp.max(axis=-1, keepdims=True), LOGP_FLOOR)
    return looks


class Learning(NamedTuple):
    """What there is to learn from one look at a ball, beside its kind.

    weight: 0 to 1. doubt, fit: as `Track` has their means. running: whether it ran, so that its look is blurred.
    """

    weight: float
    doubt: float
    running: bool
    fit: float


LOOKS_MEMORY = 60
LOOKS_WORTH = 1.5
"""Looks at one ball repeat each other's errors: all together they count for no more than so many independent ones."""

RUN_WORTH, RUN_HALF = 0.75, 5.0
LEAST_SAMPLES = 6
COVERED_S = 0.3
"""What was covered that soon before a ball was seen last may have begun to cover it."""


@dataclass(slots=True, kw_only=True)
class Track:
    """``name`` is None while the track is unconfirmed. ``mean`` (4,), ``cov`` (4, 4) are its filter's."""

    key: int
    mean: Array
    cov: Array
    logp: Array
    born_s: float
    shown_s: float = 0.0
    """Since when it has shown itself: its birth, or when it came back to the table."""
    back_from: BallState | None = None
    """POCKETED where it was off the table, in a pocket or elsewhere, GONE where nobody had seen it before it showed
    itself; None where it has been on the table all the time, or for long enough since.
    """
    looks: float = 1e-9
    state: BallState = BallState.AT_REST
    name: str | None = None
    rest_xy: Array = field(default_factory=lambda: np.zeros(2))
    rest_n: int = 0
    still_since_s: float | None = None
    """When it came to rest on the place where it lies, or lay last."""

    drift: int = 0
    favour: Array | None = None
    """(k,) nats for its kinds beside its looks: what it did that a ball of one kind only does."""

    left: bool = False
    """Whether it has left the place where it lay last."""

    doubt: float = 0.0
    """Mean share of its looks in which it was hidden in part, or beside a hand or a cue: it may be a part of those."""
    sure: bool = False
    """Whether it was set up in a rack with others: no hand looks so."""

    fit: float = 0.0
    """Mean log likelihood of what it looks like most: of two things the likelier one is more like a ball of the set."""

    hits: int = 1
    misses: int = 0
    seen: bool = True
    seen_s: float = 0.0
    uv: tuple[float, float] = (float("nan"), float("nan"))
    pocket: str | None = None
    covered_s: float = -1.0
    """When something covered, in part at least, the place where it lay."""

    found_anew: bool = False
    """Whether it was seen to come to rest: so it is seen too where the bare table was known before it."""

    taken: bool = False
    """Whether it is gone from where it lay after a hand had been there."""

    reach: Reach | None = None
    """Where it lies though it wasn't seen to come to rest."""

    push: Array | None = None
    """Velocity (2,) of the ball that ran into this one when it vanished from its place."""
    samples: list[Sample] = field(default_factory=list)
    recent: deque[tuple[float, float, float]] = field(default_factory=lambda: deque(maxlen=16))
    breaks: list[Break] = field(default_factory=list)
    run_logp: Array | None = None
    """The same as ``logp`` for the looks while it ran: blurred, but each in another light and from another side."""

    run_looks: int = 0
    past: Array | None = None
    """Evidence (k,) of how the ball lay before it last came out of a pack."""

    origin: Origin | None = None

    @property
    def xy(self) -> Array:
        return self.rest_xy if self.state is BallState.AT_REST else self.mean[:2]

    @property
    def off_table(self) -> bool:
        """Whether it has left the table: it dropped, fell off, or was taken away."""
        return self.state in (BallState.POCKETED, BallState.OFF) or (self.state is BallState.GONE and self.taken)

    @property
    def was_covered(self) -> bool:
        """Whether something covered it when it was seen last, or any time since."""
        return self.covered_s > self.seen_s - COVERED_S

    @property
    def speed(self) -> float:
        return 0.0 if self.state is BallState.AT_REST else float(np.hypot(self.mean[2], self.mean[3]))

    def learn(self, look: Array, learning: Learning) -> None:
        """Takes in one look (k,), see `looks_of`; ``logp`` of the track is the mean of its looks."""
        share = self.weigh(learning)
        self.logp = self.logp + (look - self.logp) * share
        if learning.running:
            self.run_looks = min(self.run_looks + 1, LOOKS_MEMORY)
            mean = look if self.run_logp is None else self.run_logp + (look - self.run_logp) / self.run_looks
            self.run_logp = mean

    def weigh(self, learning: Learning) -> float:
        """Takes in one look but for what it says of the kinds; its share in the mean of all looks."""
        self.looks = min(self.looks + learning.weight, LOOKS_MEMORY)
        share = learning.weight / self.looks
        self.doubt += (learning.doubt - self.doubt) * share
        self.fit += (learning.fit - self.fit) * share
        return share

    def posterior(self) -> Array:
        """(k,) normalized log probabilities of the kinds."""
        evidence = self.own_evidence()
        if self.origin is not None:
            # Whether what ran out of a pack is what lay there is the less believed the more its own look shows.
            evidence = evidence + self.origin.evidence * (1.0 if self.origin.joined else 1.0 / (1.0 + self.looks))
        if self.favour is not None:
            evidence = evidence + self.favour
        return _normal(evidence)

    @property
    def plain(self) -> bool:
        """Whether nothing but its looks tells of its kind."""
        return self.origin is None and self.favour is None and self.past is None

    def own_evidence(self) -> Array:
        """(k,) log probabilities of the kinds, of the tail only where the track is cut."""
        evidence = self.tail_evidence()
        return evidence if self.past is None or self.origin is not None else _normal(evidence + self.past)

    def tail_evidence(self) -> Array:
        """(k,) log probabilities of the kinds by the looks since the last cut."""
        return _normal(self.worth * (self.logp - self.logp.max()))

    @property
    def worth(self) -> float:
        """So many independent looks all its looks count for."""
        return LOOKS_WORTH * self.looks / (self.looks + 1.0)

    def way_evidence(self) -> Array:
        """(k,) log probabilities of the kinds by the looks since the last cut, at rest and on the way."""
        evidence = self.tail_evidence()
        if self.run_logp is None:
            return evidence
        worth = RUN_WORTH * self.run_looks / (self.run_looks + RUN_HALF)
        return _normal(evidence + worth * (self.run_logp - self.run_logp.max()))

    def forget_before(self, t_s: float) -> None:
        """Drops samples older than ``t_s``, all but the last few."""
        drop, most = 0, len(self.samples) - LEAST_SAMPLES
        while drop < most and self.samples[drop].t_s < t_s:
            drop += 1
        if drop:
            del self.samples[:drop]
        if self.breaks:
            self.breaks = [at for at in self.breaks if at.back_s >= t_s]


def posteriors(tracks: Sequence[Track]) -> Array:
    """(n, k) the `posterior` of each of n > 0 tracks."""
    looks = np.array([track.logp for track in tracks])
    worth = np.array([track.worth for track in tracks])[:, None]
    # normalized twice, as `posterior` does it
    result = _normal(_normal(worth * (looks - looks.max(axis=1, keepdims=True))))
    for i, track in enumerate(tracks):
        if not track.plain:
            result[i] = track.posterior()
    return result


def _normal(evidence: Array) -> Array:
    """Log probabilities (..., k) of what is known up to a constant."""
    most = evidence.max(axis=-1, keepdims=True)
    normal: Array = evidence - np.log(np.exp(evidence - most).sum(axis=-1, keepdims=True)) - most
    return normal
