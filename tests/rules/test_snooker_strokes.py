"""Snooker, sections 2 and 3.1 to 3.7: what is on, what scores, what is spotted, touching balls."""

import pytest
from play import (
    SPOTS,
    clauses,
    confirm,
    cushion,
    hit,
    judged,
    layout,
    moved,
    official,
    only,
    potted,
    potting,
    questions,
    shot,
    snooker,
)
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

# ---------------------------------------------------------------------------------------------- 3.3: the break


@shows("SN-3.3.2 SN-3.3.1 SN-3.4", SATISFIED)
@shows("SN-3.3.7c SN-3.3.5a SN-2.20", VIOLATED)
def test_the_first_stroke_is_from_the_d_and_the_other_player_follows_a_miss() -> None:
    verdict = judged({}, shot(hit("red-15")))
    assert (verdict["legal"], verdict["points"]) == (True, {"A": 0, "B": 0})
    assert verdict["next"] == {
        "player": "B",
        "on": ["red"],
        "cue_ball": "as_it_lies",
        "free_ball": False,
        "options": [],
    }


@shows("SN-3.3.2", VIOLATED)
def test_a_frame_begins_in_hand_in_the_d() -> None:
    verdict = judged({}, official("toss", winner="B"))
    assert verdict["next"] == {"player": "B", "on": ["red"], "cue_ball": "in_hand_D", "free_ball": False, "options": []}


@shows("SN-3.3.1", VIOLATED, UNDECIDED)
def test_the_lot_decides_who_opens_and_without_a_known_player_points_are_open() -> None:
    assert judged({}, official("toss", winner="B"), potting("red-1"))["points"] == {"A": 0, "B": 1}
    level = snooker("black", (50, 57))
    verdict = judged(level, potting("black", before=only("black")), potting("black", before=only("black")))
    assert verdict["points"] == {"A": 0, "B": 0}
    assert "striker" in questions(verdict)


@shows("SN-3.3.5b SN-3.3.6a SN-2.12.1 SN-3.1e SN-2.11.1 SN-3.3.7a", VIOLATED)
@shows(
    "SN-3.3.3a SN-3.3.3b SN-3.3.4 SN-3.3.7c SN-3.11.2a SN-3.11.2b SN-3.11.1f SN-3.11.1g SN-3.11.2f SN-2.7.1 SN-2.6.2f",
    SATISFIED,
)
@shows("SN-3.11.1a SN-3.11.1b SN-3.11.1c SN-3.11.1d SN-3.11.2c SN-3.11.2e SN-3.11.4b SN-3.11.4d SN-2.14", SATISFIED)
@shows("SN-2.6.1 SN-2.6.2a SN-2.6.2b SN-2.6.2c SN-2.6.2d SN-2.6.2e SN-3.1c SN-2.18.1 SN-2.18.2", SATISFIED)
def test_each_red_scores_one_and_a_colour_is_on() -> None:
    verdict = judged(snooker(score=(14, 20)), shot(hit("red-2"), potted("red-2"), potted("red-5"), before=layout(10)))
    assert (verdict["legal"], verdict["points"], verdict["score"]) == (True, {"A": 2, "B": 0}, {"A": 16, "B": 20})
    assert (verdict["potted"], verdict["break"], verdict["spot"]) == (["red-2", "red-5"], 2, {})
    assert (verdict["next"]["player"], verdict["next"]["on"]) == ("A", ["colour"])


@shows("SN-3.3.5b SN-3.3.6a SN-2.12.1 SN-2.11.1 SN-2.11.2", SATISFIED)
def test_without_a_pot_nothing_scores_and_the_turn_passes() -> None:
    verdict = judged(snooker(), shot(hit("red-2"), cushion("red-2"), before=layout(10)))
    assert (verdict["points"], verdict["next"]["player"], verdict["next"]["on"]) == ({"A": 0, "B": 0}, "B", ["red"])


@shows("SN-3.3.6b SN-2.11.2 SN-3.1e SN-2.10 SN-2.8.1 SN-2.8.2", VIOLATED)
@shows("SN-3.6.1 SN-3.3.7a SN-3.11.4a SN-3.11.4c SN-2.17 SN-3.3.8 SN-2.10.n", SATISFIED)
def test_a_colour_scores_its_value_and_is_spotted() -> None:
    verdict = judged(snooker("colour", (22, 9), **{"break": 1}), potting("black", before=layout(9), on="black"))
    assert (verdict["points"], verdict["break"], verdict["potted"]) == ({"A": 7, "B": 0}, 8, ["black"])
    assert verdict["spot"] == {"black": SPOTS["black"]}
    assert verdict["next"]["on"] == ["red"]


