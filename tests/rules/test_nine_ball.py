"""9-ball, in the order of its rule book: the break, the push-out, fouls, three fouls running, the game's end."""

from typing import Any

import pytest
from play import clauses, confirm, cushion, hit, moved, off, official, options, potted, questions, shot
from pool_play import BALL, CUE, FOOT, TABLE, after, crossed, fouls, in_9_ball, lying, nine, returned, seen
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

from referee.rules.geometry import diamond
from referee.rules.nine_ball import NineBall

RACK: dict[str, Any] = {ball: list(place) for ball, place in NineBall().opening(TABLE).items()}
TO_BREAK = nine("break")
PUSH_OUT = {"push_out": True}


def broke(*events: Any, **more: Any) -> dict[str, Any]:
    """A break shot from the house."""
    more.setdefault("before", {**RACK, "cue": [560, 480]})
    return shot(crossed(), *events, **more)


def cushions(*balls: str) -> list[dict[str, Any]]:
    return [cushion(ball, "right") for ball in balls]


GOOD_BREAK = broke(hit("1"), *cushions("1", "4", "6", "9"))
MISS = shot(hit("2"), cushion("2"), before=lying(2, 3, 5, 9))
WRONG = shot(hit("3"), cushion("3"), before=lying(2, 3, 5, 9))


# ---------------------------------------------------------------------------------------------- NB-1, NB-2


@shows("NB-1a NB-7", SATISFIED)
@shows("NB-1b NB-1d PG-27", VIOLATED)
def test_any_ball_that_falls_after_the_lowest_was_hit_keeps_the_player_in() -> None:
    verdict = in_9_ball(nine(), shot(hit("3"), hit("8", by="3"), potted("8"), potted("5"), before=lying(3, 5, 8, 9)))
    assert (verdict["legal"], verdict["potted"], after(verdict)) == (True, ["8", "5"], ("A", "as_it_lies"))
    assert verdict["next"]["on"] == ["3"]


@shows("NB-1a NB-7 NB-6b NB-1c", VIOLATED)
@shows("NB-8", SATISFIED)
def test_another_ball_hit_first_gives_ball_in_hand() -> None:
    verdict = in_9_ball(nine(), WRONG)
    assert clauses(verdict) == ["NB-7"]
    assert (after(verdict), fouls(verdict), verdict["next"]["on"]) == (("B", "in_hand_any"), {"A": 1, "B": 0}, ["2"])


@shows("NB-1c PG-4 NB-12a NB-1b NB-4b NB-6b NB-10a PG-6c", SATISFIED)
@shows("PG-4", VIOLATED)
def test_a_miss_ends_the_visit_as_it_lies() -> None:
    verdict = in_9_ball(nine(fouls=(2, 1)), MISS)
    assert (verdict["legal"], after(verdict)) == (True, ("B", "as_it_lies"))
    assert fouls(verdict) == {"A": 0, "B": 1}


@shows("NB-7", UNDECIDED)
@shows("NB-1a", UNDECIDED)
def test_two_contacts_too_near_in_time_and_a_ball_whose_number_is_not_known() -> None:
    before = lying(2, 3, 9)
    close = shot(hit("3", t=10.1, t_sigma=0.02), hit("2", t=10.12, t_sigma=0.02), cushion("2", t=10.4), before=before)
    verdict = in_9_ball(nine(), close)
    assert (verdict["legal"], questions(verdict)) == (None, {"first_contact"})
    said = in_9_ball(nine(), {**close, "observed": [confirm("first_contact", "2")]})
    assert (said["legal"], after(said)) == (True, ("B", "as_it_lies"))
    together = shot(hit("3", t=10.1), hit("2", t=10.1), cushion("2", t=10.4), before=before)
    assert in_9_ball(nine(), together)["legal"] is True  # the lowest is among the first
    unnamed = {"cue": CUE, "ball-4": [300, 1500], "9": [800, 1500]}
    verdict = in_9_ball(nine(), shot(hit("ball-4"), cushion(), before=unnamed))
    assert (verdict["legal"], questions(verdict)) == (None, {"ball_on"})
    assert in_9_ball(nine(), shot(hit("9"), cushion(), before=unnamed))["legal"] is None
    known = {"cue": CUE, "ball-4": [300, 1500], "1": [800, 1500]}
    assert clauses(in_9_ball(nine(), shot(hit("ball-4"), cushion(), before=known))) == ["NB-7"]
    assert in_9_ball(nine(), shot(hit("1"), cushion(), before=known))["legal"] is True


