"""Snooker, sections 2.6 and 3.11: each penalty with its amount, and what doesn't cost anything."""

import pytest
from play import (
    SPOTS,
    clauses,
    confirm,
    cushion,
    fell,
    hit,
    judged,
    layout,
    moved,
    off,
    official,
    only,
    potted,
    questions,
    shot,
    snooker,
    struck,
)
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

VALUES = {"yellow": 2, "green": 3, "brown": 4, "blue": 5, "pink": 6, "black": 7}


def seen(kind: str, **more: object) -> dict[str, object]:
    return {"kind": kind, **more}


@shows("SN-3.11", VIOLATED, SATISFIED, BOUNDARY)
@shows("SN-3.11.1f SN-3.10.3a SN-2.14", VIOLATED)
@pytest.mark.parametrize("colour", list(VALUES))
def test_missing_all_balls_costs_the_ball_on_and_never_less_than_four(colour: str) -> None:
    verdict = judged(snooker("colour"), shot(cushion(), before=layout(3), on=colour))
    assert clauses(verdict) == ["SN-3.11.1f"]
    assert verdict["penalty"] == max(4, VALUES[colour])
    assert verdict["points"] == {"A": 0, "B": max(4, VALUES[colour])}


@shows("SN-3.11.1a SN-2.6.2a", VIOLATED)
def test_before_all_balls_are_still() -> None:
    verdict = judged(snooker("colour"), shot(hit("black"), before=layout(3), on="black", seen=["balls_moving"]))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.1a"], 7)


@shows("SN-3.11.1b SN-2.6.2c", VIOLATED)
def test_double_hit() -> None:
    verdict = judged(snooker(), shot(struck(), hit("red-1"), before=layout(3)))  # the tip met it twice
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.1b"], 4)
    verdict = judged(snooker(), shot(hit("red-1"), before=layout(3), seen=["double_hit"]))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.1b"], 4)


@shows("SN-3.11.1c SN-2.6.2d", VIOLATED)
@shows("DIS-1 DIS-2", SATISFIED)
def test_both_feet_off_the_floor() -> None:
    record = shot(hit("blue"), potted("blue"), before=layout(3), on="blue", seen=["foot_off"])
    verdict = judged(snooker("colour", (11, 0)), record)
    assert (clauses(verdict), verdict["penalty"], verdict["score"]) == (["SN-3.11.1c"], 5, {"A": 11, "B": 5})
    assert verdict["spot"] == {"blue": SPOTS["blue"]}


@shows("DIS-1 DIS-2", VIOLATED)
def test_a_player_in_a_wheelchair_may_have_his_feet_up_but_stays_seated() -> None:
    state = snooker(snooker={"players_disabled": ["A"]})
    assert judged(state, shot(hit("red-1"), before=layout(3), seen=["foot_off"]))["legal"] is True
    verdict = judged(state, shot(hit("red-1"), before=layout(3), seen=[confirm("left_seat", True)]))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.1c"], 4)


@shows("DIS-3a", VIOLATED, SATISFIED)
@shows("SN-3.12.n2", VIOLATED)
def test_the_referees_touch_is_nobodys_foul() -> None:
    state = snooker(snooker={"players_disabled": ["A"]})
    touched = shot(
        moved("blue", "player"), before=layout(3), strike=False, seen=[seen("touched", ball="blue", by="referee")]
    )
    verdict = judged(state, touched)
    assert (verdict["legal"], verdict["restore"]) == (True, {"blue": SPOTS["blue"]})
    own = {**touched, "observed": [seen("touched", ball="blue", by="rest")]}
    assert judged(state, own)["legal"] is False


