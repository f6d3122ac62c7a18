"""Balls back where they were: the layout of the right stroke, and how far off each ball is."""

from pathlib import Path
from typing import Any

from desk_play import COLOURS, TABLE, new_desk, record, stroke

from referee.app.desk.desk import Desk
from referee.app.desk.putback import PutBack, figures
from referee.app.live.state import SeenBall, SeenTable
from tracking.records import ShotRecord

AFTER = {"cue": [400.0, 1500.0], "blue": [900.0, 2000.0], "red-1": [950.0, 2750.0]}


def fouled(desk: Desk, **more: Any) -> None:
    desk.record(record(1.0, "blue", before=TABLE, moved=AFTER, observed=[{"kind": "miss"}], **more))


def test_after_a_miss_all_balls_go_back_to_before_the_stroke(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    fouled(desk)
    assert desk.snapshot()["putback"] is None  # it isn't chosen yet
    desk.official({"kind": "choose", "player": "Bob", "option": "replay"})
    put_back = desk.snapshot()["putback"]
    assert put_back["of"] == 1 and put_back["why"] == "restore" and put_back["whole"]
    assert put_back["wanted"] == TABLE


def test_a_corrected_record_corrects_the_layout(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    fouled(desk)
    desk.official({"kind": "choose", "player": "Bob", "option": "replay"})
    moved = {**TABLE, "red-2": [610.0, 2910.0]}
    desk.correct(1, stroke(1.0, "blue", before=moved, moved=AFTER, observed=[{"kind": "miss"}]))
    assert desk.snapshot()["putback"]["wanted"]["red-2"] == [610.0, 2910.0]


def test_an_undone_stroke_leaves_the_layout_of_the_one_before(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    fouled(desk)
    desk.official({"kind": "choose", "player": "Bob", "option": "replay"})
    elsewhere = {**TABLE, "cue": [500.0, 500.0]}
    desk.record(record(20.0, "blue", before=elsewhere, moved=AFTER))
    assert desk.snapshot()["putback"] is None
    desk.undo()
    assert desk.snapshot()["putback"]["wanted"] == TABLE
    desk.undo()
    assert desk.snapshot()["putback"] is None


def test_a_replay_of_the_second_stroke_wants_the_second_layout(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    fouled(desk)
    desk.official({"kind": "choose", "player": "Bob", "option": "play_again"})
    second = {**TABLE, **AFTER}
    desk.record(record(20.0, "pink", before=second, moved={"cue": [1.0, 50.0]}, observed=[{"kind": "miss"}]))
    desk.official({"kind": "choose", "player": "Bob", "option": "replay"})
    put_back = desk.snapshot()["putback"]
    assert put_back["of"] == 2 and put_back["wanted"] == second


def test_a_warning_in_between_does_not_end_it_and_restored_does(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    fouled(desk)
    desk.official({"kind": "choose", "player": "Bob", "option": "replay"})
    desk.official({"kind": "warn", "player": "Ann", "about": "conduct"})
    assert desk.snapshot()["putback"]["wanted"] == TABLE
    desk.official({"kind": "restored", "balls": TABLE})
    assert desk.snapshot()["putback"] is None


def test_a_colour_whose_spot_is_taken_goes_to_the_highest_spot_that_is_free(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    table = {ball: at for ball, at in TABLE.items() if ball != "red-1"} | {"red-2": COLOURS["blue"]}
    table |= {"blue": [300.0, 300.0], "pink": [300.0, 700.0]}
    desk.record(record(10.0, "blue", {"blue": "top-left"}, before=table))
    put_back = desk.snapshot()["putback"]
    assert put_back["why"] == "spot" and not put_back["whole"]
    assert put_back["wanted"] == {"blue": COLOURS["pink"]}


def test_with_all_spots_taken_it_goes_as_near_as_possible_to_its_own(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(1.0, "red-1", {"red-1": "top-left"}))
    table = {ball: at for ball, at in TABLE.items() if ball != "red-1"} | {"red-2": COLOURS["blue"]}
    table["blue"] = [300.0, 300.0]
    desk.record(record(10.0, "blue", {"blue": "top-left"}, before=table))
    wanted = desk.snapshot()["putback"]["wanted"]["blue"]
    assert wanted[0] == 889.0 and 52.5 <= wanted[1] - 1784.5 <= 54.0  # straight up the table, not touching


def test_a_layout_can_be_asked_for(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    fouled(desk)
    desk.put_back(n=1)
    assert desk.snapshot()["putback"]["wanted"] == TABLE
    desk.put_back(positions={"cue": [500.0, 500.0], "red-1": [600.0, 600.0]})
    assert desk.snapshot()["putback"]["wanted"] == {"cue": [500.0, 500.0], "red-1": [600.0, 600.0]}
    desk.put_back()
    assert desk.snapshot()["putback"] is None


def test_figures_ball_by_ball() -> None:
    put_back = PutBack(of=1, why="restore", wanted={"cue": (100.0, 200.0), "blue": (500.0, 500.0)}, whole=True)
    out = figures(put_back, {"cue": (101.0, 201.0), "pink": (10.0, 10.0)})
    assert out["balls"]["cue"] == {"dx": 1.0, "dy": 1.0, "distance_mm": 1.4, "good": True}
    assert out["balls"]["blue"] == {"dx": None, "dy": None, "distance_mm": None, "good": False}
    assert out["others"] == ["pink"] and not out["good"]
    near = figures(put_back, {"cue": (100.0, 202.1), "blue": (500.0, 500.0)})
    assert not near["balls"]["cue"]["good"] and near["balls"]["cue"]["distance_mm"] == 2.1
    assert figures(put_back, {"cue": (100.0, 202.0), "blue": (500.0, 500.0)})["good"]


def test_reds_are_told_apart_by_where_they_lie() -> None:
    put_back = PutBack(of=1, why="restore", wanted={"red-1": (100.0, 100.0), "red-2": (900.0, 900.0)}, whole=True)
    out = figures(put_back, {"red-1": (901.0, 900.0), "red-7": (100.0, 100.5)})
    assert out["balls"]["red-1"]["distance_mm"] == 0.5 and out["balls"]["red-2"]["distance_mm"] == 1.0
    assert out["good"]


def test_those_who_look_on_get_the_figures_with_the_table(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    fouled(desk)
    desk.official({"kind": "choose", "player": "Bob", "option": "replay"})
    subscription = desk.subscribe()
    seen = {name: SeenBall(x=at[0], y=at[1], state="at_rest", visible=True, sigma_mm=0.3) for name, at in TABLE.items()}
    desk.seen(SeenTable(t_s=9.0, balls=seen))
    bodies = {message.body["type"]: message.body for message in subscription.take()}
    assert bodies["table"]["balls"]["blue"] == {"x": 889.0, "y": 1784.5, "s": "rest", "v": True}
    assert bodies["putback"]["good"]


def test_a_ball_that_fell_by_itself_goes_back(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    hung = {**TABLE, "red-1": [12.0, 3550.0]}
    after = {ball: at for ball, at in hung.items() if ball != "red-1"}
    fell = {"t": 9.0, "kind": "fell", "ball": "red-1", "pocket": "top-left", "still_s": 20.0}
    desk.record(ShotRecord.from_json({"before": hung, "events": [fell], "after": after}))
    put_back = desk.snapshot()["putback"]
    assert put_back["why"] == "restore" and put_back["wanted"]["red-1"] == [12.0, 3550.0]
