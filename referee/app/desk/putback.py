"""Balls back where they were: which balls have to lie where, and how far off each one is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.app.names import INTERCHANGEABLE, kind
from referee.match.log import Match
from referee.rules.officials import Official
from tracking.records import Positions, ShotRecord
from tracking.strict_json import read_positions
from vision.assignment import linear_sum_assignment

GOOD_MM = 2.0
"""A ball is back where it lay when its centre is no farther off than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack:
    """A layout to be restored. of: the shot before which the balls lay so, None where there is none. why: ``restore``
    (balls moved or a stroke is replayed), ``spot``, ``shot`` and ``positions`` (asked for). wanted: ball → mm; where
    ``whole`` is true, no other ball belongs on the table."""

    of: int | None
    why: str
    wanted: Positions
    whole: bool = False

    def to_json(self) -> dict[str, Any]:
        wanted = {ball: list(place) for ball, place in self.wanted.items()}
        return {"of": self.of, "why": self.why, "wanted": wanted, "whole": self.whole}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "PutBack":
        wanted = read_positions(data.get("wanted"), "wanted")
        return cls(of=data.get("of"), why=str(data.get("why")), wanted=wanted, whole=True)


def wanted_by_rules(match: Match) -> PutBack | None:
    """What the last verdict wants put somewhere: balls to be restored or spotted.

    Where balls are restored, all balls whose places are known belong to the layout: that before the stroke that is
    played again, as corrected. None where nothing has to be moved, or the referee said that it has been.
    """
    for step in reversed(match.steps):
        fields = step.judged.verdict.fields
        restore, spot = fields.get("restore") or {}, fields.get("spot") or {}
        if isinstance(step.item, Official) and step.item.kind == "restored":
            return None
        if restore:
            places = dict(match.state.positions) or {ball: (at[0], at[1]) for ball, at in restore.items()}
            whole = set(places) >= match.state.balls
            return PutBack(of=step.n, why="restore", wanted=places, whole=whole)
        if spot:
            wanted = {ball: (at[0], at[1]) for ball, at in spot.items()}
            return PutBack(of=step.n, why="spot", wanted=wanted)
        if isinstance(step.item, ShotRecord):
            return None
    return None


def figures(put_back: PutBack, lying: Positions) -> dict[str, Any]:
    """How far each wanted ball is from its place: ``dx``, ``dy`` and ``distance_mm`` from there to the ball, and
    whether that is good; None where no such ball is seen. ``others``: balls that lie where none belongs.

    Balls that no picture tells apart, such as reds, are told apart by what is nearest in all.
    """
    paired = _paired(put_back.wanted, lying)
    balls: dict[str, Any] = {}
    for ball, (x, y) in put_back.wanted.items():
        name = paired.get(ball)
        if name is None:
            balls[ball] = {"dx": None, "dy": None, "distance_mm": None, "good": False}
            continue
        dx, dy = lying[name][0] - x, lying[name][1] - y
        distance = float(np.hypot(dx, dy))
        rounded = {"dx": round(dx, 1), "dy": round(dy, 1), "distance_mm": round(distance, 1)}
        balls[ball] = {**rounded, "good": distance <= GOOD_MM}
    used = set(paired.values())
    others = sorted(name for name in lying if name not in used) if put_back.whole else []
    good = not others and all(each["good"] for each in balls.values())
    return {"balls": balls, "others": others, "good": good, **put_back.to_json()}


def _paired(wanted: Positions, lying: Positions) -> dict[str, str]:
    """Wanted ball → the ball seen for it."""
    out = {ball: ball for ball in wanted if kind(ball) not in INTERCHANGEABLE and ball in lying}
    for each in INTERCHANGEABLE:
        places = [ball for ball in wanted if kind(ball) == each]
        seen = [ball for ball in lying if kind(ball) == each]
        if places and seen:
            ends, starts = np.array([wanted[b] for b in places]), np.array([lying[b] for b in seen])
            rows, columns = linear_sum_assignment(np.linalg.norm(ends[:, None] - starts[None], axis=-1))
            out |= {places[i]: seen[j] for i, j in zip(rows, columns, strict=True)}
    return out
