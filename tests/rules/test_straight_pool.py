"""14.1 continuous, in the order of its rule book: the opening break, calls, safeties, racks, fouls, the end."""

from typing import Any

import pytest
from play import clauses, confirm, cushion, hit, moved, off, official, options, potted, questions, shot
from pool_play import BALL, CUE, FOOT, TABLE, after, call, crossed, fouls, in_14_1, lying, pot, seen, straight
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

from referee.rules.straight_pool import StraightPool

RACK: dict[str, Any] = {ball: list(place) for ball, place in StraightPool().opening(TABLE).items()}
TO_BREAK = straight(score=(0, 0), opening=True)
SAFETY = {"safety": True}


def broke(*events: Any, **more: Any) -> dict[str, Any]:
    more.setdefault("before", {**RACK, "cue": [560, 480]})
    return shot(crossed(), *events, **more)


def played(number: int, *events: Any, **more: Any) -> dict[str, Any]:
    """This ball is hit first, then the events happen."""
    more.setdefault("before", lying(2, 4, 6, 9, 12))
    return shot(hit(str(number)), *events, **more)


MISS = played(4, cushion("4"), nominated=call(4))
FOULED = played(4, nominated=call(4))
THEIRS = played(9, cushion("9"), cushion("cue"), nominated=call(9))
"""A legal miss by the other player."""


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


ILLEGAL = broke(hit("1"), cushion("cue"))


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


# ---------------------------------------------------------------------------------------------- 7.2: the stroke


@shows("P141-7.2a P141-11a P141-11c P141-13c", VIOLATED)
@pytest.mark.parametrize("events", [[], [cushion(), hit("4")], [hit("4")]])
def test_a_stroke_that_reaches_nothing_costs_a_point(events: list[Any]) -> None:
    verdict = in_14_1(straight(), shot(*events, before=lying(2, 4, 9)))
    assert (clauses(verdict), verdict["penalty"], verdict["points"]) == (["P141-7.2a"], 1, {"A": -1, "B": 0})
    assert (after(verdict), fouls(verdict)) == (("B", "as_it_lies"), {"A": 1, "B": 0})


@shows("P141-7.2a P141-11a P141-11c", SATISFIED)
@shows("P141-7.2a", UNDECIDED)
def test_a_ball_to_a_cushion_or_into_a_pocket_does() -> None:
    for event in (cushion(), cushion("4"), cushion("9"), potted("12")):
        assert in_14_1(straight(), played(4, event))["legal"] is True
    doubt = in_14_1(straight(), played(4, cushion(confidence=0.3)))
    assert (doubt["legal"], doubt["score"], questions(doubt)) == (None, {"A": 31, "B": 20}, {"cushion_after_contact"})


@shows("P141-7.2a", VIOLATED, SATISFIED)
def test_the_referees_word_on_a_cushion_goes_before_the_record() -> None:
    yes, no = [confirm("cushion_after_contact", True)], [confirm("cushion_after_contact", False)]
    assert in_14_1(straight(), played(4, seen=yes))["legal"] is True
    assert clauses(in_14_1(straight(), played(4, cushion("4"), seen=no))) == ["P141-7.2a"]
    assert in_14_1(straight(), played(4, potted("9"), seen=no))["legal"] is True  # a pocketed ball is enough
    used_up = straight(near_cushion={"ball": "6", "safeties": {"A": 2}})
    unsure = near(cushion("6", "left"), cushion("6", "top", confidence=0.5), seen=no)
    assert clauses(in_14_1(used_up, unsure)) == ["P141-7.2c"]


NEAR = lying(2, 4, 9, b6=(70, 1200))
"""The 6 is 41 mm from the left cushion."""


def near(*events: Any, nominated: Any = SAFETY, before: Any = None, **more: Any) -> dict[str, Any]:
    """A stroke at the 6, driven to the cushion near it if nothing else is said."""
    chosen = events or (cushion("6", "left"),)
    return shot(hit("6"), *chosen, nominated=nominated, before=before or NEAR, **more)


def run(verdict: dict[str, Any]) -> Any:
    return verdict["state"]["14.1"].get("near_cushion")


