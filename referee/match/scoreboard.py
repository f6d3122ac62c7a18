"""The scoreboard: what spectators want to know of a match, computed from its log."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.match.log import Match, Step
from referee.match.running import Running
from referee.rules.geometry_snooker import COLOURS
from referee.rules.snooker_penalties import reds, value
from referee.rules.state import State
from tracking.records import ShotRecord

PENALTY_POINTS = 4
"""A foul in snooker is worth at least so much to the other side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """One side's figures in this match. time_s, timed: from the balls' rest before each of its strokes to that stroke,
    in all, and of how many."""

    points: int = 0
    highest_break: int = 0
    visits: int = 0
    strokes: int = 0
    fouls: int = 0
    points_from_fouls: int = 0
    time_s: float = 0.0
    timed: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "points": self.points,
            "highest_break": self.highest_break,
            "visits": self.visits,
            "strokes": self.strokes,
            "fouls": self.fouls,
            "points_from_fouls": self.points_from_fouls,
            "mean_time_per_shot_s": round(self.time_s / self.timed, 1) if self.timed else None,
        }


def scoreboard(match: Match) -> dict[str, Any]:
    """Scores, frames, break, balls and points left, snookers required, and each side's figures, ready for JSON."""
    state = match.state
    out: dict[str, Any] = {
        "game": match.game.name,
        "score": dict(state.score),
        "frames": dict(state.frames),
        "frames_to_win": state.frames_to_win,
        "player": state.striker,
        "on": list(state.on),
        "break": state.break_points,
        "balls_left": len(state.balls - {"cue"}),
        "sides": {side: tally.to_json() for side, tally in tallies(match).items()},
        "open_questions": match.open_questions,
    }
    if match.game.name == "snooker":
        left = points_left(state.balls, colour_on=state.on == ("colour",))
        first, second = state.sides.names
        behind = first if state.score[first] < state.score[second] else second
        lead = abs(state.score[first] - state.score[second])
        out |= {"points_left": left, "snookers_required": {behind: snookers_required(lead, left)}}
    return out


def points_left(balls: frozenset[str], *, colour_on: bool) -> int:
    """Snooker: the most that can still be scored: eight a red, the colours, and a black for a colour that is on."""
    return 8 * len(reds(balls)) + sum(value(ball) for ball in balls if ball in COLOURS) + (7 if colour_on else 0)


def snookers_required(lead: int, left: int) -> int:
    """How many fouls of four points the side behind needs to draw level with what is on the table."""
    return max(0, -(-(lead - left) // PENALTY_POINTS))


@dataclass(frozen=True, slots=True, kw_only=True)
class _SoFar:
    """The tallies up to a step. state: after it; last_side, rest_s: of the last stroke, and when all lay still then."""

    tallies: Mapping[str, Tally]
    state: State
    last_side: str | None = None
    rest_s: float | None = None


def tallies(match: Match) -> Mapping[str, Tally]:
    """Each side's figures over the whole match."""
    return _TALLIES.of(match).tallies


def _begin(match: Match) -> _SoFar:
    return _SoFar(tallies={side: Tally() for side in match.start.sides.names}, state=match.start)


def _take(so_far: _SoFar, step: Step) -> _SoFar:
    fields, record, before = step.judged.verdict.fields, step.item, so_far.state
    so_far = replace(so_far, state=step.judged.course.likely.state)
    if not isinstance(record, ShotRecord):
        return so_far
    out = {side: replace(tally, points=tally.points + _points(fields, side)) for side, tally in so_far.tallies.items()}
    if before.striker is None:
        return replace(so_far, tallies=out)
    side = before.sides.of(before.striker)
    other = before.sides.opponent(side)
    if step.struck:
        waited_s = None if so_far.rest_s is None or record.t0 < so_far.rest_s else record.t0 - so_far.rest_s
        out[side] = replace(
            out[side],
            strokes=out[side].strokes + 1,
            visits=out[side].visits + (side != so_far.last_side),
            time_s=out[side].time_s + (waited_s or 0.0),
            timed=out[side].timed + (waited_s is not None),
        )
        so_far = replace(so_far, last_side=side, rest_s=record.t1)
    if fields["legal"] is False:
        out[side] = replace(out[side], fouls=out[side].fouls + 1)
        gained = out[other].points_from_fouls + max(0, _points(fields, other))
        out[other] = replace(out[other], points_from_fouls=gained)
    made = before.break_points + (max(0, _points(fields, side)) if fields["legal"] else 0)
    out[side] = replace(out[side], highest_break=max(out[side].highest_break, made))
    return replace(so_far, tallies=out)


def _points(fields: Mapping[str, Any], side: str) -> int:
    points: int = fields["points"].get(side, 0)
    return points


_TALLIES = Running(name="tallies", begin=_begin, take=_take)


def scoreboard_text(match: Match) -> str:
    """The scoreboard as a few lines of text."""
    board = scoreboard(match)
    rows = [f"{side:<12} {board['score'][side]:>5}   frames {board['frames'][side]}" for side in board["score"]]
    rows.append(f"to play: {board['player'] or 'nobody'}, on: {', '.join(board['on']) or 'not known'}")
    rows.append(f"break {board['break']}, balls left {board['balls_left']}")
    if "points_left" in board:
        needed = ", ".join(f"{side} {count}" for side, count in board["snookers_required"].items())
        rows.append(f"points left {board['points_left']}, snookers required: {needed}")
    for side, tally in board["sides"].items():
        known = {name: value for name, value in tally.items() if value is not None}
        rows.append(f"{side}: " + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in known.items()))
    return "\n".join(rows)
