"""A server of its own for a test, and a browser to look at it with."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
START_S = 60.0
HEARD = """
  const kept = () => JSON.parse(sessionStorage.getItem("said") || "[]");
  Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => [],
    cancel: () => {},
    speak: (utterance) => {
      sessionStorage.setItem("said", JSON.stringify([...kept(), utterance.text]));
      setTimeout(() => utterance.onend && utterance.onend(), 0);
    },
  } });
"""
"""In place of a voice: what is spoken is kept in the tab, over a reload."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """``cueref live`` in a process of its own; it can be killed and started again at the same address."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.arguments = arguments
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Server":
        command = [sys.executable, "-m", "referee", "live", *self.arguments]
        command += ["--matches", str(self.folder), "--port", str(self.port)]
        log = (self.folder.parent / "server.log").open("ab")
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=environment)
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            try:
                if httpx.get(f"{self.url}/api/session", timeout=5.0).status_code == 200:
                    return self
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError(f"the server did not start: {(self.folder.parent / 'server.log').read_text()[-2000:]}")

    def kill(self) -> None:
        """As a power cut does it."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)

    def post(self, path: str, body: Any) -> Any:
        """A request as a page of this server makes it."""
        answer = httpx.post(f"{self.url}{path}", json=body, headers={"Origin": self.url}, timeout=30.0)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def get(self, path: str) -> Any:
        return httpx.get(f"{self.url}{path}", timeout=30.0).json()

    def state(self) -> Any:
        return self.get("/api/state")["state"]

    def match(self, game: str = "snooker", **more: Any) -> str:
        """A match that runs; its id."""
        id: str = self.post("/api/matches", {"game": game, "players": ["Ann", "Bob"], "frames_to_win": 2, **more})["id"]
        return id

    def stroke(self, *events: dict[str, Any], **more: Any) -> Any:
        """A stroke of the cue ball with these events, as one entered by hand."""
        whole = [{"kind": "strike", "ball": "cue"}, *events, {"kind": "rest"}]
        timed = [{"t": i * 0.5, **event} for i, event in enumerate(whole)]
        return self.post("/api/shot", {"record": {"type": "shot", "events": timed, **more}})


def hit(ball: str) -> dict[str, Any]:
    return {"kind": "contact", "balls": ["cue", ball]}


def pot(ball: str, pocket: str = "top-left") -> dict[str, Any]:
    return {"kind": "pocket", "ball": ball, "pocket": pocket}


def key(page: Any, name: str) -> Any:
    """The control of this name."""
    return page.locator(f"[data-key='{name}']")


def until(page: Any, true: Callable[[], bool], longest_s: float = 20.0) -> None:
    """Waits for what no locator can tell."""
    end = time.monotonic() + longest_s
    while not true():
        assert time.monotonic() < end, "it did not come true"
        page.wait_for_timeout(20)
