"""All that is measured of one clip of a suite: figures, single errors, and why verdicts are wrong."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.app.benchmark.causes import missed_shots, wrong_verdicts
from referee.app.benchmark.stages import places, settings_of
from referee.app.benchmark.suite import Entry
from referee.app.score.analysis import read_analysis, read_json
from referee.app.score.figures import score_one


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One clip. ``wrong``: its wrong and final verdicts with their causes. ``lost``: shots missed and invented.

    errors: ``position`` in mm, the time of each kind of event in ms.
    """

    name: str
    game: str
    seed: int | None
    shots: int
    figures: dict[str, Any]
    errors: dict[str, list[float]]
    wrong: list[dict[str, Any]]
    lost: list[dict[str, Any]]


def measure(entry: Entry, out: Path) -> Measured:
    """Scores a clip that has been analyzed; raises ScoreError."""
    at = places(entry, out)
    truth, analysis = read_json(at.truth), read_analysis(at.analysis)
    scored = score_one(analysis, truth)
    shots, figures = analysis.shots or [], scored.figures
    inputs = settings_of(truth, at.inputs).inputs
    wrong, alone = wrong_verdicts(truth, inputs, shots, figures.get("verdicts", {}).get("differ", []))
    if "verdicts" in figures:
        figures["alone"] = alone
    return Measured(
        name=entry.name,
        game=truth["game"],
        seed=entry.game.seed if entry.game else None,
        shots=len(truth.get("shots", ())),
        figures=figures,
        errors=scored.errors,
        wrong=wrong,
        lost=missed_shots(shots, truth.get("shots", [])),
    )
