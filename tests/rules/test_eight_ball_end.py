"""8-ball: how a game is won and lost, and stalemate."""

from typing import Any

import pytest
from eight_play import FOUL, MISS, ON_8, SAFETY, eight, frame, in_8_ball, part
from play import clauses, confirm, cushion, fell, hit, off, official, potted, questions, shot
from pool_play import after, call, crossed, lying, pot, seen
from shows import BOUNDARY, SATISFIED, UNDECIDED, VIOLATED, shows

# ---------------------------------------------------------------------------------------------- EB-1b, EB-14, EB-15


@shows("EB-1b EB-10b", VIOLATED)
@shows("EB-15a EB-15b EB-15d EB-15e", SATISFIED)
def test_the_8_in_the_called_pocket_wins() -> None:
    verdict = in_8_ball(eight(frames_to_win=1), pot(8, before=ON_8))
    assert (verdict["legal"], verdict["potted"], frame(verdict)) == (True, ["8"], ("A", "won"))
    assert verdict["match"] == {"over": True, "winner": "A"}


def test_the_obvious_8_wins_without_a_call() -> None:
    assert frame(in_8_ball(eight(), shot(hit("8"), potted("8"), before=ON_8))) == ("A", "won")
    only_pocket = shot(hit("8"), cushion("8"), potted("8"), before=ON_8, nominated={"pocket": "top-left"})
    assert frame(in_8_ball(eight(), only_pocket)) == ("A", "won")


@shows("EB-15d", VIOLATED)
@shows("EB-1b", SATISFIED)
@pytest.mark.parametrize(
    "more",
    [
        {"nominated": call(8, "middle-left")},
        {"nominated": SAFETY},
        {"seen": [seen("call_valid", value=False)]},
        {"nominated": call(10)},
    ],
    ids=["another pocket", "safety", "call not valid", "another ball called"],
)
def test_the_8_otherwise_than_called_loses(more: dict[str, Any]) -> None:
    verdict = in_8_ball(eight(), shot(hit("8"), potted("8"), before=ON_8, **more))
    assert (clauses(verdict), frame(verdict), verdict["potted"]) == (["EB-15d"], ("B", "lost"), [])


def test_an_8_off_a_cushion_that_was_not_called_loses() -> None:
    assert clauses(in_8_ball(eight(), shot(hit("8"), cushion("8"), potted("8"), before=ON_8))) == ["EB-15d"]


@shows("EB-15d", UNDECIDED)
def test_an_8_whose_pocket_was_not_seen_is_asked_for() -> None:
    rest = {ball: place for ball, place in ON_8.items() if ball != "8"}
    lost = shot(hit("8"), before=ON_8, after=rest, nominated=call(8), seen=[confirm("potted", "pocket", "8")])
    verdict = in_8_ball(eight(), lost)
    assert (frame(verdict)[0], questions(verdict)) == (None, {"pocket"})


@shows("EB-15a", VIOLATED)
@pytest.mark.parametrize(
    ("events", "more"),
    [
        ([hit("8"), potted("8"), potted("cue")], {}),
        ([hit("8"), potted("8")], {"seen": ["foot_off"]}),
        ([hit("10"), hit("8", by="10"), potted("8")], {}),
        ([hit("8"), potted("8"), off("12")], {}),
    ],
    ids=["scratch", "foot", "wrong ball first", "another ball off the table"],
)
def test_the_8_with_any_foul_loses(events: list[Any], more: dict[str, Any]) -> None:
    verdict = in_8_ball(eight(), shot(*events, before=ON_8, nominated=call(8), **more))
    assert (clauses(verdict)[0], frame(verdict)) == ("EB-15a", ("B", "lost"))


@shows("EB-15b", VIOLATED)
def test_the_8_with_the_last_of_the_group_loses() -> None:
    both = shot(hit("7"), potted("7"), hit("8"), potted("8"), before=lying(7, 8, 10), nominated=call(7))
    verdict = in_8_ball(eight(), both)
    assert ({"EB-15b"} <= set(clauses(verdict)), frame(verdict)) == (True, ("B", "lost"))


@shows("EB-15e", VIOLATED)
@shows("EB-15b", SATISFIED)
@pytest.mark.parametrize("stage", ["play", "open"])
def test_the_8_too_early_loses(stage: str) -> None:
    early = shot(hit("4"), hit("8", by="4"), potted("8"), before=lying(4, 6, 7, 8, 10), nominated=call(4))
    verdict = in_8_ball(eight(stage), early)
    assert (clauses(verdict), frame(verdict)) == (["EB-15e"], ("B", "lost"))
    with_one = shot(hit("4"), potted("4"), hit("8"), potted("8"), before=lying(4, 6, 8, 10), nominated=call(4))
    assert "EB-15b" not in clauses(in_8_ball(eight(stage), with_one))


@shows("EB-13b EB-15c", VIOLATED)
def test_the_8_off_the_table_loses_at_any_time() -> None:
    verdict = in_8_ball(eight(), shot(hit("2"), hit("8", by="2"), off("8"), before=lying(2, 8, 10)))
    assert (clauses(verdict)[0], frame(verdict)) == ("EB-15c", ("B", "lost"))
    assert frame(in_8_ball(eight(), shot(hit("8"), off("8"), before=ON_8))) == ("B", "lost")
    back = {"kind": "returned", "ball": "8", "via": "rail"}
    lamp = shot(hit("8"), back, before=ON_8, seen=[seen("foreign_object", ball="8", what="lamp")])
    assert frame(in_8_ball(eight(), lamp)) == ("B", "lost")


