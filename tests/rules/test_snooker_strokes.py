"""Snooker, sections 2 and 3.1 to 3.9: what is on, what scores, what is spotted, free balls, hanging balls."""

import pytest
from play import (
    SPOTS,
    clauses,
    confirm,
    cushion,
    fell,
    hit,
    judged,
    jumped,
    layout,
    moved,
    off,
    official,
    only,
    options,
    potted,
    questions,
    shot,
    snooker,
)
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows


def potting(ball: str, **more: object) -> dict[str, object]:
    """The ball is hit first and falls."""
    return shot(hit(ball), potted(ball), **more)  # type: ignore[arg-type]


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


# ---------------------------------------------------------------------------------------------- 3.8: hanging balls

HANGING = layout(4, red_1=(24, 3545))


@shows("SN-3.8.1", VIOLATED)
def test_a_ball_that_falls_by_itself_is_put_back() -> None:
    verdict = judged(snooker(), shot(fell("red-1", 9.0), before=HANGING, strike=False))
    assert (verdict["legal"], verdict["points"]) == (True, {"A": 0, "B": 0})
    assert verdict["restore"] == {"red-1": [24, 3545]}
    assert (verdict["next"]["player"], verdict["next"]["on"]) == ("A", ["red"])


@shows("SN-3.8.3 SN-3.8.1", SATISFIED, BOUNDARY)
@shows("SN-3.8.3", VIOLATED)
@pytest.mark.parametrize(("still_s", "down"), [(0.8, True), (4.99, True), (5.0, False)])
def test_a_ball_that_balances_for_a_moment_is_pocketed(still_s: float, down: bool) -> None:
    record = shot(hit("red-1"), fell("red-1", still_s), before=HANGING)
    if not down:
        record["observed"] = [confirm("would_have_hit", False)]
    verdict = judged(snooker(), record)
    assert (verdict["points"]["A"], "red-1" in verdict["restore"]) == (1 if down else 0, not down)


@shows("SN-3.8.3", VIOLATED)
def test_it_counts_for_the_stroke_before_if_it_falls_afterwards() -> None:
    first = shot(hit("red-1"), before={**HANGING, "red-1": [100, 3400]}, after=HANGING)
    late = shot(fell("red-1", 3.0), before=HANGING, strike=False, t0=20.0, t1=21.0)
    late["events"] = [{**fell("red-1", 3.0), "t": 20.0}, {"t": 21.0, "kind": "rest"}]
    verdict = judged(snooker(), first, late)
    assert (verdict["potted"], verdict["points"], verdict["score"]) == (["red-1"], {"A": 1, "B": 0}, {"A": 1, "B": 0})
    assert (verdict["next"]["player"], verdict["next"]["on"]) == ("A", ["colour"])


@shows("SN-3.8.2a", VIOLATED, SATISFIED, UNDECIDED)
@pytest.mark.parametrize("said", [True, False, None])
def test_a_ball_that_would_have_been_hit_falls_first(said: bool | None) -> None:
    before = layout(4, pink=(24, 3545))
    seen = [] if said is None else [confirm("would_have_hit", said)]
    after = {**{b: p for b, p in before.items() if b != "pink"}, "cue": [330, 3300]}
    record = shot(fell("pink", 41.0), cushion(), before=before, after=after, on="pink", seen=seen)
    verdict = judged(snooker("colour"), record)
    if said is None:
        assert (verdict["legal"], questions(verdict)) == (None, {"would_have_hit"})
    elif said:
        assert (verdict["legal"], verdict["restore"]) == (True, {"cue": before["cue"], "pink": [24, 3545]})
        assert (verdict["next"]["player"], verdict["next"]["cue_ball"]) == ("A", before["cue"])
        assert verdict["next"]["on"] == ["colour"]
    else:
        assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.1f"], 6)
        assert verdict["restore"] == {"pink": [24, 3545]}


