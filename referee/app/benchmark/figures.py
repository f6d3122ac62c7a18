"""The figures of a suite as they are tabled, kept as a baseline and plotted over a sweep."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.app.score.matching import rates

Figures = Mapping[str, Any]
Values = dict[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number of a clip's figures. ``margin``: by how much it may get worse than a baseline; 0 for counts of what
    must not happen at all. ``unit``: share, mm, ms or count.
    """

    key: str
    title: str
    get: Callable[[Figures], float | None]
    unit: str = "share"
    more_is_better: bool = True
    margin: float = 0.01


def _tracking(*path: str) -> Callable[[Figures], float | None]:
    def get(figures: Figures) -> float | None:
        value: Any = figures.get("tracking")
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        return value if isinstance(value, int | float) else None

    return get


def event_rates(figures: Figures, *, exact: bool) -> dict[str, Any]:
    """Counts, precision, recall and F1 over the events of all kinds; ``exact``: also by what they are about."""
    kinds = figures.get("events", {})
    parts = [part.get("exact", part) if exact else part for part in kinds.values()]
    return rates(
        *(sum(part[name] for part in parts) for name in ("true_positives", "false_positives", "false_negatives"))
    )


def _events(exact: bool) -> Callable[[Figures], float | None]:
    return lambda figures: event_rates(figures, exact=exact)["f1"]


def _late(kind: str) -> Callable[[Figures], float | None]:
    return lambda figures: figures.get("events", {}).get(kind, {}).get("timing", {}).get("median_ms")


def _pots(figures: Figures) -> float | None:
    part = figures.get("events", {}).get("pocket", {}).get("exact")
    return part["f1"] if part else None


def _first_contact(figures: Figures) -> float | None:
    part = figures.get("first_contact")
    return round(part["right"] / part["shots"], 4) if part and part["shots"] else None


def _verdicts(name: str, part: str = "verdicts") -> Callable[[Figures], float | None]:
    return lambda figures: figures[part][name] if part in figures else None


FIGURES = (
    Figure(key="precision", title="found: precision", get=_tracking("detection", "precision"), margin=0.01),
    Figure(key="recall", title="found: recall", get=_tracking("detection", "recall"), margin=0.01),
    Figure(key="f1", title="found: F1", get=_tracking("detection", "f1"), margin=0.01),
    Figure(key="identity", title="name right", get=_tracking("identity", "accuracy"), margin=0.01),
    Figure(
        key="rmse_mm",
        title="place RMSE, mm",
        get=_tracking("position", "rmse_mm"),
        unit="mm",
        more_is_better=False,
        margin=0.5,
    ),
    Figure(key="mota", title="MOTA", get=_tracking("mota"), margin=0.02),
    Figure(key="idf1", title="IDF1", get=_tracking("idf1"), margin=0.02),
    Figure(key="hota", title="HOTA", get=_tracking("hota"), margin=0.02),
    Figure(key="events_f1", title="events F1", get=_events(False), margin=0.05),
    Figure(key="exact_f1", title="events F1, exact", get=_events(True), margin=0.05),
    Figure(key="contact_ms", title="contact, ms", get=_late("contact"), unit="ms", more_is_better=False, margin=3.0),
    Figure(key="first_contact", title="hit first right", get=_first_contact, margin=0.0),
    Figure(key="pots_f1", title="pots F1", get=_pots, margin=0.0),
    Figure(key="right", title="verdicts right", get=_verdicts("right"), unit="count", margin=0.0),
    Figure(
        key="open",
        title="left to the referee",
        get=_verdicts("undecided"),
        unit="count",
        more_is_better=False,
        margin=1.0,
    ),
    Figure(
        key="wrong", title="wrong and final", get=_verdicts("wrong"), unit="count", more_is_better=False, margin=0.0
    ),
    Figure(key="missing", title="no verdict", get=_verdicts("missing"), unit="count", more_is_better=False, margin=0.0),
    Figure(key="invented", title="invented", get=_verdicts("invented"), unit="count", more_is_better=False, margin=0.0),
    Figure(key="alone_right", title="alone: right", get=_verdicts("right", "alone"), unit="count", margin=0.0),
    Figure(
        key="alone_open",
        title="alone: open",
        get=_verdicts("undecided", "alone"),
        unit="count",
        more_is_better=False,
        margin=1.0,
    ),
    Figure(
        key="alone_wrong",
        title="alone: wrong",
        get=_verdicts("wrong", "alone"),
        unit="count",
        more_is_better=False,
        margin=0.0,
    ),
)


