"""A rack that lies there when the pictures begin: all of it are balls, also one that looks like none of those left."""

from dataclasses import replace

import numpy as np
from scene import Look, observe, play

from tracking.tracker import Tracker
from vision.observations import Observations

D, FOOT = 57.15, (635.0, 1905.0)
RACK = {
    str(1 + k): (FOOT[0] + (i - row / 2) * 1.003 * D, FOOT[1] + row * 0.8686 * D)
    for k, (row, i) in enumerate((row, i) for row in range(5) for i in range(row + 1))
}


def blue_on_blue(seen: Observations, place: tuple[float, float]) -> Observations:
    """Each ball looks like itself only, and that one like the 10, a stripe of its colour."""
    logp = np.where(seen.identity_logp == 0.0, 0.0, -30.0)
    j = int(np.hypot(*(seen.xy_mm - place).T).argmin())
    logp[j] = -30.0
    logp[j, seen.identities.index("10")] = 0.0
    return replace(seen, identity_logp=logp)


def named(apart_mm: float) -> set[str]:
    """The names given to a rack, or with gaps between its balls, of which the 2 looks so."""
    middle = np.mean([*RACK.values()], axis=0)
    places = {
        ball: tuple((middle + (np.array(at) - middle) * (1.0 + apart_mm / D)).tolist()) for ball, at in RACK.items()
    }
    truth = play({"cue": (635.0, 500.0), **places}, (0.0, 1.0), game="8-ball")
    tracker = Tracker(truth.table, truth.ball_set)
    for frame in observe(truth, Look(noise_mm=0.4), until_s=0.9):
        tracker.step(blue_on_blue(frame, places["2"]))
    return {track.name for track in tracker.tracks if track.name is not None}


def test_a_ball_of_a_rack_is_one_whatever_it_looks_like() -> None:
    assert named(0.0) == {"cue", *RACK}


def test_what_lies_by_itself_and_looks_like_none_that_is_left_may_be_no_ball() -> None:
    assert named(60.0) == {"cue", *RACK} - {"2"}
