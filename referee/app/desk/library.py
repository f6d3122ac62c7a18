"""The index of all matches that are kept: a SQLite file that is made anew from the logs wherever it is not of them."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from referee.app.desk.ledger import fold
from referee.app.desk.store import LOG, StoreError, read_log
from tracking.strict_json import MalformedRecord

INDEX = "index.sqlite"
VERSION = 1
TABLE = """CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY, bytes INTEGER NOT NULL, changed_ns INTEGER NOT NULL, words TEXT NOT NULL, entry TEXT NOT NULL
)"""


class Library:
    """The index in a folder of matches. Only a log says what a match is; the index only saves reading it again."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def search(
        self, ids: Sequence[str], words: str = "", game: str | None = None, player: str | None = None
    ) -> list[dict[str, Any]]:
        """Entries of these matches, in this order, that hold all the words and are of this game and player."""
        wanted = words.casefold().split()
        out = []
        for entry, text in self.entries(ids):
            people = [*entry.get("players", ()), *(each for team in entry.get("teams", {}).values() for each in team)]
            people += list(entry.get("teams", {}))
            fits = all(word in text for word in wanted) and game in (None, entry["game"])
            if fits and (player is None or player in people):
                out.append(entry)
        return out

    def entries(self, ids: Sequence[str]) -> list[tuple[dict[str, Any], str]]:
        """Each match's entry and the words by which it is found; those whose log can't be read are left out."""
        try:
            with closing(self._open()) as index, index:
                return self._brought_up_to_date(index, ids)
        except sqlite3.DatabaseError:
            self._drop()
        try:
            with closing(self._open()) as index, index:
                return self._brought_up_to_date(index, ids)
        except sqlite3.DatabaseError:  # a folder that can't be written: the logs are read each time
            return [(entry, _words(entry)) for each in ids if (entry := self._read(each)) is not None]

    def _brought_up_to_date(self, index: sqlite3.Connection, ids: Sequence[str]) -> list[tuple[dict[str, Any], str]]:
        rows = index.execute("SELECT id, bytes, changed_ns, words, entry FROM matches")
        known = {row[0]: row[1:] for row in rows}
        index.executemany("DELETE FROM matches WHERE id = ?", [(each,) for each in known if each not in set(ids)])
        out = []
        for each in ids:
            try:
                facts = (self.root / each / LOG).stat()
            except OSError:
                continue
            row = known.get(each)
            if row is not None and row[:2] == (facts.st_size, facts.st_mtime_ns):
                out.append((json.loads(row[3]), row[2]))
                continue
            entry = self._read(each)
            if entry is not None:
                words = _words(entry)
                values = (each, facts.st_size, facts.st_mtime_ns, words, json.dumps(entry, ensure_ascii=False))
                index.execute("INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?, ?)", values)
                out.append((entry, words))
        return out

    def _read(self, match_id: str) -> dict[str, Any] | None:
        try:
            return entry_of(match_id, read_log(self.root / match_id))
        except (StoreError, MalformedRecord):
            return None

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


def entry_of(match_id: str, lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the list of matches shows of one. Raises MalformedRecord."""
    ledger = fold(lines)
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
        "started": lines[0].get("wall"),
        "last": lines[-1].get("wall"),
        "shots": len(ledger.match.shots),
        "questions": len(ledger.match.open_questions),
        "note": lines[0].get("note"),
        "camera": bool(lines[0].get("camera")),
    }


def _words(entry: Mapping[str, Any]) -> str:
    people = [*entry.get("players", ()), *entry.get("teams", {})]
    people += [each for team in entry.get("teams", {}).values() for each in team]
    parts = [entry["id"], entry["game"], entry.get("started") or "", entry.get("note") or "", *people]
    return " ".join(str(part) for part in parts).casefold()
