"""What a run of ``cueref analyze`` was asked to do, the same for all its inputs."""

from dataclasses import asdict, dataclass
from typing import Any

from calibration.result import Calibration
from calibration.tables import TableSpec

Points = dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Read and checked before the first input is touched; picklable, and comparable by `to_json`.

    calibration: used as it is for every input, or None: each input is calibrated by its own pictures. points: named
    points of the table and their pixels. state and inputs: the parsed files, None and empty where not given.
    """

    game: str
    table: TableSpec
    calibration: Calibration | None = None
    points: Points | None = None
    baulk: str | None = None
    state: dict[str, Any] | None = None
    inputs: tuple[dict[str, Any], ...] = ()
    nominations: str = "inferred"
    lang: str = "en"
    tracks: str = "parquet"
    overlay: bool = False
    report: bool = False

    def to_json(self) -> dict[str, Any]:
        """As it stands in ``summary.json``: two runs with the same come to the same results."""
        data = asdict(self)
        data["calibration"] = self.calibration.to_json() if self.calibration is not None else None
        data["inputs"] = list(self.inputs)
        return data
