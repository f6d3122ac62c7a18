"""Recipes for single clips: a layout, what is done on it step by step, how it is filmed, and what must happen.

A recipe file is TOML with an array ``clip``; each clip has ``name``, ``shows``, ``game``, ``balls`` (name → [x, y];
with ``rack = true`` those of the game's rack too) and an array ``step``. Steps follow each other; ``after`` is the time
in seconds since all balls lay still.

| ``do`` | what it does |
| --- | --- |
| ``stroke`` | ``pot`` and ``pocket``; or ``hit`` with ``thickness`` (1 full, near 0 a graze; positive on the ball's
right side, negative on its left) or with ``miss_mm`` (passes it by so much, signed alike); ``hit`` of two balls touches
both at the same moment; or ``direction_deg``; with ``speed``, ``side``, ``above``, ``elevation_deg``, ``nominated`` |
| ``place`` | a hand puts ``ball`` on the cloth ``at`` [x, y] |
| ``fall`` | ``ball``, hanging over ``pocket``, drops by itself |
| ``move`` | ``ball`` is pushed by ``cause`` with ``velocity`` [x, y] mm/s |
"""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from calibration.tables import Point
from referee.app.simulate.dynamics.motion import Physics
from referee.app.simulate.dynamics.table import PlayingTable
from referee.app.simulate.incidents import fall, move
from referee.app.simulate.play.aim import Stroke, aim_pot, meeting, play, pots
from referee.app.simulate.play.layout import opening
from referee.app.simulate.reel import START_S, Reel, Shot
from referee.app.simulate.settings import FilmSettings, SettingError, table_for
from referee.match.log import Match
from tracking.strict_json import MalformedRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """One recipe as read. ``expect``: events that must be among the clip's, each as ``kind ball [ball or place]``."""

    name: str
    shows: str
    game: str
    table: PlayingTable
    seed: int
    balls: Mapping[str, tuple[float, float]]
    steps: tuple[Mapping[str, Any], ...]
    film: FilmSettings
    state: Mapping[str, Any]
    expect: tuple[str, ...]
    start_s: float
    tail_s: float


def read_recipes(path: Path) -> list[Clip]:
    """All clips of a recipe file; raises SettingError naming clip and field."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingError(f"{path}: can't be read ({error.strerror})") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{path}: not valid TOML: {error}") from None
    common = data.get("film", {})
    return [_clip(raw, common, f"{path}: clip {raw.get('name', k + 1)!r}") for k, raw in enumerate(data["clip"])]


def _clip(raw: Mapping[str, Any], common: Mapping[str, Any], where: str) -> Clip:
    try:
        return Clip(
            name=raw["name"],
            shows=raw["shows"],
            game=raw["game"],
            table=table_for(raw["game"], raw.get("table")),
            seed=int(raw.get("seed", 0)),
            balls=_balls(raw),
            steps=tuple(raw["step"]),
            film=FilmSettings.read({**common, **raw.get("film", {})}),
            state=raw.get("state", {}),
            expect=tuple(raw.get("expect", ())),
            start_s=float(raw.get("start_s", 2.0)),
            tail_s=float(raw.get("tail_s", 1.0)),
        )
    except SettingError as error:
        raise SettingError(f"{where}: {error}") from None
    except KeyError as error:
        raise SettingError(f"{where}: lacks {error}") from None
    except (TypeError, ValueError) as error:
        raise SettingError(f"{where}: {error}") from None


def _balls(raw: Mapping[str, Any]) -> dict[str, Point]:
    """The balls laid out one by one, and with ``rack = true`` those of the game's rack."""
    table = table_for(raw["game"], raw.get("table"))
    rng = np.random.default_rng(int(raw.get("seed", 0)))
    racked = opening(raw["game"], table.spec, rng) if raw.get("rack") else {}
    return {**racked, **{name: (float(x), float(y)) for name, (x, y) in raw["balls"].items()}}


def reel_of(clip: Clip) -> Reel:
    """Play a recipe; raises SettingError where a step can't be done."""
    reel = Reel(table=clip.table, t_end=clip.start_s)
    for name, place in clip.balls.items():
        reel.place(name, place, START_S, by_hand=False)
    todo: dict[str, Callable[[Reel, Clip, Mapping[str, Any], float], None]] = {
        "stroke": _stroke,
        "place": _place,
        "fall": _fall,
        "move": _move,
    }
    for k, step in enumerate(clip.steps):
        act = todo.get(step.get("do", ""))
        if act is None:
            raise SettingError(f"clip {clip.name!r}: step {k + 1}: do must be one of {', '.join(todo)}")
        try:
            act(reel, clip, step, reel.t_end + float(step.get("after", 0.0 if k == 0 else 2.5)))
        except KeyError as error:
            raise SettingError(f"clip {clip.name!r}: step {k + 1}: lacks {error}") from None
    reel.t_end += clip.tail_s
    return reel


