"""What a review of a match tells of each line, in short: worked out once for each, and gone on with as the match is."""

from dataclasses import dataclass, field, replace
from typing import Any

from referee.app.review.in_short import shot_in_short
from referee.app.review.look_first import Asked, Item, counted, hanging_on, of_shot, own_questions, refused
from referee.app.review.words import question_in_words
from referee.match.announce import Phrases
from referee.match.log import Match, Step
from referee.match.running import Running
from referee.match.series import Series
from referee.rules.engine import Game
from tracking.records import ShotRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """One line in force. t_s: when it was judged, the end of the shot that it is or follows. shot: of a shot itself, in
    short. items: what needs a look, without what hangs on it later."""

    t_s: float
    n: int | None
    announce: dict[str, list[str]]
    shot: dict[str, Any] | None
    items: tuple[Item, ...]
    questions: tuple[dict[str, Any], ...]


@dataclass(slots=True, kw_only=True)
class Briefs:
    """Those of all lines in force. last: the last shot. hanging: how many verdicts hang on an earlier question."""

    game: Game
    phrases: Phrases
    last: ShotRecord | None = None
    all: Series[Brief] = field(default_factory=lambda: Series[Brief]())
    hanging: dict[Asked, int] = field(default_factory=dict)

    @classmethod
    def of(cls, match: Match) -> "Briefs":
        return _RUNNING.of(match)

    @property
    def items(self) -> list[Item]:
        """What needs a look in the shots."""
        return [counted(item, self.hanging) for brief in self.all for item in brief.items]

    def copied(self) -> "Briefs":
        return replace(self, all=self.all.copy(), hanging=dict(self.hanging))

    def take(self, step: Step) -> "Briefs":
        verdict = step.judged.verdict
        announce = self.phrases.announce(verdict.calls, self.game.name)
        fields = {**verdict.fields, "announce": announce}
        record = replace(step.item, n=step.n) if isinstance(step.item, ShotRecord) else None
        self.last = record or self.last
        items = [] if record is None else [*of_shot(self.game, step, record, fields)]
        if step.problem is not None:
            items.append(refused(self.last, step.problem))
        own = own_questions(fields)
        questions = ({"n": step.n, **each, "text": question_in_words(each)} for each in own)
        brief = Brief(
            t_s=0.0 if self.last is None else self.last.t1,
            n=step.n,
            announce=announce,
            shot=None if record is None else shot_in_short(record, fields),
            items=tuple(items),
            questions=tuple(questions),
        )
        self.all.append(brief)
        for key in hanging_on(fields):
            self.hanging[key] = self.hanging.get(key, 0) + 1
        return self


def _begin(match: Match) -> Briefs:
    return Briefs(game=match.game, phrases=match.phrases)


_RUNNING = Running(name="briefs", begin=_begin, take=Briefs.take, copied=Briefs.copied)
