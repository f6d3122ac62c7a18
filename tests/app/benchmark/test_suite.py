"""A suite file: what it may hold, and one line for each mistake."""

from pathlib import Path

import pytest

from referee.app.benchmark.suite import SuiteError, read_suite, shipped
from referee.app.simulate.settings import FilmSettings, varied

GAME = '[[game]]\nname = "a"\ngame = "9-ball"\n'


def written(folder: Path, text: str) -> str:
    path = folder / "suite.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_shipped_games_are_one_of_each() -> None:
    suite = read_suite("games")
    games = [entry.game for entry in suite.entries]
    assert {game.game for game in games if game} == {"snooker", "8-ball", "9-ball", "14.1", "pyramid-combined"}
    assert "games" in shipped()


def test_a_films_own_settings_go_before_those_of_all(tmp_path: Path) -> None:
    text = (
        '[film]\nfps = 50\nroom = "blue"\n'
        + GAME
        + 'seed = 4\nfilm = { fps = 30 }\n[[game]]\nname = "b"\ngame = "8-ball"\n'
    )
    one, two = read_suite(written(tmp_path, text)).entries
    assert one.film is not None and two.film is not None and one.game is not None
    assert (one.film.fps, two.film.fps, one.film.room, one.game.seed) == (30, 50, "blue", 4)


def test_a_varied_game_is_filmed_as_its_seed_draws_it(tmp_path: Path) -> None:
    text = GAME + "seed = 4\nvary = true\nfilm = { fps = 30 }\n"
    (entry,) = read_suite(written(tmp_path, text)).entries
    assert entry.film == varied(FilmSettings(fps=30), "pool", 4)
    games = read_suite("varied").entries
    assert len({entry.film for entry in games}) == len(games) > 10


def test_clips_are_those_with_a_truth_beside_the_suites_file(tmp_path: Path) -> None:
    for name in ("clips/x.mp4", "clips/x.truth.json", "clips/y.mp4"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    (entry,) = read_suite(written(tmp_path, '[[clips]]\nfolder = "clips"\n')).entries
    assert (entry.name, entry.video, entry.game) == ("x", tmp_path / "clips" / "x.mp4", None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1", "no table a; there are film, game, clips"),
        ("[film]\n", r"holds neither a \[\[game\]\] nor \[\[clips\]\]"),
        ("x", "not valid TOML"),
        ("[game]\n", r"game must be written as \[\[game\]\]"),
        ('[[game]]\ngame = "chess"\n', "game 1: game must be one of snooker, .*, got 'chess'"),
        ('[[game]]\nname = "a"\n', "game must be one of snooker"),
        (GAME + 'skill = "divine"\n', "skill must be one of beginner"),
        (GAME + "shot = 3\n", "no setting shot; there are film, game, name, pace"),
        (GAME + "vary = 3\n", "vary has the wrong form: 3"),
        (GAME + 'shots = "3"\n', "shots has the wrong form: '3'"),
        (GAME + GAME, "the name 'a' is used twice"),
        (GAME + 'table = "snooker-12ft"\n', "9-ball isn't played on snooker-12ft"),
        (GAME + "film = { fps = 3 }\n", "fps must be 5 to 240, got 3"),
        ('[[game]]\nname = "../a"\ngame = "9-ball"\n', "name must be usable as a folder's"),
        ('[[clips]]\nfolder = "none"\n', "clips 1: no folder"),
        ('[[clips]]\nfolder = "."\n', "holds no NAME.mp4 with NAME.truth.json"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SuiteError, match=message):
        read_suite(written(tmp_path, text))


def test_a_suite_that_isnt_there_tells_what_is() -> None:
    with pytest.raises(SuiteError, match=r"can't be read .*; give a suite file, or one of games"):
        read_suite("nothing.toml")
