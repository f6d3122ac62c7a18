"""Balls at rest: remembered with the pixels they were seen by, and checked against these in every frame."""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array
from vision.glance import Glance

LUMA_NEAR, CHROMA_NEAR = 14, 9
_NEAR = np.array([[LUMA_NEAR], [CHROMA_NEAR], [CHROMA_NEAR]], np.uint8)
INNER, OUTER = 0.75, 1.2
ERASED = 1.35
BESET_REACH = 1.6
_RING = np.column_stack([np.cos(np.linspace(0, 2 * np.pi, 24, False)), np.sin(np.linspace(0, 2 * np.pi, 24, False))])


@dataclass(slots=True, kw_only=True)
class RestingBall:
    """One ball at rest. centre: (2,) in small px, radius likewise. logp: (k,). pixels: flat indices of its disc.

    blob: (2,) where the blob of it has its weighted centre, known once it was looked at as one. doubts: for how many
    frames it was not found where it should be.
    """

    centre: Array
    radius: float
    logp: Array
    visible: float
    pixels: NDArray[np.intp]
    erased: NDArray[np.intp]
    inner: NDArray[np.bool_]
    blob: Array | None = None
    doubts: int = 0
    luma: NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))
    cr: NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))
    cb: NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))

    def remember(self, glance: Glance) -> None:
        self.luma = glance.luma.reshape(-1)[self.pixels]
        self.cr = glance.cr.reshape(-1)[self.pixels]
        self.cb = glance.cb.reshape(-1)[self.pixels]


def _disc_pixels(centre: Array, radius: float, shape: tuple[int, int]) -> tuple[NDArray[np.intp], Array]:
    """Flat indices of the pixels within ``radius`` of a centre, and their distances from it."""
    rows, columns = shape
    left, right = max(0, int(centre[0] - radius)), min(columns, int(centre[0] + radius) + 2)
    top, bottom = max(0, int(centre[1] - radius)), min(rows, int(centre[1] + radius) + 2)
    u, v = np.meshgrid(np.arange(left, right), np.arange(top, bottom))
    gap = np.hypot(u - centre[0], v - centre[1])
    inside = gap <= radius
    return (v[inside] * columns + u[inside]).astype(np.intp), gap[inside]


def resting_ball(centre: Array, radius: float, logp: Array, visible: float, glance: Glance) -> RestingBall:
    pixels, gap = _disc_pixels(centre, OUTER * radius, glance.luma.shape[:2])
    erased, _ = _disc_pixels(centre, ERASED * radius, glance.luma.shape[:2])
    ball = RestingBall(
        centre=np.asarray(centre, dtype=np.float64),
        radius=radius,
        logp=logp,
        visible=visible,
        pixels=pixels,
        erased=erased,
        inner=gap < INNER * radius,
    )
    ball.remember(glance)
    return ball


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Of each resting ball the shares 0 to 1 of its inner disc and of its rim that look as they did."""

    inner: Array
    rim: Array


class RestingSet:
    """The balls at rest, with their pixels joined for checking them all at once."""

    def __init__(self) -> None:
        self.balls: list[RestingBall] = []
        self.centres = np.empty((0, 2))
        """(n, 2) of the balls."""
        self.radii = np.empty(0)
        self.changes = 0
        """How often balls came or went."""
        self._joined = False
        self._plane_size = 0
        self._outside: NDArray[np.uint8] | None = None
        self._outside_of: NDArray[np.bool_] = np.empty(0, dtype=np.bool_)

    def __len__(self) -> int:
        return len(self.balls)

    def add(self, ball: RestingBall) -> None:
        self.balls.append(ball)
        self._changed()

    def refresh(self, index: int, glance: Glance) -> None:
        """Remember one ball as it looks now."""
        self.balls[index].remember(glance)
        self._joined = False

    def keep(self, kept: NDArray[np.bool_]) -> None:
        if not kept.all():
            self.balls = [ball for ball, stays in zip(self.balls, kept, strict=True) if stays]
            self._changed()

    def clear(self) -> None:
        self.balls = []
        self._changed()

    def _changed(self) -> None:
        self.centres = np.array([ball.centre for ball in self.balls]).reshape(-1, 2)
        self.radii = np.array([ball.radius for ball in self.balls])
        self.changes += 1
        self._joined = False
        self._outside = None

    def outside(self, intact: NDArray[np.bool_], shape: tuple[int, int]) -> NDArray[np.uint8]:
        """(h, w) 0 in and about the balls that are ``intact`` (n,), 1 elsewhere."""
        if self._outside is None or not np.array_equal(intact, self._outside_of):
            self._outside, self._outside_of = np.ones(shape, np.uint8), intact.copy()
            for ball, stays in zip(self.balls, intact, strict=True):
                if stays:
                    self._outside.reshape(-1)[ball.erased] = 0
        return self._outside

    def beset(self, body: NDArray[np.bool_], at: tuple[int, int]) -> Array:
        """(n,) share of each ball's surroundings where a body (h, w) is. at: small px of its first pixel."""
        result = np.zeros(len(self.balls))
        rows, columns = body.shape
        for i in range(len(self.balls)):
            points = self.centres[i] + BESET_REACH * self.radii[i] * _RING
            others = np.delete(np.arange(len(self.balls)), i)
            apart = np.linalg.norm(points[:, None] - self.centres[others][None], axis=2)
            free = (apart > ERASED * self.radii[others]).all(axis=1)
            u, v = (np.round(points).astype(int) - at).T
            inside = free & (u >= 0) & (v >= 0) & (u < columns) & (v < rows)
            result[i] = body[v[inside], u[inside]].sum() / len(points)
        return result

    def surroundings(self) -> NDArray[np.intp]:
        """Flat indices of the pixels in and about the balls."""
        if not self.balls:
            return np.empty(0, np.intp)
        return np.concatenate([ball.erased for ball in self.balls])

    def _join(self) -> None:
        """The balls' pixels in the three planes of a glance, one plane after the other."""
        balls = self.balls
        pixels = np.concatenate([ball.pixels for ball in balls])
        self._pixels = np.concatenate([pixels + plane * self._plane_size for plane in range(3)])
        self._seen = np.concatenate([getattr(ball, name) for name in ("luma", "cr", "cb") for ball in balls])
        inner = np.concatenate([ball.inner for ball in balls])
        # the inner discs of the balls first, then their rims
        self._owner = np.repeat(np.arange(len(balls)), [len(ball.pixels) for ball in balls]) + len(balls) * ~inner
        self._count = np.maximum(np.bincount(self._owner, minlength=2 * len(balls)), 1)
        self._joined = True

    def check(self, glance: Glance) -> Seen:
        """How much of each ball still looks as remembered."""
        count = len(self.balls)
        if not count:
            return Seen(inner=np.empty(0), rim=np.empty(0))
        if not self._joined:
            self._plane_size = glance.luma.size
            self._join()
        apart = cv2.absdiff(glance.planes.reshape(-1)[self._pixels], self._seen).reshape(3, -1)
        same = apart < _NEAR
        shares = np.bincount(self._owner[same[0] & same[1] & same[2]], minlength=2 * count) / self._count
        return Seen(inner=shares[:count], rim=shares[count:])
