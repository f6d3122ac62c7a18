"""Comparing verdicts with what a case expects: contract section 6, under ``expect``."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tracking.strict_json import MISSING, MalformedRecord, read_list, read_object, read_point, read_string

SAME_PLACE_MM = 1.5


def differences(case: Mapping[str, Any], verdicts: Sequence[Mapping[str, Any]]) -> list[str]:
    """What differs, one line each; empty where the case passes. Raises MalformedRecord for a malformed expectation."""
    found = list(_compare(read_object(case.get("expect", MISSING), "expect"), verdicts[-1], "expect"))
    each = case.get("expect_each")
    if each is not None:
        partial = read_list(each, "expect_each", lambda value, _: value)
        if len(partial) != len(verdicts):
            raise MalformedRecord("expect_each", f"one entry for each of {len(verdicts)} inputs", list(partial))
        for i, (wanted, verdict) in enumerate(zip(partial, verdicts, strict=True)):
            if wanted is not None:
                found += _compare(read_object(wanted, f"expect_each[{i}]"), verdict, f"expect_each[{i}]")
    return found


def _compare(wanted: Mapping[str, Any], got: Mapping[str, Any], path: str) -> Iterator[str]:
    """Key by key."""
    for key, value in wanted.items():
        where = f"{path}.{key}"
        if key == "foul_clauses":
            cited = [foul["clause"] for foul in got.get("fouls") or ()]
            missing = [each for each in read_list(value, where, read_string) if each not in cited]
            if missing:
                yield f"{where}: expected {', '.join(missing)}, got {', '.join(cited) or 'no foul'}"
        elif key == "undecided":
            yield from _compare_questions(value, got.get("undecided") or (), where)
        elif key == "spot":
            yield from _compare_spots(read_object(value, where), got.get(key) or {}, where)
        elif key == "options" and isinstance(value, list):
            yield from _compare_sets(value, [option["id"] for option in got.get(key) or ()], where)
        elif key in ("on", "potted") and isinstance(value, list):
            yield from _compare_sets(value, got.get(key) or (), where)
        elif isinstance(value, dict) and isinstance(got.get(key), Mapping):
            yield from _compare(value, got[key], where)
        elif not _same(value, got.get(key)):
            yield f"{where}: expected {value}, got {got.get(key)}"


def _compare_sets(wanted: Sequence[Any], got: Sequence[Any], where: str) -> Iterator[str]:
    if set(wanted) != set(got):
        yield f"{where}: expected {_listed(wanted)}, got {_listed(got)}"


def _compare_questions(wanted: Any, got: Sequence[Mapping[str, Any]], where: str) -> Iterator[str]:
    asked = [question["question"] for question in got]
    if isinstance(wanted, bool):
        if wanted != bool(asked):
            yield f"{where}: expected {'an open question' if wanted else 'none'}, got {_listed(asked)}"
        return
    names = read_list(wanted, where, _question)
    yield from _compare_sets(names, asked, where)


def _question(value: object, path: str) -> str:
    """The name of a question, alone or in an object as a verdict has it."""
    return read_string(value.get("question", MISSING) if isinstance(value, dict) else value, path)


def _compare_spots(wanted: Mapping[str, Any], got: Mapping[str, Any], where: str) -> Iterator[str]:
    if set(wanted) != set(got):
        yield f"{where}: expected {_listed(wanted)}, got {_listed(got)}"
        return
    for ball, place in wanted.items():
        read_point(place, f"{where}.{ball}")
        if not _same(place, got[ball]):
            yield f"{where}.{ball}: expected {place}, got {got[ball]}"


def _same(wanted: Any, got: Any) -> bool:
    """Equal; two positions if they are at most 1.5 mm apart."""
    if _is_place(wanted) and _is_place(got):
        return math.dist(wanted, got) <= SAME_PLACE_MM
    return bool(wanted == got) and isinstance(wanted, bool) == isinstance(got, bool)


def _is_place(value: Any) -> bool:
    numbers = isinstance(value, list) and len(value) == 2
    return numbers and all(isinstance(each, int | float) and not isinstance(each, bool) for each in value)


def _listed(names: Any) -> str:
    return ", ".join(sorted(map(str, names))) or "nothing"
