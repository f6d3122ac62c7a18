"""What holds for every match of every game, whatever happens in it."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from generators import new_match, random_line, random_match
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.match.log import Match
from referee.rules.games import GAMES
from referee.rules.officials import Official
from referee.rules.snooker_penalties import is_red
from tracking.records import Gap, ShotRecord

games = st.sampled_from(sorted(GAMES))
seeds = st.integers(0, 2**32)
few = settings(max_examples=25, deadline=None)


def plain(match: Match) -> list[dict[str, Any]]:
    return [line.verdict for line in match.lines]


@few
@given(games, seeds)
def test_one_player_acts_or_lots_are_drawn_or_the_match_is_over(game: str, seed: int) -> None:
    match = random_match(game, seed, 25)
    for line in match.lines:
        after = line.verdict["next"]
        waits_for_lots = after["player"] is None and not line.verdict["match"]["over"]
        assert after["player"] in (*match.state.sides.persons, None)
        assert not waits_for_lots or game == "snooker" or line.verdict["undecided"] or line.verdict["frame"]["over"]
        assert line.verdict["match"]["over"] is (after["player"] is None and match.state.finished) or not waits_for_lots


@few
@given(games, seeds)
def test_balls_are_conserved(game: str, seed: int) -> None:
    match = random_match(game, seed, 25)
    everything = set(GAMES[game].opening(match.state.table)) | {"cue"}
    left = set(everything)
    for step in match.steps:
        state = step.judged.course.likely.state
        assert state.balls <= everything
        assert set(state.positions) <= state.balls
        if step.judged.verdict.fields["frame"]["over"] or step.judged.verdict.fields["rack"]:
            left = set(everything)
        if game == "snooker":
            assert {ball for ball in state.balls if is_red(ball)} <= left
            left = (left - {ball for ball in left if is_red(ball)}) | {ball for ball in state.balls if is_red(ball)}


@few
@given(games, seeds)
def test_folding_equals_stepping_and_every_prefix_replays(game: str, seed: int) -> None:
    match = random_match(game, seed, 12)
    again = new_match(game)
    for line, item in zip(match.lines, [line.item for line in match.lines], strict=True):
        assert again.add(item).verdict == line.verdict
    refolded = new_match(game)
    for line in match.lines:
        refolded.add(line.item)
    refolded.add(Official(kind="undo"))
    refolded.add(Official(kind="undo"))
    assert refolded.course == match.course


@few
@given(games, seeds, st.integers(1, 3))
def test_undo_then_redo_is_the_identity(game: str, seed: int, count: int) -> None:
    match = random_match(game, seed, 8)
    before = match.course
    match.add(Official(kind="undo", lines=min(count, len(match.lines))))
    match.add(Official(kind="undo"))
    assert match.course == before


@few
@given(games, seeds)
def test_a_round_trip_through_json_is_the_identity(game: str, seed: int) -> None:
    match = random_match(game, seed, 12)
    again = new_match(game)
    for line in match.lines:
        again.add(json.loads(json.dumps(line.item.to_json())))
    assert json.loads(json.dumps(plain(again))) == json.loads(json.dumps(plain(match)))


def shifted(record: ShotRecord, seconds: float) -> ShotRecord:
    events = tuple(replace(event, t_s=event.t_s + seconds) for event in record.events)
    return replace(record, t0=record.t0 + seconds, t1=record.t1 + seconds, events=events)


@few
@given(games, seeds, st.floats(0, 1e5))
def test_shifting_time_changes_nothing(game: str, seed: int, seconds: float) -> None:
    match = random_match(game, seed, 10)
    later = new_match(game)
    for line in match.lines:
        later.add(shifted(line.item, seconds) if isinstance(line.item, ShotRecord) else line.item)
    assert plain(later) == plain(match)


@few
@given(games, seeds)
def test_swapped_players_get_the_swapped_verdict(game: str, seed: int) -> None:
    match = random_match(game, seed, 15)
    other = new_match(game, players=["B", "A"])
    for line in match.lines:
        other.add(json.loads(swap(json.dumps(line.item.to_json()))))
    for mine, theirs in zip(plain(match), plain(other), strict=True):
        for key in mine.keys() - {"announce", "retracted"}:
            assert json.loads(swap(json.dumps(mine[key]))) == json.loads(json.dumps(theirs[key])), key


def swap(text: str) -> str:
    """A for B and B for A, where they stand alone."""
    return text.replace('"A"', '"#"').replace('"B"', '"A"').replace('"#"', '"B"')


# ---------------------------------------------------------------------------------------------- doubt


def doubtful(rng: random.Random, record: ShotRecord) -> ShotRecord:
    """The record with less certain events, times or sight."""
    events = list(record.events)
    for i, event in enumerate(events):
        chance = rng.random()
        if event.kind in ("strike", "rest"):
            continue
        if chance < 0.25:
            events[i] = replace(event, confidence=rng.choice([0.2, 0.5, 0.85]))
        elif chance < 0.4:
            events[i] = replace(event, t_sigma_s=rng.choice([0.02, 0.2]))
    gaps = record.gaps
    if rng.random() < 0.3:
        gaps = (Gap(t0_s=rng.uniform(record.t0, record.t1), t1_s=record.t1),)
    return replace(record, events=tuple(events), gaps=gaps)


@settings(max_examples=120, deadline=None)
@given(games, seeds)
def test_more_doubt_only_moves_towards_undecided(game: str, seed: int) -> None:
    rng = random.Random(seed)
    match = random_match(game, seed, rng.randrange(6))
    if match.state.finished or match.state.striker is None:
        return
    line = random_line(rng, match, 1000.0)
    if line["type"] != "shot":
        return
    record = ShotRecord.from_json(line)
    sure, unsure = copy(match), copy(match)
    certain = sure.add(record).verdict
    doubted = unsure.add(doubtful(rng, record)).verdict
    assert doubted["legal"] in (certain["legal"], None)
    assert {foul["clause"] for foul in doubted["fouls"]} <= {foul["clause"] for foul in certain["fouls"]}
    assert set(doubted["potted"]) <= set(certain["potted"])
    assert doubted["next"]["player"] in (certain["next"]["player"], None)
    assert doubted["next"]["on"] in (certain["next"]["on"], None)
    for side, points in doubted["points"].items():
        assert points in (certain["points"][side], 0)
    decided = doubted["legal"] == certain["legal"] and doubted["points"] == certain["points"]
    assert decided or doubted["undecided"]


def copy(match: Match) -> Match:
    again = new_match(match.game.name)
    for line in match.lines:
        again.add(line.item)
    return again


# ---------------------------------------------------------------------------------------------- snooker


def renamed(record: ShotRecord, names: dict[str, str]) -> ShotRecord:
    text = json.dumps(record.to_json())
    for old in names:
        text = text.replace(f'"{old}"', f'"#{old}"')
    for old, new in names.items():
        text = text.replace(f'"#{old}"', f'"{new}"')
    return ShotRecord.from_json(json.loads(text))


@few
@given(seeds)
def test_reds_are_interchangeable(seed: int) -> None:
    match = random_match("snooker", seed, 15)
    rng = random.Random(seed)
    reds = [f"red-{i}" for i in range(1, 16)]
    names = dict(zip(reds, rng.sample(reds, len(reds)), strict=True))
    other = new_match("snooker")
    for line in match.lines:
        other.add(renamed(line.item, names) if isinstance(line.item, ShotRecord) else line.item)
    for mine, theirs in zip(plain(match), plain(other), strict=True):
        for key in ("legal", "penalty", "points", "score", "next", "break", "frame", "match", "spot"):
            assert mine[key] == theirs[key]


def mirrored(record: ShotRecord, width: float) -> ShotRecord:
    data = json.loads(json.dumps(record.to_json()).replace("left", "#").replace("right", "left").replace("#", "right"))
    for name in ("before", "after"):
        data[name] = {ball: [width - x, y] for ball, (x, y) in (data.get(name) or {}).items()}
    return ShotRecord.from_json(data)


@few
@given(games, seeds)
def test_a_mirrored_table_gives_the_mirrored_verdict(game: str, seed: int) -> None:
    match = random_match(game, seed, 6)
    width = match.state.table.width
    mirror = new_match(game)
    corners = {"1": "5", "5": "1"} if game == "14.1" else {}  # which are racked at the right and left corner (P141-4)
    for line in match.lines:
        item = line.item
        mirror.add(renamed(mirrored(item, width), corners) if isinstance(item, ShotRecord) else item)
        mine, theirs = line.verdict, mirror.lines[-1].verdict
        if {"yellow", "green", "brown"} & set(mine["spot"]):
            return  # their spots are not each other's mirror image
        for key in ("legal", "penalty", "points", "score", "break", "frame"):
            assert mine[key] == theirs[key], key
        assert [foul["clause"] for foul in mine["fouls"]] == [foul["clause"] for foul in theirs["fouls"]]
        assert mine["next"]["player"] == theirs["next"]["player"]
        places = sorted([width - x, y] for x, y in mine["spot"].values())
        assert sorted(theirs["spot"].values()) == [pytest.approx(place) for place in places]
