"""``cueref benchmark`` on one sample clip: what it writes, that it goes on where it was, and how it fails."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.app.analyze.folder import write_json
from referee.app.benchmark.baseline import write_baseline
from referee.app.benchmark.figures import FIGURES, values
from referee.app.benchmark.stages import is_filmed, recipe
from referee.app.benchmark.suite import read_suite
from referee.app.cli import main

SAMPLES = Path(__file__).parents[3] / "sample_videos"
CLIP = "no_cushion"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["benchmark", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of one sample clip, run once into ``out``."""
    place = tmp_path_factory.mktemp("benchmark")
    (place / "clips").mkdir()
    for suffix in (".mp4", ".truth.json"):
        shutil.copyfile(SAMPLES / f"{CLIP}{suffix}", place / "clips" / f"{CLIP}{suffix}")
    (place / "suite.toml").write_text('[[clips]]\nfolder = "clips"\n')
    result = run(place / "suite.toml", "--out", place / "out", "--jobs", 1)
    assert result.exit_code == 0, result.output
    assert "| verdicts right |" in result.output
    return place


def test_figures_tables_and_a_page_that_opens_offline_are_written(folder: Path) -> None:
    figures = json.loads((folder / "out" / "figures.json").read_text())
    assert figures[CLIP]["verdicts"]["of"] == figures[CLIP]["shots"] == 1
    page = (folder / "out" / "report.html").read_text()
    assert CLIP in page
    assert "http" not in page.replace("http://www.w3.org", "")
    assert "| event | true |" in (folder / "out" / "report.md").read_text()


def test_what_is_done_is_not_done_again(folder: Path) -> None:
    kept = folder / "out" / "seen" / f"{CLIP}.parquet"
    before = kept.stat().st_mtime_ns
    assert run(folder / "suite.toml", "--out", folder / "out", "--jobs", 1).exit_code == 0
    assert kept.stat().st_mtime_ns == before


def test_a_sweep_tables_each_value_and_marks_the_present_one(folder: Path) -> None:
    sweep = "tracking.watcher.STILL_S=0.4,30"
    result = run(folder / "suite.toml", "--out", folder / "out", "--jobs", 1, "--sweep", sweep)
    assert result.exit_code == 0, result.output
    assert "| 0.4 (now) |" in result.output
    assert "| 30 |" in result.output
    swept = json.loads((folder / "out" / "sweeps" / "tracking.watcher.STILL_S.json").read_text())
    now, late = (swept["figures"][value][CLIP]["events"] for value in ("0.4", "30"))
    assert now == json.loads((folder / "out" / "figures.json").read_text())[CLIP]["events"]
    assert late != now


def test_worse_than_the_baseline_is_an_exit_code_and_a_line(folder: Path) -> None:
    figures = json.loads((folder / "out" / "figures.json").read_text())
    better = values(figures[CLIP]) | {"mota": 1.5}
    write_baseline(folder / "better.json", "suite", {CLIP: better})
    common = (folder / "suite.toml", "--out", folder / "out", "--jobs", 1, "--baseline")
    result = run(*common, folder / "better.json")
    assert result.exit_code == 1
    assert f"worse: {CLIP}: MOTA was 1.5000" in result.output
    assert run(*common, folder / "new.json", "--renew").exit_code == 0
    assert set(json.loads((folder / "new.json").read_text())["margins"]) == {figure.key for figure in FIGURES}
    assert run(*common, folder / "new.json").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing.toml",), "can't be read"),
        (("games", "--only", "chess"), "no clip chess in games; there are nine-ball"),
        (("games", "--sweep", "tracking.watcher.X=1"), "has no such number"),
        (("games", "--renew"), "--renew needs the --baseline file"),
        (("games", "--baseline", "none.json"), "none.json: can't be read"),
    ],
)
def test_wrong_use_is_one_line(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert message in result.output


def test_a_film_is_made_anew_only_where_its_recipe_changed(tmp_path: Path) -> None:
    game = '[[game]]\ngame = "9-ball"\nseed = {seed}\n'
    (tmp_path / "a.toml").write_text(game.format(seed=1))
    (tmp_path / "b.toml").write_text(game.format(seed=2))
    (one,), (two,) = (read_suite(str(tmp_path / name)).entries for name in ("a.toml", "b.toml"))
    assert not is_filmed(one, tmp_path)
    (tmp_path / "films" / "9-ball").mkdir(parents=True)
    write_json(tmp_path / "films" / "9-ball" / "made.json", recipe(one))
    assert is_filmed(one, tmp_path)
    assert not is_filmed(two, tmp_path)
