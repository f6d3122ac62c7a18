"""8-ball: rack, break and what may be chosen after it, balls in the house, states of cases."""

from typing import Any

import pytest
from eight_play import (
    FOUL,
    GROUPS,
    MISS,
    ON_8,
    OPEN,
    RACK,
    WEAK,
    broke,
    choose,
    cushions,
    eight,
    frame,
    in_8_ball,
    part,
)
from play import clauses, confirm, cushion, hit, off, official, options, potted, questions, shot
from pool_play import FOOT, HEAD, after, call, crossed, lying, pot
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

from tracking.strict_json import MalformedRecord

SCRATCHED = broke(potted("3"), potted("cue"))

# ---------------------------------------------------------------------------------------------- EB-3: the rack


def swapped(one: str, other: str) -> dict[str, Any]:
    return {**RACK, one: RACK[other], other: RACK[one]}


@shows("EB-3 PG-2", SATISFIED)
def test_a_right_rack_is_left_alone() -> None:
    assert in_8_ball({}, shot(before=RACK, strike=False))["rack"] is None
    assert in_8_ball({}, shot(before={**RACK, "cue": [600, 500]}, strike=False))["rack"] is None


@shows("EB-3 PG-2", VIOLATED)
@pytest.mark.parametrize("wrong", [swapped("9", "6"), swapped("3", "10"), swapped("8", "5")])
def test_a_wrong_rack_is_set_up_again(wrong: dict[str, Any]) -> None:
    """Two balls of one group at the rear corners, or the 8 not in the centre."""
    verdict = in_8_ball({}, shot(before=wrong, strike=False))
    assert (verdict["rack"], verdict["next"]["player"], part(verdict)["stage"]) == ("full", "A", "break")


@shows("EB-3", BOUNDARY)
@pytest.mark.parametrize(("aside", "rack"), [(2.9, None), (3.1, "full")])
def test_how_far_a_ball_may_be_from_its_place(aside: float, rack: str | None) -> None:
    x, y = RACK["14"]
    assert in_8_ball({}, shot(before={**RACK, "14": [x + aside, y]}, strike=False))["rack"] == rack


def test_balls_of_which_only_the_group_was_seen_are_racked_by_it() -> None:
    names = {b: f"solid-{b}" if int(b) < 8 else b if b == "8" else f"stripe-{int(b) - 8}" for b in RACK}
    seen_so = {names[ball]: place for ball, place in RACK.items()}
    assert in_8_ball({}, shot(before=seen_so, strike=False))["rack"] is None
    unknown = {f"ball-{i + 1}": place for i, place in enumerate(RACK.values())}
    assert in_8_ball({}, shot(before=unknown, strike=False))["rack"] is None


# ---------------------------------------------------------------------------------------------- EB-4, EB-5: the break


@shows("EB-4a", VIOLATED)
def test_the_winner_of_the_lag_may_give_the_break_away() -> None:
    won = official("lag", winner="B")
    assert options(in_8_ball({}, won)) == {"break_self", "break_other"}
    assert in_8_ball({}, won, choose("B", "break_other"))["next"]["player"] == "A"


@shows("EB-4a", SATISFIED)
def test_the_winner_of_the_lag_breaks_if_nobody_says_otherwise() -> None:
    assert in_8_ball({}, official("lag", winner="B"))["next"]["player"] == "B"
    with pytest.raises(MalformedRecord, match="option"):
        in_8_ball({}, official("lag", winner="B"), choose("A", "break_other"))


@shows("EB-4b", VIOLATED)
@pytest.mark.parametrize("winner", ["A", "B"])
def test_single_players_break_in_turn_whoever_won(winner: str) -> None:
    state = eight(breaker="A", striker=winner, frames_to_win=3, groups={"A": "solids", "B": "stripes"})
    balls = lying(8, 10) if winner == "A" else lying(8, 1)
    verdict = in_8_ball(state, pot(8, before=balls))
    assert (frame(verdict), after(verdict)) == ((winner, "won"), ("B", "in_hand_house"))


