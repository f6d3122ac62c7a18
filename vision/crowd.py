"""Crowds: blobs of foreground that the outlines found so far leave partly unexplained, such as a pack of reds."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cloth import ClothModel, Compared
from vision.geometry import Array, Box, Mask, Plane, TableView
from vision.outline import peaks
from vision.shadows import are_shadows
from vision.template import Template, likeness, likeness_at

LEAST_LIKENESS = 0.6
LIKELY = (0.6, 0.7, 0.8)
FRESH = (0.5, 0.25, 0.1)
LEAST_OWN = 0.05
EDGE_CONTACT = 2.5
PLAIN_LIKENESS = 0.8
FAR_LIKER = 0.4
LEAST_PACK = 4
DULL_REACH = 0.35
LEAST_INSIDE = 0.86
SAME_PLACE = 0.6
RIVAL_PLACE = 1.2
LEAST_GAP = 0.84
CROWD_LIMIT = 40.0

Planes3 = tuple[Plane, Plane, Plane]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """Balls of one blob: centre (m, 2) working px, likeness (m,), visible (m,); instead: indices they stand for."""

    centre: Array
    likeness: Array
    visible: Array
    instead: tuple[int, ...]


def _disc(shape: tuple[int, int], centre: Array, radius: float) -> Mask:
    canvas = np.zeros(shape, np.uint8)
    at = (round(float(centre[0]) * 16), round(float(centre[1]) * 16))
    cv2.circle(canvas, at, round(radius * 16), 1, -1, cv2.LINE_8, 4)
    return canvas.astype(bool)


def crowds(
    planes: Planes3,
    mask: Plane,
    compared: Compared,
    view: TableView,
    template: Template,
    centre: Array,
    about: Array | None = None,
) -> list[Crowd]:
    """Re-read each blob of the foreground mask (h, w) larger than a ball; centre: (n, 2) of those found already.

    about: (2, 2) the first and the last corner of what is asked for, if not all.
    """
    luma, cloth = planes[0], compared.cloth
    solid: NDArray[Any] = ((mask > 0.5) & view.bed).astype(np.uint8)
    # cues and lines are thinner than half a ball
    width = max(3, int(0.7 * view.usual_radius_px) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    solid = cv2.morphologyEx(solid, cv2.MORPH_OPEN, kernel)
    rim = view.bed & ~cv2.erode(view.bed.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0).astype(bool)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=4)
    found: list[Crowd] = []
    rows, columns = solid.shape
    at_v = np.clip(np.round(centre[:, 1]).astype(int), 0, rows - 1)
    at_u = np.clip(np.round(centre[:, 0]).astype(int), 0, columns - 1)
    owner = labels[at_v, at_u]
    for blob in range(1, count):
        members = np.flatnonzero(owner == blob)
        left, top, wide, high, area = (int(value) for value in stats[blob])
        middle = (min(rows - 1, top + high // 2), min(columns - 1, left + wide // 2))
        radius = float(view.radius_px[middle])
        disc_area = np.pi * radius**2
        if not 1.4 * disc_area < area < CROWD_LIMIT * disc_area:
            continue
        if about is not None and ((left, top) > about[1] + 1).any() | ((left + wide, top + high) < about[0]).any():
            continue
        # an arm or a player reaches in over the edge of the bed
        inside = (slice(top, top + high), slice(left, left + wide))
        if np.count_nonzero(rim[inside] & (labels[inside] == blob)) > EDGE_CONTACT * radius:
            continue
        pad = int(np.ceil(1.5 * radius))
        box = (max(0, left - pad), max(0, top - pad), min(columns, left + wide + pad), min(rows, top + high + pad))
        here = labels[box[1] : box[3], box[0] : box[2]] == blob
        # with no colour but the cloth's, such as shadows: a ball there has to be seen more plainly
        dull = compared.part(box).shaded(0.0, DULL_REACH)
        # that outlines saw no ball at all takes several plain ones to outweigh
        crowd = _read(planes, cloth, here, dull, view, template, box, radius, 1 if len(members) else LEAST_PACK)
        if len(crowd.centre) == 0:
            continue
        if len(members) == 0:
            if len(crowd.centre) >= LEAST_PACK and np.median(crowd.likeness) > PLAIN_LIKENESS:
                found.append(crowd)
            continue
        gap = np.linalg.norm(centre[members][:, None] - crowd.centre[None], axis=2)
        confirmed = gap.min(axis=1, initial=np.inf) < SAME_PLACE * radius
        rivals = ~confirmed & (gap.min(axis=1, initial=np.inf) < RIVAL_PLACE * radius)
        if rivals.any():
            # an outline drawn off by a shadow gives way to places that show a ball's pattern plainly
            theirs = likeness_at(luma, template, centre[members[rivals]], np.full(rivals.sum(), radius))
            ours = crowd.likeness[gap[rivals].argmin(axis=1)]
            if not np.all((theirs < LEAST_LIKENESS) & ((ours > PLAIN_LIKENESS) | (ours > theirs + FAR_LIKER))):
                continue
        elif not confirmed.any():
            continue
        found.append(
            Crowd(
                centre=crowd.centre,
                likeness=crowd.likeness,
                visible=crowd.visible,
                instead=tuple(int(member) for member in members[confirmed | rivals]),
            )
        )
    return found


def _read(
    planes: Planes3,
    cloth: ClothModel,
    here: Mask,
    dull: Mask,
    view: TableView,
    template: Template,
    box: Box,
    radius: float,
    least: int,
) -> Crowd:
    """Choose places where the pattern is seen, likest first, a ball's distance apart and inside the blob.

    None are chosen where there are fewer than ``least`` to choose.
    """
    response, factor = likeness(planes[0], template, box, radius)
    places = peaks(response, LEAST_LIKENESS, 7)
    if len(places) < least:
        return Crowd(centre=np.empty((0, 2)), likeness=np.empty(0), visible=np.empty(0), instead=())
    values = response[places[:, 1].astype(int), places[:, 0].astype(int)]
    local = (_subpixel(response, places) + 0.5) / factor - 0.5
    order = np.argsort(-values)
    local, values = local[order], values[order].astype(np.float64)
    working = local + box[:2]
    camera, ball = view.calibration.camera, view.calibration.table.ball_radius_mm
    xy = camera.on_plane(view.to_picture(working), ball)
    distance = np.linalg.norm(xy - camera.centre_mm[:2], axis=1)
    free = here.copy()
    chosen: list[int] = []
    for i in range(len(local)):
        if chosen and np.linalg.norm(xy[chosen] - xy[i], axis=1).min() < LEAST_GAP * 2 * ball:
            continue
        disc = _disc(here.shape, local[i], 0.9 * radius)
        for j in chosen:
            if distance[j] < distance[i]:
                disc &= ~_disc(here.shape, local[j], 0.95 * radius)
        seen = int(disc.sum())
        if seen == 0 or (disc & here).sum() < LEAST_INSIDE * seen:
            continue
        # a likely place needs little that is seen of it, a doubtful one more; none is quite explained by others
        own = disc & free
        area = np.pi * radius**2
        if seen < np.interp(values[i], LIKELY, FRESH) * area or own.sum() < LEAST_OWN * area:
            continue
        if values[i] < PLAIN_LIKENESS and dull[own].mean() > 0.5:
            continue
        both = [*chosen, i]
        sizes = np.full(len(both), radius)
        if are_shadows(planes, cloth, working[both], sizes, -distance[both], only=len(both) - 1)[-1]:
            continue
        chosen.append(i)
        free &= ~_disc(here.shape, local[i], 1.05 * radius)
    index: NDArray[np.intp] = np.array(chosen, dtype=np.intp)
    visible = []
    for i in index:
        disc = _disc(here.shape, local[i], radius)
        whole = int(disc.sum())
        for j in index:
            if distance[j] < distance[i]:
                disc &= ~_disc(here.shape, local[j], radius)
        visible.append(float(disc.sum()) / max(whole, 1))
    return Crowd(centre=working[index], likeness=values[index], visible=np.array(visible), instead=())


def _subpixel(response: Plane, places: Array) -> Array:
    """Peaks moved to the vertex of the parabola through their neighbours."""
    rows, columns = response.shape
    u = np.clip(places[:, 0].astype(int), 1, columns - 2)
    v = np.clip(places[:, 1].astype(int), 1, rows - 2)
    middle = response[v, u]

    def vertex(before: Plane, after: Plane) -> Array:
        bend = before - 2 * middle + after
        shift: Array = np.where(np.abs(bend) > 1e-6, 0.5 * (before - after) / np.where(bend == 0, 1, bend), 0.0)
        return np.clip(shift, -0.5, 0.5)

    return np.column_stack(
        [u + vertex(response[v, u - 1], response[v, u + 1]), v + vertex(response[v - 1, u], response[v + 1, u])]
    )
