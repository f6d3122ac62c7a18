"""The footage of a review: one video, a sequence of pictures, or the segments of a match, on one clock."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from threading import RLock
from typing import Protocol

from referee.app.analyze.inputs import InputKind, find_inputs
from referee.app.review.errors import NotThere, VideoMissing
from referee.app.review.frames import ROUNDING_S, FrameReader
from vision.frames import Frame, FrameStamp, Pixels, SourceError, read_picture

OPEN_AT_ONCE = 3
PLAYED_SUFFIXES = frozenset({".mp4", ".m4v", ".mov", ".webm"})
PLAYED_CODECS = frozenset({"h264", "vp8", "vp9", "av1", "libdav1d", "libvpx-vp9"})
"""Containers and codecs that browsers play; other footage is shown frame by frame."""
SAME_TIME_S = 2e-3
"""Times rounded to milliseconds, as some containers keep them, still belong to the same frames."""


class Reader(Protocol):
    """Frames of one file by number."""

    size: tuple[int, int]
    codec: str

    @property
    def times_s(self) -> list[float]: ...
    def __len__(self) -> int: ...
    def frame(self, index: int) -> Frame: ...
    def index_at(self, t_s: float) -> int: ...
    def time_of(self, index: int) -> float: ...
    def release(self) -> None: ...
    def close(self) -> None: ...


class PictureReader:
    """The pictures of a sequence, ``rate`` of them a second from 0."""

    codec = "pictures"

    def __init__(self, files: Sequence[Path], rate: Fraction) -> None:
        self._files, self._rate = files, rate
        height, width = self._picture(0).shape[:2]
        self.size = (width, height)

    def _picture(self, index: int) -> Pixels:
        try:
            return read_picture(self._files[index])
        except SourceError as error:
            raise VideoMissing(str(error)) from None

    @property
    def times_s(self) -> list[float]:
        return [self.time_of(i) for i in range(len(self._files))]

    def __len__(self) -> int:
        return len(self._files)

    def index_at(self, t_s: float) -> int:
        return min(len(self._files) - 1, max(0, int((t_s + ROUNDING_S) * self._rate)))

    def time_of(self, index: int) -> float:
        return float(index / self._rate)

    def frame(self, index: int) -> Frame:
        if not 0 <= index < len(self._files):
            raise NotThere(f"the sequence has frames 0 to {len(self._files) - 1}, none {index}")
        stamp = FrameStamp(index=index, pts=index, time_base=1 / self._rate, t_s=self.time_of(index))
        return Frame(stamp=stamp, bgr=self._picture(index))

    def release(self) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing is held open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A file of the footage and the span that it shows. ``offset_s``: the review's time minus the file's own."""

    path: Path
    t0_s: float
    t1_s: float
    offset_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A decoded frame, its time on the review's clock, and its number where the footage is one file."""

    t_s: float
    index: int | None
    frame: Frame


