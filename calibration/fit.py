"""From an outline to a camera: choosing the noses among their candidates, and fitting the camera to them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from statistics import median

import numpy as np
from numpy.typing import NDArray

from calibration.edges import Plane
from calibration.model import Lens, from_rectangle
from calibration.noses import CUSHION_DEPTH_MM, NoseCandidate, nose_candidates, side_points
from calibration.outline import Outline
from calibration.planemap import Projection, crossed, meeting, plane_map
from calibration.solve import PLACES, Measured, Solution, measure_noses, measure_rails, solve
from calibration.tables import CUSHIONS, OPPOSITE, TableSpec

Array = NDArray[np.float64]

_FITTED = 5
"""So many of the likeliest choices of noses are fitted in full."""
_HOPELESS = 5.0
"""Choices less likely than the best by this much (a logarithm) are not tried."""
_DEPTH_SIGMA_MM, _SLANT_SIGMA_MM = 4.0, 12.0
"""How equally deep cushions look: from above, and more loosely at a slant, where the rail's height counts."""
GOOD_MERIT = 330.0
_LIKELY = 1.0
"""After a fit of this merit no choice is tried that is less likely than the best by more than this (a logarithm)."""
_WRONG_WAY = 0.15
"""A table doesn't lie so in the picture if it would misfit more by this than turned a quarter."""
_MISFIT_SIGMA = 0.012
_OUTLINE_SIGMA = 0.03
_STRONGLY = 0.08
_REACHES = (4.0, 3.0, 2.0)
"""How far from where they should be edges are sought, px, step by step."""
_SAME_PX, _SAME_CHANGE = 0.1, 0.9
"""Two fits are the same if after the first step their corners are so near, and changes so alike (a cosine) sought."""
_FAR_BEHIND = 20.0
"""A fit that has so much less merit than another after two steps doesn't come up with it in the third."""
_SETTLED_PX = 0.15
"""Edges are not measured anew from a camera that puts the corners less than this from where they were."""
_WHOLE_NOSE = 72.0
"""What a nose counts that is seen all along."""
_HIDDEN = 50.0
"""What a nose that is taken not to show counts, where one that fits well counts about 50 to 70."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A solution with the lines it was fitted to; ``changes``: how the colour changes inward over each nose.

    likelihood: logarithm, of the noses having been chosen rightly among their candidates.
    """

    solution: Solution
    lines: list[Measured]
    changes: dict[str, Array | None]
    likelihood: float

    @property
    def merit(self) -> float:
        """More for more of the noses seen where the camera puts them, less for an unusual camera."""
        scale = max(1.0, self.solution.lens.size[0] / 1280)
        hidden = sum(1 for change in self.changes.values() if change is None)
        total = 10.0 * self.likelihood + _HIDDEN * hidden - self.solution.cost
        for worth, rails in ((1.0, False), (0.5, True)):
            lines = [line for line in self.lines if line.raised and (line.outward is not None) == rails]
            misses = np.minimum(np.abs(self.solution.residuals_px(lines)) / scale, 2.0)
            places = _WHOLE_NOSE * len(misses) / PLACES
            total += worth * (places - 60.0 * float(np.mean(misses)) if len(misses) else 0.0)
        return total


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """One candidate a side: log likelihood, rough camera, straight corners (4, 2) and the cushions' depth in mm."""

    merit: float
    lens: Lens
    corners: Array
    changes: dict[str, Array | None]
    depth_mm: float


def rectangle(table: TableSpec, outward_mm: float) -> Array:
    """(4, 2) corners bottom-left, top-left, top-right, bottom-right: clockwise in a picture from above."""
    width, length = table.width_mm + outward_mm, table.length_mm + outward_mm
    low = -outward_mm
    return np.array([[low, low], [low, length], [width, length], [width, low]])


def likeliest(outlines: list[Outline], table: TableSpec, size: tuple[int, int]) -> list[Outline]:
    """Those of the outlines that a camera could see of this table, the likeliest first; at most two."""
    outer = rectangle(table, CUSHION_DEPTH_MM)
    ranked = []
    for outline in outlines:
        misfit = min(
            from_rectangle(np.roll(outline.corners, -turn, axis=0), outer, 0.0, size, outline.curvature)[1]
            for turn in range(2)
        )
        ranked.append((outline.merit - 0.5 * (misfit / _OUTLINE_SIGMA) ** 2, outline))
    ranked.sort(key=lambda entry: -entry[0])
    return [outline for merit, outline in ranked[:2] if merit > ranked[0][0] - 0.5]


