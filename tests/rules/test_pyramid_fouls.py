"""Combined pyramid: fouls and penalty balls, the house, spotting, balls that fall by themselves."""

from typing import Any

import pytest
from play import clauses, confirm, cushion, fell, hit, moved, off, official, options, potted, questions, shot, struck
from pool_play import after, crossed, seen
from pyramid_play import (
    BALL,
    HOUSE,
    NOTHING_HIT,
    SPOT,
    SVOYAK,
    TEN,
    ball,
    in_pyramid,
    left,
    lying,
    penalty_ball,
    pyramid,
    score,
    shelf,
)
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

from tracking.strict_json import MalformedRecord

# ---------------------------------------------------------------------------------------------- PC-4e, 4f, SUP-PYR-7


@shows("PC-4e SUP-PYR-7 SUP-PYR-11", VIOLATED)
@shows("PC-4f", SATISFIED)
def test_a_foul_gives_the_opponent_a_ball_and_the_table_as_it_lies() -> None:
    verdict = in_pyramid(pyramid((3, 5)), NOTHING_HIT)
    assert (clauses(verdict), verdict["penalty"], verdict["points"]) == (["SUP-PYR-11"], 1, {"A": 0, "B": 1})
    assert (score(verdict), after(verdict), options(verdict)) == ((3, 6), ("B", "as_it_lies"), {"take_ball"})
    taken = in_pyramid(pyramid((3, 5)), NOTHING_HIT, penalty_ball("B", 9))
    assert (score(taken), options(taken), "ball-9" in left(taken)) == ((3, 6), set(), False)


def test_people_may_name_a_ball_that_the_camera_calls_otherwise() -> None:
    """Ten balls that look alike, numbered by a camera, of which the opponent takes "ball-15": nine are left."""
    taken = in_pyramid(pyramid((3, 5)), NOTHING_HIT, penalty_ball("B", 15), options={"measured_mm": 3.0})
    assert (score(taken), options(taken), len(left(taken))) == ((3, 6), set(), 9)
    with pytest.raises(MalformedRecord, match="an object ball on the table"):
        in_pyramid(pyramid((3, 5)), NOTHING_HIT, penalty_ball("B", 15))


@shows("PC-4f", VIOLATED)
def test_a_cue_ball_off_the_table_goes_to_the_house_and_what_fell_is_spotted_first() -> None:
    flew = shot(hit("ball-3"), potted("ball-3"), off("cue"), before=lying(3, 4, 5))
    verdict = in_pyramid(pyramid((3, 5)), flew)
    assert (clauses(verdict), verdict["spot"], score(verdict)) == (["PC-4f"], {"ball-3": SPOT}, (3, 6))
    assert after(verdict) == ("B", "in_hand_house")
    taken = in_pyramid(pyramid((3, 5)), flew, penalty_ball("B", 3))
    assert left(taken) == {"ball-4", "ball-5"}


def test_the_penalty_stays_though_its_ball_is_taken_late() -> None:
    his = shot(hit("ball-5"), cushion("ball-5"), cushion("cue"), before=lying(*TEN))
    verdict = in_pyramid(pyramid(), NOTHING_HIT, his)
    assert (score(verdict), options(verdict)) == ((2, 4), set())
    late = in_pyramid(pyramid(), NOTHING_HIT, his, penalty_ball("B", 9))
    assert (score(late), len(left(late))) == ((2, 4), 9)


@shows("SUP-PYR-11", VIOLATED)
@pytest.mark.parametrize(
    ("events", "observed"),
    [
        ([cushion("cue")], []),
        ([hit("ball-5"), potted("ball-5")], ["foot_off"]),
        ([hit("ball-5"), potted("ball-5")], ["double_hit"]),
        ([hit("ball-5"), potted("ball-5")], ["push"]),
        ([hit("ball-5"), potted("ball-5")], ["tip_fault"]),
        ([hit("ball-5"), potted("ball-5")], ["balls_moving"]),
        ([hit("ball-5"), potted("ball-5")], [seen("touched", ball="ball-6", by="sleeve")]),
        ([hit("ball-5"), moved("ball-6", "player"), potted("ball-5")], []),
        ([hit("ball-5"), potted("ball-5")], [seen("touched", ball="cue", by="cue shaft")]),
    ],
)
def test_the_other_fouls(events: list[Any], observed: list[Any]) -> None:
    verdict = in_pyramid(pyramid(), shot(*events, before=lying(5, 6, 7), seen=observed))
    assert (clauses(verdict), score(verdict), after(verdict)) == (["SUP-PYR-11"], (2, 4), ("B", "as_it_lies"))
    assert verdict["spot"] == ({"ball-5": SPOT} if potted("ball-5") in events else {})


