"""The observer on short films drawn picture by picture."""

import cv2
import numpy as np
from drawn_balls import SIZE, TABLE, Place, frame, overhead, picture

from vision.balls import BALL_SETS
from vision.observations import Observations
from vision.observer import Observer

SNOOKER = BALL_SETS["snooker"]
STILL: list[Place] = [(name, x, y) for name, (x, y) in TABLE.spots.items()] + [("red", 400.0, 1200.0)]


def watch(films: list[list[Place]], **options: object) -> list[Observations]:
    observer = Observer(overhead(), SNOOKER)
    return [
        observer.observe(frame(index, picture(balls, seed=index, **options)))  # type: ignore[arg-type]
        for index, balls in enumerate(films)
    ]


def nearest_mm(seen: Observations, x: float, y: float) -> float:
    return float(np.linalg.norm(seen.xy_mm - (x, y), axis=1).min())


def test_balls_at_rest_are_seen_in_every_frame_at_one_place() -> None:
    seen = watch([[*STILL, ("cue", 700.0, 500.0)]] * 6)
    assert [len(one) for one in seen] == [8] * 6
    for kind, x, y in STILL:
        places = np.array([one.xy_mm[np.linalg.norm(one.xy_mm - (x, y), axis=1).argmin()] for one in seen])
        assert np.ptp(places, axis=0).max() < 0.5, kind
        assert nearest_mm(seen[-1], x, y) < 3.0


def test_a_rolling_ball_is_followed_and_rests_again() -> None:
    path = [500.0 + 45.0 * min(max(i - 2, 0), 12) for i in range(22)]
    seen = watch([[*STILL, ("cue", 1500.0, y)] for y in path])
    for one, y in zip(seen, path, strict=True):
        assert len(one) == 8
        assert nearest_mm(one, 1500.0, y) < 4.0
    row = int(np.linalg.norm(seen[-1].xy_mm - (1500.0, path[-1]), axis=1).argmin())
    assert seen[-1].identities[int(seen[-1].identity_logp[row].argmax())] == "cue"


def test_a_ball_struck_hard_is_seen_as_a_streak_from_its_first_picture_on() -> None:
    observer = Observer(overhead(), SNOOKER)
    for index in range(3):
        observer.observe(frame(index, picture([*STILL, ("cue", 1500.0, 500.0)], seed=index)))
    # its shutter is open for 120 mm of every 200 mm
    for index in range(3, 8):
        start = 500.0 + 200.0 * (index - 2)
        exposed = [picture([*STILL, ("cue", 1500.0, start + step)], seed=index) for step in range(0, 121, 15)]
        seen = observer.observe(frame(index, np.mean(exposed, axis=0).round().astype(np.uint8)))
        assert nearest_mm(seen, 1500.0, start + 60.0) < 25.0
        assert len(seen) == 8


def test_a_potted_ball_leaves_no_ghost() -> None:
    before = [*STILL, ("cue", 700.0, 500.0)]
    after = [ball for ball in before if ball[0] != "red"]
    seen = watch([before, before, after, after])
    assert [len(one) for one in seen] == [8, 8, 7, 7]


def test_a_picture_shown_twice_is_marked() -> None:
    observer = Observer(overhead(), SNOOKER)
    pictures = [picture([*STILL, ("cue", 1500.0, 500.0 + 60.0 * i)], seed=i) for i in range(8)]
    shown = [0, 1, 2, 3, 4, 5, 5, 6, 7]
    seen = [observer.observe(frame(index, pictures[i])) for index, i in enumerate(shown)]
    assert [one.repeat for one in seen] == [False] * 6 + [True] + [False] * 2
    assert np.array_equal(seen[6].xy_mm, seen[5].xy_mm)
    assert seen[6].stamp.index == 6


def test_another_camera_is_no_view_and_the_balls_are_there_when_it_comes_back() -> None:
    observer = Observer(overhead(), SNOOKER)
    balls = [*STILL, ("cue", 700.0, 500.0)]
    rng = np.random.default_rng(3)
    other = cv2.resize(rng.integers(0, 255, (14, 25, 3), dtype=np.uint8), SIZE, interpolation=cv2.INTER_CUBIC)
    pictures = [picture(balls, seed=1), picture(balls, seed=2), other, other, picture(balls, seed=3)]
    seen = [observer.observe(frame(index, bgr)) for index, bgr in enumerate(pictures)]
    assert [one.view for one in seen] == [True, True, False, False, True]
    assert [len(one) for one in seen] == [8, 8, 0, 0, 8]


