"""14.1 continuous, racks: the first one, those of fourteen balls, what is in their way, places measured by a camera."""

from typing import Any

import pytest
from play import confirm, cushion, potted, questions
from pool_play import BALL, FOOT, after, call, in_14_1, lying, pot, straight
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows
from straight_play import MEASURED, RACK, TO_BREAK, last_two, played

# ---------------------------------------------------------------------------------------------- 1, 4, 5, 7.1: points


@shows("P141-4 PG-2", VIOLATED, SATISFIED)
def test_the_rack_has_the_1_and_the_5_at_its_corners() -> None:
    ask = {"type": "shot", "before": RACK, "events": []}
    assert RACK["1"] == pytest.approx([749.3, 2102.97], abs=0.01) and RACK["5"] == pytest.approx(
        [520.7, 2102.97], abs=0.01
    )
    assert in_14_1(TO_BREAK, ask)["rack"] is None
    swapped = {**RACK, "1": RACK["5"], "5": RACK["1"]}
    verdict = in_14_1(TO_BREAK, {**ask, "before": swapped})
    assert (verdict["rack"], after(verdict)) == ("full", ("A", "in_hand_house"))
    other = {**RACK, "2": RACK["3"], "3": RACK["2"]}
    assert in_14_1(TO_BREAK, {**ask, "before": other})["rack"] is None
    apart = {**RACK, "9": [RACK["9"][0] + 4, RACK["9"][1]]}
    assert in_14_1(TO_BREAK, {**ask, "before": apart})["rack"] == "full"


# ---------------------------------------------------------------------------------------------- 7.3, 7.6: new racks


@shows("P141-1b P141-7.3a P141-7.3b", VIOLATED)
def test_after_fourteen_balls_they_are_racked_without_the_apex() -> None:
    record = last_two((900, 700), (300, 900))
    verdict = in_14_1(straight(score=(45, 30)), record)
    assert (verdict["rack"], verdict["spot"], after(verdict)) == ("apex_empty", {}, ("A", "as_it_lies"))
    assert (len(verdict["state"]["balls"]), verdict["state"]["balls"]["9"]) == (16, [300, 900])
    assert FOOT not in verdict["state"]["balls"].values()
    any_ball = pot(7, before={**verdict["state"]["balls"]})
    assert in_14_1(straight(score=(45, 30)), record, any_ball)["points"]["A"] == 1


@shows("P141-1b P141-7.3a P141-7.3b P141-7.3c SUP-P141-A", SATISFIED)
def test_two_balls_left_are_no_reason_to_rack() -> None:
    verdict = in_14_1(straight(), pot(3, before=lying(2, 3, 9)))
    assert (verdict["rack"], set(verdict["state"]["balls"])) == (None, {"cue", "2", "9"})
    missed = in_14_1(straight(), played(3, cushion("3"), before=lying(3)))
    assert missed["rack"] is None


@shows("P141-7.3c SUP-P141-A", VIOLATED, BOUNDARY)
@pytest.mark.parametrize(
    ("cue", "place"),
    [
        ((400, 1000), "as_it_lies"),
        ((640, 1990), "in_hand_house"),
        ((635, 640), "as_it_lies"),
        ((635, 1905 - BALL), "as_it_lies"),
        ((635, 1905 - BALL + 1), "in_hand_house"),
    ],
)
def test_the_fifteenth_pocketed_with_the_fourteenth(cue: tuple[float, float], place: str) -> None:
    record = played(8, potted("8"), potted("2"), before=lying(2, 8), after={"cue": list(cue)}, nominated=call(8))
    verdict = in_14_1(straight(score=(45, 30)), record)
    assert (verdict["points"]["A"], verdict["rack"], verdict["spot"]) == (2, "full", {"2": FOOT})
    assert (after(verdict), verdict["state"]["14.1"]["opening"]) == (("A", place), False)
    next_one = played(8, cushion("8"), before={**RACK, "cue": [400, 500]})
    assert in_14_1(straight(score=(45, 30)), record, next_one)["legal"] is True  # no opening break


