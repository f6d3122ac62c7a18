"""The run of ``cueref analyze`` over all its inputs, once its options are checked."""

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from referee.app.analyze.folder import FailureLog, check_writable, sweep
from referee.app.analyze.inputs import Input, find_inputs
from referee.app.analyze.pool import LOADED, WorkerLost, run_all
from referee.app.analyze.progress import Reporter, Step, reporter
from referee.app.analyze.settings import Settings
from referee.app.analyze.work import Job, Outcome, guarded, largest_first
from referee.app.options import chosen_table, read_calibration, read_object, read_points, read_text


def read_state(path: Path, game: str) -> dict[str, Any]:
    """A state of the game, checked by the rule book; raises click.UsageError."""
    from referee.app.analyze.refereeing import check_state
    from referee.app.analyze.unread import unread_fields

    state = read_object("--state", path)
    problem = check_state(state, game)
    if problem is not None:
        raise click.UsageError(f"--state {path}: {problem}")
    for line in unread_fields(state, game):
        click.echo(f"cueref: --state {path}: {line}", err=True)
    return state


def read_inputs(path: Path) -> tuple[dict[str, Any], ...]:
    """Official lines and nominations, JSON Lines; raises click.UsageError with the line's number."""
    from referee.app.analyze.refereeing import check_line

    lines = []
    for number, text in enumerate(read_text("--inputs", path).splitlines(), 1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
        except ValueError as error:
            raise click.UsageError(f"--inputs {path}, line {number}: not JSON: {error}") from None
        problem = check_line(line)
        if problem is not None:
            raise click.UsageError(f"--inputs {path}, line {number}: {problem}")
        lines.append(line)
    return tuple(lines)


def _rate(value: str | None) -> Fraction | None:
    if value is None:
        return None
    try:
        rate = Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise click.UsageError(f"--fps {value}: expected a number such as 25 or 30000/1001") from None
    if not 0 < rate <= 10_000:
        raise click.UsageError(f"--fps {value}: expected a rate above 0")
    return rate


def run(
    inputs: tuple[str, ...],
    *,
    jobs: int,
    game: str,
    table_name: str | None,
    length: float | None,
    width: float | None,
    ball_diameter: float | None,
    out: Path,
    calibration: Path | None,
    points: Path | None,
    baulk: str | None,
    state: Path | None,
    inputs_file: Path | None,
    nominations: str,
    lang: str,
    tracks: str,
    overlay: bool,
    report: bool,
    fps: str | None,
    again: bool,
) -> None:
    """Checks the options of ``cueref analyze``, does what they ask for, and ends the program with its exit code."""
    table = chosen_table(game, table_name, length, width, ball_diameter)
    given = read_calibration(calibration) if calibration is not None else None
    settings = Settings(
        game=game,
        table=given.table if given is not None else table,
        calibration=given,
        points=read_points(points, table) if points is not None else None,
        baulk=baulk,
        state=read_state(state, game) if state is not None else None,
        inputs=read_inputs(inputs_file) if inputs_file is not None else (),
        nominations=nominations,
        lang=lang,
        tracks=tracks,
        overlay=overlay,
        report=report,
    )
    found, unusable = find_inputs(inputs, _rate(fps), leave_out=out)
    try:
        check_writable(out)
        sweep(out)
        failures = FailureLog(out, [*(str(each.path) for each in found), *(each.path for each in unusable)])
    except OSError as error:
        raise click.UsageError(f"--out {out}: can't be written: {error.strerror or error}") from None
    work = [Job(source=source, settings=settings, out=out, again=again) for source in found]
    with reporter(len(work)) as show:
        for each in unusable:
            show.line(f"cueref: {each.path}: {each.reason}")
            failures.add(each.path, None, each.reason)
        _say_renamed(show, found)
        try:
            failed = _run(work, jobs, show, failures)
        except KeyboardInterrupt:
            show.line("cueref: stopped; start the same command again to go on where it was")
            sys.exit(130)
    sys.exit(1 if failed or unusable else 0)


def _say_renamed(show: Reporter, found: list[Input]) -> None:
    for source in found:
        if source.stem not in (source.path.stem, source.path.name):
            show.line(f"cueref: {source.path}: results in a folder named {source.stem}")


def _run(work: list[Job], jobs: int, show: Reporter, failures: FailureLog) -> int:
    """Runs the jobs, prints what came of each, and returns how many failed."""
    failed = 0

    def listen(message: Step) -> None:
        show.step(message)

    for job, outcome in run_all(guarded, work if jobs == 1 else largest_first(work), jobs, listen, LOADED):
        source, stem = str(job.source.path), job.source.stem
        show.step(Step(stem=stem, finished=True))
        if isinstance(outcome, WorkerLost):
            outcome = Outcome(failure=f"{source}: {outcome}, perhaps for want of memory; try --jobs 1")
        if outcome.failure is not None:
            failed += 1
            failures.add(source, stem, outcome.failure)
            show.line(f"cueref: {outcome.failure}")
        else:
            show.line(f"{stem}: {outcome.line}")
    return failed
