"""A match opened for review while it is played and afterwards; corrections go into its log."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from frame_of_snooker import FRAME, calibration, lines
from starlette.testclient import TestClient
from test_review_frames import write_clip

from referee.app.desk.desk import Desk
from referee.app.desk.matches import Matches
from referee.app.live.segments import add_to_index
from referee.app.review.api import review_endpoints
from referee.app.review.match import MatchReview
from referee.app.review.shelf import Shelf, open_folder
from referee.app.review.still import calls_of
from referee.app.server.app import build_app
from tracking.records import ShotRecord

BASE = "http://127.0.0.1:8147"
WRONG = {
    **FRAME[0],
    "events": [
        FRAME[0]["events"][0],
        {"t": 10.9, "kind": "contact", "balls": ["cue", "blue"]},
        *FRAME[0]["events"][1:],
    ],
}


def record_video(desk: Desk, starts: tuple[float, ...], length_s: float) -> None:
    video = desk.folder / "video"
    video.mkdir()
    source = write_clip(video / "source.mp4", round(25 * length_s))
    for i, t0 in enumerate(starts, 1):
        name = f"{i:06d}.mp4"
        shutil.copy(source, video / name)
        add_to_index(video, [{"file": name, "t0": t0, "t1": t0 + length_s - 0.04, "size": [160, 96]}])
    source.unlink()


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    kept = Matches(tmp_path / "matches")
    desk = kept.create({"game": "snooker", "players": ["Ann", "Bob"]})
    for data in FRAME:
        record = dict(data)
        record.pop("n")
        assert desk.record(ShotRecord.from_json(record)) is not None
    desk.calibrated(calibration().to_json())
    record_video(desk, (20.0, 22.0, 24.0, 26.0, 28.0, 40.0, 42.0), 2.0)
    yield kept
    kept.end()


@pytest.fixture
def web(matches: Matches) -> Iterator[TestClient]:
    app = build_app(matches, endpoints=review_endpoints(Shelf(matches=matches)))
    with TestClient(app, base_url=BASE, headers={"Origin": BASE}) as opened:
        yield opened


def get(web: TestClient, path: str) -> Any:
    answer = web.get(f"/api/review{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_running_match_is_reviewed_as_it_stands(web: TestClient, matches: Matches) -> None:
    assert matches.current is not None
    [review] = get(web, "")["reviews"]
    assert (review["id"], review["kind"], review["shots"]) == (matches.current.id, "match", 4)
    assert get(web, "/current/state")["score"] == {"Ann": 9, "Bob": 0}
    assert [shot["text"]["en"] for shot in get(web, "/current/shots")["shots"]] == [
        "One",
        "Eight",
        "Nine",
        "Ann, break of nine",
    ]


def test_the_replay_of_the_last_shot_begins_ten_seconds_before_it(web: TestClient) -> None:
    replay = get(web, "/current/replay")
    assert (replay["n"], replay["t0"], replay["t1"]) == (4, 30.0, pytest.approx(43.96))
    assert [segment["offset"] for segment in replay["segments"]] == [40.0, 42.0]
    assert web.get(replay["segments"][0]["url"]).status_code == 200
    third = get(web, "/current/replay?n=3")
    assert (third["t0"], third["t1"]) == (20.0, 36.0)
    assert len(third["segments"]) == 5


def test_a_shot_whose_video_was_deleted_for_want_of_space_has_no_replay(web: TestClient, matches: Matches) -> None:
    assert matches.current is not None
    gone = [{"file": f"{i:06d}.mp4", "t0": 20.0, "deleted": True} for i in range(1, 6)]
    add_to_index(matches.current.folder / "video", gone)
    answer = web.get("/api/review/current/replay?n=2")
    assert answer.status_code == 404
    assert answer.json()["error"] == "the video of shot 2 is no longer kept"
    assert get(web, "/current/shots/2")["replay"] is None
    assert get(web, "/current/replay")["t0"] == 40.0


def test_frames_of_all_pieces_are_found_by_time(web: TestClient) -> None:
    times = get(web, "/current/frames?t0=21.9&t1=22.05")
    assert times == {"first": None, "times": pytest.approx([21.92, 21.96, 22.0, 22.04])}
    answer = web.get("/api/review/current/frame.jpg?t=22.03")
    assert answer.headers["X-Frame-Time"] == "22.000000"
    assert web.get("/api/review/current/frame.jpg?index=3").status_code == 404


def test_a_correction_goes_through_the_desk_into_the_log(web: TestClient, matches: Matches) -> None:
    desk = matches.current
    assert desk is not None
    body = {"n": 1, "record": WRONG}
    before = lines(desk.folder / "log.jsonl")
    shown = web.post("/api/review/current/correct", json={**body, "preview": True}).json()
    assert lines(desk.folder / "log.jsonl") == before
    score = {each["n"]: each["now"] for each in shown["differences"] if each["field"] == "score"}
    assert score[1] == {"Ann": 0, "Bob": 5}
    done = web.post("/api/review/current/correct", json={**body, "revision": shown["revision"]})
    assert done.json()["differences"] == shown["differences"]
    assert lines(desk.folder / "log.jsonl")[len(before)]["kind"] == "correct"
    assert desk.snapshot()["board"]["score"] == score[4]
    [item] = [each for each in get(web, "/current/items")["items"] if each["kind"] == "overruled"]
    assert item["n"] == 1
    state = get(web, "/current/state")
    last = state["corrections"][-1]["line"]
    undone = web.post("/api/review/current/undo", json={"line": last, "revision": state["revision"]})
    assert undone.status_code == 200, undone.text
    assert desk.snapshot()["board"]["score"] == {"Ann": 9, "Bob": 0}


def test_a_shot_played_meanwhile_must_be_seen_before_a_correction_is_accepted(
    web: TestClient, matches: Matches
) -> None:
    assert matches.current is not None
    shown = web.post("/api/review/current/correct", json={"n": 1, "record": WRONG, "preview": True}).json()
    matches.current.official({"kind": "warn", "player": "Bob", "about": "slow_play"})
    late = web.post("/api/review/current/correct", json={"n": 1, "record": WRONG, "revision": shown["revision"]})
    assert late.status_code == 409


def test_what_a_match_cannot_take_is_said(web: TestClient) -> None:
    opening = web.post("/api/review/current/opening", json={"state": {}, "preview": True})
    assert "begins as its setting up says" in opening.json()["error"]
    never = {"before": 9, "line": {"kind": "choose", "player": "Bob", "option": "play_again"}, "preview": True}
    assert web.post("/api/review/current/official", json=never).status_code == 422


def test_a_line_is_put_between_the_shots_of_a_match_and_taken_back(web: TestClient, matches: Matches) -> None:
    """A frame that was conceded after the first shot has no further strokes of its own: the next is another frame's."""
    desk = matches.current
    assert desk is not None
    before = desk.snapshot()["board"]
    concede = {"before": 2, "line": {"kind": "concede", "player": "Bob"}}
    shown = web.post("/api/review/current/official", json={**concede, "preview": True}).json()
    assert desk.snapshot()["board"] == before
    done = web.post("/api/review/current/official", json={**concede, "revision": shown["revision"]})
    assert done.status_code == 200, done.text
    assert desk.snapshot()["board"]["frames"]["Ann"] == before["frames"]["Ann"] + 1
    state = get(web, "/current/state")
    said = state["corrections"][-1]
    assert said["what"] == {"en": "after shot 1: Bob: conceded", "ru": "после удара 1: Bob: сдался"}
    back = web.post("/api/review/current/undo", json={"line": said["line"], "revision": state["revision"]})
    assert back.status_code == 200 and desk.snapshot()["board"] == before


