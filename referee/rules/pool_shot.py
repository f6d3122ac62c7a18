"""A record seen with the eyes of the general rules of pool: what left the table, the house, who touched what."""

from collections.abc import Collection
from functools import cached_property
from typing import Any, ClassVar

from referee.rules.engine import Shot
from referee.rules.facts import CUE, Pot
from referee.rules.geometry import TOUCHING_MM
from referee.rules.geometry_pool import cushions_within
from tracking.records import Answer, Cushion, Event, Moved, Returned, before

HEAD_STRING = ("head_string", "house_line")


class PoolShot(Shot):
    """What was off the table, what was called, from where it was played, who touched what."""

    touching_clause = "PG-20b"
    house_clause: ClassVar[str] = "PG-7b"
    """Cited where it isn't known which balls lay in the house."""
    in_play_clause: ClassVar[str] = "PG-7e"
    """Cited where it isn't known whether the cue ball had left the house."""
    break_clauses: ClassVar[tuple[str, str, str]]
    """The ``doubtful_clauses`` of a break."""

    @property
    def part(self) -> Any:
        """What only the game knows; each game's own shot declares its type."""
        return self.state.part

    @property
    def to_break(self) -> bool:
        """Whether the stroke to come, or the one that this is, opens a game."""
        return bool(self.part.stage == "break")

    @property
    def breaking(self) -> bool:
        """Whether this is the break itself."""
        return self.to_break and self.facts.stroke

    @property
    def doubtful_clauses(self) -> tuple[str, str, str]:
        return self.break_clauses if self.to_break else super().doubtful_clauses

    @property
    def legal_first(self) -> frozenset[str]:
        """The balls that the cue ball may touch first: all object balls, if the game doesn't say otherwise."""
        return self.objects

    @property
    def lost_cue_ball_is_own(self) -> bool:
        """Whether the game has a clause of its own for a cue ball pocketed or off the table: usually on the break."""
        return self.breaking

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
            beyond = places[ball][1] - self.table.head_string
            measured_mm = self.settings.measured_mm
            if not measured_mm or abs(beyond) > measured_mm:
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
        hidden = self.cue_ball_hidden(event.t_s)
        return Answer.UNKNOWN if doubtful or hidden or Answer.UNKNOWN in sure else Answer.NO

    def cue_ball_hidden(self, until_s: float) -> bool:
        """Whether the cue ball was not seen for a while before this time."""
        return any(gap.t0_s < until_s and (gap.balls is None or CUE in gap.balls) for gap in self.record.gaps)

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
        if beyond or place is None or not self.table.in_house(place):
            return False
        hidden = self.cue_ball_hidden(self.record.t1)
        return not hidden or not self.ask("left_house", (False, True), clause=self.in_play_clause)

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
    def touched(self) -> tuple[str, ...]:
        """Balls that a player touched otherwise than in a stroke; ``""`` where it wasn't told which."""
        found = {seen.ball or "" for seen in self.facts.observed("touched") if seen.by != "referee"}
        found |= {seen.ball or "" for seen in self.facts.observed("deliberate")}
        found |= self.facts.struck - {CUE}
        found |= {event.ball for event in self.facts.moved if event.cause == "player" and self._by_a_player(event)}
        for seen in self.facts.observed("interference"):
            if seen.who is not None and self.state.sides.knows(seen.who):
                found |= set(seen.balls)
        return tuple(sorted(found - self.saved_from))

    def _by_a_player(self, event: Moved) -> bool:
        """An uncertain movement may have been the ball's own."""
        if self.oracle.confirmed("self_moved", event.ball) is not None or not event.certain:
            return not self.ask("self_moved", (True, False), clause="PG-19a", ball=event.ball)
        return True

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

    # ------------------------------------------------------------------------------- frozen to a cushion (SUP-PG-37)

    @cached_property
    def announced_frozen(self) -> frozenset[str]:
        """Balls of which the referee said before the stroke that they touch a cushion (SUP-PG-37)."""
        seen = self.facts.observed("confirm")
        return frozenset(each.ball for each in seen if each.question == "frozen" and each.value and each.ball)

    @cached_property
    def cushion_reached(self) -> bool:
        """Whether any ball came to a cushion after the first contact (PG-17).

        Of a ball that is frozen to one the referee's no is about the other cushions.
        """
        frozen = self.facts.first_contact & self.announced_frozen
        return bool(frozen and self.facts.cushions_after) or self.facts.cushion_after_contact

    def cushion_beside(self, ball: str, air_mm: float) -> bool:
        """Whether, after first touching a ball that is or counts as frozen to a cushion, enough was reached.

        The cue ball came to a cushion, or that ball to another cushion, or another ball to a cushion that it did not
        touch before; pocketed balls are looked at elsewhere (SUP-PG-37). The ball's own cushions are those less than
        ``air_mm`` away; where its place isn't known, the one that it came to.
        """
        places = self.before or {}

        def own(name: str) -> frozenset[str]:
            if name not in places:
                return frozenset([each.cushion for each in self.facts.cushions if each.ball == name][:1])
            return cushions_within(places[name], self.table, air_mm if name == ball else TOUCHING_MM)

        theirs = {name: own(name) for name in self.objects}
        if ball not in places:
            theirs |= {name: frozenset() for name in self.objects - {ball}}

        def enough(cushions: Collection[Cushion]) -> bool:
            return any(e.ball == CUE or e.cushion not in theirs.get(e.ball, ()) for e in cushions)

        return self.facts.cushions_suffice(enough)
