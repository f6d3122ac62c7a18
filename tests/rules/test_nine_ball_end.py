"""9-ball: fouls, balls off the table, three fouls running, the end of the game and the match."""

from typing import Any

import pytest
from nine_play import GOOD_BREAK, MISS, TO_BREAK, WRONG, broke
from play import clauses, confirm, cushion, hit, moved, off, official, potted, shot
from pool_play import BALL, FOOT, after, fouls, in_9_ball, lying, nine, returned, seen
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

# ---------------------------------------------------------------------------------------------- NB-6 to NB-10


@shows("NB-8 PG-17", VIOLATED)
@shows("NB-10b", SATISFIED)
def test_nothing_pocketed_and_no_cushion_after_the_contact() -> None:
    before = lying(3, 5, 9)
    assert clauses(in_9_ball(nine(), shot(hit("3"), before=before))) == ["NB-8"]
    assert clauses(in_9_ball(nine(), shot(cushion(), hit("3"), before=before))) == ["NB-8"]
    assert in_9_ball(nine(), shot(cushion(), hit("3"), cushion("5"), before=before))["legal"] is True
    assert in_9_ball(nine(), shot(hit("3"), potted("5"), before=before))["legal"] is True
    assert clauses(in_9_ball(nine(), shot(before=before))) == ["NB-7"]  # nothing hit


@shows("NB-8 PG-17", SATISFIED, UNDECIDED)
def test_a_cushion_of_which_nobody_is_sure() -> None:
    unsure = shot(hit("3"), cushion("3", confidence=0.5), before=lying(3, 5, 9))
    verdict = in_9_ball(nine(), unsure)
    assert (verdict["legal"], verdict["undecided"][0]) == (
        None,
        {"question": "cushion_after_contact", "clause": "NB-8", "needs": "referee"},
    )
    said = in_9_ball(nine(), {**unsure, "observed": [confirm("cushion_after_contact", False)]})
    assert clauses(said) == ["NB-8"]
    assert fouls(verdict) == {"A": None, "B": 0}, "his count hangs on it, the other's doesn't"


@shows("NB-6a NB-10b NB-6c PG-24", VIOLATED)
@shows("NB-6a", SATISFIED)
def test_wrongly_pocketed_balls_stay_down_but_the_9_is_spotted() -> None:
    verdict = in_9_ball(nine(), shot(hit("5"), potted("9"), potted("2"), off("5"), before=lying(2, 3, 5, 9)))
    assert (set(clauses(verdict)), verdict["spot"], verdict["potted"]) == ({"NB-7", "NB-10b"}, {"9": FOOT}, [])
    assert (set(verdict["state"]["balls"]), fouls(verdict)["A"]) == ({"3", "9"}, 1)  # the cue ball is in hand
    assert verdict["next"]["on"] == ["3"]


@shows("NB-10b NB-10a PG-23a PG-23d", VIOLATED)
def test_an_object_ball_off_the_table_is_a_foul_and_stays_out() -> None:
    verdict = in_9_ball(nine(), shot(hit("2"), off("6"), cushion(), before=lying(2, 6, 9)))
    assert (clauses(verdict), verdict["spot"], "6" in verdict["state"]["balls"]) == (["NB-10b"], {}, False)
    off_9 = in_9_ball(nine(), shot(hit("2"), off("9"), cushion(), before=lying(2, 6, 9)))
    assert off_9["spot"] == {"9": FOOT}


@shows("NB-9a PG-8", VIOLATED, SATISFIED, BOUNDARY)
@shows("NB-9b", VIOLATED)
def test_the_cue_ball_in_hand_goes_anywhere_but_against_an_object_ball() -> None:
    state = nine(cue_ball="in_hand_any", foul_by="B", balls={"4": [820, 1460], "9": [1000, 900]})

    def placed(x: float, y: float) -> Any:
        lines = [official("place_cue_ball", at=[x, y]), official("ask", player="A", about="placement")]
        return in_9_ball(state, *lines)["answer"]

    assert placed(820 + BALL, 1460) is False
    assert placed(820 + BALL + 0.5, 1460) is True
    assert placed(300, 300) is True and placed(635, 2500) is True
    assert placed(20, 300) is False  # not on the bed
    told = in_9_ball(state, official("place_cue_ball", at=[877.15, 1460]))
    assert (told["legal"], after(told)) == (None, ("A", "in_hand_any"))
    again = in_9_ball(state, official("place_cue_ball", at=[877.15, 1460]), official("place_cue_ball", at=[600, 1460]))
    assert (again["legal"], again["announce"]["en"], after(again)) == (None, [], ("A", "in_hand_any"))


