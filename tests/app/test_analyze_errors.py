"""Whatever is wrong with an input is one clear line, and the other inputs are done."""

import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from referee.app.cli import main
from tests.app.test_inputs import write_video
from vision.frames import video_frames

SAMPLE = Path(__file__).parents[2] / "sample_videos" / "red_and_black.mp4"


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first picture of the sample clip."""
    path = tmp_path_factory.mktemp("good") / "good.png"
    cv2.imwrite(str(path), next(video_frames(SAMPLE)).bgr)
    return path


def analyze(*arguments: Any) -> Result:
    return CliRunner().invoke(main, ["analyze", "--game", "snooker", "--jobs", "1", *map(str, arguments)])


def lines_about(result: Result, name: str) -> list[str]:
    return [line for line in result.stderr.splitlines() if name in line]


def test_every_kind_of_bad_input_beside_a_good_one(tmp_path: Path, still: Path) -> None:
    content = SAMPLE.read_bytes()
    (tmp_path / "truncated.mp4").write_bytes(content[: len(content) // 2])
    (tmp_path / "picture.mp4").write_bytes(still.read_bytes())
    (tmp_path / "words.mp4").write_text("no video\n" * 200)
    (tmp_path / "nothing.mp4").write_bytes(b"")
    (tmp_path / "scribble.png").write_text("no picture")
    (tmp_path / "empty").mkdir()
    write_video(tmp_path / "no-table.mp4", [40 * n for n in range(20)])
    names = [
        "truncated.mp4",
        "picture.mp4",
        "words.mp4",
        "nothing.mp4",
        "scribble.png",
        "empty",
        "no-table.mp4",
        "missing.mp4",
    ]
    out = tmp_path / "out"
    result = analyze(*(tmp_path / name for name in names), still, "--out", out)
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    for name in names:
        assert len(lines_about(result, f"{name}: ")) == 1, (name, result.stderr)
    assert "is a PNG picture, not a video" in lines_about(result, "picture.mp4")[0]
    assert "no such file" in lines_about(result, "missing.mp4")[0]
    assert "holds no video" in lines_about(result, "empty")[0]
    failed = [json.loads(line) for line in (out / "failed.jsonl").read_text().splitlines()]
    assert sorted(Path(line["input"]).name for line in failed) == sorted(names)
    assert all(line["reason"] for line in failed)
    assert {path.name for path in out.iterdir()} == {"failed.jsonl", "good"}
    assert {path.name for path in (out / "good").iterdir()} == {"calibration.json", "balls.json", "summary.json"}


def test_a_frame_from_the_sample_clip_shows_its_balls(tmp_path: Path, still: Path) -> None:
    out = tmp_path / "out"
    result = analyze(still, "--out", out, "--overlay", "--report")
    assert result.exit_code == 0, result.stderr
    balls = json.loads((out / "good" / "balls.json").read_text())
    truth = json.loads(SAMPLE.with_suffix(".truth.json").read_text())
    assert len(balls) == truth["count"]
    assert set(balls[0]) == {"ball", "x", "y", "u", "v", "r", "confidence"}
    assert (out / "good" / "overlay.png").is_file()
    assert (out / "good" / "report.html").read_text().count("<svg") == 1


def test_what_is_finished_is_not_done_again(tmp_path: Path, still: Path) -> None:
    out = tmp_path / "out"
    analyze(still, "--out", out)
    made = (out / "good" / "summary.json").stat().st_mtime_ns
    assert "already done" in analyze(still, "--out", out).stderr
    assert (out / "good" / "summary.json").stat().st_mtime_ns == made
    assert "already done" not in analyze(still, "--out", out, "--lang", "ru").stderr
    assert "already done" not in analyze(still, "--out", out, "--lang", "ru", "--again").stderr


def test_what_a_stopped_run_left_is_swept_away(tmp_path: Path, still: Path) -> None:
    out = tmp_path / "out"
    (out / ".unfinished-good").mkdir(parents=True)
    (out / ".unfinished-good" / "calibration.json").write_text("{}")
    assert analyze(still, "--out", out).exit_code == 0
    assert {path.name for path in out.iterdir()} == {"good"}


def test_a_failure_that_is_mended_leaves_the_list_and_others_stay(tmp_path: Path, still: Path) -> None:
    out, late = tmp_path / "out", tmp_path / "late.png"
    analyze(late, tmp_path / "never.png", "--out", out)
    late.write_bytes(still.read_bytes())
    assert analyze(late, "--out", out).exit_code == 0
    failed = [json.loads(line) for line in (out / "failed.jsonl").read_text().splitlines()]
    assert [Path(line["input"]).name for line in failed] == ["never.png"]


def test_a_calibration_for_another_picture_size(tmp_path: Path, still: Path) -> None:
    out = tmp_path / "out"
    analyze(still, "--out", out)
    small = tmp_path / "small.png"
    cv2.imwrite(str(small), np.zeros((90, 160, 3), np.uint8))
    result = analyze(small, still, "--out", tmp_path / "two", "--calibration", out / "good" / "calibration.json")
    assert result.exit_code == 1
    assert "the calibration given is for pictures of" in lines_about(result, "small.png")[0]
    assert (tmp_path / "two" / "good" / "summary.json").is_file()


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read every file")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.mp4"
    secret.write_bytes(SAMPLE.read_bytes())
    secret.chmod(0)
    result = analyze(secret, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert lines_about(result, "ermission denied")


def test_a_folder_in_which_nothing_can_be_written(tmp_path: Path, still: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refused)
    result = analyze(still, "--out", tmp_path)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == f"Error: --out {tmp_path}: can't be written: Permission denied"
    live = CliRunner().invoke(main, ["live", "--matches", str(tmp_path), "--port", "1"])
    assert live.exit_code == 2
    assert live.stderr.splitlines()[-1] == f"Error: --matches {tmp_path}: can't be written: Permission denied"


@pytest.mark.parametrize(
    ("option", "content", "part"),
    [
        ("--state", "{", "not JSON"),
        ("--state", "[]", "expected one JSON object"),
        ("--state", '{"on": ["purple"]}', "on[0]"),
        ("--inputs", '{"type": "nomination", "nominated": {}}', "line 1: n"),
        ("--inputs", '\n{"type": "official", "kind": "sing"}', "line 2: kind"),
        ("--calibration", "{}", "lacks 'table'"),
        ("--calibration", "\xff\xfe", "not a"),
        ("--points", '{"bottom-left": 3}', "bottom-left: expected [u, v]"),
    ],
)
def test_wrong_option_files_are_wrong_use(tmp_path: Path, still: Path, option: str, content: str, part: str) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(content.encode("latin-1"))
    result = analyze(still, "--out", tmp_path / "out", option, file)
    assert result.exit_code == 2
    assert option in result.stderr
    assert part in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--length", "2000"],
        ["--length", "1000", "--width", "2000", "--ball-diameter", "50"],
        ["--table", "pool-9ft", "--length", "2000", "--width", "1000", "--ball-diameter", "50"],
        ["--fps", "many"],
        ["--jobs", "0"],
        ["--lang", "fr"],
    ],
)
def test_wrong_options_are_wrong_use(tmp_path: Path, arguments: list[str]) -> None:
    assert analyze(tmp_path, "--out", tmp_path / "out", *arguments).exit_code == 2


def test_corrections_stay_when_an_input_is_analyzed_anew(tmp_path: Path) -> None:
    from referee.app.analyze.folder import NewFolder, sweep

    (tmp_path / "clip").mkdir()
    (tmp_path / "clip" / "corrections.jsonl").write_text("{}\n")
    (tmp_path / "clip" / "calls.vtt").write_text("old")
    (tmp_path / "clip" / "exports").mkdir()
    (tmp_path / "clip" / "exports" / "shot-1.mp4").touch()
    with NewFolder(tmp_path, "clip") as folder:
        (folder / "shots.jsonl").write_text("new")
    assert {path.name for path in (tmp_path / "clip").iterdir()} == {
        "shots.jsonl",
        "corrections.jsonl",
        "exports",
    }
    # Stopped between setting the old folder aside and putting the new one in its place.
    (tmp_path / "clip").replace(tmp_path / ".unfinished-old-clip")
    (tmp_path / ".unfinished-clip").mkdir()
    sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["clip"]
    assert (tmp_path / "clip" / "corrections.jsonl").is_file()
    # Stopped before the exports were handed over.
    (tmp_path / ".unfinished-old-clip").mkdir()
    (tmp_path / "clip" / "exports").replace(tmp_path / ".unfinished-old-clip" / "exports")
    sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["clip"]
    assert (tmp_path / "clip" / "exports" / "shot-1.mp4").is_file()
