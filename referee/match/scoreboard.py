"""The scoreboard: what spectators want to know of a match, computed from its log."""

from dataclasses import dataclass, field
from typing import Any

from referee.match.log import Match
from referee.rules.geometry_snooker import COLOURS
from referee.rules.snooker_penalties import reds, value
from tracking.records import ShotRecord, Strike

PENALTY_POINTS = 4
"""A foul in snooker is worth at least so much to the other side."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """One side's figures in this match. times_s: from the balls' rest before each of its strokes to that stroke."""

    points: int = 0
    highest_break: int = 0
    visits: int = 0
    strokes: int = 0
    fouls: int = 0
    points_from_fouls: int = 0
    times_s: list[float] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        mean = sum(self.times_s) / len(self.times_s) if self.times_s else None
        return {
            "points": self.points,
            "highest_break": self.highest_break,
            "visits": self.visits,
            "strokes": self.strokes,
            "fouls": self.fouls,
            "points_from_fouls": self.points_from_fouls,
            "mean_time_per_shot_s": None if mean is None else round(mean, 1),
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


def tallies(match: Match) -> dict[str, Tally]:
    """Each side's figures over the whole match."""
    sides = match.state.sides
    out = {side: Tally() for side in sides.names}
    before, last_side, rest_s = match.start, None, None
    for step in match.steps:
        fields, after = step.judged.verdict.fields, step.judged.course.likely.state
        record = step.item
        if isinstance(record, ShotRecord) and before.striker is not None:
            side = sides.of(before.striker)
            other = sides.opponent(side)
            tally = out[side]
            if any(isinstance(event, Strike) for event in record.events):
                tally.strokes += 1
                tally.visits += side != last_side
                last_side = side
                if rest_s is not None and record.t0 >= rest_s:
                    tally.times_s.append(record.t0 - rest_s)
                rest_s = record.t1
            if fields["legal"] is False:
                tally.fouls += 1
                out[other].points_from_fouls += max(0, fields["points"][other])
            made = before.break_points + max(0, fields["points"][side])
            tally.highest_break = max(tally.highest_break, made if fields["legal"] else before.break_points)
        for side, points in fields["points"].items():
            if isinstance(record, ShotRecord):
                out[side].points += points
        before = after
    return out


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