@shows("EB-4b", SATISFIED)
def test_of_teams_the_winner_breaks() -> None:
    teams = {"A": ["A1", "A2"], "B": ["B1", "B2"]}
    state = {"teams": teams, "striker": "A1", "breaker": "A1", "8-ball": {"stage": "play", "groups": GROUPS}}
    verdict = in_8_ball(state, pot(8, before=lying(8, 10)))
    assert verdict["next"]["player"] in teams["A"]


@shows("EB-5a EB-6b EB-7a PG-4", VIOLATED)
@shows("EB-5b EB-5f EB-5c EB-2d EB-5g", SATISFIED)
def test_four_object_balls_to_cushions_make_a_legal_break() -> None:
    verdict = in_8_ball({}, broke(*cushions("2", "5", "11", "14")))
    assert (verdict["legal"], after(verdict), verdict["next"]["on"]) == (True, ("B", "as_it_lies"), OPEN)
    assert part(verdict) == {"stage": "open", "groups": {}, "stalemate_fouls": 0, "coin_table": False}


@shows("EB-5a", BOUNDARY, SATISFIED)
@pytest.mark.parametrize(
    ("at_cushions", "legal"),
    [(("2", "5", "11"), False), (("2", "5", "11", "cue"), False), (("2", "2", "5", "11"), False)],
)
def test_fewer_than_four_object_balls_do_not(at_cushions: tuple[str, ...], legal: bool) -> None:
    assert in_8_ball({}, broke(*cushions(*at_cushions)))["legal"] is legal


@shows("EB-2d EB-7a", VIOLATED)
@shows("EB-7b", SATISFIED)
def test_what_falls_on_a_legal_break_lets_the_breaker_go_on_and_decides_no_group() -> None:
    verdict = in_8_ball({}, broke(potted("3"), potted("12"), nominated=call(3)))
    assert (verdict["potted"], after(verdict)) == (["3", "12"], ("A", "as_it_lies"))
    assert (part(verdict)["stage"], part(verdict)["groups"], verdict["next"]["on"]) == ("open", {}, OPEN)


@shows("EB-7a EB-6b", SATISFIED)
def test_the_next_shot_decides_the_group() -> None:
    verdict = in_8_ball({}, broke(potted("3")), pot(12, before=lying(1, 2, 8, 12)))
    assert part(verdict)["groups"] == {"A": "stripes", "B": "solids"}


@shows("EB-5b", VIOLATED)
@shows("EB-5a", SATISFIED)
def test_after_a_weak_break_the_opponent_has_three_choices() -> None:
    verdict = in_8_ball({}, WEAK)
    assert (clauses(verdict), after(verdict)) == (["EB-5b"], ("B", "as_it_lies"))
    assert options(verdict) == {"accept", "rebreak_self", "rebreak"}
    assert part(verdict)["stage"] == "open"


@pytest.mark.parametrize(
    ("option", "player", "stage", "rack"),
    [("accept", "B", "open", None), ("rebreak_self", "B", "break", "full"), ("rebreak", "A", "break", "full")],
)
def test_what_the_choice_after_a_weak_break_leads_to(option: str, player: str, stage: str, rack: str | None) -> None:
    verdict = in_8_ball({}, WEAK, choose("B", option))
    assert (verdict["next"]["player"], part(verdict)["stage"], verdict["rack"]) == (player, stage, rack)
    assert options(verdict) == set()
    assert verdict["next"]["cue_ball"] == ("as_it_lies" if option == "accept" else "in_hand_house")


def test_a_break_after_a_break_is_judged_as_one() -> None:
    verdict = in_8_ball({}, WEAK, choose("B", "rebreak_self"), broke(potted("11")))
    assert (verdict["legal"], verdict["next"]["player"], part(verdict)["stage"]) == (True, "B", "open")


