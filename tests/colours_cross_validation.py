"""Refits snooker's colours without one look of broadcast at a time and counts what is right on the look left out.

    python -m tests.colours_cross_validation STILLS CALIBRATIONS GROUPS.json

STILLS holds N.jpg with N.truth.json, CALIBRATIONS N.json of each, GROUPS.json says which pictures share a tournament's
look: {"a name": [1, 2], ...}. Only pictures whose counts are right with the colours as they stand lend their balls.
"""

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from calibration.result import Calibration
from vision import identity
from vision.balls import BALL_SETS
from vision.frames import read_picture
from vision.geometry import TableView, table_view
from vision.identity import ColourClass
from vision.looks import see
from vision.scene import Scene, identify_scene, take_apart

SNOOKER = BALL_SETS["snooker"]
LEAST_SIGMA = (0.15, 0.05, 0.05)
Rows = dict[str, list[tuple[float, float, float]]]


def is_right(scene: Scene, view: TableView, truth: dict[str, Any]) -> tuple[bool, bool]:
    """Whether the number of balls is right, and all colours are."""
    chosen = identify_scene(scene, view, SNOOKER).chosen
    found = Counter(SNOOKER.kinds[k] for k in chosen if k >= 0)
    number = found.total() == truth["count"]
    return number, number and all(found[kind] == n for kind, n in truth["counts"].items())


def balls_of(scene: Scene, view: TableView) -> Rows:
    """Features of each kind's balls that are wholly seen."""
    chosen = identify_scene(scene, view, SNOOKER).chosen
    v, u = np.round(scene.centre[:, 1]).astype(int), np.round(scene.centre[:, 0]).astype(int)
    luma = scene.cloth.luma[np.clip(v, 0, view.shape[0] - 1), np.clip(u, 0, view.shape[1] - 1)].astype(np.float64)
    looks = see(scene.planes, scene.centre, scene.radius, luma)
    rows: Rows = defaultdict(list)
    for i, k in enumerate(chosen):
        if k >= 0 and scene.visible[i] > 0.9:
            rows[SNOOKER.kinds[k]].append((looks.body[i, 0], looks.body[i, 1], looks.body[i, 2]))
    return rows


def refit(looks: list[Rows]) -> dict[str, ColourClass]:
    """Mean and scatter of each kind, every look counting alike."""
    result = {}
    for kind in SNOOKER.kinds:
        own = [np.array(rows[kind]) for rows in looks if rows.get(kind)]
        middles = np.array([np.median(values, axis=0) for values in own])
        within = np.mean([values.var(axis=0) for values in own], axis=0)
        sigma = np.maximum(np.sqrt(middles.var(axis=0, ddof=1) + within), LEAST_SIGMA)
        mean = middles.mean(axis=0)
        result[kind] = ColourClass(mean=(mean[0], mean[1], mean[2]), sigma=(sigma[0], sigma[1], sigma[2]))
    return result


def main(stills: Path, calibrations: Path, groups: dict[str, list[int]]) -> None:
    lent: dict[str, Rows] = {}
    for group, numbers in groups.items():
        lent[group] = defaultdict(list)
        for number in numbers:
            scene, view, truth = load(stills, calibrations, number)
            if is_right(scene, view, truth)[1]:
                for kind, rows in balls_of(scene, view).items():
                    lent[group][kind] += rows
    total = np.zeros(3, dtype=int)
    for group, numbers in groups.items():
        identity.SNOOKER_CLASSES.update(refit([rows for name, rows in lent.items() if name != group]))
        here = np.array([(*is_right(*load(stills, calibrations, number)), True) for number in numbers]).sum(axis=0)
        total += here
        print(f"{group}: number {here[0]}, colours {here[1]} of {here[2]}")
    print(f"all: number {total[0]}, colours {total[1]} of {total[2]}")


def load(stills: Path, calibrations: Path, number: int) -> tuple[Scene, TableView, dict[str, Any]]:
    calibration = Calibration.from_json(json.loads((calibrations / f"{number}.json").read_text()))
    view = table_view(calibration)
    truth: dict[str, Any] = json.loads((stills / f"{number}.truth.json").read_text())
    return take_apart(read_picture(stills / f"{number}.jpg"), view), view, truth


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), json.loads(Path(sys.argv[3]).read_text()))
