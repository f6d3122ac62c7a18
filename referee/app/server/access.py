"""Who may change something: the holders of the referee's code. The code itself is neither kept nor logged."""

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from referee.app.server.sessions import Sessions

VIEWER, REFEREE = "viewer", "referee"
LIKELY_CONFUSED = str.maketrans("", "", " -\t\r\n")
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
FREE_TRIES = 4
"""So many wrong codes from one address cost nothing; each further one doubles the wait."""
LONGEST_WAIT_S = 900.0
TRIES_IN_ALL, IN_ALL_S = 40, 60.0
"""So many tries, from wherever, in so many seconds."""
MOST_ADDRESSES = 2048
COST = {"n": 2**14, "r": 8, "p": 1}


class TooManyTries(Exception):
    """Codes were tried too often; ``wait_s`` until the next one is looked at."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"too many tries; wait {max(1, round(wait_s))} s")
        self.wait_s = wait_s


def new_code() -> str:
    """A code that can be read out: twelve letters and digits, about 59 bits."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(4)) for _ in range(3))


def plain(code: str) -> str:
    """A code without the blanks and hyphens that people write into it, in small letters."""
    return code.translate(LIKELY_CONFUSED).lower()


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    until: float = 0.0


@dataclass(slots=True)
class Access:
    """The referee's code as a scrypt hash, the sessions of those who gave it, and the tries of those who didn't."""

    salt: bytes
    digest: bytes
    sessions: Sessions = field(default_factory=Sessions)
    clock: Callable[[], float] = time.monotonic
    _tries: "OrderedDict[str, _Tries]" = field(default_factory=OrderedDict)
    _recent: deque[float] = field(default_factory=deque)
    _lock: Lock = field(default_factory=Lock)
    _hashing: Lock = field(default_factory=Lock)

    @classmethod
    def of_code(
        cls, code: str, sessions: Sessions | None = None, clock: Callable[[], float] = time.monotonic
    ) -> "Access":
        salt = secrets.token_bytes(16)
        held = Sessions() if sessions is None else sessions
        return cls(salt=salt, digest=_hash(plain(code), salt), sessions=held, clock=clock)

    def enter(self, code: str, address: str) -> str | None:
        """A new session's token for the right code, None for a wrong one. Raises TooManyTries."""
        self._count(address)
        with self._hashing:  # one at a time: each takes 16 MB and a tenth of a second
            right = hmac.compare_digest(_hash(plain(code), self.salt), self.digest)
        with self._lock:
            if not right:
                tries = self._tries.setdefault(address, _Tries())
                tries.wrong += 1
                over = tries.wrong - FREE_TRIES
                tries.until = self.clock() + (0.0 if over <= 0 else min(LONGEST_WAIT_S, 2.0 ** min(over, 20)))
                return None
            self._tries.pop(address, None)
        return self.sessions.begin()

    def leave(self, token: str) -> None:
        self.sessions.end(token)

    def role(self, token: str | None) -> str:
        """What the bearer of a session's token is."""
        if token is None or len(token) > 200:
            return VIEWER
        return REFEREE if self.sessions.holds(token) else VIEWER

    def _count(self, address: str) -> None:
        with self._lock:
            now = self.clock()
            tries = self._tries.get(address)
            if tries is not None and tries.until > now:
                raise TooManyTries(tries.until - now)
            while self._recent and self._recent[0] < now - IN_ALL_S:
                self._recent.popleft()
            if len(self._recent) >= TRIES_IN_ALL:
                raise TooManyTries(self._recent[0] + IN_ALL_S - now)
            self._recent.append(now)
            while len(self._tries) > MOST_ADDRESSES:
                self._tries.popitem(last=False)


def kept_sessions(folder: Path, code: str | None) -> Sessions:
    """Sessions that outlast a restart, in a folder; where the code stays the same (else None), only under that code."""
    return Sessions.kept(folder, lambda salt: salt if code is None else _hash(plain(code), salt))


def _hash(code: str, salt: bytes) -> bytes:
    return hashlib.scrypt(code.encode(), salt=salt, maxmem=64 * 2**20, **COST)
