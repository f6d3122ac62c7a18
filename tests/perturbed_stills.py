"""Makes pictures darker, brighter, warmer, noisier … and counts in how many the balls are still right.

    python -m tests.perturbed_stills STILLS [--game snooker] [--only dark,warm] [--jobs 2]

STILLS holds pictures, each with NAME.truth.json that has ``count`` and ``counts``. Every changed picture goes the whole
way from calibration on; one that can't be calibrated counts as wrong. Prints a line for each kind of change.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.find import calibrate
from calibration.result import Calibration
from calibration.tables import DEFAULT_TABLE, TABLES
from vision.balls import BALL_SETS
from vision.frames import Pixels, read_picture
from vision.stills import detect_balls

GAINS_BGR = {"warm": (0.80, 1.0, 1.15), "cool": (1.15, 1.0, 0.82)}
SEED = 7


def _pixels(values: Any) -> Pixels:
    return np.clip(np.round(values), 0, 255).astype(np.uint8)


def _times(picture: Pixels, gain: float) -> Pixels:
    return _pixels(picture * gain)


def _gamma(picture: Pixels, exponent: float) -> Pixels:
    return _pixels(255.0 * (picture / 255.0) ** exponent)


def _cast(picture: Pixels, kind: str) -> Pixels:
    return _pixels(picture * np.array(GAINS_BGR[kind]))


def _flat(picture: Pixels) -> Pixels:
    return _pixels(110.0 + 0.7 * (picture - 110.0))


def _pale(picture: Pixels) -> Pixels:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None].astype(np.float64)
    return _pixels(grey + 0.65 * (picture - grey))


def _noisy(picture: Pixels) -> Pixels:
    return _pixels(picture + np.random.default_rng(SEED).normal(0.0, 10.0, picture.shape))


def _blurred(picture: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8)


def _compressed(picture: Pixels) -> Pixels:
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 25])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _vignetted(picture: Pixels) -> Pixels:
    rows, columns = picture.shape[:2]
    v, u = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    return _pixels(picture * (1.0 - 0.25 * (u**2 + v**2))[..., None])


CHANGES: dict[str, Callable[[Pixels], Pixels]] = {
    "dark": partial(_times, gain=0.6),
    "bright": partial(_times, gain=1.35),
    "gamma 0.7": partial(_gamma, exponent=0.7),
    "gamma 1.4": partial(_gamma, exponent=1.4),
    "warm": partial(_cast, kind="warm"),
    "cool": partial(_cast, kind="cool"),
    "flat": _flat,
    "pale": _pale,
    "noisy": _noisy,
    "blurred": _blurred,
    "compressed": _compressed,
    "vignetted": _vignetted,
}


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