@shows("SN-3.11.1d SN-3.14.1", VIOLATED)
def test_out_of_turn_in_doubles_and_in_singles() -> None:
    doubles = {"teams": {"A": ["A1", "A2"], "B": ["B1", "B2"]}, "order": ["A1", "B1", "A2", "B2"], "striker": "A1"}
    state = {**doubles, "on": ["red"], "cue_ball": "as_it_lies"}
    record = shot(hit("red-1"), potted("red-1"), before=layout(8), seen=[seen("out_of_turn", player="A2")])
    verdict = judged(state, record)
    assert (clauses(verdict), verdict["points"], verdict["next"]["player"]) == (["SN-3.11.1d"], {"A": 0, "B": 4}, "B1")
    record = shot(hit("red-1"), before=layout(8), seen=[seen("out_of_turn", player="B")])
    verdict = judged(snooker(), record)
    assert (verdict["points"], verdict["next"]["player"]) == ({"A": 4, "B": 0}, "A")


@shows("SN-3.11.1e SN-3.4", VIOLATED)
@shows("SN-3.11.1e SN-3.4", SATISFIED, BOUNDARY)
@pytest.mark.parametrize(
    ("place", "legal"),
    [((889, 737), True), ((889, 445), True), ((889, 444), False), ((740, 760), False), ((597, 737), True)],
)
def test_in_hand_the_cue_ball_is_played_from_the_d(place: tuple[float, float], legal: bool) -> None:
    before = layout(8, cue=place, brown=(300, 1500), green=(300, 1300))
    verdict = judged(snooker(cue_ball="in_hand_D"), shot(hit("red-1"), before=before))
    assert (verdict["legal"], clauses(verdict)) == (legal, [] if legal else ["SN-3.11.1e"])


@shows("SN-3.11.1e", VIOLATED)
def test_a_bad_placement_that_somebody_saw() -> None:
    record = shot(hit("red-1"), seen=["bad_placement"])
    assert clauses(judged(snooker(cue_ball="in_hand_D"), record)) == ["SN-3.11.1e"]


@shows("SN-3.11.1g SN-2.7.1 SN-3.3.3b SN-3.10.2 SN-3.10.1d SN-3.10.1a", VIOLATED)
def test_three_fouls_in_one_stroke_cost_the_highest() -> None:
    events = [hit("green"), hit("blue", by="green"), potted("blue", "middle-left"), potted("cue")]
    verdict = judged(snooker(score=(20, 20), **{"break": 20}), shot(*events, before=layout(5)))
    assert set(clauses(verdict)) == {"SN-3.11.2a", "SN-3.11.2b", "SN-3.11.1g"}
    assert [foul["value"] for foul in verdict["fouls"]] == [5, 4, 4]
    assert (verdict["penalty"], verdict["score"]) == (5, {"A": 20, "B": 25})
    assert (verdict["next"]["cue_ball"], verdict["spot"]) == ("in_hand_D", {"blue": SPOTS["blue"]})
    assert verdict["announce"]["en"] == ["A, break of twenty", "Foul, five points", "Cue ball in hand"]


@shows("SN-3.10.2 SN-3.10.1a SN-3.10.1d SN-3.10.3a SN-3.10.1e SN-3.11", SATISFIED)
def test_no_foul_no_penalty() -> None:
    verdict = judged(snooker(), shot(hit("red-1"), before=layout(5)))
    assert (verdict["fouls"], verdict["penalty"], verdict["announce"]["en"]) == ([], 0, [])


@shows("SN-3.11.1g SN-2.11.n2", VIOLATED)
def test_a_red_that_fell_on_a_foul_stays_out() -> None:
    verdict = judged(snooker(), shot(hit("red-1"), potted("red-1"), potted("cue"), before=layout(1)))
    assert (verdict["points"], verdict["spot"], verdict["next"]["on"]) == ({"A": 0, "B": 4}, {}, ["yellow"])


@shows("SN-2.11.n2", SATISFIED)
def test_but_one_that_fell_by_itself_is_put_back() -> None:
    before = layout(3, red_1=(24, 3545))
    assert judged(snooker(), shot(fell("red-1", 8.0), before=before, strike=False))["restore"] == {"red-1": [24, 3545]}


