"""A game from its opening stroke on: the player's choices, the physics, the rule book's verdicts, and what hands do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from calibration.tables import Point
from referee.app.simulate.dynamics.events import Roll, Unsettled
from referee.app.simulate.dynamics.motion import Physics
from referee.app.simulate.dynamics.table import PlayingTable
from referee.app.simulate.film.overlay import Caption
from referee.app.simulate.incidents import fall, hanging
from referee.app.simulate.play.aim import Layout, play
from referee.app.simulate.play.choose import Choice, Mind, Skill, with_error
from referee.app.simulate.play.layout import break_place, opening
from referee.app.simulate.reel import START_S, Racking, Reel, Shot
from referee.app.simulate.truth import shot_record
from referee.match.log import Match

COLOURS = ("yellow", "green", "brown", "blue", "pink", "black")
GROUPS = {"solids": tuple(str(k) for k in range(1, 8)), "stripes": tuple(str(k) for k in range(9, 16))}
BEFORE_S = 3.6
"""From everything being ready to the strike: the player walks up and gets down."""
HANGS_MM = 3.0
"""A ball whose centre comes to rest nearer than this to a hole may drop later."""
HAND_S = 2.1
"""From one ball put down by hand to the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A game as it went: the reel, the state it began in, every line judged and its verdict, captions over time."""

    reel: Reel
    start: Mapping[str, Any]
    lines: list[Mapping[str, Any]]
    verdicts: list[Mapping[str, Any]]
    captions: list[Caption]


@dataclass
class Session:
    """One frame of one game between players A and B of the same or different skill.

    ``state``: what the frame starts from besides (a state of a case, without balls). ``pace``: how many times as
    fast as usual players walk up and hands put balls back.
    """

    game: str
    table: PlayingTable
    skills: Mapping[str, Skill]
    rng: np.random.Generator
    physics: Physics = field(default_factory=Physics)
    state: Mapping[str, Any] = field(default_factory=dict)
    pace: float = 1.0

    def __post_init__(self) -> None:
        self.mind = Mind(self.table, self.physics, self.rng)
        self.reel = Reel(table=self.table, t_end=0.6)
        self.start: dict[str, Any] = {"players": ["A", "B"], "striker": "A", "score": {"A": 0, "B": 0}, **self.state}
        self.match = Match.from_case(self.game, self.start)
        self.verdict: Mapping[str, Any] = {}
        self.lines: list[Mapping[str, Any]] = []
        self.verdicts: list[Mapping[str, Any]] = []
        self.captions: list[Caption] = []

    def run(self, shots: int, points: int | None = None) -> Played:
        """Play until so many strokes are played, both sides together have so many points, or the frame is over."""
        spec = self.table.spec
        for name, place in opening(self.game, spec, self.rng).items():
            self.reel.place(name, place, START_S, by_hand=False)
        self.reel.place("cue", break_place(self.game, spec, self.rng), START_S, by_hand=False)
        self._caption(0.0)
        self._stroke(first=True)
        while len(self.reel.shots) < shots and not self.verdict["frame"]["over"] and not self._reached(points):
            if not self._hanging_ball_falls():
                self._set_up()
                self._stroke(first=False)
        self.reel.t_end += 1.2
        return Played(
            reel=self.reel, start=self.start, lines=self.lines, verdicts=self.verdicts, captions=self.captions
        )

    def _reached(self, points: int | None) -> bool:
        return points is not None and sum(self.verdict["score"].values()) >= points

    # ------------------------------------------------------------------------------------------- strokes

    def _stroke(self, *, first: bool) -> None:
        layout = self.reel.layout()
        player = "A" if first else str(self.verdict["next"]["player"])
        skill = self.skills[player]
        choice, roll, t0 = self._played(layout, first, skill)
        shot = Shot(
            n=len(self.reel.shots) + 1,
            player=player,
            stroke=choice.stroke,
            t0=t0,
            roll=roll,
            before=layout,
            nominated=self._nomination(choice, first),
        )
        self.reel.add(shot)
        self._judge(shot_record(shot, self.table.spec))

    def _played(self, layout: Layout, first: bool, skill: Skill) -> tuple[Choice, Roll, float]:
        t0 = round(self.reel.t_end + (BEFORE_S + float(self.rng.uniform(0.0, 1.2))) / self.pace, 3)
        for _ in range(8):
            choice = self._choice(layout, first, skill)
            stroke = with_error(choice.stroke, skill, self.rng)
            try:
                roll = play(self.table, layout, stroke, t0, self.physics)
            except Unsettled:
                continue
            return replace(choice, stroke=stroke, plan=choice.stroke), roll, t0
        raise Unsettled("no stroke was found after which the balls come to rest")

    def _choice(self, layout: Layout, first: bool, skill: Skill) -> Choice:
        if first or self._breaking():
            return self.mind.break_stroke(self.game, layout)
        on = self.balls_on(layout)
        others = [ball for ball in layout if ball != "cue" and ball not in on]
        return self.mind.choose(layout, on, skill, others=others)

    def _breaking(self) -> bool:
        own = self.verdict.get("state", {}).get(self.game, {})
        return own.get("stage") == "break" or self.verdict.get("rack") == "full"

    def balls_on(self, layout: Layout) -> list[str]:
        """The balls that may be hit first, by the last verdict."""
        told = self.verdict["next"]
        here = [ball for ball in layout if ball != "cue"]
        if told["free_ball"]:
            return here
        found: list[str] = []
        for name in told["on"] or ["any"]:
            if name == "any":
                found += here
            elif name == "red":
                found += [ball for ball in here if ball.startswith("red")]
            elif name == "colour":
                found += [ball for ball in here if ball in COLOURS]
            elif name in GROUPS:
                found += [ball for ball in here if ball in GROUPS[name]]
            else:
                found += [ball for ball in here if ball == name]
        return list(dict.fromkeys(found)) or here

    def _nomination(self, choice: Choice, first: bool) -> dict[str, Any]:
        told = {} if first else self.verdict["next"]
        if self.game == "snooker":
            colour = told.get("on") == ["colour"] or told.get("free_ball")
            return {"ball": self._meant(choice)} if colour else {}
        if self.game in ("8-ball", "14.1") and not self._is_break(first):
            return {"ball": choice.ball, "pocket": choice.pocket} if choice.pocket else {"safety": True}
        if self.game == "14.1":
            return {"safety": True}
        return {}

    def _meant(self, choice: Choice) -> str:
        """The ball that is nominated: the one aimed at, or the one that the plan meets first, if it may be."""
        on = self._on_now()
        if choice.ball in on:
            return str(choice.ball)
        plan = play(self.table, self.reel.layout(), choice.plan or choice.stroke, 0.0, self.physics)
        first: list[str] = next(
            (e.fields["balls"] for e in plan.events if e.kind == "contact" and "cue" in e.fields["balls"]), []
        )
        return next((ball for ball in first if ball in on), on[0])

    def _on_now(self) -> list[str]:
        return self.balls_on(self.reel.layout())

    def _is_break(self, first: bool) -> bool:
        return first or self._breaking()

    def _hanging_ball_falls(self) -> bool:
        """Now and then a ball that hangs over a pocket drops by itself before the next stroke."""
        found = hanging(self.table, self.reel.layout(), HANGS_MM)
        waiting = self.verdict["spot"] or self.verdict["restore"] or self.verdict["rack"]
        if waiting or not found or self.rng.random() > 0.6:
            return False
        ball, pocket = found[0]
        fall(self.reel, ball, pocket, self.reel.t_end + float(self.rng.uniform(1.0, 7.0)))
        self._judge(shot_record(self.reel.shots[-1], self.table.spec))
        return True

    # ------------------------------------------------------------------------------------------- verdicts

    def _judge(self, line: Mapping[str, Any]) -> None:
        judged = self.match.add(line)
        self.lines.append(line)
        self.verdict = judged.verdict
        self.verdicts.append(judged.verdict)
        self._caption(self.reel.t_end + 0.8)

    def _caption(self, t: float) -> None:
        score = self.verdict.get("score", {"A": 0, "B": 0})
        told = self.verdict.get("next", {"player": "A"})
        calls = self.verdict.get("announce", {}).get("en", [])
        self.captions.append(
            Caption(
                t=t,
                names=("A", "B"),
                scores=(str(score["A"]), str(score["B"])),
                striker=0 if told["player"] == "A" else 1,
                note=str(calls[0])[:34] if calls else "",
            )
        )

    def _set_up(self) -> None:
        """What hands do between strokes: balls back on the table, balls taken from it, the cue ball placed."""
        layout = self.reel.layout()
        back = {**self.verdict["spot"], **self.verdict["restore"]}
        t = self.reel.t_end + 0.9
        for ball, place in back.items():
            if ball != "cue":
                t += HAND_S / self.pace
                self._put(ball, (float(place[0]), float(place[1])), t)
        t = self._rack(t)
        t = self._debt(t)
        told = self.verdict["next"]["cue_ball"]
        layout = self.reel.layout()
        if told != "as_it_lies" or "cue" not in layout:
            t += HAND_S / self.pace
            place = self._cue_place(told, layout)
            self._put("cue", place, t)
        self.reel.t_end = max(self.reel.t_end, t)

    def _put(self, ball: str, place: Point, t: float) -> None:
        if ball in self.reel.layout():
            self.reel.take(ball, t - 0.05)
        self.reel.place(ball, place, t)

    def _cue_place(self, told: Any, layout: Layout) -> Point:
        if isinstance(told, Sequence) and not isinstance(told, str):
            return (float(told[0]), float(told[1]))
        area = told if isinstance(told, str) and told.startswith("in_hand") else "in_hand_any"
        return self.mind.in_hand(layout, area, self.balls_on(layout))

    def _rack(self, t: float) -> float:
        kind = self.verdict.get("rack")
        if kind not in ("full", "apex_empty"):
            return t
        t += 2 * HAND_S / self.pace
        spec = self.table.spec
        racked = list(opening(self.game, spec, self.rng).items())
        on_table = set(self.reel.layout())
        if kind == "apex_empty":
            names = [name for name, _ in racked if name not in on_table]
            racked = list(zip(names, [place for _, place in racked[1:]], strict=False))
        for name, place in racked:
            if name in on_table:
                self.reel.take(name, t - 0.1)
            self.reel.place(name, place, t, by_hand=False)
        self.reel.rackings.append(Racking(apex=spec.spots["foot_spot"], rows=5, t=t))
        return t

    def _debt(self, t: float) -> float:
        """Pyramid: a ball that the rules give a player from the table is chosen and taken."""
        taking = [option for option in self.verdict["next"]["options"] if option["id"] == "take_ball"]
        if not taking:
            return t
        player = str(taking[0]["player"])
        layout = self.reel.layout()
        ball = str(self.rng.choice(sorted(name for name in layout if name != "cue")))
        t += HAND_S / self.pace
        self.reel.take(ball, t)
        kind = "shelf" if self.verdict["legal"] else "penalty_ball"
        keep = {name: self.verdict[name] for name in ("spot", "restore", "rack")}
        self._judge({"type": "official", "kind": kind, "player": player, "ball": ball})
        self.verdict = {**self.verdict, **keep}
        return t
