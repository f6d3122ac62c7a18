"""Snooker, sections 3.8, 3.9 and 2.16: hanging balls, free balls, angled balls."""

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
    off,
    official,
    only,
    options,
    potted,
    potting,
    questions,
    shot,
    snooker,
)
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

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


@shows("SN-3.8.2a SN-3.8.2b", VIOLATED, SATISFIED)
@pytest.mark.parametrize("fell_before_the_hit", [True, False])
def test_a_wrong_ball_is_the_fault_of_the_fall_only_if_the_fall_came_first(fell_before_the_hit: bool) -> None:
    events = [fell("red-1", 30.0), hit("blue")] if fell_before_the_hit else [hit("blue"), fell("red-1", 30.0)]
    after = {**{b: p for b, p in HANGING.items() if b != "red-1"}, "cue": [300, 300], "blue": [500, 1500]}
    record = shot(*events, before=HANGING, after=after, seen=[confirm("would_have_hit", True)])
    verdict = judged(snooker(), record)
    assert verdict["restore"] == {"red-1": [24, 3545], "cue": [1100, 1300], "blue": [889, 1784.5]}
    assert (verdict["penalty"], verdict["next"]["player"]) == ((0, "A") if fell_before_the_hit else (5, "B"))


@shows("SN-3.8.1", VIOLATED)
def test_a_ball_is_not_put_back_farther_than_the_edge_that_this_stroke_drove_it_to() -> None:
    before = layout(1)
    record = shot(hit("red-1"), fell("red-1", 6.0), before=before, seen=[confirm("would_have_hit", False)])
    verdict = judged(snooker(), record)
    assert (verdict["points"]["A"], verdict["restore"], verdict["next"]["on"]) == (0, {}, ["red"])
    assert "red-1" in verdict["state"]["balls"]


@shows("SN-3.8.1", VIOLATED)
def test_a_ball_that_fell_by_itself_stays_in_play_where_no_places_are_known() -> None:
    state = snooker(balls=["cue", "red-1", *SPOTS])
    verdict = judged(state, shot(fell("red-1", 9.0), strike=False))
    assert (verdict["legal"], verdict["next"]["on"]) == (True, ["red"])
    verdict = judged(state, shot(fell("cue", 9.0), strike=False))
    assert (verdict["legal"], verdict["next"]["cue_ball"]) == (True, "as_it_lies")


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


@shows("SN-3.9.4b SN-3.11.1h", SATISFIED)
def test_nobody_is_snookered_by_the_free_ball_when_a_colour_of_his_choice_is_on() -> None:
    before = {**layout(0, cue=(889, 800), pink=(300, 2000)), "red-1": [889, 2400], "red-2": [1500, 1500]}
    after = {**layout(0, cue=(889, 1000), pink=(300, 2000)), "red-1": [889, 2400]}
    plant = [hit("blue"), hit("red-2", by="blue"), potted("red-2")]
    verdict = judged(FREE, shot(*plant, before=before, after=after, on="blue"))
    assert (verdict["legal"], verdict["points"]["A"], verdict["next"]["on"]) == (True, 1, ["colour"])
    verdict = judged(FREE, shot(hit("blue"), before=before, after={**after, "red-2": [1500, 3400]}, on="blue"))
    assert verdict["legal"] is True
    verdict = judged(FREE, shot(hit("blue"), off("red-2"), before=before, after=after, on="blue"))
    assert {"SN-3.11.1h", "SN-3.11.2f"} <= set(clauses(verdict))


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


@shows("SN-2.16.r2 SN-2.15.2", VIOLATED, SATISFIED)
def test_who_takes_the_angled_ball_in_hand_keeps_the_free_ball_only_if_no_place_in_the_d_is_open() -> None:
    seen = [confirm("angled", True), confirm("snookered", True)]
    open_ = {**layout(0, cue=(5, 45)), "red-1": [889, 2400]}
    closed = {"yellow": [74.75, 2572], "green": [26.25, 2544], "brown": [74.75, 2628], "blue": [26.25, 2656]}
    closed |= {"pink": SPOTS["pink"], "black": SPOTS["black"], "red-1": [26.25, 2600], "cue": [5, 45]}
    for after, free in ((open_, False), (closed, True)):
        record = shot(cushion(), before={**after, "cue": [1500, 600]}, after=after, seen=seen)
        assert options(judged(snooker(), record)) == {"play_again", "free_ball", "from_D"}
        verdict = judged(snooker(), record, official("choose", player="B", option="from_D"))
        assert (verdict["next"]["cue_ball"], verdict["next"]["free_ball"]) == ("in_hand_D", free)
        assert options(verdict) == ({"free_ball"} if free else set())
