"""The shots of a clip, folded by the rules in the order in which they were seen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.app.analyze.opening import Opening, infer_opening, is_opening_layout, table_json
from referee.app.analyze.settings import Settings
from referee.app.analyze.unread import unread_fields
from referee.app.nominations import inferred_nomination
from referee.match.log import Line, Match
from referee.rules.officials import Official
from tracking.events import Strike
from tracking.records import Nominated, Observed, ShotRecord
from tracking.strict_json import MalformedRecord, read_integer, read_list, read_number, read_object, read_string

LINE_TYPES = ("official", "nomination", "observed")
MEASURED: dict[str, Any] = {"measured_mm": 3.0}
"""How exact a ball's place in a picture is: what is nearer to a limit of the rules than this is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A verdict, when it is given (s), on which shot, and what is said then in the run's language."""

    t_s: float
    n: int | None
    words: tuple[str, ...]
    verdict: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A shot or an official line that can't be judged where it stands: of or before shot ``n``, and why."""

    n: int | None
    item: ShotRecord | Official
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedShot:
    """A record as it was judged, with what was nominated and observed, and the verdicts that it gave."""

    record: ShotRecord
    verdicts: tuple[Judged, ...]


def check_state(state: dict[str, Any], game: str) -> str | None:
    """What is wrong with a state of this game, None where nothing is."""
    try:
        Match.from_case(game, state)
    except MalformedRecord as error:
        return str(error)
    return None


def check_line(line: object) -> str | None:
    """What is wrong with a line of an ``--inputs`` file, None where nothing is."""
    try:
        data = read_object(line, "line")
        kind_of_line = read_string(data.get("type"), "type", LINE_TYPES)
        if data.get("t") is not None:
            read_number(data["t"], "t")
        elif kind_of_line != "official" or data.get("n") is not None:
            read_integer(data.get("n"), "n", least=1)
        if kind_of_line == "nomination":
            Nominated.from_json(data.get("nominated"), "nominated")
        elif kind_of_line == "observed":
            read_list(data.get("observed"), "observed", Observed.from_json)
        else:
            Official.from_json(data)
    except MalformedRecord as error:
        return str(error)
    return None


