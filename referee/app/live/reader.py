"""The reader: keeps a source open, whatever it does, and hands on what comes of it.

Each opening of the source is an attempt with a thread of its own, since opening and reading may hang where no timeout
reaches (a camera that was pulled out, a driver). A watchdog gives up an attempt that shows no sign of life, leaves its
thread behind, and tries again, less and less often.
"""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from referee.app.live.inbox import Ended, Inbox, Missed, Picture, Silence
from referee.app.live.sources import Arrival, Connection, Facts, Source
from referee.app.live.state import Status, Unseen
from referee.app.live.timeline import Timeline
from vision.frames import Frame, FrameStamp, SourceError

HUNG_S = 12.0
"""An attempt that doesn't connect for so long is given up."""

SILENT_S = 6.0
"""And so is one from which no picture came for so long."""

TOLD_S = 1.1
"""So long without a picture, and the eye is told: a running shot is not carried on over more than a second."""

BACKOFF_S, BACKOFF_MOST_S = 0.5, 10.0
HEALTHY_S = 10.0
LEFT_BEHIND_MOST = 8
WATCH_S = 0.1
CHEAPER = {
    "yuvj422p": "yuvj420p",
    "yuvj444p": "yuvj420p",
    "yuv422p": "yuv420p",
    "yuv444p": "yuv420p",
    "yuyv422": "yuv420p",
    "uyvy422": "yuv420p",
    "nv12": "yuv420p",
}
"""Formats of cameras, and the one with the same range of luma that is looked at without converting it to BGR."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What arrived at once, for the recorder: a packet (None at the end) at ``t_s``, and the pictures that it
    completed, each with its own time; all in the match's time. facts are those of its connection."""

    packet: Any
    t_s: float
    pictures: tuple[tuple[float, Any], ...]
    facts: Facts
    connection: int

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of its pictures in px, or what the connection began with."""
        return (self.pictures[0][1].width, self.pictures[0][1].height) if self.pictures else self.facts.size


class Reader:
    """`start` it, take from ``inbox``, and read how it is from its fields.

    keep: gets what the recorder may want; it must return at once. open_s, silent_s: see HUNG_S, SILENT_S.
    """

    def __init__(
        self,
        source: Source,
        *,
        inbox: Inbox | None = None,
        keep: Callable[[Kept], None] | None = None,
        hung_s: float = HUNG_S,
        silent_s: float = SILENT_S,
    ) -> None:
        self.source = source
        self.inbox = inbox or Inbox()
        self.timeline = Timeline()
        self.status = Status.OPENING
        self.said = ""
        self.connection = 0
        self.size: tuple[int, int] | None = None
        self.first: Frame | None = None
        """A file's first picture, while it waits."""
        self._keep = keep
        self._hung_s, self._silent_s = hung_s, silent_s
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._released = threading.Event()
        self._attempt: _Attempt | None = None
        self._count = 0
        self._epoch = 0
        self._behind: list[threading.Thread] = []
        self._arrived: deque[float] = deque(maxlen=90)
        self._thread = threading.Thread(target=self._watch, name="cueref-reader", daemon=True)
        if source.live:
            self._released.set()

    # ------------------------------------------------------------------------------------------ from outside

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends reading; a thread that hangs in the source is left behind."""
        self._stop.set()
        self._released.set()
        with self._lock:
            if self._attempt is not None:
                self._attempt.give_up()
        if self._thread.is_alive():
            self._thread.join(2.0)

    @property
    def fps(self) -> float:
        """Pictures a second, of late."""
        times = list(self._arrived)
        if len(times) < 2 or time.monotonic() - times[-1] > 2.0:
            return 0.0
        return (len(times) - 1) / max(times[-1] - times[0], 1e-6)

    def play(self, from_s: float | None = None, begin: Callable[[], None] = lambda: None) -> None:
        """A match begins: its time counts from nothing, or goes on from ``from_s``; a file plays from its start.

        begin: called at the moment after which nothing of the time before is handed on.
        """
        with self._lock:
            begin()
            self._epoch = self.inbox.clear()
            self._count = 0
            self.timeline.restart()
            self.timeline.begin(live=self.source.live, clocked=not self.timeline.by_arrival)
            if from_s is not None:
                self.timeline.start_from(from_s)
            self._released.set()

    def rewind(self) -> None:
        """A file goes back to its first picture and waits there; a camera goes on."""
        if self.source.live:
            return
        with self._lock:
            self._released.clear()
            self._epoch = self.inbox.clear()
            if self._attempt is not None:
                self._attempt.give_up()
            self.status = Status.OPENING

    # ------------------------------------------------------------------------------------------ the watchdog

    def _watch(self) -> None:
        wait_s = BACKOFF_S
        while not self._stop.is_set():
            self._behind = [thread for thread in self._behind if thread.is_alive()]
            if len(self._behind) >= LEFT_BEHIND_MOST:
                self._lose(f"{self.source.name}: hangs; waiting for it")
                self._stop.wait(1.0)
                continue
            attempt = self._begin()
            self._guard(attempt)
            if self._stop.is_set():
                break
            if attempt.ended:
                if not getattr(self.source, "loop", False) and self._released.is_set():
                    self._finish()
                    wait_s = BACKOFF_S
                continue
            if attempt.abandoned and not attempt.hung:
                continue  # rewound
            self._lose(attempt.problem or f"{self.source.name}: sends nothing")
            if not self.source.live and not attempt.hung:
                self.status = Status.FAILED
                self.inbox.say(Ended())
                self._stop.wait(BACKOFF_S)
                self._wait_for_rewind()
                continue
            wait_s = BACKOFF_S if attempt.healthy_s > HEALTHY_S else min(2 * wait_s, BACKOFF_MOST_S)
            self._stop.wait(wait_s)

    def _begin(self) -> "_Attempt":
        with self._lock:
            self.connection += 1
            attempt = self._attempt = _Attempt(self, self.connection)
        attempt.thread.start()
        return attempt

    def _guard(self, attempt: "_Attempt") -> None:
        """Until the attempt is over or given up."""
        told = False
        while attempt.thread.is_alive() and not self._stop.is_set() and not attempt.abandoned:
            attempt.thread.join(WATCH_S)
            quiet_s = time.monotonic() - attempt.alive_s
            if not attempt.connected:
                if quiet_s > self._hung_s:
                    attempt.problem = f"{self.source.name}: doesn't answer"
                    attempt.hung = True
                    attempt.give_up()
                continue
            if quiet_s > TOLD_S and not told and self.source.live:
                told = True
                self._lose(f"{self.source.name}: no picture for {quiet_s:.1f} s")
            if quiet_s <= TOLD_S:
                told = False
            if quiet_s > self._silent_s:
                attempt.problem = f"{self.source.name}: no picture for {quiet_s:.0f} s"
                attempt.hung = True
                attempt.give_up()
        if attempt.abandoned and attempt.thread.is_alive():
            attempt.thread.join(0.3)
            if attempt.thread.is_alive():
                self._behind.append(attempt.thread)

    def _lose(self, said: str) -> None:
        with self._lock:
            if self.status not in (Status.LOST, Status.OPENING) and self.timeline.last_s is not None:
                self.inbox.say(Silence(since_s=self.timeline.last_s))
            self.status, self.said = Status.LOST, said

    def _finish(self) -> None:
        self.status, self.said = Status.ENDED, ""
        self.inbox.say(Ended())
        self._wait_for_rewind()

    def _wait_for_rewind(self) -> None:
        while self._released.is_set() and not self._stop.is_set():
            self._stop.wait(WATCH_S)

    # ------------------------------------------------------------------------------------------ from an attempt

    def _connected(self, attempt: "_Attempt", facts: Facts) -> None:
        with self._lock:
            if attempt.abandoned:
                return
            self.size = facts.size
            self.timeline.begin(live=self.source.live, clocked=facts.clocked)

    def _show(self, attempt: "_Attempt", picture: Any) -> None:
        """A file's first picture, at which it waits."""
        with self._lock:
            if not attempt.abandoned:
                self.first = self._frame(picture, 0, 0.0)
                self.status, self.said = Status.WAITING, ""

    def _take(self, attempt: "_Attempt", facts: Facts, arrival: Arrival) -> None:
        pictures = []
        with self._lock:
            if attempt.abandoned or self._stop.is_set():
                return
            before = self.timeline.last_s
            packet = arrival.packet
            at_s = None if packet is None or packet.pts is None else float(packet.pts * arrival.time_base)
            self.timeline.anchor(at_s, arrival.captured_s)
            for picture in arrival.pictures:
                base = picture.time_base or arrival.time_base
                raw_s = None if picture.pts is None else float(picture.pts * base)
                late = self.timeline.late
                t_s = self.timeline.stamp(raw_s, arrival.captured_s)
                if t_s is None:
                    if self.timeline.late > late and before is not None:
                        self.inbox.say(Missed(t0_s=before, t1_s=before, reason=Unseen.DISORDER, frames=1))
                    continue
                pictures.append((t_s, half_chroma(picture) if self.source.live else picture))
                self._arrived.append(arrival.captured_s)
            if pictures:
                self._live(before, pictures[0][0])
            place = self.timeline.place(at_s)
            epoch = self._epoch
            if self._keep is not None and (packet is not None or pictures):
                t_s = place if place is not None else pictures[0][0] if pictures else None
                if t_s is not None:
                    number = attempt.number
                    self._keep(Kept(packet=packet, t_s=t_s, pictures=tuple(pictures), facts=facts, connection=number))
        for t_s, picture in pictures:
            frame = self._frame(picture, self._count, t_s)
            self._count += 1
            self.size = frame.size
            message = Picture(frame=frame, captured_s=arrival.captured_s, connection=attempt.number, epoch=epoch)
            self.inbox.put(message, patient=self.source.patient, stop=attempt.stop)
            attempt.sign()

    def _live(self, before: float | None, t_s: float) -> None:
        if self.status is Status.LOST and before is not None:
            self.inbox.say(Missed(t0_s=before, t1_s=t_s, reason=Unseen.LOST))
        self.status, self.said = Status.LIVE, ""

    @staticmethod
    def _frame(picture: Any, index: int, t_s: float) -> Frame:
        base = picture.time_base or Fraction(1, 90_000)
        stamp = FrameStamp(index=index, pts=picture.pts or 0, time_base=base, t_s=t_s)
        return Frame(stamp=stamp, picture=picture)


