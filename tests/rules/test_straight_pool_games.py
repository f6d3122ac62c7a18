"""14.1 continuous, games: the end, teams, tables, rule sets, states of cases."""

from typing import Any

import pytest
from play import clauses, confirm, hit, official, options, potted, shot
from pool_play import BALL, after, call, in_14_1, lying, pot, straight
from shows import BOUNDARY, SATISFIED, VIOLATED, shows
from straight_play import FOULED, ILLEGAL, MISS, STOPPED, near, played, run


@shows("P141-1c P141-13b", VIOLATED, BOUNDARY)
def test_the_agreed_score_wins() -> None:
    won = in_14_1(straight(score=(149, -2)), pot(4, before=lying(2, 4, 9)))
    assert (won["frame"], won["score"]) == ({"over": True, "winner": "A", "result": "won"}, {"A": 150, "B": -2})
    assert (won["rack"], after(won), won["state"]["score"]) == (None, ("A", "in_hand_house"), {"A": 0, "B": 0})
    two = played(4, potted("4"), potted("9"), nominated=call(4))
    assert in_14_1(straight(score=(149, 3)), two)["score"]["A"] == 151
    assert in_14_1(straight(score=(99, 3), target=100), pot(4, before=lying(2, 4)))["frame"]["over"] is True
    last = in_14_1(straight(score=(149, 3), frames_to_win=1), pot(4, before=lying(2, 4)))
    assert (last["match"], last["next"]["player"]) == ({"over": True, "winner": "A"}, None)


@shows("P141-1c P141-13b P141-13a", SATISFIED)
def test_one_less_does_not() -> None:
    verdict = in_14_1(straight(score=(148, -2)), pot(4, before=lying(2, 4, 9)))
    assert (verdict["frame"]["over"], verdict["score"]) == (False, {"A": 149, "B": -2})
    scratched = played(4, potted("4"), potted("cue"), nominated=call(4))
    assert in_14_1(straight(score=(149, 3)), scratched)["score"]["A"] == 148


@shows("P141-13a", VIOLATED)
def test_scores_may_be_negative() -> None:
    verdict = in_14_1(straight(score=(0, 0)), FOULED)
    assert verdict["score"] == {"A": -1, "B": 0}
    assert verdict["announce"] == {
        "en": ["Foul, no cushion after the contact", "Minus one, on one foul", "A minus one, B zero"],
        "ru": [
            verdict["announce"]["ru"][0],
            "Минус одно очко, один фол подряд",
            "Счёт: A минус один, B ноль",
        ],
    }


def test_the_current_rules_differ() -> None:
    """Section 3 of the clauses: DIF-15 to DIF-19."""

    def current(state: dict[str, Any], *lines: dict[str, Any]) -> dict[str, Any]:
        return in_14_1(state, *lines, rules="current")

    assert current(straight(fouls=(2, 0)), FOULED)["penalty"] == 16
    assert current(straight(near_cushion={"ball": "6", "safeties": {"A": 2}}), near())["legal"] is True
    assert run(current(straight(), near())) is None
    announced = near(seen=[confirm("frozen", True, "6")], before=lying(2, 4, 9, b6=(BALL / 2, 1200)))
    assert clauses(current(straight(), announced)) == ["SUP-PG-37"]
    conduct = current(straight(), STOPPED)
    assert (set(clauses(conduct)), conduct["penalty"], options(conduct)) == ({"P141-7.2a", "PG-19a"}, 1, set())
    stuck = current(straight(), official("void"))
    assert (stuck["frame"]["over"], stuck["rack"], stuck["score"]) == (False, "full", {"A": 31, "B": 20})
    assert stuck["next"]["player"] is None
    replayed = in_14_1(straight(breaker="B"), official("void"))
    assert (replayed["frame"]["result"], replayed["score"], replayed["next"]["player"]) == (
        "void",
        {"A": 0, "B": 0},
        "B",
    )


@shows("P141-2", VIOLATED)
def test_two_teams_may_play() -> None:
    teams = {"A": ["A1", "A2"], "B": ["B1", "B2"]}
    state = {**straight(), "teams": teams, "order": ["A1", "B1", "A2", "B2"], "striker": "A1"}
    state.pop("players")
    assert in_14_1(state, MISS)["next"]["player"] == "B1"
    third = in_14_1({**state, "14.1": {"fouls": {"A": 2}, "opening": False}}, FOULED)
    assert (third["next"]["player"], third["score"]["A"]) == ("A1", 16)
    assert third["state"]["order"] == ["A1", "B1", "A2", "B2"]


def test_what_a_case_leaves_out() -> None:
    begun = in_14_1({"players": ["A", "B"]}, ILLEGAL)
    assert clauses(begun) == ["P141-6b"]
    middle = in_14_1({"players": ["A", "B"], "balls": lying(2, 4, 9)}, FOULED)
    assert (clauses(middle), middle["state"]["14.1"]["target"]) == (["P141-7.2a"], 150)
    assert clauses(in_14_1({"players": ["A", "B"], "score": {"A": 3}}, FOULED)) == ["P141-7.2a"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("target", 0),
        ("opening", "yes"),
        ("fouls", {"A": -1}),
        ("near_cushion", {"ball": "red-1"}),
        ("near_cushion", {"ball": "6", "safeties": {"C": 1}}),
        ("near_cushion", 3),
    ],
)
def test_a_state_that_is_none_is_refused(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"14\.1\.{field}"):
        in_14_1({"players": ["A", "B"], "14.1": {field: value}}, FOULED)


@pytest.mark.parametrize(
    ("table", "foot_spot"),
    [
        ("pool-8ft", [584.2, 1752.6]),
        ("pool-7ft", [495.5, 1485.75]),
        ({"length": 2200, "width": 1100, "ball_diameter": 57}, [550, 1650]),
    ],
)
def test_other_tables_have_their_own_marks(table: Any, foot_spot: list[float]) -> None:
    record = shot(hit("4"), potted("4"), before={"cue": [300, 900], "4": [400, 1000], "9": [700, 1000]})
    verdict = in_14_1(straight(table=table), record)
    assert verdict["spot"] == {"4": [pytest.approx(coordinate) for coordinate in foot_spot]}
