"""Shots of a clip through the rules: where a clip begins, what counts as nominated, and what is said."""

import re
from dataclasses import replace
from typing import Any

import pytest

from calibration.tables import DEFAULT_TABLE, TABLES
from referee.app.analyze.opening import infer_opening, is_opening_layout, rack_places
from referee.app.analyze.refereeing import Refereeing, check_line, check_state
from referee.app.analyze.settings import Settings
from referee.app.nominations import first_hit
from referee.app.words import assumed_words
from tracking.records import Observed, ShotRecord

SNOOKER = TABLES["snooker-12ft"]
COLOURS = {name: list(at) for name, at in SNOOKER.spots.items()}


def settings(**more: Any) -> Settings:
    return Settings(game="snooker", table=SNOOKER, **more)


def opening_layout(cue: tuple[float, float] = (1000.0, 700.0)) -> dict[str, list[float]]:
    reds = {f"red-{i}": [float(x), float(y)] for i, (x, y) in enumerate(rack_places("snooker", SNOOKER), 1)}
    return {"cue": list(cue), **COLOURS, **reds}


def shot(
    n: int, before: dict[str, list[float]], hit: str | None, potted: dict[str, str] | None = None, **more: Any
) -> ShotRecord:
    t = 10.0 * n
    events: list[dict[str, Any]] = [{"t": t, "kind": "strike", "ball": "cue"}]
    if hit is not None:
        events.append({"t": t + 0.5, "kind": "contact", "balls": ["cue", hit]})
    for ball, pocket in (potted or {}).items():
        events.append({"t": t + 1.0, "kind": "pocket", "ball": ball, "pocket": pocket})
    events.append({"t": t + 4.0, "kind": "rest"})
    after = {name: at for name, at in before.items() if name not in (potted or {})}
    data = {"type": "shot", "n": n, "t0": t, "t1": t + 4.0, "before": before, "events": events, "after": after}
    return ShotRecord.from_json(data | more)


def some_balls(*reds: tuple[float, float], without: tuple[str, ...] = ()) -> dict[str, list[float]]:
    colours = {name: at for name, at in COLOURS.items() if name not in without}
    return {"cue": [300.0, 1200.0], **colours, **{f"red-{i}": list(at) for i, at in enumerate(reds, 1)}}


def test_the_opening_layout_is_recognized_to_a_few_centimetres() -> None:
    layout = opening_layout()
    places = {name: (at[0] + 12, at[1] - 12) for name, at in layout.items()}
    assert is_opening_layout("snooker", SNOOKER, places)
    assert not is_opening_layout("snooker", SNOOKER, {**places, "red-3": (300.0, 300.0)})
    assert not is_opening_layout("snooker", SNOOKER, {**places, "blue": (300.0, 300.0)})
    assert not is_opening_layout("snooker", SNOOKER, {name: at for name, at in places.items() if name != "red-3"})


def test_a_nine_ball_rack_is_a_diamond() -> None:
    pool = TABLES["pool-9ft"]
    rack = {str(i): (float(x), float(y)) for i, (x, y) in enumerate(rack_places("9-ball", pool), 1)}
    assert rack["1"] == (635.0, 1905.0)
    assert is_opening_layout("9-ball", pool, {"cue": (635.0, 500.0), **rack})


def test_a_frame_from_its_start_assumes_nothing() -> None:
    opening = infer_opening("snooker", SNOOKER, shot(1, opening_layout(), "red-1"))
    assert opening.assumed == ()
    assert "on" not in opening.state


@pytest.mark.parametrize(
    ("reds", "without", "hit", "on"),
    [
        (3, (), "red-2", "red"),
        (3, (), "blue", "colour"),
        (0, (), "yellow", "yellow"),
        (0, (), "blue", "colour"),
        (0, ("yellow", "green"), "brown", "brown"),
        (0, ("yellow", "green"), "pink", "colour"),
        (2, (), None, "red"),
        (0, ("yellow",), None, "green"),
    ],
)
def test_what_is_on_is_taken_from_the_ball_hit_first(reds: int, without: Any, hit: str | None, on: str) -> None:
    balls = some_balls(*[(400.0 + 100 * i, 2200.0) for i in range(reds)], without=without)
    opening = infer_opening("snooker", SNOOKER, shot(1, balls, hit))
    assert opening.state["on"] == [on]
    assert opening.assumed


