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

from referee.match import order
from referee.match.announce import Phrases, default_phrases
from referee.match.order import REFOLDING, Item, Mark, Place, mark_of
from referee.match.play import Play, Shots
from referee.match.series import Series
from referee.match.steps import Change, Step, judged, record_of, spoken
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

__all__ = ["REFOLDING", "Change", "Item", "Line", "Match", "Step", "read_item"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the log with its verdict. ``n``: the number of the shot, or of the shot before an official line."""

    item: Item
    n: int | None
    verdict: dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Match:
    """A match: its rules, the state it started from, and its log.

    changes: what the last line changed, in the order of play. kept: what came of all steps, by whoever worked it out
    (``referee.match.running``), one for all copies.
    """

    game: Game
    settings: Settings
    header: Mapping[str, Any]
    play: Play
    phrases: Phrases = field(default_factory=default_phrases)
    path: str = ""
    lines: Series[Line] = field(default_factory=lambda: Series[Line]())
    marks: list[Mark] = field(default_factory=list)
    changes: tuple[Change, ...] = ()
    kept: dict[str, Any] = field(default_factory=dict)

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
        return cls(
            game=GAMES[name],
            settings=settings,
            header=state,
            path=path,
            phrases=default_phrases() if phrases is None else phrases,
            play=Play(start=read_state(state, GAMES[name], settings, None, path, ())),
        )

    def _read_start(self, first: ShotRecord | None) -> State:
        before, unplaced = (None, ()) if first is None else (first.before, first.unplaced)
        return read_state(self.header, self.game, self.settings, before, self.path, unplaced)

    # ------------------------------------------------------------------------------------------ what can be asked

    @property
    def course(self) -> fold.Course:
        """The states that are possible now: one, unless a question is open."""
        return self.play.course

    @property
    def start(self) -> State:
        """The state before the first line."""
        return self.play.start

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
        return self.lines[-1].verdict if self.marks else None

    @property
    def open_questions(self) -> list[dict[str, Any]]:
        """All questions that are open, each with the number of its shot ``n``."""
        return list(self.play.open.values())

    @property
    def steps(self) -> Series[Step]:
        """All lines in force, in the order of play; nobody else may add to them."""
        return self.play.steps

    @property
    def places(self) -> Sequence[Place]:
        """Of each of the steps its place in the order of play; see `Play`."""
        return self.play.places

    @property
    def shots(self) -> Shots:
        """The strokes and incidents in force, corrections applied."""
        return Shots(self.play.steps, self.play.places)

    def shot(self, n: int | None) -> Step | None:
        """The shot in force with this number."""
        at = self.at(n)
        return None if at is None else self.play.steps[at]

    def at(self, n: int | None) -> int | None:
        """Which of the steps the shot with this number is; those played last are found first."""
        places = self.play.places
        return next((at for at in range(len(places) - 1, -1, -1) if places[at].n == n and places[at].shot), None)

    @property
    def in_force(self) -> list[int]:
        """The indices of the lines in force that aren't themselves an undo."""
        return [index for index in order.in_force(self.marks) if self.marks[index].kind != "undo"]

    @property
    def last_in_force(self) -> int | None:
        """The last of these."""
        if self.marks and self.marks[-1].kind != "undo":
            return len(self.marks) - 1
        return next(reversed(self.in_force), None)

    def copy(self) -> "Match":
        """The same match so far; a line that is added to one is not in the other."""
        return replace(self, lines=self.lines.copy(), play=self.play.copy(), marks=[*self.marks])

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
        step = self.shot(n)
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
        play, changes, index = self.play, tuple[Change, ...](), len(self.lines)
        if isinstance(item, ShotRecord) and item.before is not None and self._begins_with(item):
            start = self._read_start(item)
            play, changes = play.folded(self.game, play.places, self._item, index - 1, start=start)
            play.opened_by = index
        place = self._place_of(item)
        step = judged(self.game, place, item, play.course)
        self.play, self.changes = play, (*changes, Change(index=index, was=None, now=spoken(step)))
        self.play.add(place, step)
        return self._append(item, step, self._say(step.judged.verdict.calls))

    def _begins_with(self, record: ShotRecord) -> bool:
        """Whether the balls of the first shot say how the match begins, and this is it."""
        return self.header.get("balls") is None and self.play.entered is None

    def _place_of(self, item: Item) -> Place:
        """Where a line belongs that comes after all others."""
        index = len(self.marks)
        if isinstance(item, ShotRecord):
            last = self.play.entered
            return Place(index=index, n=order.number_of(mark_of(item), None if last is None else last.n), shot=True)
        return Place(index=index, n=next((each.n for each in reversed(self.play.places) if each.n is not None), None))

    def _item(self, index: int) -> Item:
        return self.lines[index].item

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
        dropped = [] if retracted is None else self._dropped()
        verdict |= {"dropped": dropped} if dropped else {}
        line = Line(item=item, n=n, verdict=verdict)
        self.lines.append(line)
        self.marks.append(mark_of(item))
        return line

    def _dropped(self) -> list[dict[str, Any]]:
        why = self.play.impossible
        return [{"line": at.index + 1, "reason": why[at.index]} for at in self.play.places if at.index in why]

    def _nothing_yet(self) -> Verdict:
        """The verdict when all lines have been taken back."""
        return fold.declare(self.game, fold.begin(self.start), Official(kind="rack"), None).verdict

    # ------------------------------------------------------------------------------------------ folding anew

    def _refold(self, item: Official) -> Line:
        index, marks = len(self.marks), [*self.marks, mark_of(item)]
        if item.kind == "undo":
            self._check_undo(item)
        if item.kind == "insert" and any(place.n == item.n for place in self.play.places):
            raise MalformedRecord("n", "a number that no other shot has", item.n)

        def fetch(at: int) -> Item:
            return item if at == index else self._item(at)

        played = order.places(marks)
        opened_by, start = self._opening(played, fetch)
        base = self.play if start is None else Play(start=start)
        played = base.condoned(self.game, played, marks, fetch)
        self.play, self.changes = self.play.folded(self.game, played, fetch, index, start=start)
        self.play.opened_by = opened_by
        retracted = []
        fresh: dict[str, list[str]] = self._say(())
        for each in self.changes:
            old, new = each.was and each.was.calls, each.now and each.now.calls
            if old == new:
                continue
            if old:
                assert each.was is not None
                retracted.append({"n": each.was.n, "announce": self._say(old)})
            for language, texts in self._say(new or ()).items():
                fresh[language] += texts
        return self._append(item, self.play.steps[-1] if played else None, fresh, retracted)

    def _opening(self, played: Sequence[Place], fetch: Callable[[int], Item]) -> tuple[int | None, State | None]:
        """Index of the shot whose balls say how the match begins, and the state that it gives if it is a new one."""
        first = next((place.index for place in played if place.shot), None)
        if self.header.get("balls") is not None or first == self.play.opened_by:
            return self.play.opened_by, None
        record = None if first is None else record_of(fetch(first))
        start = self._read_start(record if isinstance(record, ShotRecord) else None)
        return first, None if start == self.play.start else start

    def _check_undo(self, item: Official) -> None:
        if item.line is None and item.lines > len(self.marks):
            raise MalformedRecord("lines", f"at most the {len(self.marks)} lines before it", item.lines)
        if item.line is not None and item.line - 1 not in order.in_force(self.marks):
            raise MalformedRecord("line", "the number of a line in force", item.line)

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
