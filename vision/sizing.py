"""Which of a table's documented sizes a picture shows: told by the balls.

Pool tables of 7, 8 and 9 feet have the same proportions and the same balls, so their markings look alike; only beside
a ball does one see which it is.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.result import Calibration
from calibration.tables import TABLES
from vision.geometry import TableView, table_view
from vision.scene import Scene, take_apart

SAME_PROPORTIONS = 0.02
WORTH_FLOOR = 0.4
CLEARLY_MORE = 2.0


def possible_sizes(calibration: Calibration) -> list[float]:
    """By which factors balls may look larger than on the calibration's table, were it another documented one."""
    mine = calibration.table
    if mine.name not in TABLES:
        return []
    return [
        (mine.length_mm / other.length_mm) * (other.ball_diameter_mm / mine.ball_diameter_mm)
        for other in TABLES.values()
        if other.family == mine.family
        and other.name != mine.name
        and abs(other.length_mm / other.width_mm * mine.width_mm / mine.length_mm - 1) < SAME_PROPORTIONS
    ]


def scaled_balls(calibration: Calibration, factor: float) -> Calibration:
    """The calibration with balls larger by a factor, which stand for a table smaller by it."""
    diameter = factor * calibration.table.ball_diameter_mm
    return replace(calibration, table=replace(calibration.table, ball_diameter_mm=diameter))


def _worth(scene: Scene) -> float:
    return float(np.clip(scene.score - WORTH_FLOOR, 0.0, None).sum())


def take_apart_at_size(bgr: NDArray[Any], calibration: Calibration) -> tuple[Scene, TableView, float]:
    """The scene, its view, and the factor by which balls are larger than documented: where a picture makes most sense.

    Another size than the documented one has to make clearly more sense of it.
    """
    view = table_view(calibration)
    best = (take_apart(bgr, view), view, 1.0)
    most = CLEARLY_MORE * _worth(best[0])
    for factor in possible_sizes(calibration):
        other = table_view(scaled_balls(calibration, factor))
        scene = take_apart(bgr, other)
        if _worth(scene) > most:
            best, most = (scene, other, factor), _worth(scene)
    return best
