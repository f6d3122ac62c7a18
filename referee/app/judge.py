"""``cueref judge``: cases and match logs in, verdicts out. Contract section 6."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from referee.app.desk.own_types import OWN_TYPES
from referee.app.judge_check import differences
from referee.match.announce import LANGUAGES, Phrases, default_phrases, read_language
from referee.match.log import Line, Match, read_item
from referee.match.scoreboard import scoreboard_text
from tracking.records import ShotRecord
from tracking.strict_json import MISSING, MalformedRecord, parse_json, read_list, read_object, read_string

WRONG, FAILED = 2, 1


class Unreadable(click.ClickException):
    """A file that there is nothing to judge in."""

    exit_code = WRONG


def read_lines(source: str) -> Iterator[tuple[int, str]]:
    """The lines of a file (``-``: standard input) that aren't empty, with their numbers.

    Raises Unreadable where the file can't be read as UTF-8 text.
    """
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise Unreadable(f"{source}: can't be read ({error.strerror or error})") from None
    except UnicodeDecodeError as error:
        raise Unreadable(f"{source}: not UTF-8 text (byte {error.start})") from None
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line


def judge_case(case: dict[str, Any], phrases: Phrases | None = None) -> list[Line]:
    """The lines of a case with their verdicts. Raises MalformedRecord."""
    read_string(case.get("id", MISSING), "id")
    match = Match.from_case(
        case.get("game", MISSING),
        case.get("state", MISSING),
        case.get("rules", "seed"),
        case.get("options"),
        phrases,
    )
    inputs = read_list(case.get("inputs", MISSING), "inputs", read_object)
    if not inputs:
        raise MalformedRecord("inputs", "at least one shot or official line", [])
    for i, data in enumerate(inputs):
        match.add(data, f"inputs[{i}]")
    return list(match.lines)


def _phrases(files: tuple[str, ...]) -> Phrases:
    """The default phrases, some languages replaced by a club's files ``en=FILE``."""
    languages = dict(default_phrases().languages)
    for entry in files:
        code, equals, name = entry.partition("=")
        if not equals or code not in LANGUAGES:
            raise click.UsageError(f"--phrases wants LANGUAGE=FILE with one of {', '.join(LANGUAGES)}, got {entry}")
        try:
            languages[code] = read_language("\n".join(line for _, line in read_lines(name)), code)
        except MalformedRecord as error:
            raise click.UsageError(f"{name}: {error}") from None
    return Phrases(languages=languages)


@click.command()
@click.argument("file")
@click.option("--check", is_flag=True, help="Compare each verdict with what the case expects; print the differences.")
@click.option("--match", "as_match", is_flag=True, help="FILE is a match log: a line of type match, then its lines.")
@click.option("--scoreboard", is_flag=True, help="With --match: print the scoreboard after the last line instead.")
@click.option("--text", type=click.Choice(LANGUAGES), help="With --match: print the log for people in this language.")
@click.option("--phrases", "phrase_files", multiple=True, metavar="LANGUAGE=FILE", help="A club's own announcements.")
def judge(
    file: str, check: bool, as_match: bool, scoreboard: bool, text: str | None, phrase_files: tuple[str, ...]
) -> None:
    """Judge the cases in FILE (JSON Lines; - reads standard input), one line of output a case.

    With --match, a verdict for each shot, and for each official line that changes anything or asks.

    Exits 0 if all could be judged, 1 if --check found a difference, 2 on a malformed line (the others are judged).
    """
    if check and as_match:
        raise click.UsageError("--check compares cases; a match log has no expectations")
    if (scoreboard or text) and not as_match:
        raise click.UsageError("--scoreboard and --text go with --match")
    phrases = _phrases(phrase_files)
    if as_match:
        sys.exit(_judge_match(file, phrases, scoreboard, text))
    sys.exit(_check_cases(file) if check else _judge_cases(file, phrases))


def _cases(file: str, phrases: Phrases | None) -> Iterator[tuple[int, dict[str, Any], list[Line] | None]]:
    """Each case's number in the file, the case, and its lines, None where it is malformed: that is said at once."""
    for number, text in read_lines(file):
        case: dict[str, Any] = {}
        try:
            case = read_object(parse_json(text), "line")
            lines = judge_case(case, phrases)
        except MalformedRecord as error:
            _say_malformed(file, number, case, error)
            yield number, case, None
        else:
            yield number, case, lines


def _say_malformed(file: str, number: int, case: Mapping[str, Any], error: MalformedRecord) -> None:
    name = case.get("id")
    where = f"line {number}" + (f" ({name})" if isinstance(name, str) else "")
    click.echo(f"{file}: {where}: {error}", err=True)


def _judge_cases(file: str, phrases: Phrases) -> int:
    code = 0
    for _, case, lines in _cases(file, phrases):
        if lines is None:
            code = WRONG
        else:
            click.echo(dumps({"id": case["id"], "verdict": lines[-1].verdict}))
    return code


def _check_cases(file: str) -> int:
    passed = failed = wrong = 0
    for number, case, lines in _cases(file, None):
        if lines is None:
            wrong += 1
            continue
        try:
            found = differences(case, [line.verdict for line in lines])
        except MalformedRecord as error:
            _say_malformed(file, number, case, error)
            wrong += 1
            continue
        for difference in found:
            click.echo(f"{case['id']}: {difference}")
        passed, failed = (passed, failed + 1) if found else (passed + 1, failed)
    click.echo(f"{passed} passed, {failed + wrong} failed" + (f" ({wrong} of them malformed)" if wrong else ""))
    return WRONG if wrong else FAILED if failed else 0


def _judge_match(file: str, phrases: Phrases, scoreboard: bool, text: str | None) -> int:
    lines = list(read_lines(file))
    if not lines:
        raise Unreadable(f"{file}: empty; expected a line of type match")
    number, first = lines[0]
    try:
        match = Match.from_header(parse_json(first), phrases)
    except MalformedRecord as error:
        click.echo(f"{file}: line {number}: {error}", err=True)
        return WRONG
    code = 0
    for number, line in lines[1:]:
        before = match.state
        try:
            data = read_object(parse_json(line), "line")
            if data.get("type") in OWN_TYPES:
                continue
            item = read_item(data)
            added = match.add(item)
        except MalformedRecord as error:
            click.echo(f"{file}: line {number}: {error}", err=True)
            code = WRONG
            continue
        if scoreboard or text is not None:
            continue
        if isinstance(item, ShotRecord) or match.state != before or {"answer", "retracted"} & added.verdict.keys():
            click.echo(dumps(added.verdict))
    if text is not None:
        click.echo(match.text(text))
    if scoreboard:
        click.echo(scoreboard_text(match))
    return code


def dumps(value: object) -> str:
    """One line of JSON, other alphabets as they are."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
