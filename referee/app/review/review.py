"""One thing opened for review, whether an analyzed folder or a match: what the pages and the exports ask of it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from calibration.result import Calibration
from calibration.tables import TableSpec
from referee.app.analyze.tracks import Row
from referee.app.desk.lines import MOST_DIFFERENCES, told
from referee.app.desk.snapshot import table_json
from referee.app.review.corrections import Correction, Kind
from referee.app.review.errors import NotThere, VideoMissing
from referee.app.review.fold import Folded
from referee.app.review.footage import Footage
from referee.app.review.in_short import clause_of, clauses_of, events_of, shot_in_short
from referee.app.review.look_first import Item, look_first, of_folded, own_questions, with_choices
from referee.app.review.openings import opening_of
from referee.app.review.proof import AROUND_FRAMES, Proof, proofs
from referee.app.review.words import assumption_in_words, correction_in_words, question_in_words
from referee.app.said import in_words
from referee.match.log import Match
from tracking.records import ShotRecord

REPLAY_BEFORE_S = 10.0
REPLAY_AFTER_S = 1.0
SAME_FRAME_S = 5e-3
LONGEST_EVENTS_S, MOST_SHOTS = 600.0, 60
"""Of a longer span with more shots than this the timeline has the shots alone."""
MOST_ITEMS = 500
MOST_QUESTIONS = 100
MOST_CORRECTIONS = 200
"""Told of one review at once, the last of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a correction would change (``referee.match.changes``), and the revision it was worked out for."""

    revision: int
    differences: list[dict[str, Any]]

    def to_json(self) -> dict[str, Any]:
        found = self.differences
        return {"revision": self.revision, "differences": found[:MOST_DIFFERENCES], "total": len(found)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A correction that was accepted, for people; ``undone``: whether a later line took it back."""

    line: int
    at: str
    correction: Correction
    undone: bool

    @property
    def holds(self) -> bool:
        """Whether it corrects something, and wasn't taken back."""
        return not self.undone and self.correction.kind not in (Kind.UNDO, Kind.SAID)

    def to_json(self) -> dict[str, Any]:
        return {
            "line": self.line,
            "at": self.at,
            "kind": "answer" if self.correction.is_answer else str(self.correction.kind),
            "n": self.correction.n,
            "what": correction_in_words(self.correction),
            "undone": self.undone,
        }


