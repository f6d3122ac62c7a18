"""``cueref calibrate``: what it writes, what it says, and how it ends."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from drawn import draw_table, looking_at

from calibration.points import named_points
from calibration.result import Calibration
from calibration.tables import TABLES
from referee.app.cli import main

POOL = TABLES["pool-9ft"]
CAMERA = looking_at(POOL, (640.0, 1300.0, 2750.0), (640.0, 1290.0), (-1, 0, 0), focal=1100.0)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    cv2.imwrite(str(folder / "table.png"), draw_table(POOL, CAMERA, cloth=(170, 110, 30)))
    cv2.imwrite(str(folder / "wall.png"), np.random.default_rng(0).integers(90, 120, (720, 1280, 3), dtype=np.uint8))
    return folder


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["calibrate", *(str(argument) for argument in arguments)])
    return result.exit_code, result.stdout, result.stderr


def test_a_table_gives_its_calibration_and_a_preview(pictures: Path, tmp_path: Path) -> None:
    code, said, warned = run(pictures / "table.png", "--game", "9-ball", "--out", tmp_path, "--preview")
    assert code == 0
    assert "px" in said and "mm rms" in said
    assert "--baulk" in warned
    result = Calibration.from_json(json.loads((tmp_path / "table/calibration.json").read_text()))
    places = np.array([[635.0, 635.0, 28.6], [100.0, 2400.0, 28.6]])
    np.testing.assert_allclose(result.camera.project(places), CAMERA.project(places), atol=1.5)
    drawn = cv2.imread(str(tmp_path / "table/preview.png"))
    assert drawn.shape == (720, 1280, 3)


def test_no_table_is_one_line_and_exit_code_1_and_the_rest_is_done(pictures: Path, tmp_path: Path) -> None:
    code, said, warned = run(
        pictures / "wall.png", pictures / "gone.png", pictures / "table.png",
        "--game", "9-ball", "--baulk", "left", "--out", tmp_path,
    )  # fmt: skip
    assert code == 1
    lines = warned.strip().splitlines()
    assert len(lines) == 2
    assert any("wall.png: no table found" in line and "--points" in line for line in lines)
    assert any("gone.png" in line for line in lines)
    assert (tmp_path / "table/calibration.json").is_file()
    assert not (tmp_path / "wall").exists()
    assert "table" in said


def test_points_are_used_where_nothing_is_found(pictures: Path, tmp_path: Path) -> None:
    names = ("bottom-left", "bottom-right", "top-left", "top-right", "middle-left", "foot_spot")
    uv = CAMERA.project(np.array([named_points(POOL)[name] for name in names]))
    points = tmp_path / "points.json"
    points.write_text(json.dumps({name: [round(u, 2), round(v, 2)] for name, (u, v) in zip(names, uv, strict=True)}))
    code, said, _ = run(pictures / "wall.png", "--game", "9-ball", "--points", points, "--out", tmp_path / "out")
    assert code == 0
    assert "found by points" in said
    result = json.loads((tmp_path / "out/wall/calibration.json").read_text())
    assert result["found_by"] == "points"
    assert result["residual_px"] < 0.5


def test_an_unknown_point_is_wrong_use(pictures: Path, tmp_path: Path) -> None:
    points = tmp_path / "points.json"
    points.write_text('{"corner": [1, 2]}')
    code, _, said = run(pictures / "table.png", "--game", "9-ball", "--points", points, "--out", tmp_path / "out")
    assert code == 2
    assert "'corner'" in said and "bottom-left" in said


def test_an_earlier_calibration_is_taken_for_pictures_of_its_size(pictures: Path, tmp_path: Path) -> None:
    first = tmp_path / "first"
    assert run(pictures / "table.png", "--game", "9-ball", "--baulk", "left", "--out", first)[0] == 0
    earlier = first / "table/calibration.json"
    code, said, _ = run(
        pictures / "wall.png", "--game", "9-ball", "--calibration", earlier, "--out", tmp_path / "again"
    )
    assert code == 0
    assert "calibration.json" in said
    small = tmp_path / "small.png"
    cv2.imwrite(str(small), np.zeros((360, 640, 3), dtype=np.uint8))
    code, _, warned = run(small, "--game", "9-ball", "--calibration", earlier, "--out", tmp_path / "third")
    assert code == 1
    assert "640×360" in warned


def test_an_earlier_calibration_is_refused_where_the_camera_was_moved(pictures: Path, tmp_path: Path) -> None:
    assert run(pictures / "table.png", "--game", "9-ball", "--baulk", "left", "--out", tmp_path)[0] == 0
    earlier = tmp_path / "table/calibration.json"
    whole = cv2.imread(str(pictures / "table.png"))
    for name, shift in (("still", 0), ("nudged", 5), ("moved", 15)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.roll(whole, shift, axis=1))
    given = ("--game", "9-ball", "--calibration", earlier, "--out", tmp_path / "again")
    code, _, warned = run(tmp_path / "still.png", *given)
    assert code == 0
    assert "calibration given" not in warned
    code, _, warned = run(tmp_path / "nudged.png", *given)
    assert code == 0
    assert "5.0 px off" in warned
    code, _, warned = run(tmp_path / "moved.png", *given)
    assert code == 1
    assert "15.0 px off" in warned