@shows("EB-14", VIOLATED)
@shows("EB-15a", SATISFIED)
def test_a_foul_on_the_8_that_stays_up_is_no_loss() -> None:
    verdict = in_8_ball(eight(), shot(hit("8"), cushion("8"), potted("cue"), before=ON_8, nominated=call(8)))
    assert (clauses(verdict), after(verdict), verdict["frame"]["over"]) == (["PG-18"], ("B", "in_hand_any"), False)


@shows("EB-14", SATISFIED)
def test_on_the_8_another_ball_first_is_an_ordinary_foul() -> None:
    verdict = in_8_ball(eight(), shot(hit("10"), cushion("10"), before=ON_8))
    assert (clauses(verdict), verdict["frame"]["over"]) == (["EB-8a"], False)


@shows("EB-15a EB-15e", UNDECIDED)
def test_whether_the_8_fell_is_asked_before_a_game_is_lost() -> None:
    before = lying(2, 8, 10)
    unsure = shot(hit("2"), cushion("2"), potted("8", confidence=0.4), before=before, after=None)
    verdict = in_8_ball(eight(), unsure)
    assert (verdict["legal"], verdict["frame"]["over"], questions(verdict)) == (None, False, {"potted"})
    known = {**unsure, "after": before}
    assert in_8_ball(eight(), known)["legal"] is True


def test_a_hanging_8_that_falls_at_once_was_pocketed_by_the_shot() -> None:
    near = shot(hit("8"), cushion("8"), before=ON_8, nominated=call(8))
    late = shot(fell("8", 2.0), before=ON_8, strike=False)
    assert frame(in_8_ball(eight(), near, late)) == ("A", "won")
    stays = in_8_ball(eight(), near, shot(fell("8", 6.0), before=ON_8, strike=False))
    assert (stays["frame"]["over"], set(stays["restore"])) == (False, {"8"})


def test_who_plays_out_of_turn_fouls_without_losing_the_game() -> None:
    verdict = in_8_ball(eight(), shot(hit("8"), potted("8"), before=ON_8, seen=[seen("out_of_turn", player="B")]))
    assert (verdict["next"]["player"], verdict["frame"]["over"], set(verdict["spot"])) == ("A", False, {"8"})


def test_a_partner_who_plays_out_of_turn_gives_the_table_to_the_other_side() -> None:
    teams = {"A": ["A1", "A2"], "B": ["B1", "B2"]}
    state = {"teams": teams, "striker": "A1", "8-ball": {"stage": "play", "groups": {"A": "solids", "B": "stripes"}}}
    record = shot(hit("2"), cushion("2"), before=lying(2, 8, 10), seen=[seen("out_of_turn", player="A2")])
    assert after(in_8_ball(state, record)) == ("B1", "in_hand_any")


# ---------------------------------------------------------------------------------------------- EB-16: stalemate

HIS = shot(hit("2"), cushion("2"), before=lying(2, 8, 10, 12))


@shows("EB-16a", VIOLATED)
def test_six_fouls_in_turn_and_the_referee_may_void_the_game() -> None:
    state = eight(breaker="A", balls=list(lying(2, 8, 10, 12)))
    lines = [FOUL, HIS] * 3
    assert part(in_8_ball(state, *lines))["stalemate_fouls"] == 6
    verdict = in_8_ball(state, *lines, official("warn", about="stalemate"), official("void"))
    assert (frame(verdict), after(verdict)) == ((None, "void"), ("A", "in_hand_house"))
    assert (verdict["rack"], part(verdict)) == (
        "full",
        {"stage": "break", "groups": {}, "stalemate_fouls": 0, "coin_table": False},
    )


@shows("EB-16a", SATISFIED)
def test_a_legal_shot_ends_the_run() -> None:
    verdict = in_8_ball(eight(stalemate_fouls=4), MISS)
    assert part(verdict)["stalemate_fouls"] == 0


@shows("EB-16a", BOUNDARY)
@shows("EB-16b", VIOLATED)
def test_five_fouls_or_three_of_one_player_lose_nothing() -> None:
    assert part(in_8_ball(eight(), *[FOUL, HIS] * 2, FOUL))["stalemate_fouls"] == 5
    legal = shot(hit("10"), cushion("10"), before=lying(2, 8, 10, 12))
    verdict = in_8_ball(eight(), *[FOUL, legal] * 2, FOUL)
    assert (verdict["frame"]["over"], after(verdict)) == (False, ("B", "in_hand_any"))


@shows("EB-16b", SATISFIED)
def test_one_foul_is_counted_as_one() -> None:
    assert part(in_8_ball(eight(), FOUL))["stalemate_fouls"] == 1


def test_by_the_current_rules_visits_are_counted_after_the_warning() -> None:
    warned = official("warn", about="stalemate")
    safety = shot(hit("2"), cushion("2"), before=lying(2, 8, 10, 12))
    his = shot(hit("10"), cushion("10"), before=lying(2, 8, 10, 12))
    verdict = in_8_ball(eight(), safety, his, warned, safety, his, safety, rules="current")
    assert part(verdict)["stalemate_visits"] == 3
    void = in_8_ball(eight(breaker="B"), warned, safety, official("void"), rules="current")
    assert ("stalemate_visits" in part(void), void["next"]["player"]) == (False, "B")
    assert "stalemate_visits" not in part(in_8_ball(eight(), warned, safety))


def test_a_game_that_ends_before_or_on_its_break_gives_the_next_one_to_the_other() -> None:
    lost = in_8_ball(eight("break"), shot(crossed(), hit("1"), potted("3"), off("8")))
    assert (frame(lost), lost["next"]["player"]) == (("B", "lost"), "B")
    assert in_8_ball({"striker": "B"}, official("concede", player="A"))["next"]["player"] == "A"