@shows("NB-9b NB-12b", SATISFIED)
def test_the_cue_ball_in_hand_may_be_handled() -> None:
    state = nine(cue_ball="in_hand_any", foul_by="B")
    handled = shot(
        moved("cue", "player"), strike=False, before=lying(4, 9), seen=[seen("touched", ball="cue", by="hand")]
    )
    verdict = in_9_ball(state, handled)
    assert (verdict["legal"], after(verdict), fouls(verdict)["A"]) == (True, ("A", "in_hand_any"), 0)


# ---------------------------------------------------------------------------------------------- NB-11: three fouls


@shows("NB-11a NB-11b", VIOLATED, BOUNDARY)
def test_the_third_foul_running_loses_the_game_after_a_warning() -> None:
    verdict = in_9_ball(nine(fouls=(2, 0), warned={"A": True}), WRONG)
    assert verdict["frame"] == {"over": True, "winner": "B", "result": "lost"}
    assert (verdict["legal"], verdict["next"]["player"], verdict["next"]["cue_ball"]) == (False, "B", "in_hand_house")
    assert fouls(verdict) == {"A": 0, "B": 0}  # the next game begins
    assert fouls(in_9_ball(nine(fouls=(1, 0), warned={"A": True}), WRONG)) == {"A": 2, "B": 0}


@shows("NB-11b", SATISFIED)
def test_without_the_warning_the_count_stays_at_two() -> None:
    verdict = in_9_ball(nine(fouls=(2, 0)), WRONG)
    assert (verdict["frame"]["over"], fouls(verdict), after(verdict)) == (False, {"A": 2, "B": 0}, ("B", "in_hand_any"))
    loss = in_9_ball(nine(fouls=(2, 0)), WRONG, options={"third_foul_unwarned": "loss"})
    assert loss["frame"]["winner"] == "B"


@shows("NB-11b", VIOLATED)
def test_the_warning_counts_between_the_second_foul_and_the_third() -> None:
    other = shot(hit("2"), cushion("2"), before=lying(2, 3, 5, 9))
    warning = official("warn", player="A", about="two_fouls")
    assert in_9_ball(nine(fouls=(1, 0)), WRONG, warning, other, WRONG)["frame"]["winner"] == "B"
    assert in_9_ball(nine(fouls=(1, 0)), warning, WRONG, other, WRONG)["frame"]["over"] is False  # too early
    both = official("warn", about="two_fouls")
    assert in_9_ball(nine(fouls=(1, 0)), WRONG, both, other, WRONG)["frame"]["winner"] == "B"
    told = in_9_ball(nine(fouls=(1, 0)), WRONG, warning)
    assert told["state"]["9-ball"]["warned"] == {"A": True, "B": False}
    assert told["announce"]["en"] == ["You are on two fouls: A"]


@shows("NB-11a", SATISFIED)
def test_a_legal_shot_between_ends_the_run() -> None:
    warned = nine(fouls=(2, 0), warned={"A": True})
    other = shot(hit("2"), cushion("2"), before=lying(2, 3, 5, 9))
    verdict = in_9_ball(warned, MISS, other, WRONG)
    assert (verdict["frame"]["over"], fouls(verdict)) == (False, {"A": 1, "B": 0})
    assert in_9_ball(warned, MISS)["state"]["9-ball"]["warned"] == {"A": False, "B": False}


# ---------------------------------------------------------------------------------------------- NB-12, NB-13, NB-4c


@shows("NB-12b PG-19a", VIOLATED)
@shows("NB-12a", VIOLATED)
def test_a_foul_between_shots_ends_the_visit_too() -> None:
    touch = shot(
        moved("7", "player"), strike=False, before=lying(3, 7, 9), seen=[seen("touched", ball="7", by="clothing")]
    )
    verdict = in_9_ball(nine(), shot(hit("2"), potted("2"), before=lying(2, 3, 7, 9)), touch)
    assert (clauses(verdict), after(verdict), fouls(verdict)["A"]) == (["PG-19a"], ("B", "in_hand_any"), 1)