@shows("P141-7.6 SUP-P141-B", VIOLATED)
@pytest.mark.parametrize(
    ("cue", "ball", "spot", "place", "rack"),
    [
        ((600, 2050), (640, 1990), {"9": FOOT}, "in_hand_house", "full"),
        ((640, 640), (640, 1990), {"9": [635, 1270]}, "as_it_lies", "apex_empty"),
        ((200, 1400), (640, 1990), {"9": [635, 635]}, "as_it_lies", "apex_empty"),
        ((600, 2050), (300, 300), {}, [635, 635], "apex_empty"),
        ((600, 2050), (650, 640), {}, [635, 1270], "apex_empty"),
        ((600, 2050), (300, 900), {}, "in_hand_house", "apex_empty"),
    ],
)
def test_a_ball_in_the_way_of_the_new_rack(
    cue: tuple[float, float], ball: tuple[float, float], spot: dict[str, Any], place: Any, rack: str
) -> None:
    verdict = in_14_1(straight(), last_two(cue, ball))
    assert (verdict["spot"], after(verdict), verdict["rack"]) == (spot, ("A", place), rack)
    assert verdict["points"]["A"] == 1


@shows("P141-7.6 SUP-P141-B P141-7.3c SUP-P141-A", UNDECIDED)
def test_what_is_in_the_way_is_asked_if_the_places_are_not_known() -> None:
    unseen = {**last_two((900, 700), (300, 900)), "after": None}

    def said(*answers: Any) -> dict[str, Any]:
        return in_14_1(straight(), {**unseen, "observed": list(answers)})

    assert questions(said()) == {"rack_area"}
    assert questions(said(confirm("rack_area", "9"))) == {"spot_place"}
    assert (said()["points"]["A"], said()["next"]["player"]) == (1, "A")
    clear = said(confirm("rack_area", False))
    assert (clear["undecided"], clear["rack"], after(clear)) == ([], "apex_empty", ("A", "as_it_lies"))
    both = said(confirm("rack_area", ["9", "cue"]))
    assert (both["rack"], both["spot"], after(both)) == ("full", {"9": FOOT}, ("A", "in_hand_house"))
    ball = said(confirm("rack_area", "9"), confirm("spot_place", [635, 635], "9"))
    assert ball["spot"] == {"9": [635, 635]}
    cue = said(confirm("rack_area", "cue"), confirm("spot_place", [635, 1270], "cue"))
    assert after(cue) == ("A", [635, 1270])
    all_down = played(8, potted("8"), potted("2"), before=lying(2, 8), after=None, nominated=call(8))
    verdict = in_14_1(straight(), all_down)
    assert (questions(verdict), verdict["rack"]) == ({"rack_area"}, "full")


# ---------------------------------------------------------------------------------------------- 1c, 13: the end


@shows("P141-7.6 P141-7.3c", UNDECIDED)
@pytest.mark.parametrize(("y", "asked"), [(1905 - BALL - 4, False), (1905 - BALL - 2, True), (1905 - BALL + 2, True)])
def test_a_camera_cannot_tell_a_hairs_breadth_at_the_rack(y: float, asked: bool) -> None:
    record = last_two((300, 900), (635, y))
    verdict = in_14_1(straight(), record, options=MEASURED)
    assert questions(verdict) == ({"rack_area"} if asked else set())
    said = {**record, "observed": [confirm("rack_area", ["9"])]}
    if asked:
        assert in_14_1(straight(), said, options=MEASURED)["spot"] == {"9": [635, 635]}
    exact = in_14_1(straight(), record)
    assert exact["undecided"] == [] and bool(exact["spot"]) is (y > 1905 - BALL)
    both = played(8, potted("8"), potted("2"), before=lying(2, 8), after={"cue": [635, y]}, nominated=call(8))
    assert questions(in_14_1(straight(), both, options=MEASURED)) == ({"rack_area"} if asked else set())


def test_a_rack_measured_by_a_camera_may_be_off_by_as_much() -> None:
    shifted = {ball: [x + 4, y] for ball, (x, y) in RACK.items()}
    ask = {"type": "shot", "before": shifted, "events": []}
    assert in_14_1(TO_BREAK, ask)["rack"] == "full"
    assert in_14_1(TO_BREAK, ask, options=MEASURED)["rack"] is None
