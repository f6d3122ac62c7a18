"""Records to play with: snooker strokes from positions that a reader can check."""

from pathlib import Path
from typing import Any

from calibration.tables import TABLES
from referee.app.desk.desk import Desk
from tracking.records import ShotRecord

COLOURS: dict[str, list[float]] = {name: list(at) for name, at in TABLES["snooker-12ft"].spots.items()}
HEADER: dict[str, Any] = {"game": "snooker", "players": ["Ann", "Bob"], "frames_to_win": 2}
REDS = {"red-1": [900.0, 2700.0], "red-2": [600.0, 2900.0], "red-3": [1300.0, 3000.0]}
TABLE: dict[str, list[float]] = {"cue": [300.0, 1200.0], **COLOURS, **REDS}


def new_desk(folder: Path, **more: Any) -> Desk:
    return Desk.create(folder / "match", {**HEADER, **more})


def stroke(
    t: float,
    hit: str | None,
    potted: dict[str, str] | None = None,
    before: dict[str, list[float]] | None = None,
    moved: dict[str, list[float]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """From ``t`` on for four seconds: what was hit first, what fell, where balls lay before and what lies elsewhere."""
    events: list[dict[str, Any]] = [{"t": t, "kind": "strike", "ball": "cue"}]
    if hit is not None:
        events.append({"t": t + 0.5, "kind": "contact", "balls": ["cue", hit]})
        events.append({"t": t + 0.8, "kind": "cushion", "ball": hit, "cushion": "top"})
    for ball, pocket in (potted or {}).items():
        events.append({"t": t + 1.0, "kind": "pocket", "ball": ball, "pocket": pocket})
    events.append({"t": t + 4.0, "kind": "rest"})
    out: dict[str, Any] = {"type": "shot", "t0": t, "t1": t + 4.0, "events": events}
    if before is not None:
        out["before"] = before
        gone = potted or {}
        out["after"] = {ball: (moved or {}).get(ball, at) for ball, at in before.items() if ball not in gone}
    return out | more


def record(*args: Any, **more: Any) -> ShotRecord:
    return ShotRecord.from_json(stroke(*args, **more))


def said(desk: Desk, lang: str = "en") -> list[str]:
    """Everything that was called, in order."""
    return [text for message in desk.messages_since(0) for text in message["call"]["announce"][lang]]
