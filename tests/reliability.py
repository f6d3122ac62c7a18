"""Counts how often events of each confidence are right, over analyses of clips whose truth is known.

    python -m tests.reliability RESULTS TRUTHS

RESULTS is a folder of `cueref analyze`'s folders, TRUTHS one with NAME.truth.json for each. An event is right where one
of its kind with the same balls, cushion, pocket or line is true within `WINDOW_S`. Of the events with confidence c a
share of about c should be right.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from referee.app.names import same_ball
from referee.app.score.analysis import Analysis, read_analysis, read_json
from referee.app.score.clips import frame_figures
from referee.app.score.matching import nearest_pairs
from referee.app.score.stills import ball_diameter_mm

WINDOW_S, LONG_WINDOW_S = 0.2, 0.6
LONG = frozenset({"rest", "pocket", "fell", "off_table"})
"""Kinds that end something: a ball's last crawl, a drop out of sight."""

EDGES = (0.0, 0.5, 0.65, 0.75, 0.85, 0.925, 1.001)
Event = dict[str, Any]
Judged = tuple[str, float, bool]


def same(said: Event, true: Event, names: dict[str, str]) -> bool:
    """Whether both are about the same balls and the same part of the table; names: the true name of each track."""
    mine, theirs = _balls(said), _balls(true)
    fits = [[names.get(a, a) == b or (a not in names and same_ball(a, b)) for b in theirs] for a in mine]
    if len(mine) != len(theirs):
        return False
    straight = all(fits[i][i] for i in range(len(mine)))
    crossed = len(mine) == 2 and fits[0][1] and fits[1][0]
    return (straight or crossed) and all(said.get(key) == true.get(key) for key in ("cushion", "pocket", "line"))


def _balls(event: Event) -> list[str]:
    return list(event.get("balls") or ([event["ball"]] if "ball" in event else []))


def judged(analysis: Analysis, truth: dict[str, Any]) -> Iterator[Judged]:
    """Kind and confidence of each event of an analysis, and whether it is right."""
    names: dict[str, str] = {}
    if "frames" in truth:
        _, names, _ = frame_figures(analysis, truth, ball_diameter_mm(analysis, truth))
    found = [event for shot in analysis.shots or [] for event in shot["events"]]
    for kind in sorted({event["kind"] for event in found}):
        said = [event for event in found if event["kind"] == kind]
        meant = [event for event in truth["events"] if event["kind"] == kind]
        cost = np.full((len(said), len(meant)), np.inf)
        for i, event in enumerate(said):
            for j, true in enumerate(meant):
                if same(event, true, names):
                    cost[i, j] = abs(event["t"] - true["t"])
        right = {i for i, _ in nearest_pairs(cost, LONG_WINDOW_S if kind in LONG else WINDOW_S)}
        yield from ((kind, float(event.get("confidence", 1.0)), i in right) for i, event in enumerate(said))


def table(events: list[Judged]) -> str:
    """One row a kind and range of confidence: how many events, their mean confidence, the share that is right."""
    groups: dict[tuple[str, int], list[tuple[float, bool]]] = defaultdict(list)
    for kind, confidence, right in events:
        groups[kind, int(np.searchsorted(EDGES, confidence, side="right")) - 1].append((confidence, right))
    rows = ["| event | confidence | events | right |", "| --- | --- | --- | --- |"]
    for (kind, _), each in sorted(groups.items()):
        said, right = np.mean([c for c, _ in each]), np.mean([ok for _, ok in each])
        rows.append(f"| {kind} | {said:.2f} | {len(each)} | {right:.2f} |")
    return "\n".join(rows)


def main(results: Path, truths: Path) -> str:
    """The table of all analyses that have a truth."""
    events: list[Judged] = []
    for folder in sorted(path for path in results.iterdir() if path.is_dir()):
        truth = truths / f"{folder.name}.truth.json"
        if truth.is_file():
            events += judged(read_analysis(folder), read_json(truth))
    return table(events)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(main(Path(sys.argv[1]), Path(sys.argv[2])))
