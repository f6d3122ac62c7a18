"""Marks what a test shows of a clause, so that a report can list clauses that no test shows.

``@shows("SN-3.4", VIOLATED, BOUNDARY)`` above a test. Print the report with ``python tests/rules/shows.py``.
"""

import importlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from referee.rules.book import book

VIOLATED = "violated"
"""The clause applies: the infringement, or what it gives or takes, happens."""
SATISFIED = "satisfied"
"""It doesn't apply: the same situation without what it is about."""
UNDECIDED = "undecided"
"""The record leaves it open and the verdict asks."""
BOUNDARY = "boundary"
"""At the number that it names."""

SHOWN: dict[str, set[str]] = {}
T = TypeVar("T", bound=Callable[..., object])


def shows(clauses: str, *what: str) -> Callable[[T], T]:
    """Decorates a test that shows these things of these clauses (ids separated by spaces)."""
    for clause in clauses.split():
        if clause not in book():
            raise KeyError(f"no clause {clause}")
        SHOWN.setdefault(clause, set()).update(what)

    def same(test: T) -> T:
        return test

    return same


EQUIPMENT = ("SN-1.",)
NOT_DECIDED = {
    # definitions and duties of people that no line of a record or an official can show
    "SN-2.4": "names of the balls",
    "SN-5.1.1a": "a referee's duty",
    "SN-5.1.1b": "a referee's duty",
    "SN-5.1.1c": "a spoken answer",
    "SN-5.1.1d": "a referee's duty",
    "SN-5.1.2b": "nothing is said before a stroke but what the rules ask for",
    "SN-5.1.2c": "nothing is said before a stroke but what the rules ask for",
    "SN-5.2": "the scoreboard is a view of the log",
    "SN-5.2.n": "the light in the room",
    "SN-4.4": "conduct away from the table",
    "DIS-3b": "said before the match",
    "PG-1": "standards of tables and balls",
    "PG-22a": "told by jump_method, PG-22c",
    "P141-3": "names of the balls",
    "NB-1d": "no calls: nothing to decide",
    "PG-0": "which games they are for",
    "PG-13": "when a record ends",
}
"""Clauses that need no example, and why."""

WITH_NUMBER = {
    "SN-3.4": "radius of the D",
    "SN-2.17": "a ball's diameter",
    "SN-3.11": "never less than four",
    "SN-3.8.3": "five seconds",
    "SN-3.2b": "the apex clear of the pink",
    "SN-3.7.1": "touching",
    "PG-25b": "five seconds",
    "PG-14a": "on the head string",
    "PG-14b": "on the head string",
    "PG-2": "tight",
    "PG-26b": "a ball's diameter",
    "PG-26c": "a millimetre clear of the cue ball",
    "PG-26d": "the last place behind the foot spot",
    "PG-5c6": "the nose line",
    "PG-5d": "equally near",
    "P141-6a": "two object balls to a cushion",
    "P141-1c": "the agreed score",
    "NB-3a": "four balls to cushions",
    "NB-11a": "three fouls",
    "EB-3": "a ball's place in the rack",
    "EB-5a": "four balls to cushions",
    "EB-5e": "on the head string",
    "EB-16a": "three fouls each",
    "PC-1": "eight balls",
    "SUP-PYR-4": "three balls to cushions",
    "SUP-PYR-5": "two cushions",
    "SUP-PYR-6": "on the house line",
    "SUP-PYR-8": "a ball's diameter",
    "SUP-PYR-12": "five seconds",
    "P141-12d": "three fouls",
    "P141-7.2b": "a ball's diameter, two safeties",
    "P141-7.6": "the rack's outline",
    "P141-7.6.n": "a ball's diameter",
    "P141-7.7b": "equally near",
    "SUP-P141-A": "the rack's outline",
    "NB-9a": "touching",
}
"""Clauses with a number: a test must stand on each side of it."""

_OPEN = """
SN-2.15.1 SN-2.15.2 SN-2.16.1 SN-2.19 SN-2.20 SN-3.3.3a SN-3.5 SN-3.6.1 SN-3.7.1 SN-3.7.n SN-3.8.2a SN-3.8.2b SN-3.9.1
SN-3.9.4a SN-3.9.4b SN-3.11.1f SN-3.11.1g SN-3.11.1h SN-3.11.1i SN-3.11.2a SN-3.11.2b SN-3.11.2f SN-3.11.3 SN-3.11.4c
SN-2.11.1 SN-2.7.2 SN-3.3.1
EB-2b EB-5a EB-5b EB-5e EB-6d EB-8a EB-10a EB-10b EB-13c EB-15a EB-15d EB-15e
PC-4b SUP-PYR-4 SUP-PYR-5 SUP-PYR-6 SUP-PYR-7 SUP-PYR-8 SUP-PYR-11 SUP-PYR-12
"""
MAY_BE_OPEN = frozenset(_OPEN.split())
"""Clauses that a record can leave open: a test must show the question."""


def decides(clause: str) -> bool:
    return (
        book()[clause].decided_by != "-"
        and clause not in NOT_DECIDED
        and not clause.startswith(EQUIPMENT)
        and not book()[clause].decided_by.startswith("O:confirm")
    )


def missing(prefixes: Iterable[str]) -> dict[str, list[str]]:
    """Clause → what no test shows of it, for the clauses that begin so."""
    out = {}
    for clause in book():
        if not clause.startswith(tuple(prefixes)) or not decides(clause):
            continue
        wanted = {VIOLATED, SATISFIED}
        wanted |= {BOUNDARY} if clause in WITH_NUMBER else set()
        wanted |= {UNDECIDED} if clause in MAY_BE_OPEN else set()
        lacking = wanted - SHOWN.get(clause, set())
        if lacking:
            out[clause] = sorted(lacking)
    return out


def load() -> None:
    """Imports all test modules beside this one, so that their marks are known."""
    folder = Path(__file__).parent
    sys.path.insert(0, str(folder))
    sys.modules.setdefault("shows", sys.modules[__name__])
    for module in sorted(folder.glob("test_*.py")):
        importlib.import_module(module.stem)


if __name__ == "__main__":
    load()
    lacking = missing(("",))
    for name, what in lacking.items():
        print(f"{name:<14} {', '.join(what):<32} {book()[name].rule}")
    print(f"{len(lacking)} of {sum(map(decides, book()))} clauses that decide something lack an example")
