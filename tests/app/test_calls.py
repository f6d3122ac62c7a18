"""``calls.vtt`` and the tracks' file."""

import math
from pathlib import Path

from referee.app.analyze.calls import Call, timestamp, write_vtt
from referee.app.analyze.tracks import TracksWriter, read_frames, write_csv
from tracking.rows import FrameRow


def test_timestamps() -> None:
    assert timestamp(3725.0126) == "01:02:05.013"
    assert timestamp(-1.0) == "00:00:00.000"


def test_a_call_is_shown_until_it_can_be_read_or_the_next_one_falls(tmp_path: Path) -> None:
    calls = [
        Call(t_s=8.0, n=1, words=("One",)),
        Call(t_s=9.0, n=2, words=("Foul, five points", "Free ball")),
        Call(t_s=60.0, n=None, words=("A < B",)),
    ]
    write_vtt(tmp_path / "calls.vtt", calls)
    assert (tmp_path / "calls.vtt").read_text() == (
        "WEBVTT\n\n"
        "shot 1\n00:00:08.000 --> 00:00:09.000\nOne\n\n"
        "shot 2\n00:00:09.000 --> 00:00:11.500\nFoul, five points\nFree ball\n\n"
        "call 3\n00:01:00.000 --> 00:01:02.500\nA &lt; B\n"
    )


def row(frame: int, ball: str, x: float, state: str = "moving") -> FrameRow:
    return FrameRow(
        frame=frame,
        t=frame / 25,
        ball=ball,
        x=x,
        y=2.0,
        vx=3.0,
        vy=4.0,
        sigma=0.5,
        state=state,
        visible=True,
        u=math.nan,
        v=5.25,
    )


def test_rows_come_back_frame_by_frame(tmp_path: Path) -> None:
    writer = TracksWriter(tmp_path / "tracks.parquet")
    writer.add([row(0, "cue", 1.00049), row(0, "blue", 7.0, "pocketed")])
    writer.add([row(1, "cue", 2.0)])
    writer.close()
    frames = list(read_frames(tmp_path / "tracks.parquet"))
    assert [number for number, _ in frames] == [0, 1]
    cue, blue = frames[0][1]
    assert (cue["x"], cue["u"], cue["v"], cue["visible"]) == (1.0, None, 5.25, True)
    assert (blue["x"], blue["v"], blue["state"]) == (None, None, "pocketed")
    write_csv(tmp_path / "tracks.parquet", tmp_path / "tracks.csv")
    assert (tmp_path / "tracks.csv").read_text().splitlines() == [
        "frame,t,ball,x,y,vx,vy,sigma,state,visible,u,v",
        "0,0.0,cue,1.0,2.0,3.0,4.0,0.5,moving,true,,5.25",
        "0,0.0,blue,,,,,,pocketed,true,,",
        "1,0.04,cue,2.0,2.0,3.0,4.0,0.5,moving,true,,5.25",
    ]


def test_a_long_clip_is_written_in_row_groups_that_end_with_a_frame(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    writer = TracksWriter(tmp_path / "tracks.parquet")
    for frame in range(3000):
        writer.add([row(frame, f"red-{i}", float(i)) for i in range(1, 16)])
    writer.close()
    assert pq.ParquetFile(tmp_path / "tracks.parquet").num_row_groups == 3
    assert [len(rows) for _, rows in read_frames(tmp_path / "tracks.parquet")] == [15] * 3000
