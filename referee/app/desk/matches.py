"""The matches of one folder: each in a folder of its own, one of them running."""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from threading import RLock
from typing import Any

from referee.app.desk.desk import Desk
from referee.app.desk.hub import Hub
from referee.app.desk.ledger import fold
from referee.app.desk.library import Library
from referee.app.desk.statistics import of_match
from referee.app.desk.store import LOG, StoreError, read_log
from tracking.strict_json import MalformedRecord

MEASURED_MM = 3.0
"""How exact a ball's place in a picture is: what is nearer to a limit of the rules than this is asked."""

ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,99}")


class NoSuchMatch(LookupError):
    """No match of this name is kept here."""


class Matches:
    """The folder ``root`` and the running match, if any. ``hub``: those who look on, whichever match is running.

    camera: whether a camera watches; records measured by it are judged with the doubt that measuring leaves.
    """

    def __init__(self, root: Path, *, camera: bool = False) -> None:
        self.root = root
        self.camera = camera
        self.hub = Hub()
        self.lock = RLock()
        self._current: Desk | None = None
        self._listeners: list[Callable[[Desk | None], None]] = []

    @property
    def current(self) -> Desk | None:
        """The running match."""
        return self._current

    def on_change(self, listener: Callable[[Desk | None], None]) -> None:
        """Called with the desk of each match that begins or is resumed, and with None when it is set aside."""
        self._listeners.append(listener)

    def create(self, header: Mapping[str, Any]) -> Desk:
        """Begins a match; the one that was running is set aside. Raises MalformedRecord, StoreError."""
        with self.lock:
            whole = self.whole_header(header)
            desk = Desk.create(self.root / str(whole["id"]), whole, self.hub)
            self._go_on_with(desk)
            return desk

    def resume(self, match_id: str) -> Desk:
        """Goes on with an earlier match. Raises NoSuchMatch, StoreError, MalformedRecord."""
        with self.lock:
            if self._current is not None and self._current.id == match_id:
                return self._current
            desk = Desk.resume(self.folder_of(match_id), self.hub)
            self._go_on_with(desk)
            return desk

    def end(self) -> None:
        """A person sets the running match aside; it can be resumed. Raises StoreError."""
        with self.lock:
            if self._current is not None:
                self._current.set_aside()
                self._go_on_with(None)

    def close(self) -> None:
        """The server stops: a match that was running goes on when it starts again."""
        with self.lock:
            if self._current is not None:
                self._go_on_with(None)

    def resume_interrupted(self) -> Desk | None:
        """Goes on with the newest match where it was interrupted, by a power cut or because the server was stopped.

        None where the newest was set aside by a person or is over, or can't be gone on with.
        """
        newest = next(iter(self.ids()), None)
        if newest is None or self._current is not None:
            return None
        try:
            ledger = fold(read_log(self.root / newest))
            over = ledger.aside or ledger.match.state.finished
            return None if over else self.resume(newest)
        except (StoreError, MalformedRecord):
            return None

    def ids(self) -> list[str]:
        """The matches that are kept, the newest first."""
        try:
            folders = [path.name for path in self.root.iterdir() if (path / LOG).is_file()]
        except OSError:
            return []
        return sorted((name for name in folders if ID.fullmatch(name)), reverse=True)

    def search(self, words: str = "", game: str | None = None, player: str | None = None) -> list[dict[str, Any]]:
        """The matches that hold all the words, and are of this game and player where one is given; newest first."""
        return Library(self.root, self._current).search(self.ids(), words, game, player)

    def entries(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        """What the list of matches shows of these."""
        return Library(self.root, self._current).entries(ids)

    def statistics(self, player: str, game: str | None = None) -> list[dict[str, Any]]:
        """A player's statistics in each match that is kept."""
        return Library(self.root, self._current).statistics(self.ids(), player, game)

    def statistics_of(self, match_id: str) -> dict[str, dict[str, Any]]:
        """The statistics of a match that is kept, by person. Raises NoSuchMatch, StoreError, MalformedRecord."""
        return of_match(fold(read_log(self.folder_of(match_id))).match)

    def folder_of(self, match_id: str) -> Path:
        """The folder of a match that is kept, matched against what is there. Raises NoSuchMatch."""
        found = next((name for name in self.ids() if name == match_id), None)
        if found is None:
            raise NoSuchMatch("no such match")
        return self.root / found

    def whole_header(self, header: Mapping[str, Any]) -> dict[str, Any]:
        """The first line of a match's log from what was asked for at its setting up."""
        whole = {"type": "match", **{name: value for name, value in header.items() if value is not None}}
        options = dict(whole.get("options") or {})
        if self.camera:
            options.setdefault("measured_mm", MEASURED_MM)
        if whole.get("nominations") == "required":
            options.setdefault("undeclared", "unknown")
        if options:
            whole["options"] = options
        return {**whole, "type": "match", "id": self._new_id(whole), "camera": self.camera}

    def _new_id(self, header: Mapping[str, Any]) -> str:
        game = re.sub(r"[^0-9A-Za-z-]+", "-", str(header.get("game", "")))[:20].strip("-") or "match"
        while True:
            name = f"{datetime.now():%Y%m%d-%H%M%S}-{game}-{secrets.token_hex(2)}"
            if not (self.root / name).exists():
                return name

    def _go_on_with(self, desk: Desk | None) -> None:
        old, self._current = self._current, desk
        if old is not None:
            for listener in self._listeners:
                listener(None)
            old.close()
            Library(self.root).keep(old.id, old.ledger)
        if desk is not None:
            with desk.lock:
                body = {"type": "snapshot", "match": desk.id, "seq": desk.seq, "state": desk.snapshot()}
                self.hub.publish(body, seq=desk.seq)
            for listener in self._listeners:
                listener(desk)
        else:
            self.hub.publish({"type": "snapshot", "match": None, "seq": 0, "state": {"match": None}}, seq=0)


__all__ = ["MalformedRecord", "Matches", "NoSuchMatch", "StoreError"]
