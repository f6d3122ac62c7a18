"""Records without a nomination where nobody knows whether something was declared: it is asked, not taken for no."""

from typing import Any

import pytest
from eight_play import eight
from play import confirm, hit, judged, layout, options, potted, questions, shot, snooker
from pool_play import call, in_14_1, lying, nine, straight
from pyramid_play import pyramid

UNKNOWN = {"undeclared": "unknown"}


def asked(game: str, state: dict[str, Any], record: dict[str, Any], *said: Any) -> dict[str, Any]:
    return judged(state, {**record, "observed": list(said)}, game=game, options=UNKNOWN)


def test_which_ball_was_called_in_14_1() -> None:
    two = shot(hit("4"), potted("4"), potted("9"), before=lying(2, 4, 6, 9))
    verdict = asked("14.1", straight(), two)
    assert (verdict["legal"], verdict["score"]["A"], questions(verdict)) == (True, 31, {"called_ball"})
    assert (verdict["next"]["player"], verdict["undecided"][0]["clause"]) == (None, "P141-7.1a")
    assert asked("14.1", straight(), two, confirm("called_ball", "9"))["score"]["A"] == 33
    none = asked("14.1", straight(), two, confirm("called_ball", "none"))
    assert (none["score"]["A"], set(none["spot"]), none["next"]["player"]) == (31, {"4", "9"}, "B")
    assert asked("14.1", straight(), {**two, "nominated": call(4)})["score"]["A"] == 33
    assert in_14_1(straight(), two)["undecided"] == []  # nothing was declared


def test_a_stroke_that_pockets_nothing_needs_no_call() -> None:
    miss = shot(hit("4"), {"kind": "cushion", "ball": "4", "cushion": "left"}, before=lying(2, 4, 9))
    for game, state in (("14.1", straight()), ("8-ball", eight())):
        assert asked(game, state, miss)["undecided"] == []


def test_whether_a_push_out_was_declared() -> None:
    missed = shot(before=lying(2, 3, 9))
    verdict = asked("9-ball", nine("push_out_open"), missed)
    assert (verdict["legal"], questions(verdict)) == (None, {"push_out"})
    assert options(asked("9-ball", nine("push_out_open"), missed, confirm("push_out", True))) == {"accept", "pass_back"}
    assert asked("9-ball", nine("push_out_open"), missed, confirm("push_out", False))["legal"] is False
    assert asked("9-ball", nine(), missed)["legal"] is False


def test_whether_a_bank_was_called_in_8_ball() -> None:
    bank = shot(hit("2"), {"kind": "cushion", "ball": "2", "cushion": "left"}, potted("2"), before=lying(2, 3, 8, 12))
    verdict = asked("8-ball", eight(), bank)
    assert (verdict["legal"], verdict["next"]["player"], questions(verdict)) == (True, None, {"called_ball"})
    assert asked("8-ball", eight(), bank, confirm("called_ball", "2"))["next"]["player"] == "A"
    direct = asked("8-ball", eight(), shot(hit("2"), potted("2"), before=lying(2, 3, 8, 12)))
    assert (direct["next"]["player"], direct["undecided"]) == ("A", [])  # obvious: it needn't be called


def test_whether_a_ball_was_called_in_the_pyramid() -> None:
    state = pyramid((3, 5), calls="ball_pocket")
    record = shot(
        hit("ball-3"), potted("ball-3"), before={"cue": [800, 1500], "ball-3": [300, 900], "ball-4": [500, 900]}
    )
    verdict = asked("pyramid-combined", state, record)
    assert (verdict["legal"], verdict["score"]["A"], questions(verdict)) == (True, 3, {"called_ball"})
    assert asked("pyramid-combined", state, record, confirm("called_ball", True, "ball-3"))["score"]["A"] == 4
    assert asked("pyramid-combined", pyramid((3, 5)), record)["score"]["A"] == 4  # a gentleman's call isn't spoken


@pytest.mark.parametrize(("nominated", "points"), [("blue", {"A": 5, "B": 0}), ("black", {"A": 0, "B": 7})])
def test_which_colour_was_nominated(nominated: str, points: dict[str, int]) -> None:
    blue = shot(hit("blue"), potted("blue"), before=layout(5))
    verdict = asked("snooker", snooker("colour"), blue)
    assert (verdict["legal"], questions(verdict)) == (None, {"nominated"})
    assert asked("snooker", snooker("colour"), blue, confirm("nominated", nominated))["points"] == points
    assert asked("snooker", snooker("red"), shot(hit("red-1"), before=layout(5)))["undecided"] == []
