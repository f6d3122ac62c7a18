"""What the overlay tells and when: events where they happen, calls as they fall, the score after them."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.app.analyze.calls import Call
from referee.app.words import event_words, question_words

SHOWN_EVENTS = frozenset({"strike", "contact", "cushion", "pocket", "off_table", "jump", "fell", "moved", "returned"})
CERTAIN = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """An event of shot ``n`` in words; ``balls`` are those it is about, ``pocket`` where one fell."""

    t_s: float
    n: int
    kind: str
    text: str
    balls: tuple[str, ...]
    pocket: str | None = None
    certain: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The score from a time on; ``tone`` of what was called then: ``good``, ``foul`` or ``open``."""

    t_s: float
    score: dict[str, int]
    player: str | None
    on: tuple[str, ...]
    run: int
    tone: str = "good"


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Everything in order of time. spans: start and end of each shot in s."""

    moments: tuple[Moment, ...] = ()
    calls: tuple[Call, ...] = ()
    boards: tuple[Board, ...] = ()
    spans: tuple[tuple[float, float], ...] = ()

    def shot_at(self, t_s: float, linger_s: float = 0.0) -> int | None:
        """The shot running at a time, or one that ended less than ``linger_s`` ago, counted from 0."""
        i = bisect_right([start for start, _ in self.spans], t_s) - 1
        return i if i >= 0 and t_s <= self.spans[i][1] + linger_s else None

    def board_at(self, t_s: float) -> Board | None:
        """What stands at a time."""
        earlier = [board for board in self.boards if board.t_s <= t_s]
        return earlier[-1] if earlier else None

    def call_at(self, t_s: float) -> Call | None:
        """The call being heard at a time."""
        earlier = [call for call in self.calls if call.t_s <= t_s]
        return earlier[-1] if earlier and t_s <= earlier[-1].t_s + earlier[-1].lasting_s else None


def tone_of(verdict: dict[str, Any]) -> str:
    """``open`` where a question is left to the referee, else ``foul`` or ``good``."""
    if verdict.get("undecided") or verdict.get("legal", True) is None:
        return "open"
    return "foul" if verdict.get("fouls") else "good"


def _moments(shots: Sequence[dict[str, Any]], lang: str) -> list[Moment]:
    out = []
    for n, shot in enumerate(shots):
        for event in shot.get("events", ()):
            if event["kind"] in SHOWN_EVENTS:
                balls = event.get("balls") or ([event["ball"]] if "ball" in event else [])
                certain = event.get("confidence", 1.0) >= CERTAIN
                text = event_words(event, lang) + ("" if certain else " ?")
                out.append(
                    Moment(
                        t_s=event["t"],
                        n=n,
                        kind=event["kind"],
                        text=text,
                        balls=tuple(balls),
                        pocket=event.get("pocket"),
                        certain=certain,
                    )
                )
    return sorted(out, key=lambda moment: moment.t_s)


def tell_story(
    shots: Sequence[dict[str, Any]],
    verdicts: Sequence[tuple[float, dict[str, Any]]],
    calls: Sequence[Call],
    lang: str,
) -> Story:
    """verdicts: each with the time at which it is given. Where one leaves questions, they stand where a call would."""
    asked = [
        Call(t_s=t_s, n=verdict.get("n"), words=(question_words(own[0], lang),))
        for t_s, verdict in verdicts
        if (own := [each for each in verdict.get("undecided", ()) if "n" not in each])
    ]
    boards = [
        Board(
            t_s=t_s,
            score=verdict.get("score", {}),
            player=verdict.get("next", {}).get("player"),
            on=tuple(verdict.get("next", {}).get("on") or ()),
            run=verdict.get("break") or 0,
            tone=tone_of(verdict),
        )
        for t_s, verdict in verdicts
    ]
    return Story(
        moments=tuple(_moments(shots, lang)),
        calls=tuple(sorted([*calls, *asked], key=lambda call: call.t_s)),
        boards=tuple(boards),
        spans=tuple((shot["t0"], shot["t1"]) for shot in shots),
    )
