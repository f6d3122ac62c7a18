"""What needs a look first: what the picture left open, what a verdict rests on that is weak, and what people changed.

``worth`` is 0 to 100. An open question comes before a weak event, since its verdict isn't complete; an event counts
the more the less certain it is; what a person has looked at already comes last.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.app.desk.choices import choices
from referee.app.review.corrections import Correction
from referee.app.review.fold import Folded
from referee.app.review.openings import openings
from referee.app.review.proof import first_contacts, proofs
from referee.app.review.words import (
    WHY,
    Words,
    assumption_in_words,
    balls_in_words,
    correction_in_words,
    each_language,
    event_in_words,
    question_in_words,
)
from referee.app.said import in_words
from referee.app.words import LANGUAGES, ball_words
from referee.match.log import Match, Step
from referee.rules.engine import Game
from tracking.records import Answer, Event, ShotRecord, before

SURE = 0.9
"""What was seen with more confidence than this needs no look."""
WORTH = {"refused": 95, "warning": 30, "assumed": 45, "names": 40, "order": 50, "overruled": 25, "corrected": 20}
UNDECIDED, SEEN_BADLY, LONGEST_GAP = 70, 30, 20
ALONE, EACH_LATER, MOST_LATER = 4, 2, 18
"""An open question is worth more where it is its shot's only one, and for each later verdict that hangs on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to look at: where, how much it is worth, why, by which clause, and how it can be settled."""

    n: int | None
    t0_s: float | None
    t1_s: float | None
    kind: str
    worth: float
    why: Words
    clause: str | None = None
    question: dict[str, Any] | None = None
    choices: tuple[dict[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "t0": self.t0_s,
            "t1": self.t1_s,
            "kind": self.kind,
            "worth": round(self.worth, 1),
            "why": self.why,
            "clause": self.clause,
            "question": self.question,
            "choices": list(self.choices),
        }


def look_first(
    found: Iterable[Item],
    corrections: Sequence[tuple[Correction, ShotRecord | None]],
    warnings: Sequence[str],
    changed: str = "corrected",
) -> list[Item]:
    """Everything that needs a look, the most worth first. corrections: each with the record of its shot.

    ``changed``: in review (``corrected``) or at the table.
    """
    items = [*found]
    items += [_item(changed, record, WORTH[changed], correction_in_words(each)) for each, record in corrections]
    items += [_item("warning", None, WORTH["warning"], in_words(text)) for text in warnings]
    return sorted(items, key=lambda item: (-item.worth, item.t0_s or 0.0))


def of_folded(folded: Folded) -> list[Item]:
    """What needs a look in the shots of an analysis."""
    hanging = Counter(key for verdict in folded.verdicts for key in hanging_on(verdict))
    found: list[Item] = []
    for record in folded.records:
        match, verdicts = folded.matches.get(record.n or 0), folded.verdicts_of(record.n or 0)
        if match is not None and verdicts:
            found += of_shot(match.game, match.shot(record.n), record, verdicts[0])
    found += [refused(folded.record(each.n or 0), each.reason) for each in folded.refused]
    return [*(counted(each, hanging) for each in found), *_assumed(folded)]


Asked = tuple[int | None, str, str | None]
"""A question by its shot, what is asked, and the ball that it is about."""


def hanging_on(verdict: Mapping[str, Any]) -> list[Asked]:
    """The questions of earlier shots on which a verdict hangs."""
    return [(each["n"], each["question"], each.get("ball")) for each in verdict.get("undecided", ()) if "n" in each]


def counted(item: Item, hanging: Mapping[Asked, int]) -> Item:
    """A question is worth more for each later verdict that hangs on it."""
    if item.question is None:
        return item
    later = hanging.get((item.n, item.question["question"], item.question.get("ball")), 0)
    return replace(item, worth=item.worth + min(MOST_LATER, EACH_LATER * later)) if later else item


def refused(record: ShotRecord | None, reason: str) -> Item:
    """What the rules refuse."""
    return _item("refused", record, WORTH["refused"], in_words(reason))


def with_choices(match: Match | None, item: Item) -> Item:
    """With the possible answers where it is a question, or the likely openings where one was assumed."""
    if match is not None and item.kind == "assumed":
        return replace(item, choices=tuple(openings(match)))
    if match is None or item.question is None:
        return item
    possible = choices(match, item.n, item.question["question"], item.question.get("ball"))
    return replace(item, choices=tuple(possible))


def _item(kind: str, record: ShotRecord | None, worth: float, what: Words, **more: Any) -> Item:
    why = each_language(WHY[more.pop("words", kind)], what=what, **more.pop("fields", {}))
    return Item(
        n=None if record is None else record.n,
        t0_s=None if record is None else record.t0,
        t1_s=None if record is None else record.t1,
        kind=kind,
        worth=worth,
        why=why,
        **more,
    )


def of_shot(game: Game, step: Step | None, record: ShotRecord, verdict: Mapping[str, Any]) -> Iterator[Item]:
    """What needs a look in a shot with this verdict; what hangs on a question later isn't counted yet."""
    asked = own_questions(verdict)
    for question in asked:
        worth, what = UNDECIDED + ALONE / len(asked), question_in_words(question)
        yield _item("undecided", record, worth, what, clause=question["clause"], question=question)
    if not asked:
        yield from _weak(game, step, record)
    yield from _gaps(record, asked)


def own_questions(verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Those that the shot's own record leaves open."""
    return [each for each in verdict.get("undecided", ()) if "n" not in each]


def _weak(game: Game, step: Step | None, record: ShotRecord) -> Iterator[Item]:
    """The least certain of the events that decided the verdict, the order of contacts, and doubtful names."""
    clause_first, clause_cushion, clause_pot = game.doubtful_clauses
    clauses = {"first_contact": clause_first, "contact": clause_first, "cushion": clause_cushion}
    settled = {each.question for each in record.observed if each.kind == "confirm"}
    weak = [event.confidence for event in record.events if event.confidence < SURE]
    found = proofs(record, game, step) if weak else []
    shown = [proof for proof in found if proof.decides and proof.event.confidence < SURE]
    weakest = min(shown, key=lambda proof: proof.event.confidence, default=None)
    if weakest is not None and weakest.what not in settled:
        event = weakest.event
        yield _item(
            "low_confidence",
            record,
            SEEN_BADLY + 40 * (1 - event.confidence),
            event_in_words(event.to_json()),
            fields={"sure": f"{event.confidence:.0%}"},
            clause=clauses.get(weakest.what, clause_pot),
        )
    tied = _tied(record)
    if tied and "first_contact" not in settled:
        what = {lang: " / ".join(event_in_words(each.to_json())[lang] for each in tied) for lang in LANGUAGES}
        yield _item("low_confidence", record, WORTH["order"], what, words="order", clause=clause_first)
    if record.doubtful and "identity" not in settled:
        what = {lang: "; ".join(_reading(dict(each), lang) for each in record.doubtful) for lang in LANGUAGES}
        yield _item("low_confidence", record, WORTH["names"], what, words="names", clause=clause_first)


def _tied(record: ShotRecord) -> list[Event]:
    """The first contacts of the cue ball that can't be ordered, none where the order is known."""
    contacts = first_contacts(record)
    tied = [each for each in contacts[1:] if before(contacts[0], each) is Answer.UNKNOWN]
    return [contacts[0], *tied] if tied else []


def _reading(reading: dict[str, str | None], lang: str) -> str:
    none = {"en": "no ball", "ru": "не шар"}[lang]
    return ", ".join(
        f"{ball_words(old, lang)} → {none if new is None else ball_words(new, lang)}" for old, new in reading.items()
    )


def _gaps(record: ShotRecord, asked: Sequence[dict[str, Any]]) -> Iterator[Item]:
    """The longest thing unseen in a shot; where a question is open it is named there."""
    gap = max(record.gaps, key=lambda each: each.t1_s - each.t0_s, default=None)
    if gap is None or asked:
        return
    lasting = gap.t1_s - gap.t0_s
    whole = 1.0 if gap.balls is None else 0.6
    yield _item(
        "gap",
        record,
        whole * LONGEST_GAP * min(1.0, lasting / 2.0),
        balls_in_words(gap.balls),
        fields={"seconds": f"{lasting:.1f}"},
    )


def _assumed(folded: Folded) -> Iterator[Item]:
    """Each assumption once, with the first shot whose verdict rests on it."""
    seen: set[str] = set()
    for each in folded.judged:
        for what in each.verdict.get("assumed", ()):
            if what not in seen:
                seen.add(what)
                match = folded.matches.get(each.n or 0)
                clause = None if match is None else match.game.turn_clause
                record = folded.record(each.n or 0)
                yield _item("assumed", record, WORTH["assumed"], assumption_in_words(what), clause=clause)