@shows("SN-3.11.2a SN-3.3.4", VIOLATED)
@pytest.mark.parametrize(("on", "nominated", "falls", "penalty"), [
    ("red", None, "green", 4), ("red", None, "pink", 6), ("colour", "pink", "red-3", 6), ("colour", "blue", "black", 7),
])  # fmt: skip
def test_a_ball_not_on_that_falls(on: str, nominated: str | None, falls: str, penalty: int) -> None:
    first = nominated or "red-1"
    record = shot(hit(first), hit(falls, by=first), potted(falls), before=layout(7), on=nominated)
    verdict = judged(snooker(on), record)
    assert (clauses(verdict), verdict["penalty"], verdict["potted"]) == (["SN-3.11.2a"], penalty, [])


@shows("SN-3.11.2a", VIOLATED)
def test_in_the_sequence_both_colours_come_back() -> None:
    events = [hit("brown"), hit("blue", by="brown"), potted("brown"), potted("blue")]
    verdict = judged(snooker("brown", (50, 40)), shot(*events, before=only("brown", "blue", "pink", "black")))
    assert (verdict["penalty"], verdict["next"]["on"]) == (5, ["brown"])
    assert verdict["spot"] == {"brown": SPOTS["brown"], "blue": SPOTS["blue"]}


@shows("SN-3.11.2b SN-3.3.3a", VIOLATED)
@pytest.mark.parametrize(("on", "nominated", "first", "penalty"), [
    ("red", None, "black", 7), ("red", None, "yellow", 4), ("colour", "blue", "pink", 6), ("yellow", None, "green", 4),
    ("blue", None, "black", 7), ("pink", None, "blue", 6),
])  # fmt: skip
def test_a_ball_not_on_hit_first(on: str, nominated: str | None, first: str, penalty: int) -> None:
    before = layout(7 if on in ("red", "colour") else 0)
    verdict = judged(snooker(on), shot(hit(first), before=before, on=nominated))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.2b"], penalty)


@shows("SN-3.11.2c SN-2.6.2b SN-2.18.1 SN-2.18.2", VIOLATED)
def test_push_stroke() -> None:
    verdict = judged(snooker("colour"), shot(hit("brown"), before=layout(5), on="brown", seen=["push"]))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.2c"], 4)
    verdict = judged(snooker(), shot(hit("red-1"), before=layout(5), seen=[seen("push", ball="black")]))
    assert verdict["penalty"] == 7


@shows("SN-2.18.x", SATISFIED)
def test_the_finest_edge_of_an_almost_touching_ball() -> None:
    before = layout(3, cue=(640, 2380 - 52.9))
    record = shot(hit("red-1", t=10.01), cushion(), before=before, seen=[confirm("touching", False, "red-1")])
    assert judged(snooker(), record)["legal"] is True


@shows("SN-3.11.2d SN-2.6.2a SN-3.10.1c SN-2.11.2b", VIOLATED)
def test_played_before_the_colour_was_spotted() -> None:
    record = shot(
        hit("red-2"), potted("red-2"), before=layout(8, black=None), seen=[seen("ball_misplaced", ball="black")]
    )
    verdict = judged(snooker(score=(15, 0), **{"break": 15}), record)
    assert (clauses(verdict), verdict["penalty"], verdict["score"]) == (["SN-3.11.2d"], 7, {"A": 15, "B": 7})
    assert verdict["spot"] == {"black": SPOTS["black"]}


@shows("SN-3.11.2d", VIOLATED, SATISFIED)
@shows("SN-2.11.2b SN-2.6.2a SN-3.10.1c", SATISFIED)
@pytest.mark.parametrize(("place", "legal"), [(SPOTS["black"], True), (None, False), ((600, 3000), False)])
def test_the_camera_sees_whether_the_colour_was_spotted(place: object, legal: bool) -> None:
    first = shot(hit("black"), potted("black"), before=layout(8), on="black")
    second = shot(hit("red-2"), before=layout(8, black=place), t0=30.0)
    second["events"] = [{**event, "t": event["t"] + 20} for event in second["events"]]
    verdict = judged(snooker("colour"), first, second)
    assert (verdict["legal"], clauses(verdict)) == (legal, [] if legal else ["SN-3.11.2d"])
    # wrongly spotted it stays where it is, not spotted it is spotted
    assert set(verdict["spot"]) == ({"black"} if place is None else set())


