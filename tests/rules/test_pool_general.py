"""The general rules of pool: the lag, the house, touches, jumps, balls off the table, hanging balls, outsiders."""

from typing import Any

import pytest
from play import clauses, confirm, cushion, fell, hit, jumped, moved, off, official, options, potted, questions, shot
from pool_play import (
    BALL,
    CUE,
    FOOT,
    HEAD,
    after,
    call,
    crossed,
    fouls,
    in_9_ball,
    in_14_1,
    lying,
    nine,
    pot,
    returned,
    seen,
    straight,
)
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

GOOD = shot(hit("2"), cushion("2"), before=lying(2, 3, 9))
"""A legal shot of 9-ball with the 2 on."""


def good(*first: Any, before: Any = None, **more: Any) -> dict[str, Any]:
    """The legal shot, after these events."""
    return shot(*first, hit("2"), cushion("2"), before=before or lying(2, 3, 9), **more)


# ---------------------------------------------------------------------------------------------- PG-3, 11, 12, 20 to 22


@shows("PG-3 PG-11 PG-12 PG-20a PG-21 PG-22c", VIOLATED)
@pytest.mark.parametrize(
    ("kind", "clause"),
    [
        ("tip_fault", "PG-3"),
        ("foot_off", "PG-11"),
        ("balls_moving", "PG-12"),
        ("double_hit", "PG-20a"),
        ("push", "PG-21"),
        ("jump_method", "PG-22c"),
        ("bad_placement", "PG-7a"),
        ("used_out_ball", "SUP-PG-29"),
    ],
)
def test_what_people_see(kind: str, clause: str) -> None:
    verdict = in_9_ball(nine(), good(seen=[kind]))
    assert (clauses(verdict), verdict["legal"], after(verdict)) == ([clause], False, ("B", "in_hand_any"))


@shows("PG-3 PG-11 PG-12 PG-20a PG-21 PG-22c PG-18 PG-19a PG-19b PG-23d PG-24 PG-15", SATISFIED)
def test_a_clean_shot() -> None:
    verdict = in_9_ball(nine(), GOOD)
    assert (verdict["legal"], verdict["fouls"], verdict["penalty"]) == (True, [], 0)


@shows("PG-22b", VIOLATED, SATISFIED, UNDECIDED)
def test_a_miscue_is_a_foul_on_a_jump_only() -> None:
    assert clauses(in_9_ball(nine(), good(jumped("3"), seen=["miscue"]))) == ["PG-22b"]
    assert in_9_ball(nine(), good(jumped("3")))["legal"] is True
    assert in_9_ball(nine(), good(seen=["miscue"]))["legal"] is True
    unsure = good(jumped("3", confidence=0.5), seen=["miscue"])
    assert questions(in_9_ball(nine(), unsure)) == {"jumped"}
    assert in_9_ball(nine(), {**unsure, "observed": [seen("miscue"), confirm("jumped", False)]})["legal"] is True


@shows("PG-20b", VIOLATED, SATISFIED, UNDECIDED, BOUNDARY)
@shows("PG-16b", VIOLATED)
def test_a_frozen_ball_of_no_right_must_be_played_away_from() -> None:
    def before(air: float) -> dict[str, Any]:
        return lying(2, 9, b3=(CUE[0] + BALL + air, CUE[1]))

    into = shot(hit("3"), hit("2"), cushion("2"), before=before(0))
    assert set(clauses(in_9_ball(nine(), into))) == {"NB-7", "PG-20b"}
    assert clauses(in_9_ball(nine(), {**into, "before": before(2), "after": None})) == ["NB-7"]
    away = shot(cushion("cue", "left"), hit("2"), cushion("2"), before=before(0))
    assert in_9_ball(nine(), away)["legal"] is True
    back = shot(cushion("cue", "left"), hit("3"), cushion("2"), before=before(0))
    assert clauses(in_9_ball(nine(), back)) == ["NB-7"]  # not into it: round the table
    doubt = in_14_1(straight(), {**into, "nominated": call(2)})
    assert doubt["legal"] is True  # in 14.1 every ball may be hit first
    nearly = in_9_ball(nine(), shot(hit("3"), hit("2"), cushion("2"), before=before(0.5)))
    assert (nearly["legal"], questions(nearly)) == (False, {"touching"})


