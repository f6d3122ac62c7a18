"""Pictures with a third of the usual light: a green ball that hardly differs from the cloth has few levels there."""

import drawn_balls
import numpy as np
import pytest
from drawn_balls import TABLE, Place, frame, overhead, picture

from vision.balls import BALL_SETS
from vision.frames import Pixels, Planes
from vision.observer import Observer
from vision.stills import detect_balls

SNOOKER = BALL_SETS["snooker"]
SPOTS: list[Place] = [(name, x, y) for name, (x, y) in TABLE.spots.items()]
ALL: list[Place] = [*SPOTS, ("red", 400.0, 1200.0), ("red", 1300.0, 2900.0), ("cue", 700.0, 400.0)]


@pytest.fixture
def dark(monkeypatch: pytest.MonkeyPatch) -> Pixels:
    monkeypatch.setitem(drawn_balls.COLOURS_BGR, "green", (60, 115, 18))
    return np.round(0.35 * picture(ALL)).astype(np.uint8)


def test_all_balls_of_a_dark_picture_are_found(dark: Pixels) -> None:
    assert sorted(ball.kind for ball in detect_balls(dark, overhead(), SNOOKER)) == sorted(kind for kind, _, _ in ALL)


def test_all_balls_of_a_dark_video_are_found_and_stay(dark: Pixels) -> None:
    observer = Observer(overhead(), SNOOKER)
    for index in range(3):
        seen = observer.observe(frame(index, dark))
        assert sorted(SNOOKER.kinds[int(logp.argmax())] for logp in seen.identity_logp) == sorted(
            kind for kind, _, _ in ALL
        )


@pytest.mark.parametrize(("full_range", "lit"), [(True, (200, 168, 48)), (False, (184, 168, 48))])
def test_light_leaves_black_and_grey_where_they_are(full_range: bool, lit: tuple[int, int, int]) -> None:
    """Luma 100 and colours of +20 and -40, doubled about a black of 0, or of 16 as in most videos."""
    planes = Planes(luma=_plane(100), cb=_plane(148), cr=_plane(88), full_range=full_range)
    found = planes.lit_up(2.0)
    assert (found.luma[0, 0], found.cb[0, 0], found.cr[0, 0]) == lit
    assert planes.lit_up(1.0) is planes


def _plane(value: int) -> Pixels:
    return np.full((2, 2), value, np.uint8)
