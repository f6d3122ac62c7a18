"""All balls of one picture, found without any other picture."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.result import Calibration
from vision.balls import BallSet
from vision.cloth import ClothModel, distance, fit_cloth, foreground, split
from vision.geometry import Array, Mask, Plane, TableView, table_view
from vision.identity import identify, names_of, see
from vision.outline import DIRECTIONS, Outlines, disc_response, fit_outlines, peaks, radial_votes
from vision.selection import Selection, select

VOTE_FLOOR = 4.0
LEAST_RESPONSE = 0.45


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One picture taken apart: its planes, its cloth, its foreground, and the outlines chosen as balls."""

    planes: tuple[Plane, Plane, Plane]
    cloth: ClothModel
    mask: Plane
    outlines: Outlines
    selection: Selection
    xy_mm: Array


def _at(plane: NDArray[Any], points: Array) -> NDArray[Any]:
    rows, columns = plane.shape[:2]
    u = np.clip(np.round(points[..., 0]).astype(int), 0, columns - 1)
    v = np.clip(np.round(points[..., 1]).astype(int), 0, rows - 1)
    values: NDArray[Any] = plane[v, u]
    return values


def take_apart(bgr: NDArray[Any], view: TableView) -> Scene:
    """Find the cloth and the balls' outlines in a full picture (height, width, 3)."""
    planes = split(view.crop(bgr))
    cloth = fit_cloth(planes, view)
    away = distance(planes, cloth)
    mask = foreground(away, cloth)
    votes = radial_votes(planes, view.radius_px, VOTE_FLOOR)
    discs = disc_response(mask * view.cloth, view.radius_px)
    response = (np.clip(votes, 0, 1) + np.clip(discs, 0, 1)) * view.allowed
    found = peaks(response.astype(np.float32), LEAST_RESPONSE, 7)
    radius = _at(view.radius_px, found).astype(np.float64)
    outlines = fit_outlines(planes, away, found, radius)
    outlines = outlines.take(np.flatnonzero(_at(view.allowed, outlines.centre)))
    xy_mm = view.calibration.camera.on_plane(view.to_picture(outlines.centre), view.calibration.table.ball_radius_mm)
    beyond = outlines.centre[:, None] + 1.4 * outlines.radius[:, None, None] * DIRECTIONS
    table = view.calibration.table
    size = np.array([table.width_mm, table.length_mm])
    least = 0.5 * table.ball_radius_mm
    inside = np.all((xy_mm > least) & (xy_mm < size - least), axis=1)
    bounded: Mask = ~_at(view.bed, beyond).astype(bool) & inside[:, None]
    height = np.full((len(xy_mm), 1), table.ball_radius_mm)
    nearness = -np.linalg.norm(np.hstack([xy_mm, height]) - view.calibration.camera.centre_mm, axis=1)
    selection = select(outlines, xy_mm, bounded, nearness, table.ball_diameter_mm)
    return Scene(planes=planes, cloth=cloth, mask=mask, outlines=outlines, selection=selection, xy_mm=xy_mm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ball:
    """A ball in a picture. kind: of the set, ``red``; name: ``red-3``.

    x, y: mm of its centre, on the plane a radius above the cloth. u, v, r: centre and radius of its outline in px.
    confidence: 0 to 1, that it is a ball and this one.
    visible: share of its outline in the open.
    """

    kind: str
    name: str
    x: float
    y: float
    u: float
    v: float
    r: float
    confidence: float
    visible: float


def identify_scene(scene: Scene, view: TableView, ball_set: BallSet) -> tuple[Array, NDArray[np.intp]]:
    """Log likelihoods (m, k) and kinds (m,) of the scene's selected outlines."""
    index = scene.selection.index
    centre, radius = scene.outlines.centre[index], scene.outlines.radius[index]
    looks = see(scene.planes, centre, radius, _at(scene.cloth.luma, centre).astype(np.float64))
    return identify(looks, scene.xy_mm[index], view.calibration.table, ball_set)


def detect_balls(bgr: NDArray[Any], calibration: Calibration, ball_set: BallSet) -> list[Ball]:
    """All balls of the set in a picture (height, width, 3) uint8 BGR taken by the calibrated camera."""
    view = table_view(calibration)
    scene = take_apart(bgr, view)
    logp, chosen = identify_scene(scene, view, ball_set)
    kept = np.flatnonzero(chosen >= 0)
    names = names_of(chosen[kept], ball_set)
    index = scene.selection.index[kept]
    uv = view.to_picture(scene.outlines.centre[index])
    radius = scene.outlines.radius[index] / view.scale
    balls = []
    for row, (name, pixel, size) in enumerate(zip(names, uv, radius, strict=True)):
        i, k = kept[row], chosen[kept[row]]
        odds = np.exp(logp[i] - logp[i].max())
        x, y = scene.xy_mm[index[row]]
        balls.append(
            Ball(
                kind=ball_set.kinds[k],
                name=name,
                x=float(x),
                y=float(y),
                u=float(pixel[0]),
                v=float(pixel[1]),
                r=float(size),
                confidence=float(min(1.0, scene.selection.score[i] / 0.8) * odds[k] / odds.sum()),
                visible=float(scene.selection.visible[i]),
            )
        )
    return balls
