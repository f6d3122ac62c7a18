"""What nobody saw: balls of a rack not told apart, the hit that opened a pack, a stroke between two records."""

from typing import Any

from eight_play import RACK, eight, in_8_ball
from play import confirm, cushion, hit, judged, layout, official, only, potted, questions, shot, snooker, struck
from pool_play import crossed
from straight_play import straight

from referee.match.log import Match

PLAYERS = {"players": ["A", "B"]}
MEASURED = {"measured_mm": 3.0}


# ---------------------------------------------------------------------------------------------- balls without a place


def opening_break(*unplaced: str, **elsewhere: Any) -> dict[str, Any]:
    """The first stroke of 8-ball: the 2 drops. Some balls of the rack were first seen when they were on their way."""
    before = {ball: place for ball, place in RACK.items() if ball not in unplaced} | {"cue": [560, 480], **elsewhere}
    after = {ball: [x, y - 400] for ball, (x, y) in RACK.items() if ball != "2"} | {"cue": [600, 700]}
    events = [crossed(), hit("1"), potted("2"), cushion("9", "left")]
    return shot(*events, before=before, after=after, unplaced=list(unplaced))


def test_the_break_of_a_rack_of_which_balls_were_not_seen_is_the_break() -> None:
    # The 2 that falls needn't be called in a break, and A plays on; it isn't if the 13 is said to lie elsewhere.
    for unplaced in ((), ("13",), ("9", "5", "13")):
        verdict = in_8_ball(PLAYERS, opening_break(*unplaced))
        assert (verdict["legal"], verdict["next"]["player"], verdict["undecided"]) == (True, "A", [])
        assert verdict["state"]["8-ball"]["stage"] == "open"
    elsewhere = opening_break(**{"13": [635, 1200]})
    assert in_8_ball(PLAYERS, elsewhere)["next"]["player"] == "B"


def test_a_rack_of_which_less_than_half_is_known_is_none() -> None:
    hidden = [ball for ball in RACK if ball not in ("1", "10", "2")]
    assert in_8_ball(PLAYERS, opening_break(*hidden))["next"]["player"] == "B"


def test_balls_without_a_place_are_on_the_table() -> None:
    match = Match.from_case("8-ball", eight("open"))
    before = {"cue": [635, 500], "1": [300, 700], "9": [900, 1700]}
    after = {"cue": [700, 900], "1": [300, 1400], "9": [900, 1700], "10": [500, 800]}
    match.add(shot(hit("1"), cushion("1", "top"), before=before, after=after, unplaced=["10"]))
    assert match.state.balls == {"cue", "1", "9", "10"}
    lost = {ball: place for ball, place in after.items() if ball != "10"}
    other = Match.from_case("8-ball", eight("open"))
    verdict = other.add(shot(hit("1"), cushion("1", "top"), before=before, after=lost, unplaced=["10"])).verdict
    assert "potted" in questions(verdict)  # it was there and is there no more: nobody saw how it left


# ---------------------------------------------------------------------------------------------- what set balls off


def test_a_ball_that_moved_untold_while_the_cue_ball_was_unseen_may_have_been_hit_first() -> None:
    # The black drops. Was it hit first? The red lies 50 mm from where it lay, and no event says what moved it.
    before = {**layout(), "red-1": [800, 3000], "cue": [900, 1000]}
    moved = {**before, "red-1": [850, 3000], "cue": [300, 2500]}
    for after, asked in ((moved, True), ({**moved, "red-1": [800, 3000]}, False)):
        del after["black"]
        unseen = {"t0": 10.01, "t1": 10.09, "balls": ["cue"]}
        line = shot(potted("black"), before=before, after=after, gaps=[unseen], on="black")
        verdict = judged(snooker("colour"), line)
        assert ("first_contact" in questions(verdict)) is asked
        assert verdict["legal"] is (None if asked else True)


def test_object_balls_that_ran_were_set_off_by_the_cue_ball() -> None:
    # Within a pack it isn't sure that the cue ball hit the 1: but the 12 met a cushion, and none runs by itself.
    pack = [hit("2", "10", confidence=0.8), hit("1", confidence=0.82), hit("3", "2"), cushion("12", "top")]
    balls = {str(i): [400 + 60 * i, 1500] for i in range(1, 13)} | {"cue": [635, 500]}
    verdict = judged(straight(score=(0, 0)), shot(*pack, before=balls, nominated={"safety": True}), game="14.1")
    assert (verdict["legal"], verdict["undecided"]) == (True, [])


