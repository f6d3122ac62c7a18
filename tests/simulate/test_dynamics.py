"""The dynamics against results that are known in closed form, and its own conservation laws."""

import math

import numpy as np
import pytest

from calibration.tables import TABLES
from referee.app.simulate.dynamics import collide
from referee.app.simulate.dynamics.events import Roll, resting_state, roll_out
from referee.app.simulate.dynamics.motion import GRAVITY_MM_S2, Phase, Physics, State, energy
from referee.app.simulate.dynamics.roots import first_fall
from referee.app.simulate.dynamics.table import PlayingTable, playing_table
from referee.app.simulate.play.aim import Stroke, meeting, play

SNOOKER = playing_table(TABLES["snooker-12ft"])
R = SNOOKER.radius
FREE = Physics(ball_restitution=1.0, ball_friction=0.0)


def rolling(x: float, y: float, vx: float, vy: float) -> State:
    return State(position=np.array([x, y, R]), velocity=np.array([vx, vy, 0.0]), spin=np.array([-vy / R, vx / R, 0.0]))


def stunned(x: float, y: float, vx: float, vy: float) -> State:
    return State(position=np.array([x, y, R]), velocity=np.array([vx, vy, 0.0]), spin=np.zeros(3))


def first(roll: Roll, kind: str) -> float:
    return next(event.t for event in roll.events if event.kind == kind)


def test_a_sliding_ball_rolls_at_five_sevenths_of_its_speed() -> None:
    roll = roll_out(SNOOKER, {"cue": stunned(889, 300, 0, 1400)}, 0.0)
    slide, run = roll.paths["cue"].segments[:2]
    assert (slide.phase, run.phase) == (Phase.SLIDING, Phase.ROLLING)
    assert run.velocity[1] == pytest.approx(1000.0, rel=1e-12)
    assert run.t0 == pytest.approx(2 * 1400 / (7 * 0.20 * GRAVITY_MM_S2), rel=1e-12)


def test_a_ball_struck_at_two_fifths_of_a_radius_above_centre_rolls_at_once() -> None:
    state = collide.strike(np.array([889, 300, R]), R, speed_mm_s=1000, direction=(0, 1), above=0.4)
    roll = roll_out(SNOOKER, {"cue": state}, 0.0)
    speed = np.hypot(*roll.paths["cue"].segments[1 if len(roll.paths["cue"].segments) > 1 else 0].velocity[:2])
    assert float(state.spin[0]) == pytest.approx(-float(state.velocity[1]) / R, rel=0.1)
    assert speed > 0


def test_a_rolling_balls_half_ball_hit_turns_it_by_33_67_degrees() -> None:
    """tan θ = sin φ cos φ / (sin² φ + 2/5) with cut φ = 30° (Alciatore, technical proof A.4)."""
    roll = roll_out(SNOOKER, {"cue": rolling(889, 500, 0, 1500), "red-1": resting_state((889 + R, 900), R)}, 0.0, FREE)
    segments = roll.paths["cue"].segments
    after = next(k for k, s in enumerate(segments) if s.phase is Phase.SLIDING)
    vx, vy, _ = segments[after + 1].velocity
    expected = math.atan2(math.sin(math.pi / 6) * math.cos(math.pi / 6), 0.25 + 0.4)
    assert math.atan2(abs(vx), vy) == pytest.approx(expected, abs=1e-9)
    assert math.degrees(expected) == pytest.approx(33.67, abs=0.01)


def test_a_stun_shot_parts_the_balls_at_a_right_angle() -> None:
    one, two = collide.ball_ball(
        stunned(0, 0, 0, 1000),
        resting_state((2 * R * math.sin(0.6), 2 * R * math.cos(0.6)), R),
        R,
        FREE,
        on_bed=(True, True),
    )
    assert float(one.velocity @ two.velocity) == pytest.approx(0.0, abs=1e-9)
    assert float(two.velocity @ two.velocity) == pytest.approx((1000 * math.cos(0.6)) ** 2, rel=1e-12)


