"""One export at a time: how far it has come, and how it is called off."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from referee.app.review.errors import ReviewError


class Exporting:
    """Calls may come from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._of: str | None = None
        self._done = 0.0
        self._off = False

    @contextmanager
    def begin(self, review: str) -> Iterator[None]:
        """While something of this review is written. Raises Busy where something is already."""
        if not self._lock.acquire(blocking=False):
            raise Busy
        try:
            self._of, self._done, self._off = review, 0.0, False
            yield
        finally:
            self._of = None
            self._lock.release()

    def told(self, share: float) -> None:
        """So much of it is done, 0 to 1. Raises ReviewError where it was called off."""
        self._done = share
        if self._off:
            raise ReviewError("the export was called off")

    def call_off(self, review: str) -> None:
        """What is being written of this review isn't gone on with, and leaves nothing behind."""
        self._off = self._off or self._of == review

    def of(self, review: str) -> dict[str, Any]:
        """``done``: the share that is written, None where nothing of this review is."""
        return {"done": round(self._done, 3) if self._of == review else None}


class Busy(Exception):
    """Something is being written already."""
