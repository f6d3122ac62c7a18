"""The general rules of pool: the house, and the lag that says who breaks from it."""

from typing import Any

import pytest
from play import clauses, confirm, cushion, hit, moved, off, official, options, potted, questions, shot
from pool_play import HEAD, after, crossed, in_9_ball, in_14_1, lying, nine, seen, straight
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

# ---------------------------------------------------------------------------------------------- PG-6, 7, 14: the house

IN_HOUSE = {"b4": (700, 500), "b9": (300, 1400)}


def house(*events: Any, before: Any = None, **more: Any) -> dict[str, Any]:
    """A shot of 14.1 from the house at (500, 400)."""
    return shot(*events, before=before or lying(cue=(500, 400), **IN_HOUSE), **more)


FROM_HOUSE = straight(cue_ball="in_hand_house", foul_by="B")


@shows("PG-7b PG-7a PG-6c", VIOLATED)
@shows("PG-7c PG-7d PG-7a", SATISFIED)
def test_balls_outside_the_house_may_be_played_directly() -> None:
    assert in_14_1(FROM_HOUSE, house(crossed(), hit("9"), cushion("9")))["legal"] is True


@shows("PG-7c PG-7d PG-7b", VIOLATED)
def test_a_ball_in_the_house_may_not_be_played_directly() -> None:
    verdict = in_14_1(FROM_HOUSE, house(hit("4"), cushion("4")))
    assert set(clauses(verdict)) == {"PG-7c", "PG-7d"}
    assert (verdict["penalty"], after(verdict)) == (1, ("B", "as_it_lies"))
    side = house(crossed(), cushion("cue", "right"), hit("4"), cushion("4"))
    assert clauses(in_14_1(FROM_HOUSE, side)) == ["PG-7c"]  # out of the house, but not by way of the foot cushion


@shows("PG-7c", SATISFIED)
def test_by_way_of_the_foot_cushion_it_may() -> None:
    round_ = house(crossed(), cushion("cue", "top"), hit("4"), cushion("4"))
    assert in_14_1(FROM_HOUSE, round_)["legal"] is True
    side = house(crossed(), cushion("cue", "right"), hit("4"), cushion("4"))
    assert in_14_1(FROM_HOUSE, side, options={"house_shots": "leave_house"})["legal"] is True
    direct = in_14_1(FROM_HOUSE, house(hit("4"), cushion("4")), options={"house_shots": "leave_house"})
    assert "PG-7c" in clauses(direct)
    assert in_14_1(straight(), house(hit("4"), cushion("4")))["legal"] is True  # not in hand: any ball may be played


@shows("PG-7c", UNDECIDED)
def test_a_foot_cushion_of_which_nobody_is_sure() -> None:
    unsure = house(crossed(), cushion("cue", "top", confidence=0.5), hit("4"), cushion("4"))
    assert questions(in_14_1(FROM_HOUSE, unsure)) == {"foot_cushion_first"}
    hidden = house(crossed(), hit("4"), cushion("4"), gaps=[{"t0": 10.1, "t1": 10.15, "balls": ["cue"]}])
    assert questions(in_14_1(FROM_HOUSE, hidden)) == {"foot_cushion_first"}
    nowhere = house(hit("4"), cushion("4"))
    nowhere |= {"before": None, "after": None}
    verdict = in_14_1(straight(cue_ball="in_hand_house", foul_by="B", balls=["4", "9"]), nowhere)
    assert (verdict["legal"], questions(verdict)) == (None, {"in_house"})


@shows("PG-14a PG-7b PG-10", VIOLATED, SATISFIED, BOUNDARY)
@pytest.mark.parametrize(("y", "legal"), [(HEAD - 0.1, False), (HEAD, True), (HEAD + 0.1, True)])
def test_the_head_string_is_no_part_of_the_house_for_object_balls(y: float, legal: bool) -> None:
    before = lying(9, cue=(500, 400), b4=(700, y))
    assert in_14_1(FROM_HOUSE, shot(hit("4"), cushion("4"), before=before))["legal"] is legal


@shows("PG-14b PG-7a", VIOLATED, SATISFIED, BOUNDARY)
@pytest.mark.parametrize(("y", "expected"), [(HEAD - 0.1, []), (HEAD, ["PG-14b"]), (HEAD + 0.1, ["PG-7a"])])
def test_nor_for_the_cue_ball(y: float, expected: list[str]) -> None:
    before = lying(4, 9, cue=(500, y))
    record = shot(crossed(), hit("4"), cushion("4"), before=before)
    assert clauses(in_14_1(FROM_HOUSE, record)) == expected
    if y == HEAD:
        assert in_14_1(FROM_HOUSE, record, options={"cue_ball_on_line": "allowed"})["legal"] is True
    placed = [official("place_cue_ball", at=[500, y]), official("ask", player="A", about="placement")]
    assert in_14_1({**FROM_HOUSE, "balls": {"4": [900, 1500]}}, *placed)["answer"] is (y < HEAD)


