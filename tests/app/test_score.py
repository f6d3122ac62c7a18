"""``cueref score`` on analyses written by hand, whose figures are known."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from calibration.camera import CameraModel
from calibration.result import Calibration
from calibration.tables import TABLES
from referee.app.cli import main
from referee.app.names import group, kind, same_ball
from referee.app.score.analysis import read_analysis
from referee.app.score.figures import score_one
from referee.app.score.matching import average_precision, box_iou, nearest_pairs
from referee.app.score.verdicts import differences, verdict_figures
from tests.reliability import judged


def calibration() -> Calibration:
    """3 m above the middle of a snooker table, 1000 px of focal length: about 3 mm a pixel."""
    rotation = np.diag([1.0, -1.0, -1.0])
    camera = CameraModel(
        matrix=np.array([[1000.0, 0, 640], [0, 1000.0, 360], [0, 0, 1]]),
        distortion=np.zeros(5),
        rotation=rotation,
        translation=-rotation @ np.array([889.0, 1784.5, 3026.25]),
        size=(1280, 720),
    )
    return Calibration(
        table=TABLES["snooker-12ft"],
        camera=camera,
        residual_px=0.1,
        residual_mm=0.3,
        residual_max_px=0.2,
        found_by="points",
    )


def ball(name: str, x: float, y: float, confidence: float = 1.0) -> dict[str, Any]:
    u, v = 640 + (x - 889) / 3, 360 - (y - 1784.5) / 3
    return {"ball": name, "x": x, "y": y, "u": u, "v": v, "r": 8.75, "confidence": confidence}


def write(folder: Path, **files: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "calibration.json").write_text(json.dumps(calibration().to_json()))
    for name, content in files.items():
        if name in ("shots", "verdicts"):
            (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in content))
        elif name == "tracks":
            (folder / "tracks.csv").write_text(content)
        else:
            (folder / f"{name}.json").write_text(json.dumps(content))
    return folder


def tracks(rows: list[tuple[int, float, str, float, float]]) -> str:
    head = "frame,t,ball,x,y,vx,vy,sigma,state,visible,u,v\n"
    lines = []
    for frame, t, name, x, y in rows:
        u, v = 640 + (x - 889) / 3, 360 - (y - 1784.5) / 3
        lines.append(f"{frame},{t},{name},{x},{y},0,0,1,at_rest,True,{u},{v}\n")
    return head + "".join(lines)


def shot(n: int, t: float, *events: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "shot",
        "n": n,
        "t0": t,
        "t1": t + 5,
        "events": [{"t": t, "kind": "strike", "ball": "cue"}, *events],
    }


def test_names() -> None:
    assert [kind(name) for name in ("red-12", "cue", "solid-3", "12", "ball-1")] == [
        "red",
        "cue",
        "solid",
        "12",
        "ball",
    ]
    assert [group(name) for name in ("3", "12", "8", "cue", "stripe-2")] == ["solid", "stripe", "8", "cue", "stripe"]
    assert same_ball("solid-1", "3")
    assert not same_ball("2", "3")
    assert same_ball("red-1", "red-9")
    assert not same_ball("red-1", "brown")


def test_overlap_of_boxes() -> None:
    """Two squares of side 10 shifted by half a side share 50 of 150."""
    np.testing.assert_allclose(box_iou(np.array([[0, 0, 10, 10.0]]), np.array([[5, 0, 15, 10.0]])), [[1 / 3]])


def test_average_precision_by_hand() -> None:
    """Hit, miss, hit for two objects: precision 1 up to recall 0.5, then 2/3."""
    assert average_precision([0.9, 0.8, 0.7], [True, False, True], 2) == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)
    assert average_precision([], [], 2) == 0.0


def test_as_many_pairs_as_possible_before_the_nearest() -> None:
    """Taking the nearest pair (0, 0) would leave row 1 alone."""
    assert nearest_pairs(np.array([[1.0, 2.0], [2.0, 99.0]]), 5.0) == [(0, 1), (1, 0)]


def test_counts_and_colours(tmp_path: Path) -> None:
    folder = write(tmp_path / "1", balls=[ball("cue", 100, 100), ball("red-1", 300, 300), ball("brown", 500, 500)])
    right = score_one(read_analysis(folder), {"count": 3, "counts": {"cue": 1, "red": 1, "brown": 1, "pink": 0}})
    assert right.figures["count"]["right"]
    assert right.figures["colours"] == {"right": True, "differ": {}}
    mixed = score_one(read_analysis(folder), {"count": 3, "counts": {"cue": 1, "red": 2}})
    assert mixed.figures["count"]["right"]
    assert mixed.figures["colours"] == {"right": False, "differ": {"brown": [1, 0], "red": [1, 2]}}


def test_detection_of_a_still(tmp_path: Path) -> None:
    """One ball 3 px (9 mm) off with the wrong colour, one right, one missed, one invented."""
    folder = write(tmp_path / "1", balls=[ball("cue", 100, 100), ball("red-1", 309, 300), ball("blue", 1500, 3000)])
    true = [ball("cue", 100, 100), ball("brown", 300, 300), ball("pink", 800, 800)]
    figures = score_one(read_analysis(folder), {"balls": true}).figures
    assert (figures["detection"]["precision"], figures["detection"]["recall"]) == (0.6667, 0.6667)
    assert figures["identity"] == {"right": 1, "of": 2, "accuracy": 0.5}
    assert figures["position"]["px"]["median_px"] == 1.5
    assert figures["position"]["mm"]["rmse_mm"] == pytest.approx((81 / 2) ** 0.5, abs=1e-3)


def test_map_over_groups(tmp_path: Path) -> None:
    """Cue ball and both stripes found, the solid taken for a stripe by a less confident box."""
    found = [
        ball("cue", 100, 100),
        ball("stripe-1", 300, 300, 0.9),
        ball("12", 500, 500, 0.8),
        ball("9", 700, 700, 0.2),
    ]

    def truth(name: str, at: float) -> dict[str, Any]:
        b = ball(name, at, at)
        return {"group": name, "box": [b["u"] - 8, b["v"] - 8, b["u"] + 8, b["v"] + 8]}

    folder = write(tmp_path / "1", balls=found)
    true = [truth("cue", 100), truth("stripe", 300), truth("stripe", 500), truth("solid", 700)]
    figures = score_one(read_analysis(folder), {"groups": true}).figures
    assert figures["detection"]["ap50"] == {"cue": 1.0, "stripe": 1.0, "solid": 0.0}
    assert figures["detection"]["map50"] == 0.6667
    assert figures["detection"]["f1"] == 1.0
    assert figures["identity"]["accuracy"] == 0.75


def test_how_often_events_of_a_confidence_are_right(tmp_path: Path) -> None:
    """Ball red-7 is tracked as red-1: its contact is right, the one 0.3 s later is not."""
    rows = [(f, f / 25, "red-1", 500.0, 500.0) for f in range(4)]
    still = {"x": [500] * 4, "y": [500] * 4, "hidden": [False] * 4}
    truth = {"table": "snooker-12ft", "frames": {"t": [0.0, 0.04, 0.08, 0.12], "balls": {"red-7": still}}}
    truth["events"] = [{"t": 0.1, "kind": "contact", "balls": ["cue", "red-7"]}]
    seen = [
        {"t": t, "kind": "contact", "balls": ["red-1", "cue"], "confidence": c} for t, c in ((0.12, 0.9), (0.4, 0.6))
    ]
    folder = write(tmp_path / "1", tracks=tracks(rows), shots=[shot(1, 0.01, *seen)])
    found = list(judged(read_analysis(folder), truth))
    assert [each for each in found if each[0] == "contact"] == [("contact", 0.9, True), ("contact", 0.6, False)]


def test_tracks_against_every_frame(tmp_path: Path) -> None:
    """Ball red-7 is tracked as red-1; the cue ball is 3 mm off, and hidden (and lost) in the last frame."""
    rows = [(f, f / 25, "cue", 103.0, 100.0) for f in range(3)] + [(f, f / 25, "red-1", 500.0, 500.0) for f in range(4)]
    truth = {
        "frames": {
            "t": [0.0, 0.04, 0.08, 0.12],
            "balls": {
                "cue": {"x": [100] * 4, "y": [100] * 4, "hidden": [False, False, False, True]},
                "red-7": {"x": [500] * 4, "y": [500] * 4, "hidden": [False] * 4},
                "red-8": {"x": [None] * 4, "y": [None] * 4, "hidden": [False] * 4},
            },
        },
        "shots": [shot(1, 0.0, {"t": 0.1, "kind": "contact", "balls": ["cue", "red-7"]})],
    }
    found = [shot(1, 0.01, {"t": 0.12, "kind": "contact", "balls": ["red-1", "cue"]})]
    figures = score_one(read_analysis(write(tmp_path / "1", tracks=tracks(rows), shots=found)), truth).figures
    assert figures["tracking"]["mota"] == 1.0
    assert figures["tracking"]["idf1"] == 1.0
    assert figures["tracking"]["position"]["p95_mm"] == pytest.approx(3.0)
    assert figures["tracking"]["position"]["median_mm"] == 0.0
    assert figures["events"]["contact"]["exact"]["f1"] == 1.0
    assert figures["events"]["contact"]["timing"]["median_ms"] == pytest.approx(20)
    assert figures["first_contact"] == {"shots": 1, "missed": 0, "invented": 0, "right": 1, "wrong": 0}


def test_events_by_kind_and_by_what_they_are_about(tmp_path: Path) -> None:
    """The pot 40 ms late and into the wrong pocket; a cushion 60 ms late is no match; one contact is not claimed."""
    true = [
        shot(
            1,
            1.0,
            {"t": 1.5, "kind": "contact", "balls": ["cue", "red-1"]},
            {"t": 2.0, "kind": "cushion", "ball": "cue", "cushion": "top"},
            {"t": 2.5, "kind": "pocket", "ball": "red-1", "pocket": "top-left"},
        )
    ]
    found = [
        shot(
            1,
            1.0,
            {"t": 1.5, "kind": "contact", "balls": ["cue", "blue"]},
            {"t": 1.51, "kind": "contact", "balls": ["cue", "pink"], "confidence": 0.3},
            {"t": 2.06, "kind": "cushion", "ball": "cue", "cushion": "top"},
            {"t": 2.54, "kind": "pocket", "ball": "red-1", "pocket": "top-right"},
        )
    ]
    figures = score_one(read_analysis(write(tmp_path / "1", shots=found)), {"shots": true}).figures
    events = figures["events"]
    assert events["contact"]["f1"] == 1.0
    assert events["contact"]["exact"]["f1"] == 0.0
    assert (events["cushion"]["false_positives"], events["cushion"]["false_negatives"]) == (1, 1)
    assert events["pocket"]["f1"] == 1.0
    assert events["pocket"]["exact"]["f1"] == 0.0
    assert events["pocket"]["timing"]["median_ms"] == pytest.approx(40)
    assert figures["first_contact"]["wrong"] == 1


@pytest.mark.parametrize(
    ("events", "pot", "right", "ball", "both"),
    [
        ([("red-3", "top-left")], {"ball": "red", "pocket": "top-left"}, True, True, True),
        ([("red-3", "top-right")], {"ball": "red", "pocket": "top-left"}, True, True, False),
        ([("brown", "top-left")], {"ball": "red", "pocket": "top-left"}, True, False, False),
        ([("red-1", "top-left"), ("red-2", "top-left")], {"ball": "red", "pocket": "top-left"}, True, False, False),
        ([], {"ball": "red", "pocket": "top-left"}, False, False, False),
    ],
)
def test_the_pot_of_a_clip(tmp_path: Path, events: Any, pot: Any, right: bool, ball: bool, both: bool) -> None:
    found = [shot(1, 1.0, *({"t": 2.0, "kind": "pocket", "ball": b, "pocket": p} for b, p in events))]
    got = score_one(read_analysis(write(tmp_path / "1", shots=found)), {"pot": pot}).figures["pot"]
    assert (got["right"], got["ball_right"], got["ball_and_pocket_right"]) == (right, ball, both)


def test_an_in_off_is_not_a_pot(tmp_path: Path) -> None:
    found = [shot(1, 1.0, {"t": 2.0, "kind": "pocket", "ball": "cue", "pocket": "top-left"})]
    assert score_one(read_analysis(write(tmp_path / "1", shots=found)), {"pot": None}).figures["pot"]["right"]


def test_boxes_need_one_track_over_four_fifths_of_the_frames(tmp_path: Path) -> None:
    """The cue ball is on its box in 4 of 5 frames; the other ball's box is covered by two tracks in turn."""
    rows = [(f, f / 25, "cue", 100.0 if f else 900.0, 100.0) for f in range(5)]
    rows += [(f, f / 25, "red-1" if f < 3 else "red-2", 500.0, 500.0) for f in range(5)]

    def boxes(at: float) -> list[list[float]]:
        b = ball("cue", at, at)
        return [[f, b["u"] - 9, b["v"] - 9, b["u"] + 9, b["v"] + 9] for f in range(5)]

    folder = write(tmp_path / "1", tracks=tracks(rows))
    got = score_one(read_analysis(folder), {"boxes": {"cue": boxes(100), "other": boxes(500)}}).figures["boxes"]
    assert got["cue"] == {"share": 0.8, "track": "cue", "right": True}
    assert got["other"] == {"share": 0.6, "track": "red-1", "right": False}


