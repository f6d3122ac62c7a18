"""Balls between the jaws of a pocket: which noses they touched."""

import numpy as np
import pytest

from calibration.tables import TABLES
from tracking.geometry import Bed
from tracking.infer.cushion import infer_cushions
from tracking.infer.evidence import BlindLog, Evidence, Fate
from tracking.paths import fit_path
from tracking.records import Cushion
from tracking.tracks import BallState

CORNER = np.array([1778.0, 3569.0])
"""Where the snooker table's top and right noses would meet; a ball's centre stays 26.25 mm off each of them."""

SPACING_S, HIT_S = 1.0 / 30.0, 0.415

Point = tuple[float, float]


def touches(meet: Point, *velocities: Point, apart_s: float = 0.025) -> dict[str, Cushion]:
    """The cushions told of a ball that comes to ``meet``, mm from the corner, at HIT_S with the first velocity and goes
    on with the others, so long apart."""
    starts = [HIT_S + k * apart_s for k in range(len(velocities) - 1)]
    times = np.arange(0.0, 0.9, SPACING_S)
    places = []
    for t in times:
        place = CORNER + meet
        if t <= starts[0]:
            place = place + np.array(velocities[0]) * (t - starts[0])
        for start, end, velocity in zip(starts, [*starts[1:], np.inf], velocities[1:], strict=True):
            place = place + np.array(velocity) * np.clip(t - start, 0.0, end - start)
        places.append(place)
    xy = np.array(places) + np.random.default_rng(1).normal(0.0, 0.4, (len(times), 2))
    path = fit_path("pink", times, xy, np.tile(np.eye(2) * 0.4**2, (len(times), 1, 1)))
    evidence = Evidence(
        bed=Bed(TABLES["snooker-12ft"]),
        paths={"pink": path},
        fates={"pink": Fate(last_s=float(times[-1]), state=BallState.MOVING)},
        blind=BlindLog(),
        picture_s=dict(enumerate(times.tolist())),
        blackouts=(),
        t0_s=0.0,
        t1_s=float(times[-1]),
        spacing_s=SPACING_S,
        clock_sigma_s=0.0008,
    )
    return {event.cushion: event for _, event in infer_cushions(evidence, "pink", path)}


def test_two_noses_touched_between_two_pictures_are_both_told() -> None:
    # It meets the top nose at 0.415 s and the right one at 0.428, between the pictures of 0.400 and 0.433 s.
    told = touches((-44.0, -22.0), (520.0, 560.0), (420.0, -400.0), (-330.0, -330.0), apart_s=0.013)
    assert set(told) == {"top", "right"}
    for cushion in told.values():
        assert abs(cushion.t_s - (HIT_S + 0.0065)) < 3.0 * cushion.t_sigma_s < 0.06
    # That it touched one of them is certain; that it touched both is left to be asked.
    assert sorted(cushion.certain for cushion in told.values()) == [False, True]


def test_a_jaw_throws_a_ball_towards_the_other_side() -> None:
    # Down and to the right: the top jaw alone does that.
    told = touches((-70.0, -12.0), (300.0, 600.0), (420.0, -250.0))
    assert set(told) == {"top"}
    assert told["top"].certain and told["top"].t_s == pytest.approx(HIT_S, abs=0.01)


def test_a_straight_nose_far_from_the_corner_is_one_cushion() -> None:
    # 300 mm from the corner, at its full radius from the top nose.
    told = touches((-300.0, -26.25), (520.0, 560.0), (480.0, -450.0))
    assert set(told) == {"top"}
    assert told["top"].certain and told["top"].t_s == pytest.approx(HIT_S, abs=0.005)