@shows("PG-7d", VIOLATED, SATISFIED)
def test_no_ball_in_the_house_is_touched_before_the_cue_ball_has_left_it() -> None:
    near = lying(cue=(500, 590), b9=(500, 646), b4=(440, 560), b2=(900, 1500))
    first_outside = house(hit("9"), hit("4"), cushion("9"), before=near)  # the 9 stands just outside the house
    assert clauses(in_14_1(FROM_HOUSE, first_outside)) == ["PG-7d"]
    later = house(hit("9"), crossed(), cushion("cue", "right"), hit("4"), cushion("9"), before=near)
    assert in_14_1(FROM_HOUSE, later)["legal"] is True


@shows("PG-7e", VIOLATED)
@shows("PG-7f PG-19b", SATISFIED)
def test_until_it_has_left_the_house_the_cue_ball_may_be_handled() -> None:
    state = straight(cue_ball="in_hand_house", foul_by="B")
    before = lying(4, 9, cue=(500, 400))
    short = shot(before=before, after={**before, "cue": [500, 600]})
    verdict = in_14_1(state, short)
    assert (verdict["legal"], after(verdict), verdict["score"]) == (True, ("A", "in_hand_house"), {"A": 31, "B": 20})
    hidden = in_14_1(state, {**short, "gaps": [{"t0": 10.0, "t1": 10.1, "balls": ["cue"]}]})
    assert (hidden["legal"], questions(hidden)) == (None, {"left_house"})
    again = shot(moved("cue", "player"), before=before, after=before, seen=[seen("touched", ball="cue", by="hand")])
    assert in_14_1(state, again)["legal"] is True
    early = shot(moved("cue", "player"), crossed(), hit("4"), cushion("4"), before=before)
    assert in_14_1(state, early)["legal"] is True


@shows("PG-7f PG-7e", VIOLATED)
@shows("PG-7e", SATISFIED, UNDECIDED)
def test_after_that_any_touch_is_a_foul() -> None:
    before = lying(4, 9, cue=(500, 400))
    late = shot(crossed(), moved("cue", "player"), hit("4"), cushion("4"), before=before)
    assert clauses(in_14_1(FROM_HOUSE, late)) == ["PG-7f"]
    told = shot(crossed(), hit("4"), cushion("4"), before=before, seen=[seen("touched", ball="cue", by="shaft")])
    assert clauses(in_14_1(FROM_HOUSE, told)) == ["PG-7f"]
    line = crossed(t=10.1, t_sigma=0.1)
    unsure = shot(line, {**moved("cue", "player"), "t": 10.15}, hit("4"), cushion("4"), before=before)
    assert questions(in_14_1(FROM_HOUSE, unsure)) == {"left_house"}


# ---------------------------------------------------------------------------------------------- PG-5, PG-6: the lag


def lag(*events: Any, a: tuple[float, float] = (420, 150), b: tuple[float, float] = (850, 290)) -> dict[str, Any]:
    """A lag in which both balls touch the foot cushion once, and these events happen too."""
    usual = [cushion("A", "top"), cushion("B", "top")]
    start = {"A": [420, 500], "B": [850, 500]}
    gone = {e["ball"] for e in events if e["kind"] in ("pocket", "off_table")}
    rest = {name: list(place) for name, place in (("A", a), ("B", b)) if name not in gone}
    strikes = [{"kind": "strike", "ball": "A", "t": 10.0}, {"kind": "strike", "ball": "B", "t": 10.0}]
    record = shot(*strikes, *usual, *events, strike=False, before=start, after=rest)
    return official("lag", record=record)


TO_BREAK = nine("break")


@shows("PG-5a PG-6a PG-6b", VIOLATED)
@shows("PG-5b PG-5c1 PG-5c2 PG-5c3 PG-5c4 PG-5c5 PG-5c6 PG-5c7 PG-5d", SATISFIED)
def test_the_ball_nearer_to_the_head_cushion_wins_the_lag() -> None:
    verdict = in_9_ball(TO_BREAK, lag())
    assert (after(verdict), options(verdict)) == (("A", "in_hand_house"), {"break_self", "break_other"})
    assert (verdict["fouls"], verdict["legal"]) == ([], None)
    assert verdict["announce"]["en"][0] == "A wins the lag"
    assert after(in_9_ball(TO_BREAK, lag(a=(420, 300))))[0] == "B"
    gives = in_9_ball(TO_BREAK, lag(), official("choose", player="A", option="break_other"))
    assert (after(gives), options(gives), gives["next"]["on"]) == (("B", "in_hand_house"), set(), ["1"])


