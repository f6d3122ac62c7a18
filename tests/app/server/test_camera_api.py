"""The camera over HTTP, with an eye that sees a drawn table."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from calibration.points import named_points
from calibration.result import Calibration, FailedCalibration
from calibration.tables import TABLES
from referee.app.desk.desk import Desk
from referee.app.desk.matches import Matches
from referee.app.live.calibrating import calibration_json
from referee.app.live.eye import NothingToAccept
from referee.app.live.state import SeenBall, SeenTable
from referee.app.server.app import build_app

BASE = "http://127.0.0.1:8147"
TABLE = TABLES["snooker-12ft"]
SIZE = (640, 360)


def overhead() -> dict[str, tuple[float, float]]:
    """Where a camera straight above sees the named points: 0.15 px a mm, the table lying on its side."""
    return {name: (50 + 0.15 * p[1], 50 + 0.15 * p[0]) for name, p in named_points(TABLE).items()}


class DrawnEye:
    """What the server asks of an eye, answered from a grey picture."""

    def __init__(self) -> None:
        self.bgr: Any = None
        self.calibration: Any = None
        self.proposed: Any = None
        self.orders: list[Any] = []
        self.kept: list[tuple[int, float, float]] = []
        self.phase, self.reason = "searching", None

    def picture(self) -> Any:
        return None if self.bgr is None else SimpleNamespace(bgr=self.bgr, t_s=7.25)

    def calibration_json(self) -> dict[str, Any]:
        return calibration_json(self.proposed or self.calibration, self.phase, self.reason, TABLE)

    def find(self, game: str, table: Any, baulk: str | None = None) -> Any:
        return FailedCalibration(reason="no table is seen")

    def use_points(self, points: Mapping[str, tuple[float, float]], game: str, table: Any) -> Any:
        from calibration.find import calibrate

        self.proposed = calibrate([self.bgr], table, points=points)
        self.phase = "found" if isinstance(self.proposed, Calibration) else "failed"
        return self.proposed

    def accept(self) -> Any:
        if self.proposed is None:
            raise NothingToAccept("no calibration was found yet")
        self.calibration, self.proposed, self.phase = self.proposed, None, "accepted"
        return self.calibration

    def watch(self, desk: Desk, folder: Path, from_s: float = 0.0) -> None:
        self.orders.append((desk.id, from_s))

    def rest(self) -> None:
        self.orders.append(None)

    def protect(self, n: int, t0_s: float, t1_s: float) -> None:
        self.kept.append((n, t0_s, t1_s))


@pytest.fixture
def eye() -> DrawnEye:
    return DrawnEye()


@pytest.fixture
def matches(tmp_path: Path) -> Matches:
    return Matches(tmp_path, camera=True)


@pytest.fixture
def client(matches: Matches, eye: DrawnEye) -> Iterator[TestClient]:
    with TestClient(build_app(matches, camera=eye), base_url=BASE) as client:
        client.post("/api/matches", json={"game": "snooker", "players": ["Ann", "Bob"]})
        yield client


def decoded(answer: Any) -> Any:
    assert answer.headers["content-type"] == "image/jpeg"
    return cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)


def calibrated(client: TestClient, eye: DrawnEye) -> None:
    eye.bgr = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    answer = client.post("/api/calibration", json={"points": overhead()})
    assert answer.json()["phase"] == "found", answer.text
    assert client.post("/api/calibration/accept").status_code == 200


def test_the_eye_watches_for_the_running_match(client: TestClient, eye: DrawnEye, matches: Matches) -> None:
    first = matches.ids()[0]
    assert eye.orders == [(first, 0.0)]
    desk = matches.current
    assert desk is not None and desk.header["options"]["measured_mm"] == 3.0
    client.post("/api/match/end")
    assert eye.orders[-1] is None
    client.post(f"/api/matches/{first}/resume")
    assert eye.orders[-1] == (first, 0.0)
    client.post("/api/shot", json={"record": {"events": [{"t": 0, "kind": "strike", "ball": "cue"}]}})
    client.post("/api/match/end")
    client.post(f"/api/matches/{first}/resume")
    assert eye.orders[-1][1] > 1.0  # the clock goes on after the last record


def test_a_match_waits_for_its_calibration(client: TestClient, eye: DrawnEye, matches: Matches) -> None:
    assert client.get("/api/state").json()["state"]["match"]["phase"] == "calibrating"
    assert matches.current is not None
    matches.current.calibrated({"found_by": "markings"})
    state = client.get("/api/state").json()["state"]
    kept = json.loads((matches.current.folder / "calibration.json").read_text())
    assert kept == {"found_by": "markings"}
    assert state["match"]["phase"] == "playing" and state["calibration"] == {"found_by": "markings"}


def test_finding_fails_in_words_and_accepting_nothing_is_refused(client: TestClient, eye: DrawnEye) -> None:
    eye.bgr = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    answer = client.post("/api/calibration", json={"find": True})
    assert answer.status_code == 200
    assert (answer.json()["phase"], answer.json()["reason"]) == ("failed", "no table is seen")
    assert client.post("/api/calibration/accept").status_code == 409
    assert client.post("/api/calibration", json={}).status_code == 422
    assert client.post("/api/calibration", json={"points": {"nowhere": [1, 2]}}).json()["field"] == "points.nowhere"


def test_points_calibrate_and_the_markings_are_drawn_where_they_are(client: TestClient, eye: DrawnEye) -> None:
    calibrated(client, eye)
    plain = decoded(client.get("/api/picture.jpg"))
    drawn = decoded(client.get("/api/picture.jpg?draw=markings"))
    assert plain.shape == (360, 640, 3) and np.abs(plain.astype(int) - 90).max() < 4
    changed = np.argwhere(np.abs(drawn.astype(int) - plain).max(axis=2) > 60)
    assert len(changed) > 500
    rows, columns = changed[:, 0], changed[:, 1]
    assert columns.min() >= 38 and columns.max() <= 600 and rows.min() >= 38 and rows.max() <= 330
    assert decoded(client.get("/api/picture.jpg?width=320")).shape == (180, 320, 3)


def test_wanted_places_are_green_where_a_ball_lies_there(client: TestClient, eye: DrawnEye, matches: Matches) -> None:
    calibrated(client, eye)
    client.post("/api/putback", json={"positions": {"black": [889.0, 3245.0], "blue": [889.0, 1784.5]}})
    assert matches.current is not None
    lying = {
        "black": SeenBall(x=889.5, y=3245.5, state="at_rest", visible=True, sigma_mm=0.3),
        "blue": SeenBall(x=899.0, y=1784.5, state="at_rest", visible=True, sigma_mm=0.3),
    }
    matches.current.seen(SeenTable(t_s=1.0, balls=lying))
    drawn = decoded(client.get("/api/picture.jpg?draw=wanted")).astype(int)
    black, blue = drawn[183, 537], drawn[183, 318]
    assert black[1] > black[2] + 40  # green: within 2 mm
    assert blue[2] > blue[1] + 40  # red: 10 mm off


def test_no_picture_yet_and_no_camera_at_all(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/api/picture.jpg").status_code == 503
    with TestClient(build_app(Matches(tmp_path / "other")), base_url=BASE) as without:
        answer = without.get("/api/picture.jpg")
        assert answer.status_code == 409 and "camera is off" in answer.json()["error"]


def test_video_of_shots_in_doubt_is_kept(client: TestClient, eye: DrawnEye) -> None:
    events = [{"t": 0, "kind": "strike", "ball": "cue"}, {"t": 1, "kind": "rest"}]
    client.post(
        "/api/shot",
        json={"record": {"events": [*events[:1], {"t": 0.5, "kind": "contact", "balls": ["cue", "red-1"]}]}},
    )
    assert eye.kept == []
    doubtful = {"t": 0.5, "kind": "contact", "balls": ["cue", "blue"], "confidence": 0.5}
    client.post("/api/shot", json={"record": {"events": [events[0], doubtful, events[1]]}})
    assert [kept[0] for kept in eye.kept] == [2]
    client.post("/api/correct", json={"n": 1, "record": {"events": events}})
    assert [kept[0] for kept in eye.kept] == [2, 1]
