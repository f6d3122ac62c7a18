"""A pack that bursts between two pictures: what the cue ball touched wasn't seen, and that is said."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from tracking.infer.unexplained import _out_of_sight, _unseen_first
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


def test_a_ball_that_sets_off_in_the_picture_of_the_strike_was_hit_by_the_cue_ball_out_of_sight() -> None:
    """Struck at (448, 2923) at 1.00 s, seen again at 1.09 s, 400 mm away; the black lay still at 1.00 s only."""
    there = np.array([845.0, 3003.0])
    rest = SimpleNamespace(at_rest=True, place=np.array([448.0, 2923.0]), t1_s=STRUCK_S)
    run = SimpleNamespace(at_rest=False, t0_s=STRUCK_S + 0.09, at=lambda t: there)
    lay = SimpleNamespace(at_rest=True, place=np.array([861.0, 3095.0]))
    black = SimpleNamespace(moved=True, pieces=(lay,), kinks=(SimpleNamespace(t_s=STRUCK_S),))
    paths = {"cue": SimpleNamespace(pieces=(rest, run)), "black": black}
    seen = cast(Any, SimpleNamespace(paths=paths, spacing_s=SPACING_S))
    (met,) = _out_of_sight(seen, [], STRUCK_S)
    assert met.balls == ("cue", "black")
    assert STRUCK_S < met.t_s < STRUCK_S + SPACING_S and not met.certain
    # what was rolling a tenth of a second before was not set off by it
    black.kinks = (SimpleNamespace(t_s=STRUCK_S - 0.1),)
    assert _out_of_sight(seen, [], STRUCK_S) == []
