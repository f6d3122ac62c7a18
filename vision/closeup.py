"""The close look at a video's frame, at full size: all of it at first, later the parts where something is unclear."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.result import Calibration
from vision.balls import BallSet
from vision.cloth import ClothModel, compare, fit_cloth
from vision.frames import Planes
from vision.geometry import Array, Box, Plane, TableView, table_view
from vision.identity import Palette
from vision.looks import Scale
from vision.places import fit_places
from vision.scene import Identities, Scene, analyse, identify_scene
from vision.stills import Ball, balls_of
from vision.template import Template

VIDEO_SCALE = Scale(luma_zero=16.0, luma_gain=255 / 219, chroma_zero=128.0, chroma_gain=255 / 224)
FULL_SCALE = Scale(chroma_zero=128.0)
SURROUNDINGS = 2.2
INSIDE = 0.3
"""A ball belongs to a box if its centre is no more than so many radii outside."""

LEAST_SIDE_PX = 8
FOLLOW_ROUNDS = 2
FOLLOW_REACH = 3.0


@dataclass(slots=True, kw_only=True)
class Find:
    """A ball that is not known to rest. centre: (2,) and radius in px of the small view. logp: (k,).

    axis: (2,) unit vector and length, in small px, of its blur. score: 0 to 1, how much its shape is
    that of a ball. age: for how many frames it has stood still.
    """

    centre: Array
    radius: float
    logp: Array
    visible: float
    axis: Array
    length: float
    score: float = 1.0
    age: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What the first look taught of this video."""

    cloth: ClothModel
    template: Template | None
    palette: Palette
    balls: list[Ball]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloth:
    """A whole frame's planes at full size, and the cloth fitted to them."""

    planes: tuple[Plane, Plane, Plane]
    model: ClothModel


def scale_of(planes: Planes) -> Scale:
    return FULL_SCALE if planes.full_range else VIDEO_SCALE


def sampled(planes: Planes, view: TableView) -> tuple[Plane, Plane, Plane]:
    """Luma and the two colour differences about 0 of a view's part of a frame, as `split` gives them of a picture."""
    scale = scale_of(planes)
    size = view.calibration.camera.size
    levels = [
        cv2.LUT(view.sample(plane, size), ((np.arange(256) - zero) * gain).astype(np.float32))
        for plane, zero, gain in (
            (planes.luma, scale.luma_zero, scale.luma_gain),
            (planes.cr, scale.chroma_zero, scale.chroma_gain),
            (planes.cb, scale.chroma_zero, scale.chroma_gain),
        )
    ]
    luma, cr, cb = (np.asarray(plane, dtype=np.float32) for plane in levels)
    return luma, cr, cb


class Closeup:
    """Takes frames apart at full size. Coordinates given and taken are those of the small view."""

    def __init__(self, calibration: Calibration, ball_set: BallSet, small: TableView) -> None:
        self.ball_set = ball_set
        self.full = table_view(calibration)
        self._small = small
        self.towards = small.towards_camera()
        self._learned: Learned | None = None

    @property
    def learned(self) -> Learned:
        if self._learned is None:
            raise RuntimeError("nothing is learned before the first look")
        return self._learned

    def cloth_of(self, planes: Planes) -> Cloth:
        """What a whole frame shows, taken for a table's cloth."""
        working = sampled(planes, self.full)
        return Cloth(planes=working, model=fit_cloth(working, self.full))

    def first_look(self, cloth: Cloth) -> list[Find]:
        """All balls of a whole frame; light and colours are learned from it."""
        scene = analyse(cloth.planes, cloth.model, self.full, None)
        found = identify_scene(scene, self.full, self.ball_set)
        self._learned = Learned(
            cloth=scene.cloth,
            template=scene.template,
            palette=found.palette,
            balls=balls_of(scene, found, self.full, self.ball_set),
        )
        return self._finds(scene, found, self.full)

    def look_into(self, planes: Planes, about: Box, radius: float) -> list[Find]:
        """All balls in a box of the small view. radius: of a ball there, in small px."""
        learned = self.learned
        bounds = np.array([about[:2], about[2:]], dtype=np.float64)
        low, high = bounds + np.array([[-INSIDE], [INSIDE]]) * radius
        corners = self.full.to_working(self._small.to_picture(np.stack([*(bounds - 0.5), low, high])))
        pad = SURROUNDINGS * radius * self.full.scale / self._small.scale
        rows, columns = self.full.shape
        box = (
            max(0, int(corners[0, 0] - pad)),
            max(0, int(corners[0, 1] - pad)),
            min(columns, int(corners[1, 0] + pad) + 1),
            min(rows, int(corners[1, 1] + pad) + 1),
        )
        if box[2] - box[0] < LEAST_SIDE_PX or box[3] - box[1] < LEAST_SIDE_PX:
            return []
        part = self.full.part(box)
        own = corners[2:] - box[:2]
        scene = analyse(sampled(planes, part), learned.cloth.part(box), part, learned.template, own)
        if not len(scene.centre):
            return []
        finds = self._finds(scene, identify_scene(scene, part, self.ball_set, learned.palette), part)
        return [find for find in finds if (find.centre >= low).all() and (find.centre <= high).all()]

    def follow(self, planes: Planes, finds: list[Find], shift: Array) -> tuple[Array, Array, Array]:
        """Where the outlines of known balls are that moved by about ``shift`` (2,) small px since they were found.

        Centres (n, 2) in small px, the mean support (n,) of each outline, and the disc's contrast (n,) with the cloth.
        """
        learned, ratio = self.learned, self.full.scale / self._small.scale
        start = self.full.to_working(self._small.to_picture(np.array([find.centre for find in finds]) + shift))
        radius = np.array([find.radius for find in finds]) * ratio
        reach = FOLLOW_REACH * float(radius.max())
        rows, columns = self.full.shape
        left, top = np.clip((start.min(axis=0) - reach).astype(int), 0, (columns - LEAST_SIDE_PX, rows - LEAST_SIDE_PX))
        least = (left + LEAST_SIDE_PX, top + LEAST_SIDE_PX)
        right, bottom = np.clip((start.max(axis=0) + reach).astype(int), least, (columns, rows))
        box = (int(left), int(top), int(right), int(bottom))
        part = self.full.part(box)
        cut = sampled(planes, part)
        away2 = compare(cut, learned.cloth.part(box)).distance2()
        fitted = fit_places(cut, away2, start - box[:2], radius, rounds=FOLLOW_ROUNDS)
        centres = self._small.to_working(part.to_picture(fitted.centre))
        return centres, fitted.support, fitted.contrast

    def _finds(self, scene: Scene, found: Identities, view: TableView) -> list[Find]:
        kept: NDArray[np.intp] = np.flatnonzero(found.chosen >= 0)
        centres = self._small.to_working(view.to_picture(scene.centre))
        ratio = self._small.scale / view.scale
        return [
            Find(
                centre=centres[i],
                radius=float(scene.radius[i] * ratio),
                logp=found.logp[i],
                visible=float(scene.visible[i]),
                axis=np.zeros(2),
                length=0.0,
                score=float(scene.score[i]),
            )
            for i in kept
        ]
