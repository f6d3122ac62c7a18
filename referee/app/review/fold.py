"""The records of an analysis and the corrections to them, judged anew by the referee that ``cueref analyze`` uses.

So without corrections the verdicts are the analysis's own, and with them they are what it would have said, had it seen
the corrected records and heard the lines that were inserted: nominations are inferred anew, and so is what was assumed
of the state before the first shot, unless an ``opening`` says it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.app.analyze.refereeing import Judged, Refereeing, Refused
from referee.app.analyze.settings import Settings
from referee.app.review.corrections import Correction, Kind
from referee.match.log import Match
from referee.rules.officials import Official
from tracking.records import Nominated, Observed, ShotRecord, Strike
from tracking.strict_json import MalformedRecord, read_list


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """What was analyzed: the settings, and the records as they were seen, without what was nominated or observed."""

    settings: Settings
    records: tuple[ShotRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """The records as judged, in order, and what came of them.

    said: shots whose nomination somebody gave. matches: of each shot, as it stands after all lines.
    """

    records: tuple[ShotRecord, ...]
    judged: tuple[Judged, ...]
    warnings: tuple[str, ...]
    refused: tuple[Refused, ...]
    said: frozenset[int]
    matches: Mapping[int, Match]

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        return [each.verdict for each in self.judged]

    def record(self, n: int) -> ShotRecord | None:
        return next((each for each in self.records if each.n == n), None)

    def verdicts_of(self, n: int) -> list[dict[str, Any]]:
        return [each.verdict for each in self.judged if each.n == n]


@dataclass(slots=True)
class _Shot:
    """What holds of one shot as the lines are read. t0_s: when it began, as it was seen; the order of play."""

    record: ShotRecord
    t0_s: float
    nominated: Nominated | None = None
    observed: list[Observed] = field(default_factory=list)

    def observe(self, seen: Sequence[Observed]) -> None:
        """An answer takes the place of an earlier one to the same question."""
        for new in seen:
            if new.kind == "confirm":
                self.observed = [old for old in self.observed if not _same_question(old, new)]
            self.observed.append(new)

    def correct(self, record: ShotRecord) -> None:
        self.record, self.observed = record, list(record.observed)
        self.nominated = record.nominated or self.nominated

    def as_judged(self) -> ShotRecord:
        return replace(self.record, nominated=self.nominated, observed=tuple(self.observed))


def _same_question(old: Observed, new: Observed) -> bool:
    return (old.kind, old.question, old.ball) == (new.kind, new.question, new.ball)


def fold(base: Base, corrections: Sequence[Correction]) -> Folded:
    """``corrections`` are those in force. Raises MalformedRecord for a shot that the analysis doesn't have.

    What was said of an inserted shot is passed over where its insertion was taken back.
    """
    shots = {record.n or i: _Shot(record=record, t0_s=record.t0) for i, record in enumerate(base.records, 1)}
    touched = {each.n for each in corrections if each.kind in (Kind.RECORD, Kind.OBSERVED)}
    lines = _take_inputs(base.settings.inputs, shots, touched)
    state = base.settings.state
    for each in corrections:
        if each.kind is Kind.OPENING:
            state = dict(each.state or {})
        elif each.kind is Kind.OFFICIAL:
            last = len(base.records) + 1
            if each.n not in shots and each.n != last:
                raise MalformedRecord("n", f"a number of 1 to {last}: the shot before which it was said", each.n)
            lines.append(each.to_json())
        elif each.kind is Kind.INSERT and each.record is not None and each.n is not None:
            _insert(each.n, each.record, shots)
        elif (each.n or 0) < first_inserted(base) or each.n in shots:
            _apply(each, shots)
    said = frozenset(n for n, shot in shots.items() if shot.nominated is not None)
    return _judge(replace(base.settings, state=state, inputs=tuple(lines)), shots, said)


def _take_inputs(inputs: Sequence[dict[str, Any]], shots: dict[int, _Shot], touched: set[int | None]) -> list[Any]:
    """What the analysis was told about single shots goes to the shots; returns the lines between them.

    A record that the analysis was told to correct stays a line, which retracts what was said, unless it is reviewed.
    """
    lines = []
    at = 1
    for line in inputs:
        timed = line.get("t") is not None
        if timed and line["type"] == "official":
            lines.append(line)
            continue
        n = _shot_at(line, shots) if timed else line.get("n") or at
        at = at if timed else n
        shot = shots.get(n)
        if line["type"] == "official":
            corrects = line["kind"] == "correct" and n in touched and shot is not None
            if corrects and shot is not None:
                shot.correct(Official.from_json(line).record or shot.record)
            else:
                lines.append({**line, "n": n})
        elif shot is not None and line["type"] == "nomination":
            shot.nominated = Nominated.from_json(line["nominated"], "nominated")
        elif shot is not None:
            shot.observe(read_list(line["observed"], "observed", Observed.from_json))
        else:
            lines.append(line)
    return lines


def _shot_at(line: Mapping[str, Any], shots: Mapping[int, _Shot]) -> int:
    """The shot that a line with a time belongs to: the first after it; a nomination's the first that is struck."""
    struck_only = line["type"] == "nomination"
    for n in sorted(shots):
        record = shots[n].record
        struck = any(isinstance(event, Strike) for event in record.events)
        if record.t0 >= float(line["t"]) and (struck or not struck_only):
            return n
    return len(shots) + 1


def first_inserted(base: Base) -> int:
    """The number of the first shot that is inserted: 1001, or more where there are as many already."""
    count = len(base.records)
    return int(10 ** max(3, len(str(count)))) + 1


def _insert(n: int, record: ShotRecord, shots: dict[int, _Shot]) -> None:
    over = next((each for each, shot in shots.items() if record.t0 < shot.record.t1 and record.t1 > shot.t0_s), None)
    if over is not None:
        raise MalformedRecord("t0", f"a span in which no other shot ran; shot {over} did", record.t0)
    shots[n] = _Shot(record=replace(record, nominated=None, observed=()), t0_s=record.t0)
    shots[n].correct(record)


def _apply(correction: Correction, shots: dict[int, _Shot]) -> None:
    shot = shots.get(correction.n or 0)
    if shot is None:
        raise MalformedRecord("n", f"the number of a shot, 1 to {len(shots)}", correction.n)
    if correction.kind is Kind.RECORD and correction.record is not None:
        shot.correct(correction.record)
    elif correction.kind is Kind.OBSERVED:
        shot.observe(correction.observed)
    elif correction.kind is Kind.NOMINATION:
        shot.nominated = correction.nominated


def _judge(settings: Settings, shots: dict[int, _Shot], said: frozenset[int]) -> Folded:
    referee = Refereeing(settings)
    records: list[ShotRecord] = []
    judged: list[Judged] = []
    matches: dict[int, Match] = {}
    for n in sorted(shots, key=lambda each: (shots[each].t0_s, each)):
        done = referee.shot(replace(shots[n].as_judged(), n=n))
        records.append(done.record)
        judged += done.verdicts
        if referee.match is not None:
            matches[n] = referee.match
    judged += referee.finish()
    return Folded(
        records=tuple(records),
        judged=tuple(judged),
        warnings=tuple(referee.warnings),
        refused=tuple(referee.refused),
        said=said,
        matches=matches,
    )
