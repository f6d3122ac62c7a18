"""All the figures of one analysis against its truth, and the totals of a set."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from referee.app.score.analysis import Analysis, Array
from referee.app.score.by_eye import by_eye_figures, is_by_eye
from referee.app.score.clips import box_figures, frame_figures
from referee.app.score.events import (
    claimed_events,
    event_figures,
    first_contact_figures,
    pot_figures,
    timing_errors_ms,
)
from referee.app.score.matching import rates
from referee.app.score.stills import (
    Detections,
    ball_diameter_mm,
    class_areas,
    count_figures,
    detections,
    mask_figures,
)
from referee.app.score.verdicts import verdict_figures


@dataclass(slots=True, kw_only=True)
class Scored:
    """One input's figures, and what of it is counted together with the other inputs of a set.

    errors: the single errors behind the figures, ``position`` in mm, and of each kind of event the time in ms.
    """

    stem: str
    figures: dict[str, Any] = field(default_factory=dict)
    detections: Detections | None = None
    areas: Array | None = None
    errors: dict[str, list[float]] = field(default_factory=dict)


def score_one(analysis: Analysis, truth: dict[str, Any], mask: Path | None = None) -> Scored:
    """Every figure that the truth's fields allow; raises ScoreError for an unreadable mask."""
    scored = Scored(stem=analysis.stem)
    figures = scored.figures
    if is_by_eye(truth):
        figures["by_eye"] = by_eye_figures(analysis, truth)
        return scored
    figures |= count_figures(analysis.balls or [], truth)
    scored.detections = detections(analysis, truth)
    if scored.detections is not None:
        figures |= scored.detections.figures()
    if mask is not None:
        scored.areas = class_areas(analysis, mask)
        figures["mask"] = mask_figures(scored.areas)
    names: dict[str, str] = {}
    if "frames" in truth:
        diameter_mm = ball_diameter_mm(analysis, truth)
        figures["tracking"], names, scored.errors["position"] = frame_figures(analysis, truth, diameter_mm)
    if "boxes" in truth:
        figures["boxes"] = box_figures(analysis, truth)
    shots = analysis.shots or []
    if "pot" in truth:
        figures["pot"] = pot_figures(shots, truth["pot"])
    true_shots = truth.get("shots") or []
    true_events = truth.get("events") or [event for shot in true_shots for event in shot.get("events", ())]
    if "events" in truth or "shots" in truth:
        figures["events"] = event_figures(claimed_events(shots), true_events, names)
        scored.errors |= timing_errors_ms(claimed_events(shots), true_events, names)
    if "shots" in truth:
        figures["first_contact"] = first_contact_figures(shots, true_shots, names)
    if "verdicts" in truth:
        figures["verdicts"] = verdict_figures(analysis.verdicts or [], shots, truth["verdicts"], true_shots)
    return scored


def _summed(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    total: Counter[str] = Counter()
    for part in parts:
        total.update({name: value for name, value in part.items() if isinstance(value, int)})
    return dict(total)


def _rates_of(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    total = _summed(parts)
    return rates(*(total.get(name, 0) for name in ("true_positives", "false_positives", "false_negatives")))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(float(np.mean(known)), 4) if known else None


def _right(parts: Sequence[dict[str, Any]], key: str = "right") -> dict[str, int]:
    asked = [part[key] for part in parts if key in part]
    return {"right": sum(asked), "of": len(asked)}


def _tracking_totals(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Errors summed; MOTA of the sums; IDF1 and HOTA as means over the clips."""
    found = _rates_of([part["detection"] for part in parts])
    true = (found["true_positives"] or 0) + (found["false_negatives"] or 0)
    sums = _summed(parts)
    errors = sums["misses"] + sums["false_positives"] + sums["switches"]
    return {
        "frames": sums["frames"],
        "detection": found,
        "mota": round(1 - errors / true, 4) if true else None,
        "switches": sums["switches"],
        **{f"mean_{name}": _mean([part[name] for part in parts]) for name in ("idf1", "hota", "deta", "assa")},
        "median_of_median_mm": _mean([part["position"]["median_mm"] for part in parts]),
    }


def _event_totals(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    kinds = sorted({kind for part in parts for kind in part})
    total: dict[str, Any] = {}
    for kind in kinds:
        each = [part[kind] for part in parts if kind in part]
        total[kind] = _rates_of(each)
        total[kind]["mean_of_median_ms"] = _mean([one["timing"]["median_ms"] for one in each])
        exact = [one["exact"] for one in each if "exact" in one]
        if exact:
            total[kind]["exact"] = _rates_of(exact)
    return total


def totals(scored: Sequence[Scored]) -> dict[str, Any]:
    """What a set of inputs gives together: counts summed, rates of the sums, average precision over all boxes."""
    every = [one.figures for one in scored]

    def parts(name: str) -> list[dict[str, Any]]:
        return [figures[name] for figures in every if figures.get(name)]

    total: dict[str, Any] = {"inputs": len(scored)}
    for name in ("count", "colours"):
        if parts(name):
            total[name] = _right(parts(name))
    pooled = Detections()
    for one in scored:
        if one.detections is not None:
            pooled.add(one.detections)
    if any(one.detections is not None for one in scored):
        total |= pooled.figures()
    areas = [one.areas for one in scored if one.areas is not None]
    if areas:
        total["mask"] = mask_figures(np.sum(areas, axis=0))
    if parts("tracking"):
        total["tracking"] = _tracking_totals(parts("tracking"))
    if parts("boxes"):
        total["boxes"] = _right([box for part in parts("boxes") for box in part.values()])
    if parts("pot"):
        total["pot"] = {
            "pot_or_none": _right(parts("pot")),
            "ball": _right(parts("pot"), "ball_right"),
            "ball_and_pocket": _right(parts("pot"), "ball_and_pocket_right"),
        }
    if parts("events"):
        total["events"] = _event_totals(parts("events"))
    for name in ("first_contact", "verdicts", "by_eye"):
        if parts(name):
            total[name] = _summed(parts(name))
    return total
