"""Corrections of a hand-scored frame of snooker: what they change, how they are kept, and how they are taken back."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from frame_of_snooker import FRAME, analyzed, lines, settings, stroke

from referee.app.review.analysis import AnalysisReview
from referee.app.review.corrections import Correction, in_force
from referee.app.review.errors import Overtaken, ReviewError
from referee.app.review.fold import fold
from referee.app.review.folder import read_analyzed
from referee.app.review.store import CorrectionsFile
from tracking.strict_json import MalformedRecord

WRONG_BALL = {
    "type": "official",
    "kind": "correct",
    "n": 1,
    "record": {
        **FRAME[0],
        "events": [
            FRAME[0]["events"][0],
            {"t": 10.9, "kind": "contact", "balls": ["cue", "blue"]},
            *FRAME[0]["events"][1:],
        ],
    },
}
"""The first stroke hit the blue before the red."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return analyzed(tmp_path / "frame")


def opened(folder: Path) -> AnalysisReview:
    return AnalysisReview("frame", folder)


def accept(review: AnalysisReview, line: dict[str, Any]) -> list[dict[str, Any]]:
    correction = Correction.from_json(line)
    shown = review.preview(correction)
    done = review.accept(correction, shown.revision)
    assert done.differences == shown.differences
    return done.differences


def of(differences: list[dict[str, Any]], n: int) -> dict[str, tuple[Any, Any]]:
    return {each["field"]: (each["was"], each["now"]) for each in differences if each["n"] == n}


def scores(review: AnalysisReview) -> list[Any]:
    return [verdict["score"] for verdict in review.folded.verdicts]


def test_without_corrections_the_verdicts_are_the_analysiss_own(folder: Path) -> None:
    found = read_analyzed(folder)
    assert fold(found.base, ()).verdicts == lines(folder / "verdicts.jsonl")
    assert [each["score"] for each in found.verdicts] == [
        {"A": 1, "B": 0},
        {"A": 8, "B": 0},
        {"A": 9, "B": 0},
        {"A": 9, "B": 0},
    ]
    assert opened(folder).warnings == []


def test_a_wrong_ball_first_changes_every_later_score_and_break(folder: Path) -> None:
    review = opened(folder)
    shown = review.preview(Correction.from_json(WRONG_BALL)).differences
    first, second, third = (of(shown, n) for n in (1, 2, 3))
    # The blue was hit with a red on: five away, and the red that fell counts for nobody.
    assert first["legal"] == (True, False)
    assert first["penalty"] == (0, 5)
    assert first["fouls"][1][0]["value"] == 5
    assert first["score"] == ({"A": 1, "B": 0}, {"A": 0, "B": 5})
    assert first["break"] == (1, 0)
    assert first["announce"][0]["en"] == ["One"]
    # So B was at the table with a red on, and hit and potted the black: seven away.
    assert second["score"] == ({"A": 8, "B": 0}, {"A": 7, "B": 5})
    assert second["penalty"] == (0, 7)
    assert third["score"] == ({"A": 9, "B": 0}, {"A": 8, "B": 5})
    assert third["break"] == (9, 1)


