"""The parts of calibrating, each by construction."""

import cv2
import numpy as np
import pytest
from drawn import draw_table, looking_at
from hypothesis import given
from hypothesis import strategies as st

from calibration.edges import cut, lab_plane, peak, profiles, slopes
from calibration.median import median_of
from calibration.model import Lens, from_rectangle
from calibration.pictures import combined, same_view
from calibration.planemap import bend, plane_map, straighten
from calibration.preview import draw_preview, sphere_outline, table_curves
from calibration.result import Calibration
from calibration.tables import TABLES

SNOOKER, POOL = TABLES["snooker-12ft"], TABLES["pool-9ft"]
SIZE = (1280, 720)


@given(u=st.floats(0, 1279), v=st.floats(0, 719), curvature=st.floats(-0.5, 0.15))
def test_bending_undoes_straightening(u: float, v: float, curvature: float) -> None:
    pixel = np.array([[u, v]])
    np.testing.assert_allclose(bend(straighten(pixel, SIZE, curvature), SIZE, curvature), pixel, atol=1e-6)


def test_the_corner_moves_by_the_curvature() -> None:
    corner = np.array([[0.0, 0.0]])
    centre = np.array([[639.5, 359.5]])
    share = (straighten(corner, SIZE, -0.2) - centre)[0] / (corner - centre)[0]
    np.testing.assert_allclose(share, 1 / (1 - 0.2 * (639.5**2 + 359.5**2) / (640**2 + 360**2)))


def test_a_plane_map_takes_its_corners_where_they_were_given() -> None:
    corners = np.array([[100.0, 600.0], [300.0, 100.0], [900.0, 120.0], [1150.0, 640.0]])
    rectangle = np.array([[0.0, 0.0], [0.0, 2540.0], [1270.0, 2540.0], [1270.0, 0.0]])
    to_px = plane_map(corners, rectangle, SIZE, 0.0)
    np.testing.assert_allclose(to_px(np.column_stack([rectangle, np.zeros(4)])), corners, atol=1e-3)


@given(
    angle=st.floats(0.3, 1.2),
    turn=st.floats(-0.4, 0.4),
    focal=st.floats(900, 3500),
)
def test_the_camera_of_a_rectangle_is_found(angle: float, turn: float, focal: float) -> None:
    distance = focal * 3.6
    centre = (
        889.0 + distance * np.cos(angle) * np.sin(turn),
        1784.5 + distance * np.cos(angle) * np.cos(turn),
        distance * np.sin(angle),
    )
    camera = looking_at(SNOOKER, centre, (889.0, 1784.5), (0, 0, 1), focal=focal)
    rectangle = np.array([[0.0, 0.0], [0.0, 3569.0], [1778.0, 3569.0], [1778.0, 0.0]])
    uv = camera.project(np.column_stack([rectangle, np.full(4, 33.0)]))
    lens, misfit = from_rectangle(uv, rectangle, 33.0, SIZE, 0.0)
    assert misfit < 0.02
    assert lens.focal == pytest.approx(focal, rel=0.08)


def test_a_lens_and_its_camera_model_project_alike_and_survive_the_vector() -> None:
    lens = Lens(
        rotation_vector=np.array([2.6, 0.1, -0.2]),
        translation=np.array([-900.0, 1200.0, 6000.0]),
        focal=1500.0,
        size=SIZE,
        aspect=0.01,
        k1=-0.2,
        k2=0.05,
    )
    points = np.random.default_rng(1).uniform(0, 1700, (20, 3))
    np.testing.assert_allclose(lens.project(points), lens.camera().project(points), atol=1e-6)
    again = lens.moved_to(lens.to_vector())
    np.testing.assert_allclose(again.project(points), lens.project(points), atol=1e-6)


def test_turning_a_lens_exchanges_the_ends_of_the_table() -> None:
    camera = looking_at(SNOOKER, (889.0, 9000.0, 4000.0), (889.0, 1784.5), (0, 0, 1), focal=2000.0)
    lens = Lens(
        rotation_vector=cv2.Rodrigues(camera.rotation)[0].reshape(3),
        translation=camera.translation,
        focal=2000.0,
        size=SIZE,
    )
    turned = lens.turned(1778.0, 3569.0)
    here, there = np.array([[100.0, 200.0, 30.0]]), np.array([[1678.0, 3369.0, 30.0]])
    np.testing.assert_allclose(turned.project(here), lens.project(there), atol=1e-6)


def test_an_edge_between_pixels_is_found_between_pixels() -> None:
    picture = np.zeros((60, 80, 3), dtype=np.uint8)
    picture[:30] = 200
    picture[30] = 140
    plane = lab_plane(picture)
    pieces = cut(np.array([[20.0, 31.0], [40.0, 31.0], [60.0, 31.0]]), np.array([40.0, 0.0]))
    offsets, colours = profiles(plane, pieces, 6.0)
    place, height = peak(offsets, slopes(colours, 1.0)[..., 0])
    assert height.min() > 5
    np.testing.assert_allclose(31.0 - place, 30.2, atol=0.25)


