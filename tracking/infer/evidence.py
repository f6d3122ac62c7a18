"""What one shot's inference starts from: a path a ball, what became of it, and what was hidden when."""

from bisect import bisect_right
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tracking.geometry import Bed, polygon_distance
from tracking.paths import BallPath
from tracking.sights import SightLog
from tracking.tracks import BallState, Reach

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """How a ball's path ends: when it was seen last, and what the tracker took it for then.

    back_s: when a hand put it back within the shot's span; the path ends before that. still_since_s: since when it lay
    on the place where it came to rest last, None where that isn't known. taken: whether a hand took it away. proven:
    whether it was seen long enough for it to be sure that it is a ball. reach: where it lies unseen since an earlier
    shot.
    """

    last_s: float
    state: BallState
    back_s: float | None = None
    still_since_s: float | None = None
    taken: bool = False
    proven: bool = True
    reach: Reach | None = None


@dataclass(slots=True)
class BlindLog:
    """The hidden regions of each picture of the shot, kept only where they change."""

    times: list[float] = field(default_factory=list)
    polygons: list[tuple[Array, ...]] = field(default_factory=list)

    def add(self, t_s: float, blind: tuple[Array, ...]) -> None:
        if self.polygons and not blind and not self.polygons[-1]:
            return
        self.times.append(t_s)
        self.polygons.append(blind)

    def forget_before(self, t_s: float) -> None:
        """Drops pictures before ``t_s``, all but the one in force then."""
        keep = max(bisect_right(self.times, t_s) - 1, 0)
        del self.times[:keep], self.polygons[:keep]

    def at(self, t_s: float) -> tuple[Array, ...]:
        i = bisect_right(self.times, t_s) - 1
        return self.polygons[i] if i >= 0 else ()

    def hides(self, t_s: float, xy_mm: Array, margin_mm: float) -> bool:
        """Whether a ball's centre (2,) at ``t_s`` is within ``margin_mm`` of a hidden region."""
        return any(len(p) >= 3 and polygon_distance(xy_mm, p) < margin_mm for p in self.at(t_s))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All that is known of one shot. spacing_s: the usual time between pictures; clock_sigma_s: 1 sigma of a time.

    picture_s: the time of each picture by its number. blackouts: spans without the view. t1_s: when all was still, or
    the evidence ends.
    """

    bed: Bed
    paths: dict[str, BallPath]
    fates: dict[str, Fate]
    blind: BlindLog
    picture_s: dict[int, float]
    blackouts: tuple[tuple[float, float], ...]
    t0_s: float
    t1_s: float
    spacing_s: float
    clock_sigma_s: float
    sights: SightLog = field(default_factory=SightLog)

    def on_bed(self, ball: str, t_s: float) -> bool:
        """Whether the ball's path says anything of ``t_s``."""
        path = self.paths[ball]
        first, last = path.pieces[0], path.pieces[-1]
        if t_s < first.t0_s - 0.25 and not first.at_rest:
            return False
        return last.at_rest or t_s <= last.t1_s + 2 * self.spacing_s

    def left_before(self, ball: str, t_s: float) -> bool:
        """Whether a ball had left the bed before ``t_s``, as far as the tracker knows."""
        fate = self.fates[ball]
        return fate.state in (BallState.POCKETED, BallState.OFF, BallState.GONE) and fate.last_s < t_s

    def tolerance_mm(self, *balls: str) -> float:
        """How far off a distance between two of these balls, or of one from a nose, may be measured."""
        sigma = float(np.hypot.reduce([self.paths[ball].sigma_mm for ball in balls]))
        return min(max(0.14 * self.bed.diameter, 3.0 * sigma), 0.3 * self.bed.diameter)
