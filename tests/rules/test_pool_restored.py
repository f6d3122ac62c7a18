"""The general rules of pool: balls spotted in play, what outsiders moved."""

import pytest
from general_play import good
from play import clauses, confirm, hit, moved, official, options, potted, questions, shot
from pool_play import BALL, FOOT, after, call, fouls, in_9_ball, in_14_1, lying, nine, seen, straight
from shows import SATISFIED, UNDECIDED, VIOLATED, shows

# ---------------------------------------------------------------------------------------------- PG-26: spotting in play


@shows("PG-26a PG-26c", VIOLATED)
def test_balls_are_spotted_behind_the_cue_ball_too() -> None:
    behind = {"cue": [635, 1905], **lying(2, cue=None)}
    record = shot(hit("3"), potted("3"), before=lying(2, 3), after=behind, nominated={"safety": True})
    assert in_14_1(straight(), record)["spot"] == {"3": [635, pytest.approx(1905 + BALL + 1)]}
    scratched = shot(hit("3"), potted("3"), potted("cue"), before=lying(2, 3), nominated=call(3))
    assert in_14_1(straight(), scratched)["spot"] == {"3": FOOT}


@shows("PG-26a PG-26b PG-26c", UNDECIDED)
def test_where_a_ball_is_spotted_is_asked_if_the_places_are_not_known() -> None:
    record = shot(hit("3"), potted("3"), before=lying(2, 3), after=None, nominated={"safety": True})
    verdict = in_14_1(straight(), record)
    assert (verdict["legal"], verdict["spot"], questions(verdict)) == (True, {}, {"spot_place"})
    assert after(verdict) == ("B", "as_it_lies")
    free = in_14_1(straight(), {**record, "observed": [confirm("spot_place", True, "3")]})
    assert (free["spot"], free["undecided"]) == ({"3": FOOT}, [])
    behind = in_14_1(straight(), {**record, "observed": [confirm("spot_place", [635, 2000], "3")]})
    assert behind["spot"] == {"3": [635, 2000]}


# ---------------------------------------------------------------------------------------------- PG-28: outsiders


@shows("PG-28a", VIOLATED, SATISFIED)
def test_balls_moved_by_an_outsider_are_put_back() -> None:
    bumped = shot(moved("9", "outside"), strike=False, before=lying(2, 9), after=lying(2, b9=(700, 700)))
    verdict = in_9_ball(nine(fouls=(1, 0)), bumped, official("restored", balls={"9": [420, 2300]}))
    assert (verdict["legal"], after(verdict), fouls(verdict)["A"]) == (True, ("A", "as_it_lies"), 1)
    assert verdict["state"]["balls"]["9"] == [420, 2300]
    pushed = shot(moved("9", "player"), strike=False, before=lying(2, 9), seen=[seen("interference", who="spectator")])
    verdict = in_9_ball(nine(), pushed)  # through the player
    assert (verdict["legal"], verdict["restore"]) == (True, {"9": [420, 2300]})
    cleaned = shot(strike=False, before=lying(2, 9), seen=[seen("touched", ball="9", by="referee")])
    assert in_9_ball(nine(), cleaned)["legal"] is True
    during = good(moved("9", "outside"), after=lying(2, 3, b9=(700, 700)))
    assert in_9_ball(nine(), during)["restore"] == {"9": [420, 2300]}
    own = shot(moved("9", "player"), strike=False, before=lying(2, 9))
    assert clauses(in_9_ball(nine(), own)) == ["PG-19a"]


@shows("PG-28b", VIOLATED, SATISFIED)
def test_a_position_that_cannot_be_restored_has_the_game_replayed() -> None:
    bumped = shot(moved("9", "outside"), strike=False, before=lying(2, 9))
    verdict = in_9_ball(nine(breaker="B", frames={"A": 1, "B": 2}), bumped, official("cannot_restore"))
    assert (verdict["frame"]["over"], verdict["frame"]["result"], verdict["rack"]) == (True, "void", "full")
    assert (after(verdict), verdict["next"]["on"], verdict["state"]["frames"]) == (
        ("B", "in_hand_house"),
        ["1"],
        {"A": 1, "B": 2},
    )
    assert verdict["state"]["9-ball"]["stage"] == "break"


@shows("PG-28c SUP-PG-28", VIOLATED)
@shows("SUP-PG-28 PG-28c", SATISFIED)
def test_in_14_1_a_new_rack_is_played_for_and_the_score_stays() -> None:
    bumped = shot(moved("9", "outside"), strike=False, before=lying(2, 9))
    lines = [bumped, official("cannot_restore")]
    verdict = in_14_1(straight(fouls=(1, 2)), *lines)
    assert (verdict["frame"]["over"], verdict["rack"], after(verdict)) == (False, "full", (None, "in_hand_house"))
    assert (verdict["score"], verdict["state"]["14.1"]["opening"]) == ({"A": 31, "B": 20}, True)
    lagged = in_14_1(straight(), *lines, official("lag", winner="B"))
    assert (after(lagged), options(lagged)) == (("B", "in_hand_house"), {"break_self", "break_other"})
    given = in_14_1(
        straight(), *lines, official("lag", winner="B"), official("choose", player="B", option="break_other")
    )
    assert (after(given), given["score"]) == (("A", "in_hand_house"), {"A": 31, "B": 20})
    assert (given["legal"], given["restore"]) == (None, {}), "the choice has nothing to do with the stroke before it"
