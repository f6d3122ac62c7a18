"""Snooker, sections 2.1, 3.3.8, 3.10, 3.12 to 5: choices after fouls, ends of frames, doubles, conduct, questions."""

from collections.abc import Callable
from typing import Any

import pytest
from play import (
    SPOTS,
    cushion,
    hit,
    judged,
    layout,
    moved,
    off,
    official,
    only,
    options,
    potted,
    shot,
    snooker,
)
from shows import BOUNDARY, SATISFIED, VIOLATED, shows

from referee.rules.geometry_snooker import reds_triangle
from referee.rules.table import table_of

DOUBLES = {
    "teams": {"A": ["A1", "A2"], "B": ["B1", "B2"]},
    "order": ["A1", "B1", "A2", "B2"],
    "striker": "A1",
    "on": ["red"],
    "cue_ball": "as_it_lies",
}


def later(record: dict[str, object], seconds: float = 30.0) -> dict[str, object]:
    """The same record so much later."""
    events = [{**event, "t": event["t"] + seconds} for event in record["events"]]  # type: ignore[attr-defined]
    return {**record, "events": events}


MISSED = shot(cushion(), before=layout(8), after=layout(8, cue=(300, 1500)))
MISSED_ON_PURPOSE = {**MISSED, "observed": [{"kind": "miss"}]}


# ---------------------------------------------------------------------------------------------- 3.10: after a foul


@shows("SN-3.10.3b SN-3.10.1e SN-3.14.3", VIOLATED)
def test_the_offender_may_be_put_in_again() -> None:
    verdict = judged(snooker(), MISSED)
    assert (verdict["next"]["player"], verdict["next"]["cue_ball"], options(verdict)) == (
        "B",
        "as_it_lies",
        {"play_again"},
    )
    verdict = judged(snooker(), MISSED, official("choose", player="B", option="play_again"))
    assert (verdict["next"]["player"], verdict["penalty"], options(verdict)) == ("A", 4, set())
    assert verdict["announce"]["en"] == ["A to play again"]


@shows("SN-3.10.3b SN-3.10.3c SN-3.14.3", SATISFIED)
@shows("SN-3.3.9", SATISFIED)
def test_only_the_other_side_chooses_and_only_what_is_open() -> None:
    for player, option in (("A", "play_again"), ("B", "replay"), ("B", "free_ball")):
        with pytest.raises(ValueError, match="option: expected one of the open options"):
            judged(snooker(), MISSED, official("choose", player=player, option=option))
    with pytest.raises(ValueError, match="option"):
        judged(snooker(), shot(hit("red-1"), before=layout(8)), official("choose", player="B", option="play_again"))


@shows("SN-3.3.9 SN-3.10.3c SN-2.20", VIOLATED)
def test_after_a_miss_the_stroke_may_be_replayed_from_where_all_lay() -> None:
    after = {**layout(8, cue=(300, 1500)), "blue": [700, 1800]}
    record = {**MISSED_ON_PURPOSE, "after": after}
    assert options(judged(snooker(), record)) == {"play_again", "replay"}
    verdict = judged(snooker(), record, official("choose", player="B", option="replay"))
    assert verdict["restore"] == {"cue": [1100, 1300], "blue": SPOTS["blue"]}
    assert (verdict["next"]["player"], verdict["next"]["cue_ball"], verdict["score"]) == (
        "A",
        [1100, 1300],
        {"A": 0, "B": 4},
    )


@shows("SN-3.10.3c", VIOLATED)
def test_a_replay_brings_back_colours_but_no_reds() -> None:
    events = [hit("green"), hit("red-1", by="green"), potted("red-1"), potted("green")]
    before = layout(2, green=(500, 500))
    record = shot(*events, before=before, seen=["miss"])
    verdict = judged(snooker(), record)
    assert verdict["spot"] == {"green": SPOTS["green"]}
    verdict = judged(snooker(), record, official("choose", player="B", option="replay"))
    assert verdict["restore"] == {"green": [500, 500]}
    assert verdict["state"]["balls"].keys() == {ball for ball in before if ball != "red-1"}
    assert verdict["spot"] == {}


