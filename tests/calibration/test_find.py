"""Tables drawn with a known camera are found, and the camera with them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn import draw_table, looking_at

from calibration.camera import CameraModel
from calibration.edges import lab_plane
from calibration.find import calibrate, is_clear, possible_fits
from calibration.result import Calibration, FailedCalibration
from calibration.tables import TABLES, TableSpec, measured_table

SNOOKER, POOL = TABLES["snooker-12ft"], TABLES["pool-9ft"]


def errors(table: TableSpec, found: CameraModel, true: CameraModel) -> tuple[float, float]:
    """The greatest differences in px, and in mm on the plane of the balls' centres, over the whole bed."""
    x, y = np.meshgrid(np.linspace(0, table.width_mm, 9), np.linspace(0, table.length_mm, 17))
    xyz = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, table.ball_radius_mm)])
    uv = true.project(xyz)
    px = np.linalg.norm(found.project(xyz) - uv, axis=1).max()
    mm = np.linalg.norm(found.on_plane(uv, table.ball_radius_mm) - xyz[:, :2], axis=1).max()
    return float(px), float(mm)


def found_in(picture: np.ndarray, table: TableSpec, **given: str) -> Calibration:
    result = calibrate([picture], table, **given)
    assert isinstance(result, Calibration), result.reason
    return result


def overhead(table: TableSpec, *, k1: float = 0.0) -> CameraModel:
    """Hanging over the middle; the baulk end at the picture's left."""
    middle = (table.width_mm / 2 + 60, table.length_mm / 2 - 40)
    focal = 1100.0
    height = focal * (table.length_mm + 420) / 1200
    return looking_at(table, (*middle, height), (middle[0] - 40, middle[1] + 20), (-1, 0, 0), focal=focal, k1=k1)


def from_top_end(table: TableSpec) -> CameraModel:
    """High behind the top end, as in a broadcast; the baulk end at the picture's top."""
    centre = (table.width_mm / 2 + 40, 2.6 * table.length_mm, 1.05 * table.length_mm)
    target = (table.width_mm / 2, 0.55 * table.length_mm)
    return looking_at(table, centre, target, (0, 0, 1), focal=2300.0)


def from_a_corner(table: TableSpec) -> CameraModel:
    """Standing beyond the bottom-right corner."""
    centre = (1.75 * table.width_mm, -0.85 * table.length_mm, 0.9 * table.length_mm)
    return looking_at(table, centre, (table.width_mm / 2, 0.4 * table.length_mm), (0, 0, 1), focal=1250.0)


def test_snooker_from_above_with_its_baulk_end() -> None:
    camera = overhead(SNOOKER)
    result = found_in(draw_table(SNOOKER, camera), SNOOKER)
    px, mm = errors(SNOOKER, result.camera, camera)
    assert result.baulk_by == "markings"
    assert px < 1.0
    assert mm < 4.0
    assert result.residual_px < 0.5


def test_snooker_at_a_slant_from_the_top_end() -> None:
    camera = from_top_end(SNOOKER)
    result = found_in(draw_table(SNOOKER, camera), SNOOKER)
    px, mm = errors(SNOOKER, result.camera, camera)
    assert result.baulk_by == "markings"
    assert px < 1.5
    assert mm < 10.0


def test_pool_under_a_lens_that_bends_lines() -> None:
    camera = overhead(POOL, k1=-0.25)
    result = found_in(draw_table(POOL, camera, cloth=(170, 110, 30)), POOL, baulk="left")
    px, _ = errors(POOL, result.camera, camera)
    assert result.baulk_by == "given"
    assert px < 2.0
    assert result.camera.distortion[0] < -0.1


def test_pool_from_beyond_a_corner() -> None:
    camera = from_a_corner(POOL)
    picture = draw_table(POOL, camera, cloth=(170, 110, 30))
    result = found_in(picture, POOL)
    px, mm = errors(POOL, result.camera, camera)
    assert px < 2.0
    assert mm < 12.0
    assert result.baulk_by == "convention"
    assert "baulk" in result.warnings[0]


