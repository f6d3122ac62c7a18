"""All balls of one picture, found without any other picture."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.result import Calibration
from vision.balls import BallSet
from vision.geometry import table_view
from vision.identity import names_of
from vision.scene import identify_scene, take_apart


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


def detect_balls(bgr: NDArray[Any], calibration: Calibration, ball_set: BallSet) -> list[Ball]:
    """All balls of the set in a picture (height, width, 3) uint8 BGR taken by the calibrated camera."""
    view = table_view(calibration)
    scene = take_apart(bgr, view)
    found = identify_scene(scene, view, ball_set)
    logp, chosen = found.logp, found.chosen
    kept = np.flatnonzero(chosen >= 0)
    names = names_of(chosen[kept], ball_set)
    uv = view.to_picture(scene.centre)
    balls = []
    for i, name in zip(kept, names, strict=True):
        odds = np.exp(logp[i] - logp[i].max())
        balls.append(
            Ball(
                kind=ball_set.kinds[chosen[i]],
                name=name,
                x=float(scene.xy_mm[i, 0]),
                y=float(scene.xy_mm[i, 1]),
                u=float(uv[i, 0]),
                v=float(uv[i, 1]),
                r=float(scene.radius[i] / view.scale),
                confidence=float(min(1.0, scene.score[i] / 0.8) * odds[chosen[i]] / odds.sum()),
                visible=float(scene.visible[i]),
            )
        )
    return balls
