"""Gaps put together, delays by rank, the desk told in order, the calls spoken once each."""

import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.app.desk.store import StoreError
from referee.app.live.clerk import Clerk
from referee.app.live.gaps import GapLog
from referee.app.live.latency import Latency
from referee.app.live.state import SeenTable, SourceState, Status, Unseen
from referee.app.live.voice import NoVoice, Voice
from tests.app.live.misbehaving import until
from tracking.records import ShotRecord


def told() -> tuple[list[tuple[float, float, str, int]], GapLog]:
    spans: list[tuple[float, float, str, int]] = []
    return spans, GapLog(lambda *span: spans.append(span))


def test_drops_close_to_each_other_are_one_span_told_when_it_is_over() -> None:
    spans, gaps = told()
    gaps.add(1.0, 1.1, Unseen.SLOW, 2)
    gaps.add(1.5, 1.6, Unseen.SLOW, 3)
    gaps.at(2.0)
    assert spans == []
    gaps.at(2.7)
    assert spans == [(1.0, 1.6, "slow", 5)]


def test_another_reason_is_another_span_and_a_long_one_is_told_in_pieces() -> None:
    spans, gaps = told()
    for k in range(25):
        gaps.add(float(k), k + 1.0, Unseen.DARK, 25)
    gaps.add(25.0, 26.0, Unseen.LOST, 0)
    gaps.flush()
    assert spans == [
        (0.0, 10.0, "dark", 250),
        (10.0, 20.0, "dark", 250),
        (20.0, 25.0, "dark", 125),
        (25.0, 26.0, "lost", 0),
    ]


def test_percentiles_are_delays_that_happened() -> None:
    latency = Latency()
    assert latency.percentile(0.95) is None
    for k in range(1, 21):
        latency.add(k / 100)
    assert latency.percentile(0.5) == 0.10
    assert latency.percentile(0.95) == 0.19
    assert latency.percentile(1.0) == 0.20


def test_the_state_is_told_without_needless_digits() -> None:
    state = SourceState(
        status=Status.LIVE, name="camera /dev/video0", size=(1280, 720), fps=29.97, latency_p95_s=0.12345
    )
    data = state.to_json()
    assert (data["status"], data["fps"], data["size"]) == ("live", 30.0, [1280, 720])
    assert data["latency"] == {"p50": None, "p95": 0.123}


# ---------------------------------------------------------------------------------------------- the clerk


class Slow:
    """A desk that takes its time, and fails where it is told to."""

    folder, header = Path("m"), {"game": "snooker"}

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.go = threading.Event()

    def record(self, record: ShotRecord, captured_s: float | None) -> None:
        self.go.wait(5)
        self.heard.append(("record", record.t0))

    def running(self, events: object, before: object, t_s: float, *, gaps: object, doubtful: object) -> None:
        self.heard.append(("running", t_s))

    def seen(self, table: SeenTable) -> None:
        self.heard.append(("seen", table.t_s))

    def source(self, state: SourceState) -> None:
        raise RuntimeError("the disk is full")

    def gap(self, t0_s: float, t1_s: float, reason: str, frames: int) -> None:
        self.heard.append(("gap", t0_s))

    def calibrated(self, calibration: Mapping[str, Any]) -> None:
        self.heard.append(("calibrated",))


def test_the_desk_is_told_all_that_counts_in_order_and_of_the_moment_the_newest() -> None:
    desk = Slow()
    clerk = Clerk(desk)
    clerk.record(ShotRecord(t0=1.0, t1=2.0), None, None)
    for k in range(5):
        clerk.seen(SeenTable(t_s=float(k)))
        clerk.running((), None, float(k))
    clerk.gap(7.0, 8.0, "slow", 1)
    clerk.seen(SeenTable(t_s=9.0))
    clerk.record(ShotRecord(t0=3.0, t1=4.0), None, None)
    desk.go.set()
    clerk.close()
    assert desk.heard == [
        ("record", 1.0),
        ("seen", 4.0),
        ("running", 4.0),
        ("gap", 7.0),
        ("seen", 9.0),
        ("record", 3.0),
    ]
    clerk.seen(SeenTable(t_s=10.0))
    assert len(desk.heard) == 6