class Refereeing:
    """Feeds shots and official lines to the match in order and collects the verdicts.

    ``warnings``: what a reader of the verdicts must know first. ``refused``: what could not be judged.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        given = settings.state
        self.warnings = [] if given is None else [f"--state: {line}" for line in unread_fields(given, settings.game)]
        self.refused: list[Refused] = []
        self._match: Match | None = None
        self._assumed: tuple[str, ...] = ()
        self._lines = _Lines(settings.inputs)
        self._shots = 0
        self._last_s = 0.0

    @property
    def match(self) -> Match | None:
        """The match that the last shot belongs to, None before the first."""
        return self._match

    def shot(self, record: ShotRecord) -> JudgedShot:
        """The record with what was declared before it, and the verdicts of the lines due before it and of itself."""
        self._shots += 1
        n = record.n if record.n is not None else self._shots
        self._lines.come_to(record, n)
        record = replace(record, n=n, observed=(*record.observed, *self._lines.observed(n)))
        match = self._match_for(record, n)
        self._last_s = record.t1
        verdicts = self._say(match, self._lines.due_before(n), record.t0)
        record = replace(
            record,
            nominated=self._lines.nominated(n) or record.nominated or self._inferred(match, record),
        )
        try:
            line = match.add(record)
        except MalformedRecord as error:
            self.warnings.append(f"shot {n} can't be judged: {error}")
            self.refused.append(Refused(n=n, item=record, reason=str(error)))
        else:
            verdicts.append(self._judged(line, record.t1))
            if line.verdict["undecided"]:
                asked = ", ".join(f"{each['question']} ({each['clause']})" for each in line.verdict["undecided"])
                self.warnings.append(f"shot {n} is left to the referee: {asked}")
        verdicts += self._say(match, self._lines.due_after(n), record.t1)
        return JudgedShot(record=record, verdicts=tuple(verdicts))

    def finish(self) -> list[Judged]:
        """The verdicts of the lines that come after the last shot."""
        verdicts = self._say(self._match, self._lines.rest(), self._last_s) if self._match is not None else []
        unused = self._lines.unused(self._shots)
        if unused:
            self.warnings.append(f"lines for shots that the clip doesn't have: n = {', '.join(map(str, unused))}")
        return verdicts

    # ------------------------------------------------------------------------------------------ the match

    def _match_for(self, record: ShotRecord, n: int) -> Match:
        if self._match is not None and not self._begins_anew(self._match, record):
            return self._match
        if self._match is not None:
            self.warnings.append(f"a new frame begins with shot {n}: its score counts from nothing")
            opening = infer_opening(self.settings.game, self.settings.table, record)
        elif self.settings.state is not None:
            opening = Opening(state={"table": table_json(self.settings.table), **self.settings.state})
        else:
            opening = infer_opening(self.settings.game, self.settings.table, record)
            self.warnings += [f"assumed: {what}" for what in opening.assumed]
        try:
            self._match = Match.from_case(self.settings.game, opening.state, options=self._options)
        except MalformedRecord as error:
            self.warnings.append(f"the balls seen before shot {n} make no state of {self.settings.game}: {error}")
            opening = Opening(state={}, assumed=("the clip begins with the opening stroke of a frame",))
            self._match = Match.from_case(self.settings.game, opening.state, options=self._options)
        self._assumed = opening.assumed
        return self._match

    @property
    def _options(self) -> dict[str, Any]:
        asked = self.settings.nominations == "required"
        return MEASURED | ({"undeclared": "unknown"} if asked else {})

    def _begins_anew(self, match: Match, record: ShotRecord) -> bool:
        """Whether the balls have been set up again though the frame had not ended."""
        if match.state.strokes == 0 or record.before is None:
            return False
        return is_opening_layout(self.settings.game, self.settings.table, record.before, record.unplaced)

    def _say(self, match: Match, lines: Sequence[Official], t_s: float) -> list[Judged]:
        judged = []
        for line in lines:
            try:
                judged.append(self._judged(match.add(line), t_s))
            except MalformedRecord as error:
                self.warnings.append(f"the official line {line.kind} can't be applied: {error}")
                self.refused.append(Refused(n=line.n, item=line, reason=str(error)))
        return judged

    def _judged(self, line: Line, t_s: float) -> Judged:
        verdict = line.verdict | ({"assumed": list(self._assumed)} if self._assumed else {})
        words = tuple(line.verdict["announce"].get(self.settings.lang, ()))
        return Judged(t_s=t_s, n=line.n, words=words, verdict=verdict)

    def _inferred(self, match: Match, record: ShotRecord) -> Nominated | None:
        return inferred_nomination(match.state, record) if self.settings.nominations == "inferred" else None


class _Lines:
    """The lines of an ``--inputs`` file by the shot that they belong to.

    A line with a time ``t`` (s) belongs to the first shot after it, a nomination to the first that is struck after it;
    an official line with neither time nor number comes with the line before it. A correction of shot n comes right
    after it.
    """

    def __init__(self, lines: Sequence[dict[str, Any]]) -> None:
        self._before: dict[int, list[Official]] = {}
        self._after: dict[int, list[Official]] = {}
        self._nominated: dict[int, Nominated] = {}
        self._observed: dict[int, tuple[Observed, ...]] = {}
        self._timed = sorted((line for line in lines if line.get("t") is not None), key=lambda line: float(line["t"]))
        at = 1
        for line in lines:
            if line.get("t") is None:
                at = line.get("n") or at
                self._enter(line, at)

    def _enter(self, line: dict[str, Any], n: int) -> None:
        if line["type"] == "nomination":
            self._nominated[n] = Nominated.from_json(line["nominated"], "nominated")
        elif line["type"] == "observed":
            seen = read_list(line["observed"], "observed", Observed.from_json)
            self._observed[n] = (*self._observed.get(n, ()), *seen)
        else:
            place = self._after if line["kind"] == "correct" else self._before
            place.setdefault(n, []).append(Official.from_json(line))

    def come_to(self, record: ShotRecord, n: int) -> None:
        """The lines with a time up to this shot are its own; a nomination waits for a stroke."""
        struck = any(isinstance(event, Strike) for event in record.events)
        later = []
        for line in self._timed:
            if float(line["t"]) <= record.t0 and (struck or line["type"] != "nomination"):
                self._enter(line, n)
            else:
                later.append(line)
        self._timed = later

    def due_before(self, n: int) -> list[Official]:
        return self._before.pop(n, [])

    def due_after(self, n: int) -> list[Official]:
        return self._after.pop(n, [])

    def nominated(self, n: int) -> Nominated | None:
        return self._nominated.get(n)

    def observed(self, n: int) -> tuple[Observed, ...]:
        return self._observed.get(n, ())

    def rest(self) -> list[Official]:
        """Those that come after the last shot."""
        timed = [line for line in self._timed if line["type"] == "official"]
        self._timed = [line for line in self._timed if line["type"] != "official"]
        for line in timed:
            self._enter(line, max(self._before, default=1))
        lines = [line for n in sorted(self._before) for line in self._before[n]]
        self._before.clear()
        return lines

    def unused(self, shots: int) -> list[int]:
        """The numbers in lines that name a shot beyond the clip's last; for those with a time the next number."""
        named = {*self._nominated, *self._observed, *self._after}
        return sorted(n for n in named | ({shots + 1} if self._timed else set()) if n > shots)
