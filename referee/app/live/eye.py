"""The eye: one source watched for whichever match is on; what the server and the command speak to.

Its methods may be called from any thread. What it does with pictures it does in a thread of its own.
"""

import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.result import Calibration, FailedCalibration
from calibration.tables import TableSpec
from referee.app.live import space
from referee.app.live.calibrating import DriftWatch, calibration_json, find
from referee.app.live.clerk import Clerk
from referee.app.live.inbox import Ended, Message, Missed, Picture, Silence
from referee.app.live.reader import Reader
from referee.app.live.recorder import Recorder
from referee.app.live.seam import MatchDesk
from referee.app.live.sources import FileSource, Source
from referee.app.live.state import SourceState, Status
from referee.app.live.watch import MatchWatch
from tracking.rows import FrameRow
from vision.frames import Frame, Pixels

TELL_EVERY_S = 1.0
LET_GO_S = 5.0
KEEP_BEFORE_S, KEEP_AFTER_S = 10.0, 2.0


class NothingToAccept(Exception):
    """No calibration was proposed; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePicture:
    """The newest picture."""

    frame: Frame

    @property
    def bgr(self) -> Pixels:
        """(h, w, 3) uint8."""
        return self.frame.bgr

    @property
    def t_s(self) -> float:
        return self.frame.stamp.t_s

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in px."""
        return self.frame.size


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """A match to be watched."""

    desk: MatchDesk
    folder: Path
    from_s: float