@shows("NB-2", VIOLATED, SATISFIED)
def test_the_diamond_has_the_1_on_the_foot_spot_and_the_9_in_the_centre() -> None:
    ask = {"type": "shot", "before": RACK, "events": []}
    assert in_9_ball(TO_BREAK, ask)["rack"] is None
    assert list(in_9_ball(TO_BREAK, ask)["next"].values())[:3] == ["A", ["1"], "in_hand_house"]
    others = {**RACK, "2": RACK["7"], "7": RACK["2"]}
    assert in_9_ball(TO_BREAK, {**ask, "before": others})["rack"] is None
    wrong = {**RACK, "9": RACK["2"], "2": RACK["9"]}
    verdict = in_9_ball(TO_BREAK, {**ask, "before": wrong})
    assert (verdict["rack"], verdict["legal"], after(verdict)) == ("full", None, ("A", "in_hand_house"))
    apex = {**RACK, "1": RACK["3"], "3": RACK["1"]}
    assert in_9_ball(TO_BREAK, {**ask, "before": apex})["rack"] == "full"
    loose = {**RACK, "8": [635, 2110]}
    assert in_9_ball(TO_BREAK, {**ask, "before": loose})["rack"] == "full"
    assert [round(y, 2) for _, y in diamond((635, 1905), BALL)][-1] == 2102.97


# ---------------------------------------------------------------------------------------------- NB-3: the break


@shows("NB-3a NB-3b NB-3c NB-13a", SATISFIED)
@shows("NB-3a", BOUNDARY)
@shows("NB-4a NB-5a", VIOLATED)
def test_four_object_balls_to_cushions_make_a_break_legal_and_open_the_push_out() -> None:
    verdict = in_9_ball(TO_BREAK, GOOD_BREAK)
    assert (verdict["legal"], after(verdict), options(verdict)) == (True, ("B", "as_it_lies"), set())
    assert verdict["state"]["9-ball"]["stage"] == "push_out_open"
    assert verdict["state"]["breaker"] == "A"


@shows("NB-3a", VIOLATED, BOUNDARY)
@shows("NB-3b NB-5f NB-4a", VIOLATED)
@pytest.mark.parametrize(
    "shot_",
    [
        broke(hit("1"), *cushions("1", "4", "6", "cue")),  # the cue ball doesn't count
        broke(hit("1"), *cushions("1", "4", "6", "6", "6")),  # nor the same ball again
        broke(hit("2"), potted("2"), hit("1"), *cushions("1", "4", "6", "9")),  # the 1 was not first
        broke(),
        broke(*cushions("1", "4", "6", "9"), hit("1")),  # before the contact
    ],
)
def test_a_break_that_does_not_do_is_a_foul(shot_: dict[str, Any]) -> None:
    verdict = in_9_ball(TO_BREAK, shot_)
    assert set(clauses(verdict)) == {"NB-3a"}
    assert (after(verdict), verdict["state"]["9-ball"]["stage"], fouls(verdict)["A"]) == (
        ("B", "in_hand_any"),
        "play",
        1,
    )


@shows("NB-3b NB-6a", VIOLATED)
@pytest.mark.parametrize("lost", [potted("cue"), off("cue")])
def test_the_cue_ball_lost_on_the_break(lost: dict[str, Any]) -> None:
    verdict = in_9_ball(TO_BREAK, broke(hit("1"), potted("5"), lost))
    assert clauses(verdict) == ["NB-3b"]
    assert (verdict["potted"], verdict["spot"], after(verdict)) == ([], {}, ("B", "in_hand_any"))
    assert "5" not in verdict["state"]["balls"]


