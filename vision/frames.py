"""Frames with their own time: video files decoded by PyAV, still pictures, and sequences of pictures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp"})
VIDEO_SUFFIXES = frozenset({".mp4", ".avi", ".mkv", ".mov", ".webm", ".m4v", ".ts", ".mts", ".mpg", ".mpeg"})


CUT_OFF_SHARE = 0.9
SAMPLED_PREFIX = 400
PLANAR_FORMATS = frozenset({"yuv420p", "yuvj420p"})
FULL_RANGE = 2  # AVCOL_RANGE_JPEG


class SourceError(Exception):
    """The input can't be read; the message says which, why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameStamp:
    """When a frame was shown: ``t_s`` = pts × time_base, and its place in decoding order from 0."""

    index: int
    pts: int
    time_base: Fraction
    t_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Planes:
    """Luma (height, width) and the two colour differences, blue then red, uint8, these at full or half size.

    full_range: luma spans 0 to 255, not 16 to 235 as in most videos.
    """

    luma: Pixels
    cb: Pixels
    cr: Pixels
    full_range: bool

    def lit_up(self, gain: float) -> "Planes":
        """The planes as if so many times as much light had been there, as far as they can hold it."""
        if gain == 1:
            return self
        levels, black = np.arange(256), 0 if self.full_range else 16
        tables = [
            np.clip(np.round(zero + gain * (levels - zero)), 0, 255).astype(np.uint8) for zero in (black, 128, 128)
        ]
        planes = (self.luma, self.cb, self.cr)
        luma, cb, cr = (np.asarray(cv2.LUT(*each), np.uint8) for each in zip(planes, tables, strict=True))
        return Planes(luma=luma, cb=cb, cr=cr, full_range=self.full_range)


class Frame:
    """One picture and its stamp. Its pixels are converted only when they are asked for."""

    __slots__ = ("_bgr", "_picture", "stamp")

    def __init__(self, *, stamp: FrameStamp, bgr: Pixels | None = None, picture: Any = None) -> None:
        """Of ``bgr`` (height, width, 3) uint8, or of a picture decoded by PyAV."""
        if bgr is None and picture is None:
            raise ValueError("a frame needs pixels: bgr or picture")
        self.stamp = stamp
        self._bgr = bgr
        self._picture = picture

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in px."""
        if self._bgr is not None:
            return self._bgr.shape[1], self._bgr.shape[0]
        return self._picture.width, self._picture.height

    @property
    def bgr(self) -> Pixels:
        """(height, width, 3) uint8."""
        if self._bgr is None:
            self._bgr = self._picture.to_ndarray(format="bgr24")
        return self._bgr

    @property
    def planes(self) -> Planes:
        """As decoded where the video holds planes of 8 bits, without copying; else converted from ``bgr``."""
        picture = self._picture
        if picture is not None and picture.format.name in PLANAR_FORMATS:
            luma, cb, cr = (_plane(plane) for plane in picture.planes[:3])
            full = picture.format.name == "yuvj420p" or picture.color_range == FULL_RANGE
            return Planes(luma=luma, cb=cb, cr=cr, full_range=full)
        ycrcb = cv2.cvtColor(self.bgr, cv2.COLOR_BGR2YCrCb)
        luma, cr, cb = (np.asarray(ycrcb[..., k], dtype=np.uint8) for k in range(3))
        return Planes(luma=luma, cb=cb, cr=cr, full_range=True)


def _plane(plane: Any) -> Pixels:
    """A view of a decoded plane; its lines may be longer than the picture is wide."""
    lines = np.frombuffer(plane, np.uint8)[: plane.line_size * plane.height]
    return np.asarray(lines.reshape(plane.height, plane.line_size)[:, : plane.width], dtype=np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoFacts:
    """What the container says of a video; ``frame_count`` is 0 where it doesn't say."""

    width: int
    height: int
    frame_count: int
    duration_s: float | None
    codec: str


_threads = 0


def set_decoding_threads(count: int) -> None:
    """On how many threads of FFmpeg's each video of this process is decoded; 0, as at first: on as many as it likes."""
    global _threads
    _threads = count


def decoding_threads() -> int:
    """On how many, as last set; 0: on as many as FFmpeg likes."""
    return _threads


def _on_threads(stream: Any) -> None:
    stream.thread_type = "AUTO"
    stream.codec_context.thread_count = _threads


def _opened(path: Path) -> Any:
    import av

    if not path.is_file():
        raise SourceError(f"{path}: no such file")
    try:
        container = av.open(str(path))
    except (av.FFmpegError, OSError) as error:
        raise SourceError(f"{path}: not a readable video ({error.strerror or error}); is it complete?") from None
    if not container.streams.video:
        container.close()
        raise SourceError(f"{path}: holds no video stream")
    return container


def _facts(container: Any) -> VideoFacts:
    stream = container.streams.video[0]
    duration = stream.duration * stream.time_base if stream.duration is not None else None
    return VideoFacts(
        width=stream.codec_context.width,
        height=stream.codec_context.height,
        frame_count=stream.frames,
        duration_s=float(duration) if duration is not None else None,
        codec=stream.codec_context.name,
    )


