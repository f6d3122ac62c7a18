"""``cueref analyze``: its options."""

from pathlib import Path
from typing import Any

import click

from calibration.tables import TABLES
from referee.app.analyze.pool import cores, get_ready
from referee.app.options import FILE, GAMES
from referee.app.words import LANGUAGES


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("--game", type=click.Choice(GAMES), required=True, help="What is played.")
@click.option("--table", "table_name", type=click.Choice(tuple(TABLES)), help="Default: the game's own full size.")
@click.option("--length", type=float, help="Measured table: between the cushions' noses, mm.")
@click.option("--width", type=float, help="Measured table: between the cushions' noses, mm.")
@click.option("--ball-diameter", type=float, help="Measured table: mm.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the results.")
@click.option("--calibration", type=FILE, help="An earlier calibration.json, for all inputs.")
@click.option("--points", type=FILE, help="JSON of named points of the table and their pixels.")
@click.option("--baulk", type=click.Choice(["left", "right", "top", "bottom"]), help="Picture side of the baulk end.")
@click.option("--state", type=FILE, help="JSON of the state in which each clip begins.")
@click.option("--inputs", "inputs_file", type=FILE, help="JSON Lines of nominations and what officials say.")
@click.option("--nominations", type=click.Choice(["inferred", "required"]), default="inferred", show_default=True)
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of calls and reports.")
@click.option("--tracks", type=click.Choice(["parquet", "csv"]), default="parquet", show_default=True)
@click.option("--overlay", is_flag=True, help="Also write overlay.mp4 (a still: overlay.png).")
@click.option("--report", is_flag=True, help="Also write report.html, one file that opens offline.")
@click.option("--fps", help="A folder or pattern of pictures is a sequence of so many a second.")
@click.option("--jobs", type=click.IntRange(1), help="Inputs worked on at once. Default: one a core.")
@click.option("--again", is_flag=True, help="Analyze anew what is already finished.")
def analyze(inputs: tuple[str, ...], jobs: int | None, **options: Any) -> None:
    """Analyze footage of a table: videos, pictures, folders, globs, or sequences like frames/%05d.png.

    For each input a folder OUT/<name of the file> with calibration.json, balls.json, tracks.parquet, shots.jsonl,
    verdicts.jsonl, calls.vtt and summary.json. What is finished is not done again, so a run that was stopped goes on
    where it was.

    Exit codes: 0 all done, 1 some inputs failed (one line each on standard error and in OUT/failed.jsonl; the others
    are complete), 2 wrong use.
    """
    count = jobs or cores()
    if count > 1 and _may_be_several(inputs):
        get_ready()
    # other processes load what they need while this one does
    from referee.app.analyze.run import run

    run(inputs, jobs=count, **options)


def _may_be_several(inputs: tuple[str, ...]) -> bool:
    return len(inputs) > 1 or any(character in inputs[0] for character in "*?[") or Path(inputs[0]).is_dir()
