"""Exact frames: the same picture and time by seeking as by decoding from the start, whatever the file."""

import hashlib
import random
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from referee.app.review.errors import NotThere, VideoMissing
from referee.app.review.footage import Footage, Segment, footage_of_clip
from referee.app.review.frames import FrameReader
from vision.frames import Frame, video_frames

TICK = Fraction(1, 90_000)


def write_clip(
    path: Path, frames: int = 72, options: dict[str, str] | None = None, steps: tuple[int, ...] = (3600,)
) -> Path:
    """A small H.264 clip, each frame unlike the others, the steps between frames (1/90000 s) taken in turn."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"preset": "fast", "g": "24", **(options or {})})
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"
        tick = Fraction(1, 25) if path.suffix == ".avi" else TICK
        stream.codec_context.time_base = tick
        pts = 0
        for i in range(frames):
            picture = np.full((96, 160, 3), 40, np.uint8)
            picture[30:60, i * 2 : i * 2 + 16] = (200 - i, 60 + 2 * i, 90)
            picture[80:90, : 2 * i] = 250
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = (i if path.suffix == ".avi" else pts), tick
            pts += steps[i % len(steps)]
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def write_picture(path: Path, picture: np.ndarray) -> None:
    assert cv2.imwrite(str(path), picture)


def shown(frame: Frame) -> tuple[float, str]:
    return frame.stamp.t_s, hashlib.sha256(frame.bgr.tobytes()).hexdigest()


CLIPS = {
    "plain.mp4": {},
    "jittered.mp4": {"steps": (1500, 7200, 3003, 5400)},
    "open_groups.mp4": {"options": {"bf": "3", "x264-params": "open-gop=1"}},
    "one_key_frame.mp4": {"options": {"x264-params": "intra-refresh=1"}},
    "matroska.mkv": {"options": {"bf": "3"}},
    "transport.ts": {"options": {"bf": "2", "x264-params": "open-gop=1"}},
    "no_stamps.avi": {"options": {"bf": "2"}},
}


@pytest.mark.parametrize("name", CLIPS)
def test_a_frame_that_is_sought_is_the_one_decoded_from_the_start(name: str, tmp_path: Path) -> None:
    path = write_clip(tmp_path / name, **CLIPS[name])  # type: ignore[arg-type]
    truth = [shown(frame) for frame in video_frames(path)]
    assert len({picture for _, picture in truth}) == len(truth)
    reader = FrameReader(path)
    assert reader.times_s == [t_s for t_s, _ in truth]
    order = [*range(len(truth)), *reversed(range(len(truth))), *random.Random(4).choices(range(len(truth)), k=40)]
    for index in order:
        frame = reader.frame(index)
        assert (frame.stamp.index, *shown(frame)) == (index, *truth[index])


def test_the_frame_shown_at_a_time_is_the_last_one_not_later(tmp_path: Path) -> None:
    reader = FrameReader(write_clip(tmp_path / "clip.mp4", 10))
    assert [reader.index_at(t_s) for t_s in (-1.0, 0.0, 0.039, 0.04, 0.0799, 0.36, 99.0)] == [0, 0, 0, 1, 1, 9, 9]
    assert reader.index_at(round(reader.time_of(7), 6)) == 7
    with pytest.raises(NotThere, match="frames 0 to 9, none 10"):
        reader.frame(10)


def test_the_times_of_the_analysis_are_those_of_the_file(analyzed_clip: Path) -> None:
    from referee.app.review.analysis import AnalysisReview

    review = AnalysisReview("clip", analyzed_clip)
    path = review.footage.segments[0].path
    times = review.footage.times(*review.footage.span)
    assert times == [frame.stamp.t_s for frame in video_frames(path)]


def test_pieces_of_a_match_are_one_clock(tmp_path: Path) -> None:
    first, second = (write_clip(tmp_path / f"{i}.mp4", 20) for i in range(2))
    footage = Footage(
        [
            Segment(path=first, t0_s=100.0, t1_s=100.76, offset_s=100.0),
            Segment(path=second, t0_s=101.0, t1_s=101.76, offset_s=101.0),
        ]
    )
    assert footage.times(100.7, 101.1) == pytest.approx([100.72, 100.76, 101.0, 101.04, 101.08])
    assert footage.at(100.99).t_s == pytest.approx(100.76)
    late = footage.at(101.05)
    assert late.t_s == pytest.approx(101.04)
    assert late.index is None
    assert shown(late.frame)[1] == shown(FrameReader(second).frame(1))[1]
    with pytest.raises(NotThere, match="asked for by time"):
        footage.numbered_frame(3)


def test_the_frames_about_an_event(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "clip.mp4", 50)
    footage = Footage([Segment(path=path, t0_s=0.0, t1_s=1.96)])
    assert footage.around(1.0, 1.0, 2) == pytest.approx([0.92, 0.96, 1.0, 1.04, 1.08])
    assert footage.around(1.01, 1.02, 1) == pytest.approx([1.0, 1.04])
    assert footage.around(0.0, 0.04, 1) == pytest.approx([0.0, 0.04, 0.08])


def test_a_video_that_was_moved_is_named_and_found_where_the_user_says(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "clip.mp4", 30)
    times, size = FrameReader(path).times_s, path.stat().st_size
    folder = tmp_path / "results" / "clip"
    folder.mkdir(parents=True)

    def opened(given: Path | None = None) -> Footage:
        return footage_of_clip(path, "video", size, None, times, given, folder)

    assert opened().size == (160, 96)
    path.rename(tmp_path / "elsewhere.mp4")
    with pytest.raises(VideoMissing, match=r"clip\.mp4: the video was moved or deleted .* --video"):
        opened()
    assert opened(tmp_path / "elsewhere.mp4").times(0, 9) == times
    other = write_clip(tmp_path / "other.mp4", 31)
    with pytest.raises(VideoMissing, match=r"other\.mp4: not the video that was analyzed"):
        opened(other)
    again = write_clip(tmp_path / "coded_again.mp4", 30, {"preset": "ultrafast"})
    assert again.stat().st_size != size
    assert opened(again).times(0, 9) == times
    (tmp_path / "elsewhere.mp4").rename(folder.parent / "clip.mp4")
    assert opened().segments[0].path == folder.parent / "clip.mp4"


@pytest.mark.parametrize("name", ["", "%03d.png"])
def test_a_sequence_of_pictures_has_frames_too(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    for i in range(5):
        write_picture(folder / f"{i:03d}.png", np.full((48, 64, 3), 40 * i, np.uint8))
    footage = footage_of_clip(folder / name, "sequence", 0, 25.0, None, None, tmp_path)
    assert footage.size == (64, 48)
    assert footage.times(*footage.span) == pytest.approx([0.0, 0.04, 0.08, 0.12, 0.16])
    shown = footage.at(0.09)
    assert (shown.index, shown.t_s) == (2, pytest.approx(0.08))
    assert int(shown.frame.bgr[0, 0, 0]) == 80
    assert not footage.playable
    with pytest.raises(NotThere, match="frames 0 to 4, none 5"):
        footage.numbered_frame(5)
    with pytest.raises(VideoMissing, match="the pictures were moved or deleted"):
        footage_of_clip(tmp_path / "gone" / name, "sequence", 0, 25.0, None, None, tmp_path)