@shows("P141-7.2b", VIOLATED, BOUNDARY)
@shows("P141-7.2c", VIOLATED, SATISFIED)
@shows("SUP-PG-37", VIOLATED)
def test_a_ball_near_a_cushion_serves_for_two_safeties() -> None:
    first = in_14_1(straight(), near())
    assert (first["legal"], run(first)) == (True, {"ball": "6", "safeties": {"A": 1, "B": 0}})
    assert "Last safety on this ball" in first["announce"]["en"]
    second = in_14_1(straight(), near(), THEIRS, near())
    assert (second["legal"], run(second)) == (True, {"ball": "6", "safeties": {"A": 2, "B": 0}})
    assert "Шар считается на борту" in second["announce"]["ru"]
    third = in_14_1(straight(), near(), THEIRS, near(), THEIRS, near())
    assert (clauses(third), third["penalty"], fouls(third)["A"]) == (["P141-7.2c"], 1, 1)
    state = straight(near_cushion={"ball": "6", "safeties": {"A": 2}})
    assert clauses(in_14_1(state, near())) == ["P141-7.2c"]
    assert in_14_1(straight(near_cushion={"ball": "6", "safeties": {"A": 1}}), near())["legal"] is True
    assert in_14_1(straight(near_cushion={"ball": "6", "safeties": {"B": 2}}), near())["legal"] is True


@shows("P141-7.2b", SATISFIED, BOUNDARY)
@pytest.mark.parametrize(
    ("x", "counts", "used_up"),
    [
        (BALL / 2, False, True),  # frozen: no such safety, but no way out either
        (BALL / 2 + 0.04, False, True),
        (BALL / 2 + 1, True, True),
        (BALL * 1.5 - 0.1, True, True),
        (BALL * 1.5, False, False),
    ],
)
def test_near_is_less_than_a_diameter_and_not_frozen(x: float, counts: bool, used_up: bool) -> None:
    before = lying(2, 4, 9, b6=(x, 1200))
    twice = straight(near_cushion={"ball": "6", "safeties": {"A": 2}})
    assert in_14_1(twice, near(before=before))["legal"] is not used_up
    assert (run(in_14_1(straight(), near(before=before))) is not None) is counts


@shows("P141-7.2c SUP-PG-37", SATISFIED)
@pytest.mark.parametrize(
    "events",
    [
        [cushion("6", "top")],
        [cushion("6", "left"), cushion("cue", "left")],
        [cushion("6", "left"), cushion("9", "left")],
        [cushion("6", "left"), potted("9")],
    ],
)
def test_a_ball_that_counts_as_frozen_may_reach_another_cushion(events: list[Any]) -> None:
    state = straight(near_cushion={"ball": "6", "safeties": {"A": 2}})
    verdict = in_14_1(state, near(*events))
    assert (verdict["legal"], run(verdict)) == (True, None)  # such a stroke ends the run


@shows("P141-7.2c", VIOLATED)
def test_another_ball_counts_only_at_a_cushion_that_it_did_not_touch() -> None:
    state = straight(near_cushion={"ball": "6", "safeties": {"A": 2}})
    before = {**NEAR, "9": [500, 2540 - BALL / 2]}
    assert clauses(in_14_1(state, near(cushion("9", "top"), before=before))) == ["P141-7.2c"]
    assert in_14_1(state, near(cushion("9", "left"), before=before))["legal"] is True
    called = near(nominated=call(6))
    assert clauses(in_14_1(state, called)) == ["P141-7.2c"]  # whatever was declared


@shows("P141-7.2.n1", VIOLATED, SATISFIED)
def test_a_foul_of_the_same_run_of_visits_takes_one_of_the_two() -> None:
    before_it = straight(fouls=(1, 0))
    first = in_14_1(before_it, near())
    assert (first["legal"], fouls(first)["A"], run(first)) == (
        True,
        0,
        {"ball": "6", "safeties": {"A": 1, "B": 0}, "fouls": {"A": 1}},
    )
    assert clauses(in_14_1(before_it, near(), THEIRS, near())) == ["P141-7.2c"]
    after_it = [near(), THEIRS, FOULED, THEIRS, near()]
    assert clauses(in_14_1(straight(), *after_it)) == ["P141-7.2c"]
    assert in_14_1(straight(), near(), THEIRS, MISS, THEIRS, near())["legal"] is True  # another stroke between
    assert run(in_14_1(straight(), near(), THEIRS, MISS)) is None
    kept = in_14_1(straight(), near(), THEIRS, near(nominated=call(6)))
    assert run(kept) == {"ball": "6", "safeties": {"A": 1, "B": 0}}  # no safety, but no end of the run either


