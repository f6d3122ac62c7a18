"""What the referee says: calls of the rules turned into sentences, by a file of phrases for each language.

A phrase file is TOML, like ``phrases_en.toml`` beside this module; a club can edit a copy. A phrase is a sentence
with fields in braces, ``{name}`` or ``{name:how}``, where ``how`` is one of

- ``words``: a number in words;
- ``count NOUN``: a number in words with the right form of a noun of table ``nouns``;
- ``ball``: a ball's name from table ``balls``; ``spot``: its form in the name of its spot, from table ``spots``, where
  it has one of its own; ``list``: several names, joined by the phrase ``and``;
- ``reason``: what was done wrong, as the verdict's ``what`` has it up to a colon, in the words of table ``reasons``.

Each sentence begins with a capital letter. A table named after a game holds phrases that differ in that game.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from referee.match.numerals import NUMERALS, Numerals
from referee.rules.outcome import Call
from tracking.strict_json import MISSING, MalformedRecord, read_list, read_object, read_string

LANGUAGES = ("en", "ru")
FIELD = re.compile(r"\{([^{}:]*)(?::([^{}]*))?\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The phrases of one language. ``by_game``: game → phrases that differ there."""

    numerals: Numerals
    phrases: Mapping[str, str]
    by_game: Mapping[str, Mapping[str, str]]
    balls: Mapping[str, str]
    nouns: Mapping[str, tuple[str, ...]]
    reasons: Mapping[str, str]
    spots: Mapping[str, str]

    def say(self, call: Call, game: str) -> str:
        """The sentence for a call; a code without a phrase is said as it is."""
        own = self.by_game.get(game, {})
        phrase = own.get(call.code) or self.phrases.get(call.code) or call.code.replace("_", " ")
        text = FIELD.sub(lambda match: self._fill(match[1], match[2] or "", call.values), phrase)
        return text[:1].upper() + text[1:]

    def _fill(self, name: str, how: str, values: Mapping[str, Any]) -> str:
        value = values.get(name)
        if how == "words":
            return self.numerals.words(int(value or 0))
        if how.startswith("count "):
            return self.numerals.counted(int(value or 0), self.nouns[how.removeprefix("count ")])
        if how == "ball":
            return self.ball(str(value))
        if how == "spot":
            return self.spots.get(str(value)) or self.ball(str(value))
        if how == "reason":
            text = str(value).partition(":")[0]
            return self.reasons.get(text, text)
        if how == "list":
            names = [str(each) for each in value or ()]
            return f" {self.phrases['and']} ".join(names)
        return "" if value is None else str(value)

    def ball(self, name: str) -> str:
        """``red-3`` is a red; a ball without a name of its own is called by its number."""
        kind, _, number = name.rpartition("-")
        return self.balls.get(name) or self.balls.get(kind) or number or name


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """The phrases of all languages."""

    languages: Mapping[str, Language]

    def announce(self, calls: Sequence[Call], game: str = "") -> dict[str, list[str]]:
        """Language → what is said, in order."""
        return {code: [language.say(call, game) for call in calls] for code, language in self.languages.items()}


def read_language(text: str, code: str) -> Language:
    """A phrase file's text. Raises MalformedRecord that names the entry and what is wrong with it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedRecord(f"phrases_{code}", f"TOML ({error})", text) from None
    numerals = NUMERALS[read_string(code, "language", tuple(NUMERALS))]
    nouns = {
        name: read_list(forms, f"nouns.{name}", read_string)
        for name, forms in read_object(data.pop("nouns", {}), "nouns").items()
    }
    for name, forms in nouns.items():
        if len(forms) != numerals.forms:
            raise MalformedRecord(f"nouns.{name}", f"{numerals.forms} forms", list(forms))
    balls = _texts(data.pop("balls", {}), "balls")
    reasons = _texts(data.pop("reasons", {}), "reasons")
    spots = _texts(data.pop("spots", {}), "spots")
    plain = {name: value for name, value in data.items() if not isinstance(value, dict)}
    phrases = _texts(plain, "")
    by_game = {name: _texts(value, name) for name, value in data.items() if isinstance(value, dict)}
    for where, group in (("", phrases), *by_game.items()):
        for name, phrase in group.items():
            _check_phrase(phrase, f"{where}.{name}" if where else name, nouns)
    read_string(phrases.get("and", MISSING), "and")
    return Language(
        numerals=numerals,
        phrases=phrases,
        by_game=by_game,
        balls=balls,
        nouns=nouns,
        reasons=reasons,
        spots=spots,
    )


def _texts(value: object, path: str) -> dict[str, str]:
    dot = f"{path}." if path else ""
    return {name: read_string(text, f"{dot}{name}") for name, text in read_object(value, path).items()}


def _check_phrase(phrase: str, path: str, nouns: Mapping[str, object]) -> None:
    if re.search(r"[{}]", FIELD.sub("", phrase)):
        raise MalformedRecord(path, "fields like {points:words} in matching braces", phrase)
    for match in FIELD.finditer(phrase):
        how = match[2] or ""
        if how.startswith("count ") and how.removeprefix("count ") not in nouns:
            raise MalformedRecord(path, "a noun of the table nouns: " + ", ".join(nouns), how)
        if how not in ("", "words", "ball", "spot", "list", "reason") and not how.startswith("count "):
            allowed = "{name}, {name:words}, {name:count NOUN}, {name:ball}, {name:spot}, {name:list} or {name:reason}"
            raise MalformedRecord(path, allowed, phrase)


@cache
def default_phrases() -> Phrases:
    """The phrases that come with cueref."""
    texts = {code: (files(__package__) / f"phrases_{code}.toml").read_text(encoding="utf-8") for code in LANGUAGES}
    return Phrases(languages={code: read_language(text, code) for code, text in texts.items()})
