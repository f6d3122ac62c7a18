"""A match watched through what may come between: black, silence, dropped pictures, another size, a moved camera."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.camera import CameraModel
from calibration.result import Calibration
from calibration.tables import TABLES
from referee.app.analyze.inputs import find_inputs
from referee.app.analyze.job import run_job
from referee.app.analyze.settings import Settings
from referee.app.analyze.work import Job
from referee.app.desk.matches import Matches
from referee.app.live.calibrating import DriftWatch
from referee.app.live.eye import Eye
from referee.app.live.inbox import Missed, Picture
from referee.app.live.reader import Reader
from referee.app.live.recorder import Recorder
from referee.app.live.segments import read_index
from referee.app.live.sources import FileSource
from referee.app.live.state import SeenTable, Status, Unseen
from referee.app.live.watch import MatchWatch
from tests.app.live.misbehaving import until
from tracking.records import Contact, Pocket, ShotRecord, Strike
from vision.frames import Frame, FrameStamp, video_frames

SAMPLES = Path(__file__).parents[3] / "sample_videos"
CLIP = SAMPLES / "red_and_black.mp4"
"""Two shots: struck at 2.0 s, the red drops at 4.35, all at rest at 5.3; struck at 7.7, rest at 10.4."""


class Heard:
    """A clerk that keeps what it is told."""

    def __init__(self) -> None:
        self.records: list[ShotRecord] = []
        self.gaps: list[tuple[float, float, str, int]] = []
        self.running_at: list[tuple[float, tuple[str, ...]]] = []
        self.before: Mapping[str, Any] | None = None
        self.tables: list[SeenTable] = []

    def record(self, record: ShotRecord, captured_s: float | None, rest_s: float | None) -> None:
        self.records.append(record)

    def running(self, events: Any, before: Any, t_s: float, *, gaps: Any, doubtful: Any) -> None:
        self.running_at.append((t_s, tuple(event.kind for event in events)))
        self.before = before

    def seen(self, table: SeenTable) -> None:
        self.tables.append(table)

    def gap(self, *span: Any) -> None:
        self.gaps.append(span)


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    data = json.loads(CLIP.with_suffix(".truth.json").read_text())
    return Calibration(
        table=TABLES["snooker-12ft"],
        camera=CameraModel.from_json(data["camera"]),
        residual_px=0.1,
        residual_mm=0.1,
        residual_max_px=0.2,
        found_by="file",
    )


class Watched:
    """A watch of the clip, fed by hand. later_s: what its times are moved by from now on."""

    def __init__(self, calibration: Calibration) -> None:
        self.heard = Heard()
        self.rows = 0
        self.watch = MatchWatch(self.heard, "snooker", calibration, rows=self._count, paced=True)  # type: ignore[arg-type]
        self.frames = video_frames(CLIP)
        self.later_s = 0.0
        self.t_s = 0.0

    def _count(self, rows: list[Any]) -> None:
        self.rows += len(rows)

    def play(self, until_s: float, *, dropped: bool = False) -> None:
        """The clip's frames up to this time of the clip."""
        for frame in self.frames:
            self.t_s = frame.stamp.t_s + self.later_s
            if not dropped:
                stamp = replace(frame.stamp, t_s=self.t_s)
                self.picture(Frame(stamp=stamp, picture=frame._picture))
            if frame.stamp.t_s >= until_s:
                return

    def picture(self, frame: Frame) -> None:
        self.watch.picture(Picture(frame=frame, captured_s=frame.stamp.t_s, connection=1))

    def blank(self, count: int, rate: float, size: tuple[int, int], grey: int) -> None:
        """Pictures of one grey, after what was played."""
        pixels = np.full((size[1], size[0], 3), grey, np.uint8)
        for k in range(1, count + 1):
            t_s = self.t_s + k / rate
            self.picture(Frame(stamp=FrameStamp(index=0, pts=0, time_base=Fraction(1, 1000), t_s=t_s), bgr=pixels))
        self.t_s += count / rate
        self.later_s += count / rate


@pytest.fixture
def watched(calibration: Calibration) -> Watched:
    return Watched(calibration)


def kinds(record: ShotRecord) -> list[str]:
    return [type(event).__name__ for event in record.events]


def test_a_minute_of_black_in_a_shot_is_survived_and_told(watched: Watched) -> None:
    watched.play(3.6)
    watched.blank(300, 5.0, watched.watch.calibration.camera.size, 2)
    assert watched.watch.status is Status.DARK
    (record,) = watched.heard.records
    # what was seen of the stroke stands; what became of the balls that ran is not known
    assert {"Strike", "Contact"} <= set(kinds(record))
    assert record.after is None
    assert record.gaps
    assert record.t1 < 10.0
    watched.play(13.9)
    watched.watch.finish()
    assert watched.watch.status is Status.LIVE
    assert [reason for _, _, reason, _ in watched.heard.gaps] == ["dark"] * len(watched.heard.gaps)
    assert watched.heard.gaps[0][0] == pytest.approx(3.6, abs=0.05)
    assert watched.heard.gaps[-1][1] == pytest.approx(63.6, abs=0.3)
    assert sum(t1 - t0 for t0, t1, _, _ in watched.heard.gaps) == pytest.approx(60.0, abs=0.5)
    second = watched.heard.records[-1]
    strike = next(event for event in second.events if isinstance(event, Strike))
    assert strike.t_s == pytest.approx(67.69, abs=0.1)
    assert any(isinstance(event, Pocket) for event in second.events)