@pytest.mark.parametrize("cut", [0.0, 0.3, 0.8, 1.2])
def test_momentum_is_kept_and_energy_never_grows_in_a_collision(cut: float) -> None:
    spinning = State(
        position=np.array([0, 0, R]), velocity=np.array([0, 1500.0, 0]), spin=np.array([30.0, -10.0, 80.0])
    )
    still = resting_state((2 * R * math.sin(cut), 2 * R * math.cos(cut)), R)
    one, two = collide.ball_ball(spinning, still, R, Physics(), on_bed=(False, False))
    np.testing.assert_allclose(one.velocity + two.velocity, spinning.velocity, atol=1e-9)
    before = energy(spinning, R) + energy(still, R)
    assert energy(one, R) + energy(two, R) <= before + 1e-6


def test_a_perfect_cushion_without_friction_mirrors() -> None:
    """With the nose's edge above the centre the level share of the impulse is (1 + e) cos² of its slope."""
    physics = Physics(cushion_restitution=1.0, cushion_friction=0.0)
    roll = roll_out(SNOOKER, {"cue": stunned(300, 1200, -2000, 600)}, 0.0, physics)
    path = roll.paths["cue"]
    t = first(roll, "cushion")
    after = path.at(t).velocity
    before = path.segments[0].state(t).velocity
    level = 1.0 - SNOOKER.nose_height**2
    assert after[0] == pytest.approx(before[0] * (1 - 2 * level), rel=1e-9)
    assert after[1] == pytest.approx(before[1], rel=1e-9)
    assert path.state(t).position[0] == pytest.approx(SNOOKER.reach, abs=1e-9)


def test_running_side_widens_and_check_side_narrows_the_rebound() -> None:
    def angle(side: float) -> float:
        state = State(
            position=np.array([300, 1200, R]), velocity=np.array([-1500.0, 1500, 0]), spin=np.array([0, 0, side])
        )
        roll = roll_out(SNOOKER, {"cue": state}, 0.0)
        v = roll.paths["cue"].at(first(roll, "cushion")).velocity
        return math.atan2(v[1], v[0])

    assert angle(60.0) > angle(0.0) > angle(-60.0)


def test_a_rolling_ball_stops_where_friction_says() -> None:
    roll = roll_out(SNOOKER, {"cue": rolling(889, 400, 0, 600)}, 0.0)
    assert roll.t_rest == pytest.approx(600 / (0.0105 * GRAVITY_MM_S2), rel=1e-12)
    assert roll.resting()["cue"][1] == pytest.approx(400 + 600**2 / (2 * 0.0105 * GRAVITY_MM_S2), rel=1e-12)


def test_a_ball_in_the_air_follows_the_parabola_and_bounces() -> None:
    state = State(position=np.array([889, 500, R]), velocity=np.array([0, 1000.0, 981.0]), spin=np.zeros(3))
    roll = roll_out(SNOOKER, {"cue": state}, 0.0)
    flight, bounce = roll.paths["cue"].segments[:2]
    assert bounce.t0 == pytest.approx(2 * 981 / GRAVITY_MM_S2, rel=1e-9)
    assert bounce.velocity[2] == pytest.approx(0.5 * 981, rel=1e-9)
    assert flight.state(981 / GRAVITY_MM_S2).position[2] == pytest.approx(R + 981**2 / (2 * GRAVITY_MM_S2), rel=1e-9)


def test_a_high_ball_flies_over_the_cushion_and_leaves_the_table() -> None:
    state = State(position=np.array([889, 3400, R]), velocity=np.array([0, 3000.0, 1200.0]), spin=np.zeros(3))
    roll = roll_out(SNOOKER, {"cue": state}, 0.0)
    assert [event.kind for event in roll.events] == ["off_table"]
    assert roll.resting() == {}


@pytest.mark.parametrize("name", sorted(TABLES))
def test_mouths_have_the_width_of_the_specification(name: str) -> None:
    """The narrowest gap between the noses of one pocket is the mouth, or less where the facings converge behind it."""
    table = playing_table(TABLES[name])
    for pocket, mouth in (("top-left", table.spec.corner_mouth_mm), ("middle-left", table.spec.middle_mouth_mm)):
        starts = [line.start for line in table.lines if line.jaw == pocket]
        assert len(starts) == 2
        assert float(np.linalg.norm(starts[0] - starts[1])) == pytest.approx(mouth, abs=4.0)


