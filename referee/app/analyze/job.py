"""One input from its pixels to its finished folder."""

import platform
import time
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version as installed
from itertools import islice
from pathlib import Path
from typing import Any

from calibration.result import Calibration
from referee.app.analyze.calibrating import NotCalibrated, calibration_for
from referee.app.analyze.folder import NewFolder, is_finished, write_json
from referee.app.analyze.inputs import InputKind
from referee.app.analyze.kept import KeptWriter
from referee.app.analyze.pool import Tell
from referee.app.analyze.progress import Step
from referee.app.analyze.tracks import write_csv
from referee.app.analyze.watching import Clock, Watched, Watching, write_results
from referee.app.analyze.work import Job, Outcome
from referee.app.cli import installed_version
from vision.balls import BALL_SETS
from vision.frames import Frame, SourceError, decoding_threads, open_video, read_picture
from vision.observations import Observations
from vision.observer import Observer
from vision.stills import Ball, detect_balls

TELL_EVERY_S = 0.1
TRACKED_TOGETHER = 16
"""So many frames wait for each other to be tracked: going to and fro between decoding, looking and tracking empties
the processor's caches.
"""
MOST_PIXELS = 8_000_000
"""Of the frames that wait to be looked at."""


def run_job(job: Job, tell: Tell) -> Outcome:
    """Analyzes one input. Whatever is wrong with it comes back as a failure in one line.

    ``tell`` may raise KeyboardInterrupt to stop the job, which then leaves nothing behind.
    """
    stem = job.source.stem
    try:
        job.source.check()
        tell(Step(stem=stem, stage="reading"))
        sha256 = job.source.sha256()
        settings = job.settings.to_json()
        if not job.again and is_finished(job.out, stem, sha256, settings, installed_version()):
            return Outcome(line="already done", skipped=True)
        with NewFolder(job.out, stem) as folder:
            if job.source.kind is InputKind.STILL:
                line = _StillJob(job, folder, sha256, tell).run()
            else:
                line = _ClipJob(job, folder, sha256, tell).run()
        return Outcome(line=line)
    except (SourceError, NotCalibrated) as error:
        return Outcome(failure=str(error))
    except OSError as error:
        return Outcome(failure=f"{error.filename or job.source.path}: {error.strerror or error}")


def _ball_json(ball: Ball) -> dict[str, Any]:
    numbers = {name: round(getattr(ball, name), 3) for name in ("x", "y", "u", "v", "r", "confidence")}
    return {"ball": ball.name, **numbers}


class _AnyJob:
    """What stills and clips have in common."""

    def __init__(self, job: Job, folder: Path, sha256: str, tell: Tell) -> None:
        self.job, self.folder, self.sha256, self.tell = job, folder, sha256, tell
        self.settings = job.settings
        self.balls = BALL_SETS[job.settings.game]
        self.clock = Clock()
        self.warnings: list[str] = []

    def calibrate(self) -> Calibration:
        self.tell(Step(stem=self.job.source.stem, stage="calibrating"))
        with self.clock.stage("calibrate"):
            calibration = calibration_for(self.job.source, self.settings)
        write_json(self.folder / "calibration.json", calibration.to_json())
        self.warnings += calibration.warnings
        return calibration

    def write_balls(self, balls: list[Ball]) -> None:
        write_json(self.folder / "balls.json", [_ball_json(ball) for ball in balls])

    def summary(self, facts: dict[str, Any], counts: dict[str, Any]) -> dict[str, Any]:
        source = self.job.source
        data = {
            "input": {
                "path": str(source.path),
                "kind": str(source.kind),
                "sha256": self.sha256,
                "bytes": source.size(),
                **facts,
            },
            "settings": self.settings.to_json(),
            "versions": versions(),
            "counts": counts,
            "warnings": self.warnings,
            "spent_s": {name: round(spent, 3) for name, spent in self.clock.spent_s.items()},
        }
        write_json(self.folder / "summary.json", data)
        return data


@cache
def versions() -> dict[str, str]:
    """Of cueref, Python and the libraries that results depend on."""
    names = ("av", "filterpy", "numpy", "opencv-python", "scipy")
    return {
        "cueref": installed_version(),
        "python": platform.python_version(),
        **{name: installed(name) for name in names},
    }


class _StillJob(_AnyJob):
    def run(self) -> str:
        calibration = self.calibrate()
        picture = read_picture(self.job.source.path)
        with self.clock.stage("detect"):
            balls = detect_balls(picture, calibration, self.balls)
        self.write_balls(balls)
        if self.settings.overlay:
            from referee.app.overlay.still import write_still_overlay

            write_still_overlay(
                self.folder / "overlay.png", picture, calibration, balls, self.settings.lang, self.settings.game
            )
        height, width = picture.shape[:2]
        summary = self.summary({"width": width, "height": height}, {"balls": len(balls)})
        if self.settings.report:
            from referee.app.report.page import write_report

            write_report(self.folder, summary, calibration, [_ball_json(ball) for ball in balls], [], [])
        return f"{len(balls)} balls"


