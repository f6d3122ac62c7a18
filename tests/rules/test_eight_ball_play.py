"""8-ball: open table, groups, calls, safety, fouls."""

from typing import Any

import pytest
from eight_play import OPEN, SAFETY, eight, in_8_ball, part
from play import clauses, confirm, cushion, hit, moved, off, potted, questions, shot
from pool_play import BALL, FOOT, LYING, after, call, lying, pot, seen
from shows import SATISFIED, UNDECIDED, VIOLATED, shows

# ---------------------------------------------------------------------------------------------- EB-6, EB-7: open table


@shows("EB-6c EB-7b EB-6a", VIOLATED)
def test_on_an_open_table_a_solid_may_pocket_a_called_stripe() -> None:
    combination = shot(hit("2"), hit("10", by="2"), potted("10"), before=lying(2, 3, 8, 10, 12), nominated=call(10))
    verdict = in_8_ball(eight("open"), combination)
    assert (verdict["legal"], verdict["potted"], after(verdict)) == (True, ["10"], ("A", "as_it_lies"))
    assert (part(verdict)["groups"], verdict["next"]["on"]) == ({"A": "stripes", "B": "solids"}, ["stripes"])


@shows("EB-6c EB-6a", SATISFIED)
def test_with_groups_taken_the_other_group_may_not_be_hit_first() -> None:
    combination = shot(hit("2"), hit("10", by="2"), potted("10"), before=lying(2, 3, 8, 10, 12), nominated=call(10))
    verdict = in_8_ball(eight(groups={"A": "stripes", "B": "solids"}), combination)
    assert clauses(verdict) == ["EB-8a"]


@shows("EB-7b", SATISFIED)
@shows("EB-6a EB-6e", SATISFIED)
@pytest.mark.parametrize(
    "events",
    [[potted("3", "top-right")], [hit("11", by="3"), potted("11")]],
    ids=["another pocket", "another ball"],
)
def test_what_does_not_fall_as_called_takes_no_group(events: list[Any]) -> None:
    verdict = in_8_ball(eight("open"), shot(hit("3"), *events, before=lying(3, 5, 8, 11), nominated=call(3)))
    assert (verdict["legal"], verdict["potted"], after(verdict)) == (True, [], ("B", "as_it_lies"))
    assert (part(verdict)["stage"], verdict["next"]["on"]) == ("open", OPEN)


@shows("EB-12", VIOLATED)
def test_what_falls_beside_the_called_ball_stays_down_uncounted() -> None:
    both = shot(hit("3"), potted("3"), hit("11", by="3"), potted("11"), before=lying(3, 5, 8, 11), nominated=call(3))
    verdict = in_8_ball(eight("open"), both)
    assert (verdict["potted"], part(verdict)["groups"]["A"]) == (["3"], "solids")
    assert set(verdict["state"]["balls"]) == {"cue", "5", "8"}


@shows("EB-6d", VIOLATED)
@shows("EB-8a", SATISFIED)
def test_the_8_first_on_an_open_table_ends_the_visit_without_a_foul() -> None:
    first = shot(hit("8"), hit("10", by="8"), potted("10"), before=lying(2, 8, 10), nominated=call(10))
    verdict = in_8_ball(eight("open"), first)
    assert (verdict["legal"], verdict["potted"], after(verdict)) == (True, [], ("B", "as_it_lies"))
    assert (part(verdict)["stage"], verdict["next"]["on"], verdict["spot"]) == ("open", OPEN, {})
    current = in_8_ball(eight("open"), first, options={"open_table_eight_first": "foul"})
    assert (clauses(current), after(current)) == (["EB-8a"], ("B", "in_hand_any"))


@shows("EB-6d", SATISFIED)
def test_the_8_after_another_ball_is_no_matter() -> None:
    second = shot(hit("2"), hit("8", by="2"), hit("10", by="8"), potted("10"), before=lying(2, 8, 10))
    verdict = in_8_ball(eight("open"), {**second, "nominated": call(10)})
    assert (verdict["potted"], verdict["next"]["player"]) == (["10"], "A")


