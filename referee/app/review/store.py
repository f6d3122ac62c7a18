"""``corrections.jsonl``: append-only, on disk before a correction counts, whole again after a power cut.

Its first line names the shots it belongs to, ``{"type": "review", "shots_sha256": …}``; corrections are numbered from 1
in the order in which they were accepted. A last line that was not written to its end is moved to ``corrections.torn``.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, cast

from referee.app.durable import sync
from referee.app.review.corrections import Correction, Kind, in_force
from referee.app.review.errors import Overtaken, ReviewError
from tracking.strict_json import MalformedRecord, parse_json, read_object

NAME = "corrections.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A correction that was accepted: its number from 1, when (ISO time with zone), and whether it holds."""

    line: int
    at: str
    correction: Correction
    undone: bool


def shots_hash(folder: Path) -> str:
    """Of the shots that corrections refer to by number."""
    return hashlib.sha256((folder / "shots.jsonl").read_bytes()).hexdigest()


class CorrectionsFile:
    """The corrections of one analyzed folder. Raises ReviewError where the file holds something else."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._shots = shots_hash(folder)
        self.foreign = False
        """Whether the file belongs to shots of an earlier analysis: then it isn't applied, and set aside when another
        correction is accepted."""
        self._lines: list[tuple[str, Correction]] = []
        self.reload()

    @property
    def revision(self) -> int:
        """How many corrections were accepted so far."""
        return len(self._lines)

    @property
    def accepted(self) -> list[Accepted]:
        live = in_force([correction for _, correction in self._lines])
        return [
            Accepted(line=i, at=at, correction=correction, undone=not holds)
            for i, ((at, correction), holds) in enumerate(zip(self._lines, live, strict=True), 1)
        ]

    @property
    def in_force(self) -> list[Correction]:
        """Those that hold, without the undos."""
        return [each.correction for each in self.accepted if not each.undone and each.correction.kind is not Kind.UNDO]

    def reload(self) -> None:
        """Reads the file as it is now."""
        if not self.path.exists():
            self._lines = []
            return
        mode = "r+b" if os.access(self.path, os.W_OK) else "rb"
        with self._locked(mode) as file:
            self._lines = self._read(file)

    def append(self, correction: Correction, revision: int) -> None:
        """On disk when this returns. Raises Overtaken where ``revision`` isn't the file's."""
        body = {"accepted": datetime.now().astimezone().isoformat(timespec="milliseconds"), **correction.to_json()}
        if self.foreign:
            self.path.replace(self.path.with_name(f"corrections-{datetime.now():%Y%m%d-%H%M%S}.jsonl"))
        with self._locked() as file:
            self._lines = self._read(file)
            if revision != self.revision:
                raise Overtaken(
                    f"{self.path}: {self.revision - revision:+d} corrections since the differences were shown; "
                    "look at them again before accepting"
                )
            text = "" if file.tell() else _json({"type": "review", "shots_sha256": self._shots})
            file.write((text + _json(body)).encode())
            file.flush()
            os.fsync(file.fileno())
            self._lines.append((str(body["accepted"]), correction))
        sync(self.path.parent)

    @contextmanager
    def _locked(self, mode: str = "a+b") -> Iterator[BinaryIO]:
        """The open file, held against other processes."""
        try:
            with self.path.open(mode) as opened:
                file = cast(BinaryIO, opened)
                fcntl.flock(file, fcntl.LOCK_EX)
                yield file
        except OSError as error:
            raise ReviewError(f"{self.path}: can't be opened or written ({error.strerror or error})") from None

    def _read(self, file: BinaryIO) -> list[tuple[str, Correction]]:
        """All whole lines; leaves the file at its end."""
        file.seek(0)
        data = file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data) and file.writable():
            with self.path.with_suffix(".torn").open("ab") as torn:
                torn.write(data[whole:] + b"\n")
            file.truncate(whole)
            file.seek(0, os.SEEK_END)
        lines: list[tuple[str, Correction]] = []
        self.foreign = False
        for number, text in enumerate(data[:whole].splitlines(), 1):
            try:
                line = read_object(parse_json(text.decode()), "line")
                if number == 1:
                    self.foreign = self._other_shots(line)
                elif not self.foreign:
                    lines.append((str(line.get("accepted", "")), Correction.from_json(line)))
            except (MalformedRecord, UnicodeDecodeError) as error:
                raise ReviewError(f"{self.path}: line {number}: {error}; mend that line or move the file") from None
        return lines

    def _other_shots(self, line: dict[str, Any]) -> bool:
        if line.get("type") != "review":
            raise MalformedRecord("type", "review, in the first line", line.get("type"))
        return bool(line.get("shots_sha256") != self._shots)


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n"


def write_whole(path: Path, text: str) -> None:
    """The file holds the old text or the new one, whenever the power fails."""
    aside = path.with_name(f".{path.name}.new")
    with aside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
    sync(path.parent)
