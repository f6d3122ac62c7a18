"""The camera model, checked on cameras whose pictures can be worked out by hand."""

import numpy as np

from calibration.camera import CameraModel


def overhead_camera(*, k1: float = 0.0) -> CameraModel:
    """3 m above the point (889, 1784.5), looking straight down, table x along the picture's x."""
    rotation = np.diag([1.0, -1.0, -1.0])
    centre = np.array([889.0, 1784.5, 3000.0])
    return CameraModel(
        matrix=np.array([[1000.0, 0, 640], [0, 1000.0, 360], [0, 0, 1]]),
        distortion=np.array([k1, 0, 0, 0, 0]),
        rotation=rotation,
        translation=-rotation @ centre,
        size=(1280, 720),
    )


def test_point_under_the_camera_is_the_principal_point() -> None:
    np.testing.assert_allclose(overhead_camera().project(np.array([[889, 1784.5, 0]])), [[640, 360]])


def test_three_metres_up_a_thousand_pixels_of_focal_length_show_a_pixel_as_three_millimetres() -> None:
    np.testing.assert_allclose(overhead_camera().project(np.array([[889 + 300, 1784.5, 0]])), [[740, 360]])


def test_up_the_table_is_up_in_this_picture() -> None:
    np.testing.assert_allclose(overhead_camera().project(np.array([[889, 1784.5 + 300, 0]])), [[640, 260]])


def test_on_plane_inverts_project_with_distortion() -> None:
    camera = overhead_camera(k1=-0.2)
    xy = np.array([[0.0, 0.0], [1778, 3569], [200, 3000], [889, 100]])
    for z_mm in (0.0, 26.25):
        uv = camera.project(np.column_stack([xy, np.full(4, z_mm)]))
        np.testing.assert_allclose(camera.on_plane(uv, z_mm), xy, atol=1e-3)


def test_balls_outline_under_the_camera() -> None:
    """Tangent of the cone's half angle: asin(26.25 / 2973.75)."""
    radius = overhead_camera().sphere_radius_px(np.array([[889, 1784.5, 26.25]]), 26.25)
    np.testing.assert_allclose(radius, 1000 * np.tan(np.arcsin(26.25 / 2973.75)), rtol=1e-9)


def test_json_round_trip() -> None:
    camera = overhead_camera(k1=0.1)
    again = CameraModel.from_json(camera.to_json())
    np.testing.assert_array_equal(again.rotation, camera.rotation)
    assert again.size == camera.size
