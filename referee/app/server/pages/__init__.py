"""The pages that the server shows: HTML, CSS, ES modules and the words in each language. No build step."""

from importlib.resources import files
from importlib.resources.abc import Traversable

NAMES = ("menu", "setup", "board", "table", "desk", "review", "statistics")
"""The pages; each is ``<name>.html`` in :func:`folder`."""


def folder() -> Traversable:
    """Where the pages' files are; ``/pages/<path>`` is served from here."""
    return files(__package__)
