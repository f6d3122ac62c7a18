"""What there is to do with an input, how it ended, and doing it whatever happens."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.app.analyze.inputs import Input, InputKind
from referee.app.analyze.pool import Tell
from referee.app.analyze.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """An input, what to do with it, and where its folder goes.

    ``again``: even where it is finished. ``keep``: a file into which what vision saw of a clip's frames goes.
    """

    source: Input
    settings: Settings
    out: Path
    again: bool = False
    keep: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a job ended: ``failure`` is the line for the user, ``line`` what came out."""

    line: str = ""
    failure: str | None = None
    skipped: bool = False


def largest_first(work: Sequence[Job]) -> list[Job]:
    """Clips before stills, large ones first, so that several processes come to their ends at about the same time."""
    return sorted(work, key=lambda job: 0 if job.source.kind is InputKind.STILL else -job.source.size())


def guarded(job: Job, tell: Tell) -> Outcome:
    """`run_job`; an error in cueref itself is a failure of this input and doesn't end the run."""
    from referee.app.analyze.job import run_job  # the process that only hands out the work needn't load it

    try:
        return run_job(job, tell)
    except Exception as error:
        if os.environ.get("CUEREF_DEBUG"):
            raise
        return Outcome(
            failure=f"{job.source.path}: cueref failed on it ({type(error).__name__}: {error}); this is an error in "
            "cueref: please report it, with what CUEREF_DEBUG=1 prints"
        )