@shows("PG-16b PG-16a PG-17", VIOLATED)
@shows("PG-16a PG-16b", SATISFIED)
def test_playing_away_from_a_frozen_ball_is_not_hitting_it() -> None:
    before = lying(3, 9, b2=(CUE[0] + BALL, CUE[1]))
    assert clauses(in_9_ball(nine(), shot(cushion("cue", "left"), before=before))) == ["NB-7"]
    assert in_9_ball(nine(), shot(hit("2"), cushion("2"), before=before))["legal"] is True  # towards it: POL-17


# ---------------------------------------------------------------------------------------------- PG-18, 19, 23, 24


@shows("PG-18 PG-15", VIOLATED)
def test_the_cue_ball_pocketed() -> None:
    verdict = in_9_ball(nine(), good(potted("3"), potted("cue")))
    assert (clauses(verdict), verdict["potted"], after(verdict)) == (["PG-18"], [], ("B", "in_hand_any"))
    verdict = in_14_1(straight(), pot(4, before=lying(2, 4, 9)) | {"observed": [seen("foot_off")]})
    assert (clauses(verdict), after(verdict), verdict["spot"]) == (["PG-11"], ("B", "as_it_lies"), {"4": FOOT})


@shows("PG-23d PG-23f PG-23a PG-23e", VIOLATED)
@shows("PG-23f PG-23e", SATISFIED)
def test_balls_off_the_table() -> None:
    assert after(in_9_ball(nine(), good(off("cue")))) == ("B", "in_hand_any")
    verdict = in_14_1(straight(), shot(hit("4"), off("cue"), before=lying(2, 4)))
    assert (clauses(verdict), after(verdict)) == (["P141-7.2a", "PG-23d"], ("B", "in_hand_house"))
    verdict = in_14_1(straight(), shot(hit("4"), off("4"), cushion(), before=lying(2, 4)))
    assert (clauses(verdict), verdict["spot"], after(verdict)) == (["P141-9"], {"4": FOOT}, ("B", "as_it_lies"))
    assert in_9_ball(nine(), good(off("3")))["spot"] == {}


@shows("PG-23b PG-9b PG-23a", VIOLATED, SATISFIED)
def test_a_ball_that_comes_back_by_itself_is_not_off() -> None:
    for via in ("rail", "cushion", "pocket"):
        verdict = in_9_ball(nine(), good(returned("3", via)))
        assert (verdict["legal"], verdict["potted"], after(verdict)) == (True, [], ("B", "as_it_lies"))
    dropped = good(potted("3", "top-left"), returned("3", "pocket"), after=lying(2, 3, 9))
    assert in_9_ball(nine(), dropped)["potted"] == []


@shows("PG-9a", VIOLATED, SATISFIED, UNDECIDED)
def test_pocketed_or_perhaps() -> None:
    assert in_9_ball(nine(), good(potted("3")))["potted"] == ["3"]
    lost = {**GOOD, "after": lying(2, 9)}  # the 3 is gone, nobody saw how
    verdict = in_9_ball(nine(), lost)
    assert (verdict["legal"], questions(verdict)) == (None, {"potted"})
    said = in_9_ball(nine(), {**lost, "observed": [confirm("potted", "pocket", "3")]})
    assert (said["legal"], said["potted"]) == (True, ["3"])


