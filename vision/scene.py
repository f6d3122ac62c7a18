"""One picture, or a part of it, taken apart: its cloth, its foreground, and what in it has the shape of a ball."""

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.tables import TableSpec
from vision.balls import BallSet
from vision.cloth import ClothModel, compare, fit_cloth, foreground, gain_for, split
from vision.crowd import crowds
from vision.geometry import Array, Mask, Plane, TableView
from vision.identity import OUTSIDE_LOGP, Palette, learn_palette, spot_logp
from vision.looks import have_cloths_hue, see
from vision.outline import (
    DIRECTIONS,
    Outlines,
    disc_response,
    fit_outlines,
    peaks,
    radial_votes,
    share_inside,
    with_shadows,
)
from vision.rack import find_racks
from vision.selection import Selection, select
from vision.shadows import are_shadows
from vision.template import Template, learn_template, likeness_at

VOTE_FLOOR = 4.0
LEAST_RESPONSE = 0.45
CLEAR_SCORE = 0.6
CLEAR_OPEN = 0.8
SHADE_PENALTY = 0.2
POCKET_PENALTY = 0.6
POCKET_REACH = 1.7
POCKET_SLACK_MM = 3.0
CORNER_DEPTH, MIDDLE_DEPTH, LEAST_MOUTH = 0.4, 0.06, 1.7
SHIFTS = (-0.5, -0.25, 0.0, 0.25, 0.5)
BETTER = 0.25
LEAST_MOVED = 0.55
SHADE_SHARE = 0.45
ALL_SHADE = 0.8
SHADE_REACH = 0.2
BEYOND_PENALTY = 0.15
BLACK_SHADE = 0.22
LIKENESS_GAIN = 0.3
USUAL_LIKENESS = 0.6
COLOUR_GAIN, USUAL_MISFIT, WORST_FIT = 0.05, 2.0, -12.0
CLOTH_PENALTY, CUSHIONS_REACH = 0.25, 2.5
SHAPE_GAIN, USUAL_SCORE = 20.0, 0.8
LEAST_SCORE = 0.36
LEAST_EVIDENCE = 0.45
RACK_GAP = 1.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One picture taken apart: planes, cloth, foreground, and m balls found in it, nothing known yet of which.

    centre: (m, 2), radius: (m,) in working px. xy_mm: (m, 2). score: (m,) 0 to 1. visible: (m,) share in the open.
    """

    planes: tuple[Plane, Plane, Plane]
    cloth: ClothModel
    mask: Plane
    template: Template | None
    centre: Array
    radius: Array
    xy_mm: Array
    score: Array
    visible: Array


def _without_balls(
    planes: tuple[Plane, Plane, Plane], cloth: ClothModel, mask: Plane, template: Template | None
) -> Scene:
    none, places = np.empty(0), np.empty((0, 2))
    return Scene(
        planes=planes,
        cloth=cloth,
        mask=mask,
        template=template,
        centre=places,
        radius=none,
        xy_mm=places,
        score=none,
        visible=none,
    )


def _at(plane: NDArray[Any], points: Array) -> NDArray[Any]:
    rows, columns = plane.shape[:2]
    places = np.minimum(np.maximum(np.rint(points), 0), (columns - 1, rows - 1)).astype(np.intp)
    values: NDArray[Any] = plane[places[..., 1], places[..., 0]]
    return values


def _candidates(planes: tuple[Plane, Plane, Plane], mask: Plane, away: Plane, shade: Mask, view: TableView) -> Outlines:
    votes = radial_votes(planes, view.radius_px, VOTE_FLOOR, view.allowed)
    discs = disc_response(mask * view.cloth, view.radius_px)
    response = (np.clip(votes, 0, 1) + np.clip(discs, 0, 1)) * view.allowed
    found = peaks(response.astype(np.float32), LEAST_RESPONSE, 7)
    outlines = fit_outlines(planes, away, found, _at(view.radius_px, found).astype(np.float64))
    outlines = outlines.take(np.flatnonzero(_at(view.allowed, outlines.centre)))
    return with_shadows(outlines, planes, shade)


def _recentred(luma: Plane, template: Template, centre: Array, radius: Array, score: Array) -> Array:
    """Move balls of weak contrast, whose outlines a highlight or a shadow drew off, to where the light fits them."""
    weak = np.flatnonzero(score < CLEAR_SCORE)
    moved = centre.copy()
    if not len(weak):
        return moved
    reach = radius[weak, None]
    places = np.stack([centre[weak], *(centre[weak] + np.array(shift) * reach for shift in product(SHIFTS, SHIFTS))])
    every = likeness_at(luma, template, places.reshape(-1, 2), np.tile(radius[weak], len(places)))
    likes = every.reshape(len(places), len(weak))
    best = likes[0]
    gained = np.zeros(len(weak), dtype=bool)
    for shift, place, here in zip(product(SHIFTS, SHIFTS), places[1:], likes[1:], strict=True):
        better = here > best + (0.0 if shift == (0.0, 0.0) else BETTER * (~gained))
        best = np.where(better, here, best)
        moved[weak[better]] = place[better]
        gained |= better
    gained &= best > LEAST_MOVED
    moved[weak[~gained]] = centre[weak[~gained]]
    return moved


def in_pocket(xy_mm: Array, view: TableView) -> NDArray[np.bool_]:
    """(m,) whether a centre lies beyond the noses' lines or well within a mouth: not on the bed, but in a pocket."""
    table = view.calibration.table
    size = np.array([table.width_mm, table.length_mm])
    to_sides = np.minimum(xy_mm, size - xy_mm)
    beyond = to_sides.min(axis=1) < -POCKET_SLACK_MM
    corner = to_sides.sum(axis=1) / np.sqrt(2) < CORNER_DEPTH * max(
        table.corner_mouth_mm, LEAST_MOUTH * table.ball_diameter_mm
    )
    before_middle = np.abs(xy_mm[:, 1] - table.length_mm / 2) < table.middle_mouth_mm / 2
    middle = before_middle & (to_sides[:, 0] < MIDDLE_DEPTH * table.middle_mouth_mm)
    return np.asarray(beyond | corner | middle)


