"""Options that several commands share, and the reading of the files that they name."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration.tables import DEFAULT_TABLE, TABLES, TableSpec, measured_table

if TYPE_CHECKING:
    from calibration.result import Calibration

GAMES = tuple(DEFAULT_TABLE)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def chosen_table(
    game: str, name: str | None, length: float | None, width: float | None, ball: float | None
) -> TableSpec:
    """The table by name, by its measures, or the game's own; raises click.UsageError."""
    given = [value is not None for value in (length, width, ball)]
    if any(given) and name is not None:
        raise click.UsageError("give either --table or the measures, not both")
    if length is not None and width is not None and ball is not None:
        if not 0 < 8 * ball < width <= length:
            raise click.UsageError("the table must be longer than wide and the ball much smaller than the table (mm)")
        return measured_table(TABLES[DEFAULT_TABLE[game]].family, length, width, ball)
    if any(given):
        raise click.UsageError("a measured table needs --length, --width and --ball-diameter, all three in mm")
    return TABLES[name or DEFAULT_TABLE[game]]


def read_text(option: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise click.UsageError(f"{option} {path}: not a text file in UTF-8") from None
    except OSError as error:
        raise click.UsageError(f"{option} {path}: {error.strerror or error}") from None


def read_object(option: str, path: Path) -> dict[str, Any]:
    try:
        data = json.loads(read_text(option, path))
    except ValueError as error:
        raise click.UsageError(f"{option} {path}: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise click.UsageError(f"{option} {path}: expected one JSON object, got {type(data).__name__}")
    return data


def read_calibration(path: Path) -> "Calibration":
    """An earlier ``calibration.json``; raises click.UsageError."""
    from calibration.result import Calibration  # loads OpenCV, which the options alone don't need

    try:
        return Calibration.from_json(read_object("--calibration", path))
    except (KeyError, TypeError, ValueError) as error:
        what = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise click.UsageError(f"--calibration {path}: not a calibration.json of cueref: {what}") from None


def read_points(path: Path, table: TableSpec) -> dict[str, tuple[float, float]]:
    """Named points of the table and their pixels, ``{"bottom-left": [u, v], …}``; raises click.UsageError."""
    from calibration.points import named_points

    known = named_points(table)
    points = {}
    for name, at in read_object("--points", path).items():
        if not (isinstance(at, list) and len(at) == 2 and all(isinstance(value, int | float) for value in at)):
            raise click.UsageError(f"--points {path}: {name}: expected [u, v] in px")
        if name not in known:
            raise click.UsageError(f"--points {path}: unknown point {name!r}; this table has {', '.join(known)}")
        points[name] = (float(at[0]), float(at[1]))
    return points