@shows("SUP-PYR-11", VIOLATED, SATISFIED)
def test_a_cue_ball_struck_twice_in_one_record_was_hit_twice() -> None:
    twice = [hit("ball-5"), struck(), potted("ball-5")]
    verdict = in_pyramid(pyramid(), shot(*twice, before=lying(5, 6, 7), seen=["double_hit"]))
    assert in_pyramid(pyramid(), shot(*twice, before=lying(5, 6, 7))) == verdict  # seen besides: one and the same
    assert [each["what"] for each in verdict["fouls"]] == ["cue ball struck more than once"]
    assert (clauses(verdict), score(verdict), verdict["spot"]) == (["SUP-PYR-11"], (2, 4), {"ball-5": SPOT})
    doubtful = {**struck(), "confidence": 0.3}
    once = in_pyramid(pyramid(), shot(hit("ball-5"), doubtful, potted("ball-5"), before=lying(5, 6, 7)))
    assert once["legal"] is True  # as in the other games, nobody answers for a strike of which nobody is sure


def test_several_fouls_are_one_penalty() -> None:
    verdict = in_pyramid(pyramid(), shot(off("ball-6"), off("cue"), before=lying(5, 6, 7), seen=["foot_off"]))
    assert (verdict["penalty"], score(verdict)) == (1, (2, 4))
    assert set(clauses(verdict)) == {"PC-4f", "SUP-PYR-9", "SUP-PYR-11"}


@shows("SUP-PYR-11 SUP-PYR-7", UNDECIDED)
def test_whether_a_ball_was_hit_is_asked() -> None:
    verdict = in_pyramid(pyramid(), shot(hit("ball-5", confidence=0.5), cushion("cue"), cushion("cue")))
    assert (verdict["legal"], score(verdict), questions(verdict)) == (None, (2, 3), {"first_contact"})
    assert verdict["undecided"][0]["clause"] == "SUP-PYR-11"


@shows("PC-0a", VIOLATED)
def test_another_ball_struck() -> None:
    record = shot({"kind": "strike", "ball": "ball-4"}, cushion("ball-4"), before=lying(4, 5), strike=False)
    assert "PC-0a" in clauses(in_pyramid(pyramid(), record))


@shows("PC-0a", SATISFIED)
def test_the_cue_ball_struck() -> None:
    assert "PC-0a" not in clauses(in_pyramid(pyramid(), NOTHING_HIT))


@shows("SUP-PYR-9", VIOLATED)
def test_an_object_ball_off_the_table_also_after_touching_something_foreign() -> None:
    flew = in_pyramid(pyramid(), shot(hit("ball-5"), off("ball-5"), cushion("cue"), cushion("cue"), before=lying(5, 6)))
    assert (clauses(flew), flew["spot"], after(flew)) == (["SUP-PYR-9"], {"ball-5": SPOT}, ("B", "as_it_lies"))
    back = {"kind": "returned", "ball": "ball-5", "via": "rail"}
    events = [hit("ball-5"), back, cushion("cue"), cushion("cue")]
    lamp = shot(*events, before=lying(5, 6), seen=[seen("foreign_object", ball="ball-5", what="lamp")])
    assert clauses(in_pyramid(pyramid(), lamp)) == ["SUP-PYR-9"]


@shows("SUP-PYR-9", SATISFIED)
def test_a_ball_that_came_back_by_itself_is_no_foul() -> None:
    back = {"kind": "returned", "ball": "ball-5", "via": "rail"}
    verdict = in_pyramid(pyramid(), shot(hit("ball-5"), back, cushion("cue"), cushion("cue"), before=lying(5, 6)))
    assert (verdict["legal"], verdict["spot"]) == (True, {})


def test_the_opponent_who_interferes_pays_and_the_striker_stays() -> None:
    record = shot(moved("ball-5", "player"), strike=False, before=lying(5, 6), seen=[seen("interference", who="B")])
    verdict = in_pyramid(pyramid(), record)
    assert (clauses(verdict), score(verdict), verdict["next"]["player"]) == (["SUP-PYR-11"], (3, 3), "A")
    assert verdict["next"]["options"][0]["player"] == "A"


