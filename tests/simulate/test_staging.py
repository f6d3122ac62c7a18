"""What the camera sees of balls that fall, turn and are jumped over."""

import math
from itertools import pairwise

import numpy as np
import pytest

from referee.app.simulate.derived import crossings, jump_events
from referee.app.simulate.dynamics.events import Roll, resting_state, roll_out
from referee.app.simulate.dynamics.motion import GRAVITY_MM_S2, Physics, State
from referee.app.simulate.incidents import fall, hanging, move
from referee.app.simulate.play.aim import Stroke, play
from referee.app.simulate.recipe import passing_mm
from referee.app.simulate.reel import START_S, Reel, Shot
from referee.app.simulate.settings import SettingError, table_for
from referee.app.simulate.staging import Manners, Staging, sinking
from referee.app.simulate.truth import shot_record

POOL = table_for("9-ball", None)
R = POOL.radius


def rolling_up(x: float, y: float, speed: float) -> State:
    return State(
        position=np.array([x, y, R]), velocity=np.array([0, speed, 0.0]), spin=np.array([-speed / R, 0.0, 0.0])
    )


def test_a_fast_ball_flies_off_the_lip_and_a_slow_one_tips_over_it() -> None:
    fast, slow = rolling_up(0, 0, 2500.0), rolling_up(0, 0, 60.0)
    assert sinking(fast, R, 0.03)[2] == pytest.approx(R - 0.5 * GRAVITY_MM_S2 * 0.03**2)
    rate = math.sqrt(5 * GRAVITY_MM_S2 / (7 * R))
    far = 60.0 / rate * math.sinh(rate * 0.1)
    assert sinking(slow, R, 0.1) == pytest.approx((0.0, far, math.sqrt(R * R - far * far)))
    heights = [sinking(slow, R, t)[2] for t in np.linspace(0, 0.4, 60)]
    assert all(high >= low for high, low in pairwise(heights))


def test_a_line_is_crossed_when_the_centre_passes_it() -> None:
    """900 mm at 1200 mm/s under 0.0105 g: s = v t - a t² / 2."""
    roll = roll_out(POOL, {"cue": rolling_up(300, 300, 1200.0)}, 0.0)
    a = 0.0105 * GRAVITY_MM_S2
    want = (1200 - math.sqrt(1200**2 - 2 * a * 900)) / a
    assert crossings(roll.paths["cue"], 1, 1200.0, roll.t_rest)[0] == pytest.approx(want, abs=1e-9)


def over(gap_mm: float) -> Roll:
    flying = State(position=np.array([300, 300, R]), velocity=np.array([0, 1500.0, 1500.0]), spin=np.zeros(3))
    return roll_out(POOL, {"cue": flying, "8": resting_state((300 + gap_mm, 500), R)}, 0.0)


def test_a_ball_flies_over_another_or_past_it() -> None:
    """It is over y = 500 after 2/15 s; the rise of 1500 mm/s has then lifted it by 112 mm."""
    jumped = jump_events(over(10.0), R)
    assert [event.fields for event in jumped] == [{"ball": "cue", "over": "8", "touched": False}]
    assert jumped[0].t == pytest.approx(200 / 1500, abs=0.001)
    assert jump_events(over(1.96 * R), R) == []


def test_a_hanging_ball_falls_by_itself_into_its_pocket() -> None:
    hole = POOL.hole("top-left")
    inward = np.array([1.0, -1.0]) / math.sqrt(2)
    x, y = hole.centre + inward * (hole.radius + 2.0)
    reel = Reel(table=POOL)
    reel.place("5", (float(x), float(y)), 0.0, by_hand=False)
    reel.place("9", (600.0, 900.0), 0.0, by_hand=False)
    assert hanging(POOL, reel.layout(), 3.0) == [("5", "top-left")]
    fall(reel, "5", "top-left", 4.0)
    record = shot_record(reel.shots[0], POOL.spec)
    assert [event["kind"] for event in record["events"]] == ["fell", "rest"]
    assert record["events"][0]["still_s"] == 4.0
    assert record["after"] == {"9": [600.0, 900.0]}
    with pytest.raises(ValueError, match=r"9 lies .* mm from top-left's hole, not on its lip"):
        fall(reel, "9", "top-left", 5.0)


