"""One thing opened for review, whether an analyzed folder or a match: what the pages and the exports ask of it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from calibration.result import Calibration
from calibration.tables import TableSpec
from referee.app.analyze.tracks import Row
from referee.app.desk.snapshot import table_json
from referee.app.overlay.story import tone_of
from referee.app.review.corrections import Correction, Kind
from referee.app.review.errors import NotThere, VideoMissing
from referee.app.review.fold import Folded
from referee.app.review.footage import Footage
from referee.app.review.look_first import Item, look_first, with_choices
from referee.app.review.openings import opening_of
from referee.app.review.proof import AROUND_FRAMES, Proof, proofs
from referee.app.review.words import (
    Words,
    assumption_in_words,
    correction_in_words,
    event_in_words,
    question_in_words,
)
from referee.app.said import clause_in_words, in_words
from referee.app.words import LANGUAGES
from referee.rules.book import book
from tracking.records import ShotRecord

REPLAY_BEFORE_S = 10.0
REPLAY_AFTER_S = 1.0
SAME_FRAME_S = 5e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a correction would change (``referee.match.changes``), and the revision it was worked out for."""

    revision: int
    differences: list[dict[str, Any]]

    def to_json(self) -> dict[str, Any]:
        return {"revision": self.revision, "differences": self.differences}


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
        record = self.folded.record(n)
        if record is None:
            raise NotThere(f"{self.title} has no shot {n}")
        return record

    @property
    def last(self) -> ShotRecord:
        """The last shot. Raises NotThere."""
        if not self.folded.records:
            raise NotThere(f"{self.title} has no shot yet")
        return self.folded.records[-1]

    def video_problem(self) -> str | None:
        """Why there is no video, None where there is one."""
        try:
            _ = self.footage.size
        except VideoMissing as error:
            return str(error)
        return None

    def items(self) -> list[Item]:
        """What needs a look first."""
        holding = [each.correction for each in self.done() if each.holds]
        problem = self.video_problem()
        warnings = [*self.warnings, *([problem] if problem else [])]
        folded = self.folded
        known = (id(folded), self.revision, tuple(warnings))
        with self.lock:
            if self._items is None or self._items[0] != known:
                changed = "overruled" if self.kind == "match" else "corrected"
                self._items = (known, look_first(folded, holding, warnings, changed))
            return self._items[1]

    def items_with_choices(self) -> list[Item]:
        """The same, with the possible answers to each question, which can take a second where much is in doubt."""
        folded, items = self.folded, self.items()
        with self.lock:
            if self._answers is None or self._answers[0] is not items:
                self._answers = (items, [with_choices(folded, item) for item in items])
            return self._answers[1]

    def times(self) -> list[float]:
        """Start and end of what can be shown or was recorded, s."""
        spans = [(record.t0, record.t1) for record in self.folded.records]
        with suppress(VideoMissing):
            spans += [(segment.t0_s, segment.t1_s) for segment in self.footage.segments]
        return [min((t0 for t0, _ in spans), default=0.0), max((t1 for _, t1 in spans), default=0.0)]

    def shot_lines(self) -> list[dict[str, Any]]:
        """Each shot in short."""
        changed = {each.correction.n for each in self.done() if each.holds}
        out = []
        for record in self.folded.records:
            assert record.n is not None
            verdicts = self.folded.verdicts_of(record.n)
            own = verdicts[0] if verdicts else {}
            out.append(
                {
                    "n": record.n,
                    "t0": record.t0,
                    "t1": record.t1,
                    "legal": own.get("legal"),
                    "points": own.get("points"),
                    "undecided": bool(own.get("undecided")),
                    "assumed": bool(own.get("assumed")),
                    "corrected": record.n in changed,
                    "tone": tone_of(own) if own else "open",
                    "text": verdict_in_words(own),
                }
            )
        return out

    def shot(self, n: int) -> dict[str, Any]:
        """A shot with its verdicts, their clauses, and the frames that prove them. Raises NotThere."""
        record, verdicts = self.record(n), self.folded.verdicts_of(n)
        before = self.original(n)
        found = proofs(record, self.folded.matches.get(n))
        return {
            "record": record.to_json(),
            "nomination": self._nomination(record),
            "verdicts": verdicts,
            "original": None if before is None else {"record": before[0].to_json(), "verdicts": before[1]},
            "assumed": [assumption_in_words(text) for verdict in verdicts[:1] for text in verdict.get("assumed", ())],
            "clauses": [_clause(name) for name in clauses_of(verdicts)],
            "proof": [{**each.to_json(), **self.proof_frames(each)} for each in found],
            "replay": self.replay_span(record),
        }

    def _nomination(self, record: ShotRecord) -> str | None:
        if record.nominated is None:
            return None
        return "said" if record.n in self.folded.said else "inferred"

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

        records = [record for record in self.folded.records if inside(record.t0, record.t1)]
        tones = {each["n"]: each["tone"] for each in self.shot_lines()}
        return {
            "t0": t0_s,
            "t1": t1_s,
            "shots": [{"n": each.n, "t0": each.t0, "t1": each.t1, "tone": tones[each.n]} for each in records],
            "events": [event for record in records for event in _events(record) if inside(event["t"], event["t"])],
            "gaps": [
                {"n": record.n, "t0": gap.t0_s, "t1": gap.t1_s, "balls": None if gap.balls is None else list(gap.balls)}
                for record in records
                for gap in record.gaps
                if inside(gap.t0_s, gap.t1_s)
            ],
            "calls": [
                {"t": each.t_s, "n": each.n, "announce": each.verdict["announce"]}
                for each in self.folded.judged
                if inside(each.t_s, each.t_s) and any((each.verdict.get("announce") or {}).values())
            ],
        }

    def rows_at(self, t_s: float) -> list[Row]:
        """The rows of the frame shown at a time; none where the tracks don't have it."""
        rows = self.rows(t_s - SAME_FRAME_S, t_s + SAME_FRAME_S)
        times = {row["t"] for row in rows}
        nearest = min(times, key=lambda t: abs(t - t_s), default=None)
        return [row for row in rows if row["t"] == nearest]

    def state(self) -> dict[str, Any]:
        """Everything about it but shots, items and tracks."""
        folded, (t0, t1) = self.folded, self.times()
        last = folded.judged[-1].verdict if folded.judged else None
        first = next((folded.matches[n] for n in sorted(folded.matches)), None)
        questions = [
            {"n": each.n, **question, "text": question_in_words(question)}
            for each in folded.judged
            for question in each.verdict.get("undecided", ())
            if "n" not in question
        ]
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
            "verdict": last,
            "questions": questions,
            "warnings": [in_words(each) for each in self.warnings],
            "video": self._video(),
            "t0": t0,
            "t1": t1,
            "calibration": _calibration_figures(self.calibration),
            "corrections": [each.to_json() for each in self.done()],
        }

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


