"""MOTA, IDF1 and HOTA on scenes small enough to count by hand."""

import numpy as np
import pytest

from referee.app.score.tracking_figures import Scene, clear_mot, hota, idf1, similarity, without_hidden


def scene(true: dict[int, float], found: dict[int, float]) -> Scene:
    """Balls on a line, ball or track → x in mm, balls of 50 mm."""
    true_xy = np.array([[x, 0.0] for x in true.values()]).reshape(-1, 2)
    found_xy = np.array([[x, 0.0] for x in found.values()]).reshape(-1, 2)
    return Scene(
        true_ids=np.array(list(true), dtype=np.int64),
        found_ids=np.array(list(found), dtype=np.int64),
        similarity=similarity(true_xy, found_xy, 50.0),
    )


def test_similarity_falls_from_one_to_nothing_over_a_balls_diameter() -> None:
    got = similarity(np.zeros((1, 2)), np.array([[0, 0], [25, 0], [50, 0], [500, 0]]), 50.0)
    np.testing.assert_allclose(got, [[1.0, 0.5, 0.0, 0.0]])


def test_a_perfect_track_has_full_marks() -> None:
    scenes = [scene({0: 0, 1: 200}, {0: 0, 1: 200}) for _ in range(5)]
    assert clear_mot(scenes) == {"mota": 1.0, "misses": 0, "false_positives": 0, "switches": 0}
    assert idf1(scenes) == (1.0, {0: 0, 1: 1})
    assert hota(scenes) == {"hota": 1.0, "deta": 1.0, "assa": 1.0}


def test_a_track_that_breaks_in_the_middle() -> None:
    """Four frames, two by each track: one switch; half the identity; association 2 / (2 + 2) at every threshold."""
    scenes = [scene({0: 0}, {0: 0})] * 2 + [scene({0: 0}, {1: 0})] * 2
    assert clear_mot(scenes)["mota"] == 0.75
    assert clear_mot(scenes)["switches"] == 1
    assert idf1(scenes)[0] == 0.5
    assert hota(scenes) == {"hota": pytest.approx(0.5**0.5, abs=1e-4), "deta": 1.0, "assa": 0.5}


def test_two_tracks_that_swap_balls_are_two_switches() -> None:
    scenes = [scene({0: 0, 1: 200}, {0: 0, 1: 200})] * 3 + [scene({0: 0, 1: 200}, {1: 0, 0: 200})]
    assert clear_mot(scenes)["switches"] == 2
    assert clear_mot(scenes)["mota"] == 1 - 2 / 8
    assert idf1(scenes)[0] == 6 / 8


def test_a_missed_ball_and_an_invented_one() -> None:
    scenes = [scene({0: 0, 1: 200}, {0: 0, 1: 600})]
    assert clear_mot(scenes) == {"mota": 0.0, "misses": 1, "false_positives": 1, "switches": 0}
    assert hota(scenes)["deta"] == pytest.approx(1 / 3, abs=1e-4)


def test_a_track_a_quarter_ball_off_is_found_below_that_threshold_only() -> None:
    """12.5 mm of 50 is a similarity of 0.75: 15 of the 19 thresholds 0.05 … 0.95 let it pass."""
    scenes = [scene({0: 0}, {0: 12.5})]
    assert hota(scenes)["hota"] == pytest.approx(15 / 19, abs=1e-4)
    assert clear_mot(scenes)["mota"] == 1.0


def test_a_match_holds_on_while_it_can() -> None:
    """Track 1 comes nearer to the ball than track 0, which still is within half a ball: no switch."""
    scenes = [scene({0: 0}, {0: 0}), scene({0: 0}, {0: 20, 1: 0})]
    assert clear_mot(scenes)["switches"] == 0


def test_hidden_balls_are_neither_missed_nor_invented() -> None:
    both = scene({0: 0, 1: 200}, {0: 0, 1: 200})
    seen = without_hidden(both, np.array([False, True]))
    assert seen.true_ids.tolist() == [0]
    assert seen.found_ids.tolist() == [0]
    lost = without_hidden(scene({0: 0, 1: 200}, {0: 0}), np.array([False, True]))
    assert clear_mot([lost])["mota"] == 1.0


def test_nothing_true_and_nothing_found() -> None:
    assert clear_mot([scene({}, {})])["mota"] is None
    assert idf1([scene({}, {})]) == (None, {})
    assert hota([scene({}, {})]) == {"hota": None, "deta": None, "assa": None}
