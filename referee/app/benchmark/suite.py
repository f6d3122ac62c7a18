"""A suite: games to be played, filmed and analyzed, and clips that are there with their truth.

[film]                      # settings of all films (those of `cueref simulate`)
camera_height_mm = 2600
[[game]]
name = "nine-ball"
game = "9-ball"
seed = 1
shots = 60                  # at most
film = { room = "blue" }
vary = true                 # all else of its film as the seed draws it
[[clips]]
folder = "clips"            # each NAME.mp4 with NAME.truth.json, beside the suite's file
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from referee.app.simulate.command import GAMES, Game
from referee.app.simulate.play.choose import SKILLS
from referee.app.simulate.settings import FilmSettings, SettingError, table_for, varied


class SuiteError(Exception):
    """A suite can't be used; the message says which file, which entry and what is possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One clip of a suite: a game with the settings of its film, or a video that is there."""

    name: str
    game: Game | None = None
    film: FilmSettings | None = None
    video: Path | None = None
    truth: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    name: str
    entries: tuple[Entry, ...]


def shipped() -> list[str]:
    """The names of the suites that come with cueref."""
    folder = files("referee.app.benchmark") / "suites"
    return sorted(each.name.removesuffix(".toml") for each in folder.iterdir() if each.name.endswith(".toml"))


def read_suite(given: str) -> Suite:
    """A suite file, or one that comes with cueref by its name; raises SuiteError."""
    path = Path(given)
    if given in shipped() and not path.exists():
        path = Path(str(files("referee.app.benchmark") / "suites" / f"{given}.toml"))
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SuiteError(
            f"{given}: can't be read ({error.strerror}); give a suite file, or one of {', '.join(shipped())}"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SuiteError(f"{given}: not valid TOML: {error}") from None
    unknown = set(data) - {"film", "game", "clips"}
    if unknown:
        raise SuiteError(f"{given}: no table {', '.join(sorted(unknown))}; there are film, game, clips")
    entries = [_game(raw, data.get("film", {}), f"{given}: game {k}") for k, raw in _tables(data, "game", given)]
    for k, raw in _tables(data, "clips", given):
        entries += _clips(path.parent / str(raw.get("folder", "")), f"{given}: clips {k}")
    names = [entry.name for entry in entries]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SuiteError(f"{given}: the name {twice[0]!r} is used twice")
    if not entries:
        raise SuiteError(f"{given}: holds neither a [[game]] nor [[clips]]")
    return Suite(name=path.stem, entries=tuple(entries))


def _tables(data: Mapping[str, Any], name: str, given: str) -> list[tuple[int, Mapping[str, Any]]]:
    found = data.get(name, [])
    if not isinstance(found, list) or not all(isinstance(raw, dict) for raw in found):
        raise SuiteError(f"{given}: {name} must be written as [[{name}]]")
    return list(enumerate(found, 1))


KINDS: dict[str, type | tuple[type, ...]] = {
    "seed": int,
    "shots": int,
    "points": int,
    "pace": (int, float),
    "state": dict,
    "vary": bool,
}
"""What a setting of a game must be, in Python's types."""


def _game(raw: Mapping[str, Any], film: Mapping[str, Any], where: str) -> Entry:
    known = {field.name for field in fields(Game)} | {"name", "film", "vary"}
    unknown = set(raw) - known
    if unknown:
        raise SuiteError(f"{where}: no setting {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    for key, choices in (("game", GAMES), ("skill", tuple(SKILLS))):
        if raw.get(key, choices[0] if key == "skill" else None) not in choices:
            raise SuiteError(f"{where}: {key} must be one of {', '.join(choices)}, got {raw.get(key)!r}")
    for key, kind in KINDS.items():
        if key in raw and not isinstance(raw[key], kind):
            raise SuiteError(f"{where}: {key} has the wrong form: {raw[key]!r}")
    name = str(raw.get("name", raw["game"]))
    if not name or "/" in name or name.startswith("."):
        raise SuiteError(f"{where}: name must be usable as a folder's, got {name!r}")
    game = Game(**{key: value for key, value in raw.items() if key not in ("name", "film", "vary")})
    try:
        family = table_for(game.game, game.table).spec.family
        settings = FilmSettings.read({**film, **raw.get("film", {})})
    except SettingError as error:
        raise SuiteError(f"{where}: {error}") from None
    return Entry(name=name, game=game, film=varied(settings, family, game.seed) if raw.get("vary") else settings)


def _clips(folder: Path, where: str) -> list[Entry]:
    if not folder.is_dir():
        raise SuiteError(f"{where}: no folder {folder}")
    pairs = [(path, path.with_suffix(".truth.json")) for path in sorted(folder.glob("*.mp4"))]
    found = [Entry(name=video.stem, video=video, truth=truth) for video, truth in pairs if truth.is_file()]
    if not found:
        raise SuiteError(f"{where}: {folder} holds no NAME.mp4 with NAME.truth.json")
    return found
