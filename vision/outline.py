"""Balls' outlines: where one of known size could be, its sub-pixel place, and how well the picture supports it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array, Plane

ANGLES = 48
RADII = np.arange(0.05, 1.651, 0.1)
STEP = 0.1
FIT_ROUNDS = 4
GAINS = (1.0, 1.5, 1.5)
EDGE_FLOOR = 3.0
FULL_STEP = 0.25
LEAST_CONTRAST = 12.0
OPEN_LEVELS = 7.0
CAST_STEP = 0.5
STRIP = 48 * 1024
"""So many pixels of a picture are worked on at once where they shall stay in the processor's cache."""
BARE, BARE_LEVELS = 0.27, 25.0
"""Cloth is what differs by less than this share of the disc's contrast, and by fewer levels: the underside of a white
ball is far less bright than its lit side, but no cloth."""

_THETA = 2 * np.pi * np.arange(ANGLES) / ANGLES
DIRECTIONS = np.column_stack([np.cos(_THETA), np.sin(_THETA)])
INNER = (RADII > 0.5) & (RADII < 0.85)
DISC = RADII < 0.88
CORE = RADII < 0.5
OUTER = (RADII > 1.2) & (RADII < 1.5)
EDGE = (RADII > 0.7) & (RADII < 1.35)
FEW = 16
"""So few equations are solved faster one by one than all at once."""

MOST_SHIFT = 0.5
"""So many radii at most a centre is moved in one round."""


def _span(radii: NDArray[np.bool_]) -> slice:
    """A run of RADII as a slice: slices are views, masks are copies."""
    chosen = np.flatnonzero(radii)
    return slice(int(chosen[0]), int(chosen[-1]) + 1)


_EDGE, _INNER, _OUTER, _DISC, _CORE = (_span(part) for part in (EDGE, INNER, OUTER, DISC, CORE))
_EDGE_RADII = RADII[EDGE]
_AREA = RADII[DISC] / (RADII[DISC].sum() * ANGLES)
"""Share of the disc for which each sample of a ray stands."""
FITTED = slice(_INNER.start, _EDGE.stop + 1)
"""What the rounds of a fit look at: the disc's outer part and the edge with its neighbours."""

ONE_MAP: Any = None
"""Says that `cv2.remap` gets both coordinates as pairs in its first map."""

_GAINS = np.array(GAINS, np.float32)
_GAIN_SQUARES = np.array([*(gain**2 for gain in GAINS), 0.0], np.float32)
_RAYS = (DIRECTIONS[:, 0, None] + 1j * DIRECTIONS[:, 1, None]) * RADII
"""(ANGLES, r) u + iv: complex numbers become the pairs that OpenCV takes at no cost."""

_WHOLE_RAYS, _FITTED_RAYS, EDGE_RAYS = (
    np.ascontiguousarray(_RAYS[:, part].T) for part in (slice(None), FITTED, slice(0, FITTED.stop))
)
"""(r, ANGLES): what is done radius by radius then goes over many neighbours in memory."""

_SHADOW_RAYS = np.ascontiguousarray(_RAYS[:, _INNER.start : _OUTER.stop])
_DESIGN = np.column_stack([DIRECTIONS, np.ones(ANGLES)])
_TURNED = np.ascontiguousarray(_DESIGN.T)
_UPPER = np.triu_indices(3)
_SQUARES = _DESIGN[:, _UPPER[0]] * _DESIGN[:, _UPPER[1]]
_STIFFNESS = np.array([0.5, 0.0, 0.0, 0.5, 0.0, 12.0])
"""The upper triangle of a diagonal matrix, as `_SQUARES` has it."""

_NEAR = np.clip(np.arange(len(_EDGE_RADII))[:, None] + np.arange(-2, 3), 0, len(_EDGE_RADII) - 1)
_AROUND = np.stack([(k == _NEAR).sum(axis=1) for k in range(len(_EDGE_RADII))]).astype(np.float64)
"""How often each radius counts in the mean about the best one (column); the last ones also stand for those beyond."""

_SUMMED = np.stack([_EDGE_RADII, np.ones(len(_EDGE_RADII))])


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlines:
    """n fitted outlines. centre: (n, 2) working px. size: (n,) fitted radius over the expected one.

    fill: (n,) mean foreground of the disc, core: (n,) of its middle. support: (n, ANGLES) strength 0 to 1 of an edge
    on the outline. open: (n, ANGLES) whether cloth lies outside. bare: (n, ANGLES) whether cloth lies inside.
    contrast: (n,) distance of the disc from the cloth, in levels.
    """

    centre: Array
    radius: Array
    size: Array
    fill: Array
    core: Array
    support: Array
    open: NDArray[np.bool_]
    bare: NDArray[np.bool_]
    contrast: Array

    def __len__(self) -> int:
        return len(self.centre)

    def take(self, index: NDArray[Any]) -> "Outlines":
        return Outlines(
            centre=self.centre[index],
            radius=self.radius[index],
            size=self.size[index],
            fill=self.fill[index],
            core=self.core[index],
            support=self.support[index],
            open=self.open[index],
            bare=self.bare[index],
            contrast=self.contrast[index],
        )