def test_a_cut_to_another_view_is_left_out_of_the_median() -> None:
    rng = np.random.default_rng(0)
    view = rng.integers(0, 255, (72, 128, 3), dtype=np.uint8)
    view = np.repeat(np.repeat(view, 10, axis=0), 10, axis=1)
    other = 255 - view
    blurred = [np.clip(view.astype(int) + rng.integers(-3, 4, view.shape), 0, 255).astype(np.uint8) for _ in range(3)]
    assert len(same_view([blurred[0], other, blurred[1], other, blurred[2]])) == 3
    assert np.abs(combined([blurred[0], other, *blurred[1:]]).astype(int) - view).max() <= 3


def test_every_point_of_a_spheres_outline_is_a_radius_from_its_centre_and_seen_edge_on() -> None:
    camera = looking_at(SNOOKER, (900.0, 9300.0, 3700.0), (889.0, 1900.0), (0, 0, 1), focal=2300.0)
    centre = np.array([300.0, 500.0, 26.25])
    outline = sphere_outline(camera, centre, 26.25)
    np.testing.assert_allclose(np.linalg.norm(outline - centre, axis=1), 26.25)
    radial, sight = outline - centre, camera.centre_mm - outline
    np.testing.assert_allclose(np.sum(radial * sight, axis=1), 0.0, atol=1e-6)


def test_the_preview_draws_the_noses_where_the_camera_sees_them() -> None:
    camera = looking_at(POOL, (635.0, 1270.0, 2600.0), (635.0, 1270.0), (-1, 0, 0), focal=1000.0)
    calibration = Calibration(
        table=POOL, camera=camera, residual_px=0.1, residual_mm=0.2, residual_max_px=0.3, found_by="markings"
    )
    drawn = draw_preview(np.zeros((720, 1280, 3), dtype=np.uint8), calibration)
    u, v = camera.project(np.array([[0.0, 800.0, POOL.nose_height_mm]]))[0]
    patch = drawn[round(v) - 1 : round(v) + 2, round(u) - 1 : round(u) + 2].reshape(-1, 3).astype(int)
    assert (patch[:, 0] > 120).any()
    assert (patch[:, 1] < 80).all()


def test_snooker_has_a_d_and_pool_two_strings() -> None:
    assert {"nose", "baulk-line", "d", "middle-left"} <= {name for name, _, _ in table_curves(SNOOKER)}
    assert {"head-string", "foot-string"} <= {name for name, _, _ in table_curves(POOL)}


def test_a_calibration_survives_its_file() -> None:
    camera = looking_at(SNOOKER, (900.0, 9300.0, 3700.0), (889.0, 1900.0), (0, 0, 1), focal=2300.0)
    before = Calibration(
        table=SNOOKER,
        camera=camera,
        residual_px=0.1,
        residual_mm=0.2,
        residual_max_px=0.3,
        found_by="markings",
        used=("nose-top",),
        baulk_by="markings",
        warnings=("careful",),
    )
    after = Calibration.from_json(before.to_json())
    assert after.table == before.table
    assert after.used == ("nose-top",)
    points = np.array([[100.0, 200.0, 0.0]])
    np.testing.assert_allclose(after.camera.project(points), camera.project(points))


def test_drawing_is_repeatable() -> None:
    camera = looking_at(POOL, (635.0, 1270.0, 2600.0), (635.0, 1270.0), (-1, 0, 0), focal=1000.0)
    assert np.array_equal(draw_table(POOL, camera), draw_table(POOL, camera))


@given(
    layers=st.integers(3, 9).flatmap(
        lambda count: st.lists(st.lists(st.integers(0, 255), min_size=6, max_size=6), min_size=count, max_size=count)
    )
)
def test_the_median_of_a_few_is_the_median(layers: list[list[int]]) -> None:
    whole = np.array(layers, dtype=np.uint8)
    np.testing.assert_array_equal(median_of(list(whole)), np.floor(np.median(whole, axis=0)))
    real = whole.astype(np.float32) / 7
    np.testing.assert_allclose(median_of(list(real)), np.median(real, axis=0), rtol=1e-6)


def test_what_is_off_the_picture_has_no_median() -> None:
    layers = [np.array([value, 1.0], dtype=np.float32) for value in (1.0, float("nan"), 3.0)]
    assert np.isnan(median_of(layers)[0])
    assert median_of(layers)[1] == 1.0


def test_a_lens_knows_how_its_pixels_move_with_its_parameters_and_with_the_point() -> None:
    lens = Lens(
        rotation_vector=np.array([2.6, 0.1, -0.2]),
        translation=np.array([-900.0, 1200.0, 6000.0]),
        focal=1500.0,
        size=SIZE,
        aspect=0.01,
        k1=-0.2,
        k2=0.05,
        shift=(3.0, 5.0),
    )
    points = np.random.default_rng(1).uniform(0, 1700, (20, 3))
    angles = np.linspace(0.0, 3.0, len(points))
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    by_vector, by_point = lens.slopes(points, normals)
    for k, step in enumerate(1e-6 * np.eye(12)):
        ahead, behind = (lens.moved_to(lens.to_vector() + sign * step).project(points) for sign in (1, -1))
        moved = np.sum((ahead - behind) * normals, axis=1) / 2e-6
        np.testing.assert_allclose(by_vector[:, k], moved, atol=1e-4)
    for k, step in enumerate(1e-3 * np.eye(3)):
        moved = np.sum((lens.project(points + step) - lens.project(points - step)) * normals, axis=1) / 2e-3
        np.testing.assert_allclose(by_point[:, k], moved, atol=1e-6)
