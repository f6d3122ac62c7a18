"""Makes pictures darker, brighter, warmer, noisier … and counts in how many the balls are still right.

    python -m tests.perturbed_stills STILLS [--game snooker] [--only dark,warm] [--jobs 2]

STILLS holds pictures, each with NAME.truth.json that has ``count`` and ``counts``. Every changed picture goes the whole
way from calibration on; one that can't be calibrated counts as wrong. Prints a line for each kind of change.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from calibration.find import calibrate
from calibration.result import Calibration
from calibration.tables import DEFAULT_TABLE, TABLES
from tests.changed_pictures import CHANGES
from vision.balls import BALL_SETS
from vision.frames import read_picture
from vision.stills import detect_balls


def judge(path: Path, game: str, kinds: Iterable[str]) -> dict[str, tuple[int, int]]:
    """For each kind of change 1 or 0: is the number of balls right, are all colours."""
    cv2.setNumThreads(1)
    truth = json.loads(path.with_suffix(".truth.json").read_text())
    wanted = {kind: n for kind, n in truth["counts"].items() if n}
    result = {}
    for kind in kinds:
        changed = CHANGES[kind](read_picture(path))
        calibration = calibrate([changed], TABLES[DEFAULT_TABLE[game]])
        found: Counter[str] = Counter()
        if isinstance(calibration, Calibration):
            found.update(ball.kind for ball in detect_balls(changed, calibration, BALL_SETS[game]))
        number = found.total() == truth["count"]
        result[kind] = (int(number), int(number and found == wanted))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stills", type=Path)
    parser.add_argument("--game", default="snooker", choices=sorted(BALL_SETS))
    parser.add_argument("--only", help="names of changes, with commas between")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    kinds = arguments.only.split(",") if arguments.only else list(CHANGES)
    paths = sorted(
        path
        for path in arguments.stills.iterdir()
        if path.suffix != ".json" and path.with_suffix(".truth.json").exists()
    )
    with ProcessPoolExecutor(arguments.jobs) as pool:
        judged = list(pool.map(partial(judge, game=arguments.game, kinds=kinds), paths))
    for kind in kinds:
        number, colours = np.sum([each[kind] for each in judged], axis=0)
        print(f"{kind}: number {number}, colours {colours} of {len(judged)}")
    number, colours = np.sum([each[kind] for each in judged for kind in kinds], axis=0)
    print(f"all: number {number}, colours {colours} of {len(judged) * len(kinds)}")


if __name__ == "__main__":
    main()
