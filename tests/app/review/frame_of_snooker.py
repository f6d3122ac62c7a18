"""An analyzed folder of four strokes that anybody can score by hand, made without a video."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from calibration.camera import CameraModel
from calibration.result import Calibration
from calibration.tables import TABLES
from referee.app.analyze.folder import write_json, write_lines
from referee.app.analyze.refereeing import Refereeing
from referee.app.analyze.settings import Settings
from tracking.records import ShotRecord

TABLE = TABLES["snooker-12ft"]
PLACES: dict[str, tuple[float, float]] = {
    "cue": (700.0, 700.0),
    "red-1": (600.0, 2500.0),
    "red-2": (1200.0, 2600.0),
    "red-3": (500.0, 1500.0),
    **TABLE.spots,
}


def camera() -> CameraModel:
    """Straight above the table's middle, 4 m up, 1280 × 720, the table's length along the picture's width."""
    return CameraModel(
        matrix=np.array([[1300.0, 0, 640], [0, 1300.0, 360], [0, 0, 1]]),
        distortion=np.zeros(5),
        rotation=np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]]),
        translation=np.array([-1784.5, -889.0, 4000.0]),
        size=(1280, 720),
    )


def calibration() -> Calibration:
    return Calibration(
        table=TABLE, camera=camera(), residual_px=0.5, residual_mm=1.5, residual_max_px=1.0, found_by="markings"
    )


def stroke(n: int, hit: str, fell: str | None = None, *, confidence: float = 0.97, gone: tuple[str, ...] = ()) -> Any:
    """The cue ball hits a ball at t = 10 n + 1, which falls top left; ``gone`` fell earlier."""
    t0 = 10.0 * n
    before = {name: at for name, at in PLACES.items() if name not in gone}
    events: list[dict[str, Any]] = [
        {"t": t0, "kind": "strike", "ball": "cue", "t_sigma": 0.003, "confidence": 0.98},
        {"t": t0 + 1, "kind": "contact", "balls": ["cue", hit], "t_sigma": 0.01, "confidence": confidence},
    ]
    if fell is not None:
        events.append({"t": t0 + 2, "kind": "pocket", "ball": fell, "pocket": "top-left", "confidence": 0.96})
    events.append({"t": t0 + 4, "kind": "rest"})
    after = {name: at for name, at in before.items() if name != fell}
    return {"type": "shot", "n": n, "t0": t0, "t1": t0 + 5, "before": before, "after": after, "events": events}


FRAME = (
    stroke(1, "red-1", "red-1"),
    stroke(2, "black", "black", confidence=0.6, gone=("red-1",)),
    stroke(3, "red-2", "red-2", gone=("red-1",)),
    stroke(4, "pink", gone=("red-1", "red-2")),
)
"""Red, black, red, and a pink that stays out: A has 1, 8, 9, 9."""


def settings(**more: Any) -> Settings:
    state = {"on": ["red"], "score": {"A": 0, "B": 0}}
    return Settings(game="snooker", table=TABLE, **{"state": state, **more})


def analyzed(folder: Path, records: tuple[Any, ...] = FRAME, chosen: Settings | None = None) -> Path:
    """Writes the folder as ``cueref analyze`` does, without tracks."""
    folder.mkdir(parents=True)
    chosen = chosen or settings()
    referee = Refereeing(chosen)
    shots, verdicts = [], []
    for data in records:
        judged = referee.shot(ShotRecord.from_json(data))
        shots.append(judged.record.to_json())
        verdicts += [each.verdict for each in judged.verdicts]
    verdicts += [each.verdict for each in referee.finish()]
    write_lines(folder / "shots.jsonl", shots)
    write_lines(folder / "verdicts.jsonl", verdicts)
    write_json(folder / "calibration.json", calibration().to_json())
    source = {"path": str(folder.parent / "moved.mp4"), "kind": "video", "bytes": 1000, "frames": 2000}
    summary = {
        "input": source,
        "settings": chosen.to_json(),
        "versions": {},
        "counts": {},
        "warnings": referee.warnings,
    }
    write_json(folder / "summary.json", summary)
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
