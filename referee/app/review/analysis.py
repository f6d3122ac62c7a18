"""An analyzed folder opened for review: its own verdicts stay, corrections and what follows lie beside them."""

import json
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from calibration.result import Calibration
from calibration.tables import TableSpec
from referee.app.analyze.calls import Call, vtt_text
from referee.app.analyze.refereeing import check_state
from referee.app.analyze.tracks import Row
from referee.app.review.answers import check_answers
from referee.app.review.corrections import Correction, Kind, in_force
from referee.app.review.errors import Overtaken, ReviewError, VideoMissing
from referee.app.review.fold import Folded, first_inserted, fold
from referee.app.review.folder import AnalyzedFolder, read_analyzed
from referee.app.review.footage import Footage, footage_of_clip
from referee.app.review.review import Done, Preview, Review
from referee.app.review.store import CorrectionsFile, write_whole
from referee.app.review.tracks import Tracks
from referee.match.changes import changes
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord

OF_A_SHOT = (Kind.RECORD, Kind.OBSERVED, Kind.NOMINATION)
VERDICTS, SHOTS, CALLS = "reviewed.jsonl", "reviewed_shots.jsonl", "reviewed.vtt"


class AnalysisReview(Review):
    """Raises ReviewError where the folder isn't the whole analysis of a clip."""

    kind = "analysis"

    def __init__(self, id: str, folder: Path, video: Path | None = None) -> None:
        """video: where the footage is now, if it isn't where it was."""
        super().__init__(id, folder, folder.name)
        self._given = video
        self._analyzed: AnalyzedFolder = read_analyzed(folder)
        self._file = CorrectionsFile(folder)
        self._first = fold(self._analyzed.base, ())
        self._folded = self._fold(self._file.in_force)
        self._opened = self._stamp()
        if self._file.revision:
            with suppress(ReviewError):  # where nothing can be written, it can still be looked at
                self._write()

    def _stamp(self) -> tuple[int, int] | None:
        path = self.folder / "shots.jsonl"
        try:
            return path.stat().st_mtime_ns, path.stat().st_ino
        except OSError:
            return None

    def outdated(self) -> bool:
        return self._stamp() != self._opened

    # ------------------------------------------------------------------------------------------ what it holds

    @property
    def game(self) -> str:
        return self._analyzed.base.settings.game

    @property
    def lang(self) -> str:
        return self._analyzed.base.settings.lang

    @property
    def calibration(self) -> Calibration:
        return self._analyzed.calibration

    @property
    def table(self) -> TableSpec:
        return self._analyzed.calibration.table

    @property
    def folded(self) -> Folded:
        return self._folded

    @property
    def revision(self) -> int:
        return self._file.revision

    def done(self) -> list[Done]:
        return [
            Done(line=each.line, at=each.at, correction=each.correction, undone=each.undone)
            for each in self._file.accepted
        ]

    @property
    def warnings(self) -> list[str]:
        """Those of the analysis but what it said of single verdicts, which are judged anew here."""
        own = [*self._first.warnings]
        kept = [text for text in self._analyzed.summary.get("warnings", ()) if text not in own]
        if self._first.verdicts != list(self._analyzed.verdicts):
            kept.append("another version of cueref gave verdicts.jsonl; the verdicts shown here are today's")
        if self._file.foreign:
            kept.append(f"{self._file.path}: made for the shots of an earlier analysis, so it isn't applied")
        return kept

    def original(self, n: int) -> tuple[ShotRecord, list[dict[str, Any]]] | None:
        record = self._first.record(n)
        if record is None or (record == self._folded.record(n) and self._same_verdicts(n)):
            return None
        return record, self._first.verdicts_of(n)

    def _same_verdicts(self, n: int) -> bool:
        return self._first.verdicts_of(n) == self._folded.verdicts_of(n)

    @cached_property
    def _tracks(self) -> Tracks | None:
        path = self._analyzed.tracks
        return None if path is None else Tracks(path)

    def rows(self, t0_s: float, t1_s: float) -> list[Row]:
        return [] if self._tracks is None else self._tracks.rows(t0_s, t1_s)

    @property
    def footage(self) -> Footage:
        with self.lock:
            found = self._footage
        if isinstance(found, VideoMissing):
            raise found
        return found

    @cached_property
    def _footage(self) -> Footage | VideoMissing:
        source = self._analyzed.summary["input"]
        times = None if self._tracks is None else self._tracks.frame_times()
        if times is not None and len(times) != source.get("frames", len(times)):
            times = None
        try:
            found = footage_of_clip(
                self._analyzed.video,
                str(source.get("kind", "video")),
                int(source.get("bytes", 0)),
                source.get("pictures_per_second"),
                times,
                self._given,
                self.folder,
            )
            if found.size != self.calibration.camera.size:
                (a, b), (c, d) = found.size, self.calibration.camera.size
                return VideoMissing(f"{found.segments[0].path}: has {a}×{b} px, the video that was analyzed {c}×{d}")
            return found
        except VideoMissing as error:
            return error

    # ------------------------------------------------------------------------------------------ changing it

    def preview(self, correction: Correction) -> Preview:
        with self.lock:
            self._catch_up()
            return self._preview(self._as_meant(correction))[0]

    def accept(self, correction: Correction, revision: int) -> Preview:
        with self.lock:
            self._catch_up()
            if revision != self.revision:
                raise Overtaken(
                    f"{self.title}: other corrections were accepted since the differences were shown; "
                    "look at them again before accepting"
                )
            meant = self._as_meant(correction)
            shown, after = self._preview(meant)
            self._file.append(meant, revision)
            self._folded = after
            self._write()
            return Preview(revision=self.revision, differences=shown.differences)

    def _catch_up(self) -> None:
        """Takes in what another process has accepted."""
        before = self.revision
        self._file.reload()
        if self.revision != before:
            self._folded = self._fold(self._file.in_force)

    def _preview(self, correction: Correction) -> tuple[Preview, Folded]:
        lines = [each.correction for each in self._file.accepted] + [correction]
        if correction.kind is Kind.UNDO and not 1 <= (correction.line or 0) < len(lines):
            raise MalformedRecord("line", f"the number of a correction, 1 to {len(lines) - 1}", correction.line)
        holding = [each for each, live in zip(lines, in_force(lines), strict=True) if live]
        after = self._fold([each for each in holding if each.kind is not Kind.UNDO])
        _check_own(correction, after)
        found = changes(self._folded.verdicts, after.verdicts)
        found += _newly_refused(self._folded, after)
        return Preview(revision=self.revision, differences=found), after

    def _as_meant(self, correction: Correction) -> Correction:
        """A corrected record that still bears the nomination inferred from the old one says nothing about it."""
        record = correction.record
        if correction.kind is Kind.INSERT and record is not None:
            inserted = sum(each.correction.kind is Kind.INSERT for each in self._file.accepted)
            n = first_inserted(self._analyzed.base) + inserted
            return replace(correction, n=n, record=replace(record, n=n))
        if correction.kind in OF_A_SHOT and self._folded.record(correction.n or 0) is None:
            raise MalformedRecord("n", f"the number of a shot, 1 to {len(self._analyzed.base.records)}", correction.n)
        match = self._folded.matches.get(correction.n or 0)
        if match is not None and correction.n is not None:
            check_answers(match, correction.n, correction.observed)
        if correction.kind is Kind.OPENING:
            problem = check_state(dict(correction.state or {}), self.game)
            if problem is not None:
                raise ReviewError(f"state: {problem}")
        if record is None or correction.n is None or correction.n in self._folded.said:
            return correction
        shown = self._folded.record(correction.n)
        if shown is None or record.nominated != shown.nominated:
            return correction
        return Correction.from_json({**correction.to_json(), "record": {**record.to_json(), "nominated": None}})

    def _fold(self, corrections: list[Correction]) -> Folded:
        return fold(self._analyzed.base, corrections)

    def _write(self) -> None:
        """The verdicts, records and calls as they stand; derived from the corrections, so written anew each time."""
        folded = self._folded
        calls = [Call(t_s=each.t_s, n=each.n, words=each.words) for each in folded.judged if each.words]
        texts = {
            VERDICTS: "".join(_line(each) for each in folded.verdicts),
            SHOTS: "".join(_line(each.to_json()) for each in folded.records),
            CALLS: vtt_text(calls),
        }
        for name, text in texts.items():
            path = self.folder / name
            try:
                if not path.is_file() or path.read_text(encoding="utf-8") != text:
                    write_whole(path, text)
            except OSError as error:
                raise ReviewError(f"{path}: can't be written ({error.strerror or error})") from None


def _line(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"


def _check_own(correction: Correction, after: Folded) -> None:
    """Raises ReviewError where the correction itself can't be judged."""
    for each in after.refused:
        own = each.n == correction.n and isinstance(each.item, ShotRecord)
        if correction.kind in (Kind.INSERT, *OF_A_SHOT) and own:
            raise ReviewError(f"shot {each.n}: {each.reason}")
        if correction.official is not None and each.item == correction.official:
            raise ReviewError(f"{correction.official.kind}: {each.reason}")


def _newly_refused(before: Folded, after: Folded) -> list[dict[str, Any]]:
    """Lines and shots that could be judged and no longer can, and the other way round."""
    was = {(each.n, each.reason) for each in before.refused}
    now = {(each.n, each.reason) for each in after.refused}
    gone = [{"n": n, "line": 0, "field": "refused", "was": reason, "now": None} for n, reason in was - now]
    new = [{"n": n, "line": 0, "field": "refused", "was": None, "now": reason} for n, reason in now - was]
    return sorted([*gone, *new], key=lambda each: (each["n"] or 0, str(each["was"])))
