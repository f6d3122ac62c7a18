"""14.1 continuous: what one record means, and the infringements, in the order of its rule book (``P141-``).

Amounts are points taken from the offender: 1 for a foul, 2 for an illegal break, 16 for a deliberate foul.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee.rules.facts import CUE
from referee.rules.geometry import TOUCHING_MM
from referee.rules.geometry_pool import cushions_within
from referee.rules.outcome import Fouls
from referee.rules.pool_fouls import (
    BY_OTHERS,
    FOUL,
    GENERAL,
    Found,
    cue_ball_lost,
    missed_legal_balls,
    no_cushion,
    object_balls_off,
    played_in_the_house,
)
from referee.rules.pool_shot import PoolShot
from tracking.records import Cushion
from tracking.strict_json import Point

ILLEGAL_BREAK = 2
DELIBERATE = 16
OBJECTS_TO_CUSHIONS = 2
NEAR_SAFETIES = 2
"""So often a ball near a cushion may be used, fouls of the same run of visits counted with it (P141-7.2b, n1, n2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NearCushion:
    """One side's uninterrupted run of visits with a ball near a cushion (P141-7.2b, X-53).

    safeties: by driving the ball to that cushion only. fouls: of the same run, before the last such safety, which
    took them off the record.
    """

    ball: str
    safeties: int = 0
    fouls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StraightPoolPart:
    """``opening``: the next stroke is an opening break (None: a case doesn't say). ``fouls``: by side, consecutive."""

    target: int = 150
    opening: bool | None = True
    fouls: Mapping[str, int] = field(default_factory=dict)
    near: Mapping[str, NearCushion] = field(default_factory=dict)


class StraightPoolShot(PoolShot):
    """A record seen with the eyes of 14.1: what was called, whether it fell, what may count as frozen."""

    part: StraightPoolPart
    break_clauses = ("P141-6a", "P141-6a", "P141-6a")

    @property
    def to_break(self) -> bool:
        return bool(self.part.opening)

    @property
    def safety(self) -> bool:
        """Declared before the stroke (P141-7.4a)."""
        return self.record.nominated is not None and self.record.nominated.safety

    @cached_property
    def call(self) -> tuple[str, str] | None:
        """Ball and pocket as called; None where not both were (P141-7.1a)."""
        said = self.record.nominated
        if said is None:
            ball = self.perhaps("called_ball", self.down, clause="P141-7.1a")
            return None if ball is None else (ball, self.facts.pocket_of(ball) or "")
        if said.safety:
            return None
        if said.ball is None and len(said.balls) == 1 and said.pockets:
            return said.balls[0], said.pockets[0]
        return None if said.ball is None or said.pocket is None else (said.ball, said.pocket)

    @cached_property
    def called_down(self) -> bool:
        """Whether the called ball fell into the called pocket."""
        if self.call is None or self.safety:
            return False
        ball, pocket = self.call
        if ball not in self.down:
            return False
        for seen in self.facts.observed("call_valid"):
            return bool(seen.value)
        where = self.facts.pocket_of(ball)
        if where is None:
            return bool(self.ask("call_valid", (False, True), clause="P141-7.1a", ball=ball))
        return where == pocket

    # ------------------------------------------------------------------------------------------ the opening break

    @cached_property
    def break_fulfilled(self) -> bool:
        """The called ball pocketed, or the cue ball and two object balls to a cushion after contact (P141-6a)."""

        def enough(cushions: Iterable[Cushion]) -> bool:
            balls = {event.ball for event in cushions}
            return CUE in balls and len(balls - {CUE}) >= OBJECTS_TO_CUSHIONS

        return bool(self.facts.first_contact) and (self.called_down or self.facts.cushions_suffice(enough))

    @property
    def lost_cue_ball_is_own(self) -> bool:
        return self.breaking and self.break_fulfilled

    # ------------------------------------------------------------------------------------------ near a cushion (7.2)

    def near_cushion(self, ball: str) -> bool:
        """Whether a ball lay less than a ball's diameter from a cushion but not frozen to it (P141-7.2b).

        Once it counts as frozen it doesn't matter if it is (P141-7.2c).
        Where its place isn't known, or not exactly enough, the referee is asked whether the cushion counts, if a foul
        or a count of safeties hangs on it.
        """
        place = (self.before or {}).get(ball)
        used = self.used(self.state.side, ball)
        measured_mm = self.settings.measured_mm
        if place is not None:
            readings = {self._near(place, used, by_mm) for by_mm in (-measured_mm, 0.0, measured_mm)}
            if len(readings) == 1:
                return readings.pop()
        run = self.part.near.get(self.state.side)
        matters = used >= NEAR_SAFETIES or (self.safety and run is not None and run.ball == ball)
        return matters and not self.ask("cushion_after_contact", (True, False), clause="P141-7.2c", ball=ball)

    def _near(self, place: Point, used: int, by_mm: float) -> bool:
        near = cushions_within(place, self.table, self.table.ball + by_mm)
        frozen = cushions_within(place, self.table, TOUCHING_MM + by_mm)
        return bool(near) and (used >= NEAR_SAFETIES or not frozen)

    def used(self, side: str, ball: str) -> int:
        """The safeties with this ball and the fouls of the side's run of visits up to now."""
        run = self.part.near.get(side)
        fouls = self.part.fouls.get(side, 0)
        return fouls if run is None or run.ball != ball else fouls + run.safeties + run.fouls

    @property
    def runs_left(self) -> dict[str, NearCushion]:
        """The runs that go on after this record: those with a ball that stayed on the table."""
        return {side: run for side, run in self.part.near.items() if run.ball not in (*self.down, *self.off)}

    @cached_property
    def only_near_cushion(self) -> tuple[str, ...]:
        """First contact was with a ball near a cushion, and the stroke would be a foul if it counted as frozen."""
        unlimited = self.settings.near_cushion_14_1 != "two_safeties"
        if unlimited or not self.facts.stroke or self.breaking or self.pots:
            return ()
        return tuple(
            ball
            for ball in sorted(self.facts.first_contact)
            if self.near_cushion(ball)
            and (self.facts.cushions_after or self.facts.cushion_after_contact)
            and not self.cushion_beside(ball, self.table.ball + self.settings.measured_mm)
        )


# ------------------------------------------------------------------------------------------ infringements

OWN: Fouls[StraightPoolShot] = Fouls()


@OWN.check("P141-6b", "contact", "pocket", "cushion", "nominated")
def illegal_break(shot: StraightPoolShot) -> Found:
    if shot.breaking and not shot.break_fulfilled:
        what = "conditions of the break not met: called ball not pocketed, nor cue ball and two others to a cushion"
        yield ILLEGAL_BREAK, what


@OWN.check("P141-6f", "pocket", "off_table", "foreign_object")
def cue_ball_lost_on_the_break(shot: StraightPoolShot) -> Found:
    if shot.breaking and shot.break_fulfilled:
        yield from cue_ball_lost(shot)


@OWN.check("P141-7.2a", "contact", "pocket", "cushion")
def unlawful_stroke(shot: StraightPoolShot) -> Found:
    if not shot.breaking:
        yield from missed_legal_balls(shot)
        if not shot.only_near_cushion:
            yield from no_cushion(shot)


@OWN.check("P141-7.2c", "before", "contact", "cushion")
def near_cushion_used_up(shot: StraightPoolShot) -> Found:
    """The ball counts as frozen after two such safeties, fouls of the same run of visits included (n1, n2)."""
    for ball in shot.only_near_cushion:
        if shot.used(shot.state.side, ball) >= NEAR_SAFETIES:
            yield FOUL, f"ball counts as frozen, only its own cushion reached: {ball}"


@OWN.check("P141-7.5a", "deliberate")
def deliberate_foul(shot: StraightPoolShot) -> Found:
    if shot.settings.deliberate_foul_14_1 != "16":
        return
    for seen in shot.facts.observed("deliberate"):
        yield DELIBERATE, "moving ball deflected on purpose" + (f": {seen.ball}" if seen.ball else "")


@OWN.check("P141-9", "off_table", "foreign_object")
def object_ball_off(shot: StraightPoolShot) -> Found:
    yield from object_balls_off(shot)


@OWN.check("PG-7c", "contact", "cushion", "before")
def house_shot(shot: StraightPoolShot) -> Found:
    yield from played_in_the_house(shot)


FOULS: Fouls[Any] = Fouls(OWN, GENERAL)

BY_OTHER_PLAYER: Fouls[Any] = Fouls(BY_OTHERS)


@BY_OTHER_PLAYER.check("P141-7.5a", "deliberate")
def deliberate_foul_by_others(shot: StraightPoolShot) -> Found:
    yield from deliberate_foul(shot)
