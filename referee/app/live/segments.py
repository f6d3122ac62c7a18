"""One piece of video of a match, and the index of all of them.

A piece is a fragmented MP4, written on as it comes: what is there can be played at any moment, and a process that is
killed, or a power cut, costs the last half second. Its own time is that of the match less the ``t0`` in the index.

``index.jsonl`` has a line when a piece is begun (``open``), one when it is finished, and one when it is deleted; the
last line of a file holds: ``file, t0, t1, at0, bytes, codec, size, keyframes`` (these in the match's time).
"""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

from referee.app.durable import sync
from referee.app.live.reader import Kept
from vision.frames import FULL_RANGE

INDEX = "index.jsonl"
TIME_BASE = Fraction(1, 90_000)
FRAGMENT_S = 0.5
SYNC_EVERY_S = 2.0
OPTIONS = {
    "movflags": "+empty_moov+default_base_moof+frag_keyframe",
    "frag_duration": str(int(FRAGMENT_S * 1e6)),
    "flush_packets": "1",
}


class Segment(Protocol):
    """A piece that is being written."""

    @property
    def t0_s(self) -> float: ...

    def add(self, kept: Kept) -> None: ...

    def close(self) -> None: ...


def now_iso() -> str:
    """The wall time with its zone."""
    return datetime.now().astimezone().isoformat(timespec="milliseconds")


@dataclass(slots=True)
class _File:
    """The container, the times written, and what is on the disk for certain."""

    path: Path
    t0_s: float
    container: Any
    stream: Any
    last_dts: int = -1
    last_t_s: float = 0.0
    synced_s: float = 0.0
    keyframes: list[float] = field(default_factory=list)

    def mux(self, packet: Any, t_s: float) -> None:
        """Writes a packet whose pts and dts are in TIME_BASE from t0_s on; decoding times are made to rise."""
        packet.dts = max(packet.dts, self.last_dts + 1)
        packet.pts = max(packet.pts, packet.dts)
        self.last_dts = packet.dts
        packet.time_base = TIME_BASE
        packet.stream = self.stream
        if packet.is_keyframe:
            self.keyframes.append(round(t_s, 6))
        self.container.mux(packet)
        self.last_t_s = max(self.last_t_s, t_s)
        if self.last_t_s - self.synced_s > SYNC_EVERY_S:
            self.synced_s = self.last_t_s
            sync(self.path)

    def close(self) -> None:
        self.container.close()
        sync(self.path)


def _opened(path: Path) -> Any:
    import av

    return av.open(str(path), "w", format="mp4", options=OPTIONS)


class Copied:
    """Packets as they came from the source, without coding them again; begins with a key frame."""

    def __init__(self, path: Path, kept: Kept) -> None:
        container = _opened(path)
        stream = container.add_stream_from_template(kept.facts.template)
        stream.time_base = TIME_BASE
        packet = kept.packet
        # Time counts from the first decoding time, so that no stamp is negative.
        lead = 0.0
        if packet.pts is not None and packet.dts is not None:
            lead = max(0.0, float((packet.pts - packet.dts) * packet.time_base))
        self._lead_s = min(lead, 1.0)
        self._file = _File(path, kept.t_s - self._lead_s, container, stream)
        self.t0_s = self._file.t0_s
        self.add(kept)

    def add(self, kept: Kept) -> None:
        packet = kept.packet
        at = round((kept.t_s - self.t0_s) / TIME_BASE)
        ahead = 0
        if kept.facts.reordered and packet.pts is not None and packet.dts is not None:
            ahead = round(float((packet.pts - packet.dts) * packet.time_base) / TIME_BASE)
        packet.pts, packet.dts = at, max(at - max(ahead, 0), 0)
        if packet.duration:
            packet.duration = round(float(packet.duration * packet.time_base) / TIME_BASE)
        self._file.mux(packet, kept.t_s)

    def close(self) -> None:
        self._file.close()

    @property
    def facts(self) -> dict[str, Any]:
        return _facts(self._file)