def test_what_the_desk_refuses_is_said_and_the_rest_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    desk = Slow()
    desk.go.set()
    clerk = Clerk(desk)
    clerk.source(SourceState(status=Status.LIVE, name="x"))
    assert until(lambda: clerk.problem != "")
    clerk.source(SourceState(status=Status.LIVE, name="x"))
    assert clerk.problem == "the match could not take in what was seen: the disk is full"
    clerk.gap(1.0, 2.0, "lost", 0)
    clerk.close()
    assert desk.heard == [("gap", 1.0)]
    assert capsys.readouterr().err.count("the disk is full") == 1


def test_a_record_is_told_again_until_the_log_can_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("referee.app.live.clerk.RETRY_S", 0.01)
    full = True

    class Full(Slow):
        def record(self, record: ShotRecord, captured_s: float | None) -> None:
            if full:
                raise StoreError("log.jsonl: no space left")
            super().record(record, captured_s)

    desk = Full()
    desk.go.set()
    clerk = Clerk(desk)
    clerk.record(ShotRecord(t0=1.0, t1=2.0), None, None)
    clerk.gap(3.0, 4.0, "slow", 1)
    assert until(lambda: clerk.problem != "")
    time.sleep(0.05)
    assert desk.heard == []
    full = False
    clerk.close()
    assert desk.heard == [("record", 1.0), ("gap", 3.0)]
    assert capsys.readouterr().err.count("no space left") == 1


def test_delays_are_measured_when_the_desk_has_called() -> None:
    desk = Slow()
    clerk = Clerk(desk)
    now = time.monotonic()
    clerk.record(ShotRecord(t0=1.0, t1=2.0), now, now - 0.5)
    time.sleep(0.05)
    desk.go.set()
    clerk.close()
    light, rest = clerk.light_to_call.percentile(0.5), clerk.rest_to_verdict.percentile(0.5)
    assert light is not None
    assert rest is not None
    assert light >= 0.05
    assert rest - light == pytest.approx(0.5, abs=1e-6)


# ---------------------------------------------------------------------------------------------- the voice


class Messages:
    """A subscription to what is put into it."""

    def __init__(self) -> None:
        self.waiting: list[Any] = []
        self.wake = lambda: None

    def subscribe(self, wake: Any) -> "Messages":
        self.wake = wake
        return self

    def take(self) -> list[Any]:
        out, self.waiting = self.waiting, []
        return out

    def put(self, **body: Any) -> None:
        self.waiting.append(SimpleNamespace(body=body))
        self.wake()


@pytest.fixture
def spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program by the name of espeak-ng that writes down what it is to say, slowly."""
    program, log = tmp_path / "espeak-ng", tmp_path / "spoken"
    log.touch()
    program.write_text(f'#!/bin/sh\nsleep 0.05\necho "$2 $(cat)" >> {log}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return log


def call(seq: int, *words: str) -> dict[str, Any]:
    return {"type": "call", "seq": seq, "call": {"announce": {"en": list(words), "ru": ["по-русски"]}}}


def test_each_call_is_spoken_once_and_in_order(spoken: Path) -> None:
    voice, messages = Voice("en"), Messages()
    voice.follow(messages.subscribe)
    messages.put(**call(3, "Foul, four points"))
    messages.put(type="table", t=1.0)
    messages.put(**call(4, "Foul withdrawn", "One"))
    messages.put(**call(4, "Foul withdrawn", "One"))
    messages.put(**call(6))
    messages.put(**call(7, "Eight"))
    assert until(lambda: len(spoken.read_text().splitlines()) == 3)
    assert spoken.read_text().splitlines() == ["en Foul, four points", "en Foul withdrawn. One", "en Eight"]
    voice.stop()


def test_what_was_called_before_a_match_was_resumed_is_not_spoken_again(spoken: Path) -> None:
    voice, messages = Voice("ru"), Messages()
    voice.follow(messages.subscribe)
    messages.put(type="snapshot", match="m", seq=40)
    messages.put(**call(39, "Old"))
    messages.put(**call(41, "New"))
    assert until(lambda: spoken.read_text() != "")
    voice.stop()
    assert spoken.read_text() == "ru по-русски\n"


def test_a_machine_without_a_voice_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoVoice, match="espeak-ng is not installed"):
        Voice("en")