@shows("SN-3.3.6b SN-3.3.7b", VIOLATED)
def test_the_colour_after_the_last_red_is_spotted_and_yellow_is_on() -> None:
    verdict = judged(snooker("colour"), potting("pink", before=layout(0), on="pink"))
    assert (verdict["spot"], verdict["next"]["on"]) == ({"pink": SPOTS["pink"]}, ["yellow"])


@shows("SN-3.3.7b SN-3.3.6b SN-3.3.5a SN-3.1e", SATISFIED)
def test_in_the_sequence_a_colour_stays_down() -> None:
    verdict = judged(snooker("yellow"), potting("yellow", before=layout(0)))
    assert (verdict["points"]["A"], verdict["spot"], verdict["next"]["on"]) == (2, {}, ["green"])
    verdict = judged(snooker("yellow"), shot(hit("yellow"), before=layout(0)))
    assert (verdict["next"]["player"], verdict["next"]["on"]) == ("B", ["yellow"])


@shows("SN-2.10.n", VIOLATED)
def test_a_colour_that_was_hit_first_without_a_nomination_counts_as_the_one() -> None:
    verdict = judged(snooker("colour"), potting("blue", before=layout(3)))
    assert (verdict["legal"], verdict["points"]["A"]) == (True, 5)


# ---------------------------------------------------------------------------------------------- 3.5: two at once


@shows("SN-3.5 SN-3.11.3", VIOLATED)
def test_two_different_balls_at_once_cost_the_dearer() -> None:
    both = [hit("red-1", t=10.5), hit("pink", t=10.5)]
    verdict = judged(snooker(), shot(*both, cushion(t=11), before=layout(6)))
    assert (verdict["legal"], verdict["penalty"], clauses(verdict)) == (False, 6, ["SN-3.11.3"])


@shows("SN-3.5 SN-3.11.3", SATISFIED)
def test_two_reds_or_the_free_ball_with_the_ball_on_may_be_hit_at_once() -> None:
    assert judged(snooker(), shot(hit("red-1", t=10.5), hit("red-2", t=10.5), before=layout(6)))["legal"] is True
    state = snooker(free_ball=True, foul_by="B")
    both = [hit("red-1", t=10.5), hit("green", t=10.5)]
    after = layout(6, cue=(640, 2300))
    assert judged(state, shot(*both, before=layout(6), after=after, on="green"))["legal"] is True


@shows("SN-3.5 SN-3.11.3 SN-3.3.3a SN-3.11.2b", UNDECIDED)
@pytest.mark.parametrize("apart_s", [0.0, 0.01])
def test_contacts_nearer_in_time_than_their_uncertainty_are_a_question(apart_s: float) -> None:
    near = [hit("red-1", t=10.5, t_sigma=0.01), hit("pink", t=10.5 + apart_s, t_sigma=0.01)]
    record = shot(*near, cushion(t=11), before=layout(6))
    verdict = judged(snooker(), record)
    assert (verdict["legal"], verdict["penalty"], questions(verdict)) == (None, None, {"first_contact"})
    assert verdict["score"] == {"A": 0, "B": 0}
    for value, legal in (("red-1", True), ("pink", False), (["red-1", "pink"], False)):
        said = {**record, "observed": [confirm("first_contact", value)]}
        assert judged(snooker(), said)["legal"] is legal
        assert judged(snooker(), said)["undecided"] == []


@shows("SN-3.5", SATISFIED)
def test_two_reds_whose_order_is_open_need_no_answer() -> None:
    near = [hit("red-1", t=10.5, t_sigma=0.01), hit("red-2", t=10.51, t_sigma=0.01)]
    verdict = judged(snooker(), shot(*near, cushion(t=11), before=layout(6)))
    assert (verdict["legal"], verdict["undecided"]) == (True, [])