def test_between_strokes_a_touch_is_a_foul_and_what_outsiders_move_is_put_back() -> None:
    touched = shot(moved("ball-5", "player"), strike=False, before=lying(5, 6))
    assert clauses(in_pyramid(pyramid(), touched)) == ["SUP-PYR-11"]
    outside = shot(moved("ball-5", "outside"), strike=False, before=lying(5, 6), after=lying(6, b5=(500, 500)))
    verdict = in_pyramid(pyramid(), outside)
    assert (verdict["legal"], set(verdict["restore"]), after(verdict)) == (True, {"ball-5"}, ("A", "as_it_lies"))
    gone = in_pyramid(pyramid(breaker="B"), official("cannot_restore"))
    assert (after(gone), gone["rack"], score(gone)) == (("B", "in_hand_house"), "full", (0, 0))


def test_in_doubles_the_sides_keep_the_balls_and_the_persons_play_in_turn() -> None:
    teams = {"A": ["A1", "A2"], "B": ["B1", "B2"]}
    state = {**pyramid(), "teams": teams, "striker": "A1", "order": ["A1", "B1", "A2", "B2"]}
    del state["players"]
    verdict = in_pyramid(state, SVOYAK, shelf("A", 2))
    assert (score(verdict), verdict["next"]["player"]) == ((3, 3), "A1")
    foul = in_pyramid(state, NOTHING_HIT, penalty_ball("B1", 2))
    assert (score(foul), foul["next"]["player"]) == ((2, 4), "B1")


# ---------------------------------------------------------------------------------------------- SUP-PYR-6: the house

IN_HAND = pyramid(cue_ball="in_hand_house")
NEAR = lying(4, 5, cue=(800, 500), b3=(600, 400))
OUT = crossed("house_line")


@shows("SUP-PYR-6", VIOLATED)
@shows("PC-4e", VIOLATED)
def test_a_ball_in_the_house_hit_before_the_cue_ball_left_it() -> None:
    verdict = in_pyramid(IN_HAND, shot(hit("ball-3"), potted("ball-3"), before=NEAR))
    assert (clauses(verdict), verdict["spot"], after(verdict)) == (["SUP-PYR-6"], {"ball-3": SPOT}, ("B", "as_it_lies"))


@shows("SUP-PYR-6", SATISFIED)
@pytest.mark.parametrize(
    "events",
    [[OUT, cushion("cue", "top"), hit("ball-3")], [cushion("cue", "top"), hit("ball-3")], [OUT, hit("ball-4")]],
)
def test_after_leaving_the_house_it_may_be_hit(events: list[Any]) -> None:
    """It need not come from the foot cushion, as in pool."""
    verdict = in_pyramid(IN_HAND, shot(*events, potted("ball-5"), before=NEAR))
    assert verdict["legal"] is True


@shows("SUP-PYR-6", BOUNDARY)
@pytest.mark.parametrize(
    ("cue", "third", "legal"),
    [
        ((800, HOUSE - 0.5), (600, 400), True),
        ((800, HOUSE), (600, 400), False),
        ((600 + BALL, 400), (600, 400), False),
        ((601 + BALL, 400), (600, 400), True),
    ],
)
def test_where_the_cue_ball_may_be_placed(cue: Any, third: Any, legal: bool) -> None:
    record = shot(OUT, hit("ball-4"), potted("ball-4"), before=lying(4, 5, cue=cue, b3=third))
    assert clauses(in_pyramid(IN_HAND, record)) == ([] if legal else ["SUP-PYR-6"])
    placed = {**IN_HAND, "balls": lying(4, 5, cue=None, b3=third)}
    asked = in_pyramid(placed, official("place_cue_ball", at=list(cue)), official("ask", player="A", about="placement"))
    assert asked["answer"] is legal


@pytest.mark.parametrize(("y", "legal"), [(HOUSE, True), (HOUSE - 0.5, False)])
def test_a_ball_on_the_house_line_is_outside(y: float, legal: bool) -> None:
    record = shot(hit("ball-3"), potted("ball-4"), before=lying(4, 5, cue=(800, 500), b3=(600, y)))
    assert in_pyramid(IN_HAND, record)["legal"] is legal


