"""Lines that are put in between others, and lines that are taken back from among them; all after them judged anew."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from desk_play import TABLE, new_desk, record, said, stroke

from referee.app.desk.desk import Desk
from referee.app.desk.store import read_log
from referee.app.judge import judge
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord


def scores(desk: Desk) -> list[dict[str, int]]:
    """After each line in force, in the order of play."""
    return [step.judged.verdict.fields["score"] for step in desk.match.steps]


def test_a_choice_that_was_forgotten_is_put_after_its_shot(tmp_path: Path) -> None:
    """Ann hits nothing; Bob had her play again, which nobody entered, so that her red counted for him."""
    desk = new_desk(tmp_path)
    desk.record(record(1.0, None))
    desk.record(record(11.0, "red-1", {"red-1": "top-left"}))
    assert scores(desk)[-1] == {"Ann": 0, "Bob": 5}
    line = {"kind": "choose", "player": "Bob", "option": "play_again", "follows": 1}
    changed = desk.preview(line)
    assert {"n": 2, "line": 0, "field": "score", "was": {"Ann": 0, "Bob": 5}, "now": {"Ann": 1, "Bob": 4}} in changed
    assert scores(desk)[-1] == {"Ann": 0, "Bob": 5}, "a preview changes nothing"
    desk.official(line)
    assert scores(desk) == [{"Ann": 0, "Bob": 4}, {"Ann": 0, "Bob": 4}, {"Ann": 1, "Bob": 4}]
    assert [getattr(step.item, "kind", "shot") for step in desk.match.steps] == ["shot", "choose", "shot"]
    desk.undo()
    assert scores(desk) == [{"Ann": 0, "Bob": 4}, {"Ann": 0, "Bob": 5}]


def test_a_shot_that_was_not_recorded_is_put_in(tmp_path: Path) -> None:
    """A red, then a red with a colour on: a foul, until the blue between them is put in."""
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    desk.record(record(21.0, "red-2", {"red-2": "top-left"}))
    assert [step.judged.verdict.fields["legal"] for step in desk.match.shots] == [True, False]
    desk.insert(1, stroke(0.0, "blue", {"blue": "middle-left"}))
    shots = desk.match.shots
    assert [step.n for step in shots] == [1, 3, 2]
    assert [step.judged.verdict.fields["legal"] for step in shots] == [True, True, True]
    assert scores(desk)[-1] == {"Ann": 7, "Bob": 0}
    put_in = shots[1].item
    assert isinstance(put_in, ShotRecord) and 5.0 < put_in.t0 < 21.0, "it is played between the others"
    desk.record(record(31.0, None))
    assert desk.match.shots[-1].n == 4


def test_any_line_can_be_taken_back(tmp_path: Path) -> None:
    """The first of three shots was none; so Ann's black on a red counted nothing."""
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    desk.record(record(11.0, "black", {"black": "top-left"}))
    desk.record(record(21.0, "red-2"))
    assert scores(desk)[-1] == {"Ann": 8, "Bob": 0}
    assert desk.preview(desk.undo_line(1))
    desk.undo(1)
    assert [step.n for step in desk.match.shots] == [2, 3]
    assert scores(desk)[0] == {"Ann": 0, "Bob": 7}
    desk.redo()
    assert scores(desk)[-1] == {"Ann": 8, "Bob": 0}


def test_what_was_said_of_a_shot_goes_with_it(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, None))
    desk.correct(1, stroke(1.0, "blue"))
    desk.official({"kind": "warn", "player": "Ann", "about": "conduct", "follows": 1})
    desk.record(record(11.0, "red-1"))
    desk.undo(1)
    assert [step.n for step in desk.match.steps] == [2]
    assert scores(desk) == [{"Ann": 0, "Bob": 0}]


def test_undo_takes_the_line_that_was_entered_last(tmp_path: Path) -> None:
    """Not the last one in the order of play, and nothing that was taken back comes back by it."""
    desk = new_desk(tmp_path)
    for t in (1.0, 11.0, 21.0):
        desk.record(record(t, None))
    desk.undo(2)
    desk.official({"kind": "warn", "player": "Ann", "about": "conduct", "follows": 1})
    assert desk.snapshot()["undo"] == {"line": 5, "kind": "warn", "n": 1}
    desk.undo()
    assert [step.n for step in desk.match.steps] == [1, 3]
    desk.undo()
    assert [step.n for step in desk.match.steps] == [1]
    desk.undo()
    assert desk.match.steps == () and desk.snapshot()["undo"] is None


def test_what_cannot_be_put_in_or_taken_back_is_refused(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1"))
    for wrong, field in (
        ({"kind": "warn", "player": "Ann", "about": "conduct", "follows": 7}, "follows"),
        ({"kind": "choose", "player": "Bob", "option": "play_again", "follows": 1}, "option"),
        ({"kind": "undo", "line": 7}, "line"),
        ({"kind": "insert", "n": 1, "follows": 0, "record": stroke(0.0, "red-1")}, "n"),
        ({"kind": "insert", "n": 2, "record": stroke(0.0, "red-1")}, "follows"),
    ):
        with pytest.raises(MalformedRecord, match=field):
            desk.official(wrong)
    with pytest.raises(MalformedRecord, match="follows"):
        desk.insert(5, stroke(0.0, "red-1"))
    assert len(read_log(desk.folder)) == 2


def test_the_log_alone_says_it_all(tmp_path: Path) -> None:
    """A resumed match and ``cueref judge --match`` come to the same, and nothing is said twice."""
    desk = new_desk(tmp_path)
    desk.record(record(1.0, None, before=TABLE))
    desk.record(record(11.0, "red-1", {"red-1": "top-left"}, before=TABLE))
    desk.official({"kind": "choose", "player": "Bob", "option": "play_again", "follows": 1})
    desk.insert(0, stroke(0.0, "red-3", before=TABLE))
    desk.undo(1)
    expected, calls = scores(desk), said(desk)
    desk.close()
    resumed = Desk.resume(desk.folder)
    assert scores(resumed) == expected and said(resumed) == calls
    assert [step.n for step in resumed.match.shots] == [3, 2]
    assert resumed.ledger.inferred == desk.ledger.inferred
    judged = CliRunner().invoke(judge, ["--match", str(desk.folder / "log.jsonl")], catch_exceptions=False)
    assert judged.exit_code == 0 and json.loads(judged.stdout.splitlines()[-1])["score"] == expected[-1]
