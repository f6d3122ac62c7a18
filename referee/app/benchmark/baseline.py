"""A committed baseline: each clip's figures, and by how much each may get worse before that is a failure."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.app.benchmark.figures import FIGURES, Values, as_text


class BaselineError(Exception):
    """A baseline can't be read; the message says which and why."""


def write_baseline(path: Path, suite: str, clips: Mapping[str, Values]) -> None:
    """A baseline with the margins of `FIGURES`, in an order that makes a change easy to read."""
    data = {
        "suite": suite,
        "margins": {figure.key: figure.margin for figure in FIGURES},
        "clips": {name: dict(clips[name]) for name in sorted(clips)},
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def read_baseline(path: Path) -> dict[str, Any]:
    """Raises BaselineError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        known = {figure.key for figure in FIGURES}
        if set(data["margins"]) != known or any(set(values) != known for values in data["clips"].values()):
            raise BaselineError(f"{path}: its figures aren't those of this version; renew it")
    except OSError as error:
        raise BaselineError(f"{path}: can't be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BaselineError(f"{path}: not a baseline ({error})") from None
    return dict(data)


def setbacks(baseline: Mapping[str, Any], name: str, found: Values) -> list[str]:
    """One line for each figure of a clip that is worse than the baseline by more than its margin."""
    kept = baseline["clips"].get(name)
    if kept is None:
        return [f"{name}: not in the baseline"]
    lines = []
    for figure in FIGURES:
        was, now, margin = kept[figure.key], found[figure.key], baseline["margins"][figure.key]
        if was is None:
            continue
        worse = None if now is None else (was - now if figure.more_is_better else now - was)
        if worse is None or worse > margin + 1e-9:
            lines.append(
                f"{name}: {figure.title} was {as_text(figure, was)}, is {as_text(figure, now)}, margin {margin:g}"
            )
    return lines
