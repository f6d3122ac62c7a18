"""What pool balls are called by their paint, on discs drawn with the colours of a set."""

import cv2
import numpy as np
import pytest

from calibration.tables import TABLES
from vision.balls import BALL_SETS
from vision.cloth import split
from vision.identity import honest_kinds, learn_palette
from vision.looks import Looks, see
from vision.numbered import Paint, numbered_logp, toned

EIGHT = BALL_SETS["8-ball"]
CLOTH_BGR = (170, 110, 40)
WHITE_BGR = (200, 230, 240)
PAINT_BGR = {
    "1": (40, 180, 240),
    "2": (140, 60, 20),
    "3": (40, 30, 200),
    "4": (110, 40, 70),
    "5": (30, 90, 230),
    "6": (60, 100, 20),
    "7": (40, 30, 120),
    "8": (25, 22, 20),
}
RADIUS = 10.0


def drawn(kinds: list[str], light: float = 1.0, blur: float = 0.0, tone: float = 1.0) -> Looks:
    """A row of balls in even light: solids with the circle of their number, stripes with white at both ends.

    tone: each channel is raised to this power, as a share of 255.
    """
    canvas = np.full((60, 40 * len(kinds), 3), CLOTH_BGR, np.float64)
    v, u = np.mgrid[0:60, 0 : 40 * len(kinds)].astype(np.float64)
    centres = np.array([[20.0 + 40 * i, 30.0] for i in range(len(kinds))])
    for kind, (x, y) in zip(kinds, centres, strict=True):
        disc = np.hypot(u - x, v - y) <= RADIUS
        paint = WHITE_BGR if kind == "cue" else PAINT_BGR[str((int(kind) - 1) % 8 + 1)]
        canvas[disc] = paint
        if kind != "cue" and int(kind) > 8:
            canvas[disc & (np.abs(v - y) > 0.42 * RADIUS)] = WHITE_BGR
        elif kind != "cue":
            canvas[np.hypot(u - x - 2, v - y) <= 0.28 * RADIUS] = WHITE_BGR
    if blur:
        canvas = cv2.GaussianBlur(canvas, (0, 0), blur)
    shown = 255 * (canvas * light / 255) ** tone
    planes = split(np.clip(np.round(shown), 0, 255).astype(np.uint8))
    luma = np.full(len(kinds), float(planes[0][0, 0]))
    return see(planes, centres, np.full(len(kinds), RADIUS), luma, numbered=True)


def named(looks: Looks) -> list[str]:
    palette = learn_palette(looks, np.zeros((len(looks), 2)), TABLES["pool-9ft"], EIGHT)
    logp = palette.logp(looks)
    return list(honest_kinds(palette.assign(logp), logp, EIGHT).kinds)


ALL = list(EIGHT.kinds)


@pytest.mark.parametrize(("light", "blur"), [(1.0, 0.0), (0.5, 0.0), (1.0, 2.0)])
def test_a_whole_set_is_named_in_dim_light_and_out_of_focus_too(light: float, blur: float) -> None:
    assert named(drawn(ALL, light, blur)) == ALL


@pytest.mark.parametrize("tone", [0.6, 0.7, 1.4, 1.6])
def test_a_whole_set_is_named_though_the_camera_shows_dark_paint_brighter_or_darker(tone: float) -> None:
    assert named(drawn(ALL, tone=tone, blur=1.0)) == ALL


def test_a_paint_follows_the_cameras_tone() -> None:
    """A grey of a quarter of white is shown as a half with a tone of 1/2: log(0.25 + 0.05) becomes log(0.5 + 0.05)."""
    grey = Paint(mean=(float(np.log(0.30)), 0.0, 0.0), sigma=(0.2, 0.1, 0.1))
    shown = toned(grey, 0.5)
    assert shown.mean == pytest.approx((np.log(0.55), 0.0, 0.0), abs=1e-6)
    assert shown.sigma == pytest.approx((0.1, 0.1, 0.1))
    assert toned(grey, 1.0) is grey


def test_a_yellow_stripe_is_no_cue_ball_though_white_is_cream() -> None:
    looks = drawn(["cue", "9", "1", "8", "6"], blur=1.5)
    assert named(looks) == ["cue", "9", "1", "8", "6"]
    assert looks.of_white.tint[1] < -0.02


def test_pink_fours_and_brown_sevens_are_known() -> None:
    palette = {**PAINT_BGR}
    try:
        PAINT_BGR.update({"4": (120, 110, 250), "7": (45, 80, 140)})
        assert named(drawn(ALL)) == ALL
    finally:
        PAINT_BGR.update(palette)


def test_white_beside_paint_is_measured_whatever_the_paint() -> None:
    looks = drawn(["3", "11", "4", "12", "8"])
    assert looks.blank[[1, 3]].min() > looks.blank[[0, 2, 4]].max() + 0.15


def test_each_row_has_the_kinds_of_the_set() -> None:
    nine = BALL_SETS["9-ball"]
    assert numbered_logp(drawn(["cue", "1"]), nine).shape == (2, len(nine.kinds))
