"""The calls, spoken on this machine by espeak-ng: each once, in the order of play, one after the other."""

import contextlib
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

COMMANDS = ("espeak-ng", "espeak")
LONGEST_S = 20.0
OLDEST_WAITING = 20


class NoVoice(Exception):
    """There is no program that speaks; the message says what to install."""


def speaker() -> str:
    """The program that speaks; raises NoVoice."""
    found = next((path for name in COMMANDS if (path := shutil.which(name)) is not None), None)
    if found is None:
        raise NoVoice("espeak-ng is not installed; with it the calls are spoken on this machine")
    return found


class Listening(Protocol):
    """A subscription to the match's messages."""

    def take(self) -> list[Any]: ...


class Voice:
    """Speaks in ``lang`` what `say` is given. Raises NoVoice where no program for it is installed."""

    def __init__(self, lang: str) -> None:
        self._command = [speaker(), "-v", lang, "--stdin"]
        self.lang = lang
        self.problem: str | None = None
        self._waiting: queue.Queue[str | None] = queue.Queue(OLDEST_WAITING)
        self._last_seq = 0
        self._woken = threading.Event()
        self._stop = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="cueref-voice", daemon=True)
        self._thread.start()

    def follow(self, subscribe: Callable[[Callable[[], None]], Listening]) -> None:
        """Speaks the calls among the messages from now on."""
        listening = subscribe(self._woken.set)
        threading.Thread(target=self._listen, args=(listening,), name="cueref-voice-ear", daemon=True).start()

    def say(self, text: str) -> None:
        """Once what waits before it has been said; returns at once."""
        if text.strip():
            with contextlib.suppress(queue.Full):
                self._waiting.put_nowait(text)

    def stop(self) -> None:
        """Falls silent."""
        self._stop.set()
        self._woken.set()
        process = self._process
        if process is not None:
            process.kill()
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(None)
        self._thread.join(2.0)

    def _listen(self, listening: Listening) -> None:
        while not self._stop.is_set():
            self._woken.wait()
            self._woken.clear()
            for message in listening.take():
                self._hear(message.body)

    def _hear(self, body: Mapping[str, Any]) -> None:
        """A snapshot tells where a match stands: what was called before it has been spoken already."""
        if body.get("type") == "snapshot":
            self._last_seq = int(body.get("seq") or 0)
        if body.get("type") == "call" and int(body["seq"]) > self._last_seq:
            self._last_seq = int(body["seq"])
            words = body["call"]["announce"]
            self.say(". ".join(words.get(self.lang) or next(iter(words.values()), [])))

    def _run(self) -> None:
        while not self._stop.is_set():
            text = self._waiting.get()
            if text is None:
                return
            try:
                self._speak(text)
            except OSError as error:
                self.problem = f"the calls can't be spoken: {error.strerror or error}"

    def _speak(self, text: str) -> None:
        quiet = subprocess.DEVNULL
        with subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet) as process:
            self._process = process
            try:
                process.communicate(text.encode(), timeout=LONGEST_S)
            except subprocess.TimeoutExpired:
                process.kill()
            finally:
                self._process = None
