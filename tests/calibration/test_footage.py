"""Real views, against what is known of them."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from calibration.find import calibrate
from calibration.result import Calibration, FailedCalibration
from calibration.tables import TABLES, TableSpec, measured_table
from vision.frames import read_picture, video_frames

FOOTAGE = Path(os.environ.get("CUEREF_FOOTAGE", Path(__file__).parents[3] / "shared" / "footage"))
pytestmark = [
    pytest.mark.footage,
    pytest.mark.skipif(not FOOTAGE.is_dir(), reason=f"no development footage at {FOOTAGE}; CUEREF_FOOTAGE says where"),
]
SNOOKER, POOL = TABLES["snooker-12ft"], TABLES["pool-9ft"]
CLUB = measured_table("snooker", 1881.0, 943.0, 52.3)


def calibrated(name: str, table: TableSpec) -> Calibration:
    result = calibrate([read_picture(FOOTAGE / name)], table)
    assert isinstance(result, Calibration), result.reason
    return result


def bottom_side(result: Calibration) -> str:
    middle = np.array([[result.table.width_mm / 2, y, 0.0] for y in (0.0, result.table.length_mm)])
    bottom, top = result.camera.project(middle)
    across, down = bottom - top
    if abs(across) > abs(down):
        return "left" if across < 0 else "right"
    return "top" if down < 0 else "bottom"


@pytest.mark.parametrize("number", [1, 3, 8, 10, 34, 41, 50])
def test_broadcast_views_have_their_baulk_end_at_the_top(number: int) -> None:
    result = calibrated(f"bucharest/stills/{number}.jpg", SNOOKER)
    assert bottom_side(result) == "top"
    assert result.residual_px < 1.0
    assert result.residual_mm < 8.0
    # Read from the pictures by eye: a camera some 5 to 11 m behind the top cushion, 3 to 5.5 m up, near the long axis.
    x, y, z = result.camera.centre_mm
    assert 700 < x < 1100
    assert 8500 < y < 14500
    assert 3000 < z < 5700


def test_a_close_up_of_a_pocket_is_no_table() -> None:
    result = calibrate([read_picture(FOOTAGE / "bucharest/stills/42.jpg")], SNOOKER)
    assert isinstance(result, FailedCalibration)
    assert "small" in result.reason


@pytest.mark.parametrize("stem", ["without_halo_1", "without_halo_23", "with_halo_2_1", "with_halo_2_12"])
def test_balls_from_straight_above_lie_where_the_makers_mapped_them(stem: str) -> None:
    result = calibrated(f"overhead-stills/{stem}.png", CLUB)
    truth = json.loads((FOOTAGE / f"overhead-stills/{stem}.truth.json").read_text())["balls"]
    uv = np.array([[ball["u"], ball["v"]] for ball in truth])
    xy = np.array([[ball["x"], ball["y"]] for ball in truth])
    miss = np.linalg.norm(result.camera.on_plane(uv, CLUB.ball_radius_mm) - xy, axis=1)
    # The makers' mapping is itself good to a few millimetres: a pixel is 1.7 mm.
    assert np.median(miss) < 4.0
    assert miss.max() < 8.0
    assert bottom_side(result) == "left"


@pytest.mark.parametrize(
    ("name", "baulk_by", "side"),
    [
        ("padova/game1_clip1/frame_first.png", "balls", "left"),
        ("padova/game1_clip2/frame_first.png", "balls", "top"),
        ("padova/game1_clip4/frame_last.png", "balls", "top"),
        ("padova/game3_clip1/frame_first.png", "convention", "left"),
        ("padova/game3_clip2/frame_last.png", "convention", "left"),
    ],
)
def test_pool_from_four_places(name: str, baulk_by: str, side: str) -> None:
    result = calibrated(name, POOL)
    assert result.residual_px < 0.8
    assert result.baulk_by == baulk_by
    assert bottom_side(result) == side


def test_two_frames_of_one_camera_give_one_camera() -> None:
    first = calibrated("padova/game1_clip1/frame_first.png", POOL)
    last = calibrated("padova/game1_clip1/frame_last.png", POOL)
    x, y = np.meshgrid([0.0, 635.0, 1270.0], [0.0, 1270.0, 2540.0])
    xyz = np.column_stack([x.ravel(), y.ravel(), np.full(9, 28.0)])
    np.testing.assert_allclose(first.camera.project(xyz), last.camera.project(xyz), atol=0.5)


@pytest.mark.parametrize("name", ["barrel_1080p", "barrel_1440p", "barrel_arm", "ceiling_4k_grid", "ceiling_720p"])
def test_ceiling_cameras_of_all_sizes(name: str) -> None:
    result = calibrated(f"tables/{name}.jpg", POOL)
    width = result.camera.size[0]
    assert result.residual_px < 1.2 * width / 1920 + 0.4
    corners = np.array([[x, y, POOL.nose_height_mm] for x, y in POOL.pocket_corners().values()])
    uv = result.camera.project(corners)
    assert np.all((uv > 0) & (uv < np.array(result.camera.size)))


@pytest.mark.parametrize("table", [SNOOKER, POOL], ids=["snooker", "pool"])
@pytest.mark.parametrize("number", [3, 5])
def test_the_player_and_the_crowd_after_a_cut_are_no_table(number: int, table: TableSpec) -> None:
    last = None
    for frame in video_frames(FOOTAGE / f"bucharest/shots/{number}.mp4"):
        last = frame
    assert last is not None
    result = calibrate([last.bgr], table)
    assert isinstance(result, FailedCalibration)
    assert result.reason.startswith("no table found")
