"""A camera on the network that misbehaves as it is told: real sockets, real MPEG-TS with H.264, or JPEGs one by one."""

import io
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import av
import numpy as np

RATE = 25
START = 90_000
Script = Callable[[int], Iterator["Step"]]
"""The number of the connection, from 1 → what is sent on it."""

Step = bytes | float | None
"""Bytes are sent, a number is a pause in s, None hangs until the server is closed. At the end the line is cut."""


def plain_picture(number: int, size: tuple[int, int] = (320, 240)) -> np.ndarray[Any, Any]:
    """Grey with a white bar that moves on by 4 px a picture: every picture differs, and tells its number."""
    picture = np.full((size[1], size[0], 3), 90, np.uint8)
    left = 4 * number % (size[0] - 16)
    picture[40:80, left : left + 16] = 255
    return picture


def transport_stream(
    pictures: Sequence[np.ndarray[Any, Any]],
    *,
    first: int = 0,
    stamps: Sequence[int] | None = None,
    keyframe_every: int = 5,
) -> list[bytes]:
    """A piece of MPEG-TS for each picture. stamps: in pictures from the start; default ``first``, ``first + 1`` …"""
    memory = io.BytesIO()
    pieces = []
    with av.open(memory, "w", format="mpegts", options={"flush_packets": "1"}) as out:
        stream = out.add_stream("libx264", rate=RATE)
        height, width = pictures[0].shape[:2]
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 90_000)
        stream.codec_context.options = {
            "preset": "ultrafast",
            "tune": "zerolatency",
            "g": str(keyframe_every),
            "x264-params": "repeat-headers=1",
        }
        sent = 0
        for number, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = number * 90_000 // RATE, Fraction(1, 90_000)
            for packet in stream.encode(frame):
                packet.pts = packet.dts = START + (first + number) * 90_000 // RATE
                out.mux(packet)
            data = memory.getvalue()
            pieces.append(data[sent:])
            sent = len(data)
    tail = memory.getvalue()[sent:]
    pieces[-1] += tail
    if stamps is not None:
        pieces = [stamped(piece, START + at * 90_000 // RATE) for piece, at in zip(pieces, stamps, strict=True)]
    return pieces


def stamped(piece: bytes, pts: int) -> bytes:
    """A piece of MPEG-TS with one picture, whose presentation time is written over (ISO 13818-1, 2.4.3.6)."""
    at = piece.index(b"\x00\x00\x01\xe0")
    field = bytes(
        [
            0x21 | (pts >> 29) & 0x0E,
            (pts >> 22) & 0xFF,
            0x01 | (pts >> 14) & 0xFE,
            (pts >> 7) & 0xFF,
            0x01 | (pts << 1) & 0xFE,
        ]
    )
    assert piece[at + 7] & 0xC0 == 0x80, "a stamp for presentation alone"
    return piece[: at + 9] + field + piece[at + 14 :]


def paced(pieces: Sequence[bytes], rate: float = 4 * RATE) -> Iterator[Step]:
    """The pieces, so many a second."""
    for piece in pieces:
        yield piece
        yield 1 / rate


class Camera:
    """``with Camera(script) as url``: answers each request as the script says."""

    def __init__(self, script: Script, kind: str = "video/mp2t") -> None:
        self.connections = 0
        self.closed = threading.Event()
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                camera.connections += 1
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.end_headers()
                try:
                    for step in script(camera.connections):
                        if step is None:
                            camera.closed.wait(60)
                        elif isinstance(step, bytes):
                            self.wfile.write(step)
                            self.wfile.flush()
                        else:
                            camera.closed.wait(step)
                        if camera.closed.is_set():
                            break
                except OSError:
                    pass

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._server.server_port}/live.ts"

    def __exit__(self, *_: object) -> None:
        self.closed.set()
        self._server.shutdown()
        self._server.server_close()


def until(true: Callable[[], bool], most_s: float = 60.0) -> bool:
    """Waits for something that another thread does."""
    end = time.monotonic() + most_s
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.01)
    return true()