@shows("EB-6d EB-8a", UNDECIDED)
def test_which_ball_was_first_is_asked() -> None:
    unsure = shot(hit("8", t_sigma=0.2), hit("2", t_sigma=0.2), cushion("2", t=13.0), before=lying(2, 8, 10))
    verdict = in_8_ball(eight(), unsure)
    assert (verdict["legal"], questions(verdict)) == (None, {"first_contact"})
    assert verdict["undecided"][0]["clause"] == "EB-8a"
    settled = in_8_ball(eight(), {**unsure, "observed": [confirm("first_contact", "2")]})
    assert (settled["legal"], settled["undecided"]) == (True, [])


def test_a_called_ball_of_unknown_group_is_asked_for() -> None:
    before = {**lying(2, 8, 10), "ball-3": [300, 1300]}
    verdict = in_8_ball(eight("open"), shot(hit("ball-3"), potted("ball-3"), before=before))
    assert "group" in questions(verdict)
    told = shot(hit("ball-3"), potted("ball-3"), before=before, seen=[confirm("group", "stripes", "ball-3")])
    assert part(in_8_ball(eight("open"), told))["groups"] == {"A": "stripes", "B": "solids"}


# ---------------------------------------------------------------------------------------------- EB-1, EB-2, EB-8 to 12


@shows("EB-1a EB-10a", VIOLATED)
@shows("EB-12 EB-2b EB-9a", SATISFIED)
def test_a_called_ball_of_his_own_group_lets_him_go_on() -> None:
    verdict = in_8_ball(eight(), pot(2, before=lying(2, 3, 8, 10)))
    assert (verdict["potted"], after(verdict), verdict["next"]["on"]) == (["2"], ("A", "as_it_lies"), ["solids"])


@shows("EB-1a EB-10a", SATISFIED)
@shows("EB-12 EB-2c", VIOLATED)
def test_a_ball_of_the_other_group_does_not_even_if_called() -> None:
    other = shot(hit("2"), hit("10", by="2"), potted("10"), before=lying(2, 3, 8, 10, 12), nominated=call(10))
    verdict = in_8_ball(eight(), other)
    assert (verdict["legal"], verdict["potted"], after(verdict)) == (True, [], ("B", "as_it_lies"))
    assert (verdict["spot"], "10" in verdict["state"]["balls"]) == ({}, False)


@shows("EB-2c", SATISFIED)
def test_a_ball_that_came_back_out_of_the_pocket_is_not_down() -> None:
    back = {"kind": "returned", "ball": "2", "via": "pocket"}
    verdict = in_8_ball(eight(), shot(hit("2"), potted("2"), back, cushion("cue"), before=lying(2, 3, 8, 10)))
    assert (verdict["potted"], verdict["next"]["player"]) == ([], "B")


@shows("EB-2a", VIOLATED)
def test_an_obvious_ball_need_not_be_called() -> None:
    straight = shot(hit("2"), potted("2"), before=lying(2, 3, 8, 10))
    verdict = in_8_ball(eight(), straight)
    assert (verdict["potted"], verdict["next"]["player"], verdict["undecided"]) == (["2"], "A", [])


@shows("EB-2a", SATISFIED)
def test_the_opponent_may_object_to_a_call_that_was_not_spoken() -> None:
    straight = shot(hit("2"), potted("2"), before=lying(2, 3, 8, 10), seen=[seen("call_valid", value=False)])
    verdict = in_8_ball(eight(), straight)
    assert (verdict["legal"], verdict["potted"], verdict["next"]["player"]) == (True, [], "B")


BANK = shot(hit("2"), cushion("2"), potted("2"), before=lying(2, 3, 8, 10))
COMBINATION = shot(hit("2"), hit("3", by="2"), potted("3"), before=lying(2, 3, 5, 8, 10))


