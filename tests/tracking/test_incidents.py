"""What happens between strokes: balls that fall or move without one, and hands at their work, which is no incident."""

import numpy as np
import pytest
from scene import DECELERATION, Look, Piece, Truth, observe

from calibration.tables import TABLES
from tracking.geometry import Bed
from tracking.records import CERTAIN_CONFIDENCE, Contact, Fell, Moved, Rest, ShotRecord, Strike
from tracking.watcher import ShotWatcher
from vision.balls import BALL_SETS

LAYOUT = {"cue": (400.0, 900.0), "red-1": (1500.0, 2000.0), "blue": (889.0, 1784.5), "black": (600.0, 3000.0)}
OFF_S = 3.0
CLEAR = Look(noise_mm=0.6)


def lying(balls: dict[str, tuple[float, float]]) -> Truth:
    pieces = {ball: [Piece(0.0, np.array(place), np.zeros(2))] for ball, place in balls.items()}
    return Truth(TABLES["snooker-12ft"], BALL_SETS["snooker"], pieces, [(OFF_S, "rest")])


def rolling(ball: str, velocity: tuple[float, float], balls: dict[str, tuple[float, float]] = LAYOUT) -> Truth:
    """All lie still until ``ball`` sets off and rolls until it stops."""
    truth = lying(balls)
    truth.pieces[ball].append(Piece(OFF_S, np.array(balls[ball]), np.array(velocity)))
    truth.events = [(OFF_S + float(np.hypot(*velocity)) / DECELERATION, "rest")]
    return truth


def watched(truth: Truth, look: Look = CLEAR) -> list[ShotRecord]:
    watcher = ShotWatcher(truth.table, truth.ball_set)
    return [record for frame in observe(truth, look) for record in watcher.step(frame)] + watcher.finish()


def square(centre: np.ndarray, half: float) -> np.ndarray:
    return centre + half * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def test_a_ball_that_rolls_off_alone_has_moved_and_who_moved_it_is_left_open() -> None:
    (record,) = watched(rolling("blue", (110.0, 30.0)))
    assert not any(isinstance(event, Strike) for event in record.events)
    (moved,) = [event for event in record.events if isinstance(event, Moved)]
    assert (moved.ball, moved.cause) == ("blue", "player")
    assert moved.t_s == pytest.approx(OFF_S, abs=0.06)
    assert moved.confidence < CERTAIN_CONFIDENCE
    assert record.before is not None and record.before["blue"] == pytest.approx(LAYOUT["blue"], abs=2.0)
    # It rolls v²/2a = 114² / 240 = 54 mm.
    assert record.after is not None and record.after["blue"] == pytest.approx((941.2, 1798.7), abs=3.0)
    assert any(isinstance(event, Rest) for event in record.events)


def test_a_ball_that_settles_moves_by_itself() -> None:
    (record,) = watched(rolling("blue", (0.0, 50.0)), Look(noise_mm=0.3))
    assert [event.cause for event in record.events if isinstance(event, Moved)] == ["itself"]


def test_a_ball_that_was_moved_and_hits_another() -> None:
    truth = rolling("blue", (160.0, 0.0), {**LAYOUT, "red-1": (989.0, 1784.5)})
    hit_mm, diameter = 100.0 - truth.table.ball_diameter_mm, truth.table.ball_diameter_mm
    # s = v t - a t²/2 and v² - 2 a s give when and how fast it arrives.
    speed = float(np.sqrt(160.0**2 - 2 * DECELERATION * hit_mm))
    t = OFF_S + (160.0 - speed) / DECELERATION
    truth.pieces["blue"].append(Piece(t, np.array([989.0 - diameter, 1784.5]), np.zeros(2)))
    truth.pieces["red-1"].append(Piece(t, np.array([989.0, 1784.5]), np.array([speed, 0.0])))
    truth.events = [(t + speed / DECELERATION, "rest")]
    (record,) = watched(truth)
    assert [event.ball for event in record.events if isinstance(event, Moved)] == ["blue"]
    (contact,) = [event for event in record.events if isinstance(event, Contact)]
    assert set(contact.balls) == {"blue", "red-1"} and contact.t_s == pytest.approx(t, abs=0.06)


def test_a_ball_in_a_hand_is_no_incident() -> None:
    truth = rolling("blue", (110.0, 30.0))
    beside = np.array([0.0, 70.0])
    hands = [(t, square(truth.place("blue", t) + beside, 45.0)) for t in np.arange(OFF_S, OFF_S + 1.2, 1 / 30)]
    spans = tuple((t - 0.01, t + 1 / 30 - 0.01, polygon) for t, polygon in hands)
    assert watched(truth, Look(noise_mm=0.6, blind=spans)) == []


def test_a_ball_that_is_put_on_its_spot_is_no_incident() -> None:
    spot = TABLES["snooker-12ft"].spots["blue"]
    truth = rolling("blue", (-100.0, 0.0), {**LAYOUT, "blue": (spot[0] + 100.0**2 / (2 * DECELERATION), spot[1])})
    assert watched(truth) == []


def test_what_may_have_been_hit_by_a_ball_out_of_sight_is_no_incident() -> None:
    cover = square(np.array(LAYOUT["cue"]), 200.0)
    hidden = Look(noise_mm=0.6, blind=((OFF_S - 1.0, OFF_S + 4.0, cover),))
    assert watched(rolling("blue", (110.0, 30.0)), hidden) == []


def hanging(speed: float) -> tuple[Truth, float]:
    """A red on the edge of the pocket top-left that rolls over it, and when it is gone."""
    mouth = next(m for m in Bed(TABLES["snooker-12ft"]).mouths if m.pocket == "top-left")
    place = mouth.centre - mouth.inward * (mouth.drop_mm - 8.0)
    truth = rolling("red-1", tuple(-mouth.inward * speed), {**LAYOUT, "red-1": tuple(place)})
    gone = OFF_S + 12.0 / speed
    truth.pieces["red-1"].append(Piece(gone, place, np.zeros(2), gone=True))
    return truth, gone


def test_a_ball_that_hangs_over_a_pocket_falls_by_itself() -> None:
    truth, gone = hanging(60.0)
    (record,) = watched(truth)
    (fell,) = [event for event in record.events if isinstance(event, Fell)]
    assert (fell.ball, fell.pocket) == ("red-1", "top-left")
    assert fell.t_s == pytest.approx(gone, abs=0.12)
    assert fell.still_s == pytest.approx(OFF_S, abs=0.2)
    assert record.after is not None and "red-1" not in record.after


def test_a_ball_that_rolls_out_of_a_hand_which_covered_it_was_pushed() -> None:
    # The hand comes 0.2 s before the push and stays 0.5 s after it; the blue rolls 170² / 240 = 120 mm and has made
    # 70 mm of them when it comes into view.
    truth = rolling("blue", (170.0, 0.0))
    hand = square(np.array([919.0, 1784.5]), 62.0)
    look = Look(noise_mm=0.6, blind=((OFF_S - 0.2, OFF_S + 0.5, hand),))
    (record,) = watched(truth, look)
    (moved,) = [event for event in record.events if isinstance(event, Moved)]
    assert (moved.ball, moved.cause) == ("blue", "player") and moved.confidence < CERTAIN_CONFIDENCE
    assert abs(moved.t_s - OFF_S) < max(2.0 * moved.t_sigma_s, 0.05)
    assert record.before is not None and record.before["blue"] == pytest.approx(LAYOUT["blue"], abs=2.0)
    assert record.after is not None and record.after["blue"] == pytest.approx((1009.4, 1784.5), abs=3.0)
