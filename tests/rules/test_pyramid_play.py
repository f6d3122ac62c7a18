"""Combined pyramid: who plays on, svoyak and shelf, calls, the eighth ball."""

from typing import Any

import pytest
from play import clauses, confirm, cushion, hit, official, options, potted, questions, shot
from pool_play import after, crossed, seen
from pyramid_play import (
    MISS,
    NOTHING_HIT,
    SPOT,
    SVOYAK,
    TABLE,
    TEN,
    frame,
    in_pyramid,
    left,
    lying,
    over_the_middle,
    penalty_ball,
    pyramid,
    score,
    shelf,
)
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

from tracking.strict_json import MalformedRecord

# ---------------------------------------------------------------------------------------------- PC-4c, 4d, SUP-PYR-5


@shows("PC-4c PC-1", SATISFIED)
@shows("PC-4d SUP-PYR-5", VIOLATED)
@shows("PC-4e SUP-PYR-7 SUP-PYR-11", SATISFIED)
def test_a_foul_free_miss_passes_the_turn() -> None:
    verdict = in_pyramid(pyramid(), MISS)
    assert (verdict["legal"], score(verdict), after(verdict)) == (True, (2, 3), ("B", "as_it_lies"))
    assert (verdict["penalty"], verdict["next"]["on"], options(verdict)) == (0, ["any"], set())


@shows("PC-4c", VIOLATED)
@shows("PC-4d", SATISFIED)
def test_who_pockets_a_ball_goes_on() -> None:
    verdict = in_pyramid(pyramid(), shot(hit("ball-4"), potted("ball-4"), potted("ball-5"), before=lying(4, 5, 6, 7)))
    assert (score(verdict), after(verdict), verdict["break"]) == ((4, 3), ("A", "as_it_lies"), 2)
    assert left(verdict) == {"ball-6", "ball-7"}


@shows("SUP-PYR-5", BOUNDARY, SATISFIED)
@pytest.mark.parametrize(
    ("events", "legal"),
    [
        ([cushion("ball-5"), cushion("cue")], True),
        ([cushion("ball-5"), cushion("ball-5", "left")], True),
        ([cushion("cue")], False),
        ([], False),
        ([over_the_middle("ball-5")], True),
        ([over_the_middle("cue")], True),
        ([potted("ball-6")], True),
    ],
)
def test_after_the_contact_two_cushions_or_the_middle_or_a_pocket(events: list[Any], legal: bool) -> None:
    verdict = in_pyramid(pyramid(), shot(hit("ball-5"), *events, before=lying(5, 6, 7)))
    assert (verdict["legal"], clauses(verdict)) == (legal, [] if legal else ["SUP-PYR-5"])


def test_what_came_before_the_contact_does_not_count() -> None:
    early = shot(cushion("cue"), over_the_middle("cue"), hit("ball-5"), cushion("cue"), before=lying(5, 6, 7))
    assert clauses(in_pyramid(pyramid(), early)) == ["SUP-PYR-5"]


@shows("SUP-PYR-5", UNDECIDED)
@pytest.mark.parametrize(
    "events", [[cushion("cue"), cushion("ball-5", confidence=0.4)], [over_the_middle("cue", confidence=0.4)]]
)
def test_what_may_not_have_been_reached_is_asked_for(events: list[Any]) -> None:
    verdict = in_pyramid(pyramid(), shot(hit("ball-5"), *events, before=lying(5, 6, 7)))
    assert (verdict["legal"], score(verdict), questions(verdict)) == (None, (2, 3), {"cushion_after_contact"})
    assert verdict["undecided"][0]["clause"] == "SUP-PYR-5"
    settled = shot(hit("ball-5"), *events, before=lying(5, 6, 7), seen=[confirm("cushion_after_contact", True)])
    assert in_pyramid(pyramid(), settled)["legal"] is True


def test_what_was_hidden_near_the_middle_is_asked_for() -> None:
    strip = [[0, 1700], [1775, 1700], [1775, 1850], [0, 1850]]
    hidden = [{"t0": 10.15, "t1": 10.4, "balls": None, "region": strip}]
    verdict = in_pyramid(pyramid(), shot(hit("ball-5"), cushion("cue"), before=lying(5, 6, 7), gaps=hidden))
    assert questions(verdict) == {"cushion_after_contact"}


