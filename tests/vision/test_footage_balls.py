"""Real pictures and clips, by their truth."""

import json
import os
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from calibration.find import calibrate
from calibration.result import Calibration
from calibration.tables import TABLES, TableSpec, measured_table
from vision.balls import BALL_SETS, group_of
from vision.frames import read_picture, sampled_frames, video_frames
from vision.observer import Observer
from vision.stills import Ball, detect_balls

FOOTAGE = Path(os.environ.get("CUEREF_FOOTAGE", Path(__file__).parents[3] / "shared" / "footage"))
pytestmark = [
    pytest.mark.footage,
    pytest.mark.skipif(not FOOTAGE.is_dir(), reason=f"no development footage at {FOOTAGE}; CUEREF_FOOTAGE says where"),
]
SNOOKER, POOL = TABLES["snooker-12ft"], TABLES["pool-9ft"]
CLUB = measured_table("snooker", 1881.0, 943.0, 52.3)


def found_in(name: str, table: TableSpec, game: str) -> list[Ball]:
    picture = read_picture(FOOTAGE / name)
    calibration = calibrate([picture], table)
    assert isinstance(calibration, Calibration), calibration.reason
    return detect_balls(picture, calibration, BALL_SETS[game])


def truth(name: str) -> dict[str, list[dict[str, float]]]:
    data: dict[str, list[dict[str, float]]] = json.loads((FOOTAGE / name).read_text())
    return data


@pytest.mark.parametrize("number", [2, 18, 30, 41])
def test_broadcast_stills_have_the_right_balls(number: int) -> None:
    balls = found_in(f"bucharest/stills/{number}.jpg", SNOOKER, "snooker")
    counts = {kind: n for kind, n in truth(f"bucharest/stills/{number}.truth.json")["counts"].items() if n}  # type: ignore[attr-defined]
    assert Counter(ball.kind for ball in balls) == counts


@pytest.mark.parametrize("stem", ["with_halo_2_5", "without_halo_1"])
def test_balls_under_the_ceiling_camera_lie_where_they_were_measured(stem: str) -> None:
    balls = found_in(f"overhead-stills/{stem}.png", CLUB, "snooker")
    marked = truth(f"overhead-stills/{stem}.truth.json")["balls"]
    true = np.array([(ball["u"], ball["v"]) for ball in marked])
    seen = np.array([(ball.u, ball.v) for ball in balls])
    gaps = np.linalg.norm(true[:, None] - seen[None], axis=2)
    assert len(seen) == len(true)
    assert gaps.min(axis=1).max() < 5.0
    assert float(np.median(gaps.min(axis=1))) < 1.6
    for ball, row in zip(marked, gaps, strict=True):
        if ball["ball"]:
            assert balls[int(row.argmin())].kind == ball["ball"]


def test_groups_of_pool_balls_from_above() -> None:
    balls = found_in("padova/game1_clip1/frame_first.png", POOL, "8-ball")
    marked = truth("padova/game1_clip1/frame_first.truth.json")["groups"]
    assert Counter(group_of(ball.kind) for ball in balls) == Counter(mark["group"] for mark in marked)


def test_a_shot_is_seen_from_the_strike_to_the_pot() -> None:
    path = FOOTAGE / "bucharest" / "shots" / "15.mp4"
    calibration = calibrate([frame.bgr for frame in sampled_frames(path, 3)], SNOOKER)
    assert isinstance(calibration, Calibration), calibration.reason
    observer = Observer(calibration, BALL_SETS["snooker"])
    seen = [observer.observe(frame) for frame in islice(video_frames(path), 140)]
    boxes = truth("bucharest/shots/15.truth.json")["boxes"]
    for name, rows in boxes.items():  # type: ignore[attr-defined]
        hits = [
            bool(np.any(np.linalg.norm(seen[n].uv_px - ((u0 + u1) / 2, (v0 + v1) / 2), axis=1) < 6.0))
            for n, u0, v0, u1, v1 in rows
            if n < len(seen)
        ]
        assert np.mean(hits) > 0.9, name