def test_a_colour_that_is_seen_later_in_the_record_was_there() -> None:
    first = shot(hit("black"), potted("black"), before=layout(8), on="black")
    second = shot(hit("red-2"), before=layout(8, black=None), after=layout(8), t0=30.0)
    second["events"] = [{**event, "t": event["t"] + 20} for event in second["events"]]
    assert judged(snooker("colour"), first, second)["legal"] is True


@shows("SN-2.11.2a", VIOLATED, SATISFIED)
def test_not_noticed_in_time_the_balls_count_as_correctly_spotted() -> None:
    wrong = shot(hit("red-2"), before=layout(8, black=(600, 3000)), seen=[seen("ball_misplaced", ball="black")])
    later = shot(hit("red-3"), before=layout(8, black=(600, 3000)), t0=30.0)
    later["events"] = [{**event, "t": event["t"] + 20} for event in later["events"]]
    assert judged(snooker(), wrong)["legal"] is False
    verdict = judged(snooker(), wrong, later, official("not_called"))
    assert (verdict["score"], verdict["spot"], verdict["next"]["player"]) == ({"A": 0, "B": 0}, {}, "A")


@shows("SN-3.11.2e SN-2.6.1 SN-2.6.2e", VIOLATED)
def test_touched_otherwise_than_with_the_tip() -> None:
    verdict = judged(snooker(), shot(hit("red-1"), before=layout(3), seen=["tip_fault"]))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.2e"], 4)
    verdict = judged(snooker(), shot(hit("red-1"), before=layout(3), seen=[seen("touched", ball="pink", by="rest")]))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.2e"], 6)
    verdict = judged(snooker(), shot(moved("black", "player"), before=layout(3), strike=False))
    assert (clauses(verdict), verdict["penalty"], verdict["restore"]) == (["SN-3.11.2e"], 7, {})


@shows("SN-3.11.2f SN-2.6.2f SN-2.13.1 SN-2.13.2", VIOLATED)
def test_off_the_table() -> None:
    verdict = judged(snooker(), shot(hit("red-1"), hit("pink", by="red-1"), off("pink"), before=layout(5)))
    assert (clauses(verdict), verdict["penalty"], verdict["spot"]) == (["SN-3.11.2f"], 6, {"pink": SPOTS["pink"]})
    verdict = judged(snooker(), shot(hit("red-1"), off("red-1"), before=layout(5)))
    assert (verdict["penalty"], verdict["spot"]) == (4, {})
    verdict = judged(snooker("colour"), shot(hit("blue"), off("cue"), before=layout(5), on="blue"))
    assert (verdict["penalty"], verdict["next"]["cue_ball"]) == (5, "in_hand_D")


@shows("SN-2.13.1 SN-2.13.2", SATISFIED)
def test_a_ball_that_comes_back_by_itself_is_not_off_the_table() -> None:
    back = {"kind": "returned", "ball": "pink", "via": "rail"}
    record = shot(hit("red-1"), hit("pink", by="red-1"), back, before=layout(5))
    assert (judged(snooker(), record)["legal"], judged(snooker(), record)["spot"]) == (True, {})


@shows("SN-3.11.4a", VIOLATED)
def test_any_foul_before_a_colour_is_nominated_costs_seven() -> None:
    touched = shot(moved("brown", "player"), before=layout(8), strike=False)
    verdict = judged(snooker("colour", (12, 0)), touched)
    assert (verdict["penalty"], clauses(verdict)[0]) == (7, "SN-3.11.4a")
    verdict = judged(snooker("colour"), shot(hit("yellow"), potted("cue"), before=layout(8)))
    assert (verdict["penalty"], set(clauses(verdict))) == (7, {"SN-3.11.4a", "SN-3.11.1g"})


@shows("SN-3.11.4a SN-2.10", SATISFIED)
def test_after_a_nomination_its_value_counts() -> None:
    touched = shot(moved("yellow", "player"), before=layout(8), strike=False, on="green")
    assert judged(snooker("colour"), touched)["penalty"] == 4


