"""The fold of a match's log: everything that is known of the match, and what is still to be said.

A line is taken in with `Ledger.take`, the same way when it is new and when the log is read again, so that a match that
is resumed is the match that was interrupted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.app.desk.calls import Calls, Said
from referee.app.desk.choices import Choices
from referee.app.desk.own_types import OWN_TYPES
from referee.app.desk.rows import Rows
from referee.app.desk.settings import DeskSettings
from referee.app.desk.store import now
from referee.match.log import Match, Step, read_item
from referee.match.series import Series
from tracking.records import Nominated, Observed, Reading, ShotRecord, Strike
from tracking.strict_json import MISSING, MalformedRecord, read_integer, read_list, read_object, read_string


@dataclass(slots=True, kw_only=True)
class Ledger:
    """The match as its log has it so far.

    nominated, observed: for the next record. at: of each of the match's lines the wall time of its entry. inferred:
    numbers of the shots whose nomination nobody made. due: a call that isn't in the log yet. orphan: an early call
    whose shot was lost in an interruption. last_n: the highest number that a shot had. choices, rows: what was found,
    for all copies.
    doubtful: other names that balls on the table may have, by the last record. aside: whether a person set the match
    aside, so that it wasn't interrupted. wall: the wall time of the last line.
    """

    header: Mapping[str, Any]
    match: Match
    settings: DeskSettings
    calls: Calls = field(default_factory=Calls)
    said: Series[dict[str, Any]] = field(default_factory=lambda: Series[dict[str, Any]]())
    nominated: Nominated | None = None
    observed: tuple[Observed, ...] = ()
    at: Series[str] = field(default_factory=lambda: Series[str]())
    inferred: frozenset[int] = frozenset()
    due: dict[str, Any] | None = None
    orphan: dict[str, Any] | None = None
    unjudged: Series[dict[str, Any]] = field(default_factory=lambda: Series[dict[str, Any]]())
    gaps: Series[dict[str, Any]] = field(default_factory=lambda: Series[dict[str, Any]]())
    source: dict[str, Any] | None = None
    calibration: dict[str, Any] | None = None
    putback: dict[str, Any] | None = None
    slow_after: int | None = None
    choices: Choices = field(default_factory=Choices)
    rows: Rows = field(default_factory=Rows)
    doubtful: tuple[Reading, ...] = ()
    aside: bool = False
    wall: str | None = None
    seq: int = 0
    last_n: int = 0
    t_s: float = 0.0

    @classmethod
    def begin(cls, header: Mapping[str, Any]) -> "Ledger":
        """From a log's first line. Raises MalformedRecord."""
        match = Match.from_header(header)
        return cls(header=header, match=match, settings=DeskSettings.from_json(header), seq=1, wall=header.get("wall"))

    def copy(self) -> "Ledger":
        """The same so far; a line that is taken into one isn't in the other."""
        return replace(
            self,
            match=self.match.copy(),
            calls=self.calls.copy(),
            said=self.said.copy(),
            at=self.at.copy(),
            unjudged=self.unjudged.copy(),
            gaps=self.gaps.copy(),
            due=None,
        )

    def take(self, line: Mapping[str, Any], seq: int) -> dict[str, Any] | None:
        """Takes a log line in; the verdict where it is one of the match. Raises MalformedRecord, then nothing holds."""
        kind = read_string(line.get("type", MISSING), "type", ("shot", "official", *OWN_TYPES))
        verdict = None
        if kind in ("shot", "official"):
            verdict = self._judge(line, seq)
        else:
            TAKES[kind](self, line)
        self.seq = seq
        self.wall = line.get("wall", self.wall)
        return verdict

    def shot(self, n: int) -> Step:
        """The shot in force with this number. Raises MalformedRecord."""
        step = self.match.shot(n)
        if step is None:
            raise MalformedRecord("n", "the number of a shot in force", n)
        return step

    # ------------------------------------------------------------------------------------------ the match's own lines

    def _judge(self, line: Mapping[str, Any], seq: int) -> dict[str, Any]:
        item = read_item(line)
        verdict = self.match.add(item).verdict
        self.at.append(str(line.get("wall") or now()))
        if isinstance(item, ShotRecord):
            self._entered_shot(item, line)
        elif item.kind == "insert":
            self._numbered(item.n or 0, line)
        self.due = self.calls.due(self.match, f"c{seq + 1}")
        if self.due is not None:
            self.due |= {"of": seq, "t": self.t_s}
        return verdict

    def _numbered(self, n: int, line: Mapping[str, Any]) -> None:
        self.last_n = max(self.last_n, n)
        if line.get("inferred") is True:
            self.inferred |= {n}

    def _entered_shot(self, record: ShotRecord, line: Mapping[str, Any]) -> None:
        self._numbered(self.match.lines[-1].n or 0, line)
        self.t_s = max(self.t_s, record.t1)
        self.observed = ()
        self.putback = None
        self.orphan = None
        lying = record.after or {}
        self.doubtful = tuple(each for each in record.doubtful if each.keys() <= lying.keys())
        if any(isinstance(event, Strike) for event in record.events):
            self.nominated = None

    # ------------------------------------------------------------------------------------------ the desk's own lines

    def _nomination(self, line: Mapping[str, Any]) -> None:
        said = line.get("nominated")
        self.nominated = None if said is None else Nominated.from_json(said, "nominated")

    def _observed(self, line: Mapping[str, Any]) -> None:
        self.observed = read_list(line.get("observed", MISSING), "observed", Observed.from_json)

    def _call(self, line: Mapping[str, Any]) -> None:
        self.said.append(dict(line))
        self.due = None
        if line.get("early"):
            n = read_integer(line.get("n"), "n")
            self.calls.early[n] = Said(id=str(line["id"]), words=read_object(line.get("announce"), "announce"))

    def _source(self, line: Mapping[str, Any]) -> None:
        self.source = read_object(line.get("state"), "state")

    def _gap(self, line: Mapping[str, Any]) -> None:
        self.gaps.append(dict(line))

    def _calibration(self, line: Mapping[str, Any]) -> None:
        self.calibration = read_object(line.get("calibration"), "calibration")

    def _setting(self, line: Mapping[str, Any]) -> None:
        self.settings = self.settings.with_value(read_string(line.get("name", MISSING), "name"), line.get("value"))

    def _putback(self, line: Mapping[str, Any]) -> None:
        wanted = line.get("putback")
        self.putback = None if wanted is None else read_object(wanted, "putback")

    def _slow_play(self, line: Mapping[str, Any]) -> None:
        self.slow_after = read_integer(line.get("after"), "after")

    def _unjudged(self, line: Mapping[str, Any]) -> None:
        self.unjudged.append(dict(line))

    def _aside(self, line: Mapping[str, Any]) -> None:
        self.aside = True

    def _resumed(self, line: Mapping[str, Any]) -> None:
        self.aside = False
        open_early = [n for n in self.calls.early if n > self.last_n]
        for n in open_early:
            said = self.calls.early.pop(n)
            self.orphan = {"id": said.id, "announce": dict(said.words)}


TAKES = {
    "nomination": Ledger._nomination,
    "observed": Ledger._observed,
    "call": Ledger._call,
    "source": Ledger._source,
    "gap": Ledger._gap,
    "calibration": Ledger._calibration,
    "setting": Ledger._setting,
    "putback": Ledger._putback,
    "slow_play": Ledger._slow_play,
    "unjudged": Ledger._unjudged,
    "resumed": Ledger._resumed,
    "aside": Ledger._aside,
}
assert set(TAKES) == set(OWN_TYPES)


def fold(lines: Sequence[Mapping[str, Any]]) -> Ledger:
    """A match from the lines of its log. Raises MalformedRecord that names the line."""
    ledger = Ledger.begin(lines[0])
    for line in lines[1:]:
        try:
            ledger.take(line, line["seq"])
        except MalformedRecord as error:
            raise error.within(f"line {line['seq']}") from None
    return ledger
