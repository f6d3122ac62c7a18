"""A table on the network whose stream hangs in a shot: the match goes on, and its log says what was unseen."""

import io
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import pytest

from calibration.camera import CameraModel
from calibration.result import Calibration
from calibration.tables import TABLES
from referee.app.desk.matches import Matches
from referee.app.live.eye import Eye
from referee.app.live.inbox import Inbox
from referee.app.live.reader import Reader
from referee.app.live.recorder import Recorder
from referee.app.live.segments import read_index
from referee.app.live.sources import StreamSource
from tests.app.live.misbehaving import Camera, Step, until

CLIP = Path(__file__).parents[3] / "sample_videos" / "red_and_black.mp4"
"""Struck at 2.0 s, the red drops at 4.35, rest at 5.3; struck at 7.7, the black drops at 9.98, rest at 10.4."""

BEGINS_S, HANGS_S, GOES_ON_S = 0.5, 3.6, 6.0


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    data = json.loads(CLIP.with_suffix(".truth.json").read_text())
    camera = CameraModel.from_json(data["camera"])
    return Calibration(
        table=TABLES["snooker-12ft"],
        camera=camera,
        residual_px=0.1,
        residual_mm=0.1,
        residual_max_px=0.2,
        found_by="file",
    )


@pytest.fixture(scope="module")
def stream() -> list[tuple[float, bytes]]:
    """The clip as MPEG-TS with a key frame every half second: time and bytes of each picture."""
    memory, pieces, sent = io.BytesIO(), [], 0
    with av.open(str(CLIP)) as source, av.open(memory, "w", format="mpegts", options={"flush_packets": "1"}) as out:
        track = source.streams.video[0]
        coded = out.add_stream("libx264", rate=25)
        coded.width, coded.height, coded.pix_fmt = track.width, track.height, "yuv420p"
        coded.codec_context.options = {"preset": "ultrafast", "tune": "zerolatency", "crf": "16", "g": "12"}
        for frame in source.decode(track):
            t_s = frame.time
            frame.pict_type = 0
            for packet in coded.encode(frame):
                out.mux(packet)
            data = memory.getvalue()
            pieces.append((t_s, data[sent:]))
            sent = len(data)
    return pieces


def test_a_stream_that_hangs_in_a_shot(
    calibration: Calibration, stream: list[tuple[float, bytes]], tmp_path: Path
) -> None:
    begun = threading.Event()

    def script(connection: int) -> Iterator[Step]:
        first = connection == 1
        for t_s, data in stream:
            while t_s >= BEGINS_S and not begun.is_set():
                yield 0.02
            if (t_s < HANGS_S) if first else (t_s >= GOES_ON_S):
                yield data
                yield 0.01
        yield None

    with Camera(script) as url:
        source = StreamSource(url=url, read_s=1.5)
        recorder = Recorder(tmp_path)
        reader = Reader(source, inbox=Inbox(60.0), keep=recorder.keep)
        eye = Eye(source, reader=reader, recorder=recorder, calibration=calibration)
        matches = Matches(tmp_path, camera=True)
        matches.on_change(lambda desk: eye.rest() if desk is None else eye.watch(desk, desk.folder))
        desk = matches.create({"game": "snooker", "players": ["A", "B"], "on": ["red"]})
        eye.start()
        assert until(lambda: "calibration" in (desk.folder / "log.jsonl").read_text())
        time.sleep(0.3)
        begun.set()
        assert until(lambda: len(desk.match.shots) == 2)
        matches.end()
        eye.stop()
    log = [json.loads(line) for line in (desk.folder / "log.jsonl").read_text().splitlines()]
    first, second = (line for line in log if line["type"] == "shot")
    kinds = [event["kind"] for event in first["events"]]
    assert kinds[:2] == ["strike", "contact"]
    assert "pocket" not in kinds
    assert first["gaps"]
    assert first.get("after") is None
    assert [event["ball"] for event in second["events"] if event["kind"] == "pocket"] == ["black"]
    # the stream is away for as long as it takes to notice and to connect again, by the clock
    lost = [line for line in log if line["type"] == "gap" and line["reason"] == "lost"]
    assert lost[0]["t0"] - first["t0"] == pytest.approx(HANGS_S - 2.0, abs=0.25)
    assert lost[-1]["t1"] - lost[0]["t0"] > 1.5
    statuses = _without_repeats(line["state"]["status"] for line in log if line["type"] == "source")
    assert statuses[-3:] == ["live", "lost", "live"]
    pieces = read_index(desk.folder / "video")
    assert len(pieces) >= 2
    assert all("open" not in entry for entry in pieces.values())


def _without_repeats(values: Any) -> list[str]:
    found: list[str] = []
    for value in values:
        if not found or found[-1] != value:
            found.append(value)
    return found