@pytest.mark.parametrize("name", sorted(TABLES))
@pytest.mark.parametrize("pocket", ["top-right", "bottom-left"])
def test_a_ball_rolled_straight_into_a_corner_falls(name: str, pocket: str) -> None:
    table = playing_table(TABLES[name])
    corner = np.array(table.spec.pocket_corners()[pocket])
    inward = np.sign(np.array([table.spec.width_mm / 2, table.spec.length_mm / 2]) - corner)
    start, velocity = corner + inward * 300, -inward * 600
    state = State(position=np.array([*start, table.radius]), velocity=np.array([*velocity, 0.0]), spin=np.zeros(3))
    roll = roll_out(table, {"ball": state}, 0.0)
    assert [(e.kind, e.fields["pocket"]) for e in roll.events if e.kind == "pocket"] == [("pocket", pocket)]
    hole = table.hole(pocket)
    entry = roll.paths["ball"].segments[-2].state(first(roll, "pocket")).position[:2]
    assert float(np.linalg.norm(entry - hole.centre)) == pytest.approx(hole.radius, abs=1e-6)


def test_a_full_break_keeps_its_own_laws() -> None:
    """No overlap over 0.01 mm, continuous paths, energy that never grows."""
    table: PlayingTable = playing_table(TABLES["pool-9ft"])
    r = table.radius
    states = {
        f"{row}-{k}": resting_state((635 + (k - row / 2) * (2 * r + 0.05), 1905 + row * math.sqrt(3) * (r + 0.03)), r)
        for row in range(5)
        for k in range(row + 1)
    }
    states["cue"] = collide.strike(np.array([600.0, 600, r]), r, speed_mm_s=9000, direction=(35, 1305), above=0.1)
    roll = roll_out(table, states, 0.0)
    t = np.arange(0.0, min(roll.t_rest, 3.0), 0.004)
    where = {name: path.positions(t) for name, path in roll.paths.items()}
    names = list(where)
    for i, one in enumerate(names):
        for two in names[:i]:
            both = t < min(roll.paths[one].left_at(), roll.paths[two].left_at())
            gap = np.linalg.norm(where[one][both] - where[two][both], axis=1)
            assert gap.min(initial=1e9) > 2 * r - 0.01
    for path in roll.paths.values():
        for before, after in zip(path.segments, path.segments[1:], strict=False):
            np.testing.assert_allclose(before.state(after.t0).position, after.position, atol=1e-3)
    total = [sum(energy(p.state(m), r) for p in roll.paths.values() if m < p.left_at()) for m in t]
    assert np.diff(total).max() <= 1e-3


def test_first_fall_finds_the_first_downward_crossing_only() -> None:
    """(1 - t)(t - 2)(t - 3) falls at 1; its negative rises there and falls at 2; 1 + t² never does."""
    c = np.array([[6.0, -11.0, 6.0, -1.0, 0.0], [-6.0, 11.0, -6.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0, 0.0]])
    found = first_fall(c, np.full(3, 10.0), 0.0)
    assert found[0] == pytest.approx(1.0, abs=1e-12)
    assert found[1] == pytest.approx(2.0, abs=1e-12)
    assert math.isinf(found[2])


def apart(one: tuple[float, float], two: tuple[float, float]) -> np.ndarray:
    gap = np.array([two[0] - one[0], two[1] - one[1], 0.0])
    return np.asarray(gap / np.linalg.norm(gap))


def test_two_balls_pushed_together_are_an_ordinary_collision() -> None:
    """e = 0.9: the ball that was hit leaves with (1 + e) / 2 of the speed."""
    velocities = np.array([[0.0, 3000.0, 0.0], [0.0, 0.0, 0.0]])
    after, onset = collide.together(velocities, np.array([[0, 1]]), np.array([[0.0, 1.0, 0.0]]), 0.9)
    assert np.isfinite(onset).tolist() == [True]
    np.testing.assert_allclose(after[:, 1], [150.0, 2850.0], rtol=0.01)


