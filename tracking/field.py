"""What all parts of the tracker share: the table, the balls, their tracks, and the picture they are at."""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tracking.geometry import Bed, Point, polygon_distance
from tracking.tracks import Track
from vision.balls import CUE, BallSet

Array = NDArray[np.float64]

BEAT_SIGMA_S, STAMP_SIGMA_S = 0.012, 0.002
"""1 sigma of a picture's time: where pictures are repeated to fill another rate, and where they aren't."""


@dataclass(slots=True, kw_only=True)
class Field:
    """``picture`` counts pictures, not frames: a repeated picture keeps its number. ``picture_s`` is its stamp.

    repeats: which of the last frames were repeats. renamed: pairs (old, new) of names corrected in this frame.
    """

    bed: Bed
    ball_set: BallSet
    tracks: list[Track] = field(default_factory=list)
    picture: int = -1
    picture_s: float = 0.0
    start_s: float = 0.0
    repeats: deque[bool] = field(default_factory=lambda: deque(maxlen=18))
    renamed: list[tuple[str, str]] = field(default_factory=list)
    next_key: int = 0
    covers: list[tuple[Array, float, float, float, float]] = field(default_factory=list)
    """The hidden regions of this picture, each with its bounding box."""

    dropped: bool = False
    """Whether a ball is known since this picture to have dropped into a pocket."""

    @property
    def clock_sigma_s(self) -> float:
        """1 sigma of the pictures' times now."""
        return BEAT_SIGMA_S if any(self.repeats) else STAMP_SIGMA_S

    def is_cue(self, track: Track) -> bool:
        if track.name is not None:
            return track.name == CUE
        return CUE in self.ball_set.counts and int(track.logp.argmax()) == self.ball_set.kinds.index(CUE)

    def doubt(self, xy: Point, *, stopped: bool = False) -> float:
        """How much speaks against a ball at this place: 1 where a hand or a cue is beside it, 2 in a pocket's mouth.

        ``stopped``: it is a ball that was seen to come to rest there.
        """
        if not stopped and self.bed.mouth_at(xy, 0.3 * self.bed.radius) is not None:
            return 2.0
        return float(self.blind(xy))

    def cover(self, polygons: tuple[Array, ...]) -> None:
        """Takes in which regions this picture hides."""
        kept = [p for p in polygons if len(p) >= 3]
        self.covers = [(p, *p.min(axis=0).tolist(), *p.max(axis=0).tolist()) for p in kept]

    def blind(self, xy: Point) -> bool:
        """Whether a ball at this centre (2,) touches a hidden region."""
        if not self.covers:
            return False
        x, y, r = float(xy[0]), float(xy[1]), self.bed.radius
        return any(
            x0 - r < x < x1 + r and y0 - r < y < y1 + r and polygon_distance(xy, polygon) < r
            for polygon, x0, y0, x1, y1 in self.covers
        )