def test_a_film_that_starts_elsewhere_begins_when_the_table_comes() -> None:
    observer = Observer(overhead(), SNOOKER)
    blank = np.full((SIZE[1], SIZE[0], 3), 90, dtype=np.uint8)
    assert not observer.observe(frame(0, blank)).view
    assert len(observer.observe(frame(1, picture(STILL)))) == 7


def test_an_arm_makes_its_place_blind_and_no_ball() -> None:
    observer = Observer(overhead(), SNOOKER)
    balls = [*STILL, ("cue", 700.0, 500.0)]
    observer.observe(frame(0, picture(balls, seed=0)))
    seen = observer.observe(frame(1, picture(balls, seed=1, arm=(1200.0, 2200.0))))
    assert seen.blind
    hand = np.array([1200.0, 2330.0], dtype=np.float32)
    reach = max(cv2.pointPolygonTest(polygon.astype(np.float32), hand.tolist(), True) for polygon in seen.blind)
    assert reach > -40.0
    for x, y in seen.xy_mm:
        assert min(np.hypot(x - bx, y - by) for _, bx, by in balls) < 15.0


def test_the_covariance_is_a_millimetre_or_two_at_rest() -> None:
    (seen,) = watch([STILL])
    sigma = np.sqrt(np.linalg.eigvalsh(seen.cov_mm2))
    assert sigma.max() < 2.0
    assert sigma.min() > 0.3


def test_the_blur_of_a_black_ball_is_followed_though_it_is_but_shade() -> None:
    observer = Observer(overhead(), SNOOKER)
    others = [ball for ball in STILL if ball[0] != "black"]
    place = np.array(TABLE.spots["black"])
    for index in range(3):
        observer.observe(frame(index, picture([*STILL, ("cue", 700.0, 500.0)], seed=index)))
    way = np.array([0.8, -0.6])
    found = 0
    for index in range(3, 7):
        start = 100.0 + 200.0 * (index - 3)
        exposed = [
            picture([*others, ("cue", 700.0, 500.0), ("black", *(place + (start + step) * way))], seed=index)
            for step in np.linspace(0.0, 100.0, 11)
        ]
        seen = observer.observe(frame(index, np.mean(exposed, axis=0).round().astype(np.uint8)))
        found += nearest_mm(seen, *(place + (start + 50.0) * way)) < 25.0
    assert found == 4


def test_what_an_arm_has_on_it_is_no_ball_in_the_first_picture() -> None:
    observer = Observer(overhead(), SNOOKER)
    drawn = picture([*STILL, ("cue", 700.0, 500.0)], arm=(1200.0, 2200.0))
    camera = overhead().camera
    # a white band about the wrist, as wide as the sleeve and no longer than a ball
    u, v = camera.project(np.array([[1200.0, 2200.0, 60.0]]))[0] + (36.0, 4.0)
    cv2.circle(drawn, (round(u), round(v)), 7, (235, 240, 240), -1)
    seen = observer.observe(frame(0, drawn))
    assert len(seen) == 8


def test_a_view_that_is_blended_in_is_looked_at_anew() -> None:
    observer = Observer(overhead(), SNOOKER)
    balls = [*STILL, ("cue", 700.0, 500.0)]
    other = cv2.GaussianBlur(picture(balls, arm=(700.0, 1500.0)), (0, 0), 9.0).astype(np.float64)
    other[:, : SIZE[0] // 2] += 90.0
    for index, share in enumerate((0.45, 0.3)):
        blended = (1 - share) * picture(balls, seed=index) + share * other
        observer.observe(frame(index, np.clip(blended, 0, 255).round().astype(np.uint8)))
    seen = [observer.observe(frame(index, picture(balls, seed=index))) for index in range(2, 6)]
    assert [len(one) for one in seen[1:]] == [8] * 3
    assert not seen[-1].blind
    assert not any(one.repeat for one in seen)


def test_a_ball_is_looked_for_where_it_lay_though_it_was_out_of_sight_for_a_moment() -> None:
    observer = Observer(overhead(), SNOOKER)
    for index in range(3):
        observer.observe(frame(index, picture([*STILL, ("cue", 1500.0, 500.0)], seed=index)))
    observer.observe(frame(3, picture(STILL, seed=3)))
    exposed = [picture([*STILL, ("cue", 1500.0, 600.0 + step)], seed=4) for step in range(0, 101, 10)]
    seen = observer.observe(frame(4, np.mean(exposed, axis=0).round().astype(np.uint8)))
    assert nearest_mm(seen, 1500.0, 650.0) < 25.0