def test_only_the_opponent_may_choose() -> None:
    with pytest.raises(MalformedRecord, match="option"):
        in_8_ball({}, WEAK, choose("A", "rebreak"))


@shows("EB-5b EB-5a", UNDECIDED)
def test_whether_the_break_was_legal_is_asked_where_cushions_were_not_seen() -> None:
    weak = broke(*cushions("2", "11", "5"), cushion("14", "left", confidence=0.5))
    verdict = in_8_ball({}, weak)
    assert (verdict["legal"], questions(verdict)) == (None, {"cushion_after_contact"})
    assert verdict["undecided"][0]["clause"] == "EB-5a"
    weak["observed"] = [confirm("cushion_after_contact", True)]
    assert in_8_ball({}, weak)["legal"] is True


@shows("EB-5c EB-5d EB-6b", VIOLATED)
@shows("EB-5h EB-13c", SATISFIED)
def test_a_scratch_on_the_break_gives_the_house_and_what_fell_stays_down() -> None:
    verdict = in_8_ball({}, SCRATCHED)
    assert (clauses(verdict), after(verdict)) == (["EB-5c"], ("B", "in_hand_house"))
    assert (verdict["spot"], verdict["potted"], options(verdict)) == ({}, [], set())
    assert "3" not in verdict["state"]["balls"]
    assert part(verdict)["stage"] == "open"


def test_the_cue_ball_off_the_table_on_the_break_is_the_same() -> None:
    verdict = in_8_ball({}, broke(potted("3"), off("cue")))
    assert (clauses(verdict), after(verdict)) == (["EB-5c"], ("B", "in_hand_house"))


@shows("EB-5d", SATISFIED)
def test_a_scratch_later_on_gives_the_whole_table() -> None:
    verdict = in_8_ball(eight("open"), shot(hit("2"), cushion("2"), potted("cue"), before=lying(2, 3, 8, 10)))
    assert (clauses(verdict), after(verdict)) == (["PG-18"], ("B", "in_hand_any"))


def test_a_weak_break_with_a_scratch_leaves_the_choices_and_the_house() -> None:
    verdict = in_8_ball({}, broke(potted("cue")))
    assert set(clauses(verdict)) == {"EB-5b", "EB-5c"}
    assert (after(verdict), options(verdict)) == (("B", "in_hand_house"), {"accept", "rebreak_self", "rebreak"})


def test_a_foul_on_the_break_of_which_the_book_says_nothing_gives_the_whole_table() -> None:
    verdict = in_8_ball({}, broke(potted("3"), seen=["foot_off"]))
    assert (clauses(verdict), after(verdict), options(verdict)) == (["PG-11"], ("B", "in_hand_any"), set())


@shows("EB-5f EB-13c PG-26a", VIOLATED)
def test_an_object_ball_off_the_table_on_the_break() -> None:
    flew = broke(potted("9"), off("4"))
    verdict = in_8_ball({}, flew)
    assert (clauses(verdict), after(verdict)) == (["EB-5f"], ("B", "as_it_lies"))
    assert (options(verdict), verdict["spot"]) == ({"accept", "house"}, {"4": FOOT})
    accepted = in_8_ball({}, flew, choose("B", "accept"))
    assert (after(accepted), options(accepted)) == (("B", "as_it_lies"), set())
    house = in_8_ball({}, flew, choose("B", "house"))
    assert (after(house), "cue" in house["state"]["balls"]) == (("B", "in_hand_house"), False)


