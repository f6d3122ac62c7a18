"""Racks laid over blobs drawn at known places."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_balls import TABLE, overhead

from vision.geometry import Plane, table_view
from vision.rack import DIAMOND, HEADLESS, TRIANGLE, find_racks, layout_mm

CALIBRATION = replace(overhead(), table=replace(TABLE, family="pool"))
VIEW = table_view(CALIBRATION)


def blob(places: np.ndarray, swell: float = 1.0) -> Plane:
    xyz = np.column_stack([places, np.full(len(places), TABLE.ball_radius_mm)])
    mask = np.zeros(VIEW.shape, np.float32)
    for u, v in VIEW.to_working(CALIBRATION.camera.project(xyz)):
        cv2.circle(mask, (round(u * 16), round(v * 16)), round(swell * 160), 1.0, -1, cv2.LINE_8, 4)
    return mask


def turned(rows: tuple[int, ...], x: float, y: float, degrees: float) -> np.ndarray:
    angle = np.radians(degrees)
    rotation = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.array([x, y]) + layout_mm(rows, TABLE.ball_diameter_mm) @ rotation


def test_rows_of_touching_balls() -> None:
    places = layout_mm(TRIANGLE, 100.0)
    assert len(places) == 15
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(15) * 1e3
    assert gaps.min() == pytest.approx(101.0, abs=0.01)
    assert np.allclose(places.mean(axis=0), 0.0)
    assert places[0, 1] == places[:, 1].min()


@pytest.mark.parametrize("rows", [TRIANGLE, HEADLESS, DIAMOND])
@pytest.mark.parametrize(("degrees", "swell"), [(0.0, 1.0), (4.0, 1.0), (180.0, 1.0), (-3.0, 1.25)])
def test_every_ball_of_a_rack_is_placed(rows: tuple[int, ...], degrees: float, swell: float) -> None:
    true = turned(rows, 930.0, 2600.0, degrees)
    (rack,) = find_racks(blob(true, swell), VIEW)
    seen = VIEW.on_balls_plane(rack.centre)
    gaps = np.linalg.norm(seen[:, None] - true[None], axis=2)
    assert len(seen) == len(true)
    assert gaps.min(axis=1).max() < 0.2 * TABLE.ball_diameter_mm
    assert sorted(gaps.argmin(axis=1)) == list(range(len(true)))
    assert rack.visible.min() > 0.9


def test_balls_that_lie_anyhow_and_arms_are_no_rack() -> None:
    rng = np.random.default_rng(2)
    heap = np.array([900.0, 2600.0]) + rng.uniform(-110, 110, (14, 2))
    assert find_racks(blob(heap), VIEW) == []
    arm = np.column_stack([np.full(12, 900.0), np.linspace(2200.0, 2800.0, 12)])
    assert find_racks(blob(arm), VIEW) == []
