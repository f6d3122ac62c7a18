"""What is said: numbers in words, plural forms, and every phrase in both languages."""

import re
from pathlib import Path

import pytest

import referee
from referee.match.announce import LANGUAGES, default_phrases, read_language
from referee.match.numerals import NUMERALS
from referee.rules.outcome import call
from tracking.strict_json import MalformedRecord

EN, RU = NUMERALS["en"], NUMERALS["ru"]
POINTS = ("n:очко", "очка", "очков")


@pytest.mark.parametrize(
    ("number", "english", "russian"),
    [
        (0, "zero", "ноль"),
        (1, "one", "один"),
        (8, "eight", "восемь"),
        (13, "thirteen", "тринадцать"),
        (20, "twenty", "двадцать"),
        (42, "forty-two", "сорок два"),
        (100, "one hundred", "сто"),
        (147, "one hundred and forty-seven", "сто сорок семь"),
        (-16, "minus sixteen", "минус шестнадцать"),
        (1200, "1200", "1200"),
    ],
)
def test_numbers_in_words(number: int, english: str, russian: str) -> None:
    assert (EN.words(number), RU.words(number)) == (english, russian)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "одно очко"),
        (2, "два очка"),
        (4, "четыре очка"),
        (5, "пять очков"),
        (11, "одиннадцать очков"),
        (12, "двенадцать очков"),
        (21, "двадцать одно очко"),
        (22, "двадцать два очка"),
        (25, "двадцать пять очков"),
        (111, "сто одиннадцать очков"),
        (101, "сто одно очко"),
    ],
)
def test_russian_forms(number: int, text: str) -> None:
    assert RU.counted(number, POINTS) == text


def test_russian_genders_and_english_forms() -> None:
    assert RU.counted(2, ("f:партия", "партии", "партий")) == "две партии"
    assert RU.counted(21, ("f:партия", "партии", "партий")) == "двадцать одна партия"
    assert RU.counted(1, ("m:фол", "фола", "фолов")) == "один фол"
    assert [EN.counted(n, ("point", "points")) for n in (0, 1, 2)] == ["zero points", "one point", "two points"]


def codes() -> set[str]:
    """Every code that the rules call, found in their source."""
    found: set[str] = set()
    for module in (Path(referee.__file__).parent / "rules").glob("*.py"):
        text = module.read_text(encoding="utf-8")
        for arguments in re.findall(r"\bcall\(([^()]*)", text):
            found |= set(re.findall(r'"([a-z0-9_]+)"', arguments.split("=")[0]))
    results = ("won", "lost", "conceded", "awarded", "tied", "void")
    about = ("slow_play", "conduct", "stalemate", "two_fouls")
    found -= {"frame_", "warn_", "won_", "code"}
    return found | {f"frame_{each}" for each in results} | {f"warn_{each}" for each in about} | {"won_toss", "won_lag"}


def test_every_call_has_a_phrase_in_every_language() -> None:
    phrases = default_phrases()
    assert set(phrases.languages) == set(LANGUAGES)
    for language in phrases.languages.values():
        known = set(language.phrases) | {code for own in language.by_game.values() for code in own}
        assert codes() <= known, codes() - known


def test_the_languages_have_the_same_phrases_and_nouns() -> None:
    english, russian = (default_phrases().languages[code] for code in LANGUAGES)
    assert english.phrases.keys() == russian.phrases.keys()
    assert {g: own.keys() for g, own in english.by_game.items()} == {
        g: own.keys() for g, own in russian.by_game.items()
    }
    assert english.nouns.keys() == russian.nouns.keys()
    assert english.balls.keys() == russian.balls.keys()
    fields = re.compile(r"\{([a-z_]+)")
    for code, phrase in english.phrases.items():
        assert set(fields.findall(phrase)) == set(fields.findall(russian.phrases[code])), code


@pytest.mark.parametrize(
    ("code", "values", "english", "russian"),
    [
        ("foul", {"points": 5}, "Foul, five points", "Фол, пять очков"),
        ("foul_and_miss", {"points": 4}, "Foul and a miss, four points", "Фол и промах, четыре очка"),
        ("score", {"points": 21}, "Twenty-one", "Двадцать один"),
        ("break_of", {"player": "Ann", "points": 52}, "Ann, break of fifty-two", "Ann, серия — пятьдесят два очка"),
        ("difference", {"points": 1}, "One point in it", "Разница одно очко"),
        ("on_ball", {"ball": "yellow"}, "On the yellow", "На очереди жёлтый"),
        ("nominated", {"ball": "black"}, "Black ball", "Чёрный"),
        (
            "spotted_on",
            {"ball": "blue", "spot": "pink"},
            "Own spot occupied: blue spotted on the pink spot",
            "Отметка занята, синий выставлен на розовую отметку",
        ),
        (
            "match_won",
            {"winner": "Ann", "won": 5, "lost": 3},
            "Ann wins by five frames to three",
            "Матч выиграл Ann, счёт пять — три",
        ),
        ("warn_slow_play", {"players": ["Ann", "Bob"]}, "Time, warning: Ann and Bob",
         "Предупреждение за медленную игру: Ann и Bob"),
    ],
)  # fmt: skip
def test_phrases(code: str, values: dict[str, object], english: str, russian: str) -> None:
    said = default_phrases().announce([call(code, **values)], "snooker")
    assert said == {"en": [english], "ru": [russian]}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("and = 1", "and"),
        ("foul = 'x'", "and"),
        ("and = 'and'\nfoul = 'foul {points'", "foul"),
        ("and = 'and'\nfoul = '{points:loudly}'", "foul"),
        ("and = 'and'\nfoul = '{points:count lemon}'", "foul"),
        ("and = 'and'\n[nouns]\npoint = ['point']", "nouns.point"),
        ("and = 'and'\n[snooker]\nfoul = '}'", "snooker.foul"),
        ("and", "phrases_en"),
    ],
)
def test_a_wrong_phrase_file_is_named(text: str, named: str) -> None:
    with pytest.raises(MalformedRecord) as caught:
        read_language(text, "en")
    assert caught.value.path == named
