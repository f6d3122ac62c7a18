"""Video beside the log: copied packet by packet, cut at key frames, timed like the records, whole after a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from referee.app.live import space
from referee.app.live.inbox import Inbox
from referee.app.live.reader import Kept, Reader
from referee.app.live.recorder import Recorder
from referee.app.live.segments import add_to_index, mend, read_index
from referee.app.live.sources import FileSource
from referee.app.live.state import Status
from tests.app.live.misbehaving import plain_picture, until

Build = Callable[..., Path]


def write_film(
    path: Path, count: int, *, codec: str = "libx264", options: dict[str, str] | None = None, every: int = 12
) -> Path:
    """``count`` pictures, 25 a second, a key frame every so many."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=25)
        stream.width, stream.height = 320, 240
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        stream.codec_context.gop_size = every
        stream.codec_context.options = options or {}
        for number in range(count):
            frame = av.VideoFrame.from_ndarray(plain_picture(number), format="bgr24")
            out.mux(stream.encode(frame.reformat(format=stream.pix_fmt)))
        out.mux(stream.encode(None))
    return path


def kept_of(path: Path) -> list[Kept]:
    """What the reader hands to the recorder of a file."""
    kept: list[Kept] = []
    reader = Reader(FileSource(path=path, speed=float("inf")), inbox=Inbox(1e9), keep=kept.append)
    reader.start()
    reader.play()
    assert until(lambda: reader.status is Status.ENDED)
    reader.stop()
    return kept


def recorded(kept: list[Kept], matches: Path, **how: Any) -> Path:
    recorder = Recorder(matches, **how)
    recorder.begin(matches / "m")
    for each in kept:
        recorder.keep(each)
    recorder.end()
    assert recorder.problem is None
    return matches / "m" / "video"


def packets(path: Path) -> list[tuple[float, bytes]]:
    """Presentation time and bytes of each packet, in the order of presentation."""
    with av.open(str(path)) as container:
        found = [(float(p.pts * p.time_base), bytes(p)) for p in container.demux(video=0) if p.size]
    return sorted(found)


def whole(folder: Path) -> list[tuple[float, bytes]]:
    """The packets of all pieces by the match's time."""
    return sorted(
        (entry["t0"] + t, data) for name, entry in read_index(folder).items() for t, data in packets(folder / name)
    )


@pytest.mark.parametrize("frames", ["0", "2"], ids=["no B-frames", "B-frames"])
def test_h264_is_copied_bit_by_bit_and_keeps_its_times(tmp_path: Path, frames: str) -> None:
    film = write_film(tmp_path / "film.mp4", 60, options={"bf": frames, "preset": "fast"})
    folder = recorded(kept_of(film), tmp_path / "matches", segment_s=1.0)
    source = packets(film)
    copy = whole(folder)
    assert [data for _, data in copy] == [data for _, data in source]
    assert [t for t, _ in copy] == pytest.approx([t for t, _ in source], abs=1e-4)


def test_pieces_begin_with_a_key_frame_and_the_index_says_where(tmp_path: Path) -> None:
    film = write_film(tmp_path / "film.mp4", 60, options={"bf": "0", "scenecut": "0"})
    folder = recorded(kept_of(film), tmp_path / "matches", segment_s=0.9)
    entries = list(read_index(folder).values())
    # key frames every 0.48 s: a piece is cut at the first one after 0.9 s
    assert [entry["file"] for entry in entries] == ["000001.mp4", "000002.mp4", "000003.mp4"]
    assert [entry["t0"] for entry in entries] == pytest.approx([0.0, 0.96, 1.92])
    assert [entry["t1"] for entry in entries] == pytest.approx([0.92, 1.88, 2.36])
    assert entries[0]["keyframes"] == pytest.approx([0.0, 0.48])
    assert all(entry["bytes"] == (folder / entry["file"]).stat().st_size for entry in entries)
    assert all("open" not in entry and entry["codec"] == "h264" and entry["size"] == [320, 240] for entry in entries)


def test_what_no_browser_plays_is_coded_anew_with_the_same_times(tmp_path: Path) -> None:
    film = write_film(tmp_path / "film.avi", 30, codec="mjpeg")
    kept = kept_of(film)
    folder = recorded(kept, tmp_path / "matches")
    ((name, entry),) = read_index(folder).items()
    assert entry["codec"] == "h264"
    with av.open(str(folder / name)) as container:
        assert container.streams.video[0].codec_context.name == "h264"
        frames = list(container.decode(video=0))
    assert [entry["t0"] + frame.time for frame in frames] == pytest.approx(
        [t for each in kept for t, _ in each.pictures]
    )
    seen = frames[7].to_ndarray(format="gray")
    assert np.abs(seen.astype(int) - plain_picture(7)[..., 0]).mean() < 3


def test_jpegs_are_copied_where_that_is_asked_for(tmp_path: Path) -> None:
    film = write_film(tmp_path / "film.avi", 10, codec="mjpeg")
    folder = recorded(kept_of(film), tmp_path / "matches", mode="copy")
    assert [data for _, data in whole(folder)] == [data for _, data in packets(film)]


def test_nothing_is_kept_where_no_match_is_on_or_video_is_off(tmp_path: Path) -> None:
    kept = kept_of(write_film(tmp_path / "film.mp4", 10))
    recorder = Recorder(tmp_path / "matches", mode="off")
    recorder.begin(tmp_path / "matches" / "m")
    for each in kept:
        recorder.keep(each)
    recorder.end()
    assert read_index(tmp_path / "matches" / "m" / "video") == {}


