"""Random but consistent play: records that fit the state of a match, in any game."""

import math
import random
from collections.abc import Mapping
from typing import Any

from referee.match.log import Match
from referee.rules.table import Table

POCKETS = ["bottom-left", "bottom-right", "middle-left", "middle-right", "top-left", "top-right"]
CUSHIONS = ["bottom", "top", "left", "right"]
SEEN = ["foot_off", "double_hit", "push", "balls_moving", "miss", "tip_fault", "bad_placement"]
Places = dict[str, list[float]]


def free_place(rng: random.Random, table: Table, taken: Mapping[str, Any], area: str = "in_hand_any") -> list[float]:
    """A place in the area clear of all balls."""
    half = table.ball / 2
    for _ in range(2000):
        place = (rng.uniform(half, table.width - half), rng.uniform(half, table.length - half))
        if not table.may_stand(place, area):
            continue
        if all(math.dist(place, other) > table.ball + 2 for other in taken.values()):
            return [round(place[0], 2), round(place[1], 2)]
    raise AssertionError("no room on the table")


def lying(rng: random.Random, match: Match) -> Places:
    """Where the balls lie before the next stroke, the cue ball placed if it is in hand."""
    state = match.state
    names = sorted(ball for ball in state.balls if ball != "cue")
    places: Places = {ball: list(state.positions[ball]) for ball in names if ball in state.positions}
    for ball in names:
        if ball not in places:
            places[ball] = free_place(rng, state.table, places)
    if not state.in_hand and isinstance(state.cue_ball, tuple):
        places["cue"] = list(state.cue_ball)
    elif not state.in_hand and "cue" in state.positions:
        places["cue"] = list(state.positions["cue"])
    else:
        area = state.cue_ball if isinstance(state.cue_ball, str) and state.in_hand else "in_hand_any"
        places["cue"] = free_place(rng, state.table, places, area)
    return places


def random_record(rng: random.Random, match: Match, start: float, *, wild: float = 0.3) -> dict[str, Any]:
    """A stroke from where the balls lie. ``wild``: how much of it goes wrong."""
    before = lying(rng, match)
    objects = sorted(ball for ball in before if ball != "cue")
    events: list[dict[str, Any]] = [{"kind": "strike", "ball": "cue"}]
    hit = (
        []
        if rng.random() < wild / 3 or not objects
        else [rng.choice(_likely(match, objects) if rng.random() > wild else objects)]
    )
    if hit and rng.random() < 0.3:
        hit.append(rng.choice(objects))
    if match.game.name != "snooker":
        events.append(
            {"kind": "crossed", "ball": "cue", "line": "house_line" if "pyramid" in match.game.name else "head_string"}
        )
    events += [{"kind": "contact", "balls": ["cue", ball]} for ball in dict.fromkeys(hit)]
    movers = ["cue", *dict.fromkeys(hit)]
    for ball in rng.sample(objects, min(len(objects), rng.randrange(0, 3))):
        if ball not in movers and hit:
            events.append({"kind": "contact", "balls": [hit[0], ball]})
            movers.append(ball)
    events += [
        {"kind": "cushion", "ball": rng.choice(movers), "cushion": rng.choice(CUSHIONS)}
        for _ in range(rng.randrange(4))
    ]
    gone: list[str] = []
    for ball in movers:
        chance = rng.random()
        if ball == "cue":
            chance += 0.5 - wild / 2
        if chance < 0.25:
            events.append({"kind": "pocket", "ball": ball, "pocket": rng.choice(POCKETS)})
            gone.append(ball)
        elif chance < 0.25 + wild / 10:
            events.append({"kind": "off_table", "ball": ball})
            gone.append(ball)
    after = {ball: place for ball, place in before.items() if ball not in gone}
    for ball in movers:
        if ball in after:
            del after[ball]
            after[ball] = free_place(rng, match.state.table, after)
    for i, event in enumerate(events):
        event["t"] = round(start + i / 8, 3)
    events.append({"kind": "rest", "t": round(start + len(events) / 8, 3)})
    record: dict[str, Any] = {"type": "shot", "before": before, "events": events, "after": after, "observed": []}
    if rng.random() > 0.2:
        called = hit[0] if hit and rng.random() > wild else rng.choice(objects or ["cue"])
        fallen = next((e["pocket"] for e in events if e["kind"] == "pocket" and e["ball"] == called), None)
        record["nominated"] = {"ball": called, "pocket": fallen or rng.choice(POCKETS)}
    elif rng.random() < 0.3:
        record["nominated"] = {"safety": True}
    if rng.random() < wild / 4:
        record["observed"].append({"kind": rng.choice(SEEN)})
    return record


def _likely(match: Match, objects: list[str]) -> list[str]:
    """Balls that may well be meant: those on."""
    on = match.state.on
    named = [ball for ball in objects if ball in on or (ball.startswith("red") and on == ("red",))]
    if on == ("colour",):
        named = [ball for ball in objects if not ball.startswith("red")]
    return named or objects


def random_line(rng: random.Random, match: Match, start: float, *, wild: float = 0.3) -> dict[str, Any]:
    """A stroke, or a choice that is open, or what the match waits for."""
    state = match.state
    if state.striker is None:
        return {"type": "official", "kind": "toss", "winner": rng.choice(state.sides.names)}
    if state.options and rng.random() < 0.5:
        option = rng.choice(state.options)
        line: dict[str, Any] = {"type": "official", "kind": "choose", "player": option.player, "option": option.id}
        if option.id in ("take_ball", "spot_for_house"):
            objects = sorted(ball for ball in state.balls if ball != "cue")
            line["ball"] = rng.choice(objects)
        return line
    return random_record(rng, match, start, wild=wild)


def new_match(game: str, **more: Any) -> Match:
    return Match.from_header({"type": "match", "game": game, "players": ["A", "B"], "frames_to_win": 100, **more})


def random_match(game: str, seed: int, length: int, *, wild: float = 0.3) -> Match:
    """A match of so many lines; a line that the game refuses is left out."""
    rng = random.Random(seed)
    match = new_match(game)
    start = 0.0
    for _ in range(length):
        if match.state.finished:
            break
        line = random_line(rng, match, start, wild=wild)
        try:
            match.add(line)
        except ValueError:
            continue
        start += 30.0
    return match
