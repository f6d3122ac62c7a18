"""Exact frames of a video by number or by time: sought at a key frame, decoded forward, the last ones kept.

A frame's number is its place in the order shown, as in ``tracks.parquet``; its time is pts × time base. The table of
all times comes from the tracks where they hold every frame, else from the file's packets, which needs no decoding.
"""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from threading import RLock
from typing import Any

import cv2
import numpy as np

from referee.app.review.errors import NotThere, VideoMissing
from vision.frames import Frame, FrameStamp, Pixels, SourceError, video_frames

KEPT_BYTES = 48 << 20
LEAST_KEPT = 8
AHEAD_FRAMES = 48
"""A frame that lies at most so far ahead of the one decoded last is reached by decoding on."""
BACK_S = (0.0, 1.0, 5.0, 20.0)
"""Where decoding can't begin at the key frame sought, it is tried so much earlier, then from the start."""
ROUNDING_S = 1e-6
JPEG_QUALITY = 88


class FrameReader:
    """The frames of one video file. Calls from several threads come one after the other.

    ``times_s``: of all frames in the order shown, where they are known already. Raises VideoMissing.
    """

    def __init__(self, path: Path, times_s: Sequence[float] | None = None) -> None:
        self.path = path
        self._lock = RLock()
        self._given = times_s
        self._pts: list[int] | None = None
        self._container: Any = None
        self._pictures: Iterator[Any] | None = None
        self._next: int | None = None
        self._kept: OrderedDict[int, Frame] = OrderedDict()
        self._open()

    # ------------------------------------------------------------------------------------------ times

    @property
    def times_s(self) -> list[float]:
        """Of all frames in the order shown; strictly increasing."""
        return [float(pts * self._time_base) for pts in self.pts]

    @property
    def pts(self) -> list[int]:
        """Of all frames in the order shown, in units of the file's time base."""
        with self._lock:
            if self._pts is None:
                self._pts = self._table()
            return self._pts

    def __len__(self) -> int:
        return len(self.pts)

    def index_at(self, t_s: float) -> int:
        """The frame shown at a time: the last one that isn't later; the first one before the video begins."""
        return max(0, bisect_right(self.pts, (t_s + ROUNDING_S) / float(self._time_base)) - 1)

    def time_of(self, index: int) -> float:
        return float(self.pts[index] * self._time_base)

    def _table(self) -> list[int]:
        if self._given:
            return [round(t_s / self._time_base) for t_s in self._given]
        if self._in_order:
            return [frame.stamp.pts for frame in self._from_start()]
        import av

        self._rewind()
        stream = self._container.streams.video[0]
        try:
            found = {
                packet.pts
                for packet in self._container.demux(stream)
                if packet.pts is not None and not packet.is_discard
            }
        except av.FFmpegError:
            found = {frame.stamp.pts for frame in self._from_start()}
        self._rewind()
        if not found:
            raise VideoMissing(f"{self.path}: holds no frame that can be decoded")
        return sorted(found)

    # ------------------------------------------------------------------------------------------ frames

    def frame(self, index: int) -> Frame:
        """The frame of this number, from 0. Raises NotThere, VideoMissing."""
        with self._lock:
            if not 0 <= index < len(self.pts):
                raise NotThere(f"{self.path.name} has frames 0 to {len(self.pts) - 1}, none {index}")
            if index in self._kept:
                self._kept.move_to_end(index)
                return self._kept[index]
            if not self._reach(index):
                raise VideoMissing(f"{self.path}: frame {index} can't be decoded; the file is damaged there")
            return self._kept[index]

    def _reach(self, index: int) -> bool:
        """Decodes up to this frame and keeps those on the way; whether it was found."""
        if self._next is not None and self._next <= index <= self._next + AHEAD_FRAMES and self._decode_to(index):
            return True
        if self._in_order:
            return self._restart_in_order() and self._decode_to(index)
        for back_s in BACK_S:
            at = self.pts[index] - round(back_s / self._time_base)
            if at <= self.pts[0]:
                break
            if self._seek(at) and self._decode_to(index):
                return True
        self._rewind()
        self._pictures = self._container.decode(self._container.streams.video[0])
        self._next = 0
        return self._decode_to(index)

    def _seek(self, pts: int) -> bool:
        """Whether decoding begins at a key frame that is shown not later than ``pts``; that frame is kept."""
        import av

        stream = self._container.streams.video[0]
        try:
            self._container.seek(pts, stream=stream)
            self._pictures = self._container.decode(stream)
            picture = next(self._pictures, None)
        except av.FFmpegError:
            picture = None
        if picture is None or picture.pts is None or picture.pts > pts or not picture.key_frame:
            self._next = None
            return False
        return self._keep(picture) is not None

    def _decode_to(self, index: int) -> bool:
        import av

        if index in self._kept:
            return True
        try:
            for picture in self._pictures or ():
                at = self._keep(picture)
                if at is not None and at >= index:
                    return at == index
        except (av.FFmpegError, SourceError):
            pass
        self._next = None
        return False

    def _keep(self, picture: Any) -> int | None:
        """Keeps a decoded picture; returns its number, None where the table doesn't know it."""
        if isinstance(picture, Frame):
            at, frame = picture.stamp.index, picture
        else:
            if picture.pts is None:
                return None
            at = bisect_right(self.pts, picture.pts) - 1
            if at < 0 or self.pts[at] != picture.pts:
                return None
            t_s = float(picture.pts * self._time_base)
            stamp = FrameStamp(index=at, pts=picture.pts, time_base=self._time_base, t_s=t_s)
            frame = Frame(stamp=stamp, picture=picture)
        self._next = at + 1
        self._kept[at] = frame
        self._kept.move_to_end(at)
        width, height = frame.size
        while len(self._kept) > max(LEAST_KEPT, KEPT_BYTES // (width * height * 3 // 2)):
            self._kept.popitem(last=False)
        return at

    # ------------------------------------------------------------------------------------------ the file

    def _open(self) -> None:
        import av

        if not self.path.is_file():
            raise VideoMissing(f"{self.path}: the video isn't there")
        try:
            self._container = av.open(str(self.path))
            stream = self._container.streams.video[0]
        except (av.FFmpegError, OSError, IndexError):
            raise VideoMissing(f"{self.path}: not a readable video") from None
        stream.thread_type = "AUTO"
        self._time_base: Fraction = stream.time_base
        self._in_order = self._container.format.name == "avi"
        """Its times are made up while decoding from the start, so that is the only way to number its frames."""
        self.size = (stream.codec_context.width, stream.codec_context.height)
        self.codec = str(stream.codec_context.name)

    def _rewind(self) -> None:
        self._container.close()
        self._pictures, self._next = None, None
        self._open()

    def _from_start(self) -> Iterator[Frame]:
        try:
            yield from video_frames(self.path)
        except SourceError as error:
            raise VideoMissing(str(error)) from None

    def _restart_in_order(self) -> bool:
        self._pictures, self._next = video_frames(self.path), 0
        return True

    def release(self) -> None:
        """Forgets the frames that are kept; they can be decoded again."""
        with self._lock:
            self._kept.clear()

    def close(self) -> None:
        with self._lock:
            self._kept.clear()
            self._container.close()


def jpeg(picture: Pixels, quality: int = JPEG_QUALITY) -> bytes:
    """(height, width, 3) uint8 BGR as a JPEG file."""
    done, data = cv2.imencode(".jpg", np.ascontiguousarray(picture), [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return data.tobytes()