KILLED = """
import sys, time
from pathlib import Path
from tests.app.live.test_recorder import kept_of
from referee.app.live.recorder import Recorder
kept, matches = kept_of(Path(sys.argv[1])), Path(sys.argv[2])
recorder = Recorder(matches, segment_s=2.0)
recorder.begin(matches / "m")
for number, each in enumerate(kept):
    recorder.keep(each)
    if number == 150:
        while recorder._queue.qsize():
            time.sleep(0.01)
        time.sleep(0.2)
        print("now", flush=True)
        time.sleep(60)
"""


def test_a_kill_costs_no_more_than_the_last_half_second(tmp_path: Path) -> None:
    film = write_film(tmp_path / "film.mp4", 200, options={"bf": "0"})
    matches = tmp_path / "matches"
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(film), str(matches)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "now\n"
        os.kill(process.pid, signal.SIGKILL)
    folder = matches / "m" / "video"
    assert [entry.get("open") for entry in read_index(folder).values()][-1] is True
    mended = mend(folder)
    assert len(mended) == 1
    assert mended[0]["cut_off"]
    copy, source = whole(folder), packets(film)
    assert [data for _, data in copy] == [data for _, data in source[: len(copy)]]
    assert len(copy) >= 151 - 0.5 * 25 - 2
    assert mended[0]["t1"] == pytest.approx(copy[-1][0], abs=1e-4)
    assert mend(folder) == []
    # what comes after is numbered on
    recorder = Recorder(matches)
    recorder.begin(matches / "m")
    recorder.keep(kept_of(film)[0])
    recorder.end()
    numbers = [int(Path(name).stem) for name in read_index(folder)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_torn_index_is_read_as_far_as_it_goes_and_written_on(tmp_path: Path) -> None:
    (tmp_path / "index.jsonl").write_text('{"file": "000001.mp4", "t0": 0, "t1": 3}\n{"file": "0000')
    add_to_index(tmp_path, [{"file": "000002.mp4", "t0": 3, "t1": 5}])
    assert list(read_index(tmp_path)) == ["000001.mp4", "000002.mp4"]


def test_a_name_that_climbs_out_of_the_folder_is_no_piece(tmp_path: Path) -> None:
    (tmp_path / "index.jsonl").write_text(json.dumps({"file": "../log.jsonl", "t0": 0, "t1": 1}) + "\n")
    assert read_index(tmp_path) == {}


# ---------------------------------------------------------------------------------------------- space


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Path]:
    """Two matches with three pieces each of 1000 bytes and 100 s, the older match first."""
    for m, hour in (("a", 10), ("b", 11)):
        folder = tmp_path / m / "video"
        folder.mkdir(parents=True)
        for k in range(3):
            name = f"{k + 1:06d}.mp4"
            (folder / name).write_bytes(bytes(1000))
            at0 = f"2026-12-01T{hour}:0{k}:00.000+00:00"
            add_to_index(folder, [{"file": name, "t0": 100.0 * k, "t1": 100.0 * k + 100, "at0": at0}])
    yield tmp_path


def left(matches: Path) -> list[str]:
    return sorted(f"{path.parts[-3]}{int(path.stem)}" for path in matches.glob("*/video/*.mp4"))


def test_the_oldest_pieces_of_all_matches_go_first(matches: Path) -> None:
    cleared = space.clear(matches, 4500, None, free_least=0)
    assert left(matches) == ["a3", "b1", "b2", "b3"]
    assert cleared == space.Cleared(pieces=2, bytes=2000, marked=0)
    entries = read_index(matches / "a" / "video")
    assert [name for name, entry in entries.items() if entry.get("deleted")] == ["000001.mp4", "000002.mp4"]


def test_what_is_marked_stays_until_nothing_else_is_left(matches: Path) -> None:
    space.protect(matches / "a" / "video", 50.0, 60.0, "shot 3")
    space.clear(matches, 3000, None, free_least=0)
    assert left(matches) == ["a1", "b2", "b3"]
    cleared = space.clear(matches, 0, None, free_least=0)
    assert left(matches) == []
    assert cleared.marked == 1


def test_the_latest_play_of_the_running_match_is_kept_like_what_is_marked(
    matches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space, "LATEST_S", 150.0)
    space.clear(matches, 2000, matches / "b" / "video", free_least=0)
    assert left(matches) == ["b2", "b3"]


def test_a_piece_that_is_being_written_is_never_deleted(matches: Path) -> None:
    add_to_index(matches / "a" / "video", [{"file": "000001.mp4", "t0": 0.0, "at0": "2026", "open": True}])
    space.clear(matches, 0, None, free_least=0)
    assert left(matches) == ["a1"]


def test_room_is_made_on_a_full_disk_and_the_recorder_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    kept = kept_of(write_film(tmp_path / "film.mp4", 10))
    monkeypatch.setattr(space, "free_bytes", lambda folder: 0)
    recorder = Recorder(tmp_path / "matches", said=said.append)
    recorder.begin(tmp_path / "matches" / "m")
    for each in kept:
        recorder.keep(each)
    recorder.end()
    assert said == ["video is not kept: the disk is full"]
    assert recorder.problem == said[0]
    assert not recorder.recording
    monkeypatch.undo()
    recorder.begin(tmp_path / "matches" / "m")
    recorder.keep(kept_of(tmp_path / "film.mp4")[0])
    assert until(lambda: recorder.recording)
    recorder.end()
    time.sleep(0)
