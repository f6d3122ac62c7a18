"""``cueref doctor`` on this machine, and on a folder that hides a package."""

import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from referee.app.cli import main
from tests.app.live.misbehaving import Camera, paced, plain_picture, transport_stream


def test_this_installation_is_in_order() -> None:
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == 0, result.output
    assert "ok  the four packages come from" in result.output
    assert "H.264 is written and read, times exact" in result.output


def test_a_folder_that_hides_a_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "vision").mkdir()
    (tmp_path / "vision" / "__init__.py").write_text("")
    program = "import sys; sys.path.insert(0, '.'); from referee.app.cli import main; main(['doctor'])"
    result = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert f"BAD package vision comes from {tmp_path.resolve()}" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


def test_a_camera_that_is_not_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["doctor", "--camera", str(tmp_path / "no-camera")])
    assert result.exit_code == 1
    assert "no picture" in result.output


def test_a_stream_is_tried_as_it_is_watched() -> None:
    pieces = transport_stream([plain_picture(k) for k in range(40)])
    with Camera(lambda connection: paced(pieces)) as url:
        result = CliRunner().invoke(main, ["doctor", "--camera", url])
    assert f"ok  {url}: 320×240, about 25 pictures a second" in result.output