# ---------------------------------------------------------------------------------------------- PC-4g: svoyak


@shows("PC-4g PC-1", VIOLATED)
@shows("PC-4f SUP-PYR-10", SATISFIED)
def test_a_svoyak_scores_and_a_ball_is_taken_for_it() -> None:
    verdict = in_pyramid(pyramid(), SVOYAK)
    assert (verdict["potted"], verdict["points"], score(verdict)) == (["cue"], {"A": 1, "B": 0}, (3, 3))
    assert (after(verdict), options(verdict)) == (("A", "in_hand_house"), {"take_ball"})
    taken = in_pyramid(pyramid(), SVOYAK, shelf("A", 2))
    assert (score(taken), options(taken), "ball-2" in left(taken)) == ((3, 3), set(), False)
    assert (taken["legal"], taken["potted"], after(taken)) == (True, ["cue"], ("A", "in_hand_house"))
    chosen = in_pyramid(pyramid(), SVOYAK, official("choose", player="A", option="take_ball", ball="ball-2"))
    assert (score(chosen), left(chosen)) == (score(taken), left(taken))


@shows("PC-4g", SATISFIED)
def test_a_cue_ball_that_touched_nothing_is_no_svoyak() -> None:
    verdict = in_pyramid(pyramid(), shot(cushion("cue"), potted("cue"), before=lying(*TEN)))
    assert (clauses(verdict), score(verdict), after(verdict)) == (["SUP-PYR-11"], (2, 4), ("B", "in_hand_house"))


def test_svoyak_and_object_balls_all_count() -> None:
    both = shot(hit("ball-2"), potted("ball-2"), potted("cue"), before=lying(*TEN))
    verdict = in_pyramid(pyramid(), both, shelf("A", 7))
    assert (score(verdict), len(left(verdict))) == ((4, 3), 8)


@shows("SUP-PYR-10", VIOLATED)
def test_a_ball_not_taken_before_the_next_stroke_stays_and_the_point_is_lost() -> None:
    follow = shot(crossed("house_line"), hit("ball-4"), potted("ball-4"), before=lying(*TEN, cue=(800, 600)))
    verdict = in_pyramid(pyramid(), SVOYAK, follow)
    assert (verdict["points"], score(verdict)) == ({"A": 0, "B": 0}, (3, 3))
    miss = shot(crossed("house_line"), hit("ball-4"), over_the_middle("ball-4"), before=lying(*TEN, cue=(800, 600)))
    missed = in_pyramid(pyramid(), SVOYAK, miss)
    assert (missed["points"], score(missed), after(missed)) == ({"A": -1, "B": 0}, (2, 3), ("B", "as_it_lies"))
    with pytest.raises(MalformedRecord, match="a ball to take"):
        in_pyramid(pyramid(), SVOYAK, miss, shelf("A", 7))


def test_a_ball_that_is_no_longer_there_has_been_taken_though_nobody_said_so() -> None:
    rest = lying(*TEN[1:], cue=(800, 600))
    miss = shot(crossed("house_line"), hit("ball-4"), over_the_middle("ball-4"), before=rest)
    verdict = in_pyramid(pyramid(), SVOYAK, miss)
    assert (verdict["points"], score(verdict), len(left(verdict))) == ({"A": 0, "B": 0}, (3, 3), 9)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (shelf("B", 2), "player"),
        (shelf("A", 12), "ball"),
        (official("shelf", player="A", ball="cue"), "ball"),
        (official("shelf", player="A"), "ball"),
        (official("shelf", player="C", ball="ball-2"), "player"),
        (official("choose", player="A", option="rebreak"), "option"),
    ],
)
def test_what_cannot_be_taken_is_refused(line: dict[str, Any], message: str) -> None:
    with pytest.raises(MalformedRecord, match=message):
        in_pyramid(pyramid(), SVOYAK, line)
    with pytest.raises(MalformedRecord):
        in_pyramid(pyramid(), MISS, shelf("A", 2))


# ---------------------------------------------------------------------------------------------- PC-4a, 4b: calls

