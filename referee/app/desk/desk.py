"""The desk of a running match: takes in what the eye and the people say, keeps it, judges it, and tells of it.

Every input is first judged on a copy of the match, then written to the log with the call that follows from it and
waited for until it is on disk, and only then in force and told. So nothing that was told can be lost, nothing refused
leaves a trace, and a match that is resumed goes on as if nothing had been.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from threading import RLock
from typing import Any

from referee.app.desk import entries
from referee.app.desk.early import certain_foul
from referee.app.desk.hub import Hub, Subscription
from referee.app.desk.ledger import Ledger, fold
from referee.app.desk.lines import call_message, differences, shifted, told, verdict_of
from referee.app.desk.putback import PutBack, figures, wanted_by_rules
from referee.app.desk.rows import shot_json
from referee.app.desk.snapshot import lines_of, snapshot
from referee.app.desk.store import LogStore, now, write_json
from referee.app.live.state import SeenTable, SourceState
from referee.match.log import Match
from referee.rules.officials import Official
from tracking.records import Event, Gap, Nominated, Observed, Positions, Reading, ShotRecord
from tracking.strict_json import MalformedRecord, read_list

STATES = {"at_rest": "rest"}
PUTBACK_EVERY_S = 0.2
BETWEEN_S = 0.5
"""Records by hand are at least so far apart on the match's clock."""


