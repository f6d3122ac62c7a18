"""Snooker: a record seen with the eyes of its rules, and the penalties of section 3.11, in the order of the book.

Amounts are what each infringement would cost by itself: the value of the ball on or of the ball concerned. The
penalty is the highest of them, and never less than four (SN-3.10.2, SN-3.11).
"""

import math
from collections.abc import Callable, Collection, Iterator
from functools import cached_property

from referee.rules.engine import Shot
from referee.rules.facts import CUE
from referee.rules.geometry_snooker import COLOURS, effective_snookering_balls
from referee.rules.outcome import Fouls
from referee.rules.snooker_part import SnookerPart
from referee.rules.table import Table
from tracking.records import Answer, Contact, Jump, Moved, before

REDS = tuple(f"red-{i}" for i in range(1, 16))
VALUES = {"red": 1, "yellow": 2, "green": 3, "brown": 4, "blue": 5, "pink": 6, "black": 7}
MOVED_MM = 3.0
"""A ball that lies farther than this from where it lay has been moved."""
MISPLACED_MM = 26.0
"""A colour farther than this from the spot it was put on was not put there: about a ball's radius."""


def is_red(ball: str) -> bool:
    return ball.startswith("red-")


def value(ball: str) -> int:
    """SN-3.1d; the cue ball has none of its own."""
    return VALUES.get("red" if is_red(ball) else ball, 0)


def reds(balls: Collection[str]) -> list[str]:
    return [ball for ball in balls if is_red(ball)]


def lowest(balls: Collection[str]) -> str | None:
    """The colour of the lowest value on the table (SN-3.3.7b)."""
    return next((colour for colour in COLOURS if colour in balls), None)


def first_on(balls: Collection[str]) -> tuple[str, ...]:
    """What is on for the first stroke of a turn (SN-3.3.5a, 3.3.7b)."""
    if reds(balls):
        return ("red",)
    colour = lowest(balls)
    return ("black",) if colour is None else (colour,)


