"""A small RTSP camera for tests: one H.264 stream, RTP in the same TCP connection (RFC 2326, 10.12; RFC 6184, 5.6)."""

import base64
import re
import socketserver
import struct
import threading
from collections.abc import Iterator, Sequence
from fractions import Fraction

import av
import numpy as np

CODE = b"\x00\x00\x00\x01"


def nal_units(pictures: Sequence[np.ndarray], rate: int = 25) -> list[list[bytes]]:
    """The NAL units of each picture, without start codes."""
    encoder = av.CodecContext.create("libx264", "w")
    encoder.height, encoder.width = pictures[0].shape[:2]
    encoder.pix_fmt, encoder.time_base, encoder.framerate = "yuv420p", Fraction(1, rate), Fraction(rate)
    encoder.options = {
        "preset": "ultrafast",
        "tune": "zerolatency",
        "g": "5",
        "x264-params": "repeat-headers=1:slices=1",
    }
    found = []
    for number, picture in enumerate(pictures):
        frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
        frame.pts, frame.time_base = number, Fraction(1, rate)
        data = b"".join(bytes(packet) for packet in encoder.encode(frame))
        found.append([unit for unit in re.split(b"\x00\x00\x00?\x01", data) if unit])
    return found


def rtp(unit: bytes, sequence: int, stamp: int, last: bool) -> bytes:
    """One NAL unit as an RTP packet, framed for a TCP connection."""
    packet = struct.pack(">BBHII", 0x80, 96 | (0x80 if last else 0), sequence & 0xFFFF, stamp & 0xFFFFFFFF, 7) + unit
    return struct.pack(">cBH", b"$", 0, len(packet)) + packet


class RtspCamera:
    """``with RtspCamera(pictures) as url``: each connection gets all pictures and is then cut off."""

    def __init__(self, pictures: Sequence[np.ndarray], rate: int = 25) -> None:
        units = nal_units(pictures, rate)
        self.connections = 0
        self.asked: list[str] = []
        self.closed = threading.Event()
        camera = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                camera.connections += 1
                try:
                    while self.answer():
                        pass
                except OSError:
                    pass

            def answer(self) -> bool:
                lines = list(self.head())
                if not lines:
                    return False
                method, url = lines[0].split()[:2]
                camera.asked.append(f"{method} {url}")
                number = next(line.split(":")[1].strip() for line in lines if line.lower().startswith("cseq"))
                extra, body = "", ""
                if method == "OPTIONS":
                    extra = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
                if method == "DESCRIBE":
                    body = description(units[0])
                    extra = f"Content-Type: application/sdp\r\nContent-Length: {len(body)}\r\n"
                if method == "SETUP":
                    extra = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n"
                self.wfile.write(f"RTSP/1.0 200 OK\r\nCSeq: {number}\r\n{extra}\r\n{body}".encode())
                if method == "PLAY":
                    self.play()
                    return False
                return method != "TEARDOWN"

            def head(self) -> Iterator[str]:
                while (line := self.rfile.readline().decode().strip()) != "":
                    yield line

            def play(self) -> None:
                sequence = 0
                for number, picture in enumerate(units):
                    for k, unit in enumerate(picture):
                        self.wfile.write(rtp(unit, sequence, 5000 + number * 90_000 // rate, k == len(picture) - 1))
                        sequence += 1
                    if camera.closed.wait(1 / (4 * rate)):
                        return

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler, bind_and_activate=False)
        self._server.allow_reuse_address = self._server.daemon_threads = True

    def __enter__(self) -> str:
        self._server.server_bind()
        self._server.server_activate()
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return f"rtsp://ann:secret@127.0.0.1:{self._server.server_address[1]}/main"

    def __exit__(self, *_: object) -> None:
        self.closed.set()
        self._server.shutdown()
        self._server.server_close()


def description(first: Sequence[bytes]) -> str:
    """The SDP, with the parameter sets (NAL types 7 and 8) of the first picture."""
    sets = ",".join(base64.b64encode(unit).decode() for unit in first if unit[0] & 31 in (7, 8))
    lines = (
        "v=0",
        "o=- 1 1 IN IP4 127.0.0.1",
        "s=camera",
        "t=0 0",
        "m=video 0 RTP/AVP 96",
        "c=IN IP4 0.0.0.0",
        "a=rtpmap:96 H264/90000",
        f"a=fmtp:96 packetization-mode=1;sprop-parameter-sets={sets}",
        "a=control:track1",
        "",
    )
    return "\r\n".join(lines)
