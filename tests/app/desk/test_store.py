"""The log on disk: whole lines only, numbered without a hole, and what a power cut leaves of it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from referee.app.desk.store import LogStore, StoreError, read_log

FIRST = {"type": "match", "game": "snooker"}


def test_lines_are_numbered_and_stamped(tmp_path: Path) -> None:
    store, first = LogStore.create(tmp_path / "m", FIRST)
    written = store.append({"type": "a"}, {"type": "b"})
    assert [line["seq"] for line in (*first, *written)] == [1, 2, 3]
    assert all("+" in line["wall"] or line["wall"].endswith("Z") or "-" in line["wall"][-6:] for line in written)
    assert read_log(tmp_path / "m") == [*first, *written]


@pytest.mark.parametrize("cut", [1, 7, 40])
def test_a_torn_last_line_is_cut_off_and_kept(tmp_path: Path, cut: int) -> None:
    store, _ = LogStore.create(tmp_path / "m", FIRST)
    store.append({"type": "whole"})
    store.append({"type": "torn", "more": "x" * 50})
    store.close()
    log = tmp_path / "m" / "log.jsonl"
    log.write_bytes(log.read_bytes()[:-cut])
    again, lines = LogStore.open(tmp_path / "m")
    assert [line["type"] for line in lines] == ["match", "whole"]
    assert b'{"type": "torn"' in (tmp_path / "m" / "log.torn").read_bytes()
    again.append({"type": "next"})
    assert [line["seq"] for line in read_log(tmp_path / "m")] == [1, 2, 3]


def test_two_lines_torn_together_are_cut_off_together(tmp_path: Path) -> None:
    store, _ = LogStore.create(tmp_path / "m", FIRST)
    store.append({"type": "whole"})
    store.close()
    log = tmp_path / "m" / "log.jsonl"
    log.write_bytes(log.read_bytes() + b"\0\0\0\0\0\n\0\0\0\0")
    _, lines = LogStore.open(tmp_path / "m")
    assert [line["type"] for line in lines] == ["match", "whole"]


def test_damage_in_the_middle_is_not_passed_over(tmp_path: Path) -> None:
    store, _ = LogStore.create(tmp_path / "m", FIRST)
    store.append({"type": "a"})
    store.append({"type": "b"})
    store.close()
    log = tmp_path / "m" / "log.jsonl"
    rows = log.read_bytes().split(b"\n")
    log.write_bytes(b"\n".join([rows[0], rows[1][:-9], *rows[2:]]))
    with pytest.raises(StoreError, match="line 2 is damaged"):
        LogStore.open(tmp_path / "m")


def test_a_match_is_held_by_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.app.desk.store.DYING_S", 0.1)
    store, _ = LogStore.create(tmp_path / "m", FIRST)
    with pytest.raises(StoreError, match="another cueref"):
        LogStore.open(tmp_path / "m")
    store.close()
    LogStore.open(tmp_path / "m")[0].close()


def test_a_folder_that_holds_a_match_is_not_overwritten(tmp_path: Path) -> None:
    LogStore.create(tmp_path / "m", FIRST)[0].close()
    with pytest.raises(StoreError, match="holds a match already"):
        LogStore.create(tmp_path / "m", FIRST)


def test_a_full_disk_leaves_the_log_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, _ = LogStore.create(tmp_path / "m", FIRST)
    real = os.pwrite

    def full(file: int, data: bytes, at: int) -> int:
        if len(data) > 10:
            return real(file, data[:10], at)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(StoreError, match="No space left"):
        store.append({"type": "lost"})
    monkeypatch.setattr(os, "pwrite", real)
    assert [line["type"] for line in read_log(tmp_path / "m")] == ["match"]
    store.append({"type": "next"})
    assert [line["seq"] for line in read_log(tmp_path / "m")] == [1, 2]


def test_every_cut_of_a_log_can_be_opened(tmp_path: Path) -> None:
    store, _ = LogStore.create(tmp_path / "m", FIRST)
    for i in range(3):
        store.append({"type": "line", "i": i}, {"type": "call", "text": "ж" * i})
    store.close()
    log = tmp_path / "m" / "log.jsonl"
    whole = log.read_bytes()
    lines: list[dict[str, Any]] = [json.loads(row) for row in whole.splitlines()]
    ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
    for cut in {*range(ends[0], len(whole) + 1, 23), *ends, *(end - 1 for end in ends[1:])}:
        log.write_bytes(whole[:cut])
        store, found = LogStore.open(tmp_path / "m")
        store.close()
        assert found == lines[: sum(end <= cut for end in ends)]