@shows("NB-3c NB-10a", VIOLATED)
def test_an_object_ball_off_the_table_on_the_break_stays_out_but_for_the_9() -> None:
    verdict = in_9_ball(TO_BREAK, broke(hit("1"), potted("5"), off("4")))
    assert (clauses(verdict), verdict["spot"], after(verdict)) == (["NB-3c"], {}, ("B", "in_hand_any"))
    verdict = in_9_ball(TO_BREAK, broke(hit("1"), potted("5"), potted("1"), off("9")))
    assert (clauses(verdict), verdict["spot"]) == (["NB-3c"], {"9": FOOT})
    assert verdict["next"]["on"] == ["2"]


@shows("NB-3a", UNDECIDED)
def test_a_break_that_a_hand_hid() -> None:
    weak = broke(hit("1"), *cushions("1", "4", "6"))
    verdict = in_9_ball(TO_BREAK, {**weak, "gaps": [{"t0": 10.3, "t1": 12.0}], "t1": 12.0, "after": None})
    assert "cushion_after_contact" in questions(verdict)
    hidden = {**weak, "gaps": [{"t0": 10.3, "t1": 12.0, "region": [[600, 2400], [700, 2400], [700, 2540]]}], "t1": 12.0}
    verdict = in_9_ball(TO_BREAK, hidden)
    assert (verdict["legal"], questions(verdict)) == (None, {"cushion_after_contact"})
    assert verdict["undecided"][0]["clause"] == "NB-3a"
    settled = in_9_ball(TO_BREAK, {**hidden, "observed": [confirm("cushion_after_contact", True)]})
    assert (settled["legal"], settled["undecided"]) == (True, [])


@shows("NB-4b NB-5a", VIOLATED)
def test_a_breaker_who_pockets_a_ball_goes_on_and_may_push_out_himself() -> None:
    broken = broke(hit("1"), potted("4"), after=lying(1, 2, 3, 5, 6, 7, 8, 9))
    verdict = in_9_ball(TO_BREAK, broken)
    assert (verdict["potted"], after(verdict)) == (["4"], ("A", "as_it_lies"))
    pushed = in_9_ball(TO_BREAK, broken, shot(cushion(), before=lying(1, 2, 3, 5, 6, 7, 8, 9), nominated=PUSH_OUT))
    assert (pushed["legal"], options(pushed), after(pushed)) == (True, {"accept", "pass_back"}, ("B", "as_it_lies"))


@shows("NB-13a PG-6c", VIOLATED)
def test_before_the_break_nothing_is_in_play() -> None:
    verdict = in_9_ball(
        TO_BREAK, shot(moved("3", "player"), strike=False, before=RACK, seen=[seen("touched", ball="3")])
    )
    assert (verdict["legal"], after(verdict), fouls(verdict)["A"]) == (True, ("A", "in_hand_house"), 0)
    short = shot(before={**RACK, "cue": [560, 480]}, after={**RACK, "cue": [560, 600]})
    verdict = in_9_ball(TO_BREAK, short)  # the cue ball did not leave the house
    assert (verdict["legal"], after(verdict), verdict["state"]["9-ball"]["stage"]) == (
        True,
        ("A", "in_hand_house"),
        "break",
    )
    gone = shot(before={**RACK, "cue": [560, 480]}, after={**RACK, "cue": [560, 700]})
    assert clauses(in_9_ball(TO_BREAK, gone)) == ["NB-3a", "NB-3a"]


# ---------------------------------------------------------------------------------------------- NB-5: the push-out


def pushed(*events: Any, **more: Any) -> dict[str, Any]:
    more.setdefault("before", lying(1, 2, 4, 7, 9))
    return shot(*events, nominated=PUSH_OUT, **more)


@shows("NB-5b NB-5e", VIOLATED)
@pytest.mark.parametrize("events", [[], [cushion()], [hit("7")], [hit("2"), cushion()]])
def test_a_push_out_needs_no_contact_and_no_cushion(events: list[Any]) -> None:
    verdict = in_9_ball(nine("push_out_open"), pushed(*events))
    assert (verdict["legal"], after(verdict), options(verdict)) == (True, ("B", "as_it_lies"), {"accept", "pass_back"})
    assert {option["clause"] for option in verdict["next"]["options"]} == {"NB-5e"}


