"""Where the balls were, as columns over the frames of a span: for the drawn table, and for measuring."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from referee.app.analyze.tracks import COLUMNS, SCHEMA, Row
from referee.app.review.errors import ReviewError

LETTERS = {"at_rest": "r", "moving": "m", "hidden": "h", "pocketed": "p"}
"""Short names of a track's states; every other one is ``o``, off the table."""
WHOLE_FRAMES_S = 1e-6


class Tracks:
    """The rows of ``tracks.parquet`` or ``tracks.csv``, read by span of time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._table: pa.Table | None = None

    def rows(self, t0_s: float, t1_s: float) -> list[Row]:
        """All rows of the frames shown in the span, in order. Raises ReviewError."""
        try:
            return self._between(t0_s - WHOLE_FRAMES_S, t1_s + WHOLE_FRAMES_S)
        except (OSError, ValueError, KeyError) as error:
            raise ReviewError(f"{self.path}: can't be read ({error}); analyze again") from None

    def _between(self, t0_s: float, t1_s: float) -> list[Row]:
        if self.path.suffix == ".csv":
            table = self._whole_csv()
            return _cut(table, t0_s, t1_s)
        rows: list[Row] = []
        with pq.ParquetFile(self.path) as file:
            at = file.schema_arrow.get_field_index("t")
            for group in range(file.num_row_groups):
                span = file.metadata.row_group(group).column(at).statistics
                if span is None or not span.has_min_max or (span.min <= t1_s and span.max >= t0_s):
                    rows += _cut(file.read_row_group(group), t0_s, t1_s)
        return rows

    def _whole_csv(self) -> pa.Table:
        if self._table is None:
            with self.path.open(encoding="utf-8", newline="") as file:
                rows = [{name: _cell(name, row[name]) for name in COLUMNS} for row in csv.DictReader(file)]
            self._table = pa.Table.from_pylist(rows, schema=SCHEMA)
        return self._table

    def frame_times(self) -> list[float] | None:
        """The time of each frame from 0, None where a frame has no row. Raises ReviewError."""
        try:
            table = (
                self._whole_csv() if self.path.suffix == ".csv" else pq.read_table(self.path, columns=["frame", "t"])
            )
        except (OSError, ValueError, KeyError) as error:
            raise ReviewError(f"{self.path}: can't be read ({error}); analyze again") from None
        times: dict[int, float] = dict(zip(table["frame"].to_pylist(), table["t"].to_pylist(), strict=True))
        if not times or sorted(times) != list(range(len(times))):
            return None
        return [times[i] for i in range(len(times))]


def _cell(name: str, text: str) -> Any:
    if text == "":
        return None
    if name == "frame":
        return int(text)
    if name == "visible":
        return text == "true"
    return text if name in ("ball", "state") else float(text)


def _cut(table: pa.Table, t0_s: float, t1_s: float) -> list[Row]:
    inside = pc.and_(pc.greater_equal(table["t"], t0_s), pc.less_equal(table["t"], t1_s))
    rows: list[Row] = table.filter(inside).to_pylist()
    return rows


def by_frame(rows: Sequence[Row]) -> Iterator[tuple[int, list[Row]]]:
    """Frame number and rows of each frame, in order."""
    here: list[Row] = []
    for row in rows:
        if here and row["frame"] != here[0]["frame"]:
            yield here[0]["frame"], here
            here = []
        here.append(row)
    if here:
        yield here[0]["frame"], here


def columns(rows: Sequence[Row]) -> dict[str, Any]:
    """``{"t", "frame", "balls": {name: {"x", "y", "sigma", "state", "visible"}}}``, each a list over the frames."""
    frames = list(by_frame(rows))
    balls: dict[str, dict[str, list[Any]]] = {}
    for at, (_, here) in enumerate(frames):
        for row in here:
            own = balls.setdefault(row["ball"], _empty(len(frames)))
            for name in ("x", "y", "sigma"):
                own[name][at] = None if row[name] is None else round(row[name], 1)
            own["state"][at] = LETTERS.get(row["state"], "o")
            own["visible"][at] = row["visible"]
    return {
        "t": [round(here[0]["t"], 6) for _, here in frames],
        "frame": [frame for frame, _ in frames],
        "balls": balls,
    }


def _empty(count: int) -> dict[str, list[Any]]:
    return {name: [None] * count for name in ("x", "y", "sigma", "state", "visible")}