def test_a_shot_that_was_not_seen_is_put_into_a_match(web: TestClient, matches: Matches) -> None:
    desk = matches.current
    assert desk is not None
    numbers = [step.n for step in desk.match.shots]
    first = desk.match.shots[0].item
    assert isinstance(first, ShotRecord)
    events = [{"t": first.t1 + 0.1, "kind": "strike", "ball": "cue"}, {"t": first.t1 + 0.2, "kind": "rest"}]
    record = {"t0": first.t1 + 0.1, "t1": first.t1 + 0.2, "events": events}
    shown = web.post("/api/review/current/insert", json={"record": record, "preview": True}).json()
    done = web.post("/api/review/current/insert", json={"record": record, "revision": shown["revision"]})
    assert done.status_code == 200, done.text
    assert [step.n for step in desk.match.shots] == [numbers[0], max(numbers) + 1, *numbers[1:]]


def test_a_match_that_is_over_is_corrected_in_its_log(matches: Matches) -> None:
    assert matches.current is not None
    folder = matches.current.folder
    matches.end()
    shelf = open_folder(folder)
    app = build_app(Matches(folder.parent), endpoints=review_endpoints(shelf))
    size = (folder / "log.jsonl").stat().st_size
    with TestClient(app, base_url=BASE, headers={"Origin": BASE}) as web:
        url = f"/api/review/{folder.name}/correct"
        shown = web.post(url, json={"n": 1, "record": WRONG, "preview": True}).json()
        assert (folder / "log.jsonl").stat().st_size == size
        assert get(web, f"/{folder.name}/state")["score"] == {"Ann": 9, "Bob": 0}
        done = web.post(url, json={"n": 1, "record": WRONG, "revision": shown["revision"]})
        assert done.status_code == 200, done.text
        score = [each["now"] for each in shown["differences"] if each["field"] == "score"][-1]
        assert get(web, f"/{folder.name}/state")["score"] == score
    assert Matches(folder.parent).resume(folder.name).snapshot()["board"]["score"] == score


