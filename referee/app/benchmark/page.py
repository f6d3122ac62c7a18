"""The suite's report: one HTML file that opens offline."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from referee.app.benchmark.figures import FIGURES, Figure, as_text, merged, values
from referee.app.benchmark.plots import confusion, cumulative, curves, ranges
from referee.app.benchmark.scoring import Measured
from referee.app.score.events import WINDOW_S

LEAST_MM = 0.05
"""Place errors below this are drawn as this."""
SWEPT = ("f1", "rmse_mm", "mota", "idf1", "hota", "events_f1", "exact_f1", "first_contact", "right", "open", "wrong")


def _figure_table(clips: Sequence[Measured]) -> str:
    """A row a clip, and one of all together, under the figures' names."""
    rows = [
        (clip.name, f"{clip.game}, {clip.shots} shot{'' if clip.shots == 1 else 's'}", values(clip.figures))
        for clip in clips
    ]
    if len(clips) > 1:
        shots = f"{len(clips)} clips, {sum(clip.shots for clip in clips)} shots"
        rows.append(("all", shots, values(merged([clip.figures for clip in clips]))))
    heads = "".join(f"<th>{escape(figure.title)}</th>" for figure in FIGURES)
    lines = [f"<div class=scroll><table class=figures><tr><th></th>{heads}</tr>"]
    for name, what, found in rows:
        cells = "".join(_figure_cell(figure, found[figure.key]) for figure in FIGURES)
        lines.append(f"<tr><th>{escape(name)}<br><small>{escape(what)}</small></th>{cells}</tr>")
    return "".join(lines) + "</table></div>"


def _figure_cell(figure: Figure, value: float | None) -> str:
    bar = ""
    if figure.unit == "share" and value is not None:
        bar = f'<span class=bar style="width: {100 * min(1.0, max(0.0, value)):.0f}%"></span>'
    bad = figure.key in ("wrong", "invented", "alone_wrong") and value
    text = as_text(figure, value)
    return f"<td{' class=foul' if bad else ''}>{text}{bar}</td>"


def _event_rows(clips: Sequence[Measured]) -> str:
    together: Mapping[str, Any] = merged([clip.figures for clip in clips]).get("events", {})
    head = "<tr><th>event</th><th>true</th><th>precision</th><th>recall</th><th>F1</th><th>F1 exact</th></tr>"
    rows = []
    for kind, part in together.items():
        exact = part.get("exact")
        true = part["true_positives"] + part["false_negatives"]
        shares = [part["precision"], part["recall"], part["f1"], exact["f1"] if exact else None]
        cells = "".join(f"<td>{'—' if share is None else f'{share:.3f}'}</td>" for share in shares)
        rows.append(f"<tr><td>{escape(kind)}</td><td>{true}</td>{cells}</tr>")
    return f"<table class=events>{head}{''.join(rows)}</table>"


def _timing(clips: Sequence[Measured]) -> str:
    kinds = sorted({kind for clip in clips for kind in clip.errors if kind != "position"})
    late = {kind: [error for clip in clips for error in clip.errors.get(kind, ())] for kind in kinds}
    return ranges(
        late, "ms late (matched within 50 ms; box: middle half, line: 5 to 95 %; right: matched)", 1000 * WINDOW_S
    )


def _confusions(clips: Sequence[Measured]) -> str:
    total: dict[str, Counter[str]] = {}
    parts = []
    for clip in clips:
        counts = clip.figures.get("verdicts", {}).get("confusion", {})
        for meant, row in counts.items():
            total.setdefault(meant, Counter()).update(row)
        if counts and len(clips) <= 6:
            parts.append(f"<div><h3>{escape(clip.name)}</h3>{confusion(counts)}</div>")
    return f"<div class=side><div><h3>all</h3>{confusion(total)}</div>{''.join(parts)}</div>"


def _wrong(clips: Sequence[Measured]) -> str:
    rows = []
    for clip in clips:
        for each in clip.wrong:
            causes = "; ".join(each["causes"][:6]) or "the records agree in all that is compared"
            place = f"{escape(clip.name)}, shot {each['n']}, {each['t']:.2f} s"
            place += ", final" if each["final"] else ", alone"
            rows.append(
                f"<tr><td>{place}</td><td>{escape(', '.join(each['differ']))}</td><td>{escape(causes)}</td></tr>"
            )
        for each in clip.lost:
            what = "shot missed" if "missed" in each else "shot invented"
            what += "" if each.get("stroke", True) else " (an incident without a stroke)"
            rows.append(f"<tr><td>{escape(clip.name)}, {each['t']:.2f} s</td><td>{what}</td><td></td></tr>")
    if not rows:
        return "<p>None.</p>"
    head = "<tr><th>where</th><th>what differs</th><th>why</th></tr>"
    return f"<div class=scroll><table>{head}{''.join(rows)}</table></div>"


def _sweep(data: Mapping[str, Any]) -> str:
    merged_at = {value: values(merged(list(data["figures"][f"{value:g}"].values()))) for value in data["values"]}
    parts = [f"<section><h2>{escape(data['name'])}, now {data['default']:g}</h2><div class=side>"]
    for unit, title in (("share", "share"), ("mm", "mm"), ("count", "verdicts")):
        chosen = [figure for figure in FIGURES if figure.key in SWEPT and figure.unit == unit]
        series = {
            figure.title: [(value, found[figure.key] or 0.0) for value, found in sorted(merged_at.items())]
            for figure in chosen
        }
        parts.append(curves(series, data["name"], title, height=240.0))
    return "".join(parts) + "</div></section>"


def write_page(path: Path, title: str, clips: Sequence[Measured], sweeps: Sequence[Mapping[str, Any]]) -> None:
    """Figures, error distributions, timing errors, confusion of verdicts, what is wrong and why, and sweeps."""
    style = (files("referee.app.report") / "style.css").read_text(encoding="utf-8")
    style += (files("referee.app.benchmark") / "page.css").read_text(encoding="utf-8")
    places = {clip.name: cumulative(clip.errors.get("position", []), LEAST_MM) for clip in clips}
    body = [
        f"<h1>{escape(title)}</h1>",
        f"<section><h2>Figures</h2>{_figure_table(clips)}</section>",
        "<section><h2>Errors of places</h2>",
        curves(_fewer(places, clips), "mm off the true place", "share of balls and frames up to it", log_x=True),
        f"</section><section><h2>Events</h2>{_event_rows(clips)}",
        f"<h3>Errors of their times</h3>{_timing(clips)}</section>",
        f"<section><h2>Verdicts</h2>{_confusions(clips)}</section>",
        f"<section><h2>Wrong (final, or alone in the true state), missed and invented</h2>{_wrong(clips)}</section>",
        *(_sweep(data) for data in sweeps),
    ]
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    path.write_text(f"{head}{view}<style>{style}</style><body>{''.join(body)}</body></html>\n", encoding="utf-8")


def _fewer(
    places: Mapping[str, list[tuple[float, float]]], clips: Sequence[Measured]
) -> dict[str, list[tuple[float, float]]]:
    """Each clip's curve; of many clips one curve a game."""
    if len(places) <= 8:
        return {name: line for name, line in places.items() if line}
    games: dict[str, list[float]] = {}
    for clip in clips:
        games.setdefault(clip.game, []).extend(clip.errors.get("position", []))
    return {game: cumulative(errors, LEAST_MM) for game, errors in games.items() if errors}
