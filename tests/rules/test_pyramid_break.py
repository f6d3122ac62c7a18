"""Combined pyramid: rack, lag, the break and what follows from it, states of cases, words."""

from typing import Any

import pytest
from play import clauses, confirm, cushion, hit, off, official, options, potted, questions, shot
from pool_play import after, seen
from pyramid_play import (
    BALL,
    HOUSE,
    RACK,
    SPOT,
    TABLE,
    ball,
    broke,
    cushions,
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

BREAK = pyramid((0, 0), "break")
WEAK = broke(*cushions("ball-8"))
GOOD = broke(*cushions("ball-2", "ball-6", "ball-15"))


def choose(player: str, option: str) -> dict[str, Any]:
    return official("choose", player=player, option=option)


# ---------------------------------------------------------------------------------------------- PC-2, SUP-PYR-1 to 3


@shows("SUP-PYR-1", VIOLATED, SATISFIED)
def test_marks_of_the_12_foot_table() -> None:
    assert (TABLE.head_string, TABLE.foot_spot, TABLE.centre_spot) == (887.5, (887.5, 2662.5), (887.5, 1775.0))
    assert TABLE.in_house((100, 887.4))
    assert not TABLE.in_house((100, 887.5))
    assert TABLE.behind_foot_line((100, 2662.6))
    assert not TABLE.behind_foot_line((100, 2662.5))


@shows("PC-2 SUP-PYR-2", SATISFIED)
def test_a_right_rack_is_left_alone_whatever_the_balls_are_called() -> None:
    assert in_pyramid({}, shot(before=RACK, strike=False))["rack"] is None
    names = list(RACK)
    renamed = dict(zip(names[::-1], RACK.values(), strict=True))
    assert in_pyramid({}, shot(before={**renamed, "cue": [500, 300]}, strike=False))["rack"] is None


@shows("PC-2 SUP-PYR-2", VIOLATED)
@pytest.mark.parametrize(("aside", "rack"), [(2.9, None), (3.1, "full"), (40, "full")])
def test_a_ball_away_from_its_place_is_racked_again(aside: float, rack: str | None) -> None:
    x, y = RACK["ball-9"]
    verdict = in_pyramid({}, shot(before={**RACK, "ball-9": [x + aside, y]}, strike=False))
    assert (verdict["rack"], verdict["next"]["player"]) == (rack, "A")
    fourteen = {name: place for name, place in RACK.items() if name != "ball-9"}
    assert in_pyramid(BREAK, shot(before=fourteen, strike=False))["rack"] == "full"


def lag(a: tuple[float, float], b: tuple[float, float], *events: Any) -> dict[str, Any]:
    reached = [cushion("A", "top"), cushion("B", "top"), *events]
    timed = [{"t": 1 + i / 10, **event} for i, event in enumerate(reached)]
    record = {"type": "shot", "before": {"A": [500, 600], "B": [1200, 600]}, "events": timed, "after": {"A": a, "B": b}}
    return official("lag", record=record)


@shows("SUP-PYR-3", VIOLATED)
def test_the_lag_is_lost_by_who_is_farther_away_or_breaks_a_rule() -> None:
    assert in_pyramid({}, lag((500, 300), (1200, 200)))["next"]["player"] == "B"
    side = in_pyramid({}, lag((500, 100), (1200, 200), cushion("A", "left")))
    assert (side["next"]["player"], clauses(side)) == ("B", ["SUP-PYR-3"])


@shows("SUP-PYR-3", SATISFIED)
def test_the_winner_breaks_and_then_breaks_alternate() -> None:
    verdict = in_pyramid({}, lag((500, 100), (1200, 200)))
    assert (after(verdict), options(verdict)) == (("A", "in_hand_house"), set())
    won = in_pyramid(pyramid((7, 6), breaker="A"), shot(hit("ball-3"), potted("ball-3"), before=lying(3, 4)))
    assert after(won) == ("B", "in_hand_house")
    assert in_pyramid({}, official("toss", winner="B"))["next"]["player"] == "B"


# ---------------------------------------------------------------------------------------------- PC-3, SUP-PYR-4


@shows("PC-3b SUP-PYR-4", VIOLATED)
@shows("PC-3c PC-3d", SATISFIED)
def test_a_break_that_meets_the_conditions_passes_the_turn() -> None:
    verdict = in_pyramid(BREAK, GOOD)
    assert (verdict["legal"], score(verdict), after(verdict)) == (True, (0, 0), ("B", "as_it_lies"))
    assert (options(verdict), verdict["state"]["pyramid-combined"]["stage"]) == (set(), "play")


@shows("SUP-PYR-4", BOUNDARY, SATISFIED)
@pytest.mark.parametrize(
    ("events", "legal"),
    [
        (cushions("ball-2", "ball-6", "ball-15"), True),
        (cushions("ball-2", "ball-6"), False),
        (cushions("ball-2", "ball-6", "ball-6"), False),
        ([*cushions("ball-2", "ball-6"), over_the_middle("ball-9")], True),
        ([*cushions("ball-2", "ball-6"), over_the_middle("ball-6")], False),
        ([*cushions("ball-2"), over_the_middle("ball-9"), over_the_middle("ball-3")], False),
        ([], False),
        ([potted("ball-5")], True),
    ],
)
def test_three_balls_at_cushions_or_two_and_one_over_the_middle(events: list[Any], legal: bool) -> None:
    assert in_pyramid(BREAK, broke(*events))["legal"] is legal


def test_what_the_cue_ball_reached_before_the_rack_does_not_count() -> None:
    way = [over_the_middle("cue"), cushion("cue", "left"), hit("ball-1")]
    assert in_pyramid(BREAK, broke(*cushions("ball-2", "ball-6"), first=way))["legal"] is False


def test_the_number_of_balls_is_a_policy() -> None:
    two = broke(*cushions("ball-2", "ball-6"))
    assert in_pyramid(BREAK, two, options={"pyramid_break_balls": 2})["legal"] is True


@shows("PC-3c SUP-PYR-4", VIOLATED)
@shows("PC-3b", SATISFIED)
def test_after_a_weak_break_the_opponent_accepts_or_breaks() -> None:
    verdict = in_pyramid(BREAK, WEAK)
    assert (clauses(verdict), verdict["penalty"], score(verdict)) == (["SUP-PYR-4"], 0, (0, 0))
    assert (after(verdict), options(verdict)) == (("B", "as_it_lies"), {"accept", "rebreak_self"})
    accepted = in_pyramid(BREAK, WEAK, choose("B", "accept"))
    assert (after(accepted), options(accepted), accepted["rack"]) == (("B", "as_it_lies"), set(), None)
    racked = in_pyramid(BREAK, WEAK, choose("B", "rebreak_self"))
    assert (after(racked), racked["rack"], len(left(racked))) == (("B", "in_hand_house"), "full", 15)
    assert racked["state"]["pyramid-combined"]["stage"] == "break"
    again = in_pyramid(BREAK, WEAK, choose("B", "rebreak_self"), broke(potted("ball-3")))
    assert (score(again), again["next"]["player"]) == ((0, 1), "B")


@shows("SUP-PYR-4", UNDECIDED)
def test_cushions_of_the_break_that_were_not_seen_are_asked_for() -> None:
    verdict = in_pyramid(BREAK, broke(*cushions("ball-2", "ball-6"), cushion("ball-9", confidence=0.4)))
    assert (verdict["legal"], questions(verdict)) == (None, {"cushion_after_contact"})
    assert verdict["undecided"][0]["clause"] == "SUP-PYR-4"
    unseen = broke(*cushions("ball-2"), gaps=[{"t0": 10.25, "t1": 10.5, "balls": None, "region": None}])
    assert questions(in_pyramid(BREAK, unseen)) == {"cushion_after_contact"}


@shows("SUP-PYR-7 PC-4f", VIOLATED)
def test_a_cue_ball_off_the_table_on_the_break_costs_a_ball_and_leaves_the_choice() -> None:
    flew = broke(off("cue"))
    verdict = in_pyramid(BREAK, flew)
    assert (set(clauses(verdict)), verdict["penalty"], score(verdict)) == ({"PC-4f", "SUP-PYR-4"}, 1, (0, 1))
    assert (after(verdict), options(verdict)) == (("B", "in_hand_house"), {"accept", "rebreak_self", "take_ball"})
    taken = in_pyramid(BREAK, flew, penalty_ball("B", 3))
    assert (score(taken), len(left(taken)), options(taken)) == ((0, 1), 14, set())
    accepted = in_pyramid(BREAK, flew, choose("B", "accept"))
    assert options(accepted) == {"take_ball"}
    racked = in_pyramid(BREAK, flew, choose("B", "rebreak_self"))
    assert (score(racked), racked["points"], len(left(racked))) == ((0, 0), {"A": 0, "B": 0}, 15)
    good = in_pyramid(BREAK, broke(*cushions("ball-2", "ball-6", "ball-15"), off("cue")))
    assert (clauses(good), options(good)) == (["PC-4f"], {"take_ball"})


@pytest.mark.parametrize(
    ("events", "penalty", "cue_ball"), [([potted("cue")], 1, "in_hand_house"), ([cushion("cue")], 0, "as_it_lies")]
)
def test_a_break_that_misses_the_rack(events: list[Any], penalty: int, cue_ball: str) -> None:
    verdict = in_pyramid(BREAK, broke(*events, first=[]))
    assert {"SUP-PYR-4", "SUP-PYR-11"} == set(clauses(verdict))
    assert (verdict["penalty"], after(verdict)) == (penalty, ("B", cue_ball))
    assert {"accept", "rebreak_self"} <= options(verdict)


@shows("PC-3d PC-3a", VIOLATED)
@shows("PC-4a PC-4b", SATISFIED)
@pytest.mark.parametrize("calls", ["gentleman", "ball_pocket"])
def test_all_that_falls_on_the_break_counts_without_a_call(calls: str) -> None:
    fell = broke(potted("ball-4"), potted("ball-7"), potted("cue"), seen=[seen("call_valid", value=False)])
    verdict = in_pyramid(pyramid((0, 0), "break", calls), fell)
    assert (verdict["legal"], score(verdict), set(verdict["potted"])) == (True, (3, 0), {"ball-4", "ball-7", "cue"})
    assert (after(verdict), options(verdict)) == (("A", "in_hand_house"), {"take_ball"})
    taken = in_pyramid(pyramid((0, 0), "break", calls), fell, shelf("A", 9))
    assert (score(taken), len(left(taken)), after(taken)) == ((3, 0), 12, ("A", "in_hand_house"))


@shows("PC-3a", SATISFIED)
def test_later_a_call_is_needed_where_balls_are_called() -> None:
    uncalled = shot(hit("ball-4"), potted("ball-4"), before=lying(4, 5, 6))
    assert in_pyramid(pyramid(calls="ball_pocket"), uncalled)["potted"] == []


def test_a_svoyak_alone_makes_the_break_good() -> None:
    verdict = in_pyramid(BREAK, broke(potted("cue")))
    assert (verdict["legal"], score(verdict), verdict["potted"]) == (True, (1, 0), ["cue"])


@shows("SUP-PYR-9", VIOLATED)
def test_an_object_ball_off_the_table_on_the_break() -> None:
    verdict = in_pyramid(BREAK, broke(*cushions("ball-2", "ball-6", "ball-15"), off("ball-9")))
    assert (clauses(verdict), score(verdict), after(verdict)) == (["SUP-PYR-9"], (0, 1), ("B", "as_it_lies"))
    assert verdict["spot"] == {"ball-9": SPOT}


def test_a_foul_on_a_good_break_puts_everything_back() -> None:
    verdict = in_pyramid(BREAK, broke(potted("ball-4"), potted("ball-7"), seen=["foot_off"]))
    assert (score(verdict), options(verdict)) == ((0, 1), {"take_ball"})
    assert verdict["spot"] == {"ball-4": SPOT, "ball-7": [SPOT[0], pytest.approx(SPOT[1] + BALL)]}


@shows("SUP-PYR-6", BOUNDARY)
@pytest.mark.parametrize(("y", "legal"), [(HOUSE - 0.5, True), (HOUSE, False), (HOUSE + 0.5, False)])
def test_the_break_is_played_from_behind_the_house_line(y: float, legal: bool) -> None:
    verdict = in_pyramid(BREAK, broke(*cushions("ball-2", "ball-6", "ball-15"), before={**RACK, "cue": [800, y]}))
    assert (verdict["legal"], clauses(verdict)) == (legal, [] if legal else ["SUP-PYR-6"])
    on_line = {**RACK, "cue": [800, HOUSE]}
    allowed = in_pyramid(BREAK, broke(potted("ball-2"), before=on_line), options={"cue_ball_on_line": "allowed"})
    assert allowed["legal"] is True


# ---------------------------------------------------------------------------------------------- states and words


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"score": {"A": 8, "B": 0}}, "score.A"),
        ({"pyramid-combined": {"stage": "open"}}, "stage"),
        ({"pyramid-combined": {"calls": "loud"}}, "calls"),
        ({"pyramid-combined": {"take_ball": [{"player": "C", "for": "svoyak"}]}}, "take_ball"),
        ({"pyramid-combined": {"take_ball": [{"player": "A", "for": "luck"}]}}, "take_ball"),
        ({"balls": ["cue", "red-1"]}, "balls"),
    ],
)
def test_a_state_that_cannot_be_is_refused(state: dict[str, Any], message: str) -> None:
    with pytest.raises(MalformedRecord, match=message):
        in_pyramid(state, GOOD)


