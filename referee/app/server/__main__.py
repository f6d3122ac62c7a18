"""``python -m referee.app.server``: a match run by hand, the camera off."""

from pathlib import Path

import click

from referee.app.desk.matches import Matches
from referee.app.server.access import Access, new_code
from referee.app.server.app import build_app
from referee.app.server.serve import LOOPBACK, PORT, CannotServe, names_of, run


@click.command()
@click.option("--matches", "folder", type=click.Path(file_okay=False, path_type=Path), default=Path("matches"))
@click.option("--host", default="127.0.0.1", help="The address to listen at; others than this machine need a code.")
@click.option("--port", default=PORT, type=click.IntRange(1, 65535))
@click.option("--code", "with_code", is_flag=True, help="Ask for a code on this machine, too.")
def main(folder: Path, host: str, port: int, with_code: bool) -> None:
    """Serve the pages for matches kept in a folder, without a camera."""
    access = None
    if with_code or host not in LOOPBACK:
        code = new_code()
        click.echo(f"the referee's code: {code}")
        access = Access.of_code(code)
    click.echo(f"http://{host}:{port}/")
    matches = Matches(folder)
    matches.resume_interrupted()
    try:
        run(build_app(matches, access=access, names=names_of(host, port)), host, port)
    except CannotServe as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