@shows("P141-7.2.n2", VIOLATED, SATISFIED)
@shows("P141-7.2.n3", VIOLATED)
def test_with_two_fouls_on_record_it_counts_as_frozen_at_once_and_a_breach_is_the_third() -> None:
    verdict = in_14_1(straight(fouls=(2, 0)), near())
    assert (clauses(verdict), verdict["penalty"], verdict["score"]["A"]) == (["P141-7.2c"], 15, 16)
    assert (verdict["rack"], after(verdict), fouls(verdict)["A"]) == ("full", ("A", "in_hand_house"), 0)
    assert in_14_1(straight(fouls=(1, 0)), near())["legal"] is True
    assert in_14_1(straight(fouls=(2, 0)), near(cushion("6", "top")))["legal"] is True


@shows("P141-7.2.n3", SATISFIED)
def test_a_breach_without_two_fouls_on_record_is_an_ordinary_foul() -> None:
    verdict = in_14_1(straight(near_cushion={"ball": "6", "safeties": {"A": 2}}), near())
    assert (verdict["penalty"], verdict["rack"], after(verdict)) == (1, None, ("B", "as_it_lies"))


@shows("P141-7.2b P141-7.2c", UNDECIDED)
def test_whether_a_ball_lay_near_a_cushion_is_asked_if_a_foul_hangs_on_it() -> None:
    unseen = {**near(), "before": None, "after": None}
    balls = {"balls": ["2", "4", "6", "9"]}
    verdict = in_14_1(straight(near_cushion={"ball": "6", "safeties": {"A": 2}}, **balls), unseen)
    assert (verdict["legal"], questions(verdict)) == (None, {"cushion_after_contact"})
    assert in_14_1(straight(**balls), unseen)["undecided"] == []


def test_two_balls_near_cushions_are_kept_apart() -> None:
    before = {**NEAR, "9": [1200, 1200]}
    theirs = shot(hit("9"), cushion("9", "right"), nominated=SAFETY, before=before)
    verdict = in_14_1(straight(), near(before=before), theirs)
    own = run(verdict)
    assert own == {"ball": "9", "safeties": {"A": 0, "B": 1}, "other": {"ball": "6", "safeties": {"A": 1, "B": 0}}}
    again = in_14_1(straight(near_cushion=own), near(before=before))
    assert run(again)["other"] == {"ball": "6", "safeties": {"A": 2, "B": 0}}
    gone = in_14_1(straight(), near(before=before), shot(hit("6"), potted("6"), before=before))
    assert run(gone) is None  # it is spotted somewhere else


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


# ---------------------------------------------------------------------------------------------- 7.3, 7.6: new racks


def last_two(cue: tuple[float, float], fifteenth: tuple[float, float], **more: Any) -> dict[str, Any]:
    """The called 3 falls, this ball stays; the cue ball stops there."""
    ending = {"cue": list(cue), "9": list(fifteenth)}
    return pot(3, before=lying(3, b9=fifteenth), after=ending, **more)


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


# ---------------------------------------------------------------------------------------------- 7.5: deliberate fouls

STOPPED = played(4, moved("4", "player"), nominated=call(4), seen=[seen("deliberate", ball="4")])


@shows("P141-7.5a P141-7.5b P141-11b", VIOLATED)
@shows("P141-7.5a P141-11b", SATISFIED)
def test_a_ball_stopped_on_purpose_costs_sixteen() -> None:
    verdict = in_14_1(straight(), STOPPED)
    assert (clauses(verdict)[0], verdict["penalty"], verdict["score"]["A"]) == ("P141-7.5a", 16, 15)
    assert (after(verdict), options(verdict), fouls(verdict)["A"]) == (("B", "in_hand_house"), {"accept", "rebreak"}, 1)
    accepted = in_14_1(straight(), STOPPED, official("choose", player="B", option="accept"))
    assert (after(accepted), accepted["rack"], options(accepted)) == (("B", "in_hand_house"), None, set())
    by_chance = played(4, moved("4", "player"), nominated=call(4))
    assert in_14_1(straight(), by_chance)["penalty"] == 1


