"""No figure of a sample clip is worse than the committed baseline, and what vision saw gives the same results again.

After a change that is meant to alter figures:

    cueref benchmark tests/benchmarks/samples.toml --out OUT --baseline tests/benchmarks/baseline.json --renew
"""

from pathlib import Path

import pytest

from referee.app.analyze.job import run_job
from referee.app.benchmark.baseline import BaselineError, read_baseline, setbacks, write_baseline
from referee.app.benchmark.figures import FIGURES, Values, values
from referee.app.benchmark.scoring import measure
from referee.app.benchmark.stages import RESULTS, analysis_job, places, replay_job
from referee.app.benchmark.suite import Entry, read_suite

HERE = Path(__file__).parents[2] / "benchmarks"
ENTRIES = read_suite(str(HERE / "samples.toml")).entries


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry.name))
def test_a_sample_clip_is_no_worse_than_the_baseline_and_replays_to_the_same_bytes(
    entry: Entry, tmp_path: Path
) -> None:
    job = analysis_job(entry, tmp_path)
    assert run_job(job, lambda step: None).failure is None
    found = values(measure(entry, tmp_path).figures)
    assert setbacks(read_baseline(HERE / "baseline.json"), entry.name, found) == []
    replay_job(job, tmp_path / "again")
    first, again = places(entry, tmp_path).analysis, tmp_path / "again" / entry.name
    for name in RESULTS:
        assert (again / name).read_bytes() == (first / name).read_bytes(), name


def some_values(**given: float | None) -> Values:
    every: Values = dict.fromkeys((figure.key for figure in FIGURES), 0.5)
    return every | given


def test_only_what_is_worse_by_more_than_its_margin_is_a_setback(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, "some", {"a": some_values(mota=0.9, rmse_mm=3.0, wrong=0, pots_f1=None)})
    kept = read_baseline(path)
    assert setbacks(kept, "a", some_values(mota=0.881, rmse_mm=3.49, wrong=0, pots_f1=0.1)) == []
    assert setbacks(kept, "a", some_values(mota=0.99, rmse_mm=1.0, wrong=0)) == []
    assert setbacks(kept, "a", some_values(mota=0.87, rmse_mm=3.6, wrong=1)) == [
        "a: place RMSE, mm was 3.00, is 3.60, margin 0.5",
        "a: MOTA was 0.9000, is 0.8700, margin 0.02",
        "a: wrong and final was 0, is 1, margin 0",
    ]
    assert setbacks(kept, "a", some_values(mota=None, wrong=0)) == ["a: MOTA was 0.9000, is —, margin 0.02"]
    assert setbacks(kept, "b", some_values()) == ["b: not in the baseline"]


def test_a_baseline_of_other_figures_or_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    with pytest.raises(BaselineError, match=r"baseline\.json: can't be read"):
        read_baseline(path)
    path.write_text('{"margins": {}, "clips": {}}')
    with pytest.raises(BaselineError, match="its figures aren't those of this version; renew it"):
        read_baseline(path)
    path.write_text("[]")
    with pytest.raises(BaselineError, match="not a baseline"):
        read_baseline(path)
