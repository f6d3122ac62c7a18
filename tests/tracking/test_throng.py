"""Balls that burst out of a pack keep their names, though nobody can follow them through the burst."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scene import Look, Piece, Truth, observe

from calibration.tables import TABLES
from tracking import roll
from tracking.watcher import ShotWatcher
from vision.balls import BALL_SETS
from vision.observations import Observations

STRUCK_S, BURST_S, SEEN_AGAIN_S, CLEAR_S = 0.8, 1.0, 1.2, 1.9
RACK = {"1": (635.0, 1905.0), "2": (606.0, 1955.0), "3": (664.0, 1955.0), "9": (635.0, 2005.0)}
ENDS = {"1": (250.0, 1500.0), "2": (1000.0, 2050.0), "3": (300.0, 2100.0), "9": (900.0, 1600.0)}
"""Each of the two at the sides comes out on the other side; the last one comes out in front."""


def burst() -> Truth:
    """The cue ball hits a rack of four, which run apart and come to rest at ``ENDS``, 1.6 s later."""
    truth = Truth(TABLES["pool-9ft"], BALL_SETS["9-ball"], {})
    for ball, place in RACK.items():
        way = np.array(ENDS[ball]) - place
        truth.pieces[ball] = [Piece(0.0, np.array(place), np.zeros(2)), Piece(BURST_S, np.array(place), way / 1.6)]
        truth.pieces[ball].append(Piece(BURST_S + 1.6, np.array(ENDS[ball]), np.zeros(2)))
    cue, hit = np.array([635.0, 500.0]), np.array([635.0, 1848.0])
    truth.pieces["cue"] = [
        Piece(0.0, cue, np.zeros(2)),
        Piece(STRUCK_S, cue, (hit - cue) / (BURST_S - STRUCK_S)),
        Piece(BURST_S, hit, np.zeros(2)),
    ]
    truth.events.append((BURST_S + 1.6, "rest"))
    for pieces in truth.pieces.values():
        for piece in pieces:
            # Without friction, so that each runs just as said.
            piece.at = steady(piece)  # type: ignore[method-assign]
    return truth


def steady(piece: Piece) -> Callable[[float], tuple[np.ndarray, np.ndarray]]:
    return lambda t: (piece.p + piece.v * (t - piece.t0), piece.v)


def seen(truth: Truth) -> list[Observations]:
    """No ball of the rack is seen while it bursts, and for a while none shows which it is."""
    frames = []
    for each in observe(truth, Look(noise_mm=0.3, after_s=1.5)):
        t, cue = each.stamp.t_s, each.identity_logp[:, truth.ball_set.kinds.index("cue")] > -1.0
        if BURST_S < t < SEEN_AGAIN_S:
            each = taken(each, cue)
        elif SEEN_AGAIN_S <= t < CLEAR_S:
            each = replace(each, identity_logp=np.where(cue[:, None], each.identity_logp, 0.0))
        frames.append(each)
    return frames


def taken(each: Observations, keep: np.ndarray) -> Observations:
    names = ("xy_mm", "cov_mm2", "uv_px", "radius_px", "identity_logp", "visibility")
    return replace(each, **{name: getattr(each, name)[keep] for name in names})


def wrong_rows(truth: Truth) -> int:
    """In how many rows a ball of the rack isn't where the ball of its name is, before the burst or at rest after it."""
    watcher = ShotWatcher(truth.table, truth.ball_set)
    rows = []
    for each in seen(truth):
        watcher.step(each)
        rows.extend(watcher.frame_rows())
    watcher.finish()
    rows.extend(watcher.frame_rows())
    sure = [row for row in rows if row.ball in RACK and (0.2 < row.t < BURST_S or row.t > BURST_S + 1.7)]
    assert len(sure) > 4 * 55
    return sum(float(np.hypot(*(truth.place(row.ball, row.t) - (row.x, row.y)))) > 10.0 for row in sure)


def test_balls_of_a_burst_rack_are_who_they_were() -> None:
    assert wrong_rows(burst()) == 0


def test_following_alone_would_have_exchanged_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roll, "cut_throngs", lambda field: None)
    assert wrong_rows(burst()) > 0


def test_two_balls_of_a_rack_that_look_alike_are_two_from_the_first_picture_on() -> None:
    truth = burst()
    watcher = ShotWatcher(truth.table, truth.ball_set)
    three, nine = (truth.ball_set.kinds.index(name) for name in ("3", "9"))
    for each in observe(truth, Look(noise_mm=0.0), until_s=0.5):
        # The 9 looks a little more like a 3 than like itself.
        logp = each.identity_logp.copy()
        logp[logp[:, nine] == 0.0, three] = 0.5
        watcher.step(replace(each, identity_logp=logp))
    assert watcher.frame is not None
    places = {ball.name: (round(ball.x), round(ball.y)) for ball in watcher.frame.balls}
    assert places["3"] == (664, 1955) and places["9"] == (635, 2005)
