"""The infringements of the general rules of pool (PG), and a record seen with the eyes of these rules.

A game's own book comes first: where it has a clause of its own for something, its ``Fouls`` object cites that one and
takes what was done from the functions of this module (``missed_legal_balls``, ``no_cushion`` ...). Amounts are points;
an ordinary foul is ``FOUL``.
"""

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import ClassVar

from referee.rules.engine import Shot
from referee.rules.facts import CUE, Pot
from referee.rules.geometry import gap
from referee.rules.geometry_pool import cushions_within
from referee.rules.outcome import Fouls
from tracking.records import Answer, Cushion, Event, Returned, before
from tracking.strict_json import Point

FOUL = 1
TOUCHING_MM = 0.05
"""Balls nearer than this touch; between it and the next the referee says so."""
NEARLY_MM = 1.5
ON_LINE_MM = 1e-6
HEAD_STRING = ("head_string", "house_line")


class PoolShot(Shot):
    """What was off the table, what was called, from where it was played, who touched what."""

    house_clause: ClassVar[str] = "PG-7b"
    """Cited where it isn't known which balls lay in the house."""
    in_play_clause: ClassVar[str] = "PG-7e"
    """Cited where it isn't known whether the cue ball had left the house."""

    @property
    def legal_first(self) -> frozenset[str]:
        """The balls that the cue ball may touch first: all object balls, if the game doesn't say otherwise."""
        return self.objects

    @property
    def lost_cue_ball_is_own(self) -> bool:
        """Whether the game has a clause of its own for a cue ball pocketed or off the table on this stroke."""
        return False

    @property
    def objects(self) -> frozenset[str]:
        """The object balls on the table when it began."""
        return self.present - {CUE}

    # ------------------------------------------------------------------------------------------ balls that left

    @cached_property
    def foreign(self) -> frozenset[str]:
        """Balls that touched something that is no part of the table: off it even if they came back (PG-23c)."""
        seen = self.facts.observed("foreign_object")
        named = {each.ball for each in seen if each.ball}
        if len(named) < len(seen):  # not told which ball: one of those that were in the air
            returned = sorted({e.ball for e in self.record.events if isinstance(e, Returned)})
            if returned:
                named.add(self.ask("off_table", returned, clause="PG-23c"))
            elif not named:
                self.oracle.whatever("off_table", clause="PG-23c")
        return frozenset(named)

    @cached_property
    def off(self) -> tuple[str, ...]:
        """The balls that are off the table in the sense of the rules, in order (PG-23)."""
        return tuple(dict.fromkeys((*self.facts.off_table, *sorted(self.foreign))))

    @cached_property
    def pots(self) -> tuple[Pot, ...]:
        """The object balls that fell into pockets and stayed there, in order (PG-9)."""
        return tuple(pot for pot in self.facts.pots if pot.ball != CUE and pot.ball not in self.foreign)

    @cached_property
    def down(self) -> tuple[str, ...]:
        """The names of the balls in ``pots``."""
        return tuple(pot.ball for pot in self.pots)

    @cached_property
    def lost_cue_ball(self) -> str | None:
        """What became of the cue ball if it is no longer in play: ``pocketed`` or ``off the table``."""
        if CUE in self.off:
            return "off the table"
        return "pocketed" if CUE in self.facts.potted else None

    # ------------------------------------------------------------------------------------------ the house (PG-7)

    @property
    def from_house(self) -> bool:
        """A stroke with the cue ball in hand behind the head string."""
        return self.facts.stroke and self.state.cue_ball == "in_hand_house"

    def in_house(self, ball: str) -> bool:
        """Whether an object ball lay in the house before the stroke (PG-7b, PG-10, PG-14a)."""
        places = self.before or {}
        if ball in places:
            return self.table.in_house(places[ball])
        return bool(self.ask("in_house", (False, True), clause=self.house_clause, ball=ball))

    def left_house(self, event: Event) -> Answer:
        """Whether the cue ball had left the house before this event, as far as the record tells."""
        signs: list[Event] = [*self.facts.crossings(CUE, HEAD_STRING)]
        signs += [e for e in self.facts.cushions if e.ball == CUE and e.cushion == "top"]
        for contact in self.facts.cue_contacts:
            place = (self.before or {}).get(contact.other(CUE) or "")
            if place is not None and place[1] >= self.table.head_string + self.table.ball:
                signs.append(contact)
        sure = {before(sign, event) for sign in signs if sign is not event and sign.certain}
        if Answer.YES in sure:
            return Answer.YES
        doubtful = any(before(sign, event) is not Answer.NO for sign in signs if not sign.certain)
        hidden = any(gap.t0_s < event.t_s and (gap.balls is None or CUE in gap.balls) for gap in self.record.gaps)
        return Answer.UNKNOWN if doubtful or hidden or Answer.UNKNOWN in sure else Answer.NO

    @cached_property
    def never_left_house(self) -> bool:
        """A stroke from the house after which the cue ball still lies there, having touched no ball (PG-6c, PG-7e)."""
        if (
            not self.from_house
            or self.facts.cue_contacts
            or self.lost_cue_ball
            or self.facts.crossings(CUE, HEAD_STRING)
        ):
            return False
        beyond = any(e.ball == CUE and e.cushion == "top" for e in self.facts.cushions)
        place = (self.after or {}).get(CUE)
        return not beyond and place is not None and self.table.in_house(place)

    # ------------------------------------------------------------------------------------------ who touched what

    @cached_property
    def intruder(self) -> str | None:
        """The player who had no turn and interfered or played (SUP-PG-29)."""
        side = self.state.side
        seen: list[str | None] = []
        seen += [each.player or self.state.follower() for each in self.facts.observed("out_of_turn")]
        seen += [each.who for each in self.facts.observed("interference")]
        seen += [each.player for kind in ("touched", "deliberate") for each in self.facts.observed(kind)]
        others = (who for who in seen if who is not None and self.state.sides.knows(who))
        return next((who for who in others if self._has_no_turn(who, side)), None)

    def _has_no_turn(self, who: str, side: str) -> bool:
        if self.state.sides.of(who) != side:
            return True
        return who in self.state.sides.persons and who != self.state.striker and who != side

    @cached_property
    def offender(self) -> str:
        """The striker, or the one who interfered or played out of turn."""
        who = self.intruder or self.state.striker
        assert who is not None
        return who

    @cached_property
    def saved_from(self) -> frozenset[str]:
        """Balls moved by outsiders, the referee among them: nobody answers for that (PG-28a)."""
        found: set[str] = {event.ball for event in self.facts.moved if event.cause == "outside"}
        for seen in self.facts.observed("interference"):
            if seen.who is None or not self.state.sides.knows(seen.who):
                found |= set(seen.balls) or {event.ball for event in self.facts.moved}
        found |= {seen.ball for seen in self.facts.observed("touched") if seen.by == "referee" and seen.ball}
        return frozenset(found)

    @cached_property
    def touched(self) -> tuple[str, ...]:
        """Balls that a player touched otherwise than in a stroke; ``""`` where it wasn't told which."""
        found = {seen.ball or "" for seen in self.facts.observed("touched") if seen.by != "referee"}
        found |= {seen.ball or "" for seen in self.facts.observed("deliberate")}
        found |= self.facts.struck - {CUE}
        found |= {event.ball for event in self.facts.moved if event.cause == "player"}
        for seen in self.facts.observed("interference"):
            if seen.who is not None and self.state.sides.knows(seen.who):
                found |= set(seen.balls)
        return tuple(sorted(found - self.saved_from))

    @cached_property
    def touched_in_play(self) -> bool:
        """Whether the cue ball was touched while it was in play: in hand it may be placed by hand (PG-7e, PG-8)."""
        if CUE not in self.touched:
            return False
        if not self.facts.stroke:
            return not self.state.in_hand and not self.facts.seen("not_a_stroke")
        if not self.from_house:
            return True
        times = [e for e in self.facts.moved if e.ball == CUE and e.cause == "player"]
        if not times:
            return not self.never_left_house
        answers = {self.left_house(event) for event in times}
        if Answer.YES in answers:
            return True
        return Answer.UNKNOWN in answers and bool(self.ask("left_house", (False, True), clause=self.in_play_clause))

    # ------------------------------------------------------------------------------------------ frozen balls (PG-20b)

    def frozen(self, ball: str) -> bool:
        """Whether this ball touched the cue ball before the stroke."""
        said = self.oracle.confirmed("touching", ball)
        if said is not None:
            return bool(said)
        places = self.before or {}
        if CUE not in places or ball not in places:
            return False
        air = gap(places[CUE], places[ball], self.table.ball)
        if air <= TOUCHING_MM:
            return True
        return air < NEARLY_MM and bool(self.ask("touching", (False, True), clause="PG-20b", ball=ball))

    def played_into(self, ball: str) -> bool:
        """Whether this ball was the first to be hit, with no cushion in between."""
        contact = next((e for e in self.facts.first_contact_events if e.other(CUE) == ball), None)
        cushions = [e for e in self.facts.cushions if e.ball == CUE]
        return contact is not None and not any(before(e, contact) is Answer.YES for e in cushions)

    @cached_property
    def announced_frozen(self) -> frozenset[str]:
        """Balls of which the referee said before the stroke that they touch a cushion (SUP-PG-37)."""
        seen = self.facts.observed("confirm")
        return frozenset(each.ball for each in seen if each.question == "frozen" and each.value and each.ball)

    def cushion_beside(self, ball: str, air_mm: float) -> bool:
        """Whether, after first touching a ball that is or counts as frozen to a cushion, enough was reached.

        The cue ball came to a cushion, or that ball to another cushion, or another ball to a cushion that it did not
        touch before; pocketed balls are looked at elsewhere (SUP-PG-37). The ball's own cushions are those less than
        ``air_mm`` away.
        """
        places = self.before or {}

        def own(name: str, air: float) -> frozenset[str]:
            return cushions_within(places[name], self.table, air) if name in places else frozenset()

        theirs = {each: own(each, air_mm if each == ball else TOUCHING_MM) for each in self.objects}

        def enough(cushions: Collection[Cushion]) -> bool:
            return any(e.ball == CUE or e.cushion not in theirs.get(e.ball, ()) for e in cushions)

        return self.facts.cushions_suffice(enough)


