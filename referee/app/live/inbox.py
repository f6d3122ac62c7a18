"""What the reader hands to the eye: pictures in order, and between them what was left out.

The eye may be slower than the source. Then the newest picture is left out, so that what waits is never more than
``most_s`` of play, and those that wait are still seen in order; nothing lags further and further behind.
"""

import threading
from collections import deque
from dataclasses import dataclass

from referee.app.live.state import Unseen
from vision.frames import Frame

MOST_S = 0.4
FIRST_LOOK_S = 4.0
"""At the start, while the first picture is taken apart, so much may wait; it is caught up with before play begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A frame whose stamp's ``t_s`` is the match's; captured_s: when its light came, by ``time.monotonic``.

    epoch: the inbox's when its time was worked out; one of an earlier match is not taken any more.
    """

    frame: Frame
    captured_s: float
    connection: int
    epoch: int = 0

    @property
    def t_s(self) -> float:
        return self.frame.stamp.t_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """Between two pictures, at t0_s and t1_s, nothing was seen; frames: pictures left out, 0 where unknown."""

    t0_s: float
    t1_s: float
    reason: Unseen
    frames: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """No picture comes any more: since when, by the match's time."""

    since_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A file was played to its end."""


Message = Picture | Missed | Silence | Ended


class Inbox:
    """A queue for one who puts and one who takes."""

    def __init__(self, most_s: float = MOST_S) -> None:
        self._most_s = most_s
        self._ready = threading.Condition()
        self._messages: deque[Message] = deque()
        self._waiting: deque[float] = deque()
        self._last: float | None = None
        self._left_out = 0
        self._taken = 0
        self._begun = False
        self.dropped = 0
        self.epoch = 0

    def put(self, picture: Picture, *, patient: bool = False, stop: threading.Event | None = None) -> None:
        """Takes the picture, or leaves it out where too much waits; with ``patient`` waits for room instead."""
        with self._ready:
            self._begun = self._begun or patient
            while patient and picture.epoch == self.epoch and self._full(picture) and not _is_set(stop):
                self._ready.wait(0.05)
            if picture.epoch != self.epoch:
                return
            if self._full(picture):
                self._left_out += 1
                self.dropped += 1
                return
            if self._left_out and self._last is not None:
                missed = Missed(t0_s=self._last, t1_s=picture.t_s, reason=Unseen.SLOW, frames=self._left_out)
                self._messages.append(missed)
            self._left_out = 0
            self._last = picture.t_s
            self._waiting.append(picture.t_s)
            self._messages.append(picture)
            self._ready.notify_all()

    def _full(self, picture: Picture) -> bool:
        if not self._waiting:
            return False
        return picture.t_s - self._waiting[0] > (self._most_s if self._begun else FIRST_LOOK_S)

    def say(self, message: Message) -> None:
        """Anything but a picture; it is never left out."""
        with self._ready:
            self._messages.append(message)
            self._ready.notify_all()

    def take(self, timeout_s: float) -> Message | None:
        """The next message, None where none comes in time."""
        with self._ready:
            if not self._messages:
                self._ready.wait(timeout_s)
            if not self._messages:
                return None
            message = self._messages.popleft()
            if isinstance(message, Picture):
                self._waiting.popleft()
                self._taken += 1
                behind_s = self._waiting[-1] - self._waiting[0] if self._waiting else 0.0
                self._begun = self._begun or (self._taken > 1 and behind_s < self._most_s)
            self._ready.notify_all()
            return message

    def clear(self) -> int:
        """Forgets what waits: another match begins. Returns the new epoch."""
        with self._ready:
            self.epoch += 1
            self._messages.clear()
            self._waiting.clear()
            self._last, self._left_out = None, 0
            self._taken, self._begun = 0, False
            self._ready.notify_all()
            return self.epoch


def _is_set(stop: threading.Event | None) -> bool:
    return stop is not None and stop.is_set()