def test_a_shot_is_not_waited_for_when_no_picture_comes_any_more(watched: Watched) -> None:
    watched.play(3.6)
    watched.watch.silence(watched.t_s)
    (record,) = watched.heard.records
    assert record.gaps
    assert record.after is None
    first = next(event for event in record.events if isinstance(event, Contact))
    assert first.balls[0] == "cue"
    assert first.balls[1].startswith("red")


def test_pictures_left_out_in_a_shot_are_a_gap_in_its_record(watched: Watched) -> None:
    watched.play(2.8)
    before_s = watched.t_s
    watched.play(3.1, dropped=True)
    after_s = watched.t_s + 0.04
    watched.watch.missed(Missed(t0_s=before_s, t1_s=after_s, reason=Unseen.SLOW, frames=8))
    watched.play(6.5)
    (record,) = watched.heard.records
    (gap,) = [gap for gap in record.gaps if gap.balls is None]
    assert gap.t0_s == pytest.approx(before_s, abs=0.01)
    assert gap.t1_s == pytest.approx(after_s, abs=0.01)
    assert watched.heard.gaps == [(before_s, after_s, "slow", 8)]
    assert any(isinstance(event, Pocket) for event in record.events)


def test_pictures_of_another_size_are_not_seen_and_said_to_be_so(watched: Watched) -> None:
    watched.play(1.0)
    watched.blank(10, 25.0, (640, 360), 90)
    assert watched.watch.status is Status.WRONG_SIZE
    watched.play(1.5)
    assert watched.watch.status is Status.LIVE
    watched.watch.finish()
    ((t0, t1, reason, frames),) = watched.heard.gaps
    assert (reason, frames) == ("wrong_size", 10)
    assert (t0, t1) == pytest.approx((1.0, 1.4), abs=0.05)


def test_what_runs_is_told_with_the_layout_from_which_it_was_played(watched: Watched) -> None:
    watched.play(6.5)
    first = next(t for t, happened in watched.heard.running_at if "contact" in happened)
    assert 2.61 < first < 2.61 + 0.5
    assert watched.heard.before is not None
    record = watched.heard.records[0]
    assert record.n is None
    assert record.before is not None
    assert set(watched.heard.before) == set(record.before)
    for ball, at in watched.heard.before.items():
        assert at == pytest.approx(record.before[ball], abs=6.0)
    assert watched.rows > 500
    assert watched.heard.tables
    assert watched.heard.tables[0].balls["cue"].state == "at_rest"


def test_a_camera_that_was_moved_is_noticed_after_two_looks(calibration: Calibration) -> None:
    picture = next(video_frames(CLIP)).bgr
    moved = np.roll(picture, 12, axis=1)
    looking = DriftWatch()
    looking.look(calibration, [picture] * 3)
    assert looking.distance_px is not None
    assert looking.distance_px < 1.5
    looking.look(calibration, [moved] * 3)
    assert not looking.moved
    looking.look(calibration, [moved] * 3)
    assert looking.moved
    assert looking.distance_px == pytest.approx(12.0, abs=2.0)
    looking.look(calibration, [picture] * 3)
    assert not looking.moved


# ---------------------------------------------------------------------------------------------- the whole way


def analyzed(clip: Path, game: str, out: Path) -> list[dict[str, Any]]:
    (source,), _ = find_inputs([str(clip)])
    settings = Settings(game=game, table=TABLES["snooker-12ft"])
    outcome = run_job(Job(source=source, settings=settings, out=out), lambda step: None)
    assert outcome.failure is None
    lines = (out / clip.stem / "verdicts.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture
def eye(tmp_path: Path) -> Iterator[Eye]:
    source = FileSource(path=SAMPLES / "snooker_opening.mp4", speed=float("inf"))
    recorder = Recorder(tmp_path / "matches")
    eye = Eye(source, reader=Reader(source, keep=recorder.keep), recorder=recorder, auto=True)
    eye.start()
    yield eye
    eye.stop()


def test_a_clip_played_as_a_camera_is_judged_as_when_it_is_analyzed(eye: Eye, tmp_path: Path) -> None:
    matches = Matches(tmp_path / "matches", camera=True)
    matches.on_change(lambda desk: eye.rest() if desk is None else eye.watch(desk, desk.folder))
    desk = matches.create({"game": "snooker", "players": ["A", "B"], "table": "snooker-12ft"})
    assert until(lambda: eye.state().status is Status.ENDED, 60)
    state = eye.state()
    matches.end()
    verdicts = [json.loads(json.dumps(line.verdict)) for line in desk.match.lines]
    wanted = analyzed(SAMPLES / "snooker_opening.mp4", "snooker", tmp_path / "out")
    assert verdicts == wanted
    assert (state.frames, state.dropped) == (281, 0)
    # what is beside the log
    video = read_index(desk.folder / "video")
    assert video["000001.mp4"]["t0"] + 0.001 > -0.2
    assert max(entry["t1"] for entry in video.values()) == pytest.approx(11.2, abs=0.1)
    assert until(lambda: len(list((desk.folder / "tracks").glob("*.parquet"))) == 1)
    log = [json.loads(line) for line in (desk.folder / "log.jsonl").read_text().splitlines()]
    assert [line["type"] for line in log].count("calibration") == 1
    assert until(lambda: eye.state().status is Status.WAITING)
