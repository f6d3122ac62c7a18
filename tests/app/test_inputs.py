"""What the arguments of ``cueref analyze`` name."""

from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.app.analyze.inputs import InputKind, disguised_picture, find_inputs
from vision.frames import SourceError, picture_sequence, sampled_frames, video_frames


def touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")


def test_a_folder_gives_its_videos_and_pictures_in_natural_order(tmp_path: Path) -> None:
    touch(tmp_path, "10.mp4", "9.mp4", "notes.txt", "sub/a.jpg", ".hidden/b.jpg", "._9.mp4", "out/9/overlay.mp4")
    inputs, unusable = find_inputs([str(tmp_path)], leave_out=tmp_path / "out")
    assert [each.path.name for each in inputs] == ["9.mp4", "10.mp4", "a.jpg"]
    assert [each.kind for each in inputs] == [InputKind.VIDEO, InputKind.VIDEO, InputKind.STILL]
    assert unusable == []


def test_one_file_named_twice_is_one_input(tmp_path: Path) -> None:
    touch(tmp_path, "9.mp4")
    inputs, _ = find_inputs([str(tmp_path), str(tmp_path / "9.mp4"), str(tmp_path / "*.mp4")])
    assert len(inputs) == 1


def test_equal_stems_get_their_folders_name_then_the_suffix(tmp_path: Path) -> None:
    touch(tmp_path, "hall/1.mp4", "street/1.mp4", "street/1.png", "street/2.mp4")
    inputs, _ = find_inputs([str(tmp_path)])
    assert [each.stem for each in inputs] == ["hall-1", "street-1-mp4", "street-1-png", "2"]


def test_stems_that_stay_equal_are_numbered(tmp_path: Path) -> None:
    touch(tmp_path, "a/x/1.mp4", "b/x/1.mp4")
    inputs, _ = find_inputs([str(tmp_path)])
    assert [each.stem for each in inputs] == ["x-1-mp4", "x-1-mp4-2"]


@pytest.mark.parametrize(
    ("argument", "reason"),
    [
        ("nothing.mp4", "no such file or folder"),
        ("*.mkv", "nothing matches this pattern"),
        ("shot_%04d.png", "no picture fits this pattern"),
        ("empty", "the folder holds no video and no picture"),
    ],
)
def test_arguments_that_name_nothing(tmp_path: Path, argument: str, reason: str) -> None:
    (tmp_path / "empty").mkdir()
    inputs, unusable = find_inputs([str(tmp_path / argument)])
    assert inputs == []
    assert [each.reason for each in unusable] == [reason]


def test_a_pattern_is_a_sequence_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    touch(tmp_path, "s_2.png", "s_10.png", "s_1.png", "t_1.png")
    (sequence,), _ = find_inputs([str(tmp_path / "s_%d.png")], Fraction(30))
    assert [path.name for path in sequence.files] == ["s_1.png", "s_2.png", "s_10.png"]
    assert (sequence.kind, sequence.stem, sequence.rate_assumed) == (InputKind.SEQUENCE, "s", False)


def test_a_folder_of_pictures_is_a_sequence_only_where_a_rate_is_given(tmp_path: Path) -> None:
    touch(tmp_path, "1.png", "2.png")
    assert [each.kind for each in find_inputs([str(tmp_path)])[0]] == [InputKind.STILL] * 2
    (sequence,), _ = find_inputs([str(tmp_path)], Fraction(30))
    assert (sequence.kind, sequence.stem) == (InputKind.SEQUENCE, tmp_path.name)


def test_the_pictures_of_a_sequence_are_shown_at_its_rate(tmp_path: Path) -> None:
    for n in range(4):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((8, 8, 3), n, np.uint8))
    files = sorted(tmp_path.glob("*.png"))
    frames = list(picture_sequence(files, Fraction(30000, 1001)))
    assert frames[3].stamp.t_s == pytest.approx(3 * 1001 / 30000)
    assert frames[3].bgr[0, 0].tolist() == [3, 3, 3]


def write_video(path: Path, stamps: list[int], options: dict[str, str] | None = None) -> None:
    """A small H.264 video whose frame n has the grey value 5 n, shown at the stamps (1/1000 s)."""
    import av

    with av.open(str(path), "w", options=options or {}) as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        stream.gop_size = 10
        for n, stamp in enumerate(stamps):
            picture = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 5 * n, np.uint8), format="bgr24")
            picture.pts, picture.time_base = stamp, Fraction(1, 1000)
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))


def test_times_are_the_frames_own(tmp_path: Path) -> None:
    stamps = [0, 40, 95, 120, 180]
    write_video(tmp_path / "a.mp4", stamps)
    frames = list(video_frames(tmp_path / "a.mp4"))
    assert [round(1000 * frame.stamp.t_s) for frame in frames] == stamps
    assert [frame.stamp.index for frame in frames] == [0, 1, 2, 3, 4]


def test_sampled_frames_are_spread_over_the_video(tmp_path: Path) -> None:
    write_video(tmp_path / "a.mp4", [40 * n for n in range(50)])
    times = [frame.stamp.t_s for frame in sampled_frames(tmp_path / "a.mp4", 5)]
    assert len(times) == 5
    assert times[0] < 0.5
    assert times[-1] > 1.5


def test_a_video_cut_in_the_middle_says_so(tmp_path: Path) -> None:
    write_video(tmp_path / "a.mp4", [40 * n for n in range(50)], {"movflags": "faststart"})
    content = (tmp_path / "a.mp4").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(content[: len(content) * 2 // 3])
    with pytest.raises(SourceError, match=r"cut\.mp4: (ends|decoding breaks off) after \d+"):
        list(video_frames(tmp_path / "cut.mp4"))


@pytest.mark.parametrize(("suffix", "name"), [(".png", "PNG"), (".jpg", "JPEG"), (".webp", "WebP"), (".tiff", "TIFF")])
def test_a_picture_under_another_name_is_recognized(tmp_path: Path, suffix: str, name: str) -> None:
    cv2.imwrite(str(tmp_path / f"a{suffix}"), np.zeros((8, 8, 3), np.uint8))
    (tmp_path / f"a{suffix}").rename(tmp_path / "a.mp4")
    assert disguised_picture(tmp_path / "a.mp4") == name


def test_the_hash_is_that_of_the_contents(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(b"abc")
    (only,), _ = find_inputs([str(tmp_path / "a.mp4")])
    assert only.sha256() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
