"""A pack that bursts between two pictures: what the cue ball touched wasn't seen, and that is said."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from tracking.infer.unexplained import _unseen_first
from tracking.records import Contact

STRUCK_S, SPACING_S, DIAMETER = 1.00, 0.04, 57.15


def evidence() -> Any:
    """Balls 7 and 9 lay in a pack, at (100, 200) and (157, 200)."""
    lay = {ball: SimpleNamespace(at_rest=True, place=np.array([x, 200.0])) for ball, x in (("7", 100.0), ("9", 157.0))}
    paths = {ball: SimpleNamespace(pieces=(piece,)) for ball, piece in lay.items()}
    return cast(Any, SimpleNamespace(paths=paths, spacing_s=SPACING_S, bed=SimpleNamespace(diameter=DIAMETER)))


def contact(t_s: float, *balls: str) -> Contact:
    return Contact(t_s=t_s, t_sigma_s=0.005, confidence=0.8, balls=(balls[0], balls[1]))


@pytest.mark.parametrize("later", [(), (contact(1.5, "cue", "9"),)])
def test_balls_of_a_pack_that_set_each_other_going_were_hit_by_an_unseen_cue_ball(later: tuple[Contact, ...]) -> None:
    (gap,) = _unseen_first(evidence(), [contact(1.02, "7", "9"), *later], [], STRUCK_S)
    assert gap.balls == ("cue",) and (gap.t0_s, gap.t1_s) == pytest.approx((1.00, 1.06))
    # One and a half diameters of 57.15 mm around the ball at (100, 200).
    assert gap.region is not None and gap.region[0] == pytest.approx((14.3, 114.3))


def test_a_cue_ball_that_is_told_to_have_touched_one_in_time_misses_nothing() -> None:
    told = [contact(1.02, "7", "9"), contact(1.03, "cue", "7")]
    assert _unseen_first(evidence(), told, [], STRUCK_S) == []
    assert _unseen_first(evidence(), [], [], STRUCK_S) == []