class SnookerShot(Shot):
    """A record seen with the eyes of the rules: what was on, what it was worth, what was touching."""

    touching_clause = "SN-3.7.1"

    @property
    def part(self) -> SnookerPart:
        part: SnookerPart = self.state.part
        return part

    @property
    def balls(self) -> frozenset[str]:
        """Balls in play before it: those on the table, and colours that belong there (SN-2.8.2)."""
        return self.present | {ball for ball in self.state.balls if not is_red(ball)}

    @cached_property
    def nominated(self) -> str | None:
        return self.declared(COLOURS if self.colour_on or self.state.free_ball else (), clause="SN-2.10")

    @cached_property
    def colour_on(self) -> bool:
        """Any colour is on, by nomination (SN-3.3.6a)."""
        return self.state.on == ("colour",)

    @cached_property
    def free_ball(self) -> str | None:
        """The ball nominated as the ball on though it isn't (SN-3.9.2)."""
        ball = self.nominated
        return ball if self.state.free_ball and ball in COLOURS and ball not in self.true_on else None

    @cached_property
    def true_on(self) -> tuple[str, ...]:
        """The balls that are on without a free ball; a colour that wasn't nominated is the one that was hit."""
        if self.state.on == ("red",):
            return tuple(reds(self.present))
        if not self.colour_on:
            return self.state.on
        if self.nominated in COLOURS:
            return (self.nominated,)
        hit = [ball for ball in self.facts.first_contact if ball in COLOURS] if self.facts.stroke else []
        return tuple(hit) if len(hit) == 1 else ()

    @cached_property
    def on(self) -> tuple[str, ...]:
        """The ball or balls that must be hit first (SN-2.9, 3.9.3)."""
        return self.true_on if self.free_ball is None else (self.free_ball,)

    @cached_property
    def value_on(self) -> int:
        """The value of the ball on when the stroke starts (section 4, step 1)."""
        if self.colour_on:
            return value(self.nominated) if self.nominated in COLOURS else 7
        return value("red-1") if self.state.on == ("red",) else value(self.state.on[0])

    @cached_property
    def potted(self) -> tuple[str, ...]:
        """The balls that went down, but for those that outsiders knocked in (SN-3.12)."""
        return tuple(ball for ball in self.facts.potted if ball not in self.disturbed)

    @cached_property
    def off_table(self) -> tuple[str, ...]:
        return tuple(ball for ball in self.facts.off_table if ball not in self.disturbed)

    @cached_property
    def touched_at_rest(self) -> tuple[str, ...]:
        """The balls that touched the cue ball before the stroke."""
        if self.state.in_hand:
            return ()
        near = set(self.before or ()) - {CUE}
        near |= {seen.ball for seen in self.facts.observed("confirm") if seen.question == "touching" and seen.ball}
        return tuple(ball for ball in sorted(near) if self.touching(ball))

    @cached_property
    def played_away(self) -> bool:
        """Playing away from a touching ball that is on counts as hitting it (SN-3.7.3b)."""
        return any(ball in self.on and not self.played_into(ball) for ball in self.touched_at_rest)

    @cached_property
    def hit_first(self) -> frozenset[str]:
        """What the cue ball touched first in the sense of the rules; in flight over a ball on counts as nothing."""
        if self.grazed:
            return frozenset()
        return self.facts.first_contact

    @cached_property
    def hit_ball_on(self) -> bool:
        if self.played_away:
            return True
        first = self.hit_first
        allowed = set(self.on) | (set(self.true_on) if self.free_ball in first else set())
        return bool(first & set(self.on)) and first <= allowed

    def in_doubt(self, answer: Callable[[Table], bool] | None, question: str, clause: str) -> bool:
        """What a question of geometry says; asked where no positions are known, or where they aren't exact enough.

        Positions that are known to within some mm decide it if balls smaller and larger by that much agree.
        """
        if answer is not None:
            size, measured_mm = self.table.ball, self.settings.measured_mm
            readings = {answer(self.table)}
            if measured_mm:
                readings |= {answer(self.table.with_ball(size + by)) for by in (-measured_mm, measured_mm)}
            if len(readings) == 1:
                return readings.pop()
        return bool(self.ask(question, (False, True), clause=clause))

    @cached_property
    def over_balls(self) -> tuple[str, ...]:
        """The balls that the cue ball jumped over against the rules (SN-2.19), in order."""
        said = self.oracle.confirmed("jumped")
        if said is False:
            return ()
        found = []
        for jump in self.facts.jumps:
            if jump.ball != CUE:
                continue
            any_ball = self.settings.jump == "after_any_ball"
            hit = [e for e in self.facts.cue_contacts if any_ball or e.other(CUE) in self.on]
            answers = {before(contact, jump) for contact in hit if not self._in_flight(contact, jump)}
            if Answer.YES in answers:
                continue
            sure = jump.certain and Answer.UNKNOWN not in answers
            if sure or said or self.ask("jumped", (False, True), clause="SN-2.19"):
                found.append(jump.over)
        return tuple(found)

    def _in_flight(self, contact: Contact, jump: Jump) -> bool:
        """Whether the contact is that with the ball jumped over; before a cushion it was another (SN-2.19.n2)."""
        between = (e for e in self.facts.cushions if e.ball == CUE and before(contact, e) is Answer.YES)
        off_cushion = any(before(e, jump) is Answer.YES for e in between)
        return jump.touched and contact.other(CUE) == jump.over and not off_cushion

    @cached_property
    def jumped(self) -> bool:
        return bool(self.over_balls) or self.oracle.confirmed("jumped") is True

    @cached_property
    def grazed(self) -> bool:
        """The only contact with a ball on was in flight over it: it has not been hit (SN-2.19.n1)."""
        return any(jump.touched and jump.over in self.on and jump.over in self.over_balls for jump in self.facts.jumps)

    @cached_property
    def missing_colours(self) -> dict[str, bool]:
        """Colours that were not, or not rightly, on the table: ball → whether it is on the table at all."""
        said = self.facts.observed("ball_misplaced")
        found = {seen.ball: seen.ball in self.present for seen in said if seen.ball and seen.ball in COLOURS}
        if self.record.before is not None:
            met = {ball for event in self.record.events for ball in event.balls_involved}
            there = met | self.present | (self.record.after or {}).keys()
            found |= {ball: False for ball in self.state.balls & frozenset(COLOURS) if ball not in there}
            for ball, spot in self.part.spotted.items():
                place = self.record.before.get(ball)
                if place is not None and math.dist(place, spot) > MISPLACED_MM:
                    found[ball] = True
        return found


# ------------------------------------------------------------------------------------------ section 3.11: penalties

FOULS: Fouls[SnookerShot] = Fouls()
Amounts = Iterator[tuple[int, str]]


def dearer(shot: SnookerShot, *balls: str | None) -> int:
    """The value of the ball on or of the ball concerned, whichever is higher."""
    return max(shot.value_on, *(value(ball) for ball in balls if ball is not None), 0)


