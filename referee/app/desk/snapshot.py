"""The state of a match as pages show it: one object, small enough to be sent whole after each line of the log."""

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from calibration.tables import TableSpec
from referee.app.desk.lines import told
from referee.app.desk.putback import PutBack, wanted_by_rules
from referee.app.desk.words import OPTIONS, question_text
from referee.app.said import in_words
from referee.match.log import Match
from referee.match.order import SHOT
from referee.match.scoreboard import scoreboard
from referee.rules.officials import Official

if TYPE_CHECKING:
    from referee.app.desk.ledger import Ledger

LAST_SHOTS = 50
LAST_QUESTIONS = 12
LAST_CALLS = 30


def table_json(spec: TableSpec) -> dict[str, Any]:
    """A table's sizes in mm, for whoever draws it."""
    return {
        "name": spec.name,
        "family": spec.family,
        "length": spec.length_mm,
        "width": spec.width_mm,
        "ball_diameter": spec.ball_diameter_mm,
        "spots": {name: list(at) for name, at in spec.spots.items()},
        "pockets": {name: list(at) for name, at in spec.pocket_corners().items()},
        "baulk_line_y": spec.baulk_line_y_mm,
        "d_radius": spec.d_radius_mm,
        "corner_mouth": spec.corner_mouth_mm,
        "middle_mouth": spec.middle_mouth_mm,
    }


def snapshot(match_id: str, ledger: "Ledger") -> dict[str, Any]:
    """Everything but what is only of the moment. ``options``: what may be chosen now; ``questions``: what is asked."""
    match = ledger.match
    state = match.state
    put_back = PutBack.from_json(ledger.putback) if ledger.putback is not None else wanted_by_rules(match)
    phase = "over" if state.finished else "playing"
    if phase == "playing" and ledger.header.get("camera") and ledger.calibration is None:
        phase = "calibrating"
    return {
        "match": {
            "id": match_id,
            "game": match.game.name,
            "rules": match.settings.rules,
            "table": state.table.to_json(),
            **state.sides.to_json(),
            "order": list(state.order),
            "frames_to_win": state.frames_to_win,
            "lang": ledger.settings.lang,
            "options": match.settings.to_json(),
            "started": ledger.header.get("wall"),
            "camera": bool(ledger.header.get("camera")),
            "phase": phase,
        },
        "table": table_json(state.table.spec),
        "board": scoreboard(match) | {"open_questions": match.open_questions[-LAST_QUESTIONS:]},
        "position": match.state_json,
        "verdict": told(match.verdict),
        "next": following(match),
        "nominated": None if ledger.nominated is None else ledger.nominated.to_json(),
        "observed": [each.to_json() for each in ledger.observed],
        "questions": [_question(ledger, each) for each in match.open_questions[-LAST_QUESTIONS:]],
        "open_questions": len(match.open_questions),
        "options": [option.to_json() | {"text": OPTIONS.get(option.id, {})} for option in state.options],
        "shots": _shots(ledger),
        "calls": [_call(line) for line in ledger.said[-LAST_CALLS:]],
        "undo": _undo(match),
        "source": ledger.source,
        "calibration": _calibration(ledger.calibration),
        "putback": None if put_back is None else put_back.to_json(),
        "slow_play": ledger.slow_after is not None and ledger.slow_after == ledger.last_n,
        "orphan": ledger.orphan,
        "unjudged": [_unjudged(each) for each in ledger.unjudged[-5:]],
        "gaps": [{name: each.get(name) for name in ("t0", "t1", "reason", "frames")} for each in ledger.gaps[-20:]],
        "settings": ledger.settings.to_json(),
    }


def following(match: Match) -> dict[str, Any]:
    """``next`` of the last verdict, or before the first line what it would be."""
    if match.verdict is not None:
        found: dict[str, Any] = match.verdict["next"]
        return found
    state = match.state
    return {
        "player": state.striker,
        "on": list(state.on),
        "cue_ball": list(state.cue_ball) if isinstance(state.cue_ball, tuple) else state.cue_ball,
        "free_ball": state.free_ball,
        "open_questions": len(match.open_questions),
        "options": [option.to_json() for option in state.options],
    }


def _shots(ledger: "Ledger") -> list[dict[str, Any]]:
    places = ledger.match.places
    backwards = (at for at in range(len(places) - 1, -1, -1) if places[at].shot)
    return ledger.rows.of(ledger, [*islice(backwards, LAST_SHOTS)][::-1])


def _question(ledger: "Ledger", question: Mapping[str, Any]) -> dict[str, Any]:
    asked = dict(question)
    about = (asked.get("n"), asked["question"], asked.get("ball"))
    return asked | {
        "text": question_text(asked),
        "choices": ledger.choices.of(ledger.match, *about),
    }


def _call(line: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: line.get(name) for name in ("id", "seq", "n", "t", "announce", "early", "retracts")}
    return told | {"at": line.get("wall")}


def _undo(match: Match) -> dict[str, Any] | None:
    """What an undo would take back: the line that was entered last of those in force."""
    last = match.last_in_force
    return None if last is None else line_json(match, last)


def line_json(match: Match, index: int) -> dict[str, Any]:
    """A line of the match in short: its number for an undo, its kind, and the shot that it is or belongs to."""
    mark = match.marks[index]
    if mark.kind == SHOT:
        place = next((each for each in reversed(match.places) if each.index == index), None)
        return {"line": index + 1, "kind": SHOT, "n": match.lines[index].n if place is None else place.n}
    about = mark.n if mark.n is not None else mark.follows if mark.follows is not None else match.lines[index].n
    return {"line": index + 1, "kind": mark.kind, "n": about}


def _unjudged(line: Mapping[str, Any]) -> dict[str, Any]:
    return {"record": line["record"], "reason": line["reason"], "text": in_words(str(line["reason"]))}


def lines_of(match: Match, n: int | None) -> list[dict[str, Any]]:
    """The lines in force that make shot n what it is: its own, what corrected it, and what was said after it."""
    after = {place.index for place in match.places if place.n == n}
    out = []
    for index in match.in_force:
        mark = match.marks[index]
        if index in after or (mark.kind == "correct" and mark.n == n):
            item = match.lines[index].item
            more = {"player": item.player, "option": item.option} if isinstance(item, Official) else {}
            out.append(line_json(match, index) | more)
    return out


def _calibration(calibration: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if calibration is None:
        return None
    return {name: value for name, value in calibration.items() if isinstance(value, str | int | float | bool)}
