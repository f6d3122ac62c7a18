"""Options of the commands that serve pages."""

from pathlib import Path

import click

from referee.app.options import read_text
from referee.app.server.access import Access, kept_sessions, new_code, plain
from referee.app.server.serve import LOOPBACK

LEAST_CODE = 8


def access_of(host: str, code_file: Path | None, folder: Path | None = None) -> Access | None:
    """Who may change something: holders of the code in the file, or of one made up and shown this once.

    None: everybody, because the pages are served to this machine only. folder: where sessions outlast a restart.
    Raises click.UsageError.
    """
    if code_file is not None:
        code = read_text("--code-file", code_file).strip()
        if len(plain(code)) < LEAST_CODE:
            raise click.UsageError(
                f"--code-file {code_file}: the referee's code needs {LEAST_CODE} letters and digits at least"
            )
        return Access.of_code(code, None if folder is None else kept_sessions(folder, code))
    if host in LOOPBACK:
        return None
    code = new_code()
    click.echo(f"the referee's code, shown only now: {code}")
    return Access.of_code(code, None if folder is None else kept_sessions(folder, None))
