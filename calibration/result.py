"""What calibrating gives: a calibrated table, or the reason why there is none."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from calibration.camera import CameraModel
from calibration.tables import TableSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A camera solved against a table.

    ``residual_px`` and ``residual_mm`` are root mean squares over the markings used, mm on the marking's own plane;
    ``residual_max_px`` is the worst. ``found_by`` says how (``markings``, ``points`` or ``file``), ``used`` names
    the markings that were found and used, ``baulk_by`` what decided which end is baulk.
    """

    table: TableSpec
    camera: CameraModel
    residual_px: float
    residual_mm: float
    residual_max_px: float
    found_by: str
    used: tuple[str, ...] = ()
    baulk_by: str = ""
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As it stands in ``calibration.json``."""
        data: dict[str, Any] = {
            field.name: getattr(self, field.name) for field in fields(self) if field.name not in ("table", "camera")
        }
        return {"table": asdict(self.table), "camera": self.camera.to_json(), **data}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Calibration":
        """The inverse of `to_json`; raises KeyError, TypeError or ValueError where a field is missing or wrong."""
        table = dict(data["table"])
        table["spots"] = {name: (float(x), float(y)) for name, (x, y) in table["spots"].items()}
        return cls(
            table=TableSpec(**table),
            camera=CameraModel.from_json(data["camera"]),
            residual_px=float(data["residual_px"]),
            residual_mm=float(data["residual_mm"]),
            residual_max_px=float(data["residual_max_px"]),
            found_by=str(data["found_by"]),
            used=tuple(data.get("used", ())),
            baulk_by=str(data.get("baulk_by", "")),
            warnings=tuple(data.get("warnings", ())),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCalibration:
    """Falsy: no table was found. ``reason`` is one sentence for the user, ``missed`` names the markings not seen."""

    reason: str
    missed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return False
