"""A match's folder opened for review, whether it is being played or not; corrections go into its log, by the desk."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from calibration.result import Calibration
from calibration.tables import TableSpec
from referee.app.analyze.refereeing import Judged, Refused
from referee.app.analyze.tracks import Row
from referee.app.desk.desk import Desk
from referee.app.desk.hub import Hub
from referee.app.desk.ledger import Ledger
from referee.app.desk.ledger import fold as read_ledger
from referee.app.desk.lines import verdict_of
from referee.app.desk.store import LOG, LogStore, StoreError, read_log
from referee.app.live.segments import INDEX, read_index
from referee.app.review.answers import check_answers
from referee.app.review.briefs import Briefs
from referee.app.review.corrections import Correction, Kind
from referee.app.review.errors import Overtaken, ReviewError, VideoMissing
from referee.app.review.fold import Folded
from referee.app.review.footage import Footage, Segment
from referee.app.review.frames import FrameReader
from referee.app.review.look_first import Item, with_choices
from referee.app.review.review import Done, Preview, Review
from referee.app.review.tracks import Tracks
from referee.match.log import Match, Step
from referee.match.order import SHOT
from referee.rules.officials import Official
from tracking.records import ShotRecord
from tracking.strict_json import MalformedRecord

Running = Callable[[], Desk | None]
MOST_WARNINGS = 50
"""So many spans that weren't seen are told of, the last ones; the log has all."""


