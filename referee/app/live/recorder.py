"""The recorder: writes the video of the running match beside its log, in pieces, and keeps within a limit."""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from referee.app.live import space
from referee.app.live.reader import Kept
from referee.app.live.segments import Copied, Encoded, add_to_index, mend, now_iso, read_index

SEGMENT_S = 20.0
WAITING_MOST = 240
PLAYABLE = frozenset({"h264", "hevc", "av1", "vp9"})
"""Codings that are kept as they are; others are coded again, since no browser plays them."""

COPYABLE = PLAYABLE | {"mjpeg", "mpeg4"}
CLEAR_EVERY = 3
"""The space is looked at when so many pieces were finished."""

LIMIT_BYTES = 50_000_000_000


@dataclass(slots=True)
class _Piece:
    segment: Copied | Encoded
    folder: Path
    name: str
    at0: str
    codec: str
    size: tuple[int, int]
    connection: int


class Recorder:
    """`begin` a match, `keep` what the reader gives, `end`. All calls return at once.

    mode: ``auto`` copies what a browser plays and codes the rest anew, ``copy`` copies all that MP4 can hold. said:
    called with one line where something is wrong, or was deleted.
    """

    def __init__(
        self,
        matches: Path,
        *,
        mode: str = "auto",
        limit_bytes: int = LIMIT_BYTES,
        segment_s: float = SEGMENT_S,
        said: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.matches, self.mode, self.limit_bytes, self.segment_s = matches, mode, limit_bytes, segment_s
        self.problem: str | None = None
        self.left_out = 0
        self._said = said
        self._queue: queue.Queue[Kept | Path | threading.Event | None] = queue.Queue()
        self._folder: Path | None = None
        self._piece: _Piece | None = None
        self._number = 0
        self._finished = 0
        self._missed_key = True
        self._thread = threading.Thread(target=self._run, name="cueref-recorder", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------------------------------------ from outside

    @property
    def recording(self) -> bool:
        return self._piece is not None

    def begin(self, match: Path) -> None:
        """From now on all that comes belongs to this match."""
        self._queue.put(match / "video")

    def end(self) -> None:
        """Nothing more is kept; the piece being written is finished, on disk when this returns."""
        done = threading.Event()
        self._queue.put(None)
        self._queue.put(done)
        done.wait(10.0)

    def keep(self, kept: Kept) -> None:
        if self.mode == "off":
            return
        if self._queue.qsize() > WAITING_MOST:
            self.left_out += 1
            self._missed_key = True
            return
        # Packets that are copied need no pictures to wait with them.
        self._queue.put(replace(kept, pictures=()) if self._is_copied(kept) else kept)

    # ------------------------------------------------------------------------------------------ its own thread

    def _run(self) -> None:
        while True:
            item = self._queue.get()
            try:
                if isinstance(item, threading.Event):
                    item.set()
                elif isinstance(item, Kept):
                    if self._folder is not None:
                        self._write(item)
                else:
                    self._finish()
                    self._folder = None
                    if item is not None:
                        self._open_folder(item)
            except Exception as error:
                self._fail(error)

    def _open_folder(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        mend(folder)
        numbers = [int(Path(name).stem) for name in read_index(folder) if Path(name).stem.isdigit()]
        self._number = max(numbers, default=0)
        self._folder, self.problem = folder, None
        self._missed_key = True

    def _write(self, kept: Kept) -> None:
        copied = self._is_copied(kept)
        if copied and kept.packet is None:
            return
        piece = self._piece
        begins = not copied or kept.packet.is_keyframe
        if piece is not None:
            other = kept.connection != piece.connection or isinstance(piece.segment, Copied) != copied
            other |= bool(kept.pictures) and kept.size != piece.size
            long = kept.t_s - piece.segment.t0_s > self.segment_s
            if other or (long and begins) or (self._missed_key and copied):
                self._finish()
                piece = None
        if piece is None:
            if not begins or (not copied and not kept.pictures):
                return
            self._missed_key = False
            self._begin(kept, copied)
        else:
            piece.segment.add(kept)

    def _is_copied(self, kept: Kept) -> bool:
        whole = kept.facts.template is not None and (kept.size == kept.facts.size)
        return whole and self.mode != "encode" and kept.facts.codec in (COPYABLE if self.mode == "copy" else PLAYABLE)

    def _begin(self, kept: Kept, copied: bool) -> None:
        assert self._folder is not None
        if space.free_bytes(self._folder) < space.FREE_LEAST / 2:
            self._clear()
            if space.free_bytes(self._folder) < space.FREE_LEAST / 4:
                raise OSError("the disk is full")
        self._number += 1
        name = f"{self._number:06d}.mp4"
        segment: Copied | Encoded = (Copied if copied else Encoded)(self._folder / name, kept)
        at0 = now_iso()
        entry = {"file": name, "t0": round(segment.t0_s, 6), "at0": at0, "size": list(kept.size), "open": True}
        codec = kept.facts.codec if copied else "h264"
        self._piece = _Piece(segment, self._folder, name, at0, codec, kept.size, kept.connection)
        add_to_index(self._folder, [entry])
        self.problem = None

    def _finish(self) -> None:
        piece, self._piece = self._piece, None
        if piece is None:
            return
        piece.segment.close()
        entry = {"file": piece.name, "t0": round(piece.segment.t0_s, 6), "at0": piece.at0}
        entry |= {"size": list(piece.size), "codec": piece.codec}
        add_to_index(piece.folder, [{**entry, **piece.segment.facts}])
        self._finished += 1
        if self._finished % CLEAR_EVERY == 0:
            self._clear()

    def _clear(self) -> None:
        cleared = space.clear(self.matches, self.limit_bytes, self._folder)
        if cleared.pieces:
            line = f"video: {cleared.pieces} oldest pieces ({cleared.bytes / 1e6:.0f} MB) deleted for want of space"
            if cleared.marked:
                line += f"; {cleared.marked} of them had been marked to be kept"
            self._said(line)

    def _fail(self, error: Exception) -> None:
        """The match goes on without video, and says so; the next key frame is tried again."""
        self._piece = None
        self._missed_key = True
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        problem = f"video is not kept: {reason}"
        if problem != self.problem:
            self.problem = problem
            self._said(problem)
