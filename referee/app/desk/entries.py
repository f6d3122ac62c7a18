"""What people and the eye say, made into lines of the match: records completed, corrections, answers, undo."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.app.desk.ledger import Ledger
from referee.app.desk.lines import shifted
from referee.app.nominations import inferred_nomination
from referee.match.log import Step
from referee.rules.officials import Official
from tracking.records import Observed, ShotRecord
from tracking.strict_json import MalformedRecord, read_list


def completed(ledger: Ledger, record: ShotRecord) -> tuple[ShotRecord, bool]:
    """A new record with its number and what people said of it, and whether its nomination is only inferred."""
    stroke = any(event.kind == "strike" for event in record.events)
    nominated = (ledger.nominated if stroke else None) or record.nominated
    inferred = None
    if nominated is None and ledger.settings.nominations == "inferred":
        nominated = inferred = inferred_nomination(ledger.match.state, record)
    observed = (*record.observed, *ledger.observed)
    whole = replace(record, n=ledger.last_n + 1, nominated=nominated, observed=observed)
    return whole, inferred is not None


def official_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line of an official as the log has it. Raises MalformedRecord."""
    official = Official.from_json({"type": "official", **line}).to_json()
    return official | ({"inferred": True} if line.get("inferred") is True else {})


def record_of(ledger: Ledger, n: int) -> ShotRecord:
    """The record of shot n that is in force. Raises MalformedRecord."""
    item = ledger.shot(n).item
    assert isinstance(item, ShotRecord)
    return item


def observed_line(ledger: Ledger, n: int, observed: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The official line that adds to what was seen of shot n."""
    seen = read_list([dict(each) for each in observed], "observed", Observed.from_json)
    record = record_of(ledger, n)
    return Official(kind="correct", n=n, record=replace(record, observed=(*record.observed, *seen))).to_json()


def answer_line(ledger: Ledger, n: int, question: str, value: object, ball: str | None) -> dict[str, Any]:
    """The official line that settles a question of shot n; a nomination that nobody made follows the answer."""
    record = record_of(ledger, n)
    about = {"kind": "confirm", "question": question, "value": value, **({"ball": ball} if ball else {})}
    said = Observed.from_json(about, "answer")
    same = ("confirm", question, ball)
    kept = [each for each in record.observed if (each.kind, each.question, each.ball) != same]
    record = replace(record, observed=(*kept, said))
    if n in ledger.inferred:
        record = replace(record, nominated=inferred_nomination(ledger.shot(n).before.likely.state, record))
    return Official(kind="correct", n=n, record=record).to_json()


def correct_line(ledger: Ledger, n: int, record: Mapping[str, Any]) -> dict[str, Any]:
    """The official line that corrects shot n; a nomination that nobody made follows the corrected record."""
    old, new = record_of(ledger, n), ShotRecord.from_json(dict(record), "record")
    if n in ledger.inferred and new.nominated in (None, old.nominated):
        new = replace(new, nominated=inferred_nomination(ledger.shot(n).before.likely.state, new))
    return Official(kind="correct", n=n, record=replace(new, n=n)).to_json()


def undo_line(ledger: Ledger, line: int | None = None) -> dict[str, Any]:
    """The official line that takes a line of the match back, counted from 1; None: the last one in force.

    Raises MalformedRecord where it isn't in force.
    """
    last = ledger.match.last_in_force
    if last is None:
        raise MalformedRecord("kind", "a line to take back", "none in force")
    if line is not None and line - 1 not in ledger.match.in_force:
        raise MalformedRecord("line", "the number of a line in force", line)
    return Official(kind="undo", line=line or last + 1).to_json()


def insert_line(ledger: Ledger, follows: int, record: Mapping[str, Any]) -> dict[str, Any]:
    """The official line that puts in a shot that wasn't recorded, after shot ``follows``; 0: before the first.

    Its times are moved to where it was played. ``inferred`` says whether nobody made its nomination.
    """
    new = ShotRecord.from_json(dict(record), "record")
    shots = ledger.match.shots
    at = next((i for i, n in enumerate(shots.numbers, 1) if n == follows), 0)
    if follows and not at:
        raise MalformedRecord("follows", "the number of a shot in force, or 0", follows)
    before, after = (shots[at - 1] if at else None), (shots[at] if at < len(shots) else None)
    begins, ends = (_item(before).t1 if before else 0.0), (_item(after).t0 if after else None)
    if not begins <= new.t0 <= (math.inf if ends is None else ends):
        new = shifted(new, (begins if ends is None else (begins + ends) / 2) - new.t0)
    course = before.judged.course if before is not None else None
    inferred = None
    if new.nominated is None and ledger.settings.nominations == "inferred":
        state = ledger.match.start if course is None else course.likely.state
        inferred = inferred_nomination(state, new)
    whole = replace(new, n=ledger.last_n + 1, nominated=new.nominated or inferred)
    line = Official(kind="insert", n=whole.n, record=whole, follows=follows).to_json()
    return line | ({"inferred": True} if inferred is not None else {})


def _item(step: Step) -> ShotRecord:
    assert isinstance(step.item, ShotRecord)
    return step.item


def check_balls(ledger: Ledger, balls: Collection[str], path: str) -> None:
    """Raises MalformedRecord for a ball that the game doesn't have."""
    game = ledger.match.game
    for ball in balls:
        if ball not in game.ball_names:
            raise MalformedRecord(path, f"balls of {game.name}", ball)