BY_LUCK = shot(hit("ball-2"), cushion("ball-2"), hit("ball-7", by="ball-2"), potted("ball-7"), before=lying(2, 7, 8))
NOT_VALID = seen("call_valid", value=False)


@shows("PC-4a", VIOLATED)
def test_a_contested_ball_does_not_count_and_is_spotted() -> None:
    verdict = in_pyramid(pyramid(), {**BY_LUCK, "observed": [NOT_VALID]})
    assert (verdict["legal"], verdict["potted"], score(verdict)) == (True, [], (2, 3))
    assert (verdict["spot"], after(verdict)) == ({"ball-7": SPOT}, ("B", "as_it_lies"))


@shows("PC-4a", SATISFIED)
def test_uncontested_balls_count() -> None:
    assert in_pyramid(pyramid(), BY_LUCK)["potted"] == ["ball-7"]
    valid = {**BY_LUCK, "observed": [seen("call_valid", value=True)]}
    assert in_pyramid(pyramid(), valid)["potted"] == ["ball-7"]


def test_a_spoken_call_stands_and_single_balls_can_be_contested() -> None:
    two = shot(hit("ball-2"), potted("ball-2"), potted("ball-7"), before=lying(2, 7, 8))
    called = {**two, "nominated": {"ball": "ball-2", "pocket": "top-left"}, "observed": [NOT_VALID]}
    verdict = in_pyramid(pyramid(), called)
    assert (verdict["potted"], set(verdict["spot"]), verdict["next"]["player"]) == (["ball-2"], {"ball-7"}, "A")
    one = in_pyramid(pyramid(), {**two, "observed": [{**NOT_VALID, "ball": "ball-2"}]})
    assert (one["potted"], set(one["spot"])) == (["ball-7"], {"ball-2"})


def test_a_contested_svoyak_is_no_foul() -> None:
    verdict = in_pyramid(pyramid(), {**SVOYAK, "observed": [NOT_VALID]})
    assert (verdict["legal"], score(verdict), options(verdict)) == (True, (2, 3), set())
    assert after(verdict) == ("B", "in_hand_house")


@shows("SUP-PYR-13", VIOLATED, SATISFIED)
def test_by_the_current_rules_nothing_is_called() -> None:
    contested = {**BY_LUCK, "observed": [NOT_VALID]}
    state = {"score": {"A": 2, "B": 3}, "pyramid-combined": {"stage": "play"}}
    assert in_pyramid(state, contested, rules="current")["potted"] == ["ball-7"]
    assert in_pyramid(state, contested)["potted"] == []


@shows("PC-4b", VIOLATED)
@pytest.mark.parametrize(
    ("nominated", "potted_balls"),
    [
        ({"balls": ["ball-4", "ball-9"], "pockets": ["top-left", "top-right"]}, ["ball-9"]),
        ({"balls": ["ball-4", "ball-9"], "pockets": ["top-right", "top-left"]}, []),
        ({"ball": "ball-9", "pocket": "top-right"}, ["ball-9"]),
        ({"ball": "ball-4", "pocket": "top-right"}, []),
        (None, []),
    ],
)
def test_where_balls_are_called_only_these_count(nominated: dict[str, Any] | None, potted_balls: list[str]) -> None:
    events = [hit("ball-4"), hit("ball-9", by="ball-4"), potted("ball-9", "top-right")]
    record = shot(*events, before=lying(3, 4, 9), **({} if nominated is None else {"nominated": nominated}))
    verdict = in_pyramid(pyramid((3, 5), calls="ball_pocket"), record)
    assert (verdict["legal"], verdict["potted"], score(verdict)) == (True, potted_balls, (3 + len(potted_balls), 5))
    assert verdict["spot"] == ({} if potted_balls else {"ball-9": SPOT})
    assert verdict["next"]["player"] == ("A" if potted_balls else "B")


@shows("PC-4b", SATISFIED)
def test_a_third_call_is_none() -> None:
    three = {"balls": ["ball-4", "ball-9", "ball-3"], "pockets": ["top-left", "top-right", "top-left"]}
    record = shot(hit("ball-4"), potted("ball-3"), before=lying(3, 4, 9), nominated=three)
    assert in_pyramid(pyramid(calls="ball_pocket"), record)["potted"] == []


