"""Snooker under the current rules: what differs from the seed rules (DIF-1 to DIF-14)."""

from typing import Any

import pytest
from play import clauses, confirm, cushion, hit, judged, jumped, layout, official, only, options, shot, snooker

from referee.match.log import Match

MISSED = shot(cushion(), before=layout(8), after=layout(8, cue=(300, 1500)))


def both(state: dict[str, Any], *lines: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The verdicts under the seed rules and under the current ones."""
    return judged(state, *lines), judged(state, *lines, rules="current")


def later(record: dict[str, Any], seconds: float) -> dict[str, Any]:
    return {**record, "events": [{**event, "t": event["t"] + seconds} for event in record["events"]]}


def test_a_half_hidden_ball_is_a_snooker() -> None:
    after = {**layout(0, green=(930, 1784.5), blue=(400, 1784.5)), "cue": [889, 1000], "red-1": [889, 2400]}
    seed, current = both(snooker(), shot(cushion(), before={**after, "cue": [1300, 600]}, after=after))
    assert (seed["next"]["free_ball"], current["next"]["free_ball"]) == (False, True)


def test_no_play_from_the_d_when_angled() -> None:
    record = shot(cushion(), before=layout(5), after=layout(5, cue=(5, 45)), seen=[confirm("angled", True)])
    seed, current = both(snooker(), record)
    assert ("from_D" in options(seed), "from_D" in options(current)) == (True, False)


def test_a_failure_to_hit_the_ball_on_is_a_miss_unless_it_could_not_be_hit() -> None:
    seed, current = both(snooker(), MISSED)
    assert (options(seed), options(current)) == ({"play_again"}, {"play_again", "replay"})
    assert current["announce"]["en"] == ["Foul and a miss, four points"]
    impossible = {**MISSED, "observed": [confirm("can_be_hit", False)]}
    assert options(judged(snooker(), impossible, rules="current")) == {"play_again"}


@pytest.mark.parametrize(
    ("score", "miss"),
    [((0, 0), True), ((0, 23), True), ((0, 24), False), ((0, 28), False), ((27, 0), True), ((28, 0), False)],
)
def test_no_miss_where_one_side_needs_penalty_points(score: tuple[int, int], miss: bool) -> None:
    # 27 points are left on the colours; the foul on the yellow gives B four, so A may be 23 behind before it.
    record = shot(cushion(), before=layout(0), after=layout(0, cue=(300, 1500)))
    verdict = judged(snooker("yellow", score), record, rules="current")
    assert ("replay" in options(verdict)) is miss


def test_the_third_miss_running_with_a_clear_ball_loses_the_frame() -> None:
    match = Match.from_case("snooker", snooker(), "current")
    replay = official("choose", player="B", option="replay")
    first = match.add(MISSED).verdict
    match.add(replay)
    second = match.add(later(MISSED, 60.0)).verdict
    assert "A, a third miss will lose the frame" not in first["announce"]["en"]
    assert "A, a third miss will lose the frame" in second["announce"]["en"]
    match.add(replay)
    third = match.add(later(MISSED, 120.0)).verdict
    assert third["frame"] == {"over": True, "winner": "B", "result": "lost"}
    assert third["score"] == {"A": 0, "B": 12}


def test_the_count_ends_when_the_ball_is_hit_or_the_position_is_played_on() -> None:
    replay = official("choose", player="B", option="replay")
    again = official("choose", player="B", option="play_again")
    hit_red = later(shot(hit("red-1"), before=layout(8)), 60.0)
    for between in ([replay, hit_red, later(shot(hit("red-2"), before=layout(8)), 90.0)], [again]):
        match = Match.from_case("snooker", snooker(), "current")
        match.add(MISSED)
        for line in between:
            match.add(line)
        for seconds in (120.0, 180.0):
            verdict = match.add(later(MISSED, seconds)).verdict
            if seconds == 120.0:
                match.add(replay)
        assert verdict["frame"]["over"] is False
    hidden = layout(1, red_1=(889, 2400), brown=(889, 1400), cue=(889, 1300))
    match = Match.from_case("snooker", snooker(), "current")
    for n in range(4):
        record = later(shot(cushion(), before=hidden, after={**hidden, "cue": (300, 1500)}), 60.0 * n)
        verdict = match.add(record).verdict
        match.add(replay)
    assert verdict["frame"]["over"] is False, "the red could not be hit full"


def test_a_ball_may_be_jumped_once_any_ball_was_hit() -> None:
    record = shot(hit("blue"), jumped("green"), cushion(), before=layout(4))
    seed, current = both(snooker(), record)
    assert ("SN-3.11.1i" in clauses(seed), "SN-3.11.1i" in clauses(current)) == (True, False)


def test_a_ball_moved_on_purpose_costs_seven() -> None:
    record = shot(before=layout(4), strike=False, seen=[{"kind": "deliberate", "ball": "yellow"}])
    seed, current = both(snooker(), record)
    assert (seed["penalty"], current["penalty"], clauses(seed)) == (4, 7, ["SN-3.11.2e"])


def test_the_last_black_may_be_claimed() -> None:
    claim = official("award", to="A", for_="claim")
    state = snooker("black", (60, 52), balls=only("black"))
    verdict = judged(state, claim, rules="current")
    assert (verdict["frame"], verdict["score"]) == ({"over": True, "winner": "A", "result": "won"}, {"A": 60, "B": 52})
    for refused in ({**state, "score": {"A": 59, "B": 52}}, {**state, "balls": only("pink", "black"), "on": ["pink"]}):
        with pytest.raises(ValueError, match="for: expected a claim"):
            judged(refused, claim, rules="current")


def test_only_the_striker_concedes() -> None:
    concede = official("concede", player="B")
    assert judged(snooker(), concede)["frame"]["winner"] == "A"
    with pytest.raises(ValueError, match="player: expected the striker"):
        judged(snooker(), concede, rules="current")
    assert judged(snooker(), official("concede", player="A"), rules="current")["frame"]["winner"] == "B"