@shows("PG-23c", VIOLATED, SATISFIED, UNDECIDED)
def test_touching_something_foreign_makes_a_ball_off_though_it_came_back() -> None:
    lamp = good(returned("3"), seen=[seen("foreign_object", ball="3", what="lamp")], after=lying(2, 3, 9))
    verdict = in_9_ball(nine(), lamp)
    assert (clauses(verdict), "3" in verdict["state"]["balls"]) == (["NB-10b"], False)
    spotted = in_14_1(straight(), {**lamp, "nominated": call(2)})
    assert (clauses(spotted), spotted["spot"]) == (["P141-9"], {"3": FOOT})
    chalk = good(returned("cue"), seen=[seen("foreign_object", ball="cue", what="chalk")], after=lying(2, 3, 9))
    verdict = in_9_ball(nine(), chalk)
    assert (clauses(verdict), after(verdict)) == (["PG-23d"], ("B", "in_hand_any"))
    assert "cue" not in verdict["state"]["balls"]
    which = good(returned("3"), returned("9"), seen=["foreign_object"], after=lying(2, 3, 9))
    assert (clauses(in_9_ball(nine(), which)), questions(in_9_ball(nine(), which))) == ([], {"off_table"})
    assert questions(in_9_ball(nine(), good(seen=["foreign_object"]))) == {"off_table"}
    assert clauses(in_9_ball(nine(), good(returned("3"), seen=["foreign_object"]))) == ["NB-10b"]


@shows("PG-19a", VIOLATED)
@shows("PG-19b PG-8", VIOLATED)
def test_any_touch_is_a_foul() -> None:
    assert clauses(in_9_ball(nine(), good(seen=[seen("touched", ball="9", by="sleeve")]))) == ["PG-19a"]
    assert clauses(in_9_ball(nine(), good(moved("9", "player")))) == ["PG-19a"]
    assert clauses(in_9_ball(nine(), good(seen=[seen("touched", ball="cue", by="shaft")]))) == ["PG-19b"]
    assert clauses(in_9_ball(nine(), good(seen=[seen("touched")]))) == ["PG-19a"]
    assert "PG-19a" in clauses(
        in_9_ball(nine(), shot({"kind": "strike", "ball": "9"}, strike=False, before=lying(2, 9)))
    )
    between = shot(moved("cue", "player"), strike=False, before=lying(2, 9))
    assert clauses(in_9_ball(nine(), between)) == ["PG-19b"]
    in_hand = nine(cue_ball="in_hand_any", foul_by="B")
    assert in_9_ball(in_hand, between)["legal"] is True
    after_the_stroke = in_9_ball(in_hand, good(seen=[seen("touched", ball="cue")]))
    assert clauses(after_the_stroke) == ["PG-19b"]


@shows("PG-24 NB-6c", VIOLATED)
@shows("NB-6c", SATISFIED)
def test_several_fouls_are_one_with_the_strictest_penalty() -> None:
    many = shot(hit("3"), potted("cue"), off("9"), before=lying(2, 3, 9), seen=["foot_off"])
    verdict = in_9_ball(nine(fouls=(1, 0)), many)
    assert set(clauses(verdict)) == {"NB-7", "NB-8", "NB-10b", "PG-18", "PG-11"}
    assert fouls(verdict)["A"] == 2
    verdict = in_14_1(straight(), shot(hit("3"), before=lying(2, 3), seen=["foot_off", seen("deliberate", ball="3")]))
    assert (clauses(verdict)[0], verdict["penalty"], fouls(verdict)["A"]) == ("P141-7.5a", 16, 1)