@pytest.mark.parametrize(
    ("step", "want"),
    [
        ({}, 0.0),
        ({"thickness": 0.5}, R),
        ({"thickness": -0.25}, -1.5 * R),
        ({"miss_mm": 2.0}, 2 * R + 2.0),
        ({"miss_mm": -3.0}, -2 * R - 3.0),
    ],
)
def test_thickness_and_miss_as_a_distance_from_the_balls_centre(step: dict[str, float], want: float) -> None:
    assert passing_mm(step, R) == pytest.approx(want)


def test_no_thickness_beyond_a_full_ball() -> None:
    with pytest.raises(SettingError, match="thickness must be more than 0 and at most 1"):
        passing_mm({"thickness": 1.5}, R)


def test_a_stroke_straight_up_the_table_hits_the_top_cushion_at_its_reach() -> None:
    roll = play(POOL, {"cue": (400.0, 600.0)}, Stroke(direction_rad=math.pi / 2, speed_mm_s=2500.0), 1.0, Physics())
    first = roll.events[0]
    assert (first.kind, first.fields["cushion"]) == ("cushion", "top")
    assert roll.paths["cue"].state(first.t).position[1] == pytest.approx(POOL.spec.length_mm - POOL.reach, abs=1e-9)


def potted(manners: Manners) -> Staging:
    layout = {"cue": (635.0, 1270.0), "1": (200.0, 2340.0)}
    reel = Reel(table=POOL)
    for name, place in layout.items():
        reel.place(name, place, START_S, by_hand=False)
    way = POOL.hole("top-left").centre - np.array(layout["1"])
    state = State(position=np.array([*layout["1"], R]), velocity=np.array([*way * 4.0, 0.0]), spin=np.zeros(3))
    roll = roll_out(POOL, {"cue": resting_state(layout["cue"], R), "1": state}, 1.0)
    reel.add(Shot(n=1, player="A", stroke=None, t0=1.0, roll=roll, before=layout))
    return Staging(reel, np.random.default_rng(0), manners)


def test_a_potted_ball_sinks_out_of_sight_or_stays_in_the_pocket() -> None:
    away, kept = potted(Manners()), potted(Manners(potted_stay=True))
    t = away.reel.paths["1"].left_at()
    assert away.ball("1", t - 0.01) is not None
    sinking_ball = away.ball("1", t + 0.05)
    assert sinking_ball is not None
    assert sinking_ball.centre[2] < R
    assert away.ball("1", t + 2.0) is None
    lying = kept.ball("1", t + 2.0)
    assert lying is not None
    hole = POOL.hole("top-left")
    assert math.dist(lying.centre[:2], hole.centre) < hole.radius
    assert lying.centre[2] < 0


def test_a_hand_carries_a_ball_to_its_place_and_goes() -> None:
    reel = Reel(table=POOL)
    reel.place("9", (635.0, 1905.0), 5.0)
    staging = Staging(reel, np.random.default_rng(0), Manners())
    assert staging.ball("9", 3.0) is None
    carried = staging.ball("9", 4.6)
    assert carried is not None
    assert carried.centre[2] > R
    assert staging.people(4.6)
    placed = staging.ball("9", 5.0)
    assert placed is not None
    assert placed.centre == pytest.approx((635.0, 1905.0, R))
    assert not staging.people(8.0)


def test_a_hand_is_seen_at_a_ball_that_it_moves() -> None:
    """The finger tips are at the ball when it sets off, and out of the picture two seconds before and after."""
    reel = Reel(table=POOL)
    reel.place("9", (400.0, 900.0), START_S, by_hand=False)
    move(reel, "9", (60.0, 0.0), "player", 3.0)
    staging = Staging(reel, np.random.default_rng(0), Manners())
    parts = staging.people(3.0)
    assert min(float(np.hypot(*(part.b - [400.0, 900.0, R])[:2])) for part in parts) < 25.0
    assert staging.people(1.0) == []
    assert staging.people(5.0) == []