@shows("SN-3.8.2b", VIOLATED, SATISFIED, UNDECIDED)
@pytest.mark.parametrize("said", [True, None])
def test_a_foul_in_that_stroke_is_penalised_and_all_is_put_back(said: bool | None) -> None:
    before = layout(4, pink=(24, 3545))
    seen: list[object] = ["double_hit"] + ([] if said is None else [confirm("would_have_hit", said)])
    after = {**{b: p for b, p in before.items() if b != "pink"}, "cue": [330, 3300]}
    record = shot(fell("pink", 41.0), cushion(), before=before, after=after, on="pink", seen=seen)
    verdict = judged(snooker("colour"), record)
    if said is None:
        assert (verdict["legal"], questions(verdict)) == (False, {"would_have_hit"})
        return
    assert (verdict["penalty"], clauses(verdict)) == (6, ["SN-3.11.1b"])
    assert verdict["restore"] == {"cue": before["cue"], "pink": [24, 3545]}
    assert (verdict["next"]["player"], verdict["next"]["cue_ball"]) == ("B", before["cue"])
    verdict = judged(snooker(), shot(hit("red-1"), before=HANGING, seen=["double_hit"]))
    assert verdict["restore"] == {}


# ---------------------------------------------------------------------------------------------- 3.9: free ball

HIDDEN = layout(7, cue=(889, 1000), brown=(889, 1100))
"""The brown hides every red from the cue ball."""
FREE = snooker(free_ball=True, foul_by="B", score=(4, 11))


@shows("SN-3.9.1 SN-2.15.1 SN-2.15.3", VIOLATED)
@shows("SN-2.15.n SN-2.16.n", SATISFIED)
def test_snookered_after_a_foul() -> None:
    verdict = judged(snooker(), shot(cushion(), before={**HIDDEN, "cue": [1400, 600]}, after=HIDDEN))
    assert verdict["next"]["free_ball"] is True
    assert options(verdict) == {"play_again", "free_ball"}


@shows("SN-3.9.1 SN-2.15.1 SN-2.16.1", SATISFIED)
@shows("SN-2.15.n SN-2.16.n", VIOLATED)
def test_not_snookered_if_one_red_can_be_hit() -> None:
    after = {**HIDDEN, "red-1": [1700, 1300]}
    verdict = judged(snooker(), shot(cushion(), before={**HIDDEN, "cue": [1400, 600]}, after=after))
    assert (verdict["next"]["free_ball"], options(verdict)) == (False, {"play_again"})


@shows("SN-3.9.1 SN-2.15.1 SN-2.16.1", UNDECIDED)
def test_without_positions_the_snooker_is_a_question_and_the_foul_is_not() -> None:
    verdict = judged(snooker(), shot(cushion(), before=HIDDEN, after=None))
    assert (verdict["legal"], verdict["penalty"], verdict["score"]) == (False, 4, {"A": 0, "B": 4})
    assert (verdict["next"]["player"], verdict["next"]["free_ball"]) == ("B", False)
    assert questions(verdict) == {"snookered", "angled"}


@shows("SN-2.15.2", VIOLATED, SATISFIED, UNDECIDED)
def test_snookered_in_hand_only_if_hidden_from_all_of_the_d() -> None:
    in_off = [hit("black"), potted("cue")]
    open_ = only("blue", "pink", "black")
    verdict = judged(snooker("blue"), shot(*in_off, before=open_))
    assert (verdict["next"]["cue_ball"], verdict["next"]["free_ball"]) == ("in_hand_D", False)
    assert questions(judged(snooker("blue"), shot(*in_off, before=open_, after=None))) == {"snookered"}
    # the yellow lies on the left cushion, closed in by four others with less than a ball's width between them
    closed = {"yellow": (26.25, 2600), "green": (74.75, 2572), "brown": (26.25, 2544), "blue": (74.75, 2628)}
    closed |= {"pink": (26.25, 2656), "black": (889, 3245), "cue": (900, 1200)}
    verdict = judged(snooker("yellow"), shot(*in_off, before=closed))
    assert (verdict["next"]["free_ball"], options(verdict)) == (True, {"play_again", "free_ball"})


