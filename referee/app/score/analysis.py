"""Reading back the folder that ``cueref analyze`` wrote."""

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.result import Calibration

Array = NDArray[np.float64]
OFF_THE_BED = frozenset({"pocketed", "off", "gone"})
"""States of a track that claim no place on the bed."""


class ScoreError(Exception):
    """An analysis or a truth can't be read; the message says which file and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracks:
    """The rows of ``tracks.parquet`` or ``tracks.csv`` as columns of n rows: t in s, x, y in mm, u, v in px."""

    frame: NDArray[np.int64]
    t: Array
    ball: NDArray[np.str_]
    x: Array
    y: Array
    u: Array
    v: Array
    state: NDArray[np.str_]

    def on_bed(self) -> NDArray[np.bool_]:
        """(n,) rows that claim a place on the bed."""
        return np.isfinite(self.x) & ~np.isin(self.state, sorted(OFF_THE_BED))

    def frame_of(self, t_s: float) -> float:
        """The frame number, with fraction, at a time of the video's clock."""
        frames, first = np.unique(self.frame, return_index=True)
        return float(np.interp(t_s, self.t[first], frames))


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """One analyzed input; what its folder doesn't hold is empty or None."""

    stem: str
    summary: dict[str, Any] = field(default_factory=dict)
    balls: list[dict[str, Any]] | None = None
    tracks: Tracks | None = None
    shots: list[dict[str, Any]] | None = None
    verdicts: list[dict[str, Any]] | None = None
    calibration: Calibration | None = None


def read_json(path: Path) -> Any:
    """The JSON in a file; raises ScoreError."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScoreError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise ScoreError(f"{path}: not JSON: {error}") from None


def read_json_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file; raises ScoreError."""
    lines = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            lines.append(json.loads(line))
        except ValueError as error:
            raise ScoreError(f"{path}, line {number}: not JSON: {error}") from None
    return lines


def _column(rows: list[dict[str, str]], name: str) -> Array:
    return np.array([float(row[name]) if row[name] else np.nan for row in rows])


def read_tracks(folder: Path) -> Tracks | None:
    """The tracks of an analysis, from Parquet or CSV; None where there are none."""
    if (folder / "tracks.parquet").is_file():
        import pyarrow.parquet as pq

        table = pq.read_table(folder / "tracks.parquet").to_pydict()
        numbers = {name: np.array(table[name], dtype=np.float64) for name in ("t", "x", "y", "u", "v")}
        frame = np.array(table["frame"], dtype=np.int64)
        words = {name: np.array(table[name], dtype=np.str_) for name in ("ball", "state")}
    elif (folder / "tracks.csv").is_file():
        with (folder / "tracks.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        numbers = {name: _column(rows, name) for name in ("t", "x", "y", "u", "v")}
        frame = np.array([int(row["frame"]) for row in rows], dtype=np.int64)
        words = {name: np.array([row[name] for row in rows], dtype=np.str_) for name in ("ball", "state")}
    else:
        return None
    return Tracks(frame=frame, ball=words["ball"], state=words["state"], **numbers)


def read_analysis(folder: Path) -> Analysis:
    """Everything that a folder of ``cueref analyze`` holds; raises ScoreError."""
    if not (folder / "calibration.json").is_file() and not (folder / "balls.json").is_file():
        raise ScoreError(f"{folder}: not a folder written by cueref analyze (no calibration.json, no balls.json)")
    present = {name: folder / name for name in ("summary.json", "balls.json", "shots.jsonl", "verdicts.jsonl")}
    calibration = None
    if (folder / "calibration.json").is_file():
        try:
            calibration = Calibration.from_json(read_json(folder / "calibration.json"))
        except (KeyError, TypeError, ValueError) as error:
            raise ScoreError(f"{folder / 'calibration.json'}: not a calibration: {error}") from None
    return Analysis(
        stem=folder.name,
        summary=read_json(present["summary.json"]) if present["summary.json"].is_file() else {},
        balls=read_json(present["balls.json"]) if present["balls.json"].is_file() else None,
        tracks=read_tracks(folder),
        shots=read_json_lines(present["shots.jsonl"]) if present["shots.jsonl"].is_file() else None,
        verdicts=read_json_lines(present["verdicts.jsonl"]) if present["verdicts.jsonl"].is_file() else None,
        calibration=calibration,
    )
