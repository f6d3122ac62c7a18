"""Where pictures come from: a camera, a stream, or a file that is played as if it were a camera.

Every source is opened by PyAV and gives what arrives with the moment of its arrival. Opening and reading may block for
as long as the device or the network likes: the reader (``reader.py``) sees to that.
"""

import io
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit

from vision.frames import SourceError

OPEN_S, READ_S = 10.0, 5.0
"""So long a stream may take to answer, and to send the next piece."""

FRAME_THREADS_FROM = 1920 * 1080 * 60
"""Pixels a second from which decoding needs several pictures at work at once, at the price of their delay."""

STEP_S = 0.05
"""Waiting is cut into such steps, so that a source can be stopped."""

DAMAGED_MOST = 50
STREAMS = ("rtsp", "rtsps", "http", "https", "rtmp", "srt", "udp", "tcp")
UNCLOCKED = frozenset({"mpjpeg", "mjpeg", "image2pipe", "jpeg_pipe"})
"""Formats whose pictures carry no time: that of their arrival is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a connection gives. clocked: pictures carry their time. template: an output stream to copy packets to."""

    codec: str
    size: tuple[int, int]
    rate: float
    reordered: bool
    clocked: bool
    template: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A packet as it was sent (None at the end) and the pictures that it completed; when its light came, monotonic."""

    packet: Any
    pictures: list[Any]
    time_base: Fraction
    captured_s: float


class Connection(Protocol):
    """One opening of a source; its calls may block and are made by one thread."""

    @property
    def facts(self) -> Facts: ...

    def arrivals(self) -> Iterator[Arrival]:
        """Until the source ends; raises SourceError where it breaks off."""
        ...

    def close(self) -> None: ...


class Source(Protocol):
    """Something that gives pictures.

    name: for messages, without a password. live: whether it goes on by itself and is opened again when it breaks off;
    a file is not. patient: whether nothing may be left out, so that a slow machine makes it slower.
    """

    @property
    def name(self) -> str: ...

    @property
    def live(self) -> bool: ...

    @property
    def patient(self) -> bool: ...

    def connect(self, stop: threading.Event, alive: Callable[[], None]) -> Connection:
        """Opens it; raises SourceError. ``alive`` is called while it waits on purpose, ``stop`` ends that."""
        ...


class Container:
    """A stream of PyAV: pictures, their packets, and the pace of what isn't sent at its own."""

    def __init__(
        self,
        opened: Any,
        *,
        name: str,
        pace: "Pace | None",
        device: bool,
    ) -> None:
        self._opened, self._name, self._pace, self._device = opened, name, pace, device
        if not opened.streams.video:
            opened.close()
            raise SourceError(f"{name}: sends no video")
        stream = self._stream = opened.streams.video[0]
        context = stream.codec_context
        rate = float(stream.average_rate or stream.guessed_rate or 0)
        busy = context.width * context.height * min(rate, 240.0)
        stream.thread_type = "AUTO" if busy > FRAME_THREADS_FROM or pace is not None else "SLICE"
        # Only AVI numbers its pictures in the order of decoding.
        self._by_dts = opened.format.name == "avi"
        self.facts = Facts(
            codec=context.name,
            size=(context.width, context.height),
            rate=rate,
            reordered=bool(getattr(context, "has_b_frames", False)),
            clocked=not set(opened.format.name.split(",")) & UNCLOCKED,
            template=_template(stream),
        )

    def arrivals(self) -> Iterator[Arrival]:
        import av

        stream, damaged = self._stream, 0
        try:
            for packet in self._opened.demux(stream):
                captured_s = self._captured_s(packet)
                try:
                    pictures = packet.decode()
                    damaged = 0
                except av.FFmpegError as error:
                    damaged += 1
                    if damaged > DAMAGED_MOST:
                        raise SourceError(f"{self._name}: can't be decoded ({error.strerror})") from None
                    continue
                if self._by_dts:
                    for picture in pictures:
                        picture.pts = picture.dts
                if self._pace is not None and pictures and pictures[0].pts is not None:
                    base = pictures[0].time_base or stream.time_base
                    due_s = self._pace.wait(float(pictures[0].pts * base))
                    if due_s is None:
                        return
                    captured_s = due_s
                kept = packet if packet.size else None
                yield Arrival(packet=kept, pictures=pictures, time_base=stream.time_base, captured_s=captured_s)
        except av.FFmpegError as error:
            raise SourceError(f"{self._name}: breaks off ({_why(error)})") from None

    def _captured_s(self, packet: Any) -> float:
        """Now; of a device that stamps its pictures by the same clock, when it took the picture."""
        now = time.monotonic()
        if self._device and packet.pts is not None:
            taken = float(packet.pts * packet.time_base)
            if 0 <= now - taken < 2.0:
                return taken
        return now

    def close(self) -> None:
        self._opened.close()


def _template(stream: Any) -> Any:
    """An output stream with the coding of this one, which outlives it."""
    import av

    holder = av.open(io.BytesIO(), "w", format="matroska")
    try:
        return holder.add_stream_from_template(stream)
    except (ValueError, av.FFmpegError):
        return None


