"""A foul is called while the balls run only where nothing that may follow can cure it."""

from pathlib import Path
from typing import Any

import pytest
from desk_play import COLOURS, TABLE, new_desk, record, said, stroke

from referee.app.desk.desk import Desk
from tracking.records import Event, ShotRecord


def running(desk: Desk, *events: dict[str, Any], before: dict[str, list[float]] | None = None) -> None:
    read = ShotRecord.from_json({"events": list(events), "before": before})
    desk.running(read.events, read.before, read.events[-1].t_s + 0.1)


def strike(t: float) -> dict[str, Any]:
    return {"t": t, "kind": "strike", "ball": "cue"}


def contact(t: float, ball: str, **more: Any) -> dict[str, Any]:
    return {"t": t, "kind": "contact", "balls": ["cue", ball], **more}


def test_a_wrong_ball_first_is_called_at_once_and_once(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    running(desk, strike(1.0), before=TABLE)
    running(desk, strike(1.0), contact(1.5, "blue"), before=TABLE)
    running(desk, strike(1.0), contact(1.5, "blue"), contact(1.7, "red-1"), before=TABLE)
    assert said(desk) == ["Foul"]
    assert desk.messages_since(0)[0]["call"]["early"]
    desk.record(record(1.0, "blue", before=TABLE))
    assert said(desk) == ["Foul", "Foul, five points"]
    assert desk.messages_since(0)[1]["call"]["retracts"] == []


def test_a_ball_on_first_is_no_foul_yet_nor_is_no_ball_at_all(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    running(desk, strike(1.0), before=TABLE)
    running(desk, strike(1.0), contact(1.5, "red-1"), before=TABLE)
    running(desk, strike(1.0), contact(1.5, "red-1"), contact(1.9, "blue"), before=TABLE)
    assert said(desk) == []


def test_contacts_of_unknown_order_are_no_certain_foul(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    events = [strike(1.0), contact(1.5, "blue", t_sigma=0.02), contact(1.51, "red-1", t_sigma=0.02)]
    running(desk, *events, before=TABLE)
    assert said(desk) == []


def test_an_uncertain_contact_is_no_certain_foul(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    running(desk, strike(1.0), contact(1.5, "blue", confidence=0.5), before=TABLE)
    assert said(desk) == []


def test_an_inferred_nomination_makes_any_colour_good_and_a_red_bad(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    running(desk, strike(10.0), contact(10.5, "pink"))
    assert said(desk) == ["One"]
    running(desk, strike(10.0), contact(10.5, "red-2"))
    assert said(desk) == ["One", "Foul"]


def test_where_a_nomination_is_required_and_lacks_nothing_is_certain(tmp_path: Path) -> None:
    options = {"undeclared": "unknown"}
    desk = new_desk(tmp_path, nominations="required", options=options)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    running(desk, strike(10.0), contact(10.5, "pink"))
    assert said(desk) == ["One"]
    desk.nominate({"ball": "black"})
    running(desk, strike(10.0), contact(10.5, "pink"), {"t": 10.9, "kind": "cushion", "ball": "pink", "cushion": "top"})
    assert said(desk) == ["One", "Foul"]


def test_an_early_call_that_the_record_refutes_is_taken_back(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    running(desk, strike(1.0), contact(1.5, "blue"), before=TABLE)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    assert said(desk) == ["Foul", "Correction, taken back: Foul", "One"]
    calls = [message["call"] for message in desk.messages_since(0)]
    assert calls[1]["retracts"] == [calls[0]["id"]]


def test_a_later_correction_takes_an_early_call_back_too(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    running(desk, strike(1.0), contact(1.5, "blue"), before=TABLE)
    desk.record(record(1.0, "blue", before=TABLE))
    desk.correct(1, stroke(1.0, "red-1"))
    calls = [message["call"] for message in desk.messages_since(0)]
    assert set(calls[-1]["retracts"]) == {calls[0]["id"], calls[1]["id"]}
    assert said(desk)[-1] == "Correction, taken back: Foul, five points"


def test_an_early_call_that_the_record_leaves_open_is_taken_back(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    running(desk, strike(1.0), contact(1.5, "blue"), before=TABLE)
    unsure = stroke(1.0, "blue", before=TABLE)
    unsure["events"][1]["t_sigma"] = 0.1
    unsure["events"].insert(2, contact(1.55, "red-1", t_sigma=0.1))
    desk.record(ShotRecord.from_json(unsure))
    assert said(desk)[:2] == ["Foul", "Correction, taken back: Foul"]
    desk.answer(1, "first_contact", "blue")
    assert "Foul, five points" in said(desk)


def test_a_ball_that_may_be_another_one_is_no_certain_foul(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    doubt = {"blue": "red-1", "red-1": "blue"}
    read = ShotRecord.from_json({"events": [strike(1.0), contact(1.5, "blue")], "before": TABLE})
    desk.running(read.events, read.before, 1.6, doubtful=(doubt,))
    assert said(desk) == []
    desk.running(read.events[:1], read.before, 1.6, doubtful=())
    desk.running(read.events, read.before, 1.6, doubtful=())
    assert said(desk) == ["Foul"]


def test_a_doubt_that_makes_no_difference_hinders_no_call(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    read = ShotRecord.from_json({"events": [strike(1.0), contact(1.5, "blue")], "before": TABLE})
    desk.running(read.events, read.before, 1.6, doubtful=({"blue": "pink", "pink": "blue"},))
    assert said(desk) == ["Foul"]


def test_a_doubt_of_the_last_record_holds_for_the_next_stroke(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    doubt = {"blue": "red-1", "red-1": "blue"}
    desk.record(ShotRecord.from_json({**stroke(1.0, "red-2", before=TABLE), "doubtful": [doubt]}))
    running(desk, strike(10.0), contact(10.5, "blue"), before=TABLE)
    assert said(desk) == []


def test_early_calls_can_be_switched_off(tmp_path: Path) -> None:
    desk = new_desk(tmp_path, early_calls=False)
    running(desk, strike(1.0), contact(1.5, "blue"), before=TABLE)
    assert said(desk) == []


def test_a_declared_push_out_may_hit_any_ball(tmp_path: Path) -> None:
    desk = Desk.create(tmp_path / "m", {"game": "9-ball", "players": ["Ann", "Bob"]})
    events: list[dict[str, Any]] = [strike(1.0), contact(1.4, "1")]
    events += [{"t": 2.0 + i / 10, "kind": "cushion", "ball": str(i), "cushion": "top"} for i in range(2, 8)]
    desk.record(ShotRecord.from_json({"events": [*events, {"t": 5.0, "kind": "rest"}]}))
    assert desk.match.state_json["9-ball"]["stage"] == "push_out_open"
    desk.nominate({"push_out": True})
    running(desk, strike(10.0), contact(10.5, "7"))
    assert said(desk) == []
    desk.nominate(None)
    running(desk, strike(10.0), contact(10.5, "7"), contact(10.9, "8"))
    assert said(desk) == ["Foul"]


def test_an_early_call_survives_an_interruption_as_one_without_a_record(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    running(desk, strike(1.0), contact(1.5, "blue"), before=TABLE)
    desk.close()
    again = Desk.resume(desk.folder)
    assert again.snapshot()["orphan"]["announce"]["en"] == ["Foul"]
    again.record(record(9.0, "red-1", {"red-1": "top-left"}))
    assert said(again) == ["Foul", "One"]
    assert again.snapshot()["orphan"] is None


@pytest.mark.parametrize("hit", ["yellow", "green", "brown", "blue", "pink", "black"])
def test_every_early_call_is_borne_out_whatever_follows(tmp_path: Path, hit: str) -> None:
    """What was called early is a foul in every record that begins with the same events."""
    start = [strike(1.0), contact(1.5, hit)]
    endings: list[list[dict[str, Any]]] = [
        [],
        [contact(2.0, "red-1"), {"t": 2.5, "kind": "pocket", "ball": "red-1", "pocket": "top-left"}],
        [{"t": 2.5, "kind": "pocket", "ball": "cue", "pocket": "top-left"}],
        [{"t": 2.5, "kind": "pocket", "ball": "black", "pocket": "top-left"}],
        [{"t": 2.5, "kind": "off_table", "ball": hit}],
    ]
    for i, ending in enumerate(endings):
        desk = new_desk(tmp_path / str(i))
        running(desk, *start, before=TABLE)
        assert said(desk) == ["Foul"]
        whole = ShotRecord.from_json({"before": TABLE, "events": [*start, *ending, {"t": 5.0, "kind": "rest"}]})
        verdict = desk.record(whole)
        assert verdict is not None and verdict["legal"] is False
        assert all("taken back" not in text for text in said(desk))


def test_the_same_events_are_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, looks = new_desk(tmp_path), 0

    def looked(*args: Any) -> bool:
        nonlocal looks
        looks += 1
        return False

    monkeypatch.setattr("referee.app.desk.desk.certain_foul", looked)
    events: list[tuple[Event, ...]] = [ShotRecord.from_json({"events": [strike(1.0)]}).events]
    for _ in range(5):
        desk.running(events[0], COLOURS, 2.0)  # type: ignore[arg-type]
    assert looks == 1


def test_an_undone_shot_takes_its_early_call_with_it(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    running(desk, strike(1.0), contact(1.5, "blue"), before=TABLE)
    desk.record(record(1.0, "blue", before=TABLE))
    desk.undo()
    calls = [message["call"] for message in desk.messages_since(0)]
    assert calls[-1]["retracts"] == [calls[0]["id"], calls[1]["id"]]
    assert calls[-1]["announce"]["en"] == ["Correction, taken back: Foul, five points"]
