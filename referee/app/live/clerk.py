"""Tells the desk what the eye found, in order and in a thread of its own, so that no judging holds up the seeing."""

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.app.desk.store import StoreError
from referee.app.live.latency import Latency
from referee.app.live.seam import MatchDesk
from referee.app.live.state import SeenTable, SourceState
from tracking.records import Event, Gap, Positions, Reading, ShotRecord

DRAIN_S = 10.0
RETRY_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """of_moment: a kind of which only the newest counts, if it still waits; empty for what must be told."""

    do: Callable[[], object]
    of_moment: str = ""


class Clerk:
    """Has the calls of `MatchDesk`, which return at once, and the delays of the calls that followed.

    Records, gaps and calibrations are told all and in order. Of what is only of the moment the newest is told.
    """

    def __init__(self, desk: MatchDesk) -> None:
        self.desk = desk
        self.light_to_call, self.rest_to_verdict = Latency(), Latency()
        self.problem = ""
        self._ready = threading.Condition()
        self._tasks: deque[_Task] = deque()
        self._working = False
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="cueref-clerk", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------------------------------------ from the eye

    def record(self, record: ShotRecord, captured_s: float | None, rest_s: float | None) -> None:
        """A shot is over. captured_s, rest_s: when the light came that closed it, and when all balls were at rest, by
        ``time.monotonic``; None where that says nothing."""
        self._put(lambda: self._record(record, captured_s, rest_s))

    def running(
        self,
        events: tuple[Event, ...],
        before: Positions | None,
        t_s: float,
        *,
        gaps: tuple[Gap, ...] = (),
        doubtful: tuple[Reading, ...] | None = None,
    ) -> None:
        self._put(lambda: self.desk.running(events, before, t_s, gaps=gaps, doubtful=doubtful), "running")

    def seen(self, table: SeenTable) -> None:
        self._put(lambda: self.desk.seen(table), "seen")

    def source(self, state: SourceState) -> None:
        self._put(lambda: self.desk.source(state), "source")

    def gap(self, t0_s: float, t1_s: float, reason: str, frames: int) -> None:
        self._put(lambda: self.desk.gap(t0_s, t1_s, reason, frames))

    def calibrated(self, calibration: Mapping[str, Any]) -> None:
        self._put(lambda: self.desk.calibrated(calibration))

    def drain(self) -> None:
        """Returns when all was told, or after DRAIN_S (a log that can't be written)."""
        until = time.monotonic() + DRAIN_S
        with self._ready:
            while (self._tasks or self._working) and time.monotonic() < until:
                self._ready.wait(0.05)

    def close(self) -> None:
        """Tells what waits, and then nothing more."""
        self.drain()
        with self._ready:
            self._closed = True
            self._tasks.clear()
            self._ready.notify_all()
        self._thread.join(DRAIN_S)

    # ------------------------------------------------------------------------------------------ its own thread

    def _put(self, do: Callable[[], object], of_moment: str = "") -> None:
        with self._ready:
            if self._closed:
                return
            if of_moment:
                # What overtakes a record would be told of the wrong shot, so only the tail may be replaced.
                for i in range(len(self._tasks) - 1, -1, -1):
                    if not self._tasks[i].of_moment:
                        break
                    if self._tasks[i].of_moment == of_moment:
                        del self._tasks[i]
                        break
            self._tasks.append(_Task(do=do, of_moment=of_moment))
            self._ready.notify_all()

    def _run(self) -> None:
        while True:
            with self._ready:
                while not self._tasks and not self._closed:
                    self._ready.wait()
                if self._closed and not self._tasks:
                    return
                task = self._tasks.popleft()
                self._working = True
            try:
                while not self._done(task):
                    time.sleep(RETRY_S)
            finally:
                with self._ready:
                    self._working = False
                    self._ready.notify_all()

    def _done(self, task: _Task) -> bool:
        """False where what must be kept could not be written yet: the disk may have room again."""
        try:
            task.do()
            self.problem = self.problem if task.of_moment else ""
        except StoreError as error:
            self._fail(error)
            return bool(task.of_moment) or self._closed
        except Exception as error:
            self._fail(error)
        return True

    def _record(self, record: ShotRecord, captured_s: float | None, rest_s: float | None) -> None:
        self.desk.record(record, captured_s)
        now = time.monotonic()
        if captured_s is not None:
            self.light_to_call.add(now - captured_s)
        if rest_s is not None:
            self.rest_to_verdict.add(now - rest_s)

    def _fail(self, error: Exception) -> None:
        problem = f"the match could not take in what was seen: {error}"
        if problem != self.problem:
            print(f"cueref: {problem}", file=sys.stderr, flush=True)
        self.problem = problem