@dataclass(slots=True)
class Pace:
    """Lets pictures through when they are due, ``speed`` times as fast as they were taken; as fast as can be at inf."""

    speed: float
    stop: threading.Event
    alive: Callable[[], None]
    _first: tuple[float, float] | None = None

    def wait(self, t_s: float) -> float | None:
        """Returns when the picture of ``t_s`` is due, with that moment; None where it was stopped."""
        now = time.monotonic()
        if self.speed == float("inf"):
            return None if self.stop.is_set() else now
        if self._first is None:
            self._first = (t_s, now)
        due = self._first[1] + (t_s - self._first[0]) / self.speed
        if due < now - 5.0 or due > now + 60.0:
            self._first, due = (t_s, now), now
        while (left := due - time.monotonic()) > 0:
            self.alive()
            if self.stop.wait(min(left, STEP_S)):
                return None
        return None if self.stop.is_set() else due


def _open(
    name: str, url: str, *, form: str | None = None, options: Mapping[str, str] | None = None, timeout: Any = None
) -> Any:
    import av

    try:
        return av.open(url, format=form, options=dict(options or {}), timeout=timeout)
    except (av.FFmpegError, OSError, ValueError) as error:
        raise SourceError(f"{name}: can't be opened ({_why(error)})") from None


def _why(error: Exception) -> str:
    """In words; FFmpeg gives up by an interrupt of its own when the time is up."""
    text = str(getattr(error, "strerror", None) or type(error).__name__)
    return "no answer in time" if text == "Immediate exit requested" else text[:1].lower() + text[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSource:
    """A camera of this machine: V4L2 on Linux, AVFoundation on macOS. size, rate: asked for, as far as it can."""

    device: str
    size: tuple[int, int] = (1280, 720)
    rate: float = 30.0
    live: bool = field(default=True, init=False)
    patient: bool = field(default=False, init=False)

    @property
    def name(self) -> str:
        return f"camera {self.device}"

    def connect(self, stop: threading.Event, alive: Callable[[], None]) -> Connection:
        form = "avfoundation" if sys.platform == "darwin" else "v4l2"
        wanted = {"video_size": f"{self.size[0]}x{self.size[1]}", "framerate": f"{self.rate:g}"}
        # Most cameras send large pictures at a full rate only as JPEG; some know no JPEG, some only their own size.
        tries = [{**wanted, "input_format": "mjpeg"}, wanted, {}] if form == "v4l2" else [wanted, {}]
        problem: SourceError | None = None
        for options in tries:
            if stop.is_set():
                break
            try:
                opened = _open(self.name, self.device, form=form, options=options)
                return Container(opened, name=self.name, pace=None, device=True)
            except SourceError as error:
                problem = problem or error
        raise problem or SourceError(f"{self.name}: stopped")


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSource:
    """A stream of the network. One of known length is played at its own pace, as a file is."""

    url: str
    open_s: float = OPEN_S
    read_s: float = READ_S
    live: bool = field(default=True, init=False)
    patient: bool = field(default=False, init=False)

    @property
    def name(self) -> str:
        return without_password(self.url)

    def connect(self, stop: threading.Event, alive: Callable[[], None]) -> Connection:
        scheme = urlsplit(self.url).scheme
        options = {"rtsp_transport": "tcp"} if scheme.startswith("rtsp") else {}
        opened = _open(self.name, self.url, options=options, timeout=(self.open_s, self.read_s))
        # Pieces of a playlist, and whole films, come faster than they were taken.
        paced = "hls" in opened.format.name or (opened.duration or 0) > 0
        pace = Pace(1.0, stop, alive) if paced else None
        return Container(opened, name=self.name, pace=pace, device=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSource:
    """A file played as if it were a camera. speed: so many times its own pace; other than 1, nothing is left out."""

    path: Path
    speed: float = 1.0
    loop: bool = False
    live: bool = field(default=False, init=False)

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def patient(self) -> bool:
        return self.speed != 1.0

    def check(self) -> None:
        """Raises SourceError where it is no video that can be opened."""
        if not self.path.is_file():
            raise SourceError(f"{self.path}: no such file")
        self.connect(threading.Event(), lambda: None).close()

    def connect(self, stop: threading.Event, alive: Callable[[], None]) -> Connection:
        opened = _open(str(self.path), str(self.path))
        return Container(opened, name=str(self.path), pace=Pace(self.speed, stop, alive), device=False)


def without_password(url: str) -> str:
    """``rtsp://user:secret@host/path`` → ``rtsp://host/path``; what follows a question mark is left out too."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def source_from(
    text: str,
    *,
    speed: float = 1.0,
    loop: bool = False,
    size: tuple[int, int] = (1280, 720),
    rate: float = 30.0,
) -> CameraSource | StreamSource | FileSource:
    """What the word on the command line means; raises SourceError where it can't be any source."""
    scheme = re.match(r"([a-z0-9+.-]+)://", text, re.IGNORECASE)
    if scheme is not None:
        if scheme.group(1).lower() not in STREAMS:
            known = ", ".join(STREAMS)
            raise SourceError(f"{without_password(text)}: streams of these kinds can be read: {known}")
        return StreamSource(url=text)
    if text.isdigit():
        device = text if sys.platform == "darwin" else f"/dev/video{text}"
        return CameraSource(device=device, size=size, rate=rate)
    path = Path(text)
    if path.is_char_device():
        return CameraSource(device=text, size=size, rate=rate)
    if text.startswith("/dev/"):
        raise SourceError(f"{text}: no such device; is the camera plugged in?")
    if not path.is_file():
        raise SourceError(f"{text}: no such file; a camera is a number (0) or a device, a stream begins with rtsp://")
    return FileSource(path=path, speed=speed, loop=loop)
