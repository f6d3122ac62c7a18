"""A ball that was lost sight of right where it seems to stop: it lies there only if it can't be seen there."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from tracking.infer.lost import unseen_end
from tracking.tracks import BallState

LAST_S, END_S, PLACE = 3.0, 7.0, np.array([253.0, 2477.0])


def evidence(state: BallState, *, covered: bool, until_s: float = END_S) -> Any:
    """The black ran, seemed to rest at its place, and was seen last at 3 s."""
    run, rest = SimpleNamespace(at_rest=False), SimpleNamespace(at_rest=True, place=PLACE)
    path = SimpleNamespace(moved=True, pieces=(run, rest))
    blind = SimpleNamespace(hides=lambda t_s, xy_mm, margin_mm: covered and np.allclose(xy_mm, PLACE))
    fate = SimpleNamespace(state=state, last_s=LAST_S)
    seen = SimpleNamespace(paths={"black": path}, fates={"black": fate}, blind=blind, bed=SimpleNamespace(radius=26.25))
    return cast(Any, SimpleNamespace(**vars(seen), t1_s=until_s, spacing_s=0.04))


@pytest.mark.parametrize(
    ("state", "covered", "until_s", "unseen"),
    [
        (BallState.HIDDEN, False, END_S, True),
        (BallState.HIDDEN, True, END_S, False),
        (BallState.HIDDEN, False, LAST_S + 0.5, False),
        (BallState.AT_REST, False, END_S, False),
        (BallState.POCKETED, False, END_S, False),
    ],
)
def test_what_became_of_a_ball_that_lies_in_the_open_unseen_is_not_known(
    state: BallState, covered: bool, until_s: float, unseen: bool
) -> None:
    assert unseen_end(evidence(state, covered=covered, until_s=until_s), "black") is unseen