def test_baulk_can_be_said() -> None:
    camera = overhead(POOL)
    picture = draw_table(POOL, camera, cloth=(170, 110, 30))
    left = found_in(picture, POOL, baulk="left")
    right = found_in(picture, POOL, baulk="right")
    middle_of_bottom = np.array([[POOL.width_mm / 2, 0.0, 0.0]])
    assert left.camera.project(middle_of_bottom)[0, 0] < 200
    assert right.camera.project(middle_of_bottom)[0, 0] > 1080


def test_a_rack_stands_at_the_foot() -> None:
    camera = overhead(POOL)
    x, y = POOL.spots["foot_spot"]
    size = POOL.ball_diameter_mm
    rack = tuple(
        (x + (k - row / 2) * size, y + row * 0.866 * size, (40.0, 60.0, 200.0))
        for row in range(5)
        for k in range(row + 1)
    )
    result = found_in(draw_table(POOL, camera, cloth=(170, 110, 30), balls=rack), POOL)
    assert result.baulk_by == "balls"
    assert errors(POOL, result.camera, camera)[0] < 1.5


def rack(x: float, y: float) -> tuple[tuple[float, float, tuple[float, float, float]], ...]:
    """Fifteen pool balls, the foremost at a point."""
    size = POOL.ball_diameter_mm
    return tuple(
        (x + (k - row / 2) * size, y + row * 0.866 * size, (40.0, 60.0, 200.0))
        for row in range(5)
        for k in range(row + 1)
    )


def test_a_rack_that_only_the_first_picture_shows_stands_at_the_foot() -> None:
    camera = overhead(POOL)
    empty = draw_table(POOL, camera, cloth=(170, 110, 30))
    racked = draw_table(POOL, camera, cloth=(170, 110, 30), balls=rack(*POOL.spots["foot_spot"]))
    turned = [picture[::-1, ::-1].copy() for picture in (empty, racked)]
    for first, other, side in ((racked, empty, "left"), (turned[1], turned[0], "right")):
        for pictures, opening in (([first, other, other, other], []), ([other] * 3, [first])):
            result = calibrate(pictures, POOL, opening=opening)
            assert isinstance(result, Calibration), result.reason
            assert result.baulk_by == "balls"
            end = result.camera.project(np.array([[POOL.width_mm / 2, 0.0, 0.0]]))[0]
            assert (end[0] < 640) == (side == "left")


def test_a_ball_on_a_spot_and_a_cluster_do_not_tell_the_foot() -> None:
    camera = overhead(POOL)
    x, y = POOL.spots["foot_spot"]
    one = ((x, y, (40.0, 60.0, 200.0)),)
    cluster = (*rack(x, y), (x + 130.0, y, (40.0, 60.0, 200.0)), (x - 95.0, y - 50.0, (240.0, 240.0, 240.0)))
    for balls in (one, cluster):
        result = found_in(draw_table(POOL, camera, cloth=(170, 110, 30), balls=balls), POOL)
        assert result.baulk_by == "convention"
        assert any("baulk" in warning for warning in result.warnings)


def test_a_measured_table_keeps_the_markings_that_are_seen() -> None:
    usual = measured_table("snooker", 1881.0, 943.0, 52.3)
    moved = replace(usual, baulk_line_y_mm=370.0, d_radius_mm=160.0)
    result = found_in(draw_table(moved, overhead(moved)), usual)
    assert result.table.baulk_line_y_mm == pytest.approx(370.0, abs=3.0)
    assert result.table.d_radius_mm == pytest.approx(160.0, abs=3.0)
    assert result.table.spots["brown"][1] == pytest.approx(370.0, abs=3.0)
    assert "baulk line" in result.warnings[0]


def test_a_large_picture_comes_back_in_its_own_pixels() -> None:
    small = overhead(SNOOKER)
    matrix = small.matrix.copy()
    matrix[:2] *= 2
    matrix[:2, 2] = (2559 / 2, 1439 / 2)
    large = CameraModel(
        matrix=matrix,
        distortion=small.distortion,
        rotation=small.rotation,
        translation=small.translation,
        size=(2560, 1440),
    )
    result = found_in(draw_table(SNOOKER, large), SNOOKER)
    assert result.camera.size == (2560, 1440)
    assert errors(SNOOKER, result.camera, large)[0] < 2.0


