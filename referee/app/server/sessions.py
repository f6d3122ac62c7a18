"""The sessions of those who gave the referee's code: hashes of their tokens, with their end, over a restart."""

import hashlib
import hmac
import json
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from referee.app.durable import sync

UNUSED_S = 12 * 3600.0
"""A session that nobody used for so long is over,"""
LONGEST_S = 7 * 24 * 3600.0
"""and each one after a week."""
RENEWED_S = 600.0
"""Use is noted so often."""
MOST = 64
FILE = ".sessions.json"


@dataclass(slots=True)
class _Session:
    """Wall times, s since 1970."""

    begun: float
    until: float


@dataclass(slots=True)
class Sessions:
    """``key``: with it tokens are hashed, so that the file alone tells nothing; another code makes another key.

    file: where they outlast a restart; None: in memory alone. A file that can't be read or written is passed over: the
    code is asked for again then.
    """

    key: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    file: Path | None = None
    salt: bytes = b""
    wall: Callable[[], float] = time.time
    _held: "OrderedDict[str, _Session]" = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def kept(cls, folder: Path, key_of: Callable[[bytes], bytes], wall: Callable[[], float] = time.time) -> "Sessions":
        """Those of an earlier run; ``key_of`` makes the key from the salt that is in the file."""
        file = folder / FILE
        salt, held = _read(file)
        return cls(key=key_of(salt), file=file, salt=salt, wall=wall, _held=held)

    def begin(self) -> str:
        """A new session's token."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            now = self.wall()
            self._held[self._digest(token)] = _Session(begun=now, until=now + UNUSED_S)
            while len(self._held) > MOST:
                self._held.popitem(last=False)
            self._write()
        return token

    def end(self, token: str) -> None:
        with self._lock:
            if self._held.pop(self._digest(token), None) is not None:
                self._write()

    def holds(self, token: str) -> bool:
        """Whether it is a session's that isn't over; it goes on from now."""
        with self._lock:
            name, now = self._digest(token), self.wall()
            session = self._held.get(name)
            if session is None:
                return False
            # One that ends later than any can was begun by a clock that has been set back since.
            if not now <= session.until <= now + UNUSED_S + RENEWED_S or now > session.begun + LONGEST_S:
                del self._held[name]
                self._write()
                return False
            if now + UNUSED_S > session.until + RENEWED_S:
                session.until = now + UNUSED_S
                self._write()
            return True

    def _digest(self, token: str) -> str:
        return hmac.new(self.key, token.encode(), hashlib.sha256).hexdigest()

    def _write(self) -> None:
        """On disk when this returns, readable by this user alone."""
        if self.file is None:
            return
        held = [{"digest": name, "begun": each.begun, "until": each.until} for name, each in self._held.items()]
        aside = self.file.with_name(f"{self.file.name}.new")
        try:
            aside.unlink(missing_ok=True)
            with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
                json.dump({"salt": self.salt.hex(), "sessions": held}, out)
                out.flush()
                os.fsync(out.fileno())
            aside.replace(self.file)
            sync(self.file.parent)
        except OSError:
            aside.unlink(missing_ok=True)


def _read(file: Path) -> "tuple[bytes, OrderedDict[str, _Session]]":
    """Salt and sessions; new ones where there is no such file, or it holds something else."""
    held: OrderedDict[str, _Session] = OrderedDict()
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        for each in data["sessions"][-MOST:]:
            held[str(each["digest"])] = _Session(begun=float(each["begun"]), until=float(each["until"]))
        salt = bytes.fromhex(data["salt"])
        if len(salt) >= 16:
            return salt, held
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return secrets.token_bytes(32), OrderedDict()