class _ClipJob(_AnyJob):
    first_balls: list[Ball] | None = None
    """Those of the first frame that shows the table."""

    frames: Iterator[Frame] | None = None
    """A video's, opened for its facts."""

    def run(self) -> str:
        source = self.job.source
        facts = self._facts()
        calibration = self.calibrate()
        watched = self._watch(calibration, facts.get("frame_count") or len(source.files))
        self.write_balls(self.first_balls or [])
        write_results(self.folder, watched)
        if self.settings.overlay:
            self._overlay(calibration, watched)
        facts |= {"frames": watched.frames, "first_t_s": watched.first_t_s, "last_t_s": watched.last_t_s}
        summary = self.summary(facts, self._counts(watched))
        if self.settings.report:
            from referee.app.report.page import write_report

            balls = [_ball_json(ball) for ball in self.first_balls or []]
            verdicts = [each.verdict for each in watched.judged]
            write_report(self.folder, summary, calibration, balls, watched.shots, verdicts)
        if self.settings.tracks == "csv":
            write_csv(self.folder / "tracks.parquet", self.folder / "tracks.csv")
            (self.folder / "tracks.parquet").unlink()
        return self._line(watched)

    def _facts(self) -> dict[str, Any]:
        source = self.job.source
        if source.kind is InputKind.SEQUENCE:
            assert source.rate is not None
            if source.rate_assumed:
                self.warnings.append(
                    f"the pictures carry no time: {float(source.rate):g} a second assumed; say how many with --fps"
                )
            return {"frame_count": len(source.files), "pictures_per_second": float(source.rate)}
        facts, self.frames = open_video(source.path)
        return {
            "width": facts.width,
            "height": facts.height,
            "codec": facts.codec,
            "frame_count": facts.frame_count,
            "duration_s": facts.duration_s,
        }

    def _watch(self, calibration: Calibration, total: int) -> Watched:
        """Every frame through vision and tracking, every shot through the rules."""
        stem, kept = self.job.source.stem, self.job.keep
        observer = Observer(calibration, self.balls)
        watching = Watching(calibration, self.settings, self.folder / "tracks.parquet", self.clock)
        keeper = KeptWriter(kept, self.balls.kinds) if kept is not None else None
        told = time.monotonic()
        waiting: list[Observations] = []
        try:
            for frames in self._batches():
                with self.clock.stage("observe"):
                    seen = [observer.observe(frame) for frame in frames]
                if self.first_balls is None and seen[0].view:
                    with self.clock.stage("detect"):
                        self.first_balls = observer.first_balls(frames[0])
                if keeper is not None:
                    for observations in seen:
                        keeper.add(observations)
                waiting += seen
                if len(waiting) >= TRACKED_TOGETHER:
                    self._track(watching, waiting)
                if time.monotonic() - told > TELL_EVERY_S:
                    told = time.monotonic()
                    self.tell(Step(stem=stem, stage="watching", done=watching.watched.frames, total=total))
            self._track(watching, waiting)
            watched = watching.finish()
        finally:
            watching.close()
            if keeper is not None:
                keeper.close()
        self.warnings += watched.warnings
        return watched

    @staticmethod
    def _track(watching: Watching, waiting: list[Observations]) -> None:
        """Takes up what waits."""
        for observations in waiting:
            watching.step(observations)
        waiting.clear()

    def _batches(self) -> Iterator[list[Frame]]:
        """The frames, one by one until the table has been seen, then several at a time where that saves time.

        Decoding that has threads of its own goes on while a frame is looked at; then each is taken as it comes.
        """
        frames = self._decoded()
        for frame in frames:
            yield [frame]
            if self.first_balls is not None and decoding_threads() == 1:
                width, height = frame.size
                count = min(TRACKED_TOGETHER // 2, MOST_PIXELS // (width * height))
                while count > 1 and (batch := list(islice(frames, count))):
                    yield batch

    def _decoded(self) -> Iterator[Frame]:
        """The input's frames, all of one size; raises SourceError."""
        source = self.job.source
        frames = source.frames() if self.frames is None else self.frames
        size = None
        while True:
            with self.clock.stage("decode"):
                frame = next(frames, None)
            if frame is None:
                return
            if size is not None and frame.size != size:
                raise SourceError(
                    f"{source.path}: the picture's size changes at frame {frame.stamp.index}; split the file there"
                )
            size = frame.size
            yield frame

    def _overlay(self, calibration: Calibration, watched: Watched) -> None:
        from referee.app.overlay.story import tell_story
        from referee.app.overlay.video import write_overlay

        stem = self.job.source.stem
        timed = [(each.t_s, each.verdict) for each in watched.judged]
        with self.clock.stage("overlay"):
            write_overlay(
                self.folder / "overlay.mp4",
                self.job.source,
                calibration,
                self.folder / "tracks.parquet",
                tell_story(watched.shots, timed, watched.calls, self.settings.lang),
                lang=self.settings.lang,
                game=self.settings.game,
                tell=lambda done: self.tell(Step(stem=stem, stage="overlay", done=done, total=watched.frames)),
            )

    def _counts(self, watched: Watched) -> dict[str, Any]:
        verdicts = [each.verdict for each in watched.judged]
        return {
            "balls": len(self.first_balls or []),
            "frames": watched.frames,
            "repeated_frames": watched.repeats,
            "frames_without_the_table": watched.unseen,
            "shots": len(watched.shots),
            "verdicts": len(verdicts),
            "fouls": sum(bool(verdict.get("fouls")) for verdict in verdicts),
            "undecided": sum(bool(verdict.get("undecided")) for verdict in verdicts),
            "assumed": sum(bool(verdict.get("assumed")) for verdict in verdicts),
        }

    def _line(self, watched: Watched) -> str:
        shots = len(watched.shots)
        line = f"{watched.frames} frames, {shots} shot{'' if shots == 1 else 's'}"
        if watched.judged:
            score = watched.judged[-1].verdict.get("score") or {}
            line += "; score " + ", ".join(f"{player} {points}" for player, points in score.items())
        questions = sum(bool(each.verdict.get("undecided")) for each in watched.judged)
        return line + (f"; {questions} left to the referee" if questions else "")
