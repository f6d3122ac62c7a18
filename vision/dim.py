"""Dark balls that run fast: their blur darkens the cloth without hiding it, just as a shadow does.

Shade is no sign of a ball, so such a blur is looked for only where a dark ball has just vanished, and taken for it only
if it lies by itself, is as wide as a ball, and points back to where the ball was.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blobs import Blob, BlobKind, sort_blobs
from vision.closeup import Find
from vision.geometry import Array, Mask, TableView
from vision.glance import BareTable, Glance

DARK_KINDS = ("black", "8")
DIM_SHADE = 0.87
PATIENCE = 8
ASIDE, FREE = 2.0, 1.8
MOST_WAY, NEARBY, CLEAR = 3.0, 3.0, 0.5
EVIDENCE = 0.3
"""A blur says little of which ball it is: so much of what was known of the ball that vanished."""


@dataclass(slots=True, kw_only=True)
class _Lost:
    """A dark ball that is looked for. centre: (2,) where it was last; step: (2,) px a picture, if known."""

    centre: Array
    radius: float
    logp: Array
    step: Array | None = None
    missed: int = 0


class DimSeeker:
    """Looks for the blur of a dark ball from the picture on in which it left its place."""

    def __init__(self, view: TableView, kinds: tuple[str, ...], region: NDArray[np.uint8], rim: Mask) -> None:
        self._radius_px, self._region, self._rim = view.radius_px, region, rim
        self._dark = [k for k, kind in enumerate(kinds) if kind in DARK_KINDS]
        self._lost: list[_Lost] = []

    def clear(self) -> None:
        self._lost = []

    def is_dark(self, logp: Array) -> bool:
        return int(logp.argmax()) in self._dark

    def lose(self, centre: Array, radius: float, logp: Array) -> None:
        """A ball at rest has left its place (2,) small px."""
        if self.is_dark(logp):
            self._lost.append(_Lost(centre=centre, radius=radius, logp=logp))

    def seek(self, glance: Glance, bare: BareTable, finds: list[Find], rest: Array) -> list[Find]:
        """The blurs of balls that are looked for. finds: what else moves; rest: (n, 2) balls at rest."""
        if any(self.is_dark(find.logp) for find in finds):
            self._lost = []
        if not self._lost:
            return []
        shade = bare.shade(glance)
        mask = ((shade < DIM_SHADE) & (self._region > 0)).astype(np.uint8)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        depth = np.square(np.maximum(1 - shade, 0)).astype(np.float32)
        blurs = [
            blob
            for blob in sort_blobs(mask, depth, self._radius_px, self._rim, (0, 0))
            if blob.kind is BlobKind.BALL or blob.streak
        ]
        places = np.concatenate([rest, np.array([find.centre for find in finds]).reshape(-1, 2)])
        blurs = [blob for blob in blurs if _alone(blob, places)]
        found = []
        for lost in self._lost:
            fitting = [blob for blob in blurs if _fits(blob, lost)]
            if not fitting:
                lost.missed += 1
                continue
            blob = min(fitting, key=lambda each: _gap(each, lost))
            blurs = [each for each in blurs if each is not blob]
            lost.step = (blob.centre - lost.centre) / (1 + lost.missed)
            lost.centre, lost.missed = blob.centre, 0
            found.append(
                Find(
                    centre=blob.centre,
                    radius=blob.radius,
                    logp=EVIDENCE * (lost.logp - lost.logp.max()),
                    visible=1.0,
                    axis=blob.axis,
                    length=blob.length,
                )
            )
        self._lost = [lost for lost in self._lost if lost.missed <= PATIENCE]
        return found


def _alone(blob: Blob, places: Array) -> bool:
    """Whether no ball is beside a blur: what is dark there is its shadow."""
    if not len(places):
        return True
    offset = places - blob.centre
    along = np.clip(offset @ blob.axis, -blob.length / 2, blob.length / 2)
    gaps = np.linalg.norm(offset - along[:, None] * blob.axis, axis=1)
    return bool((gaps > FREE * blob.radius).all())


def _gap(blob: Blob, lost: _Lost) -> float:
    expected = lost.centre if lost.step is None else lost.centre + (1 + lost.missed) * lost.step
    return float(np.linalg.norm(blob.centre - expected))


def _fits(blob: Blob, lost: _Lost) -> bool:
    """Whether a blur can be the lost ball's: it points back to where the ball was, and goes on the way it took."""
    offset = blob.centre - lost.centre
    distance = float(np.linalg.norm(offset))
    if lost.step is None and distance < blob.length / 2 + CLEAR * lost.radius:
        # it set off while the shutter was open: where it is by now can't be told
        return False
    if lost.step is not None and distance < NEARBY * lost.radius:
        return True
    beside = abs(float(offset[0] * blob.axis[1] - offset[1] * blob.axis[0]))
    ahead = lost.step is None or float(offset @ lost.step) > 0
    return ahead and beside < ASIDE * lost.radius and distance < (1 + lost.missed) * MOST_WAY * blob.length
