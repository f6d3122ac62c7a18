"""``cueref live``: a camera, a stream or a file watched, and a match refereed on the pages that it serves."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from calibration.tables import TABLES, TableSpec
from referee.app.options import FILE, GAMES, chosen_table, read_calibration, read_object
from referee.app.words import LANGUAGES

PORT = 8147
SIZE = re.compile(r"(\d{2,5})x(\d{2,5})")
GIGABYTE = 1_000_000_000


def _size(value: str) -> tuple[int, int]:
    found = SIZE.fullmatch(value.lower())
    if found is None:
        raise click.UsageError(f"--size {value}: expected width x height in px, such as 1920x1080")
    return int(found.group(1)), int(found.group(2))


def _speed(value: str) -> float:
    try:
        speed = float("inf") if value == "max" else float(value)
    except ValueError:
        speed = 0.0
    if not speed > 0:
        raise click.UsageError(f"--speed {value}: expected a number above 0, or max")
    return speed


def _players(value: str | None) -> dict[str, Any]:
    if value is None:
        return {"players": ["A", "B"]}
    names = [name.strip() for name in value.split(",")]
    if len(names) != 2 or not all(names) or names[0] == names[1]:
        raise click.UsageError(f"--players {value}: expected two different names, such as Ann,Bob; pairs are set up")
    return {"players": names}


def _table_json(table: TableSpec) -> Any:
    from referee.app.analyze.opening import table_json

    return table_json(table)


@click.command()
@click.argument("source", required=False)
@click.option("--game", type=click.Choice(GAMES), help="What is played; needed with --start.")
@click.option("--table", "table_name", type=click.Choice(tuple(TABLES)), help="Default: the game's own full size.")
@click.option("--length", type=float, help="Measured table: between the cushions' noses, mm.")
@click.option("--width", type=float, help="Measured table: between the cushions' noses, mm.")
@click.option("--ball-diameter", type=float, help="Measured table: mm.")
@click.option("--matches", "folder", type=click.Path(file_okay=False, path_type=Path), default=Path("matches"),
              show_default=True, help="Folder in which matches are kept.")  # fmt: skip
@click.option("--calibration", type=FILE, help="An earlier calibration.json of this camera; used without asking.")
@click.option("--auto", is_flag=True, help="Use the calibration that is found without asking, and again if moved.")
@click.option("--baulk", type=click.Choice(["left", "right", "top", "bottom"]), help="Picture side of the baulk end.")
@click.option("--start", is_flag=True, help="Begin a match at once.")
@click.option("--players", help="With --start: two names, such as Ann,Bob.")
@click.option("--frames", type=click.IntRange(1), default=1, show_default=True, help="With --start: to win the match.")
@click.option("--state", type=FILE, help="With --start: JSON of the state in which play begins.")
@click.option("--nominations", type=click.Choice(["inferred", "required"]), default="inferred", show_default=True)
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of the calls.")
@click.option("--espeak", is_flag=True, help="Speak the calls on this machine, with espeak-ng.")
@click.option("--size", default="1280x720", show_default=True, help="Asked of a camera.")
@click.option("--fps", type=click.FloatRange(1, 240), default=30.0, show_default=True, help="Asked of a camera.")
@click.option("--speed", default="1", show_default=True, help="A file: so many times its own pace, or max.")
@click.option("--loop", is_flag=True, help="A file: again and again.")
@click.option("--record", type=click.Choice(["auto", "copy", "encode", "off"]), default="auto", show_default=True,
              help="Video: as it comes where a browser plays it; always; coded anew; none.")  # fmt: skip
@click.option("--space", type=click.FloatRange(0.1), default=50.0, show_default=True, help="GB for all video.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Listen there; others than this machine need a "
              "referee's code.")  # fmt: skip
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True)
@click.option("--code-file", type=FILE, help="The referee's code. Default: made up and shown, where one is needed.")
@click.option("--name", "names", multiple=True, help="Another host name under which the pages are opened.")
@click.option("--certificate", type=FILE, help="PEM, with --key: serve over HTTPS.")
@click.option("--key", type=FILE, help="PEM.")
def live(
    source: str | None,
    game: str | None,
    table_name: str | None,
    length: float | None,
    width: float | None,
    ball_diameter: float | None,
    folder: Path,
    calibration: Path | None,
    auto: bool,
    baulk: str | None,
    start: bool,
    players: str | None,
    frames: int,
    state: Path | None,
    nominations: str,
    lang: str,
    espeak: bool,
    size: str,
    fps: float,
    speed: str,
    loop: bool,
    record: str,
    space: float,
    host: str,
    port: int,
    code_file: Path | None,
    names: tuple[str, ...],
    certificate: Path | None,
    key: Path | None,
) -> None:
    """Referee a match as it is played, on pages for the wall, the table and the referee's tablet.

    SOURCE is a camera's number (0), a device (/dev/video0), an address (rtsp://… or http://…), or a video file, which
    is played as if it were a camera, from its start when a match begins. Without it the camera is off, and everything
    is entered by hand.

    Each match is kept in a folder of its own below --matches: its log, which is on the disk before a call is made, its
    calibration, its video in pieces, and the balls' tracks.

    Exit codes: 0 stopped, 1 the address or the source can't be used, 2 wrong use.
    """
    from referee.app.analyze.folder import check_writable
    from referee.app.desk.matches import Matches
    from referee.app.desk.store import StoreError
    from referee.app.review.api import review_endpoints
    from referee.app.review.shelf import Shelf
    from referee.app.server.app import build_app
    from referee.app.server.options import access_of
    from referee.app.server.serve import CannotServe, names_of, run
    from vision.frames import SourceError

    if start and game is None:
        raise click.UsageError("--start needs --game")
    table = chosen_table(game, table_name, length, width, ball_diameter) if game is not None else None
    given = read_calibration(calibration) if calibration is not None else None
    header = _header(game, given.table if given is not None else table, players, frames, state, nominations, lang)
    try:
        check_writable(folder)
    except OSError as error:
        raise click.UsageError(f"--matches {folder}: can't be written: {error.strerror or error}") from None
    access = access_of(host, code_file, folder)
    matches = Matches(folder, camera=source is not None)
    options = {"speed": _speed(speed), "loop": loop, "size": _size(size), "rate": fps}
    try:
        with _camera(source, options, folder, record, space, given, auto, baulk) as eye, _spoken(espeak, lang, matches):
            review = review_endpoints(Shelf(matches=matches))
            allowed = names_of(host, port, names)
            app = build_app(matches, camera=eye, access=access, names=allowed, endpoints=review)
            if start:
                matches.create(header)
            else:
                matches.resume_interrupted()
            click.echo(f"{'https' if certificate else 'http'}://{host}:{port}/")
            run(app, host, port, certificate, key)
    except (CannotServe, SourceError, StoreError) as error:
        raise click.ClickException(str(error)) from None
    except ValueError as error:
        raise click.UsageError(f"the match can't be set up: {error}") from None


def _header(
    game: str | None,
    table: TableSpec | None,
    players: str | None,
    frames: int,
    state: Path | None,
    nominations: str,
    lang: str,
) -> dict[str, Any]:
    """The first line of the log of a match that begins at once."""
    header = {"game": game, "frames_to_win": frames, "nominations": nominations, "lang": lang, **_players(players)}
    if table is not None:
        header["table"] = _table_json(table)
    if state is not None:
        header |= read_object("--state", state)
    return header


@contextlib.contextmanager
def _camera(
    source: str | None,
    options: dict[str, Any],
    folder: Path,
    record: str,
    space_gb: float,
    calibration: Any,
    auto: bool,
    baulk: str | None,
) -> Iterator[Any]:
    """The eye on the source, None where the camera is off; raises SourceError."""
    if source is None:
        yield None
        return
    import cv2

    from referee.app.live.eye import Eye
    from referee.app.live.reader import Reader
    from referee.app.live.recorder import Recorder
    from referee.app.live.sources import FileSource, source_from

    # Small pictures gain nothing by several threads, and those cost more than they do.
    cv2.setNumThreads(1)
    opened = source_from(source, **options)
    if isinstance(opened, FileSource):
        opened.check()
    recorder = Recorder(folder, mode=record, limit_bytes=int(space_gb * GIGABYTE), said=_warn)
    reader = Reader(opened, keep=recorder.keep)
    eye = Eye(opened, reader=reader, recorder=recorder, calibration=calibration, auto=auto, baulk=baulk)
    eye.start()
    try:
        yield eye
    finally:
        eye.stop()


@contextlib.contextmanager
def _spoken(espeak: bool, lang: str, matches: Any) -> Iterator[None]:
    if not espeak:
        yield
        return
    from referee.app.live.voice import NoVoice, Voice

    try:
        voice = Voice(lang)
    except NoVoice as error:
        _warn(str(error))
        yield
        return
    voice.follow(matches.hub.subscribe)
    try:
        yield
    finally:
        voice.stop()


def _warn(line: str) -> None:
    click.echo(f"cueref: {line}", err=True)