@FOULS.check("SN-3.11.1a", "balls_moving")
def before_all_are_still(shot: SnookerShot) -> Amounts:
    if shot.facts.seen("balls_moving"):
        yield shot.value_on, "played before all balls were at rest"


@FOULS.check("SN-3.11.1b", "double_hit")
def cue_ball_struck_twice(shot: SnookerShot) -> Amounts:
    if shot.facts.struck_twice:
        yield shot.value_on, "cue ball struck more than once"


@FOULS.check("SN-3.11.1c", "foot_off", "left_seat")
def both_feet_off(shot: SnookerShot) -> Amounts:
    if shot.offender in shot.part.disabled or shot.state.sides.of(shot.offender) in shot.part.disabled:
        if shot.oracle.confirmed("left_seat"):  # DIS-1; DIS-2 frees them from the floor
            yield shot.value_on, "not seated while playing"
    elif shot.facts.seen("foot_off"):
        yield shot.value_on, "both feet off the floor"


@FOULS.check("SN-3.11.1d", "out_of_turn")
def out_of_turn(shot: SnookerShot) -> Amounts:
    if shot.facts.seen("out_of_turn"):
        yield shot.value_on, f"out of turn: {shot.offender}"


@FOULS.check("SN-3.11.1e", "before", "bad_placement")
def badly_placed_in_hand(shot: SnookerShot) -> Amounts:
    if not shot.facts.stroke:
        return
    place = (shot.record.before or {}).get(CUE, shot.state.placed)
    seen = shot.facts.seen("bad_placement")
    if not seen and shot.state.cue_ball == "in_hand_D" and place is not None:
        seen = shot.outside(shot.table.outside_d(place), "bad_placement", clause="SN-3.4")
    if seen:
        yield shot.value_on, "cue ball played from outside the D"


@FOULS.check("SN-3.11.1f", "strike", "contact")
def missed_all_balls(shot: SnookerShot) -> Amounts:
    if shot.facts.stroke and not shot.hit_first and not shot.played_away:
        yield shot.value_on, "no ball hit"


@FOULS.check("SN-3.11.1g", "pocket")
def cue_ball_pocketed(shot: SnookerShot) -> Amounts:
    if shot.facts.stroke and CUE in shot.facts.potted:
        yield shot.value_on, "cue ball pocketed"


@FOULS.check("SN-3.11.1h", "after", "nominated")
def snookered_with_the_free_ball(shot: SnookerShot) -> Amounts:
    ball = shot.free_ball
    if ball is None or not shot.facts.stroke or ball in shot.facts.gone or CUE in shot.facts.gone:
        return
    left = shot.balls - shot.facts.gone - {CUE}
    if left == {"pink", "black"} or any(map(is_red, shot.potted)):  # SN-3.9.4b; any colour is on, this one too
        return
    on = reds(left) or [name for name in first_on(left) if name != ball]
    places = shot.after
    if not on:
        return
    test = shot.settings.snookered

    def hides(table: Table) -> bool:
        return places is not None and ball in effective_snookering_balls(places[CUE], places, on, table, test)

    if shot.in_doubt(None if places is None else hides, "snookered", "SN-3.9.4b"):
        yield shot.value_on, f"snookered by the free ball: {ball}"


@FOULS.check("SN-3.11.1i", "jump", "contact")
def jump_shot(shot: SnookerShot) -> Amounts:
    if shot.jumped:
        yield shot.value_on, "jump shot" + (" over " + ", ".join(shot.over_balls) if shot.over_balls else "")


@FOULS.check("SN-3.11.2a", "pocket", "fell")
def ball_not_on_pocketed(shot: SnookerShot) -> Amounts:
    may_fall = set(shot.true_on) | {shot.free_ball}
    for ball in shot.potted if shot.facts.stroke else ():
        if ball != CUE and ball not in may_fall:
            yield dearer(shot, ball), f"ball not on pocketed: {ball}"


@FOULS.check("SN-3.11.2b", "strike", "contact")
def ball_not_on_hit_first(shot: SnookerShot) -> Amounts:
    first = shot.hit_first
    if len(first) == 1 and not shot.hit_ball_on and not (shot.colour_on and is_red(*first)):
        yield dearer(shot, *first), f"first contact with a ball not on: {', '.join(first)}"