def verdict(n: int, **fields: Any) -> dict[str, Any]:
    base = {"type": "verdict", "n": n, "legal": True, "penalty": 0, "points": {"A": 1}, "undecided": []}
    return base | {"next": {"player": "A", "on": ["colour"]}} | fields


def test_verdicts_right_undecided_and_wrong_though_final(tmp_path: Path) -> None:
    times = (1.0, 10.0, 20.0, 30.0)
    true_shots = [shot(n, t) for n, t in enumerate(times, 1)]
    folder = write(
        tmp_path / "1",
        shots=[shot(n, t + 0.02) for n, t in enumerate((*times[:3], 50.0), 1)],
        verdicts=[
            verdict(1, points={"A": 1, "B": 0}),
            verdict(2, undecided=[{"question": "first_contact", "clause": "SN-3.11", "needs": "referee"}]),
            verdict(3, legal=False, penalty=4),
            verdict(4),
        ],
    )
    truth = {"shots": true_shots, "verdicts": [verdict(n) for n in range(1, 5)]}
    figures = score_one(read_analysis(folder), truth).figures["verdicts"]
    assert {key: figures[key] for key in ("of", "right", "undecided", "wrong", "missing", "invented")} == {
        "of": 4,
        "right": 1,
        "undecided": 1,
        "wrong": 1,
        "missing": 1,
        "invented": 1,
    }
    assert figures["differ"] == [{"n": 3, "differ": ["legal", "penalty"]}]


