"""One clip of a suite from its recipe to its scored analysis; what is done already is not done again.

OUT/films/NAME/      clip.mp4, truth.json, inputs.jsonl, and made.json: what they were made from
OUT/seen/NAME.parquet  what vision saw of each frame
OUT/analyses/NAME/   as ``cueref analyze`` writes it
"""

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from calibration.result import Calibration
from calibration.tables import DEFAULT_TABLE, TABLES, TableSpec, measured_table
from referee.app.analyze.folder import NewFolder, write_json
from referee.app.analyze.inputs import Input, InputKind
from referee.app.analyze.kept import read_kept
from referee.app.analyze.settings import Settings
from referee.app.analyze.watching import Clock, Watching, write_results
from referee.app.analyze.work import Job
from referee.app.benchmark.suite import Entry
from referee.app.score.analysis import read_json, read_json_lines
from referee.app.simulate.command import SAID_BEFORE_S, film_game

RESULTS = ("tracks.parquet", "shots.jsonl", "verdicts.jsonl", "calls.vtt")
"""What a replay writes anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where the files of one clip of a suite are."""

    video: Path
    truth: Path
    inputs: Path
    seen: Path
    analyses: Path
    analysis: Path


def places(entry: Entry, out: Path) -> Places:
    film = out / "films" / entry.name
    video = entry.video or film / "clip.mp4"
    return Places(
        video=video,
        truth=entry.truth or film / "truth.json",
        inputs=video.with_suffix(".inputs.jsonl") if entry.video else film / "inputs.jsonl",
        seen=out / "seen" / f"{entry.name}.parquet",
        analyses=out / "analyses",
        analysis=out / "analyses" / entry.name,
    )


def recipe(entry: Entry) -> dict[str, Any]:
    """What a film is made from, as it is compared."""
    assert entry.game is not None and entry.film is not None
    data: dict[str, Any] = json.loads(json.dumps({"game": asdict(entry.game), "film": asdict(entry.film)}))
    return data


def is_filmed(entry: Entry, out: Path) -> bool:
    """Whether the film of this very recipe is there; a clip that a suite only names always is."""
    if entry.game is None:
        return True
    made = out / "films" / entry.name / "made.json"
    try:
        return bool(json.loads(made.read_text(encoding="utf-8")) == recipe(entry))
    except (OSError, ValueError):
        return False


def make_film(entry: Entry, out: Path, jobs: int, progress: Callable[[int, int], None]) -> None:
    """Plays and films a game; raises SettingError, Unsettled and OSError."""
    assert entry.game is not None and entry.film is not None
    folder = out / "films" / entry.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "made.json").unlink(missing_ok=True)
    film_game(entry.game, entry.film, folder, jobs, progress)
    write_json(folder / "made.json", recipe(entry))


def table_of(truth: Mapping[str, Any]) -> TableSpec:
    """The table that a truth names or measures."""
    table = truth["table"]
    if isinstance(table, str):
        return TABLES[table]
    family = TABLES[DEFAULT_TABLE[truth["game"]]].family
    return measured_table(family, table["length"], table["width"], table["ball_diameter"])


def settings_of(truth: Mapping[str, Any], inputs: Path) -> Settings:
    """What ``cueref analyze`` is told of a clip: game, table, the state it begins in, and what people said."""
    if inputs.is_file():
        lines = read_json_lines(inputs)
    else:
        lines = [
            {"type": "nomination", "t": round(shot["t0"] - SAID_BEFORE_S, 3), "nominated": shot["nominated"]}
            for shot in truth.get("shots", ())
            if shot.get("nominated")
        ]
    return Settings(game=truth["game"], table=table_of(truth), state=truth.get("state"), inputs=tuple(lines))


def analysis_job(entry: Entry, out: Path) -> Job:
    """The analysis of a clip, which also keeps what vision saw."""
    at = places(entry, out)
    at.seen.parent.mkdir(parents=True, exist_ok=True)
    at.analyses.mkdir(parents=True, exist_ok=True)
    source = Input(kind=InputKind.VIDEO, path=at.video, stem=entry.name, files=(at.video,))
    settings = settings_of(read_json(at.truth), at.inputs)
    return Job(source=source, settings=settings, out=at.analyses, keep=at.seen)


def replay(analysis: Path, seen: Path, settings: Settings, out: Path) -> None:
    """Tracking, inference and rules once more on what vision saw, into the folder ``out/<analysis' name>``.

    Its files are those that a whole analysis would write, byte for byte; calibration, the first frame's balls and the
    summary are the earlier analysis'.
    """
    calibration = Calibration.from_json(read_json(analysis / "calibration.json"))
    with NewFolder(out, analysis.name) as folder:
        for name in ("calibration.json", "balls.json", "summary.json"):
            shutil.copyfile(analysis / name, folder / name)
        watching = Watching(calibration, settings, folder / "tracks.parquet", Clock())
        try:
            for observations in read_kept(seen):
                watching.step(observations)
            watched = watching.finish()
        finally:
            watching.close()
        write_results(folder, watched)


def replay_job(job: Job, out: Path | None = None) -> None:
    """`replay` of a job that was run with ``keep``; ``out``: where its folder goes, left out: in place."""
    assert job.keep is not None
    replay(job.out / job.source.stem, job.keep, job.settings, out or job.out)
