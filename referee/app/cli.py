"""The command ``cueref``: a group whose subcommands are loaded only when they are called."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import click

COMMANDS: dict[str, str] = {
    "judge": "referee.app.judge:judge",
    "rules": "referee.app.rules_command:rules",
    "calibrate": "referee.app.calibrate:calibrate",
    "analyze": "referee.app.analyze.command:analyze",
    "score": "referee.app.score.command:score",
    "doctor": "referee.app.doctor:doctor",
    "live": "referee.app.live.command:live",
    "review": "referee.app.review.command:review",
    "simulate": "referee.app.simulate.command:simulate",
    "benchmark": "referee.app.benchmark.command:benchmark",
}
"""Subcommand → ``module:attribute`` of its click command."""


class LazyGroup(click.Group):
    """Imports a subcommand's module when it is asked for, so that ``cueref judge`` never loads OpenCV."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


def installed_version() -> str:
    """The version of the installed distribution, or ``unknown`` in a bare source tree."""
    try:
        return version("cueref")
    except PackageNotFoundError:
        return "unknown"


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(installed_version(), prog_name="cueref")
def main() -> None:
    """A referee for cue sports that watches the table through an overhead camera."""
