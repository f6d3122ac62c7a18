"""Those who look on: each has a bounded queue, so that a slow one never holds up the match."""

import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

MOST_WAITING = 256
"""So many messages that count may wait for one who looks on; who is further behind is dropped and asks anew."""


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message to all. ``seq``: of the log line that it tells of, None where it is only of the moment."""

    body: Mapping[str, Any]
    seq: int | None = None

    @cached_property
    def text(self) -> str:
        """Its JSON, made once for all who look on."""
        return json.dumps(self.body, ensure_ascii=False, allow_nan=False)


class Subscription:
    """The messages for one who looks on. Of those of the moment only the newest of each type waits."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = Lock()
        self._lasting: deque[Message] = deque()
        self._moment: dict[str, Message] = {}
        self.overflowed = False

    def put(self, message: Message) -> None:
        """From any thread; returns at once."""
        with self._lock:
            if self.overflowed:
                return
            if message.seq is None:
                self._moment[str(message.body["type"])] = message
            elif len(self._lasting) >= MOST_WAITING:
                self.overflowed = True
                self._lasting.clear()
                self._moment.clear()
            else:
                self._lasting.append(message)
        self._wake()

    def take(self) -> list[Message]:
        """All that wait, and they wait no longer: what counts in its order, then what is of the moment."""
        with self._lock:
            out = [*self._lasting, *self._moment.values()]
            self._lasting.clear()
            self._moment.clear()
        return out


class Hub:
    """Hands each message to all who look on."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._all: tuple[Subscription, ...] = ()

    @property
    def viewers(self) -> int:
        """How many look on."""
        return len(self._all)

    def subscribe(self, wake: Callable[[], None] = lambda: None) -> Subscription:
        """``wake`` is called, from any thread, when something waits."""
        subscription = Subscription(wake)
        with self._lock:
            self._all = (*self._all, subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        with self._lock:
            self._all = tuple(each for each in self._all if each is not subscription)

    def publish(self, body: Mapping[str, Any], seq: int | None = None) -> None:
        message = Message(body=body, seq=seq)
        for each in self._all:
            each.put(message)