def test_it_is_asked_where_a_hand_may_have_set_them_off() -> None:
    pack = [hit("1", confidence=0.82), hit("3", "2"), cushion("12", "top")]
    balls = {str(i): [400 + 60 * i, 1500] for i in range(1, 13)} | {"cue": [635, 500]}
    touched = {"kind": "touched", "ball": "12", "by": "referee"}
    said = {"nominated": {"safety": True}, "before": balls, "seen": [touched]}
    verdict = judged(straight(score=(0, 0)), shot(*pack, **said), game="14.1")
    assert (verdict["legal"], questions(verdict)) == (None, {"first_contact"})


def test_a_cushion_seen_before_a_certain_hit_stays_before_it() -> None:
    balls = {str(i): [400 + 60 * i, 1500] for i in range(1, 13)} | {"cue": [635, 500]}
    early = shot(cushion("12", "top"), hit("1"), before=balls, nominated={"safety": True})
    assert judged(straight(score=(0, 0)), early, game="14.1")["legal"] is False


# ---------------------------------------------------------------------------------------------- strokes nobody saw

REDS = layout(6)
MOVED = {**REDS, "red-1": [900, 900], "red-2": [1000, 1200]}


def second(before: dict[str, Any], *seen: Any) -> dict[str, Any]:
    """A second stroke, after one that left all balls where they lay; ``before`` it they lie so."""
    match = Match.from_case("snooker", snooker(balls=list(REDS)), options=MEASURED)
    match.add(shot(hit("red-1"), before=REDS, after=REDS))
    return match.add(shot(hit("red-3"), before=before, after=before, seen=seen)).verdict


def test_balls_that_lie_elsewhere_than_they_were_left_speak_of_a_missed_stroke() -> None:
    verdict = second(MOVED)
    assert (verdict["legal"], verdict["next"]["player"]) == (None, None)
    assert questions(verdict) == {"missed_stroke"}
    assert second(MOVED, confirm("missed_stroke", False))["undecided"] == []


