"""The output folder of an input: written aside, put in place when complete, and recognized when it is there."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

ASIDE = ".unfinished-"
OLD = f"{ASIDE}old-"
CORRECTIONS, EXPORTS = "corrections.jsonl", "exports"
"""What people said to an earlier analysis of the input, and took from it; both stay when that is analyzed anew."""


def write_json(path: Path, data: Any) -> None:
    """Indented, in UTF-8, without escapes."""
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_lines(path: Path, objects: Iterable[Any]) -> None:
    """JSON Lines."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


class NewFolder:
    """``with NewFolder(out, stem) as folder``: a folder aside that takes the place of ``out/stem`` if all goes well."""

    def __init__(self, out: Path, stem: str) -> None:
        self.final = out / stem
        self.aside = out / f"{ASIDE}{stem}"

    def __enter__(self) -> Path:
        shutil.rmtree(self.aside, ignore_errors=True)
        self.aside.mkdir(parents=True)
        return self.aside

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is not None:
            shutil.rmtree(self.aside, ignore_errors=True)
            return
        old = self.final.with_name(f"{OLD}{self.final.name}")
        shutil.rmtree(old, ignore_errors=True)
        if self.final.exists():
            if (self.final / CORRECTIONS).is_file():
                shutil.copy2(self.final / CORRECTIONS, self.aside / CORRECTIONS)
            self.final.replace(old)
        self.aside.replace(self.final)
        _hand_over_exports(old, self.final)
        shutil.rmtree(old, ignore_errors=True)


def _hand_over_exports(old: Path, final: Path) -> None:
    if (old / EXPORTS).is_dir() and not (final / EXPORTS).exists():
        (old / EXPORTS).replace(final / EXPORTS)


def sweep(out: Path) -> None:
    """Removes what a run that was stopped left aside; a folder that was to be replaced and wasn't is put back."""
    for path in out.glob(f"{OLD}*"):
        final = out / path.name.removeprefix(OLD)
        if not final.exists():
            path.replace(final)
        else:
            _hand_over_exports(path, final)
    for path in out.glob(f"{ASIDE}*"):
        shutil.rmtree(path, ignore_errors=True)


def is_finished(out: Path, stem: str, sha256: str, settings: dict[str, Any], version: str) -> bool:
    """Whether ``out/stem`` holds the whole analysis of this very input with these settings by this version."""
    try:
        summary = json.loads((out / stem / "summary.json").read_text(encoding="utf-8"))
        same_input = summary["input"]["sha256"] == sha256
        same_settings = summary["settings"] == json.loads(json.dumps(settings))
        return bool(same_input and same_settings and summary["versions"]["cueref"] == version)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def check_writable(folder: Path) -> None:
    """Makes the folder where there is none; raises OSError where nothing can be written into it."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


class FailureLog:
    """``failed.jsonl``: a line for each input that failed, kept for inputs that this run doesn't touch."""

    def __init__(self, out: Path, inputs: Iterable[str]) -> None:
        self.path = out / "failed.jsonl"
        mine = set(inputs)
        kept = [line for line in self._lines() if line.get("input") not in mine]
        if kept:
            aside = self.path.with_suffix(".new")
            write_lines(aside, kept)
            aside.replace(self.path)
        else:
            self.path.unlink(missing_ok=True)

    def _lines(self) -> list[dict[str, Any]]:
        lines = []
        try:
            text = self.path.read_text(encoding="utf-8")
        except OSError:
            return []
        for line in text.splitlines():
            try:
                data = json.loads(line)
            except ValueError:
                continue
            if isinstance(data, dict):
                lines.append(data)
        return lines

    def add(self, source: str, stem: str | None, reason: str) -> None:
        """On disk when this returns."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"input": source, "stem": stem, "reason": reason}, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
