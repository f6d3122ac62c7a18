"""Statistics that a reader can count: a few strokes with known chances, pots, safeties and times."""

from pathlib import Path
from typing import Any

from desk_play import COLOURS, TABLE, new_desk, record, stroke

from calibration.tables import TABLES
from referee.app.desk.chances import chance, open_chance
from referee.app.desk.matches import Matches
from referee.app.desk.statistics import added, finished, nothing, of_match
from tracking.records import ShotRecord

POCKETS = TABLES["snooker-12ft"].pocket_corners()
BALL = 52.5


def test_a_straight_pot_has_no_cut() -> None:
    places = {"cue": (889.0, 1784.5), "red-1": (1333.5, 2676.75)}
    pot = chance("red-1", "top-right", places, POCKETS, BALL)
    assert pot is not None and pot.cut_deg < 1e-4
    assert round(pot.to_ball_mm, 1) == 996.8 and round(pot.to_pocket_mm, 1) == 996.8


def test_a_right_angle_is_no_chance() -> None:
    places = {"cue": (300.0, 1000.0), "red-1": (889.0, 1000.0)}
    cut = chance("red-1", "top-right", places, POCKETS, BALL)
    assert cut is not None and 70 < cut.cut_deg < 80
    assert chance("red-1", "bottom-left", places, POCKETS, BALL) is None


def test_a_ball_in_the_way_closes_a_chance() -> None:
    places = {"cue": (889.0, 1784.5), "red-1": (1333.5, 2676.75)}
    opened = open_chance("red-1", places, POCKETS, BALL)
    assert opened is not None and opened.pocket == "top-right"
    blocked = {**places, "blue": (1556.0, 3122.0), "pink": (1111.0, 2230.0)}
    assert open_chance("red-1", blocked, POCKETS, BALL) is None


def test_strokes_are_counted_by_player(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    near = {**TABLE, "cue": [1400.0, 2900.0], "red-3": [1600.0, 3250.0]}
    after_red = {ball: at for ball, at in near.items() if ball != "red-3"} | {"cue": [700.0, 3000.0]}
    desk.record(record(0.0, "red-3", {"red-3": "top-right"}, before=near, moved={"cue": [700.0, 3000.0]}))
    desk.record(record(14.0, "black", {"black": "top-right"}, before=after_red))
    hidden = {"cue": [889.0, 100.0], **COLOURS, "red-1": [889.0, 2620.0], "red-2": [600.0, 2900.0]}
    desk.record(record(30.0, "red-1", before=hidden))
    desk.record(record(64.0, "blue", before=hidden))
    people = of_match(desk.match)
    ann, bob = people["Ann"], people["Bob"]
    assert (ann["strokes"], ann["points"], ann["potted"], ann["visits"]) == (3, 8, 2, 1)
    assert ann["breaks"] == [{"points": 8, "balls": 2, "n": 1}]
    assert (ann["tried"], ann["made"]) == (2, 2) and sum(cell[0] for cell in ann["by_angle"]) == 2
    assert ann["by_pocket"] == {"top-right": 2}
    assert (ann["safeties"], ann["safeties_held"]) == (1, 1)  # nothing lay open; Bob then fouled
    assert (bob["strokes"], bob["fouls"], bob["points_given"]) == (1, 1, 5)
    # from the balls' rest to the next strike: 10 and 12 s for Ann, 30 s for Bob
    assert (ann["timed"], ann["time_s"]) == (2, 22.0) and (bob["timed"], bob["time_s"]) == (1, 30.0)
    assert finished(ann)["mean_time_s"] == 11.0 and finished(ann)["pot_success"] == 1.0
    assert sum(map(sum, ann["cue_ball"])) == 3 and ann["cue_ball"][19][9] == 1  # (1400, 2900) of 1778 × 3569 mm


def test_frames_and_sums_over_matches(tmp_path: Path) -> None:
    matches = Matches(tmp_path)
    for player in ("Ann", "Bob"):
        desk = matches.create({"game": "snooker", "players": ["Ann", "Bob"], "frames_to_win": 1})
        desk.shot(stroke(0.0, "red-1", {"red-1": "top-left"}))
        desk.official({"kind": "concede", "player": player})
    parts = matches.statistics("Ann")
    both = added(parts)
    assert len(parts) == 2 and (both["frames"], both["frames_won"], both["points"]) == (2, 1, 2)
    assert matches.statistics("Ann", "9-ball") == [] and matches.statistics("Nobody") == []
    assert added([]) == nothing()
    assert added([both, nothing()]) == both


def test_undone_strokes_count_for_nothing(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.record(record(0.0, "red-1", {"red-1": "top-left"}))
    desk.undo()
    assert of_match(desk.match)["Ann"] == nothing()


def test_a_declared_safety_is_no_try(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    near = {**TABLE, "cue": [1400.0, 2900.0], "red-3": [1600.0, 3250.0]}
    said: dict[str, Any] = {"nominated": {"safety": True}}
    desk.record(ShotRecord.from_json({**stroke(0.0, "red-3", before=near), **said}))
    desk.record(record(20.0, "red-3", before=near))
    people = of_match(desk.match)
    assert (people["Ann"]["tried"], people["Bob"]["tried"], people["Bob"]["made"]) == (0, 1, 0)
