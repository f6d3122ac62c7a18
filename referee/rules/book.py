"""The clauses of all games as data: what each says, what decides it, what follows.

The texts are in ``book.toml`` beside this module, a constant of the package. ``Clause.decided_by`` uses the letters
V (the camera sees it), G (computed from positions at rest) and O:name (an official tells it).
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

GAMES_OF_PREFIX: dict[str, tuple[str, ...]] = {
    "SN": ("snooker",),
    "DIS": ("snooker",),
    "P141": ("14.1",),
    "SUP-P141": ("14.1",),
    "NB": ("9-ball",),
    "EB": ("8-ball",),
    "PG": ("14.1", "9-ball", "8-ball"),
    "SUP-PG": ("14.1", "9-ball", "8-ball"),
    "PC": ("pyramid-combined",),
    "SUP-PYR": ("pyramid-combined",),
}
"""The beginning of a clause's id → the games it belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause of a rule book."""

    id: str
    rule: str
    decided_by: str
    consequence: str

    @property
    def games(self) -> tuple[str, ...]:
        head = max((p for p in GAMES_OF_PREFIX if self.id.startswith(p + "-")), key=len)
        return GAMES_OF_PREFIX[head]

    @property
    def observability(self) -> frozenset[str]:
        """The letters V, G and O that decide it; none for a definition."""
        return frozenset(part[0] for part in re.split(r"[+,\s/(]+", self.decided_by) if part[:1] in ("V", "G", "O"))


@cache
def book() -> Mapping[str, Clause]:
    """All clauses by id, in the books' order."""
    table = tomllib.loads((files(__package__) / "book.toml").read_text(encoding="utf-8"))
    return {name: Clause(id=name, **texts) for name, texts in table.items()}


@cache
def _translated(lang: str) -> Mapping[str, Mapping[str, str]]:
    if lang == "en":
        return {}
    return tomllib.loads((files(__package__) / f"book_{lang}.toml").read_text(encoding="utf-8"))


def in_words(clause: Clause, lang: str) -> tuple[str, str]:
    """Rule and consequence in a language (``en``, ``ru``); where nobody translated the clause, as the book has them.

    All clauses that a verdict, a question or an option cites are translated.
    """
    own = _translated(lang).get(clause.id, {})
    return own.get("rule", clause.rule), own.get("consequence", clause.consequence)


def search(words: str = "", game: str | None = None) -> list[Clause]:
    """The clauses that hold every one of the words (in the id or any text, in any case), of one game or of all.

    A clause whose id is one of the words comes first.
    """
    wanted = words.casefold().split()
    found = []
    for clause in book().values():
        text = f"{clause.id} {clause.rule} {clause.decided_by} {clause.consequence}".casefold()
        if all(word in text for word in wanted) and (game is None or game in clause.games):
            found.append(clause)
    return sorted(found, key=lambda clause: clause.id.casefold() not in wanted)
