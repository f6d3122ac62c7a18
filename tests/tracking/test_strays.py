"""A cue ball struck hard beside things that look like it, struck into a pack, and struck off the table."""

from dataclasses import replace

import numpy as np
import pytest
from scene import FPS, Look, Piece, Truth, observe, play

from calibration.tables import TABLES
from tracking.records import Contact, OffTable, ShotRecord, Strike
from tracking.watcher import ShotWatcher
from vision.balls import BALL_SETS
from vision.observations import Observations

POOL = TABLES["pool-9ft"]
ROWS = ("xy_mm", "cov_mm2", "uv_px", "radius_px", "identity_logp", "visibility")


def watched(truth: Truth, frames: list[Observations]) -> list[ShotRecord]:
    watcher = ShotWatcher(truth.table, truth.ball_set)
    return [record for frame in frames for record in watcher.step(frame)] + watcher.finish()


def with_fingers(frame: Observations, kind: str, places: list[tuple[float, float]]) -> Observations:
    """The frame with things that look like a ball of a kind and lie still."""
    row = int(np.argmax(frame.identity_logp[:, frame.identities.index(kind)]))
    n = len(places)
    more = {name: np.concatenate([getattr(frame, name), getattr(frame, name)[[row] * n]]) for name in ROWS}
    more["xy_mm"][-n:] = places
    return replace(frame, **more)


FINGERS = [(828.0, 379.0), (804.0, 307.0), (835.0, 457.0)]


def test_fingers_that_look_like_the_cue_ball_dont_take_its_place_when_it_is_struck_hard() -> None:
    """Two of them lie there for a while, the third one just before the strike; the bridge goes 0.6 s later."""
    truth = play({"cue": (900.0, 700.0), "blue": (889.0, 1784.5), "black": (300.0, 3245.0)}, (0.0, 8200.0))
    frames = []
    for frame in observe(truth, Look(noise_mm=0.7)):
        t = frame.stamp.t_s
        seen = 0 if not 0.6 < t < 1.6 else 2 if t < 0.92 else 3
        frames.append(with_fingers(frame, "cue", FINGERS[:seen]) if seen else frame)
    (record,) = watched(truth, frames)
    (strike,) = [event for event in record.events if isinstance(event, Strike)]
    assert strike.t_s == pytest.approx(1.0, abs=0.02)
    first = next(event for event in record.events if isinstance(event, Contact))
    assert first.balls == ("cue", "blue") and first.t_s == pytest.approx(truth.of("contact")[0][0], abs=0.02)


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
