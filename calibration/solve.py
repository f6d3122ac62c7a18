"""Solving the camera against measured lines: robust non-linear least squares over pose, lens and distortion."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.descent import descend, softened
from calibration.edges import Pieces, Plane, cut, peak, profiles, slopes, strokes
from calibration.model import TYPICAL_FOCAL, Lens
from calibration.noses import CUSHION_DEPTH_MM, OUTWARD, side_places, side_points
from calibration.planemap import Projection, half_diagonal
from calibration.tables import CUSHIONS, OPPOSITE, TableSpec

Array = NDArray[np.float64]

NOISE_PX = 0.4
"""What an edge's place is good to where nothing disturbs it."""
INDEPENDENT = 8
"""As how many independent measurements one line counts: shading shifts the edges of a whole stretch alike."""
_USUAL = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.2, 0.3, 0.2])
_SIGMAS = np.array([0.2, 0.004, 0.2, 0.1, 0.04, 0.04, 0.8, 0.4, 0.2])
"""Priors: log focal length (about `TYPICAL_FOCAL`), log aspect (a table's tolerances act like it), distortion k1 and
k2 as shares at the picture's corner, the principal point's shift in half diagonals; in cm the cushions' depth, the
rail's rise and the seen nose's lift."""
_DOUBLED = 0.25
"""Weight of a rail's edge where the nose itself is seen: cushions are not all equally deep."""
PLACES = 72
"""Ends of the pieces in which a cushion's edges are measured."""
_WEAKEST = 0.25
_FAINTEST = 0.35
_USUAL_MISS = 2.0
"""In units of the noise: larger misses count linearly."""
_BEND, _BEND_SIGMA = 0.5, 0.03
"""The most that k1 is expected to bend inward, and how far beyond it may go as a share at the picture's corner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """n places of one marking: table points (n, 3) mm, where seen (n, 2) px, normals (n, 2) unit across it.

    outward: (3,) unit for the edge of cloth and rail, which lies outside the nose by the cushion's unknown depth and
    above it by an unknown rise. raised: whether it is on the cushion, whose lit edge is seen a little above the nose.
    """

    name: str
    points_mm: Array
    seen_px: Array
    normals: Array
    outward: Array | None = None
    raised: bool = True

    def only(self, chosen: NDArray[np.bool_]) -> "Measured":
        """The same marking with those places only."""
        return replace(
            self,
            points_mm=self.points_mm[chosen],
            seen_px=self.seen_px[chosen],
            normals=self.normals[chosen],
        )

    def turned(self, width_mm: float, length_mm: float) -> "Measured":
        """The same marking with the table's two ends exchanged."""
        kind, _, side = self.name.partition("-")
        return replace(
            self,
            name=f"{kind}-{OPPOSITE[side]}" if side in OPPOSITE else self.name,
            points_mm=np.array([width_mm, length_mm, 0.0]) + self.points_mm * np.array([-1.0, -1.0, 1.0]),
            outward=None if self.outward is None else -self.outward,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """A camera and what the cushions look like from it, in mm, and the fit's cost.

    depth_mm: from the nose to the rail. rise_mm: of the rail's edge over the nose. lift_mm: of the line that is seen
    as the nose, where the light on the cushion breaks off, over the height that is documented for the nose.
    """

    lens: Lens
    depth_mm: float = CUSHION_DEPTH_MM
    rise_mm: float = 3.0
    lift_mm: float = 2.0
    cost: float = 0.0

    def seen_points(self, line: Measured) -> Array:
        """(n, 3) where the line's edge is in space, mm."""
        points = line.points_mm
        if line.raised:
            points = points + np.array([0.0, 0.0, self.lift_mm])
        if line.outward is not None:
            points = points + line.outward * self.depth_mm + np.array([0.0, 0.0, self.rise_mm])
        return points

    def residuals_px(self, lines: list[Measured]) -> Array:
        """(n,) distances in px of all seen places from the projected lines, across the lines."""
        parts = []
        for line in lines:
            parts.append(np.sum((self.lens.project(self.seen_points(line)) - line.seen_px) * line.normals, axis=1))
        return np.concatenate(parts) if parts else np.empty(0)


class _Stacked:
    """All places of several lines in one, to be projected at once."""

    def __init__(self, lines: list[Measured]) -> None:
        self.points = np.concatenate([line.points_mm for line in lines])
        self.seen = np.concatenate([line.seen_px for line in lines])
        self.normals = np.concatenate([line.normals for line in lines])
        up = np.array([0.0, 0.0, 1.0])
        still = np.zeros(3)
        shifts = [
            (still if line.outward is None else line.outward, still if line.outward is None else up, up * line.raised)
            for line in lines
        ]
        counts = [len(line.points_mm) for line in lines]
        self.shifts = np.repeat(np.array(shifts), counts, axis=0)
        """(n, 3, 3): how each place moves with a millimetre of depth, rise and lift."""

    def places(self, cushion_mm: Array) -> Array:
        """(n, 3) mm, with the cushions' depth, rise and lift (3,) in mm."""
        moved: Array = self.points + cushion_mm @ self.shifts
        return moved

    def misses(self, lens: Lens, cushion_mm: Array) -> Array:
        """(n,) px across the lines, with the cushions' depth, rise and lift (3,) in mm."""
        off = lens.project(self.places(cushion_mm))
        off -= self.seen
        off *= self.normals
        return np.asarray(off[:, 0] + off[:, 1], dtype=np.float64)

    def slopes(self, lens: Lens, cushion_mm: Array) -> Array:
        """(n, 15) derivatives of `misses` by the vector of the lens and by depth, rise and lift in cm."""
        by_vector, by_place = lens.slopes(self.places(cushion_mm), self.normals)
        moved = (self.shifts @ by_place[:, :, None])[..., 0]
        return np.concatenate([by_vector, 10 * moved], axis=1)


def _kept(name: str, points_mm: Array, pieces: Pieces, place: Array, strength: Array) -> Measured | None:
    found = np.isfinite(place)
    usual = float(np.median(strength[found])) if found.any() else 0.0
    good = found & (strength > max(_WEAKEST * usual, _FAINTEST))
    if np.count_nonzero(good) < 6:
        return None
    middle = 0.5 * (points_mm[1:] + points_mm[:-1])
    return Measured(
        name=name,
        points_mm=middle[good],
        seen_px=pieces.points[good] + place[good, None] * pieces.normals[good],
        normals=pieces.normals[good],
    )


def _measure_edges(
    plane: Plane,
    to_px: Projection,
    points_mm: dict[str, Array],
    inside_mm: Array,
    changes: list[Array | None],
    reach: float,
) -> list[Measured]:
    """Edges through equally many table points (n + 1, 3) each where they are seen, up to ``reach`` px from there.

    changes: (3,) unit for each, how the colour changes towards the table point ``inside_mm`` (3,), or None for any
    change. Those of which too little shows are left out.
    """
    if not points_mm:
        return []
    lines = np.array(list(points_mm.values()))
    pieces = cut(to_px(lines.reshape(-1, 3)).reshape(*lines.shape[:2], 2), to_px(inside_mm[None])[0])
    sigma = 0.9 if reach < 3 else 1.2
    offsets, colours = profiles(plane, pieces, reach + 3 * sigma)
    slope = slopes(colours, sigma)[:, np.abs(offsets) <= reach]
    near = offsets[np.abs(offsets) <= reach]
    count = len(slope) // len(lines)
    parts = [slice(k * count, (k + 1) * count) for k in range(len(lines))]
    response = np.concatenate(
        [
            np.sqrt(np.sum(slope[part] ** 2, axis=2)) if change is None else slope[part] @ change
            for part, change in zip(parts, changes, strict=True)
        ]
    )
    place, strength = peak(near, response)
    found = []
    for name, part in zip(points_mm, parts, strict=True):
        line = _kept(name, points_mm[name], pieces.part(part), place[part], strength[part])
        if line is not None:
            found.append(line)
    return found


def measure_stroke(
    plane: Plane, to_px: Projection, name: str, points_mm: Array, sign: float, reach: float
) -> Measured | None:
    """A drawn line through table points (n + 1, 3) where it is seen: brighter (sign +1) or darker (-1) than the cloth.

    None where too little shows.
    """
    pieces = cut(to_px(points_mm), np.array([0.0, 0.0]))
    offsets, colours = profiles(plane, pieces, reach + 3.0)
    response = sign * strokes(colours, 0.9)[..., 0]
    place, strength = peak(offsets, np.where(np.abs(offsets) <= reach, response, np.nan))
    line = _kept(name, points_mm, pieces, place, strength)
    return None if line is None else replace(line, raised=False)


def measure_noses(
    plane: Plane,
    table: TableSpec,
    to_px: Projection,
    changes: dict[str, Array | None],
    reach: float,
    lift_mm: float = 0.0,
) -> list[Measured]:
    """The noses that show near where ``to_px`` puts them; ``changes``: how the colour changes inward over each."""
    height = table.nose_height_mm + lift_mm
    middle = np.array([table.width_mm / 2, table.length_mm / 2, height])
    directed: dict[str, Array] = {}
    for side in CUSHIONS:
        change = changes[side]
        if change is not None:
            light = abs(change[0]) > 0.5
            directed[side] = np.array([np.sign(change[0]), 0.0, 0.0]) if light else change
    points = {f"nose-{side}": side_points(table, side, side_places(side, PLACES), 0.0, height) for side in directed}
    lines = _measure_edges(plane, to_px, points, middle, list(directed.values()), reach)
    return [replace(line, points_mm=line.points_mm - np.array([0.0, 0.0, lift_mm])) for line in lines]


def measure_rails(plane: Plane, table: TableSpec, solution: Solution, reach: float) -> list[Measured]:
    """The edges of cloth and rail that show near where the solution puts them."""
    middle = np.array([table.width_mm / 2, table.length_mm / 2, table.nose_height_mm])
    points, outward, shift = {}, {}, {}
    for side in CUSHIONS:
        name = f"rail-{side}"
        base = side_points(table, side, side_places(side, PLACES), 0.0, table.nose_height_mm)
        outward[name] = np.array(OUTWARD[side])
        shift[name] = outward[name] * solution.depth_mm + np.array([0.0, 0.0, solution.rise_mm + solution.lift_mm])
        points[name] = base + shift[name]
    lines = _measure_edges(plane, solution.lens.project, points, middle, [None] * len(points), reach)
    return [replace(line, points_mm=line.points_mm - shift[line.name], outward=outward[line.name]) for line in lines]


def _overbent(vector: Array, lens: Lens) -> tuple[float, Array]:
    """How much more a lens bends inward than a wide one of its focal length would, in sigmas, with derivatives (15,).

    A fisheye with equal steps of angle, the strongest bend in use, has k1 = -1/3; a long lens can't bend that much at
    its picture's corner. So a strong bend tells of a short focal length where a view from straight above doesn't.
    """
    corner2 = float(half_diagonal(lens.size) ** 2 * np.exp(-2 * vector[6]))
    slope = np.zeros(len(vector))
    excess = -float(vector[8]) - _BEND * corner2
    if excess <= 0:
        return 0.0, slope
    slope[6], slope[8] = 2 * _BEND * corner2 / _BEND_SIGMA, -1 / _BEND_SIGMA
    return excess / _BEND_SIGMA, slope


def solve(start: Solution, lines: list[Measured], *, bent: bool = True, strong: bool = False) -> Solution:
    """The camera that fits the measured lines best.

    What the lines can't tell, as a view from straight above its focal length, is held by wide priors. bent: whether
    distortion is solved for at all; strong: whether with a second term and its own centre.
    """
    seen = {line.name for line in lines}
    weights = []
    for line in lines:
        doubled = line.outward is not None and line.name.replace("rail", "nose") in seen
        weight = np.sqrt(min(1.0, INDEPENDENT / len(line.points_mm))) * (_DOUBLED if doubled else 1.0)
        weights.append(np.full(len(line.points_mm), weight))
    usual = _USUAL.copy()
    usual[0] = np.log(TYPICAL_FOCAL * start.lens.size[0])
    rails = any(line.outward is not None for line in lines)
    cloth = any(not line.raised for line in lines)
    free = np.array([True] * 8 + [bent, strong, strong, strong, rails, rails, cloth])
    first = np.concatenate([start.lens.to_vector(), [start.depth_mm / 10, start.rise_mm / 10, start.lift_mm / 10]])
    scale = max(1.0, start.lens.size[0] / 1280) * NOISE_PX

    stacked = _Stacked(lines)
    share = np.concatenate(weights) / scale
    prior = np.zeros((len(_SIGMAS), len(first)))
    prior[np.arange(len(_SIGMAS)), 6 + np.arange(len(_SIGMAS))] = 1 / _SIGMAS

    def full(vector: Array) -> tuple[Array, Lens, Array]:
        whole = first.copy()
        whole[free] = vector
        return whole, start.lens.moved_to(whole), 10 * whole[12:]

    known: tuple[Array, tuple[Array, Array]] | None = None

    def bent_errors(vector: Array) -> tuple[Array, Array]:
        """The softened errors and how they were softened: the slopes at a vector are asked for after the misses."""
        nonlocal known
        if known is None or known[0] is not vector:
            _, lens, cushion = full(vector)
            known = vector, softened(stacked.misses(lens, cushion) * share, _USUAL_MISS)
        return known[1]

    def misses(vector: Array) -> Array:
        whole, _, _ = full(vector)
        bent_over = [_overbent(whole, start.lens)[0]]
        return np.concatenate([bent_errors(vector)[0], (whole[6:] - usual) / _SIGMAS, bent_over])

    def slopes(vector: Array) -> Array:
        whole, lens, cushion = full(vector)
        rows = stacked.slopes(lens, cushion) * (bent_errors(vector)[1] * share)[:, None]
        return np.concatenate([rows, prior, _overbent(whole, start.lens)[1][None]])[:, free]

    solved, cost = descend(misses, slopes, first[free])
    _, lens, cushion = full(solved)
    depth, rise, lift = (float(value) for value in cushion)
    return Solution(lens=lens, depth_mm=depth, rise_mm=rise, lift_mm=lift, cost=cost)