class Desk:
    """One running match. Every call may come from any thread, takes a few milliseconds and never waits for a viewer.

    Inputs raise MalformedRecord (what is wrong with which field) or StoreError (the log can't be written); then
    nothing has changed.
    """

    def __init__(self, folder: Path, store: LogStore, ledger: Ledger, hub: Hub) -> None:
        self.folder = folder
        self.hub = hub
        self.lock = RLock()
        self._store = store
        self._ledger = ledger
        self._source: dict[str, Any] | None = None
        self._running: tuple[Event, ...] = ()
        self._rest_since: float | None = None
        self._seen_s: float | None = None
        self._waiting: list[ShotRecord] = []
        self._doubted: set[int] = set()
        self.on_doubt: Callable[[int, float, float], None] = lambda n, t0_s, t1_s: None
        self.lying: dict[str, tuple[float, float]] = {}
        self._putback_sent = 0.0
        self._snapshot: tuple[int, dict[str, Any]] | None = None

    # ------------------------------------------------------------------------------------------ how it begins

    @classmethod
    def create(cls, folder: Path, header: Mapping[str, Any], hub: Hub | None = None) -> "Desk":
        """A new match in a folder of its own. Raises MalformedRecord, StoreError."""
        first = {**header, "type": "match"}
        Ledger.begin(first)
        store, lines = LogStore.create(folder, first)
        return cls(folder, store, Ledger.begin(lines[0]), Hub() if hub is None else hub)

    @classmethod
    def resume(cls, folder: Path, hub: Hub | None = None) -> "Desk":
        """An earlier match, gone on with where its log ends. Raises StoreError, MalformedRecord."""
        store, lines = LogStore.open(folder)
        try:
            ledger = fold(lines)
            desk = cls(folder, store, ledger, Hub() if hub is None else hub)
            missing = ledger.due
            if missing is not None:
                desk._write(ledger, missing)
            desk._write(ledger, {"type": "resumed"})
        except MalformedRecord:
            store.close()
            raise
        return desk

    def set_aside(self) -> None:
        """A person ends the watching; unlike an interrupted match it isn't gone on with unasked."""
        self._take({"type": "aside"})

    def close(self) -> None:
        """Lets the match go: its log can be resumed."""
        with self.lock:
            self._store.close()

    # ------------------------------------------------------------------------------------------ what can be asked

    @property
    def id(self) -> str:
        return self.folder.name

    @property
    def header(self) -> Mapping[str, Any]:
        return self._ledger.header

    @property
    def match(self) -> Match:
        """The match as it stands; it is replaced by another one when a line is added, and never changes itself."""
        return self._ledger.match

    @property
    def ledger(self) -> Ledger:
        """All that the log says; like `match` replaced and never changed."""
        return self._ledger

    @property
    def seq(self) -> int:
        return self._ledger.seq

    def snapshot(self) -> dict[str, Any]:
        """Everything that a page shows, as the description of ``state`` has it."""
        return self.latest()[1]

    def latest(self) -> tuple[int, dict[str, Any]]:
        """The number of the last line, and the snapshot after it. Like all that only looks it waits for no input that
        is being judged."""
        ledger, known = self._ledger, self._snapshot
        if known is None or known[0] != ledger.seq:
            known = (ledger.seq, snapshot(self.id, ledger))
            self._snapshot = known
        return known[0], {**known[1], "source": self._source or ledger.source}

    def shot_in_full(self, n: int) -> dict[str, Any] | None:
        """A shot in force: its record and verdict, as they stand and as they first were; None where there is none."""
        ledger = self._ledger
        match = ledger.match
        step = match.shot(n)
        if step is None or not isinstance(step.item, ShotRecord):
            return None
        line = match.lines[step.index]
        first = line.item if isinstance(line.item, ShotRecord) else step.item
        return {
            **shot_json(ledger, step),
            "record": step.item.to_json(),
            "verdict": told(verdict_of(match, step)),
            "lines": lines_of(match, n),
            "first": {"record": first.to_json(), "verdict": told(line.verdict)} if first != step.item else None,
        }

    def messages_since(self, seq: int) -> list[dict[str, Any]]:
        """The calls after a log line, each as it was told."""
        later = takewhile(lambda line: line["seq"] > seq, reversed(self._ledger.said))
        return [call_message(line) for line in later][::-1]

    def subscribe(self, wake: Callable[[], None] = lambda: None) -> Subscription:
        return self.hub.subscribe(wake)

    # ------------------------------------------------------------------------------------------ from the eye

    def record(self, record: ShotRecord, captured_s: float | None = None) -> dict[str, Any] | None:
        """A shot or an incident is over: judged, kept and called; the verdict, None where the rules refuse it.

        Where the log can't be written (StoreError) it waits in memory and is entered as soon as there is room.
        """
        with self.lock:
            self._running = ()
            self._waiting.append(record)
            return self._enter_waiting()

    def _enter_waiting(self) -> dict[str, Any] | None:
        verdict = None
        while self._waiting:
            verdict = self._enter_record(self._waiting[0])
            self._waiting.pop(0)
            self._rest_since = time.monotonic()
        return verdict

    def _enter_record(self, record: ShotRecord) -> dict[str, Any] | None:
        whole, inferred = entries.completed(self._ledger, record)
        try:
            return self._enter(whole.to_json() | ({"inferred": True} if inferred else {}))
        except (ValueError, ArithmeticError, LookupError, TypeError, AssertionError) as error:
            # No record is lost, not even by an error in the rules: it can be corrected or entered by hand.
            known = isinstance(error, MalformedRecord)
            reason = str(error) if known else f"the rules failed on it: {type(error).__name__} {error}"
            self._enter({"type": "unjudged", "record": whole.to_json(), "reason": reason})
            return None

    def running(
        self,
        events: tuple[Event, ...],
        before: Positions | None,
        t_s: float,
        *,
        gaps: tuple[Gap, ...] = (),
        doubtful: tuple[Reading, ...] | None = None,
    ) -> None:
        """What seems to have happened so far in the running shot; a foul that is certain already is called now.

        gaps: what was not seen of it. doubtful: other readings of its balls' names; None: those of the last shot.
        """
        with self.lock:
            if events == self._running:
                return
            self._running = events
            self._rest_since = None
            ledger = self._ledger
            n = ledger.last_n + 1
            if not events or not ledger.settings.early_calls or n in ledger.calls.early:
                return
            so_far = ShotRecord(
                t0=events[0].t_s,
                t1=max(t_s, *(event.t_s for event in events)),
                before=before,
                events=events,
                gaps=gaps,
                doubtful=ledger.doubtful if doubtful is None else doubtful,
            )
            whole, _ = entries.completed(ledger, so_far)
            if certain_foul(ledger.match, whole):
                trial, match = ledger.copy(), ledger.match
                self._enter(trial.calls.said_early(n, f"c{ledger.seq + 1}", match.phrases, match.game.name, t_s))

    def seen(self, table: SeenTable) -> None:
        """What lies where now, for those who look on, with the figures of balls that are being put back."""
        self._seen_s = table.t_s
        balls = {
            name: {
                "x": round(ball.x, 1),
                "y": round(ball.y, 1),
                "s": STATES.get(ball.state, ball.state),
                "v": ball.visible,
            }
            for name, ball in table.balls.items()
        }
        blind = [[[round(x), round(y)] for x, y in region] for region in table.blind]
        body = {"type": "table", "t": round(table.t_s, 3), "balls": balls, "blind": blind}
        self.hub.publish(body | {"view": table.view, "running": table.running})
        self.lying = {name: (ball.x, ball.y) for name, ball in table.balls.items() if ball.visible}
        if time.monotonic() - self._putback_sent >= PUTBACK_EVERY_S:
            self._putback_sent = time.monotonic()
            off = self.putback_figures()
            if off is not None:
                self.hub.publish({"type": "putback", **off})

    def source(self, state: SourceState) -> None:
        """How the source is; in the log where its status, connection, size or offset is another."""
        with self.lock:
            self._source = state.to_json()
            logged = self._ledger.source or {}
            if any(logged.get(name) != self._source[name] for name in ("status", "connection", "size", "offset")):
                self._enter({"type": "source", "state": self._source})
            else:
                self.hub.publish({"type": "source", "source": self._source})

    def gap(self, t0_s: float, t1_s: float, reason: str, frames: int) -> None:
        """From t0_s to t1_s nothing, or not every picture, was seen."""
        self._take({"type": "gap", "t0": t0_s, "t1": t1_s, "reason": str(reason), "frames": frames})

    def calibrated(self, calibration: Mapping[str, Any]) -> None:
        """From now on this calibration is used; it is in the log, and for other programs in ``calibration.json``."""
        self._take({"type": "calibration", "calibration": dict(calibration)})
        write_json(self.folder / "calibration.json", calibration)

    # ------------------------------------------------------------------------------------------ from people

    def shot(self, line: Mapping[str, Any]) -> dict[str, Any] | None:
        """A record entered by hand: it ends now. Unlike the eye's it is refused where the rules can't read it."""
        with self.lock:
            ledger = self._ledger
            record = ShotRecord.from_json(dict(line))
            later_s = max(ledger.t_s + BETWEEN_S - record.t0, self._clock_s() - record.t1)
            whole, inferred = entries.completed(self._ledger, shifted(record, later_s))
            verdict = self._enter(whole.to_json() | {"by": "hand"} | ({"inferred": True} if inferred else {}))
            self._rest_since = time.monotonic()
            return verdict

    def official(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """A line of an official as the contract has it; the verdict after it."""
        with self.lock:
            verdict = self._enter(entries.official_line(line))
            assert verdict is not None
            return verdict

    def nominate(self, nominated: Mapping[str, Any] | None) -> None:
        """What is declared for the next stroke; None takes it back."""
        with self.lock:
            said = None if nominated is None else Nominated.from_json(dict(nominated), "nominated")
            if said is not None:
                entries.check_balls(self._ledger, [each for each in (said.ball, *said.balls) if each], "nominated")
            self._enter({"type": "nomination", "nominated": None if said is None else said.to_json()})

    def observe(self, n: int | None, observed: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
        """What somebody saw: of shot n, which is judged anew, or (None) of the next record, replacing what waits."""
        with self.lock:
            seen = read_list([dict(each) for each in observed], "observed", Observed.from_json)
            entries.check_balls(self._ledger, [b for each in seen for b in (each.ball, *each.balls) if b], "observed")
            if n is None:
                return self._enter({"type": "observed", "observed": [each.to_json() for each in seen]})
            return self.official(self.observed_line(n, observed))

    def observed_line(self, n: int, observed: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The official line that adds to what was seen of shot n, for a preview."""
        return entries.observed_line(self._ledger, n, observed)

    def answer(self, n: int, question: str, value: object, ball: str | None = None) -> dict[str, Any]:
        """The referee settles a question of shot n."""
        with self.lock:
            return self.official(self.answer_line(n, question, value, ball))

    def answer_line(self, n: int, question: str, value: object, ball: str | None = None) -> dict[str, Any]:
        """The official line that settles a question of shot n, for a preview."""
        return entries.answer_line(self._ledger, n, question, value, ball)

    def correct(self, n: int, record: Mapping[str, Any]) -> dict[str, Any]:
        """The record of shot n was wrong; it and all that followed is judged anew."""
        with self.lock:
            return self.official(self.correct_line(n, record))

    def correct_line(self, n: int, record: Mapping[str, Any]) -> dict[str, Any]:
        """The official line that corrects shot n, for a preview."""
        return entries.correct_line(self._ledger, n, record)

    def undo(self, line: int | None = None) -> dict[str, Any]:
        """Takes a line of the match back; None: the last in force, and called again the one before it."""
        with self.lock:
            return self.official(self.undo_line(line))

    def undo_line(self, line: int | None = None) -> dict[str, Any]:
        """The official line that takes a line back, for a preview."""
        return entries.undo_line(self._ledger, line)

    def insert(self, follows: int, record: Mapping[str, Any]) -> dict[str, Any]:
        """A shot that wasn't recorded when it was played, after shot ``follows``; what followed is judged anew."""
        with self.lock:
            return self.official(self.insert_line(follows, record))

    def insert_line(self, follows: int, record: Mapping[str, Any]) -> dict[str, Any]:
        """The official line that puts a shot in, for a preview."""
        return entries.insert_line(self._ledger, follows, record)

    def redo(self) -> dict[str, Any]:
        """Takes the last undo back."""
        with self.lock:
            last = self.match.lines[-1].item if self.match.lines else None
            if not isinstance(last, Official) or last.kind != "undo":
                raise MalformedRecord("kind", "an undo that nothing followed", "none")
            return self.official({"kind": "undo"})

    def preview(self, line: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What an official line would change, verdict by verdict; nothing is changed."""
        ledger = self._ledger
        trial = ledger.copy()
        trial.take(entries.official_line(line), ledger.seq + 1)
        return differences(ledger.match, trial.match)

    def setting(self, name: str, value: object) -> None:
        """One of the settings that may change during a match."""
        self._take({"type": "setting", "name": name, "value": value})

    def put_back(self, n: int | None = None, positions: Mapping[str, Any] | None = None) -> None:
        """Which layout is to be restored: that before shot n, or these positions; neither: what the rules want."""
        with self.lock:
            wanted: dict[str, Any] | None = None
            if n is not None:
                before = entries.record_of(self._ledger, n).before
                if before is None:
                    raise MalformedRecord("n", "a shot before which the places of the balls are known", n)
                wanted = {"of": n, "why": "shot", "wanted": {ball: list(at) for ball, at in before.items()}}
            elif positions is not None:
                entries.check_balls(self._ledger, list(positions), "positions")
                wanted = {"of": None, "why": "positions", "wanted": {ball: list(at) for ball, at in positions.items()}}
            self._enter({"type": "putback", "putback": wanted})

    # ------------------------------------------------------------------------------------------ as time goes by

    def wanted(self) -> PutBack | None:
        """The balls that have to be put somewhere now, None where all lie right."""
        ledger = self._ledger
        asked = ledger.putback
        if asked is not None:
            return PutBack.from_json(asked)
        return wanted_by_rules(ledger.match)

    def putback_figures(self) -> dict[str, Any] | None:
        """How far the balls that are seen now are from where they have to lie; None where none has to."""
        wanted = self.wanted()
        return None if wanted is None else figures(wanted, self.lying)

    def tick(self) -> None:
        """Called about once a second: enters what waits, and warns of slow play where the setting says so."""
        with self.lock:
            self._enter_waiting()
            ledger = self._ledger
            limit, since = ledger.settings.slow_play_s, self._rest_since
            if limit is None or since is None or ledger.slow_after == ledger.last_n or ledger.match.state.finished:
                return
            waited = time.monotonic() - since
            if waited >= limit:
                player = ledger.match.state.striker
                line = {"type": "slow_play", "after": ledger.last_n, "player": player, "waited_s": round(waited, 1)}
                self._enter(line)

    # ------------------------------------------------------------------------------------------ inside

    def _take(self, line: Mapping[str, Any]) -> None:
        with self.lock:
            self._enter(line)

    def _enter(self, line: Mapping[str, Any]) -> dict[str, Any] | None:
        """Judges a line on a copy, keeps it with the call that follows from it, puts it in force, and tells of it."""
        trial = self._ledger.copy()
        line = {**line, "wall": now()}
        early = line["type"] == "call"  # it is kept with the number that it gets in the log
        verdict = None if early else trial.take(line, trial.seq + 1)
        due = trial.due
        lines = [line] if due is None else [line, due]
        written = self._store.append(*lines)
        for each in written if early else written[1:]:
            trial.take(each, trial.seq + 1)
        self._ledger = trial
        self._publish(written)
        if verdict is not None:
            self._note_doubt(line, verdict)
        return verdict

    def _note_doubt(self, line: Mapping[str, Any], verdict: Mapping[str, Any]) -> None:
        """Whoever keeps the video is told of shots that are in question or were corrected."""
        asked = [each for each in verdict["undecided"] if "n" not in each]
        n = line.get("n") if line.get("kind") == "correct" else verdict["n"] if asked else None
        step = self.match.shot(n)
        if n is not None and step is not None and isinstance(step.item, ShotRecord) and n not in self._doubted:
            self._doubted.add(n)
            self.on_doubt(n, step.item.t0, step.item.t1)

    def _write(self, ledger: Ledger, line: Mapping[str, Any]) -> None:
        """At resuming: a line that the interruption left out; nobody looks on yet."""
        (written,) = self._store.append(line)
        ledger.take(written, ledger.seq + 1)

    def _publish(self, written: Sequence[Mapping[str, Any]]) -> None:
        for line in written:
            if line["type"] == "call":
                self.hub.publish(call_message(line), seq=line["seq"])
        seq, state = self.latest()
        self.hub.publish({"type": "state", "seq": seq, "state": state}, seq=seq)

    def _clock_s(self) -> float:
        """The match's clock now: the camera's, or without one the seconds since the match began."""
        if self._seen_s is not None:
            return self._seen_s
        begun = datetime.fromisoformat(str(self.header["wall"]))
        return (datetime.now().astimezone() - begun).total_seconds()
