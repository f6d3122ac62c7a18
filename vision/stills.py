"""All balls of one picture, found without any other picture."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.result import Calibration
from vision.balls import BallSet
from vision.geometry import TableView
from vision.identity import honest_kinds, names_of
from vision.scene import Identities, Scene, identify_scene
from vision.sizing import take_apart_at_size

# of finds that passed for balls, by their score: fitted to about 7000 finds in pictures made darker, brighter, blurred,
# noisy and compressed, and lowered for what was not seen yet
SCORE_MIDDLE, SCORE_SLOPE = 0.33, 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ball:
    """A ball in a picture.

    kind: of the set, ``red``, or of a pool ball of which no more can be told ``solid``, ``stripe`` or ``ball``. name:
    ``red-3``, ``solid-1``. x, y: mm of its centre, on the plane a radius above the cloth. u, v, r: centre and radius
    of its outline in px. confidence: 0 to 1, that it is a ball and of this kind. visible: share of its outline in the
    open.
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


def detect_balls(bgr: NDArray[Any], calibration: Calibration, ball_set: BallSet) -> list[Ball]:
    """All balls of the set in a picture (height, width, 3) uint8 BGR taken by the calibrated camera."""
    scene, view, _ = take_apart_at_size(bgr, calibration)
    return balls_of(scene, identify_scene(scene, view, ball_set), view, ball_set)


def balls_of(scene: Scene, found: Identities, view: TableView, ball_set: BallSet) -> list[Ball]:
    """The balls of a set among what was found in a picture."""
    kept = np.flatnonzero(found.chosen >= 0)
    naming = honest_kinds(found.chosen[kept], found.logp[kept], ball_set)
    names = names_of(naming.kinds, ball_set)
    is_ball = 1 / (1 + np.exp(-SCORE_SLOPE * (scene.score[kept] - SCORE_MIDDLE)))
    uv = view.to_picture(scene.centre)
    return [
        Ball(
            kind=naming.kinds[row],
            name=names[row],
            x=float(scene.xy_mm[i, 0]),
            y=float(scene.xy_mm[i, 1]),
            u=float(uv[i, 0]),
            v=float(uv[i, 1]),
            r=float(scene.radius[i] / view.scale),
            confidence=float(is_ball[row] * naming.probability[row]),
            visible=float(scene.visible[i]),
        )
        for row, i in enumerate(kept)
    ]