@shows("EB-2b", VIOLATED)
@pytest.mark.parametrize("played", [BANK, COMBINATION], ids=["bank", "combination"])
def test_banks_and_combinations_must_be_called(played: dict[str, Any]) -> None:
    verdict = in_8_ball(eight(), played)
    assert (verdict["legal"], verdict["potted"], verdict["next"]["player"]) == (True, [], "B")
    valid = in_8_ball(eight(), {**played, "observed": [seen("call_valid", value=True)]})
    assert valid["next"]["player"] == "A"


@shows("EB-2b", SATISFIED)
def test_when_called_they_count() -> None:
    assert in_8_ball(eight(), {**BANK, "nominated": call(2)})["potted"] == ["2"]
    assert in_8_ball(eight(), {**COMBINATION, "nominated": call(3)})["potted"] == ["3"]


@shows("EB-2b", UNDECIDED)
def test_whether_a_shot_off_a_cushion_was_obvious_is_asked() -> None:
    kick = shot(cushion("cue"), hit("2"), potted("2"), before=lying(2, 3, 8, 10))
    verdict = in_8_ball(eight(), kick)
    assert questions(verdict) == {"call_valid"}
    assert in_8_ball(eight(), {**kick, "nominated": call(2)})["potted"] == ["2"]


@shows("EB-10a", UNDECIDED)
def test_into_which_pocket_a_called_ball_fell_is_asked() -> None:
    before = lying(2, 3, 8, 10)
    vanished = shot(hit("2"), before=before, after={b: p for b, p in before.items() if b != "2"}, nominated=call(2))
    verdict = in_8_ball(eight(), {**vanished, "observed": [confirm("potted", "pocket", "2")]})
    assert questions(verdict) == {"pocket"}


@shows("EB-8a EB-11a PG-16a", VIOLATED)
def test_the_other_group_first_gives_the_whole_table() -> None:
    verdict = in_8_ball(eight(), shot(hit("10"), cushion("10"), before=lying(2, 8, 10)))
    assert (clauses(verdict), after(verdict), verdict["next"]["on"]) == (["EB-8a"], ("B", "in_hand_any"), ["stripes"])
    eight_first = in_8_ball(eight(), shot(hit("8"), cushion("8"), before=lying(2, 8, 10)))
    assert clauses(eight_first) == ["EB-8a"]
    nothing = in_8_ball(eight(), shot(cushion("cue"), before=lying(2, 8, 10)))
    assert clauses(nothing) == ["EB-8a"]


@shows("EB-8a EB-11a", SATISFIED)
@shows("EB-8b", VIOLATED)
@pytest.mark.parametrize(
    ("events", "legal"),
    [
        ([hit("2"), cushion("cue")], True),
        ([hit("2"), cushion("3")], True),
        ([cushion("cue"), hit("2"), cushion("2")], True),
        ([cushion("cue"), hit("2")], False),
        ([hit("2")], False),
        ([hit("2"), potted("10")], True),
    ],
)
def test_after_the_contact_a_cushion_or_a_pocket(events: list[Any], legal: bool) -> None:
    verdict = in_8_ball(eight(), shot(*events, before=lying(2, 3, 8, 10, 12)))
    assert verdict["legal"] is legal


@shows("EB-8b", SATISFIED)
def test_a_cushion_before_the_contact_is_no_foul_by_itself() -> None:
    verdict = in_8_ball(eight(), shot(cushion("cue"), hit("2"), potted("10"), before=lying(2, 3, 8, 10)))
    assert verdict["legal"] is True


@shows("EB-9a EB-9c EB-12", VIOLATED)
@shows("EB-9b", SATISFIED)
def test_a_declared_safety_ends_the_visit_and_what_fell_stays_down() -> None:
    verdict = in_8_ball(eight(), shot(hit("2"), potted("2"), before=lying(2, 3, 8, 10), nominated=SAFETY))
    assert (verdict["legal"], verdict["potted"], after(verdict)) == (True, [], ("B", "as_it_lies"))
    assert "2" not in verdict["state"]["balls"]
    open_still = in_8_ball(eight("open"), shot(hit("2"), potted("2"), before=lying(2, 8, 10), nominated=SAFETY))
    assert part(open_still)["groups"] == {}