@shows("SUP-PYR-6", UNDECIDED)
def test_whether_it_had_left_the_house_is_asked() -> None:
    late = crossed("house_line", t_sigma=0.2)
    verdict = in_pyramid(IN_HAND, shot(late, hit("ball-3"), potted("ball-5"), before=NEAR))
    assert (verdict["legal"], questions(verdict)) == (None, {"left_house"})
    unknown = in_pyramid({**IN_HAND, "balls": ["ball-3", "ball-4"]}, shot(hit("ball-3"), potted("ball-4")))
    assert (unknown["legal"], "in_house" in questions(unknown)) == (None, True)


@shows("SUP-PYR-6", VIOLATED)
def test_a_ball_touched_while_placing_passes_the_house_shot_on() -> None:
    touched = shot(moved("ball-3", "player"), strike=False, before=lying(4, 5, cue=None, b3=(600, 400)))
    verdict = in_pyramid({**IN_HAND, "balls": lying(4, 5, cue=None, b3=(600, 400))}, touched)
    assert (clauses(verdict), score(verdict), after(verdict)) == (["SUP-PYR-6"], (2, 4), ("B", "in_hand_house"))
    assert options(verdict) == {"take_ball"}
    own = shot(moved("cue", "player"), strike=False, seen=[seen("touched", ball="cue", by="hand")])
    assert in_pyramid({**IN_HAND, "balls": ["ball-3", "ball-4"]}, own)["legal"] is True


def test_a_ball_touched_before_the_svoyaks_ball_was_taken_leaves_both_to_be_taken() -> None:
    touched = shot(moved("ball-4", "player"), strike=False, before=lying(*TEN, cue=None))
    verdict = in_pyramid(pyramid(), SVOYAK, touched)
    assert (score(verdict), after(verdict)) == ((3, 4), ("B", "in_hand_house"))
    both = in_pyramid(pyramid(), SVOYAK, touched, shelf("A", 1), penalty_ball("B", 2))
    assert (score(both), len(left(both))) == ((3, 4), 8)


ALL_INSIDE = {"ball-3": [600, 400], "ball-4": [900, 700]}


@shows("SUP-PYR-6", VIOLATED, SATISFIED)
def test_with_all_balls_in_the_house_the_shot_is_from_the_other_end() -> None:
    rest = {**ALL_INSIDE, "ball-5": PLACE_5}
    svoyak = shot(hit("ball-4"), potted("cue"), before={**rest, "cue": [900, 1200]}, after=rest)
    verdict = in_pyramid(pyramid(), svoyak)
    assert after(verdict) == ("A", "in_hand_house")
    taken = in_pyramid(pyramid(), svoyak, shelf("A", 5))
    assert after(taken) == ("A", "in_hand_foot")
    from_foot = shot(hit("ball-3"), potted("ball-3"), before={**ALL_INSIDE, "cue": [800, 2900]})
    played = in_pyramid(pyramid(), svoyak, shelf("A", 5), from_foot)
    assert (played["legal"], score(played)) == (True, (4, 3))
    too_near = {**from_foot, "before": {**ALL_INSIDE, "cue": [800, 2600]}}
    assert clauses(in_pyramid(pyramid(), svoyak, shelf("A", 5), too_near)) == ["SUP-PYR-6"]


PLACE_5 = [700, 2200]


def test_whether_all_balls_lie_in_the_house_is_asked_where_it_is_not_known() -> None:
    state = pyramid(balls=["cue", "ball-3", "ball-4"])
    verdict = in_pyramid(state, shot(hit("ball-4"), potted("cue")))
    assert (questions(verdict), score(verdict)) == ({"all_in_house"}, (3, 3))
    told = in_pyramid(state, shot(hit("ball-4"), potted("cue"), seen=[confirm("all_in_house", True)]))
    assert after(told) == ("A", "in_hand_foot")
    outside = shot(hit("ball-4"), potted("cue"), before=lying(3, 4), after=None)
    assert in_pyramid(pyramid(), outside)["undecided"] == []


# ---------------------------------------------------------------------------------------------- SUP-PYR-8, 12


def spotted(places: dict[str, Any], *balls: int, cue: Any = None) -> Any:
    """Where balls go that fell on a foul, with these left on the table."""
    start = {**places, **{ball(n): [200 + 80 * n, 200] for n in balls}, "cue": [1000, 1000]}
    rest = {**places, "cue": cue or [1000, 1000]}
    events = [hit(next(iter(start))), *(potted(ball(n)) for n in balls)]
    return in_pyramid(pyramid(), shot(*events, before=start, after=rest, seen=["foot_off"]))["spot"]


