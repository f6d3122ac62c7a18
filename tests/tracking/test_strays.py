"""A cue ball struck into a pack, struck off the table, and taken away by a hand."""

from dataclasses import replace

import numpy as np
import pytest
from scene import FPS, Look, Piece, Truth, observe, play

from calibration.tables import TABLES
from tracking.records import Answer, Contact, OffTable, ShotRecord, Strike, before
from tracking.watcher import ShotWatcher
from vision.balls import BALL_SETS
from vision.observations import Observations

POOL = TABLES["pool-9ft"]
ROWS = ("xy_mm", "cov_mm2", "uv_px", "radius_px", "identity_logp", "visibility")


def watched(truth: Truth, frames: list[Observations]) -> list[ShotRecord]:
    watcher = ShotWatcher(truth.table, truth.ball_set)
    return [record for frame in frames for record in watcher.step(frame)] + watcher.finish()


def rack(rows: int, apex: tuple[float, float]) -> dict[str, tuple[float, float]]:
    """Balls 1, 2, ... that touch but for a hair, row by row up the table from the apex."""
    step, places = POOL.ball_diameter_mm * 1.0005, []
    for row in range(rows):
        places += [(apex[0] + (k - row / 2) * step, apex[1] + row * step * np.sqrt(0.75)) for k in range(row + 1)]
    return {str(number): place for number, place in enumerate(places, 1)}


@pytest.mark.parametrize("aside_mm", [0.0, 15.0])
def test_the_ball_that_the_cue_ball_was_about_to_meet_is_the_first_one_of_a_pack(aside_mm: float) -> None:
    balls = {"cue": (635.0 + aside_mm, 700.0), **rack(3, (635.0, 1905.0))}
    truth = play(balls, (0.0, 5000.0), game="9-ball", limit_s=12.0)
    (record, *_) = watched(truth, observe(truth, Look(noise_mm=0.7)))
    first = next(event for event in record.events if isinstance(event, Contact) and "cue" in event.balls)
    assert first.balls == ("cue", "1")
    assert first.certain


def off_the_table() -> Truth:
    """The cue ball is struck over the top cushion, is out of sight 0.1 s later, and laid on the bed again at 3.2 s."""
    balls = {"cue": (600.0, 1400.0), "8": (300.0, 600.0), "9": (1000.0, 400.0)}
    pieces = {ball: [Piece(0.0, np.array(place), np.zeros(2))] for ball, place in balls.items()}
    over_s = 1.0 + (POOL.length_mm + 230.0 - 1400.0) / 4000.0
    pieces["cue"].append(Piece(1.0, np.array(balls["cue"]), np.array([0.0, 4000.0])))
    pieces["cue"].append(Piece(over_s, np.array([600.0, 2770.0]), np.zeros(2), gone=True))
    pieces["cue"].append(Piece(3.2, np.array([500.0, 500.0]), np.zeros(2)))
    return Truth(POOL, BALL_SETS["9-ball"], pieces, [(over_s, "off_table", "cue")])


def test_a_cue_ball_struck_off_the_table_and_put_back_was_struck_and_left_the_table() -> None:
    truth = off_the_table()
    (record,) = watched(truth, observe(truth, Look(noise_mm=0.7), until_s=7.0))
    assert [event.t_s for event in record.events if isinstance(event, Strike)] == pytest.approx([1.0], abs=0.02)
    (off,) = [event for event in record.events if isinstance(event, OffTable)]
    assert off.ball == "cue" and off.certain and off.t_s == pytest.approx(truth.events[0][0], abs=2.0 / FPS)


BALLS = {"cue": (1198.0, 1604.0), "2": (1218.0, 1770.0), "4": (600.0, 600.0), "9": (300.0, 1900.0)}


@pytest.mark.parametrize(("looks", "strikes"), [(3, 0), (12, 1)])
def test_a_glove_that_takes_the_cue_ball_away_is_no_stroke(looks: int, strikes: int) -> None:
    """Out of sight for 0.27 s, something like the cue ball then shows beside its place, at 540 mm/s, so many times."""
    pieces = {ball: [Piece(0.0, np.array(place), np.zeros(2))] for ball, place in BALLS.items()}
    truth = Truth(POOL, BALL_SETS["9-ball"], pieces, [(5.0, "rest")])
    frames = []
    for frame in observe(truth, Look(noise_mm=0.7)):
        later = frame.stamp.index - 68
        xy = frame.xy_mm.copy()
        xy[0] = (1160.0 - 18.0 * later, 1614.0)
        keep = np.arange(len(xy)) != (0 if frame.stamp.index >= 60 and not 0 <= later < looks else -1)
        moved = replace(frame, xy_mm=xy) if later >= 0 else frame
        frames.append(replace(moved, **{name: getattr(moved, name)[keep] for name in ROWS}))
    records = watched(truth, frames)
    assert sum(isinstance(event, Strike) for record in records for event in record.events) == strikes


@pytest.mark.parametrize(("yellow", "order"), [((867.5, 1798.5), Answer.YES), ((871.5, 1788.5), Answer.UNKNOWN)])
def test_of_two_balls_hit_between_two_pictures_the_one_in_the_way_was_first(
    yellow: tuple[float, float], order: Answer
) -> None:
    """The cue ball meets the blue at 1.375 s and the yellow 13 ms later: 27 mm on, half a ball; or 2.5 ms, 5 mm on."""
    balls = {"cue": (900.0, 1000.0), "blue": (930.0, 1784.5), "yellow": yellow, "black": (300.0, 3200.0)}
    truth = play(balls, (0.0, 2000.0))
    assert [event[3] for event in truth.of("contact")[:2]] == ["blue", "yellow"]
    (record,) = watched(truth, observe(truth, Look(noise_mm=0.7)))
    one, other = [event for event in record.events if isinstance(event, Contact) and "cue" in event.balls][:2]
    assert (one.balls, other.balls) == (("cue", "blue"), ("cue", "yellow"))
    assert before(one, other) is order


def test_a_cue_ball_that_trembled_before_it_was_struck_was_struck_once_and_turned_by_nothing() -> None:
    truth = play({"cue": (400.0, 900.0), "blue": (400.0, 1784.5)}, (0.0, 2500.0))
    frames = []
    for frame in observe(truth, Look(noise_mm=0.5)):
        xy = frame.xy_mm.copy()
        if 0.75 < frame.stamp.t_s <= 1.0:
            xy[0] += (0.0, 30.0 * (frame.stamp.t_s - 0.75))
        frames.append(replace(frame, xy_mm=xy))
    (record,) = watched(truth, frames)
    (strike,) = [event for event in record.events if isinstance(event, Strike)]
    assert strike.t_s == pytest.approx(1.0, abs=0.02)
    assert record.gaps == ()
