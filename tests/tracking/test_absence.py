"""Whether a ball that was lost at a pocket is on the table any more: what the pictures after it show."""

from fractions import Fraction

import numpy as np
import pytest
from scene import Look, observe, play

from calibration.tables import TABLES
from tracking.geometry import Bed
from tracking.infer.absence import is_absent, surer
from tracking.infer.evidence import BlindLog, Evidence
from tracking.paths import BallPath, fit_path
from tracking.records import Pocket
from tracking.sights import SightLog
from tracking.watcher import ShotWatcher
from vision.frames import FrameStamp
from vision.observations import Observations

BED = Bed(TABLES["pool-9ft"])
MOUTH = next(mouth for mouth in BED.mouths if mouth.pocket == "bottom-left")
LAST_S, SPEED, STEP_S = 1.0, 200.0, 0.04
CUE, OTHER = (600.0, 1200.0), (900.0, 2000.0)
JAWS = MOUTH.centre - 10.0 * MOUTH.inward
OVER_THE_JAWS = MOUTH.centre + 40.0 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def path(ball: str, places: np.ndarray) -> BallPath:
    t = np.arange(len(places)) * STEP_S
    return fit_path(ball, t, places, np.broadcast_to(np.eye(2) * 0.25, (len(t), 2, 2)).copy())


def sight(t: float, places: list[tuple[float, float]]) -> Observations:
    n = len(places)
    return Observations(
        stamp=FrameStamp(index=0, pts=0, time_base=Fraction(1, 25), t_s=t),
        identities=("cue", "3"),
        xy_mm=np.array(places).reshape(n, 2),
        cov_mm2=np.tile(np.eye(2), (n, 1, 1)),
        uv_px=np.zeros((n, 2)),
        radius_px=np.ones(n),
        identity_logp=np.zeros((n, 2)),
        visibility=np.ones(n),
    )


def lost(
    *,
    pictures: int = 12,
    also: tuple[tuple[float, float], ...] = (),
    blind: np.ndarray | None = None,
    lying: tuple[float, float] = OTHER,
    from_s: float = 0.0,
) -> bool:
    """The 3 rolls down the pocket's axis until it is 60 mm before the mouth at 1.0 s; then so many pictures follow.

    ``also`` is seen in all of these, ``blind`` covers them, and another ball lies at ``lying`` from ``from_s`` on.
    """
    t = np.arange(int(LAST_S / STEP_S) + 1) * STEP_S
    rolling = MOUTH.centre + MOUTH.inward * (60.0 + SPEED * (LAST_S - t))[:, None]
    still = np.broadcast_to(np.array(CUE), (40, 2)) + np.random.default_rng(1).normal(0, 0.3, (40, 2))
    paths = {"3": path("3", rolling), "cue": path("cue", still), "5": path("5", still - CUE + lying)}
    sights, covered = SightLog(), BlindLog()
    for i in range(1, pictures + 1):
        at = LAST_S + i * STEP_S
        sights.add(sight(at, [CUE, lying, *also]))
        covered.add(at, () if blind is None else (blind,))
    evidence = Evidence(
        bed=BED,
        paths=paths,
        fates={},
        blind=covered,
        picture_s={},
        blackouts=(),
        t0_s=0.0,
        t1_s=LAST_S + pictures * STEP_S,
        spacing_s=STEP_S,
        clock_sigma_s=0.001,
        sights=sights,
    )
    return is_absent(evidence, "3", MOUTH, LAST_S, SPEED)


def test_open_and_empty_jaws_show_that_it_dropped() -> None:
    assert lost()
    # Six pictures, 40 ms from each other, span 0.2 s; seven span more.
    assert not lost(pictures=6)
    assert lost(pictures=7)


def test_what_covers_the_jaws_may_hide_it() -> None:
    assert not lost(blind=OVER_THE_JAWS)
    # In 0.48 s it rolls at most 96 mm and lies within a ball and half a mouth of its 60 mm: far off a hand matters not.
    assert lost(blind=OVER_THE_JAWS + np.array([0.0, 1800.0]))
    # A body that stands beside the table covers nothing of it.
    assert lost(blind=np.array([[-300.0, -300.0], [-40.0, -300.0], [-40.0, 300.0], [-300.0, 300.0]]))


def test_the_ball_that_has_dropped_covers_nothing() -> None:
    fallen = MOUTH.centre - (MOUTH.drop_mm + 20.0) * MOUTH.inward
    square = 24.0 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    assert lost(blind=fallen + square)
    # It may lie there still where it is seen before the edge, and something larger may be a hand.
    assert not lost(blind=MOUTH.centre - (MOUTH.drop_mm - 10.0) * MOUTH.inward + square)
    assert not lost(blind=fallen + 2.0 * square)


def test_what_is_seen_in_the_jaws_may_be_it() -> None:
    assert not lost(also=((float(JAWS[0]), float(JAWS[1])),))
    down = MOUTH.centre - MOUTH.inward * (MOUTH.drop_mm + 20.0)
    assert lost(also=((float(down[0]), float(down[1])),))  # beyond the edge nothing lies on the bed
    assert lost(lying=(float(JAWS[0]), float(JAWS[1])))  # another ball that has lain there all the time


def test_how_much_surer_a_pot_gets() -> None:
    assert surer(0.56) == pytest.approx(0.95)  # 20 · 0.56 / 0.44 = 25.5 to 1, at most 0.95
    assert surer(0.2) == pytest.approx(5.0 / 6.0)  # 20 · 0.2 / 0.8 = 5 to 1


# ---------------------------------------------------------------------------------------------- whole shots

CORNER = next(mouth for mouth in Bed(TABLES["snooker-12ft"]).mouths if mouth.pocket == "top-right")


def dropping(covered_s: float) -> tuple[Pocket, float]:
    """The pot of a red, with a body over the jaws for so long from 0.25 s before it drops; and how late the shot ended.

    The cue ball hits it full along the diagonal of the corner, 220 mm before the mouth, with what is left of 900 mm/s.
    """
    red, cue = CORNER.centre + CORNER.inward * 220.0, CORNER.centre + CORNER.inward * 600.0
    truth = play({"cue": tuple(cue), "red-1": tuple(red)}, tuple(-900.0 * CORNER.inward))
    drop_s = next(event[0] for event in truth.of("pocket"))
    body = CORNER.centre + 250.0 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    look = Look(noise_mm=0.6, blind=((drop_s - 0.25, drop_s - 0.25 + covered_s, body),), after_s=5.0)
    watcher = ShotWatcher(truth.table, truth.ball_set)
    for frame in observe(truth, look):
        for record in watcher.step(frame):
            return next(e for e in record.events if isinstance(e, Pocket)), frame.stamp.t_s - truth.rest_s
    raise AssertionError("no record")


def test_the_end_of_a_shot_waits_for_a_view_of_the_pocket() -> None:
    # A ball that was lost sight of is waited for for 2.5 s, and then 0.4 s in which all lie still.
    pocket, after_s = dropping(covered_s=0.5)
    assert pocket.certain and after_s < 1.0
    pocket, after_s = dropping(covered_s=3.0)
    assert pocket.certain and 2.9 < after_s < 3.6
    pocket, after_s = dropping(covered_s=60.0)
    assert not pocket.certain and 4.0 < after_s < 5.0  # nothing came of waiting 2 s more