@shows("SUP-PG-29", VIOLATED, SATISFIED)
def test_interference_and_playing_out_of_turn_are_fouls_of_whoever_does_it() -> None:
    meddled = good(seen=[seen("interference", who="B", balls=["9"])])
    verdict = in_9_ball(nine(), meddled)
    assert (clauses(verdict), after(verdict), fouls(verdict)) == (
        ["SUP-PG-29", "PG-19a"],
        ("A", "in_hand_any"),
        {"A": 0, "B": 1},
    )
    stolen = in_14_1(straight(), good(seen=[seen("out_of_turn", player="B")]))
    assert (clauses(stolen), stolen["points"], after(stolen)) == (["SUP-PG-29"], {"A": 0, "B": -1}, ("A", "as_it_lies"))
    assert after(in_9_ball(nine(), good(seen=["out_of_turn"]))) == ("A", "in_hand_any")
    own = in_9_ball(nine(), good(seen=[seen("out_of_turn", player="A")]))
    assert (clauses(own), after(own)) == (["SUP-PG-29"], ("B", "in_hand_any"))
    assert in_9_ball(nine(), good(seen=[seen("interference", who="spectator", balls=["9"])]))["legal"] is True


@shows("SUP-PG-37", VIOLATED, SATISFIED, UNDECIDED)
def test_a_ball_announced_as_frozen_to_a_cushion() -> None:
    before = lying(3, 9, b2=(BALL / 2, 1300))
    frozen = [confirm("frozen", True, "2")]

    def played(*events: Any, said: Any = frozen) -> dict[str, Any]:
        return in_9_ball(nine(), shot(hit("2"), *events, before=before, seen=said))

    assert clauses(played(cushion("2", "left"))) == ["SUP-PG-37"]
    assert played(cushion("2", "left"), said=())["legal"] is True  # not announced
    assert played(cushion("2", "left"), said=[confirm("frozen", False, "2")])["legal"] is True
    assert played(cushion("2", "top"))["legal"] is True
    assert played(cushion("cue", "left"))["legal"] is True
    assert played(cushion("3", "left"))["legal"] is True
    assert played(potted("3"))["legal"] is True
    unsure = (cushion("2", "left"), cushion("2", "top", confidence=0.5))
    assert questions(played(*unsure)) == {"cushion_after_contact"}
    assert clauses(played(*unsure, said=[*frozen, confirm("cushion_after_contact", False)])) == ["SUP-PG-37"]


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


# ---------------------------------------------------------------------------------------------- PG-25: by themselves


@shows("PG-25b", VIOLATED, SATISFIED, BOUNDARY)
@pytest.mark.parametrize(("still_s", "back"), [(20.0, True), (5.0, True), (4.9, False), (0.5, False)])
def test_a_hanging_ball_that_falls_after_five_seconds_is_put_back(still_s: float, back: bool) -> None:
    hanging = lying(2, 9, b3=(24, 2516))
    first = shot(hit("2"), cushion("2"), before=hanging)
    dropped = shot(fell("3", still_s), strike=False, before=hanging)
    verdict = in_9_ball(nine(), first, dropped)
    assert verdict["legal"] is True
    if back:
        assert (verdict["restore"], verdict["potted"], after(verdict)) == ({"3": [24, 2516]}, [], ("B", "as_it_lies"))
        assert "3" in verdict["state"]["balls"]
    else:
        assert (verdict["restore"], verdict["potted"], after(verdict)) == ({}, ["3"], ("A", "as_it_lies"))
        assert "3" not in verdict["state"]["balls"]


@shows("PG-25b", VIOLATED)
def test_it_is_put_back_though_nobody_knows_where_it_hung() -> None:
    dropped = shot(fell("3", 6.0), strike=False)
    verdict = in_9_ball(nine(balls=["2", "3", "9"]), dropped)
    assert (verdict["legal"], verdict["restore"], verdict["undecided"]) == (True, {}, [])
    assert "3" in verdict["state"]["balls"]


