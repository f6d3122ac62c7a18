"""Calibrating from pictures: the table's cloth, its outline, the noses, the markings, and the camera solved to them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.cloth import SHARES, USUAL, ClothRegion, find_cloth
from calibration.edges import Plane, lab_plane, sampled, sampled_raw
from calibration.fit import GOOD_MERIT, Fit, fit_noses, likeliest, refit
from calibration.light import light_wanted, lit_up
from calibration.markings import Baulk, measure_baulk
from calibration.orient import SIDES, Oriented, doubts, oriented, side_of
from calibration.outline import Outline, find_outlines, refine_outline
from calibration.pictures import combined, showing
from calibration.points import solve_points
from calibration.result import Calibration, FailedCalibration
from calibration.solve import PLACES, Measured, Solution
from calibration.spotted import Look
from calibration.tables import CUSHIONS, TableSpec
from calibration.verify import evidence

Array = NDArray[np.float64]
Pixels = NDArray[np.uint8]

_WIDEST = 1920
"""Pictures wider than this are searched at this width: finer pixels only bring noise."""
_SMALLEST = (320, 180)
_REGIONS = 3
"""So many pieces like a cloth are looked at."""
_CLEAR = -2.5
"""A fit as likely as this (a logarithm) needs no other outline to compare with."""
_SAME_PX = 0.01
"""Outlines that are found once more, in a region that is cut out otherwise."""
_POSSIBLE = -15.0
"""A fit less likely than this (a logarithm) is none."""
_NEARLY = 6.0
_SEEN = 0.4
_DEPTH_MM, _RISE_MM = (20.0, 95.0), 25.0
"""The share of the four sides that must be seen, and what cushions may measure."""
_WORST_RMS = 1.2
_SQUARE = 0.01
"""How far from square, as a logarithm, pixels look before the table's size is doubted."""


def calibrate(
    pictures: Sequence[Pixels],
    table: TableSpec,
    *,
    points: Mapping[str, tuple[float, float]] | None = None,
    baulk: str | None = None,
    opening: Sequence[Pixels] = (),
) -> Calibration | FailedCalibration:
    """The camera that took these pictures of a table (one still, or several frames of one clip from one camera).

    pictures: (h, w, 3) uint8 BGR, all of one size. points: named points (`calibration.points.named_points`) and their
    pixels, used instead of a search. baulk: ``left``, ``right``, ``top`` or ``bottom``, the side of the picture where
    the baulk (head) end is. opening: pictures from the clip's start, where a rack may show the foot; those of another
    view are left out. The residuals are over all places where a marking was seen within 2 px (at 1280 px wide) of
    where the camera puts it; places farther off count as hidden.

    Raises ValueError for no pictures, pictures of different sizes or another ``baulk``.
    """
    if baulk is not None and baulk not in SIDES:
        raise ValueError(f"baulk must be one of {', '.join(SIDES)}, got {baulk!r}")
    picture = whole = combined(pictures)
    size = (picture.shape[1], picture.shape[0])
    if points is not None:
        return _from_points(points, table, size)
    if size[0] < _SMALLEST[0] or size[1] < _SMALLEST[1]:
        wanted = f"{_SMALLEST[0]} x {_SMALLEST[1]}"
        return FailedCalibration(
            reason=f"the picture of {size[0]} x {size[1]} pixels is too small; at least {wanted} are needed",
            missed=("table",),
        )
    factor = min(1.0, _WIDEST / size[0])
    if factor < 1:
        picture = np.asarray(
            cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), dtype=np.uint8
        )
    more = _looks(table, whole, [*opening, *pictures], factor)
    found = _searched(picture, table, baulk, more, size)
    if isinstance(found, FailedCalibration) and (gain := _light_wanted(picture)) > 1:
        lit = _searched(lit_up(picture, gain), table, baulk, more, size)
        return lit if isinstance(lit, Calibration) else found
    return found


def _light_wanted(picture: Pixels) -> float:
    """How many times as much light what is most like a cloth needs; 1 where nothing is."""
    region = next(find_cloth(picture), None)
    if region is None:
        return 1.0
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, region.mask.shape[::-1], interpolation=cv2.INTER_AREA)
    return light_wanted(float(np.median(small[region.mask > 0])))


def _searched(
    picture: Pixels, table: TableSpec, baulk: str | None, more: Sequence[Look], size: tuple[int, int]
) -> Calibration | FailedCalibration:
    """The camera found by searching a picture; ``size`` is that of what was taken. more: of single pictures."""
    plane = lab_plane(picture)
    looks: list[Look] = [partial(sampled, plane), *more]
    fits = possible_fits(plane, picture, table)
    if not fits:
        reason = "no table found: no evenly coloured cloth with four straight sides and cushions"
        return FailedCalibration(reason=reason, missed=("cloth", "noses"))
    candidates: list[Oriented] = []
    for fit in sorted(fits, key=lambda fit: -fit.merit):
        # its markings can only lessen a fit's merit
        if candidates and fit.merit <= max(each.merit(table) for each in candidates) - _NEARLY:
            break
        candidates.append(oriented(plane, looks, table, fit, baulk))
    best = _best(plane, table, candidates)
    return _finished(plane, table, best, baulk, size)