@shows("P141-7.5b", VIOLATED, SATISFIED)
def test_the_opponent_may_have_all_balls_racked_and_the_offender_break() -> None:
    verdict = in_14_1(straight(), STOPPED, official("choose", player="B", option="rebreak"))
    assert (verdict["rack"], after(verdict), verdict["spot"]) == ("full", ("A", "in_hand_house"), {})
    assert (verdict["state"]["14.1"]["opening"], fouls(verdict)["A"]) == (True, 1)  # POL-16
    with pytest.raises(ValueError, match="option"):
        in_14_1(straight(), FOULED, official("choose", player="B", option="rebreak"))


def test_as_the_third_foul_it_costs_what_is_strictest_and_leaves_no_choice() -> None:
    verdict = in_14_1(straight(fouls=(2, 0)), STOPPED)
    assert (verdict["penalty"], verdict["rack"], options(verdict)) == (16, "full", set())
    assert after(verdict) == ("A", "in_hand_house")
    apart = in_14_1(straight(fouls=(2, 0)), STOPPED, options={"deliberate_foul_counts": False})
    assert (apart["penalty"], fouls(apart)["A"], options(apart)) == (16, 2, {"accept", "rebreak"})


def test_the_other_player_may_commit_it_too() -> None:
    theirs = played(4, moved("4", "player"), nominated=call(4), seen=[seen("deliberate", ball="4", player="B")])
    verdict = in_14_1(straight(), theirs)
    assert (verdict["points"], after(verdict), options(verdict)) == (
        {"A": 0, "B": -16},
        ("A", "in_hand_house"),
        {"accept", "rebreak"},
    )
    again = in_14_1(straight(), theirs, official("choose", player="A", option="rebreak"))
    assert after(again) == ("B", "in_hand_house")


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


# ---------------------------------------------------------------------------------------------- 11, 12: fouls


@shows("P141-12a P141-12b", VIOLATED)
@shows("P141-12b P141-12c P141-12d", SATISFIED)
def test_fouls_at_successive_visits_are_counted() -> None:
    assert fouls(in_14_1(straight(), FOULED)) == {"A": 1, "B": 0}
    second = in_14_1(straight(), FOULED, THEIRS, FOULED)
    assert (fouls(second)["A"], second["penalty"], second["score"]["A"]) == (2, 1, 29)


@shows("P141-12c P141-12d P141-12e P141-11b P141-13a", VIOLATED)
@shows("P141-12d", BOUNDARY)
def test_the_third_costs_fifteen_and_the_offender_breaks() -> None:
    verdict = in_14_1(straight(score=(3, 40)), FOULED, THEIRS, FOULED, THEIRS, FOULED)
    assert (verdict["penalty"], verdict["score"], fouls(verdict)) == (15, {"A": -14, "B": 40}, {"A": 0, "B": 0})
    assert (verdict["rack"], after(verdict), verdict["spot"]) == ("full", ("A", "in_hand_house"), {})
    assert verdict["state"]["14.1"]["opening"] is True and set(verdict["state"]["balls"]) == set(RACK)
    again = in_14_1(straight(fouls=(2, 0)), FOULED, ILLEGAL)
    assert clauses(again) == ["P141-6b"]  # under the rules of the opening break
    sixteen = in_14_1(straight(fouls=(2, 0)), FOULED, options={"third_foul_14_1": "1+15"})
    assert sixteen["penalty"] == 16


