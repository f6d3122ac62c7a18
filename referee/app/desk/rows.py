"""The list of shots as pages show it: a row a shot, worked out once as long as its verdict stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.match.log import Step
from referee.match.order import Place
from tracking.records import ShotRecord

if TYPE_CHECKING:
    from referee.app.desk.ledger import Ledger


@dataclass(slots=True)
class Rows:
    """The rows that were asked for last."""

    _known: Mapping[int, tuple[Place, dict[str, Any]]] = field(default_factory=dict)
    """Index of the shot's line → its place, and the row."""

    def of(self, ledger: "Ledger", at: Sequence[int]) -> list[dict[str, Any]]:
        """Those of these steps, all of them shots; nobody may change one."""
        match, found = ledger.match, {}
        for each in at:
            place = match.places[each]
            known = self._known.get(place.index)
            found[place.index] = known if known is not None and known[0] is place else (place, row(ledger, each))
        self._known = found
        return [each for _, each in found.values()]


def row(ledger: "Ledger", at: int) -> dict[str, Any]:
    """Of which of the steps: what was said of the shot, and whether the referee's word stands against its record."""
    step = ledger.match.steps[at]
    record = step.item
    assert isinstance(record, ShotRecord)
    overruled = any(seen.kind == "confirm" for seen in record.observed)
    changed = {"corrected": ledger.match.places[at].by is not None, "overruled": overruled}
    return shot_json(ledger, step) | changed


def shot_json(ledger: "Ledger", step: Step) -> dict[str, Any]:
    """A shot in the list of shots, with what was said of it."""
    match, record, fields = ledger.match, step.item, step.judged.verdict.fields
    assert isinstance(record, ShotRecord)
    said = match.phrases.announce(step.judged.verdict.calls, match.game.name)
    return {
        "n": step.n,
        "t0": record.t0,
        "t1": record.t1,
        "stroke": step.struck,
        "legal": fields["legal"],
        "points": fields["points"],
        "fouls": [foul["clause"] for foul in fields["fouls"]],
        "potted": fields["potted"],
        "undecided": [each["question"] for each in fields["undecided"] if "n" not in each],
        "text": {lang: ". ".join(words) for lang, words in said.items()},
        "at": ledger.at[step.index],
        "inferred": step.n in ledger.inferred,
    }
