"""Frames with their own time: video files decoded by PyAV, still pictures, and sequences of pictures."""

from collections.abc import Iterator
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
class Frame:
    """One picture: ``bgr`` (height, width, 3) uint8 and its stamp."""

    stamp: FrameStamp
    bgr: Pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoFacts:
    """What the container says of a video; ``frame_count`` is 0 where it doesn't say."""

    width: int
    height: int
    frame_count: int
    duration_s: float | None
    codec: str


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


def video_facts(path: Path) -> VideoFacts:
    """Size, length and codec of a video file; raises SourceError."""
    with _opened(path) as container:
        stream = container.streams.video[0]
        duration = stream.duration * stream.time_base if stream.duration is not None else None
        return VideoFacts(
            width=stream.codec_context.width,
            height=stream.codec_context.height,
            frame_count=stream.frames,
            duration_s=float(duration) if duration is not None else None,
            codec=stream.codec_context.name,
        )


def video_frames(path: Path) -> Iterator[Frame]:
    """The frames of a video file in the order shown; raises SourceError where decoding breaks off."""
    import av

    with _opened(path) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        index = 0
        try:
            for picture in container.decode(stream):
                if picture.pts is None:
                    raise SourceError(f"{path}: frame {index} has no timestamp; remux the file with timestamps")
                time_base = picture.time_base or stream.time_base
                stamp = FrameStamp(
                    index=index, pts=picture.pts, time_base=time_base, t_s=float(picture.pts * time_base)
                )
                yield Frame(stamp=stamp, bgr=picture.to_ndarray(format="bgr24"))
                index += 1
        except av.FFmpegError as error:
            raise SourceError(
                f"{path}: decoding breaks off after {index} frames ({error.strerror}); the file is damaged or cut off"
            ) from None
        if index == 0:
            raise SourceError(f"{path}: no frame could be decoded; the file is damaged or cut off")


def read_picture(path: Path) -> Pixels:
    """A still picture as (height, width, 3) uint8 BGR; raises SourceError."""
    if not path.is_file():
        raise SourceError(f"{path}: no such file")
    picture = cv2.imdecode(np.fromfile(path, dtype=np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise SourceError(f"{path}: not a readable picture; is it complete?")
    return np.asarray(picture, dtype=np.uint8)
