"""Who may not do what: without the code, from elsewhere, out of the folder, too large, or not as described."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from referee.app.desk.matches import Matches
from referee.app.server import access as access_module
from referee.app.server.access import Access, TooManyTries, kept_sessions, new_code
from referee.app.server.app import ENDPOINTS, build_app
from referee.app.server.guard import Names
from referee.app.server.serve import names_of
from referee.app.server.sessions import Sessions

BASE = "http://127.0.0.1:8147"
CODE = "abcd-efgh-2345"
HEADER = {"game": "snooker", "players": ["Ann", "Bob"]}
CHANGES = [each for each in ENDPOINTS if each.role == "referee"]


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_module, "COST", {"n": 2**4, "r": 8, "p": 1})


@pytest.fixture
def matches(tmp_path: Path) -> Matches:
    return Matches(tmp_path / "matches")


@pytest.fixture
def viewer(matches: Matches) -> Iterator[TestClient]:
    app = build_app(matches, access=Access.of_code(CODE), names=Names(port=8147))
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        matches.create(HEADER)
        yield client


@pytest.fixture
def client(matches: Matches) -> Iterator[TestClient]:
    with TestClient(build_app(matches), base_url=BASE, raise_server_exceptions=False) as client:
        matches.create(HEADER)
        yield client


def is_refusal(answer: Any, status: int) -> None:
    assert answer.status_code == status, answer.text
    told = answer.json()
    assert set(told) == {"error", "text", "field"} and "\n" not in told["error"]
    assert told["text"]["en"] == told["error"] and re.search("[а-я]", told["text"]["ru"])


# ------------------------------------------------------------------------------------------------- the code


@pytest.mark.parametrize("endpoint", CHANGES, ids=lambda each: each.path)
def test_without_the_code_nothing_can_be_changed(viewer: TestClient, matches: Matches, endpoint: Any) -> None:
    before = (matches.current.folder / "log.jsonl").read_bytes()  # type: ignore[union-attr]
    path = endpoint.path.replace("{id}", matches.ids()[0])
    is_refusal(viewer.request(endpoint.method, path, json={}), 401)
    assert (matches.current.folder / "log.jsonl").read_bytes() == before  # type: ignore[union-attr]


def test_viewers_may_look(viewer: TestClient) -> None:
    assert viewer.get("/api/session").json() == {"role": "viewer", "code_needed": True}
    for path in ("/api/state", "/api/games", "/api/matches", "/api/statistics", "/api/openapi.json", "/api/"):
        assert viewer.get(path).status_code == 200
    with viewer.websocket_connect("ws://127.0.0.1:8147/api/socket") as socket:
        assert socket.receive_json()["role"] == "viewer"


def test_the_right_code_opens_a_session_and_leaving_ends_it(viewer: TestClient) -> None:
    answer = viewer.post("/api/session", json={"code": "ABCDEFGH 2345"})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and CODE not in cookie
    assert viewer.post("/api/nomination", json={"nominated": None}).status_code == 200
    token = viewer.cookies["cueref"]
    viewer.delete("/api/session")
    viewer.cookies.set("cueref", token)
    is_refusal(viewer.post("/api/nomination", json={"nominated": None}), 401)


@pytest.mark.parametrize("code", ["abcd-efgh-2346", "x", CODE + "1", "\0", "ж" * 200])
def test_a_wrong_code_opens_nothing(viewer: TestClient, code: str) -> None:
    answer = viewer.post("/api/session", json={"code": code})
    is_refusal(answer, 401)
    assert "set-cookie" not in answer.headers
    assert code not in answer.text or code == "x"


def test_a_made_up_session_is_none(viewer: TestClient) -> None:
    for token in ("", "x", "a" * 43, "a" * 5000):
        viewer.cookies.set("cueref", token)
        is_refusal(viewer.post("/api/undo", json={}), 401)


def test_tries_are_limited_for_an_address_and_in_all() -> None:
    clock = [0.0]
    access = Access.of_code(CODE, clock=lambda: clock[0])
    for _ in range(5):
        assert access.enter("wrong", "1.1.1.1") is None
    with pytest.raises(TooManyTries):
        access.enter(CODE, "1.1.1.1")
    assert access.enter(CODE, "2.2.2.2") is not None
    clock[0] += 3.0
    assert access.enter("wrong", "1.1.1.1") is None
    clock[0] += 3.0
    with pytest.raises(TooManyTries):  # the wait has doubled
        access.enter(CODE, "1.1.1.1")
    clock[0] += 2.0
    assert access.enter(CODE, "1.1.1.1") is not None
    with pytest.raises(TooManyTries):  # many addresses don't help
        for i in range(60):
            access.enter("wrong", f"3.3.3.{i}")


def test_too_many_tries_are_answered_so(viewer: TestClient) -> None:
    for _ in range(5):
        viewer.post("/api/session", json={"code": "wrong"})
    answer = viewer.post("/api/session", json={"code": CODE})
    is_refusal(answer, 429)
    assert int(answer.headers["retry-after"]) >= 1


def test_a_session_ends_by_itself() -> None:
    """Twelve hours after its last use, or after a week."""
    clock = [1e9]
    access = Access.of_code(CODE, Sessions(wall=lambda: clock[0]))
    token, used = access.enter(CODE, ""), access.enter(CODE, "")
    assert access.role(token) == "referee"
    for _ in range(13):
        clock[0] += 3600
        assert access.role(used) == "referee"
    assert access.role(token) == "viewer"
    for _ in range(20):
        clock[0] += 8 * 3600
        last = access.role(used)
    assert last == "viewer"


def test_a_session_outlasts_a_restart(tmp_path: Path) -> None:
    """Under the same code; neither code nor token is on the disk, and nobody else may read what is."""
    access = Access.of_code(CODE, kept_sessions(tmp_path, CODE))
    token, other = access.enter(CODE, ""), access.enter(CODE, "")
    assert token is not None and other is not None
    access.leave(other)
    again = Access.of_code(CODE, kept_sessions(tmp_path, CODE))
    assert again.role(token) == "referee"
    assert again.role(other) == again.role("guessed") == "viewer"
    assert Access.of_code("another-code", kept_sessions(tmp_path, "another-code")).role(token) == "viewer"
    (file,) = tmp_path.iterdir()
    kept = file.read_text()
    assert token not in kept and CODE not in kept and CODE.replace("-", "") not in kept
    assert file.stat().st_mode & 0o077 == 0
    for damaged in ("", "{}", '{"salt": "00", "sessions": []}', '{"salt": 1, "sessions": [{"digest": 1}]}'):
        file.write_text(damaged)
        assert Access.of_code(CODE, kept_sessions(tmp_path, CODE)).role(token) == "viewer"


def test_a_session_of_a_code_that_was_made_up_outlasts_a_restart(tmp_path: Path) -> None:
    token = Access.of_code(new_code(), kept_sessions(tmp_path, None)).sessions.begin()
    assert Access.of_code(new_code(), kept_sessions(tmp_path, None)).role(token) == "referee"


def test_a_clock_that_is_set_back_makes_no_session_last_longer() -> None:
    clock = [2e9]
    sessions = Sessions(wall=lambda: clock[0])
    token = sessions.begin()
    clock[0] = 1e9
    assert not sessions.holds(token)


def test_the_code_is_kept_nowhere(viewer: TestClient, matches: Matches, capfd: pytest.CaptureFixture[str]) -> None:
    viewer.post("/api/session", json={"code": CODE})
    viewer.post("/api/nomination", json={"nominated": None})
    kept = b"".join(path.read_bytes() for path in matches.root.rglob("*") if path.is_file())
    plain = CODE.replace("-", "")
    assert CODE.encode() not in kept and plain.encode() not in kept
    said = capfd.readouterr()
    assert plain not in said.out.replace("-", "") + said.err.replace("-", "")


def test_new_codes_are_long_and_differ() -> None:
    codes = {new_code() for _ in range(100)}
    assert len(codes) == 100 and all(len(code.replace("-", "")) == 12 for code in codes)


# ------------------------------------------------------------------------------------------------- from elsewhere


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8147", "127.0.0.1.evil.example", "127.0.0.1:80", "localhost@evil:8147", ""]
)
def test_foreign_names_are_refused(matches: Matches, host: str) -> None:
    app = build_app(matches, names=Names(port=8147))
    with TestClient(app, base_url=BASE) as client:
        is_refusal(client.get("/api/state", headers={"Host": host}), 403)
        is_refusal(client.get("/", headers={"Host": host}), 403)


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "https://127.0.0.1:8147",
        "http://127.0.0.1:9999",
        "http://127.0.0.1:8147.evil.example",
    ],
)
def test_foreign_origins_are_refused(client: TestClient, origin: str) -> None:
    headers = {"Origin": origin}
    is_refusal(client.post("/api/undo", json={}, headers=headers), 403)
    is_refusal(client.get("/api/state", headers=headers), 403)
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("ws://127.0.0.1:8147/api/socket", headers=headers),
    ):
        pass


def test_the_own_origin_is_let_in(client: TestClient) -> None:
    headers = {"Origin": BASE}
    assert client.post("/api/nomination", json={"nominated": None}, headers=headers).status_code == 200
    with client.websocket_connect("ws://127.0.0.1:8147/api/socket", headers=headers) as socket:
        assert socket.receive_json()["type"] == "hello"


def test_a_foreign_page_cannot_read_by_embedding(client: TestClient) -> None:
    is_refusal(client.get("/api/state", headers={"Sec-Fetch-Site": "cross-site"}), 403)


def test_names_of_a_server_on_the_network() -> None:
    names = names_of("0.0.0.0", 8147, ("Club.example",))
    assert names.know("192.168.1.7:8147") and names.know("club.example:8147") and names.know("[::1]:8147")
    assert not names.know("evil.example:8147") and not names.know("192.168.1.7:80") and not names.know("[::1")
    assert not names_of("127.0.0.1", 8147).know("192.168.1.7:8147")


def test_every_answer_carries_the_policy(client: TestClient) -> None:
    for path in ("/api/state", "/api/", "/nothing", "/pages/nothing.js"):
        answer = client.get(path)
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in client.get("/api/state", headers={"Origin": BASE}).headers


# ------------------------------------------------------------------------------------------------- paths

CLIMBING = [
    "../log.jsonl",
    "..%2flog.jsonl",
    "%2e%2e/log.jsonl",
    "..%5clog.jsonl",
    "%2fetc%2fpasswd",
    "video/../../log.jsonl",
    "000001.mp4%00",
    "log.jsonl",
    "index.jsonl",
    "....//log.jsonl",
]


@pytest.mark.parametrize("path", CLIMBING)
def test_no_path_climbs_out_of_the_video(client: TestClient, matches: Matches, path: str) -> None:
    video = matches.current.folder / "video"  # type: ignore[union-attr]
    video.mkdir()
    (video / "index.jsonl").write_text('{"file": "../log.jsonl", "t0": 0}\n')
    for prefix in (f"/media/{matches.ids()[0]}/", "/media/", "/pages/", "/media/../"):
        answer = client.get(prefix + path)
        assert answer.status_code in (404, 403, 400), (prefix, answer.text)
        assert '"seq"' not in answer.text


def test_a_link_out_of_the_folder_is_not_followed(client: TestClient, matches: Matches, tmp_path: Path) -> None:
    video = matches.current.folder / "video"  # type: ignore[union-attr]
    video.mkdir()
    (tmp_path / "secret.mp4").write_bytes(b"secret")
    (video / "000001.mp4").symlink_to(tmp_path / "secret.mp4")
    (video / "index.jsonl").write_text('{"file": "000001.mp4", "t0": 0, "t1": 1}\n')
    is_refusal(client.get(f"/media/{matches.ids()[0]}/000001.mp4"), 404)


@pytest.mark.parametrize("name", ["..", ".", "%2e%2e", "x", "..%2f..", "a" * 200, "index.sqlite"])
def test_only_matches_that_are_there_are_resumed(client: TestClient, name: str) -> None:
    answer = client.post(f"/api/matches/{name}/resume")
    assert answer.status_code in (404, 405)
    is_refusal(client.get(f"/api/statistics?match={name}"), 404 if len(name) <= 100 else 422)


# ------------------------------------------------------------------------------------------------- bodies


def test_oversized_bodies_are_refused_also_where_their_length_is_not_told(client: TestClient) -> None:
    large = json.dumps({"nominated": {"ball": "x" * 300_000}})
    headers = {"Content-Type": "application/json"}
    is_refusal(client.post("/api/nomination", content=large, headers=headers), 413)
    chunks = (b" " * 10_000 for _ in range(40))
    is_refusal(client.post("/api/nomination", content=chunks, headers=headers), 413)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"nonsense", b"\xff\xfe", b'{"nominated": NaN}', b'{"nominated": null, "nominated": null}',
        b"[" * 100_000, b'{"a":' * 3000 + b"1" + b"}" * 3000, b'"\\ud800"',
    ],
    ids=range(9),
)  # fmt: skip
def test_malformed_bodies_are_refused(client: TestClient, content: bytes) -> None:
    answer = client.post("/api/nomination", content=content, headers={"Content-Type": "application/json"})
    is_refusal(answer, 400)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_only_json_is_read(client: TestClient, kind: str) -> None:
    is_refusal(client.post("/api/undo", content=b"{}", headers={"Content-Type": kind}), 415)


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/api/matches", {"game": "chess"}, "game"),
        ("/api/matches", {"game": "snooker", "players": ["Ann", "Ann"]}, "players"),
        ("/api/matches", {"game": "snooker", "players": ["Ann", "\u0007"]}, "players.1"),
        ("/api/matches", {"game": "snooker", "gmae": "x"}, "gmae"),
        ("/api/matches", {"game": "snooker", "frames_to_win": 0}, "frames_to_win"),
        ("/api/matches", {"game": "snooker", "options": {"nothing": "x"}}, "options.nothing"),
        ("/api/nomination", {"nominated": {"ball": "15"}}, "nominated"),
        ("/api/nomination", {"nominated": {"pocket": "left"}}, "nominated.pocket"),
        ("/api/official", {"kind": "shout"}, "kind"),
        ("/api/official", {"kind": "concede", "player": "Zoe"}, "player"),
        ("/api/official", {"kind": "concede"}, "player"),
        ("/api/answer", {"n": 4, "question": "snookered", "value": True}, "n"),
        ("/api/correct", {"n": 1, "record": {"events": []}}, "n"),
        ("/api/shot", {"record": {"events": [{"t": 0, "kind": "strike"}]}}, "record.events.0.strike.ball"),
        ("/api/shot", {"record": {"events": [{"t": 2, "kind": "rest"}, {"t": 1, "kind": "rest"}]}}, "events[1].t"),
        ("/api/setting", {"name": "slow_play_s", "value": 1}, "slow_play_s"),
        ("/api/putback", {"n": 3}, "n"),
        ("/api/putback", {"positions": {"cue": [1, 2, 3]}}, "positions.cue"),
    ],
)
def test_wrong_fields_are_named(client: TestClient, path: str, body: Any, field: str) -> None:
    answer = client.post(path, json=body)
    is_refusal(answer, 422)
    assert answer.json()["field"] == field


def test_without_a_match_inputs_are_out_of_place(matches: Matches) -> None:
    with TestClient(build_app(matches), base_url=BASE) as client:
        is_refusal(client.post("/api/undo", json={}), 409)
        assert client.get("/api/state").json() == {"seq": 0, "state": {"match": None}}


def test_other_methods_and_addresses(client: TestClient) -> None:
    is_refusal(client.put("/api/state"), 405)
    is_refusal(client.get("/api/nothing"), 404)
    is_refusal(client.get("/api/matches?limit=x"), 422)
    is_refusal(client.get("/api/matches?q=a&q=b"), 422)
    assert client.get("/x" * 4000).status_code == 414


def test_a_page_may_say_nothing_but_ping(client: TestClient) -> None:
    address = "ws://127.0.0.1:8147/api/socket"
    with client.websocket_connect(address) as socket:
        socket.receive_json(), socket.receive_json()
        socket.send_text('{"type": "ping"}')
        assert socket.receive_json() == {"type": "pong"}
        socket.send_text('{"type": "official", "kind": "undo"}')
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


def test_a_full_disk_is_said_and_nothing_is_entered(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int, data: bytes, at: int) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    answer = client.post("/api/nomination", json={"nominated": {"ball": "blue"}})
    is_refusal(answer, 507)
    assert "No space left" in answer.json()["error"]
    monkeypatch.undo()
    assert client.get("/api/state").json()["state"]["nominated"] is None