def values(figures: Figures) -> Values:
    """The tabled numbers of one clip; None where its truth or analysis doesn't tell."""
    return {figure.key: figure.get(figures) for figure in FIGURES}


def as_text(figure: Figure, value: float | None) -> str:
    if value is None:
        return "—"
    if figure.unit == "count":
        return f"{value:.0f}"
    return f"{value:.4f}" if figure.unit == "share" else f"{value:.2f}" if figure.unit == "mm" else f"{value:.1f}"


def merged(parts: Sequence[Figures]) -> Figures:
    """Figures of several clips as of one: counts summed, rates of the sums, errors and scores weighted by counts."""
    tracked = [part["tracking"] for part in parts if "tracking" in part]
    total: dict[str, Any] = {}
    if tracked:
        total["tracking"] = _merged_tracking(tracked)
    kinds = sorted({kind for part in parts for kind in part.get("events", {})})
    if kinds:
        total["events"] = {
            kind: _merged_kind([p["events"][kind] for p in parts if kind in p.get("events", {})]) for kind in kinds
        }
    for name in ("first_contact", "verdicts", "alone"):
        each = [part[name] for part in parts if name in part]
        if each:
            total[name] = _sums(each)
    return total


def _sums(parts: Sequence[Figures]) -> dict[str, Any]:
    names = {name for part in parts for name, value in part.items() if isinstance(value, int)}
    return {name: sum(part.get(name, 0) for part in parts) for name in sorted(names)}


def _rates(parts: Sequence[Figures]) -> dict[str, Any]:
    sums = _sums(parts)
    return rates(*(sums[name] for name in ("true_positives", "false_positives", "false_negatives")))


def _weighted(pairs: Sequence[tuple[float | None, float]]) -> float | None:
    known = [(value, weight) for value, weight in pairs if value is not None]
    whole = sum(weight for _, weight in known)
    return round(sum(value * weight for value, weight in known) / whole, 4) if whole else None


def _merged_tracking(parts: Sequence[Figures]) -> dict[str, Any]:
    found = _rates([part["detection"] for part in parts])
    true = [part["detection"]["true_positives"] + part["detection"]["false_negatives"] for part in parts]
    sums = _sums(parts)
    named = _sums([part["identity"] for part in parts])
    errors = sums["misses"] + sums["false_positives"] + sums["switches"]
    squares = _weighted([((p["position"]["rmse_mm"] or 0.0) ** 2, p["position"]["count"]) for p in parts])
    return {
        "frames": sums["frames"],
        "switches": sums["switches"],
        "detection": found,
        "identity": {**named, "accuracy": round(named["right"] / named["of"], 4) if named.get("of") else None},
        "position": {"rmse_mm": round(squares**0.5, 3) if squares is not None else None},
        "mota": round(1 - errors / sum(true), 4) if sum(true) else None,
        **{
            name: _weighted([(part[name], n) for part, n in zip(parts, true, strict=True)]) for name in ("idf1", "hota")
        },
    }


def _merged_kind(parts: Sequence[Figures]) -> dict[str, Any]:
    timings = [(part["timing"]["median_ms"], part["timing"]["count"]) for part in parts]
    total = {**_rates(parts), "timing": {"count": sum(n for _, n in timings), "median_ms": _weighted(timings)}}
    exact = [part["exact"] for part in parts if "exact" in part]
    return total | ({"exact": _rates(exact)} if exact else {})