@shows("SN-3.11.4b", VIOLATED)
def test_a_ball_out_of_play_is_used() -> None:
    record = shot(before=layout(8), strike=False, seen=[seen("used_out_ball", ball="red-12")])
    verdict = judged(snooker(), record)
    assert (clauses(verdict), verdict["penalty"], verdict["next"]["player"]) == (["SN-3.11.4b"], 7, "B")


@shows("SN-3.11.4c", VIOLATED)
def test_a_red_hit_first_with_a_colour_on() -> None:
    verdict = judged(snooker("colour"), shot(hit("red-1"), before=layout(8), on="yellow"))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.4c"], 7)


def test_a_red_and_the_nominated_colour_at_once_are_two_balls_at_once() -> None:
    both = [hit("red-1", t=10.5), hit("pink", t=10.5), cushion(t=11)]
    verdict = judged(snooker("colour"), shot(*both, before=layout(8), on="pink"))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.3"], 6)
    reds = [hit("red-1", t=10.5), hit("red-2", t=10.5), cushion(t=11)]
    assert judged(snooker("colour"), shot(*reds, before=layout(8), on="pink"))["penalty"] == 7


def test_the_opponent_touches_a_ball() -> None:
    record = shot(hit("red-1"), before=layout(8), seen=[seen("touched", ball="blue", player="B"), "double_hit"])
    verdict = judged(snooker(), record)
    assert (clauses(verdict), verdict["points"], verdict["next"]["player"]) == (["SN-3.11.2e"], {"A": 5, "B": 0}, "A")


@shows("SN-3.11.4d SN-3.1c", VIOLATED)
def test_a_ball_other_than_the_white_is_struck() -> None:
    record = shot(hit("red-1", by="blue"), before=layout(8), strike=False)
    record["events"] = [{"t": 10.0, "kind": "strike", "ball": "blue"}, *record["events"][1:]]
    verdict = judged(snooker(), record)
    assert (verdict["penalty"], "SN-3.11.4d" in clauses(verdict)) == (7, True)


@shows("SN-2.8.n", VIOLATED, SATISFIED)
def test_placing_the_cue_ball_with_the_cue_is_no_stroke() -> None:
    record = shot(cushion(), before=layout(8, cue=(889, 600)), seen=["not_a_stroke"])
    verdict = judged(snooker(cue_ball="in_hand_D"), record)
    assert (verdict["legal"], verdict["next"]["player"], verdict["next"]["cue_ball"]) == (True, "A", "in_hand_D")
    assert judged(snooker(cue_ball="in_hand_D"), {**record, "observed": []})["legal"] is False


@shows("SN-2.7.2", VIOLATED, SATISFIED, UNDECIDED)
def test_a_foul_after_the_cue_ball_was_placed_puts_it_in_play() -> None:
    placed = shot(moved("blue", "player"), before=layout(8, cue=(889, 600)), strike=False)
    assert judged(snooker(cue_ball="in_hand_D"), placed)["next"]["cue_ball"] == "as_it_lies"
    before = shot(moved("blue", "player"), before=layout(8, cue=None), strike=False)
    assert judged(snooker(cue_ball="in_hand_D"), before)["next"]["cue_ball"] == "in_hand_D"
    unknown = shot(moved("blue", "player"), strike=False)
    verdict = judged(snooker(cue_ball="in_hand_D"), unknown)
    assert (verdict["penalty"], "placed" in questions(verdict)) == (5, True)


@shows("SN-2.7.1 SN-2.8.1 SN-2.8.2 SN-2.6.3", VIOLATED, SATISFIED)
def test_the_cue_ball_is_in_play_where_it_came_to_rest() -> None:
    assert judged(snooker(), shot(hit("red-1"), before=layout(3)))["next"]["cue_ball"] == "as_it_lies"
    assert judged(snooker(), shot(hit("red-1"), potted("cue"), before=layout(3)))["next"]["cue_ball"] == "in_hand_D"
