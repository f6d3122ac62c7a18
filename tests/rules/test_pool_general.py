"""The general rules of pool: strokes, frozen balls, touches, balls off the table, what falls or moves by itself."""

from typing import Any

import pytest
from general_play import GOOD, good
from play import clauses, confirm, cushion, fell, hit, jumped, moved, off, potted, questions, shot
from pool_play import (
    BALL,
    CUE,
    FOOT,
    after,
    call,
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
