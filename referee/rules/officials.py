"""What officials and players declare between the strokes: the lines of type ``official``, contract section 4."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tracking.records import Point, ShotRecord
from tracking.strict_json import (
    MISSING,
    MalformedRecord,
    read_integer,
    read_list,
    read_object,
    read_point,
    read_positions,
    read_string,
)

KINDS = (
    "toss",
    "lag",
    "order",
    "choose",
    "concede",
    "warn",
    "award",
    "disqualify",
    "void",
    "not_called",
    "restored",
    "cannot_restore",
    "place_cue_ball",
    "ask",
    "shelf",
    "penalty_ball",
    "correct",
    "insert",
    "undo",
    "rack",
)
OPTIONS = (
    "play_again",
    "replay",
    "free_ball",
    "from_D",
    "accept",
    "rebreak",
    "rebreak_self",
    "pass_back",
    "spot_and_play",
    "house",
    "spot_for_house",
    "break_self",
    "break_other",
    "replay_frame",
    "take_ball",
)
WARNINGS = ("slow_play", "conduct", "stalemate", "two_fouls")
QUERIES = ("placement", "difference")

REQUIRED: dict[str, tuple[str, ...]] = {
    "toss": ("winner",),
    "order": ("players",),
    "choose": ("player", "option"),
    "concede": ("player",),
    "warn": ("about",),
    "award": ("to", "for"),
    "disqualify": ("player",),
    "place_cue_ball": ("at",),
    "ask": ("player", "about"),
    "shelf": ("player",),
    "penalty_ball": ("player",),
    "correct": ("n", "record"),
    "insert": ("n", "record", "follows"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Official:
    """One line. Fields that its kind doesn't have are None or empty; ``players`` also holds several ``player``.

    follows: a line that is put in later belongs after this shot and what was said there, 0: before the first; None:
    after the line before it. line: which line an undo takes back, counted from 1; None: the last ``lines``. An
    ``insert`` is a shot that nobody recorded when it was played, under a number ``n`` that no other has.
    """

    kind: str
    player: str | None = None
    players: tuple[str, ...] = ()
    winner: str | None = None
    option: str | None = None
    ball: str | None = None
    balls: Mapping[str, Point] | None = None
    about: str | None = None
    to: str | None = None
    reason: str | None = None
    at: Point | None = None
    n: int | None = None
    lines: int = 1
    record: ShotRecord | None = None
    follows: int | None = None
    line: int | None = None

    @classmethod
    def from_json(cls, value: object, path: str = "") -> "Official":
        """Reads a parsed line; whether the names in it are known is for the game. Raises MalformedRecord."""
        data = read_object(value, path or "line")
        dot = f"{path}." if path else ""
        read_string(data.get("type", "official"), f"{dot}type", ("official",))
        kind = read_string(data.get("kind", MISSING), f"{dot}kind", KINDS)
        for name in REQUIRED.get(kind, ()):
            if data.get(name) is None:
                raise MalformedRecord(f"{dot}{name}", f"a value, because {kind} needs one", MISSING)
        if kind == "lag" and data.get("winner") is None and data.get("record") is None:
            raise MalformedRecord(f"{dot}winner", "the winner, or the record of the lag", MISSING)

        def get(name: str, read: Callable[[object, str], Any]) -> Any:
            return None if data.get(name) is None else read(data[name], f"{dot}{name}")

        player = data.get("player")
        several = isinstance(player, list)
        record = get("record", ShotRecord.from_json)
        return cls(
            kind=kind,
            player=None if several else get("player", read_string),
            players=get("player" if several else "players", lambda v, p: read_list(v, p, read_string)) or (),
            winner=get("winner", read_string),
            option=get("option", lambda v, p: read_string(v, p, OPTIONS)),
            ball=get("ball", read_string),
            balls=get("balls", _read_balls) or None,
            about=get("about", lambda v, p: read_string(v, p, WARNINGS if kind == "warn" else QUERIES)),
            to=get("to", read_string),
            reason=get("for", read_string),
            at=get("at", read_point),
            n=get("n", lambda v, p: read_integer(v, p, least=1)),
            lines=get("lines", lambda v, p: read_integer(v, p, least=1)) or 1,
            record=record,
            follows=get("follows", lambda v, p: read_integer(v, p, least=0)),
            line=get("line", lambda v, p: read_integer(v, p, least=1)),
        )

    def to_json(self) -> dict[str, Any]:
        """The line as the contract writes it; ``from_json`` gives an equal one back."""
        out: dict[str, Any] = {"type": "official", "kind": self.kind}
        if self.players:
            out["players" if self.kind == "order" else "player"] = list(self.players)
        plain = {"for": self.reason, "n": self.n, "follows": self.follows, "line": self.line}
        for name in ("player", "winner", "option", "ball", "about", "to"):
            plain[name] = getattr(self, name)
        out |= {name: value for name, value in plain.items() if value is not None}
        if self.balls is not None:
            out["balls"] = {ball: list(place) for ball, place in self.balls.items()}
        if self.at is not None:
            out["at"] = list(self.at)
        if self.lines != 1:
            out["lines"] = self.lines
        if self.record is not None:
            out["record"] = self.record.to_json()
        return out


def _read_balls(value: object, path: str) -> dict[str, Point]:
    """Restored balls: where they lie now; a mere list of names says nothing of that."""
    if isinstance(value, list):
        read_list(value, path, read_string)
        return {}
    return read_positions(value, path)
