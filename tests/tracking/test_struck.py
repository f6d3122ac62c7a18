"""Which ball was struck, and when: cue balls that look like another ball, that lie close to one, or that fly off."""

from dataclasses import replace

import numpy as np
import pytest
from scene import Look, Piece, Truth, observe, play

from calibration.tables import TABLES
from tracking.records import Contact, Moved, ShotRecord, Strike
from tracking.watcher import ShotWatcher
from vision.balls import BALL_SETS
from vision.observations import Observations

CLEAR = Look(noise_mm=0.6)
STRIKE_S = 1.0
ROWS = ("xy_mm", "cov_mm2", "uv_px", "radius_px", "identity_logp", "visibility")


def watched(frames: list[Observations], truth: Truth) -> list[ShotRecord]:
    watcher = ShotWatcher(truth.table, truth.ball_set)
    return [record for frame in frames for record in watcher.step(frame)] + watcher.finish()


def looking_alike(truth: Truth, cue_nats: float, stripe_nats: float) -> list[Observations]:
    """Frames in which the 10 looks more like the cue ball than the cue ball does, by so many nats each."""
    kinds = truth.ball_set.kinds
    frames = []
    for frame in observe(truth, CLEAR):
        logp = frame.identity_logp.copy()
        for row in logp:
            if row[kinds.index("cue")] == 0.0:
                row[kinds.index("10")] = -cue_nats
            elif row[kinds.index("10")] == 0.0:
                row[kinds.index("cue")], row[kinds.index("10")] = 0.0, -stripe_nats
        frames.append(replace(frame, identity_logp=logp))
    return frames


def test_of_two_balls_that_look_like_the_cue_ball_the_one_that_is_struck_is_it() -> None:
    # The 10 shows its white cap: by its look it is the cue ball by 2 nats, and the cue ball might be the 10.
    truth = play({"cue": (400, 800), "10": (900, 2000), "3": (400, 1400)}, (0.0, 1200.0), game="9-ball")
    truth = replace(truth, ball_set=BALL_SETS["8-ball"])
    (record,) = watched(looking_alike(truth, 1.0, 3.0), truth)
    (strike,) = [event for event in record.events if isinstance(event, Strike)]
    assert strike.ball == "cue"
    assert strike.t_s == pytest.approx(STRIKE_S, abs=0.005)
    contacts = [event.balls for event in record.events if isinstance(event, Contact)]
    assert contacts[:1] == [("cue", "3")]
    assert record.before is not None and record.before["cue"] == pytest.approx((400, 800), abs=2.0)
    assert record.before["10"] == pytest.approx((900, 2000), abs=2.0)
    assert record.doubtful == ()


def test_a_ball_that_looks_nothing_like_the_cue_ball_is_not_taken_for_it() -> None:
    truth = play({"cue": (400, 800), "10": (900, 2000), "3": (400, 1400)}, (0.0, 1200.0), game="9-ball")
    truth = replace(truth, ball_set=BALL_SETS["8-ball"])
    # The cue ball lies still and the 3 sets off: somebody pushed it.
    pieces = {**truth.pieces, "cue": truth.pieces["cue"][:1], "3": [truth.pieces["3"][0]]}
    pieces["3"].append(Piece(STRIKE_S, np.array([400.0, 1400.0]), np.array([0.0, 400.0])))
    (record,) = watched(observe(replace(truth, pieces=pieces), CLEAR), truth)
    assert not any(isinstance(event, Strike) for event in record.events)
    assert [event.ball for event in record.events if isinstance(event, Moved)] == ["3"]


def test_a_cue_ball_stopped_dead_by_a_ball_close_by_was_struck() -> None:
    # It lies 3 mm off the pink and hits it full: it gets no farther than that.
    diameter = TABLES["snooker-12ft"].ball_diameter_mm
    balls = {"cue": (800, 1000), "pink": (800, 1000 + diameter + 3), "blue": (300, 2500)}
    truth = play(balls, (0.0, 900.0))
    (record,) = watched(observe(truth, CLEAR), truth)
    (strike,) = [event for event in record.events if isinstance(event, Strike)]
    assert strike.t_s == pytest.approx(STRIKE_S, abs=0.04)
    assert [event.balls for event in record.events if isinstance(event, Contact)] == [("cue", "pink")]


def test_a_cue_ball_at_rest_that_is_hit_in_return_is_not_struck_again() -> None:
    # Stopped dead by a full hit, it lies still for more than a second until the blue comes back from the top cushion
    # and stops in its turn.
    truth = play({"cue": (889.0, 1000.0), "blue": (889.0, 1500.0), "pink": (300.0, 600.0)}, (0.0, 2500.0))
    kinds = [(event[1], *event[2:]) for event in truth.events]
    assert kinds[:4] == [
        ("strike", "cue"),
        ("contact", "cue", "blue"),
        ("cushion", "blue", "top"),
        ("contact", "blue", "cue"),
    ]
    assert truth.events[3][0] - truth.events[1][0] > 1.5
    (record,) = watched(observe(truth, CLEAR), truth)
    assert [event.kind for event in record.events].count("strike") == 1
    met = [event.t_s for event in record.events if isinstance(event, Contact)]
    assert met == pytest.approx([event[0] for event in truth.of("contact")], abs=0.01)
    assert record.gaps == () and record.after is not None


def test_a_cue_ball_out_of_sight_until_balls_ran_hit_the_front_one() -> None:
    # It covers 1.3 m in a quarter of a second, hits the pink off centre, which drives the black behind it, and is seen
    # again 0.1 s later on its way out.
    truth = play({"cue": (860.0, 600.0), "pink": (889.0, 2000.0), "black": (885.0, 2060.0)}, (0.0, 5000.0))
    hit = truth.of("contact")[0]
    assert hit[2:] == ("cue", "pink")
    cue = truth.ball_set.kinds.index("cue")
    frames = []
    for frame in observe(truth, CLEAR):
        unseen = (frame.identity_logp.argmax(axis=1) == cue) & (STRIKE_S < frame.stamp.t_s < hit[0] + 0.1)
        frames.append(replace(frame, **{name: getattr(frame, name)[~unseen] for name in ROWS}))
    record = watched(frames, truth)[0]
    first = next(event for event in record.events if isinstance(event, Contact) and "cue" in event.balls)
    assert first.balls == ("cue", "pink")
    assert abs(first.t_s - hit[0]) < 3.0 * first.t_sigma_s
    # That it was this one is left to the referee: the record says too that the cue ball was out of sight.
    assert not first.certain
    assert any(gap.balls == ("cue",) and gap.t0_s < hit[0] < gap.t1_s for gap in record.gaps)