def half_chroma(picture: Any) -> Any:
    """A camera's picture with its colours at half size, as the eye looks at them; most cameras send more than that."""
    format_ = CHEAPER.get(picture.format.name)
    if format_ is None:
        return picture
    pts, base = picture.pts, picture.time_base
    picture = picture.reformat(format=format_)
    picture.pts, picture.time_base = pts, base
    return picture


class _Attempt:
    """One opening of the source, and what became of it."""

    def __init__(self, reader: Reader, number: int) -> None:
        self.reader, self.number = reader, number
        self.stop = threading.Event()
        self.connected = self.abandoned = self.hung = self.ended = False
        self.problem = ""
        self.alive_s = time.monotonic()
        self._since_s: float | None = None
        self.thread = threading.Thread(target=self._run, name=f"cueref-source-{number}", daemon=True)

    @property
    def healthy_s(self) -> float:
        """How long pictures came."""
        return 0.0 if self._since_s is None else self.alive_s - self._since_s

    def sign(self) -> None:
        """A sign of life."""
        self.alive_s = time.monotonic()
        self._since_s = self._since_s or self.alive_s

    def _alive(self) -> None:
        self.alive_s = time.monotonic()

    def give_up(self) -> None:
        self.abandoned = True
        self.stop.set()

    def _run(self) -> None:
        reader = self.reader
        try:
            if not reader._released.is_set():
                self._wait_at_the_first_picture()
            connection = reader.source.connect(self.stop, self._alive)
            try:
                self._read(connection)
            finally:
                with contextlib.suppress(Exception):
                    connection.close()
        except SourceError as error:
            self.problem = str(error)
        except Exception as error:
            self.problem = f"{reader.source.name}: {type(error).__name__}: {error}"

    def _read(self, connection: Connection) -> None:
        facts = connection.facts
        self._alive()
        self.reader._connected(self, facts)
        self.connected = True
        for arrival in connection.arrivals():
            if self.stop.is_set():
                return
            self.reader._take(self, facts, arrival)
        if self.stop.is_set():
            return
        if self.reader.source.live:
            self.problem = f"{self.reader.source.name}: the stream ended"
        else:
            self.ended = True

    def _wait_at_the_first_picture(self) -> None:
        connection = self.reader.source.connect(self.stop, self._alive)
        try:
            for arrival in connection.arrivals():
                if arrival.pictures:
                    self.reader._show(self, arrival.pictures[0])
                    break
        finally:
            connection.close()
        self.connected = True
        while not self.reader._released.is_set() and not self.stop.is_set():
            self._alive()
            self.stop.wait(0.05)