@shows("NB-5e", VIOLATED, SATISFIED)
def test_the_opponent_plays_or_passes_back() -> None:
    start = nine("push_out_open")
    assert after(in_9_ball(start, pushed(), official("choose", player="B", option="accept"))) == ("B", "as_it_lies")
    passed = in_9_ball(start, pushed(), official("choose", player="B", option="pass_back"))
    assert (after(passed), options(passed), passed["legal"]) == (("A", "as_it_lies"), set(), True)
    assert passed["state"]["9-ball"]["stage"] == "play"
    with pytest.raises(ValueError, match="option"):
        in_9_ball(start, pushed(), official("choose", player="A", option="pass_back"))
    played = in_9_ball(start, pushed(), shot(hit("1"), potted("1"), before=lying(1, 2, 4, 7, 9)))
    assert (played["potted"], after(played)) == (["1"], ("B", "as_it_lies"))  # playing is accepting


@shows("NB-5d", VIOLATED)
def test_balls_on_a_push_out_stay_down_but_the_9_is_spotted() -> None:
    verdict = in_9_ball(nine("push_out_open"), pushed(hit("9"), potted("9"), potted("4"), potted("1")))
    assert (verdict["legal"], verdict["potted"], verdict["spot"]) == (True, [], {"9": FOOT})
    assert (after(verdict), verdict["next"]["on"], verdict["frame"]["over"]) == (("B", "as_it_lies"), ["2"], False)


@shows("NB-5d", SATISFIED)
def test_the_9_on_the_shot_after_the_break_wins_if_no_push_out_was_declared() -> None:
    verdict = in_9_ball(nine("push_out_open"), shot(hit("1"), potted("9"), before=lying(1, 2, 9)))
    assert verdict["frame"] == {"over": True, "winner": "A", "result": "won"}


@shows("NB-5b", VIOLATED, SATISFIED)
@pytest.mark.parametrize(
    ("events", "more", "clause"),
    [
        ([potted("cue")], {}, "PG-18"),
        ([hit("7"), off("7")], {}, "NB-10b"),
        ([], {"seen": ["foot_off"]}, "PG-11"),
        ([], {"seen": ["double_hit"]}, "PG-20a"),
    ],
)
def test_all_other_rules_hold_on_a_push_out(events: list[Any], more: dict[str, Any], clause: str) -> None:
    verdict = in_9_ball(nine("push_out_open"), pushed(*events, **more))
    assert (clauses(verdict), after(verdict), options(verdict)) == ([clause], ("B", "in_hand_any"), set())
    assert fouls(verdict) == {"A": 1, "B": 0}


@shows("NB-5c NB-5a NB-5b NB-4a", SATISFIED)
@shows("NB-5c NB-5f NB-5a", VIOLATED)
def test_undeclared_or_out_of_season_it_is_an_ordinary_shot() -> None:
    plain = shot(hit("7"), before=lying(1, 2, 7, 9))
    assert set(clauses(in_9_ball(nine("push_out_open"), plain))) == {"NB-7", "NB-8"}
    assert set(clauses(in_9_ball(nine("play"), pushed(hit("7"))))) == {"NB-7", "NB-8"}
    assert set(clauses(in_9_ball(TO_BREAK, broke(hit("2"), nominated=PUSH_OUT)))) == {"NB-3a"}
    scratched = broke(hit("1"), potted("5"), potted("cue"))
    late = in_9_ball(TO_BREAK, scratched, pushed(hit("7")))
    assert (set(clauses(late)), after(late)) == ({"NB-7", "NB-8"}, ("A", "in_hand_any"))


@shows("NB-5f", SATISFIED)
def test_after_a_legal_break_the_incoming_player_has_the_push_out_only_once() -> None:
    first = in_9_ball(TO_BREAK, GOOD_BREAK, pushed(before=lying(*range(1, 10))))
    assert (first["legal"], options(first)) == (True, {"accept", "pass_back"})
    second = in_9_ball(TO_BREAK, GOOD_BREAK, pushed(before=lying(*range(1, 10))), pushed(before=lying(*range(1, 10))))
    assert second["legal"] is False


# ---------------------------------------------------------------------------------------------- NB-6 to NB-10


