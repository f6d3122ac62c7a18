"""A match of hours: bounded memory and constant work a stroke, and nobody who only looks waits for an input."""

import gc
import random
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from desk_play import HEADER, TABLE, new_desk, said, stroke

from referee.app.desk.desk import Desk
from referee.app.desk.library import Library
from referee.app.desk.lines import MOST_TOLD, told
from referee.app.desk.matches import Matches
from referee.app.desk.statistics import of_match
from referee.match.scoreboard import tallies

MOST_BYTES = 4096
"""A stroke, whatever is open, in memory for good."""


def play(desk: Desk, start: int, count: int, doubtful: float) -> None:
    """So many strokes by turns, in a share of which it wasn't seen whether red or blue was hit first."""
    rng = random.Random(start)
    for n in range(start, start + count):
        moved = {ball: [x + rng.uniform(-30, 30), y + rng.uniform(-30, 30)] for ball, (x, y) in TABLE.items()}
        line = stroke(10.0 * n, "red-1", {}, moved, {"cue": [rng.uniform(100, 1600), 1000.0]})
        if rng.random() < doubtful:
            blue = {"t": 10.0 * n + 0.5, "kind": "contact", "balls": ["cue", "blue"], "t_sigma": 0.1}
            line["events"].insert(2, blue)
        desk.shot(line)


@pytest.mark.parametrize("doubtful", [0.0, 0.05])
def test_a_stroke_takes_little_memory(tmp_path: Path, doubtful: float) -> None:
    tracemalloc.start()
    try:
        desk = new_desk(tmp_path, frames_to_win=50)
        page, held = desk.subscribe(), list[int]()
        for upto in (64, 160):
            for at in range(len(desk.match.shots), upto, 16):
                play(desk, at, 16, doubtful)
                assert page.take()
            of_match(desk.match)
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert len(desk.match.shots) == 160
    assert bool(desk.match.open_questions) == bool(doubtful)
    assert (held[1] - held[0]) / 96 < MOST_BYTES


def calls(do: Callable[[], object]) -> int:
    """How many functions are called in Python."""
    count = 0

    def heard(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(heard)
    try:
        do()
    finally:
        sys.setprofile(None)
    return count


def test_a_stroke_takes_as_much_work_after_many_as_after_few(tmp_path: Path) -> None:
    desk = new_desk(tmp_path, frames_to_win=50)
    play(desk, 0, 64, 0.0)
    early = calls(lambda: play(desk, 64, 16, 0.0))
    play(desk, 80, 220, 0.0)
    late = calls(lambda: play(desk, 300, 16, 0.0))
    assert late < 1.1 * early


def test_nobody_who_only_looks_waits_for_an_input(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    desk.shot(stroke(0.0, "red-1", {"red-1": "top-left"}))
    looked: list[Any] = []

    def look() -> None:
        looked.append(desk.latest()[1]["board"]["score"])
        looked.append(desk.shot_in_full(1))
        looked.append(desk.messages_since(0))
        looked.append(desk.preview(desk.undo_line()))

    with desk.lock:  # as while an input is being judged
        thread = Thread(target=look, daemon=True)
        thread.start()
        thread.join(30.0)
    assert len(looked) == 4 and looked[0] == {"Ann": 1, "Bob": 0}


def test_what_was_called_is_told_from_any_line_on(tmp_path: Path) -> None:
    desk = new_desk(tmp_path, frames_to_win=50)
    for n in range(70):
        desk.shot(stroke(10.0 * n, "blue", {}, TABLE))  # a foul each time
    every = desk.messages_since(0)
    assert len(every) == 70 and [each["seq"] for each in every] == list(range(3, 142, 2))
    assert desk.messages_since(every[9]["seq"]) == every[10:]
    assert desk.messages_since(desk.seq) == []
    desk.close()
    again = Desk.resume(desk.folder)
    assert said(again) == [text for each in every for text in each["call"]["announce"]["en"]]
    again.close()


def test_a_correction_far_back_is_counted_as_from_the_start(tmp_path: Path) -> None:
    desk = new_desk(tmp_path, frames_to_win=50)
    play(desk, 0, 60, 0.0)
    assert tallies(desk.match)["Ann"].points == 0 and of_match(desk.match)["Ann"]["points"] == 0
    desk.correct(3, stroke(20.0, "red-1", {"red-1": "top-left"}))
    assert tallies(desk.match)["Ann"].points == 1 and of_match(desk.match)["Ann"]["points"] == 1
    shown = desk.snapshot()
    assert shown["shots"][0]["n"] == 11 and len(shown["shots"]) == 50
    desk.close()
    again = Desk.resume(desk.folder)
    assert of_match(again.match) == of_match(desk.match) and tallies(again.match) == tallies(desk.match)
    assert again.snapshot()["shots"] == shown["shots"]
    again.close()


def test_a_verdict_is_told_with_the_last_of_what_is_open() -> None:
    asked = [{"question": "potted", "clause": "SN-3.9", "n": n} for n in range(40)]
    verdict = {"undecided": [{"question": "on", "clause": "SN-3.9"}, *asked], "open": asked, "legal": None}
    short = told(verdict)
    assert short == {**verdict, "undecided": [verdict["undecided"][0], *asked[-MOST_TOLD:]], "open": asked[-MOST_TOLD:]}
    assert told(None) is None and len(verdict["open"]) == 40


def test_a_match_that_was_played_is_listed_without_reading_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = Matches(tmp_path)
    first = matches.create(HEADER)
    first.shot(stroke(0.0, "red-1", {"red-1": "top-left"}))
    second = matches.create(HEADER)

    def read(self: Library, match_id: str) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr(Library, "_read", read)
    assert [each["id"] for each in matches.search()] == sorted([first.id, second.id], reverse=True)
    assert next(each for each in matches.search() if each["id"] == first.id)["score"] == {"Ann": 1, "Bob": 0}
    assert [each["points"] for each in matches.statistics("Ann")] in ([0, 1], [1, 0])
    assert [each["id"] for each in matches.entries([first.id])] == [first.id]
    assert len(matches.search()) == 2, "asking for one forgets no other"
    matches.close()
