"""A match run by hand over the API, and followed on the websocket."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from referee.app.desk.desk import Desk
from referee.app.desk.hub import MOST_WAITING
from referee.app.desk.matches import Matches
from referee.app.server.app import ENDPOINTS, build_app
from referee.app.server.openapi import describe
from referee.app.server.record_bodies import NominatedBody
from referee.rules.games import GAMES

BASE, SOCKET = "http://127.0.0.1:8147", "ws://127.0.0.1:8147/api/socket"
HEADER = {"game": "snooker", "players": ["Ann", "Bob"], "frames_to_win": 2}


@pytest.fixture
def matches(tmp_path: Path) -> Matches:
    return Matches(tmp_path / "matches")


@pytest.fixture
def client(matches: Matches) -> Iterator[TestClient]:
    with TestClient(build_app(matches), base_url=BASE) as client:
        yield client


def record(ball: str, *potted: str) -> dict[str, Any]:
    events: list[dict[str, Any]] = [{"t": 0, "kind": "strike", "ball": "cue"}]
    events += [{"t": 0.5, "kind": "contact", "balls": ["cue", ball]}]
    events += [{"t": 1.0, "kind": "pocket", "ball": each, "pocket": "top-left"} for each in potted]
    return {"record": {"events": [*events, {"t": 3, "kind": "rest"}]}}


def test_a_match_by_hand(client: TestClient) -> None:
    match = client.post("/api/matches", json=HEADER).json()["id"]
    assert client.post("/api/shot", json=record("red-1", "red-1")).json()["verdict"]["score"] == {"Ann": 1, "Bob": 0}
    client.post("/api/nomination", json={"nominated": {"ball": "pink"}})
    client.post("/api/shot", json=record("blue"))
    state = client.get("/api/state").json()["state"]
    assert state["match"]["id"] == match and state["board"]["score"] == {"Ann": 1, "Bob": 6}
    preview = client.post("/api/correct", json={"n": 2, **record("pink", "pink"), "preview": True}).json()
    assert {"n": 2, "line": 0, "field": "legal", "was": False, "now": True} in preview["differences"]
    assert client.get("/api/state").json()["state"]["board"]["score"] == {"Ann": 1, "Bob": 6}
    assert client.post("/api/undo", json={}).json()["verdict"]["score"] == {"Ann": 1, "Bob": 0}
    assert client.post("/api/undo", json={"redo": True}).json()["verdict"]["score"] == {"Ann": 1, "Bob": 6}
    seen = {"observed": [{"kind": "touched", "ball": "blue", "by": "sleeve"}], "incident": True}
    assert client.post("/api/observed", json=seen).json()["verdict"]["legal"] is False
    shot = client.get("/api/shots/2").json()
    assert shot["clauses"][0]["id"] == "SN-3.11.2b" or shot["clauses"]
    assert client.get("/api/shots/9").status_code == 404
    assert client.post("/api/match/end").json() == {"id": match}
    assert client.get("/api/state").json()["state"] == {"match": None}
    assert client.post(f"/api/matches/{match}/resume").json() == {"id": match}
    assert client.get("/api/state").json()["state"]["board"]["score"] == {"Ann": 6, "Bob": 6}


def test_those_who_follow_hear_everything_in_order(client: TestClient, matches: Matches) -> None:
    client.post("/api/matches", json=HEADER)
    with client.websocket_connect(SOCKET) as socket:
        hello, first = socket.receive_json(), socket.receive_json()
        assert hello["type"] == "hello" and hello["seq"] == 1 and first["type"] == "snapshot"
        client.post("/api/shot", json=record("blue"))
        call, state = socket.receive_json(), socket.receive_json()
        assert (call["type"], call["seq"], call["call"]["announce"]["en"]) == ("call", 3, ["Foul, five points"])
        assert (state["type"], state["seq"]) == ("state", 3)
        client.post("/api/match/end")
        assert socket.receive_json()["type"] == "state"
        assert socket.receive_json() == {"type": "snapshot", "match": None, "seq": 0, "state": {"match": None}}


def test_after_a_break_what_was_missed_comes_by_number(client: TestClient, matches: Matches) -> None:
    match = client.post("/api/matches", json=HEADER).json()["id"]
    client.post("/api/shot", json=record("blue"))
    client.post("/api/shot", json=record("red-1"))
    client.post("/api/shot", json=record("black"))
    with client.websocket_connect(f"{SOCKET}?since=3&match={match}") as socket:
        heard = [socket.receive_json() for _ in range(3)]
        assert [each["type"] for each in heard] == ["hello", "call", "snapshot"]
        assert heard[1]["call"]["announce"]["en"] == ["Foul, seven points"]
    with client.websocket_connect(f"{SOCKET}?since=3&match=another") as socket:
        assert [socket.receive_json()["type"] for _ in range(2)] == ["hello", "snapshot"]
    for nonsense in ("-1", "x", "9" * 30, "99"):
        with client.websocket_connect(f"{SOCKET}?since={nonsense}&match={match}") as socket:
            assert [socket.receive_json()["type"] for _ in range(2)] == ["hello", "snapshot"]


def test_twenty_follow_and_a_slow_one_holds_nobody_up(tmp_path: Path) -> None:
    desk = Desk.create(tmp_path / "m", HEADER)
    quick, slow = [desk.subscribe() for _ in range(19)], desk.subscribe()
    heard = [0] * 19
    for i in range(MOST_WAITING + 20):
        desk.setting("lang", "en" if i % 2 else "ru")
        for k, each in enumerate(quick):
            heard[k] += len(each.take())
    assert set(heard) == {MOST_WAITING + 20}
    assert slow.overflowed and slow.take() == []
    assert not any(each.overflowed for each in quick)


def test_of_the_moment_only_the_newest_waits(tmp_path: Path) -> None:
    desk = Desk.create(tmp_path / "m", HEADER)
    slow = desk.subscribe()
    for i in range(1000):
        desk.hub.publish({"type": "table", "t": i})
    waiting = slow.take()
    assert [message.body["t"] for message in waiting] == [999] and not slow.overflowed


def test_matches_are_found_by_words_player_and_game(client: TestClient) -> None:
    client.post("/api/matches", json=HEADER)
    client.post("/api/matches", json={"game": "9-ball", "players": ["Eve", "Bob"], "note": "Club final"})
    found = [each["players"] for each in client.get("/api/matches").json()["matches"]]
    assert found == [["Eve", "Bob"], ["Ann", "Bob"]] or len(found) == 2
    assert len(client.get("/api/matches?q=bob").json()["matches"]) == 2
    assert client.get("/api/matches?q=FINAL").json()["matches"][0]["game"] == "9-ball"
    assert client.get("/api/matches?player=Ann").json()["total"] == 1
    assert client.get("/api/matches?game=8-ball").json()["total"] == 0


def test_the_index_is_made_anew_from_the_logs(client: TestClient, matches: Matches) -> None:
    client.post("/api/matches", json=HEADER)
    client.post("/api/shot", json=record("red-1", "red-1"))
    before = client.get("/api/matches").json()
    (matches.root / "index.sqlite").write_bytes(b"no database at all")
    for more in ("-wal", "-shm"):
        (matches.root / f"index.sqlite{more}").unlink(missing_ok=True)
    assert client.get("/api/matches").json() == before
    (matches.root / "index.sqlite").unlink()
    assert client.get("/api/matches").json() == before
    assert before["matches"][0]["score"] == {"Ann": 1, "Bob": 0}


def test_a_broken_log_hides_no_other_match(client: TestClient, matches: Matches) -> None:
    client.post("/api/matches", json=HEADER)
    broken = matches.root / "20000101-000000-broken"
    broken.mkdir()
    (broken / "log.jsonl").write_text("nonsense\n")
    assert client.get("/api/matches").json()["total"] == 1
    answer = client.post("/api/matches/20000101-000000-broken/resume")
    assert answer.status_code == 409 and "holds no match" in answer.json()["error"]
    assert client.get("/api/state").json()["state"]["match"]["game"] == "snooker"


def test_video_comes_in_ranges(client: TestClient, matches: Matches) -> None:
    match = client.post("/api/matches", json=HEADER).json()["id"]
    client.post("/api/shot", json=record("blue"))
    assert client.get("/api/replay").status_code == 404
    video = matches.root / match / "video"
    video.mkdir()
    (video / "000001.mp4").write_bytes(bytes(range(200)))
    (video / "index.jsonl").write_text('{"file": "000001.mp4", "t0": 0.0, "t1": 30.0, "bytes": 200}\n')
    replay = client.get("/api/replay?n=last").json()
    assert replay["n"] == 1 and replay["video"] == f"/media/{match}/000001.mp4"
    assert client.get(replay["video"]).content == bytes(range(200))
    part = client.get(replay["video"], headers={"Range": "bytes=10-19"})
    assert part.status_code == 206 and part.content == bytes(range(10, 20))
    assert client.get(replay["video"], headers={"Range": "bytes=999-"}).status_code == 416


def test_games_name_what_can_be_seen_with_its_clauses(client: TestClient) -> None:
    games = {each["id"]: each for each in client.get("/api/games").json()["games"]}
    assert set(games) == {"snooker", "14.1", "9-ball", "8-ball", "pyramid-combined"}
    seen = {each["kind"]: each for each in games["snooker"]["observed"]}
    assert [clause["id"] for clause in seen["foot_off"]["clauses"]] == ["SN-3.11.1c"]
    assert seen["touched"]["needs"] == ["ball", "by"] and seen["push"]["text"]["ru"]
    assert games["9-ball"]["tables"] == ["pool-9ft", "pool-8ft", "pool-7ft"]
    assert all(clause["rule"] for game in games.values() for each in game["observed"] for clause in each["clauses"])


def test_the_description_covers_every_address(client: TestClient) -> None:
    described = client.get("/api/openapi.json").json()
    assert described == describe(ENDPOINTS)
    for each in ENDPOINTS:
        entry = described["paths"][each.path][each.method.lower()]
        assert entry["summary"] and "403" in entry["responses"]
        assert ("security" in entry) == (each.role == "referee")
    assert "RecordBody" in client.get("/api/").text


def test_a_match_of_every_game_begins_and_is_described(client: TestClient) -> None:
    for game in ("snooker", "14.1", "9-ball", "8-ball", "pyramid-combined"):
        assert client.post("/api/matches", json={"game": game, "players": ["A", "B"]}).status_code == 200
        state = client.get("/api/state").json()["state"]
        assert state["match"]["game"] == game and state["next"]["on"] and state["table"]["length"] > 1000
    teams = {"game": "snooker", "teams": {"X": ["A", "B"], "Y": ["C", "D"]}}
    client.post("/api/matches", json=teams)
    assert client.get("/api/state").json()["state"]["match"]["order"] == ["A", "C", "B", "D"]


def test_every_ball_of_every_game_may_be_named_in_a_request() -> None:
    names = {ball for game in GAMES.values() for ball in game.ball_names}
    for name in names:
        assert NominatedBody.model_validate({"ball": name}).ball == name


def test_who_decides_on_what_has_changed_is_told_so(client: TestClient) -> None:
    client.post("/api/matches", json=HEADER)
    seen = client.post("/api/shot", json=record("blue")).json()["seq"]
    client.post("/api/shot", json=record("red-1"))
    answer = client.post("/api/undo", json={"after": seen})
    assert answer.status_code == 409 and answer.json()["field"] == "after"
    assert client.post("/api/undo", json={"after": client.get("/api/state").json()["seq"]}).status_code == 200
