"""The figures of a suite as Markdown."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.app.benchmark.figures import FIGURES, Values, as_text, merged, values
from referee.app.benchmark.scoring import Measured

PERCENTILES = (50, 95)
MANY = 6
"""More clips than this are rows and not columns."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def clip_table(clips: Sequence[Measured]) -> str:
    """A row a figure, a column a clip, and one of all clips together; many clips the other way round."""
    columns: list[Values] = [values(clip.figures) for clip in clips]
    heads = [clip.name for clip in clips]
    facts = [
        ("game, seed", [f"{c.game}, {c.seed}" if c.seed is not None else c.game for c in clips]),
        ("frames", [str(c.figures.get("tracking", {}).get("frames", "—")) for c in clips]),
        ("shots", [str(c.shots) for c in clips]),
    ]
    if len(clips) > 1:
        columns.append(values(merged([clip.figures for clip in clips])))
        heads.append("all")
        facts[0][1].append("")
        for _, cells in facts[1:]:
            cells.append(str(sum(int(cell) for cell in cells if cell.isdigit())))
    rows: list[list[str]] = [[name, *cells] for name, cells in facts]
    for figure in FIGURES:
        rows.append([figure.title, *(as_text(figure, column[figure.key]) for column in columns)])
    whole = [["figure", *heads], *rows]
    if len(clips) > MANY:
        whole = [list(cells) for cells in zip(*whole, strict=True)]
        whole[0][0] = "clip"
    return table(whole[0], whole[1:])


def event_table(clips: Sequence[Measured]) -> str:
    """A row a kind of event, over all clips together; the timing error of matched events."""
    rows = []
    together: Mapping[str, Any] = merged([clip.figures for clip in clips]).get("events", {})
    for kind, part in together.items():
        exact = part.get("exact")
        late = sorted(abs(error) for clip in clips for error in clip.errors.get(kind, ()))
        timing = [f"{late[min(len(late) - 1, len(late) * p // 100)]:.1f}" if late else "—" for p in PERCENTILES]
        true = part["true_positives"] + part["false_negatives"]
        rates = [_share(part[name]) for name in ("precision", "recall", "f1")]
        rows.append([kind, str(true), *rates, _share(exact["f1"] if exact else None), *timing])
    return table(["event", "true", "precision", "recall", "F1", "F1 exact", "median, ms", "95 %, ms"], rows)


def _share(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}"


def wrong_list(clips: Sequence[Measured]) -> str:
    """Each wrong verdict, final or alone, with its cause, and the shots missed and invented."""
    lines = []
    for clip in clips:
        for each in clip.wrong:
            lines.append(
                f"- {clip.name}, shot {each['n']} at {each['t']:.2f} s, {'final' if each['final'] else 'alone'} "
                f"({', '.join(each['differ'])}): "
                + "; ".join(each["causes"][:4] or ["the records agree in all that is compared"])
            )
        for each in clip.lost:
            what = f"shot {each['missed']} missed" if "missed" in each else f"shot {each['invented']} invented"
            what += "" if each.get("stroke", True) else " (an incident without a stroke)"
            lines.append(f"- {clip.name}: {what} at {each['t']:.2f} s")
    return "\n".join(lines) + "\n" if lines else "None.\n"


def report_text(clips: Sequence[Measured]) -> str:
    """All tables."""
    return "\n".join(
        [
            clip_table(clips),
            event_table(clips),
            "Wrong (final, or alone in the true state), missed, invented:\n",
            wrong_list(clips),
        ]
    )


def sweep_table(data: Mapping[str, Any]) -> str:
    """A row a value of the swept constant; the figures of all clips together."""
    shown = [figure for figure in FIGURES if figure.key not in ("precision", "recall", "missing")]
    rows = []
    for value in data["values"]:
        found = values(merged(list(data["figures"][f"{value:g}"].values())))
        mark = " (now)" if value == data["default"] else ""
        rows.append([f"{value:g}{mark}", *(as_text(figure, found[figure.key]) for figure in shown)])
    return table([data["name"], *(figure.title for figure in shown)], rows)
