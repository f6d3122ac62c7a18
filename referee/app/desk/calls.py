"""What is said and when: each call once, in the order of play, and what no longer holds is taken back in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.match.announce import Phrases
from referee.match.log import Change, Match
from referee.match.steps import Spoken
from referee.rules.outcome import Call

Words = Mapping[str, Sequence[str]]
"""Language → sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An early call that stands: its id and its sentences."""

    id: str
    words: Words


@dataclass(slots=True, kw_only=True)
class Calls:
    """What was called so far and still stands.

    by_line: index of the match's line → id of the call in which something was said of it. early: number of the shot →
    what was said of it while the balls were still running.
    """

    by_line: dict[int, str] = field(default_factory=dict)
    early: dict[int, Said] = field(default_factory=dict)

    def copy(self) -> "Calls":
        return Calls(by_line=dict(self.by_line), early=dict(self.early))

    def due(self, after: Match, call_id: str) -> dict[str, Any] | None:
        """The call for what the last line changed, None where there is nothing to say; it stands from now on.

        Early calls that the rules don't bear out are taken back.
        """
        found = {each.index: each for each in after.changes}
        old = {i: _words(after, each.was) for i, each in found.items() if each.was is not None}
        new = {i: _words(after, each.now) for i, each in found.items() if each.now is not None}
        changed = [i for i in found if old.get(i) != new.get(i)]
        back = {i: self.by_line.pop(i, None) for i in changed if any((old.get(i) or {}).values())}
        refuted = self._refuted(after.changes)
        fresh = [i for i in changed if any((new.get(i) or {}).values())]
        if not fresh and not back and not refuted:
            return None
        for i in fresh:
            self.by_line[i] = call_id
        taken_back = [*(said.id for said in refuted), *(each for each in back.values() if each is not None)]
        sentences = [(new[i], found[i].n) for i in fresh]
        words = self._text(after, refuted, [old[i] for i in back], sentences, corrects=bool(taken_back))
        if not any(words.values()):  # all of it was said early
            said = {i: n for i in fresh if (n := found[i].n) in self.early}
            self.by_line |= {i: self.early[n].id for i, n in said.items() if n is not None}
            return None
        if changed:
            n = found[changed[0]].n
        else:
            last = max(after.places, key=lambda place: place.index, default=None)
            n = None if last is None else last.n
        ids = list(dict.fromkeys(taken_back))
        return {"type": "call", "id": call_id, "n": n, "announce": words, "early": False, "retracts": ids}

    def said_early(self, n: int, call_id: str, phrases: Phrases, game: str, t_s: float) -> dict[str, Any]:
        """The call of a foul that is certain while the balls still run."""
        words = phrases.announce((Call(code="foul_seen"),), game)
        self.early[n] = Said(id=call_id, words=words)
        return {"type": "call", "id": call_id, "n": n, "announce": words, "early": True, "retracts": [], "t": t_s}

    def _refuted(self, changes: Sequence[Change]) -> list[Said]:
        """Early calls of shots that were judged without a foul after all, or left open, or are in force no more."""
        now = {each.now.n: each.now for each in changes if each.now is not None and each.now.shot}
        gone = {each.was.n for each in changes if each.was is not None and each.was.shot} - set(now)
        wrong = [n for n in self.early if n in now and now[n].legal is not False]
        wrong += [n for n in self.early if n in gone]
        return [self.early.pop(n) for n in wrong]

    def _text(
        self,
        match: Match,
        refuted: Sequence[Said],
        old: Sequence[Words],
        fresh: Sequence[tuple[Words, int | None]],
        *,
        corrects: bool,
    ) -> dict[str, list[str]]:
        """What is taken back first, then what holds; of many lines the first, and the score that they come to."""
        out: dict[str, list[str]] = {}
        for code, language in match.phrases.languages.items():
            sentences: list[str] = []
            wrong = old[0].get(code, ()) if old else [each for said in refuted for each in said.words.get(code, ())]
            if wrong:
                taken = Call(code="taken_back", values={"words": "; ".join(wrong)})
                sentences.append(language.say(taken, match.game.name))
            if fresh:
                words, n = fresh[0]
                early = self.early.get(n) if n is not None and not corrects else None
                known = () if early is None else early.words.get(code, ())
                sentences += [each for each in words.get(code, ()) if each not in known]
            if len(old) > 1 or len(fresh) > 1:
                sentences.append(language.say(_score(match), match.game.name))
            out[code] = sentences
        return out


def _words(match: Match, spoken: Spoken) -> Words:
    return match.phrases.announce(spoken.calls, match.game.name)


def _score(match: Match) -> Call:
    first, second = match.state.sides.names
    score = match.state.score
    values = {"first": first, "points": score[first], "second": second, "other": score[second]}
    return Call(code="score_stands", values=values)
