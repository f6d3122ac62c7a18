"""A calibration against later pictures, in which the camera may have been nudged."""

import numpy as np
import pytest
from drawn import draw_table, looking_at

from calibration.drift import drift
from calibration.result import Calibration
from calibration.tables import TABLES

POOL = TABLES["pool-9ft"]
CAMERA = looking_at(POOL, (640.0, 1300.0, 2750.0), (640.0, 1290.0), (-1, 0, 0), focal=1100.0)
PICTURE = draw_table(POOL, CAMERA, cloth=(170, 110, 30))
CALIBRATION = Calibration(
    table=POOL, camera=CAMERA, residual_px=0.1, residual_mm=0.2, residual_max_px=0.3, found_by="markings"
)


def test_a_camera_that_stands_still_has_no_drift() -> None:
    seen = drift(CALIBRATION, [PICTURE])
    assert seen.still is True
    assert seen.distance_px == pytest.approx(0.0, abs=1.0)


@pytest.mark.parametrize(("across", "down"), [(5, 0), (-6, 8), (30, -16)])
def test_a_nudge_is_measured(across: int, down: int) -> None:
    seen = drift(CALIBRATION, [np.roll(PICTURE, (down, across), axis=(0, 1))])
    assert seen.still is False
    assert seen.distance_px == pytest.approx(np.hypot(across, down), abs=1.0)


def test_where_no_table_is_seen_nothing_is_said() -> None:
    seen = drift(CALIBRATION, [np.full((720, 1280, 3), 90, dtype=np.uint8)])
    assert seen.still is None
    assert seen.distance_px is None


def test_pictures_of_another_size_are_an_error() -> None:
    with pytest.raises(ValueError, match="size"):
        drift(CALIBRATION, [PICTURE[:360, :640]])