@FOULS.check("SN-3.11.2c", "push", "contact", "before")
def push_stroke(shot: SnookerShot) -> Amounts:
    for seen in shot.facts.observed("push"):
        pushed = [seen.ball] if seen.ball else list(shot.facts.first_contact)
        yield dearer(shot, *pushed), "push stroke"
    if not shot.facts.stroke:
        return
    for ball in shot.touched_at_rest:  # SN-3.7.2: away from a touching ball, without moving it
        if shot.played_into(ball) or (_stirred(shot, ball) and not _no_fault_of_the_striker(shot, ball)):
            yield dearer(shot, ball), f"touching ball moved by the stroke: {ball}"


def _stirred(shot: SnookerShot, ball: str) -> bool:
    """Whether a touching ball that nothing hit has moved."""
    if any(ball in event.balls for event in shot.facts.events(Contact) if isinstance(event, Contact)):
        return False
    if any(event.ball == ball and event.cause == "itself" for event in shot.facts.moved):
        return True
    places, rest = shot.before, shot.after
    known = places is not None and rest is not None and ball in places and ball in rest
    return known and math.dist((places or {})[ball], (rest or {})[ball]) > MOVED_MM


def _no_fault_of_the_striker(shot: SnookerShot, ball: str) -> bool:
    """SN-3.7.n"""
    return bool(shot.ask("self_moved", (True, False), clause="SN-3.7.n", ball=ball))


@FOULS.check("SN-3.11.2d", "ball_misplaced", "before")
def ball_not_rightly_spotted(shot: SnookerShot) -> Amounts:
    if shot.facts.stroke:
        for ball in shot.missing_colours:
            yield dearer(shot, ball), f"played with a ball not correctly spotted: {ball}"


@FOULS.check("SN-3.11.2e", "touched", "tip_fault", "moved")
def touched_otherwise(shot: SnookerShot) -> Amounts:
    for seen in shot.facts.observed("tip_fault"):
        yield dearer(shot, seen.ball), "cue ball not struck with the tip"
    touched = {seen.ball for seen in shot.facts.observed("touched") if seen.by != "referee"}
    on_purpose = {seen.ball for seen in shot.facts.observed("deliberate")}
    touched |= on_purpose
    touched |= {event.ball for event in shot.facts.moved if _by_a_player(shot, event)}
    for seen in shot.facts.observed("interference"):
        if seen.who is not None and shot.state.sides.knows(seen.who):
            touched |= set(seen.balls)
    free_to_handle = (shot.state.in_hand and not shot.facts.stroke) or shot.facts.seen("not_a_stroke")  # SN-2.8.n
    seven = shot.settings.deliberate_touch == "seven"  # DIF-8
    for ball in sorted(touched - shot.saved_from, key=str):
        if ball != CUE or not free_to_handle:
            amount = 7 if seven and ball in on_purpose else dearer(shot, ball)
            yield amount, "touched otherwise than with the tip" + (f": {ball}" if ball else "")


def _by_a_player(shot: SnookerShot, event: Moved) -> bool:
    if event.certain or event.cause == "outside":
        return event.cause == "player"
    return not shot.ask("self_moved", (True, False), clause="SN-3.11.2e", ball=event.ball)


@FOULS.check("SN-3.11.2f", "off_table")
def ball_off_the_table(shot: SnookerShot) -> Amounts:
    for ball in shot.off_table:
        yield dearer(shot, ball), f"off the table: {ball}"


@FOULS.check("SN-3.11.3", "strike", "contact")
def two_balls_at_once(shot: SnookerShot) -> Amounts:
    first = shot.hit_first
    if len(first) > 1 and not shot.hit_ball_on:
        yield dearer(shot, *first), f"two balls hit at once: {', '.join(sorted(first))}"


def before_nomination(shot: SnookerShot) -> bool:
    """SN-3.11.4a: every infringement after a red and before a colour is nominated costs seven."""
    return shot.colour_on and shot.nominated not in COLOURS


@FOULS.check("SN-3.11.4b", "used_out_ball")
def ball_out_of_play_used(shot: SnookerShot) -> Amounts:
    if shot.facts.seen("used_out_ball"):
        yield 7, "a ball out of play used"


@FOULS.check("SN-3.11.4c", "strike", "contact")
def played_at_a_red(shot: SnookerShot) -> Amounts:
    if shot.colour_on and not shot.hit_ball_on and shot.hit_first and all(map(is_red, shot.hit_first)):
        yield 7, "red hit first with a colour on"


@FOULS.check("SN-3.11.4d", "strike")
def wrong_cue_ball(shot: SnookerShot) -> Amounts:
    for ball in sorted(shot.facts.struck - {CUE}):
        yield 7, f"a ball other than the white struck: {ball}"