@shows("EB-9b", VIOLATED)
@shows("EB-9a", SATISFIED)
@shows("EB-9c", SATISFIED)
def test_undeclared_he_must_play_on() -> None:
    verdict = in_8_ball(eight(), shot(hit("2"), potted("2"), before=lying(2, 3, 8, 10)))
    assert verdict["next"]["player"] == "A"


def test_a_safety_must_be_a_legal_shot_too() -> None:
    verdict = in_8_ball(eight(), shot(hit("2"), before=lying(2, 8, 10), nominated=SAFETY))
    assert clauses(verdict) == ["EB-8a"]


@shows("EB-10b", VIOLATED)
def test_after_the_last_of_his_group_he_is_on_the_8() -> None:
    verdict = in_8_ball(eight(), pot(7, before=lying(7, 8, 10)))
    assert verdict["next"]["on"] == ["8"]
    by_safety = in_8_ball(eight(), shot(hit("7"), potted("7"), before=lying(7, 8, 10), nominated=SAFETY))
    assert by_safety["next"]["on"] == ["stripes"]
    miss = shot(hit("10"), cushion("10"), before=lying(8, 10))
    assert in_8_ball(eight(striker="B"), miss)["next"]["on"] == ["8"]


@shows("EB-10b", SATISFIED)
def test_with_a_ball_of_his_group_left_he_is_not() -> None:
    assert in_8_ball(eight(), pot(7, before=lying(3, 7, 8, 10)))["next"]["on"] == ["solids"]


@shows("EB-10b", UNDECIDED)
def test_whether_the_group_is_cleared_is_asked_where_a_ball_is_not_known() -> None:
    before = {**lying(8, 10), "ball-3": [300, 1300]}
    verdict = in_8_ball(eight(), shot(hit("8"), cushion("8"), before=before))
    assert "own_group_left" in questions(verdict)


def test_it_is_not_asked_where_the_unknown_balls_are_too_many_to_be_all_others() -> None:
    """Nine unknown balls can't be seven stripes and the 8."""
    before = {"cue": [640, 1000], **{f"ball-{i}": list(LYING[str(i)]) for i in range(1, 10)}}
    miss = shot(hit("ball-3"), cushion("ball-3"), before=before, seen=[confirm("group", "solids", "ball-3")])
    assert in_8_ball(eight(), miss)["undecided"] == []
    del before["ball-9"]
    assert questions(in_8_ball(eight(), {**miss, "before": before, "after": before})) >= {"own_group_left"}


@shows("EB-11b", VIOLATED)
def test_the_cue_ball_in_hand_may_be_moved_with_the_cue() -> None:
    in_hand = eight(cue_ball="in_hand_any", foul_by="B", balls=["2", "8", "10"])
    moving = shot(moved("cue", "player"), strike=False, seen=[seen("touched", ball="cue", by="tip")])
    verdict = in_8_ball(in_hand, moving)
    assert (verdict["legal"], after(verdict)) == (True, ("A", "in_hand_any"))


@shows("EB-11b", SATISFIED)
def test_in_play_it_may_not() -> None:
    moving = shot(moved("cue", "player"), before=lying(2, 8, 10), strike=False)
    assert clauses(in_8_ball(eight(), moving)) == ["PG-19b"]


STARTED = shot(before=lying(2, 8, 10))


@shows("EB-11c", VIOLATED)
def test_a_forward_stroke_at_the_placed_ball_is_a_shot() -> None:
    in_hand = eight(cue_ball="in_hand_any", foul_by="B")
    assert clauses(in_8_ball(in_hand, STARTED)) == ["EB-8a"]
    assert clauses(in_8_ball(in_hand, {**STARTED, "observed": [confirm("placed", True)]})) == ["EB-8a"]


@shows("EB-11c", SATISFIED)
@pytest.mark.parametrize("what", [seen("not_a_stroke"), confirm("placed", False)])
def test_while_it_is_being_placed_none_has_begun(what: dict[str, Any]) -> None:
    verdict = in_8_ball(eight(cue_ball="in_hand_any", foul_by="B"), {**STARTED, "observed": [what]})
    assert (verdict["legal"], after(verdict)) == (True, ("A", "in_hand_any"))


