"""The match log: numbering, undo, corrections, retractions, confirmations, what is said, the scoreboard."""

from typing import Any

import pytest
from play import cushion, hit, layout, official, only, potted, shot, snooker

from referee.match.log import Match
from referee.match.scoreboard import points_left, scoreboard, scoreboard_text, snookers_required

HEADER = {"type": "match", "game": "snooker", "players": ["Ann", "Bob"], "frames_to_win": 2}


def at(seconds: float, record: dict[str, Any]) -> dict[str, Any]:
    shift = seconds - record["events"][0]["t"]
    return {**record, "events": [{**event, "t": round(event["t"] + shift, 3)} for event in record["events"]]}


RED = at(0.0, shot(hit("red-1"), potted("red-1"), before=layout(15), after=layout(15, red_1=None)))
BLACK = at(20.0, shot(hit("black"), potted("black"), before=layout(15, red_1=None), on="black"))
MISS = at(40.0, shot(cushion(), before=layout(15, red_1=None)))


def played(*lines: dict[str, Any]) -> Match:
    match = Match.from_header(HEADER)
    for line in lines:
        match.add(line)
    return match


def test_verdicts_follow_the_lines() -> None:
    match = played(RED, BLACK, MISS)
    assert [line.n for line in match.lines] == [1, 2, 3]
    assert [line.verdict["score"] for line in match.lines] == [
        {"Ann": 1, "Bob": 0},
        {"Ann": 8, "Bob": 0},
        {"Ann": 8, "Bob": 4},
    ]
    assert [line.verdict["announce"]["en"] for line in match.lines] == [
        ["One"],
        ["Eight"],
        ["Ann, break of eight", "Foul, four points"],
    ]
    assert match.lines[2].verdict["announce"]["ru"] == ["Ann, серия — восемь очков", "Фол, четыре очка"]


def test_undo_takes_back_the_line_before_it_and_an_undo_too() -> None:
    match = played(RED, BLACK, MISS, official("undo"))
    assert match.verdict is not None
    assert (match.verdict["score"], match.verdict["next"]["player"]) == ({"Ann": 8, "Bob": 0}, "Ann")
    assert match.verdict["retracted"] == [{"n": 3, "announce": match.lines[2].verdict["announce"]}]
    match.add(official("undo"))
    assert match.verdict is not None
    assert match.verdict["score"] == {"Ann": 8, "Bob": 4}
    match = played(RED, BLACK, MISS, official("undo", lines=2))
    assert match.state.score == {"Ann": 1, "Bob": 0}
    match = played(RED, official("undo"))
    assert match.verdict is not None
    assert (match.verdict["score"], match.verdict["next"]["cue_ball"]) == ({"Ann": 0, "Bob": 0}, "in_hand_D")


def test_undo_with_nothing_before_it() -> None:
    with pytest.raises(ValueError, match="lines: expected at most the 0 lines before it"):
        played(official("undo"))


def test_a_correction_judges_all_that_followed_anew_and_retracts() -> None:
    second = at(20.0, shot(hit("pink"), before=layout(15, red_1=None), on="black"))
    del second["observed"]
    match = played(RED, BLACK, MISS, official("correct", n=2, record=second))
    assert match.verdict is not None
    # Ann fouled on the black (7); the miss is now Bob's, on a red: four to Ann
    assert match.verdict["score"] == {"Ann": 1 + 4, "Bob": 7}
    assert (match.verdict["n"], match.verdict["next"]["player"]) == (3, "Ann")
    assert [each["n"] for each in match.verdict["retracted"]] == [2, 3]
    assert match.verdict["retracted"][0]["announce"]["en"] == ["Eight"]
    assert "Foul, seven points" in match.verdict["announce"]["en"]
    assert match.lines[1].verdict["score"] == {"Ann": 8, "Bob": 0}, "what was said then stays in the log"


def test_a_correction_that_makes_a_choice_impossible_drops_it_and_says_so() -> None:
    again = official("choose", player="Bob", option="play_again")
    match = played(
        RED, BLACK, MISS, again, official("correct", n=3, record=at(40.0, shot(hit("red-2"), before=layout(15))))
    )
    assert match.verdict is not None
    assert match.verdict["next"]["player"] == "Bob"
    assert match.verdict["dropped"][0]["line"] == 4


def test_a_finished_frame_is_open_again_when_its_end_is_taken_back() -> None:
    match = played(RED, official("concede", player="Bob"))
    assert match.state.frames == {"Ann": 1, "Bob": 0}
    match.add(official("undo"))
    assert (match.state.frames, match.state.score) == ({"Ann": 0, "Bob": 0}, {"Ann": 1, "Bob": 0})
    match = played(RED, official("concede", player="Bob"), official("concede", player="Bob"))
    assert match.state.finished
    match.add(official("correct", n=1, record=at(0.0, shot(cushion(), before=layout(15)))))
    assert match.state.finished


def test_a_match_that_is_over_stays_over_until_its_end_is_taken_back() -> None:
    match = Match.from_header({**HEADER, "frames_to_win": 1})
    for line in (RED, official("concede", player="Bob"), official("ask", player="Bob", about="difference"), BLACK):
        verdict = match.add(line).verdict
    assert (verdict["legal"], verdict["score"], verdict["next"]["player"]) == (None, {"Ann": 1, "Bob": 0}, None)
    assert all(line.verdict["match"] == {"over": True, "winner": "Ann"} for line in match.lines[1:])
    conceded = {"over": True, "winner": "Ann", "result": "conceded"}
    assert all(line.verdict["frame"] == conceded for line in match.lines[1:])
    for line in (official("concede", player="Ann"), official("toss", winner="Bob"), official("void")):
        with pytest.raises(ValueError, match="the match is over"):
            match.add(line)
    verdict = match.add(official("undo", lines=3)).verdict
    assert (verdict["match"]["over"], verdict["frame"]["over"], verdict["next"]["player"]) == (False, False, "Ann")