def test_a_preview_changes_nothing(folder: Path) -> None:
    review = opened(folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    review.preview(Correction.from_json(WRONG_BALL))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert scores(review)[0] == {"A": 1, "B": 0}


def test_what_was_nominated_is_inferred_anew_from_the_corrected_match(folder: Path) -> None:
    review = opened(folder)
    assert [record.nominated.ball if record.nominated else None for record in review.folded.records] == [
        None,
        "black",
        None,
        "pink",
    ]
    accept(review, WRONG_BALL)
    black = review.folded.record(2)
    assert black is not None
    assert black.nominated is None  # a red was on, nothing could be nominated


def test_a_corrected_record_that_still_bears_the_inferred_nomination_says_nothing_of_it(folder: Path) -> None:
    review = opened(folder)
    shown = review.record(2).to_json()
    assert shown["nominated"] == {"ball": "black"}
    shown["events"][1]["balls"] = ["cue", "brown"]
    shown["events"][2]["ball"] = "brown"
    shown["before"].pop("brown")
    shown["before"]["brown"] = [889.0, 737.0]
    shown["after"] = {name: at for name, at in shown["before"].items() if name != "brown"}
    found = of(accept(review, {"type": "official", "kind": "correct", "n": 2, "record": shown}), 2)
    assert found["score"] == ({"A": 8, "B": 0}, {"A": 5, "B": 0})
    assert "legal" not in found
    said = {"type": "nomination", "n": 2, "nominated": {"ball": "black"}}
    found = of(accept(review, said), 2)
    assert found["legal"] == (True, False)
    assert found["score"][1] == {"A": 1, "B": 7}  # the black was nominated, the brown hit: the higher counts


def test_acceptance_leaves_the_analysis_and_writes_what_holds_now(folder: Path) -> None:
    verdicts = (folder / "verdicts.jsonl").read_bytes()
    review = opened(folder)
    accept(review, WRONG_BALL)
    assert (folder / "verdicts.jsonl").read_bytes() == verdicts
    assert lines(folder / "reviewed.jsonl") == review.folded.verdicts
    assert "Foul, five points" in (folder / "reviewed.vtt").read_text()
    again = opened(folder)
    assert again.folded.verdicts == review.folded.verdicts
    assert again.original(1) is not None
    assert [each.undone for each in again.done()] == [False]


def test_an_undo_takes_a_correction_back_and_an_undo_of_it_brings_it_again(folder: Path) -> None:
    review = opened(folder)
    accept(review, WRONG_BALL)
    accept(review, {"type": "undo", "line": 1})
    assert review.folded.verdicts == lines(folder / "verdicts.jsonl")
    assert lines(folder / "reviewed.jsonl") == lines(folder / "verdicts.jsonl")
    accept(review, {"type": "undo", "line": 2})
    assert scores(review)[0] == {"A": 0, "B": 5}
    assert [each.undone for each in review.done()] == [False, True, False]
    with pytest.raises(MalformedRecord, match="1 to 3"):
        review.preview(Correction.from_json({"type": "undo", "line": 4}))


def test_the_state_before_the_first_shot_settles_what_was_assumed(tmp_path: Path) -> None:
    blue = stroke(1, "blue")
    review = opened(analyzed(tmp_path / "clip", (blue,), settings(state=None)))
    assumed = [each for each in review.items() if each.kind == "assumed"]
    assert "a colour was on" in assumed[0].why["en"]
    found = of(accept(review, {"type": "opening", "state": {"on": ["red"]}}), 1)
    assert found["legal"] == (True, False)
    assert found["score"] == ({"A": 0, "B": 0}, {"A": 0, "B": 5})
    assert found["assumed"][1] == []
    assert not [each for each in review.items() if each.kind == "assumed"]


def test_an_answer_settles_the_question_that_it_is_asked(tmp_path: Path) -> None:
    unseen = stroke(1, "red-1")
    unseen["events"][1] |= {"t_sigma": 0.05}
    unseen["events"].insert(2, {"t": 11.01, "kind": "contact", "balls": ["cue", "blue"], "t_sigma": 0.05})
    review = opened(analyzed(tmp_path / "clip", (unseen,)))
    [item] = [each for each in review.items_with_choices() if each.kind == "undecided"]
    assert (item.n, item.clause) == (1, "SN-3.3.3a")
    assert item.worth == 74
    assert {"red-1", "blue"} <= {choice["value"] for choice in item.choices if isinstance(choice["value"], str)}
    answer = {"kind": "confirm", "question": "first_contact", "value": "blue"}
    found = of(accept(review, {"type": "observed", "n": 1, "observed": [answer]}), 1)
    assert found["legal"] == (None, False)
    assert found["undecided"][1] == []
    answer["value"] = "red-1"
    found = of(accept(review, {"type": "observed", "n": 1, "observed": [answer]}), 1)
    assert found["legal"] == (False, True)


def test_an_official_line_is_inserted_and_one_that_is_impossible_refused(folder: Path) -> None:
    review = opened(folder)
    concede = {"type": "official", "kind": "concede", "player": "B", "n": 5}
    [new] = accept(review, concede)
    assert (new["field"], new["was"]) == ("verdict", None)
    with pytest.raises(ReviewError, match="choose"):
        review.preview(
            Correction.from_json({"type": "official", "kind": "choose", "player": "A", "option": "replay", "n": 2})
        )
    with pytest.raises(MalformedRecord, match="1 to 5"):
        review.preview(Correction.from_json({**concede, "n": 7}))


def test_a_record_with_a_ball_that_the_game_does_not_have_is_refused(folder: Path) -> None:
    record = json.loads(json.dumps(WRONG_BALL["record"]))
    record["events"][1]["balls"] = ["cue", "9"]
    with pytest.raises(ReviewError, match="balls of snooker"):
        opened(folder).preview(Correction.from_json({**WRONG_BALL, "record": record}))


def test_what_was_accepted_meanwhile_must_be_looked_at_first(folder: Path) -> None:
    one, other = opened(folder), opened(folder)
    correction = Correction.from_json(WRONG_BALL)
    shown = other.preview(correction)
    accept(one, {"type": "nomination", "n": 2, "nominated": {"ball": "pink"}})
    with pytest.raises(Overtaken):
        other.accept(correction, shown.revision)
    assert other.revision == 1
    assert other.folded.verdicts == one.folded.verdicts


def test_a_line_that_was_not_written_to_its_end_is_set_aside(folder: Path) -> None:
    accept(opened(folder), WRONG_BALL)
    whole = (folder / "corrections.jsonl").read_bytes()
    (folder / "corrections.jsonl").write_bytes(whole + b'{"type": "undo", "li')
    assert CorrectionsFile(folder).revision == 1
    assert (folder / "corrections.jsonl").read_bytes() == whole
    assert (folder / "corrections.torn").read_bytes() == b'{"type": "undo", "li\n'


def test_corrections_of_other_shots_are_not_applied(folder: Path) -> None:
    accept(opened(folder), WRONG_BALL)
    analyzed(folder.parent / "other", FRAME[:3])
    (folder / "shots.jsonl").write_bytes((folder.parent / "other" / "shots.jsonl").read_bytes())
    review = opened(folder)
    assert review.revision == 0
    assert "earlier analysis" in review.warnings[-1]
    earlier = (folder / "corrections.jsonl").read_bytes()
    accept(review, {"type": "nomination", "n": 2, "nominated": {"ball": "pink"}})
    assert [path.read_bytes() for path in folder.glob("corrections-*.jsonl")] == [earlier]
    assert opened(folder).revision == 1


def test_undos_of_undos() -> None:
    undo = [Correction.from_json({"type": "undo", "line": line}) for line in (1, 2, 3)]
    opening = Correction.from_json({"type": "opening", "state": {}})
    assert in_force([opening, *undo]) == [False, True, False, True]


KILLED = """
import json, os, signal, sys
from pathlib import Path
from referee.app.review.analysis import AnalysisReview
from referee.app.review.corrections import Correction

real_fsync, real_replace = os.fsync, Path.replace

def accept_and_die(folder, step):
    steps = iter(range(1000))
    def or_die(real):
        def call(*args, **more):
            if next(steps) == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **more)
        return call
    os.fsync, Path.replace = or_die(real_fsync), or_die(real_replace)
    review = AnalysisReview("frame", folder)
    correction = Correction.from_json(json.loads(sys.argv[1]))
    review.accept(correction, review.preview(correction).revision)
    os._exit(0)

for step, folder in enumerate(sys.argv[2:]):
    child = os.fork()
    if child == 0:
        accept_and_die(Path(folder), step)
    status = os.waitpid(child, 0)[1]
    print(os.WTERMSIG(status) if os.WIFSIGNALED(status) else "done", flush=True)
"""


def test_a_kill_in_the_middle_of_an_acceptance_leaves_the_old_state_or_the_new_one(tmp_path: Path) -> None:
    """Killed before each time that something is waited for until it is on disk, or put in its place."""
    folders = [analyzed(tmp_path / f"{step}") for step in range(14)]
    run = subprocess.run(
        [sys.executable, "-c", KILLED, json.dumps(WRONG_BALL), *map(str, folders)], capture_output=True, check=True
    )
    ends = run.stdout.decode().split()
    # Line and folder, then for each of three files: text, place, folder.
    assert ends == ["9"] * 11 + ["done"] * 3
    revisions = []
    for folder in folders:
        review = opened(folder)
        revisions.append(review.revision)
        assert scores(review)[0] == ({"A": 0, "B": 5} if review.revision else {"A": 1, "B": 0})
        if review.revision:
            assert lines(folder / "reviewed.jsonl") == review.folded.verdicts
            assert "Foul, five points" in (folder / "reviewed.vtt").read_text()
        assert lines(folder / "verdicts.jsonl")[0]["score"] == {"A": 1, "B": 0}
    assert revisions == [1] * 14  # the line was handed to the system before the first wait


def test_a_shot_that_was_not_seen_is_inserted_where_it_was_played(folder: Path) -> None:
    """Between the black and the second red, A missed everything: four away, and B pots the red."""
    review = opened(folder)
    missed = stroke(3, "red-2", gone=("red-1",))
    missed |= {"t0": 26.0, "t1": 28.0, "events": [{"t": 26.0, "kind": "strike", "ball": "cue"}]}
    missed.pop("n")
    found = accept(review, {**missed, "type": "shot"})
    assert [each["n"] for each in found if each["field"] in ("verdict", "score")] == [1001, 3, 4]
    assert [record.n for record in review.folded.records] == [1, 2, 1001, 3, 4]
    assert scores(review)[2:] == [{"A": 8, "B": 4}, {"A": 8, "B": 5}, {"A": 8, "B": 5}]
    with pytest.raises(MalformedRecord, match="shot 3 did"):
        review.preview(Correction.from_json({**missed, "type": "shot", "t0": 33.0, "t1": 34.0, "events": []}))
    accept(review, {"type": "observed", "n": 1001, "observed": [{"kind": "not_a_stroke"}]})
    assert scores(review)[-1] == {"A": 9, "B": 0}
    accept(review, {"type": "undo", "line": 1})
    assert [record.n for record in opened(folder).folded.records] == [1, 2, 3, 4]


@pytest.mark.parametrize("value", ["banana", ["red-1", "7"], "none"])
def test_an_answer_with_a_ball_that_the_game_does_not_have_is_refused(folder: Path, value: Any) -> None:
    answer = {"kind": "confirm", "question": "first_contact", "value": value}
    with pytest.raises(MalformedRecord, match="balls of the game"):
        opened(folder).preview(Correction.from_json({"type": "observed", "n": 1, "observed": [answer]}))


def test_an_answer_to_an_open_question_must_be_one_of_its_answers(tmp_path: Path) -> None:
    """The cue ball stayed hidden behind the pack after a foul: whether it is snookered is asked."""
    foul = stroke(1, "blue")
    foul["gaps"] = [{"t0": 11.0, "t1": 15.0, "balls": ["cue"]}]
    foul["after"].pop("cue")
    review = opened(analyzed(tmp_path / "clip", (foul,)))
    questions = [item.question for item in review.items() if item.question is not None]
    assert questions
    asked = {"kind": "confirm", "question": questions[0]["question"], "value": "perhaps"}
    asked |= {"ball": questions[0]["ball"]} if "ball" in questions[0] else {}
    with pytest.raises(MalformedRecord, match="value: expected one of"):
        review.preview(Correction.from_json({"type": "observed", "n": 1, "observed": [asked]}))


def test_what_the_analysis_was_told_stays_told(tmp_path: Path) -> None:
    """By number or by time; and a record that it was told to correct stays corrected under a further remark."""
    told = (
        {"type": "nomination", "t": 19.0, "nominated": {"ball": "pink"}},
        {"type": "observed", "n": 4, "observed": [{"kind": "foot_off"}]},
        {"type": "official", "kind": "concede", "player": "B", "n": 5},
        WRONG_BALL,
    )
    folder = analyzed(tmp_path / "clip", FRAME, settings(inputs=told))
    review = opened(folder)
    assert review.folded.verdicts == lines(folder / "verdicts.jsonl")
    assert {record.n: record.nominated and record.nominated.ball for record in review.folded.records}[2] == "pink"
    assert review.folded.said == {2}
    before = review.folded.verdicts_of(1)[-1]
    assert before["penalty"] == 5
    accept(review, {"type": "observed", "n": 1, "observed": [{"kind": "push"}]})
    [after] = review.folded.verdicts_of(1)
    assert {foul["clause"] for foul in before["fouls"]} < {foul["clause"] for foul in after["fouls"]}
    assert after["penalty"] == 5
    assert [verdict["frame"]["over"] for verdict in review.folded.verdicts][-1]


def test_an_answer_changes_what_is_inferred_to_have_been_nominated(folder: Path) -> None:
    """The black counted as nominated because it was hit first; if the brown was, the brown did."""
    review = opened(folder)
    answer = {"kind": "confirm", "question": "first_contact", "value": "brown"}
    found = of(accept(review, {"type": "observed", "n": 2, "observed": [answer]}), 2)
    black = review.record(2)
    assert black.nominated is not None and black.nominated.ball == "brown"
    # The black fell though the brown was nominated: seven away.
    assert found["penalty"] == (0, 7)
    assert found["score"] == ({"A": 8, "B": 0}, {"A": 1, "B": 7})
