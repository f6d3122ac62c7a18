"""Geometry of the pool rules: spotting on the long string, the rack's area, cushions, the tables of 14.1."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pool_play import BALL, TABLE
from shows import BOUNDARY, SATISFIED, VIOLATED, shows

from referee.rules.geometry import ROUNDED_MM
from referee.rules.geometry_pool import (
    Rerack,
    air_to_cushions,
    blocks_spot,
    cushions_within,
    full_rack,
    lies_in_rack,
    racked,
    rerack,
    spot_balls,
)

X, FOOT_Y = TABLE.foot_spot
LAST_Y = TABLE.length - BALL / 2
HEAD_SPOT, CENTRE_SPOT, FOOT_SPOT = (635.0, 635.0), (635.0, 1270.0), (635.0, 1905.0)


def spotted(*balls: int, clearance: float = 1.0, **lying: tuple[float, float]) -> dict[str, float]:
    """Ball → y of its place; all are on the long string."""
    places = {name.removeprefix("b"): place for name, place in lying.items()}
    spots = spot_balls([str(ball) for ball in balls], places, TABLE, clearance)
    assert all(x == X for x, _ in spots.values())
    return {ball: round(y, 2) for ball, (_, y) in spots.items()}


# ---------------------------------------------------------------------------------------------- spotting (PG-26)


@shows("PG-26a", VIOLATED, SATISFIED)
def test_the_lowest_ball_goes_on_the_foot_spot_and_the_others_behind_it() -> None:
    assert spotted(12, 3, 7) == {"3": 1905, "7": 1962.15, "12": 2019.3}
    assert spotted(10, 9) == {"9": 1905, "10": 1962.15}  # by number, not by letters
    assert spotted() == {}


@shows("PG-26b", VIOLATED)
def test_against_a_ball_on_or_beside_the_string() -> None:
    assert spotted(5, b11=(635, 1935)) == {"5": 1992.15}
    assert spotted(5, b11=(655, 1915)) == {"5": 1968.54}
    assert spotted(5, b11=(635, 1905), b12=(635, 2000)) == {"5": 2057.15}  # no room between
    assert spotted(5, 6, b11=(635, 1905 + 2 * BALL)) == {"5": 1905, "6": 1962.15}


@shows("PG-26b", SATISFIED, BOUNDARY)
def test_a_ball_just_a_diameter_away_is_not_in_the_way() -> None:
    assert spotted(5, b11=(635 + BALL, 1905)) == {"5": 1905}
    assert spotted(5, b11=(635, 1905 - BALL)) == {"5": 1905}
    assert spotted(5, b11=(635, 1905 - BALL + 0.5)) == {"5": 1905.5}


@shows("PG-26c", VIOLATED, SATISFIED, BOUNDARY)
def test_clear_of_the_cue_ball_by_a_millimetre() -> None:
    assert spotted(5, cue=(635, 1905)) == {"5": 1963.15}
    assert spotted(5, cue=(635, 1905), clearance=3.0) == {"5": 1965.15}
    assert spotted(5, cue=(635, 1905 - BALL - 1)) == {"5": 1905}
    assert spotted(5, cue=(635, 1905 - BALL)) == {"5": 1906}
    assert spotted(5, 8, cue=(635, 1905)) == {"5": 1963.15, "8": 2020.3}


@shows("PG-26d", VIOLATED)
def test_what_finds_no_room_behind_goes_in_front_the_lowest_foremost() -> None:
    row = {f"b{i + 4}": (635.0, 1905 + i * BALL) for i in range(11)}  # 4 to 14, up to y = 2476.5
    assert spotted(1, 2, 3, **row) == {"3": 1847.85, "2": 1790.7, "1": 1733.55}


@shows("PG-26d", SATISFIED, BOUNDARY)
def test_the_last_place_behind_is_against_the_foot_cushion() -> None:
    row = {f"b{i + 4}": (635.0, 1905 + i * BALL) for i in range(10)}  # up to y = 2419.35: one more fits, at 2476.5
    assert spotted(1, 2, **row) == {"1": 2476.5, "2": 1847.85}
    assert spotted(1, b2=(635, 1905), b3=(635, LAST_Y - BALL)) == {"1": 1962.15}
    filled = {f"b{i + 4}": (635.0, LAST_Y - i * BALL) for i in range(11)}  # from the cushion down to y = 1939.92
    assert spotted(1, **filled) == {"1": pytest.approx(1939.925 - BALL, abs=0.01)}


def test_all_fifteen_balls() -> None:
    spots = spotted(*range(1, 16))
    assert [ball for ball, _ in sorted(spots.items(), key=lambda item: item[1])] == [
        *("12", "13", "14", "15"),
        *map(str, range(1, 12)),
    ]


@given(
    st.sets(st.integers(1, 15), min_size=1, max_size=8),
    st.lists(st.tuples(st.floats(560, 710), st.floats(1700, 2510)), max_size=7),
    st.booleans(),
)
def test_spotted_balls_overlap_nothing_and_lie_on_the_string(
    balls: set[int], places: list[tuple[float, float]], cue: bool
) -> None:
    apart: list[tuple[float, float]] = []
    for place in places:
        if all(math.dist(place, other) >= BALL for other in apart):
            apart.append(place)
    lying = {f"x{i}": place for i, place in enumerate(apart)}
    if cue and apart:
        lying["cue"] = lying.pop("x0")
    spots = spot_balls([str(ball) for ball in balls], lying, TABLE, 1.0)
    assert set(spots) == {str(ball) for ball in balls}
    everything = [*lying.items(), *spots.items()]
    for ball, (x, y) in spots.items():
        assert x == X and 0 < y <= LAST_Y + 1e-6
        for other, place in everything:
            least = BALL + (1.0 if other == "cue" else 0.0)
            assert other == ball or math.dist((x, y), place) >= least - ROUNDED_MM
    behind = [int(ball) for ball, place in sorted(spots.items(), key=lambda item: item[1][1]) if place[1] >= FOOT_Y]
    front = [int(ball) for ball, place in sorted(spots.items(), key=lambda item: item[1][1]) if place[1] < FOOT_Y]
    assert behind == sorted(behind) and front == sorted(front)


@shows("PG-26a", BOUNDARY)
def test_a_place_between_touching_balls_is_free_though_they_are_written_in_hundredths() -> None:
    behind = {"x2": (606.42, 1954.49), "x12": (663.58, 1954.49), "x4": (635.0, 2003.99)}  # the rack without its apex
    assert spotted(9, **behind) == {"9": 1905.0}
    assert spotted(9, x2=(635.0, 1905.0 + BALL - 0.02)) == {"9": 1905.0}
    assert spotted(9, x2=(635.0, 1905.0 + BALL - 0.1)) == {"9": round(1905.0 + 2 * BALL - 0.1, 2)}


# ---------------------------------------------------------------------------------------------- cushions


def test_the_air_between_a_ball_and_the_cushions() -> None:
    air = air_to_cushions((70, 1200), TABLE)
    assert air == pytest.approx({"left": 41.425, "right": 1171.425, "bottom": 1171.425, "top": 1311.425})
    assert cushions_within((70, 1200), TABLE, BALL) == {"left"}
    assert cushions_within((1220, 2500), TABLE, BALL) == {"right", "top"}
    assert cushions_within((BALL / 2 + BALL, 1200), TABLE, BALL) == set()  # just a diameter is not less than one


# ---------------------------------------------------------------------------------------------- racks (PG-2, 7.3, 7.6)


@shows("PG-2", VIOLATED, SATISFIED, BOUNDARY)
def test_a_rack_is_tight_with_its_apex_on_the_foot_spot() -> None:
    rack = full_rack(TABLE)
    assert rack[0] == FOOT_SPOT and rack[10] == pytest.approx((520.7, 2102.97), abs=0.01)
    assert rack[14] == pytest.approx((749.3, 2102.97), abs=0.01)
    assert racked(rack, rack)
    assert racked([(x + 2.9, y) for x, y in rack], rack)
    assert not racked([(x + 3.1, y) for x, y in rack], rack)
    assert not racked([*rack[:14], (635, 1270)], rack)
    assert not racked(rack[:14], rack)


@shows("P141-7.6", BOUNDARY)
def test_the_rack_area_reaches_a_diameter_beyond_the_outer_balls_centres() -> None:
    assert lies_in_rack((640, 1990), TABLE) and lies_in_rack(FOOT_SPOT, TABLE)
    assert lies_in_rack((635, 1905 - BALL + 0.1), TABLE) and not lies_in_rack((635, 1905 - BALL), TABLE)
    rear = full_rack(TABLE)[14][1]
    assert lies_in_rack((600, rear + BALL - 0.1), TABLE) and not lies_in_rack((600, rear + BALL + 0.1), TABLE)
    side = (635 + BALL, 1905 + BALL * math.sqrt(3))  # middle of the right side's centres
    beyond = [(side[0] + d * math.sqrt(3) / 2, side[1] - d / 2) for d in (BALL - 0.1, BALL + 0.1)]
    assert [lies_in_rack(place, TABLE) for place in beyond] == [True, False]


@shows("P141-7.6.n", VIOLATED, SATISFIED, BOUNDARY)
def test_a_ball_is_on_the_head_spot_when_another_could_not_be_spotted_there() -> None:
    assert blocks_spot((650, 640), HEAD_SPOT, TABLE)
    assert blocks_spot((635, 635 + BALL - 0.01), HEAD_SPOT, TABLE)
    assert not blocks_spot((635, 635 + BALL), HEAD_SPOT, TABLE)


IN_RACK, IN_RACK_TOO, IN_HOUSE, ON_SPOT, ELSEWHERE, FAR = (
    (640, 1990),
    (600, 2050),
    (300, 300),
    (650, 640),
    (200, 1400),
    (1000, 1500),
)


@shows("P141-7.6 SUP-P141-B", VIOLATED, SATISFIED)
@pytest.mark.parametrize(
    ("fifteenth", "cue", "ruling"),
    [
        (IN_RACK, IN_RACK_TOO, Rerack(ball=FOOT_SPOT, cue="in_hand_house", rack="full")),
        (IN_RACK, ON_SPOT, Rerack(ball=CENTRE_SPOT)),
        (IN_RACK, ELSEWHERE, Rerack(ball=HEAD_SPOT)),
        (IN_HOUSE, IN_RACK, Rerack(cue=HEAD_SPOT)),
        (IN_HOUSE, ON_SPOT, Rerack()),
        (IN_HOUSE, ELSEWHERE, Rerack()),
        (ON_SPOT, IN_RACK, Rerack(cue=CENTRE_SPOT)),
        (ON_SPOT, ELSEWHERE, Rerack()),
        (ELSEWHERE, IN_RACK, Rerack(cue="in_hand_house")),
        (ELSEWHERE, ON_SPOT, Rerack()),
        (ELSEWHERE, FAR, Rerack()),
        ((640, 660), IN_RACK, Rerack(cue=CENTRE_SPOT)),  # outside the house, yet in the way of the head spot
        ((200, 635), IN_RACK, Rerack(cue="in_hand_house")),  # the head string is no part of the house
        ((200, 634.9), IN_RACK, Rerack(cue=HEAD_SPOT)),
    ],
)
def test_the_table_of_the_fifteenth_ball_and_the_cue_ball(
    fifteenth: tuple[float, float], cue: tuple[float, float], ruling: Rerack
) -> None:
    assert rerack(fifteenth, cue, TABLE) == ruling