Found = Iterator[tuple[int, str]]


# ------------------------------------------------------------------------------------- for the games' own clauses


def missed_legal_balls(shot: PoolShot) -> Found:
    """The first contact was with none of the balls that may be hit first (PG-16a, PG-16b)."""
    first = shot.facts.first_contact
    if not shot.facts.stroke or first & shot.legal_first:
        return
    yield FOUL, f"first contact with {', '.join(sorted(first))}" if first else "no ball hit"


def no_cushion(shot: PoolShot) -> Found:
    """A ball was hit, but afterwards none was pocketed and none reached a cushion (PG-17)."""
    if shot.facts.stroke and shot.facts.first_contact and not shot.pots and not shot.facts.cushion_after_contact:
        yield FOUL, "no ball pocketed and no cushion reached after the contact"


def object_balls_off(shot: PoolShot) -> Found:
    """PG-23d, for object balls."""
    for ball in shot.off:
        if ball != CUE:
            yield FOUL, f"off the table: {ball}"


def played_in_the_house(shot: PoolShot) -> Found:
    """From the house at a ball in the house, not by way of the foot cushion (PG-7c, POL-18)."""
    if not shot.from_house:
        return
    for contact in shot.facts.first_contact_events:
        ball = contact.other(CUE) or ""
        if shot.in_house(ball) and not _came_back(shot, contact):
            yield FOUL, f"ball in the house played from the house: {ball}"


