"""A match that is gone on with, corrected and undone is the match that is judged as a whole from its start."""

import random
from dataclasses import replace
from typing import Any

from generators import new_match, random_line, random_record
from hypothesis import given, settings
from hypothesis import strategies as st
from play import hit, official, shot

from referee.match.log import Match
from referee.match.order import Mark, in_force, in_order, places
from referee.match.play import Play
from referee.match.scoreboard import Tally, tallies
from referee.match.series import LAST, PACKED, Series
from referee.rules.games import GAMES
from referee.rules.officials import Official
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord

HOW = ("shot", "shot", "shot", "shot", "undo", "undo_line", "correct", "insert", "follows", "not_called")


def line(rng: random.Random, match: Match, how: str, t_s: float) -> dict[str, Any] | Official:
    """A line to add: a stroke, mostly, some with something unseen; or one that changes what was judged before."""
    numbers = match.shots.numbers
    if how == "undo":
        return Official(kind="undo")
    if how == "undo_line":
        return Official(kind="undo", line=rng.randint(1, max(1, len(match.lines))))
    if how == "correct" and numbers:
        step = match.shot(rng.choice(numbers))
        assert step is not None and isinstance(step.item, ShotRecord)
        events = step.item.events[: max(1, len(step.item.events) - rng.randrange(3))]
        return Official(kind="correct", n=step.n, record=replace(step.item, events=events))
    if how == "insert" and numbers:
        record = ShotRecord.from_json(random_record(rng, match, t_s))
        return Official(kind="insert", n=max(numbers) + 1, record=record, follows=rng.choice([0, *numbers]))
    if how == "follows" and numbers:
        return Official(kind="concede", player="A", follows=rng.choice([0, *numbers]))
    if how == "not_called":
        return Official(kind="not_called")
    found = random_line(rng, match, t_s)
    if rng.random() < 0.2 and found["type"] == "shot":
        found["events"][-2] |= {"confidence": 0.5}
    return found


def played(seed: int, game: str, hows: list[str]) -> Match:
    rng, match = random.Random(seed), new_match(game)
    for i, how in enumerate(hows):
        if match.state.finished:
            break
        before = match.copy()
        try:
            match.add(line(rng, match, how, 30.0 * i))
        except MalformedRecord:
            assert match.steps == before.steps and match.lines == before.lines, "what is refused leaves no trace"
    return match


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(sorted(GAMES)), st.lists(st.sampled_from(HOW), max_size=60))
def test_gone_on_with_is_judged_as_a_whole(seed: int, game: str, hows: list[str]) -> None:
    match = played(seed, game, ["shot"] * 3 + hows)
    whole, changes = Play(start=match.start).folded(
        match.game, match.places, lambda index: match.lines[index].item, len(match.lines)
    )
    assert [replace(place, condoned=False) for place in match.places] == places(match.marks)
    assert whole.steps == match.steps
    assert whole.open == match.play.open and list(match.play.open.values()) == match.open_questions
    assert whole.impossible == match.play.impossible and whole.entered == match.play.entered
    assert [each.index for each in changes] == [place.index for place in match.places]
    again = Match.from_header({"type": "match", "game": game, "players": ["A", "B"], "frames_to_win": 100})
    for each in match.lines:
        again.add(each.item)
    assert again.lines == match.lines and again.steps == match.steps
    assert tallies(again) == tallies(match), "whatever was kept of it on the way"


def test_the_tallies_go_on_where_they_were_and_follow_a_correction() -> None:
    match = Match.from_header({"type": "match", "game": "snooker", "players": ["Ann", "Bob"], "frames_to_win": 3})
    for n in range(40):  # by turns: nothing is potted
        match.add(shot(hit("red-1")))
        assert (tallies(match)["Ann"].strokes, tallies(match)["Bob"].strokes) == (n // 2 + 1, (n + 1) // 2)
    assert tallies(match)["Bob"] == Tally(visits=20, strokes=20)
    match.add(official("correct", n=40, record=shot(hit("blue"))))
    assert (tallies(match)["Bob"].fouls, tallies(match)["Ann"].points_from_fouls) == (1, 5)
    match.add(official("correct", n=2, record=shot(hit("black"))))
    assert (tallies(match)["Bob"].fouls, tallies(match)["Ann"].points_from_fouls) == (2, 12)


def test_a_shot_put_in_later_leaves_what_was_called_too_late() -> None:
    match = Match.from_header({"type": "match", "game": "snooker", "players": ["Ann", "Bob"], "frames_to_win": 3})
    match.add(shot(hit("red-1")))
    match.add(shot(hit("blue")))  # a foul of five
    match.add(shot(hit("red-1")))
    assert match.state.score == {"Ann": 5, "Bob": 0}
    match.add(official("not_called"))
    assert match.state.score == {"Ann": 0, "Bob": 0}
    match.add(official("insert", n=4, follows=1, record=shot(hit("red-1"))))
    assert match.state.score == {"Ann": 0, "Bob": 0}, "whatever is put in before it"


# ------------------------------------------------------------------------------------------------- its parts


@given(st.lists(st.integers(), max_size=200), st.integers(0, 220), st.integers(-210, 210))
def test_a_series_is_the_list(items: list[int], count: int, at: int) -> None:
    series = Series[int]()
    for each in items:
        series.append(each)
    first, copy = series.first(min(count, len(items))), series.copy()
    copy.append(7)
    assert series == items and list(series) == items and [*reversed(series)] == items[::-1]
    assert first == items[:count] and copy == [*items, 7]
    assert series[at:] == items[at:] and series[:at] == items[:at] and list(series.between(3, 90)) == items[3:90]
    if -len(items) <= at < len(items):
        assert series[at] == items[at]
    first.append(8)
    assert first == [*items[:count], 8] and series == items


def test_a_long_series_is_packed() -> None:
    series = Series[list[str]]()
    for n in range(10 * PACKED + LAST):
        series.append([f"line {n}"] * 3)
    assert len(series._last) < LAST + PACKED and len(series._packs) == 10
    assert series[5] == ["line 5"] * 3 and series[5] is series[5], "what was looked at last is at hand"
    assert sum(len(pack.data) for pack in series._packs) < 10 * 400


def test_who_follows_whom() -> None:
    marks = [Mark(kind="shot", n=1), Mark(kind="shot", n=2), Mark(kind="warn"), Mark(kind="shot", n=3)]
    assert [(each.index, each.n) for each in places(marks)] == [(0, 1), (1, 2), (2, 2), (3, 3)]
    marks.append(Mark(kind="insert", n=9, whole=True, follows=2))
    assert [(each.index, each.n) for each in places(marks)] == [(0, 1), (1, 2), (2, 2), (4, 9), (3, 3)]
    marks.append(Mark(kind="correct", n=9, whole=True))
    assert [each.by for each in places(marks)] == [None, None, None, 5, None]
    marks.append(Mark(kind="undo", line=2))
    assert in_force(marks) == [0, 2, 3, 4, 5, 6]
    assert [(each.index, each.n) for each in places(marks)] == [(0, 1), (2, 1), (3, 3)], "what followed it goes with it"
    assert in_order([0, 1, 2, 4, 3], [0, 2, 3]) == [0, 1, 2, 4, 3]
