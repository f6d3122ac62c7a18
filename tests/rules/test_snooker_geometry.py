"""Snookers, the D and the spotting of colours, against construction and brute force."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.geometry_snooker import (
    both_edges,
    effective_snookering_balls,
    hits,
    may_be_angled,
    snookered,
    snookered_in_d,
    spot_colours,
)
from referee.rules.table import table_of

TABLE = table_of("snooker")
D = TABLE.ball
R = D / 2
Point = tuple[float, float]


def hits_by_trying(c: Point, target: Point, obstacles: list[Point], steps: int = 4000) -> bool:
    """Whether one of many directions hits the target first, each followed by plain geometry."""

    def run(direction: float, ball: Point) -> float | None:
        dx, dy = ball[0] - c[0], ball[1] - c[1]
        along = dx * math.cos(direction) + dy * math.sin(direction)
        aside = abs(dx * math.sin(direction) - dy * math.cos(direction))
        return along - math.sqrt(D * D - aside * aside) if along > 0 and aside < D else None

    base, half = math.atan2(target[1] - c[1], target[0] - c[0]), math.asin(D / math.dist(c, target))
    for k in range(1, steps):
        direction = base + half * (2 * k / steps - 1)
        far = run(direction, target)
        if far is None:
            continue
        x, y = c[0] + far * math.cos(direction), c[1] + far * math.sin(direction)
        on_bed = R <= x <= TABLE.width - R and R <= y <= TABLE.length - R
        if on_bed and all((near := run(direction, ball)) is None or near > far for ball in obstacles):
            return True
    return False


def test_a_ball_right_in_front_hides_one_behind_it() -> None:
    # Seen along x = 889 from y = 1000: a ball 100 mm away covers asin(52.5/100) = 31.7 degrees to each side, the red
    # 1400 mm away only asin(52.5/1400) = 2.1 degrees.
    assert not hits((889, 1000), (889, 2400), [(889, 1100)], TABLE)


def test_a_ball_beside_the_line_leaves_a_part_open() -> None:
    # 41 mm beside the line, 784.5 mm away: it covers from -52.5+41 to 52.5+41 mm at its distance; the red's other
    # side, seen at 1400 mm, from -52.5 mm, is open.
    assert hits((889, 1000), (889, 2400), [(930, 1784.5)], TABLE)
    assert not both_edges((889, 1000), (889, 2400), [(930, 1784.5)], TABLE)


def test_a_gap_narrower_than_a_ball_is_closed_one_wider_is_open() -> None:
    # The ball must run between two others straight ahead: their centres 105 mm apart leave exactly a ball's width.
    for spread, open_ in ((105.2, True), (104.8, False)):
        wall = [(889 - spread / 2, 1500), (889 + spread / 2, 1500)]
        wall += [(889 - spread / 2 - 52.5 * k, 1500) for k in range(1, 8)]
        wall += [(889 + spread / 2 + 52.5 * k, 1500) for k in range(1, 8)]
        assert hits((889, 1400), (889, 1800), wall, TABLE) is open_


def test_two_balls_side_by_side_hide_what_each_leaves_open() -> None:
    c, target = (889.0, 1000.0), (889.0, 2400.0)
    left, right = (889.0 - 26.3, 1200.0), (889.0 + 26.3, 1200.0)
    assert hits(c, target, [left], TABLE) is hits_by_trying(c, target, [left])
    assert not hits(c, target, [left, right], TABLE)


def test_a_frozen_ball_cannot_be_hit_from_the_cushions_side() -> None:
    # The target touches the left cushion; the only open side would need the cue ball's centre nearer to it than R.
    target = (R, 1800.0)
    blocker = (R + 40.0, 1800.0 - 34.1)
    assert math.dist(target, blocker) > D
    c = (R, 1500.0)
    assert hits(c, target, [blocker], TABLE) is hits_by_trying(c, target, [blocker])


def test_a_touching_ball_can_be_hit() -> None:
    assert hits((480, 2667.5), (480, 2720), [(480, 2600)], TABLE)


place = st.tuples(st.floats(R, TABLE.width - R), st.floats(R, TABLE.length - R))


@settings(max_examples=150, deadline=None)
@given(place, place, st.lists(place, max_size=6))
def test_direct_strokes_agree_with_trying_many_directions(c: Point, target: Point, balls: list[Point]) -> None:
    everything = [c, target]
    obstacles = []
    for ball in balls:
        if all(math.dist(ball, other) > D for other in everything):
            obstacles.append(ball)
            everything.append(ball)
    if math.dist(c, target) <= D:
        return
    tried = hits_by_trying(c, target, obstacles)
    exact = hits(c, target, obstacles, TABLE)
    assert exact or not tried
    if exact and not tried:  # a slit narrower than the trial's step
        assert hits_by_trying(c, target, obstacles, steps=400_000)


def test_snookered_only_if_every_ball_on_is_hidden() -> None:
    places = {"cue": (889, 1000), "red-1": (889, 2400), "red-2": (1700, 1300), "brown": (889, 1100)}
    assert not snookered((889, 1000), places, ["red-1", "red-2"], TABLE)
    assert snookered((889, 1000), places, ["red-1"], TABLE)


def test_a_ball_on_does_not_hide_another() -> None:
    places = {"cue": (889, 1000), "red-1": (889, 2400), "red-2": (889, 1100)}
    assert not snookered((889, 1000), places, ["red-1", "red-2"], TABLE)


def test_the_nearest_obstructing_ball_is_the_effective_one() -> None:
    places = {
        "cue": (889, 1000),
        "red-1": (889, 2400),
        "brown": (889, 1100),
        "blue": (889, 1784.5),
        "pink": (400, 1050),
    }
    assert effective_snookering_balls((889, 1000), places, ["red-1"], TABLE) == {"brown"}
    del places["brown"]
    assert effective_snookering_balls((889, 1000), places, ["red-1"], TABLE) == {"blue"}
    del places["blue"]
    assert effective_snookering_balls((889, 1000), places, ["red-1"], TABLE) == frozenset()


def _wall_before_the_d(y: float, first: float, last: float) -> dict[str, Point]:
    names = [f"ball{i}" for i in range(40)]
    count = int((last - first) / 52.5)
    return {names[i]: (first + 52.5 * i, y) for i in range(count + 1)}


def test_in_hand_a_wall_of_balls_all_along_the_d_snookers() -> None:
    wall = _wall_before_the_d(800.0, 300.0, 1478.0)
    assert snookered_in_d({**wall, "red-1": (889, 3000)}, ["red-1"], TABLE)


def test_in_hand_one_narrow_slit_is_found() -> None:
    # Close to the left end of the D the wall has a hole exactly 0.4 mm wider than a ball.
    wall = {f"l{i}": (700 - 52.7 / 2 - 52.5 / 2 - 52.5 * i, 800.0) for i in range(8)}
    wall |= {f"r{i}": (700 + 52.7 / 2 + 52.5 / 2 + 52.5 * i, 800.0) for i in range(16)}
    assert not snookered_in_d({**wall, "red-1": (700, 3000)}, ["red-1"], TABLE)


def test_in_hand_a_ball_inside_the_d_can_be_hit_from_beside_it() -> None:
    ring = {f"g{i}": (889 + 160 * math.cos(a), 600 + 160 * math.sin(a)) for i, a in enumerate(_angles(18))}
    assert not snookered_in_d({**ring, "red-1": (889, 600)}, ["red-1"], TABLE)


near_d = st.tuples(st.floats(300, 1478), st.floats(R, 1100))


@settings(max_examples=40, deadline=None)
@given(st.lists(near_d, max_size=16), place)
def test_in_hand_agrees_with_trying_places_in_the_d(balls: list[Point], target: Point) -> None:
    kept: dict[str, Point] = {"red-1": target}
    for i, ball in enumerate(balls):
        if all(math.dist(ball, other) > D for other in kept.values()):
            kept[f"ball{i}"] = ball
    obstacles = [ball for name, ball in kept.items() if name != "red-1"]
    seen = False
    for i in range(25):
        for j in range(13):
            c = 597 + 584 * i / 24, 737 - 292 * j / 12
            free = TABLE.in_d(c) and all(math.dist(c, ball) > D for ball in kept.values())
            seen = seen or (free and hits(c, target, obstacles, TABLE))
    assert not (seen and snookered_in_d(kept, ["red-1"], TABLE))


def _angles(count: int) -> list[float]:
    return [2 * math.pi * k / count for k in range(count)]


@pytest.mark.parametrize(
    ("place", "inside"),
    [((889, 445), True), ((889, 444.9), False), ((597, 737), True), ((889, 737.001), False), ((1000, 700), True)],
)
def test_in_or_on_the_lines_of_the_d(place: Point, inside: bool) -> None:
    assert TABLE.in_d(place) is inside


# ---------------------------------------------------------------------------------------------- spotting


def test_own_spot_if_it_is_free() -> None:
    assert spot_colours(["blue"], {"cue": (100, 100)}, TABLE) == {"blue": (889, 1784.5)}


@pytest.mark.parametrize(("away", "own"), [(52.5, False), (52.51, True), (5.0, False)])
def test_a_spot_is_occupied_where_a_ball_on_it_would_touch(away: float, own: bool) -> None:
    spotted = spot_colours(["blue"], {"red-1": (889 + away, 1784.5)}, TABLE)
    assert (spotted["blue"] == (889, 1784.5)) is own


def test_the_highest_free_spot_if_the_own_one_is_taken() -> None:
    assert spot_colours(["yellow"], {"red-1": (1181, 737)}, TABLE) == {"yellow": TABLE.spots["black"]}
    taken = {"red-1": (1181, 737), "black": TABLE.spots["black"], "pink": TABLE.spots["pink"]}
    assert spot_colours(["yellow"], taken, TABLE) == {"yellow": TABLE.spots["blue"]}


def test_two_displaced_colours_go_by_value() -> None:
    taken: dict[str, Point] = {"red-1": TABLE.spots["pink"], "red-2": TABLE.spots["blue"]}
    taken |= {"green": TABLE.spots["green"], "black": TABLE.spots["black"]}
    spotted = spot_colours(["pink", "blue"], taken, TABLE)
    assert spotted == {"pink": TABLE.spots["brown"], "blue": TABLE.spots["yellow"]}


def test_a_colour_whose_own_spot_is_free_goes_before_a_dearer_one_that_is_displaced() -> None:
    taken: dict[str, Point] = {"red-1": TABLE.spots["black"]}
    spotted = spot_colours(["black", "pink"], taken, TABLE)
    assert spotted == {"pink": TABLE.spots["pink"], "black": TABLE.spots["blue"]}
    by_value = spot_colours(["black", "pink"], taken, TABLE, own_spot_first=False)
    assert by_value == {"black": TABLE.spots["pink"], "pink": TABLE.spots["blue"]}


def all_spots_taken(colour: str) -> dict[str, Point]:
    others = {name: place for name, place in TABLE.spots.items() if name != colour}
    return {**others, "red-9": TABLE.spots[colour]}


def test_beside_its_spot_towards_the_top_if_all_spots_are_taken() -> None:
    assert spot_colours(["green"], all_spots_taken("green"), TABLE) == {"green": (597, 737 + 53.5)}
    # A ball 30 mm beside the line at y = 830 blocks sqrt(53.5^2 - 30^2) = 44.3 mm before and behind it.
    blocked = {**all_spots_taken("green"), "red-8": (627, 830)}
    x, y = spot_colours(["green"], blocked, TABLE)["green"]
    assert (x, y) == pytest.approx((597, 830 + 44.2973))


def test_towards_baulk_if_the_line_to_the_top_cushion_is_taken() -> None:
    blocked = all_spots_taken("black") | {f"red-{k}": (889, 3245 + 95 * k) for k in (1, 2, 3)}
    assert spot_colours(["black"], blocked, TABLE)["black"] == pytest.approx((889, 3245 - 53.5))


# ---------------------------------------------------------------------------------------------- angled


def test_on_the_open_bed_nothing_is_angled() -> None:
    assert not may_be_angled((100, 100), {"red-1": (900, 3000)}, ["red-1"], TABLE)


def test_in_the_jaws_a_ball_across_the_jaw_may_be_angled_one_straight_out_is_not() -> None:
    places = {"along": (60, 1500), "straight": (889, 889)}
    assert may_be_angled((5, 45), places, ["along"], TABLE)
    assert not may_be_angled((10, 10), places, ["straight"], TABLE)
    assert not may_be_angled((10, 10), places, ["along", "straight"], TABLE)
