"""Which end of the table is baulk: what the markings show, what was said, or a convention."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.edges import Plane
from calibration.fit import Fit, turned
from calibration.markings import Baulk, find_baulk
from calibration.model import Lens
from calibration.spotted import Look, colours_spotted, foot_of
from calibration.tables import TableSpec

Array = NDArray[np.float64]

SIDES = ("left", "right", "top", "bottom")
_BAULK_SIGMA_SHARE = 0.005
"""How well a table keeps to its documented baulk line, as a share of its length; twice that if measured."""
_MARKED = 3.0
_PLAIN = 1.6
_ARC_PLAIN = 2.5
_SPOTTED = 2
"""The ends are told apart by markings this contrasty, and by so much more contrast at one end, of the D alone by that;
or by so many more of snooker's colours on their spots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Oriented:
    """A fit with its bottom end decided.

    baulk: what was seen of baulk line and D there, None for a game without. decided_by: ``given``, ``markings``,
    ``balls`` (colours on their spots, a rack or a foot spot), or ``convention`` where nothing tells.
    """

    fit: Fit
    baulk: Baulk | None
    decided_by: str

    def merit(self, table: TableSpec) -> float:
        """Of the fit, less where the baulk line isn't where the table's documents put it."""
        if self.baulk is None or table.baulk_line_y_mm is None or np.isnan(self.baulk.line_y_mm):
            return self.fit.merit
        sigma = _BAULK_SIGMA_SHARE * table.length_mm * (2.0 if table.name == "measured" else 1.0)
        return self.fit.merit - 5.0 * ((self.baulk.line_y_mm - table.baulk_line_y_mm) / sigma) ** 2


def side_of(lens: Lens, table: TableSpec) -> str:
    """At which side of the picture the table's bottom end lies: ``left``, ``right``, ``top`` or ``bottom``."""
    bottom, top = lens.project(np.array([[table.width_mm / 2, y, 0.0] for y in (0.0, table.length_mm)]))
    across, down = bottom - top
    if abs(across) > abs(down):
        return "left" if across < 0 else "right"
    return "top" if down < 0 else "bottom"


def oriented(plane: Plane, looks: Sequence[Look], table: TableSpec, fit: Fit, baulk: str | None) -> Oriented:
    """The fit turned so that its bottom end is the baulk end, as far as anything tells.

    looks: of the plane itself, then of single pictures in which a rack may still stand.
    """
    fits = (fit, turned(table, fit))
    lenses = [each.solution.lens for each in fits]
    seen = [find_baulk(plane, table, each) for each in lenses]
    lines = [0.0 if marks is None else marks.contrast for marks in seen]
    arcs = [0.0 if marks is None else marks.d_contrast for marks in seen]
    use = 0 if side_of(lenses[0], table) in ("left", "bottom") else 1
    decided_by = "convention"
    if baulk is not None and baulk in (side_of(lenses[0], table), side_of(lenses[1], table)):
        use, decided_by = (0 if side_of(lenses[0], table) == baulk else 1), "given"
    elif max(lines) > _MARKED and max(lines) > _PLAIN * min(lines):
        use, decided_by = int(np.argmax(lines)), "markings"
    elif max(arcs) > _MARKED and max(arcs) > _ARC_PLAIN * min(arcs):
        # the rows of coarse coding look like a line, but not like an arc
        use, decided_by = int(np.argmax(arcs)), "markings"
    elif (end := _by_balls(looks, table, lenses, lines)) is not None:
        use, decided_by = end, "balls"
    return Oriented(fit=fits[use], baulk=seen[use], decided_by=decided_by)


def _by_balls(looks: Sequence[Look], table: TableSpec, lenses: Sequence[Lens], lines: Sequence[float]) -> int | None:
    """lines: contrast of the markings, each way round; one colour on its spot is enough if they speak for the same."""
    spotted = [colours_spotted(looks[0], table, each) for each in lenses]
    more = abs(spotted[0] - spotted[1])
    if more >= _SPOTTED or (more and (spotted[0] - spotted[1]) * (lines[0] - lines[1]) > 0):
        return int(np.argmax(spotted))
    return foot_of(looks, table, lenses)


def doubts(table: TableSpec, best: Oriented, baulk: str | None) -> tuple[str, ...]:
    """A warning where nothing decided which end is baulk."""
    if best.decided_by != "convention":
        return ()
    side = side_of(best.fit.solution.lens, table)
    if baulk is not None:
        return (f"no end of the table is at the {baulk} of the picture; the end at the {side} is taken as baulk",)
    return (f"nothing shows which end is baulk (head): the {side} of the picture is taken; --baulk can say otherwise",)
