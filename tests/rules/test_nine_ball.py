"""9-ball: legal shots, the break, the push-out."""

from typing import Any

import pytest
from nine_play import GOOD_BREAK, MISS, PUSH_OUT, RACK, TO_BREAK, WRONG, broke, cushions
from play import clauses, confirm, cushion, hit, moved, off, official, options, potted, questions, shot
from pool_play import BALL, CUE, FOOT, after, fouls, in_9_ball, lying, nine, seen
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

from referee.rules.geometry import diamond

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