def _at_cushion(xy_mm: Array, table: TableSpec) -> NDArray[np.bool_]:
    """(m,) whether a place is where a cushion throws its shade."""
    to_sides = np.minimum(xy_mm, np.array([table.width_mm, table.length_mm]) - xy_mm).min(axis=1)
    return np.asarray(to_sides < CUSHIONS_REACH * table.ball_radius_mm)


def _any_in(centre: Array, about: Array | None) -> bool:
    """Whether any of the places (m, 2) lies between the two corners (2, 2), if these are given."""
    return about is None or bool(((centre >= about[0]) & (centre <= about[1])).all(axis=1).any())


def _near_pocket(xy_mm: Array, view: TableView) -> NDArray[np.bool_]:
    """(m,) whether a place is in or before a pocket's jaws, where shade looks like anything."""
    table = view.calibration.table
    corners = np.array(list(table.pocket_corners().values()))
    gap = np.linalg.norm(xy_mm[:, None] - corners[None], axis=2)
    return np.asarray(gap.min(axis=1) < POCKET_REACH * table.ball_diameter_mm)


def _select(outlines: Outlines, view: TableView, shade: Mask) -> Selection:
    xy_mm = view.on_balls_plane(outlines.centre)
    table = view.calibration.table
    size = np.array([table.width_mm, table.length_mm])
    least = 0.5 * table.ball_radius_mm
    inside = np.all((xy_mm > least) & (xy_mm < size - least), axis=1)
    beyond = outlines.centre[:, None] + 1.4 * outlines.radius[:, None, None] * DIRECTIONS
    x, y = _at(view.x_mm, beyond), _at(view.y_mm, beyond)
    bounded: Mask = ((x < 0) | (x > size[0]) | (y < 0) | (y > size[1])) & inside[:, None]
    return select(outlines, xy_mm, bounded, _nearness(xy_mm, view), shade, table.ball_diameter_mm)


