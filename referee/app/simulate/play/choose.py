"""A simulated player's mind: which ball, how, how hard; and how far the hand misses what the mind wanted."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.tables import Point
from referee.app.simulate.dynamics.events import Roll, Unsettled
from referee.app.simulate.dynamics.motion import Array, Physics
from referee.app.simulate.dynamics.table import PlayingTable
from referee.app.simulate.play.aim import Layout, Pot, Stroke, aim_pot, clear, meeting, play, pots, speed_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A player's hand and temper. ``aim_rad``, ``speed`` (share) and ``tip`` (radii) are standard deviations; ``bold``:
    the hardest pot that is tried; ``mischief``: the share of strokes that are played as no sensible player would;
    ``doubles``: how often a pot by way of a cushion or another ball is looked for where no plain one is on.
    """

    aim_rad: float = 0.0016
    speed: float = 0.04
    tip: float = 0.03
    bold: float = 1.6
    mischief: float = 0.06
    doubles: float = 0.25


SKILLS: dict[str, Skill] = {
    "beginner": Skill(aim_rad=0.010, speed=0.14, tip=0.10, bold=2.2, mischief=0.12),
    "club": Skill(aim_rad=0.0035, speed=0.08, tip=0.05, bold=1.8, mischief=0.08),
    "good": Skill(),
    "professional": Skill(aim_rad=0.0006, speed=0.02, tip=0.015, bold=1.4, mischief=0.02),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A stroke as it will be played, with the ball and pocket that were meant (None: safety or escape).

    ``plan``: the stroke that was meant, before the hand's error.
    """

    stroke: Stroke
    ball: str | None
    pocket: str | None
    plan: Stroke | None = None


def with_error(stroke: Stroke, skill: Skill, rng: np.random.Generator) -> Stroke:
    """What the hand makes of it."""
    aim, speed, side, above = rng.standard_normal(4)
    tip = math.hypot(stroke.side, stroke.above)
    shrink = min(1.0, 0.55 / tip) if tip > 0 else 1.0
    return replace(
        stroke,
        direction_rad=stroke.direction_rad + skill.aim_rad * float(aim),
        speed_mm_s=max(250.0, stroke.speed_mm_s * (1.0 + skill.speed * float(speed))),
        side=stroke.side * shrink + skill.tip * float(side),
        above=stroke.above * shrink + skill.tip * float(above),
    )


@dataclass
class Mind:
    """Chooses strokes on one table."""

    table: PlayingTable
    physics: Physics
    rng: np.random.Generator

    def choose(self, layout: Layout, on: Sequence[str], skill: Skill, *, others: Sequence[str]) -> Choice:
        """A stroke at one of the balls ``on``; ``others`` are the balls that must not be hit first."""
        if self.rng.random() < skill.mischief:
            return self._mischief(layout, list(on), list(others))
        ways = [way for way in pots(self.table, layout, list(on), layout["cue"]) if way.difficulty < skill.bold]
        best: tuple[float, Choice] | None = None
        for way in ways[:3]:
            for choice in self._pot_choices(layout, way):
                worth = self._worth(layout, choice, on)
                if best is None or worth > best[0]:
                    best = (worth, choice)
        if best is not None and best[0] > 0:
            return best[1]
        if self.rng.random() < skill.doubles:
            double = self._double(layout, on)
            if double is not None:
                return double
        return self._safety(layout, on)

    def _double(self, layout: Layout, on: Sequence[str]) -> Choice | None:
        """A pot over a cushion, a combination or a cannon: whatever of many tried strokes puts a ball on away."""
        cue = np.array(layout["cue"])
        seen = [ball for ball in on if clear(layout, cue, np.array(layout[ball]), 2 * self.table.radius, (ball, "cue"))]
        for _ in range(60 if seen else 0):
            thickness = float(self.rng.uniform(0.25, 1.0) * self.rng.choice([-1, 1]))
            stroke = self._at(layout, str(self.rng.choice(seen)), thickness, float(self.rng.uniform(1500, 3800)))
            roll = self._roll(layout, stroke)
            if roll is None or self.legal_worth(roll, on) < 1.0:
                continue
            down = [event for event in roll.events if event.kind == "pocket" and event.fields["ball"] in on]
            if down:
                fields = down[0].fields
                return Choice(stroke=stroke, ball=str(fields["ball"]), pocket=str(fields["pocket"]))
        return None

    def _pot_choices(self, layout: Layout, way: Pot) -> list[Choice]:
        found = []
        for extra, above in ((1.25, -0.1), (1.5, 0.3), (1.6, -0.35)):
            side = float(self.rng.choice([0.0, 0.0, -0.2, 0.2]))
            stroke = Stroke(direction_rad=0.0, speed_mm_s=speed_for(way, self.physics, extra), side=side, above=above)
            aimed = aim_pot(self.table, layout, way, stroke, self.physics)
            if aimed is not None:
                found.append(Choice(stroke=aimed, ball=way.ball, pocket=way.pocket))
        return found

    def _roll(self, layout: Layout, stroke: Stroke) -> Roll | None:
        try:
            return play(self.table, layout, stroke, 0.0, self.physics)
        except Unsettled:
            return None

    def _worth(self, layout: Layout, choice: Choice, on: Sequence[str]) -> float:
        """More than zero: the ball goes in and the cue ball stays on the table; more with the cue ball well placed."""
        roll = self._roll(layout, choice.stroke)
        if roll is None:
            return -1.0
        down = {event.fields["ball"] for event in roll.events if event.kind in ("pocket", "off_table")}
        if choice.ball not in down or "cue" in down:
            return -1.0
        rest = roll.resting()
        middle = np.array([self.table.spec.width_mm / 2, self.table.spec.length_mm / 2])
        off = float(np.linalg.norm(np.array(rest["cue"]) - middle)) / self.table.spec.length_mm
        return 1.0 - off

    def _safety(self, layout: Layout, on: Sequence[str]) -> Choice:
        """Hit a ball on that can be seen, thinly or softly, so that a cushion is reached; else over a cushion."""
        cue = np.array(layout["cue"])
        seen = [ball for ball in on if clear(layout, cue, np.array(layout[ball]), 2 * self.table.radius, (ball, "cue"))]
        self.rng.shuffle(seen)
        best: tuple[float, Choice] | None = None
        for ball in seen[:4]:
            for _ in range(3):
                thickness = float(self.rng.uniform(0.15, 0.9) * self.rng.choice([-1, 1]))
                speed = float(self.rng.uniform(900, 2600))
                stroke = self._at(layout, ball, thickness, speed)
                worth = self._safe_worth(layout, stroke, on)
                if best is None or worth > best[0]:
                    best = (worth, Choice(stroke=stroke, ball=ball, pocket=None))
        if best is not None:
            return best[1]
        return self._escape(layout, on)

    def _at(self, layout: Layout, ball: str, thickness: float, speed: float, above: float = 0.05) -> Stroke:
        gap = np.array(layout[ball]) - np.array(layout["cue"])
        off = math.copysign((1.0 - abs(thickness)) * 2 * self.table.radius, thickness)
        turn = math.asin(max(-1.0, min(1.0, off / float(np.linalg.norm(gap)))))
        direction = math.atan2(gap[1], gap[0]) - turn
        return Stroke(direction_rad=direction, speed_mm_s=speed, above=above, target=ball)

    def _safe_worth(self, layout: Layout, stroke: Stroke, on: Sequence[str]) -> float:
        roll = self._roll(layout, stroke)
        if roll is None:
            return -10.0
        return self.legal_worth(roll, on)

    def legal_worth(self, roll: Roll, on: Sequence[str]) -> float:
        """Points for hitting a ball on first, reaching a cushion after it and losing no ball."""
        worth, hit = 0.0, False
        for event in roll.events:
            if event.kind == "contact" and not hit and "cue" in event.fields["balls"]:
                hit = True
                other = next(ball for ball in event.fields["balls"] if ball != "cue")
                worth += 3.0 if other in on else -3.0
            elif event.kind == "cushion" and hit:
                worth = worth + 1.0 if worth == 3.0 else worth
            elif event.kind in ("pocket", "off_table"):
                worth += -4.0 if event.fields["ball"] == "cue" else -1.0
        return worth + float(self.rng.uniform(0, 0.5))

    def _escape(self, layout: Layout, on: Sequence[str]) -> Choice:
        """Look round the table for a way over cushions that meets a ball on first."""
        best: tuple[float, Choice] | None = None
        for direction in self.rng.uniform(-math.pi, math.pi, 40):
            speed = float(self.rng.uniform(1400, 3200))
            stroke = Stroke(direction_rad=float(direction), speed_mm_s=speed, above=0.15)
            worth = self._safe_worth(layout, stroke, on)
            if best is None or worth > best[0]:
                best = (worth, Choice(stroke=stroke, ball=None, pocket=None))
        assert best is not None
        return best[1]

    def _mischief(self, layout: Layout, on: list[str], others: list[str]) -> Choice:
        """Something that physics can make of a stroke and a referee must notice."""
        kind = self.rng.choice(["wrong", "miss", "soft", "hard", "jump", "wild", "two"])
        anything = on + others
        if kind == "two":
            both = self._two_at_once(layout, on, others)
            if both is not None:
                return both
        ball = str(self.rng.choice(others if kind == "wrong" and others else anything))
        thickness = float(self.rng.uniform(0.2, 1.0) * self.rng.choice([-1, 1]))
        if kind == "miss":
            stroke = self._at(layout, ball, 1.0, float(self.rng.uniform(900, 2200)))
            distance = float(np.linalg.norm(np.array(layout[ball]) - np.array(layout["cue"])))
            turn = math.asin(min(1.0, (2 * self.table.radius + float(self.rng.uniform(1, 30))) / distance))
            stroke = replace(stroke, direction_rad=stroke.direction_rad + turn * float(self.rng.choice([-1, 1])))
        elif kind == "soft":
            stroke = self._at(layout, ball, thickness, float(self.rng.uniform(300, 700)))
        elif kind == "hard":
            stroke = self._at(layout, ball, thickness, float(self.rng.uniform(4500, 7000)), above=0.3)
        elif kind == "jump":
            base = self._at(layout, ball, thickness, float(self.rng.uniform(3000, 4300)), above=0.0)
            stroke = replace(base, elevation_rad=math.radians(float(self.rng.uniform(25, 45))))
        else:
            stroke = self._at(layout, ball, thickness, float(self.rng.uniform(1200, 3200)))
        return Choice(stroke=stroke, ball=ball, pocket=None)

    def _two_at_once(self, layout: Layout, on: Sequence[str], others: Sequence[str]) -> Choice | None:
        """A stroke straight at a pair of balls, one of them on, to touch both at once; None where no pair lies so."""
        cue, reach = np.array(layout["cue"]), 2 * self.table.radius
        ways: list[tuple[str, Array]] = []
        for one in on:
            for two in [*others, *(ball for ball in on if ball > one)]:
                place = meeting(layout, one, two, reach)
                if place is not None and clear(layout, cue, place, reach, ("cue", one, two)):
                    ways.append((one, place - cue))
        if not ways:
            return None
        ball, way = ways[int(self.rng.integers(len(ways)))]
        direction, speed = math.atan2(way[1], way[0]), float(self.rng.uniform(1000, 2600))
        return Choice(stroke=Stroke(direction_rad=direction, speed_mm_s=speed, target=ball), ball=ball, pocket=None)

    def break_stroke(self, game: str, layout: Layout) -> Choice:
        """The opening stroke as the game is usually opened."""
        spec = self.table.spec
        racked = {name: place for name, place in layout.items() if name != "cue" and place[1] > spec.length_mm * 0.6}
        if game in ("snooker", "14.1"):
            reds = {name: place for name, place in racked.items() if game != "snooker" or name.startswith("red")}
            side = 1.0 if layout["cue"][0] > spec.width_mm / 2 else -1.0
            ball = max(reds, key=lambda name: reds[name][1] + side * reds[name][0])
            stroke = self._at(layout, ball, side * 0.28, 2700.0 if game == "snooker" else 2000.0)
            return Choice(stroke=replace(stroke, side=0.25 * side), ball=ball, pocket=None)
        ball = min(racked, key=lambda name: racked[name][1])
        thickness = float(self.rng.uniform(0.86, 0.99) * self.rng.choice([-1, 1]))
        stroke = self._at(layout, ball, thickness, float(self.rng.uniform(6500, 8500)), above=0.0)
        return Choice(stroke=stroke, ball=ball, pocket=None)

    def in_hand(self, layout: Layout, area: str, on: Sequence[str]) -> Point:
        """Where the cue ball is put: the place of several in the area from which the easiest pot is easiest."""
        best: tuple[float, Point] | None = None
        for _ in range(200):
            place = self._place_in(area)
            if not self._free(layout, place):
                continue
            ways = pots(self.table, layout, list(on), place) if best is None or len(on) < 16 else []
            worth = -ways[0].difficulty if ways else -10.0
            if best is None or worth > best[0]:
                best = (worth, place)
            if best[0] > -0.4:
                break
        if best is None:
            raise Unsettled(f"no free place for the cue ball in {area}")
        return best[1]

    def _place_in(self, area: str) -> Point:
        spec, r = self.table.spec, self.table.radius + 1.0
        x = float(self.rng.uniform(r, spec.width_mm - r))
        if area == "in_hand_D":
            assert spec.baulk_line_y_mm is not None and spec.d_radius_mm is not None
            angle, far = float(self.rng.uniform(math.pi, 2 * math.pi)), math.sqrt(float(self.rng.random()))
            reach = (spec.d_radius_mm - 2.0) * far
            return (spec.width_mm / 2 + reach * math.cos(angle), spec.baulk_line_y_mm - 1.0 + reach * math.sin(angle))
        low, high = r, spec.length_mm - r
        if area == "in_hand_house":
            high = spec.length_mm / 4 - 2.0
        elif area == "in_hand_foot":
            low = spec.length_mm * 0.75 + 2.0
        return (x, float(self.rng.uniform(low, high)))

    def _free(self, layout: Mapping[str, Point], place: Point) -> bool:
        apart = 2 * self.table.radius + 1.0
        others = np.array([where for name, where in layout.items() if name != "cue"])
        gaps: Array = np.linalg.norm(others - np.array(place), axis=1) if len(others) else np.array([apart + 1])
        return bool(gaps.min() > apart)
