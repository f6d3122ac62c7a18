"""The index of all matches that are kept: a SQLite file that is made anew from the logs wherever it is not of them."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

from referee.app.desk.ledger import Ledger, fold
from referee.app.desk.statistics import of_match
from referee.app.desk.store import LOG, StoreError, read_log
from tracking.strict_json import MalformedRecord

INDEX = "index.sqlite"
VERSION = 3
"""Of the index; another one is made anew."""
TABLE = """CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY, bytes INTEGER NOT NULL, changed_ns INTEGER NOT NULL,
    words TEXT NOT NULL, entry TEXT NOT NULL, statistics TEXT NOT NULL
)"""


Kept = tuple[dict[str, Any], str, dict[str, Any]]
"""A match's entry, the words by which it is found, and its statistics by person."""


class Running(Protocol):
    """The match that is being played."""

    @property
    def id(self) -> str: ...

    @property
    def ledger(self) -> Ledger: ...


class Library:
    """The index in a folder of matches. Only a log says what a match is; the index only saves reading it again."""

    def __init__(self, root: Path, running: Running | None = None) -> None:
        """running: the match that is being played, whose log needn't be read."""
        self.root = root
        self.running = running

    def search(
        self, ids: Sequence[str], words: str = "", game: str | None = None, player: str | None = None
    ) -> list[dict[str, Any]]:
        """Entries of these matches, in this order, that hold all the words and are of this game and player."""
        wanted = words.casefold().split()
        out = []
        for entry, text, _ in self.entries(ids):
            fits = all(word in text for word in wanted) and game in (None, entry["game"])
            if fits and (player is None or player in _people(entry)):
                out.append(entry)
        return out

    def statistics(self, ids: Sequence[str], player: str, game: str | None = None) -> list[dict[str, Any]]:
        """A player's statistics in each of these matches in which he played."""
        kept = [numbers for entry, _, numbers in self.entries(ids) if game in (None, entry["game"])]
        return [numbers[player] for numbers in kept if player in numbers]

    def entries(self, ids: Sequence[str]) -> list[Kept]:
        """What is known of each match; those whose log can't be read are left out."""
        try:
            with closing(self._open()) as index, index:
                return self._brought_up_to_date(index, ids)
        except sqlite3.OperationalError:
            pass  # busy, or a folder that can't be written
        except sqlite3.DatabaseError:
            self._drop()
        try:
            with closing(self._open()) as index, index:
                return self._brought_up_to_date(index, ids)
        except sqlite3.DatabaseError:  # a folder that can't be written: the logs are read each time
            return [kept for each in ids if (kept := self._read(each)) is not None]

    def _brought_up_to_date(self, index: sqlite3.Connection, ids: Sequence[str]) -> list[Kept]:
        rows = index.execute("SELECT id, bytes, changed_ns, words, entry, statistics FROM matches")
        known = {row[0]: row[1:] for row in rows}
        here = set(ids)
        index.executemany("DELETE FROM matches WHERE id = ?", [(each,) for each in known if each not in here])
        out = []
        for each in ids:
            try:
                facts = (self.root / each / LOG).stat()
            except OSError:
                continue
            if self.running is not None and self.running.id == each:
                out.append(_kept(each, self.running.ledger))
                continue
            row = known.get(each)
            if row is not None and row[:2] == (facts.st_size, facts.st_mtime_ns):
                out.append((json.loads(row[3]), row[2], json.loads(row[4])))
                continue
            kept = self._read(each)
            if kept is not None:
                values = (each, facts.st_size, facts.st_mtime_ns, kept[1], _text(kept[0]), _text(kept[2]))
                index.execute("INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?, ?, ?)", values)
                out.append(kept)
        return out

    def _read(self, match_id: str) -> Kept | None:
        try:
            ledger = fold(read_log(self.root / match_id))
        except (StoreError, MalformedRecord):
            return None
        return _kept(match_id, ledger)

    def _open(self) -> sqlite3.Connection:
        index = sqlite3.connect(self.root / INDEX, timeout=5.0)
        index.execute("PRAGMA journal_mode = WAL")
        if index.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            index.execute("DROP TABLE IF EXISTS matches")
            index.execute(f"PRAGMA user_version = {VERSION}")
        index.execute(TABLE)
        return index

    def _drop(self) -> None:
        for name in (INDEX, INDEX + "-wal", INDEX + "-shm"):
            (self.root / name).unlink(missing_ok=True)


def _kept(match_id: str, ledger: Ledger) -> Kept:
    entry = entry_of(match_id, ledger)
    return entry, _words(entry), of_match(ledger.match)


def entry_of(match_id: str, ledger: Ledger) -> dict[str, Any]:
    """What the list of matches shows of one."""
    state = ledger.match.state
    return {
        "id": match_id,
        "game": ledger.match.game.name,
        **state.sides.to_json(),
        "score": dict(state.score),
        "frames": dict(state.frames),
        "frames_to_win": state.frames_to_win,
        "winner": state.champion,
        "phase": "over" if state.finished else "playing",
        "started": ledger.header.get("wall"),
        "last": ledger.wall,
        "shots": len(ledger.match.shots),
        "questions": len(ledger.match.open_questions),
        "unjudged": len(ledger.unjudged),
        "corrected": sum(place.by is not None for place in ledger.match.places),
        "note": ledger.header.get("note"),
        "camera": bool(ledger.header.get("camera")),
    }


def _people(entry: Mapping[str, Any]) -> list[str]:
    """All names in it: players, sides, members."""
    teams = entry.get("teams", {})
    return [*entry.get("players", ()), *teams, *(each for team in teams.values() for each in team)]


def _words(entry: Mapping[str, Any]) -> str:
    parts = [entry["id"], entry["game"], entry.get("started") or "", entry.get("note") or "", *_people(entry)]
    return " ".join(str(part) for part in parts).casefold()


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
