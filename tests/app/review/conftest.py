"""A sample clip analyzed once for all tests of the review."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.app.cli import main

SAMPLES = Path(__file__).parents[3] / "sample_videos"


@pytest.fixture(scope="session")
def analyzed_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of ``wrong_ball_first``: a red is on and the blue is hit first. Not to be changed."""
    out = tmp_path_factory.mktemp("analyzed")
    arguments = ["analyze", str(SAMPLES / "wrong_ball_first.mp4"), "--game", "snooker", "--out", str(out)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return out / "wrong_ball_first"


@pytest.fixture
def clip(analyzed_clip: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    return Path(shutil.copytree(analyzed_clip, tmp_path / "wrong_ball_first"))