@shows("EB-5g", VIOLATED)
@shows("EB-15e EB-5i", SATISFIED)
def test_the_8_on_a_legal_break_is_spotted_or_racked_again() -> None:
    fell_so = broke(potted("8"), potted("3"))
    verdict = in_8_ball({}, fell_so)
    assert (verdict["legal"], options(verdict), verdict["potted"]) == (True, {"rebreak", "spot_and_play"}, ["3"])
    assert (after(verdict), set(verdict["spot"]), verdict["frame"]["over"]) == (("A", "as_it_lies"), {"8"}, False)
    again = in_8_ball({}, fell_so, choose("A", "rebreak"))
    assert (after(again), again["rack"], again["spot"]) == (("A", "in_hand_house"), "full", {})
    assert (part(again)["stage"], len(again["state"]["balls"])) == ("break", 15)


@shows("EB-5h EB-5c", VIOLATED)
@shows("EB-15a EB-5j", SATISFIED)
def test_the_8_and_the_cue_ball_on_the_break() -> None:
    both = broke(potted("8"), potted("cue"))
    verdict = in_8_ball({}, both)
    assert (after(verdict), options(verdict)) == (("B", "in_hand_house"), {"rebreak_self", "spot_and_play"})
    assert (set(verdict["spot"]), verdict["frame"]["over"]) == ({"8"}, False)
    racked = in_8_ball({}, both, choose("B", "rebreak_self"))
    assert (after(racked), racked["rack"], racked["spot"]) == (("B", "in_hand_house"), "full", {})


@shows("EB-5i EB-5j", VIOLATED)
@shows("EB-5g EB-5h", SATISFIED)
def test_on_a_coin_table_the_8_on_the_break_decides() -> None:
    coin = eight("break", coin_table=True)
    assert frame(in_8_ball(coin, broke(potted("8")))) == ("A", "won")
    verdict = in_8_ball(coin, broke(potted("8"), potted("cue")))
    assert (frame(verdict), clauses(verdict)[0]) == (("B", "lost"), "EB-5j")
    assert part(verdict)["coin_table"] is True


@shows("EB-15c EB-13b", VIOLATED)
def test_the_8_off_the_table_on_the_break_loses_unless_the_policy_spots_it() -> None:
    flew = broke(potted("3"), off("8"))
    assert frame(in_8_ball({}, flew)) == ("B", "lost")
    verdict = in_8_ball({}, flew, options={"eight_off_on_break": "spotted"})
    assert (verdict["frame"]["over"], set(verdict["spot"]), options(verdict)) == (False, {"8"}, {"accept", "house"})


# ---------------------------------------------------------------------------------------------- EB-5e: the house

HOUSE = eight("open", cue_ball="in_hand_house", foul_by="B")
IN_HOUSE = lying(2, 8, 10, cue=(800, 500), b5=(400, 300))


@shows("EB-5e", VIOLATED)
@shows("EB-6e EB-2c EB-11a", VIOLATED)
def test_a_ball_in_the_house_played_directly_is_a_foul_and_stays_down() -> None:
    verdict = in_8_ball(HOUSE, shot(hit("5"), potted("5"), before=IN_HOUSE, nominated=call(5)))
    assert "EB-5e" in clauses(verdict)
    assert (after(verdict), verdict["potted"], verdict["spot"]) == (("B", "in_hand_any"), [], {})
    assert "5" not in verdict["state"]["balls"]


@shows("EB-5e", SATISFIED)
def test_by_way_of_the_foot_cushion_it_may_be_played() -> None:
    around = shot(crossed(), cushion("cue", "top"), hit("5"), potted("5"), before=IN_HOUSE, nominated=call(5))
    assert in_8_ball(HOUSE, around)["legal"] is True
    outside = shot(crossed(), hit("2"), potted("2"), before=IN_HOUSE, nominated=call(2))
    assert in_8_ball(HOUSE, outside)["legal"] is True


@shows("EB-5e", BOUNDARY)
@pytest.mark.parametrize(("y", "legal"), [(HEAD, True), (HEAD - 0.5, False)])
def test_a_ball_on_the_head_string_is_not_in_the_house(y: float, legal: bool) -> None:
    before = lying(2, 8, 10, cue=(800, 500), b5=(400, y))
    assert in_8_ball(HOUSE, shot(hit("5"), cushion("5"), before=before))["legal"] is legal


