"""Snooker, section 2.19 and records that leave something open."""

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
    potted,
    potting,
    questions,
    shot,
    snooker,
)
from shows import SATISFIED, UNDECIDED, VIOLATED, shows

HANGING = layout(4, red_1=(24, 3545))


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


@shows("SN-2.19 SN-3.11.1i SN-2.19.n1", SATISFIED)
@shows("SN-2.19.n2", VIOLATED)
@pytest.mark.parametrize(
    "events",
    [
        [hit("red-1"), jumped("pink", touched=True)],
        [hit("red-1"), jumped("red-2", touched=True)],
        [hit("red-2"), cushion(), jumped("red-2", touched=True)],
    ],
    ids=["then over the pink, grazing it", "then over another red", "then a cushion, then over the same red"],
)
def test_grazing_a_ball_in_flight_is_fair_once_the_ball_on_was_hit(events: list[object]) -> None:
    verdict = judged(snooker(), shot(*events, before=layout(4)))
    assert (verdict["legal"], clauses(verdict)) == (True, [])


@shows("SN-2.13.1 SN-3.11.2f", UNDECIDED, VIOLATED, SATISFIED)
@pytest.mark.parametrize(("said", "legal"), [(None, None), ("off_table", False), ("pocket", True)])
def test_a_ball_is_gone_but_it_is_not_sure_that_it_flew_off_the_table(said: str | None, legal: bool | None) -> None:
    seen = [] if said is None else [confirm("potted", said, "red-1")]
    record = shot(hit("red-1"), off("red-1", confidence=0.5), before=layout(4), seen=seen)
    verdict = judged(snooker(), record)
    assert (verdict["legal"], questions(verdict)) == (legal, {"potted"} if said is None else set())
    assert verdict["points"] == ({"A": 1, "B": 0} if legal else {"A": 0, "B": 0 if said is None else 4})


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


@pytest.mark.parametrize("cause", ["player", "itself"])
@pytest.mark.parametrize(("said", "touched"), [(True, False), (False, True), (None, None)])
def test_a_movement_that_is_not_certainly_a_players_is_a_question(
    said: bool | None, touched: bool | None, cause: str
) -> None:
    seen = [] if said is None else [confirm("self_moved", said, "blue")]
    unsure = {**moved("blue", cause), "confidence": 0.6}
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
        # at the left cushion, 584.5 mm from the nearest pocket, and then at the top left one
        ({"t0": 10.15, "t1": 10.35, "balls": ["red-2"], "region": [[0, 1000], [90, 1000], [90, 1200]]}, set()),
        (
            {"t0": 10.15, "t1": 10.35, "balls": ["red-2"], "region": [[0, 3400], [90, 3400], [90, 3500]]},
            {("potted", "red-2")},
        ),
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