def test_a_contact_that_alone_explains_why_the_ball_ran_has_happened() -> None:
    unsure = hit("red-1", confidence=0.5)
    assert judged(snooker(), shot(unsure, potted("red-1"), before=layout(6)))["points"]["A"] == 1
    after = {**layout(6), "red-1": [700, 2500]}
    assert judged(snooker(), shot(unsure, before=layout(6), after=after))["legal"] is True
    # another ball may have hit it, or it wasn't seen all the time
    by_black = [hit("black", confidence=0.5), hit("red-1", by="black", confidence=0.5)]
    other = shot(*by_black, unsure, potted("red-1"), before=layout(6), after=None)
    assert judged(snooker(), other)["legal"] is None
    hidden = shot(unsure, potted("red-1"), before=layout(6), gaps=[{"t0": 10.0, "t1": 10.15, "balls": ["black"]}])
    assert judged(snooker(), hidden)["legal"] is None


@shows("SN-3.3.3a SN-3.11.1f", UNDECIDED)
def test_a_contact_that_may_not_have_happened_is_a_question() -> None:
    verdict = judged(snooker(), shot(hit("red-1", confidence=0.5), cushion(), before=layout(6)))
    assert (verdict["legal"], questions(verdict)) == (None, {"first_contact"})


# ---------------------------------------------------------------------------------------------- 3.6: spotting


@shows("SN-3.6.1 SN-2.17", VIOLATED, BOUNDARY)
def test_the_highest_free_spot_if_the_own_one_is_occupied() -> None:
    before = layout(4, red_1=(889, 3240), pink=(400, 2000), black=(1300, 3300))
    verdict = judged(snooker("colour"), potting("black", before=before, on="black"))
    assert verdict["spot"] == {"black": SPOTS["pink"]}
    near, clear = (889 + 52.5, 3245), (889 + 52.6, 3245)
    for place, spot in ((near, SPOTS["pink"]), (clear, SPOTS["black"])):
        before = layout(4, red_1=place, pink=(400, 2000), black=(1300, 3300))
        assert judged(snooker("colour"), potting("black", before=before, on="black"))["spot"] == {"black": spot}


@shows("SN-3.6.1", UNDECIDED)
def test_where_a_colour_goes_is_open_without_positions() -> None:
    names = sorted(layout(4))
    record = potting("black", on="black")
    verdict = judged(snooker("colour", balls=names), record)
    assert (verdict["legal"], verdict["points"]["A"], verdict["spot"]) == (True, 7, {})
    assert questions(verdict) == {"spot_place"}
    own = {**record, "observed": [confirm("spot_place", True, "black")]}
    assert judged(snooker("colour", balls=names), own)["spot"] == {"black": SPOTS["black"]}
    other = {**record, "observed": [confirm("spot_place", "pink", "black")]}
    assert judged(snooker("colour", balls=names), other)["spot"] == {"black": SPOTS["pink"]}


@shows("SN-3.6.2", VIOLATED)
def test_two_displaced_colours_the_dearer_first() -> None:
    before = layout(0, red_1=SPOTS["pink"], red_2=SPOTS["blue"], brown=(300, 1500), yellow=(1500, 1200))
    before |= {"blue": [760, 2140], "pink": [600, 2100]}
    record = shot(hit("pink"), hit("blue", by="pink"), potted("pink"), potted("blue"), before=before, on="pink")
    assert judged(snooker("colour"), record)["spot"] == {"pink": SPOTS["brown"], "blue": SPOTS["yellow"]}


@shows("SN-3.6.2 SN-3.6.3 SN-3.6.4", SATISFIED)
def test_two_colours_on_their_own_spots() -> None:
    before = layout(3, blue=(760, 2140), pink=(600, 2100))
    record = shot(hit("pink"), potted("pink"), potted("blue"), before=before, on="pink")
    assert judged(snooker("colour"), record)["spot"] == {"pink": SPOTS["pink"], "blue": SPOTS["blue"]}


@shows("SN-3.6.3", VIOLATED)
def test_all_spots_occupied_towards_the_top() -> None:
    before = layout(3, red_1=(597, 745), green=(300, 400))
    verdict = judged(snooker("colour"), potting("green", before=before, on="green"))
    assert verdict["spot"] == {"green": [597, 745 + 52.5 + 1]}


@shows("SN-3.6.4", VIOLATED)
def test_the_line_to_the_top_cushion_taken_towards_baulk() -> None:
    reds = {f"red_{k + 1}": (889, 3245 + 95 * k) for k in range(4)}
    verdict = judged(snooker("colour"), potting("black", before=layout(0, black=(600, 3300), **reds), on="black"))
    assert verdict["spot"] == {"black": [889, 3245 - 52.5 - 1]}


