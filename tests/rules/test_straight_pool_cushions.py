"""14.1 continuous, what a legal stroke reaches: cushions after the contact, balls near a cushion (P141-7.2)."""

from typing import Any

import pytest
from play import clauses, confirm, cushion, hit, potted, questions, shot
from pool_play import BALL, after, call, fouls, in_14_1, lying, straight
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows
from straight_play import FOULED, MEASURED, MISS, NEAR, SAFETY, THEIRS, near, played, run

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


# ---------------------------------------------------------------------------------------------- 1c, 13: the end


@shows("P141-7.2b", UNDECIDED)
def test_nor_at_a_diameter_from_a_cushion() -> None:
    used_up = straight(near_cushion={"ball": "6", "safeties": {"A": 2}})
    for x, legal in ((BALL * 1.5 - 4, False), (BALL * 1.5 - 2, None), (BALL * 1.5 + 2, None), (BALL * 1.5 + 4, True)):
        verdict = in_14_1(used_up, near(before=lying(2, 4, 9, b6=(x, 1200))), options=MEASURED)
        assert verdict["legal"] is legal
    assert (
        in_14_1(straight(), near(before=lying(2, 4, 9, b6=(BALL * 1.5 + 2, 1200))), options=MEASURED)["legal"] is True
    )
