"""The desk: inputs in, verdicts and calls out, each once, also over an interruption."""

import json
from pathlib import Path
from typing import Any

import pytest
from desk_play import REDS, TABLE, new_desk, record, said, stroke

from referee.app.desk.desk import Desk
from referee.app.desk.store import LogStore, StoreError, read_log
from referee.app.judge import judge
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord


def test_a_shot_is_on_disk_with_its_call_before_it_is_told(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    seen: list[list[str]] = []
    subscription = desk.subscribe(lambda: seen.append([line["type"] for line in read_log(desk.folder)]))
    verdict = desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    assert verdict is not None and verdict["score"] == {"Ann": 1, "Bob": 0}
    assert seen and all(types == ["match", "shot", "call"] for types in seen)
    bodies = [message.body for message in subscription.take()]
    assert [body["type"] for body in bodies] == ["call", "state"]
    assert bodies[0]["call"]["announce"]["en"] == ["One"]
    assert bodies[1]["state"]["board"]["score"] == {"Ann": 1, "Bob": 0}


def test_what_the_rules_cannot_read_leaves_no_trace(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    for wrong in (
        {"kind": "concede", "player": "Zoe"},
        {"kind": "choose", "player": "Ann", "option": "replay"},
        {"kind": "undo"},
        {"kind": "correct", "n": 3, "record": stroke(0.0, "red-1")},
    ):
        with pytest.raises(MalformedRecord):
            desk.official(wrong)
    with pytest.raises(MalformedRecord):
        desk.nominate({"ball": "15"})
    assert [line["type"] for line in read_log(desk.folder)] == ["match"]
    assert desk.seq == 1


def test_an_unreadable_record_of_the_eye_is_kept_and_shown(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    assert desk.record(record(1.0, "9")) is None
    state = desk.snapshot()
    assert "balls of snooker" in state["unjudged"][0]["reason"]
    assert state["shots"] == []


def test_an_input_that_cannot_be_written_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = new_desk(tmp_path)

    def fails(self: LogStore, *lines: Any) -> Any:
        raise StoreError("log: can't be written")

    monkeypatch.setattr(LogStore, "append", fails)
    with pytest.raises(StoreError):
        desk.official({"kind": "concede", "player": "Ann"})
    assert desk.match.lines == [] and said(desk) == []
    monkeypatch.undo()
    assert desk.official({"kind": "concede", "player": "Ann"})["frame"]["over"]


def test_a_record_of_the_eye_waits_for_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = new_desk(tmp_path)

    def fails(self: LogStore, *lines: Any) -> Any:
        raise StoreError("log: can't be written")

    monkeypatch.setattr(LogStore, "append", fails)
    for i, ball in enumerate(("blue", "red-1")):
        with pytest.raises(StoreError):
            desk.record(record(10.0 * i, ball))
    assert said(desk) == []
    monkeypatch.undo()
    desk.tick()
    assert [step.n for step in desk.match.shots] == [1, 2]
    assert said(desk)[0] == "Foul, five points"


def test_a_match_that_was_set_aside_takes_nothing_more(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.close()
    with pytest.raises(StoreError, match="set aside"):
        desk.nominate({"ball": "blue"})


def test_a_nomination_waits_for_the_next_stroke_and_goes_before_an_inferred_one(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    desk.nominate({"ball": "pink"})
    assert desk.snapshot()["nominated"] == {"ball": "pink"}
    verdict = desk.record(record(10.0, "blue"))
    assert verdict is not None and verdict["penalty"] == 6
    assert desk.snapshot()["nominated"] is None


def test_without_a_nomination_the_ball_hit_first_counts(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    verdict = desk.record(record(10.0, "blue", {"blue": "top-left"}))
    assert verdict is not None and verdict["score"] == {"Ann": 6, "Bob": 0}
    assert desk.snapshot()["shots"][-1]["inferred"]


def test_a_correction_of_the_first_contact_moves_an_inferred_nomination(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    desk.record(record(10.0, "blue", {"pink": "top-left"}))
    assert desk.match.state.score == {"Ann": 1, "Bob": 6}
    desk.correct(2, stroke(10.0, "pink", {"pink": "top-left"}, nominated={"ball": "blue"}))
    assert desk.match.state.score == {"Ann": 7, "Bob": 0}


def test_an_incident_does_not_use_up_a_nomination(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    desk.nominate({"ball": "pink"})
    desk.shot({"type": "shot", "events": [], "observed": [{"kind": "not_a_stroke"}]})
    assert desk.snapshot()["nominated"] == {"ball": "pink"}


def test_what_somebody_saw_counts_for_the_next_record(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.observe(None, [{"kind": "foot_off"}])
    verdict = desk.record(record(1.0, "red-1"))
    assert verdict is not None and [foul["clause"] for foul in verdict["fouls"]] == ["SN-3.11.1c"]
    assert desk.snapshot()["observed"] == []


def test_what_somebody_saw_of_an_earlier_shot_is_judged_and_called(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    desk.observe(1, [{"kind": "double_hit"}])
    assert desk.match.state.score == {"Ann": 0, "Bob": 4}
    assert said(desk) == ["One", "Correction, taken back: One", "Foul, four points"]
    assert desk.messages_since(0)[-1]["call"]["retracts"] == [desk.messages_since(0)[0]["call"]["id"]]


def test_undo_goes_further_back_each_time_and_redo_takes_it_back(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    desk.record(record(10.0, "black", {"black": "top-left"}))
    desk.record(record(20.0, "red-2", {"red-2": "top-left"}))
    scores = [desk.match.state.score["Ann"]]
    for _ in range(3):
        desk.undo()
        scores.append(desk.match.state.score["Ann"])
    assert scores == [9, 8, 1, 0]
    with pytest.raises(MalformedRecord):
        desk.undo()
    desk.redo()
    assert desk.match.state.score["Ann"] == 1
    desk.record(record(30.0, "blue", {"blue": "top-left"}))
    assert desk.match.state.score["Ann"] == 6
    assert [step.n for step in desk.match.shots] == [1, 4]


def test_a_correction_far_back_is_told_in_short(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    for i in range(2, 8):
        ball = "black" if i % 2 == 0 else f"red-{i}"
        desk.record(record(10.0 * i, ball, {ball: "top-left"}))
    assert desk.match.state.score == {"Ann": 25, "Bob": 0}
    desk.correct(1, stroke(1.0, "red-2", {"red-1": "top-left", "red-2": "top-left"}))
    call = desk.messages_since(0)[-1]["call"]
    assert call["announce"]["en"] == ["Correction, taken back: One", "Two", "The score is Ann 26, Bob 0"]
    assert len(call["retracts"]) == 7


def test_an_answer_settles_a_question(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    shot = stroke(10.0, "blue", {"blue": "top-left"})
    shot["events"][3]["confidence"] = 0.5
    desk.record(ShotRecord.from_json(shot))
    question = next(each for each in desk.snapshot()["questions"] if each["question"] == "potted")
    assert [choice["value"] for choice in question["choices"]] == [False, True]
    assert question["choices"][1]["en"] == "yes" and question["text"]["ru"]
    desk.answer(2, "potted", True, "blue")
    assert desk.match.state.score == {"Ann": 6, "Bob": 0}
    assert not [each for each in desk.snapshot()["questions"] if each["question"] == "potted"]
    assert desk.snapshot()["shots"][-1]["overruled"]


def test_a_preview_changes_nothing(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    line = desk.correct_line(1, stroke(1.0, "blue"))
    before = (desk.folder / "log.jsonl").read_bytes()
    differences = {each["field"]: (each["was"], each["now"]) for each in desk.preview(line)}
    assert differences["legal"] == (True, False)
    assert differences["score"] == ({"Ann": 1, "Bob": 0}, {"Ann": 0, "Bob": 5})
    assert (desk.folder / "log.jsonl").read_bytes() == before
    assert desk.match.state.score == {"Ann": 1, "Bob": 0}


def test_options_after_a_foul_are_offered_in_words_and_taken(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "blue", before=TABLE, moved={"cue": [400.0, 1500.0]}, observed=[{"kind": "miss"}]))
    options = {each["id"]: each for each in desk.snapshot()["options"]}
    assert {"play_again", "replay"} <= set(options)
    assert all(each["text"]["en"] and each["text"]["ru"] for each in options.values())
    desk.official({"kind": "choose", "player": "Bob", "option": "replay"})
    assert desk.snapshot()["next"]["player"] == "Ann"


def test_a_resumed_match_is_the_match(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    desk.nominate({"ball": "black"})
    desk.observe(None, [{"kind": "foot_off"}])
    desk.setting("slow_play_s", 60)
    desk.put_back(positions=REDS)
    before, heard = desk.snapshot(), desk.messages_since(0)
    desk.close()
    again = Desk.resume(desk.folder)
    after = again.snapshot()
    assert after == before
    assert again.messages_since(0) == heard
    assert again.seq == desk.seq + 1  # the line that says so


def test_a_call_that_the_interruption_left_out_is_made_at_resuming_and_only_once(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "blue"))
    desk.close()
    log = desk.folder / "log.jsonl"
    rows = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(rows[:-1]))
    again = Desk.resume(desk.folder)
    assert said(again) == ["Foul, five points"]
    again.close()
    assert said(Desk.resume(desk.folder)) == ["Foul, five points"]


def test_the_log_is_one_that_the_judge_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    desk.nominate({"ball": "pink"})
    desk.record(record(10.0, "blue"))
    desk.official({"kind": "place_cue_ball", "at": [889.0, 700.0]})
    desk.undo()
    desk.undo()
    with pytest.raises(SystemExit) as ended:
        judge.main([str(desk.folder / "log.jsonl"), "--match"], standalone_mode=False)
    assert ended.value.code == 0
    printed = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert printed[0]["score"] == {"Ann": 1, "Bob": 0}
    assert printed[1]["score"] == {"Ann": 1, "Bob": 6}
    assert printed[-1]["score"] == {"Ann": 1, "Bob": 0}


def test_doubles_show_their_order(tmp_path: Path) -> None:
    desk = Desk.create(tmp_path / "m", {"game": "snooker", "teams": {"A": ["A1", "A2"], "B": ["B1", "B2"]}})
    assert desk.snapshot()["match"]["order"] == ["A1", "B1", "A2", "B2"]
    desk.official({"kind": "order", "players": ["B2", "A1", "B1", "A2"]})
    assert desk.snapshot()["match"]["order"] == ["B2", "A1", "B1", "A2"]
    desk.record(record(1.0, "red-1"))
    assert desk.snapshot()["next"]["player"] == "A1"


def test_a_conceded_match_is_over_and_can_be_reopened(tmp_path: Path) -> None:
    desk = new_desk(tmp_path, frames_to_win=1)
    desk.official({"kind": "concede", "player": "Ann"})
    assert desk.snapshot()["match"]["phase"] == "over"
    desk.undo()
    assert desk.snapshot()["match"]["phase"] == "playing"
    assert said(desk)[-1].startswith("Correction, taken back: Frame conceded")


def test_slow_play_warns_once_a_stroke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = new_desk(tmp_path, slow_play_s=30)
    clock = [100.0]
    monkeypatch.setattr("referee.app.desk.desk.time.monotonic", lambda: clock[0])
    desk.record(record(1.0, "red-1"))
    clock[0] += 29.0
    desk.tick()
    assert not desk.snapshot()["slow_play"]
    clock[0] += 2.0
    desk.tick()
    desk.tick()
    assert desk.snapshot()["slow_play"]
    assert [line["type"] for line in read_log(desk.folder)].count("slow_play") == 1
    desk.record(record(40.0, "red-1"))
    assert not desk.snapshot()["slow_play"]


def test_a_setting_of_the_rules_is_fixed_at_the_start(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    with pytest.raises(MalformedRecord, match="fixed when a match is set up"):
        desk.setting("nominations", "required")


def test_shots_by_hand_follow_the_clock(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.shot(stroke(0.0, "red-1"))
    desk.shot(stroke(0.0, "red-2"))
    first, second = (step.item for step in desk.match.shots)
    assert first.t1 < second.t0  # type: ignore[union-attr]
