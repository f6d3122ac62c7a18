"""14.1 continuous, visits: points and calls, the opening break, safeties, what is spotted, all balls in the house."""

from typing import Any

import pytest
from play import clauses, confirm, cushion, hit, moved, off, official, options, potted, questions, shot
from pool_play import CUE, FOOT, after, call, crossed, fouls, in_14_1, lying, pot, seen, straight
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows
from straight_play import ILLEGAL, MEASURED, MISS, RACK, SAFETY, TO_BREAK, broke, played

# ---------------------------------------------------------------------------------------------- 1, 4, 5, 7.1: points


@shows("P141-1a P141-5 P141-7.1a P141-8 P141-13d", SATISFIED)
@shows("P141-1a P141-5 P141-7.1a P141-7.1c PG-27", VIOLATED)
def test_a_called_ball_scores_one_and_each_that_falls_with_it_one_more() -> None:
    verdict = in_14_1(straight(), pot(4, before=lying(2, 4, 9)))
    assert (verdict["points"], verdict["score"], verdict["potted"]) == ({"A": 1, "B": 0}, {"A": 32, "B": 20}, ["4"])
    assert (after(verdict), verdict["next"]["on"], verdict["break"]) == (("A", "as_it_lies"), ["any"], 1)
    more = played(4, potted("4"), potted("9", "middle-left"), potted("6"), nominated=call(4))
    verdict = in_14_1(straight(**{"break": 5}), more)
    assert (verdict["points"]["A"], set(verdict["potted"]), verdict["break"]) == (3, {"4", "9", "6"}, 8)


@shows("P141-7.1c PG-27", SATISFIED)
@shows("P141-8", VIOLATED)
@pytest.mark.parametrize(
    "nominated",
    [
        None,
        call(4, "top-right"),
        call(9),
        {"ball": "4"},
        {"pocket": "top-left"},
        {"balls": ["4", "9"], "pockets": ["top-left"] * 2},
    ],
)
def test_what_was_not_called_is_spotted_without_penalty(nominated: dict[str, Any] | None) -> None:
    record = played(4, potted("4"), **({} if nominated is None else {"nominated": nominated}))
    verdict = in_14_1(straight(fouls=(1, 0)), record)
    assert (verdict["legal"], verdict["points"], verdict["potted"]) == (True, {"A": 0, "B": 0}, [])
    assert (verdict["spot"], after(verdict), fouls(verdict)["A"]) == ({"4": FOOT}, ("B", "as_it_lies"), 0)


@shows("P141-7.1b", VIOLATED)
def test_kisses_and_combinations_need_no_call() -> None:
    record = shot(hit("9"), hit("4", by="9"), cushion("4"), potted("4"), before=lying(4, 9, 2), nominated=call(4))
    assert in_14_1(straight(), record)["points"]["A"] == 1
    listed = {"balls": ["4"], "pockets": ["top-left"]}
    assert in_14_1(straight(), {**record, "nominated": listed})["points"]["A"] == 1


@shows("P141-7.1a P141-5", UNDECIDED)
def test_a_pocket_that_nobody_saw() -> None:
    record = played(4, nominated=call(4), after=lying(2, 6, 9, 12))
    verdict = in_14_1(straight(), {**record, "observed": [confirm("potted", "pocket", "4")]})
    assert (verdict["points"], questions(verdict)) == ({"A": 0, "B": 0}, {"call_valid"})
    said = [confirm("potted", "pocket", "4"), seen("call_valid", value=True)]
    assert in_14_1(straight(), {**record, "observed": said})["points"]["A"] == 1


# ---------------------------------------------------------------------------------------------- 6: the opening break