@shows("SN-3.3.9.n", VIOLATED, SATISFIED)
def test_no_miss_where_the_ball_on_could_not_be_hit() -> None:
    impossible = {"kind": "confirm", "question": "can_be_hit", "value": False}
    record = {**MISSED, "observed": [{"kind": "miss"}, impossible]}
    assert options(judged(snooker(), record)) == {"play_again"}
    record = {**MISSED, "observed": [{"kind": "miss"}, {**impossible, "value": True}]}
    assert options(judged(snooker(), record)) == {"play_again", "replay"}


@shows("SN-3.3.9", SATISFIED)
def test_no_miss_where_the_ball_on_was_hit() -> None:
    record = shot(hit("red-1"), potted("cue"), before=layout(8), seen=["miss"])
    assert options(judged(snooker(), record)) == {"play_again"}


@shows("SN-3.10.1b SN-4.5", VIOLATED)
def test_a_foul_that_was_not_called_before_the_next_stroke() -> None:
    first = shot(hit("blue"), before=layout(8))
    second = later(shot(hit("red-3"), before=layout(8)))
    assert judged(snooker(score=(5, 5)), first)["score"] == {"A": 5, "B": 10}
    verdict = judged(snooker(score=(5, 5)), first, second, official("not_called"))
    assert (verdict["score"], verdict["next"]["player"], verdict["next"]["on"]) == ({"A": 5, "B": 5}, "A", ["red"])


@shows("SN-3.10.1b SN-4.5", SATISFIED)
@shows("SN-5.1.3", VIOLATED, SATISFIED)
def test_a_foul_that_was_called_in_time_stands() -> None:
    with pytest.raises(ValueError, match="not_called"):
        judged(snooker(), shot(hit("blue"), before=layout(8)), official("not_called"))
    claimed = shot(hit("red-1"), before=layout(8), seen=["double_hit"])
    assert judged(snooker(), claimed)["penalty"] == 4


def test_a_free_ball_may_be_chosen_aloud() -> None:
    hidden = layout(7, cue=(889, 1000), brown=(889, 1100))
    record = shot(cushion(), before={**hidden, "cue": [1400, 600]}, after=hidden)
    verdict = judged(snooker(), record, official("choose", player="B", option="free_ball"))
    assert (verdict["next"]["player"], verdict["next"]["free_ball"], options(verdict)) == ("B", True, {"free_ball"})


# ---------------------------------------------------------------------------------------------- 3.12: from outside


@shows("SN-3.12 SN-3.12.n1", VIOLATED)
def test_what_was_disturbed_from_outside_is_put_back() -> None:
    outside = {"kind": "interference", "who": "spectator", "balls": ["blue"]}
    record = shot(moved("blue", "outside"), before=layout(8), strike=False, seen=[outside])
    verdict = judged(snooker(), record)
    assert (verdict["legal"], verdict["restore"], verdict["next"]["player"]) == (True, {"blue": SPOTS["blue"]}, "A")
    jostled = shot(
        moved("blue", "player"),
        before=layout(8),
        strike=False,
        seen=[outside, {"kind": "touched", "ball": "blue", "by": "hand"}],
    )
    verdict = judged(snooker(), jostled, official("restored", balls={"blue": SPOTS["blue"]}))
    assert (verdict["legal"], verdict["restore"]) == (True, {"blue": SPOTS["blue"]})


@shows("SN-3.12 SN-3.12.n1 SN-3.12.n2", SATISFIED)
def test_what_a_player_disturbs_is_his_foul() -> None:
    record = shot(moved("blue", "player"), before=layout(8), strike=False)
    assert judged(snooker(), record)["points"] == {"A": 0, "B": 5}
    by_opponent = {**record, "observed": [{"kind": "interference", "who": "B", "balls": ["blue"]}]}
    assert judged(snooker(), by_opponent)["points"] == {"A": 5, "B": 0}


def test_a_ball_that_settles_stays_where_it_is() -> None:
    after = layout(8, blue=(889, 1788))
    record = shot(moved("blue", "itself"), before=layout(8), after=after, strike=False)
    verdict = judged(snooker(), record)
    assert (verdict["legal"], verdict["restore"], verdict["next"]["player"]) == (True, {}, "A")


# ---------------------------------------------------------------------------------------------- 3.3.8: the end