def test_a_case_begins_with_the_break_unless_it_says_otherwise() -> None:
    assert in_pyramid({}, GOOD)["state"]["pyramid-combined"] == {"stage": "play", "calls": "gentleman"}
    placed = in_pyramid({}, official("rack"))
    assert (after(placed), placed["next"]["on"]) == (("A", "in_hand_house"), ["any"])
    middle = shot(hit("ball-4"), potted("ball-4"), before=lying(4, 5, 6))
    assert in_pyramid({"striker": "B"}, middle)["score"] == {"A": 0, "B": 1}
    policy = in_pyramid({}, GOOD, options={"pyramid_calls": "ball_pocket"})
    assert policy["state"]["pyramid-combined"]["calls"] == "ball_pocket"


def test_a_verdicts_state_can_be_played_on_from() -> None:
    own = shot(hit("ball-4"), potted("cue"), before=lying(4, 5, 6))
    state = in_pyramid(pyramid(), own)["state"]
    assert options(in_pyramid(state, official("rack"))) == {"take_ball"}
    verdict = in_pyramid(state, shelf("A", 5))
    assert (score(verdict), left(verdict)) == ((3, 3), {"ball-4", "ball-6"})


@pytest.mark.parametrize(
    ("state", "lines", "english", "russian"),
    [
        (
            pyramid(),
            [shot(hit("ball-4"), potted("cue"), before=lying(4, 5, 6))],
            ["Three : three", "Own ball, take a ball from the table", "Cue ball in hand from the house"],
            ["Три : три", "Свояк, снимите шар со стола", "Биток с руки из дома"],
        ),
        (
            pyramid(),
            [shot(cushion("cue"), before=lying(4, 5, 6))],
            ["Foul, no ball hit", "Penalty, B takes a ball", "Two : four"],
            ["Фол, не задет ни один шар", "Штраф, B снимает шар", "Два : четыре"],
        ),
        (
            BREAK,
            [WEAK],
            ["Illegal break, accept or re-rack?"],
            ["Неправильный начальный удар, принять позицию или разбить заново?"],
        ),
        (BREAK, [WEAK, choose("B", "rebreak_self")], ["Balls racked, B breaks"], ["Шары установлены, разбивает B"]),
        (
            pyramid((7, 3)),
            [shot(hit("ball-4"), potted("cue"), before=lying(4, 5, 6))],
            ["Eight : three", "Eight balls, game, A"],
            ["Восемь : три", "Восемь шаров — партия, A"],
        ),
        (
            pyramid(calls="ball_pocket"),
            [shot(hit("ball-4"), potted("ball-4"), potted("ball-5"), before=lying(4, 5, 6))],
            ["Two balls spotted"],
            ["Выставить два шара"],
        ),
        (
            pyramid(),
            [shot(hit("ball-4"), potted("cue"), before=lying(4, 5, 6)), shelf("A", ball(4).count("-") + 4)],
            ["A takes a ball"],
            ["A снимает шар"],
        ),
    ],
)
def test_what_the_referee_says(state: Any, lines: list[Any], english: list[str], russian: list[str]) -> None:
    assert in_pyramid(state, *lines)["announce"] == {"en": english, "ru": russian}


def test_a_confirmed_doubt_is_settled() -> None:
    unsure = broke(*cushions("ball-2", "ball-6"), cushion("ball-9", confidence=0.4))
    assert in_pyramid(BREAK, {**unsure, "observed": [confirm("cushion_after_contact", False)]})["legal"] is False