@shows("SN-2.15.3", SATISFIED)
@shows("SN-3.9.4b SN-3.11.1h", VIOLATED)
def test_snookered_by_the_free_ball() -> None:
    before = {**HIDDEN, "cue": [889, 800], "brown": [889, 900]}
    verdict = judged(FREE, shot(hit("brown"), before=before, after=HIDDEN, on="brown"))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.1h"], 4)
    assert verdict["next"]["free_ball"] is True


@shows("SN-3.9.4b SN-3.11.1h", SATISFIED)
def test_not_by_another_ball_and_not_with_pink_and_black_alone() -> None:
    before = {**HIDDEN, "cue": [889, 800], "brown": [889, 900]}
    after = {**HIDDEN, "green": [889, 1100], "brown": [889, 1200]}
    assert judged(FREE, shot(hit("brown"), before=before, after=after, on="brown"))["legal"] is True
    before = {**only("pink", "black"), "cue": [889, 1500], "black": [889, 1700]}
    state = snooker("pink", free_ball=True, foul_by="B")
    after = {**before, "cue": [889, 1600]}
    assert judged(state, shot(hit("black"), before=before, after=after, on="black"))["legal"] is True


@shows("SN-3.9.4b SN-3.11.1h", UNDECIDED)
def test_the_free_balls_snooker_is_a_question_without_positions() -> None:
    verdict = judged(FREE, shot(hit("brown"), before=HIDDEN, after=None, on="brown"))
    assert (verdict["legal"], questions(verdict) >= {"snookered"}) == (None, True)


@shows("SN-3.9.2 SN-3.9.3 SN-3.9.5a SN-3.9.5b", VIOLATED)
@shows("SN-3.9.4a", SATISFIED)
def test_a_free_ball_potted_counts_as_the_ball_on_and_is_spotted() -> None:
    verdict = judged(FREE, potting("black", before=HIDDEN, on="black"))
    assert (verdict["points"]["A"], verdict["potted"]) == (1, ["black"])
    assert (verdict["spot"], verdict["next"]["on"]) == ({"black": SPOTS["black"]}, ["colour"])
    state = snooker("blue", free_ball=True, foul_by="B")
    verdict = judged(state, potting("black", before=only("blue", "pink", "black"), on="black"))
    assert (verdict["points"]["A"], verdict["spot"], verdict["next"]["on"]) == (5, {"black": SPOTS["black"]}, ["blue"])


@shows("SN-3.9.3 SN-3.9.5a SN-3.9.5b SN-3.9.6 SN-3.9.7", SATISFIED)
def test_a_free_ball_that_is_only_hit_scores_nothing() -> None:
    verdict = judged(FREE, shot(hit("black"), before=HIDDEN, after={**HIDDEN, "cue": [300, 2300]}, on="black"))
    assert (verdict["legal"], verdict["points"]["A"], verdict["spot"]) == (True, 0, {})


@shows("SN-3.9.6 SN-3.9.7", VIOLATED)
def test_both_potted() -> None:
    both = [hit("green"), hit("red-2", by="green"), potted("red-2"), potted("green")]
    verdict = judged(FREE, shot(*both, before=HIDDEN, on="green"))
    assert (verdict["points"]["A"], sorted(verdict["potted"])) == (2, ["green", "red-2"])
    state = snooker("yellow", free_ball=True, foul_by="B")
    both = [hit("brown"), hit("yellow", by="brown"), potted("yellow"), potted("brown")]
    verdict = judged(state, shot(*both, before=layout(0), on="brown"))
    assert (verdict["points"]["A"], verdict["potted"]) == (2, ["yellow"])
    assert (verdict["spot"], verdict["next"]["on"]) == ({"brown": SPOTS["brown"]}, ["green"])
    only_on = [hit("brown"), hit("yellow", by="brown"), potted("yellow")]
    assert judged(state, shot(*only_on, before=layout(0), on="brown"))["points"]["A"] == 2