class Encoded:
    """Pictures coded as H.264, cheaply, for sources whose own coding a browser can't play."""

    def __init__(self, path: Path, kept: Kept) -> None:
        import av

        self.t0_s, picture = kept.pictures[0]
        container = _opened(path)
        name = "libx264" if "libx264" in av.codecs_available else "h264"
        rate = Fraction(max(1, min(240, round(kept.facts.rate or 30))))
        stream = container.add_stream(name, rate=rate)
        # A camera's JPEGs span the whole range of luma; so do the pictures coded from them.
        full = picture.format.name.startswith("yuvj") or picture.color_range == FULL_RANGE
        stream.width, stream.height = picture.width // 2 * 2, picture.height // 2 * 2
        stream.pix_fmt = "yuvj420p" if full else "yuv420p"
        stream.codec_context.time_base = TIME_BASE
        stream.time_base = TIME_BASE
        stream.codec_context.options = {
            "preset": "ultrafast",
            "tune": "zerolatency",
            "crf": "23",
            "g": str(int(rate)),
            "threads": "1",
        }
        self._file = _File(path, self.t0_s, container, stream)
        self._last = -1
        self.add(kept)

    def add(self, kept: Kept) -> None:
        stream = self._file.stream
        for t_s, picture in kept.pictures:
            at = round((t_s - self.t0_s) / TIME_BASE)
            if at <= self._last:
                continue
            self._last = at
            ready = picture.reformat(width=stream.width, height=stream.height, format=stream.pix_fmt)
            # Where nothing had to be converted this is the picture that the eye looks at, by its pixels alone.
            ready.pts, ready.time_base, ready.pict_type = at, TIME_BASE, 0
            for packet in stream.encode(ready):
                self._write(packet)

    def _write(self, packet: Any) -> None:
        self._file.mux(packet, self.t0_s + float(packet.pts * TIME_BASE))

    def close(self) -> None:
        for packet in self._file.stream.encode(None):
            self._write(packet)
        self._file.close()

    @property
    def facts(self) -> dict[str, Any]:
        return _facts(self._file)


def _facts(file: _File) -> dict[str, Any]:
    return {
        "t1": round(file.last_t_s, 6),
        "bytes": file.path.stat().st_size,
        "keyframes": file.keyframes,
    }


# ---------------------------------------------------------------------------------------------- the index


def read_index(folder: Path) -> dict[str, dict[str, Any]]:
    """File name → its last line, in the order begun; a torn or foreign line is passed over."""
    found: dict[str, dict[str, Any]] = {}
    try:
        text = (folder / INDEX).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and isinstance(entry.get("file"), str) and Path(entry["file"]).name == entry["file"]:
            found[entry["file"]] = entry
    return found


def add_to_index(folder: Path, entries: Iterable[dict[str, Any]]) -> None:
    """On disk when this returns; a torn last line is left as a line of its own."""
    path = folder / INDEX
    torn = path.exists() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        if torn:
            file.write("\n")
        file.writelines(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
        file.flush()
        os.fsync(file.fileno())


def mend(folder: Path) -> list[dict[str, Any]]:
    """Finishes the lines of pieces that a kill or a power cut left open; returns those lines."""
    mended = []
    for name, entry in read_index(folder).items():
        path = folder / name
        if not entry.get("open"):
            continue
        times, keyframes = _packet_times(path)
        if not times:
            path.unlink(missing_ok=True)
            mended.append({**_closed(entry), "t1": entry["t0"], "bytes": 0, "deleted": True})
            continue
        t0 = float(entry["t0"])
        mended.append(
            {
                **_closed(entry),
                "t1": round(t0 + max(times), 6),
                "bytes": path.stat().st_size,
                "keyframes": [round(t0 + at, 6) for at in keyframes],
                "cut_off": True,
            }
        )
    if mended:
        add_to_index(folder, mended)
    return mended


def _closed(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "open"}


def _packet_times(path: Path) -> tuple[list[float], list[float]]:
    """Times of the packets, and of those with key frames, s from the file's zero; empty where nothing is readable."""
    import av

    times: list[float] = []
    keyframes: list[float] = []
    try:
        with av.open(str(path)) as container:
            for packet in container.demux(video=0):
                if packet.pts is not None and packet.size:
                    times.append(float(packet.pts * packet.time_base))
                    if packet.is_keyframe:
                        keyframes.append(times[-1])
    except (av.FFmpegError, OSError, IndexError):
        pass
    return times, keyframes
