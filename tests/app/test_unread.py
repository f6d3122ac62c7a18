"""A mistyped field of a state is named; every field that the contract documents is known."""

import pytest

from referee.app.analyze.unread import unread_fields

EVERYTHING = {
    "players": ["A", "B"],
    "table": "snooker-12ft",
    "striker": "A",
    "breaker": "B",
    "score": {"A": 12, "B": 8},
    "frames": {"A": 1, "B": 0},
    "frames_to_win": 3,
    "balls": {"cue": [500, 500], "red-1": [900, 2700], "black": [889, 3245]},
    "cue_ball": "as_it_lies",
    "on": ["red"],
    "free_ball": False,
    "break": 7,
    "foul_by": "B",
}


@pytest.mark.parametrize(
    ("wrong", "lines"),
    [
        ({}, []),
        ({"scor": {"A": 1}}, ["the field 'scor' means nothing in a state of snooker and is ignored"]),
        (
            {"snooker": {"last_fram": True, "aggregate": {"A": 70, "B": 64}}},
            [
                "the field 'snooker.last_fram' means nothing in a state of snooker and is ignored; "
                "did you mean 'last_frame'?"
            ],
        ),
        ({"9-ball": {"stage": "play"}}, ["the field '9-ball' means nothing in a state of snooker and is ignored"]),
    ],
)
def test_what_is_not_read_is_named(wrong: dict[str, object], lines: list[str]) -> None:
    assert list(unread_fields({**EVERYTHING, **wrong}, "snooker")) == lines


def test_what_was_meant() -> None:
    state = {name: value for name, value in EVERYTHING.items() if name != "score"}
    told = list(unread_fields({**state, "scoer": {"A": 12, "B": 8}}, "snooker"))
    assert told == ["the field 'scoer' means nothing in a state of snooker and is ignored; did you mean 'score'?"]