@shows("SN-3.9.4a", VIOLATED)
def test_the_free_ball_must_be_hit_first() -> None:
    after = {**HIDDEN, "cue": [300, 2300]}
    verdict = judged(FREE, shot(hit("red-6"), hit("brown"), before=HIDDEN, after=after, on="brown"))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.2b"], 4)
    verdict = judged(FREE, shot(hit("black"), before=HIDDEN, after=after, on="brown"))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.2b"], 7)


@shows("SN-3.9.4a", UNDECIDED)
def test_which_ball_was_first_may_be_open_with_a_free_ball() -> None:
    near = [hit("brown", t=10.5, t_sigma=0.01), hit("black", t=10.51, t_sigma=0.01)]
    after = {**HIDDEN, "cue": [300, 2300]}
    verdict = judged(FREE, shot(*near, cushion(t=11), before=HIDDEN, after=after, on="brown"))
    assert (verdict["legal"], questions(verdict)) == (None, {"first_contact"})


@shows("SN-3.9.2", SATISFIED)
def test_the_offender_who_is_put_in_again_has_no_free_ball() -> None:
    foul = shot(cushion(), before={**HIDDEN, "cue": [1400, 600]}, after=HIDDEN)
    again = official("choose", player="B", option="play_again")
    second = shot(hit("brown"), before=HIDDEN, on="brown", t0=20.0)
    second["events"] = [{**event, "t": event["t"] + 10} for event in second["events"]]
    verdict = judged(snooker(), foul, again, second)
    assert (clauses(verdict), verdict["penalty"], verdict["score"]) == (["SN-3.11.2b"], 4, {"A": 0, "B": 8})


@shows("SN-2.16.1 SN-2.16.r1 SN-2.16.r2", VIOLATED)
def test_angled_after_a_foul() -> None:
    after = layout(5, cue=(5, 45))
    record = shot(cushion(), before=layout(5), after=after)
    open_ = judged(snooker(), {**record, "after": {**after, "red-1": [60, 1500], "red-2": [700, 60]}})
    assert "from_D" not in options(open_)
    verdict = judged(snooker(), {**record, "observed": [confirm("angled", True)]})
    assert options(verdict) == {"play_again", "from_D"}
    assert "Angled ball" in verdict["announce"]["en"]
    said = {**record, "observed": [confirm("angled", True)]}
    verdict = judged(snooker(), said, official("choose", player="B", option="from_D"))
    assert (verdict["next"]["player"], verdict["next"]["cue_ball"]) == ("B", "in_hand_D")


@shows("SN-2.16.r1 SN-2.16.r2", SATISFIED)
def test_not_angled_after_a_legal_stroke_or_when_the_referee_says_no() -> None:
    after = layout(5, cue=(5, 45))
    assert options(judged(snooker(), shot(hit("red-1"), before=layout(5), after=after))) == set()
    record = shot(cushion(), before=layout(5), after=after, seen=[confirm("angled", False)])
    assert options(judged(snooker(), record)) == {"play_again"}


# ---------------------------------------------------------------------------------------------- 2.19: jumps


@shows("SN-2.19 SN-3.11.1i", VIOLATED)
def test_a_jump_over_a_ball_before_the_ball_on_is_hit() -> None:
    verdict = judged(snooker(), shot(jumped("green"), hit("red-2"), before=layout(4)))
    assert (clauses(verdict), verdict["penalty"]) == (["SN-3.11.1i"], 4)