class Eye:
    """`start` it once, `watch` each match, `stop` at the end.

    calibration: used as it is. auto: what is found is used without being accepted by a person, and a camera that was
    moved is calibrated anew. reader, recorder: those of ``source``, of which the eye takes care from now on.
    """

    def __init__(
        self,
        source: Source,
        *,
        reader: Reader,
        recorder: Recorder | None = None,
        calibration: Calibration | None = None,
        auto: bool = False,
        baulk: str | None = None,
    ) -> None:
        self.source, self.reader, self.recorder = source, reader, recorder
        self.calibration = calibration
        self.proposed: Calibration | None = None
        self.auto, self.baulk = auto, baulk
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._idle = threading.Event()
        self._idle.set()
        self._newest: Frame | None = None
        self._order: _Order | None = None
        self._watch: MatchWatch | None = None
        self._followed: _Order | None = None
        self._clerk: Clerk | None = None
        self._at_end = False
        self._table: TableSpec | None = calibration.table if calibration is not None else None
        self._phase = "accepted" if calibration is not None else "searching"
        self._reason: str | None = None
        self._drift = DriftWatch()
        self._aside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cueref-aside")
        self._searching: Future[None] | None = None
        self._failure = ""
        self._told_s = 0.0
        self._thread = threading.Thread(target=self._run, name="cueref-eye", daemon=True)

    # ------------------------------------------------------------------------------------------ from outside

    def start(self) -> None:
        self.reader.start()
        self._thread.start()

    def stop(self) -> None:
        """Finishes the shot that is on and the video, and lets the source go."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(10.0)
        self.reader.stop()
        self._aside.shutdown(wait=True, cancel_futures=True)
        if self.recorder is not None:
            self.recorder.end()

    def picture(self) -> LivePicture | None:
        """The newest picture, None before the first."""
        frame = self.reader.first if self.reader.status is Status.WAITING else self._newest
        return None if frame is None else LivePicture(frame=frame)

    def state(self) -> SourceState:
        """How the source is now."""
        reader, watch = self.reader, self._watch
        status = reader.status
        if status is Status.ENDED and watch is not None and not self._at_end:
            status = Status.LIVE  # what was read last is still being looked at
        if status is Status.LIVE and watch is not None:
            status = watch.status
        recorder, clerk = self.recorder, self._clerk
        return SourceState(
            status=status,
            name=self.source.name,
            said=self._said(status),
            size=reader.size,
            fps=reader.fps,
            frames=0 if watch is None else watch.frames,
            dropped=reader.inbox.dropped,
            connection=reader.connection,
            offset_s=reader.timeline.offset_s,
            t_s=reader.timeline.last_s,
            latency_p50_s=None if clerk is None else clerk.light_to_call.percentile(0.5),
            latency_p95_s=None if clerk is None else clerk.light_to_call.percentile(0.95),
            verdict_p50_s=None if clerk is None else clerk.rest_to_verdict.percentile(0.5),
            verdict_p95_s=None if clerk is None else clerk.rest_to_verdict.percentile(0.95),
            drift_px=self._drift.distance_px,
            moved=self._drift.moved,
            recording=recorder is not None and recorder.recording,
            disk=None if recorder is None else recorder.problem,
        )

    def find(self, game: str, table: TableSpec, baulk: str | None = None) -> Calibration | FailedCalibration:
        """Looks for the table in the pictures that come now, some seconds; what is found is proposed."""
        return self._propose(lambda: find(self.source, self._latest, game, table, baulk=baulk or self.baulk), table)

    def use_points(
        self, points: Mapping[str, tuple[float, float]], game: str, table: TableSpec
    ) -> Calibration | FailedCalibration:
        """Calibrates by named points of the picture; what comes of it is proposed."""
        return self._propose(lambda: find(self.source, self._latest, game, table, points=points), table)

    def accept(self) -> Calibration:
        """From now on the proposed calibration is used; raises NothingToAccept."""
        with self._lock:
            if self.proposed is None:
                raise NothingToAccept("no calibration was found yet: look for the table, or drag its marks")
            self.calibration, self.proposed = self.proposed, None
            self._phase, self._reason, self._table = "accepted", None, self.calibration.table
            self._drift = DriftWatch()
            return self.calibration

    def calibration_json(self) -> dict[str, Any]:
        """Phase, reason, and where the table's named points are seen, for the page that shows it."""
        with self._lock:
            shown = self.proposed or self.calibration
            return calibration_json(shown, self._phase, self._reason, self._table)

    def watch(self, desk: MatchDesk, folder: Path, from_s: float = 0.0) -> None:
        """A match began, or is resumed: its times go on after ``from_s``."""
        with self._lock:
            self._order = _Order(desk=desk, folder=folder, from_s=from_s)

    def rest(self) -> None:
        """No match is on any more; when this returns, its desk is not called again."""
        with self._lock:
            self._order = None
        if threading.current_thread() is not self._thread and self._thread.is_alive():
            self._idle.wait(LET_GO_S)

    def protect(self, n: int, t0_s: float, t1_s: float) -> None:
        """The video of shot n is kept as long as there is space for it."""
        order = self._order
        if order is not None:
            space.protect(order.folder / "video", t0_s - KEEP_BEFORE_S, t1_s + KEEP_AFTER_S, f"shot {n}")

    # ------------------------------------------------------------------------------------------ calibrating

    def _latest(self) -> Frame | None:
        shown = self.picture()
        return None if shown is None else shown.frame

    def _propose(self, search: Any, table: TableSpec) -> Calibration | FailedCalibration:
        with self._lock:
            self._phase, self._reason, self._table = "searching", None, table
        found: Calibration | FailedCalibration = search()
        with self._lock:
            if isinstance(found, Calibration):
                self.proposed, self._phase, self._reason = found, "found", None
            else:
                self.proposed, self._phase, self._reason = None, "failed", found.reason
        return found

    def _search_by_itself(self, game: str, table: TableSpec) -> None:
        """In a thread aside: finds and accepts, again and again until it is found."""
        if self._stop.is_set() or self.picture() is None:
            return
        if isinstance(self.find(game, table), Calibration):
            self.accept()
        else:
            self._stop.wait(2.0)

    def _is_calibrated(self, desk: MatchDesk) -> bool:
        game, table = game_and_table(desk.header)
        if self.calibration is not None and fits(self.calibration.table, table):
            return True
        if self.calibration is not None:
            with self._lock:
                self.calibration, self._phase, self._table = None, "searching", table
                self._reason = "the calibration was made for a table of another size"
        self._search_aside(game, table)
        return False

    def _search_aside(self, game: str, table: TableSpec) -> None:
        """Without a person, where that is wanted; a file in which no table was found won't show one later."""
        hopeless = isinstance(self.source, FileSource) and self._phase == "failed"
        if self.auto and not hopeless and (self._searching is None or self._searching.done()):
            self._searching = self._do_aside(self._search_by_itself, game, table)

    # ------------------------------------------------------------------------------------------ its own thread

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._follow_orders()
                message = self.reader.inbox.take(0.1)
                if message is not None:
                    self._take(message)
                self._tell()
            except Exception as error:
                self._stumble(error)
        try:
            self._let_go()
        finally:
            self._idle.set()

    def _follow_orders(self) -> None:
        with self._lock:
            order = self._order
            if order is not None:
                self._idle.clear()
        if self._followed is not order:
            if self._followed is not None:
                self._let_go()
                self.reader.rewind()
            self._followed = order
            self._clerk = None if order is None else Clerk(order.desk)
        if order is None:
            self._idle.set()
            return
        watch = self._watch
        if watch is not None and watch.calibration is not self.calibration:
            watch.finish()
            self._begin_watch(order)
        elif watch is None and self._is_calibrated(order.desk):
            self._begin_watch(order)
            recorder = self.recorder
            self.reader.play(order.from_s or None, lambda: None if recorder is None else recorder.begin(order.folder))

    def _begin_watch(self, order: _Order) -> None:
        assert self.calibration is not None and self._clerk is not None
        game, _ = game_and_table(order.desk.header)
        self._clerk.calibrated(self.calibration.to_json())
        paced = not isinstance(self.source, FileSource) or self.source.speed == 1.0
        self._watch = MatchWatch(self._clerk, game, self.calibration, rows=self._keep_rows, paced=paced)

    def _let_go(self) -> None:
        """The match is set aside: what was seen of it is told, and its desk is called no more."""
        watch, self._watch = self._watch, None
        clerk, self._clerk = self._clerk, None
        try:
            if watch is not None:
                watch.finish()
        finally:
            if clerk is not None:
                clerk.close()
            if watch is not None and self.recorder is not None:
                self.recorder.end()

    def _take(self, message: Message) -> None:
        watch = self._watch
        match message:
            case Picture():
                self._newest, self._at_end = message.frame, False
                if watch is not None:
                    watch.picture(message)
                    self._look_for_drift(watch, message.frame)
                    if watch.status is Status.WRONG_SIZE and self._followed is not None:
                        self._search_aside(*game_and_table(self._followed.desk.header))
            case Missed() if watch is not None:
                watch.missed(message)
            case Silence() if watch is not None:
                watch.silence(message.since_s)
            case Ended() if watch is not None:
                watch.finish()
                watch.begin_anew()
                self._at_end = True

    def _tell(self) -> None:
        clerk = self._clerk
        now = time.monotonic()
        if clerk is not None and now - self._told_s >= TELL_EVERY_S:
            self._told_s = now
            clerk.source(self.state())

    def _stumble(self, error: Exception) -> None:
        """An error in cueref itself: what was known of the balls is given up, the match goes on."""
        self._failure = f"cueref failed on a picture ({type(error).__name__}: {error}); it goes on anew"
        print(f"cueref: {self._failure}", file=sys.stderr, flush=True)
        if self._watch is not None:
            self._watch.begin_anew()
        self._stop.wait(0.2)

    def _said(self, status: Status) -> str:
        reader = self.reader
        if status in (Status.LOST, Status.FAILED):
            return reader.said
        if status is Status.DARK:
            return "the picture is black"
        if status is Status.NO_VIEW:
            return "the picture doesn't show the table as it was calibrated: is the camera covered, or was it moved?"
        if status is Status.WRONG_SIZE and self.calibration is not None and reader.size is not None:
            size, made = reader.size, self.calibration.camera.size
            return f"pictures of {size[0]}×{size[1]} come, the calibration is for {made[0]}×{made[1]}: calibrate again"
        if self._drift.moved and self._drift.distance_px is not None:
            return f"the camera was moved: the table lies {self._drift.distance_px:.1f} px off; calibrate again"
        if self._phase == "failed" and self._reason is not None:
            return self._reason
        clerk = self._clerk
        return clerk.problem if clerk is not None and clerk.problem else self._failure

    # ------------------------------------------------------------------------------------------ aside

    def _do_aside(self, work: Callable[..., None], *arguments: Any) -> Future[None]:
        """In the thread aside; an error there is said."""

        def look(done: Future[None]) -> None:
            if not done.cancelled() and (error := done.exception()) is not None:
                self._failure = f"{type(error).__name__}: {error}"
                print(f"cueref: {self._failure}", file=sys.stderr, flush=True)

        future = self._aside.submit(work, *arguments)
        future.add_done_callback(look)
        return future

    def _keep_rows(self, rows: list[FrameRow]) -> None:
        """The tracks of a shot, written aside."""
        order = self._followed
        if rows and order is not None and not self._stop.is_set():
            self._do_aside(write_tracks, order.folder / "tracks", rows)

    def _look_for_drift(self, watch: MatchWatch, frame: Frame) -> None:
        if not self._drift.due() or frame.size != watch.calibration.camera.size:
            return
        if not watch.at_rest and watch.status is not Status.NO_VIEW:
            return
        pictures = self._drift.add(frame)
        if pictures is not None:
            self._do_aside(self._compare, self._drift, watch.calibration, pictures)

    def _compare(self, looking: DriftWatch, calibration: Calibration, pictures: list[Pixels]) -> None:
        looking.look(calibration, pictures)
        if looking.moved and self.auto and self.calibration is calibration:
            order = self._order
            if order is not None:
                self._search_by_itself(*game_and_table(order.desk.header))


