"""The tracker against exact scenes: whatever goes wrong with the pictures, each ball keeps its name and place."""

import numpy as np
import pytest
from scene import Look, Truth, kind, observe, play

from tracking.tracker import Tracker
from tracking.tracks import BallState, TrackFrame

COLOURS = {
    "yellow": (1181.0, 737.0),
    "brown": (889.0, 737.0),
    "green": (597.0, 737.0),
    "blue": (889.0, 1784.5),
    "pink": (889.0, 2676.75),
    "black": (889.0, 3245.0),
}
REDS = {"red-1": (500.0, 2400.0), "red-2": (1300.0, 2900.0), "red-3": (700.0, 3000.0)}
ON = (BallState.AT_REST, BallState.MOVING, BallState.HIDDEN)


def follow(truth: Truth, look: Look) -> tuple[Tracker, list[TrackFrame]]:
    tracker = Tracker(truth.table, truth.ball_set)
    return tracker, [tracker.step(observations) for observations in observe(truth, look)]


def errors(truth: Truth, frames: list[TrackFrame], names: tuple[str, ...]) -> np.ndarray:
    """Distances in mm of these balls from their truth in every frame in which they are on the table."""
    found = []
    for frame in frames[12:]:
        for name in names:
            place = truth.place(name, frame.stamp.t_s)
            if place is None:
                continue
            ball = frame.ball(name)
            lost = ball is None or ball.state not in ON
            found.append(1e6 if lost or ball is None else float(np.hypot(ball.x - place[0], ball.y - place[1])))
    return np.array(found)


@pytest.mark.parametrize("seed", range(3))
def test_fast_balls_are_followed_through_collisions_and_cushions(seed: int) -> None:
    truth = play({"cue": (1000.0, 600.0), **COLOURS, **REDS}, (-40.0, 4500.0))
    assert len(truth.of("contact")) >= 2 and len(truth.of("cushion")) >= 6
    _, frames = follow(truth, Look(noise_mm=1.5, miss=0.03, false=0.1, wrong_kind=0.03, seed=seed))
    off = errors(truth, frames, ("cue", *COLOURS))
    assert np.median(off) < 2.0
    assert np.mean(off < 26.0) > 0.995


def test_an_arm_over_a_resting_ball_and_over_a_running_one_ends_no_track() -> None:
    truth = play({"cue": (889.0, 300.0), "blue": (889.0, 1784.5), "pink": (300.0, 2000.0)}, (0.0, 2000.0))
    arm = np.array([[200.0, 1000.0], [1200.0, 1000.0], [1200.0, 1300.0], [200.0, 1300.0]])
    over_pink = np.array([[200.0, 1900.0], [400.0, 1900.0], [400.0, 2100.0], [200.0, 2100.0]])
    look = Look(noise_mm=1.0, blind=((0.5, 3.0, arm), (1.0, 4.0, over_pink)))
    _, frames = follow(truth, look)
    for frame in frames[12:]:
        for name in ("cue", "blue", "pink"):
            ball = frame.ball(name)
            assert ball is not None and ball.state in ON, (frame.stamp.t_s, name)
    assert errors(truth, frames, ("pink",)).max() < 4.0
    assert np.mean(errors(truth, frames, ("cue",)) < 26.0) > 0.97


def test_repeated_pictures_bring_nothing_new() -> None:
    truth = play({"cue": (889.0, 300.0), "blue": (889.0, 1784.5)}, (0.0, 3000.0))
    tracker, frames = follow(truth, Look(noise_mm=1.0, repeat_every=3))
    assert tracker.picture + 1 == pytest.approx(len(frames) * 2 / 3, abs=2)
    assert np.mean(errors(truth, frames, ("blue",)) < 80.0) > 0.97


def test_a_cut_is_a_gap_and_ends_no_track() -> None:
    truth = play({"cue": (889.0, 300.0), "blue": (889.0, 1784.5), "pink": (300.0, 2000.0)}, (0.0, 800.0))
    _, frames = follow(truth, Look(noise_mm=1.0, no_view=((0.4, 0.8),)))
    dark = [frame for frame in frames if not frame.view]
    assert len(dark) == 12 and not any(ball.visible for frame in dark for ball in frame.balls)
    assert errors(truth, frames, ("pink", "blue")).max() < 1000.0


def test_a_wrong_look_now_and_then_swaps_no_names() -> None:
    truth = play({"cue": (1000.0, 600.0), **COLOURS, **REDS}, (-40.0, 2500.0))
    _, frames = follow(truth, Look(noise_mm=1.0, wrong_kind=0.15, seed=5))
    assert not any(frame.renamed for frame in frames[40:])
    assert np.mean(errors(truth, frames, ("cue", *COLOURS)) < 26.0) > 0.99


def test_a_potted_ball_is_pocketed_and_stays_so() -> None:
    # A straight pot: cue ball, blue and the middle pocket on one line.
    truth = play({"cue": (1300.0, 1784.5), "blue": (600.0, 1784.5), "pink": (889.0, 2676.75)}, (-2500.0, 0.0))
    assert ("blue", "middle-left") in [tuple(event[2:]) for event in truth.of("pocket")]
    _, frames = follow(truth, Look(noise_mm=1.0))
    last = frames[-1].ball("blue")
    assert last is not None and last.state is BallState.POCKETED


def test_known_balls_only_get_names() -> None:
    truth = play({"cue": (1000.0, 600.0), **COLOURS}, (-40.0, 1500.0))
    _, frames = follow(truth, Look(noise_mm=1.0, false=0.5, seed=8))
    names = {ball.name for frame in frames[15:] for ball in frame.balls if ball.state in ON}
    assert set(COLOURS) | {"cue"} <= names
    assert {kind(name) for name in names} - {"red"} == {"cue", *COLOURS}
    for frame in frames:
        assert len({ball.name for ball in frame.balls}) == len(frame.balls)