# ---------------------------------------------------------------------------------------------- 3.7: touching ball

TOUCHING = layout(5, red_3=(480, 2720), cue=(480, 2720 - 52.5))


@shows("SN-3.7.1 SN-3.7.2 SN-3.7.3b", VIOLATED)
def test_playing_away_from_a_touching_ball_on_counts_as_hitting_it() -> None:
    record = shot(cushion(side="left"), before=TOUCHING, after={**TOUCHING, "cue": [250, 2100]})
    verdict = judged(snooker(), record)
    assert (verdict["legal"], verdict["next"]["player"]) == (True, "B")


@shows("SN-3.7.1 SN-3.7.3b", SATISFIED, BOUNDARY)
@shows("SN-3.7.1 SN-2.18.x", UNDECIDED, VIOLATED)
@pytest.mark.parametrize(("air", "legal"), [(0.0, True), (0.04, True), (0.5, None), (1.6, False)])
def test_whether_they_touch_is_a_question_when_it_is_close(air: float, legal: bool | None) -> None:
    before = {**TOUCHING, "cue": [480, 2720 - 52.5 - air]}
    record = shot(cushion(side="left"), before=before, after={**before, "cue": [250, 2100]})
    verdict = judged(snooker(), record)
    assert verdict["legal"] is legal
    assert questions(verdict) == ({"touching"} if legal is None else set())


@shows("SN-3.7.2 SN-3.11.2c", VIOLATED)
def test_playing_into_a_touching_ball_is_a_push() -> None:
    record = shot(hit("red-3", t=10.0), cushion(), before=TOUCHING, after={**TOUCHING, "red-3": [500, 2900]})
    verdict = judged(snooker(), record)
    assert (verdict["penalty"], clauses(verdict)) == (4, ["SN-3.11.2c"])


@shows("SN-3.7.2", SATISFIED)
def test_coming_back_to_it_off_a_cushion_is_no_push() -> None:
    after = {**TOUCHING, "cue": [400, 2600], "red-3": [500, 2900]}
    assert judged(snooker(), shot(cushion(), hit("red-3"), before=TOUCHING, after=after))["legal"] is True


@shows("SN-3.7.3a", VIOLATED)
def test_playing_away_from_a_touching_ball_not_on_is_no_hit() -> None:
    before = layout(5, cue=(889, 1784.5 - 52.5))
    after = {**before, "cue": [1500, 1400]}
    assert clauses(judged(snooker(), shot(cushion(), before=before, after=after))) == ["SN-3.11.1f"]


@shows("SN-3.7.3a", SATISFIED)
def test_playing_away_from_a_touching_ball_not_on_and_hitting_the_ball_on_is_right() -> None:
    before = layout(5, cue=(889, 1784.5 - 52.5))
    assert judged(snooker(), shot(hit("red-1"), before=before, after={**before, "cue": [600, 2300]}))["legal"] is True


@shows("SN-3.7.3b SN-3.7.3c", VIOLATED, SATISFIED)
def test_with_a_colour_on_the_nomination_decides() -> None:
    before = layout(5, cue=(889, 1784.5 - 52.5))
    away = {**before, "cue": [1500, 1400]}
    assert judged(snooker("colour"), shot(cushion(), before=before, after=away, on="blue"))["legal"] is True
    assert judged(snooker("colour"), shot(hit("pink"), before=before, after=away, on="pink"))["legal"] is True
    verdict = judged(snooker("colour"), shot(cushion(), before=before, after=away, on="pink"))
    assert (verdict["penalty"], clauses(verdict)) == (6, ["SN-3.11.1f"])


@shows("SN-3.7.n", VIOLATED, SATISFIED, UNDECIDED)
@pytest.mark.parametrize(("said", "legal"), [(True, True), (False, False), (None, None)])
def test_a_touching_ball_that_moves_by_itself(said: bool | None, legal: bool | None) -> None:
    after = {**TOUCHING, "cue": [250, 2100], "red-3": [480, 2718]}
    seen = [] if said is None else [confirm("self_moved", said, "red-3")]
    record = shot(moved("red-3", "itself"), cushion(), before=TOUCHING, after=after, seen=seen)
    verdict = judged(snooker(), record)
    assert verdict["legal"] is legal
    assert questions(verdict) == (set() if said is not None else {"self_moved"})
