"""The state of a match between two strokes: who plays at what, with which balls, and what the scores are.

Immutable. A game keeps what only it knows in ``part``. Positions are mm in table coordinates. Names of sides are the
players' own in singles; in doubles scores go by side and strokes by person.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.rules.settings import Settings
from referee.rules.table import Table
from tracking.records import ShotRecord
from tracking.strict_json import MISSING, MalformedRecord, Point, read_list, read_object, read_string

IN_HAND = ("in_hand_D", "in_hand_any", "in_hand_house", "in_hand_foot")
CUE_BALL = ("as_it_lies", *IN_HAND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The two sides, ``teams`` (side → persons) where each has more than one."""

    names: tuple[str, str]
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def persons(self) -> tuple[str, ...]:
        return tuple(person for side in self.names for person in self.members(side))

    def members(self, side: str) -> tuple[str, ...]:
        return self.teams.get(side, (side,))

    def of(self, who: str) -> str:
        """The side of a person; a side's own name stands for itself."""
        return next(side for side in self.names if who == side or who in self.members(side))

    def opponent(self, who: str) -> str:
        """The other side."""
        first, second = self.names
        return second if self.of(who) == first else first

    def knows(self, who: str) -> bool:
        return any(who == side or who in self.members(side) for side in self.names)

    def zero(self) -> dict[str, int]:
        return dict.fromkeys(self.names, 0)

    def usual_order(self, first: str) -> tuple[str, ...]:
        """Turn by turn, alternating between the sides, beginning with this person."""
        mine, theirs = self.members(self.of(first)), self.members(self.opponent(first))
        start = mine.index(first) if first in mine else 0
        mine = mine[start:] + mine[:start]
        return tuple(person for pair in zip(mine, theirs, strict=False) for person in pair)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], dot: str) -> "Sides":
        """From ``players`` or ``teams``; A against B where neither is given."""
        teams = data.get("teams")
        if teams is not None:
            read = {
                read_string(side, f"{dot}teams"): read_list(people, f"{dot}teams.{side}", read_string)
                for side, people in read_object(teams, f"{dot}teams").items()
            }
            everybody = [person for people in read.values() for person in people]
            lengths = {len(people) for people in read.values()}
            if len(read) != 2 or len(lengths) != 1 or 0 in lengths or len(set(everybody)) != len(everybody):
                raise MalformedRecord(f"{dot}teams", "two sides of equally many different persons", teams)
            first, second = read
            return cls(names=(first, second), teams=read)
        players = read_list(data.get("players", ["A", "B"]), f"{dot}players", read_string)
        if len(players) != 2 or players[0] == players[1]:
            raise MalformedRecord(f"{dot}players", "two different names", data.get("players"))
        return cls(names=(players[0], players[1]))

    def to_json(self) -> dict[str, Any]:
        if self.teams:
            return {"teams": {side: list(people) for side, people in self.teams.items()}}
        return {"players": list(self.names)}

    def read(self, value: object, path: str) -> str:
        """The name of a side or of a person."""
        known = (*self.names, *(person for person in self.persons if person not in self.names))
        return read_string(MISSING if value is None else value, path, known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What may be chosen: its id, by whom, and the clause that allows it."""

    id: str
    player: str
    clause: str

    def to_json(self) -> dict[str, str]:
        return {"id": self.id, "player": self.player, "clause": self.clause}


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything the next stroke depends on.

    sides, order: the players, and the order of play in this frame. striker: who plays next, None while that is open
    (a toss to come, an unknown opener) or once the match is over (``finished``, for ``champion``; None: drawn).
    ending: of a finished match, who won its last frame (None: nobody) and by which result.
    breaker: who opened this frame, None while that isn't known. balls: the names of the balls on the table (the cue
    ball in hand isn't). positions: where they lie, as far as known. cue_ball: as ``next.cue_ball``. on: as ``next.on``.
    break_points: points of this visit so far. options: what may be chosen before the next stroke. placed: where a cue
    ball in hand was put down, if told. strokes: strokes in this frame. before, record: the state
    before the last stroke without its own past, and that stroke's record. part: what only the game knows.
    """

    game: str
    settings: Settings
    table: Table
    sides: Sides
    order: tuple[str, ...]
    striker: str | None
    breaker: str | None = None
    score: Mapping[str, int]
    frames: Mapping[str, int]
    frames_to_win: int | None = None
    balls: frozenset[str]
    positions: Mapping[str, Point] = field(default_factory=dict)
    cue_ball: str | Point = "as_it_lies"
    on: tuple[str, ...] = ()
    free_ball: bool = False
    break_points: int = 0
    foul_by: str | None = None
    options: tuple[Option, ...] = ()
    placed: Point | None = None
    strokes: int = 0
    finished: bool = False
    champion: str | None = None
    ending: tuple[str | None, str] | None = None
    before: "State | None" = None
    record: ShotRecord | None = None
    part: Any = None

    @property
    def side(self) -> str:
        """The side of the striker."""
        assert self.striker is not None
        return self.sides.of(self.striker)

    @property
    def in_hand(self) -> bool:
        return self.cue_ball in IN_HAND

    def person(self, name: str) -> str:
        """A person; of a side the one who comes first in the order of play."""
        return name if name in self.order else next(each for each in self.order if self.sides.of(each) == name)

    def follower(self, person: str | None = None) -> str:
        """Who plays after this person (default: the striker) in the order of play."""
        who = self.person(person or self.striker or self.order[0])
        return self.order[(self.order.index(who) + 1) % len(self.order)]

    def add(self, points: Mapping[str, int]) -> dict[str, int]:
        """The score with these points added."""
        return {side: self.score[side] + points.get(side, 0) for side in self.sides.names}

    def past(self) -> "State":
        """This state as it is kept to be put back: without its own past and without open options."""
        return replace(self, before=None, record=None, options=())

    def to_json(self) -> dict[str, Any]:
        """The common fields of a case's state, contract section 6 (``part`` is added by the game)."""
        out: dict[str, Any] = {**self.sides.to_json()}
        if self.sides.teams:
            out["order"] = list(self.order)
        out |= {
            "table": self.table.to_json(),
            "striker": self.striker,
            "breaker": self.breaker,
            "score": dict(self.score),
            "frames": dict(self.frames),
            "balls": _balls_json(self.balls, self.positions),
            "cue_ball": list(self.cue_ball) if isinstance(self.cue_ball, tuple) else self.cue_ball,
            "on": list(self.on),
            "free_ball": self.free_ball,
            "break": self.break_points,
            "foul_by": self.foul_by,
        }
        if self.frames_to_win is not None:
            out["frames_to_win"] = self.frames_to_win
        return {name: value for name, value in out.items() if not (value is None and name in ("striker", "breaker"))}


def _balls_json(balls: frozenset[str], positions: Mapping[str, Point]) -> object:
    names = sorted(balls)
    if names and all(ball in positions for ball in names):
        return {ball: list(positions[ball]) for ball in names}
    return names