def _nearness(xy_mm: Array, view: TableView) -> Array:
    """(m,) greater for balls nearer to the camera."""
    height = np.full((len(xy_mm), 1), view.calibration.table.ball_radius_mm)
    distances: Array = np.linalg.norm(np.hstack([xy_mm, height]) - view.calibration.camera.centre_mm, axis=1)
    return -distances


def take_apart(bgr: NDArray[Any], view: TableView) -> Scene:
    """Find the cloth and all that looks like a ball in a full picture (height, width, 3)."""
    planes = split(view.crop(bgr))
    cloth = fit_cloth(planes, view)
    gain = gain_for(cloth, view)
    if gain > 1:
        luma, cr, cb = (plane * np.float32(gain) for plane in planes)
        planes = (luma, cr, cb)
        cloth = fit_cloth(planes, view)
    return analyse(planes, cloth, view, None)


def analyse(
    planes: tuple[Plane, Plane, Plane],
    cloth: ClothModel,
    view: TableView,
    template: Template | None,
    about: Array | None = None,
) -> Scene:
    """Find all that looks like a ball in a view's planes. ``template``: the light on balls, if it is known already.

    about: (2, 2) the first and the last corner, in working px, of what is asked for, if not all; where no ball has its
    centre there, none is found anywhere.
    """
    compared = compare(planes, cloth)
    away = compared.distance()
    mask = foreground(away, cloth)
    shade = compared.shaded(BLACK_SHADE, SHADE_REACH)
    outlines = _candidates(planes, mask, away, shade, view)
    selection = _select(outlines, view, shade)
    chosen = outlines.take(selection.index)
    centre, score, visible = chosen.centre, selection.score, selection.visible
    racks = find_racks(mask, view)
    nobody = not racks and not _any_in(centre, about)
    known = template is not None
    if template is None:
        clear = (score > CLEAR_SCORE) & (visible > 0.95) & (chosen.open.mean(axis=1) > CLEAR_OPEN)
        template = learn_template(planes[0], centre[clear], chosen.radius[clear], view.towards_camera())
    if template is not None:
        packs = crowds(planes, mask, compared, view, template, centre, about if nobody else None)
        nobody &= not any(_any_in(pack.centre, about) for pack in packs)
        kept = np.ones(len(centre), dtype=bool)
        for pack in packs:
            kept[list(pack.instead)] = False
        centre = np.concatenate([centre[kept], *(pack.centre for pack in packs)])
        score = np.concatenate([score[kept], *(pack.likeness for pack in packs)])
        visible = np.concatenate([visible[kept], *(pack.visible for pack in packs)])
    if nobody:
        return _without_balls(planes, cloth, mask, template)
    radius = _at(view.radius_px, centre).astype(np.float64)
    if template is not None and not known:
        centre = _recentred(planes[0], template, centre, radius, score)
    xy_mm = view.on_balls_plane(centre)
    fronts = ~are_shadows(planes, cloth, centre, radius, _nearness(xy_mm, view))
    centre, radius, xy_mm, score, visible = (values[fronts] for values in (centre, radius, xy_mm, score, visible))
    size = np.array([view.calibration.table.width_mm, view.calibration.table.length_mm])
    least = 0.4 * view.calibration.table.ball_radius_mm
    beyond = np.any((xy_mm < least) | (xy_mm > size - least), axis=1)
    fallen = in_pocket(xy_mm, view)
    doubt = np.where(_near_pocket(xy_mm, view), POCKET_PENALTY, SHADE_PENALTY)
    dull = share_inside(shade, centre, radius)
    score = score - doubt * np.clip(dull - SHADE_SHARE, 0, None) - np.clip(dull - ALL_SHADE, 0, None)
    score = np.where(fallen, 0.0, score - BEYOND_PENALTY * beyond)
    if template is not None:
        score = score + LIKENESS_GAIN * (likeness_at(planes[0], template, centre, radius) - USUAL_LIKENESS)
    for rack in racks:
        gap = np.linalg.norm(centre[:, None] - rack.centre[None], axis=2).min(axis=1)
        # the cue ball may lie so near that its shadow joins it to the rack
        apart = ~_at(rack.blob, centre) | ((gap > RACK_GAP * radius) & (score > CLEAR_SCORE))
        centre, score, visible = (
            np.concatenate([values[apart], added])
            for values, added in (
                (centre, rack.centre),
                (score, np.full(len(rack.centre), rack.common)),
                (visible, rack.visible),
            )
        )
        radius = _at(view.radius_px, centre).astype(np.float64)
        xy_mm = view.on_balls_plane(centre)
    return Scene(
        planes=planes,
        cloth=cloth,
        mask=mask,
        template=template,
        centre=centre,
        radius=radius,
        xy_mm=xy_mm,
        score=score,
        visible=visible,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Identities:
    """logp: (m, k) of a scene's m finds. chosen: (m,) index of the kind, -1 for what is no ball of the set."""

    logp: Array
    chosen: NDArray[np.intp]
    palette: Palette


def _colour_evidence(palette: Palette, logp: Array, chosen: NDArray[np.intp], visible: Array) -> Array:
    """(n,) how much the colours of finds speak for balls of the kinds chosen, in units of the score."""
    if not palette.classes:
        return np.zeros(len(chosen))
    own = np.where(chosen >= 0, logp[np.arange(len(chosen)), chosen], OUTSIDE_LOGP)
    fit = own - palette.best_logp()[chosen]
    # of a ball half hidden the samples show others too
    evidence: Array = COLOUR_GAIN * visible**2 * np.clip(fit + USUAL_MISFIT, WORST_FIT, USUAL_MISFIT)
    return evidence


def identify_scene(scene: Scene, view: TableView, ball_set: BallSet, palette: Palette | None = None) -> Identities:
    """Tell what the scene holds, with the picture's own palette where none is given.

    What shape and light speak against is left out before the set's counts are shared out, and once more what its
    colour speaks against.
    """
    bare = [_at(plane, scene.centre).astype(np.float64) for plane in (scene.cloth.luma, scene.cloth.cr, scene.cloth.cb)]
    looks = see(
        scene.planes,
        scene.centre,
        scene.radius,
        bare[0],
        numbered="8" in ball_set.counts,
        towards=view.towards_camera(),
        of_white=palette.of_white if palette else None,
        trust=np.clip(scene.score, 0.0, 1.0) ** 2,
    )
    table = view.calibration.table
    score = scene.score - CLOTH_PENALTY * have_cloths_hue(
        looks, (bare[0], bare[1], bare[2]), _at_cushion(scene.xy_mm, table)
    )
    spots = spot_logp(scene.xy_mm, table, ball_set.kinds)
    kept = np.flatnonzero(score > LEAST_SCORE)
    logp = np.full((len(scene.centre), len(ball_set.counts)), OUTSIDE_LOGP)
    chosen = np.full(len(scene.centre), -1, dtype=np.intp)
    used = palette or learn_palette(looks.take(kept), scene.xy_mm[kept], table, ball_set)
    for _ in range(2):
        logp[kept] = used.logp(looks.take(kept)) + spots[kept]
        chosen[kept] = used.assign(logp[kept] + SHAPE_GAIN * (score[kept, None] - USUAL_SCORE))
        fits = score[kept] + _colour_evidence(used, logp[kept], chosen[kept], scene.visible[kept]) > LEAST_EVIDENCE
        chosen[kept[~fits]] = -1
        if fits.all() or not fits.any():
            break
        kept = kept[fits]
        used = palette or learn_palette(looks.take(kept), scene.xy_mm[kept], table, ball_set)
    return Identities(logp=logp, chosen=chosen, palette=used)