@shows("EB-11a EB-2c", VIOLATED)
def test_what_falls_on_a_foul_stays_down_for_good() -> None:
    verdict = in_8_ball(eight(), pot(7, before=lying(7, 8, 10), seen=["foot_off"]))
    assert (verdict["potted"], verdict["spot"], after(verdict)) == ([], {}, ("B", "in_hand_any"))
    back = shot(hit("10"), cushion("10"), before=lying(8, 10))
    assert in_8_ball(eight(striker="B"), back)["next"]["on"] == ["8"]


@shows("EB-13a EB-13c", VIOLATED)
@shows("EB-13b EB-15c", SATISFIED)
def test_a_ball_off_the_table_is_spotted_and_one_that_fell_is_not() -> None:
    before = lying(2, 3, 8, 10, 12)
    verdict = in_8_ball(eight(), shot(hit("2"), potted("3"), off("12"), off("2"), before=before))
    assert (clauses(verdict), after(verdict)) == (["EB-13a", "EB-13a"], ("B", "in_hand_any"))
    assert verdict["spot"] == {"2": FOOT, "12": [FOOT[0], pytest.approx(FOOT[1] + BALL)]}
    assert "3" not in verdict["state"]["balls"]


@shows("EB-13a", SATISFIED)
def test_a_ball_that_came_back_from_the_rail_is_no_foul() -> None:
    back = {"kind": "returned", "ball": "2", "via": "rail"}
    assert in_8_ball(eight(), shot(hit("2"), back, cushion("2"), before=lying(2, 8, 10)))["legal"] is True
    touched = shot(hit("2"), back, cushion("2"), before=lying(2, 8, 10), seen=[seen("foreign_object", ball="2")])
    verdict = in_8_ball(eight(), touched)
    assert (clauses(verdict), verdict["spot"]) == (["EB-13a"], {"2": FOOT})


@shows("EB-13c", UNDECIDED)
def test_where_a_ball_is_spotted_is_asked_where_positions_are_unknown() -> None:
    verdict = in_8_ball(eight(), shot(hit("2"), off("2"), cushion("cue"), before=lying(2, 3, 8, 10), after=None))
    assert (questions(verdict), verdict["spot"]) == ({"spot_place"}, {})


# ---------------------------------------------------------------------------------------------- the current rules


def test_by_the_current_rules_every_shot_is_called_with_its_pocket() -> None:
    straight = shot(hit("2"), potted("2"), before=lying(2, 3, 8, 10))
    assert in_8_ball(eight(), straight, rules="current")["next"]["player"] == "B"
    only_the_ball = {**straight, "nominated": {"ball": "2"}}
    assert in_8_ball(eight(), only_the_ball, rules="current")["next"]["player"] == "B"
    assert in_8_ball(eight(), pot(2, before=lying(2, 3, 8, 10)), rules="current")["next"]["player"] == "A"
    said = {**straight, "observed": [seen("call_valid", value=True)]}
    assert in_8_ball(eight(), said, rules="current")["next"]["player"] == "A"


def test_by_the_current_rules_balls_off_the_table_stay_out() -> None:
    flew = shot(hit("2"), off("12"), cushion("2"), before=lying(2, 3, 8, 10, 12))
    verdict = in_8_ball(eight(), flew, rules="current")
    assert (clauses(verdict), verdict["spot"]) == (["EB-13a"], {})
    assert "12" not in verdict["state"]["balls"]


def test_on_the_8_with_no_balls_named() -> None:
    verdict = in_8_ball(eight(on=["8"]), shot(hit("8"), cushion("8"), after=None))
    assert (verdict["legal"], verdict["next"]["on"]) == (True, ["stripes"])
    again = in_8_ball(verdict["state"], shot(hit("10"), cushion("10"), after=None))
    assert again["next"]["on"] == ["8"]
