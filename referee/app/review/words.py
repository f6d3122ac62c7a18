"""Why something needs a look, what was corrected, and what was measured, in words of both languages."""

from collections.abc import Iterable
from typing import Any

from referee.app.desk.words import OBSERVED, OFFICIALS, OPTIONS
from referee.app.review.corrections import Correction, Kind
from referee.app.words import LANGUAGES, assumed_words, ball_words, event_words, question_words
from referee.rules.officials import Official

Words = dict[str, str]
"""Language → text."""

WHY: dict[str, dict[str, str]] = {
    "undecided": {"en": "The picture doesn't settle: {what}", "ru": "По картинке не решить: {what}"},
    "low_confidence": {
        "en": "The verdict rests on what was seen with {sure} certainty: {what}",
        "ru": "Решение опирается на увиденное с уверенностью {sure}: {what}",
    },
    "order": {
        "en": "Which came first isn't sure: {what}",
        "ru": "Неясно, что было раньше: {what}",
    },
    "names": {
        "en": "The balls may also be named otherwise: {what}",
        "ru": "Шары могли быть названы иначе: {what}",
    },
    "assumed": {"en": "Assumed, nobody said it: {what}", "ru": "Принято без подтверждения: {what}"},
    "gap": {"en": "Not seen for {seconds} s: {what}", "ru": "Не видно {seconds} с: {what}"},
    "refused": {"en": "Can't be judged as it stands: {what}", "ru": "Нельзя рассудить в таком виде: {what}"},
    "corrected": {"en": "Corrected: {what}", "ru": "Исправлено: {what}"},
    "overruled": {"en": "The referee overruled the picture: {what}", "ru": "Рефери решил иначе, чем камера: {what}"},
    "warning": {"en": "To know first: {what}", "ru": "Сначала знать: {what}"},
}
DONE: dict[str, dict[str, str]] = {
    "insert": {"en": "shot {n}, which was not seen", "ru": "удар {n}, которого не было видно"},
    "record": {"en": "record of shot {n}", "ru": "запись удара {n}"},
    "observed": {"en": "seen in shot {n}: {what}", "ru": "замечено в ударе {n}: {what}"},
    "answer": {"en": "answer for shot {n}: {what}", "ru": "ответ по удару {n}: {what}"},
    "nomination": {"en": "nominated in shot {n}: {what}", "ru": "заказ в ударе {n}: {what}"},
    "official": {"en": "before shot {n}: {what}", "ru": "перед ударом {n}: {what}"},
    "said": {"en": "after shot {n}: {what}", "ru": "после удара {n}: {what}"},
    "opening": {"en": "the state before the first shot", "ru": "положение перед первым ударом"},
    "undo": {"en": "correction {n} taken back", "ru": "исправление {n} отменено"},
}
EVERYTHING: Words = {"en": "the whole table", "ru": "весь стол"}
NOTHING: Words = {"en": "nothing", "ru": "ничего"}


def each_language(template: dict[str, str], **fields: Any) -> Words:
    """``fields`` are texts, or a text for each language."""
    out = {}
    for lang in LANGUAGES:
        own = {name: value[lang] if isinstance(value, dict) else value for name, value in fields.items()}
        out[lang] = template[lang].format(**own)
    return out


def same_in_all(text: str) -> Words:
    return dict.fromkeys(LANGUAGES, text)


def question_in_words(question: dict[str, Any]) -> Words:
    return {lang: question_words(question, lang) for lang in LANGUAGES}


def assumption_in_words(text: str) -> Words:
    return {lang: assumed_words(text, lang) for lang in LANGUAGES}


def event_in_words(event: dict[str, Any]) -> Words:
    return {lang: event_words(event, lang) for lang in LANGUAGES}


def balls_in_words(balls: Iterable[str] | None) -> Words:
    """None: all of them."""
    if balls is None:
        return EVERYTHING
    return {lang: ", ".join(ball_words(ball, lang) for ball in balls) for lang in LANGUAGES}


def _value(value: Any, lang: str) -> str:
    if isinstance(value, bool):
        return {"en": ("no", "yes"), "ru": ("нет", "да")}[lang][value]
    if isinstance(value, list | tuple):
        return ", ".join(_value(each, lang) for each in value)
    return ball_words(str(value), lang)


def correction_in_words(correction: Correction) -> Words:
    """What a correction does, short."""
    name = "answer" if correction.is_answer else str(correction.kind)
    return {lang: DONE[name][lang].format(n=_number(correction), what=_what(correction, lang)) for lang in LANGUAGES}


def _number(correction: Correction) -> int | None:
    return correction.line if correction.kind is Kind.UNDO else correction.n


def _what(correction: Correction, lang: str) -> str:
    if correction.is_answer:
        answers = (
            f"{question_words({'question': each.question, 'clause': '', 'ball': each.ball}, lang)[:-3]} "
            f"{_value(each.value, lang)}"
            for each in correction.observed
        )
        return "; ".join(answers)
    if correction.observed:
        return ", ".join(
            OBSERVED[each.kind][lang] if each.kind in OBSERVED else each.kind for each in correction.observed
        )
    if correction.kind is Kind.NOMINATION:
        said = correction.nominated
        balls = [] if said is None else [ball for ball in (said.ball, *said.balls) if ball]
        return ", ".join(ball_words(ball, lang) for ball in balls) or NOTHING[lang]
    if correction.official is not None:
        return official_in_words(correction.official, lang)
    return ""


def official_in_words(line: Official, lang: str) -> str:
    """A line of an official: who, what it is, and which option."""
    option = OPTIONS[line.option][lang] if line.option in OPTIONS else line.option
    what = OFFICIALS[line.kind][lang] if line.kind in OFFICIALS else line.kind
    return ": ".join(part for part in (line.player or line.winner or line.to, what, option) if part)