@shows("SN-2.19 SN-3.11.1i SN-2.19.n1 SN-2.20", SATISFIED)
@shows("SN-2.19.n2", VIOLATED)
def test_a_jump_after_the_ball_on_was_hit_is_fair() -> None:
    verdict = judged(snooker(), shot(hit("red-2"), cushion(), jumped("red-2"), before=layout(4)))
    assert (verdict["legal"], verdict["undecided"]) == (True, [])


@shows("SN-2.19 SN-3.11.1i", UNDECIDED)
@pytest.mark.parametrize(("said", "legal"), [(True, False), (False, True), (None, None)])
def test_an_uncertain_jump_is_a_question(said: bool | None, legal: bool | None) -> None:
    seen = [] if said is None else [confirm("jumped", said)]
    verdict = judged(snooker(), shot(jumped("green", confidence=0.4), hit("red-2"), before=layout(4), seen=seen))
    assert verdict["legal"] is legal


@shows("SN-2.19.n1", VIOLATED)
@shows("SN-2.19.n2", SATISFIED)
def test_grazing_the_ball_on_in_flight_is_a_miss_of_it() -> None:
    verdict = judged(snooker(), shot(jumped("red-2", touched=True), hit("red-2"), potted("red-2"), before=layout(4)))
    assert {"SN-3.11.1i", "SN-3.11.1f"} <= set(clauses(verdict))
    assert verdict["points"] == {"A": 0, "B": 4}


@shows("SN-2.20", UNDECIDED)
def test_a_gap_over_the_moment_of_the_contact_leaves_it_open() -> None:
    before = layout(4)
    after = {**before, "cue": [1200, 2300], "red-2": [1160, 2500]}
    record = shot(cushion(t=10.8), before=before, after=after, gaps=[{"t0": 10.1, "t1": 10.6}])
    verdict = judged(snooker(), record)
    assert (verdict["legal"], questions(verdict)) == (None, {"first_contact"})
    still = {**record, "after": {**before, "cue": [1200, 2300]}}
    assert judged(snooker(), still)["legal"] is False


@shows("SN-2.11.1 SN-3.11.2a SN-3.11.1g SN-3.11.2f", UNDECIDED)
def test_a_pot_that_is_not_certain_is_settled_by_the_positions_afterwards_or_asked() -> None:
    record = shot(hit("red-1"), potted("red-1", confidence=0.5), before=layout(4), after=None)
    assert questions(judged(snooker(), record)) == {"potted"}
    assert judged(snooker(), {**record, "after": layout(4)})["points"]["A"] == 0
    gone = {ball: place for ball, place in layout(4).items() if ball != "red-1"}
    assert judged(snooker(), {**record, "after": gone})["points"]["A"] == 1
    wrong = shot(hit("red-1"), potted("black", confidence=0.5), before=layout(4), after=None)
    assert judged(snooker(), wrong)["legal"] is None
    in_off = shot(hit("red-1"), potted("cue", confidence=0.5), before=layout(4), after=None)
    assert judged(snooker(), in_off)["legal"] is None
    away = shot(hit("red-1"), off("pink", confidence=0.5), before=layout(4), after=None)
    assert (judged(snooker(), away)["legal"], "off_table" in questions(judged(snooker(), away))) == (None, True)


@pytest.mark.parametrize(("said", "touched"), [(True, False), (False, True), (None, None)])
def test_a_movement_that_is_not_certainly_a_players_is_a_question(said: bool | None, touched: bool | None) -> None:
    seen = [] if said is None else [confirm("self_moved", said, "blue")]
    unsure = {**moved("blue", "player"), "confidence": 0.6}
    verdict = judged(snooker(), shot(unsure, before=layout(4), strike=False, seen=seen))
    assert verdict["legal"] is (None if touched is None else not touched)
    assert questions(verdict) == ({"self_moved"} if said is None else set())