@shows("P141-12a P141-12e", SATISFIED, VIOLATED)
def test_a_stroke_without_a_foul_between_ends_the_run() -> None:
    assert fouls(in_14_1(straight(fouls=(2, 0)), pot(4, before=lying(2, 4, 6)))) == {"A": 0, "B": 0}
    assert fouls(in_14_1(straight(fouls=(2, 0)), played(4, cushion("4"), nominated=SAFETY)))["A"] == 0
    assert fouls(in_14_1(straight(fouls=(2, 0)), MISS))["A"] == 0  # POL-4
    literal = {"fouls_cleared_14_1": "pot_or_safety"}
    assert fouls(in_14_1(straight(fouls=(2, 0)), MISS, options=literal))["A"] == 2
    assert fouls(in_14_1(straight(fouls=(2, 0)), played(4, cushion("4"), nominated=SAFETY), options=literal))["A"] == 0
    scratch = played(9, cushion("9"), potted("cue"), before=lying(2, 6, 9))
    verdict = in_14_1(straight(score=(10, 12), fouls=(2, 0)), pot(4, before=lying(2, 4, 6, 9)), scratch)
    assert (verdict["score"], fouls(verdict)["A"], after(verdict)) == ({"A": 10, "B": 12}, 1, ("B", "in_hand_house"))


def test_a_foul_between_strokes_counts_as_any() -> None:
    touch = shot(moved("9", "player"), strike=False, before=lying(2, 4, 9))
    verdict = in_14_1(straight(fouls=(1, 0)), touch)
    assert (clauses(verdict), verdict["score"]["A"], fouls(verdict)["A"]) == (["PG-19a"], 30, 2)
    in_hand = in_14_1(straight(cue_ball="in_hand_house", foul_by="B"), {**touch, "before": lying(2, 4, 9, cue=None)})
    assert after(in_hand) == ("B", "in_hand_house")  # the cue ball is still in hand
    racked = in_14_1(TO_BREAK, {**touch, "before": RACK})
    assert (racked["legal"], after(racked)) == (True, ("A", "in_hand_house"))


# ---------------------------------------------------------------------------------------------- 1c, 13: the end


@shows("P141-1c P141-13b", VIOLATED, BOUNDARY)
def test_the_agreed_score_wins() -> None:
    won = in_14_1(straight(score=(149, -2)), pot(4, before=lying(2, 4, 9)))
    assert (won["frame"], won["score"]) == ({"over": True, "winner": "A", "result": "won"}, {"A": 150, "B": -2})
    assert (won["rack"], after(won), won["state"]["score"]) == (None, ("A", "in_hand_house"), {"A": 0, "B": 0})
    two = played(4, potted("4"), potted("9"), nominated=call(4))
    assert in_14_1(straight(score=(149, 3)), two)["score"]["A"] == 151
    assert in_14_1(straight(score=(99, 3), target=100), pot(4, before=lying(2, 4)))["frame"]["over"] is True
    last = in_14_1(straight(score=(149, 3), frames_to_win=1), pot(4, before=lying(2, 4)))
    assert (last["match"], last["next"]["player"]) == ({"over": True, "winner": "A"}, None)


@shows("P141-1c P141-13b P141-13a", SATISFIED)
def test_one_less_does_not() -> None:
    verdict = in_14_1(straight(score=(148, -2)), pot(4, before=lying(2, 4, 9)))
    assert (verdict["frame"]["over"], verdict["score"]) == (False, {"A": 149, "B": -2})
    scratched = played(4, potted("4"), potted("cue"), nominated=call(4))
    assert in_14_1(straight(score=(149, 3)), scratched)["score"]["A"] == 148


@shows("P141-13a", VIOLATED)
def test_scores_may_be_negative() -> None:
    verdict = in_14_1(straight(score=(0, 0)), FOULED)
    assert verdict["score"] == {"A": -1, "B": 0}
    assert verdict["announce"] == {
        "en": ["Foul, no cushion after the contact", "Minus one, on one foul", "A minus one, B zero"],
        "ru": [
            verdict["announce"]["ru"][0],
            "Минус одно очко, один фол подряд",
            "Счёт: A минус один, B ноль",
        ],
    }


