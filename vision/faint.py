"""Balls that hardly differ from the cloth, a green one on green: looked for more closely while they are missing.

What differs little is mostly light, shade and noise. So this is done for balls only that the first picture showed to
be so, and a find counts only where it has a ball's sharp outline and looks like one of those that are missing.
"""

from collections.abc import Callable, Collection

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.balls import BallSet
from vision.blobs import Blob, BlobKind, sort_blobs
from vision.closeup import Find
from vision.geometry import Array, Box, Mask, Plane, TableView
from vision.glance import BareTable, Glance
from vision.resting import RestingBall

FAINT_SHARE, INNER = 0.9, 0.8
"""A ball is faint if less of its inner disc than this differs from the cloth as much as others do: what does isn't
round.
"""

CLOSER = 0.55
"""So much of the usual difference is enough for what is looked for closely."""

CLEARED, APART = 1.5, 1.2
"""Radii about known balls that are left out, and about what covers the table."""

THIN = 0.45
"""What is thinner than about so many radii on each side is no ball."""

LEAST_LEAD = 1.0
"""Nats by which a find must look more like a faint ball than like any other one."""

Singles = Callable[[Glance, list[Blob], BareTable, Plane, Box], list[Find]]


class FaintSeeker:
    """Looks for the faint balls that are missing. singles: reads blobs as one ball each, by sharp outlines only."""

    def __init__(
        self, view: TableView, ball_set: BallSet, region: NDArray[np.uint8], rim: Mask, singles: Singles
    ) -> None:
        self._view, self._region, self._rim, self._singles = view, region, rim, singles
        self._single = [ball_set.counts[kind] == 1 for kind in ball_set.kinds]
        self._faint: frozenset[int] = frozenset()
        rows, columns = view.shape
        self._whole: Box = (0, 0, columns, rows)
        width = 2 * int(THIN * float(np.median(view.radius_px[view.bed]))) + 1
        self._kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))

    def know(self, glance: Glance, bare: BareTable, finds: list[Find]) -> None:
        """Learns from the first picture's balls which are faint."""
        away = bare.away(glance, self._whole)
        rows, columns = away.shape
        faint = set()
        for find in finds:
            kind = int(find.logp.argmax())
            reach = int(np.ceil(find.radius))
            u, v = round(float(find.centre[0])), round(float(find.centre[1]))
            if not (reach <= u < columns - reach and reach <= v < rows - reach) or not self._single[kind]:
                continue
            part = away[v - reach : v + reach + 1, u - reach : u + reach + 1]
            grid_v, grid_u = np.mgrid[v - reach : v + reach + 1, u - reach : u + reach + 1]
            inner = np.hypot(grid_u - find.centre[0], grid_v - find.centre[1]) < INNER * find.radius
            if np.mean(part[inner] > bare.limit**2) < FAINT_SHARE:
                faint.add(kind)
        self._faint = frozenset(faint)

    def seek(
        self, glance: Glance, bare: BareTable, finds: list[Find], resting: list[RestingBall], covers: list[Blob]
    ) -> list[Find]:
        """The faint balls that are neither at rest nor among what was found. covers: what hides the table."""
        seen = [*(find.logp for find in finds), *(ball.logp for ball in resting)]
        missing = self._faint - {int(logp.argmax()) for logp in seen}
        if not missing:
            return []
        away = bare.away(glance, self._whole)
        mask = (away > (CLOSER * bare.limit) ** 2).view(np.uint8) & (self._region > 0)
        mask = np.ascontiguousarray(mask, np.uint8)
        known = [(ball.centre, CLEARED * ball.radius) for ball in resting]
        known += [(find.centre, CLEARED * find.radius + find.length / 2) for find in finds]
        for (u, v), reach in known:
            cv2.circle(mask, (round(float(u)), round(float(v))), round(reach), 0, -1)
        for blob in covers:
            pad = round(APART * blob.radius)
            u0, v0, u1, v1 = blob.box
            mask[max(v0 - pad, 0) : v1 + pad, max(u0 - pad, 0) : u1 + pad] = 0
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
        # a marking that the memory of the bare table lacks is thinner than a ball
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, self._kernel), np.uint8)
        blobs = sort_blobs(mask, away, self._view.radius_px, self._rim, (0, 0))
        likely = [blob for blob in blobs if blob.kind is BlobKind.BALL or blob.size_of_ball]
        best: dict[int, tuple[float, Find]] = {}
        for find in self._singles(glance, likely, bare, away, self._whole):
            kind = int(find.logp.argmax())
            lead = float(find.logp[kind] - _best_other(find.logp, missing))
            if kind in missing and lead > LEAST_LEAD and (kind not in best or lead > best[kind][0]):
                best[kind] = (lead, find)
        return [find for _, find in best.values()]


def _best_other(logp: Array, missing: Collection[int]) -> float:
    """The highest log probability among the kinds that aren't looked for."""
    others = [value for kind, value in enumerate(logp.tolist()) if kind not in missing]
    return max(others, default=-np.inf)
