"""Playing a match against a server that is killed at random moments, and what must hold afterwards."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from referee.app.desk.matches import Matches
from referee.app.desk.store import read_log

MOST_INPUTS = 8
"""So many inputs are made at most before the one at which the server is killed."""

LONGEST_S = 120.0
"""So long an answer is waited for, on a machine that is busy with something else."""

SERVING = Path(__file__).with_name("serving_process.py")
HEADER = {"game": "snooker", "players": ["Ann", "Bob"], "frames_to_win": 50}


@dataclass
class Heard:
    """What one page heard, over all its connections."""

    calls: list[dict[str, Any]] = field(default_factory=list)
    seq: int = 0

    def follow(self, port: int, match: str) -> None:
        """Until the connection breaks."""
        address = f"ws://127.0.0.1:{port}/api/socket?since={self.seq}&match={match}"
        try:
            with connect(address, open_timeout=LONGEST_S, max_size=None) as socket:
                while True:
                    message = json.loads(socket.recv())
                    if message["type"] == "call":
                        self.calls.append({**message["call"], "seq": message["seq"]})
                        self.seq = max(self.seq, message["seq"])
        except (WebSocketException, OSError, EOFError):
            return


@dataclass
class Play:
    """Inputs, each with a mark by which it is known again in the log."""

    rng: random.Random
    accepted: list[tuple[int, str, float]] = field(default_factory=list)
    count: int = 0

    def one(self, http: httpx.Client) -> None:
        self.count += 1
        mark = self.count / 1000
        kind = self.rng.choices(["shot", "place", "nomination", "undo"], [6, 2, 2, 1])[0]
        if kind == "shot":
            ball = self.rng.choice(["red-1", "blue", "red-2", "black"])
            events: list[dict[str, Any]] = [{"t": 0.0, "kind": "strike", "ball": "cue"}]
            events += [{"t": 0.5, "kind": "contact", "balls": ["cue", ball]}, {"t": 1.0 + mark, "kind": "rest"}]
            answer = http.post("/api/shot", json={"record": {"events": events, "before": {"cue": [mark, 500.0]}}})
        elif kind == "place":
            answer = http.post("/api/official", json={"kind": "place_cue_ball", "at": [mark, 500.0]})
        elif kind == "nomination":
            answer = http.post("/api/nomination", json={"nominated": {"ball": "blue"}})
        else:
            answer = http.post("/api/undo", json={})
        if answer.status_code == 200:
            self.accepted.append((answer.json()["seq"], kind, mark))
        else:
            assert answer.status_code == 422, answer.text


def play_and_kill(
    folder: Path, kills: int, seed: int, told: Callable[[dict[str, int]], None] = lambda so_far: None
) -> dict[str, int]:
    """Plays while the server is killed so many times; raises AssertionError where something was lost or doubled.

    told: hears the counts after each kill.
    """
    rng = random.Random(seed)
    match = Matches(folder).create(HEADER)
    match.close()
    heard, play = Heard(), Play(rng=rng)
    serving = subprocess.Popen(
        [sys.executable, str(SERVING), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        for done in range(1, kills + 1):
            pid, port = _started(serving)
            page = Thread(target=heard.follow, args=(port, match.id))
            page.start()
            killer = Thread(target=_kill, args=(pid, rng.uniform(0.0, 0.06)))
            try:
                with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=LONGEST_S) as http:
                    for _ in range(rng.randint(0, MOST_INPUTS)):  # none: already while it is starting
                        play.one(http)
                    killer.start()
                    while True:
                        play.one(http)
            except httpx.TransportError:
                pass
            if killer.ident is None:
                killer.start()
            killer.join()
            page.join()
            told({"kills": done, "accepted": len(play.accepted), "calls": len(heard.calls), "lines": heard.seq})
        pid, port = _started(serving)  # once more, to hear what was missed
        page = Thread(target=heard.follow, args=(port, match.id))
        page.start()
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=LONGEST_S) as http:
            last = http.get("/api/state").json()["seq"]
        _wait_for(lambda: heard.seq >= max((call["seq"] for call in _calls(folder, match.id)), default=0))
        os.kill(pid, signal.SIGKILL)
        page.join()
    finally:
        assert serving.stdin is not None
        serving.stdin.close()
        serving.wait()
    _check(read_log(folder / match.id), heard, play, last)
    return {"kills": kills, "accepted": len(play.accepted), "calls": len(heard.calls), "lines": last}


def _started(serving: "subprocess.Popen[str]") -> tuple[int, int]:
    assert serving.stdin is not None and serving.stdout is not None
    serving.stdin.write("serve\n")
    serving.stdin.flush()
    pid, port = serving.stdout.readline().split()
    return int(pid), int(port)


def _kill(pid: int, after_s: float) -> None:
    time.sleep(after_s)
    os.kill(pid, signal.SIGKILL)


def _wait_for(holds: Any, longest_s: float = LONGEST_S) -> None:
    until = time.monotonic() + longest_s
    while not holds():
        assert time.monotonic() < until, "the page never heard the last call"
        time.sleep(0.02)


def _calls(folder: Path, match: str) -> list[dict[str, Any]]:
    return [line for line in read_log(folder / match) if line["type"] == "call"]


def _check(log: list[dict[str, Any]], heard: Heard, play: Play, last: int) -> None:
    assert [line["seq"] for line in log] == list(range(1, len(log) + 1)) and len(log) == last
    by_seq = {line["seq"]: line for line in log}
    marks = {line["at"][0] for line in log if line.get("kind") == "place_cue_ball"}
    marks |= {line["before"]["cue"][0] for line in log if line["type"] == "shot"}
    for seq, kind, mark in play.accepted:
        assert seq in by_seq, f"an accepted {kind} is lost"
        assert kind not in ("shot", "place") or mark in marks, f"an accepted {kind} is lost"
    told = [call["id"] for call in heard.calls]
    assert len(told) == len(set(told)), "a call was announced twice"
    assert told == [line["id"] for line in log if line["type"] == "call"], "a call was lost or out of order"
    causes = [line["of"] for line in log if line["type"] == "call"]
    assert len(causes) == len(set(causes)), "one line was called twice"