def test_a_ball_that_hits_two_at_once_comes_back_with_a_fifth() -> None:
    """Without loss: the two leave at 30° with 2 √3 / 5 of the speed, the first returns with 1 / 5."""
    places = [(0.0, 0.0), (-0.5, math.sqrt(0.75)), (0.5, math.sqrt(0.75))]
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    lines = np.array([apart(places[a], places[b]) for a, b in pairs])
    velocities = np.zeros((3, 3))
    velocities[0, 1] = 2000.0
    after, onset = collide.together(velocities, pairs, lines, 1.0)
    assert np.isfinite(onset).tolist() == [True, True, False]
    np.testing.assert_allclose(after[0], [0, -400, 0], atol=10)
    np.testing.assert_allclose(np.linalg.norm(after[1:], axis=1), 2000 * 2 * math.sqrt(3) / 5, rtol=0.005)


def test_a_whole_rack_keeps_momentum_and_both_sides_get_the_same() -> None:
    places = [(k - row / 2, row * math.sqrt(0.75)) for row in range(5) for k in range(row + 1)] + [(0.0, -1.0)]
    pairs = np.array([(a, b) for b in range(16) for a in range(b) if math.dist(places[a], places[b]) < 1.0001])
    lines = np.array([apart(places[a], places[b]) for a, b in pairs])
    velocities = np.zeros((16, 3))
    velocities[15, 1] = 8000.0
    after, onset = collide.together(velocities, pairs, lines, 0.95)
    assert pairs[onset.argmin()].tolist() == [0, 15]
    np.testing.assert_allclose(after.sum(axis=0), [0, 8000, 0], atol=1e-6)
    assert (after**2).sum() < 8000.0**2
    np.testing.assert_allclose(after[10], after[14] * (-1, 1, 1), atol=1e-6)
    assert np.linalg.norm(after[10]) > 1500


def test_a_cue_ball_that_meets_two_touching_balls_at_once_has_two_contacts_at_the_same_time() -> None:
    touching = {"1": (635.0 - 57.15 / 2 - 0.001, 1500.0), "2": (635.0 + 57.15 / 2 + 0.001, 1500.0)}
    table = playing_table(TABLES["pool-9ft"])
    states = {name: resting_state(place, table.radius) for name, place in touching.items()}
    states["cue"] = State(
        position=np.array([635.0, 1000.0, table.radius]), velocity=np.array([0, 2000.0, 0]), spin=np.zeros(3)
    )
    roll = roll_out(table, states, 0.0)
    contacts = [event for event in roll.events if event.kind == "contact"]
    assert {tuple(sorted(event.fields["balls"])) for event in contacts[:2]} == {("1", "cue"), ("2", "cue")}
    assert contacts[0].t == contacts[1].t


def test_a_ball_between_two_meets_both_at_the_same_moment() -> None:
    """Both balls lie a ball's diameter from the meeting point, so both contacts have one time."""
    table = SNOOKER
    layout = {"cue": (850.0, 1500.0), "red-1": (856.0, 2660.0), "pink": (929.0, 2676.75)}
    place = meeting(layout, "red-1", "pink", table.spec.ball_diameter_mm)
    assert place is not None
    assert [math.dist(place, layout[ball]) for ball in ("red-1", "pink")] == pytest.approx([52.5, 52.5])
    direction = math.atan2(place[1] - 1500.0, place[0] - 850.0)
    roll = play(table, layout, Stroke(direction_rad=direction, speed_mm_s=1900.0), 1.0, Physics())
    early, late = [event for event in roll.events if event.kind == "contact"][:2]
    assert {*early.fields["balls"], *late.fields["balls"]} == {"cue", "red-1", "pink"}
    assert early.t == pytest.approx(late.t, abs=1e-7)
    assert meeting({**layout, "pink": (1000.0, 2676.75)}, "red-1", "pink", 52.5) is None
    assert meeting({**layout, "cue": (300.0, 2640.0)}, "red-1", "pink", 52.5) is None