@shows("SN-2.1.2 SN-3.3.8 SN-3.1b", VIOLATED)
@shows("SN-3.3.8a SN-3.3.8b SN-3.3.8c", SATISFIED)
@pytest.mark.parametrize(("score", "winner"), [((50, 40), "A"), ((40, 50), "B")])
def test_the_black_ends_the_frame(score: tuple[int, int], winner: str) -> None:
    verdict = judged(snooker("black", score), shot(hit("black"), potted("black"), before=only("black")))
    assert verdict["frame"] == {"over": True, "winner": winner, "result": "won"}
    assert verdict["score"] == {"A": score[0] + 7, "B": score[1]}
    assert verdict["next"]["cue_ball"] == "in_hand_D"


@shows("SN-2.1.2 SN-3.3.8 SN-3.1b", SATISFIED)
def test_with_the_pink_still_there_nothing_ends() -> None:
    verdict = judged(snooker("pink"), shot(cushion(), before=only("pink", "black")))
    assert verdict["frame"]["over"] is False
    verdict = judged(snooker("black"), shot(hit("black"), before=only("black")))
    assert (verdict["frame"]["over"], verdict["next"]["player"]) == (False, "B")


@shows("SN-2.1.2", VIOLATED)
def test_a_foul_on_the_last_black_ends_the_frame() -> None:
    verdict = judged(snooker("black", (50, 40)), shot(cushion(), before=only("black")))
    assert (verdict["score"], verdict["frame"]["winner"]) == ({"A": 50, "B": 47}, "A")


@shows("SN-3.3.8 SN-3.3.8a SN-3.3.8b SN-3.3.8c", VIOLATED, BOUNDARY)
@shows("SN-3.3.8.n", SATISFIED)
def test_level_the_black_is_spotted_and_lots_are_drawn() -> None:
    black = shot(hit("black"), potted("black"), before=only("black"))
    verdict = judged(snooker("black", (50, 57)), black)
    assert verdict["spot"] == {"black": SPOTS["black"]}
    assert verdict["next"] == {
        "player": None,
        "on": ["black"],
        "cue_ball": "in_hand_D",
        "free_ball": False,
        "options": [],
    }
    verdict = judged(snooker("black", (50, 57)), black, official("toss", winner="B"))
    assert (verdict["next"]["player"], verdict["next"]["cue_ball"]) == ("B", "in_hand_D")
    again = later(shot(hit("black"), before=only("black", cue=(889, 700))))
    verdict = judged(snooker("black", (50, 57)), black, official("toss", winner="B"), again)
    assert (verdict["frame"]["over"], verdict["next"]["player"]) == (False, "A")


@shows("SN-3.3.8d", VIOLATED, SATISFIED)
@pytest.mark.parametrize(("event", "over", "winner"), [("miss", True, "A"), ("pot", True, "B"), ("hit", False, None)])
def test_the_respotted_black(event: str, over: bool, winner: str | None) -> None:
    state = snooker("black", (57, 57), striker="B", cue_ball="in_hand_D", snooker={"respotted_black": True})
    events = {"miss": [cushion()], "pot": [hit("black"), potted("black")], "hit": [hit("black")]}[event]
    verdict = judged(state, shot(*events, before=only("black", cue=(889, 700))))
    assert (verdict["frame"]["over"], verdict["frame"]["winner"]) == (over, winner)


@shows("SN-3.3.8.n", VIOLATED)
def test_where_the_aggregate_counts_a_level_frame_is_drawn_and_a_level_aggregate_played_on() -> None:
    black = shot(hit("black"), potted("black"), before=only("black"))
    earlier = {"aggregate": {"A": 70, "B": 64}, "last_frame": False, "frames_left": 1}
    verdict = judged(snooker("black", (50, 57), breaker="A", snooker=earlier), black)
    assert verdict["frame"] == {"over": True, "winner": None, "result": "tied"}
    assert verdict["match"] == {"over": False, "winner": None, "aggregate": {"A": 127, "B": 121}}
    assert verdict["next"]["player"] == "B"
    last = {"aggregate": {"A": 70, "B": 64}, "last_frame": True, "frames_left": 0}
    verdict = judged(snooker("black", (50, 63), breaker="A", snooker=last), black)
    assert (verdict["frame"]["over"], verdict["spot"]) == (False, {"black": SPOTS["black"]})
    verdict = judged(snooker("black", (50, 57), breaker="A", snooker=last), black)
    assert verdict["match"] == {"over": True, "winner": "A", "aggregate": {"A": 127, "B": 121}}


