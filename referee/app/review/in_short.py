"""Shots, events, verdicts and clauses in short, as the pages of a review show them."""

from collections.abc import Iterator, Sequence
from typing import Any

from referee.app.overlay.story import tone_of
from referee.app.review.words import Words, event_in_words, question_in_words
from referee.app.said import clause_in_words
from referee.app.words import LANGUAGES
from referee.rules.book import book
from tracking.records import ShotRecord


def shot_in_short(record: ShotRecord, verdict: dict[str, Any]) -> dict[str, Any]:
    """A shot with its own verdict."""
    return {
        "n": record.n,
        "t0": record.t0,
        "t1": record.t1,
        "legal": verdict.get("legal"),
        "points": verdict.get("points"),
        "undecided": bool(verdict.get("undecided")),
        "assumed": bool(verdict.get("assumed")),
        "tone": tone_of(verdict) if verdict else "open",
        "text": verdict_in_words(verdict),
    }


def events_of(record: ShotRecord) -> Iterator[dict[str, Any]]:
    for i, event in enumerate(record.events):
        data = event.to_json()
        yield {
            "n": record.n,
            "i": i,
            **data,
            "t_sigma": event.t_sigma_s,
            "confidence": event.confidence,
            "text": event_in_words(data),
        }


def clauses_of(verdicts: Sequence[dict[str, Any]]) -> list[str]:
    """The clauses that verdicts cite: of fouls, questions and options, each once."""
    found: dict[str, None] = {}
    for verdict in verdicts:
        cited = [*verdict.get("fouls", ()), *verdict.get("undecided", ()), *_options(verdict)]
        found |= dict.fromkeys(str(each["clause"]) for each in cited if each.get("clause"))
    return list(found)


def _options(verdict: dict[str, Any]) -> list[dict[str, Any]]:
    return list((verdict.get("next") or {}).get("options") or ())


def clause_of(name: str) -> dict[str, Any]:
    clause = book().get(name)
    if clause is None:
        return {"id": name, "rule": None, "consequence": None, "decided_by": None}
    return clause_in_words(clause) | {"decided_by": clause.decided_by}


def verdict_in_words(verdict: dict[str, Any]) -> Words:
    """What was called, else what is asked, else nothing."""
    out = {}
    for lang in LANGUAGES:
        said = ". ".join((verdict.get("announce") or {}).get(lang) or ())
        asked = "; ".join(question_in_words(each)[lang] for each in verdict.get("undecided", ()) if "n" not in each)
        out[lang] = said or asked
    return out
