"""What is wrong on the command line is said in one line, before anything is served."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.app.cli import main


def said(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["live", *words])
    return result.exit_code, result.output.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["--start"], 2, "Error: --start needs --game"),
        (
            ["gone.mp4"],
            1,
            "Error: gone.mp4: no such file; a camera is a number (0) or a device, a stream begins with rtsp://",
        ),
        (["0", "--size", "big"], 2, "Error: --size big: expected width x height in px, such as 1920x1080"),
        (["--speed", "0"], 2, "Error: --speed 0: expected a number above 0, or max"),
        (
            ["--players", "Ann"],
            2,
            "Error: --players Ann: expected two different names, such as Ann,Bob; pairs are set up",
        ),
        (["--certificate", "pyproject.toml"], 1, "Error: --certificate and --key belong together: give both or none"),
    ],
)
def test_wrong_use(words: list[str], code: int, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    assert said(*words, "--port", "1") == (code, line)


def test_a_short_code_is_refused_and_never_shown(tmp_path: Path) -> None:
    (tmp_path / "code").write_text("abc-12\n")
    code, line = said("--code-file", str(tmp_path / "code"), "--matches", str(tmp_path / "m"))
    assert code == 2
    assert "abc" not in line