@shows("NB-8 PG-17", VIOLATED)
@shows("NB-10b", SATISFIED)
def test_nothing_pocketed_and_no_cushion_after_the_contact() -> None:
    before = lying(3, 5, 9)
    assert clauses(in_9_ball(nine(), shot(hit("3"), before=before))) == ["NB-8"]
    assert clauses(in_9_ball(nine(), shot(cushion(), hit("3"), before=before))) == ["NB-8"]
    assert in_9_ball(nine(), shot(cushion(), hit("3"), cushion("5"), before=before))["legal"] is True
    assert in_9_ball(nine(), shot(hit("3"), potted("5"), before=before))["legal"] is True
    assert clauses(in_9_ball(nine(), shot(before=before))) == ["NB-7"]  # nothing hit


@shows("NB-8 PG-17", SATISFIED, UNDECIDED)
def test_a_cushion_of_which_nobody_is_sure() -> None:
    unsure = shot(hit("3"), cushion("3", confidence=0.5), before=lying(3, 5, 9))
    verdict = in_9_ball(nine(), unsure)
    assert (verdict["legal"], verdict["undecided"][0]) == (
        None,
        {"question": "cushion_after_contact", "clause": "NB-8", "needs": "referee"},
    )
    said = in_9_ball(nine(), {**unsure, "observed": [confirm("cushion_after_contact", False)]})
    assert clauses(said) == ["NB-8"]
    assert fouls(verdict) == {"A": None, "B": 0}, "his count hangs on it, the other's doesn't"


@shows("NB-6a NB-10b NB-6c PG-24", VIOLATED)
@shows("NB-6a", SATISFIED)
def test_wrongly_pocketed_balls_stay_down_but_the_9_is_spotted() -> None:
    verdict = in_9_ball(nine(), shot(hit("5"), potted("9"), potted("2"), off("5"), before=lying(2, 3, 5, 9)))
    assert (set(clauses(verdict)), verdict["spot"], verdict["potted"]) == ({"NB-7", "NB-10b"}, {"9": FOOT}, [])
    assert (set(verdict["state"]["balls"]), fouls(verdict)["A"]) == ({"3", "9"}, 1)  # the cue ball is in hand
    assert verdict["next"]["on"] == ["3"]


@shows("NB-10b NB-10a PG-23a PG-23d", VIOLATED)
def test_an_object_ball_off_the_table_is_a_foul_and_stays_out() -> None:
    verdict = in_9_ball(nine(), shot(hit("2"), off("6"), cushion(), before=lying(2, 6, 9)))
    assert (clauses(verdict), verdict["spot"], "6" in verdict["state"]["balls"]) == (["NB-10b"], {}, False)
    off_9 = in_9_ball(nine(), shot(hit("2"), off("9"), cushion(), before=lying(2, 6, 9)))
    assert off_9["spot"] == {"9": FOOT}


@shows("NB-9a PG-8", VIOLATED, SATISFIED, BOUNDARY)
@shows("NB-9b", VIOLATED)
def test_the_cue_ball_in_hand_goes_anywhere_but_against_an_object_ball() -> None:
    state = nine(cue_ball="in_hand_any", foul_by="B", balls={"4": [820, 1460], "9": [1000, 900]})

    def placed(x: float, y: float) -> Any:
        lines = [official("place_cue_ball", at=[x, y]), official("ask", player="A", about="placement")]
        return in_9_ball(state, *lines)["answer"]

    assert placed(820 + BALL, 1460) is False
    assert placed(820 + BALL + 0.5, 1460) is True
    assert placed(300, 300) is True and placed(635, 2500) is True
    assert placed(20, 300) is False  # not on the bed
    told = in_9_ball(state, official("place_cue_ball", at=[877.15, 1460]))
    assert (told["legal"], after(told)) == (None, ("A", "in_hand_any"))
    again = in_9_ball(state, official("place_cue_ball", at=[877.15, 1460]), official("place_cue_ball", at=[600, 1460]))
    assert (again["legal"], again["announce"]["en"], after(again)) == (None, [], ("A", "in_hand_any"))


@shows("NB-9b NB-12b", SATISFIED)
def test_the_cue_ball_in_hand_may_be_handled() -> None:
    state = nine(cue_ball="in_hand_any", foul_by="B")
    handled = shot(
        moved("cue", "player"), strike=False, before=lying(4, 9), seen=[seen("touched", ball="cue", by="hand")]
    )
    verdict = in_9_ball(state, handled)
    assert (verdict["legal"], after(verdict), fouls(verdict)["A"]) == (True, ("A", "in_hand_any"), 0)


