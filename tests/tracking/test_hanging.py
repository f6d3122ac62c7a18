"""A ball that comes to lie over a pocket's edge, where vision doesn't say whether it is on the bed or has dropped."""

from dataclasses import replace

import numpy as np
import pytest
from scene import FPS, Look, Piece, Truth, observe, play

from calibration.tables import TABLES
from tracking.doubts import may_be_no_ball
from tracking.geometry import Bed, Mouth
from tracking.records import Fell, Pocket, ShotRecord, Strike
from tracking.tracks import BallState
from tracking.watcher import ShotWatcher
from vision.observations import Observations

SETTLED_PICTURES = 4
"""What has stood still for so many pictures is told as lying in a pocket."""

OTHERS = {"blue": (889.0, 1784.5), "pink": (889.0, 2676.75)}
HUNG_MM = 28.0
"""How far behind the line between the jaws it comes to rest; one drops at 35.6 mm."""


def top_left() -> Mouth:
    return next(each for each in Bed(TABLES["snooker-12ft"]).mouths if each.pocket == "top-left")


def rolled_up() -> Truth:
    """The cue ball drives red-1 straight to the top left pocket, where it stops 8 mm before the edge.

    From 150 mm before the line, 178 mm of way at 120 mm/s²: it sets off with √(240 · 178) = 206.7 mm/s. The cue ball
    has 197.5 mm to go to it and starts with √(206.7² + 240 · 197.5) = 300.2 mm/s.
    """
    mouth = top_left()
    cue, red = (tuple((mouth.centre + mouth.inward * way).tolist()) for way in (400.0, 150.0))
    strike = -mouth.inward * np.sqrt(240.0 * (150.0 + HUNG_MM) + 240.0 * 197.5)
    truth = play({"cue": cue, "red-1": red, **OTHERS}, (float(strike[0]), float(strike[1])))
    assert not truth.of("pocket")
    assert float(mouth.depth_mm(truth.pieces["red-1"][-1].at(20.0)[0])) == pytest.approx(HUNG_MM, abs=0.1)
    return truth


def as_vision_tells(frames: list[Observations]) -> list[Observations]:
    """What stands still in a pocket isn't told as a ball, but beside the balls."""
    told: list[Observations] = []
    ages: list[tuple[np.ndarray, int]] = []
    for seen in frames:
        now = []
        keep = np.ones(len(seen), dtype=bool)
        for j, xy in enumerate(seen.xy_mm):
            age = max((n + 1 for place, n in ages if np.hypot(*(place - xy)) < 2.5), default=0)
            now.append((xy, age))
            corner = np.minimum(xy, (1778.0, 3569.0) - xy).sum() / np.sqrt(2.0) < 0.4 * 89.25
            keep[j] = not (corner and age >= SETTLED_PICTURES)
        ages = now
        rows = {
            name: getattr(seen, name)[keep]
            for name in ("xy_mm", "cov_mm2", "uv_px", "radius_px", "identity_logp", "visibility")
        }
        told.append(replace(seen, in_pockets_mm=seen.xy_mm[~keep], **rows))
    return told


def watched(frames: list[Observations], truth: Truth) -> tuple[list[ShotRecord], ShotWatcher]:
    watcher = ShotWatcher(truth.table, truth.ball_set)
    records = [record for frame in as_vision_tells(frames) for record in watcher.step(frame)]
    return records + watcher.finish(), watcher


def test_a_ball_that_rolls_out_over_the_edge_lies_there_for_as_long_as_it_is_seen() -> None:
    truth = rolled_up()
    frames = observe(truth, Look(noise_mm=0.4, after_s=20.0))
    assert len(as_vision_tells(frames)[-1].in_pockets_mm) == 1
    (record,), watcher = watched(frames, truth)
    assert not any(isinstance(event, Pocket | Fell) for event in record.events)
    place = truth.place("red-1", 20.0)
    assert place is not None and record.after is not None
    assert record.after["red-1"] == pytest.approx(tuple(place), abs=2.0)
    assert watcher.frame is not None
    ball = watcher.frame.ball("red-1")
    assert ball is not None and ball.state is BallState.AT_REST and ball.visible
    # It came there before one's eyes: nobody doubts that it is a ball.
    assert not any(may_be_no_ball(track) for track in watcher.tracker.tracks if track.name == "red-1")