def test_a_fall_that_is_not_certain_or_that_the_referee_denies() -> None:
    unsure = {**fell("red-1", 9.0), "confidence": 0.6}
    there = shot(hit("red-2"), unsure, before=HANGING, after=HANGING)
    assert judged(snooker(), there)["restore"] == {}
    denied = shot(hit("red-1"), fell("red-1", 9.0), before=HANGING, seen=[confirm("self_fell", False, "red-1")])
    assert judged(snooker(), denied)["points"]["A"] == 1


def test_a_colour_that_drops_between_strokes_is_spotted() -> None:
    verdict = judged(snooker(), shot(fell("pink", 2.0), before=layout(4, pink=(24, 3545)), strike=False))
    assert (verdict["legal"], verdict["spot"], verdict["next"]["player"]) == (True, {"pink": SPOTS["pink"]}, "A")


@pytest.mark.parametrize(("second", "legal"), [("red-2", True), ("black", None)])
def test_a_hidden_cue_ball_hit_one_of_the_balls_that_ran_first(second: str, legal: bool | None) -> None:
    before = layout(4)
    after = {ball: [x + 5, y + 5] for ball, (x, y) in before.items()}
    gaps = [{"t0": 10.0, "t1": 10.3, "balls": ["cue"]}]
    record = shot(hit(second, by="red-1"), cushion("red-1"), before=before, after=after, gaps=gaps)
    verdict = judged(snooker(), record)
    assert verdict["legal"] is legal
    assert questions(verdict) == ({"first_contact"} if legal is None else set())


@pytest.mark.parametrize(
    ("gap", "asked"),
    [
        ({"t0": 10.05, "t1": 10.35, "balls": ["red-2"]}, {("potted", "red-2")}),
        ({"t0": 10.05, "t1": 10.15, "balls": ["red-2"]}, set()),
        ({"t0": 10.15, "t1": 10.35, "balls": ["red-2"], "region": [[800, 1700], [900, 1700], [900, 1800]]}, set()),
        ({"t0": 10.15, "t1": 10.35}, {("potted", None)}),
    ],
)
def test_what_a_gap_may_have_hidden_of_pots(gap: dict[str, object], asked: set[tuple[str, str | None]]) -> None:
    seen = [confirm("first_contact", ["red-1"])]
    record = shot(hit("red-1"), cushion(), before=layout(4), after=None, gaps=[gap], seen=seen)
    verdict = judged(snooker(), record)
    assert {(each["question"], each.get("ball")) for each in verdict["undecided"]} == asked
    assert verdict["legal"] is (None if asked == {("potted", None)} else True)


@shows("SN-3.11.4c", UNDECIDED)
def test_red_or_colour_first_with_a_colour_on_may_be_open() -> None:
    near = [hit("red-1", t=10.5, t_sigma=0.02), hit("pink", t=10.52, t_sigma=0.02)]
    verdict = judged(snooker("colour"), shot(*near, cushion(t=11), before=layout(4), on="pink"))
    assert (verdict["legal"], questions(verdict)) == (None, {"first_contact"})


def test_what_is_on_may_be_unknown() -> None:
    red = potting("red-1", before=layout(5))
    verdict = judged(snooker(None), red)
    assert (verdict["legal"], verdict["points"], questions(verdict)) == (None, {"A": 0, "B": 0}, {"ball_on"})
    missed = shot(cushion(), before=layout(5), seen=["foot_off"])
    verdict = judged(snooker(None), missed)
    assert (verdict["legal"], verdict["next"]["player"], verdict["next"]["on"]) == (False, "B", ["red"])
    # whatever was on, the turn passed and a red is on: the next stroke is decided
    later = potting("red-2", before=layout(5), t0=30.0)
    later["events"] = [{**event, "t": event["t"] + 20} for event in later["events"]]
    verdict = judged(snooker(None), missed, later)
    assert (verdict["legal"], verdict["points"], verdict["next"]["on"]) == (True, {"A": 0, "B": 1}, ["colour"])
