"""Balls that are lost sight of: what the record says of one that rolls out unseen, in the open or not."""

from dataclasses import replace

import numpy as np
import pytest
from scene import Look, Piece, Truth, observe, play

from calibration.tables import TABLES
from tracking.geometry import Bed, polygon_distance
from tracking.infer.evidence import BlindLog, Evidence, Fate
from tracking.infer.shot import Happenings
from tracking.paths import fit_path
from tracking.records import Contact, Gap, Pocket, ShotRecord, Strike
from tracking.tracks import BallState
from tracking.watcher import ShotWatcher
from tracking.writeup import write_record
from vision.observations import Observations

ROWS = ("xy_mm", "cov_mm2", "uv_px", "radius_px", "identity_logp", "visibility")
PINK = (500.0, 2900.0)
SECOND_S = 14.0


def unseen(frames: list[Observations], truth: Truth, ball: str, since_s: float) -> list[Observations]:
    """The frames without the sights of a ball from then on."""
    found = []
    for seen in frames:
        place = truth.place(ball, seen.stamp.t_s)
        if seen.stamp.t_s >= since_s and place is not None and len(seen):
            keep = np.hypot(*(seen.xy_mm - place).T) > 10.0
            seen = replace(seen, **{name: getattr(seen, name)[keep] for name in ROWS})
        found.append(seen)
    return found


def two_strokes(blue: tuple[float, float], second: tuple[float, float]) -> tuple[list[ShotRecord], Truth, float]:
    """The cue ball sets the blue off to the right with 500 mm/s; it isn't seen any more when 80 mm/s are left, and
    lies 26.7 mm (80² / 240) farther on. Then the cue ball is struck again, with ``second``."""
    # Full contact: the cue ball has 200 - 52.5 mm to go, and hands its speed on.
    speed = float(np.sqrt(500.0**2 + 240.0 * 147.5))
    truth = play({"cue": (blue[0] - 200.0, blue[1]), "blue": blue, "pink": PINK}, (speed, 0.0))
    hit_s = truth.of("contact")[0][0]
    lost_s = hit_s + (500.0 - 80.0) / 120.0
    cue = truth.place("cue", SECOND_S)
    assert cue is not None and truth.rest_s < SECOND_S
    truth.pieces["cue"].append(Piece(SECOND_S, cue, np.array(second)))
    truth.events.append((SECOND_S + float(np.hypot(*second)) / 120.0, "rest"))
    frames = unseen(observe(truth, Look(noise_mm=0.4, after_s=2.0)), truth, "blue", lost_s)
    watcher = ShotWatcher(truth.table, truth.ball_set)
    return [record for frame in frames for record in watcher.step(frame)] + watcher.finish(), truth, lost_s


def of_blue(record: ShotRecord) -> list[Gap]:
    return [gap for gap in record.gaps if gap.balls is not None and "blue" in gap.balls]


def test_a_ball_that_rolls_out_unseen_in_the_open_lies_within_its_reach() -> None:
    records, truth, lost_s = two_strokes((400.0, 1200.0), (0.0, -300.0))
    first, second = records
    (gap,) = of_blue(first)
    assert gap.t0_s == pytest.approx(lost_s, abs=0.1) and gap.region is not None
    # It lies within what its speed isn't known by, and within what cloth may take from it: twice as much, or half.
    place = truth.place("blue", SECOND_S)
    assert place is not None and polygon_distance(place, np.array(gap.region)) == 0.0
    assert float(np.ptp(np.array(gap.region), axis=0).max()) < 400.0
    # The next stroke goes the other way: nothing of the blue is in doubt, and it is on the table.
    assert of_blue(second) == [] and second.present is not None and "blue" in second.present
    assert not any(isinstance(event, Pocket) for record in records for event in record.events)


def test_one_beside_which_a_ball_comes_to_rest_may_have_been_hit() -> None:
    # The blue lies 400 + 500² / 240 = 1442 mm from the left; the cue ball, at 347 mm, follows it for 1020 mm.
    _, second = two_strokes((400.0, 1200.0), (float(np.sqrt(240.0 * 1020.0)), 0.0))[0]
    (gap,) = of_blue(second)
    assert gap.region is None


def test_one_that_may_reach_a_pocket_may_have_dropped() -> None:
    # It is lost 54 mm before the nose line, in front of the middle pocket.
    first = two_strokes((1778.0 - 1095.0, 1784.5), (0.0, -300.0))[0][0]
    assert any(gap.region is None for gap in of_blue(first)) or any(isinstance(e, Pocket) for e in first.events)


@pytest.mark.parametrize(("place", "since_s"), [((889.0, 1320.0), 1.365), ((951.0, 1140.0), 1.3)])
def test_a_ball_that_the_cue_ball_did_not_come_near_was_not_hit_before_the_first(
    place: tuple[float, float], since_s: float
) -> None:
    # The cue ball is seen on its way to the blue, which it hits at 1.365 s. The pink is seen until 1.3 s, and from
    # 1.7 s on its way; it lies behind the blue, or 62 mm beside the cue ball's way: nearer than 1.3 diameters, 68 mm.
    t = np.arange(0.0, 3.0, 1.0 / 30.0)
    noise = np.random.default_rng(3).normal(0.0, 0.3, (len(t), 2))
    cue = np.array([889.0, 600.0]) + np.outer(np.clip(t - 1.0, 0.0, 0.365), [0.0, 1500.0]) + noise
    pink = np.array(place) + np.outer(np.clip(t - 1.4, 0.0, None), [400.0, 900.0]) + noise
    seen = (t < 1.301) | (t > 1.699)
    paths = {
        ball: fit_path(ball, times, xy, np.tile(np.eye(2) * 0.09, (len(times), 1, 1)))
        for ball, times, xy in (("cue", t, cue), ("pink", t[seen], pink[seen]))
    }
    evidence = Evidence(
        bed=Bed(TABLES["snooker-12ft"]),
        paths=paths,
        fates={ball: Fate(last_s=float(t[-1]), state=BallState.MOVING) for ball in paths},
        blind=BlindLog(),
        picture_s=dict(enumerate(t.tolist())),
        blackouts=(),
        t0_s=0.0,
        t1_s=float(t[-1]),
        spacing_s=1.0 / 30.0,
        clock_sigma_s=0.0008,
    )
    events = (Strike(t_s=1.0, ball="cue"), Contact(t_s=1.365, balls=("cue", "blue")))
    record = write_record(1, evidence, Happenings(events=events, leaves={}), over=True)
    (gap,) = [gap for gap in record.gaps if gap.balls == ("pink",)]
    assert (gap.t0_s, gap.t1_s) == pytest.approx((since_s, 1.7), abs=0.01)