def _came_back(shot: PoolShot, contact: Event) -> bool:
    if shot.settings.house_shots == "leave_house":
        left = shot.left_house(contact)
        return left is Answer.YES or (
            left is Answer.UNKNOWN and bool(shot.ask("left_house", (True, False), clause="PG-7c"))
        )
    rebounds = [e for e in shot.facts.cushions if e.ball == CUE and e.cushion == "top"]
    answers = {before(e, contact) if e.certain else Answer.UNKNOWN for e in rebounds}
    answers -= {Answer.NO}
    if not answers:
        return False
    return Answer.YES in answers or bool(shot.ask("foot_cushion_first", (True, False), clause="PG-7c"))


def cue_ball_lost(shot: PoolShot) -> Found:
    """The cue ball pocketed (PG-18) or off the table (PG-23d)."""
    if shot.lost_cue_ball:
        yield FOUL, f"cue ball {shot.lost_cue_ball}"


# ------------------------------------------------------------------------------------- the general rules themselves

GENERAL: Fouls[PoolShot] = Fouls()


@GENERAL.check("PG-3", "tip_fault")
def not_with_the_tip(shot: PoolShot) -> Found:
    if shot.facts.seen("tip_fault"):
        yield FOUL, "cue ball not struck with the tip"


@GENERAL.check("PG-7a", "bad_placement", "before")
def placed_outside(shot: PoolShot) -> Found:
    place = _placed(shot)
    beyond = place is not None and place[1] > shot.table.head_string + ON_LINE_MM
    if (shot.from_house and beyond) or shot.facts.seen("bad_placement"):
        yield FOUL, "cue ball in hand played from outside its area"


@GENERAL.check("PG-14b", "before")
def placed_on_the_line(shot: PoolShot) -> Found:
    """The head string is no part of the house (POL-23)."""
    place = _placed(shot)
    on_line = place is not None and abs(place[1] - shot.table.head_string) <= ON_LINE_MM
    if shot.from_house and on_line and shot.settings.cue_ball_on_line == "foul":
        yield FOUL, "cue ball played from on the head string"


def _placed(shot: PoolShot) -> Point | None:
    return (shot.record.before or {}).get(CUE)


@GENERAL.check("PG-7d", "contact", "crossed", "before")
def touched_in_the_house(shot: PoolShot) -> Found:
    """A ball in the house touched before the cue ball crossed the head string."""
    if not shot.from_house:
        return
    for contact in shot.facts.cue_contacts:
        ball = contact.other(CUE) or ""
        if contact.certain and shot.left_house(contact) is Answer.NO and shot.in_house(ball):
            yield FOUL, f"ball in the house touched before the head string was crossed: {ball}"
            return


