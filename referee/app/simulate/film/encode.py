"""Frames into a video file with exact presentation times."""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import numpy as np

from vision.frames import Pixels

TIME_BASE = Fraction(1, 90_000)


def stamps(count: int, fps: float, jitter: float, rng: np.random.Generator) -> list[int]:
    """Presentation times in ticks of 1/90000 s: even, or with steps that vary by ``jitter`` of one step."""
    step = 90_000 / fps
    offsets = rng.uniform(-jitter / 2, jitter / 2, count) * step if jitter > 0 else np.zeros(count)
    ticks = np.round(np.arange(count) * step + offsets).astype(int)
    ticks -= ticks[0]
    return [int(t) for t in ticks]


def write_video(
    path: Path, frames: Iterable[tuple[int, Pixels]], *, size: tuple[int, int], crf: int, fps: float
) -> int:
    """Write (pts, picture) pairs as H.264 in MP4; returns their number. Only a whole file gets the name."""
    import av

    count = 0
    part = path.with_name(f".{path.stem}.part.mp4")
    with av.open(str(part), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1001))
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = TIME_BASE
        stream.codec_context.time_base = TIME_BASE
        stream.options = {"crf": str(crf), "preset": "veryfast", "threads": "2"}
        for pts, picture in frames:
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = pts, TIME_BASE
            container.mux(stream.encode(frame))
            count += 1
        container.mux(stream.encode(None))
    part.replace(path)
    return count