@pytest.mark.parametrize(
    ("said", "right"),
    [(["15"], False), (["stripe-1"], True), (["solid-1"], False), (["ball-1"], True), (["stripe-1", "11"], False)],
)
def test_a_verdict_that_names_no_more_than_a_balls_sort_is_right_about_it(said: list[str], right: bool) -> None:
    assert differences({"potted": said}, {"potted": ["11"]}) == ([] if right else ["potted"])
    assert differences({"potted": [*said, "11"]}, {"potted": ["11", "12"]}) == ([] if right else ["potted"])


def test_an_incident_is_held_against_the_one_that_began_at_the_same_time() -> None:
    """One falls at 7.0 s and is told at 7.2 s; another, at 20 s, is missed."""
    fair = {"legal": None, "undecided": []}
    true = [shot(1, 1.0), {"type": "shot", "n": 2, "t0": 7.0, "t1": 7.5, "events": []}]
    true += [{"type": "shot", "n": 3, "t0": 20.0, "t1": 20.5, "events": []}]
    said = [shot(1, 1.0), {"type": "shot", "n": 2, "t0": 7.2, "t1": 7.5, "events": []}]
    verdicts = [{"n": n, **fair} for n in (1, 2, 3)]
    figures = verdict_figures(verdicts[:2], said, verdicts, true)
    assert (figures["of"], figures["right"], figures["missing"], figures["invented"]) == (3, 2, 1, 0)


