"""What is said and when: each call once, in the order of play, and what no longer holds is taken back in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.match.announce import Phrases
from referee.match.log import Match, Step
from referee.match.order import in_order
from referee.rules.outcome import Call
from tracking.records import ShotRecord

Words = Mapping[str, Sequence[str]]
"""Language → sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A call that stands: its id and the sentences in it that belong to one line of the match."""

    id: str
    words: Words


@dataclass(slots=True, kw_only=True)
class Calls:
    """What was called so far and still stands.

    by_line: index of the match's line → what was said of it. early: number of the shot → what was said of it while
    the balls were still running.
    """

    by_line: dict[int, Said] = field(default_factory=dict)
    early: dict[int, Said] = field(default_factory=dict)

    def copy(self) -> "Calls":
        return Calls(by_line=dict(self.by_line), early=dict(self.early))

    def due(self, before: Sequence[Step], after: Match, call_id: str) -> dict[str, Any] | None:
        """The call for what the last line changed, None where there is nothing to say; it stands from now on.

        ``before``: the lines in force before it. Early calls that the rules don't bear out are taken back.
        """
        was = {step.index: step for step in before}
        now = {step.index: step for step in after.steps}
        anew = [i for i in in_order(was, now) if _judged(was, i) is not _judged(now, i)]
        old = {i: _words(after, i, was) for i in anew if i in was}
        new = {i: _words(after, i, now) for i in anew if i in now}
        changed = [i for i in anew if old.get(i) != new.get(i)]
        back = {i: self.by_line.pop(i, None) for i in changed if any((old.get(i) or {}).values())}
        refuted = self._refuted(was, now)
        fresh = [i for i in changed if any((new.get(i) or {}).values())]
        if not fresh and not back and not refuted:
            return None
        for i in fresh:
            self.by_line[i] = Said(id=call_id, words=new[i])
        retracted = [said for said in (*refuted, *back.values()) if said is not None]
        words = self._text(after, retracted, [old[i] for i in back], [(new[i], now[i].n) for i in fresh])
        if not any(words.values()):  # all of it was said early
            self.by_line |= {i: self.early[n] for i in fresh if (n := now[i].n) in self.early}
            return None
        about = changed[0] if changed else max(now, default=0)
        step = now.get(about) or was.get(about)
        ids = list(dict.fromkeys(said.id for said in retracted))
        n = None if step is None else step.n
        return {"type": "call", "id": call_id, "n": n, "announce": words, "early": False, "retracts": ids}

    def said_early(self, n: int, call_id: str, phrases: Phrases, game: str, t_s: float) -> dict[str, Any]:
        """The call of a foul that is certain while the balls still run."""
        words = phrases.announce((Call(code="foul_seen"),), game)
        self.early[n] = Said(id=call_id, words=words)
        return {"type": "call", "id": call_id, "n": n, "announce": words, "early": True, "retracts": [], "t": t_s}

    def _refuted(self, was: Mapping[int, Step], now: Mapping[int, Step]) -> list[Said]:
        """Early calls of shots that were judged without a foul after all, or left open, or are in force no more."""
        before, after = _shots(was), _shots(now)
        wrong = [n for n in self.early if n in after and after[n].judged.verdict.fields["legal"] is not False]
        wrong += [n for n in self.early if n in before and n not in after]
        return [self.early.pop(n) for n in wrong]

    def _text(
        self,
        match: Match,
        retracted: Sequence[Said],
        old: Sequence[Words],
        fresh: Sequence[tuple[Words, int | None]],
    ) -> dict[str, list[str]]:
        """What is taken back first, then what holds; of many lines the first, and the score that they come to."""
        out: dict[str, list[str]] = {}
        for code, language in match.phrases.languages.items():
            sentences: list[str] = []
            wrong = old[0].get(code, ()) if old else [each for said in retracted for each in said.words.get(code, ())]
            if wrong:
                taken = Call(code="taken_back", values={"words": "; ".join(wrong)})
                sentences.append(language.say(taken, match.game.name))
            if fresh:
                words, n = fresh[0]
                early = self.early.get(n) if n is not None and not retracted else None
                known = () if early is None else early.words.get(code, ())
                sentences += [each for each in words.get(code, ()) if each not in known]
            if len(old) > 1 or len(fresh) > 1:
                sentences.append(language.say(_score(match), match.game.name))
            out[code] = sentences
        return out


def _shots(steps: Mapping[int, Step]) -> dict[int | None, Step]:
    """The shots among these lines, by number."""
    return {step.n: step for step in steps.values() if isinstance(step.item, ShotRecord)}


def _judged(steps: Mapping[int, Step], index: int) -> object:
    return steps[index].judged if index in steps else None


def _words(match: Match, index: int, steps: Mapping[int, Step]) -> Words:
    return match.phrases.announce(steps[index].judged.verdict.calls, match.game.name)


def _score(match: Match) -> Call:
    first, second = match.state.sides.names
    score = match.state.score
    values = {"first": first, "points": score[first], "second": second, "other": score[second]}
    return Call(code="score_stands", values=values)
