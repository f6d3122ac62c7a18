"""Rule sets and policies: what can be asked for, and what the current rules change."""

import pytest
from play import cushion, hit, judged, jumped, layout, potted, shot, snooker

from referee.rules import differences
from referee.rules.differences import DIFFERENCES, Difference, lacking
from referee.rules.games import GAMES
from referee.rules.settings import POLICIES, Settings


def test_every_policy_has_its_default_among_its_readings() -> None:
    plain = Settings()
    for name, policy in POLICIES.items():
        assert not policy.choices or getattr(plain, name) in policy.choices, name
    assert {f"POL-{i}" for i in range(1, 24)} <= {policy.id for policy in POLICIES.values()}


def test_the_policies_of_the_differences_are_there() -> None:
    for each in DIFFERENCES:
        if each.policy is not None:
            name, reading = each.policy
            assert reading in POLICIES[name].choices, each.id


@pytest.mark.parametrize("game", sorted(GAMES))
def test_current_is_there_for_every_game(game: str) -> None:
    assert lacking(game) == []
    assert Settings.from_json("current", game=game).rules == "current"


def test_a_difference_that_is_not_built_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    extra = Difference(id="DIF-99", games=("snooker",), current="left-handed strokes count double")
    monkeypatch.setattr(differences, "DIFFERENCES", (*DIFFERENCES, extra))
    with pytest.raises(
        ValueError, match=r"rules: expected seed, because for snooker current still lacks DIF-99 \(left"
    ):
        Settings.from_json("current", game="snooker")


@pytest.mark.parametrize(
    ("rules", "options", "named"),
    [
        ("seeds", None, "rules: expected one of seed, current"),
        ("seed", {"snookered": "often"}, "options.snookered: expected one of any_part, both_edges"),
        ("seed", {"luck": 1}, "options.luck: expected a policy"),
        ("seed", {"balance_s": "long"}, "options.balance_s: expected a number"),
        ("seed", {"deliberate_foul_counts": 1}, "options.deliberate_foul_counts: expected true or false"),
    ],
)
def test_what_is_not_there_is_named(rules: str, options: object, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        judged(snooker(), shot(cushion(), before=layout(3)), rules=rules, options=options)


def test_a_policy_written_and_read_again() -> None:
    chosen = Settings.from_json("seed", {"snookered": "both_edges", "balance_s": 3})
    assert chosen.to_json() == {"snookered": "both_edges", "balance_s": 3.0}
    assert Settings.from_json("seed", chosen.to_json()) == chosen
    assert Settings().to_json() == {}


def test_a_replay_after_a_miss_may_bring_back_reds_too() -> None:
    record = shot(hit("green"), potted("red-1"), before=layout(2), seen=["miss"])
    choice = {"type": "official", "kind": "choose", "player": "B", "option": "replay"}
    assert "red-1" not in judged(snooker(), record, choice)["restore"]
    assert "red-1" in judged(snooker(), record, choice, options={"miss_replay": "all"})["restore"]


def test_a_miscue_on_a_jump_is_legal_under_current_rules() -> None:
    state = {"9-ball": {"stage": "play"}, "on": ["1"], "cue_ball": "as_it_lies"}
    before = {"cue": [300, 300], "1": [600, 900], "2": [600, 1500], "9": [900, 900]}
    record = shot(jumped("2"), hit("1"), cushion(), before=before, seen=["miscue"])
    assert judged(state, record, game="9-ball")["legal"] is False
    assert judged(state, record, game="9-ball", rules="current")["legal"] is True


def test_nothing_is_called_in_current_pyramid() -> None:
    state = {"pyramid-combined": {"stage": "play"}, "cue_ball": "as_it_lies"}
    before = {"cue": [300, 300], "ball-1": [600, 900], "ball-2": [600, 1500]}
    record = shot(hit("ball-1"), potted("ball-2"), before=before, seen=[{"kind": "call_valid", "value": False}])
    assert judged(state, record, game="pyramid-combined")["points"]["A"] == 0
    assert judged(state, record, game="pyramid-combined", rules="current")["points"]["A"] == 1
