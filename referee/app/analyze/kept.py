"""What vision saw of a clip, kept on disk frame by frame, so that the stages after it run again without decoding.

A Parquet file with a row a frame; numbers are kept exactly. The ball kinds that identities are about stand in the
schema's metadata.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from vision.frames import FrameStamp
from vision.observations import Observations

FRAMES_A_GROUP = 500
_NUMBERS = pa.list_(pa.float64())
ARRAYS = ("xy_mm", "cov_mm2", "uv_px", "radius_px", "identity_logp", "visibility")
FIELDS = [
    pa.field("index", pa.int64()),
    pa.field("pts", pa.int64()),
    pa.field("time_base", pa.string()),
    pa.field("t_s", pa.float64()),
    pa.field("repeat", pa.bool_()),
    pa.field("view", pa.bool_()),
    *(pa.field(name, _NUMBERS) for name in ARRAYS),
    pa.field("blind", pa.list_(_NUMBERS)),
    pa.field("in_pockets_mm", _NUMBERS),
]


class KeptWriter:
    """Writes the observations of a clip as they come; memory doesn't grow with it."""

    def __init__(self, path: Path, identities: tuple[str, ...]) -> None:
        self.schema = pa.schema(FIELDS, metadata={"identities": json.dumps(identities)})
        self._writer = pq.ParquetWriter(path, self.schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def add(self, seen: Observations) -> None:
        stamp = seen.stamp
        row: dict[str, Any] = {name: getattr(seen, name).ravel().tolist() for name in ARRAYS}
        row |= {"index": stamp.index, "pts": stamp.pts, "time_base": str(stamp.time_base), "t_s": stamp.t_s}
        row |= {"in_pockets_mm": seen.in_pockets_mm.ravel().tolist()}
        row |= {"repeat": seen.repeat, "view": seen.view, "blind": [part.ravel().tolist() for part in seen.blind]}
        self._rows.append(row)
        if len(self._rows) >= FRAMES_A_GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self.schema))
            self._rows = []

    def close(self) -> None:
        self._flush()
        self._writer.close()


def read_kept(path: Path) -> Iterator[Observations]:
    """The observations of a clip in order, equal to those that were kept in every bit."""
    with pq.ParquetFile(path) as file:
        identities = tuple(json.loads(file.schema_arrow.metadata[b"identities"]))
        shapes = {"xy_mm": (2,), "cov_mm2": (2, 2), "uv_px": (2,), "identity_logp": (len(identities),)}
        for group in range(file.num_row_groups):
            for row in file.read_row_group(group).to_pylist():
                n = len(row["radius_px"])
                arrays = {name: np.array(row[name], np.float64).reshape(n, *shapes.get(name, ())) for name in ARRAYS}
                yield Observations(
                    stamp=FrameStamp(
                        index=row["index"], pts=row["pts"], time_base=Fraction(row["time_base"]), t_s=row["t_s"]
                    ),
                    identities=identities,
                    blind=tuple(np.array(part, np.float64).reshape(-1, 2) for part in row["blind"]),
                    in_pockets_mm=np.array(row.get("in_pockets_mm") or (), np.float64).reshape(-1, 2),
                    repeat=row["repeat"],
                    view=row["view"],
                    **arrays,
                )