@GENERAL.check("PG-7f", "touched", "moved", "crossed")
def touched_after_the_house(shot: PoolShot) -> Found:
    if shot.from_house and shot.touched_in_play:
        yield FOUL, "cue ball touched after it had left the house"


@GENERAL.check("PG-11", "foot_off")
def no_foot_on_the_floor(shot: PoolShot) -> Found:
    if shot.facts.seen("foot_off"):
        yield FOUL, "no foot on the floor"


@GENERAL.check("PG-12", "balls_moving")
def before_all_are_still(shot: PoolShot) -> Found:
    if shot.facts.seen("balls_moving"):
        yield FOUL, "played before all balls were at rest"


@GENERAL.check("PG-18", "pocket")
def cue_ball_pocketed(shot: PoolShot) -> Found:
    if shot.lost_cue_ball == "pocketed" and not shot.lost_cue_ball_is_own:
        yield from cue_ball_lost(shot)


@GENERAL.check("PG-19a", "touched", "moved", "deliberate")
def object_ball_touched(shot: PoolShot) -> Found:
    for ball in shot.touched:
        if ball != CUE:
            yield FOUL, "ball touched" + (f": {ball}" if ball else "")


@GENERAL.check("PG-19b", "touched", "moved")
def cue_ball_touched(shot: PoolShot) -> Found:
    if shot.touched_in_play and not shot.from_house:
        yield FOUL, "cue ball touched otherwise than with the tip in a stroke"


@GENERAL.check("PG-20a", "double_hit")
def cue_ball_struck_twice(shot: PoolShot) -> Found:
    if shot.facts.seen("double_hit"):
        yield FOUL, "cue ball struck more than once"


@GENERAL.check("PG-20b", "before", "contact")
def played_into_a_frozen_ball(shot: PoolShot) -> Found:
    if not shot.facts.stroke:
        return
    for ball in sorted(shot.objects - shot.legal_first):
        if shot.played_into(ball) and shot.frozen(ball):
            yield FOUL, f"played into a ball that touched the cue ball: {ball}"


@GENERAL.check("PG-21", "push")
def push_stroke(shot: PoolShot) -> Found:
    if shot.facts.seen("push"):
        yield FOUL, "push stroke"


@GENERAL.check("PG-22b", "miscue", "jump")
def miscue_on_a_jump(shot: PoolShot) -> Found:
    """Only on a jump: a miscue alone is none of the general rules' fouls."""
    jumps = [jump for jump in shot.facts.jumps if jump.ball == CUE]
    if not shot.facts.seen("miscue") or not jumps:
        return
    if any(jump.certain for jump in jumps) or shot.ask("jumped", (False, True), clause="PG-22b"):
        yield FOUL, "miscue on a jump shot"


@GENERAL.check("PG-22c", "jump_method")
def forbidden_jump(shot: PoolShot) -> Found:
    """Not struck with a raised cue in the upper half of the cue ball (PG-22a)."""
    if shot.facts.seen("jump_method"):
        yield FOUL, "jump shot made in a forbidden way"


@GENERAL.check("PG-23d", "off_table", "foreign_object")
def cue_ball_off(shot: PoolShot) -> Found:
    if shot.lost_cue_ball == "off the table" and not shot.lost_cue_ball_is_own:
        yield from cue_ball_lost(shot)


@GENERAL.check("SUP-PG-29", "used_out_ball", "out_of_turn")
def measured_or_out_of_turn(shot: PoolShot) -> Found:
    if shot.facts.seen("used_out_ball"):
        yield FOUL, "measured with a ball"
    if shot.facts.seen("out_of_turn"):
        yield FOUL, f"played out of turn: {shot.offender}"


@GENERAL.check("SUP-PG-37", "contact", "cushion", "before")
def frozen_to_a_cushion(shot: PoolShot) -> Found:
    """First contact with a ball that was announced as frozen to a cushion."""
    for ball in sorted(shot.facts.first_contact & shot.announced_frozen) if shot.facts.stroke else ():
        if not shot.pots and not shot.cushion_beside(ball, NEARLY_MM):
            yield FOUL, f"ball frozen to a cushion: only its own cushion reached: {ball}"


BY_OTHERS: Fouls[PoolShot] = Fouls()
"""What a player does who isn't at the table; nothing else of that stroke is held against anybody."""


@BY_OTHERS.check("SUP-PG-29", "out_of_turn", "interference")
def interfered(shot: PoolShot) -> Found:
    played = shot.facts.seen("out_of_turn")
    yield FOUL, f"{'played out of turn' if played else 'interfered'}: {shot.offender}"


@BY_OTHERS.check("PG-19a", "touched", "interference")
def touched_by_others(shot: PoolShot) -> Found:
    yield from object_ball_touched(shot)
