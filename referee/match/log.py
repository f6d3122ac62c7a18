"""The match log: records and official lines in, verdicts out.

The log is append-only; every verdict is the fold of the log up to it. ``undo`` and ``correct`` are lines too: after
them everything is adjudicated anew, what was announced and no longer holds is retracted, and a frame that had ended
is open again if its end was taken back. So it is after a line that says which shot it ``follows``, and after an
``insert``: both are put in where they belong in the order of play.

For programs::

    match = Match.from_header({"type": "match", "game": "snooker", "players": ["Ann", "Bob"], "frames_to_win": 3})
    match = Match.from_case("snooker", state)           # or from a state of contract section 6
    line = match.add(record)                            # a ShotRecord, an Official, or either as parsed JSON
    line.verdict                                        # the verdict, contract section 5, a dict ready for JSON
    line.verdict["undecided"]                           # what the referee is asked; settle it with ``confirm``:
    match.add({"type": "official", "kind": "correct", "n": 3, "record": {..., "observed": [{"kind": "confirm", ...}]}})
    match.confirm(3, "snookered", False)                # the same in short
    match.lines, match.verdict, match.state, match.open_questions, match.text()

``add`` raises ``MalformedRecord`` (a ValueError whose text says what is wrong with which field) and then leaves the
match as it was. ``on`` may be null in the state: what is on isn't known, as in a clip that starts in the middle of
a frame; what hangs on it comes back undecided. Verdict fields beside the contract's: ``retracted`` (announcements
taken back by this line, with the number of the shot), ``open`` (questions of earlier shots), ``dropped`` (lines that
a correction made impossible).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.match.announce import Phrases, default_phrases
from referee.match.order import (
    REFOLDING,
    Item,
    corrections,
    in_force,
    in_order,
    number_of,
    numbered_shots,
    order_of_play,
)
from referee.rules import fold
from referee.rules.engine import Game
from referee.rules.games import GAMES
from referee.rules.officials import Official
from referee.rules.outcome import Call
from referee.rules.reading import check_record, read_state
from referee.rules.settings import Settings
from referee.rules.state import State
from referee.rules.verdict import Verdict
from tracking.records import Observed, ShotRecord
from tracking.strict_json import MISSING, MalformedRecord, read_object, read_string

__all__ = ["REFOLDING", "Item", "Line", "Match", "Step", "read_item"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the log with its verdict. ``n``: the number of the shot, or of the shot before an official line."""

    item: Item
    n: int | None
    verdict: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line that is in force, as it was folded last: its judgement and the course after it.

    ``before``: the course in which it was judged. ``problem``: why it has become impossible and changes nothing.
    """

    index: int
    item: Item
    n: int | None
    before: fold.Course
    judged: fold.Judged
    condoned: bool = False
    problem: str | None = None


@dataclass(slots=True, kw_only=True)
class Match:
    """A match: its rules, the state it started from, and its log."""

    game: Game
    settings: Settings
    header: Mapping[str, Any]
    phrases: Phrases = field(default_factory=default_phrases)
    path: str = ""
    lines: list[Line] = field(default_factory=list)
    _steps: list[Step] = field(default_factory=list)
    _start: State | None = None
    _asked: tuple[int, Mapping[str, dict[str, Any]]] = (0, {})
    """How many of the steps were looked through for open questions, and what was found."""

    # ------------------------------------------------------------------------------------------ how it begins

    @classmethod
    def from_header(cls, header: object, phrases: Phrases | None = None) -> "Match":
        """From a log's first line: ``game``, ``rules``, ``players`` or ``teams``, ``frames_to_win``, ``options``
        (policies by name, see ``referee.rules.settings``) and any field of a state. Raises MalformedRecord."""
        data = read_object(header, "match")
        read_string(data.get("type", MISSING), "type", ("match",))
        state = {**data, **read_object(data.get("state") or {}, "state")}
        return cls._begin(data.get("game", MISSING), data.get("rules", "seed"), data.get("options"), state, "", phrases)

    @classmethod
    def from_case(
        cls, game: object, state: object, rules: object = "seed", options: object = None, phrases: Phrases | None = None
    ) -> "Match":
        """From a state of contract section 6. Raises MalformedRecord."""
        return cls._begin(game, rules, options, read_object(state, "state"), "state", phrases)

    @classmethod
    def _begin(
        cls, game: object, rules: object, options: object, state: Mapping[str, Any], path: str, phrases: Phrases | None
    ) -> "Match":
        name = read_string(game, "game", tuple(GAMES))
        settings = Settings.from_json(rules, options, game=name)
        match = cls(
            game=GAMES[name],
            settings=settings,
            header=state,
            path=path,
            phrases=default_phrases() if phrases is None else phrases,
        )
        match._start = match._read_start(None)
        return match

    def _read_start(self, first: ShotRecord | None) -> State:
        before, unplaced = (None, ()) if first is None else (first.before, first.unplaced)
        return read_state(self.header, self.game, self.settings, before, self.path, unplaced)

    # ------------------------------------------------------------------------------------------ what can be asked

    @property
    def course(self) -> fold.Course:
        """The states that are possible now: one, unless a question is open."""
        if self._steps:
            return self._steps[-1].judged.course
        return fold.begin(self.start)

    @property
    def start(self) -> State:
        """The state before the first line."""
        assert self._start is not None
        return self._start

    @property
    def state(self) -> State:
        """The state before the next stroke; with open questions the likeliest."""
        return self.course.likely.state

    @property
    def state_json(self) -> dict[str, Any]:
        return self.game.state_json(self.state)

    @property
    def verdict(self) -> dict[str, Any] | None:
        """The last line's."""
        return self.lines[-1].verdict if self.lines else None

    @property
    def open_questions(self) -> list[dict[str, Any]]:
        """All questions that are open, each with the number of its shot ``n``."""
        count, found = self._asked
        if count < len(self._steps):
            found = dict(found)
            for step in self._steps[count:]:
                settled = {(each.n, each.question.question, each.question.ball) for each in step.judged.settled}
                found = {k: q for k, q in found.items() if (q["n"], q["question"], q.get("ball")) not in settled}
                for each in step.judged.verdict.undecided:
                    question = {"n": step.n, **each}
                    found.setdefault(repr(question), question)
            self._asked = (len(self._steps), found)
        return list(found.values())

    @property
    def shots(self) -> list[Step]:
        """The strokes and incidents in force, corrections applied."""
        return [step for step in self._steps if isinstance(step.item, ShotRecord)]

    def shot(self, n: int | None) -> Step | None:
        """The shot in force with this number; those played last are found first."""
        return next((each for each in reversed(self._steps) if each.n == n and isinstance(each.item, ShotRecord)), None)

    @property
    def steps(self) -> Sequence[Step]:
        """All lines in force, in order."""
        return tuple(self._steps)

    def copy(self) -> "Match":
        """The same match so far; a line that is added to one is not in the other."""
        return replace(self, lines=[*self.lines], _steps=[*self._steps])

    # ------------------------------------------------------------------------------------------ adding a line

    def add(self, line: Item | Mapping[str, Any], path: str = "") -> Line:
        """Adds a line and judges it; ``path`` is put in front of field names in errors. Raises MalformedRecord."""
        item = read_item(line, path) if isinstance(line, Mapping) else line
        try:
            return self._add(item)
        except MalformedRecord as error:
            raise error.within(path) from None

    def confirm(self, n: int, question: str, value: Any, ball: str | None = None) -> Line:
        """The referee settles a question of shot n."""
        step = next((each for each in self.shots if each.n == n), None)
        if step is None or not isinstance(step.item, ShotRecord):
            raise MalformedRecord("n", "the number of a shot in force", n)
        seen = tuple(
            each for each in step.item.observed if (each.kind, each.question, each.ball) != ("confirm", question, ball)
        )
        said = Observed(kind="confirm", question=question, value=value, ball=ball)
        return self.add(Official(kind="correct", n=n, record=replace(step.item, observed=(*seen, said))))

    def _add(self, item: Item) -> Line:
        if isinstance(item, ShotRecord):
            check_record(item, self.game, self.state.table)
        if isinstance(item, Official) and (item.kind in REFOLDING or item.follows is not None):
            if item.record is not None:
                check_record(item.record, self.game, self.state.table, "record")
            return self._refold(item)
        first = isinstance(item, ShotRecord) and not self.shots and self.header.get("balls") is None
        if first and isinstance(item, ShotRecord) and item.before is not None:
            self._start = self._read_start(item)
            self._steps, self._asked = self._fold([*(line.item for line in self.lines)]), (0, {})
        n = number_of(item, self._last_number) if isinstance(item, ShotRecord) else self._last_n
        step = self._judge(len(self.lines), item, self.course, n)
        self._steps.append(step)
        return self._append(item, step, self._say(step.judged.verdict.calls))

    @property
    def _last_n(self) -> int | None:
        return next((step.n for step in reversed(self._steps) if step.n is not None), None)

    @property
    def _last_number(self) -> int:
        """That of the shot that was entered last."""
        shots = [step for step in self._steps if isinstance(step.item, ShotRecord)]
        return max(shots, key=lambda step: step.index).n or 0 if shots else 0

    def _judge(self, index: int, item: Item, course: fold.Course, n: int | None, *, condoned: bool = False) -> Step:
        if isinstance(item, ShotRecord):
            judged = fold.judge(self.game, course, item, n, condoned=condoned)
        else:
            judged = fold.declare(self.game, course, item, n)
        return Step(index=index, item=item, n=n, before=course, judged=judged, condoned=condoned)

    def _judge_anew(
        self, known: Step | None, index: int, item: Item, course: fold.Course, n: int | None, *, condoned: bool
    ) -> Step:
        """As `_judge`; where the line was judged so before (``known``), as all before a correction were, not again."""
        same = known is not None and known.problem is None and (known.n, known.condoned) == (n, condoned)
        if same and known is not None and known.item == item and known.before == course:
            return known
        return self._judge(index, item, course, n, condoned=condoned)

    def _append(
        self,
        item: Item,
        step: Step | None,
        announce: dict[str, list[str]],
        retracted: list[dict[str, Any]] | None = None,
    ) -> Line:
        n = None if step is None else step.n
        verdict: dict[str, Any] = {"type": "verdict", "n": n, "game": self.game.name}
        verdict |= self._nothing_yet().fields if step is None else step.judged.verdict.fields
        verdict["announce"] = announce
        open_before = [each for each in self.open_questions if each["n"] != n]
        verdict |= {"open": open_before} if open_before else {}
        verdict |= {"retracted": retracted} if retracted else {}
        dropped = [{"line": each.index + 1, "reason": each.problem} for each in self._steps if each.problem]
        verdict |= {"dropped": dropped} if dropped and retracted is not None else {}
        line = Line(item=item, n=n, verdict=verdict)
        self.lines.append(line)
        return line

    def _nothing_yet(self) -> Verdict:
        """The verdict when all lines have been taken back."""
        return fold.declare(self.game, fold.begin(self.start), Official(kind="rack"), None).verdict

    # ------------------------------------------------------------------------------------------ folding anew

    def _refold(self, item: Official) -> Line:
        items = [*(line.item for line in self.lines), item]
        if item.kind == "undo":
            self._check_undo(item)
        if item.kind == "insert" and any(step.n == item.n for step in self._steps):
            raise MalformedRecord("n", "a number that no other shot has", item.n)
        was = {step.index: step for step in self._steps}
        previous, start = self._steps, self._start
        try:
            if self.header.get("balls") is None:
                first = next((each for _, each in order_of_play(items) if isinstance(each, ShotRecord)), None)
                self._start = self._read_start(first)
            self._steps, self._asked = self._fold(items), (0, {})
        except MalformedRecord:
            self._steps, self._start = previous, start
            raise
        now = {step.index: step for step in self._steps}
        retracted = []
        fresh: dict[str, list[str]] = self._say(())
        for index in in_order(was, now):
            old = None if index not in was else was[index].judged.verdict.calls
            new = None if index not in now else now[index].judged.verdict.calls
            if old == new:
                continue
            if old:
                retracted.append({"n": was[index].n, "announce": self._say(old)})
            for language, texts in self._say(new or ()).items():
                fresh[language] += texts
        return self._append(item, self._steps[-1] if self._steps else None, fresh, retracted)

    def _check_undo(self, item: Official) -> None:
        if item.line is None and item.lines > len(self.lines):
            raise MalformedRecord("lines", f"at most the {len(self.lines)} lines before it", item.lines)
        if item.line is not None and item.line - 1 not in {
            index for index, _ in in_force([x.item for x in self.lines])
        }:
            raise MalformedRecord("line", "the number of a line in force", item.line)

    def _fold(self, items: Sequence[Item]) -> list[Step]:
        """All lines in force, judged from the start; those that have become impossible change nothing."""
        course, steps, last_n = fold.begin(self.start), list[Step](), None
        known = {step.index: step for step in self._steps}
        live = order_of_play(items)
        numbered = numbered_shots(live)
        corrected = corrections(items, numbered)
        condoned = self._condoned(items, live, numbered, corrected)
        for index, item in live:
            if isinstance(item, Official) and item.kind in REFOLDING:
                continue
            actual, n = corrected.get(index, item), numbered.get(index, last_n)
            try:
                was = known.get(index)
                step = self._judge_anew(was, index, actual, course, n, condoned=index in condoned)
            except MalformedRecord as error:
                if isinstance(item, ShotRecord) or index == len(items) - 1:
                    raise
                same = fold.declare(self.game, course, Official(kind="rack"), n)
                step = Step(index=index, item=item, n=n, before=course, judged=same, problem=str(error))
            steps.append(step)
            course, last_n = step.judged.course, step.n
        return steps

    def _condoned(
        self,
        items: Sequence[Item],
        live: Sequence[tuple[int, Item]],
        numbered: Mapping[int, int],
        corrected: Mapping[int, ShotRecord],
    ) -> set[int]:
        """The shots whose infringement was called too late: by ``not_called``, the last one that a stroke followed."""
        late = [index for index, item in live if isinstance(item, Official) and item.kind == "not_called"]
        known = {step.index: step for step in self._steps} if late else {}
        found: set[int] = set()
        for at in late:
            course = fold.begin(self.start)
            fouls: list[int] = []
            strokes: list[int] = []
            last_n = None
            for index, item in live:
                if index >= at:
                    break
                if isinstance(item, Official) and item.kind in REFOLDING:
                    continue
                try:
                    actual, n, was = corrected.get(index, item), numbered.get(index, last_n), known.get(index)
                    step = self._judge_anew(was, index, actual, course, n, condoned=index in found)
                except MalformedRecord:
                    continue
                course, last_n = step.judged.course, step.n
                if isinstance(step.item, ShotRecord):
                    if step.judged.verdict.fields["legal"] is False:
                        fouls.append(index)
                    if any(event.kind == "strike" for event in step.item.events):
                        strokes.append(index)
            foul = next((index for index in reversed(fouls) if strokes and index < strokes[-1]), None)
            if foul is not None:
                found.add(foul)
            elif at == len(items) - 1:
                raise MalformedRecord("kind", "not_called after an infringement and a stroke that followed it", "none")
        return found

    # ------------------------------------------------------------------------------------------ as text

    def _say(self, calls: Sequence[Call]) -> dict[str, list[str]]:
        return self.phrases.announce(calls, self.game.name)

    def text(self, language: str = "en") -> str:
        """The log for people: a line for each line, with what was said and the score."""
        rows = []
        for line in self.lines:
            said = "; ".join(line.verdict["announce"].get(language, []))
            score = " ".join(f"{side} {points}" for side, points in line.verdict["score"].items())
            rows.append(f"{_title(line):<28} {score:<16} {said}".rstrip())
        return "\n".join(rows)


def _title(line: Line) -> str:
    if isinstance(line.item, ShotRecord):
        stroke = any(event.kind == "strike" for event in line.item.events)
        return f"{'shot' if stroke else 'incident'} {line.n}"
    parts = [line.item.kind, line.item.player or line.item.winner or line.item.to, line.item.option or line.item.about]
    return " ".join(part for part in parts if part)


def read_item(data: Mapping[str, Any], path: str = "") -> Item:
    """A line of type ``shot`` or ``official``. Raises MalformedRecord."""
    dot = f"{path}." if path else ""
    kind = read_string(data.get("type", MISSING), f"{dot}type", ("shot", "official"))
    read: Callable[[object, str], Item] = ShotRecord.from_json if kind == "shot" else Official.from_json
    return read(data, path)