@pytest.mark.parametrize(
    ("reds", "potted", "on"),
    [
        (3, ("black",), "colour"),
        (3, ("red-1",), "red"),
        (3, ("black", "red-1"), "red"),
        (0, ("pink",), "colour"),
        (0, ("yellow",), "yellow"),
        (3, ("cue",), "red"),
    ],
)
def test_where_it_is_unseen_what_was_hit_what_is_on_is_taken_from_the_pot(
    reds: int, potted: tuple[str, ...], on: str
) -> None:
    balls = some_balls(*[(400.0 + 100 * i, 2200.0) for i in range(reds)])
    opening = infer_opening("snooker", SNOOKER, shot(1, balls, None, dict.fromkeys(potted, "top-left")))
    assert opening.state["on"] == [on]


def test_a_colour_potted_by_an_unseen_first_contact_is_no_foul() -> None:
    """The cue ball was out of sight beside the black and a red, and that one still lies there."""
    balls = some_balls((900.0, 3150.0))
    x, y = COLOURS["black"]
    around = [[x - 80, y - 160], [x + 80, y - 160], [x + 80, y + 80], [x - 80, y + 80]]
    gaps = [{"t0": 10.0, "t1": 10.2, "balls": ["cue"], "region": around}]
    verdict = Refereeing(settings()).shot(shot(1, balls, None, {"black": "top-left"}, gaps=gaps)).verdicts[0].verdict
    assert (verdict["legal"], verdict["fouls"], verdict["points"]) == (True, [], {"A": 7, "B": 0})
    assert verdict["assumed"][0] == "a colour was on in the first shot, black, since it was potted"


def test_in_eight_ball_the_group_of_the_ball_hit_first_is_the_players() -> None:
    balls = {"cue": [300.0, 300.0], "2": [600.0, 900.0], "8": [635.0, 1400.0], "11": [900.0, 2000.0]}
    opening = infer_opening("8-ball", TABLES["pool-9ft"], shot(1, balls, "11"))
    assert opening.state["8-ball"] == {"stage": "play", "groups": {"A": "stripes", "B": "solids"}}
    cleared = {name: at for name, at in balls.items() if name != "2"}
    last = infer_opening("8-ball", TABLES["pool-9ft"], shot(1, cleared, "8"))
    assert last.state["on"] == ["8"]
    assert last.state["8-ball"]["groups"]["A"] == "solids"


def test_in_nine_ball_the_lowest_number_is_on() -> None:
    balls = {"cue": [300.0, 300.0], "9": [600.0, 900.0], "4": [635.0, 1400.0]}
    opening = infer_opening("9-ball", TABLES["pool-9ft"], shot(1, balls, "9"))
    assert opening.state["on"] == ["4"]


def test_a_break_in_the_middle_of_a_frame_is_called_one_five_six_eleven() -> None:
    """Red, brown, red, blue: each pot is called with the break so far, and every verdict says what it rests on."""
    balls = some_balls((400.0, 2200.0), (700.0, 2400.0), (900.0, 2300.0))
    referee = Refereeing(settings())
    said = []
    for n, ball, pocket in (
        (1, "red-1", "top-left"),
        (2, "brown", "bottom-right"),
        (3, "red-2", "middle-left"),
        (4, "blue", "middle-left"),
    ):
        judged = referee.shot(shot(n, balls, ball, {ball: pocket}))
        said += [verdict.words for verdict in judged.verdicts]
        if ball.startswith("red"):
            balls = {name: at for name, at in balls.items() if name != ball}
        assert judged.verdicts[0].verdict["legal"] is True
        assert judged.verdicts[0].verdict["assumed"][0] == "red was on in the first shot, since a red was hit first"
    assert said == [("One",), ("Five",), ("Six",), ("Eleven",)]
    assert referee.warnings == [
        "assumed: red was on in the first shot, since a red was hit first",
        "assumed: the score counts from the start of the clip",
    ]


