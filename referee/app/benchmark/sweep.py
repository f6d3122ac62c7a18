"""A sweep: the stages after vision once more for each value of a constant, on what vision saw, without decoding."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from referee.app.benchmark.constants import ConstantError, number_of, set_number

Progress = Callable[[str], None]


def parse_sweep(text: str) -> tuple[str, list[float]]:
    """``tracking.watcher.STILL_S=0.2,0.4`` as name and values, of the constant's own type; raises ConstantError."""
    name, _, listed = text.partition("=")
    kind = type(number_of(name.strip()))
    try:
        values = [kind(part) for part in listed.split(",")]
    except ValueError:
        raise ConstantError(f"{text}: the values of {name} must be of type {kind.__name__}, like NAME=1,2,3") from None
    return name.strip(), list(dict.fromkeys(values))


def run_sweep(
    suite: str, names: Sequence[str], out: Path, name: str, swept: Sequence[float], jobs: int, told: Progress
) -> dict[str, Any]:
    """Figures of every clip for every value; also written as ``OUT/sweeps/NAME.json``.

    suite: as the user named it. names: the clips, which must have been analyzed. Each value has processes of its own.
    """
    results: dict[str, dict[str, Any]] = {}
    for value in swept:
        place = out / "sweeps" / f"{name}={value:g}"
        executor = ProcessPoolExecutor(
            min(jobs, len(names)), mp_context=get_context("spawn"), initializer=set_number, initargs=(name, value)
        )
        try:
            futures = {executor.submit(_one, suite, clip, out, place): clip for clip in names}
            for future in as_completed(futures):
                results.setdefault(f"{value:g}", {})[futures[future]] = future.result()
                told(f"{name} = {value:g}: {futures[future]}")
        finally:
            executor.shutdown(wait=True, cancel_futures=True)
    data = {"name": name, "default": number_of(name), "values": list(swept), "figures": results}
    path = out / "sweeps" / f"{name}.json"
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return data


def _one(suite: str, clip: str, out: Path, place: Path) -> dict[str, Any]:
    """One clip's figures in a process whose constant is set; only now are the stages' modules loaded."""
    from referee.app.benchmark.stages import analysis_job, places, replay_job
    from referee.app.benchmark.suite import read_suite
    from referee.app.score.analysis import read_analysis, read_json
    from referee.app.score.figures import score_one

    entry = next(each for each in read_suite(suite).entries if each.name == clip)
    place.mkdir(parents=True, exist_ok=True)
    replay_job(analysis_job(entry, out), place)
    return score_one(read_analysis(place / clip), read_json(places(entry, out).truth)).figures
