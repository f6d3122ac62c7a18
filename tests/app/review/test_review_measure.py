"""Distances: by construction, and on a simulated clip against its exact truth."""

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from frame_of_snooker import TABLE, calibration

from referee.app.review.analysis import AnalysisReview
from referee.app.review.errors import NotThere
from referee.app.review.exports import export_picture, measure
from referee.app.review.measure import CENTRE_PX, Place, centre_sigma, distance, in_words, line_of, mm_per_px, nearer
from vision.frames import read_picture

SAMPLES = Path(__file__).parents[3] / "sample_videos"


def ball(x: float, y: float, sigma: float = 0.0, name: str = "cue") -> Place:
    return Place(name={"en": name, "ru": name}, x_mm=x, y_mm=y, z_mm=26.25, sigma_mm=sigma, seen=True, ball=name)


def test_a_distance_is_between_centres_and_the_gap_between_surfaces() -> None:
    found = distance(calibration(), ball(300, 400), ball(600, 800, name="black"))
    assert found.mm == 500.0
    assert found.gap_mm == 500.0 - 52.5


def test_a_ball_at_a_cushion_touches_it_a_little_less_than_a_radius_from_the_nose_line() -> None:
    found = distance(calibration(), ball(300, 900), line_of(TABLE, "left"))
    assert (found.a, found.b, found.mm) == ((300, 900), (0, 900), 300.0)
    # The nose is 33.34 mm up, the centre 26.25: they touch at the root of 26.25² - 7.09².
    assert found.gap_mm == pytest.approx(300 - 25.27, abs=0.01)
    baulk = distance(calibration(), ball(300, 900), line_of(TABLE, "baulk_line"))
    assert (baulk.mm, baulk.gap_mm) == (163.0, None)


def test_uncertainties_add_up_as_squares() -> None:
    exact = replace(calibration(), residual_mm=0.0)
    assert distance(exact, ball(0, 0, 3.0), ball(500, 0, 4.0)).sigma_mm == 5.0
    spot = Place(name={}, x_mm=889, y_mm=3245, z_mm=0, sigma_mm=0, seen=False)
    assert distance(calibration(), ball(889, 3245, 2.0), spot).sigma_mm == pytest.approx(math.hypot(2.0, 1.5))
    near, far = (distance(calibration(), ball(0, 0), ball(0, y)).sigma_mm for y in (60.0, 3000.0))
    assert near < 0.2  # two balls side by side are displaced alike
    assert far == pytest.approx(1.5 * math.sqrt(2), abs=0.01)


def test_a_centre_is_no_better_known_than_a_part_of_a_pixel() -> None:
    # 4 m up with a focal length of 1300 px: at a ball's centre a pixel is (4000 - 26.25) / 1300 mm.
    pixel = mm_per_px(calibration(), (889.0, 1784.5), 26.25)
    assert pixel == pytest.approx(3973.75 / 1300, rel=1e-3)
    assert centre_sigma(calibration(), (889.0, 1784.5), 0.1) == pytest.approx(math.hypot(CENTRE_PX * pixel, 0.1))


def test_which_is_nearer_is_told_only_beyond_two_standard_deviations() -> None:
    exact = replace(calibration(), residual_mm=0.0)
    start = ball(0, 0, 1.0)
    first, second, third = (distance(exact, start, ball(at, 0, 1.0)) for at in (500, 504, 496))
    assert nearer(first, second).which is None  # 4 mm apart, known to 2
    assert nearer(first, distance(exact, start, ball(505, 0, 1.0))).which == 0
    assert nearer(first, distance(exact, start, ball(495, 0, 1.0))).which == 1
    assert nearer(first, third).which is None
    assert nearer(first, third).sigma_mm == pytest.approx(2.0)


def test_words_give_the_number_with_its_uncertainty() -> None:
    exact = replace(calibration(), residual_mm=0.0)
    found = distance(exact, ball(0, 0, 2.0), ball(412.3, 0, 2.0))
    assert in_words(found) == {"en": "412 ± 3 mm (gap 360 mm)", "ru": "412 ± 3 мм (зазор 360 мм)"}
    touching = in_words(distance(exact, ball(0, 0, 1.0), ball(53.0, 0, 1.0)))
    assert touching["en"] == "53 ± 1 mm (gap 0 mm, may touch)"


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((SAMPLES / "wrong_ball_first.truth.json").read_text())
    return data


def true_places(truth: dict[str, Any], t_s: float) -> dict[str, tuple[float, float]]:
    at = int(np.argmin(np.abs(np.array(truth["frames"]["t"]) - t_s)))
    balls = truth["frames"]["balls"]
    return {name: (row["x"][at], row["y"][at]) for name, row in balls.items() if row["x"][at] is not None}