def test_events_read_by_eye(tmp_path: Path) -> None:
    """Shot 1 right; shot 2 struck 5 frames late with another ball hit; shot 3 not found; one invented."""
    rows = [(f, f / 25, "cue", 100.0, 100.0) for f in range(1000)]
    found = [
        shot(
            1,
            4.0,
            {"t": 4.5, "kind": "contact", "balls": ["cue", "red-1"]},
            {"t": 5.0, "kind": "pocket", "ball": "red-1", "pocket": "top-left"},
        ),
        shot(2, 12.2, {"t": 12.5, "kind": "contact", "balls": ["cue", "red-1"]}),
        shot(3, 35.0),
    ]
    by_eye = {
        "fps": 25,
        "shots": [
            {"strike_frame": 101, "first_contact": {"ball": "red"}, "pots": [{"ball": "red", "pocket": "top-left"}]},
            {"strike_frame": 300, "first_contact": {"ball": "blue"}, "pots": [{"ball": "blue", "pocket": "top-left"}]},
            {"strike_frame": 600, "first_contact": None, "pots": []},
        ],
    }
    figures = score_one(read_analysis(write(tmp_path / "1", tracks=tracks(rows), shots=found)), by_eye).figures[
        "by_eye"
    ]
    assert {key: value for key, value in figures.items() if key != "remarks"} == {
        "shots": 3,
        "strike_right": 1,
        "first_contact_right": 1,
        "pots": 2,
        "pots_right": 1,
        "pots_invented": 0,
        "invented": 1,
    }


