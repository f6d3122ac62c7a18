"""Pictures that are left out, as on a machine that is too slow, just when the cue ball is struck."""

from dataclasses import replace

import numpy as np
import pytest
from scene import FPS, Look, Piece, Truth, observe, play

from tracking.records import ShotRecord, Strike
from tracking.watcher import ShotWatcher
from vision.observations import Observations

CLEAR = Look(noise_mm=0.6)
STRIKE_S = 1.0


def watched(frames: list[Observations], truth: Truth) -> list[ShotRecord]:
    watcher = ShotWatcher(truth.table, truth.ball_set)
    return [record for frame in frames for record in watcher.step(frame)] + watcher.finish()


def drawn_back(truth: Truth, met_s: float) -> Truth:
    """The cue ball runs 290 mm at 3 m/s, meets the pink, follows it a little and is drawn back all the more."""
    start, there, step_s = truth.pieces["cue"][0], np.array([800.0, 1297.0]), 1 / 120
    pieces = [start, Piece(STRIKE_S, start.p, np.array([0.0, 3000.0]))]
    for k in range(60):
        speed = max(300.0 - 1500.0 * k * step_s, -500.0)
        pieces.append(Piece(met_s + k * step_s, there, np.array([0.0, speed])))
        there = there + np.array([0.0, speed * step_s])
    return replace(truth, pieces={**truth.pieces, "cue": pieces})


@pytest.mark.parametrize("more", range(3))
def test_a_cue_ball_that_meets_a_ball_while_pictures_are_left_out_was_struck(more: int) -> None:
    # On the whole of what is seen next it gets nowhere.
    truth = play({"cue": (800.0, 1000.0), "pink": (800.0, 1350.0), "blue": (300.0, 2500.0)}, (0.0, 3000.0))
    met_s = truth.of("contact")[0][0]
    frames = observe(drawn_back(truth, met_s), CLEAR)
    frames = [frame for frame in frames if not STRIKE_S < frame.stamp.t_s < met_s - 0.01 + more / FPS]
    events = [event for record in watched(frames, truth) for event in record.events]
    (strike,) = [event for event in events if isinstance(event, Strike)]
    assert strike.t_s == pytest.approx(STRIKE_S, abs=0.1)


def test_balls_that_a_hand_moves_are_no_stroke() -> None:
    # The cue ball is taken away while the blue is rolled aside by hand.
    truth = play({"cue": (1500.0, 1780.0), "blue": (900.0, 1784.5), "pink": (300.0, 600.0)}, (-1500.0, 0.0))
    rest = truth.pieces["blue"][0]
    rolled = [rest, Piece(STRIKE_S + 0.3, rest.p, np.array([-400.0, 0.0]))]
    cue = truth.pieces["cue"][0]
    away = [cue, Piece(STRIKE_S, np.array([1560.0, 1780.0]), np.zeros(2))]
    truth = replace(truth, pieces={**truth.pieces, "blue": rolled, "cue": away})
    records = watched(observe(truth, CLEAR, until_s=5.0), truth)
    assert not any(isinstance(event, Strike) for record in records for event in record.events)
