"""The index of all matches that are kept: a SQLite file that is made anew from the logs wherever it is not of them."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
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

PUT = "INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?, ?, ?)"

Kept = tuple[dict[str, Any], str, dict[str, Any]]
"""A match's entry, the words by which it is found, and its statistics by person."""


class Running(Protocol):
    """The match that is being played."""

    @property
    def id(self) -> str: ...

    @property
    def ledger(self) -> Ledger: ...


_LOCK = Lock()
"""Whoever asks while an index is brought up to date waits, and then finds all of it there."""


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
        for row in self._rows(ids):
            if not all(word in row.words for word in wanted):
                continue
            entry = row.entry
            if game in (None, entry["game"]) and (player is None or player in _people(entry)):
                out.append(entry)
        return out

    def entries(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        """Those of these matches; of one whose log can't be read there is none."""
        return [row.entry for row in self._rows(ids, all_of_them=False)]

    def statistics(self, ids: Sequence[str], player: str, game: str | None = None) -> list[dict[str, Any]]:
        """A player's statistics in each of these matches in which he played."""
        kept = [row.statistics for row in self._rows(ids) if game in (None, row.entry["game"])]
        return [numbers[player] for numbers in kept if player in numbers]

    def keep(self, match_id: str, ledger: Ledger) -> None:
        """A match that was played until now, so that its log needn't be read for the index."""
        try:
            facts = (self.root / match_id / LOG).stat()
            with closing(self._open()) as index, index:
                index.execute(PUT, (match_id, facts.st_size, facts.st_mtime_ns, *_texts(_kept(match_id, ledger))))
        except (OSError, sqlite3.Error):
            pass  # its log is read when somebody asks

    def _rows(self, ids: Sequence[str], *, all_of_them: bool = True) -> list["_Row"]:
        """What is known of each match; those whose log can't be read are left out.

        all_of_them: no other match is kept, so that the index forgets all others.
        """
        with _LOCK:
            try:
                return self._brought_up_to_date(ids, all_of_them)
            except sqlite3.OperationalError:
                pass  # busy, or a folder that can't be written
            except sqlite3.DatabaseError:
                self._drop()
            try:
                return self._brought_up_to_date(ids, all_of_them)
            except sqlite3.DatabaseError:  # a folder that can't be written: the logs are read each time
                return [_Row(*_texts(kept)) for each in ids if (kept := self._read(each)) is not None]

    def _brought_up_to_date(self, ids: Sequence[str], all_of_them: bool) -> list["_Row"]:
        with closing(self._open()) as index:
            rows = index.execute("SELECT id, bytes, changed_ns, words, entry, statistics FROM matches")
            known = {row[0]: row[1:] for row in rows}
            here = set(ids)
            gone = [(each,) for each in known if each not in here] if all_of_them else []
            with index:
                index.executemany("DELETE FROM matches WHERE id = ?", gone)
            out = []
            for each in ids:
                if self.running is not None and self.running.id == each:
                    out.append(_Row(*_texts(_kept(each, self.running.ledger))))
                    continue
                try:
                    facts = (self.root / each / LOG).stat()
                except OSError:
                    continue
                row = known.get(each)
                if row is not None and row[:2] == (facts.st_size, facts.st_mtime_ns):
                    out.append(_Row(*row[2:]))
                    continue
                kept = self._read(each)
                if kept is not None:
                    texts = _texts(kept)
                    with index:  # each by itself, so that what was read is kept whatever comes of the next
                        index.execute(PUT, (each, facts.st_size, facts.st_mtime_ns, *texts))
                    out.append(_Row(*texts))
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


@dataclass(frozen=True, slots=True)
class _Row:
    """What the index holds of a match, as text; only what is asked for is taken apart."""

    words: str
    entry_text: str
    statistics_text: str

    @property
    def entry(self) -> dict[str, Any]:
        entry: dict[str, Any] = json.loads(self.entry_text)
        return entry

    @property
    def statistics(self) -> dict[str, Any]:
        numbers: dict[str, Any] = json.loads(self.statistics_text)
        return numbers


def _texts(kept: Kept) -> tuple[str, str, str]:
    """Words, entry and statistics, as the index has them."""
    return kept[1], _text(kept[0]), _text(kept[2])


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
