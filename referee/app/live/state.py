"""What the camera's side tells the others: how the source is, what is seen now, and what was not seen.

Pure standard library, so that whoever listens needs no library for pictures.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from referee.app.said import in_words

Corner = tuple[float, float]


class Status(StrEnum):
    """How the source is.

    OPENING: not connected yet. WAITING: a file that stands at its first picture until the match begins. LIVE: pictures
    come. LOST: no picture comes; it is tried again. DARK: pictures come and are black. NO_VIEW: they don't show the
    calibrated table. WRONG_SIZE: their size is not the calibration's. ENDED: a file was played to its end. FAILED: it
    can't be opened and will not be tried again.
    """

    OPENING = "opening"
    WAITING = "waiting"
    LIVE = "live"
    LOST = "lost"
    DARK = "dark"
    NO_VIEW = "no_view"
    WRONG_SIZE = "wrong_size"
    ENDED = "ended"
    FAILED = "failed"


class Unseen(StrEnum):
    """Why a span of time was not seen.

    SLOW: frames dropped because the machine was too slow. LOST: the source gave none. DISORDER: they came with stamps
    that can't be ordered. DARK, NO_VIEW, WRONG_SIZE: as in `Status`.
    """

    SLOW = "slow"
    LOST = "lost"
    DISORDER = "disorder"
    DARK = "dark"
    NO_VIEW = "no_view"
    WRONG_SIZE = "wrong_size"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """The source as it is now.

    name: without a password in it. size: (width, height) in px, None before the first picture. fps: pictures a second
    seen of late. frames, dropped: pictures watched, and those left out because the machine was too slow, since the
    start. connection: counts from 1; offset_s: what its stamps are moved by to give ``t``. t_s: of the newest picture.
    latency_*: seconds from the light of the picture that decided a call to the call, over the last calls; None where
    none was made. verdict_*: from all balls at rest to the verdict. said: one line on what is wrong, empty where
    nothing is. drift_px: how far the table lies from where the calibration puts it, where that was looked at.
    recording: whether video is being kept; disk: what is wrong with it, or None.
    """

    status: Status
    name: str
    said: str = ""
    size: tuple[int, int] | None = None
    fps: float = 0.0
    frames: int = 0
    dropped: int = 0
    connection: int = 0
    offset_s: float = 0.0
    t_s: float | None = None
    latency_p50_s: float | None = None
    latency_p95_s: float | None = None
    verdict_p50_s: float | None = None
    verdict_p95_s: float | None = None
    drift_px: float | None = None
    moved: bool = False
    recording: bool = False
    disk: str | None = None

    def to_json(self) -> dict[str, Any]:
        def short(value: float | None) -> float | None:
            return None if value is None else round(value, 3)

        return {
            "status": str(self.status),
            "name": self.name,
            "said": self.said,
            "said_text": in_words(self.said),
            "size": None if self.size is None else list(self.size),
            "fps": round(self.fps, 1),
            "frames": self.frames,
            "dropped": self.dropped,
            "connection": self.connection,
            "offset": round(self.offset_s, 6),
            "t": short(self.t_s),
            "latency": {"p50": short(self.latency_p50_s), "p95": short(self.latency_p95_s)},
            "verdict": {"p50": short(self.verdict_p50_s), "p95": short(self.verdict_p95_s)},
            "drift_px": short(self.drift_px),
            "moved": self.moved,
            "recording": self.recording,
            "disk": self.disk,
            "disk_text": None if self.disk is None else in_words(self.disk),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBall:
    """A ball as the tracker holds it: mm, ``state`` one of ``at_rest``, ``moving``, ``hidden``."""

    x: float
    y: float
    state: str
    visible: bool
    sigma_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTable:
    """What is seen at ``t_s``: balls on the table by name; blind: polygons in mm of what covers the table; view: False
    where the picture doesn't show the table; running: whether a shot is on."""

    t_s: float
    balls: Mapping[str, SeenBall] = field(default_factory=dict)
    blind: tuple[tuple[Corner, ...], ...] = ()
    view: bool = True
    running: bool = False