def _frame(picture: Any, index: int, time_base: Fraction, pts: int | None = None) -> Frame:
    if pts is None:
        pts = picture.pts if picture.pts is not None else 0
    # as float(pts * time_base), without making a fraction of it
    t_s = pts * time_base.numerator / time_base.denominator
    stamp = FrameStamp(index=index, pts=pts, time_base=time_base, t_s=t_s)
    return Frame(stamp=stamp, picture=picture)


def video_frames(path: Path) -> Iterator[Frame]:
    """The frames of a video file in the order shown; raises SourceError."""
    yield from _frames(_opened(path), path)


def open_video(path: Path) -> tuple[VideoFacts, Iterator[Frame]]:
    """Size, length and codec of a video file, and its `video_frames`; raises SourceError."""
    container = _opened(path)
    return _facts(container), _frames(container, path)


def _frames(container: Any, path: Path) -> Iterator[Frame]:
    import av

    with container:
        stream = container.streams.video[0]
        _on_threads(stream)
        # AVI has no presentation timestamps; those that are made up for it jump back and forth around B-frames.
        in_order = container.format.name == "avi"
        pts: int | None = None
        index = 0
        try:
            for picture in container.decode(stream):
                if picture.pts is None:
                    raise SourceError(f"{path}: frame {index} has no timestamp; remux the file with timestamps")
                if in_order:
                    pts = picture.dts if picture.dts is not None else picture.pts if pts is None else pts + 1
                yield _frame(picture, index, picture.time_base or stream.time_base, pts)
                index += 1
        except av.FFmpegError as error:
            raise SourceError(
                f"{path}: decoding breaks off after {index} frames ({error.strerror}); the file is damaged or cut off"
            ) from None
        if index == 0:
            raise SourceError(f"{path}: no frame could be decoded; the file is damaged or cut off")
        # Some containers count frames that an edit list or a missing first key frame leaves out; a cut file lacks more.
        if index < CUT_OFF_SHARE * stream.frames:
            raise SourceError(f"{path}: ends after {index} of {stream.frames} frames; the file is damaged or cut off")


def picture_sequence(files: Sequence[Path], rate: Fraction) -> Iterator[Frame]:
    """Pictures shown one after the other, ``rate`` of them a second from 0; raises SourceError."""
    time_base = 1 / rate
    for index, path in enumerate(files):
        stamp = FrameStamp(index=index, pts=index, time_base=time_base, t_s=float(index * time_base))
        yield Frame(stamp=stamp, bgr=read_picture(path))


def sampled_frames(path: Path, count: int) -> list[Frame]:
    """Up to ``count`` frames spread over a video, taken at its key frames; raises SourceError.

    A video with too few key frames is decoded from its start instead, as far as ``SAMPLED_PREFIX`` frames.
    ``stamp.index`` is -1 in a frame that was sought, since its number isn't known.
    """
    import av

    with _opened(path) as container:
        stream = container.streams.video[0]
        start, duration = stream.start_time or 0, stream.duration or 0
        found: dict[int, Frame] = {}
        for step in range(count if duration else 0):
            target = start + duration * (2 * step + 1) // (2 * count)
            try:
                container.seek(target, stream=stream)
                picture = _first_picture(container, stream)
            except av.FFmpegError:
                continue
            if picture is not None and picture.pts is not None and picture.pts not in found:
                found[picture.pts] = _frame(picture, -1, picture.time_base or stream.time_base)
    if len(found) >= min(count, 3):
        return [found[pts] for pts in sorted(found)]
    return _prefix_frames(path, count)


def _first_picture(container: Any, stream: Any) -> Any:
    """The first picture from where a video was sought, None at its end.

    A decoder keeps a picture back until it knows that no later one is shown before it; a key picture needs no other.
    """
    for packet in container.demux(stream):
        pictures = packet.decode()
        if not pictures and packet.is_keyframe:
            pictures = stream.codec_context.decode(None)
        if pictures:
            return pictures[0]
    return None


def _prefix_frames(path: Path, count: int) -> list[Frame]:
    import av

    with _opened(path) as container:
        stream = container.streams.video[0]
        _on_threads(stream)
        length = min(stream.frames or SAMPLED_PREFIX, SAMPLED_PREFIX)
        wanted = {length * (2 * step + 1) // (2 * count) for step in range(count)} | {0}
        found = []
        try:
            for index, picture in enumerate(container.decode(stream)):
                if index in wanted:
                    found.append(_frame(picture, index, picture.time_base or stream.time_base))
                if index >= max(wanted):
                    break
        except av.FFmpegError as error:
            if not found:
                raise SourceError(
                    f"{path}: no frame could be decoded ({error.strerror}); the file is damaged or cut off"
                ) from None
    if not found:
        raise SourceError(f"{path}: no frame could be decoded; the file is damaged or cut off")
    return found


def read_picture(path: Path) -> Pixels:
    """A still picture as (height, width, 3) uint8 BGR; raises SourceError."""
    if not path.is_file():
        raise SourceError(f"{path}: no such file")
    picture = cv2.imdecode(np.fromfile(path, dtype=np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise SourceError(f"{path}: not a readable picture; is it complete?")
    return np.asarray(picture, dtype=np.uint8)
