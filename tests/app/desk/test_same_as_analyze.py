"""A live match judges as ``cueref analyze`` does: the same records give the same verdicts."""

import json
from pathlib import Path
from typing import Any

import pytest
from desk_play import COLOURS, stroke

from calibration.tables import DEFAULT_TABLE, TABLES
from referee.app.analyze.opening import rack_places
from referee.app.analyze.refereeing import Refereeing
from referee.app.analyze.settings import Settings
from referee.app.desk.matches import Matches
from tracking.records import ShotRecord

RACKED = {
    game: {str(i): [float(x), float(y)] for i, (x, y) in enumerate(rack_places(game, TABLES[DEFAULT_TABLE[game]]), 1)}
    for game in ("9-ball", "8-ball", "14.1")
}
SNOOKER = {
    **COLOURS,
    **{f"red-{i}": [float(x), float(y)] for i, (x, y) in enumerate(rack_places("snooker", TABLES["snooker-12ft"]), 1)},
}


def records(game: str) -> list[ShotRecord]:
    """A few strokes with pots, fouls, a nomination that is inferred, and a doubt."""
    balls: dict[str, list[float]] = {"cue": [700.0, 600.0], **(SNOOKER if game == "snooker" else RACKED[game])}
    order = ["red-1", "blue", "red-2", "green", "red-3"] if game == "snooker" else ["1", "2", "5", "8", "3"]
    out = []
    for i, hit in enumerate(order):
        potted = {hit: "top-left"} if i in (0, 1) else {}
        shot = stroke(10.0 * i, hit, potted, before=balls, moved={"cue": [650.0 + i, 900.0]})
        if i == 2:
            shot["events"][1]["confidence"] = 0.5
        out.append(ShotRecord.from_json({**shot, "n": i + 1}))
        balls = {ball: list(at) for ball, at in (out[-1].after or {}).items()}
    return out


@pytest.mark.parametrize("nominations", ["inferred", "required"])
@pytest.mark.parametrize("game", ["snooker", "9-ball", "8-ball", "14.1"])
def test_the_same_records_give_the_same_verdicts(tmp_path: Path, game: str, nominations: str) -> None:
    played = records(game)
    settings = Settings(game=game, table=TABLES[DEFAULT_TABLE[game]], nominations=nominations)
    analyzed = Refereeing(settings)
    expected = [verdict.verdict for record in played for verdict in analyzed.shot(record).verdicts]
    desk = Matches(tmp_path, camera=True).create({"game": game, "players": ["A", "B"], "nominations": nominations})
    verdicts: list[Any] = [desk.record(record) for record in played]
    assert json.dumps(verdicts) == json.dumps(expected)
    assert len(verdicts) == 5
