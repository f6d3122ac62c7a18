"""Records in which it isn't sure which ball is which, or whether there was one: ``doubtful`` lists other readings."""

from typing import Any

import pytest
from eight_play import eight, in_8_ball
from nine_play import MISS, WRONG
from play import clauses, confirm, cushion, hit, judged, layout, potted, questions, shot, snooker
from pool_play import call, in_9_ball, in_14_1, lying, nine, pot, straight

from referee.rules.gaps import ran_unexplained
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord


def doubted(record: dict[str, Any], *readings: dict[str, str | None]) -> dict[str, Any]:
    return {**record, "doubtful": list(readings)}


def test_a_lower_ball_that_may_be_none_leaves_a_wrong_ball_first_open() -> None:
    """The 3 is hit; whether that is a foul hangs on the 2, which may be a piece of chalk."""
    assert clauses(in_9_ball(nine(), WRONG)) == ["NB-7"]
    verdict = in_9_ball(nine(), doubted(WRONG, {"2": None}))
    assert verdict["legal"] is None
    assert [(each["question"], each["clause"], each["ball"]) for each in verdict["undecided"]] == [
        ("identity", "NB-7", "2")
    ]


@pytest.mark.parametrize(("said", "legal"), [("2", False), (True, False), ("none", True)])
def test_the_referee_says_which_ball_it_was(said: object, legal: bool) -> None:
    seen = [confirm("identity", said, "2")]
    record = shot(hit("3"), cushion("3"), before=lying(2, 3, 5, 9), seen=seen)
    verdict = in_9_ball(nine(), doubted(record, {"2": None}))
    assert (verdict["legal"], verdict["undecided"]) == (legal, [])


def test_two_balls_that_may_have_each_others_names() -> None:
    """The lowest ball is hit by its best name; it may be the 3, and the 2 another one."""
    verdict = in_9_ball(nine(), doubted(MISS, {"2": "3", "3": "2"}))
    assert verdict["legal"] is None
    assert questions(verdict) == {"identity"}


def test_a_doubt_about_balls_that_are_not_on_changes_nothing() -> None:
    verdict = in_9_ball(nine(), doubted(MISS, {"5": "9", "9": "5"}, {"5": "7"}))
    assert (verdict["legal"], verdict["undecided"], verdict["next"]["on"]) == (True, [], ["2"])


def test_a_potted_ball_that_may_be_another_of_its_group_is_called_by_the_group_alone() -> None:
    record = shot(hit("3"), potted("3"), before=lying(1, 3, 5, 8, 11))
    assert in_8_ball(eight(), doubted(record, {"11": "12"}))["potted"] == ["3"]
    verdict = in_8_ball(eight(), doubted(record, {"3": "5", "5": "3"}, {"11": "12"}))
    assert (verdict["potted"], verdict["undecided"], verdict["next"]["player"]) == (["solid-1"], [], "A")
    said = {**record, "observed": [confirm("identity", "3", "3")]}
    assert in_8_ball(eight(), doubted(said, {"3": "5", "5": "3"}))["potted"] == ["3"]
    # In 14.1 any ball counts like any other, beside the one that is called.
    many = shot(hit("3"), potted("5"), potted("3"), potted("7"), before=lying(3, 5, 7, 11), nominated=call(3))
    readings = ({"5": "11", "11": "5"}, {"7": "11", "11": "7"})
    assert in_14_1(straight(), doubted(many, *readings))["potted"] == ["ball-1", "3", "ball-2"]


def test_a_hit_on_a_ball_that_is_surely_not_the_lowest_stays_a_foul() -> None:
    verdict = in_9_ball(nine(), doubted(WRONG, {"5": None}, {"5": "9", "9": "5"}))
    assert (clauses(verdict), verdict["undecided"]) == (["NB-7"], [])


def test_in_eight_ball_only_the_group_matters() -> None:
    state = eight()
    record = shot(hit("3"), cushion("3"), before=lying(3, 5, 8, 11))
    same = in_8_ball(state, doubted(record, {"3": "5", "5": "3"}, {"5": "7"}))
    assert (same["legal"], same["undecided"]) == (True, [])
    other = in_8_ball(state, doubted(record, {"3": "11", "11": "3"}))
    assert other["legal"] is None
    assert questions(other) == {"identity"}


def test_in_snooker_a_brown_that_may_be_a_red_is_asked() -> None:
    record = shot(hit("brown"), cushion(), before=layout(4))
    assert judged(snooker(), record)["legal"] is False
    verdict = judged(snooker(), doubted(record, {"brown": "red-3", "red-3": "brown"}))
    assert verdict["legal"] is None
    assert questions(verdict) == {"identity"}
    alike = judged(snooker(), doubted(record, {"red-1": "red-2", "red-2": "red-1"}))
    assert (alike["legal"], alike["undecided"]) == (False, [])


