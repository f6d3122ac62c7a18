"""Which end is baulk, where the markings are seen badly: what was measured at each end is given, the end is told."""

from dataclasses import dataclass

import numpy as np
import pytest
from drawn import draw_table, looking_at

import calibration.orient as orient
from calibration.edges import lab_plane
from calibration.find import possible_fits
from calibration.fit import Fit
from calibration.markings import Baulk
from calibration.model import Lens
from calibration.orient import Oriented, oriented, side_of
from calibration.tables import TABLES

TABLE = TABLES["snooker-12ft"]


@dataclass(frozen=True)
class End:
    """Contrasts of what is like a baulk line and like a D, and how many colours lie on their spots."""

    line: float
    arc: float
    spotted: int


@pytest.fixture(scope="module")
def fit() -> Fit:
    """Hanging over the middle, one end at the picture's left and one at its right."""
    middle = (TABLE.width_mm / 2, TABLE.length_mm / 2)
    camera = looking_at(TABLE, (*middle, 3900.0), middle, (-1, 0, 0), focal=1100.0)
    picture = draw_table(TABLE, camera)
    return possible_fits(lab_plane(picture), picture, TABLE)[0]


def told(monkeypatch: pytest.MonkeyPatch, fit: Fit, left: End, right: End) -> Oriented:
    def end_of(lens: Lens) -> End:
        return left if side_of(lens, TABLE) == "left" else right

    def baulk(plane: object, table: object, lens: Lens) -> Baulk:
        end = end_of(lens)
        return Baulk(
            line_y_mm=np.nan,
            line_contrast=end.line,
            line_sign=1.0,
            d_radius_mm=np.nan,
            d_contrast=end.arc,
            d_sign=1.0,
        )

    monkeypatch.setattr(orient, "find_baulk", baulk)
    monkeypatch.setattr(orient, "colours_spotted", lambda look, table, lens: end_of(lens).spotted)
    plane = lab_plane(np.zeros((720, 1280, 3), np.uint8))
    return oriented(plane, [lambda uv: np.zeros((len(uv), 3))], TABLE, fit, None)


@pytest.mark.parametrize(
    ("left", "right", "side", "by"),
    [
        # a clear line at one end only
        (End(1.0, 0.5, 0), End(4.0, 4.0, 0), "right", "markings"),
        # lines at both, as the rows of coarse coding give them, but an arc at one
        (End(5.0, 0.2, 0), End(3.3, 3.1, 0), "right", "markings"),
        # neither is clear, and one colour on its spot where the markings are the stronger, too
        (End(1.2, 0.5, 0), End(1.3, 1.0, 1), "right", "balls"),
        # the one colour contradicts them
        (End(1.3, 1.0, 0), End(1.2, 0.5, 1), "left", "convention"),
        (End(1.3, 1.0, 0), End(1.2, 0.5, 2), "right", "balls"),
        (End(1.2, 0.5, 1), End(1.3, 1.0, 1), "left", "convention"),
    ],
)
def test_the_end_is_told_by_line_arc_and_balls(
    monkeypatch: pytest.MonkeyPatch, fit: Fit, left: End, right: End, side: str, by: str
) -> None:
    found = told(monkeypatch, fit, left, right)
    assert (side_of(found.fit.solution.lens, TABLE), found.decided_by) == (side, by)
