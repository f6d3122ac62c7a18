"""``tracks.parquet``: a row per ball and frame, written as the frames come and read back frame by frame."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tracking.rows import FrameRow
from tracking.tracks import ON_TABLE

ROWS_A_GROUP = 20_000
SCHEMA = pa.schema(
    [
        pa.field("frame", pa.int64(), nullable=False),
        pa.field("t", pa.float64(), nullable=False),
        pa.field("ball", pa.string(), nullable=False),
        *(pa.field(name, pa.float64()) for name in ("x", "y", "vx", "vy", "sigma")),
        pa.field("state", pa.string(), nullable=False),
        pa.field("visible", pa.bool_(), nullable=False),
        *(pa.field(name, pa.float64()) for name in ("u", "v")),
    ]
)
COLUMNS = tuple(SCHEMA.names)
PLACE = frozenset({"x", "y", "vx", "vy", "sigma", "u", "v"})
Row = dict[str, Any]


def _table(rows: Sequence[FrameRow]) -> pa.Table:
    """The rows as columns of the file; a ball that isn't on the table has no place."""
    columns: dict[str, Any] = dict(zip(FrameRow._fields, zip(*rows, strict=True), strict=True))
    here = np.array([state in ON_TABLE for state in columns["state"]])
    for name in PLACE:
        values = np.array(columns[name], dtype=np.float64)
        columns[name] = pa.array(np.round(values, 3), mask=~(here & np.isfinite(values)))
    return pa.table({name: columns[name] for name in COLUMNS}, schema=SCHEMA)


class TracksWriter:
    """Writes row groups that end with a frame, so that memory doesn't grow with the clip."""

    def __init__(self, path: Path) -> None:
        self._writer = pq.ParquetWriter(path, SCHEMA, compression="zstd")
        self._rows: list[FrameRow] = []

    def add(self, rows: Iterable[FrameRow]) -> None:
        """The rows come in order of frames."""
        for row in rows:
            if len(self._rows) >= ROWS_A_GROUP and row.frame != self._rows[-1].frame:
                self._flush()
            self._rows.append(row)

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(_table(self._rows))
            self._rows = []

    def close(self) -> None:
        self._flush()
        self._writer.close()


def read_frames(path: Path) -> Iterator[tuple[int, list[Row]]]:
    """Frame number and rows of each frame in order, one row group in memory at a time."""
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            frame = -1
            rows: list[Row] = []
            for row in file.read_row_group(group).to_pylist():
                if row["frame"] != frame and rows:
                    yield frame, rows
                    rows = []
                frame = row["frame"]
                rows.append(row)
            if rows:
                yield frame, rows


def write_csv(parquet: Path, path: Path) -> None:
    """The same rows as comma-separated values, with an empty field where there is no value."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for _, rows in read_frames(parquet):
            writer.writerows({**row, "visible": str(row["visible"]).lower()} for row in rows)