@shows("PG-6a PG-6b PG-5a", SATISFIED)
def test_lots_may_be_drawn_instead_and_without_either_the_state_says_who_breaks() -> None:
    drawn = in_9_ball(TO_BREAK, official("toss", winner="B"), official("choose", player="B", option="break_self"))
    assert after(drawn) == ("B", "in_hand_house")
    assert in_9_ball({**TO_BREAK, "striker": "B"}, official("warn", about="slow_play"))["next"]["player"] == "B"
    with pytest.raises(ValueError, match="option"):
        in_9_ball(TO_BREAK, official("choose", player="A", option="break_self"))


@shows("PG-5b PG-5c1 PG-5c2 PG-5c3 PG-5c4 PG-5c5 PG-5c6 PG-5c7", VIOLATED)
@pytest.mark.parametrize(
    ("line", "clause"),
    [
        (lag(crossed("long_string", "A")), "PG-5c1"),
        (lag(a=(700, 100), b=(850, 290)), "PG-5c1"),
        (lag(potted("A", "bottom-left")), "PG-5c3"),
        (lag(off("A")), "PG-5c4"),
        (lag(cushion("A", "left")), "PG-5c5"),
        (lag(a=(12, -3)), "PG-5c6"),
        (lag(cushion("A", "bottom"), cushion("A", "top")), "PG-5c7"),
    ],
)
def test_a_rule_broken_loses_the_lag(line: dict[str, Any], clause: str) -> None:
    verdict = in_9_ball(TO_BREAK, line)
    assert (clauses(verdict), verdict["legal"], after(verdict)[0]) == ([clause], False, "B")


@shows("PG-5c6", BOUNDARY)
def test_at_the_cushions_nose_line_a_ball_is_still_in_the_lag() -> None:
    assert after(in_9_ball(TO_BREAK, lag(a=(12, 0))))[0] == "A"


@shows("PG-5c2 PG-5b", VIOLATED)
def test_the_foot_cushion_must_be_reached() -> None:
    line = lag()
    events = [e for e in line["record"]["events"] if not (e["kind"] == "cushion" and e["ball"] == "A")]
    line["record"]["events"] = events
    verdict = in_9_ball(TO_BREAK, line)
    assert (clauses(verdict), after(verdict)[0]) == (["PG-5c2"], "B")


@shows("PG-5d", VIOLATED, BOUNDARY)
def test_it_is_repeated_when_both_broke_a_rule_or_nobody_can_tell() -> None:
    both = in_9_ball(TO_BREAK, lag(cushion("A", "left"), cushion("B", "right")))
    assert (clauses(both), options(both), both["announce"]["en"]) == (["PG-5c5", "PG-5c5"], set(), ["Lag again"])
    assert both["next"]["player"] is None
    assert in_9_ball(TO_BREAK, lag(a=(420, 289.5)))["announce"]["ru"] == ["Розыгрыш повторяется"]
    assert after(in_9_ball(TO_BREAK, lag(a=(420, 288.5))))[0] == "A"


def test_who_won_a_lag_that_the_record_leaves_open_is_asked() -> None:
    unseen = lag()
    unseen["record"]["after"] = None
    doubtful = lag(cushion("A", "left", confidence=0.4))
    for line in (unseen, doubtful):
        asked = in_9_ball(TO_BREAK, line)
        assert (asked["next"]["player"], options(asked), questions(asked)) == (None, set(), {"lag_winner"})
        then = in_9_ball(TO_BREAK, line, official("lag", winner="A"))
        assert (after(then)[0], then["undecided"], options(then)) == ("A", [], {"break_self", "break_other"})
        line["record"]["observed"] = [confirm("lag_winner", "B")]
        assert after(in_9_ball(TO_BREAK, line))[0] == "B"
    lost_anyway = lag(cushion("A", "left"), cushion("A", "right", confidence=0.4))
    assert after(in_9_ball(TO_BREAK, lost_anyway))[0] == "B"


def test_a_lag_of_balls_that_are_nobodys_is_refused() -> None:
    line = lag()
    line["record"]["before"] = {"cue": [420, 500]}
    with pytest.raises(ValueError, match="players' names"):
        in_9_ball(TO_BREAK, line)
    assert in_9_ball(TO_BREAK, {**line, "winner": "B"})["next"]["player"] == "B"  # the referee's word


@shows("PG-7a", SATISFIED)
def test_placing_where_it_is_not_in_hand_changes_nothing() -> None:
    verdict = in_9_ball(nine(), official("place_cue_ball", at=[300, 300]))
    assert (verdict["legal"], after(verdict)) == (None, ("A", "as_it_lies"))