@shows("P141-6a", VIOLATED, BOUNDARY)
@shows("P141-6b P141-6f", SATISFIED)
@pytest.mark.parametrize(
    ("events", "more", "scored", "player"),
    [
        ([hit("1"), cushion("cue"), cushion("1"), cushion("5")], {}, 0, "B"),
        ([hit("1"), potted("7")], {"nominated": call(7)}, 1, "A"),
        ([hit("1"), potted("7"), potted("8")], {"nominated": call(7)}, 2, "A"),
        ([hit("1"), cushion("cue"), cushion("1"), cushion("5")], {"nominated": SAFETY}, 0, "B"),
    ],
)
def test_a_legal_opening_break(events: list[Any], more: dict[str, Any], scored: int, player: str) -> None:
    verdict = in_14_1(TO_BREAK, broke(*events, **more))
    assert (verdict["legal"], verdict["points"]["A"], after(verdict)) == (True, scored, (player, "as_it_lies"))
    assert verdict["state"]["14.1"]["opening"] is False


@shows("P141-6b P141-6c P141-6e", VIOLATED)
@shows("P141-6a", SATISFIED, BOUNDARY)
@pytest.mark.parametrize(
    ("events", "more", "spot"),
    [
        ([hit("1"), cushion("cue"), cushion("1")], {}, {}),
        ([hit("1"), cushion("5"), cushion("1"), cushion("7")], {}, {}),  # not the cue ball
        ([cushion("cue"), hit("1"), cushion("1"), cushion("5")], {}, {}),  # the cue ball before the contact
        ([hit("1"), potted("7", "top-right")], {"nominated": call(7)}, {"7": FOOT}),
        ([hit("1"), potted("7"), cushion("cue"), cushion("1")], {}, {"7": FOOT}),
        ([], {}, {}),
    ],
)
def test_an_illegal_opening_break_costs_two(events: list[Any], more: dict[str, Any], spot: dict[str, Any]) -> None:
    more = {**more, "after": lying(*(set(range(1, 16)) - {7}))} if spot else more
    verdict = in_14_1(straight(score=(0, 0), fouls=(1, 0), opening=True), broke(*events, **more))
    assert (clauses(verdict), verdict["penalty"], verdict["score"]) == (["P141-6b"], 2, {"A": -2, "B": 0})
    assert (after(verdict), options(verdict), fouls(verdict)["A"]) == (("B", "as_it_lies"), {"accept", "rebreak"}, 1)
    assert verdict["spot"] == spot


@shows("P141-6a", UNDECIDED)
def test_a_break_whose_cushions_nobody_is_sure_of() -> None:
    verdict = in_14_1(TO_BREAK, broke(hit("1"), cushion("cue"), cushion("1"), cushion("5", confidence=0.5)))
    assert (verdict["legal"], verdict["undecided"][0]["clause"]) == (None, "P141-6a")
    assert verdict["score"] == {"A": 0, "B": 0}


@shows("P141-6c P141-6d", VIOLATED, SATISFIED)
@shows("P141-6e", SATISFIED)
def test_the_opponent_accepts_or_has_the_breaker_break_again() -> None:
    again = official("choose", player="B", option="rebreak")
    verdict = in_14_1(TO_BREAK, ILLEGAL, again)
    assert (verdict["rack"], after(verdict), options(verdict)) == ("full", ("A", "in_hand_house"), set())
    assert (verdict["legal"], verdict["score"]["A"], verdict["state"]["14.1"]["opening"]) == (False, -2, True)
    twice = in_14_1(TO_BREAK, ILLEGAL, again, ILLEGAL, again, ILLEGAL)
    assert (twice["score"], options(twice), fouls(twice)["A"]) == ({"A": -6, "B": 0}, {"accept", "rebreak"}, 0)
    accepted = in_14_1(TO_BREAK, ILLEGAL, official("choose", player="B", option="accept"))
    assert (accepted["rack"], after(accepted), accepted["state"]["14.1"]["opening"]) == (
        None,
        ("B", "as_it_lies"),
        False,
    )
    good = broke(hit("1"), cushion("cue"), cushion("1"), cushion("5"))
    ended = in_14_1(TO_BREAK, ILLEGAL, again, good)
    assert (ended["legal"], options(ended), ended["score"]["A"]) == (True, set(), -2)