def test_the_current_rules_differ() -> None:
    """Section 3 of the clauses: DIF-15 to DIF-19."""

    def current(state: dict[str, Any], *lines: dict[str, Any]) -> dict[str, Any]:
        return in_14_1(state, *lines, rules="current")

    assert current(straight(fouls=(2, 0)), FOULED)["penalty"] == 16
    assert current(straight(near_cushion={"ball": "6", "safeties": {"A": 2}}), near())["legal"] is True
    assert run(current(straight(), near())) is None
    announced = near(seen=[confirm("frozen", True, "6")], before=lying(2, 4, 9, b6=(BALL / 2, 1200)))
    assert clauses(current(straight(), announced)) == ["SUP-PG-37"]
    conduct = current(straight(), STOPPED)
    assert (set(clauses(conduct)), conduct["penalty"], options(conduct)) == ({"P141-7.2a", "PG-19a"}, 1, set())
    stuck = current(straight(), official("void"))
    assert (stuck["frame"]["over"], stuck["rack"], stuck["score"]) == (False, "full", {"A": 31, "B": 20})
    assert stuck["next"]["player"] is None
    replayed = in_14_1(straight(breaker="B"), official("void"))
    assert (replayed["frame"]["result"], replayed["score"], replayed["next"]["player"]) == (
        "void",
        {"A": 0, "B": 0},
        "B",
    )


@shows("P141-2", VIOLATED)
def test_two_teams_may_play() -> None:
    teams = {"A": ["A1", "A2"], "B": ["B1", "B2"]}
    state = {**straight(), "teams": teams, "order": ["A1", "B1", "A2", "B2"], "striker": "A1"}
    state.pop("players")
    assert in_14_1(state, MISS)["next"]["player"] == "B1"
    third = in_14_1({**state, "14.1": {"fouls": {"A": 2}, "opening": False}}, FOULED)
    assert (third["next"]["player"], third["score"]["A"]) == ("A1", 16)
    assert third["state"]["order"] == ["A1", "B1", "A2", "B2"]


def test_what_a_case_leaves_out() -> None:
    begun = in_14_1({"players": ["A", "B"]}, ILLEGAL)
    assert clauses(begun) == ["P141-6b"]
    middle = in_14_1({"players": ["A", "B"], "balls": lying(2, 4, 9)}, FOULED)
    assert (clauses(middle), middle["state"]["14.1"]["target"]) == (["P141-7.2a"], 150)
    assert clauses(in_14_1({"players": ["A", "B"], "score": {"A": 3}}, FOULED)) == ["P141-7.2a"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("target", 0),
        ("opening", "yes"),
        ("fouls", {"A": -1}),
        ("near_cushion", {"ball": "red-1"}),
        ("near_cushion", {"ball": "6", "safeties": {"C": 1}}),
        ("near_cushion", 3),
    ],
)
def test_a_state_that_is_none_is_refused(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"14\.1\.{field}"):
        in_14_1({"players": ["A", "B"], "14.1": {field: value}}, FOULED)


@pytest.mark.parametrize(
    ("table", "foot_spot"),
    [
        ("pool-8ft", [584.2, 1752.6]),
        ("pool-7ft", [495.5, 1485.75]),
        ({"length": 2200, "width": 1100, "ball_diameter": 57}, [550, 1650]),
    ],
)
def test_other_tables_have_their_own_marks(table: Any, foot_spot: list[float]) -> None:
    record = shot(hit("4"), potted("4"), before={"cue": [300, 900], "4": [400, 1000], "9": [700, 1000]})
    verdict = in_14_1(straight(table=table), record)
    assert verdict["spot"] == {"4": [pytest.approx(coordinate) for coordinate in foot_spot]}


MEASURED = {"measured_mm": 3.0}


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


@shows("P141-7.2b", UNDECIDED)
def test_nor_at_a_diameter_from_a_cushion() -> None:
    used_up = straight(near_cushion={"ball": "6", "safeties": {"A": 2}})
    for x, legal in ((BALL * 1.5 - 4, False), (BALL * 1.5 - 2, None), (BALL * 1.5 + 2, None), (BALL * 1.5 + 4, True)):
        verdict = in_14_1(used_up, near(before=lying(2, 4, 9, b6=(x, 1200))), options=MEASURED)
        assert verdict["legal"] is legal
    assert (
        in_14_1(straight(), near(before=lying(2, 4, 9, b6=(BALL * 1.5 + 2, 1200))), options=MEASURED)["legal"] is True
    )


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


def test_a_rack_measured_by_a_camera_may_be_off_by_as_much() -> None:
    shifted = {ball: [x + 4, y] for ball, (x, y) in RACK.items()}
    ask = {"type": "shot", "before": shifted, "events": []}
    assert in_14_1(TO_BREAK, ask)["rack"] == "full"
    assert in_14_1(TO_BREAK, ask, options=MEASURED)["rack"] is None
