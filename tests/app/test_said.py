"""What goes wrong is said in the language of the page: every line that the program can refuse or warn with."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from referee.app.said import in_words, refused_in_words, russian
from referee.rules.book import book
from referee.rules.book import in_words as clause_in_words

ROOT = Path(referee.__file__).parent
SAYING = {
    "Refused",
    "StoreError",
    "FullDisk",
    "ReviewError",
    "NotThere",
    "VideoMissing",
    "Overtaken",
    "FailedCalibration",
}
SAYING |= {"SourceError"}
SOURCES = ("app/server/*.py", "app/desk/*.py", "app/review/*.py", "app/live/*.py", "rules/*.py", "match/order.py")
SOURCES += ("match/log.py", "app/analyze/refereeing.py", "../calibration/find.py", "../calibration/points.py")
SOURCES += ("../vision/frames.py", "../tracking/records.py", "../tracking/strict_json.py")
OWN = "an own thing"
"""In place of what differs in a line."""


def template(node: ast.expr) -> str | None:
    """The text of a string in the source; None where it isn't one."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(str(each.value) if isinstance(each, ast.Constant) else OWN for each in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = template(node.left), template(node.right)
        return None if left is None and right is None else (left or OWN) + (right or OWN)
    return None


def lines() -> Iterator[tuple[str, str]]:
    """File and line of all that can be said there; of a malformed record what was expected."""
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(call, ast.Call):
                    continue
                name = getattr(call.func, "id", getattr(call.func, "attr", ""))
                given = [*call.args, *(each.value for each in call.keywords if each.arg == "reason")]
                if name == "MalformedRecord":
                    given = call.args[1:2]
                elif name == "append" and "warnings" in ast.dump(call.func):
                    given = call.args[:1]
                elif name not in SAYING:
                    continue
                for text in map(template, given):
                    if text is not None and len(text.replace(OWN, "").split()) > 1:
                        yield path.name, text


def test_every_line_is_known_in_russian() -> None:
    said = list(lines())
    assert len(said) > 150
    assert sorted({(name, text) for name, text in said if russian(text) is None}) == []


def test_both_languages_hold_the_same() -> None:
    text = in_words("/m/log.jsonl: can't be opened (Permission denied)")
    assert text == {
        "en": "/m/log.jsonl: can't be opened (Permission denied)",
        "ru": "/m/log.jsonl: не открыть (нет доступа)",
    }
    assert russian("line: expected the number of a line in force, got 7") == "line: нужно: номер действующей строки"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503, 507])
def test_a_refusal_that_nobody_knows_is_said_by_its_kind(status: int) -> None:
    told = refused_in_words(status, "something quite new")
    assert told["en"] == "something quite new"
    assert re.search("[а-я]", told["ru"]) and not re.search("[a-z]", told["ru"])


def cited() -> set[str]:
    """The clauses that rules and pages name: those that a verdict, a question or an option can cite."""
    sources = [*ROOT.glob("rules/*.py"), *ROOT.glob("app/server/pages/js/games.js")]
    found = {
        name for path in sources for name in re.findall(r'"([A-Z0-9]+-[\w.-]+)"', path.read_text(encoding="utf-8"))
    }
    return found & set(book())


def test_every_clause_that_is_cited_is_told_in_russian() -> None:
    assert len(cited()) > 120
    for name in cited():
        rule, consequence = clause_in_words(book()[name], "ru")
        assert re.search("[а-я]{3}", rule), name
        assert consequence == "-" or not re.search("[a-z]{4}", consequence), name