@shows("P141-6f P141-6g P141-10", VIOLATED)
@pytest.mark.parametrize("lost", [potted("cue"), off("cue")])
def test_a_scratch_on_a_break_that_was_legal_is_an_ordinary_foul(lost: dict[str, Any]) -> None:
    verdict = in_14_1(TO_BREAK, broke(hit("1"), cushion("cue"), cushion("1"), cushion("5"), lost))
    assert (clauses(verdict), verdict["score"]["A"], fouls(verdict)["A"]) == (["P141-6f"], -1, 1)
    assert (after(verdict), options(verdict), verdict["spot"]) == (("B", "in_hand_house"), set(), {})


@shows("P141-6f P141-6g", SATISFIED)
@shows("P141-6e", VIOLATED)
def test_an_illegal_break_with_a_scratch_is_one_penalty() -> None:
    record = broke(hit("1"), cushion("cue"), potted("cue"))
    verdict = in_14_1(TO_BREAK, record)
    assert (clauses(verdict)[0], verdict["penalty"], fouls(verdict)["A"]) == ("P141-6b", 2, 0)
    accepted = in_14_1(TO_BREAK, record, official("choose", player="B", option="accept"))
    assert after(accepted) == ("B", "in_hand_house")


def test_an_object_ball_off_on_the_break_is_spotted() -> None:
    good = [hit("1"), cushion("cue"), cushion("1"), cushion("5"), off("5")]
    left = {ball: place for ball, place in RACK.items() if ball != "5"}
    moved_away = {**left, "2": [900, 1500], "cue": CUE}  # the apex has gone
    verdict = in_14_1(TO_BREAK, broke(*good, after=moved_away))
    assert (clauses(verdict), verdict["penalty"], verdict["spot"]) == (["P141-9"], 1, {"5": FOOT})


# ---------------------------------------------------------------------------------------------- 7.4, 8, 9: safeties


@shows("P141-7.4a P141-7.4b P141-8", VIOLATED)
def test_a_safety_ends_the_visit_and_what_falls_is_spotted() -> None:
    verdict = in_14_1(straight(fouls=(1, 0)), played(6, potted("6"), nominated=SAFETY))
    assert (verdict["legal"], verdict["points"]["A"], verdict["spot"]) == (True, 0, {"6": FOOT})
    assert (after(verdict), fouls(verdict)["A"]) == (("B", "as_it_lies"), 0)
    both = in_14_1(straight(), played(6, potted("6"), nominated={**call(6), **SAFETY}))
    assert (both["points"]["A"], both["spot"]) == (0, {"6": FOOT})


@shows("P141-7.4a P141-7.4b", SATISFIED)
def test_a_safety_must_be_a_legal_stroke() -> None:
    assert clauses(in_14_1(straight(), played(6, nominated=SAFETY))) == ["P141-7.2a"]


@shows("P141-9", VIOLATED, SATISFIED)
def test_object_balls_off_the_table_are_spotted_and_cost_a_point() -> None:
    record = played(4, potted("4"), off("9"), nominated=call(4))
    verdict = in_14_1(straight(), record)
    assert (clauses(verdict), verdict["points"]["A"], verdict["potted"]) == (["P141-9"], -1, [])
    assert verdict["spot"] == {"4": FOOT, "9": [635, 1962.15]}
    assert in_14_1(straight(), MISS)["fouls"] == []


@shows("P141-10 P141-13d SUP-P141-C P141-13c", VIOLATED, SATISFIED)
def test_a_scratch_spots_what_fell_and_gives_the_house() -> None:
    verdict = in_14_1(straight(), played(4, potted("4"), potted("cue"), nominated=call(4)))
    assert (clauses(verdict), verdict["score"]["A"], verdict["spot"]) == (["PG-18"], 30, {"4": FOOT})
    assert after(verdict) == ("B", "in_hand_house") and "cue" not in verdict["state"]["balls"]
    assert in_14_1(straight(), MISS)["score"]["A"] == 31


