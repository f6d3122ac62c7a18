"""Reading the folder that ``cueref analyze`` wrote, strictly: each problem is one line that names the file."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from calibration.result import Calibration
from calibration.tables import TableSpec
from referee.app.analyze.settings import Settings
from referee.app.review.errors import ReviewError
from referee.app.review.fold import Base
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord, parse_json, read_object

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyzedFolder:
    """What an analysis of a clip left: its facts, its records as the base of a fold, and the verdicts it gave."""

    folder: Path
    summary: dict[str, Any]
    calibration: Calibration
    base: Base
    verdicts: tuple[dict[str, Any], ...]

    @property
    def video(self) -> Path:
        """Where the video was when it was analyzed."""
        return Path(self.summary["input"]["path"])

    @property
    def tracks(self) -> Path | None:
        return next((path for name in ("parquet", "csv") if (path := self.folder / f"tracks.{name}").is_file()), None)


def is_analyzed(folder: Path) -> bool:
    """Whether it holds the analysis of a clip (a still has no shots)."""
    return (folder / "summary.json").is_file() and (folder / "shots.jsonl").is_file()


def read_analyzed(folder: Path) -> AnalyzedFolder:
    """Raises ReviewError."""
    summary = _read(folder / "summary.json", lambda text: read_object(parse_json(text), "summary"))
    calibration = _read(folder / "calibration.json", _calibration)
    records = _read(folder / "shots.jsonl", _records)
    verdicts = _read(folder / "verdicts.jsonl", lambda text: [parse_json(line) for line in text.splitlines()])
    try:
        settings = _settings(summary["settings"])
        _ = summary["input"]["path"]
    except (KeyError, TypeError, ValueError) as error:
        raise ReviewError(
            f"{folder / 'summary.json'}: not a summary.json of cueref ({error!r}); analyze again"
        ) from None
    return AnalyzedFolder(
        folder=folder,
        summary=summary,
        calibration=calibration,
        base=Base(settings=settings, records=records),
        verdicts=tuple(verdicts),
    )


def _read(path: Path, parse: Callable[[str], T]) -> T:
    try:
        return parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReviewError(f"{path}: can't be read ({error.strerror or error}); analyze again") from None
    except (UnicodeDecodeError, ValueError, KeyError, TypeError) as error:
        raise ReviewError(f"{path}: not as cueref writes it ({error}); analyze again") from None


def _calibration(text: str) -> Calibration:
    return Calibration.from_json(read_object(parse_json(text), "calibration"))


def _records(text: str) -> tuple[ShotRecord, ...]:
    """As they were seen: what was nominated and observed came from people or was inferred, never from the picture."""
    records = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            record = ShotRecord.from_json(parse_json(line))
        except MalformedRecord as error:
            raise ValueError(f"line {number}: {error}") from None
        records.append(replace(record, n=record.n or number, nominated=None, observed=()))
    return tuple(records)


def _settings(data: dict[str, Any]) -> Settings:
    """As far as the referee needs them."""
    table = dict(data["table"])
    table["spots"] = {name: (float(x), float(y)) for name, (x, y) in table["spots"].items()}
    return Settings(
        game=data["game"],
        table=TableSpec(**table),
        state=data["state"],
        inputs=tuple(data["inputs"]),
        nominations=data["nominations"],
        lang=data["lang"],
    )