class MatchReview(Review):
    """``running`` gives the desk while the match is being played; else the log is read. Raises ReviewError."""

    kind = "match"

    def __init__(self, id: str, folder: Path, running: Running) -> None:
        super().__init__(id, folder, folder.name)
        self._running = running
        self._read: tuple[int, Ledger] | None = None
        self._index: tuple[int, dict[str, dict[str, Any]]] | None = None
        self._shown: tuple[object, Footage] | None = None
        _ = self.ledger

    # ------------------------------------------------------------------------------------------ what it holds

    @property
    def ledger(self) -> Ledger:
        """All that the log says now."""
        desk = self._running()
        if desk is not None:
            return desk.ledger
        with self.lock:
            try:
                size = (self.folder / LOG).stat().st_size
                if self._read is None or self._read[0] != size:
                    self._read = (size, read_ledger(read_log(self.folder)))
            except (OSError, StoreError, MalformedRecord) as error:
                raise ReviewError(f"{self.folder / LOG}: {error}") from None
            return self._read[1]

    @property
    def game(self) -> str:
        return self.ledger.match.game.name

    @property
    def lang(self) -> str:
        return self.ledger.settings.lang

    @property
    def table(self) -> TableSpec:
        return self.ledger.match.state.table.spec

    @property
    def calibration(self) -> Calibration | None:
        try:
            data = self.ledger.calibration or json.loads((self.folder / "calibration.json").read_text(encoding="utf-8"))
            return Calibration.from_json(dict(data))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    @property
    def folded(self) -> Folded:
        """Made for whoever asks, and let go again: it is long where the match is."""
        ledger = self.ledger
        return _folded(ledger, 0, len(ledger.match.places))

    def folded_about(self, t0_s: float, t1_s: float) -> Folded:
        """From two shots before the span on, which have what stood then."""
        ledger = self.ledger
        lines = [(at, brief.shot) for at, brief in enumerate(Briefs.of(ledger.match).all) if brief.shot is not None]
        start = sum(shot["t1"] < t0_s for _, shot in lines) - 2
        end = sum(shot["t0"] <= t1_s for _, shot in lines)
        first = lines[start][0] if start > 0 else 0
        return _folded(ledger, first, lines[end][0] if end < len(lines) else len(ledger.match.places))

    @property
    def version(self) -> object:
        return self.ledger.seq

    # ------------------------------------------------------------------------------------------ without all of it

    def found(self, n: int) -> ShotRecord | None:
        return _record(self.ledger.match.shot(n))

    def last_record(self) -> ShotRecord | None:
        return _record(next(reversed(self.ledger.match.shots), None))

    def of_shots(self) -> list[Item]:
        return Briefs.of(self.ledger.match).items

    def with_choices(self, item: Item) -> Item:
        return with_choices(self.ledger.match, item)

    def spans(self) -> list[tuple[float, float]]:
        return [(each["t0"], each["t1"]) for each in self.in_short()]

    def in_short(self) -> Iterator[dict[str, Any]]:
        return (brief.shot for brief in Briefs.of(self.ledger.match).all if brief.shot is not None)

    def calls(self) -> Iterator[dict[str, Any]]:
        for each in Briefs.of(self.ledger.match).all:
            if any(each.announce.values()):
                yield {"t": each.t_s, "n": each.n, "announce": each.announce}

    def questions(self) -> list[dict[str, Any]]:
        return [question for brief in Briefs.of(self.ledger.match).all for question in brief.questions]

    def verdicts_of(self, n: int) -> list[dict[str, Any]]:
        match = self.ledger.match
        steps = (match.steps[at] for at, place in enumerate(match.places) if place.n == n)
        return [_verdict(match, step) for step in steps]

    def last_verdict(self) -> dict[str, Any] | None:
        match = self.ledger.match
        return _verdict(match, match.steps[-1]) if match.places else None

    def match_of(self, n: int) -> Match | None:
        match = self.ledger.match
        return None if match.at(n) is None else match

    def first_match(self) -> Match | None:
        match = self.ledger.match
        return match if len(match.shots) else None

    def was_said(self, n: int) -> bool:
        return n not in self.ledger.inferred

    @property
    def revision(self) -> int:
        """The lines that are judged; what else the log holds changes no verdict."""
        return len(self.ledger.match.lines)

    def done(self) -> list[Done]:
        """The corrections in the log, what officials said, and the lines that took some back."""
        ledger = self.ledger
        match, holding = ledger.match, set(ledger.match.in_force)
        out = []
        for index, mark in enumerate(match.marks):
            if mark.kind == SHOT:
                continue
            line = match.lines[index]
            assert isinstance(line.item, Official)
            correction = _correction(line.item, index, line.n)
            undone = correction.kind is not Kind.UNDO and index not in holding
            out.append(Done(line=index + 1, at=ledger.at[index], correction=correction, undone=undone))
        return out

    @property
    def warnings(self) -> list[str]:
        ledger = self.ledger
        last = ledger.gaps[-MOST_WARNINGS:]
        gaps = [f"{gap['t0']:.1f} to {gap['t1']:.1f} s: not seen ({gap['reason']})" for gap in last]
        unjudged = ledger.unjudged[-MOST_WARNINGS:]
        return [*gaps, *(f"a record was not judged: {each['reason']}" for each in unjudged)]

    def original(self, n: int) -> tuple[ShotRecord, list[dict[str, Any]]] | None:
        match = self.ledger.match
        step = match.shot(n)
        first = None if step is None else match.lines[step.index]
        if step is None or first is None or not isinstance(first.item, ShotRecord) or first.item == step.item:
            return None
        return replace(first.item, n=n), [first.verdict]

    def rows(self, t0_s: float, t1_s: float) -> list[Row]:
        """Each shot has a file of its own, named by its start in ms."""
        files = [path for path in sorted((self.folder / "tracks").glob("*.parquet")) if path.stem.isdigit()]
        starts = [int(path.stem) / 1000 for path in files]
        last = sum(start <= t0_s for start in starts) - 1
        wanted = [path for i, path in enumerate(files) if i >= last and starts[i] <= t1_s + 1e-3]
        return [row for path in wanted for row in Tracks(path).rows(t0_s, t1_s)]

    @property
    def footage(self) -> Footage:
        """With what was recorded up to now."""
        video = self.folder / "video"
        with self.lock:
            written = _size(video / INDEX)
            if self._index is None or self._index[0] != written:
                self._index = (written, read_index(video))
            index = self._index[1]
            if not index:
                raise VideoMissing("no video was kept of this match")
            being_written = tuple(_size(video / name) for name, entry in index.items() if entry.get("open"))
            signature = written, being_written
            if self._shown is None or self._shown[0] != signature:
                if self._shown is not None:
                    self._shown[1].close()
                self._shown = (signature, Footage(list(_segments(video, index))))
            return self._shown[1]

    # ------------------------------------------------------------------------------------------ changing it

    def preview(self, correction: Correction) -> Preview:
        desk = self._running() or self._desk_aside()
        with desk.lock:
            line = self._line(desk, correction)
            return Preview(revision=self.revision, differences=desk.preview(line))

    def accept(self, correction: Correction, revision: int) -> Preview:
        try:
            with self._desk() as desk, desk.lock:
                if len(desk.match.lines) != revision:
                    raise Overtaken(
                        f"{self.title}: the match has gone on since the differences were shown; "
                        "look at them again before accepting"
                    )
                line = self._line(desk, correction)
                differences = desk.preview(line)
                desk.official(line)
                return Preview(revision=len(desk.match.lines), differences=differences)
        except StoreError as error:
            raise ReviewError(str(error)) from None

    @contextmanager
    def _desk(self) -> Iterator[Desk]:
        """The desk of the running match, or one that is opened for this correction."""
        desk = self._running()
        if desk is not None:
            yield desk
            return
        resumed = Desk.resume(self.folder)
        try:
            yield resumed
        finally:
            resumed.close()

    def _desk_aside(self) -> Desk:
        """A desk that can look ahead and keeps nothing."""
        ledger = self.ledger
        return Desk(self.folder, LogStore(self.folder / LOG, -1, ledger.seq, 0), ledger, Hub())

    def _line(self, desk: Desk, correction: Correction) -> dict[str, Any]:
        """The line of the match's log that does it. Raises ReviewError, MalformedRecord."""
        n = correction.n or 0
        check_answers(desk.match, n, correction.observed)
        match correction.kind:
            case Kind.RECORD:
                assert correction.record is not None
                return desk.correct_line(n, correction.record.to_json())
            case Kind.OBSERVED if correction.is_answer and len(correction.observed) == 1:
                said = correction.observed[0]
                return desk.answer_line(n, said.question or "", said.value, said.ball)
            case Kind.OBSERVED:
                return desk.observed_line(n, [each.to_json() for each in correction.observed])
            case Kind.INSERT:
                assert correction.record is not None
                return desk.insert_line(_played_before(desk, correction.record.t0), correction.record.to_json())
            case Kind.NOMINATION:
                record = {**self.record(n).to_json(), "nominated": None}
                if correction.nominated is not None:
                    record["nominated"] = correction.nominated.to_json()
                return desk.correct_line(n, record)
            case Kind.OFFICIAL | Kind.SAID:
                assert correction.official is not None
                return correction.official.to_json() | _follows(desk, n)
            case Kind.UNDO:
                return desk.undo_line(correction.line)
            case Kind.OPENING:
                raise ReviewError("state: a match begins as its setting up says; correct the shots instead")


