"""``cueref calibrate``: a picture or a clip in, its calibration and a preview to check it by out."""

import sys
from pathlib import Path

import click
import cv2

from calibration.preview import draw_preview
from calibration.result import Calibration
from calibration.tables import TABLES
from referee.app.analyze.calibrating import NotCalibrated, calibration_for, sample_pictures
from referee.app.analyze.folder import write_json
from referee.app.analyze.inputs import Input, find_inputs
from referee.app.analyze.settings import Settings
from referee.app.options import FILE, GAMES, chosen_table, read_calibration, read_points
from vision.frames import SourceError

POINT_NAMES = """\b
Points for --points FILE, a JSON object {"name": [u, v], ...} in pixels, at least four:
  bottom-left bottom-right top-left top-right   where the noses of two cushions would meet
  middle-left middle-right                      the middle of the side's nose line, over the pocket
  yellow brown green blue pink black            spots on the cloth (snooker)
  d-left d-right d-bottom                       ends of the D on the baulk line, and its deepest point
  baulk-left baulk-right                        ends of the baulk line at the cushions
  head_spot centre_spot foot_spot               spots on the cloth (pool, pyramid)
The bottom is the baulk (head) end; left and right are those of a player who stands there.
"""


def said(calibration: Calibration) -> str:
    """One line on how good a calibration is."""
    return (
        f"found by {calibration.found_by} from {', '.join(calibration.used)}; off by {calibration.residual_px:.2f} px "
        f"or {calibration.residual_mm:.1f} mm rms, {calibration.residual_max_px:.1f} px at most; "
        f"baulk end by {calibration.baulk_by}"
    )


def _calibrated(source: Input, settings: Settings, out: Path, preview: bool) -> None:
    found = calibration_for(source, settings)
    folder = out / source.stem
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "calibration.json", found.to_json())
    click.echo(f"{folder / 'calibration.json'}: {said(found)}")
    for warning in found.warnings:
        click.echo(f"cueref: {source.path}: {warning}", err=True)
    if preview:
        drawn = draw_preview(sample_pictures(source)[0], found)
        cv2.imwrite(str(folder / "preview.png"), drawn)
        click.echo(f"{folder / 'preview.png'}: the markings drawn back; look whether they lie on the picture's own")


@click.command(epilog=POINT_NAMES)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("--game", type=click.Choice(GAMES), required=True, help="What is played.")
@click.option("--table", "table_name", type=click.Choice(tuple(TABLES)), help="Default: the game's own full size.")
@click.option("--length", type=float, help="Measured table: between the cushions' noses, mm.")
@click.option("--width", type=float, help="Measured table: between the cushions' noses, mm.")
@click.option("--ball-diameter", type=float, help="Measured table: mm.")
@click.option("--points", type=FILE, help="JSON of named points of the table and their pixels; names below.")
@click.option("--baulk", type=click.Choice(["left", "right", "top", "bottom"]), help="Picture side of the baulk end.")
@click.option("--calibration", type=FILE, help="An earlier calibration.json of the same camera, to check or draw.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the results.")
@click.option("--preview", is_flag=True, help="Also write preview.png, the table's markings drawn over the picture.")
def calibrate(
    inputs: tuple[str, ...],
    game: str,
    table_name: str | None,
    length: float | None,
    width: float | None,
    ball_diameter: float | None,
    points: Path | None,
    baulk: str | None,
    calibration: Path | None,
    out: Path,
    preview: bool,
) -> None:
    """Find the table in a picture or a clip and solve the camera.

    For each input OUT/<name of the file>/calibration.json: camera matrix, distortion, pose, table, residuals in px and
    mm, and what decided which end is baulk. An earlier calibration or named points are used where nothing is found.

    Exit codes: 0 done, 1 no table found in some input (one line says why), 2 wrong use.
    """
    table = chosen_table(game, table_name, length, width, ball_diameter)
    given = read_calibration(calibration) if calibration is not None else None
    settings = Settings(
        game=game,
        table=given.table if given is not None else table,
        calibration=given,
        points=read_points(points, table) if points is not None else None,
        baulk=baulk,
    )
    found, unusable = find_inputs(inputs, None, leave_out=out)
    failed = bool(unusable)
    for each in unusable:
        click.echo(f"cueref: {each.path}: {each.reason}", err=True)
    for source in found:
        try:
            _calibrated(source, settings, out, preview)
        except (NotCalibrated, SourceError) as error:
            failed = True
            click.echo(f"cueref: {error}", err=True)
        except OSError as error:
            raise click.UsageError(f"--out {out}: can't be written: {error.strerror or error}") from None
    sys.exit(1 if failed else 0)