@shows("SN-2.1.1", VIOLATED, SATISFIED)
def test_conceding_at_any_time() -> None:
    verdict = judged(snooker(score=(30, 20), frames={"A": 0, "B": 1}, frames_to_win=2), official("concede", player="A"))
    assert verdict["frame"] == {"over": True, "winner": "B", "result": "conceded"}
    assert verdict["match"] == {"over": True, "winner": "B"}
    assert verdict["announce"]["en"][-1] == "B wins by two frames to zero"
    assert judged(snooker(), MISSED)["frame"]["over"] is False
    assert judged({}, official("concede", player="A"))["next"]["player"] == "B", "A would have opened the first frame"


def test_frames_alternate_and_the_match_ends() -> None:
    state = {"frames_to_win": 2, "breaker": "A", "striker": "A", **snooker("black", (50, 40)), "cue_ball": "as_it_lies"}
    black = shot(hit("black"), potted("black"), before=only("black"))
    verdict = judged(state, black)
    assert (verdict["next"]["player"], verdict["match"]["over"]) == ("B", False)
    assert verdict["state"]["frames"] == {"A": 1, "B": 0}
    verdict = judged(state, black, official("concede", player="B"))
    assert verdict["match"] == {"over": True, "winner": "A"}


# ---------------------------------------------------------------------------------------------- 3.13 to 5


@shows("SN-3.13", VIOLATED, SATISFIED)
def test_stalemate() -> None:
    state = snooker(score=(33, 30), breaker="A", balls=["cue", "red-1", "black"], striker="B")
    verdict = judged(state, official("warn", player=["A", "B"], about="stalemate"))
    assert (verdict["frame"]["over"], verdict["score"]) == (False, {"A": 33, "B": 30})
    verdict = judged(state, official("warn", player=["A", "B"], about="stalemate"), official("void"))
    assert verdict["frame"] == {"over": True, "winner": None, "result": "void"}
    assert (verdict["score"], verdict["next"]["player"]) == ({"A": 0, "B": 0}, "A")
    assert verdict["next"]["cue_ball"] == "in_hand_D"


@shows("SN-3.14.1 SN-3.14.3", VIOLATED, SATISFIED)
def test_doubles_keep_their_order_through_a_foul() -> None:
    again = official("choose", player="B2", option="play_again")
    hit_red = later(shot(hit("red-1"), before=layout(8)))
    verdict = judged(DOUBLES, MISSED)
    assert verdict["next"]["player"] == "B1"
    verdict = judged(DOUBLES, MISSED, again)
    assert verdict["next"]["player"] == "A1"
    assert judged(DOUBLES, MISSED, again, hit_red)["next"]["player"] == "B1"
    assert judged(DOUBLES, MISSED, hit_red)["next"]["player"] == "A2"


def test_a_side_named_for_its_first_player() -> None:
    state = {**DOUBLES, "striker": "B", "breaker": "A"}
    assert judged(state, MISSED)["next"]["player"] == "A2"
    assert judged(state, official("concede", player="A2"))["next"]["player"] == "B1"
    with pytest.raises(ValueError, match="striker: expected one of A, B, A1"):
        judged({**DOUBLES, "striker": "C"}, MISSED)


@shows("SN-3.14.2 SN-3.14.4", VIOLATED, SATISFIED)
def test_doubles_may_change_their_order_before_a_frame_and_after_a_tie() -> None:
    state = {name: value for name, value in DOUBLES.items() if name in ("teams", "order")}
    verdict = judged(state, official("order", players=["A2", "B2", "A1", "B1"]), shot(hit("red-1")))
    assert verdict["next"]["player"] == "B2"
    with pytest.raises(ValueError, match="players: expected every player once"):
        judged(state, official("order", players=["A2", "A1", "B1", "B2"]))
    with pytest.raises(ValueError, match="the order is fixed before the first stroke"):
        judged(DOUBLES, MISSED, official("order", players=["B2", "A1", "B1", "A2"]))
    tied = {**DOUBLES, "on": ["black"], "score": {"A": 50, "B": 57}}
    black = shot(hit("black"), potted("black"), before=only("black"))
    verdict = judged(tied, black, official("toss", winner="B"))
    assert verdict["next"]["player"] == "B1"
    verdict = judged(tied, black, official("toss", winner="B"), official("order", players=["B2", "A1", "B1", "A2"]))
    assert verdict["next"]["player"] == "B2"