def _events(record: ShotRecord) -> Iterator[dict[str, Any]]:
    for i, event in enumerate(record.events):
        data = event.to_json()
        yield {
            "n": record.n,
            "i": i,
            **data,
            "t_sigma": event.t_sigma_s,
            "confidence": event.confidence,
            "text": event_in_words(data),
        }


def clauses_of(verdicts: Sequence[dict[str, Any]]) -> list[str]:
    """The clauses that verdicts cite: of fouls, questions and options, each once."""
    found: dict[str, None] = {}
    for verdict in verdicts:
        cited = [*verdict.get("fouls", ()), *verdict.get("undecided", ()), *_options(verdict)]
        found |= dict.fromkeys(str(each["clause"]) for each in cited if each.get("clause"))
    return list(found)


def _options(verdict: dict[str, Any]) -> list[dict[str, Any]]:
    return list((verdict.get("next") or {}).get("options") or ())


def _clause(name: str) -> dict[str, Any]:
    clause = book().get(name)
    if clause is None:
        return {"id": name, "rule": None, "consequence": None, "decided_by": None}
    return clause_in_words(clause) | {"decided_by": clause.decided_by}


def verdict_in_words(verdict: dict[str, Any]) -> Words:
    """What was called, else what is asked, else nothing."""
    out = {}
    for lang in LANGUAGES:
        said = ". ".join((verdict.get("announce") or {}).get(lang) or ())
        asked = "; ".join(question_in_words(each)[lang] for each in verdict.get("undecided", ()) if "n" not in each)
        out[lang] = said or asked
    return out


def _calibration_figures(calibration: Calibration | None) -> dict[str, Any] | None:
    if calibration is None:
        return None
    return {
        "residual_px": calibration.residual_px,
        "residual_mm": calibration.residual_mm,
        "warnings": list(calibration.warnings),
    }
