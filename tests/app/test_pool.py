"""Work spread over processes, what it tells, and how it is stopped."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.app.analyze.pool import Tell, WorkerLost, run_all


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def double(item: int, tell: Tell) -> int:
    tell(("at", item))
    return 2 * item


def die_at_three(item: int, tell: Tell) -> int:
    if item == 3:
        os._exit(9)
    return item


def first_at_once(item: int, tell: Tell) -> int:
    while item:
        tell(item)
        time.sleep(0.01)
    return item


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_item_gives_its_result_and_is_heard(jobs: int) -> None:
    heard: list[object] = []
    results = dict(run_all(double, [1, 2, 3], jobs, heard.append))
    assert results == {1: 2, 2: 4, 3: 6}
    assert sorted(heard) == [("at", 1), ("at", 2), ("at", 3)]


def test_a_worker_that_dies_is_a_result_and_no_error() -> None:
    results = dict(run_all(die_at_three, [3, 4], 2, lambda message: None))
    assert isinstance(results[3], WorkerLost)


def test_leaving_the_loop_stops_the_workers() -> None:
    results = run_all(first_at_once, [0, 1], 2, lambda message: None)
    assert next(results) == (0, 0)
    results.close()  # returns only when the worker that would go on for ever has ended


def test_an_interrupted_run_says_so_and_leaves_nothing_half_done(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "sample_videos" / "red_and_black.mp4"
    (tmp_path / "second.mp4").write_bytes(sample.read_bytes())
    command = [sys.executable, "-m", "referee", "analyze", str(sample), str(tmp_path / "second.mp4")]
    command += ["--game", "snooker", "--out", str(tmp_path / "out"), "--jobs", "2", "--overlay"]
    # a shell starts its background jobs with interrupts ignored, and they would be so here too
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=_heed_interrupts
    )
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("out/.unfinished-*/tracks.parquet")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.splitlines()[-1] == "cueref: stopped; start the same command again to go on where it was"
    assert "Traceback" not in said
    assert list((tmp_path / "out").iterdir()) == []