@shows("SN-3.14.5 SN-4.1", VIOLATED, SATISFIED)
def test_warnings_change_nothing() -> None:
    for about in ("slow_play", "conduct"):
        verdict = judged(snooker(score=(3, 4)), official("warn", player="A", about=about))
        assert (verdict["score"], verdict["next"]["player"], verdict["legal"]) == ({"A": 3, "B": 4}, "A", None)


@shows("SN-4.2 SN-4.3a SN-4.3b", VIOLATED)
def test_a_frame_awarded_for_conduct() -> None:
    state = snooker(score=(30, 20), balls=sorted(layout(5)))
    verdict = judged(state, official("award", to="B", for_="conduct"))
    assert verdict["score"] == {"A": 0, "B": 20 + 5 * 8 + 27}
    assert verdict["points"] == {"A": -30, "B": 67}
    assert verdict["frame"] == {"over": True, "winner": "B", "result": "awarded"}


@shows("SN-4.2 SN-4.3a SN-4.3b SN-4.3.n", SATISFIED)
def test_a_colour_that_stayed_down_is_not_counted_and_nothing_is_fined_without_an_aggregate() -> None:
    verdict = judged(
        snooker("blue", (30, 20), balls=["cue", "blue", "pink", "black"]), official("award", to="A", for_="conduct")
    )
    assert (verdict["score"], verdict["match"]) == ({"A": 30 + 18, "B": 0}, {"over": False, "winner": None})
    assert judged(snooker(), official("warn", player="A", about="conduct"))["frame"]["over"] is False


@shows("SN-4.3.n", VIOLATED)
def test_frames_left_unplayed_cost_147_each_in_the_aggregate() -> None:
    earlier = {"aggregate": {"A": 100, "B": 90}, "frames_left": 2}
    state = snooker(score=(30, 20), balls=sorted(layout(5)), snooker=earlier)
    verdict = judged(state, official("award", to="B", for_="conduct"))
    assert verdict["match"]["aggregate"] == {"A": 100 - 2 * 147, "B": 90 + 87}


def test_a_match_on_aggregate_is_won_by_points() -> None:
    totals = {"aggregate": {"A": 70, "B": 77}, "last_frame": True, "frames_left": 0}
    state = snooker("black", (43, 50), frames={"A": 1, "B": 1}, snooker=totals)
    verdict = judged(state, shot(hit("black"), potted("black"), before=only("black")))
    assert (verdict["frame"]["result"], verdict["match"]["winner"]) == ("tied", "B")
    said = "B wins by one hundred and twenty-seven points to one hundred and twenty"
    assert verdict["announce"]["en"] == ["Seven", "Frame drawn", said]


@shows("SN-4.2", VIOLATED)
def test_a_disqualified_player_loses_the_match() -> None:
    verdict = judged(snooker(score=(30, 20), frames_to_win=5), official("disqualify", player="B"))
    assert verdict["match"] == {"over": True, "winner": "A"}
    assert verdict["next"]["player"] is None


@shows("SN-3.4.n SN-5.1.n", VIOLATED, SATISFIED)
def test_the_two_questions_that_are_answered() -> None:
    state = snooker(score=(44, 31), cue_ball="in_hand_D", balls=layout(8, cue=None))
    ask = official("ask", player="A", about="placement")
    for at, good in (((889, 445), True), ((889, 444), False), ((889, 738), False), ((890, 737), False)):
        assert judged(state, official("place_cue_ball", at=list(at)), ask)["answer"] is good, at
    verdict = judged(state, official("ask", player="B", about="difference"))
    assert (verdict["answer"], verdict["announce"]["en"]) == (13, ["Thirteen points in it"])
    assert judged(state, official("place_cue_ball", at=[889, 445]))["next"]["cue_ball"] == "in_hand_D"
    with pytest.raises(ValueError, match="about: expected one of placement, difference"):
        judged(state, official("ask", player="A", about="what to play"))