def _looks(table: TableSpec, whole: Pixels, pictures: Sequence[Pixels], factor: float) -> list[Look]:
    """Of single pictures that show the view ``whole``, by the pixels of that at ``factor`` times its size."""
    if "foot_spot" not in table.spots or len(pictures) < 2:
        return []
    return [partial(_seen_in, picture, factor) for picture in showing(whole, pictures)]


def _seen_in(picture: Pixels, factor: float, uv: Array) -> Array:
    return sampled_raw(picture, (uv + 0.5) / factor - 0.5)


def possible_fits(plane: Plane, picture: Pixels, table: TableSpec) -> list[Fit]:
    """Cameras that may have taken the picture, by the noses along what is like a cloth there.

    Of a cloth that is found only where colours are told apart closely, those alone that are clear.
    """
    size = (picture.shape[1], picture.shape[0])
    fits: list[Fit] = []
    regions: list[ClothRegion] = []
    outlines: list[Outline] = []
    for shares in SHARES:
        for region in islice(find_cloth(picture, shares), _REGIONS):
            if any(np.array_equal(region.mask, other.mask) for other in regions):
                continue
            regions.append(region)
            for rough in likeliest(find_outlines(region, size), table, size):
                if any(_same_outline(rough, other) for other in outlines):
                    continue
                outlines.append(rough)
                found = fit_noses(plane, table, refine_outline(plane, rough, size), size)
                if any(is_clear(fit) for fit in found):
                    return [*fits, *found]
                fits += found if shares == USUAL else []
    return fits


def _same_outline(outline: Outline, other: Outline) -> bool:
    near = np.abs(outline.corners - other.corners).max() < _SAME_PX
    return bool(near and outline.curvature == other.curvature)


def is_clear(fit: Fit) -> bool:
    """Whether a fit needs no other outline to compare with: all noses show, and likely are what they are taken for.

    A nose that is taken not to show where the other ones do may be sought in the wrong place.
    """
    shown = all(change is not None for change in fit.changes.values())
    return shown and fit.likelihood > _CLEAR and fit.merit > GOOD_MERIT


def _best(plane: Plane, table: TableSpec, candidates: list[Oriented]) -> Oriented:
    """The candidate of most merit; those nearly as good as the best are settled further before they are compared."""
    top = max(candidate.merit(table) for candidate in candidates)
    near = [candidate for candidate in candidates if candidate.merit(table) > top - _NEARLY]
    if len(near) > 1:
        near = [replace(each, fit=refit(plane, table, each.fit, lambda lens: [])) for each in near]
    return max(near, key=lambda candidate: candidate.merit(table))


def _finished(
    plane: Plane, table: TableSpec, best: Oriented, baulk: str | None, size: tuple[int, int]
) -> Calibration | FailedCalibration:
    warnings: tuple[str, ...] = ()
    seen = best.baulk if best.baulk is not None and best.baulk.found else None
    if seen is not None and table.name == "measured":
        table, warnings = _with_markings(table, seen)
        seen = None
    fit = refit(plane, table, best.fit, lambda lens: [] if seen is None else measure_baulk(plane, table, lens, seen))
    failure = _failure(plane, table, fit)
    if failure is not None:
        return failure
    warnings += doubts(table, best, baulk) + _wrong_size(table, fit)
    lens = fit.solution.lens
    solution = replace(fit.solution, lens=lens.scaled(size[0] / lens.size[0], size))
    factor = size[0] / lens.size[0]
    lines = [replace(line, seen_px=(line.seen_px + 0.5) * factor - 0.5) for line in fit.lines]
    return _result(table, solution, lines, "markings", best.decided_by, warnings)


def _failure(plane: Plane, table: TableSpec, fit: Fit) -> FailedCalibration | None:
    """Why the fit is not to be trusted, or None."""
    used = {line.name for line in fit.lines}
    missed = tuple(f"nose-{side}" for side in CUSHIONS if not {f"nose-{side}", f"rail-{side}"} & used)
    if missed:
        reason = "no table found: a cloth is there, but not the cushions all around it"
        return FailedCalibration(reason=reason, missed=missed)
    if not _like_cushions(fit):
        reason = "no table found: a cloth is there, but no cushions along its sides that one camera could see so"
        return FailedCalibration(reason=reason, missed=("cushions",))
    objections = evidence(plane, table, fit.solution).objections(table)
    if objections:
        reason = f"no table found: something like a cloth is there, but not {' nor '.join(objections)}"
        return FailedCalibration(reason=reason, missed=objections)
    noses = [line for line in fit.lines if line.outward is None]
    rms = float(np.sqrt(np.mean(fit.solution.residuals_px(noses) ** 2)))
    if rms > _WORST_RMS * max(1.0, fit.solution.lens.size[0] / 1280):
        reason = f"the noses are seen, but no camera fits them: {rms:.1f} px off; is the table's size right?"
        return FailedCalibration(reason=reason, missed=("table size",))
    return None