def _stroke(reel: Reel, clip: Clip, step: Mapping[str, Any], t: float) -> None:
    layout = reel.layout()
    physics = Physics()
    stroke = Stroke(
        direction_rad=math.radians(float(step.get("direction_deg", 90.0))),
        speed_mm_s=float(step["speed"]),
        side=float(step.get("side", 0.0)),
        above=float(step.get("above", 0.0)),
        elevation_rad=math.radians(float(step.get("elevation_deg", 0.0))),
    )
    if "pot" in step:
        ways = [w for w in pots(clip.table, layout, [step["pot"]], layout["cue"]) if w.pocket == step["pocket"]]
        aimed = aim_pot(clip.table, layout, ways[0], stroke, physics) if ways else None
        if aimed is None:
            raise SettingError(f"clip {clip.name!r}: {step['pot']} can't be potted in {step['pocket']} from there")
        stroke = aimed
    elif isinstance(step.get("hit"), list):
        one, two = step["hit"]
        place = meeting(layout, one, two, 2 * clip.table.radius)
        if place is None:
            raise SettingError(f"clip {clip.name!r}: {one} and {two} can't be hit at the same moment from there")
        x, y = layout["cue"]
        stroke = replace(stroke, direction_rad=math.atan2(place[1] - y, place[0] - x), target=one)
    elif "hit" in step:
        off_mm = passing_mm(step, clip.table.radius)
        stroke = aside(layout, stroke, step["hit"], off_mm)
    roll = play(clip.table, layout, stroke, t, physics)
    player = str(step.get("player", clip.state.get("striker", "A")))
    nominated = step.get("nominated", {})
    reel.add(
        Shot(n=len(reel.shots) + 1, player=player, stroke=stroke, t0=t, roll=roll, before=layout, nominated=nominated)
    )


def passing_mm(step: Mapping[str, Any], radius: float) -> float:
    """How far to the right (positive) of a ball's centre the cue ball's path leads, from thickness or miss."""
    if "miss_mm" in step:
        miss = float(step["miss_mm"])
        return math.copysign(2 * radius + abs(miss), miss)
    thickness = float(step.get("thickness", 1.0))
    if not 0.0 < abs(thickness) <= 1.0:
        raise SettingError(f"thickness must be more than 0 and at most 1, left sides negative; got {thickness:g}")
    return math.copysign((1.0 - abs(thickness)) * 2 * radius, thickness)


def aside(layout: Mapping[str, Any], stroke: Stroke, ball: str, off_mm: float) -> Stroke:
    """Aim so that the cue ball's straight path passes ``off_mm`` to the right of a ball's centre."""
    gap = np.array(layout[ball]) - np.array(layout["cue"])
    turn = math.asin(max(-1.0, min(1.0, off_mm / float(np.linalg.norm(gap)))))
    return replace(stroke, direction_rad=math.atan2(gap[1], gap[0]) - turn, target=ball)


def _place(reel: Reel, clip: Clip, step: Mapping[str, Any], t: float) -> None:
    x, y = step["at"]
    reel.place(step["ball"], (float(x), float(y)), t)
    reel.t_end = t + 1.0


def _fall(reel: Reel, clip: Clip, step: Mapping[str, Any], t: float) -> None:
    try:
        fall(reel, step["ball"], step["pocket"], t)
    except ValueError as error:
        raise SettingError(f"clip {clip.name!r}: {error}") from None


def _move(reel: Reel, clip: Clip, step: Mapping[str, Any], t: float) -> None:
    x, y = step["velocity"]
    move(reel, step["ball"], (float(x), float(y)), str(step.get("cause", "player")), t)


def verdicts(clip: Clip, records: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """What the rule book says of each record, from the clip's state on; raises SettingError."""
    balls = {name: list(place) for name, place in clip.balls.items()}
    try:
        match = Match.from_case(clip.game, {"balls": balls, **clip.state})
        return [match.add(record).verdict for record in records]
    except MalformedRecord as error:
        raise SettingError(f"clip {clip.name!r}: {error}") from None
