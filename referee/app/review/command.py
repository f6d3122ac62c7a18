"""``cueref review``: what was analyzed or played, looked at again and corrected, in the browser."""

from pathlib import Path

import click

from referee.app.options import FILE

PORT = 8147


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--video", type=FILE, help="Where the footage of an analysis is now, if it was moved.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Listen there; others than this machine need a "
              "referee's code.")  # fmt: skip
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True)
@click.option("--code-file", type=FILE, help="The referee's code. Default: made up and shown, where one is needed.")
@click.option("--name", "names", multiple=True, help="Another host name under which the pages are opened.")
@click.option("--certificate", type=FILE, help="PEM, with --key: serve over HTTPS.")
@click.option("--key", type=FILE, help="PEM.")
def review(
    folder: Path,
    video: Path | None,
    host: str,
    port: int,
    code_file: Path | None,
    names: tuple[str, ...],
    certificate: Path | None,
    key: Path | None,
) -> None:
    """Look again at what was analyzed or played, frame by frame, and correct it.

    DIR is a folder that cueref analyze wrote for a clip, the folder of a match of cueref live, or a folder of many
    such. Corrections of an analysis are kept in its corrections.jsonl, and what follows from them in reviewed.jsonl;
    what the analysis wrote stays as it is. Those of a match go into its log.

    Exit codes: 0 stopped, 1 the folder can't be reviewed or the address can't be used, 2 wrong use.
    """
    from referee.app.desk.matches import Matches
    from referee.app.review.api import review_endpoints
    from referee.app.review.errors import ReviewError
    from referee.app.review.shelf import open_folder
    from referee.app.server.app import build_app
    from referee.app.server.options import access_of
    from referee.app.server.serve import CannotServe, names_of, run

    access = access_of(host, code_file)
    try:
        shelf = open_folder(folder, video)
        if len(shelf.ids()) == 1:
            shelf.get(shelf.ids()[0])
        matches = shelf.matches or Matches(folder.resolve())
        app = build_app(matches, access=access, names=names_of(host, port, names), endpoints=review_endpoints(shelf))
        click.echo(f"{'https' if certificate else 'http'}://{host}:{port}/review")
        run(app, host, port, certificate, key)
    except (ReviewError, CannotServe) as error:
        raise click.ClickException(str(error)) from None
