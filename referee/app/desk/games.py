"""The games as the setup page and the referee's tablet need them: tables, rules, what may be observed, words."""

from functools import cache
from typing import Any

from calibration.tables import DEFAULT_TABLE, TABLES
from referee.app.desk.snapshot import table_json
from referee.app.desk.words import NEEDS, OBSERVED, OPTIONS
from referee.match.announce import LANGUAGES
from referee.rules.book import book
from referee.rules.differences import DIFFERENCES, lacking
from referee.rules.engine import Game
from referee.rules.games import GAMES
from referee.rules.officials import KINDS, WARNINGS
from referee.rules.settings import POLICIES, Settings
from tracking.records import POCKETS


@cache
def games_json() -> dict[str, Any]:
    """All games by the names of the contract."""
    return {
        "games": [_game(game) for game in GAMES.values()],
        "tables": {name: table_json(spec) for name, spec in TABLES.items()},
        "pockets": list(POCKETS),
        "officials": list(KINDS),
        "warnings": list(WARNINGS),
        "options": OPTIONS,
        "observed": OBSERVED,
        "languages": list(LANGUAGES),
    }


def _game(game: Game) -> dict[str, Any]:
    family = TABLES[DEFAULT_TABLE[game.name]].family
    return {
        "id": game.name,
        "table": DEFAULT_TABLE[game.name],
        "tables": [name for name, spec in TABLES.items() if spec.family == family],
        "rules": ["seed", *(["current"] if not lacking(game.name) else [])],
        "policies": _policies(game.name),
        "balls": sorted(game.ball_names),
        "on": sorted(game.ons),
        "observed": [_observed(game, kind) for kind in OBSERVED],
    }


def _policies(game: str) -> list[dict[str, Any]]:
    """The policies that matter in this game, with what they are by rule set ``seed`` and by ``current``."""
    plain = Settings()
    current = {each.policy[0]: each.policy[1] for each in DIFFERENCES if game in each.games and each.policy}
    elsewhere = {each.policy[0] for each in DIFFERENCES if each.policy} - set(current)
    return [
        {
            "name": name,
            "id": policy.id,
            "about": policy.about,
            "choices": list(policy.choices),
            "default": getattr(plain, name),
            "current": current.get(name, getattr(plain, name)),
        }
        for name, policy in POLICIES.items()
        if name not in elsewhere
    ]


def _observed(game: Game, kind: str) -> dict[str, Any]:
    """What may be seen: its words, the clauses that it touches in this game, and what may be told with it."""
    clauses = [check.clause for check in game.checks if kind in check.needs]
    texts = book()
    return {
        "kind": kind,
        "needs": list(NEEDS.get(kind, ())),
        "text": OBSERVED[kind],
        "clauses": [{"id": name, "rule": texts[name].rule} for name in dict.fromkeys(clauses)],
    }