def polar(plane: Plane, centre: Array, radius: Array) -> NDArray[np.float32]:
    """(n, ANGLES, len(RADII)) samples of a plane on rays from each centre, at RADII times each radius."""
    if len(centre) == 0:
        return np.empty((0, ANGLES, len(RADII)), np.float32)
    reach = radius[:, None, None] * RADII[None, None, :]
    u = centre[:, 0, None, None] + reach * DIRECTIONS[None, :, 0, None]
    v = centre[:, 1, None, None] + reach * DIRECTIONS[None, :, 1, None]
    flat = (len(centre), ANGLES * len(RADII))
    samples = cv2.remap(
        plane,
        u.reshape(flat).astype(np.float32),
        v.reshape(flat).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(samples.reshape(u.shape), dtype=np.float32)


def _strong_edges(
    planes: tuple[Plane, Plane, Plane], floor: float, near: NDArray[np.uint8]
) -> tuple[NDArray[np.intp], Plane, Plane, Plane]:
    """Flat indices (n,) of places ``near`` where a plane changes by more than ``floor`` levels a px, how much the one
    does that changes most, and its gradient."""
    rows, columns = near.shape
    found = []
    high = max(1, STRIP // columns)
    for top in range(0, rows, high):
        low, bottom = max(top - 1, 0), min(top + high, rows)
        part, own = slice(low, min(bottom + 1, rows)), slice(top - low, bottom - low)
        edges = []
        for plane, gain in zip(planes, GAINS, strict=True):
            gu, gv = (cv2.Scharr(plane[part], cv2.CV_32F, 1 - axis, axis, scale=gain / 32)[own] for axis in (0, 1))
            edges.append((cv2.magnitude(gu, gv), gu, gv))
        most = cv2.max(cv2.max(edges[0][0], edges[1][0]), edges[2][0])
        strong = np.flatnonzero((most > floor) & (near[top:bottom] > 0))
        best = [values.ravel()[strong] for values in edges[0]]
        for other in edges[1:]:
            size = other[0].ravel()[strong]
            stronger = np.flatnonzero(size > best[0])
            for mine, values in zip(best, other, strict=True):
                mine[stronger] = values.ravel()[strong[stronger]]
        found.append((strong + top * columns, *best))
    index = np.asarray(np.concatenate([part[0] for part in found]), np.intp)
    size, gu, gv = (np.asarray(np.concatenate([part[k] for part in found]), np.float32) for k in (1, 2, 3))
    return index, size, gu, gv


def radial_votes(planes: tuple[Plane, Plane, Plane], radius: Plane, floor: float, allowed: NDArray[np.bool_]) -> Plane:
    """(h, w) share of a ball's outline that points at each pixel: edges vote a radius ahead and behind themselves.

    floor: weakest gradient per px (in levels) that votes; a vote's weight saturates at four times that. allowed: (h, w)
    where votes are wanted.
    """
    rows, columns = radius.shape
    margin = int(np.ceil(radius.max())) + 1
    near = cv2.dilate(allowed.astype(np.uint8), np.ones((2 * margin + 1, 2 * margin + 1), np.uint8))
    strong, size, gu, gv = _strong_edges(planes, floor, np.asarray(near, np.uint8))
    v, u = np.divmod(strong, columns)
    weight = np.minimum(size / np.float32(4 * floor), 1).astype(np.float64)
    reach = radius.ravel()[strong] / size
    du, dv = gu * reach, gv * reach
    # votes beyond the edges fall into a margin, which is cut off
    wide = columns + 2 * margin
    places = [
        (np.rint(sign * dv).astype(np.intp) + v + margin) * wide + (np.rint(sign * du).astype(np.intp) + u + margin)
        for sign in (np.float32(1), np.float32(-1))
    ]
    votes = np.bincount(np.concatenate(places), np.tile(weight, 2), (rows + 2 * margin) * wide)
    inside = votes.reshape(-1, wide)[margin : margin + rows, margin : margin + columns].astype(np.float32)
    blurred = cv2.GaussianBlur(inside, (0, 0), 1.3)
    # an ideal outline is two to three px thick: about 2.5 × 2πr votes spread over a spot of 2π·1.3² px
    return np.asarray(blurred * (2 * np.pi * 1.3**2) / (2.5 * 2 * np.pi * radius), dtype=np.float32)


def disc_response(mask: Plane, radius: Plane) -> Plane:
    """(h, w) mean of the mask in a ball's disc less that in the ring around it, by the disc size of each place."""
    low, high = float(radius.min()), float(radius.max())
    levels = np.linspace(low, high, max(2, int(np.ceil((high - low) / 1.0)) + 1))
    result = np.zeros_like(mask)
    for below, above in pairwise(levels):
        size = 0.5 * (below + above)
        span = int(np.ceil(1.45 * size))
        grid = np.hypot(*np.meshgrid(np.arange(-span, span + 1), np.arange(-span, span + 1)))
        disc = np.clip(0.9 * size + 0.5 - grid, 0, 1)
        ring = np.clip(1.45 * size + 0.5 - grid, 0, 1) - np.clip(1.15 * size + 0.5 - grid, 0, 1)
        kernel = disc / disc.sum() - 0.7 * ring / ring.sum()
        here = (radius >= below) & (radius <= above)
        rows = np.flatnonzero(here.any(axis=1))
        columns = np.flatnonzero(here.any(axis=0))
        part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        np.copyto(result[part], _filtered(mask, kernel.astype(np.float32), part), where=here[part])
    return result


def _filtered(mask: Plane, kernel: Plane, part: tuple[slice, slice]) -> Plane:
    """filter2D of one part of the mask, with its surroundings taken into account."""
    pad = kernel.shape[0] // 2
    rows, columns = part
    top, left = max(0, rows.start - pad), max(0, columns.start - pad)
    wide = mask[top : rows.stop + pad, left : columns.stop + pad]
    filtered = cv2.filter2D(wide, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE)
    down, right = rows.start - top, columns.start - left
    return np.asarray(
        filtered[down : down + rows.stop - rows.start, right : right + columns.stop - columns.start], dtype=np.float32
    )


def peaks(response: Plane, floor: float, window: int) -> Array:
    """(n, 2) places (u, v) of the local maxima above ``floor``, no two within ``window`` // 2 px."""
    top = cv2.dilate(response, np.ones((window, window), np.uint8))
    v, u = np.nonzero((response >= top) & (response > floor))
    return np.column_stack([u, v]).astype(np.float64)


def fit_outlines(
    planes: tuple[Plane, Plane, Plane], away: Plane, centre: Array, radius: Array, rounds: int = FIT_ROUNDS
) -> Outlines:
    """Fit a circle of nearly known radius to the strongest colour edge on each ray (Tukey's biweight).

    away: distance from the cloth's colour in levels. An edge counts by its step over 0.2 radius against the whole
    contrast between the disc and the cloth.
    """
    centre = centre.reshape(-1, 2)
    if len(centre) == 0:
        return _no_outlines()
    stack, origin = _stacked(planes, away, centre, radius, rounds)
    sources = [stack]
    centre, size = fitted(sources, centre - origin, radius, rounds)
    samples = sampled_on(sources, centre, radius, _WHOLE_RAYS)
    offset, trust, contrast = edges(samples, 0, size, 0.15)
    matte = matte_of(samples, contrast)
    inner, outer = matte[..., _INNER].mean(axis=2), matte[..., _OUTER].min(axis=2)
    return Outlines(
        centre=centre + origin,
        radius=radius,
        size=size,
        fill=fill_of(matte),
        core=matte[..., _CORE].mean(axis=(1, 2)),
        support=support_of(offset, trust),
        open=(outer < np.minimum(np.maximum(OPEN_LEVELS / contrast, 0.35), 0.6)[:, None]) & (inner > 0.5),
        bare=inner < np.minimum(BARE, BARE_LEVELS / contrast)[:, None],
        contrast=contrast,
    )


def _no_outlines() -> Outlines:
    none, no_rays = np.empty(0), np.empty((0, ANGLES))
    flags = np.empty((0, ANGLES), dtype=bool)
    return Outlines(
        centre=np.empty((0, 2)),
        radius=none,
        size=none,
        fill=none,
        core=none,
        support=no_rays,
        open=flags,
        bare=flags,
        contrast=none,
    )


def reach_of(radius: Any, rounds: int) -> Any:
    """How far from where it starts a fit may look, in px."""
    return (RADII[-1] + MOST_SHIFT * rounds) * radius + 2


def _stacked(
    planes: tuple[Plane, Plane, Plane], away: Plane, centre: Array, radius: Array, rounds: int
) -> tuple[NDArray[np.float32], Array]:
    """The planes and ``away`` as channels (h, w, 4) of the part that the rays may reach, and where it begins."""
    reach = reach_of(radius[:, None], rounds)
    rows, columns = away.shape
    left, top = (int(least) for least in (centre - reach).min(axis=0))
    right, bottom = (int(most) + 2 for most in (centre + reach).max(axis=0))
    left, top = min(max(left, 0), columns - 1), min(max(top, 0), rows - 1)
    right, bottom = min(max(right, left + 1), columns), min(max(bottom, top + 1), rows)
    part = (slice(top, bottom), slice(left, right))
    stack = cv2.merge([plane[part] for plane in (*planes, away)])
    return np.asarray(stack, np.float32), np.array([left, top], dtype=np.float64)


def sampled_on(
    sources: Sequence[NDArray[np.float32]], centre: Array, radius: Array, rays: NDArray[np.complex128]
) -> NDArray[np.float32]:
    """(n, r, ANGLES, 4) samples of the channels (h, w, 4) on ``rays`` (r, ANGLES), or the other way round, from each
    centre.

    sources: one for all centres or one for each.
    """
    n = len(centre)
    at = radius[:, None] * rays.reshape(-1)
    at += centre[:, 0, None] + 1j * centre[:, 1, None]
    places = at.astype(np.complex64).view(np.float32).reshape(n, -1, 2)
    samples = np.empty((n, rays.size, 4), np.float32)
    step = n // len(sources)
    for i, source in enumerate(sources):
        own = slice(i * step, (i + 1) * step)
        cv2.remap(source, places[own], ONE_MAP, cv2.INTER_LINEAR, dst=samples[own], borderMode=cv2.BORDER_REPLICATE)
    return samples.reshape(n, *rays.shape, 4)


def fitted(sources: Sequence[NDArray[np.float32]], centre: Array, radius: Array, rounds: int) -> tuple[Array, Array]:
    """Centres (n, 2) and sizes (n,) after so many rounds from ``centre``."""
    size = np.ones(len(centre))
    for round_number in range(rounds):
        samples = sampled_on(sources, centre, radius, _FITTED_RAYS)
        spread = 0.22 if round_number < rounds // 2 else 0.15
        offset, trust, _ = edges(samples, FITTED.start, size, spread)
        solution = _shifted(offset, trust, size, 0.35 if round_number == 0 else 0.2)
        centre = centre + np.minimum(np.maximum(solution[:, :2], -MOST_SHIFT), MOST_SHIFT) * radius[:, None]
        size = np.minimum(np.maximum(size + solution[:, 2], 0.8), 1.25)
    return centre, size


def edges(samples: NDArray[np.float32], first: int, size: Array, spread: float) -> tuple[Array, Array, Array]:
    """Of each ray the strongest edge near the outline: how far outside it, and trust in it, both (n, ANGLES).

    Then the contrast (n,). samples: (n, r, ANGLES, 4), they begin at RADII[first].
    """
    low, high = _EDGE.start - first, _EDGE.stop - first
    begin = _INNER.start - first
    disc = np.add.reduce(samples[:, begin : _INNER.stop - first, :, 3], axis=1)
    disc.sort(axis=1)
    median = (disc[:, (ANGLES - 1) // 2] + disc[:, ANGLES // 2]) * np.float32(0.5 / (_INNER.stop - _INNER.start))
    contrast: Array = np.maximum(median, np.float32(LEAST_CONTRAST))
    whole = contrast[:, None, None]
    step = samples[:, low + 1 : high + 1] - samples[:, low - 1 : high - 1]
    step *= step
    part = (step.reshape(-1, 4) @ _GAIN_SQUARES).reshape(step.shape[:3])
    np.sqrt(part, out=part)
    np.minimum(part, whole, out=part)
    # a highlight's edge is stronger than the outline's, but there is no cloth beyond it
    matte = samples[:, low - 1 : high + 1, :, 3] / whole
    np.minimum(matte, np.float32(1), out=matte)
    drop = matte[:, :-2] - matte[:, 2:]
    drop *= np.float32(1.5)
    np.maximum(drop, np.float32(0), out=drop)
    np.minimum(drop, np.float32(0.75), out=drop)
    drop += np.float32(0.25)
    part *= drop
    prior = _EDGE_RADII - size[:, None]
    prior *= prior
    prior *= -0.5 / spread**2
    weighted = part * np.exp(prior)[..., None]
    best = weighted.argmax(axis=1)
    weighted *= weighted
    weighted *= _AROUND.take(best, axis=1).swapaxes(0, 1)
    summed = _SUMMED @ weighted
    where = summed[:, 0] / np.maximum(summed[:, 1], 1e-9)
    places = best * ANGLES
    places += np.arange(ANGLES)
    places += np.arange(0, part.size, part[0].size)[:, None]
    strength = part.reshape(-1).take(places)
    trust = np.minimum(strength / (FULL_STEP * contrast[:, None]), 1).astype(np.float64)
    trust *= strength >= EDGE_FLOOR
    offset = (where - size[:, None]) * (trust > 0)
    return offset, trust, contrast


def matte_of(samples: NDArray[np.float32], contrast: Array) -> NDArray[np.float32]:
    """(n, ANGLES, r) 0 on cloth to 1 on the disc. samples: as of `edges`."""
    matte = np.divide(samples[..., 3].swapaxes(1, 2), contrast[:, None, None], order="C")
    return np.minimum(matte, np.float32(1), out=matte)


def fill_of(matte: NDArray[np.float32]) -> Array:
    filled = matte[..., _DISC] * np.float32(2)
    np.minimum(filled, np.float32(1), out=filled)
    fill: Array = filled.sum(axis=1) @ _AREA
    return fill


def support_of(offset: Array, trust: Array) -> Array:
    support: Array = trust * np.exp(-0.5 * (offset / 0.1) ** 2)
    return support


def _shifted(offset: Array, trust: Array, size: Array, scale: float) -> Array:
    """(n, 3) the shift in radii and the growth that fit the edges best, edges far off left out."""
    solution = np.zeros((len(offset), 3))
    pull = 12.0 * (1.0 - size)
    residual = offset
    for again in range(3):
        if again:
            residual = offset - solution @ _TURNED
        robust = residual * residual
        robust *= -1 / scale**2
        robust += 1
        np.maximum(robust, 0, out=robust)
        robust *= robust
        robust *= trust
        normal = robust @ _SQUARES
        normal += _STIFFNESS
        robust *= offset
        right = robust @ _DESIGN
        right[:, 2] += pull
        if len(normal) < FEW:
            each = zip(normal.tolist(), right.tolist(), strict=True)
            solution = np.array([_solved(left, values) for left, values in each])
        else:
            solution = np.column_stack(_solved(normal.T, right.T))
    return solution


def _solved(upper: Any, right: Any) -> tuple[Any, Any, Any]:
    """The solution of three symmetric equations by Cramer's rule; a call of LAPACK takes longer.

    upper: 6 numbers or arrays (n,), the upper triangle. right: 3 numbers or arrays.
    """
    (a, b, c, d, e, f), (x, y, z) = upper, right
    ax, bx, cx, dx, ex, fx = d * f - e * e, c * e - b * f, b * e - c * d, a * f - c * c, b * c - a * e, a * d - b * b
    scale = 1 / (a * ax + b * bx + c * cx)
    return (
        (ax * x + bx * y + cx * z) * scale,
        (bx * x + dx * y + ex * z) * scale,
        (cx * x + ex * y + fx * z) * scale,
    )


def with_shadows(outlines: Outlines, planes: tuple[Plane, Plane, Plane], shade: NDArray[np.bool_]) -> Outlines:
    """The outlines, open also where a ball's own shadow lies outside: shaded cloth beyond what is none.

    The disc must differ from that shade as from the cloth: a dark band along a cushion differs from nothing beside it.
    """
    centre, radius = outlines.centre, outlines.radius
    if len(outlines) == 0:
        return outlines
    stack = cv2.merge([*planes, shade.astype(np.float32)])
    samples = sampled_on([np.asarray(stack, np.float32)], centre, radius, _SHADOW_RAYS)
    inner = samples[:, :, : _INNER.stop - _INNER.start].mean(axis=2)
    outer = samples[:, :, _OUTER.start - _INNER.start :].mean(axis=2)
    cast = (outer[..., 3] > 0.6) & (inner[..., 3] < 0.5)
    step = ((inner[..., :3] - outer[..., :3]) * _GAINS) ** 2
    cast &= np.sqrt(step.sum(axis=2)) > CAST_STEP * outlines.contrast[:, None]
    return replace(outlines, open=outlines.open | cast)


def share_inside(mask: NDArray[np.bool_], centre: Array, radius: Array) -> Array:
    """(n,) share of each disc's pixels where the mask is set."""
    samples = polar(mask.astype(np.float32), centre, radius)[..., _DISC]
    share: Array = (samples.sum(axis=1) @ _AREA).astype(np.float64)
    return share
