"""Spans of time in which not everything was seen, put together so that the log tells them once and in time."""

from collections.abc import Callable
from dataclasses import dataclass

from referee.app.live.state import Unseen

JOIN_S = 1.0
"""Drops nearer to each other are one span."""

PIECE_S = 10.0
"""A span that goes on is told in pieces of this length, so that a power cut doesn't hide it."""


@dataclass(slots=True)
class _Open:
    reason: Unseen
    t0_s: float
    t1_s: float
    frames: int


class GapLog:
    """``tell(t0_s, t1_s, reason, frames)`` gets each span once it is over, or long enough."""

    def __init__(self, tell: Callable[[float, float, str, int], object]) -> None:
        self._tell = tell
        self._open: _Open | None = None

    def add(self, t0_s: float, t1_s: float, reason: Unseen, frames: int) -> None:
        """From t0_s to t1_s pictures were missing, or showed nothing."""
        span = self._open
        if span is not None and (span.reason is not reason or t0_s - span.t1_s > JOIN_S):
            self.flush()
            span = None
        if span is None:
            self._open = span = _Open(reason, t0_s, t1_s, 0)
        span.t1_s = max(span.t1_s, t1_s)
        span.frames += frames
        if span.t1_s - span.t0_s >= PIECE_S:
            self.flush()

    def at(self, t_s: float) -> None:
        """All is seen at ``t_s``: a span that ended some time ago is told."""
        if self._open is not None and t_s - self._open.t1_s > JOIN_S:
            self.flush()

    def flush(self) -> None:
        """Tells the span that is open."""
        span, self._open = self._open, None
        if span is not None:
            self._tell(span.t0_s, span.t1_s, str(span.reason), span.frames)
