"""Questions and runs, with a made-up rule; and what becomes of a match with open questions."""

import pytest
from play import confirm, cushion, hit, layout, official, potted, questions, shot, snooker

from referee.match.log import Match
from referee.rules.questions import Oracle, TooManyQuestions, Unknowable, deciding, explore


def rule(oracle: Oracle) -> str:
    """A foul if the sun shines; else it depends on the rain only if there is wind."""
    if oracle.ask("sun", (False, True), clause="X-1"):
        return "foul"
    if oracle.ask("wind", (False, True), clause="X-2"):
        return "wet" if oracle.ask("rain", (False, True), clause="X-3") else "dry"
    oracle.ask("moon", (False, True), clause="X-4")
    return "dry"


def asked(confirmed: dict[tuple[str, str | None], object]) -> tuple[set[str], list[str]]:
    branches = explore(rule, confirmed)
    return {str(branch.result) for branch in branches}, [q.question for q in deciding(branches, lambda a, b: a == b)]


def test_every_answer_is_tried_and_only_what_matters_is_asked() -> None:
    results, matter = asked({})
    assert results == {"dry", "wet", "foul"}
    assert matter == ["sun", "wind", "rain"]


def test_a_confirmed_answer_is_not_asked() -> None:
    assert asked({("sun", None): True}) == ({"foul"}, [])
    assert asked({("sun", None): False, ("wind", None): False}) == ({"dry"}, [])
    assert asked({("sun", None): False, ("wind", None): True}) == ({"dry", "wet"}, ["rain"])


def test_the_first_run_takes_the_first_answers() -> None:
    assert explore(rule, {})[0].result == "dry"


def test_a_question_about_one_ball_is_answered_for_that_ball_or_for_all() -> None:
    def by_ball(oracle: Oracle) -> list[bool]:
        return [oracle.ask("moved", (False, True), clause="X-1", ball=ball) for ball in ("1", "2")]

    assert [b.result for b in explore(by_ball, {("moved", None): True})] == [[True, True]]
    assert sorted(b.result or [] for b in explore(by_ball, {("moved", "1"): True})) == [[True, False], [True, True]]


def test_too_many_questions_are_refused() -> None:
    def many(oracle: Oracle) -> int:
        return sum(oracle.ask(f"q{i}", (0, 1), clause="X-1") for i in range(12))

    with pytest.raises(TooManyQuestions):
        explore(many, {})
    assert len(explore(many, {(f"q{i}", None): 0 for i in range(3, 12)})) == 8


def test_a_run_in_which_anything_may_have_happened() -> None:
    def lost(oracle: Oracle) -> str:
        oracle.whatever("seen", clause="X-1")
        return "known"

    assert [branch.result for branch in explore(lost, {})] == ["known", None]
    assert [branch.result for branch in explore(lost, {("seen", None): False})] == ["known"]
    with pytest.raises(Unknowable):
        lost(Oracle({("seen", None): True}))


def unsure(t: float, **more: object) -> dict[str, object]:
    """Bob's red hit first, or nothing at all."""
    record = shot(hit("red-2", confidence=0.5), before=layout(8), **more)  # type: ignore[arg-type]
    record["events"] = [{**event, "t": event["t"] + t} for event in record["events"]]
    return record


def test_a_match_goes_on_in_all_possible_states_until_the_referee_answers() -> None:
    match = Match.from_case("snooker", snooker())
    for n in range(5):
        verdict = match.add(unsure(60.0 * n)).verdict
        assert verdict["legal"] is None
        assert verdict["score"] == {"A": 0, "B": 0}
        assert verdict["next"]["player"] == "BA"[n % 2]
    # three doubtful fouls of A and two of B make 4 x 3 possible scores, and the last stroke was a foul or not
    assert len(match.course.worlds) == 24
    assert [each["n"] for each in match.open_questions] == [1, 2, 3, 4, 5]
    for n in range(1, 6):
        match.confirm(n, "first_contact", ["red-2"] if n % 2 else [])
    assert len(match.course.worlds) == 1
    assert match.state.score == {"A": 8, "B": 0}


def test_a_match_with_too_many_open_questions_is_open_as_a_whole_until_the_next_frame() -> None:
    match = Match.from_case("snooker", snooker())
    for n in range(20):
        pots = [potted(f"red-{i}", confidence=0.5) for i in range(1, 9)]
        record = shot(hit("red-1", confidence=0.5), *pots, cushion(), before=layout(15), after=None, t0=60.0 * n)
        record["events"] = [{**event, "t": event["t"] + 60.0 * n} for event in record["events"]]
        verdict = match.add(record).verdict
    assert verdict["legal"] is None
    assert verdict["next"]["player"] is None
    assert verdict["undecided"]
    verdict = match.add(official("concede", player="A")).verdict
    assert (verdict["frame"]["over"], verdict["frame"]["winner"]) == (True, "B")
    assert verdict["undecided"], "the score of that frame isn't known"
    red = shot(hit("red-1"), potted("red-1"), t0=5000.0)
    red["events"] = [{**event, "t": event["t"] + 5000.0} for event in red["events"]]
    assert (match.course.lost, len(match.course.worlds)) == ((), 1)
    assert match.add(red).verdict["legal"] is True


def test_an_official_line_rules_out_the_states_in_which_it_is_impossible() -> None:
    hidden = layout(7, cue=(889, 1000), brown=(889, 1100))
    record = shot(cushion(), before={**hidden, "cue": [1400, 600]}, after=None)
    match = Match.from_case("snooker", snooker())
    assert questions(match.add(record).verdict) == {"snookered", "angled"}
    verdict = match.add(official("choose", player="B", option="free_ball")).verdict
    assert verdict["next"]["free_ball"] is True
    assert all(world.state.free_ball for world in match.course.worlds)


def test_an_answer_may_name_another_ball_than_was_seen() -> None:
    record = shot(hit("red-1"), before=layout(4), seen=[confirm("first_contact", "black")])
    match = Match.from_case("snooker", snooker())
    assert match.add(record).verdict["penalty"] == 7