@shows("NB-4c NB-13b", VIOLATED)
@pytest.mark.parametrize(
    ("state", "record"),
    [
        (TO_BREAK, broke(hit("1"), potted("9"))),
        (nine(), shot(hit("2"), hit("9", by="2"), potted("9"), before=lying(2, 3, 9))),
        (nine(), shot(hit("9"), potted("9"), before=lying(9))),
        (nine(), shot(hit("2"), potted("2"), potted("9"), before=lying(2, 3, 9))),
    ],
)
def test_the_9_on_a_legal_shot_wins(state: dict[str, Any], record: dict[str, Any]) -> None:
    verdict = in_9_ball(state, record)
    assert verdict["frame"] == {"over": True, "winner": "A", "result": "won"}
    assert "9" in verdict["potted"] and verdict["spot"] == {}


@shows("NB-4c NB-13b NB-1e", SATISFIED)
def test_the_9_with_a_foul_does_not_win() -> None:
    verdict = in_9_ball(nine(), shot(hit("2"), potted("9"), potted("cue"), before=lying(2, 3, 9)))
    assert (clauses(verdict), verdict["frame"]["over"], verdict["spot"]) == (["PG-18"], False, {"9": FOOT})
    beside = in_9_ball(nine(), shot(hit("3"), potted("9"), before=lying(2, 3, 9), after=lying(2, b3=(655, 1915))))
    assert beside["spot"] == {"9": [635, pytest.approx(1968.54, abs=0.01)]}


@shows("NB-4c", VIOLATED)
def test_a_game_may_be_awarded_for_a_serious_breach() -> None:
    verdict = in_9_ball(nine(), official("award", to="B", for_="conduct"))
    assert verdict["frame"] == {"over": True, "winner": "B", "result": "awarded"}


@shows("NB-1e", VIOLATED)
@shows("SUP-PG-29", VIOLATED)
def test_the_match_ends_with_the_set_number_of_games_and_the_winner_breaks_the_next() -> None:
    win = shot(hit("9"), potted("9"), before=lying(9))
    verdict = in_9_ball(nine(frames={"A": 2, "B": 3}, frames_to_win=4, striker="A", breaker="B"), win)
    assert (verdict["match"]["over"], after(verdict), verdict["state"]["frames"]) == (
        False,
        ("A", "in_hand_house"),
        {"A": 3, "B": 3},
    )
    assert verdict["state"]["9-ball"] == {
        "stage": "break",
        "fouls": {"A": 0, "B": 0},
        "warned": {"A": False, "B": False},
    }
    last = in_9_ball(nine(frames={"A": 3, "B": 3}, frames_to_win=4), win)
    assert (last["match"], last["next"]["player"]) == ({"over": True, "winner": "A"}, None)
    assert last["announce"] == {
        "en": ["Game, A", "A wins by four games to three"],
        "ru": ["Партия, A", "Матч выиграл A, счёт четыре — три"],
    }


@shows("SUP-PG-29", SATISFIED)
@pytest.mark.parametrize(
    ("way", "games", "player"),
    [
        ("winner", (0, 0), "A"),
        ("alternate", (0, 0), "B"),
        ("loser", (0, 0), "B"),
        ("trailing", (0, 0), "B"),
        ("trailing", (0, 2), "A"),
        ("trailing", (2, 3), "B"),  # three games each: in turn
    ],
)
def test_the_organisers_may_choose_who_breaks_the_next_game(way: str, games: tuple[int, int], player: str) -> None:
    state = nine(frames={"A": games[0], "B": games[1]}, breaker="A")
    verdict = in_9_ball(state, shot(hit("9"), potted("9"), before=lying(9)), options={"next_break": way})
    assert verdict["next"]["player"] == player


def test_the_current_rules_differ() -> None:
    """Section 3 of the clauses: DIF-32."""
    miscue = shot(
        {"kind": "jump", "ball": "cue", "over": "3", "touched": False},
        *(hit("2"), cushion("2")),
        before=lying(2, 3, 9),
        seen=["miscue"],
    )
    assert in_9_ball(nine(), miscue, rules="current")["legal"] is True
    assert clauses(in_9_ball(nine(), miscue)) == ["PG-22b"]


def test_a_ball_that_came_back_to_the_bed_is_in_play() -> None:
    verdict = in_9_ball(nine(), shot(hit("2"), returned("2"), cushion(), before=lying(2, 3, 9)))
    assert (verdict["legal"], verdict["next"]["on"]) == (True, ["2"])


@pytest.mark.parametrize(
    ("field", "value"),
    [("stage", "middle"), ("fouls", {"C": 1}), ("fouls", {"A": -1}), ("warned", {"A": 1}), ("fouls", [])],
)
def test_a_state_that_is_none_is_refused(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"9-ball\.{field}"):
        in_9_ball({"players": ["A", "B"], "9-ball": {field: value}}, GOOD_BREAK)
