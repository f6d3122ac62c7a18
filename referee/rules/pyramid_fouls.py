"""The infringements of combined pyramid, in the order of its rule book and of the general rules of pyramid.

Every one costs the same: the opponent takes a ball from the table to his shelf (SUP-PYR-7, POL-9). An amount of 0 is
an infringement that costs no ball: a break whose conditions are not met (SUP-PYR-4, POL-10).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from referee.rules.facts import CUE, Pot
from referee.rules.gaps import may_hide
from referee.rules.geometry import TOUCHING_MM, gap
from referee.rules.outcome import Fouls
from referee.rules.pool_fouls import object_balls_off
from referee.rules.pool_shot import PoolShot
from referee.rules.state import Sides
from tracking.records import Answer, Contact, Crossed, Event, Positions
from tracking.strict_json import MISSING, Point, read_list, read_object, read_string

PENALTY = 1
ON_LINE_MM = 1e-3
CUSHIONS_AFTER = 2
"""So many contacts with cushions make a stroke that pockets nothing right (SUP-PYR-5)."""
MOST_CALLED = 2
"""So many balls may be called (PC-4b)."""
STAGES = ("break", "play")
CALLS = ("gentleman", "ball_pocket", "none")
DEBTS = ("svoyak", "penalty")


@dataclass(frozen=True, slots=True, kw_only=True)
class Debt:
    """A ball that a side may take from the table to its shelf: for a svoyak (PC-4g) or a penalty (SUP-PYR-7)."""

    side: str
    reason: str

    @property
    def clause(self) -> str:
        return "PC-4g" if self.reason == "svoyak" else "SUP-PYR-7"


@dataclass(frozen=True, slots=True, kw_only=True)
class PyramidPart:
    """What combined pyramid keeps beside the common state. ``debts``: balls that may still be taken."""

    stage: str = "break"
    calls: str = "gentleman"
    debts: tuple[Debt, ...] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any], sides: Sides, usual_calls: str, dot: str) -> "PyramidPart":
        """From a case's field ``pyramid-combined``; no stage where none is given. Raises MalformedRecord."""

        def read_debt(value: object, path: str) -> Debt:
            owed = read_object(value, path)
            side = read_string(owed.get("player", MISSING), f"{path}.player", sides.names)
            return Debt(side=side, reason=read_string(owed.get("for", MISSING), f"{path}.for", DEBTS))

        return cls(
            stage=read_string(data["stage"], f"{dot}stage", STAGES) if data.get("stage") is not None else "",
            calls=read_string(data.get("calls", usual_calls), f"{dot}calls", CALLS),
            debts=read_list(data.get("take_ball", ()), f"{dot}take_ball", read_debt),
        )

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"stage": self.stage, "calls": self.calls}
        if self.debts:
            out["take_ball"] = [{"player": debt.side, "for": debt.reason} for debt in self.debts]
        return out