# ---------------------------------------------------------------------------------------------- NB-11: three fouls


@shows("NB-11a NB-11b", VIOLATED, BOUNDARY)
def test_the_third_foul_running_loses_the_game_after_a_warning() -> None:
    verdict = in_9_ball(nine(fouls=(2, 0), warned={"A": True}), WRONG)
    assert verdict["frame"] == {"over": True, "winner": "B", "result": "lost"}
    assert (verdict["legal"], verdict["next"]["player"], verdict["next"]["cue_ball"]) == (False, "B", "in_hand_house")
    assert fouls(verdict) == {"A": 0, "B": 0}  # the next game begins
    assert fouls(in_9_ball(nine(fouls=(1, 0), warned={"A": True}), WRONG)) == {"A": 2, "B": 0}


@shows("NB-11b", SATISFIED)
def test_without_the_warning_the_count_stays_at_two() -> None:
    verdict = in_9_ball(nine(fouls=(2, 0)), WRONG)
    assert (verdict["frame"]["over"], fouls(verdict), after(verdict)) == (False, {"A": 2, "B": 0}, ("B", "in_hand_any"))
    loss = in_9_ball(nine(fouls=(2, 0)), WRONG, options={"third_foul_unwarned": "loss"})
    assert loss["frame"]["winner"] == "B"


@shows("NB-11b", VIOLATED)
def test_the_warning_counts_between_the_second_foul_and_the_third() -> None:
    other = shot(hit("2"), cushion("2"), before=lying(2, 3, 5, 9))
    warning = official("warn", player="A", about="two_fouls")
    assert in_9_ball(nine(fouls=(1, 0)), WRONG, warning, other, WRONG)["frame"]["winner"] == "B"
    assert in_9_ball(nine(fouls=(1, 0)), warning, WRONG, other, WRONG)["frame"]["over"] is False  # too early
    both = official("warn", about="two_fouls")
    assert in_9_ball(nine(fouls=(1, 0)), WRONG, both, other, WRONG)["frame"]["winner"] == "B"
    told = in_9_ball(nine(fouls=(1, 0)), WRONG, warning)
    assert told["state"]["9-ball"]["warned"] == {"A": True, "B": False}
    assert told["announce"]["en"] == ["You are on two fouls: A"]


@shows("NB-11a", SATISFIED)
def test_a_legal_shot_between_ends_the_run() -> None:
    warned = nine(fouls=(2, 0), warned={"A": True})
    other = shot(hit("2"), cushion("2"), before=lying(2, 3, 5, 9))
    verdict = in_9_ball(warned, MISS, other, WRONG)
    assert (verdict["frame"]["over"], fouls(verdict)) == (False, {"A": 1, "B": 0})
    assert in_9_ball(warned, MISS)["state"]["9-ball"]["warned"] == {"A": False, "B": False}


# ---------------------------------------------------------------------------------------------- NB-12, NB-13, NB-4c


@shows("NB-12b PG-19a", VIOLATED)
@shows("NB-12a", VIOLATED)
def test_a_foul_between_shots_ends_the_visit_too() -> None:
    touch = shot(
        moved("7", "player"), strike=False, before=lying(3, 7, 9), seen=[seen("touched", ball="7", by="clothing")]
    )
    verdict = in_9_ball(nine(), shot(hit("2"), potted("2"), before=lying(2, 3, 7, 9)), touch)
    assert (clauses(verdict), after(verdict), fouls(verdict)["A"]) == (["PG-19a"], ("B", "in_hand_any"), 1)


@shows("NB-4c NB-13b", VIOLATED)
@pytest.mark.parametrize(
    ("state", "record"),
    [
        (TO_BREAK, broke(hit("1"), potted("9"))),
        (nine(), shot(hit("2"), hit("9", by="2"), potted("9"), before=lying(2, 3, 9))),
        (nine(), shot(hit("9"), potted("9"), before=lying(9))),
        (nine(), shot(hit("2"), potted("2"), potted("9"), before=lying(2, 3, 9))),
    ],
)
def test_the_9_on_a_legal_shot_wins(state: dict[str, Any], record: dict[str, Any]) -> None:
    verdict = in_9_ball(state, record)
    assert verdict["frame"] == {"over": True, "winner": "A", "result": "won"}
    assert "9" in verdict["potted"] and verdict["spot"] == {}