def test_a_rack_that_has_burst_speaks_of_a_missed_stroke_though_each_ball_lies_near_some_place_of_it() -> None:
    # Three rows of five, 53 mm apart, all 90 mm farther up: the last row lies where nothing was.
    rack = {f"red-{i + 1}": [700 + 53 * (i % 5), 2700 + 53 * (i // 5)] for i in range(15)}
    left = {**layout(0), **rack}
    burst = {**left, **{ball: [x, y + 90] for ball, (x, y) in rack.items()}}
    match = Match.from_case("snooker", snooker(balls=list(left)), options=MEASURED)
    match.add(shot(hit("red-1"), before=left, after=left))
    assert questions(match.add(shot(hit("red-3"), before=burst, after=burst)).verdict) == {"missed_stroke"}


def test_one_ball_elsewhere_may_have_been_moved_by_a_hand() -> None:
    one = {**REDS, "red-1": [900, 900]}
    assert second(one)["undecided"] == []
    assert questions(second({**one, "cue": [1300, 700]})) == {"missed_stroke"}  # the cue ball lay still, too


def test_names_exchanged_and_a_few_centimetres_are_no_stroke() -> None:
    swapped = {**REDS, "red-1": REDS["red-2"], "red-2": REDS["red-1"]}
    assert second(swapped)["undecided"] == []
    shifted = {ball: [x + 40, y - 40] for ball, (x, y) in REDS.items()}  # 57 mm
    assert second(shifted)["undecided"] == []


def test_a_match_told_by_people_is_not_checked_for_places() -> None:
    match = Match.from_case("snooker", snooker(balls=list(REDS)))
    match.add(shot(hit("red-1"), before=REDS, after=REDS))
    assert match.add(shot(struck(), hit("red-3"), strike=False, before=MOVED, after=MOVED)).verdict["undecided"] == []


def test_a_frame_that_may_be_over_is_not_over_for_certain() -> None:
    # Nobody saw what fell in the first stroke, so that the black may not have been the last ball.
    table = only("pink", "black")
    blind = {"t0": 10.0, "t1": 10.3, "balls": None, "region": None}
    match = Match.from_case("snooker", snooker("pink", score=(60, 20), balls=list(table)))
    first = match.add(shot(hit("pink"), potted("pink"), before=table, after=None, gaps=[blind])).verdict
    assert "potted" in questions(first)
    match.add(shot(hit("black"), potted("black"), before=only("black"), on="black"))
    after = match.add(shot(hit("red-1"), before=layout(15))).verdict
    assert "potted" in questions(after)
    match.add(official("concede", player="B"))
    assert match.verdict is not None and match.verdict["frame"]["over"]


# ------------------------------------------------------------------------------------------ later pictures


def after_a_doubtful_pot(before: dict[str, Any], **more: Any) -> tuple[Match, dict[str, Any]]:
    """A red may have dropped and counted; the verdict on the next stroke, at the blue, before which balls lie so."""
    match = Match.from_case("snooker", snooker(balls=list(REDS)), options=more.pop("options", MEASURED))
    first = match.add(shot(hit("red-1"), potted("red-1", confidence=0.5), before=REDS, after=None)).verdict
    assert questions(first) == {"potted"} and first["score"] == {"A": 0, "B": 0}
    hit_blue = shot(hit("blue"), potted("blue"), before=before, on="blue", **more)
    return match, match.add(hit_blue).verdict


def test_a_ball_that_is_not_there_before_the_next_stroke_was_potted() -> None:
    gone = {ball: place for ball, place in REDS.items() if ball != "red-1"}
    match, verdict = after_a_doubtful_pot(gone)
    # The red and the blue: A goes on with six points.
    assert (verdict["legal"], verdict["score"], verdict["undecided"]) == (True, {"A": 6, "B": 0}, [])
    assert [(each["n"], each["question"], each["ball"]) for each in verdict["settled"]] == [(1, "potted", "red-1")]
    assert match.open_questions == []


def test_a_ball_that_is_there_before_the_next_stroke_was_not_potted() -> None:
    _, verdict = after_a_doubtful_pot(REDS)
    # B, who is at the table now with red on, hit the blue and potted it: five away.
    assert (verdict["legal"], verdict["penalty"], verdict["score"]) == (False, 5, {"A": 5, "B": 0})
    assert verdict["undecided"] == []


def after_a_doubtful_colour(place: tuple[float, float]) -> dict[str, Any]:
    """The green may have dropped in the bottom left pocket; before the next stroke, at a red, it lies there."""
    match = Match.from_case("snooker", snooker("colour", balls=list(REDS)), options=MEASURED)
    pot = potted("green", "bottom-left", confidence=0.8)
    first = match.add(shot(hit("green"), pot, before=REDS, after=None, on="green")).verdict
    assert "potted" in questions(first)
    now = {**REDS, "green": list(place)}
    return match.add(shot(hit("red-1"), cushion("red-1"), before=now, after=now)).verdict


def test_a_colour_that_ran_to_a_pocket_and_is_on_its_spot_again_was_potted() -> None:
    verdict = after_a_doubtful_colour((597.0 + 5.0, 737.0 - 5.0))
    assert (verdict["score"], verdict["undecided"]) == ({"A": 3, "B": 0}, [])
    assert {each["question"] for each in verdict["settled"]} == {"potted", "spot_place"}


def test_one_that_lies_before_the_pocket_settles_nothing_by_its_spot() -> None:
    assert "potted" in questions(after_a_doubtful_colour((150.0, 160.0)))


def test_any_red_may_be_the_one_that_is_missing() -> None:
    gone = {ball: place for ball, place in REDS.items() if ball != "red-4"}
    assert after_a_doubtful_pot(gone)[1]["score"] == {"A": 6, "B": 0}


def test_what_may_hang_in_the_jaws_unseen_settles_nothing() -> None:
    gone = {ball: place for ball, place in REDS.items() if ball != "red-1"}
    match, verdict = after_a_doubtful_pot(gone, unplaced=["red-1"], doubtful=[{"red-1": None}])
    assert "settled" not in verdict and verdict["undecided"] != []
    assert match.open_questions[0]["question"] == "potted"


def test_people_who_tell_a_match_need_not_list_all_balls() -> None:
    gone = {ball: place for ball, place in REDS.items() if ball != "red-1"}
    assert "settled" not in after_a_doubtful_pot(gone, options={})[1]


def test_a_ball_that_is_there_no_more_and_a_cue_ball_elsewhere_speak_of_a_missed_stroke() -> None:
    fewer = {ball: place for ball, place in REDS.items() if ball != "red-1"}
    assert questions(second({**fewer, "cue": [1300, 700]})) == {"missed_stroke"}
    assert questions(second(fewer)) == {"potted"}, "the cue ball lies where it was left: the red may be there, unseen"
    # One whose place isn't known is there all the same.
    match = Match.from_case("snooker", snooker(balls=list(REDS)), options=MEASURED)
    match.add(shot(hit("red-1"), before=REDS, after=REDS))
    unplaced = shot(hit("red-3"), before={**fewer, "cue": [1300, 700]}, unplaced=["red-1"])
    assert "missed_stroke" not in questions(match.add(unplaced).verdict)


# ------------------------------------------------------------------------------------------ balls that aren't seen

HANGS = {"cue": [635, 500], "8": [600, 2300], "1": [300, 700], "9": [900, 1700], "14": [1242, -2]}


def lost(*missing: str, **more: Any) -> dict[str, Any]:
    """8-ball: B has stripes and calls the 14, which hung in the jaws after A's stroke; he hits the 9."""
    state = eight(groups={"A": "solids", "B": "stripes"}, balls=list(HANGS))
    match = Match.from_case("8-ball", state, options=more.pop("options", MEASURED))
    match.add(shot(hit("1"), cushion("1", "left"), before=HANGS, after=HANGS, **more.pop("first", {})))
    seen = {ball: place for ball, place in HANGS.items() if ball not in missing}
    events = more.pop("events", (hit("9"), cushion("9", "left")))
    called = more.pop("nominated", {"ball": "14", "pocket": "bottom-right"})
    return match.add(shot(*events, before=seen, after=seen, nominated=called, **more)).verdict


def test_a_ball_that_is_no_longer_told_may_have_been_potted_meanwhile() -> None:
    verdict = lost("14")
    # Whether B goes on hangs on it; that the stroke was fair doesn't.
    asked = [(each["question"], each["ball"]) for each in verdict["undecided"]]
    assert asked == [("potted", "14"), ("pocket", "14")]
    assert (verdict["legal"], verdict["next"]["player"]) == (True, None)
    assert lost()["undecided"] == [] and lost()["next"]["player"] == "A"


def test_who_looks_into_the_pocket_says_what_became_of_it() -> None:
    there = lost("14", seen=[confirm("potted", False, ball="14")])
    assert (there["potted"], there["next"]["player"], there["undecided"]) == ([], "A", [])
    # It is on the table as before, where it lay.
    assert there["state"]["balls"]["14"] == [1242, -2]
    gone = lost("14", seen=[confirm("potted", True, ball="14"), confirm("pocket", True, ball="14")])
    assert (gone["potted"], gone["next"]["player"], gone["undecided"]) == (["14"], "B", [])
    assert "14" not in gone["state"]["balls"]


def test_it_may_have_been_hit_where_nothing_else_is_said_to_have_been() -> None:
    assert questions(lost("14", events=())) >= {"first_contact"}


def test_no_ball_is_missed_that_may_have_been_none_or_bears_another_name() -> None:
    safe = {"nominated": {"safety": True}}
    assert questions(lost("14", **safe)) == {"potted"}
    assert lost("14", first={"doubtful": [{"14": None}]}, **safe)["undecided"] == []
    assert lost("14", options={})["undecided"] == []  # people need not list all balls
    state = eight(groups={"A": "solids", "B": "stripes"}, balls=list(HANGS))
    match = Match.from_case("8-ball", state, options=MEASURED)
    match.add(shot(hit("1"), cushion("1", "left"), before=HANGS, after=HANGS))
    other = {"15" if ball == "14" else ball: place for ball, place in HANGS.items()}
    assert match.add(shot(hit("9"), cushion("9", "left"), before=other, after=other)).verdict["undecided"] == []
