"""The limit on the space that video takes: the oldest pieces go first, what may still be asked for goes last."""

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.app.live.segments import add_to_index, read_index

KEEP = "keep.jsonl"
LATEST_S = 900.0
"""So much of the running match's latest play is kept like what is marked."""

FREE_LEAST = 300_000_000
"""Bytes that must stay free on the disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """What was deleted: pieces, their bytes, and how many of them had been marked to be kept."""

    pieces: int = 0
    bytes: int = 0
    marked: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    folder: Path
    entry: dict[str, Any]
    marked: bool

    @property
    def age_key(self) -> tuple[bool, str]:
        return self.marked, str(self.entry.get("at0", ""))


def protect(folder: Path, t0_s: float, t1_s: float, why: str) -> None:
    """Marks a span of a match's video (its folder ``video``) to be kept; on disk when this returns."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / KEEP).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"t0": t0_s, "t1": t1_s, "why": why}) + "\n")
        file.flush()
        os.fsync(file.fileno())


def protected(folder: Path) -> list[tuple[float, float]]:
    """The spans marked to be kept."""
    spans = []
    try:
        lines = (folder / KEEP).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    for line in lines:
        try:
            entry = json.loads(line)
            spans.append((float(entry["t0"]), float(entry["t1"])))
        except (ValueError, KeyError, TypeError):
            continue
    return spans


def free_bytes(folder: Path) -> int:
    """Free on the disk where a folder lies."""
    return shutil.disk_usage(folder).free


def clear(matches: Path, limit_bytes: int, running: Path | None, *, free_least: int = FREE_LEAST) -> Cleared:
    """Deletes finished pieces, oldest first, until all matches' video is within the limit and the disk has room.

    running: the folder ``video`` of the running match; its last LATEST_S are deleted only after all that isn't marked.
    """
    pieces, taken = _pieces(matches, running)
    short = max(taken - limit_bytes, free_least - free_bytes(matches))
    deleted: list[_Piece] = []
    freed = 0
    for piece in sorted(pieces, key=lambda piece: piece.age_key):
        if freed >= short:
            break
        path = piece.folder / piece.entry["file"]
        try:
            size = path.stat().st_size
            path.unlink()
        except OSError:
            continue
        freed += size
        deleted.append(piece)
    for folder in {piece.folder for piece in deleted}:
        add_to_index(folder, [{**p.entry, "deleted": True} for p in deleted if p.folder == folder])
    return Cleared(pieces=len(deleted), bytes=freed, marked=sum(piece.marked for piece in deleted))


def _pieces(matches: Path, running: Path | None) -> tuple[list[_Piece], int]:
    """The finished pieces of all matches, and the bytes of all video, that which is being written too."""
    found: list[_Piece] = []
    taken = 0
    for folder in sorted(matches.glob("*/video")):
        index = read_index(folder)
        spans: Sequence[tuple[float, float]] = protected(folder)
        if running is not None and folder.resolve() == running.resolve() and index:
            latest = max(float(entry.get("t1", entry["t0"])) for entry in index.values())
            spans = [*spans, (latest - LATEST_S, latest + 1e9)]
        for name, entry in index.items():
            try:
                taken += (folder / name).stat().st_size
            except OSError:
                continue
            if entry.get("open") or entry.get("deleted"):
                continue
            t0, t1 = float(entry["t0"]), float(entry["t1"])
            marked = any(a < t1 and b > t0 for a, b in spans)
            found.append(_Piece(folder=folder, entry=entry, marked=marked))
    return found, taken