class Review(ABC):
    """Calls may come from any thread."""

    kind: str

    def __init__(self, id: str, folder: Path, title: str) -> None:
        self.id, self.folder, self.title = id, folder, title
        self.lock = RLock()
        self._items: tuple[object, list[Item]] | None = None
        self._answers: tuple[list[Item], list[Item]] | None = None

    # ------------------------------------------------------------------------------------------ what it holds

    @property
    @abstractmethod
    def game(self) -> str: ...

    @property
    @abstractmethod
    def lang(self) -> str: ...

    @property
    @abstractmethod
    def calibration(self) -> Calibration | None: ...

    @property
    @abstractmethod
    def table(self) -> TableSpec: ...

    @property
    @abstractmethod
    def folded(self) -> Folded:
        """As everything stands now, corrections included."""

    @property
    @abstractmethod
    def revision(self) -> int:
        """A number that grows with every correction."""

    @abstractmethod
    def done(self) -> list[Done]:
        """All corrections, in the order in which they were accepted."""

    @property
    @abstractmethod
    def warnings(self) -> list[str]:
        """What to know first."""

    @abstractmethod
    def original(self, n: int) -> tuple[ShotRecord, list[dict[str, Any]]] | None:
        """The record of a shot as it was seen and its verdicts, None where nothing was corrected in it."""

    @abstractmethod
    def rows(self, t0_s: float, t1_s: float) -> list[Row]:
        """The rows of the tracks in a span of time; none where no tracks were kept."""

    @property
    @abstractmethod
    def footage(self) -> Footage:
        """Raises VideoMissing."""

    # ------------------------------------------------------------------------------------------ changing it

    @abstractmethod
    def preview(self, correction: Correction) -> Preview:
        """What it would change; nothing is changed. Raises ReviewError, MalformedRecord."""

    @abstractmethod
    def accept(self, correction: Correction, revision: int) -> Preview:
        """On disk when this returns. Raises Overtaken where ``revision`` isn't that of now, and as ``preview``."""

    def outdated(self) -> bool:
        """Whether its folder was written anew since it was opened."""
        return False

    def release(self) -> None:
        """Forgets decoded frames."""
        with suppress(VideoMissing):
            self.footage.release()

    def close(self) -> None:
        """Lets go of the video."""
        with suppress(VideoMissing):
            self.footage.close()

    # ------------------------------------------------------------------------------------------ what is asked of it

    def record(self, n: int) -> ShotRecord:
        """Raises NotThere."""
        record = self.found(n)
        if record is None:
            raise NotThere(f"{self.title} has no shot {n}")
        return record

    def found(self, n: int) -> ShotRecord | None:
        """The record of a shot as it stands, None where there is none."""
        return self.folded.record(n)

    @property
    def last(self) -> ShotRecord:
        """The last shot. Raises NotThere."""
        found = self.last_record()
        if found is None:
            raise NotThere(f"{self.title} has no shot yet")
        return found

    def last_record(self) -> ShotRecord | None:
        return self.folded.records[-1] if self.folded.records else None

    def video_problem(self) -> str | None:
        """Why there is no video, None where there is one."""
        try:
            _ = self.footage.size
        except VideoMissing as error:
            return str(error)
        return None

    def items(self) -> list[Item]:
        """What needs a look first."""
        problem = self.video_problem()
        warnings = [*self.warnings, *([problem] if problem else [])]
        known = (self.version, self.revision, tuple(warnings))
        with self.lock:
            if self._items is None or self._items[0] != known:
                holding = [each.correction for each in self.done() if each.holds]
                records = [(each, self.found(each.n or 0)) for each in holding]
                changed = "overruled" if self.kind == "match" else "corrected"
                self._items = (known, look_first(self.of_shots(), records, warnings, changed)[:MOST_ITEMS])
            return self._items[1]

    def items_with_choices(self) -> list[Item]:
        """The same, with the possible answers to each question, which can take a second where much is in doubt."""
        items = self.items()
        with self.lock:
            if self._answers is None or self._answers[0] is not items:
                self._answers = (items, [self.with_choices(item) for item in items])
            return self._answers[1]

    @property
    def version(self) -> object:
        """Another one where anything that is judged is another one."""
        return id(self.folded)

    def of_shots(self) -> list[Item]:
        """What needs a look in the shots."""
        return of_folded(self.folded)

    def with_choices(self, item: Item) -> Item:
        return with_choices(self.folded.matches.get(item.n or 0), item)

    def times(self) -> list[float]:
        """Start and end of what can be shown or was recorded, s."""
        spans = self.spans()
        with suppress(VideoMissing):
            spans += [(segment.t0_s, segment.t1_s) for segment in self.footage.segments]
        return [min((t0 for t0, _ in spans), default=0.0), max((t1 for _, t1 in spans), default=0.0)]

    def spans(self) -> list[tuple[float, float]]:
        """Start and end of each shot."""
        return [(record.t0, record.t1) for record in self.folded.records]

    def shot_lines(self) -> list[dict[str, Any]]:
        """Each shot in short."""
        changed = {each.correction.n for each in self.done() if each.holds}
        return [{**each, "corrected": each["n"] in changed} for each in self.in_short()]

    def in_short(self) -> Iterable[dict[str, Any]]:
        """Each shot in short, without what people said of it."""
        for record in self.folded.records:
            verdicts = self.folded.verdicts_of(record.n or 0)
            yield shot_in_short(record, verdicts[0] if verdicts else {})

    def shot(self, n: int) -> dict[str, Any]:
        """A shot with its verdicts, their clauses, and the frames that prove them. Raises NotThere."""
        record, verdicts = self.record(n), self.verdicts_of(n)
        before = self.original(n)
        match = self.match_of(n)
        found = proofs(record, *((None, None) if match is None else (match.game, match.shot(n))))
        return {
            "record": record.to_json(),
            "nomination": self._nomination(record),
            "verdicts": verdicts,
            "original": None if before is None else {"record": before[0].to_json(), "verdicts": before[1]},
            "assumed": [assumption_in_words(text) for verdict in verdicts[:1] for text in verdict.get("assumed", ())],
            "clauses": [clause_of(name) for name in clauses_of(verdicts)],
            "proof": [{**each.to_json(), **self.proof_frames(each)} for each in found],
            "replay": self.replay_span(record),
        }

    def verdicts_of(self, n: int) -> list[dict[str, Any]]:
        """That of a shot and those of what was said after it."""
        return self.folded.verdicts_of(n)

    def match_of(self, n: int) -> Match | None:
        """The match that a shot belongs to."""
        return self.folded.matches.get(n)

    def _nomination(self, record: ShotRecord) -> str | None:
        if record.nominated is None:
            return None
        return "said" if self.was_said(record.n or 0) else "inferred"

    def was_said(self, n: int) -> bool:
        """Whether somebody gave the nomination of a shot."""
        return n in self.folded.said

    def proof_frames(self, proof: Proof) -> dict[str, Any]:
        """The frames about an event and which of them shows it; none where there is no video."""
        try:
            footage = self.footage
            times = footage.around(*proof.span_s, AROUND_FRAMES)
        except VideoMissing:
            return {"frames": [], "at": None}
        at = max((i for i, t_s in enumerate(times) if t_s <= proof.event.t_s), default=0)
        frames = [{"t": round(t_s, 6), "index": footage.number_of(t_s)} for t_s in times]
        return {"frames": frames, "at": at if frames else None}

    def replay_span(self, record: ShotRecord) -> dict[str, float] | None:
        """From ten seconds before the shot (or where the footage begins) to a second after it; None: not kept."""
        try:
            start, end = self.footage.span
        except VideoMissing:
            start, end = self.times()
        t0, t1 = max(start, record.t0 - REPLAY_BEFORE_S), min(end, record.t1 + REPLAY_AFTER_S)
        return {"t0": round(t0, 6), "t1": round(t1, 6)} if t0 < t1 else None

    def timeline(self, t0_s: float, t1_s: float) -> dict[str, Any]:
        """Shots, events with their certainty, gaps and calls in a span of time."""

        def inside(start: float, end: float) -> bool:
            return start <= t1_s and end >= t0_s

        lines = [each for each in self.in_short() if inside(each["t0"], each["t1"])]
        wide = t1_s - t0_s > LONGEST_EVENTS_S and len(lines) > MOST_SHOTS
        records = [] if wide else [self.record(each["n"]) for each in lines]
        return {
            "t0": t0_s,
            "t1": t1_s,
            "shots": [{name: each[name] for name in ("n", "t0", "t1", "tone")} for each in lines],
            "events": [event for record in records for event in events_of(record) if inside(event["t"], event["t"])],
            "gaps": [
                {"n": record.n, "t0": gap.t0_s, "t1": gap.t1_s, "balls": None if gap.balls is None else list(gap.balls)}
                for record in records
                for gap in record.gaps
                if inside(gap.t0_s, gap.t1_s)
            ],
            "calls": [each for each in ([] if wide else self.calls()) if inside(each["t"], each["t"])],
        }

    def folded_about(self, t0_s: float, t1_s: float) -> Folded:
        """As everything stands, at least about a span of time."""
        return self.folded

    def calls(self) -> Iterable[dict[str, Any]]:
        """What was said, with its time."""
        for each in self.folded.judged:
            if any((each.verdict.get("announce") or {}).values()):
                yield {"t": each.t_s, "n": each.n, "announce": each.verdict["announce"]}

    def rows_at(self, t_s: float) -> list[Row]:
        """The rows of the frame shown at a time; none where the tracks don't have it."""
        rows = self.rows(t_s - SAME_FRAME_S, t_s + SAME_FRAME_S)
        times = {row["t"] for row in rows}
        nearest = min(times, key=lambda t: abs(t - t_s), default=None)
        return [row for row in rows if row["t"] == nearest]

    def state(self) -> dict[str, Any]:
        """Everything about it but shots, items and tracks."""
        t0, t1 = self.times()
        last, first, questions = self.last_verdict(), self.first_match(), self.questions()
        corrections = self.done()
        return {
            "id": self.id,
            "title": self.title,
            "kind": self.kind,
            "game": self.game,
            "lang": self.lang,
            "table": table_json(self.table),
            "revision": self.revision,
            "opening": None if first is None else opening_of(first),
            "score": None if last is None else last.get("score"),
            "verdict": told(last),
            "questions": questions[-MOST_QUESTIONS:],
            "warnings": [in_words(each) for each in self.warnings],
            "video": self._video(),
            "t0": t0,
            "t1": t1,
            "calibration": _calibration_figures(self.calibration),
            "corrections": [each.to_json() for each in corrections[-MOST_CORRECTIONS:]],
            "totals": {"questions": len(questions), "corrections": len(corrections)},
        }

    def last_verdict(self) -> dict[str, Any] | None:
        judged = self.folded.judged
        return judged[-1].verdict if judged else None

    def first_match(self) -> Match | None:
        """The match that the first shot belongs to."""
        matches = self.folded.matches
        return next((matches[n] for n in sorted(matches)), None)

    def questions(self) -> list[dict[str, Any]]:
        """Those that the shots leave open, each in words."""
        return [
            {"n": each.n, **question, "text": question_in_words(question)}
            for each in self.folded.judged
            for question in own_questions(each.verdict)
        ]

    def _video(self) -> dict[str, Any]:
        problem = self.video_problem()
        if problem is not None:
            return {"ok": False, "reason": problem, "text": in_words(problem), "segments": []}
        footage = self.footage
        width, height = footage.size
        return {
            "ok": True,
            "reason": None,
            "text": None,
            "width": width,
            "height": height,
            "playable": footage.playable,
            "segments": [
                {"file": each.path.name, "t0": each.t0_s, "t1": each.t1_s, "offset": each.offset_s}
                for each in footage.segments
            ],
        }


def _calibration_figures(calibration: Calibration | None) -> dict[str, Any] | None:
    if calibration is None:
        return None
    return {
        "residual_px": calibration.residual_px,
        "residual_mm": calibration.residual_mm,
        "warnings": list(calibration.warnings),
    }
