"""One time over all connections: that of the source's stamps where they can be trusted, rising always.

A stream's stamps begin anywhere at each connection, jump when a camera sets its clock, come doubled, out of order or
not at all. `stamp` gives each picture a time that never goes back, or None for one that can't be put in order.
"""

from dataclasses import dataclass

BACK_S = 1.0
"""A stamp so far behind the last one is the start of another count, not a late picture."""

AHEAD_S = 2.0
"""A live stamp may run ahead of the clock by so much before it is a jump."""

LATE_MOST = 5
UNSTAMPED_MOST = 25
WINDOW_S = 10.0
OFF_BY = 0.2
"""Stamps that run so much faster or slower than the clock, as a share, are not those of the pictures."""

LEAST_STEP_S = 1e-4


@dataclass(slots=True)
class Timeline:
    """``offset_s`` is what stamps are moved by now; ``late``: pictures dropped for their stamps."""

    offset_s: float = 0.0
    last_s: float | None = None
    late: int = 0
    by_arrival: bool = False
    _live: bool = True
    _fresh: bool = True
    _captured_s: float = 0.0
    _floor_s: float | None = None
    _late_run: int = 0
    _unstamped: int = 0
    _step_s: float = 1 / 30
    _window: tuple[float, float] | None = None

    def begin(self, *, live: bool, clocked: bool = True) -> None:
        """A new connection; its first stamp is set so that time goes on by the clock."""
        self._live, self.by_arrival = live, not clocked
        self._fresh, self._late_run, self._unstamped, self._window = True, 0, 0, None

    def start_from(self, t_s: float) -> None:
        """The next picture is at ``t_s`` or later: a match that is resumed goes on after what it holds."""
        self._floor_s = t_s

    def restart(self) -> None:
        """All counts from nothing: another match begins."""
        self.offset_s, self.last_s, self._floor_s, self._fresh = 0.0, None, None, True

    def stamp(self, raw_s: float | None, captured_s: float) -> float | None:
        """The time of a picture with this stamp, None for one that is dropped."""
        if raw_s is None and self._fresh and not self.by_arrival:
            # Some streams stamp their first pictures late; one that never does is taken by its arrival.
            self._unstamped += 1
            if self._unstamped < UNSTAMPED_MOST:
                return None
            self.by_arrival = self._live
        if self.by_arrival:
            raw_s = captured_s
        elif raw_s is None:
            raw_s = (self.last_s or 0.0) - self.offset_s + self._step_s
        if self._fresh:
            self._set_off(raw_s, captured_s)
        t_s = raw_s + self.offset_s
        if self.last_s is not None:
            passed_s = max(captured_s - self._captured_s, LEAST_STEP_S) if self._live else self._step_s
            if t_s <= self.last_s:
                if t_s > self.last_s - BACK_S and self._late_run < LATE_MOST:
                    self._late_run += 1
                    self.late += t_s != self.last_s
                    return None
                t_s = self._rebased(raw_s, self.last_s + passed_s)
            elif self._live and t_s - self.last_s > AHEAD_S + 2 * passed_s:
                t_s = self._rebased(raw_s, self.last_s + passed_s)
            elif 0 < t_s - self.last_s < 0.5:
                self._step_s = t_s - self.last_s
        if self._live and not self.by_arrival and self._false_clock(raw_s, captured_s):
            self.by_arrival, self.offset_s = True, t_s - captured_s
        self._late_run = 0
        self.last_s, self._captured_s = t_s, captured_s
        return t_s

    def anchor(self, raw_s: float | None, captured_s: float) -> None:
        """The stamp of a connection's first packet, which may come some time before its first picture."""
        if self._fresh and raw_s is not None and not self.by_arrival:
            self._set_off(raw_s, captured_s)

    def place(self, raw_s: float | None) -> float | None:
        """Where a stamp of this connection lies, None where that isn't known."""
        return None if raw_s is None or self.by_arrival or self._fresh else raw_s + self.offset_s

    def _set_off(self, raw_s: float, captured_s: float) -> None:
        self._fresh = False
        if self.last_s is not None:
            passed_s = captured_s - self._captured_s if self._live else self._step_s
            self.offset_s = self.last_s + max(passed_s, LEAST_STEP_S) - raw_s
        else:
            self.offset_s = -raw_s if self._live else 0.0
        if self._floor_s is not None:
            self.offset_s += max(0.0, self._floor_s - (raw_s + self.offset_s))
            self._floor_s = None

    def _rebased(self, raw_s: float, t_s: float) -> float:
        self.offset_s, self._window = t_s - raw_s, None
        return t_s

    def _false_clock(self, raw_s: float, captured_s: float) -> bool:
        if self._window is None:
            self._window = (raw_s, captured_s)
            return False
        passed_s = captured_s - self._window[1]
        if passed_s < WINDOW_S:
            return False
        rate = (raw_s - self._window[0]) / passed_s
        self._window = (raw_s, captured_s)
        return abs(rate - 1) > OFF_BY
