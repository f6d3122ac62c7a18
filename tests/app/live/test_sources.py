"""What the word on the command line means, and what comes of it."""

import itertools
import threading
from pathlib import Path

import av
import cv2
import pytest

from referee.app.live.sources import (
    CameraSource,
    FileSource,
    StreamSource,
    source_from,
    without_password,
)
from tests.app.live.misbehaving import Camera, Step, paced, plain_picture, transport_stream
from tests.app.test_inputs import write_video
from vision.frames import SourceError


def test_a_word_is_a_camera_a_stream_or_a_file(tmp_path: Path) -> None:
    clip = tmp_path / "7"
    write_video(clip.with_suffix(".mp4"), [0, 40])
    assert source_from("0", size=(640, 480)) == CameraSource(device="/dev/video0", size=(640, 480))
    assert isinstance(source_from("rtsp://10.0.0.7/main"), StreamSource)
    assert source_from(str(clip.with_suffix(".mp4")), speed=4) == FileSource(path=clip.with_suffix(".mp4"), speed=4)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("/dev/video77", "/dev/video77: no such device; is the camera plugged in?"),
        ("gone.mp4", "gone.mp4: no such file; a camera is a number (0) or a device, a stream begins with rtsp://"),
        ("ftp://u:secret@host/a", "ftp://host/a: streams of these kinds can be read: rtsp, rtsps, http"),
    ],
)
def test_what_is_no_source_is_named_in_one_line(word: str, said: str) -> None:
    with pytest.raises(SourceError) as caught:
        source_from(word)
    assert str(caught.value).startswith(said)


def test_a_password_is_never_part_of_a_name() -> None:
    assert without_password("rtsp://ann:secret@10.0.0.7:554/main?token=secret") == "rtsp://10.0.0.7:554/main"
    assert StreamSource(url="rtsp://ann:secret@10.0.0.7/main").name == "rtsp://10.0.0.7/main"


def test_what_goes_wrong_at_opening_is_said_without_the_password() -> None:
    source = StreamSource(url="http://ann:secret@127.0.0.1:9/live", open_s=1, read_s=1)
    with pytest.raises(SourceError) as caught:
        source.connect(threading.Event(), lambda: None)
    assert "secret" not in str(caught.value)
    assert str(caught.value).startswith("http://127.0.0.1:9/live: can't be opened (")


def test_a_camera_is_asked_for_jpeg_first_and_takes_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def refuse(url: str, **how: object) -> object:
        asked.append((url, how["format"], how["options"]))
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(av, "open", refuse)
    with pytest.raises(SourceError, match=r"camera /dev/video3: can't be opened \(invalid argument\)"):
        CameraSource(device="/dev/video3", rate=50).connect(threading.Event(), lambda: None)
    wanted = {"video_size": "1280x720", "framerate": "50"}
    assert asked == [
        ("/dev/video3", "v4l2", {**wanted, "input_format": "mjpeg"}),
        ("/dev/video3", "v4l2", wanted),
        ("/dev/video3", "v4l2", {}),
    ]


def test_a_file_gives_every_picture_with_its_own_stamp(tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    write_video(clip, [0, 40, 95, 120, 180])
    with av.open(str(clip)) as container:
        wanted = [frame.pts for frame in container.decode(video=0)]
    connection = FileSource(path=clip, speed=float("inf")).connect(threading.Event(), lambda: None)
    got = [picture.pts for arrival in connection.arrivals() for picture in arrival.pictures]
    connection.close()
    assert got == wanted


def test_what_is_no_video_is_said_before_anything_begins(tmp_path: Path) -> None:
    path = tmp_path / "notes.mp4"
    path.write_text("not a video")
    with pytest.raises(SourceError, match=r"notes\.mp4: can't be opened"):
        FileSource(path=path).check()


def test_a_transport_stream_over_http_is_not_held_back_and_carries_its_time() -> None:
    def script(connection: int) -> "list[Step]":
        return list(paced(transport_stream([plain_picture(k) for k in range(12)])))

    with Camera(lambda n: iter(script(n))) as url:
        connection = StreamSource(url=url).connect(threading.Event(), lambda: None)
        assert connection.facts.codec == "h264"
        assert connection.facts.size == (320, 240)
        assert connection.facts.clocked
        stamps = []
        with pytest.raises(SourceError, match="breaks off"):
            for arrival in connection.arrivals():
                stamps += [float(picture.pts * arrival.time_base) for picture in arrival.pictures]
    assert [round(b - a, 3) for a, b in itertools.pairwise(stamps)] == [0.04] * (len(stamps) - 1)
    assert len(stamps) >= 11


def test_single_jpegs_over_http_are_known_to_carry_no_time() -> None:
    def script(connection: int) -> "list[Step]":
        steps: list[Step] = []
        for k in range(8):
            jpeg = cv2.imencode(".jpg", plain_picture(k))[1].tobytes()
            head = f"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n".encode()
            steps += [head + jpeg + b"\r\n", 0.01]
        return steps

    with Camera(lambda n: iter(script(n)), "multipart/x-mixed-replace; boundary=cut") as url:
        connection = StreamSource(url=url).connect(threading.Event(), lambda: None)
        assert not connection.facts.clocked
        assert connection.facts.codec == "mjpeg"
        connection.close()
