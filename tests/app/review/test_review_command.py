"""``cueref review``: what can be opened, and one clear line where nothing can."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from frame_of_snooker import analyzed

from referee.app.cli import main
from referee.app.review import command
from referee.app.server import serve


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The arguments with which the server would have been started."""
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(serve, "run", lambda *args: calls.append(args))
    return calls


def review(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["review", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def test_an_analyzed_folder_is_served_to_this_machine(tmp_path: Path, served: list[tuple[object, ...]]) -> None:
    code, said = review(str(analyzed(tmp_path / "frame")))
    assert (code, said) == (0, f"http://127.0.0.1:{command.PORT}/review\n")
    assert served[0][1:3] == ("127.0.0.1", 8147)


def test_others_need_a_code_which_is_shown_once(tmp_path: Path, served: list[tuple[object, ...]]) -> None:
    code, said = review(str(analyzed(tmp_path / "frame")), "--host", "0.0.0.0")
    assert code == 0
    assert "the referee's code, shown only now: " in said
    (tmp_path / "code").write_text("short")
    code, said = review(str(tmp_path / "frame"), "--code-file", str(tmp_path / "code"))
    assert code == 2
    assert "8 letters and digits at least" in said


def test_what_cannot_be_reviewed_is_said_in_one_line(tmp_path: Path, served: list[tuple[object, ...]]) -> None:
    code, said = review(str(tmp_path / "nowhere"))
    assert code == 1
    assert "nowhere: no such folder" in said
    (tmp_path / "empty").mkdir()
    code, said = review(str(tmp_path / "empty"))
    assert code == 1
    assert "neither an analyzed clip nor a match" in said
    folder = analyzed(tmp_path / "frame")
    (folder / "shots.jsonl").write_text('{"type": "shot", "events": 3}\n')
    code, said = review(str(folder))
    assert code == 1
    assert "shots.jsonl: not as cueref writes it (line 1: events: expected a list, got 3)" in said
    (tmp_path / "clip.mp4").touch()
    code, said = review(str(tmp_path), "--video", str(tmp_path / "clip.mp4"))
    assert code == 1
    assert "goes with one analyzed folder" in said
    assert served == []
