"""Sequences of pictures, CSV tracks, Russian reports, equal names, several processes."""

import csv
import json
from itertools import islice
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from referee.app.cli import main
from vision.frames import video_frames

SAMPLE = Path(__file__).parents[2] / "sample_videos" / "red_and_black.mp4"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first eight frames of the sample clip as ``shot_1.png`` … ``shot_8.png``."""
    folder = tmp_path_factory.mktemp("pictures")
    for n, frame in enumerate(islice(video_frames(SAMPLE), 8), 1):
        cv2.imwrite(str(folder / f"shot_{n}.png"), frame.bgr)
    return folder


def test_a_sequence_of_pictures_is_a_clip_with_the_rate_given(tmp_path: Path, pictures: Path) -> None:
    arguments = ["analyze", str(pictures / "shot_%d.png"), "--game", "snooker", "--fps", "50", "--tracks", "csv"]
    arguments += ["--out", str(tmp_path), "--report", "--lang", "ru"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    folder = tmp_path / "shot"
    assert not (folder / "tracks.parquet").exists()
    with (folder / "tracks.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert sorted({float(row["t"]) for row in rows}) == pytest.approx([n / 50 for n in range(8)])
    assert json.loads((folder / "summary.json").read_text())["counts"]["frames"] == 8
    page = (folder / "report.html").read_text()
    assert '<html lang="ru">' in page
    assert "В этом ролике ударов не видно." in page
    assert page.count("<svg") == 1


def test_a_sequence_without_a_rate_says_what_was_assumed(tmp_path: Path, pictures: Path) -> None:
    arguments = ["analyze", str(pictures / "shot_%d.png"), "--game", "snooker", "--out", str(tmp_path)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    warnings = json.loads((tmp_path / "shot" / "summary.json").read_text())["warnings"]
    assert any("25 a second assumed" in warning for warning in warnings)


def test_equal_names_in_two_processes_get_folders_of_their_own(tmp_path: Path, pictures: Path) -> None:
    for hall in ("hall", "street"):
        (tmp_path / hall).mkdir()
        (tmp_path / hall / "1.png").write_bytes((pictures / "shot_1.png").read_bytes())
    arguments = ["analyze", str(tmp_path / "hall"), str(tmp_path / "street"), "--game", "snooker", "--jobs", "2"]
    result = CliRunner().invoke(main, [*arguments, "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"hall-1", "street-1"}
    assert "hall/1.png: results in a folder named hall-1" in result.stderr
