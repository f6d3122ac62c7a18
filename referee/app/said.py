"""What goes wrong or has to be known first, in the languages of the pages: one clear line each.

The program writes such lines in English. Pages show them in the language that is chosen, by the table in
``said_ru.toml``; a line that isn't in it stays as it is, or, where a request was refused, is said by its kind.
"""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from referee.app.words import LANGUAGES, assumed_words, question_words
from referee.rules.book import Clause
from referee.rules.book import in_words as clause_text

REFUSED = {
    400: "запрос не прочитать",
    401: "для этого нужен код рефери",
    403: "отсюда это не разрешено",
    404: "этого здесь нет",
    405: "так этого сделать нельзя",
    409: "сейчас этого сделать нельзя",
    413: "слишком много сразу",
    415: "запрос не прочитать",
    422: "этого правила или программа здесь не принимают",
    429: "слишком часто; подождите немного",
    500: "сервер с этим не справился; подробности в его терминале",
    503: "пока нечего показать; попробуйте ещё раз",
    507: "на диске нет места; ничего не записано",
}
"""A refused request of which no more is known, by its status."""

QUESTIONS = re.compile(r"[a-z_]+ \([A-Z][\w.-]+\)(, [a-z_]+ \([A-Z][\w.-]+\))*")
"""Questions as warnings name them, with their clauses."""


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The lines with the most fixed text first, so that none is taken for a more general one."""
    table = tomllib.loads((files(__package__) / "said_ru.toml").read_text(encoding="utf-8"))
    ordered = sorted(table.items(), key=lambda pair: -len(pair[0].replace("{}", "")))
    found = ((re.escape(english).replace(r"\{\}", "(.+?)"), russian) for english, russian in ordered)
    return tuple((re.compile(pattern, re.DOTALL), russian) for pattern, russian in found)


@lru_cache(maxsize=1000)
def russian(text: str) -> str | None:
    """A line in Russian, None where it isn't known. What differs in it is put into Russian as far as it is known."""
    if (assumed := assumed_words(text, "ru")) != text:
        return assumed
    if QUESTIONS.fullmatch(text):
        asked = (each.partition(" (") for each in text.split(", "))
        return ", ".join(question_words({"question": name, "clause": clause[:-1]}, "ru") for name, _, clause in asked)
    for pattern, template in _patterns():
        found = pattern.fullmatch(text)
        if found is not None:
            count = template.count("{}")
            return template.format(*(russian(part) or part for part in found.groups()[:count]))
    where, _, what = text.partition(": ")  # a file or a field, and what is wrong with it
    return f"{where}: {told}" if what and (told := russian(what)) is not None else None


def in_words(text: str) -> dict[str, str]:
    """Language → the line; where it isn't known in a language, as it is."""
    return {lang: (russian(text) or text) if lang == "ru" else text for lang in LANGUAGES}


def refused_in_words(status: int, text: str) -> dict[str, str]:
    """Language → why a request was refused."""
    return {"en": text, "ru": russian(text) or REFUSED.get(status, REFUSED[422])}


def clause_in_words(clause: Clause) -> dict[str, Any]:
    """A clause with its rule and consequence by language; no consequence where the book has none."""
    told = {lang: clause_text(clause, lang) for lang in LANGUAGES}
    follows = {lang: consequence for lang, (_, consequence) in told.items()}
    return {
        "id": clause.id,
        "rule": {lang: rule for lang, (rule, _) in told.items()},
        "consequence": None if clause.consequence == "-" else follows,
    }