def game_and_table(header: Mapping[str, Any]) -> tuple[str, TableSpec]:
    """What is played, and on which table, as a log's first line says."""
    from calibration.tables import DEFAULT_TABLE, TABLES, measured_table

    game = str(header["game"])
    table = header.get("table") or DEFAULT_TABLE[game]
    if isinstance(table, Mapping):
        family = TABLES[DEFAULT_TABLE[game]].family
        measures = (float(table[name]) for name in ("length", "width", "ball_diameter"))
        return game, measured_table(family, *measures)
    return game, TABLES[str(table)]


def fits(calibrated: TableSpec, table: TableSpec) -> bool:
    """Whether a calibration of one table serves for the other: where the markings lie may differ, the size may not."""

    def size(of: TableSpec) -> tuple[float, float, float]:
        return of.length_mm, of.width_mm, of.ball_diameter_mm

    return all(abs(a - b) < 0.5 for a, b in zip(size(calibrated), size(table), strict=True))


def write_tracks(folder: Path, rows: list[FrameRow]) -> None:
    """One file a shot, named by its start in ms; complete when it has its name."""
    from referee.app.analyze.tracks import TracksWriter

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{max(0, round(rows[0].t * 1000)):010d}.parquet"
    aside = path.with_suffix(".part")
    writer = TracksWriter(aside)
    try:
        writer.add(rows)
    finally:
        writer.close()
    aside.replace(path)
