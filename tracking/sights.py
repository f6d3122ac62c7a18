"""All that was seen in each picture of a shot, whether or not it belongs to a track."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.observations import Observations

Array = NDArray[np.float64]


@dataclass(slots=True)
class SightLog:
    """The centres seen in each picture, (m, 2) mm, with those of what lies still in a pocket; ``times`` in s."""

    times: list[float] = field(default_factory=list)
    places: list[Array] = field(default_factory=list)

    def add(self, seen: Observations) -> None:
        self.times.append(seen.stamp.t_s)
        self.places.append(np.concatenate([seen.xy_mm, seen.in_pockets_mm]))

    def forget_before(self, t_s: float) -> None:
        keep = bisect_left(self.times, t_s)
        del self.times[:keep], self.places[:keep]

    def between(self, t0_s: float, t1_s: float) -> Iterator[tuple[float, Array]]:
        """The pictures after t0_s up to t1_s, and what each shows."""
        for i in range(bisect_left(self.times, t0_s + 1e-9), bisect_left(self.times, t1_s + 1e-9)):
            yield self.times[i], self.places[i]