def test_without_inference_a_colour_hit_is_not_taken_as_nominated() -> None:
    balls = some_balls((400.0, 2200.0))
    state = {"on": ["colour"], "striker": "A", "players": ["A", "B"]}
    required = Refereeing(settings(state=state, nominations="required")).shot(shot(1, balls, "blue"))
    assert required.record.nominated is None
    assert [each["question"] for each in required.verdicts[0].verdict["undecided"]] == ["nominated"]
    inferred = Refereeing(settings(state=state)).shot(shot(1, balls, "blue"))
    assert inferred.record.nominated is not None
    assert inferred.record.nominated.ball == "blue"
    assert inferred.verdicts[0].verdict["legal"] is True
    assert "assumed" not in inferred.verdicts[0].verdict


def test_a_red_hit_with_a_colour_on_nominates_nothing() -> None:
    state = {"on": ["colour"], "striker": "A", "players": ["A", "B"]}
    judged = Refereeing(settings(state=state)).shot(shot(1, some_balls((400.0, 2200.0)), "red-1"))
    assert judged.record.nominated is None
    assert judged.verdicts[0].verdict["legal"] is False
    assert judged.verdicts[0].verdict["penalty"] == 7


def test_lines_of_the_inputs_file_come_before_their_shot() -> None:
    balls = some_balls((400.0, 2200.0))
    lines = (
        {"type": "nomination", "n": 1, "nominated": {"ball": "black"}},
        {"type": "observed", "n": 2, "observed": [{"kind": "foot_off"}]},
        {"type": "official", "n": 2, "kind": "concede", "player": "B"},
        {"type": "nomination", "n": 9, "nominated": {"ball": "black"}},
    )
    state = {"on": ["colour"], "striker": "A", "players": ["A", "B"]}
    referee = Refereeing(settings(state=state, inputs=lines))
    first = referee.shot(shot(1, balls, "blue"))
    assert first.verdicts[0].verdict["legal"] is False
    assert first.verdicts[0].verdict["penalty"] == 7
    second = referee.shot(shot(2, balls, "red-1"))
    assert second.record.observed[0].kind == "foot_off"
    assert second.verdicts[0].verdict["frame"]["over"] is True
    referee.finish()
    assert referee.warnings[-1] == "lines for shots that the clip doesn't have: n = 9"


def test_lines_with_a_time_come_before_the_first_shot_after_it_and_nominations_before_a_stroke() -> None:
    """The incident at 20 s doesn't take the nomination that is made before it for the stroke at 30 s."""
    balls = some_balls((400.0, 2200.0))
    lines = (
        {"type": "nomination", "t": 9.8, "nominated": {"ball": "pink"}},
        {"type": "nomination", "t": 19.5, "nominated": {"ball": "black"}},
        {"type": "official", "t": 19.0, "kind": "warn", "player": "A", "about": "conduct"},
        {"type": "nomination", "t": 70.0, "nominated": {"ball": "black"}},
    )
    assert [check_line(line) for line in lines] == [None] * 4
    referee = Refereeing(settings(state={"on": ["colour"], "striker": "A", "players": ["A", "B"]}, inputs=lines))
    incident = shot(2, balls, None).to_json()
    incident["events"] = incident["events"][1:]
    referee.shot(shot(1, balls, "pink"))
    assert referee.shot(ShotRecord.from_json(incident)).record.nominated is None
    third = referee.shot(shot(3, balls, "blue"))
    assert third.record.nominated is not None
    assert third.record.nominated.ball == "black"
    referee.finish()
    assert referee.warnings[-1] == "lines for shots that the clip doesn't have: n = 4"


def test_balls_set_up_again_begin_a_new_frame() -> None:
    referee = Refereeing(settings())
    balls = some_balls((400.0, 2200.0))
    referee.shot(shot(1, balls, "red-1", {"red-1": "top-left"}))
    judged = referee.shot(shot(2, opening_layout(), "red-11", {}))
    assert judged.verdicts[0].verdict["score"] == {"A": 0, "B": 0}
    assert "assumed" not in judged.verdicts[0].verdict
    assert "a new frame begins with shot 2: its score counts from nothing" in referee.warnings


def test_a_doubt_about_the_first_contact_is_left_to_the_referee() -> None:
    record = shot(1, some_balls((400.0, 2200.0)), "red-1").to_json()
    record["events"][1]["confidence"] = 0.5
    state = {"on": ["red"], "striker": "A", "players": ["A", "B"]}
    judged = Refereeing(settings(state=state)).shot(ShotRecord.from_json(record))
    assert judged.verdicts[0].verdict["legal"] is None
    assert [each["question"] for each in judged.verdicts[0].verdict["undecided"]] == ["first_contact"]


