"""The whole way on the sample clip: from its pixels to the files of the contract, held against its exact truth."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from referee.app.cli import main
from referee.app.score.analysis import read_analysis, read_json_lines
from referee.app.score.events import pots
from referee.app.score.figures import score_one
from vision.frames import video_frames

SAMPLE = Path(__file__).parents[2] / "sample_videos" / "red_and_black.mp4"
COLUMNS = ["frame", "t", "ball", "x", "y", "vx", "vy", "sigma", "state", "visible", "u", "v"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    arguments = ["analyze", str(SAMPLE), "--game", "snooker", "--out", str(out), "--overlay", "--report"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return out / "red_and_black"


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(SAMPLE.with_suffix(".truth.json").read_text())
    return data


def test_every_file_of_the_contract_is_there(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {
        "calibration.json",
        "balls.json",
        "tracks.parquet",
        "shots.jsonl",
        "verdicts.jsonl",
        "calls.vtt",
        "summary.json",
        "overlay.mp4",
        "report.html",
    }


def test_the_tracks_have_the_contracts_columns_and_every_frame(folder: Path, truth: dict[str, Any]) -> None:
    tracks = pq.read_table(folder / "tracks.parquet")
    assert tracks.column_names == COLUMNS
    assert sorted(set(tracks["frame"].to_pylist())) == list(range(len(truth["frames"]["t"])))


def test_both_shots_are_seen_and_called(folder: Path) -> None:
    verdicts = read_json_lines(folder / "verdicts.jsonl")
    assert [verdict["announce"]["en"] for verdict in verdicts] == [["One"], ["Eight"]]
    assert [verdict["score"] for verdict in verdicts] == [{"A": 1, "B": 0}, {"A": 8, "B": 0}]
    assert "Eight" in (folder / "calls.vtt").read_text()


def test_the_figures_against_the_exact_truth(folder: Path, truth: dict[str, Any]) -> None:
    figures = score_one(read_analysis(folder), truth).figures
    assert figures["count"]["right"]
    assert figures["colours"]["right"]
    assert figures["first_contact"] == {"shots": 2, "missed": 0, "invented": 0, "right": 2, "wrong": 0}
    assert figures["events"]["contact"]["exact"]["f1"] == 1.0
    assert figures["verdicts"] == {**figures["verdicts"], "of": 2, "right": 2, "undecided": 0, "wrong": 0}
    assert pots(read_json_lines(folder / "shots.jsonl")) == pots(truth["shots"])
    assert figures["tracking"]["mota"] > 0.9
    assert figures["tracking"]["position"]["median_mm"] < 5.0


def test_the_summary_names_input_settings_versions_and_time(folder: Path) -> None:
    summary = json.loads((folder / "summary.json").read_text())
    assert len(summary["input"]["sha256"]) == 64
    assert summary["counts"]["shots"] == 2
    assert {"decode", "observe", "track", "judge", "calibrate", "overlay"} <= set(summary["spent_s"])
    assert any(warning.startswith("assumed: ") for warning in summary["warnings"])


def test_the_overlay_has_the_frames_own_times(folder: Path) -> None:
    source = [frame.stamp.t_s for frame in video_frames(SAMPLE)]
    overlay = [frame.stamp.t_s for frame in video_frames(folder / "overlay.mp4")]
    assert overlay == pytest.approx(source, abs=1e-4)


def test_the_report_is_one_page_without_outside_addresses(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    assert page.count("<svg") == 2
    for outside in ("http://", "https://", "<script", "src="):
        assert outside not in page
