"""What a correction changes, verdict by verdict."""

from typing import Any

from referee.match.changes import changes
from referee.match.log import Match


def shot(*events: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "shot", "events": [{"t": 0.0, "kind": "strike", "ball": "cue"}, *events], **more}


def contact(ball: str) -> dict[str, Any]:
    return {"t": 1.0, "kind": "contact", "balls": ["cue", ball]}


def pocket(ball: str) -> dict[str, Any]:
    return {"t": 2.0, "kind": "pocket", "ball": ball, "pocket": "top-left"}


def verdicts(*lines: dict[str, Any]) -> list[dict[str, Any]]:
    match = Match.from_header({"type": "match", "game": "snooker", "players": ["Ann", "Bob"]})
    return [match.add(line).verdict for line in lines]


RED = shot(contact("red-1"), pocket("red-1"))
BLACK = shot(contact("black"), pocket("black"), nominated={"ball": "black"})


def test_the_same_verdicts_have_no_differences() -> None:
    assert changes(verdicts(RED, BLACK), verdicts(RED, BLACK)) == []


def test_a_red_that_was_a_wrong_ball_first_changes_its_shot_and_all_that_follow() -> None:
    wrong = shot(contact("blue"), contact("red-1"), pocket("red-1"))
    found = {(each["n"], each["field"]): (each["was"], each["now"]) for each in changes(verdicts(RED), verdicts(wrong))}
    assert found[1, "legal"] == (True, False)
    assert found[1, "penalty"] == (0, 5)
    assert found[1, "score"] == ({"Ann": 1, "Bob": 0}, {"Ann": 0, "Bob": 5})
    assert found[1, "break"] == (1, 0)
    assert found[1, "announce"][0]["en"] == ["One"]
    assert found[1, "next"][1]["player"] == "Bob"
    assert (1, "rack") not in found


def test_a_verdict_that_is_new_or_gone_is_one_difference() -> None:
    [new] = changes(verdicts(RED), verdicts(RED, {"type": "official", "kind": "concede", "player": "Bob"}))
    assert (new["n"], new["line"], new["field"], new["was"]) == (1, 1, "verdict", None)
    assert new["now"]["score"] == {"Ann": 1, "Bob": 0}
    [gone] = changes(verdicts(RED, BLACK), verdicts(RED))
    assert (gone["n"], gone["line"], gone["now"]) == (2, 0, None)
    assert gone["was"]["score"] == {"Ann": 8, "Bob": 0}