def test_first_hit_is_the_cue_balls_first_contact() -> None:
    record = shot(1, some_balls((400.0, 2200.0)), "red-1")
    assert first_hit(record) == "red-1"
    assert first_hit(shot(1, some_balls(), None)) is None


@pytest.mark.parametrize(
    "line",
    [
        [],
        {"type": "shot"},
        {"type": "nomination", "nominated": {"ball": "blue"}},
        {"type": "nomination", "n": 1, "nominated": {"pocket": "left"}},
        {"type": "official", "kind": "sing"},
        {"type": "observed", "n": 1, "observed": [{"kind": "confirm"}]},
    ],
)
def test_malformed_lines_are_explained(line: Any) -> None:
    assert check_line(line)


def test_malformed_states_are_explained() -> None:
    assert check_state({"on": ["purple"]}, "snooker")
    assert check_state({"striker": "C"}, "snooker")
    assert check_state({"on": ["red"]}, "snooker") is None


@pytest.mark.parametrize(("doubtful", "legal"), [([], False), ([{"2": None}], None), ([{"8": "9", "9": "8"}], False)])
def test_a_clip_that_begins_with_a_ball_that_may_be_none(
    doubtful: list[dict[str, str | None]], legal: bool | None
) -> None:
    """The lowest ball by name is the 2: hitting the 6 is a foul if it is a ball, and not if it is a hand's shadow."""
    balls = {
        "cue": [300.0, 300.0],
        "2": [482.0, 683.0],
        "6": [400.0, 900.0],
        "8": [1185.0, 1855.0],
        "9": [379.0, 1350.0],
    }
    record = shot(1, balls, "6", {"6": "top-left"}, doubtful=doubtful)
    referee = Refereeing(Settings(game="9-ball", table=TABLES["pool-9ft"]))
    verdict = referee.shot(record).verdicts[0].verdict
    assert verdict["legal"] is legal
    asked = [(each["question"], each["clause"], each.get("ball")) for each in verdict["undecided"]]
    assert asked == ([("identity", "NB-7", "2")] if legal is None else [])
    assert ("shot 1 is left to the referee: identity (NB-7)" in referee.warnings) is (legal is None)


def test_the_referees_answer_counts_before_what_was_seen_as_hit_first() -> None:
    seen = shot(1, some_balls(), "red-1")
    answer = Observed(kind="confirm", question="first_contact", value="blue")
    assert first_hit(replace(seen, observed=(answer,))) == "blue"
    assert first_hit(replace(seen, observed=(replace(answer, value=("blue", "red-1")),))) is None
    assert first_hit(replace(seen, observed=(replace(answer, value=()),))) is None


@pytest.mark.parametrize(
    ("game", "balls", "hit"),
    [
        ("snooker", ["red-1", "blue"], "red-1"),
        ("snooker", ["red-1", "blue"], "blue"),
        ("snooker", ["red-1", "blue"], None),
        ("snooker", ["blue", "black"], "blue"),
        ("snooker", ["red-1", "blue"], ("blue",)),
        ("8-ball", ["1", "9", "8"], "9"),
        ("8-ball", ["1", "8"], "8"),
        ("8-ball", ["1", "9", "8"], None),
        ("9-ball", ["1", "9"], "1"),
        ("14.1", ["1", "9"], "1"),
    ],
)
def test_every_assumption_has_words_in_russian(game: str, balls: list[str], hit: str | tuple[str] | None) -> None:
    """hit: the ball hit first; in brackets one that was potted though that wasn't seen."""
    places = {name: [300.0 + 90 * i, 900.0] for i, name in enumerate(["cue", *balls])}
    seen = shot(1, places, None, {hit[0]: "top-left"}) if isinstance(hit, tuple) else shot(1, places, hit)
    opening = infer_opening(game, TABLES[DEFAULT_TABLE[game]], seen)
    assert opening.assumed
    for text in opening.assumed:
        assert not re.search("[a-z]{2}", assumed_words(text, "ru"))
        assert assumed_words(text, "en") == text