class Footage:
    """Frames of several segments in order of time. Calls may come from any thread."""

    def __init__(
        self, segments: Sequence[Segment], readers: dict[Path, Reader] | None = None, *, numbered: bool = False
    ) -> None:
        """readers: of files that are open already and stay so. numbered: one file, whose frames have numbers."""
        self.segments = tuple(segments)
        self.numbered = numbered
        self._held = dict(readers or {})
        self._open: OrderedDict[Path, Reader] = OrderedDict()
        self._lock = RLock()

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in px of the first segment."""
        return self._reader(self._first).size

    @property
    def span(self) -> tuple[float, float]:
        """Start of the first segment and end of the last, s. Raises VideoMissing."""
        return self._first.t0_s, self.segments[-1].t1_s

    @property
    def playable(self) -> bool:
        """Whether browsers play such files."""
        first = self._first
        return first.path.suffix.lower() in PLAYED_SUFFIXES and self._reader(first).codec in PLAYED_CODECS

    def number_of(self, t_s: float) -> int | None:
        """The number of the frame shown at a time, None where frames have none."""
        if not self.numbered:
            return None
        with self._lock:
            return self._reader(self._first).index_at(t_s - self._first.offset_s)

    @property
    def _first(self) -> Segment:
        if not self.segments:
            raise VideoMissing("no video was kept")
        return self.segments[0]

    def _reader(self, segment: Segment) -> Reader:
        with self._lock:
            if segment.path in self._held:
                return self._held[segment.path]
            if segment.path not in self._open:
                self._open[segment.path] = FrameReader(segment.path)
            self._open.move_to_end(segment.path)
            while len(self._open) > OPEN_AT_ONCE:
                self._open.popitem(last=False)[1].close()
            return self._open[segment.path]

    def segment_at(self, t_s: float) -> Segment:
        """The last that begins not later than the time, or the first one. Raises VideoMissing."""
        return next((each for each in reversed(self.segments) if each.t0_s <= t_s + ROUNDING_S), self._first)

    def at(self, t_s: float) -> Shown:
        """The frame shown at a time. Raises NotThere, VideoMissing."""
        segment = self.segment_at(t_s)
        with self._lock:
            reader = self._reader(segment)
            return self._shown(segment, reader, reader.index_at(t_s - segment.offset_s))

    def numbered_frame(self, index: int) -> Shown:
        """The frame of this number. Raises NotThere, VideoMissing."""
        if not self.numbered:
            raise NotThere("the frames of a match have no numbers; they are asked for by time")
        with self._lock:
            return self._shown(self._first, self._reader(self._first), index)

    def _shown(self, segment: Segment, reader: Reader, index: int) -> Shown:
        t_s = reader.time_of(index) + segment.offset_s if 0 <= index < len(reader) else 0.0
        return Shown(t_s=t_s, index=index if self.numbered else None, frame=reader.frame(index))

    def times(self, t0_s: float, t1_s: float) -> list[float]:
        """Of all frames shown from ``t0_s`` to ``t1_s``, in order."""
        out: list[float] = []
        for segment in self.segments:
            if segment.t0_s <= t1_s + ROUNDING_S and segment.t1_s >= t0_s - ROUNDING_S:
                with self._lock:
                    own = [t_s + segment.offset_s for t_s in self._reader(segment).times_s]
                out += [t_s for t_s in own if t0_s - ROUNDING_S <= t_s <= t1_s + ROUNDING_S]
        return sorted(set(out))

    def around(self, t0_s: float, t1_s: float, more: int) -> list[float]:
        """The times of the frames shown from ``t0_s`` to ``t1_s``, and of ``more`` before and after them."""
        widened = 0.5
        times = self.times(t0_s - widened, t1_s + widened)
        inside = [i for i, t_s in enumerate(times) if t0_s - ROUNDING_S <= t_s <= t1_s + ROUNDING_S]
        if inside:
            first, last = inside[0], inside[-1] + 1
        else:
            first = last = sum(t_s < t0_s for t_s in times)
        return times[max(0, first - more) : last + more]

    def pictures(self, t0_s: float, t1_s: float) -> Iterable[Shown]:
        """The frames shown from ``t0_s`` to ``t1_s``, one after the other. Raises VideoMissing."""
        for t_s in self.times(t0_s, t1_s):
            yield self.at(t_s)

    def release(self) -> None:
        """Forgets the frames that are kept."""
        with self._lock:
            for reader in (*self._open.values(), *self._held.values()):
                reader.release()

    def close(self) -> None:
        with self._lock:
            for reader in (*self._open.values(), *self._held.values()):
                reader.close()
            self._open.clear()


def footage_of_clip(
    path: Path,
    kind: str,
    size_bytes: int,
    rate: float | None,
    times_s: Sequence[float] | None,
    given: Path | None,
    near: Path,
) -> Footage:
    """The footage of an analyzed clip, from where it was or from the file that the user gives. Raises VideoMissing.

    times_s: of its frames as they were analyzed, None where not all are known: a file of another size is taken only if
    its frames have these times. near: the analyzed folder, about which a file of this name and size is looked for.
    """
    if kind == InputKind.SEQUENCE:
        return _footage_of_pictures(given or path, rate, given)
    where = given if given is not None else _found(path, size_bytes, near)
    if not where.is_file():
        raise VideoMissing(_moved(where, given))
    same = where.stat().st_size == size_bytes
    reader = FrameReader(where, times_s if same else None)
    if not same and not _fits(reader.times_s, times_s):
        reader.close()
        raise VideoMissing(f"{where}: not the video that was analyzed (other frames); say where that is with --video")
    span = reader.times_s
    segment = Segment(path=where, t0_s=span[0], t1_s=span[-1])
    return Footage([segment], {where: reader}, numbered=True)


def _found(path: Path, size_bytes: int, near: Path) -> Path:
    """Where it was; or, moved along with its analysis or named from another folder, near that."""
    about = (near, near.parent, near.parent.parent)
    for where in (path, *(folder / path.name for folder in about), *(folder / path for folder in about)):
        if where.is_file() and (where == path or where.stat().st_size == size_bytes):
            return where
    return path


def _moved(where: Path, given: Path | None) -> str:
    if given is not None:
        return f"--video {where}: no such file"
    return f"{where}: the video was moved or deleted since it was analyzed; say where it is with --video"


def _fits(found: Sequence[float], times_s: Sequence[float] | None) -> bool:
    if times_s is None or len(found) != len(times_s):
        return False
    return all(abs(a - b) <= SAME_TIME_S for a, b in zip(found, times_s, strict=True))


def _footage_of_pictures(path: Path, rate: float | None, given: Path | None) -> Footage:
    exact = Fraction(rate).limit_denominator(1001) if rate else None
    inputs, _ = find_inputs([str(path)], exact)
    if len(inputs) != 1 or inputs[0].rate is None:
        raise VideoMissing(_moved(path, given).replace("the video was", "the pictures were"))
    reader = PictureReader(inputs[0].files, inputs[0].rate)
    segment = Segment(path=path, t0_s=0.0, t1_s=reader.time_of(len(reader) - 1))
    return Footage([segment], {path: reader}, numbered=True)
