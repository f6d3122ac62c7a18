"""Which of the outlines that cannot all be balls are taken for one: by construction, two in one place."""

import numpy as np

from vision.geometry import Array, Mask
from vision.outline import ANGLES, DIRECTIONS, Outlines, fit_outlines
from vision.selection import select

RADIUS_PX, MM_PER_PX = 10.0, 2.625
NO_SHADE: Mask = np.zeros((100, 100), dtype=bool)


def outlines(centre: list[tuple[float, float]], support: list[float], contrast: list[float]) -> Outlines:
    """Of 10 px, with cloth all round, equally well supported in all directions."""
    n = len(centre)
    flags = np.zeros((n, ANGLES), dtype=bool)
    return Outlines(
        centre=np.array(centre),
        radius=np.full(n, RADIUS_PX),
        size=np.ones(n),
        fill=np.ones(n),
        core=np.ones(n),
        support=np.repeat(np.array(support)[:, None], ANGLES, axis=1),
        open=~flags,
        bare=flags,
        contrast=np.array(contrast),
    )


def chosen(given: Outlines, shade: Mask = NO_SHADE) -> list[int]:
    """Indices of what is taken for balls; what is farther down in the picture is nearer."""
    nearness: Array = given.centre[:, 1]
    bounded = np.zeros((len(given), ANGLES), dtype=bool)
    selection = select(given, MM_PER_PX * given.centre, bounded, nearness, shade, 2 * MM_PER_PX * RADIUS_PX)
    return sorted(selection.index.tolist())


def test_a_bright_ball_is_preferred_to_its_dark_underside_with_the_shadow() -> None:
    # the lower thing has a slightly better outline, 0.75 against 0.71, but a third of the contrast
    assert chosen(outlines([(50.0, 50.0), (50.0, 56.4)], [0.71, 0.75], [110.0, 35.0])) == [0]
    assert chosen(outlines([(50.0, 50.0), (50.0, 56.4)], [0.71, 0.75], [110.0, 110.0])) == [1]


def test_a_dark_ball_beside_a_bright_one_is_kept() -> None:
    assert chosen(outlines([(40.0, 50.0), (60.0, 50.0)], [0.7, 0.7], [110.0, 25.0])) == [0, 1]


def test_of_two_that_look_like_each_others_shadow_the_one_with_less_shade_is_the_ball() -> None:
    # a black ball that mirrors the cloth in 60 % of its upper part, and its shadow below it
    shade = NO_SHADE.copy()
    shade[:50, :52] = True
    shade[50:, :] = True
    pair = outlines([(50.0, 48.0), (50.0, 52.6)], [0.8, 0.72], [45.0, 44.0])
    assert chosen(pair, shade) == [0]


def test_a_shadow_with_as_good_an_outline_is_left_out() -> None:
    shade = NO_SHADE.copy()
    shade[56:, :] = True
    assert chosen(outlines([(50.0, 50.0), (50.0, 60.0)], [0.7, 0.75], [40.0, 40.0]), shade) == [0]


def test_the_dark_underside_of_a_white_ball_is_no_bare_cloth() -> None:
    """Lit side 160 levels from the cloth, underside 38: less than a quarter, and yet far from it."""
    v, u = np.mgrid[:100, :100].astype(np.float32)
    inside = np.hypot(u - 50, v - 50) <= RADIUS_PX
    away = np.where(inside, np.where(v > 54, 38.0, 160.0), 0.0).astype(np.float32)
    flat = np.zeros_like(away)
    found = fit_outlines((60.0 + away, flat, flat), away, np.array([[50.0, 50.0]]), np.array([RADIUS_PX]))
    below = DIRECTIONS[:, 1] > 0.75
    assert np.abs(found.centre[0] - 50.0).max() < 1.5
    assert not found.bare[0, below].any()
