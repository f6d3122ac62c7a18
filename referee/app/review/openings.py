"""What may have held before the first shot of a clip, for a person to choose from."""

from typing import Any

from referee.app.words import LANGUAGES, ball_words
from referee.match.log import Match
from vision.balls import SNOOKER_COLOURS

ON: dict[str, str] = {"en": "{ball} was on", "ru": "очередным был {ball}"}
OPEN: dict[str, str] = {"en": "the table was open", "ru": "стол был открыт"}
GROUP: dict[str, str] = {"en": "{player} had {ball}", "ru": "группа игрока {player}: {ball}"}
COLOUR: dict[str, str] = {"en": "a colour", "ru": "цветной"}
OTHER = {"solids": "stripes", "stripes": "solids"}
FIELDS = ("players", "teams", "striker", "score", "on", "free_ball", "foul_by", "break")


def opening_of(match: Match) -> dict[str, Any]:
    """The state in which a clip was taken to begin, without the balls: what a person may want to change of it."""
    state = match.header
    return {name: state[name] for name in (*FIELDS, match.game.name) if state.get(name) is not None}


def openings(match: Match) -> list[dict[str, Any]]:
    """``{"value": state, "en", "ru"}`` each; the score and the players stay as they were taken to be."""
    kept = {name: value for name, value in opening_of(match).items() if name in ("players", "striker", "score")}
    if match.game.name == "snooker":
        return [_choice({**kept, "on": [on]}, ON, on) for on in ("red", "colour", *SNOOKER_COLOURS)]
    if match.game.name != "8-ball":
        return []
    first, second = match.state.sides.names
    player = kept.get("striker") or first
    other = second if player == first else first
    opened = {**kept, "on": ["solids", "stripes"], "8-ball": {"stage": "open"}}
    out = [{"value": opened, **OPEN}]
    for mine, theirs in OTHER.items():
        groups = {"stage": "play", "groups": {player: mine, other: theirs}}
        out.append(_choice({**kept, "on": [mine], "8-ball": groups}, GROUP, mine, player))
    return out


def _choice(state: dict[str, Any], template: dict[str, str], ball: str, player: str = "") -> dict[str, Any]:
    words = {lang: COLOUR[lang] if ball == "colour" else ball_words(ball, lang) for lang in LANGUAGES}
    texts = {lang: template[lang].format(ball=words[lang], player=player) for lang in LANGUAGES}
    return {"value": state, **{lang: text[:1].upper() + text[1:] for lang, text in texts.items()}}