@shows("NB-4c NB-13b NB-1e", SATISFIED)
def test_the_9_with_a_foul_does_not_win() -> None:
    verdict = in_9_ball(nine(), shot(hit("2"), potted("9"), potted("cue"), before=lying(2, 3, 9)))
    assert (clauses(verdict), verdict["frame"]["over"], verdict["spot"]) == (["PG-18"], False, {"9": FOOT})
    beside = in_9_ball(nine(), shot(hit("3"), potted("9"), before=lying(2, 3, 9), after=lying(2, b3=(655, 1915))))
    assert beside["spot"] == {"9": [635, pytest.approx(1968.54, abs=0.01)]}


@shows("NB-4c", VIOLATED)
def test_a_game_may_be_awarded_for_a_serious_breach() -> None:
    verdict = in_9_ball(nine(), official("award", to="B", for_="conduct"))
    assert verdict["frame"] == {"over": True, "winner": "B", "result": "awarded"}


@shows("NB-1e", VIOLATED)
@shows("SUP-PG-29", VIOLATED)
def test_the_match_ends_with_the_set_number_of_games_and_the_winner_breaks_the_next() -> None:
    win = shot(hit("9"), potted("9"), before=lying(9))
    verdict = in_9_ball(nine(frames={"A": 2, "B": 3}, frames_to_win=4, striker="A", breaker="B"), win)
    assert (verdict["match"]["over"], after(verdict), verdict["state"]["frames"]) == (
        False,
        ("A", "in_hand_house"),
        {"A": 3, "B": 3},
    )
    assert verdict["state"]["9-ball"] == {
        "stage": "break",
        "fouls": {"A": 0, "B": 0},
        "warned": {"A": False, "B": False},
    }
    last = in_9_ball(nine(frames={"A": 3, "B": 3}, frames_to_win=4), win)
    assert (last["match"], last["next"]["player"]) == ({"over": True, "winner": "A"}, None)
    assert last["announce"] == {
        "en": ["Game, A", "A wins by four games to three"],
        "ru": ["Партия, A", "Матч выиграл A, счёт четыре — три"],
    }


@shows("SUP-PG-29", SATISFIED)
@pytest.mark.parametrize(
    ("way", "games", "player"),
    [
        ("winner", (0, 0), "A"),
        ("alternate", (0, 0), "B"),
        ("loser", (0, 0), "B"),
        ("trailing", (0, 0), "B"),
        ("trailing", (0, 2), "A"),
        ("trailing", (2, 3), "B"),  # three games each: in turn
    ],
)
def test_the_organisers_may_choose_who_breaks_the_next_game(way: str, games: tuple[int, int], player: str) -> None:
    state = nine(frames={"A": games[0], "B": games[1]}, breaker="A")
    verdict = in_9_ball(state, shot(hit("9"), potted("9"), before=lying(9)), options={"next_break": way})
    assert verdict["next"]["player"] == player


def test_the_current_rules_differ() -> None:
    """Section 3 of the clauses: DIF-32."""
    miscue = shot(
        {"kind": "jump", "ball": "cue", "over": "3", "touched": False},
        *(hit("2"), cushion("2")),
        before=lying(2, 3, 9),
        seen=["miscue"],
    )
    assert in_9_ball(nine(), miscue, rules="current")["legal"] is True
    assert clauses(in_9_ball(nine(), miscue)) == ["PG-22b"]


def test_a_ball_that_came_back_to_the_bed_is_in_play() -> None:
    verdict = in_9_ball(nine(), shot(hit("2"), returned("2"), cushion(), before=lying(2, 3, 9)))
    assert (verdict["legal"], verdict["next"]["on"]) == (True, ["2"])


@pytest.mark.parametrize(
    ("field", "value"),
    [("stage", "middle"), ("fouls", {"C": 1}), ("fouls", {"A": -1}), ("warned", {"A": 1}), ("fouls", [])],
)
def test_a_state_that_is_none_is_refused(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"9-ball\.{field}"):
        in_9_ball({"players": ["A", "B"], "9-ball": {field: value}}, GOOD_BREAK)