@pytest.mark.parametrize("t_s", [1.0, 8.6])
def test_distances_in_a_simulated_clip_are_true_to_their_uncertainty(
    analyzed_clip: Path, truth: dict[str, Any], t_s: float
) -> None:
    """All pairs of resting balls that have one name: at most one in twenty beyond two sigma, none beyond three."""
    review = AnalysisReview("clip", analyzed_clip)
    places = true_places(truth, t_s)
    names = [name for name in places if not name.startswith("red")]
    off = []
    for a, b in itertools.combinations(names, 2):
        [found] = measure(review, review.footage.at(t_s), {"ball": a}, [{"ball": b}])[0]["distances"]
        off.append(abs(found["distance_mm"] - math.dist(places[a], places[b])) / found["sigma_mm"])
        assert found["sigma_mm"] < 6.0
    assert len(off) == 21
    assert sum(each > 2 for each in off) <= 1
    assert max(off) < 3


def test_the_picture_shows_the_frame_with_the_distance_on_it(clip: Path, truth: dict[str, Any]) -> None:
    review = AnalysisReview("clip", clip)
    shown = review.footage.at(1.0)
    path, data = export_picture(review, shown, {"ball": "cue"}, [{"ball": "blue"}, {"ball": "yellow"}], "en")
    assert path == clip / "exports" / "distance-1.000.png"
    drawn = read_picture(path)
    assert drawn.shape[1] == 1280
    assert data["nearer"]["text"]["en"].startswith("Nearer: yellow, by ")
    places = true_places(truth, 1.0)
    for found, name in zip(data["distances"], ("blue", "yellow"), strict=True):
        assert found["distance_mm"] == pytest.approx(math.dist(places["cue"], places[name]), abs=6.0)
        assert found["to"]["ru"] == {"blue": "синий", "yellow": "жёлтый"}[name]
    yellow = np.all(np.abs(drawn.astype(int) - (90, 224, 255)) < 12, axis=2).sum()
    assert yellow > 500  # the first distance's line, rings and number


def test_back_where_it_was_is_measured_against_the_place_before_the_shot(clip: Path) -> None:
    review = AnalysisReview("clip", clip)
    end = review.footage.at(8.6)
    was = {"ball": "blue", "shot": 1, "when": "before"}
    [moved] = measure(review, end, {"ball": "blue"}, [was])[0]["distances"]
    record = review.record(1)
    assert record.before is not None and record.after is not None
    assert moved["distance_mm"] == pytest.approx(math.dist(record.before["blue"], record.after["blue"]), abs=1.0)
    [stayed] = measure(review, end, {"ball": "green"}, [{**was, "ball": "green"}])[0]["distances"]
    assert stayed["distance_mm"] < 2 * stayed["sigma_mm"]


def test_a_ball_that_is_pointed_at_is_found_in_the_picture_whatever_the_tracks_call_it(
    clip: Path, truth: dict[str, Any]
) -> None:
    review = AnalysisReview("clip", clip)
    (clip / "tracks.parquet").rename(clip / "elsewhere.parquet")
    shown = review.footage.at(1.0)
    places = true_places(truth, 1.0)
    u, v = review.calibration.camera.project(np.array([[*places["blue"], 26.25]]))[0]
    pointed = {"px": [float(u) + 3, float(v) - 3], "as_ball": True}
    [found] = measure(review, shown, pointed, [{"spot": "blue"}])[0]["distances"]
    assert found["from"]["en"] == "the ball pointed at (blue)"
    assert found["distance_mm"] == pytest.approx(math.dist(places["blue"], TABLE.spots["blue"]), abs=6.0)
    with pytest.raises(NotThere, match="no ball is seen"):
        measure(review, shown, {**pointed, "px": [float(u) + 60, float(v)]}, [{"spot": "blue"}])


def test_without_tracks_a_ball_is_where_it_came_to_rest(clip: Path) -> None:
    (clip / "tracks.parquet").unlink()
    review = AnalysisReview("clip", clip)
    record = review.record(1)
    assert record.before is not None
    [found] = measure(review, review.footage.at(1.0), {"ball": "blue"}, [{"ball": "cue"}])[0]["distances"]
    assert found["distance_mm"] == pytest.approx(math.dist(record.before["blue"], record.before["cue"]), abs=0.1)
    with pytest.raises(NotThere, match="isn't on the table at 3"):
        measure(review, review.footage.at(3.0), {"ball": "blue"}, [{"ball": "cue"}])
