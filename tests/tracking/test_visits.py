"""What is on the table and what isn't: hands that look like balls, balls that hands take away, double sights."""

from dataclasses import replace

import numpy as np
from scene import FPS, Look, Piece, Truth, observe, play

from calibration.tables import TABLES
from tracking.records import ShotRecord
from tracking.watcher import ShotWatcher
from vision.balls import BALL_SETS
from vision.observations import Observations

ROWS = ("xy_mm", "cov_mm2", "uv_px", "radius_px", "identity_logp", "visibility")
CLEAR = Look(noise_mm=0.6)
FAR = {"pink": (300.0, 2900.0), "black": (1400.0, 3245.0)}


def watched(frames: list[Observations], truth: Truth) -> list[ShotRecord]:
    watcher = ShotWatcher(truth.table, truth.ball_set)
    return [record for frame in frames for record in watcher.step(frame)] + watcher.finish()


def two_strokes(between_s: float = 4.0) -> tuple[Truth, float]:
    """The blue is potted in the middle left; so many seconds later the cue ball, stopped dead, rolls up the table."""
    truth = play({"cue": (1300.0, 1784.5), "blue": (600.0, 1784.5), **FAR}, (-2500.0, 0.0))
    again_s = truth.rest_s + between_s
    place = truth.place("cue", truth.rest_s)
    assert place is not None
    truth.pieces["cue"].append(Piece(again_s, place, np.array([0.0, 500.0])))
    truth.events.append((again_s + 500.0 / 120.0, "rest"))
    return truth, again_s


def shown(frames: list[Observations], truth: Truth, ball: str, place: tuple[float, float], from_s: float, to_s: float):
    """The frames with something at ``place`` that looks like this ball from one time to another."""
    out = []
    for frame in frames:
        if from_s <= frame.stamp.t_s < to_s:
            logp = np.full((1, len(truth.ball_set.kinds)), -6.0)
            logp[0, truth.ball_set.kinds.index(ball)] = 0.0
            more = (
                np.array([place]),
                np.eye(2)[None] * 0.36,
                np.array([place]) / 2,
                np.array([13.0]),
                logp,
                np.ones(1),
            )
            rows = {name: np.concatenate([getattr(frame, name), row]) for name, row in zip(ROWS, more, strict=True)}
            frame = replace(frame, **rows)
        out.append(frame)
    return out


def test_a_hand_that_looks_like_a_potted_ball_for_a_moment_is_none() -> None:
    truth, again_s = two_strokes()
    hand = shown(observe(truth, CLEAR), truth, "blue", (900.0, 900.0), again_s - 1.5, again_s - 0.5)
    _, second = watched(hand, truth)
    assert second.before is not None and set(second.before) == {"cue", "pink", "black"}
    assert second.after is not None and set(second.after) == {"cue", "pink", "black"}
    assert second.doubtful == ()


def test_a_ball_that_is_spotted_and_stays_is_back() -> None:
    truth, again_s = two_strokes()
    spotted = shown(observe(truth, CLEAR), truth, "blue", (889.0, 1784.5), again_s - 2.0, 99.0)
    _, second = watched(spotted, truth)
    assert second.before is not None and set(second.before) == {"cue", "blue", "pink", "black"}
    assert np.hypot(*np.subtract(second.before["blue"], (889.0, 1784.5))) < 1.0


def covered_and_gone(*, rolled: bool) -> ShotRecord:
    """The second of two strokes, before which a hand covers the pink, and nothing is there any more after that.

    rolled: the first stroke had moved it, so that it had been found anew where the bare cloth was known before.
    """
    strike = (0.0, 1500.0) if rolled else (1500.0, 0.0)
    truth = play({"cue": (300.0, 2000.0), "pink": (300.0, 2400.0), "black": (1400.0, 3245.0)}, strike)
    again_s, hand_s = truth.rest_s + 6.0, truth.rest_s + 1.0
    cue, pink = truth.place("cue", truth.rest_s), truth.place("pink", truth.rest_s)
    assert cue is not None and pink is not None
    truth.pieces["cue"].append(Piece(again_s, cue, np.array([0.0, -500.0])))
    truth.pieces["pink"].append(Piece(hand_s + 0.5, pink, np.zeros(2), gone=True))
    truth.events.append((again_s + 500.0 / 120.0, "rest"))
    hand = pink + 90.0 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    _, second = watched(observe(truth, replace(CLEAR, blind=((hand_s, hand_s + 1.0, hand),))), truth)
    return second


def test_a_ball_that_a_hand_takes_away_is_not_there_before_the_next_stroke() -> None:
    second = covered_and_gone(rolled=True)
    assert second.before is not None and set(second.before) == {"cue", "black"}
    assert second.doubtful == ()


def test_a_ball_that_was_never_found_anew_may_only_be_seen_badly_after_a_hand_has_covered_it() -> None:
    # As a green ball on green cloth: the first picture shows it, and nothing after the light has changed there.
    second = covered_and_gone(rolled=False)
    assert second.before is not None and set(second.before) == {"cue", "black", "pink"}
    assert {"pink": None} in second.doubtful


def test_two_sights_of_one_ball_are_one_ball() -> None:
    places = {"cue": (889.0, 600.0), "red-1": (500.0, 1500.0), "red-2": (900.0, 2500.0)}
    pieces = {ball: [Piece(0.0, np.array(place), np.zeros(2))] for ball, place in places.items()}
    truth = Truth(TABLES["snooker-12ft"], BALL_SETS["snooker"], pieces, [(2.0, "rest")])
    frames = []
    for frame in observe(truth, CLEAR):
        twice = {name: np.concatenate([getattr(frame, name), getattr(frame, name)[1:2]]) for name in ROWS}
        frames.append(replace(frame, **twice) if frame.stamp.t_s > 1.0 / FPS else frame)
    watcher = ShotWatcher(truth.table, truth.ball_set)
    for frame in frames:
        watcher.step(frame)
    assert watcher.frame is not None
    assert sorted(ball.name for ball in watcher.frame.balls) == ["cue", "red-1", "red-2"]
