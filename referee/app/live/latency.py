"""How long calls take: from the light of the picture that decided one to the moment at which it is on its way."""

from collections import deque
from dataclasses import dataclass, field

KEPT = 200


@dataclass(slots=True)
class Latency:
    """The last few hundred delays in seconds; to be filled and read by one thread, read by any."""

    delays_s: deque[float] = field(default_factory=lambda: deque(maxlen=KEPT))

    def add(self, delay_s: float) -> None:
        self.delays_s.append(max(0.0, delay_s))

    def percentile(self, share: float) -> float | None:
        """The delay that this share of them doesn't exceed (nearest rank), None where there are none."""
        ordered = sorted(self.delays_s)
        if not ordered:
            return None
        rank = max(1, -(-len(ordered) * round(share * 100) // 100))
        return ordered[rank - 1]
