"""14.1 continuous, fouls: deliberate ones, those that follow each other, the third."""

import pytest
from play import clauses, cushion, moved, official, options, potted, shot
from pool_play import after, call, fouls, in_14_1, lying, pot, seen, straight
from shows import BOUNDARY, SATISFIED, VIOLATED, shows
from straight_play import FOULED, ILLEGAL, MISS, RACK, SAFETY, STOPPED, THEIRS, TO_BREAK, played

# ---------------------------------------------------------------------------------------------- 7.5: deliberate fouls


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
