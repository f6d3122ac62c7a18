"""The watcher: cuts what the tracker sees into shots and incidents between them, and gives the record of each."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import CameraModel
from calibration.tables import TableSpec
from tracking.doubts import is_brief, other_readings
from tracking.geometry import Mouth
from tracking.infer.absence import jaws_are_empty
from tracking.infer.evidence import Evidence
from tracking.infer.incident import infer_incident
from tracking.infer.lost import rolled_out
from tracking.infer.shot import Happenings, infer_shot
from tracking.infer.struck import struck_ball
from tracking.records import Contact, Event, Fell, Pocket, ShotRecord
from tracking.reels import Reel, build_evidence
from tracking.rows import FrameRow, KeptFrame, final_rows, plain_rows
from tracking.tracker import Tracker
from tracking.tracks import BallState, Track, TrackFrame
from tracking.writeup import write_record
from vision.balls import CUE, BallSet
from vision.observations import Observations

LEAD_S = 1.5
"""So much of the time before a shot is kept."""

STILL_S = 0.4
"""All balls at rest for so long: the shot is over."""

LOST_S = 2.5
"""So long the end of a shot waits for a ball that was lost sight of."""

VIEW_S = 2.0
"""So long the end of a shot waits for a view of a pocket into which a ball may have dropped, if something covers it."""

LOOK_S = 0.5
"""So long a pocket must lie open before it is known what is in it."""

LONGEST_S = 90.0
BLACKOUT_S = 1.0
STRANGER_S = 0.5
"""So long before and after a ball set off a thing without a name may have had to do with it."""

PROVISIONAL_PICTURES = 6
SETTLED_S = 1.0
RARER = 8
"""Once the cue ball's first contact is so long ago, what happened so far is worked out anew when the shot is longer by
one part in so many: it takes the longer, the longer the shot is.
"""


@dataclass(slots=True)
class _Shot:
    """The running shot."""

    begun_s: float
    begun_picture: int
    still_since_s: float | None = None
    cue_rested: bool = False
    waits: bool = False
    looked_picture: int = -PROVISIONAL_PICTURES
    provisional: tuple[Event, ...] = ()
    provisional_picture: int = -PROVISIONAL_PICTURES


class ShotWatcher:
    """`step` takes the frames of one view in order and returns the records of the shots that this frame finished.

    ``frame`` is what the tracker holds now; `frame_rows` gives the rows of frames whose balls are settled.
    """

    def __init__(self, table: TableSpec, ball_set: BallSet, *, camera: CameraModel | None = None) -> None:
        self.table, self.ball_set, self.camera = table, ball_set, camera
        self.tracker = Tracker(table, ball_set, camera=camera)
        self.frame: TrackFrame | None = None
        self.shots = 0
        self._reel = Reel()
        self._shot: _Shot | None = None
        self._unsure: dict[str, str] = {}
        self._kept: list[KeptFrame] = []
        self._rows: list[FrameRow] = []
        self._dark_since_s: float | None = None
        self._last_s = 0.0

    @property
    def in_shot(self) -> bool:
        """Whether a ball has set off and not all lie still again."""
        return self._shot is not None

    # ------------------------------------------------------------------------------------------ frames

    def step(self, observations: Observations) -> list[ShotRecord]:
        """The records of the shots that end with this frame, most often none."""
        t_s = observations.stamp.t_s
        records: list[ShotRecord] = []
        if not observations.view:
            records = self._dark(t_s)
        elif self._dark_since_s is not None:
            if t_s - self._dark_since_s > BLACKOUT_S:
                # Another moment of the match: nothing that was known of the balls' places holds.
                self._drain()
                self.tracker = Tracker(self.table, self.ball_set, camera=self.camera)
                self._reel, self._unsure = Reel(), {}
            else:
                self._reel.blackouts.append((self._dark_since_s, t_s))
            self._dark_since_s = None
        known = self.tracker.picture
        frame = self.tracker.step(observations)
        self.frame = frame
        self._last_s = t_s
        if self.tracker.picture > known:
            self._reel.add(self.tracker.picture, observations)
        elif observations.view:
            self._reel.again()
        self._keep(frame)
        if observations.view:
            records += self._judge(t_s)
        if self._shot is None:
            self._drain()
            self._forget(t_s)
        return records

    def finish(self) -> list[ShotRecord]:
        """The record of a shot that the end of the frames cuts off."""
        records = self._close(over=False) if self._shot is not None else []
        self._drain()
        return records

    def running(self) -> tuple[Event, ...]:
        """What seems to have happened so far in the running shot; later frames may correct it.

        Worked out every few pictures until what the cue ball hit first is settled, and then less and less often.
        """
        shot = self._shot
        if shot is None:
            return ()
        wait = PROVISIONAL_PICTURES
        hits = (e.t_s for e in shot.provisional if isinstance(e, Contact) and CUE in e.balls)
        if self._last_s - next(hits, self._last_s) > SETTLED_S:
            if shot.still_since_s is not None:
                return shot.provisional  # in a moment the shot is over, and its record waits for nothing
            wait = max(wait, (shot.provisional_picture - shot.begun_picture) // RARER)
        if self.tracker.picture - shot.provisional_picture >= wait:
            shot.provisional_picture = self.tracker.picture
            happened = self._infer(over=False)
            shot.provisional = happened.events if happened else ()
        return shot.provisional

    def frame_rows(self) -> Iterator[FrameRow]:
        """Rows of frames that are settled since the last call: at once between shots, at its end for a shot's."""
        rows, self._rows = self._rows, []
        yield from rows

    # ------------------------------------------------------------------------------------------ shots

    def _judge(self, t_s: float) -> list[ShotRecord]:
        """Whether a shot begins or ends with this frame."""
        movers = [t for t in self.tracker.tracks if t.name is not None and t.state is BallState.MOVING]
        if self._shot is None:
            # One that hung over a pocket's edge may have dropped before it was seen to run.
            if movers or self.tracker.field.dropped:
                self._shot = _Shot(begun_s=t_s, begun_picture=self.tracker.picture)
            return []
        shot = self._shot
        lost = [t for t in self.tracker.tracks if t.name and t.state is BallState.HIDDEN and t_s - t.seen_s < LOST_S]
        if movers and shot.waits:
            return self._close(over=True, until_s=t_s - 0.1)
        if movers or lost:
            shot.still_since_s = None
        elif shot.still_since_s is None:
            shot.still_since_s = t_s
        elif t_s - shot.still_since_s >= STILL_S and not self._waits_for_view(t_s - shot.still_since_s - STILL_S):
            return self._close(over=True)
        cue = next((t for t in self.tracker.tracks if t.name == CUE), None)
        if cue is not None and self._struck_again(cue, movers, t_s):
            # Somebody's hand still moves a ball, or one creeps: the next stroke closes this shot.
            return self._close(over=False, until_s=t_s - 0.1)
        return self._close(over=False) if t_s - shot.begun_s > LONGEST_S else []

    def _waits_for_view(self, waited_s: float) -> bool:
        """Whether a ball may have dropped into a pocket that something covers, and that may be seen in a moment."""
        shot = self._shot
        assert shot is not None
        left = [t for t in self.tracker.tracks if t.name and not t.seen and t.state is not BallState.AT_REST]
        if waited_s >= VIEW_S or not any(t.seen_s > shot.begun_s for t in left):
            return False
        if self.tracker.picture - shot.looked_picture >= PROVISIONAL_PICTURES:
            shot.looked_picture = self.tracker.picture
            covered = {mouth.pocket for mouth in self.tracker.bed.mouths if self._covered(mouth)}
            # working out what happened takes long just when a verdict is waited for
            happened = self._infer(over=True) if covered else None
            shot.waits = happened is not None and any(
                isinstance(event, Pocket) and not event.certain and event.pocket in covered for event in happened.events
            )
        return shot.waits

    def _covered(self, mouth: Mouth) -> bool:
        """Whether something covers a pocket's mouth, or did a moment ago."""
        near = mouth.width_mm / 2 + self.tracker.bed.diameter
        moments = self._last_s - np.linspace(0.0, LOOK_S, 3)
        return any(self._reel.blind.hides(float(t), mouth.centre, near) for t in moments)

    def _struck_again(self, cue: Track, movers: list[Track], t_s: float) -> bool:
        """Whether the cue ball sets off anew after it had come to rest in this shot, with no ball near that hit it."""
        shot = self._shot
        assert shot is not None
        if cue.state is BallState.AT_REST:
            if not shot.cue_rested and cue.rest_n >= 20 and t_s - shot.begun_s > 1.0:
                first = cue.samples[0]
                shot.cue_rested = bool(
                    np.hypot(cue.rest_xy[0] - first.x, cue.rest_xy[1] - first.y) > self.table.ball_diameter_mm
                )
            return False
        if not shot.cue_rested or cue.state is not BallState.MOVING:
            return False
        diameter = self.table.ball_diameter_mm
        if any(
            other is not cue and np.hypot(*(other.xy - cue.rest_xy)) < 3 * diameter + other.speed * 0.1
            for other in movers
        ):
            # That one hit it, also where it is far away by the time this one runs well.
            shot.cue_rested = False
            return False
        return cue.speed >= 150.0

    def _dark(self, t_s: float) -> list[ShotRecord]:
        if self._dark_since_s is None:
            self._dark_since_s = t_s
            return []
        if self._shot is not None and t_s - self._dark_since_s > BLACKOUT_S / 2:
            return self._close(over=False, until_s=self._dark_since_s)
        return []

    def _infer(self, *, over: bool) -> Happenings | None:
        evidence = build_evidence(self.tracker, self._reel)
        return infer_shot(evidence, over=over) if evidence is not None else None

    def _close(self, *, over: bool, until_s: float | None = None) -> list[ShotRecord]:
        """Ends the running shot; no record where only hands at their work moved balls."""
        self._shot = None
        self.tracker.settle_names()
        evidence = build_evidence(self.tracker, self._reel, until_s=until_s)
        records = []
        if evidence is not None:
            happened = infer_shot(evidence, over=over)
            if happened is None:
                evidence = self._with_struck(evidence, until_s)
                happened = infer_shot(evidence, over=over) or infer_incident(evidence, over=over)
            if happened is not None:
                self.shots += 1
                record = write_record(self.shots, evidence, happened, over=over)
                doubtful = other_readings(self.tracker.tracks, self.ball_set, record.present or (), happened.leaves)
                records.append(self._with_unsure(replace(record, doubtful=doubtful), evidence))
                self._settle_pots(record)
            for track in self.tracker.tracks:
                track.reach = rolled_out(evidence, track.name) if track.name in evidence.paths else None
            leaves = happened.leaves if happened is not None else {}
            self._rows.extend(final_rows(evidence, leaves, self._kept, self.tracker.bearer, self.camera))
            self._kept = []
        self._forget(self._last_s)
        return records

    def _with_struck(self, evidence: Evidence, until_s: float | None) -> Evidence:
        """The evidence with the ball for the cue ball that was struck, where that was called otherwise."""
        struck = struck_ball(evidence)
        if struck is None or self._strangers_ran(struck[1]) or not self.tracker.take_for_cue_ball(struck[0]):
            return evidence
        self._reel.cuts.clear()
        return build_evidence(self.tracker, self._reel, until_s=until_s) or evidence

    def _with_unsure(self, record: ShotRecord, evidence: Evidence) -> ShotRecord:
        """The record with the balls that may hang in a pocket's jaws since an earlier shot, unseen.

        One that isn't seen there, though the jaws lie open, has dropped.
        """
        present = record.present or ()
        for ball, pocket in list(self._unsure.items()):
            mouth = next(each for each in self.tracker.bed.mouths if each.pocket == pocket)
            if ball in present or jaws_are_empty(evidence, mouth, record.t0):
                del self._unsure[ball]
        hidden = tuple(self._unsure)
        self._unsure |= {e.ball: e.pocket for e in record.events if isinstance(e, Pocket) and not e.certain}
        if not hidden or record.before is None:
            return record
        gone: dict[str, str | None] = dict.fromkeys(hidden)
        return replace(record, unplaced=(*record.unplaced, *hidden), doubtful=(*record.doubtful, gone))

    def _strangers_ran(self, t_s: float) -> bool:
        """Whether something without a name ran about then: it may have been the cue ball, and hit the other one."""
        for track in self.tracker.tracks:
            near = [s for s in track.samples if abs(s.t_s - t_s) < STRANGER_S] if track.name is None else []
            if len(near) > 2 and np.hypot(near[-1].x - near[0].x, near[-1].y - near[0].y) > self.table.ball_diameter_mm:
                return True
        return False

    def _settle_pots(self, record: ShotRecord) -> None:
        """A ball that vanished, and by all that happened went into a pocket, isn't on the table any more."""
        potted = {event.ball for event in record.events if isinstance(event, Pocket | Fell)}
        for track in self.tracker.tracks:
            if track.name in potted and track.state is BallState.GONE:
                track.state = BallState.POCKETED

    # ------------------------------------------------------------------------------------------ rows and memory

    def _keep(self, frame: TrackFrame) -> None:
        self._kept.append(KeptFrame(frame=frame, picture=self.tracker.picture))

    def _drain(self) -> None:
        for kept in self._kept:
            if kept.frame.view:
                self._rows.extend(plain_rows(kept.frame))
        self._kept = []

    def _forget(self, t_s: float) -> None:
        """Between shots only the last moments are kept."""
        since = t_s - LEAD_S
        for track in self.tracker.tracks:
            if track.state is BallState.GONE and is_brief(track):
                track.name = None  # it was no ball, or one that nobody will miss
        for track in self.tracker.tracks:
            track.forget_before(since)
        self._reel.forget_before(since)