def with_castings(
    picture: np.ndarray, camera: CameraModel, table: TableSpec, colour: tuple[int, int, int]
) -> np.ndarray:
    """The picture with metal around the pockets, from the cushions over the rails to the floor."""
    picture = picture.copy()
    for name, (x, y) in table.pocket_corners().items():
        right, up = (-1 if x < table.width_mm / 2 else 1), (-1 if y < table.length_mm / 2 else 1)
        middle = [(50, -70), (182, -70), (182, 70), (50, 70)]
        corner = [(50, -60), (182, -60), (182, 182), (-60, 182), (-60, 50), (50, 50)]
        places = [(x + right * dx, y + up * dy) for dx, dy in (middle if name.startswith("middle") else corner)]
        uv = camera.project(np.column_stack([np.array(places), np.full(len(places), table.nose_height_mm)]))
        cv2.fillPoly(picture, [np.round(uv).astype(np.int32)], colour)
    return picture


@pytest.mark.parametrize("floor", [(84.0, 90.0, 92.0), (100.0, 100.0, 100.0)])
def test_a_grey_cloth_is_told_from_a_grey_floor_that_metal_at_the_pockets_leads_to(floor: tuple[float, ...]) -> None:
    camera = overhead(POOL)
    drawn = draw_table(POOL, camera, cloth=(126, 122, 112), background=floor)
    result = found_in(with_castings(drawn, camera, POOL, (130, 130, 128)), POOL, baulk="left")
    assert errors(POOL, result.camera, camera)[0] < 1.0


def test_a_fit_is_not_clear_where_one_nose_is_thought_to_be_hidden() -> None:
    """A nose that is looked for in the wrong place seems hidden too, so another outline must be compared with."""
    camera = overhead(POOL)
    picture = draw_table(POOL, camera, cloth=(170, 110, 30))
    fit = max(possible_fits(lab_plane(picture), picture, POOL), key=lambda fit: fit.merit)
    assert is_clear(fit)
    assert not is_clear(replace(fit, changes={**fit.changes, "top": None}))
    assert not is_clear(replace(fit, likelihood=-2.6))


def plain(colour: tuple[int, int, int]) -> np.ndarray:
    return np.full((720, 1280, 3), colour, dtype=np.uint8)


def cloth_without_table() -> np.ndarray:
    picture = plain((60, 60, 60))
    picture[150:560, 260:1080] = (40, 140, 30)
    noise = np.random.default_rng(3).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(plain((0, 0, 0)), id="black"),
        pytest.param(plain((40, 140, 30)), id="nothing but green"),
        pytest.param(np.random.default_rng(2).integers(0, 255, (720, 1280, 3), dtype=np.uint8), id="noise"),
        pytest.param(cloth_without_table(), id="a green rectangle without cushions and pockets"),
        pytest.param(plain((40, 140, 30))[:60, :80], id="too small"),
    ],
)
def test_what_is_no_table_is_refused_with_a_reason(picture: np.ndarray) -> None:
    result = calibrate([picture], SNOOKER)
    assert isinstance(result, FailedCalibration)
    assert not result
    assert len(result.reason) > 20
    assert result.missed


def test_wrong_use_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        calibrate([], SNOOKER)
    with pytest.raises(ValueError, match="one size"):
        calibrate([np.zeros((720, 1280, 3), np.uint8), np.zeros((360, 640, 3), np.uint8)], SNOOKER)
    with pytest.raises(ValueError, match="baulk"):
        calibrate([np.zeros((720, 1280, 3), np.uint8)], SNOOKER, baulk="north")


def test_a_dark_picture_is_searched_with_more_light() -> None:
    """A red cloth in so little light that its colour alone hardly differs from the rails'."""
    middle = POOL.width_mm / 2
    camera = looking_at(
        POOL, (middle, POOL.length_mm + 2600.0, 3000.0), (middle, POOL.length_mm / 2), (0, 0, 1), focal=1300.0
    )
    picture = draw_table(POOL, camera, cloth=(60, 30, 110))
    dark = np.round(0.4 * picture).astype(np.uint8)
    corners = np.array([[x, y, 0.0] for x in (0, POOL.width_mm) for y in (0, POOL.length_mm)])
    found = found_in(dark, POOL).camera.project(corners)
    # the ends of the table look alike
    assert np.abs(np.sort(found, axis=0) - np.sort(camera.project(corners), axis=0)).max() < 1.5
