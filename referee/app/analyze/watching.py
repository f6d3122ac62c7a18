"""From what vision saw of a clip, now or earlier, to its tracks, shots, verdicts and calls."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibration.result import Calibration
from referee.app.analyze.calls import Call, write_vtt
from referee.app.analyze.folder import write_lines
from referee.app.analyze.refereeing import Judged, Refereeing
from referee.app.analyze.settings import Settings
from referee.app.analyze.tracks import TracksWriter
from tracking.records import ShotRecord
from tracking.watcher import ShotWatcher
from vision.balls import BALL_SETS
from vision.observations import Observations


@dataclass(slots=True)
class Clock:
    """Seconds spent in each stage."""

    spent_s: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.spent_s[name] = self.spent_s.get(name, 0.0) + time.perf_counter() - began


@dataclass(slots=True)
class Watched:
    """What came of a clip's frames. ``unseen``: frames that don't show the table."""

    frames: int = 0
    repeats: int = 0
    unseen: int = 0
    first_t_s: float = 0.0
    last_t_s: float = 0.0
    shots: list[dict[str, Any]] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def calls(self) -> list[Call]:
        return [Call(t_s=each.t_s, n=each.n, words=each.words) for each in self.judged if each.words]


class Watching:
    """Takes a clip's observations in order; rows of ``tracks.parquet`` are on disk as they settle."""

    def __init__(self, calibration: Calibration, settings: Settings, tracks: Path, clock: Clock) -> None:
        self.watched = Watched()
        self._watcher = ShotWatcher(calibration.table, BALL_SETS[settings.game], camera=calibration.camera)
        self._referee = Refereeing(settings)
        self._rows = TracksWriter(tracks)
        self._clock = clock

    def step(self, observations: Observations) -> None:
        """One frame."""
        watched, t_s = self.watched, observations.stamp.t_s
        with self._clock.stage("track"):
            records = self._watcher.step(observations)
            settled = list(self._watcher.frame_rows())
        with self._clock.stage("write tracks"):
            self._rows.add(settled)
        self._judge(records)
        watched.first_t_s = t_s if watched.frames == 0 else watched.first_t_s
        watched.last_t_s = t_s
        watched.frames += 1
        watched.repeats += observations.repeat
        watched.unseen += not observations.view

    def finish(self) -> Watched:
        """The end of the clip: what was still running is closed and judged."""
        self._judge(self._watcher.finish())
        self._rows.add(self._watcher.frame_rows())
        self.watched.judged += self._referee.finish()
        self.watched.warnings += self._referee.warnings
        return self.watched

    def close(self) -> None:
        """The file of the tracks is complete, or given up."""
        self._rows.close()

    def _judge(self, records: Sequence[ShotRecord]) -> None:
        with self._clock.stage("judge"):
            for record in records:
                judged = self._referee.shot(record)
                self.watched.judged += judged.verdicts
                self.watched.shots.append(judged.record.to_json())


def write_results(folder: Path, watched: Watched) -> None:
    """``shots.jsonl``, ``verdicts.jsonl`` and ``calls.vtt``."""
    write_lines(folder / "shots.jsonl", watched.shots)
    write_lines(folder / "verdicts.jsonl", [each.verdict for each in watched.judged])
    write_vtt(folder / "calls.vtt", watched.calls)