def test_more_readings_than_can_be_looked_at_leave_everything_open() -> None:
    readings = [{"2": None, "5": str(i)} for i in range(100, 150)]
    verdict = in_9_ball(nine(), doubted(WRONG, *readings))
    assert verdict["legal"] is None
    assert questions(verdict) == {"identity"}


def test_a_record_read_otherwise_names_its_balls_anew_everywhere() -> None:
    record = ShotRecord.from_json(
        doubted(shot(hit("3"), potted("3"), hit("5"), before=lying(2, 3, 5)), {"3": "2", "2": None})
    )
    read = record.read_as(record.doubtful[0])
    assert read.before is not None and set(read.before) == {"2", "5", "cue"}
    assert [event.balls_involved for event in read.events][1:4] == [("cue", "2"), ("2",), ("cue", "5")]
    assert read.doubtful == ()
    assert ShotRecord.from_json(record.to_json()) == record


def test_a_reading_of_the_wrong_form_is_explained() -> None:
    with pytest.raises(MalformedRecord, match="doubtful"):
        ShotRecord.from_json(doubted(MISS, {"2": 7}))  # type: ignore[dict-item]


def test_balls_that_ran_were_hit_though_nobody_saw_it() -> None:
    """Two object balls meet: the cue ball has set one of them off, and no contact of it was recorded."""
    record = shot(hit("5", by="2"), cushion("5"), before=lying(2, 3, 5, 9))
    assert ran_unexplained(ShotRecord.from_json(record)) == ["2", "5"]
    verdict = in_9_ball(nine(), record)
    assert verdict["legal"] is None
    assert "first_contact" in questions(verdict)


CALLED_7 = pot(15, nominated=call(7), before=lying(4, 12, b15=(400, 2000)))
"""The 7 is called; a camera says that there is none on the table, and that the 15 was potted."""


def test_a_called_ball_that_the_camera_did_not_find_may_be_the_one_potted() -> None:
    """A point if the 15 is the 7, none if it isn't: the referee's, unless nobody looked but people."""
    asked = in_14_1(straight(), CALLED_7, options={"measured_mm": 3.0})
    assert [(each["question"], each["ball"]) for each in asked["undecided"]] == [("identity", "15")]
    assert asked["next"]["player"] is None
    told = in_14_1(straight(), CALLED_7)
    assert (told["undecided"], told["points"], told["next"]["player"]) == ([], {"A": 0, "B": 0}, "B")


@pytest.mark.parametrize(("said", "points", "player"), [("7", 1, "A"), (True, 0, "B")])
def test_the_referee_says_whether_it_was_the_called_ball(said: object, points: int, player: str) -> None:
    seen = [confirm("identity", said, "15")]
    verdict = in_14_1(straight(), {**CALLED_7, "observed": seen}, options={"measured_mm": 3.0})
    assert (verdict["undecided"], verdict["points"]["A"], verdict["next"]["player"]) == ([], points, player)


def test_a_called_ball_that_was_found_is_not_doubted() -> None:
    there = {
        **CALLED_7,
        "before": lying(4, 12, b15=(400, 2000), b7=(900, 900)),
        "after": lying(4, 12, b7=(900, 900)),
    }
    assert in_14_1(straight(), there, options={"measured_mm": 3.0})["undecided"] == []


def test_a_ball_that_left_the_table_and_is_told_anew_may_be_none() -> None:
    """The brown was potted when it was on, and so was the blue; a hand that is taken for the brown asks what is on."""
    state = snooker(on=["pink"], balls={"cue": [300, 1200], "pink": [889, 2676], "black": [889, 3245]})
    safety = shot(hit("pink"), cushion("pink"), before={"cue": [300, 1200], "pink": [889, 2676], "black": [889, 3245]})
    lying_now = dict(safety["after"])
    ghost = {**lying_now, "brown": [900, 500]}
    pink = shot(hit("pink"), potted("pink"), before=ghost)
    asked = judged(state, safety, pink, options={"measured_mm": 3.0})
    assert [(each["question"], each["ball"]) for each in asked["undecided"]] == [("identity", "brown")]
    assert asked["next"]["on"] is None
    struck = shot(hit("pink"), hit("brown"), potted("pink"), before=ghost)
    assert judged(state, safety, struck, options={"measured_mm": 3.0})["undecided"] == []
    clean = judged(state, safety, shot(hit("pink"), potted("pink"), before=lying_now), options={"measured_mm": 3.0})
    assert (clean["undecided"], clean["next"]["on"]) == ([], ["black"])
