"""Who is who after a collision, by place, reach and look."""

import numpy as np

from tracking.association import Candidates, associate

NEVER_SEEN = np.log(np.array([[0.97, 0.03], [0.03, 0.97]]))
LOOKS = np.array([[0.0, -6.0], [-6.0, 0.0]])
"""Kinds: cue and red. First a look at the cue ball, then one at a red."""
ALIKE = np.zeros((2, 2))
DIAMETER = 52.5


NOBODY = np.empty((0, 2))
NEW = np.zeros(4, dtype=bool)
LEFT = np.array([[80.0, 0.0]])


def pairs(
    places: list[tuple[float, float]],
    looks: np.ndarray,
    posterior: np.ndarray,
    still: np.ndarray,
    left: np.ndarray = LEFT,
) -> set:
    """The cue ball at (0, 0) runs at 3 m/s to the right, predicted at (100, 0); a red lay at (80, 0)."""
    tracks = Candidates(
        predicted=np.array([[100.0, 0.0], [80.0, 0.0]]),
        spread=np.stack([np.eye(2) * 30.0, np.eye(2) * 4.0]),
        anchor=np.array([[0.0, 0.0], [80.0, 0.0]]),
        reach=np.array([150.0, 150.0]),
        push=np.array([[0.0, 0.0], [3000.0, 0.0]]),
        strict=np.array([False, False]),
        posterior=posterior,
        missing_cost=np.array([14.0, 14.0]),
        followed=np.array([True, False]),
        known=np.array([True, True]),
    )
    xy = np.array(places)
    cov = np.broadcast_to(np.eye(2) * 4.0, (len(xy), 2, 2)).copy()
    found = associate(
        tracks, xy, cov, looks, np.zeros(len(xy)), np.ones(len(xy)), NEW[: len(xy)], still, left, DIAMETER
    )
    return {(i, j) for i, j, _ in found}


def test_a_stop_shot_is_told_by_the_looks() -> None:
    # The cue ball stands where the contact was and the red is where the cue ball would have been.
    assert pairs([(27.5, 0.0), (101.0, 0.0)], LOOKS, NEVER_SEEN, NOBODY) == {(0, 0), (1, 1)}


def test_between_balls_alike_the_one_that_was_hit_goes_ahead() -> None:
    unknown = np.log(np.full((2, 2), 0.5))
    found = pairs([(27.5, 0.0), (150.0, 0.0)], ALIKE, unknown, NOBODY)
    assert found == {(0, 0), (1, 1)}


def test_what_is_out_of_reach_is_nobodys() -> None:
    assert pairs([(400.0, 400.0)], LOOKS[:1], NEVER_SEEN, NOBODY) == set()


def test_a_path_through_a_ball_that_still_lies_there_is_dear() -> None:
    # Two places explain the cue ball about as well; one lies behind a ball that hasn't moved.
    still = np.array([[50.0, 30.0]])
    found = pairs([(100.0, 45.0), (100.0, -14.0)], np.zeros((2, 2)) + LOOKS[0], NEVER_SEEN, still, NOBODY)
    assert (0, 1) in found


def test_a_ball_that_overlaps_its_last_place_is_the_same_one_whatever_its_look() -> None:
    # It came off a jaw: 15 mm from its last place and far off its prediction, where it would soon be in the pocket.
    tracks = Candidates(
        predicted=np.array([[15.0, 15.0]]),
        spread=np.eye(2)[None],
        anchor=np.zeros((1, 2)),
        reach=np.array([50.0]),
        push=np.zeros((1, 2)),
        strict=np.array([False]),
        posterior=np.log(np.array([[0.1, 0.9]])),
        missing_cost=np.array([6.0]),
        followed=np.array([True]),
        known=np.array([True]),
    )
    xy, cov, look = np.array([[-9.0, 12.0]]), np.eye(2)[None] * 3.0, np.array([[0.0, -3.0]])
    for solid, found in ((1.0, [(0, 0, True)]), (0.0, [])):
        given = associate(tracks, xy, cov, look, np.zeros(1), np.array([solid]), NEW[:1], NOBODY, NOBODY, DIAMETER)
        assert given == found


def rolls_into_the_shade(doubt: float) -> int:
    """How many looks are given to a red that rolls 5 mm a picture and now looks like the cue ball, though it's there.

    Its look costs 2 ln 333 = 11.6 nats where it tells anything, more than the 8 of not seeing it.
    """
    tracks = Candidates(
        predicted=np.array([[5.0, 0.0]]),
        spread=np.stack([np.eye(2) * 4.0]),
        anchor=np.array([[0.0, 0.0]]),
        reach=np.array([30.0]),
        push=np.array([[0.0, 0.0]]),
        strict=np.array([False]),
        posterior=np.log(np.array([[0.0003, 0.9997]])),
        missing_cost=np.array([8.0]),
        followed=np.array([True]),
        known=np.array([True]),
    )
    place, cov = np.array([[5.5, 0.0]]), np.eye(2)[None] * 4.0
    nothing = np.array([0.0])
    return len(associate(tracks, place, cov, LOOKS[:1], np.array([doubt]), nothing, NEW[:1], NOBODY, NOBODY, DIAMETER))


def test_in_a_mouths_shade_a_ball_that_rolls_in_may_look_like_another() -> None:
    assert rolls_into_the_shade(doubt=2.0) == 1
    assert rolls_into_the_shade(doubt=1.0) == 0


def test_what_stood_beside_a_ball_in_the_picture_before_is_not_that_ball() -> None:
    """The cue ball, struck at 6 m/s, is 240 mm up the table after 40 ms; a fingertip like it was there all the time."""
    tracks = Candidates(
        predicted=np.array([[0.0, 0.0]]),
        spread=np.stack([np.eye(2) * 4.0]),
        anchor=np.array([[0.0, 0.0]]),
        reach=np.array([450.0]),
        push=np.array([[0.0, 0.0]]),
        strict=np.array([False]),
        posterior=NEVER_SEEN[:1],
        missing_cost=np.array([14.0]),
        followed=np.array([False]),
        known=np.array([True]),
    )
    fingertip, ball = (-50.0, -200.0), (0.0, 240.0)
    xy, cov, looks = np.array([fingertip, ball]), np.stack([np.eye(2) * 4.0] * 2), np.stack([LOOKS[0]] * 2)
    for stood, found in (([False, False], [(0, 0, True)]), ([True, False], [(0, 1, True)])):
        given = associate(tracks, xy, cov, looks, np.zeros(2), np.ones(2), np.array(stood), NOBODY, NOBODY, DIAMETER)
        assert given == found
