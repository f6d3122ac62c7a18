"""Numbers in words and the plural forms that go with them, in English and Russian."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Numerals:
    """One language: the words of a number for a gender (``m``, ``f``, ``n``), and which form a noun takes after it.

    A noun is given as its ``forms`` forms; in a language with genders its gender stands before the first: ``n:очко``.
    """

    forms: int
    minus: str
    spell: Callable[[int, str], str]
    form: Callable[[int], int]

    def words(self, number: int, gender: str = "m") -> str:
        """The number in words; thousands and more as figures."""
        if abs(number) >= 1000:
            return str(number)
        return (f"{self.minus} " if number < 0 else "") + self.spell(abs(number), gender)

    def counted(self, number: int, noun: Sequence[str]) -> str:
        """The number in words with the noun in the form that it asks for."""
        gender, colon, first = noun[0].partition(":")
        forms = [first, *noun[1:]] if colon else list(noun)
        return f"{self.words(number, gender if colon else 'm')} {forms[self.form(abs(number))]}"


_EN = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_EN_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def _english(number: int, gender: str) -> str:
    if number < 20:
        return _EN[number]
    if number < 100:
        ten, one = divmod(number, 10)
        return _EN_TENS[ten - 2] + (f"-{_EN[one]}" if one else "")
    hundred, rest = divmod(number, 100)
    return f"{_EN[hundred]} hundred" + (f" and {_english(rest, gender)}" if rest else "")


_RU = [
    "ноль",
    "один",
    "два",
    "три",
    "четыре",
    "пять",
    "шесть",
    "семь",
    "восемь",
    "девять",
    "десять",
    "одиннадцать",
    "двенадцать",
    "тринадцать",
    "четырнадцать",
    "пятнадцать",
    "шестнадцать",
    "семнадцать",
    "восемнадцать",
    "девятнадцать",
]
_RU_TENS = ["двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяносто"]
_RU_HUNDREDS = ["сто", "двести", "триста", "четыреста", "пятьсот", "шестьсот", "семьсот", "восемьсот", "девятьсот"]
_RU_BY_GENDER = {1: {"m": "один", "f": "одна", "n": "одно"}, 2: {"m": "два", "f": "две", "n": "два"}}


def _russian(number: int, gender: str) -> str:
    if number in _RU_BY_GENDER:
        return _RU_BY_GENDER[number][gender]
    if number < 20:
        return _RU[number]
    if number < 100:
        ten, one = divmod(number, 10)
        return _RU_TENS[ten - 2] + (f" {_russian(one, gender)}" if one else "")
    hundred, rest = divmod(number, 100)
    return _RU_HUNDREDS[hundred - 1] + (f" {_russian(rest, gender)}" if rest else "")


def _russian_form(number: int) -> int:
    """0: as after one, 1: as after two to four, 2: as after five and more."""
    if number % 100 in range(11, 15):
        return 2
    return 0 if number % 10 == 1 else 1 if number % 10 in (2, 3, 4) else 2


NUMERALS: dict[str, Numerals] = {
    "en": Numerals(forms=2, minus="minus", spell=_english, form=lambda number: 0 if number == 1 else 1),
    "ru": Numerals(forms=3, minus="минус", spell=_russian, form=_russian_form),
}