def test_an_impossible_line_leaves_the_match_as_it_was() -> None:
    match = played(RED, BLACK)
    for wrong in (
        official("choose", player="Bob", option="replay"),
        official("correct", n=9, record=MISS),
        official("concede", player="Carl"),
        {"type": "shot", "events": [{"t": 50.0, "kind": "pocket", "ball": "8", "pocket": "top-left"}]},
        {"type": "nonsense"},
        official("not_called"),
    ):
        with pytest.raises(ValueError, match="expected"):
            match.add(wrong)
    assert len(match.lines) == 2
    assert match.add(MISS).verdict["score"] == {"Ann": 8, "Bob": 4}


def test_confirming_settles_a_question_and_all_that_hung_on_it() -> None:
    unsure = at(40.0, shot(hit("red-2", confidence=0.5), before=layout(15, red_1=None)))
    after = at(60.0, shot(hit("red-3"), potted("red-3"), before=layout(15, red_1=None)))
    match = played(RED, BLACK, unsure, after)
    assert match.verdict is not None
    # whether it was a foul or not Bob came to the table: his red is decided, the score before it is not
    assert (match.verdict["legal"], match.verdict["points"]) == (True, {"Ann": 0, "Bob": 1})
    assert next((each["n"], each["question"]) for each in match.open_questions) == (3, "first_contact")
    line = match.confirm(3, "first_contact", ["red-2"])
    assert (line.verdict["score"], line.verdict["undecided"]) == ({"Ann": 8, "Bob": 1}, [])
    assert match.open_questions == []
    line = match.confirm(3, "first_contact", [])
    assert line.verdict["score"] == {"Ann": 8, "Bob": 5}


def test_folding_equals_stepping_and_any_prefix_replays() -> None:
    lines = [
        RED,
        BLACK,
        MISS,
        official("choose", player="Bob", option="play_again"),
        official("undo"),
        official("undo"),
    ]
    stepped = played(*lines)
    for length in range(len(lines) + 1):
        again = played(*lines[:length])
        assert [line.verdict for line in again.lines] == [line.verdict for line in stepped.lines[:length]]


def test_the_first_record_says_which_balls_there_are() -> None:
    match = Match.from_case("snooker", {"on": ["blue"], "cue_ball": "as_it_lies"})
    match.add(at(0.0, shot(hit("blue"), potted("blue"), before=only("blue", "pink", "black"))))
    assert match.state.on == ("pink",)
    match = Match.from_case("snooker", {"on": ["blue"], "cue_ball": "as_it_lies"})
    match.add(official("warn", player="A", about="slow_play"))
    match.add(at(0.0, shot(hit("blue"), potted("blue"), before=only("blue", "pink", "black"))))
    match.add(official("undo"))
    match.add(official("undo"))
    assert match.state.on == ("pink",)


def test_the_log_as_text() -> None:
    rows = played(RED, BLACK, official("warn", player="Ann", about="slow_play"), MISS).text().split("\n")
    assert rows[1].split() == ["shot", "2", "Ann", "8", "Bob", "0", "Eight"]
    assert rows[2].startswith("warn Ann slow_play")
    assert "Фол, четыре очка" in played(RED, BLACK, MISS).text("ru")


# ---------------------------------------------------------------------------------------------- scoreboard


def test_the_scoreboard() -> None:
    match = played(RED, BLACK, MISS, at(60.0, shot(hit("red-2"), potted("red-2"), before=layout(15, red_1=None))))
    board = scoreboard(match)
    assert (board["score"], board["player"], board["break"]) == ({"Ann": 8, "Bob": 5}, "Bob", 1)
    assert board["balls_left"] == 13 + 6
    assert board["points_left"] == 13 * 8 + 27 + 7
    assert board["snookers_required"] == {"Bob": 0}
    assert board["sides"]["Ann"] == {
        "points": 8,
        "highest_break": 8,
        "visits": 1,
        "strokes": 3,
        "fouls": 1,
        "points_from_fouls": 0,
        "mean_time_per_shot_s": pytest.approx(19.7, abs=0.11),
    }
    assert board["sides"]["Bob"]["points_from_fouls"] == 4
    assert "snookers required: Bob 0" in scoreboard_text(match)


@pytest.mark.parametrize(
    ("balls", "colour_on", "left"),
    [({"black"}, False, 7), ({"red-1", "black", "pink"}, False, 21), ({"pink", "black"}, True, 20), (set(), False, 0)],
)
def test_points_left(balls: set[str], colour_on: bool, left: int) -> None:
    assert points_left(frozenset(balls), colour_on=colour_on) == left


@pytest.mark.parametrize(("lead", "left", "fouls"), [(7, 7, 0), (8, 7, 1), (11, 7, 1), (12, 7, 2), (0, 27, 0)])
def test_snookers_required(lead: int, left: int, fouls: int) -> None:
    assert snookers_required(lead, left) == fouls


def test_a_clip_from_the_middle_of_a_frame() -> None:
    match = Match.from_case("snooker", snooker(None, balls=sorted(layout(5))))
    assert match.state_json["on"] == []
    line = match.add(at(0.0, shot(hit("black"), potted("black"), before=layout(5), on="black")))
    assert {each["question"] for each in line.verdict["undecided"]} == {"ball_on"}
    assert line.verdict["points"] == {"A": 0, "B": 0}