class PyramidShot(PoolShot):
    """A record seen with the eyes of the rules: what was called, what was hit, from where, and what it moved."""

    house_clause: ClassVar[str] = "SUP-PYR-6"
    in_play_clause: ClassVar[str] = "SUP-PYR-6"
    part: PyramidPart
    break_clauses = ("SUP-PYR-4", "SUP-PYR-4", "PC-3d")

    @property
    def breaking(self) -> bool:
        """Before the break, too: what is touched then is judged as on it."""
        return self.to_break

    @cached_property
    def in_pockets(self) -> tuple[Pot, ...]:
        """What fell into pockets, the cue ball too."""
        return tuple(pot for pot in self.facts.pots if pot.ball not in self.foreign)

    # ------------------------------------------------------------------------------------------ what was called

    @cached_property
    def called(self) -> dict[str, str | None]:
        """The balls that were called, at most two, with their pockets (None: not said which)."""
        said = self.record.nominated
        if said is None:
            return {}
        calls: dict[str, str | None] = {} if said.ball is None else {said.ball: said.pocket}
        pockets = said.pockets or (None,) * len(said.balls)
        for ball, pocket in zip(said.balls, pockets, strict=True):
            calls.setdefault(ball, pocket)
        return dict(list(calls.items())[:MOST_CALLED])

    def as_called(self, pot: Pot) -> bool:
        """Whether a ball fell as it was called (PC-4b)."""
        if self.undeclared:
            return bool(self.ask("called_ball", (False, True), clause="PC-4b", ball=pot.ball))
        if pot.ball not in self.called:
            return False
        wanted = self.called[pot.ball]
        if wanted is None or pot.pocket == wanted:
            return True
        return pot.pocket is None and bool(self.ask("pocket", (False, True), clause="PC-4b", ball=pot.ball))

    def counts(self, pot: Pot) -> bool:
        """Whether a ball that fell on a stroke without foul counts (PC-3d, PC-4a, PC-4b, POL-19)."""
        if pot.ball == CUE and not self.facts.first_contact:
            return False
        if self.breaking or self.part.calls == "none" or self.as_called(pot):
            return True
        if self.part.calls == "ball_pocket":
            return False
        return not any(
            seen.value is False and (pot.ball in (seen.ball, *seen.balls) or not (seen.ball or seen.balls))
            for seen in self.facts.observed("call_valid")
        )

    # ------------------------------------------------------------------------------------------ what it reached

    @cached_property
    def _unseen(self) -> bool:
        """Whether something that makes the stroke right may have happened unseen."""
        start_s = min((contact.t_s for contact in self.facts.first_contact_events), default=self.record.t0)
        middle = self.table.length / 2
        return may_hide(self.record, start_s, self.table) or any(
            gap.t1_s > start_s and gap.region is not None and _spans(gap.region, middle) for gap in self.record.gaps
        )

    def _after(self, event: Event) -> Answer:
        answer = self.facts.after_contact(event)
        return Answer.UNKNOWN if answer is Answer.YES and not event.certain else answer

    @cached_property
    def _over_the_middle(self) -> tuple[frozenset[str], frozenset[str]]:
        """The balls that certainly, and those that possibly, crossed the centre line after the first contact."""
        sure, maybe = set[str](), set[str]()
        for event in self.record.events:
            if isinstance(event, Crossed) and event.line == "centre_line":
                answer = self._after(event)
                sure |= {event.ball} if answer is Answer.YES else set()
                maybe |= {event.ball} if answer is Answer.UNKNOWN else set()
        return frozenset(sure), frozenset(maybe | sure)

    def _met(self, sure: bool, maybe: bool, clause: str) -> bool:
        said = self.oracle.confirmed("cushion_after_contact")
        if said is not None:
            return bool(said)
        if sure:
            return True
        unseen = bool(self.facts.first_contact) and self._unseen
        if not maybe and not unseen:
            return False
        return bool(self.ask("cushion_after_contact", (False, True), clause=clause))

    @cached_property
    def break_was_right(self) -> bool:
        """The rack hit, and a ball pocketed or enough balls brought to cushions (SUP-PYR-4, POL-10)."""
        if not self.facts.first_contact:
            return False
        if self.in_pockets:
            return True
        least = int(self.settings.pyramid_break_balls)
        sure = {event.ball for event in self.facts.cushions_after}
        maybe = sure | {event.ball for event in self.facts.cushions_maybe_after}
        over, maybe_over = self._over_the_middle
        return self._met(_enough(sure, over, least), _enough(maybe, maybe_over, least), "SUP-PYR-4")

    @cached_property
    def was_completed(self) -> bool:
        """After the contact a ball pocketed, or over the centre line, or two contacts with cushions (SUP-PYR-5)."""
        if self.in_pockets:
            return True
        sure = len(self.facts.cushions_after)
        maybe = sure + len(self.facts.cushions_maybe_after)
        over, maybe_over = self._over_the_middle
        return self._met(bool(over) or sure >= CUSHIONS_AFTER, bool(maybe_over) or maybe >= CUSHIONS_AFTER, "SUP-PYR-5")

    # ------------------------------------------------------------------------------------------ from the house

    @cached_property
    def hit_from_within(self) -> tuple[str, ...]:
        """Balls lying in the house that the cue ball, played from there, hit before it had left it (SUP-PYR-6)."""
        if not self.from_house or self.breaking:
            return ()
        first = self.facts.first_contact_events
        sure = [c for c in self.facts.cue_contacts if c in first or (c.certain and self.facts.first_contact)]
        balls = [ball for contact in sure if (ball := contact.other(CUE)) and not self._was_outside(contact, ball)]
        return tuple(dict.fromkeys(balls))

    def _was_outside(self, contact: Contact, ball: str) -> bool:
        """Whether the ball that was hit, or the cue ball before it hit it, was out of the house."""
        left = self.left_house(contact)
        if left is Answer.YES or not self.in_house(ball):
            return True
        return left is Answer.UNKNOWN and bool(self.ask("left_house", (True, False), clause="SUP-PYR-6", ball=ball))

    @cached_property
    def badly_placed(self) -> str | None:
        """What is wrong with where the cue ball in hand was played from, None if nothing is (SUP-PYR-6)."""
        area = self.state.cue_ball
        place = (self.record.before or {}).get(CUE)
        if self.facts.seen("bad_placement"):
            return "cue ball not rightly placed"
        if place is None or area not in ("in_hand_house", "in_hand_foot"):
            return None
        line = self.table.head_string if area == "in_hand_house" else self.table.foot_spot[1]
        away_mm, measured_mm = abs(place[1] - line), self.settings.measured_mm
        if measured_mm and away_mm <= measured_mm:
            wrong = self.outside(0.0, "bad_placement", clause="SUP-PYR-6")
            return "cue ball played from outside the house" if wrong else None
        on_line = away_mm <= ON_LINE_MM
        if on_line and self.settings.cue_ball_on_line == "foul":
            return "cue ball played from on the house line"
        if not on_line and not self.table.may_stand(place, str(area)):
            return "cue ball played from outside the house"
        touching = [
            ball
            for ball, other in (self.record.before or {}).items()
            if ball != CUE and gap(place, other, self.table.ball) <= TOUCHING_MM
        ]
        return f"cue ball placed against a ball: {touching[0]}" if touching else None

    # ------------------------------------------------------------------------------------------ where balls lie

    @cached_property
    def resting(self) -> Positions:
        """Where the balls lie afterwards, as far as that is known: what nothing touched lies where it lay."""
        if self.after is not None:
            return self.after
        if self.record.gaps or self.breaking:
            return {}
        stirred = {ball for event in self.record.events for ball in event.balls_involved}
        return {ball: place for ball, place in (self.before or {}).items() if ball not in stirred}


