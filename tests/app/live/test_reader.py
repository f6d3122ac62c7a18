"""A source that hangs, drops, changes size, repeats or reorders pictures is survived, and what was unseen is told."""

import itertools
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from referee.app.live.inbox import Ended, Inbox, Message, Missed, Picture, Silence
from referee.app.live.reader import Kept, Reader, half_chroma
from referee.app.live.sources import Connection, FileSource, StreamSource
from referee.app.live.state import Status, Unseen
from tests.app.live.misbehaving import Camera, Step, paced, plain_picture, transport_stream, until
from tests.app.live.rtsp_camera import RtspCamera
from tests.app.test_inputs import write_video

Steps = Iterator[Step]


class Taken:
    """What a reader handed over so far."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.messages: list[Message] = []

    @property
    def pictures(self) -> list[Picture]:
        self.more()
        return [message for message in self.messages if isinstance(message, Picture)]

    def of(self, connection: int) -> list[Picture]:
        return [picture for picture in self.pictures if picture.connection == connection]

    @property
    def missed(self) -> list[Missed]:
        self.more()
        return [message for message in self.messages if isinstance(message, Missed)]

    def has(self, kind: type) -> bool:
        self.more()
        return any(isinstance(message, kind) for message in self.messages)

    def more(self) -> None:
        while (message := self.reader.inbox.take(0)) is not None:
            self.messages.append(message)


@pytest.fixture
def watched() -> Iterator[Callable[..., Taken]]:
    readers = []

    def watch(url: str, **how: object) -> Taken:
        source = StreamSource(url=url, open_s=2.0, read_s=1.0)
        reader = Reader(source, inbox=Inbox(60.0), **how)  # type: ignore[arg-type]
        readers.append(reader)
        reader.start()
        return Taken(reader)

    yield watch
    for reader in readers:
        reader.stop()


def moving(count: int, first: int = 0, **how: object) -> Steps:
    return paced(transport_stream([plain_picture(k) for k in range(count)], first=first, **how))  # type: ignore[arg-type]


def rising(taken: Taken) -> bool:
    times = [picture.t_s for picture in taken.pictures]
    return all(a < b for a, b in itertools.pairwise(times))


def test_a_stream_that_hangs_is_given_up_and_opened_again(watched: Callable[..., Taken]) -> None:
    def script(connection: int) -> Steps:
        yield from moving(30)
        if connection == 1:
            yield None

    with Camera(script) as url:
        taken = watched(url)
        assert until(lambda: len(taken.of(2)) > 10)
        assert taken.has(Silence)
        lost = [gap for gap in taken.missed if gap.reason is Unseen.LOST and gap.t1_s == taken.of(2)[0].t_s]
        assert len(lost) == 1
        assert lost[0].t0_s == taken.of(1)[-1].t_s
        # read for a second in vain, and tried again after half a second: the gap is as long as it was by the clock
        by_clock = taken.of(2)[0].captured_s - taken.of(1)[-1].captured_s
        assert lost[0].t1_s - lost[0].t0_s == pytest.approx(by_clock, abs=0.01)
        assert rising(taken)


def test_a_stream_that_is_cut_off_is_opened_again(watched: Callable[..., Taken]) -> None:
    with Camera(lambda connection: moving(20, first=1000 * connection)) as url:
        taken = watched(url)
        assert until(lambda: len(taken.of(2)) > 10)
        assert rising(taken)
        assert len([gap for gap in taken.missed if gap.reason is Unseen.LOST]) >= 1


def test_a_server_that_never_answers_is_given_up(watched: Callable[..., Taken]) -> None:
    def script(connection: int) -> Steps:
        if connection == 1:
            yield None
        yield from moving(20)

    with Camera(script) as url:
        taken = watched(url)
        assert until(lambda: len(taken.of(2)) > 10)
        assert taken.of(1) == []
        assert taken.missed == []


class Stuck:
    """A connection that no timeout reaches: it blocks in the driver for good after its first pictures."""

    def __init__(self, inner: Connection, block: threading.Event) -> None:
        self._inner, self._block = inner, block

    @property
    def facts(self) -> object:
        return self._inner.facts

    def arrivals(self) -> Iterator[object]:
        for number, arrival in enumerate(self._inner.arrivals()):
            if number == 5:
                self._block.wait(60)
            yield arrival

    def close(self) -> None:
        self._inner.close()


def test_a_thread_that_blocks_for_good_is_left_behind() -> None:
    block = threading.Event()

    class Driver:
        name, live, patient = "camera", True, False
        opened = 0

        def connect(self, stop: threading.Event, alive: Callable[[], None]) -> object:
            self.opened += 1
            inner = StreamSource(url=url, open_s=2.0, read_s=30.0).connect(stop, alive)
            return Stuck(inner, block) if self.opened == 1 else inner

    with Camera(lambda connection: moving(200)) as url:
        reader = Reader(Driver(), inbox=Inbox(60.0), silent_s=1.0)  # type: ignore[arg-type]
        taken = Taken(reader)
        reader.start()
        assert until(lambda: len(taken.of(2)) > 10)
        assert reader.status is Status.LIVE
        before = len(taken.of(1))
        block.set()  # what the old thread then brings is too late and is not taken
        assert until(lambda: len(taken.of(2)) > 30)
        assert len(taken.of(1)) == before
        assert rising(taken)
        reader.stop()


def test_a_change_of_size_in_the_middle_of_a_stream_is_passed_on(watched: Callable[..., Taken]) -> None:
    def script(connection: int) -> Steps:
        yield from moving(15)
        small = [plain_picture(k, (160, 120)) for k in range(15)]
        yield from paced(transport_stream(small, first=15))
        yield None

    with Camera(script) as url:
        taken = watched(url)
        assert until(lambda: (160, 120) in {picture.frame.size for picture in taken.pictures})
        assert until(lambda: taken.reader.size == (160, 120))
        assert rising(taken)


def test_repeated_and_reordered_stamps_are_put_right_and_told(watched: Callable[..., Taken]) -> None:
    stamps = [0, 1, 2, 2, 3, 5, 4, 6, 7, 8, 9, 9, 10, 11, 12, 13, 14, 15, 16, 17]

    def script(connection: int) -> Steps:
        yield from moving(20, stamps=stamps)
        yield None

    with Camera(script) as url:
        taken = watched(url)
        assert until(lambda: len(taken.pictures) >= 16)
        steps = {round(picture.t_s * 25) for picture in taken.pictures}
        assert 4 not in steps
        assert {0, 1, 2, 3, 5, 6, 7, 8, 9, 10} <= steps
        assert rising(taken)
        disorder = [gap for gap in taken.missed if gap.reason is Unseen.DISORDER]
        assert [(round(gap.t0_s * 25), gap.frames) for gap in disorder] == [(5, 1)]


def test_a_camera_that_sets_its_clock_goes_on_without_a_jump(watched: Callable[..., Taken]) -> None:
    stamps = [*range(10), *range(90_000, 90_010)]

    def script(connection: int) -> Steps:
        yield from moving(20, stamps=stamps)
        yield None

    with Camera(script) as url:
        taken = watched(url)
        assert until(lambda: len(taken.pictures) >= 18)
        assert rising(taken)
        assert taken.pictures[-1].t_s < 10


def test_the_recorder_gets_every_packet_from_the_first_on(watched: Callable[..., Taken]) -> None:
    kept: list[Kept] = []

    def script(connection: int) -> Steps:
        yield from moving(20)
        yield None

    with Camera(script) as url:
        taken = watched(url, keep=kept.append)
        assert until(lambda: len(taken.pictures) >= 18)
        assert kept[0].packet.is_keyframe
        assert [each.t_s for each in kept[:18]] == pytest.approx([k / 25 for k in range(18)])


def test_a_file_waits_at_its_first_picture_and_is_played_for_each_match_from_its_start(tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    stamps = [0, 40, 95, 120, 180]
    write_video(clip, stamps)
    reader = Reader(FileSource(path=clip, speed=float("inf")))
    taken = Taken(reader)
    reader.start()
    assert until(lambda: reader.status is Status.WAITING)
    assert reader.first is not None
    assert taken.pictures == []
    for _ in range(2):
        reader.play()
        assert until(lambda: taken.has(Ended))
        assert [round(1000 * picture.t_s) for picture in taken.pictures] == stamps
        assert [picture.frame.stamp.index for picture in taken.pictures] == [0, 1, 2, 3, 4]
        reader.rewind()
        assert until(lambda: reader.status is Status.WAITING)
        taken.messages.clear()
    reader.stop()


def test_an_rtsp_camera_is_read_over_tcp_and_opened_again(watched: Callable[..., Taken]) -> None:
    kept: list[Kept] = []
    with RtspCamera([plain_picture(k) for k in range(60)]) as url:
        taken = watched(url, keep=kept.append)
        assert until(lambda: len(taken.of(1)) > 30)
        steps = [b.t_s - a.t_s for a, b in itertools.pairwise(taken.of(1))]
        assert steps == pytest.approx([0.04] * len(steps), abs=1e-3)
        assert taken.reader.source.name == url.replace("ann:secret@", "")
        assert until(lambda: len(taken.of(2)) > 5)
        assert rising(taken)
        assert any(each.packet is not None and each.packet.is_keyframe for each in kept)
        assert [gap.reason for gap in taken.missed].count(Unseen.LOST) >= 1


@pytest.mark.parametrize("sent", ["yuvj422p", "yuyv422", "yuv422p", "nv12", "yuv420p"])
def test_a_cameras_picture_is_looked_at_in_its_own_planes(sent: str) -> None:
    bgr = np.full((48, 64, 3), (60, 120, 40), np.uint8)
    picture = av.VideoFrame.from_ndarray(bgr, format="bgr24").reformat(format=sent)
    picture.pts, picture.time_base = 7, Fraction(1, 25)
    looked_at = half_chroma(picture)
    assert looked_at.format.name in ("yuv420p", "yuvj420p")
    assert (looked_at.pts, looked_at.time_base) == (7, Fraction(1, 25))
    assert np.abs(looked_at.to_ndarray(format="bgr24").astype(int) - bgr).max() <= 3
    luma = [np.frombuffer(each.planes[0], np.uint8)[0] for each in (looked_at, picture.reformat(format="yuv420p"))]
    if not sent.startswith("yuvj"):
        assert luma[0] == luma[1]