def _straight_line(table: TableSpec, to_straight: Projection, side: str, depths: tuple[float, float]) -> Array:
    """Homogeneous line (3,) in straight pixels of a nose ``depths`` inside the outline, whose plane is projected."""
    ends = np.vstack(
        [
            side_points(table, side, np.array([place]), CUSHION_DEPTH_MM - depth, 0.0)
            for place, depth in zip((0.0, 1.0), depths, strict=True)
        ]
    )
    uv = to_straight(ends)
    line: Array = crossed(np.append(uv[0], 1.0), np.append(uv[1], 1.0))
    return line


def _ranked(
    table: TableSpec, corners: Array, outline: Outline, size: tuple[int, int], found: dict[str, list[NoseCandidate]]
) -> list[_Choice]:
    """Choices of one candidate a side: log likelihood, camera, straight corners and colour changes."""
    to_straight = plane_map(corners, rectangle(table, CUSHION_DEPTH_MM), size, 0.0)
    lines = {
        side: [_straight_line(table, to_straight, side, candidate.depths) for candidate in found[side]]
        for side in CUSHIONS
    }
    choices: list[_Choice] = []
    merits: list[float] = []
    for most, numbers in _promising(found):
        # of those that would be fitted none comes any more
        if merits and most < max(merits[0] - _HOPELESS, merits[-1] if len(merits) == _FITTED else -np.inf):
            break
        chosen = [found[side][k] for side, k in zip(CUSHIONS, numbers, strict=True)]
        inner = meeting({side: lines[side][k] for side, k in zip(CUSHIONS, numbers, strict=True)})
        lens, misfit = from_rectangle(inner, rectangle(table, 0.0), table.nose_height_mm, size, outline.curvature)
        depths = [candidate.depth for candidate in chosen if candidate.change is not None]
        depth = median(depths)
        sigma = _DEPTH_SIGMA_MM + _SLANT_SIGMA_MM * float(np.hypot(*lens.rotation[2, :2]))
        merit = (
            sum(float(np.log(candidate.merit)) for candidate in chosen)
            - 0.5 * sum(((each - depth) / sigma) ** 2 for each in depths)
            - 0.5 * (misfit / _MISFIT_SIGMA) ** 2
        )
        merits = sorted([*merits, merit], reverse=True)[:_FITTED]
        changes = {side: candidate.change for side, candidate in zip(CUSHIONS, chosen, strict=True)}
        choices.append(_Choice(merit=merit, lens=lens, corners=inner, changes=changes, depth_mm=depth))
    return choices


def _promising(found: dict[str, list[NoseCandidate]]) -> list[tuple[float, tuple[int, ...]]]:
    """Choices of one candidate a side that show two noses at least, and how likely they can be, the likeliest first."""
    sigma = _DEPTH_SIGMA_MM + _SLANT_SIGMA_MM
    likely = {side: [float(np.log(candidate.merit)) for candidate in found[side]] for side in CUSHIONS}
    promising = []
    for numbers in product(*(range(len(found[side])) for side in CUSHIONS)):
        chosen = [found[side][k] for side, k in zip(CUSHIONS, numbers, strict=True)]
        depths = [candidate.depth for candidate in chosen if candidate.change is not None]
        if len(depths) < 2:
            continue
        middle = median(depths)
        most = sum(likely[side][k] for side, k in zip(CUSHIONS, numbers, strict=True))
        most -= 0.5 * sum(((depth - middle) / sigma) ** 2 for depth in depths)
        promising.append((most, numbers))
    return sorted(promising, key=lambda choice: -choice[0])


def fit_noses(plane: Plane, table: TableSpec, outline: Outline, size: tuple[int, int]) -> list[Fit]:
    """Cameras fitted to the noses inside an outline, for the likeliest choices of noses.

    Which end of the table is which is not decided here.
    """
    choices = []
    for corners in _ways(outline, table, size):
        to_px = plane_map(corners, rectangle(table, CUSHION_DEPTH_MM), size, outline.curvature)
        found = {side: nose_candidates(plane, table, to_px, side) for side in CUSHIONS}
        choices += _ranked(table, corners, outline, size, found)
    choices.sort(key=lambda choice: -choice.merit)
    fits: list[Fit] = []
    fitting = _Fitting(plane, table, outline.curvature)
    for choice in choices[:_FITTED]:
        behind = choices[0].merit - choice.merit
        if behind > _HOPELESS or (behind > _LIKELY and any(fit.merit > GOOD_MERIT for fit in fits)):
            break
        fit = fitting.settled(choice)
        if fit is not None:
            fits.append(fit)
    return fits


