"""Writing ``overlay.mp4``: H.264 with the frames' own times, and ``overlay.png`` for a still."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.result import Calibration
from referee.app.analyze.inputs import Input
from referee.app.analyze.tracks import read_frames
from referee.app.overlay.drawing import OverlayArtist
from referee.app.overlay.story import Story

TIME_BASE = Fraction(1, 90_000)


class VideoWriter:
    """Frames with their times into an MP4 file. A frame not later than the one before is left out."""

    def __init__(self, path: Path, size: tuple[int, int], rate: Fraction = Fraction(30)) -> None:
        import av

        self._container = av.open(str(path), "w", options={"movflags": "+faststart"})
        codec = "libx264" if "libx264" in av.codecs_available else "h264"
        stream: Any = self._container.add_stream(codec, rate=rate, options={"preset": "veryfast", "crf": "21"})
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = TIME_BASE
        self._stream = stream
        self._last = -1

    def add(self, bgr: NDArray[np.uint8], t_s: float) -> None:
        """``t_s`` counts from the start of the video."""
        import av

        pts = round(t_s / TIME_BASE)
        if pts <= self._last:
            return
        self._last = pts
        frame = av.VideoFrame.from_ndarray(bgr, format="bgr24")
        frame.pts, frame.time_base = pts, TIME_BASE
        self._container.mux(self._stream.encode(frame))

    def close(self) -> None:
        self._container.mux(self._stream.encode(None))
        self._container.close()


def _rows_by_frame(tracks: Path) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    yield from read_frames(tracks)
    yield 2**62, []


def write_overlay(
    path: Path,
    source: Input,
    calibration: Calibration,
    tracks: Path,
    story: Story,
    *,
    lang: str,
    game: str,
    tell: Callable[[int], None],
) -> None:
    """Decodes the input once more and draws over it; ``tell`` gets the number of frames done. Raises SourceError."""
    artist = OverlayArtist(calibration, calibration.camera.size, story, lang, game)
    writer = VideoWriter(path, artist.size)
    by_frame = _rows_by_frame(tracks)
    number, rows = next(by_frame)
    for frame in source.frames():
        while number < frame.stamp.index:
            number, rows = next(by_frame)
        here = rows if number == frame.stamp.index else []
        writer.add(artist.draw(frame.bgr, frame.stamp.t_s, here), frame.stamp.t_s)
        tell(frame.stamp.index + 1)
    writer.close()
