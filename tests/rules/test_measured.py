"""Positions measured by a camera: what is nearer to a limit than they are exact is a question."""

import random

import pytest
from generators import new_match, random_line, random_match
from hypothesis import given, settings
from hypothesis import strategies as st
from play import clauses, confirm, cushion, hit, judged, layout, official, questions, shot, snooker
from pool_play import lying, nine

from referee.match.log import Match
from referee.rules.games import GAMES
from tracking.records import ShotRecord

MEASURED = {"measured_mm": 3.0}


@pytest.mark.parametrize(
    ("place", "legal"), [((889, 450), True), ((889, 446), None), ((889, 444), None), ((889, 440), False)]
)
def test_near_the_line_of_the_d(place: tuple[float, float], legal: bool | None) -> None:
    record = shot(hit("red-1"), before=layout(8, cue=place))
    verdict = judged(snooker(cue_ball="in_hand_D"), record, options=MEASURED)
    assert verdict["legal"] is legal
    assert questions(verdict) == ({"bad_placement"} if legal is None else set())


@pytest.mark.parametrize(("air", "legal"), [(0.0, None), (2.0, None), (3.5, False)])
def test_whether_balls_touch(air: float, legal: bool | None) -> None:
    before = layout(5, red_3=(480, 2720), cue=(480, 2720 - 52.5 - air))
    after = {**before, "cue": [250, 2100]}
    verdict = judged(snooker(), shot(cushion(side="left"), before=before, after=after), options=MEASURED)
    assert verdict["legal"] is legal


def test_a_snooker_by_a_hairs_breadth_is_asked() -> None:
    # Two balls in front leave a gap 2 mm wider than a ball: open if exact, a question within 3 mm.
    spread = 52.5 + 54.5
    row = {"green": (889 - spread / 2, 1500), "brown": (889 + spread / 2, 1500)}
    row |= {"yellow": (889 - spread / 2 - 53, 1500), "blue": (889 + spread / 2 + 53, 1500)}
    after = {"cue": (889, 1440), "red-1": (889, 1800), **row, "pink": (300, 300), "black": (1500, 300)}
    record = shot(cushion(), before={**after, "cue": (300, 900)}, after=after)
    assert judged(snooker(), record)["next"]["free_ball"] is False
    verdict = judged(snooker(), record, options=MEASURED)
    assert (verdict["legal"], questions(verdict)) == (False, {"snookered"})
    said = {**record, "observed": [confirm("snookered", True)]}
    assert judged(snooker(), said, options=MEASURED)["next"]["free_ball"] is True


@pytest.mark.parametrize(("y", "legal"), [(630.0, True), (634.0, None), (636.0, None), (640.0, False)])
def test_near_the_head_string(y: float, legal: bool | None) -> None:
    state = nine("play", cue_ball="in_hand_house", on=["1"])
    crossing = {"kind": "crossed", "ball": "cue", "line": "head_string"}
    record = shot(crossing, hit("1"), cushion("1"), before=lying(1, 2, 9, cue=(500, y)))
    verdict = judged(state, record, game="9-ball", options=MEASURED)
    assert verdict["legal"] is legal
    if legal is False:
        assert "PG-7a" in clauses(verdict)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 2**32))
def test_measured_positions_only_move_towards_undecided(game: str, seed: int) -> None:
    rng = random.Random(seed)
    match = random_match(game, seed, rng.randrange(5))
    if match.state.finished or match.state.striker is None:
        return
    line = random_line(rng, match, 1000.0)
    if line["type"] != "shot":
        return
    exact, measured = new_match(game), new_match(game, options=MEASURED)
    for each in match.lines:
        exact.add(each.item)
        try:
            measured.add(each.item)
        except ValueError:
            return
    record = ShotRecord.from_json(line)
    certain, doubted = exact.add(record).verdict, measured.add(record).verdict
    assert doubted["legal"] in (certain["legal"], None)
    assert {foul["clause"] for foul in doubted["fouls"]} <= {foul["clause"] for foul in certain["fouls"]}


def test_the_option_is_part_of_a_matchs_header() -> None:
    match = Match.from_header({"type": "match", "game": "snooker", "options": MEASURED})
    assert match.settings.measured_mm == 3.0
    assert match.add(official("warn", player="A", about="conduct")).verdict["legal"] is None