def test_two_folders_are_paired_by_stem_and_summed(tmp_path: Path) -> None:
    write(tmp_path / "out" / "1", balls=[ball("cue", 100, 100)])
    write(tmp_path / "out" / "hall-2", balls=[ball("cue", 100, 100), ball("red-1", 300, 300)])
    for path, count in (("t/1.truth.json", 1), ("t/hall/2.truth.json", 3), ("t/street/2.truth.json", 2)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(json.dumps({"count": count}))
    result = CliRunner().invoke(main, ["score", str(tmp_path / "out"), str(tmp_path / "t")])
    figures = json.loads(result.stdout)
    assert figures["totals"] == {"inputs": 2, "count": {"right": 1, "of": 2}, "truths_without_analysis": 1}
    assert figures["inputs"]["hall-2"]["count"] == {"found": 2, "true": 3, "right": False}
    assert result.exit_code == 1
    assert [line.split(": ")[2] for line in result.stderr.splitlines()] == [
        "a truth without an analysis; the totals leave it out"
    ]


def test_one_pair_prints_one_object(tmp_path: Path) -> None:
    folder = write(tmp_path / "1", balls=[ball("cue", 100, 100)])
    (tmp_path / "1.truth.json").write_text('{"count": 1}')
    result = CliRunner().invoke(main, ["score", str(folder), str(tmp_path / "1.truth.json")])
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"count": {"found": 1, "true": 1, "right": True}}


@pytest.mark.parametrize("truth", ["[1]", "{", '{"balls": [{"x": 1}]}', '{"boxes": {"cue": [["a"]]}}', '{"shots": 3}'])
def test_a_malformed_truth_is_one_clear_line(tmp_path: Path, truth: str) -> None:
    rows = [(0, 0.0, "cue", 100.0, 100.0)]
    folder = write(tmp_path / "1", balls=[ball("cue", 100, 100)], tracks=tracks(rows), shots=[shot(1, 0.0)])
    (tmp_path / "1.truth.json").write_text(truth)
    result = CliRunner().invoke(main, ["score", str(folder), str(tmp_path / "1.truth.json")])
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert "1.truth.json" in result.stderr