def test_a_svoyak_can_be_called() -> None:
    called = {**SVOYAK, "nominated": {"ball": "cue", "pocket": "top-left"}}
    assert in_pyramid(pyramid(calls="ball_pocket"), called)["potted"] == ["cue"]
    uncalled = in_pyramid(pyramid(calls="ball_pocket"), SVOYAK)
    assert (uncalled["legal"], uncalled["potted"], after(uncalled)) == (True, [], ("B", "in_hand_house"))


@shows("PC-4b", UNDECIDED)
def test_into_which_pocket_a_called_ball_fell_is_asked() -> None:
    before = lying(3, 4, 9)
    rest = {name: place for name, place in before.items() if name != "ball-4"}
    call = {"ball": "ball-4", "pocket": "top-left"}
    lost = shot(hit("ball-4"), before=before, after=rest, nominated=call, seen=[confirm("potted", "pocket", "ball-4")])
    verdict = in_pyramid(pyramid(calls="ball_pocket"), lost)
    assert (questions(verdict), score(verdict)) == ({"pocket"}, (2, 3))


# ---------------------------------------------------------------------------------------------- PC-1: eight balls


@shows("PC-1", BOUNDARY, VIOLATED)
@pytest.mark.parametrize(("balls", "over"), [(6, False), (7, True)])
def test_the_eighth_ball_wins(balls: int, over: bool) -> None:
    verdict = in_pyramid(pyramid((balls, 6)), shot(hit("ball-3"), potted("ball-3"), before=lying(3, 4)))
    assert (verdict["frame"]["over"], score(verdict)) == (over, (balls + 1, 6))
    assert frame(verdict) == (("A", "won") if over else (None, None))


def test_a_svoyak_or_a_penalty_may_be_the_eighth() -> None:
    own = shot(hit("ball-3"), potted("cue"), before=lying(3, 4))
    verdict = in_pyramid(pyramid((7, 6), frames_to_win=1), own)
    assert (frame(verdict), verdict["match"]) == (("A", "won"), {"over": True, "winner": "A"})
    taken = in_pyramid(pyramid((7, 6), breaker="A"), own, shelf("A", 3))
    assert (frame(taken), score(taken), taken["next"]["player"]) == (("A", "won"), (8, 6), "B")
    penalty = in_pyramid(pyramid((7, 7)), shot(cushion("cue"), before=lying(3)))
    assert (frame(penalty), score(penalty)) == (("B", "won"), (7, 8))
    after_it = in_pyramid(pyramid((7, 7)), shot(cushion("cue"), before=lying(3)), penalty_ball("B", 3))
    assert (frame(after_it), score(after_it)) == (("B", "won"), (7, 8))
    with pytest.raises(MalformedRecord, match="player"):
        in_pyramid(pyramid((7, 7)), shot(cushion("cue"), before=lying(3)), penalty_ball("A", 3))


def test_more_than_eight_at_once_still_wins() -> None:
    two = shot(hit("ball-3"), potted("ball-3"), potted("ball-4"), before=lying(3, 4))
    assert frame(in_pyramid(pyramid((7, 6)), two)) == ("A", "won")


def test_a_foul_not_called_in_time_counts_for_nothing() -> None:
    his = shot(hit("ball-5"), cushion("ball-5"), cushion("cue"), before=lying(*TEN))
    verdict = in_pyramid(pyramid(), NOTHING_HIT, his, official("not_called"))
    assert (score(verdict), TABLE.name) == ((2, 3), "pyramid-12ft")


def test_an_unseen_first_contact_came_before_the_seen_one_and_so_before_the_cushions_after_it() -> None:
    """Any ball may be hit first, so nothing hangs on which it was."""
    gap = {"t0": 10.0, "t1": 10.05, "balls": None, "region": None}
    events = [hit("ball-5"), cushion("ball-5"), cushion("cue")]
    moved_rest = lying(5, 7, b6=(1500, 2400))
    verdict = in_pyramid(pyramid(), shot(*events, before=lying(5, 6, 7), after=moved_rest, gaps=[gap]))
    assert (verdict["legal"], verdict["undecided"]) == (True, [])
