"""``cueref judge`` and ``cueref rules`` as a user calls them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from play import cushion, hit, layout, official, potted, shot, snooker

from referee.app.judge import judge
from referee.app.rules_command import rules


def case(name: str, expect: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "clauses": ["SN-3.11.1f"],
        "game": "snooker",
        "rules": "seed",
        "state": snooker(),
        "inputs": [shot(cushion(), before=layout(3))],
        "expect": expect or {"legal": False, "penalty": 4, "next": {"options": ["play_again"]}},
        **more,
    }


def run(folder: Path, lines: list[Any], *arguments: str, command: Any = judge) -> Result:
    file = folder / "cases.jsonl"
    file.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines), encoding="utf-8")
    return CliRunner().invoke(command, [*arguments, str(file)])


def test_one_line_a_case(tmp_path: Path) -> None:
    result = run(tmp_path, [case("one"), "", case("two")])
    assert result.exit_code == 0
    printed = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["id"] for each in printed] == ["one", "two"]
    assert printed[0]["verdict"]["type"] == "verdict"


def test_a_malformed_line_is_named_and_the_others_are_judged(tmp_path: Path) -> None:
    wrong = case("bad", inputs=[shot(hit("eight-ball"))])
    result = run(tmp_path, [case("one"), wrong, "{", {"id": 3}, case("two")])
    assert result.exit_code == 2
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["one", "two"]
    errors = result.stderr.splitlines()
    assert len(errors) == 3
    assert "line 2 (bad): inputs[0].events[1]: expected balls of snooker, got 'eight-ball'" in errors[0]
    assert "line 3: record: expected JSON" in errors[1]
    assert "line 4: id: expected a name, got 3" in errors[2]


@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        ({"penalty": 5}, "expect.penalty: expected 5, got 4"),
        ({"legal": True}, "expect.legal: expected True, got False"),
        ({"foul_clauses": ["SN-3.4"]}, "expect.foul_clauses: expected SN-3.4, got SN-3.11.1f"),
        ({"next": {"options": []}}, "expect.next.options: expected nothing, got play_again"),
        ({"next": {"on": ["colour"]}}, "expect.next.on: expected colour, got red"),
        ({"undecided": True}, "expect.undecided: expected an open question, got nothing"),
        ({"undecided": ["snookered"]}, "expect.undecided: expected snookered, got nothing"),
        ({"spot": {"blue": [1, 2]}}, "expect.spot: expected blue, got nothing"),
        ({"score": {"B": 5}}, "expect.score.B: expected 5, got 4"),
        ({"restore": {"cue": [1, 2]}}, "expect.restore.cue: expected [1, 2], got None"),
    ],
)
def test_check_prints_what_differs(tmp_path: Path, expect: dict[str, Any], difference: str) -> None:
    result = run(tmp_path, [case("one"), case("two", expect)], "--check")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [f"two: {difference}", "1 passed, 1 failed"]


@pytest.mark.parametrize(
    ("expect", "wrong"),
    [
        ({"spot": []}, "expect.spot: expected an object"),
        ({"foul_clauses": "SN-3.4"}, "expect.foul_clauses: expected a list, got 'SN-3.4'"),
        ({"undecided": 5}, "expect.undecided: expected a list, got 5"),
    ],
)
def test_a_malformed_expectation_is_named_with_its_line(tmp_path: Path, expect: dict[str, Any], wrong: str) -> None:
    result = run(tmp_path, [case("one"), case("two", expect)], "--check")
    assert result.exit_code == 2
    assert "line 2 (two): " + wrong in result.stderr


def test_check_passes(tmp_path: Path) -> None:
    each = [None, {"next": {"player": "A"}}]
    again = case("again", {"next": {"player": "A"}}, expect_each=each)
    again["inputs"].append(official("choose", player="B", option="play_again"))
    result = run(tmp_path, [case("one"), again], "--check")
    assert (result.exit_code, result.stdout) == (0, "2 passed, 0 failed\n")


def test_check_counts_a_malformed_line_as_failed(tmp_path: Path) -> None:
    result = run(tmp_path, [case("one"), case("short", expect_each=[])], "--check")
    assert result.exit_code == 2
    assert "expect_each: expected one entry for each of 1 inputs" in result.stderr


def test_a_match_log(tmp_path: Path) -> None:
    log = [
        {"type": "match", "game": "snooker", "players": ["Ann", "Bob"], "frames_to_win": 1},
        shot(hit("red-1"), potted("red-1")),
        official("concede", player="Bob"),
    ]
    result = run(tmp_path, log, "--match")
    assert result.exit_code == 0
    verdicts = [json.loads(line) for line in result.stdout.splitlines()]
    assert [verdict["score"] for verdict in verdicts] == [{"Ann": 1, "Bob": 0}] * 2
    assert verdicts[1]["match"] == {"over": True, "winner": "Ann"}
    warned = [
        *log[:2],
        official("warn", player="Ann", about="slow_play"),
        official("ask", player="Bob", about="difference"),
    ]
    verdicts = [json.loads(line) for line in run(tmp_path, warned, "--match").stdout.splitlines()]
    assert [verdict.get("answer") for verdict in verdicts] == [None, 1], "a warning changes nothing"
    assert "Frame conceded" in run(tmp_path, log, "--match", "--text", "en").stdout
    assert "points left" in run(tmp_path, log[:2], "--match", "--scoreboard").stdout
    result = run(tmp_path, [*log[:2], official("concede", player="Carl")], "--match")
    assert (result.exit_code, "line 3: player: expected one of Ann, Bob" in result.stderr) == (2, True)


@pytest.mark.parametrize("first", ["", {"type": "shot", "events": []}, {"type": "match", "game": "chess"}])
def test_a_log_without_its_first_line(tmp_path: Path, first: Any) -> None:
    result = run(tmp_path, [first], "--match")
    assert result.exit_code == 2
    assert "expected" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_club_has_its_own_phrases(tmp_path: Path) -> None:
    phrases = tmp_path / "club.toml"
    phrases.write_text(
        "and = 'and'\nfoul = 'shame, {points:count point}'\n[nouns]\npoint = ['point', 'points']", "utf-8"
    )
    result = run(tmp_path, [case("one")], "--phrases", f"en={phrases}")
    assert json.loads(result.stdout)["verdict"]["announce"]["en"] == ["Shame, four points"]
    assert run(tmp_path, [case("one")], "--phrases", f"fr={phrases}").exit_code == 2


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    result = CliRunner().invoke(judge, [str(tmp_path / "missing.jsonl")])
    assert (result.exit_code, "can't be read" in result.stderr) == (2, True)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    result = CliRunner().invoke(judge, [str(tmp_path / "binary")])
    assert (result.exit_code, "not UTF-8" in result.stderr) == (2, True)
    assert run(tmp_path, [case("one")], "--check", "--match").exit_code == 2


def test_rules_are_listed_and_searched() -> None:
    result = CliRunner().invoke(rules, ["SN-3.11.1g"])
    assert result.stdout.startswith("SN-3.11.1g*  Cue ball into a pocket")
    assert "decided by V (seen by the camera)" in result.stdout
    result = CliRunner().invoke(rules, ["free", "ball", "--game", "snooker"])
    assert "SN-3.9.1 " in result.stdout
    assert "SN-3.11.1h*" not in CliRunner().invoke(rules, ["--game", "9-ball", "free", "ball"]).stdout
    assert "POL-23" in CliRunner().invoke(rules, ["--policies"]).stdout
