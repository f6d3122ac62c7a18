"""Who a ball is that turns up while the others lie on the table, and what is no ball at all."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from calibration.tables import TABLES
from tracking.tracker import Tracker
from tracking.tracks import ON_TABLE
from vision.balls import BALL_SETS
from vision.frames import FrameStamp
from vision.observations import Observations

POOL = BALL_SETS["9-ball"]
Seen = list[tuple[dict[str, float], tuple[float, float]]]
"""Looks, nats by kind above -20, and place of each sight."""

LAYOUT: Seen = [({"cue": 0.0}, (635.0, 500.0)), ({"1": 0.0}, (200.0, 1500.0))]


def follow(what: Callable[[float], Seen], until_s: float) -> list[dict[str, tuple[int, int]]]:
    """The names and places after each of 25 pictures a second."""
    tracker = Tracker(TABLES["pool-9ft"], POOL)
    frames = []
    for i in range(round(until_s * 25)):
        seen = what(i / 25)
        logp = np.full((len(seen), len(POOL.kinds)), -20.0)
        for row, (looks, _) in enumerate(seen):
            for kind, value in looks.items():
                logp[row, POOL.kinds.index(kind)] = value
        xy = np.array([place for _, place in seen])
        frame = tracker.step(
            Observations(
                stamp=FrameStamp(index=i, pts=i, time_base=Fraction(1, 25), t_s=i / 25),
                identities=POOL.kinds,
                xy_mm=xy,
                cov_mm2=np.broadcast_to(np.eye(2) * 0.1, (len(seen), 2, 2)).copy(),
                uv_px=xy / 2,
                radius_px=np.full(len(seen), 13.0),
                identity_logp=logp,
                visibility=np.ones(len(seen)),
                blind=(),
                view=True,
            )
        )
        frames.append({ball.name: (round(ball.x), round(ball.y)) for ball in frame.balls if ball.state in ON_TABLE})
    return frames


def test_the_balls_of_a_rack_get_their_names_together() -> None:
    # The 9 shows its white side and looks like the cue ball; the 2 looks like a 3 rather than a 2.
    rack: Seen = [
        ({"3": 0.0, "2": -1.0}, (635.0, 1905.0)),
        ({"3": 0.0}, (606.0, 1955.0)),
        ({"4": 0.0}, (664.0, 1955.0)),
        ({"cue": 0.0, "9": -9.5}, (635.0, 2005.0)),
    ]
    frames = follow(lambda t: LAYOUT + (rack if t >= 1.0 else []), 2.0)
    assert sorted(frames[24]) == ["1", "cue"]
    assert frames[-1] == {
        "cue": (635, 500),
        "1": (200, 1500),
        "2": (635, 1905),
        "3": (606, 1955),
        "4": (664, 1955),
        "9": (635, 2005),
    }


def test_what_moves_while_all_balls_lie_still_is_a_hand() -> None:
    def reaching_in(t: float) -> Seen:
        return [*LAYOUT, ({"3": 0.0}, (50.0 + 500.0 * (t - 1.0), 900.0))] if 1.0 <= t < 1.8 else LAYOUT

    assert all(set(names) == {"cue", "1"} for names in follow(reaching_in, 3.0)[1:])


def test_a_ball_that_runs_while_others_do_is_one() -> None:
    # The cue ball rolls off at 1 s, and a ball that was hidden until now with it.
    def running(t: float) -> Seen:
        y = 500.0 + 800.0 * max(t - 1.0, 0.0)
        late: Seen = [({"3": 0.0}, (900.0, y + 300.0))] if t >= 1.2 else []
        return [({"cue": 0.0}, (635.0, y)), LAYOUT[1], *late]

    assert "3" in follow(running, 1.6)[-1]


def with_a_potted_3(again: Callable[[float], bool]) -> Callable[[float], Seen]:
    """The 3 runs into the top-left pocket in the first second; later something like it lies at (400, 700)."""

    def what(t: float) -> Seen:
        gone = t > 1.1
        way = 1500.0 * max(t - 0.6, 0.0) / np.sqrt(2)
        three: Seen = [] if gone else [({"3": 0.0}, (500.0 - way, 2040.0 + way))]
        return LAYOUT + three + ([({"3": 0.0}, (400.0, 700.0))] if again(t) else [])

    return what


def test_what_shows_for_half_a_second_like_a_potted_ball_is_a_cue_or_a_bridge() -> None:
    frames = follow(with_a_potted_3(lambda t: 5.0 <= t < 5.5), 9.0)
    assert all("3" not in names for names in frames[50:])


def test_what_takes_the_place_of_a_potted_ball_for_a_moment_bears_no_other_name() -> None:
    def almost_a_4(t: float) -> Seen:
        seen = with_a_potted_3(lambda t: t >= 5.0)(t)
        return [({"3": 0.0, "4": -2.0} if "3" in looks else looks, place) for looks, place in seen]

    assert all("4" not in names for names in follow(almost_a_4, 7.0))


def test_a_potted_ball_that_lies_there_again_was_put_back() -> None:
    frames = follow(with_a_potted_3(lambda t: t >= 5.0), 9.0)
    assert frames[-1]["3"] == (400, 700)


def test_a_ball_that_lay_still_while_a_glove_like_it_went_into_a_pocket_is_that_ball() -> None:
    """The cue ball's track goes on with the glove at 2 s; the ball itself was laid down at (900, 1800) before."""

    def sights(t: float) -> Seen:
        seen = list(LAYOUT[1:])
        if t < 1.0:
            seen.append(({"cue": 0.0}, (600.0, 400.0)))
        elif t < 1.5:
            seen.append(({"cue": 0.0}, (600.0 - 1200.0 * (t - 1.0), 400.0 - 800.0 * (t - 1.0))))
        if t > 1.3:
            seen.append(({"cue": 0.0}, (900.0, 1800.0)))
        return seen

    assert follow(sights, 4.0)[-1]["cue"] == (900, 1800)
