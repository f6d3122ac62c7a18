"""``cueref score``: an analysis held against its truth."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from referee.app.score.analysis import ScoreError, read_analysis, read_json
from referee.app.score.figures import Scored, score_one, totals

SUFFIXES = (".truth.json", ".events.json", ".json")


def truth_stem(path: Path) -> str:
    """``7.truth.json``, ``7.events.json`` and ``7.json`` are truths of ``7``, ``clip/truth.json`` of ``clip``."""
    if path.name == "truth.json":
        return path.parent.name
    suffix = next(suffix for suffix in SUFFIXES if path.name.endswith(suffix))
    return path.name.removesuffix(suffix)


def truths_below(folder: Path, by_eye: bool) -> dict[str, list[Path]]:
    """Truth files below a folder by stem, also by ``<folder>-<stem>``, the name of one of several equal stems."""
    found: dict[str, list[Path]] = {}
    ending = ".events.json" if by_eye else "truth.json"
    for path in sorted(folder.rglob(f"*{ending}")):
        stem = truth_stem(path)
        found.setdefault(stem, []).append(path)
        found.setdefault(f"{path.parent.name}-{stem}", []).append(path)
    return found


def _read_truth(path: Path) -> dict[str, Any]:
    truth = read_json(path)
    if not isinstance(truth, dict):
        raise ScoreError(f"{path}: expected one JSON object of truths, got {type(truth).__name__}")
    return truth


def _score(folder: Path, truth: Path, mask: Path | None = None) -> Scored:
    try:
        return score_one(read_analysis(folder), _read_truth(truth), mask)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        what = f"lacks {error}" if isinstance(error, KeyError) else f"has a field of the wrong form ({error})"
        raise ScoreError(f"{truth}: this truth, or the analysis in {folder}, {what}") from None


def score_folders(analyses: Path, truths: Path, by_eye: bool) -> tuple[list[Scored], list[Path], list[str]]:
    """Each analyzed folder with a truth of its stem, the truths without one, and a line for each in error."""
    known = truths_below(truths, by_eye)
    missing = {path for paths in known.values() for path in paths}
    scored, problems = [], []
    for folder in sorted(path for path in analyses.iterdir() if path.is_dir() and not path.name.startswith(".")):
        candidates = known.get(folder.name, [])
        if len(candidates) > 1:
            problems.append(
                f"{folder.name}: {len(candidates)} truths of this name below {truths}; give the pair itself"
            )
        elif candidates:
            missing.discard(candidates[0])
            try:
                scored.append(_score(folder, candidates[0]))
            except ScoreError as error:
                problems.append(str(error))
    return scored, sorted(missing), problems


@click.command()
@click.argument("analysis", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("truth", type=click.Path(exists=True, path_type=Path))
@click.option("--by-eye", is_flag=True, help="With two folders, take the *.events.json files (events read by eye).")
@click.option("--mask", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Class mask of the picture.")
def score(analysis: Path, truth: Path, by_eye: bool, mask: Path | None) -> None:
    """Print the figures of ANALYSIS (a folder written by analyze) against TRUTH, as one JSON object.

    Given two folders, analyses and truths are paired by stem (DIR/7 with 7.truth.json or 7/truth.json, or
    DIR/hall-7 with hall/7.truth.json) and totals are added. A file of events read by eye (strike_frame and so on) is
    recognized by itself.

    Exit codes: 0 all scored, 1 something could not be scored (named on standard error), 2 wrong use.
    """
    try:
        if truth.is_file():
            print(json.dumps(_score(analysis, truth, mask).figures, indent=1))
            return
    except ScoreError as error:
        click.echo(f"cueref score: {error}", err=True)
        sys.exit(1)
    scored, missing, problems = score_folders(analysis, truth, by_eye)
    if not scored and not problems:
        raise click.UsageError(f"no analysis in {analysis} has a truth of its stem in {truth}")
    problems += [f"{path}: a truth without an analysis; the totals leave it out" for path in missing]
    figures = {
        "inputs": {one.stem: one.figures for one in scored},
        "totals": totals(scored) | {"truths_without_analysis": len(missing)},
    }
    print(json.dumps(figures, indent=1))
    for problem in problems:
        click.echo(f"cueref score: {problem}", err=True)
    sys.exit(1 if problems else 0)
