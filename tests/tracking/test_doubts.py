"""Which names of a shot's balls are doubtful: by looks that hardly differ, and of what was seen for a moment only."""

import numpy as np
import pytest

from tracking.doubts import NEAR_NATS, other_readings
from tracking.tracks import BallState, Track
from vision.balls import BALL_SETS

NINE = BALL_SETS["9-ball"]


def track(name: str, *, alike: dict[str, float] | None = None, seen_for_s: float = 20.0, **more: object) -> Track:
    """A track that looks like its name; ``alike``: how many nats less probable another kind is by its posterior."""
    logp = np.full(len(NINE.kinds), -12.0)
    logp[NINE.kinds.index(name)] = 0.0
    for other, nats in (alike or {}).items():
        logp[NINE.kinds.index(other)] = -nats / 1.5  # all looks together count for 1.5
    made = Track(key=0, mean=np.zeros(4), cov=np.eye(4), logp=logp, born_s=0.0, looks=1e6, name=name)
    made.seen_s, made.hits = seen_for_s, int(30 * seen_for_s)
    for field, value in more.items():
        setattr(made, field, value)
    return made


def readings(*tracks: Track, left: dict[str, float] | None = None) -> list[dict[str, str | None]]:
    present = [str(t.name) for t in tracks if t.state is not BallState.POCKETED]
    return [dict(each) for each in other_readings(tracks, NINE, present, left or {})]


def test_balls_that_look_like_themselves_leave_no_doubt() -> None:
    assert readings(track("cue"), track("2"), track("9")) == []


@pytest.mark.parametrize(("nats", "doubtful"), [(NEAR_NATS - 0.5, True), (NEAR_NATS + 0.5, False)])
def test_a_ball_that_looks_nearly_as_much_like_one_that_is_not_there_may_be_that(nats: float, doubtful: bool) -> None:
    assert readings(track("cue"), track("4", alike={"7": nats})) == ([{"4": "7"}] if doubtful else [])


def test_a_name_that_another_ball_surely_has_is_not_free() -> None:
    """The 4 looks like the 7 as well, but there is a 7 and it looks like nothing else."""
    assert readings(track("4", alike={"7": 1.0}), track("7")) == []


def test_two_that_look_like_each_other_may_be_exchanged() -> None:
    assert readings(track("4", alike={"7": 1.0}), track("7", alike={"4": 1.0})) == [{"4": "7", "7": "4"}]


def test_a_ball_that_dropped_earlier_is_none_of_those_left() -> None:
    assert readings(track("4", alike={"7": 1.0}), track("7", state=BallState.POCKETED)) == []


def test_what_vanished_in_the_open_may_have_been_no_ball() -> None:
    gone = track("2", state=BallState.GONE, seen=False, seen_for_s=1.0)
    assert readings(track("6"), gone) == [{"2": None}]
    assert readings(track("6"), gone, left={"2": 5.0}) == []


def test_what_had_the_name_of_a_ball_may_have_been_none_and_the_ball_another() -> None:
    """The 7 was named so only because a thing seen for a moment held the name that fits better."""
    chalk = track("4", state=BallState.GONE, seen=False, seen_for_s=1.0)
    found = readings(chalk, track("7", alike={"4": 1.0}))
    assert {"4": None} in found
    assert {"4": None, "7": "4"} in found


def test_two_things_that_may_be_no_balls_may_both_be_none() -> None:
    found = readings(track("6"), track("2", doubt=0.9), track("3", doubt=0.9))
    assert found == [{"2": None}, {"3": None}, {"2": None, "3": None}]


@pytest.mark.parametrize(("left_s", "doubtful"), [(5.0, []), (10.9, [{"2": None}])])
def test_a_ball_that_was_put_back_a_moment_ago_was_one_when_it_dropped(left_s: float, doubtful: list) -> None:
    """It lies there since 10 s and was seen for a second; what comes back and leaves at once may have been a hand."""
    back = track("2", seen_for_s=11.0, shown_s=10.0, back_from=BallState.POCKETED)
    assert readings(track("6"), back, left={"2": left_s}) == doubtful