def _ways(outline: Outline, table: TableSpec, size: tuple[int, int]) -> list[Array]:
    """The outline's corners (4, 2) in the order of `rectangle`, for each way in which the table may lie there."""
    outer = rectangle(table, CUSHION_DEPTH_MM)
    ways = [np.roll(outline.corners, -turn, axis=0) for turn in range(2)]
    misfits = [from_rectangle(corners, outer, 0.0, size, outline.curvature)[1] for corners in ways]
    return [corners for corners, misfit in zip(ways, misfits, strict=True) if misfit < min(misfits) + _WRONG_WAY]


class _Fitting:
    """Fits the camera to one choice of noses after the other, the likeliest first."""

    def __init__(self, plane: Plane, table: TableSpec, curvature: float) -> None:
        self._plane, self._table, self._curvature = plane, table, curvature
        self._places = np.column_stack([rectangle(table, 0.0), np.full(4, table.nose_height_mm)])
        self._begun: list[tuple[Array, dict[str, Array | None]]] = []
        """Where the first steps put the corners (4, 2) px, and the changes sought."""
        self._midway = -np.inf

    def settled(self, choice: _Choice) -> Fit | None:
        """The camera fitted to the noses of one choice, then to noses and rails together, in narrowing reach.

        None where too few of them show, and as soon as it comes to what one before came to, or falls far behind.
        """
        plane, table, size = self._plane, self._table, choice.lens.size
        to_px = plane_map(choice.corners, rectangle(table, 0.0), size, self._curvature)
        scale = max(1.0, size[0] / 1280)
        solution = Solution(lens=choice.lens, depth_mm=choice.depth_mm)
        lines: list[Measured] = []
        for step, reach in enumerate(_REACHES):
            lift = solution.lift_mm if step else 0.0
            noses = measure_noses(plane, table, to_px, choice.changes, reach * scale, lift)
            rails = measure_rails(plane, table, solution, reach * scale) if step else []
            if len(noses) < 2 or len(noses) + len(rails) < 4:
                if step:
                    return None
                continue
            lines = noses + rails
            solution = solve(solution, lines, strong=strongly_bent(solution.lens))
            to_px = solution.lens.project
            fit = Fit(solution=solution, lines=lines, changes=choice.changes, likelihood=choice.merit)
            if (step == 0 and self._known(fit, scale)) or (step == 1 and self._far_behind(fit)):
                return None
        return fit

    def _known(self, fit: Fit, scale: float) -> bool:
        corners = fit.solution.lens.project(self._places)
        for others, changes in self._begun:
            near = np.abs(corners - others).max() < _SAME_PX * scale
            if near and all(_alike(fit.changes[side], changes[side]) for side in CUSHIONS):
                return True
        self._begun.append((corners, fit.changes))
        return False

    def _far_behind(self, fit: Fit) -> bool:
        merit = fit.merit
        self._midway = max(self._midway, merit)
        return merit < self._midway - _FAR_BEHIND


def _alike(change: Array | None, other: Array | None) -> bool:
    if change is None or other is None:
        return change is other
    return float(change @ other) > _SAME_CHANGE


def strongly_bent(lens: Lens) -> bool:
    """Whether the lens bends so much that a second distortion term and the lens's own centre show."""
    return bool(abs(lens.to_vector()[8]) > _STRONGLY)


def turned(table: TableSpec, fit: Fit) -> Fit:
    """The same fit with the table's two ends exchanged."""
    size = table.width_mm, table.length_mm
    return replace(
        fit,
        solution=replace(fit.solution, lens=fit.solution.lens.turned(*size)),
        lines=[line.turned(*size) for line in fit.lines],
        changes={side: fit.changes[OPPOSITE[side]] for side in CUSHIONS},
    )


def refit(plane: Plane, table: TableSpec, fit: Fit, markings: Callable[[Lens], list[Measured]]) -> Fit:
    """The fit settled once more from where it is, together with the markings that are measured on the cloth."""
    scale = max(1.0, fit.solution.lens.size[0] / 1280)
    solution, lines = fit.solution, fit.lines
    corners = np.column_stack([rectangle(table, 0.0), np.full(4, table.nose_height_mm)])
    for _ in range(2):
        lens = solution.lens
        lines = measure_noses(plane, table, lens.project, fit.changes, 2.0 * scale, solution.lift_mm)
        lines += measure_rails(plane, table, solution, 2.0 * scale) + markings(lens)
        solution = solve(solution, lines, strong=strongly_bent(lens))
        if np.abs(solution.lens.project(corners) - lens.project(corners)).max() < _SETTLED_PX * scale:
            break
    return replace(fit, solution=solution, lines=lines)