def _correction(item: Official, index: int, n: int | None) -> Correction:
    """An official's line as a correction; n: the shot before it."""
    match item.kind:
        case "undo":
            return Correction(kind=Kind.UNDO, line=item.line or max(1, index + 1 - item.lines))
        case "correct":
            return Correction(kind=Kind.RECORD, n=item.n, record=item.record)
        case "insert":
            return Correction(kind=Kind.INSERT, n=item.n, record=item.record)
        case _:
            follows = n if item.follows is None else item.follows
            return Correction(kind=Kind.SAID, n=follows, official=item)


def _follows(desk: Desk, n: int) -> dict[str, int | None]:
    """Where a line belongs that was said before shot n; after the last one if that is still to come."""
    shots = desk.match.shots.numbers
    if n in shots:
        return {"n": None, "follows": shots[shots.index(n) - 1] if shots.index(n) else 0}
    if n <= desk.ledger.last_n:
        raise ReviewError(f"n: no shot {n} is in force; {desk.ledger.last_n + 1}: after the last")
    return {"n": None}


def _played_before(desk: Desk, t0_s: float) -> int:
    """The last shot that began before a time, 0: none."""
    shots = desk.match.shots
    later = (step for step in reversed(shots) if isinstance(step.item, ShotRecord) and step.item.t0 <= t0_s)
    return next((step.n or 0 for step in later), 0)


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _segments(video: Path, index: dict[str, dict[str, Any]]) -> Iterator[Segment]:
    """The pieces that are still there; one that is being written reaches as far as it can be read."""
    for name, entry in index.items():
        path, t0 = video / name, float(entry["t0"])
        if entry.get("deleted") or not path.is_file():
            continue
        t1 = entry.get("t1")
        if t1 is None:
            try:
                reader = FrameReader(path)
                t1 = t0 + reader.times_s[-1]
                reader.close()
            except VideoMissing:
                continue
        yield Segment(path=path, t0_s=t0, t1_s=float(t1), offset_s=t0)


def _record(step: Step | None) -> ShotRecord | None:
    return replace(step.item, n=step.n) if step is not None and isinstance(step.item, ShotRecord) else None


def _verdict(match: Match, step: Step) -> dict[str, Any]:
    return {"type": "verdict", "game": match.game.name, **verdict_of(match, step)}


def _folded(ledger: Ledger, start: int, end: int) -> Folded:
    """A part of a match's course, from a step to another one, as a fold of an analysis has it."""
    match = ledger.match
    records, judged, refused = [], [], []
    t_s = 0.0
    for step in match.steps.between(start, end):
        record = _record(step)
        if record is not None:
            records.append(record)
            t_s = record.t1
        verdict = _verdict(match, step)
        words = tuple(verdict["announce"].get(ledger.settings.lang, ()))
        judged.append(Judged(t_s=t_s, n=step.n, words=words, verdict=verdict))
        if step.problem is not None:
            refused.append(Refused(n=step.n, item=step.item, reason=step.problem))
    numbers = [record.n for record in records if record.n is not None]
    return Folded(
        records=tuple(records),
        judged=tuple(judged),
        warnings=(),
        refused=tuple(refused),
        said=frozenset(n for n in numbers if n not in ledger.inferred),
        matches=dict.fromkeys(numbers, match),
    )