@shows("SUP-PYR-8", VIOLATED)
def test_on_the_back_spot_then_behind_it_then_in_front() -> None:
    x, y = SPOT
    assert spotted({"ball-1": [300, 2000]}, 3) == {"ball-3": SPOT}
    assert spotted({"ball-1": [x, y + 20]}, 3) == {"ball-3": [x, pytest.approx(y + 20 + BALL)]}
    beside = spotted({"ball-1": [x + 20, y + 10]}, 3)
    assert beside == {"ball-3": [x, pytest.approx(y + 10 + (BALL**2 - 400) ** 0.5)]}
    line = {ball(i + 1): [x, y + i * BALL] for i in range(13)}
    assert spotted(line, 15) == {"ball-15": [x, pytest.approx(y - BALL)]}


@shows("SUP-PYR-8", SATISFIED)
def test_a_ball_that_counts_is_not_spotted() -> None:
    verdict = in_pyramid(pyramid(), shot(hit("ball-4"), potted("ball-4"), before=lying(4, 5, 6)))
    assert verdict["spot"] == {}


@shows("SUP-PYR-8", BOUNDARY)
def test_clear_of_the_cue_ball_and_no_ball_in_the_way_at_a_diameter() -> None:
    x, y = SPOT
    assert spotted({"ball-1": [300, 2000]}, 3, cue=[x, y]) == {"ball-3": [x, pytest.approx(y + BALL + 1)]}
    assert spotted({"ball-1": [x + BALL, y]}, 3) == {"ball-3": SPOT}
    assert spotted({"ball-1": [300, 2000]}, 12, 3) == {"ball-3": SPOT, "ball-12": [x, pytest.approx(y + BALL)]}


@shows("SUP-PYR-8", UNDECIDED)
def test_the_place_is_asked_where_positions_are_not_known() -> None:
    lost = shot(hit("ball-4"), potted("ball-4"), before=lying(4, 5, 6), after=None, seen=["foot_off"])
    verdict = in_pyramid(pyramid(), lost)
    assert (questions(verdict), verdict["spot"], score(verdict)) == ({"spot_place"}, {}, (2, 4))
    assert verdict["undecided"][0]["clause"] == "SUP-PYR-8"


@shows("SUP-PYR-12", VIOLATED, BOUNDARY)
def test_a_ball_that_hung_for_five_seconds_is_put_back() -> None:
    hanging = lying(4, 5, b3=(30, 3520))
    verdict = in_pyramid(pyramid(), shot(fell("ball-3", 5.0), strike=False, before=hanging))
    assert (verdict["legal"], verdict["restore"], after(verdict)) == (
        True,
        {"ball-3": [30, 3520]},
        ("A", "as_it_lies"),
    )
    assert "ball-3" in left(verdict)


@shows("SUP-PYR-12", SATISFIED)
def test_one_that_fell_sooner_was_pocketed_by_the_stroke_before() -> None:
    hanging = lying(4, 5, b3=(30, 3520))
    miss = shot(hit("ball-3"), cushion("ball-3"), cushion("cue"), before=lying(3, 4, 5), after=hanging)
    verdict = in_pyramid(pyramid(), miss, shot(fell("ball-3", 4.9), strike=False, before=hanging))
    assert (score(verdict), verdict["points"], after(verdict)) == ((3, 3), {"A": 1, "B": 0}, ("A", "as_it_lies"))


@shows("SUP-PYR-12", UNDECIDED)
def test_a_ball_that_fell_before_it_could_be_hit() -> None:
    hanging = lying(4, 5, b3=(30, 3520))
    missed = shot(fell("ball-3", 6.0), cushion("cue"), before=hanging)
    verdict = in_pyramid(pyramid(), missed)
    assert (verdict["legal"], questions(verdict)) == (None, {"self_fell"})
    again = in_pyramid(pyramid(), {**missed, "observed": [confirm("self_fell", True)]})
    assert (again["legal"], again["restore"], after(again)[0]) == (True, {"ball-3": [30, 3520]}, "A")
    foul = in_pyramid(pyramid(), {**missed, "observed": [confirm("self_fell", False)]})
    assert clauses(foul) == ["SUP-PYR-11"]
    hit_all_the_same = shot(hit("ball-4"), fell("ball-3", 6.0), potted("ball-4"), before=hanging)
    counted = in_pyramid(pyramid(), hit_all_the_same)
    assert (score(counted), counted["restore"]) == ((3, 3), {"ball-3": [30, 3520]})