@pytest.mark.parametrize("seen", [8, 1])
def test_a_ball_that_hangs_and_then_falls_by_itself_is_told(seen: int) -> None:
    # Seen to tip over, or gone from one picture to the next.
    truth = rolled_up()
    mouth = top_left()
    hung_s, fall_s = truth.rest_s, truth.rest_s + 12.0
    place = truth.pieces["red-1"][-1].at(fall_s)[0]
    # It tips over: 60 mm/s to begin with, faster and faster, and below the edge after some 50 mm.
    for k in range(seen):
        at = place - mouth.inward * (60.0 * k + 250.0 * k**2 / FPS) / FPS
        truth.pieces["red-1"].append(Piece(fall_s + k / FPS, at, np.zeros(2), gone=k == seen - 1))
    truth.events = [*truth.events, (fall_s + seen / FPS, "rest")]
    records, _ = watched(observe(truth, Look(noise_mm=0.4, after_s=3.0)), truth)
    stroke, incident = records
    assert stroke.after is not None and "red-1" in stroke.after
    assert not any(isinstance(event, Strike) for event in incident.events)
    (fell,) = [event for event in incident.events if isinstance(event, Fell)]
    assert (fell.ball, fell.pocket) == ("red-1", "top-left")
    assert fell.t_s == pytest.approx(fall_s, abs=0.25)
    assert fell.certain and incident.after is not None and "red-1" not in incident.after
    assert fell.still_s == pytest.approx(fall_s - hung_s, abs=0.6)


def test_what_lies_in_the_jaws_after_a_ball_has_dropped_is_no_ball_on_the_table() -> None:
    # Red-1 runs in with 800 mm/s and more; what is seen of it in the net then seems to lie 24 mm behind the line.
    mouth = top_left()
    cue, red = (mouth.centre + mouth.inward * way for way in (700.0, 400.0))
    strike = -mouth.inward * 1000.0
    truth = play({"cue": tuple(cue.tolist()), "red-1": tuple(red.tolist()), **OTHERS}, tuple(strike.tolist()))
    ((in_s, _, ball, pocket),) = [event for event in truth.of("pocket") if event[2] == "red-1"]
    assert (ball, pocket) == ("red-1", "top-left")
    net = mouth.centre - mouth.inward * 24.0
    frames = [
        replace(seen, in_pockets_mm=net[None]) if seen.stamp.t_s > in_s + 0.2 else seen
        for seen in observe(truth, Look(noise_mm=0.4, after_s=5.0))
    ]
    watcher = ShotWatcher(truth.table, truth.ball_set)
    records = [record for frame in frames for record in watcher.step(frame)] + watcher.finish()
    assert [e.ball for e in records[0].events if isinstance(e, Pocket) and e.certain and e.ball != "cue"] == ["red-1"]
    tracked = watcher.frame.ball("red-1") if watcher.frame is not None else None
    assert tracked is not None and tracked.state is BallState.POCKETED


def test_a_ball_that_a_hand_takes_from_the_edge_has_not_fallen() -> None:
    truth = rolled_up()
    taken_s = truth.rest_s + 12.0
    place = truth.pieces["red-1"][-1].at(taken_s)[0]
    truth.pieces["red-1"].append(Piece(taken_s, place, np.zeros(2), gone=True))
    hand = place + 120.0 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    look = Look(noise_mm=0.4, after_s=17.0, blind=((taken_s - 0.3, taken_s + 0.5, hand),))
    records, _ = watched(observe(truth, look), truth)
    assert len(records) == 1