@shows("EB-5e", UNDECIDED)
def test_where_the_ball_lay_is_asked_if_it_is_not_known() -> None:
    unknown = shot(hit("5"), cushion("5"))
    verdict = in_8_ball({**HOUSE, "balls": ["2", "5", "8", "10"]}, unknown)
    assert (verdict["legal"], "in_house" in questions(verdict)) == (None, True)


# ---------------------------------------------------------------------------------------------- states and words


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"stage": "play"}, "groups"),
        ({"stage": "open", "groups": GROUPS}, "groups"),
        ({"groups": {"A": "solids", "B": "solids"}}, "groups.B"),
        ({"groups": {"A": "stripes", "C": "solids"}}, "groups"),
        ({"stage": "over"}, "stage"),
        ({"stalemate_fouls": -1}, "stalemate_fouls"),
        ({"coin_table": 1}, "coin_table"),
    ],
)
def test_a_state_that_cannot_be_is_refused(own: dict[str, Any], message: str) -> None:
    with pytest.raises(MalformedRecord, match=message):
        in_8_ball({"8-ball": own}, MISS)


def test_a_verdicts_state_can_be_played_on_from() -> None:
    first = in_8_ball(eight("open"), pot(2, before=lying(2, 3, 8, 10)))
    again = in_8_ball(first["state"], pot(3, before=lying(3, 8, 10)))
    assert (again["potted"], again["next"]["on"]) == (["3"], ["8"])


@pytest.mark.parametrize(
    ("state", "line", "english", "russian"),
    [
        ({}, broke(*cushions("2", "5", "11", "14")), ["Table open"], ["Стол открыт"]),
        (
            {},
            WEAK,
            ["Illegal break: accept, re-rack and break, or re-rack for the breaker?"],
            ["Неправильное разбитие: принять, разбить самому или уступить?"],
        ),
        (
            {},
            SCRATCHED,
            ["Foul, cue ball pocketed", "Ball in hand behind the head string"],
            ["Фол, биток в лузе", "Биток с руки из дома"],
        ),
        (
            {},
            broke(potted("8")),
            ["Eight on the break: spot it and play, or re-rack?"],
            ["Восьмёрка с разбоя: выставить и играть или разбить заново?"],
        ),
        (eight("open"), pot(2, before=lying(2, 8, 10)), ["Solids"], ["Сплошные"]),
        (eight(), FOUL, ["Foul, wrong ball first", "Ball in hand"], ["Фол, первым задет не тот шар", "Биток с руки"]),
        (
            eight(),
            pot(8, before=lying(2, 8, 10)),
            ["Loss of game, the 8 pocketed with a foul", "Game, B"],
            ["Партия проиграна, восьмёрка забита с фолом", "Партия, B"],
        ),
        (eight(), pot(8, before=ON_8), ["Game, A"], ["Партия, A"]),
    ],
)
def test_what_the_referee_says(state: Any, line: dict[str, Any], english: list[str], russian: list[str]) -> None:
    assert in_8_ball(state, line)["announce"] == {"en": english, "ru": russian}


def test_the_8_is_announced_as_spotted_once_that_is_chosen() -> None:
    verdict = in_8_ball({}, broke(potted("8")), choose("A", "spot_and_play"))
    assert verdict["announce"] == {"en": ["Ball 8 spotted"], "ru": ["Шар 8 выставлен"]}


def test_a_ball_of_no_known_group_beside_all_fifteen_may_be_of_any() -> None:
    record = shot(hit("1"), off("ball-1"), before={**RACK, "cue": [600, 500], "ball-1": [300, 300]})
    verdict = in_8_ball({}, record)
    assert {"question": "group", "clause": "EB-1a", "needs": "referee", "ball": "ball-1"} in verdict["undecided"]
