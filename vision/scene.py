"""One picture, or a part of it, taken apart: its cloth, its foreground, and what in it has the shape of a ball."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.balls import BallSet
from vision.cloth import ClothModel, distance, fit_cloth, foreground, shaded, split
from vision.crowd import crowds
from vision.geometry import Array, Mask, Plane, TableView
from vision.identity import OUTSIDE_LOGP, Palette, learn_palette, spot_logp
from vision.looks import see
from vision.outline import DIRECTIONS, Outlines, disc_response, fit_outlines, peaks, radial_votes, share_inside
from vision.selection import Selection, select
from vision.template import Template, learn_template, likeness_at

VOTE_FLOOR = 4.0
LEAST_RESPONSE = 0.45
CLEAR_SCORE = 0.6
CLEAR_OPEN = 0.8
SHADE_PENALTY = 0.35
SHADE_SHARE = 0.45
BLACK_SHADE = 0.22
LIKENESS_GAIN = 0.15
USUAL_LIKENESS = 0.6
COLOUR_GAIN = 0.03
LEAST_SCORE = 0.36
LEAST_EVIDENCE = 0.45


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


def _at(plane: NDArray[Any], points: Array) -> NDArray[Any]:
    rows, columns = plane.shape[:2]
    u = np.clip(np.round(points[..., 0]).astype(int), 0, columns - 1)
    v = np.clip(np.round(points[..., 1]).astype(int), 0, rows - 1)
    values: NDArray[Any] = plane[v, u]
    return values


def _candidates(planes: tuple[Plane, Plane, Plane], mask: Plane, away: Plane, view: TableView) -> Outlines:
    votes = radial_votes(planes, view.radius_px, VOTE_FLOOR)
    discs = disc_response(mask * view.cloth, view.radius_px)
    response = (np.clip(votes, 0, 1) + np.clip(discs, 0, 1)) * view.allowed
    found = peaks(response.astype(np.float32), LEAST_RESPONSE, 7)
    outlines = fit_outlines(planes, away, found, _at(view.radius_px, found).astype(np.float64))
    return outlines.take(np.flatnonzero(_at(view.allowed, outlines.centre)))


def _select(outlines: Outlines, view: TableView, shade: Mask) -> Selection:
    xy_mm = view.on_balls_plane(outlines.centre)
    table = view.calibration.table
    size = np.array([table.width_mm, table.length_mm])
    least = 0.5 * table.ball_radius_mm
    inside = np.all((xy_mm > least) & (xy_mm < size - least), axis=1)
    beyond = outlines.centre[:, None] + 1.4 * outlines.radius[:, None, None] * DIRECTIONS
    bounded: Mask = ~_at(view.bed, beyond).astype(bool) & inside[:, None]
    height = np.full((len(xy_mm), 1), table.ball_radius_mm)
    nearness = -np.linalg.norm(np.hstack([xy_mm, height]) - view.calibration.camera.centre_mm, axis=1)
    return select(outlines, xy_mm, bounded, nearness, shade, table.ball_diameter_mm)


def take_apart(bgr: NDArray[Any], view: TableView) -> Scene:
    """Find the cloth and all that looks like a ball in a full picture (height, width, 3)."""
    planes = split(view.crop(bgr))
    return analyse(planes, fit_cloth(planes, view), view, None)


def analyse(planes: tuple[Plane, Plane, Plane], cloth: ClothModel, view: TableView, template: Template | None) -> Scene:
    """Find all that looks like a ball in a view's planes. ``template``: the light on balls, if it is known already."""
    away = distance(planes, cloth)
    mask = foreground(away, cloth)
    outlines = _candidates(planes, mask, away, view)
    shade = shaded(planes, cloth, BLACK_SHADE)
    selection = _select(outlines, view, shade)
    chosen = outlines.take(selection.index)
    centre, score, visible = chosen.centre, selection.score, selection.visible
    if template is None:
        clear = (score > CLEAR_SCORE) & (visible > 0.95) & (chosen.open.mean(axis=1) > CLEAR_OPEN)
        template = learn_template(planes[0], centre[clear], chosen.radius[clear], view.towards_camera())
    if template is not None:
        packs = crowds(planes[0], mask, shaded(planes, cloth, 0.0), view, template, centre)
        kept = np.ones(len(centre), dtype=bool)
        for pack in packs:
            kept[list(pack.instead)] = False
        centre = np.concatenate([centre[kept], *(pack.centre for pack in packs)])
        score = np.concatenate([score[kept], *(pack.likeness for pack in packs)])
        visible = np.concatenate([visible[kept], *(pack.visible for pack in packs)])
    radius = _at(view.radius_px, centre).astype(np.float64)
    score = score - SHADE_PENALTY * np.clip(share_inside(shade, centre, radius) - SHADE_SHARE, 0, None)
    if template is not None:
        score = score + LIKENESS_GAIN * (likeness_at(planes[0], template, centre, radius) - USUAL_LIKENESS)
    return Scene(
        planes=planes,
        cloth=cloth,
        mask=mask,
        template=template,
        centre=centre,
        radius=radius,
        xy_mm=view.on_balls_plane(centre),
        score=score,
        visible=visible,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Identities:
    """logp: (m, k) of a scene's m finds. chosen: (m,) index of the kind, -1 for what is no ball of the set."""

    logp: Array
    chosen: NDArray[np.intp]
    palette: Palette


def identify_scene(scene: Scene, view: TableView, ball_set: BallSet, palette: Palette | None = None) -> Identities:
    """Tell what the scene holds, with the picture's own palette where none is given.

    What shape and light speak against is left out before the set's counts are shared out, and once more what its
    colour speaks against.
    """
    cloth_luma = _at(scene.cloth.luma, scene.centre).astype(np.float64)
    level = palette.white_level if palette else None
    looks = see(scene.planes, scene.centre, scene.radius, cloth_luma, white_level=level)
    table = view.calibration.table
    spots = spot_logp(scene.xy_mm, table, ball_set.kinds)
    kept = np.flatnonzero(scene.score > LEAST_SCORE)
    logp = np.full((len(scene.centre), len(ball_set.counts)), OUTSIDE_LOGP)
    chosen = np.full(len(scene.centre), -1, dtype=np.intp)
    used = palette or learn_palette(looks.take(kept), scene.xy_mm[kept], table, ball_set)
    for _ in range(2):
        logp[kept] = used.logp(looks.take(kept)) + spots[kept]
        chosen[kept] = used.assign(logp[kept])
        colour = COLOUR_GAIN * (np.minimum(logp[kept].max(axis=1), 6.0) - 4.0) if used.classes else 0.0
        fits = scene.score[kept] + colour > LEAST_EVIDENCE
        chosen[kept[~fits]] = -1
        if fits.all():
            break
        kept = kept[fits]
        used = palette or learn_palette(looks.take(kept), scene.xy_mm[kept], table, ball_set)
    return Identities(logp=logp, chosen=chosen, palette=used)