@shows("SN-3.12 SN-3.12.n2", VIOLATED)
@pytest.mark.parametrize("stroke", [True, False])
@pytest.mark.parametrize(("ball", "place"), [("red-5", (700, 2900)), ("black", (889, 3245))])
@pytest.mark.parametrize("leaves", [potted, off])
def test_what_outsiders_knock_off_the_bed_goes_back_and_is_nobodys_pot_or_foul(
    stroke: bool, ball: str, place: tuple[float, float], leaves: Callable[[str], dict[str, Any]]
) -> None:
    events = [*([hit("red-1"), potted("red-1")] if stroke else []), moved(ball, "outside"), leaves(ball)]
    verdict = judged(snooker(), shot(*events, before=layout(8), strike=stroke))
    assert (verdict["legal"], verdict["restore"], verdict["spot"]) == (True, {ball: list(place)}, {})
    assert (verdict["points"]["A"], verdict["potted"]) == ((1, ["red-1"]) if stroke else (0, []))
    assert verdict["next"]["player"] == "A"
    assert ball in verdict["state"]["balls"]


@shows("SN-5.1.2b", SATISFIED)
def test_nothing_is_said_unasked_of_a_cue_ball_that_would_be_a_foul_to_play() -> None:
    state = snooker(cue_ball="in_hand_D", balls=layout(8, cue=None))
    placed = official("place_cue_ball", at=[889, 800])
    assert judged(state, placed)["announce"] == {"en": [], "ru": []}
    asked = judged(state, placed, official("ask", player="A", about="placement"))
    assert (asked["answer"], asked["announce"]["en"]) == (False, ["No"])


# ---------------------------------------------------------------------------------------------- 3.2: the rack


@shows("SN-3.2a SN-3.2b", VIOLATED, SATISFIED, BOUNDARY)
@pytest.mark.parametrize(("air", "wrong"), [(0.0, True), (1.0, False), (4.0, False), (12.0, True)])
def test_the_apex_is_near_the_pink_without_touching_it(air: float, wrong: bool) -> None:
    reds = {ball: [x, y + air - 1.0] for ball, (x, y) in reds_triangle(table_of("snooker")).items()}
    colours = {ball: place for ball, place in layout(0).items() if ball != "cue"}
    verdict = judged({}, shot(before={**colours, **reds}, strike=False, after=None))
    assert (len(verdict["spot"]), verdict["legal"]) == (15 if wrong else 0, None)
    away = judged({}, shot(before={**colours, **reds, "blue": [889, 1790]}, strike=False, after=None))
    assert "blue" in away["spot"]
    assert away["next"]["player"] == "A"


def test_only_what_lies_wrong_is_placed_anew() -> None:
    rack = {ball: list(place) for ball, place in reds_triangle(table_of("snooker")).items()}
    colours = {ball: place for ball, place in layout(0).items() if ball != "cue"}
    rack["red-1"], rack["red-9"] = rack["red-9"], rack["red-1"]
    assert judged({}, shot(before={**colours, **rack}, strike=False, after=None))["spot"] == {}
    moved_away = {**rack, "red-7": [600, 2900]}
    verdict = judged({}, shot(before={**colours, **moved_away}, strike=False, after=None))
    assert verdict["spot"] == {"red-7": pytest.approx(rack["red-7"])}
    missing = {ball: place for ball, place in rack.items() if ball != "red-3"}
    verdict = judged({}, shot(before={**colours, **missing}, strike=False, after=None))
    assert verdict["spot"] == {"red-3": pytest.approx(rack["red-3"])}


def test_accepting_leaves_all_as_it_is() -> None:
    verdict = judged(snooker(), MISSED, official("choose", player="B", option="accept"))
    assert (verdict["next"]["player"], options(verdict)) == ("B", set())


def test_the_policy_of_both_edges() -> None:
    after = {**layout(0, green=(930, 1784.5), blue=(400, 1784.5)), "cue": [889, 1000], "red-1": [889, 2400]}
    record = shot(cushion(), before={**after, "cue": [1300, 600]}, after=after)
    assert judged(snooker(), record)["next"]["free_ball"] is False
    assert judged(snooker(), record, options={"snookered": "both_edges"})["next"]["free_ball"] is True
    with pytest.raises(ValueError, match=r"options\.snookered: expected one of any_part, both_edges"):
        judged(snooker(), record, options={"snookered": "sometimes"})