@shows("PG-25b", SATISFIED, UNDECIDED)
def test_what_dropped_late_counts_for_the_stroke_before_as_its_game_says() -> None:
    hanging = lying(2, 9, b3=(24, 2516))
    dropped = shot(fell("3", 2.0), strike=False, before=hanging)
    called = in_14_1(straight(), shot(hit("3"), cushion("3"), before=hanging, nominated=call(3)), dropped)
    assert (called["points"], called["score"]["A"], after(called)) == ({"A": 1, "B": 0}, 32, ("A", "as_it_lies"))
    missed = in_14_1(straight(), shot(hit("2"), cushion("2"), before=hanging, nominated=call(2)), dropped)
    assert (missed["score"]["A"], missed["spot"], after(missed)) == (31, {"3": FOOT}, ("B", "as_it_lies"))
    saved = in_9_ball(nine(), shot(hit("2"), before=hanging), dropped)  # no cushion, but a ball did fall
    assert (saved["legal"], saved["potted"], fouls(saved)) == (True, ["3"], {"A": 0, "B": 0})
    near = [hit("9", t=10.1, t_sigma=0.05), hit("2", t=10.15, t_sigma=0.05), cushion("2", t=10.5)]
    settled = shot(*near, before=hanging, seen=[confirm("first_contact", "2")])
    verdict = in_9_ball(nine(), settled, dropped)  # what the referee said of the stroke still holds
    assert (verdict["legal"], verdict["potted"], verdict["undecided"]) == (True, ["3"], [])
    unknown = in_9_ball(nine(), dropped)  # after which stroke?
    assert questions(unknown) == {"potted"}


@shows("PG-25c", VIOLATED, SATISFIED, UNDECIDED)
def test_a_ball_that_falls_by_itself_under_the_cue_ball_has_the_shot_replayed() -> None:
    before = lying(2, 9, b3=(10, 1270))
    record = shot(fell("3", 20.0, "middle-left"), cushion(), before=before, after=lying(2, 9, cue=(500, 800)))
    yes = in_9_ball(nine(fouls=(1, 0)), {**record, "observed": [confirm("self_fell", True)]})
    assert (yes["legal"], yes["restore"], after(yes)) == (True, {"3": [10, 1270], "cue": CUE}, ("A", CUE))
    assert fouls(yes) == {"A": 1, "B": 0}  # the shot counts for nothing
    unsure = in_9_ball(nine(), record)
    assert (unsure["legal"], questions(unsure)) == (None, {"self_fell"})
    no = in_9_ball(nine(), {**record, "observed": [confirm("self_fell", False)]})
    assert (clauses(no), "3" in no["state"]["balls"]) == (["NB-7"], False)
    struck = shot(hit("2"), hit("3", by="2"), fell("3", 20.0), before=before)
    assert in_9_ball(nine(), struck)["potted"] == ["3"]  # it was hit first


@shows("PG-25d", VIOLATED, SATISFIED, UNDECIDED)
def test_a_ball_that_moves_by_itself_during_the_shot_has_it_replayed_too() -> None:
    record = good(moved("9", "itself"), after=lying(2, 3, 9, cue=(500, 800), b9=(430, 2310)))
    yes = in_9_ball(nine(), {**record, "observed": [confirm("self_moved", True)]})
    assert (yes["restore"], after(yes)) == ({"9": [420, 2300], "cue": CUE}, ("A", CUE))
    assert questions(in_9_ball(nine(), record)) == {"self_moved"}
    no = in_9_ball(nine(), {**record, "observed": [confirm("self_moved", False)]})
    assert (no["legal"], no["restore"], after(no)) == (True, {}, ("B", "as_it_lies"))


@shows("PG-25a", VIOLATED)
@shows("PG-25d PG-25a", SATISFIED)
def test_a_ball_that_moves_by_itself_between_shots_stays_where_it_stops() -> None:
    rolled = shot(moved("9", "itself"), strike=False, before=lying(2, 9), after=lying(2, b9=(424, 2300)))
    verdict = in_9_ball(nine(), rolled)
    assert (verdict["legal"], verdict["restore"], after(verdict)) == (True, {}, ("A", "as_it_lies"))
    assert verdict["state"]["balls"]["9"] == [424, 2300]
    pushed = shot(moved("9", "player"), strike=False, before=lying(2, 9), after=lying(2, b9=(424, 2300)))
    assert clauses(in_9_ball(nine(), pushed)) == ["PG-19a"]


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
