"""The API of the review as the pages use it, over a real analyzed folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from frame_of_snooker import analyzed
from starlette.testclient import TestClient

from referee.app.desk.matches import Matches
from referee.app.review.api import review_endpoints
from referee.app.review.exporting import Exporting
from referee.app.review.shelf import open_folder
from referee.app.server.access import Access
from referee.app.server.app import build_app
from vision.frames import video_frames

BASE = "http://127.0.0.1:8147"


def client(folder: Path, access: Access | None = None) -> TestClient:
    shelf = open_folder(folder)
    app = build_app(shelf.matches or Matches(folder), access=access, endpoints=review_endpoints(shelf))
    return TestClient(app, base_url=BASE, headers={"Origin": BASE})


@pytest.fixture
def web(clip: Path) -> Iterator[TestClient]:
    with client(clip) as opened:
        yield opened


def get(web: TestClient, path: str) -> Any:
    answer = web.get(f"/api/review{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_list_names_what_can_be_reviewed(web: TestClient) -> None:
    [review] = get(web, "")["reviews"]
    assert (review["id"], review["kind"], review["game"], review["shots"]) == (
        "wrong_ball_first",
        "analysis",
        "snooker",
        1,
    )
    assert review["video"] == {"ok": True, "reason": None}


def test_what_was_assumed_needs_a_look_and_is_settled_by_the_opening(web: TestClient) -> None:
    items = get(web, "/items")["items"]
    assumed = next(item for item in items if item["kind"] == "assumed")
    assert assumed["n"] == 1
    assert "a colour was on" in assumed["why"]["en"]
    [item] = [
        each
        for each in get(web, "/wrong_ball_first/items")["items"]
        if each["kind"] == "assumed" and "a colour was on" in each["why"]["en"]
    ]
    red = next(choice for choice in item["choices"] if choice["en"] == "Red was on")
    assert red["ru"] == "Очередным был красный"
    opening = {"state": red["value"]}
    assert get(web, "/wrong_ball_first/state")["opening"]["on"] == ["colour"]
    url = "/api/review/wrong_ball_first/opening"
    shown = web.post(url, json={**opening, "preview": True}).json()
    changed = {each["field"]: each["now"] for each in shown["differences"] if each["n"] == 1}
    assert changed["legal"] is False
    assert changed["penalty"] == 5
    assert changed["score"] == {"A": 0, "B": 5}
    assert get(web, "/wrong_ball_first/state")["score"] == {"A": 0, "B": 0}
    done = web.post(url, json={**opening, "revision": shown["revision"]})
    assert done.status_code == 200
    state = get(web, "/wrong_ball_first/state")
    assert state["score"] == {"A": 0, "B": 5}
    assert state["revision"] == 1
    assert state["opening"]["on"] == ["red"]
    assert state["corrections"][0]["what"]["en"] == "the state before the first shot"
    shot = get(web, "/wrong_ball_first/shots/1")
    assert [clause["id"] for clause in shot["clauses"]] == [
        "SN-3.11.2b",
        "SN-3.10.3b",
    ]  # the foul, and what may be chosen
    assert shot["original"]["verdicts"][0]["legal"] is True


def test_a_change_must_have_been_looked_at(web: TestClient) -> None:
    url = "/api/review/wrong_ball_first/nomination"
    body = {"n": 1, "nominated": {"ball": "green"}}
    assert web.post(url, json=body).status_code == 422
    assert web.post(url, json={**body, "revision": 0}).status_code == 200
    overtaken = web.post(url, json={"n": 1, "nominated": None, "revision": 0})
    assert overtaken.status_code == 409
    assert "other corrections were accepted" in overtaken.json()["error"]


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        ("answer", {"n": 9, "question": "first_contact", "value": "blue"}, 422, "the number of a shot, 1 to 1"),
        ("undo", {"line": 1}, 422, "1 to 0"),
        ("opening", {"state": {"on": ["7"]}}, 422, "on"),
        ("official", {"before": 1, "line": {"kind": "choose", "player": "A", "option": "replay"}}, 422, "choose"),
        ("official", {"before": 1, "line": {"kind": "undo"}}, 422, "take back a correction by its line"),
        ("correct", {"n": 1, "record": {"events": [{"t": 5, "kind": "strike", "ball": "9"}]}}, 422, "balls of snooker"),
        ("correct", {"n": 1, "record": {}}, 422, "events"),
        ("correct", {"n": 1}, 422, "give either record or not_a_stroke"),
        ("nothing", {}, 404, "nothing at this address"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    web: TestClient, path: str, body: dict[str, Any], status: int, said: str
) -> None:
    answer = web.post(f"/api/review/wrong_ball_first/{path}", json={**body, "preview": True})
    assert answer.status_code == status
    assert said in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_what_was_no_stroke_is_taken_out(web: TestClient) -> None:
    body = {"n": 1, "not_a_stroke": True}
    url = "/api/review/wrong_ball_first/correct"
    shown = web.post(url, json={**body, "preview": True}).json()
    changed = {each["field"]: each["now"] for each in shown["differences"]}
    assert changed["next"]["player"] == "A"  # still at the table: nothing was played
    assert web.post(url, json={**body, "revision": shown["revision"]}).status_code == 200
    assert get(web, "/wrong_ball_first/state")["verdict"]["next"]["player"] == "A"


def test_a_frame_is_the_one_of_that_time_and_number(web: TestClient, clip: Path) -> None:
    times = get(web, "/wrong_ball_first/frames?t0=2&t1=2.2")
    assert times["first"] == 50
    answer = web.get(f"/api/review/wrong_ball_first/frame.jpg?t={times['times'][3]}")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["X-Frame-Index"] == "53"
    video = Path(__file__).parents[3] / "sample_videos" / "wrong_ball_first.mp4"
    truth = next(frame for frame in video_frames(video) if frame.stamp.index == 53)
    picture = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(picture.astype(int) - truth.bgr.astype(int)).mean() < 2.0
    same = web.get("/api/review/wrong_ball_first/frame.jpg?index=53")
    assert same.content == answer.content
    assert web.get("/api/review/wrong_ball_first/frame.jpg?index=224").status_code == 404
    assert web.get("/api/review/wrong_ball_first/frame.jpg?index=1&t=1").status_code == 422


def test_the_proof_shows_each_event_between_the_frames_about_it(web: TestClient) -> None:
    proof = get(web, "/wrong_ball_first/shots/1")["proof"]
    assert [each["what"] for each in proof] == ["strike", "first_contact", "cushion", "cushion", "rest"]
    contact = proof[1]
    assert contact["decides"]
    assert contact["text"]["en"] == "Cue hits blue"
    times = [frame["t"] for frame in contact["frames"]]
    assert len(times) >= 4
    assert times[contact["at"]] <= contact["t"] < times[contact["at"] + 1]


def test_the_timeline_and_the_tracks_are_in_step(web: TestClient) -> None:
    line = get(web, "/wrong_ball_first/timeline")
    assert [event["kind"] for event in line["events"]] == ["strike", "contact", "cushion", "cushion", "rest"]
    assert all(0 <= event["confidence"] <= 1 for event in line["events"])
    tracks = get(web, "/wrong_ball_first/tracks?t0=2.0&t1=3.0")
    assert len(tracks["t"]) == 26
    assert all(len(row["x"]) == len(row["state"]) == 26 for row in tracks["balls"].values())
    assert {"m", "r"} <= set(tracks["balls"]["cue"]["state"])
    assert web.get("/api/review/wrong_ball_first/tracks?t0=0&t1=31").status_code == 422


def test_the_replay_begins_ten_seconds_before_the_shot_or_with_the_video(web: TestClient) -> None:
    replay = get(web, "/wrong_ball_first/replay")
    assert (replay["n"], replay["t0"]) == (1, 0.0)
    [segment] = replay["segments"]
    part = web.get(segment["url"], headers={"Range": "bytes=4-7"})
    assert (part.status_code, part.content) == (206, b"ftyp")


def test_exports_are_written_and_only_they_can_be_fetched(web: TestClient, clip: Path) -> None:
    url = "/api/review/wrong_ball_first/export"
    made = web.post(url, json={"kind": "clip", "t0": 2.5, "t1": 2.9, "revision": 0}).json()
    assert "error" in made  # a field that exports don't have
    made = web.post(url, json={"kind": "clip", "t0": 2.5, "t1": 2.9}).json()
    assert made["name"] == "clip-2.50-2.90.mp4"
    frames = [frame.stamp.t_s for frame in video_frames(clip / "exports" / made["name"])]
    assert frames == pytest.approx([0.04 * i for i in range(10)], abs=1e-4)
    fetched = web.get(made["url"])
    assert fetched.status_code == 200
    assert len(fetched.content) == made["bytes"]
    srt = web.post(url, json={"kind": "subtitles", "format": "srt", "lang": "ru"}).json()
    assert web.get(srt["url"]).status_code == 200
    drawn = web.post(
        url, json={"kind": "picture", "measure": {"t": 1.0, "a": {"ball": "cue"}, "b": {"line": "left"}}}
    ).json()
    assert drawn["measured"]["distances"][0]["to"]["en"] == "left cushion"
    for name in ("../summary.json", "..%2Fsummary.json", "%2e%2e/summary.json", ".hidden", "summary.json"):
        assert web.get(f"/api/review/wrong_ball_first/exports/{name}").status_code in (400, 404)


def test_how_far_an_export_has_come_is_told_and_it_can_be_called_off(
    web: TestClient, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "/api/review/wrong_ball_first/export"
    assert web.get(url).json() == {"done": None}
    shares: list[float] = []
    told = Exporting.told

    def heard(self: Exporting, share: float) -> None:
        shares.append(share)
        told(self, share)
        assert self.of("wrong_ball_first") == {"done": round(share, 3)} and self.of("another") == {"done": None}
        if len(shares) == 14:
            self.call_off("another")
            self.call_off("wrong_ball_first")

    monkeypatch.setattr(Exporting, "told", heard)
    done = web.post(url, json={"kind": "clip", "t0": 2.5, "t1": 2.9})
    assert done.status_code == 200 and shares == pytest.approx([0.05 + 0.1 * i for i in range(10)], abs=0.011)
    off = web.post(url, json={"kind": "clip", "t0": 1.0, "t1": 1.6})
    assert (off.status_code, off.json()["error"]) == (422, "the export was called off")
    assert [path.name for path in (clip / "exports").iterdir()] == ["clip-2.50-2.90.mp4"]
    assert web.get(url).json() == {"done": None}
    assert web.delete(url).status_code == 200


def test_a_moved_video_is_named_and_everything_else_works(tmp_path: Path) -> None:
    with client(analyzed(tmp_path / "frame")) as web:
        state = get(web, "/frame/state")
        assert state["video"]["ok"] is False
        assert "--video" in state["video"]["reason"]
        missing = web.get("/api/review/frame/frame.jpg?t=1")
        assert missing.status_code == 404
        assert "moved.mp4" in missing.json()["error"]
        assert get(web, "/frame/shots/1")["proof"][0]["frames"] == []
        warned = [item for item in get(web, "/frame/items")["items"] if item["kind"] == "warning"]
        assert "--video" in warned[0]["why"]["ru"]


def test_viewers_may_look_and_only_the_referee_may_change(tmp_path: Path) -> None:
    folder = analyzed(tmp_path / "frame")
    with client(folder, Access.of_code("abcd-efgh-jkmn")) as web:
        assert get(web, "/frame/shots")["shots"][0]["text"]["en"] == "One"
        change = {"n": 2, "nominated": {"ball": "pink"}, "preview": True}
        assert web.post("/api/review/frame/nomination", json=change).status_code == 401
        assert web.post("/api/review/frame/export", json={"kind": "subtitles"}).status_code == 401
        assert web.post("/api/session", json={"code": "abcd efgh jkmn"}).status_code == 200
        assert web.post("/api/review/frame/nomination", json=change).status_code == 200


def test_a_folder_of_many_lists_what_can_be_opened_and_what_cannot(tmp_path: Path) -> None:
    analyzed(tmp_path / "матч № 1 (утро)")
    (analyzed(tmp_path / "bad") / "calibration.json").write_text("{}")
    with client(tmp_path) as web:
        reviews = {each["id"]: each for each in get(web, "")["reviews"]}
        assert reviews["матч № 1 (утро)"]["problem"] is None
        assert get(web, "/матч № 1 (утро)/state")["title"] == "матч № 1 (утро)"
        subtitles = web.post("/api/review/матч № 1 (утро)/export", json={"kind": "subtitles"}).json()
        assert web.get(subtitles["url"]).text.startswith("WEBVTT")
        assert "calibration.json" in reviews["bad"]["problem"]
        items = get(web, "/items")["items"]
        assert {item["review"] for item in items} == {"матч № 1 (утро)"}
        worth = [item["worth"] for item in items]
        assert worth == sorted(worth, reverse=True)
        assert web.get("/api/review/bad/state").status_code == 422
