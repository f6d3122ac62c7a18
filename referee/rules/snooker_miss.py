"""Snooker: the miss (SN-3.3.9), and the current rules' way with repeated ones (DIF-3)."""

from dataclasses import replace

from referee.rules.facts import CUE
from referee.rules.geometry_snooker import COLOURS, full_ball_open
from referee.rules.snooker_part import SnookerPart
from referee.rules.snooker_penalties import SnookerShot, is_red, reds, value
from referee.rules.state import State

LOSING_FAILURES = 3


def called(shot: SnookerShot, after: State) -> bool:
    """Whether a miss is called: the ball on was not hit first though it could have been.

    By the referee's word; under the current rules at every such failure, unless one side needs penalty points before
    the stroke or after it.
    """
    if not shot.facts.stroke or shot.hit_ball_on or shot.oracle.confirmed("can_be_hit") is False:
        return False
    if shot.facts.seen("miss") or shot.settings.miss == "referee":
        return shot.facts.seen("miss")
    return not _needs_penalties(shot.state) and not _needs_penalties(after)


def _needs_penalties(state: State) -> bool:
    """Whether the side behind can't draw level with what is on the table."""
    first, second = (state.score[side] for side in state.sides.names)
    colour_on = 7 if state.on == ("colour",) else 0
    left = 8 * len(reds(state.balls)) + sum(value(ball) for ball in state.balls if ball in COLOURS) + colour_on
    return abs(first - second) > left


def counted(shot: SnookerShot, miss: bool) -> SnookerPart:
    """The part with the failures running: misses, replayed, though a ball on could be hit full in a straight line."""
    counts = miss and shot.settings.miss == "failure" and _full_ball(shot)
    before = 0 if shot.state.foul_by is not None else shot.part.failures
    return replace(shot.part, failures=before + 1 if counts else 0)


def _full_ball(shot: SnookerShot) -> bool:
    places = shot.before or {}
    on = [ball for ball in shot.present if ball in shot.true_on or (is_red(ball) and shot.state.on == ("red",))]
    if CUE not in places or any(ball not in places for ball in on):
        return False
    others = [place for ball, place in places.items() if ball not in on and ball != CUE]
    return any(full_ball_open(places[CUE], places[ball], others, shot.table) for ball in on)
