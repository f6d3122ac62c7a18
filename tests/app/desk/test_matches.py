"""A folder of matches: one of them running, gone on with where it was interrupted."""

from pathlib import Path

import pytest
from desk_play import HEADER, stroke

from referee.app.desk.desk import Desk
from referee.app.desk.matches import Matches, NoSuchMatch
from tracking.strict_json import MalformedRecord


def test_an_interrupted_match_is_gone_on_with(tmp_path: Path) -> None:
    matches = Matches(tmp_path)
    match = matches.create(HEADER)
    match.shot(stroke(0.0, "red-1", {"red-1": "top-left"}))
    matches.close()
    again = Matches(tmp_path)
    desk = again.resume_interrupted()
    assert desk is not None and desk.id == match.id
    assert desk.match.state.score == {"Ann": 1, "Bob": 0}


def test_one_that_was_set_aside_or_is_over_is_not(tmp_path: Path) -> None:
    matches = Matches(tmp_path)
    aside = matches.create(HEADER).id
    matches.end()
    assert Matches(tmp_path).resume_interrupted() is None
    again = matches.resume(aside)
    again.official({"kind": "concede", "player": "Ann"})
    again.official({"kind": "concede", "player": "Ann"})
    assert again.match.state.finished
    matches.close()
    assert Matches(tmp_path).resume_interrupted() is None
    assert Matches(tmp_path / "nowhere").resume_interrupted() is None


def test_those_who_listen_hear_of_each_change_in_order(tmp_path: Path) -> None:
    matches, heard = Matches(tmp_path), list[str | None]()

    def listen(desk: Desk | None) -> None:
        heard.append(None if desk is None else desk.id)

    matches.on_change(listen)
    first = matches.create(HEADER).id
    second = matches.create(HEADER).id
    matches.end()
    assert heard == [first, None, second, None]


def test_a_match_that_cannot_begin_leaves_the_running_one_alone(tmp_path: Path) -> None:
    matches = Matches(tmp_path)
    running = matches.create(HEADER)
    with pytest.raises(MalformedRecord):
        matches.create({"game": "snooker", "players": ["Ann"]})
    with pytest.raises(NoSuchMatch):
        matches.resume("../" + running.id)
    assert matches.current is running
    assert running.shot(stroke(0.0, "red-1")) is not None


def test_records_of_a_camera_are_judged_with_the_doubt_of_measuring(tmp_path: Path) -> None:
    by_hand = Matches(tmp_path / "hand").whole_header(HEADER)
    assert "options" not in by_hand
    seen = Matches(tmp_path / "seen", camera=True).whole_header({**HEADER, "nominations": "required"})
    assert seen["options"] == {"measured_mm": 3.0, "undeclared": "unknown"}
    own = Matches(tmp_path / "own", camera=True).whole_header({**HEADER, "options": {"measured_mm": 1.0}})
    assert own["options"] == {"measured_mm": 1.0}