def test_a_match_that_another_process_runs_is_not_written_to(matches: Matches) -> None:
    assert matches.current is not None
    folder = matches.current.folder
    app = build_app(Matches(folder.parent), endpoints=review_endpoints(open_folder(folder)))
    with TestClient(app, base_url=BASE, headers={"Origin": BASE}) as web:
        assert get(web, f"/{folder.name}/state")["score"] == {"Ann": 9, "Bob": 0}
        refused = web.post(f"/api/review/{folder.name}/correct", json={"n": 1, "record": WRONG, "revision": 4})
        assert refused.status_code in (409, 422)
        assert "another cueref is running this match" in refused.json()["error"]


def told(review: MatchReview) -> list[Any]:
    """Everything that the pages ask of a match."""
    numbers = [each["n"] for each in review.shot_lines()]
    return [
        {**review.state(), "revision": None},
        review.shot_lines(),
        [item.to_json() for item in review.items_with_choices()],
        review.timeline(0.0, 1e4),
        [review.shot(n) for n in numbers],
        [(each.t_s, each.n, each.words) for each in calls_of(review, "en")],
    ]


def test_a_review_that_goes_on_with_the_match_is_one_that_is_opened_now(tmp_path: Path) -> None:
    matches = Matches(tmp_path, camera=True)
    desk = matches.create({"game": "snooker", "players": ["Ann", "Bob"]})
    followed = MatchReview(desk.id, desk.folder, lambda: desk)
    doubtful = {**FRAME[0], "gaps": [{"t0": 10.2, "t1": 10.9}]}
    doubtful["events"] = [{**each, "confidence": 0.7} for each in doubtful["events"]]
    for number in range(40):
        data = FRAME[number % len(FRAME)] if number % 5 else doubtful
        later = 100.0 * number
        events = [{**each, "t": each["t"] + later} for each in data["events"]]
        gaps = [{**each, "t0": each["t0"] + later, "t1": each["t1"] + later} for each in data.get("gaps", ())]
        moved = {"t0": data["t0"] + later, "t1": data["t1"] + later, "events": events, "gaps": gaps}
        desk.record(ShotRecord.from_json({**data, **moved, "n": None}))
        if number in (0, 7, 37):
            assert told(followed) == told(MatchReview(desk.id, desk.folder, lambda: None))
    assert len(followed.shot_lines()) == 40 and followed.questions() and followed.items()
    desk.official({"kind": "warn", "about": "slow_play", "player": "Ann", "follows": 3})
    desk.observe(2, [{"kind": "touched", "ball": "blue", "by": "sleeve"}])
    desk.undo(5)
    assert told(followed) == told(MatchReview(desk.id, desk.folder, lambda: None))
    about = followed.folded_about(2000.0, 2100.0)
    assert {record.n for record in about.records} <= {19, 20, 21, 22, 23, 24} and about.verdicts
    matches.close()


def test_a_long_list_comes_in_parts_the_newest_first(tmp_path: Path) -> None:
    matches = Matches(tmp_path)
    ids = [matches.create({"game": "9-ball", "players": ["Ann", "Bob"]}).id for _ in range(5)]
    app = build_app(matches, endpoints=review_endpoints(Shelf(matches=matches)))
    with TestClient(app, base_url=BASE, headers={"Origin": BASE}) as web:
        first = web.get("/api/review?limit=2").json()
        rest = web.get("/api/review?limit=500&offset=2").json()
    assert first["total"] == rest["total"] == 5 and len(first["reviews"]) == 2
    assert [each["id"] for each in (*first["reviews"], *rest["reviews"])] == sorted(ids, reverse=True)
    assert all(each["kind"] == "match" and each["shots"] == 0 for each in first["reviews"])
    matches.close()