def _like_cushions(fit: Fit) -> bool:
    """Whether enough of the sides is seen, at depths and heights that cushions have."""
    counts = {line.name: len(line.points_mm) for line in fit.lines}
    seen = sum(max(counts.get(f"nose-{side}", 0), counts.get(f"rail-{side}", 0)) for side in CUSHIONS)
    usual_depth = _DEPTH_MM[0] < fit.solution.depth_mm < _DEPTH_MM[1]
    usual_rise = abs(fit.solution.rise_mm) < _RISE_MM
    return seen > _SEEN * len(CUSHIONS) * PLACES and usual_depth and usual_rise and fit.likelihood > _POSSIBLE


def _wrong_size(table: TableSpec, fit: Fit) -> tuple[str, ...]:
    """A warning where the picture shows a table of other proportions than it is said to have."""
    aspect = fit.solution.lens.aspect
    if abs(aspect) < _SQUARE:
        return ()
    along_x = side_of(fit.solution.lens, table) in ("left", "right")
    seen = table.length_mm / table.width_mm * float(np.exp(aspect if along_x else -aspect))
    return (
        f"the table looks {seen:.3f} times as long as wide, but {table.length_mm / table.width_mm:.3f} is its size as "
        "given; is it the right table, and the picture not stretched?",
    )


def _with_markings(table: TableSpec, baulk: Baulk) -> tuple[TableSpec, tuple[str, ...]]:
    """A measured table with baulk line and D where they are seen, and what to say of that."""
    y, radius = table.baulk_line_y_mm, table.d_radius_mm
    assert y is not None and radius is not None
    seen_y = y if np.isnan(baulk.line_y_mm) else baulk.line_y_mm
    seen_radius = radius if np.isnan(baulk.d_radius_mm) else baulk.d_radius_mm
    if max(abs(seen_y - y), abs(seen_radius - radius)) < 2.0:
        return table, ()
    middle = table.width_mm / 2
    moved = {
        "yellow": (middle + seen_radius, seen_y),
        "brown": (middle, seen_y),
        "green": (middle - seen_radius, seen_y),
    }
    warning = (
        f"this table's baulk line is seen at {seen_y:.0f} mm and its D's radius is {seen_radius:.0f} mm; "
        f"in proportion they would be {y:.0f} and {radius:.0f} mm; the seen ones are used"
    )
    spec = replace(table, baulk_line_y_mm=seen_y, d_radius_mm=seen_radius, spots={**table.spots, **moved})
    return spec, (warning,)


def _from_points(
    points: Mapping[str, tuple[float, float]], table: TableSpec, size: tuple[int, int]
) -> Calibration | FailedCalibration:
    solved = solve_points(points, table, size)
    if isinstance(solved, FailedCalibration):
        return solved
    solution, lines = solved
    result = _result(table, solution, lines, "points", "points", ())
    return replace(result, used=tuple(points))


def _mm_across(camera: CameraModel, points: Array, normals: Array, miss_px: Array) -> Array:
    """(n,) mm, on the planes at the heights of points (n, 3), of misses (n,) in px along normals (n, 2)."""
    jacobian = camera.jacobian_px_per_mm(points[:, :2], points[:, 2])
    moved = np.linalg.solve(jacobian, (normals * miss_px[:, None])[..., None])
    return np.asarray(np.linalg.norm(moved[..., 0], axis=1), dtype=np.float64)


def _result(
    table: TableSpec,
    solution: Solution,
    lines: list[Measured],
    found_by: str,
    baulk_by: str,
    warnings: tuple[str, ...],
) -> Calibration:
    camera = solution.lens.camera()
    error = solution.residuals_px(lines)
    points = np.concatenate([solution.seen_points(line) for line in lines])
    normals = np.concatenate([line.normals for line in lines])
    across = _mm_across(camera, points, normals, error)
    return Calibration(
        table=table,
        camera=camera,
        residual_px=float(np.sqrt(np.mean(error**2))),
        residual_mm=float(np.sqrt(np.mean(across**2))),
        residual_max_px=float(np.abs(error).max()),
        found_by=found_by,
        used=tuple(line.name for line in lines),
        baulk_by=baulk_by,
        warnings=warnings,
    )