def _spans(region: Sequence[Point], y: float) -> bool:
    return min(corner[1] for corner in region) <= y <= max(corner[1] for corner in region)


def _enough(cushions: set[str], crossed: frozenset[str], least: int) -> bool:
    """So many balls at cushions, or one less and another one over the centre line."""
    return len(cushions) >= least or (len(cushions) == least - 1 and bool(crossed - cushions))


# ------------------------------------------------------------------------------------------ the clauses

FOULS: Fouls[PyramidShot] = Fouls()
Amounts = Iterator[tuple[int, str]]
SEEN_BY_PEOPLE = {
    "foot_off": "both feet off the floor",
    "tip_fault": "cue ball not struck with the tip",
    "push": "push stroke",  # a ball in contact played at less than 45° to the line of centres is told as one, too
    "balls_moving": "played before all balls were at rest",
}


@FOULS.check("PC-0a", "strike")
def other_ball_struck(shot: PyramidShot) -> Amounts:
    for ball in sorted(shot.facts.struck - {CUE}) if shot.facts.stroke else ():
        yield PENALTY, f"a ball other than the cue ball struck: {ball}"


@FOULS.check("PC-4f", "off_table", "foreign_object")
def cue_ball_off_the_table(shot: PyramidShot) -> Amounts:
    if CUE in shot.off:
        yield PENALTY, "cue ball off the table"


@FOULS.check("SUP-PYR-4", "contact", "cushion", "crossed", "pocket")
def break_conditions(shot: PyramidShot) -> Amounts:
    if shot.facts.stroke and shot.breaking and not shot.break_was_right:
        yield 0, "conditions of the break not met"


@FOULS.check("SUP-PYR-5", "contact", "cushion", "crossed", "pocket")
def stroke_not_completed(shot: PyramidShot) -> Amounts:
    if shot.facts.stroke and not shot.breaking and shot.facts.first_contact and not shot.was_completed:
        yield PENALTY, "neither two cushions nor the centre line reached after the contact"


@FOULS.check("SUP-PYR-6", "before", "contact", "crossed", "bad_placement", "touched")
def house_shot(shot: PyramidShot) -> Amounts:
    if not shot.facts.stroke:
        if shot.state.in_hand:
            for ball in shot.touched:
                if ball != CUE:
                    yield PENALTY, "touched while placing the cue ball" + (f": {ball}" if ball else "")
        return
    if shot.badly_placed is not None:
        yield PENALTY, shot.badly_placed
    for ball in shot.hit_from_within:
        yield PENALTY, f"ball in the house hit before the cue ball left it: {ball}"


@FOULS.check("SUP-PYR-9", "off_table", "foreign_object")
def object_ball_off_the_table(shot: PyramidShot) -> Amounts:
    yield from object_balls_off(shot)


@FOULS.check("SUP-PYR-11", "strike", "contact", "foot_off", "double_hit", "push", "touched", "balls_moving")
def other_fouls(shot: PyramidShot) -> Amounts:
    if shot.facts.stroke and not shot.facts.first_contact:
        yield (0 if shot.breaking and not shot.lost_cue_ball else PENALTY), "no ball hit"
    for kind, what in SEEN_BY_PEOPLE.items():
        if shot.facts.seen(kind):
            yield PENALTY, what
    if shot.facts.struck_twice:
        yield PENALTY, "cue ball struck more than once"
    yield from _touched(shot)


def _touched(shot: PyramidShot) -> Amounts:
    if shot.touched_in_play:
        yield PENALTY, "cue ball touched otherwise than with the tip"
    for ball in shot.touched if shot.facts.stroke or not shot.state.in_hand else ():
        if ball != CUE:
            yield PENALTY, "ball touched" + (f": {ball}" if ball else "")


BY_OTHERS: Fouls[PyramidShot] = Fouls()
"""What a player does who isn't at the table; nothing else of that record is held against anybody."""


@BY_OTHERS.check("SUP-PYR-11", "out_of_turn", "interference", "touched")
def interfered(shot: PyramidShot) -> Amounts:
    played = shot.facts.seen("out_of_turn")
    yield PENALTY, f"{'played out of turn' if played else 'interfered'}: {shot.offender}"
