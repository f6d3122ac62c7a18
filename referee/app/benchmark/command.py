"""``cueref benchmark``: options, the run step by step, and what is written."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from referee.app.analyze.pool import LOADED, Tell, WorkerLost, cores, run_all
from referee.app.analyze.progress import Reporter, Step, reporter
from referee.app.analyze.work import guarded
from referee.app.benchmark.baseline import BaselineError, read_baseline, setbacks, write_baseline
from referee.app.benchmark.constants import ConstantError
from referee.app.benchmark.figures import values
from referee.app.benchmark.page import write_page
from referee.app.benchmark.scoring import Measured, measure
from referee.app.benchmark.stages import analysis_job, is_filmed, make_film, places, replay_job
from referee.app.benchmark.suite import Entry, Suite, SuiteError, read_suite
from referee.app.benchmark.sweep import parse_sweep, run_sweep
from referee.app.benchmark.tables import report_text, sweep_table
from referee.app.score.analysis import ScoreError
from referee.app.simulate.dynamics.events import Unsettled
from referee.app.simulate.settings import SettingError

AGAIN = ("film", "analysis", "tracking")


@click.command()
@click.argument("suite_name", metavar="SUITE")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for everything.")
@click.option("--only", multiple=True, metavar="NAME", help="Only this clip of the suite; may be repeated.")
@click.option("--again", type=click.Choice(AGAIN), help="Do this step and those after it anew.")
@click.option("--jobs", type=click.IntRange(1), help="Processes at once. Default: one a core.")
@click.option("--sweep", "sweeps", multiple=True, metavar="NAME=V,V,…", help="Figures over values of a constant.")
@click.option("--baseline", type=click.Path(dir_okay=False, path_type=Path), help="Fail where figures are worse.")
@click.option("--renew", is_flag=True, help="Write the figures into the --baseline file instead.")
def benchmark(
    suite_name: str,
    out: Path,
    only: tuple[str, ...],
    again: str | None,
    jobs: int | None,
    sweeps: tuple[str, ...],
    baseline: Path | None,
    renew: bool,
) -> None:
    """Film, analyze and score the games and clips of SUITE: a TOML file, or a suite that comes with cueref (games).

    Writes OUT/figures.json, OUT/report.md and OUT/report.html. What is done is not done again, so a run that was
    stopped goes on where it was; after a change to tracking or rules, --again tracking runs these alone, on what vision
    saw. --sweep tracking.watcher.STILL_S=0.3,0.4,0.5 does so for each value of a constant.

    Exit codes: 0 all done, 1 a clip failed or is worse than the baseline, 2 wrong use.
    """
    try:
        suite = read_suite(suite_name)
        wanted = _chosen(suite, only)
        asked = [parse_sweep(text) for text in sweeps]
        kept = read_baseline(baseline) if baseline is not None and not renew else None
        out.mkdir(parents=True, exist_ok=True)
    except (SuiteError, ConstantError, BaselineError) as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"--out {out}: can't be written: {error.strerror or error}") from None
    if renew and (baseline is None or only):
        raise click.UsageError("--renew needs the --baseline file to write, and the whole suite")
    workers = jobs or cores()
    with reporter(len(wanted)) as show:
        try:
            failed = _films(wanted, out, workers, again, show)
            failed |= _analyses([each for each in wanted if each.name not in failed], out, workers, again, show)
            done = [each for each in wanted if each.name not in failed]
            clips = _measured(done, out, show, failed)
            swept = [
                run_sweep(suite_name, [each.name for each in clips], out, name, tried, workers, show.line)
                for name, tried in asked
                if clips
            ]
        except KeyboardInterrupt:
            show.line("cueref: stopped; start the same command again to go on where it was")
            sys.exit(130)
    _write(suite, clips, swept, out)
    worse = _held(clips, kept)
    for line in worse:
        click.echo(f"worse: {line}", err=True)
    if renew and baseline is not None and not failed:
        write_baseline(baseline, suite.name, {clip.name: values(clip.figures) for clip in clips})
    sys.exit(1 if failed or worse else 0)


def _chosen(suite: Suite, only: Sequence[str]) -> list[Entry]:
    unknown = sorted(set(only) - {entry.name for entry in suite.entries})
    if unknown:
        names = ", ".join(entry.name for entry in suite.entries)
        raise SuiteError(f"no clip {', '.join(unknown)} in {suite.name}; there are {names}")
    return [entry for entry in suite.entries if not only or entry.name in only]


def _films(entries: Sequence[Entry], out: Path, jobs: int, again: str | None, show: Reporter) -> set[str]:
    """Films what isn't filmed yet; returns the names that failed."""
    failed = set()
    for entry in entries:
        if entry.game is None or (is_filmed(entry, out) and again != "film"):
            continue

        def told(done: int, of: int, name: str = entry.name) -> None:
            show.step(Step(stem=name, stage="filming", done=done, total=of))

        try:
            make_film(entry, out, jobs, told)
        except (SettingError, Unsettled, OSError) as error:
            show.line(f"cueref: {entry.name}: {error}")
            failed.add(entry.name)
    return failed


def _work(job: tuple[Entry, Path, str | None], tell: Tell) -> str | None:
    """Analyzes a clip, or runs its later stages again; returns what failed. Runs in a process of its own."""
    entry, out, again = job
    analysis = analysis_job(entry, out)
    at = places(entry, out)
    if again == "tracking" and at.seen.is_file() and (at.analysis / "summary.json").is_file():
        tell(Step(stem=entry.name, stage="tracking again"))
        replay_job(analysis)
        return None
    if not at.seen.is_file() or again in ("film", "analysis"):
        at.seen.unlink(missing_ok=True)
        (at.analysis / "summary.json").unlink(missing_ok=True)
    return guarded(analysis, tell).failure


def _analyses(entries: Sequence[Entry], out: Path, jobs: int, again: str | None, show: Reporter) -> set[str]:
    failed = set()
    todo = [(entry, out, again) for entry in entries]
    for (entry, _, _), outcome in run_all(_work, todo, jobs, show.step, LOADED):
        show.step(Step(stem=entry.name, finished=True))
        if isinstance(outcome, WorkerLost):
            outcome = f"{entry.name}: {outcome}, perhaps for want of memory; try --jobs 1"
        if outcome is not None:
            show.line(f"cueref: {outcome}")
            failed.add(entry.name)
        else:
            show.line(f"{entry.name}: analyzed")
    return failed


def _measured(entries: Sequence[Entry], out: Path, show: Reporter, failed: set[str]) -> list[Measured]:
    clips = []
    for entry in entries:
        try:
            clips.append(measure(entry, out))
        except ScoreError as error:
            show.line(f"cueref: {entry.name}: {error}")
            failed.add(entry.name)
    return clips


def _write(suite: Suite, clips: Sequence[Measured], swept: Sequence[dict[str, object]], out: Path) -> None:
    if not clips:
        return
    data = {
        clip.name: {"seed": clip.seed, "shots": clip.shots, "wrong": clip.wrong, "lost": clip.lost, **clip.figures}
        for clip in clips
    }
    (out / "figures.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    text = "\n".join([report_text(clips), *(sweep_table(each) for each in swept)])
    (out / "report.md").write_text(text, encoding="utf-8")
    write_page(out / "report.html", f"cueref benchmark: {suite.name}", clips, swept)
    click.echo(text)


def _held(clips: Sequence[Measured], kept: dict[str, object] | None) -> list[str]:
    if kept is None:
        return []
    return [line for clip in clips for line in setbacks(kept, clip.name, values(clip.figures))]
