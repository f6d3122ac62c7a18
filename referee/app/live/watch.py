"""One match watched with one calibration: pictures in, and to the desk what happened, what is seen and what wasn't."""

import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from calibration.result import Calibration
from referee.app.live.clerk import Clerk
from referee.app.live.gaps import GapLog
from referee.app.live.inbox import Missed, Picture
from referee.app.live.state import SeenBall, SeenTable, Status, Unseen
from tracking.doubts import other_readings
from tracking.records import Event, Gap, OffTable, Pocket, Positions, Rest, ShotRecord
from tracking.rows import FrameRow
from tracking.tracks import ON_TABLE, BallState, TrackFrame
from tracking.watcher import BLACKOUT_S, ShotWatcher
from vision.balls import BALL_SETS
from vision.frames import Frame, FrameStamp
from vision.observations import Observations
from vision.observer import Observer

HOLE_S = 0.15
"""A longer time without a picture is not covered by what is seen before and after it."""

SEEN_EVERY_S = 0.05
BLACK_LUMA, BLACK_FULL = 30, 14
"""A picture darker than this in the mean is black: of video range, of full range."""

EDGE_S = 0.001


class MatchWatch:
    """All calls come from the eye's thread.

    rows: gets the tracks of each shot when it is over. paced: whether the source's time is the clock's, so that delays
    mean something.
    """

    def __init__(
        self,
        clerk: Clerk,
        game: str,
        calibration: Calibration,
        *,
        rows: Callable[[list[FrameRow]], None],
        paced: bool,
    ) -> None:
        self.clerk, self.calibration = clerk, calibration
        self.status = Status.LIVE
        self.frames = 0
        self.table: SeenTable | None = None
        self._balls = BALL_SETS[game]
        self._rows, self._paced = rows, paced
        self._gaps = GapLog(clerk.gap)
        self._last: FrameStamp | None = None
        self._before: Positions | None = None
        self._told: tuple[Event, ...] = ()
        self._holes: list[Gap] = []
        self._seen_told_s = 0.0
        self._unseen_since_s: float | None = None
        self.begin_anew()

    def begin_anew(self) -> None:
        """Nothing that was known of the balls holds any more."""
        self._observer = Observer(self.calibration, self._balls)
        self._watcher = ShotWatcher(self.calibration.table, self._balls, camera=self.calibration.camera)
        self._before, self._told = None, ()

    @property
    def at_rest(self) -> bool:
        """Whether no shot is on and the table is seen: the moment to look at the camera itself."""
        return not self._watcher.in_shot and self.status is Status.LIVE

    # ------------------------------------------------------------------------------------------ what comes

    def picture(self, picture: Picture) -> None:
        """The next picture in order of time."""
        frame = picture.frame
        if self._last is not None and picture.t_s <= self._last.t_s:
            return
        if frame.size != self.calibration.camera.size:
            self._not_seen(picture, Status.WRONG_SIZE)
            return
        observations = self._observer.observe(frame)
        if not observations.view:
            self._not_seen(picture, Status.DARK if is_black(frame) else Status.NO_VIEW)
            return
        self.status, self._unseen_since_s = Status.LIVE, None
        self._gaps.at(picture.t_s)
        self._step(observations, picture.captured_s)

    def missed(self, missed: Missed) -> None:
        """Between two pictures something is missing."""
        self._gaps.add(missed.t0_s, missed.t1_s, missed.reason, missed.frames)
        span_s = missed.t1_s - missed.t0_s
        if span_s > HOLE_S:
            if self._watcher.in_shot:
                self._holes.append(Gap(t0_s=missed.t0_s, t1_s=missed.t1_s))
            self._blind(missed.t0_s + EDGE_S)
            if span_s > BLACKOUT_S:
                # A shot that was on has ended for all that is known.
                self._blind(missed.t1_s - EDGE_S)

    def silence(self, since_s: float) -> None:
        """No picture came since then, and none comes: the end of a shot that is on can't be waited for."""
        self._blind(since_s + EDGE_S)
        self._blind(since_s + BLACKOUT_S / 2 + 2 * EDGE_S)

    def finish(self) -> None:
        """No more pictures: the shot that is on ends as far as it was seen."""
        self._records(self._watcher.finish(), None)
        self._gaps.flush()

    # ------------------------------------------------------------------------------------------ what is made of it

    def _not_seen(self, picture: Picture, status: Status) -> None:
        since = self._last.t_s if self._last is not None and self._unseen_since_s is None else self._unseen_since_s
        self.status, self._unseen_since_s = status, picture.t_s
        self._gaps.add(picture.t_s if since is None else since, picture.t_s, Unseen(str(status)), 1)
        self._step(Observations.without_view(picture.frame.stamp, self._balls.kinds), picture.captured_s)

    def _blind(self, t_s: float) -> None:
        """A moment without a picture."""
        last = self._last
        if last is None or t_s <= last.t_s:
            return
        stamp = FrameStamp(index=last.index, pts=last.pts, time_base=Fraction(last.time_base), t_s=t_s)
        self._step(Observations.without_view(stamp, self._balls.kinds), None)

    def _step(self, observations: Observations, captured_s: float | None) -> None:
        self._last = observations.stamp
        self.frames += 1
        records = self._watcher.step(observations)
        rows = list(self._watcher.frame_rows())
        if records:
            self._records(records, captured_s if self._paced else None)
            self._rows(rows)
        elif self._watcher.in_shot:
            self._tell_running(observations.stamp.t_s)
        self._tell_seen(observations)

    def _records(self, records: list[ShotRecord], captured_s: float | None) -> None:
        last = self._last
        for record in records:
            rest = next((event for event in record.events if isinstance(event, Rest)), None)
            rest_s = None
            if captured_s is not None and last is not None and rest is not None:
                rest_s = captured_s - (last.t_s - rest.t_s)
            # The match numbers its shots: a watch may begin anew in the middle of it.
            self.clerk.record(replace(record, n=None), captured_s, rest_s)
        if records:
            self._told, self._holes = (), []

    def _tell_running(self, t_s: float) -> None:
        events = self._watcher.running()
        if events == self._told:
            return
        self._told = events
        before = self._before or {}
        left = {event.ball: event.t_s for event in events if isinstance(event, Pocket | OffTable)}
        doubtful = other_readings(self._watcher.tracker.tracks, self._balls, before, left)
        self.clerk.running(events, self._before, t_s, gaps=tuple(self._holes), doubtful=doubtful)

    def _tell_seen(self, observations: Observations) -> None:
        frame = self._watcher.frame
        if frame is None:
            return
        if not self._watcher.in_shot and observations.view:
            resting = [ball for ball in frame.balls if ball.state is BallState.AT_REST]
            if len(resting) == sum(ball.state in ON_TABLE for ball in frame.balls):
                self._before = {ball.name: (round(ball.x, 1), round(ball.y, 1)) for ball in resting}
        now = time.monotonic()
        if now - self._seen_told_s >= SEEN_EVERY_S:
            self._seen_told_s = now
            self.table = seen_table(frame, observations, running=self._watcher.in_shot)
            self.clerk.seen(self.table)


def seen_table(frame: TrackFrame, observations: Observations, *, running: bool) -> SeenTable:
    """The balls that are on the table, as the tracker holds them, and what hides them."""
    balls = {
        ball.name: SeenBall(
            x=round(ball.x, 1),
            y=round(ball.y, 1),
            state=ball.state.value,
            visible=ball.visible,
            sigma_mm=round(ball.sigma_mm, 2),
        )
        for ball in frame.balls
        if ball.state in ON_TABLE
    }
    blind = tuple(tuple((round(float(x)), round(float(y))) for x, y in corners) for corners in observations.blind)
    return SeenTable(t_s=frame.stamp.t_s, balls=balls, blind=blind, view=frame.view, running=running)


def is_black(frame: Frame) -> bool:
    """Whether a picture shows nothing at all."""
    planes = frame.planes
    return float(planes.luma[::8, ::8].mean()) < (BLACK_FULL if planes.full_range else BLACK_LUMA)
