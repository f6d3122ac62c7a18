"""Where a few balls are whose places are known about: their outlines fitted without what else one could ask of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array, Plane
from vision.outline import (
    ANGLES,
    EDGE_RAYS,
    FIT_ROUNDS,
    edges,
    fill_of,
    fitted,
    matte_of,
    reach_of,
    sampled_on,
    support_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """n fitted outlines, as far as their places go. centre: (n, 2). support: (n,) mean of `Outlines.support`.

    fill, contrast: (n,) as of `Outlines`.
    """

    centre: Array
    support: Array
    fill: Array
    contrast: Array


def fit_places(
    planes: Sequence[NDArray[Any]], away2: Plane, centre: Array, radius: Array, rounds: int = FIT_ROUNDS
) -> Places:
    """As `fit_outlines` where only the places of a few balls, n > 0, are wanted.

    planes: luma, cr and cb as they are, uint8 or float32. away2: squared distance from the cloth's colour.
    """
    sources = []
    origin = np.empty((len(centre), 2))
    rows, columns = away2.shape
    for i, ((u, v), r) in enumerate(zip(centre.tolist(), radius.tolist(), strict=True)):
        reach = reach_of(r, rounds)
        left, top = min(max(int(u - reach), 0), columns - 1), min(max(int(v - reach), 0), rows - 1)
        part = (slice(top, int(v + reach) + 2), slice(left, int(u + reach) + 2))
        near = away2[part]
        stack = np.empty((*near.shape, 4), np.float32)
        for k, plane in enumerate(planes):
            stack[..., k] = plane[part]
        np.sqrt(near, out=stack[..., 3])
        sources.append(stack)
        origin[i] = left, top
    centre, size = fitted(sources, centre - origin, radius, rounds)
    samples = sampled_on(sources, centre, radius, EDGE_RAYS)
    offset, trust, contrast = edges(samples, 0, size, 0.15)
    return Places(
        centre=centre + origin,
        support=support_of(offset, trust).sum(axis=1) / ANGLES,
        fill=fill_of(matte_of(samples, contrast)),
        contrast=contrast,
    )
