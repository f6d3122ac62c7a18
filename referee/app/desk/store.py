"""A match's log on disk: JSON Lines that are only ever added to, each on disk before anything of it is told."""

import fcntl
import json
import os
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from referee.app.durable import sync
from tracking.strict_json import MalformedRecord, parse_json, read_object

LOG, TORN = "log.jsonl", "log.torn"
DYING_S = 2.0


class StoreError(Exception):
    """The log can't be read or written; the text says what is wrong and what to do."""


def now() -> str:
    """The wall time with its zone, ISO 8601, to the millisecond."""
    return datetime.now().astimezone().isoformat(timespec="milliseconds")


class FullDisk(StoreError):
    """A line couldn't be written, so that nothing was entered."""


class LogStore:
    """The log of one match folder, open for adding. One process at a time holds it.

    Each line gets ``seq`` (1, 2, … without a hole) and ``wall`` (the wall time). `append` returns only when the lines
    are on disk; where that fails, the log is as it was.
    """

    def __init__(self, path: Path, file: int, lines: int, size: int) -> None:
        self.path = path
        self._file = file
        self._lines = lines
        self._size = size

    @classmethod
    def create(cls, folder: Path, header: Mapping[str, Any]) -> tuple["LogStore", list[dict[str, Any]]]:
        """A new log with its first line. Raises StoreError."""
        path = folder / LOG
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            store = cls(path, file, 0, 0)
            store._hold()
            sync(folder)
            sync(folder.parent)
        except FileExistsError:
            raise StoreError(f"{folder}: holds a match already; resume it, or choose another folder") from None
        except OSError as error:
            raise StoreError(f"{folder}: no match can be kept there ({error.strerror or error})") from None
        return store, store.append(header)

    @classmethod
    def open(cls, folder: Path) -> tuple["LogStore", list[dict[str, Any]]]:
        """An earlier log and its lines. A torn last line is cut off and kept in ``log.torn``. Raises StoreError."""
        path = folder / LOG
        try:
            file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise StoreError(f"{path}: can't be opened ({error.strerror or error})") from None
        store = cls(path, file, 0, 0)
        try:
            store._hold()
            lines = store._recover()
        except StoreError:
            os.close(file)
            raise
        except OSError as error:
            os.close(file)
            raise StoreError(f"{path}: can't be read ({error.strerror or error})") from None
        return store, lines

    @property
    def next_seq(self) -> int:
        """The number that the next line will get."""
        return self._lines + 1

    def append(self, *lines: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Adds lines, all or none, and waits until they are on disk. Raises StoreError."""
        if self._file < 0:
            raise StoreError("this match was set aside meanwhile; resume it first")
        wall = now()
        numbered = [{**line, "seq": self.next_seq + i, "wall": line.get("wall", wall)} for i, line in enumerate(lines)]
        data = b"".join(json.dumps(line, ensure_ascii=False, allow_nan=False).encode() + b"\n" for line in numbered)
        try:
            written = 0
            while written < len(data):
                written += os.pwrite(self._file, data[written:], self._size + written)
            os.fsync(self._file)
        except OSError as error:
            self._take_back()
            reason = error.strerror or error
            raise FullDisk(f"{self.path}: can't be written ({reason}); nothing was entered, make room first") from None
        self._size += len(data)
        self._lines += len(numbered)
        return numbered

    def close(self) -> None:
        """Lets the log go. Further calls do nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _hold(self) -> None:
        """One that was killed a moment ago may still be writing its last line."""
        until = time.monotonic() + DYING_S
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                if time.monotonic() >= until:
                    said = f"{self.path}: another cueref is running this match; stop that one first"
                    raise StoreError(said) from None
                time.sleep(0.05)

    def _take_back(self) -> None:
        """After a failed write; where even this fails the rest is cut off as torn when the log is opened again."""
        try:
            os.ftruncate(self._file, self._size)
            os.fsync(self._file)
        except OSError:
            pass

    def _recover(self) -> list[dict[str, Any]]:
        data = self.path.read_bytes()
        lines, end = whole_lines(data, str(self.path))
        if end < len(data):
            with (self.path.parent / TORN).open("ab") as torn:
                torn.write(data[end:] + b"\n")
                torn.flush()
                os.fsync(torn.fileno())
            os.ftruncate(self._file, end)
            os.fsync(self._file)
        self._lines, self._size = len(lines), end
        return lines


def write_json(path: Path, value: object) -> None:
    """A file written whole or not at all; one that can't be written is left as it was, since the log has it too."""
    aside = path.with_name(f".{path.name}.new")
    try:
        aside.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)


def read_log(folder: Path) -> list[dict[str, Any]]:
    """The whole lines of a log that somebody may be writing; nothing is changed. Raises StoreError."""
    path = folder / LOG
    try:
        data = path.read_bytes()
    except OSError as error:
        raise StoreError(f"{path}: can't be read ({error.strerror or error})") from None
    return whole_lines(data, str(path))[0]


def whole_lines(data: bytes, name: str) -> tuple[list[dict[str, Any]], int]:
    """The numbered lines of a log and where the last whole one ends; what follows was torn in writing.

    Raises StoreError where a line before the last is damaged: then the log isn't what was written.
    """
    lines: list[dict[str, Any]] = []
    end = 0
    while (stop := data.find(b"\n", end)) >= 0:
        line = _read_line(data[end:stop], len(lines) + 1)
        if line is None:
            if data.find(b"\n", stop + 1) >= 0 and not _only_rubbish(data[stop + 1 :], len(lines) + 1):
                raise StoreError(f"{name}: line {len(lines) + 1} is damaged; mend it by hand from a copy of the file")
            break
        lines.append(line)
        end = stop + 1
    if not lines:
        raise StoreError(f"{name}: holds no match; start a new one")
    return lines, end


def _read_line(data: bytes, seq: int) -> dict[str, Any] | None:
    try:
        line = read_object(parse_json(data.decode()), "line")
    except (MalformedRecord, UnicodeDecodeError):
        return None
    return line if line.get("seq") == seq else None


def _only_rubbish(data: bytes, after: int) -> bool:
    """Whether no line of a later number follows: a write of several lines may be torn in its first."""
    following: Sequence[bytes] = data.split(b"\n")
    return all(_read_line(each, after + 1 + i) is None for i, each in enumerate(following))
