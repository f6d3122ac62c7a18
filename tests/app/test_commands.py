"""Every command can be loaded, describes itself, and is told apart from what it is not."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from referee.app.cli import COMMANDS, main


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_describes_itself(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Usage: ")


def test_the_judge_never_loads_a_library_for_pictures() -> None:
    program = "import sys; from referee.app.cli import main; main(['judge', '--help'], standalone_mode=False); "
    program += "print([name for name in ('cv2', 'av', 'numpy', 'scipy', 'pyarrow') if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"


def test_python_m_referee_is_the_same_command() -> None:
    result = subprocess.run([sys.executable, "-m", "referee", "--version"], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("cueref")


def test_an_unknown_command_is_wrong_use() -> None:
    assert CliRunner().invoke(main, ["referee"]).exit_code == 2
