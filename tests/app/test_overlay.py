"""What the overlay tells at which time, and that it draws without a picture going wrong."""

from typing import Any

import numpy as np
import pytest

from calibration.tables import TABLES
from referee.app.analyze.calls import Call
from referee.app.overlay.drawing import OverlayArtist
from referee.app.overlay.drawn_table import DrawnTable
from referee.app.overlay.story import Story, tell_story, tone_of
from referee.app.overlay.text import fitted, text_width, wrapped
from referee.app.palette import CLOTH, ball_colour, bgr
from referee.app.report.drawing import last_places, shot_paths, table_svg
from referee.app.words import EVENTS, LANGUAGES, QUESTIONS, TERMS, event_words, question_words
from tests.app.test_score import calibration

SHOT: dict[str, Any] = {
    "n": 1,
    "t0": 1.0,
    "t1": 5.0,
    "events": [
        {"t": 1.0, "kind": "strike", "ball": "cue"},
        {"t": 1.5, "kind": "contact", "balls": ["cue", "red-3"], "confidence": 0.6},
        {"t": 2.5, "kind": "pocket", "ball": "red-3", "pocket": "top-left"},
        {"t": 5.0, "kind": "rest"},
    ],
}


def verdict(**fields: Any) -> dict[str, Any]:
    base = {"n": 1, "legal": True, "fouls": [], "undecided": [], "score": {"A": 1, "B": 0}, "break": 1}
    return base | {"next": {"player": "A", "on": ["colour"]}} | fields


def row(ball: str, x: float, y: float, state: str = "moving") -> dict[str, Any]:
    return {"ball": ball, "x": x, "y": y, "u": 640 + (x - 889) / 3, "v": 360.0, "state": state, "visible": True}


def test_events_come_in_order_and_doubt_shows() -> None:
    story = tell_story([SHOT], [], [], "en")
    assert [moment.text for moment in story.moments] == [
        "Cue struck",
        "Cue hits red 3 ?",
        "Red 3 in the top-left pocket",
    ]
    assert story.shot_at(0.9) is None
    assert story.shot_at(3.0) == 0
    assert story.shot_at(5.5) is None
    assert story.shot_at(5.5, linger_s=1.0) == 0


def test_a_call_is_heard_for_its_time_and_the_score_stays() -> None:
    story = tell_story([SHOT], [(5.0, verdict())], [Call(t_s=5.0, n=1, words=("One",))], "en")
    assert story.call_at(4.9) is None
    heard = story.call_at(6.0)
    assert heard is not None
    assert heard.text == "One"
    assert story.call_at(9.0) is None
    board = story.board_at(100.0)
    assert board is not None
    assert board.score == {"A": 1, "B": 0}


def test_a_question_stands_where_a_call_would() -> None:
    open_one = verdict(legal=None, undecided=[{"question": "first_contact", "clause": "SN-3.3.3a"}])
    story = tell_story([SHOT], [(5.0, open_one)], [], "en")
    assert [call.text for call in story.calls] == ["which ball was hit first? (SN-3.3.3a)"]
    assert tone_of(open_one) == "open"
    assert tone_of(verdict(fouls=[{"clause": "SN-3.11.1f"}])) == "foul"


def test_both_languages_have_the_same_words() -> None:
    for words in (EVENTS, TERMS, QUESTIONS):
        assert len({frozenset(words[lang]) for lang in LANGUAGES}) == 1
    assert event_words(SHOT["events"][2], "ru") == "Красный 3 — луза: верхняя левая"
    assert question_words({"question": "spot_place", "clause": "SN-3.6.1", "ball": "blue"}, "ru").startswith("синий: ")


@pytest.mark.parametrize(
    ("size", "zoomed"), [((1280, 720), 720), ((612, 320), 540), ((3840, 2160), 1080), ((641, 361), 540)]
)
def test_the_overlay_has_an_even_size_and_keeps_the_picture(size: tuple[int, int], zoomed: int) -> None:
    artist = OverlayArtist(calibration(), size, Story(), "en", "snooker")
    width, height = artist.size
    assert height == zoomed
    assert width % 2 == 0
    picture = np.full((size[1], size[0], 3), 77, np.uint8)
    drawn = artist.draw(picture, 0.0, [])
    assert drawn.shape == (height, width, 3)
    assert (drawn[:, : artist.width] == 77).all()


def test_a_whole_shot_can_be_drawn_in_both_languages() -> None:
    judged = verdict(undecided=[{"question": "potted", "clause": "SN-2.11.1"}])
    for lang in LANGUAGES:
        story = tell_story([SHOT], [(5.0, judged)], [Call(t_s=5.0, n=1, words=("One",))], lang)
        artist = OverlayArtist(calibration(), (1280, 720), story, lang, "snooker")
        picture = np.full((720, 1280, 3), 60, np.uint8)
        for t in np.arange(0.0, 8.0, 0.2):
            rows = [row("cue", 400 + 50 * t, 1000.0), row("red-3", 900.0, 2000.0, "hidden"), row("12", 100.0, 100.0)]
            drawn = artist.draw(picture, float(t), rows)
        assert drawn[:, :1280].max() > 60


def test_a_ball_is_drawn_where_it_lies() -> None:
    """The baulk end is at the bottom: a ball up the table on its left side is at the drawing's upper left."""
    table = DrawnTable(TABLES["snooker-12ft"], 700)
    drawn = table.draw([("blue", 300.0, 3200.0)])
    at = table.to_px(np.array([300.0, 3200.0]))[0].round().astype(int)
    assert at[0] < table.width / 2
    assert at[1] < table.height / 2
    assert tuple(drawn[at[1], at[0]]) == bgr(ball_colour("blue"))
    assert tuple(drawn[table.height // 2 + 40, table.width // 2 + 20]) == bgr(CLOTH)


def test_text_is_shortened_and_wrapped_to_a_width() -> None:
    assert fitted("Foul", 20, 500) == "Foul"
    assert text_width(fitted("a very long line of words", 20, 100), 20) <= 100
    lines = wrapped("Foul, five points and the cue ball in hand in the D", 20, 150)
    assert len(lines) > 1
    assert all(text_width(line, 20) <= 150 for line in lines)


def test_a_drawn_shot_has_paths_and_ghosts() -> None:
    rows = [row("cue", 100.0 + 40 * i, 200.0) for i in range(5)] + [row("blue", 500.0, 900.0)] * 5
    paths = shot_paths(rows, 26.0)
    assert list(paths) == ["cue"]
    assert paths["cue"][-1] == (260.0, 200.0)
    assert last_places(rows) == {"cue": (260.0, 200.0), "blue": (500.0, 900.0)}
    svg = table_svg(TABLES["snooker-12ft"], last_places(rows), before={"cue": (100.0, 200.0)}, paths=paths, label="<x>")
    assert svg.count("<polyline") == 1
    assert svg.count("stroke-dasharray") == 1
    assert 'aria-label="&lt;x&gt;"' in svg
