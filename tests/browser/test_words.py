"""What the pages say and are made of, without a browser."""

import json
import re
from typing import Any

import pytest

from referee.app import words
from referee.app.desk.games import games_json
from referee.app.desk.words import OBSERVED, OPTIONS
from referee.app.live.state import Status, Unseen
from referee.app.palette import ball_colour, css
from referee.app.server.pages import NAMES, folder
from referee.rules.book import book
from referee.rules.settings import POLICIES

LANGUAGES = ("en", "ru")
PLURALS = {"en": {"one", "other"}, "ru": {"one", "few", "many"}}


def text(name: str) -> str:
    return folder().joinpath(name).read_text(encoding="utf-8")


def scripts() -> dict[str, str]:
    return {each.name: each.read_text(encoding="utf-8") for each in folder().joinpath("js").iterdir()}


@pytest.fixture(scope="module")
def books() -> dict[str, dict[str, Any]]:
    return {lang: json.loads(text(f"words/{lang}.json")) for lang in LANGUAGES}


def flat(data: Any, lang: str, path: str = "") -> dict[str, set[str]]:
    """Dotted key → the fields that its text has; plural forms are one text."""
    if isinstance(data, str):
        return {path: set(re.findall(r"\{(\w+)\}", data))}
    if data and set(data) <= PLURALS["en"] | PLURALS["ru"]:
        assert set(data) == PLURALS[lang], f"{lang} {path}: the plural forms {sorted(PLURALS[lang])}"
        return {path: {name for each in data.values() for name in re.findall(r"\{(\w+)\}", each)}}
    out: dict[str, set[str]] = {}
    for name, value in data.items():
        out |= flat(value, lang, f"{path}.{name}" if path else name)
    return out


def shown(choice: str | bool) -> str:
    """A choice as a key of the words."""
    return choice if isinstance(choice, str) else json.dumps(choice)


def found(data: Any, key: str) -> Any:
    """The same look-up as the pages': parts of a key may hold dots."""
    if isinstance(data, dict) and key in data:
        return data[key]
    for dot in (i for i, letter in enumerate(key) if letter == "."):
        if isinstance(data, dict) and key[:dot] in data:
            inner = found(data[key[:dot]], key[dot + 1 :])
            if inner is not None:
                return inner
    return None


def test_both_languages_have_the_same_texts(books: dict[str, dict[str, Any]]) -> None:
    assert flat(books["en"], "en") == flat(books["ru"], "ru")


def test_every_text_that_a_page_asks_for_is_there(books: dict[str, dict[str, Any]]) -> None:
    asked = set()
    for source in scripts().values():
        asked |= set(re.findall(r"""\bt\("([\w.-]+)\"""", source))
        asked |= set(re.findall(r"""keys\.add\("[^"]+", "([\w.]+)\"""", source))
    for name in NAMES:
        asked |= set(re.findall(r'data-w(?:-label|-title)?="([^"]+)"', text(f"{name}.html")))
    assert len(asked) > 150
    assert [key for key in sorted(asked) if found(books["en"], key) is None] == []


def test_what_games_and_rules_name_has_words(books: dict[str, dict[str, Any]]) -> None:
    games = games_json()
    for lang, each in books.items():
        assert set(each["observed"]) >= set(OBSERVED), lang
        assert set(each["options"]) == set(OPTIONS), lang
        assert set(each["source"]) >= {str(status) for status in Status}, lang
        assert set(each["unseen"]) == {str(reason) for reason in Unseen}, lang
        for game in games["games"]:
            assert game["id"] in each["games"], lang
            assert set(game["tables"]) <= set(each["tables"]), lang
            told = [policy for policy in game["policies"] if len(policy["choices"]) > 1]
            for policy in told:
                if POLICIES[policy["name"]].id == "CAMERA":
                    continue  # set by the match itself
                chosen = each["policies"][policy["name"]]["choices"]
                assert set(chosen) == {shown(choice) for choice in policy["choices"]}, (lang, policy["name"])


def test_balls_and_places_are_called_as_in_reports(books: dict[str, dict[str, Any]]) -> None:
    for name, russian in words.BALLS["ru"].items():
        kept = books["ru"]["balls"].get(name) or books["ru"]["on"].get(name)
        assert kept == russian or name in ("colour", "any"), name
    for name, russian in words.PLACES["ru"].items():
        assert (books["ru"]["pockets"].get(name) or books["ru"]["cushions"].get(name)) == russian, name


def test_balls_have_the_colours_of_videos_and_reports() -> None:
    colours = json.loads(text("balls.json"))
    numbers = colours.pop("numbers")
    assert {name: css(ball_colour(name)) for name in colours} == colours
    assert [css(ball_colour(str(number))) for number in range(1, 9)] == numbers


def test_fouls_stand_under_clauses_of_the_book_that_they_can_break() -> None:
    source = scripts()["games.js"]
    cited = re.findall(r'^ {2,4}(\w+): "([A-Z][\w.-]+)"', source, re.MULTILINE)
    assert len(cited) > 25
    broken = {
        (seen["kind"], clause["id"])
        for game in games_json()["games"]
        for seen in game["observed"]
        for clause in seen["clauses"]
    }
    for kind, clause in cited:
        assert clause in book()
        assert (kind, clause) in broken, f"{kind} is not what {clause} is about"


@pytest.mark.parametrize("name", NAMES)
def test_pages_load_nothing_from_elsewhere_and_hold_no_script_or_style(name: str) -> None:
    page = text(f"{name}.html")
    assert re.findall(r"""(?:src|href)="(?!/)(?!#)""", page) == []
    assert "style=" not in page and "<style" not in page
    assert re.findall(r"<script(?![^>]*src=)", page) == []
    assert re.findall(r"\son\w+=", page) == []


def test_scripts_and_styles_name_no_address() -> None:
    sheets = {each.name: each.read_text(encoding="utf-8") for each in folder().joinpath("css").iterdir()}
    for name, source in {**scripts(), **sheets}.items():
        addresses = set(re.findall(r"https?://[^\s\"'`)]+", source)) - {"http://www.w3.org/2000/svg"}
        assert addresses == set(), name
        assert "innerHTML" not in source and "eval(" not in source, name