# ---------------------------------------------------------------------------------------------- 7.7: all in the house

HOUSED = {"b4": (300, 600), "b9": (800, 500), "b12": (1000, 200)}


@shows("P141-7.7a PG-7a", VIOLATED)
def test_the_ball_nearest_to_the_head_string_is_spotted_on_request() -> None:
    scratch = shot(hit("4"), potted("cue"), cushion("9"), before=lying(**HOUSED))
    verdict = in_14_1(straight(), scratch)
    assert (after(verdict), options(verdict)) == (("B", "in_hand_house"), {"spot_for_house"})
    chosen = in_14_1(straight(), scratch, official("choose", player="B", option="spot_for_house"))
    assert (chosen["spot"], options(chosen), after(chosen)) == ({"4": FOOT}, set(), ("B", "in_hand_house"))
    assert (chosen["legal"], clauses(chosen), chosen["score"]["A"]) == (False, ["PG-18"], 30)
    direct = shot(crossed(), hit("4"), cushion("4"), before=lying(b4=FOOT, b9=(800, 500), cue=(500, 300)))
    follow = in_14_1(straight(), scratch, official("choose", player="B", option="spot_for_house"), direct)
    assert follow["legal"] is True


@shows("P141-7.7a P141-7.7b", SATISFIED)
def test_only_if_no_ball_lies_outside_the_house() -> None:
    outside = {**lying(**HOUSED), "2": [300, 635]}  # on the head string
    verdict = in_14_1(straight(), shot(hit("4"), potted("cue"), cushion("9"), before=outside))
    assert (after(verdict), options(verdict)) == (("B", "in_hand_house"), set())
    not_in_hand = in_14_1(straight(), shot(hit("4"), before=lying(**HOUSED)))
    assert options(not_in_hand) == set()
    with pytest.raises(ValueError, match="nearest to the head string: 4"):
        state = straight(cue_ball="in_hand_house", foul_by="B", balls={"4": [300, 600], "9": [800, 500]})
        in_14_1(state, official("choose", player="A", option="spot_for_house", ball="9"))


@shows("P141-7.7b", VIOLATED, BOUNDARY)
def test_of_equally_near_balls_the_player_chooses() -> None:
    state = straight(
        cue_ball="in_hand_house", foul_by="B", balls={"4": [300, 600], "9": [800, 600], "12": [1000, 598.9]}
    )
    chosen = in_14_1(state, official("choose", player="A", option="spot_for_house", ball="9"))
    assert (chosen["spot"], chosen["legal"]) == ({"9": FOOT}, None)
    with pytest.raises(ValueError, match="4, 9"):
        in_14_1(state, official("choose", player="A", option="spot_for_house"))
    with pytest.raises(ValueError, match="4, 9"):
        in_14_1(state, official("choose", player="A", option="spot_for_house", ball="12"))


# ---------------------------------------------------------------------------------------------- 1c, 13: the end


def test_where_places_are_not_known_any_longer_the_player_names_the_ball() -> None:
    state = straight(cue_ball="in_hand_house", foul_by="B", balls={"4": [300, 600], "9": [800, 500]})
    rolled = shot(moved("4", "itself"), strike=False)
    with pytest.raises(ValueError, match="4, 9"):
        in_14_1(state, rolled, official("choose", player="A", option="spot_for_house"))
    chosen = in_14_1(state, rolled, official("choose", player="A", option="spot_for_house", ball="4"))
    assert chosen["spot"] == {"4": FOOT}


@shows("P141-7.7b", VIOLATED)
def test_balls_that_a_camera_sees_equally_near_are_the_players_choice() -> None:
    state = straight(cue_ball="in_hand_house", foul_by="B", balls={"4": [300, 600], "9": [800, 598]})
    chosen = official("choose", player="A", option="spot_for_house", ball="9")
    assert in_14_1(state, chosen, options=MEASURED)["spot"] == {"9": FOOT}
    with pytest.raises(ValueError, match="nearest"):
        in_14_1(state, chosen)
