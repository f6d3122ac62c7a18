"""The infringements of 8-ball, those that lose the game among them, and a record seen with the eyes of this game."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee.rules.facts import CUE, Pot
from referee.rules.outcome import Fouls
from referee.rules.pool_fouls import (
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
from tracking.records import Answer, before

LOSS = 2
"""The amount of an infringement that loses the game: graver than a foul."""
EIGHT = "8"
GROUPS = ("solids", "stripes")
SIZES = {"solids": 7, "stripes": 7, EIGHT: 1}
STAGES = ("break", "open", "play")
BALLS_TO_CUSHIONS = 4


def group_of(ball: str) -> str | None:
    """``solids``, ``stripes`` or ``8``; None where the ball's name doesn't tell."""
    if ball.startswith(("solid-", "stripe-")):
        return ball.partition("-")[0] + "s"
    if not ball.isdigit():
        return None
    return EIGHT if ball == EIGHT else GROUPS[int(ball) > int(EIGHT)]


@dataclass(frozen=True, slots=True, kw_only=True)
class EightBallPart:
    """What 8-ball keeps beside the common state.

    groups: side → ``solids`` or ``stripes``, empty while the table is open. stalemate_fouls: fouls running, the
    players in turn (EB-16a). stalemate_visits: visits since the warning, where these are counted (DIF-30).
    coin_table: the 8 on the break decides the game (EB-5i, EB-5j).
    """

    stage: str = "break"
    groups: Mapping[str, str] = field(default_factory=dict)
    stalemate_fouls: int = 0
    stalemate_visits: int | None = None
    coin_table: bool = False


class EightBallShot(PoolShot):
    """A record seen with the eyes of 8-ball: whose balls they are, what was called, what counts."""

    part: EightBallPart
    break_clauses = ("EB-5a", "EB-5a", "EB-5a")

    @property
    def open_table(self) -> bool:
        return self.part.stage == "open"

    # ------------------------------------------------------------------------------------------ whose balls

    def group(self, ball: str) -> str:
        """The group of a ball; asked where only ``ball-3`` is known of it: any where all that there are lie there."""
        known = group_of(ball)
        if known is not None:
            return known
        seen = Counter(map(group_of, self.objects))
        possible = [group for group, size in SIZES.items() if seen[group] < size] or list(SIZES)
        return str(self.ask("group", possible, clause="EB-1a", ball=ball))

    @cached_property
    def own(self) -> str | None:
        """The striker's group; None while the table is open."""
        return self.part.groups.get(self.state.side)

    def left_of(self, group: str, balls: Collection[str], question: str) -> bool:
        """Whether a ball of this group is among these; asked where only balls without a known group may be one."""
        seen = Counter(group_of(ball) for ball in balls if ball != CUE)
        others_unseen = sum(size - seen[other] for other, size in SIZES.items() if other != group)
        if seen[group] or seen[None] > others_unseen:
            return True
        return bool(seen[None]) and bool(self.ask(question, (True, False), clause="EB-10b"))

    @cached_property
    def on_the_eight(self) -> bool:
        """His own group was off the table when the stroke began (EB-10b)."""
        return self.own is not None and not self.left_of(self.own, self.objects, "own_group_left")

    @cached_property
    def legal_first(self) -> frozenset[str]:
        """On an open table any ball (EB-6c); else those of the own group, or the 8 once they are gone (EB-8a)."""
        if self.breaking or self.open_table or self.own is None:
            eight_is_foul = self.open_table and self.settings.open_table_eight_first == "foul"
            return frozenset(b for b in self._asked_of if not eight_is_foul or self.group(b) != EIGHT)
        wanted = EIGHT if self.on_the_eight else self.own
        return frozenset(ball for ball in self._asked_of if self.group(ball) == wanted)

    @property
    def _asked_of(self) -> Collection[str]:
        """The balls of which it matters whether they may be hit first: those whose name tells, and the one hit."""
        return [b for b in self.objects if group_of(b) is not None or b in self.facts.first_contact]

    @cached_property
    def eight_first(self) -> bool:
        """The 8 alone struck first on an open table, where that isn't a foul (EB-6d, POL-6)."""
        first = self.facts.first_contact
        allowed = self.settings.open_table_eight_first == "turn"
        return self.open_table and allowed and bool(first) and all(self.group(ball) == EIGHT for ball in first)

    # ------------------------------------------------------------------------------------------ the 8

    @cached_property
    def eight_down(self) -> Pot | None:
        return next((pot for pot in self.pots if self.group(pot.ball) == EIGHT), None)

    @cached_property
    def eight_off(self) -> bool:
        return any(self.group(ball) == EIGHT for ball in self.off if ball != CUE and ball not in self.saved_from)

    # ------------------------------------------------------------------------------------------ calls

    @property
    def safety(self) -> bool:
        return self.record.nominated is not None and self.record.nominated.safety

    @cached_property
    def call(self) -> tuple[str | None, str | None] | None:
        """The ball and the pocket that were called, None each where not said; None where nothing was called."""
        said = self.record.nominated
        if said is None or said.safety:
            return None
        ball = said.ball or next(iter(said.balls), None)
        pocket = said.pocket or next(iter(said.pockets), None)
        if ball is None and pocket is None:
            return None
        if ball is None and self.on_the_eight:
            return EIGHT, pocket
        return ball, pocket

    @cached_property
    def as_called(self) -> tuple[Pot, ...]:
        """The balls that fell as called, in order; a gentleman's call needn't be spoken (EB-2a)."""
        if self.safety:
            return ()
        gentlemen = self.settings.eight_ball_calls == "gentleman"
        if self.call is not None and (gentlemen or None not in self.call):
            ball, pocket = self.call
            return tuple(p for p in self.pots if self._is(p, ball) and self._into(p, pocket))[:1]
        said = [seen.value for seen in self.facts.observed("call_valid")]
        if said:
            return self._meant if all(said) else ()
        obvious = tuple(pot for pot in self.pots if gentlemen and self._obvious(pot))
        called = None if obvious else self.perhaps("called_ball", self.down, clause="EB-2b")
        return obvious or tuple(pot for pot in self.pots if pot.ball == called)

    def _is(self, pot: Pot, called: str | None) -> bool:
        """Whether the ball that fell is the called one; asked where only its group was seen."""
        if called is None or pot.ball == called:
            return True
        if pot.ball.isdigit() or called in self.objects or group_of(pot.ball) not in (None, group_of(called)):
            return False
        return bool(self.ask("called_ball", (True, False), clause="EB-10a", ball=pot.ball))

    def _into(self, pot: Pot, pocket: str | None) -> bool:
        if pocket is None or pot.pocket == pocket:
            return True
        return pot.pocket is None and bool(self.ask("pocket", (False, True), clause="EB-10a", ball=pot.ball))

    @property
    def _meant(self) -> tuple[Pot, ...]:
        """What fell of a call that the referee finds valid without its having been written down."""
        direct = tuple(pot for pot in self.pots if pot.ball in self.facts.first_contact)
        if direct or len(self.pots) < 2:
            return direct or self.pots
        which = self.ask("called_ball", [pot.ball for pot in self.pots], clause="EB-2a")
        return tuple(pot for pot in self.pots if pot.ball == which)

    def _obvious(self, pot: Pot) -> bool:
        """Whether a ball was played straight into the pocket: banks and combinations are never obvious (EB-2b)."""
        if pot.ball not in self.facts.first_contact:
            return False
        hit = next((c for c in self.facts.first_contact_events if pot.ball in c.balls), None)
        played_on = [c for c in self.facts.contacts if pot.ball in c.balls and c is not hit and CUE not in c.balls]
        banked = [e for e in self.facts.cushions if e.ball == pot.ball]
        if any(event.certain for event in (*played_on, *banked)):
            return False
        kicked = hit is not None and any(e.ball == CUE and before(e, hit) is not Answer.NO for e in self.facts.cushions)
        doubt = kicked or bool(played_on or banked) or hit is None or bool(self.record.gaps)
        return not doubt or bool(self.ask("call_valid", (True, False), clause="EB-2b", ball=pot.ball))

    @cached_property
    def counted(self) -> tuple[str, ...]:
        """What a legal shot after the break pockets so that the shooter goes on (EB-10a, EB-7b)."""
        if self.eight_first:
            return ()
        wanted = EIGHT if self.on_the_eight else self.own
        groups = GROUPS if wanted is None else (wanted,)
        return tuple(pot.ball for pot in self.as_called if self.group(pot.ball) in groups)


# ------------------------------------------------------------------------------------------ fouls

FOULS: Fouls[EightBallShot] = Fouls()


@FOULS.check("EB-5b", "pocket", "cushion")
def break_requirements(shot: EightBallShot) -> Found:
    """Neither an object ball pocketed nor four of them to cushions (EB-5a)."""
    if shot.breaking and not shot.pots and not shot.facts.reached_cushions(BALLS_TO_CUSHIONS, cue_counts=False):
        yield FOUL, "conditions of the break not met: no ball pocketed and not four object balls to cushions"


@FOULS.check("EB-5c", "pocket", "off_table", "foreign_object")
def cue_ball_lost_on_the_break(shot: EightBallShot) -> Found:
    if shot.breaking:
        yield from cue_ball_lost(shot)


@FOULS.check("EB-5e", "contact", "cushion", "before")
def house_shot(shot: EightBallShot) -> Found:
    yield from played_in_the_house(shot)


@FOULS.check("EB-5f", "off_table", "foreign_object")
def object_ball_off_on_the_break(shot: EightBallShot) -> Found:
    if shot.breaking:
        yield from object_balls_off(shot)


@FOULS.check("EB-8a", "contact", "pocket", "cushion", "before")
def no_legal_shot(shot: EightBallShot) -> Found:
    """A ball of the own group first, then a ball pocketed or to a cushion."""
    if not shot.breaking:
        yield from missed_legal_balls(shot)
        yield from no_cushion(shot)


@FOULS.check("EB-13a", "off_table", "foreign_object")
def object_ball_off(shot: EightBallShot) -> Found:
    if not shot.breaking:
        yield from object_balls_off(shot)


BREAK_CLAUSES = frozenset({"EB-5b", "EB-5c", "EB-5f"})
"""Fouls on the break for which the book says itself what follows."""
ORDINARY: Fouls[Any] = Fouls(FOULS, GENERAL)

# ------------------------------------------------------------------------------------------ losses

LOSSES: Fouls[EightBallShot] = Fouls()


@LOSSES.check("EB-15a", "pocket")
def eight_with_a_foul(shot: EightBallShot) -> Found:
    if shot.eight_down and not shot.breaking and ORDINARY.found(shot):
        yield LOSS, "the 8 pocketed with a foul"


@LOSSES.check("EB-15b", "pocket", "before")
def eight_with_the_last_of_the_group(shot: EightBallShot) -> Found:
    if not shot.eight_down or not shot.facts.stroke or shot.own is None or shot.on_the_eight:
        return
    fell = [ball for ball in shot.down if shot.group(ball) == shot.own]
    if fell and not shot.left_of(shot.own, shot.objects - set(fell), "own_group_left_after"):
        yield LOSS, "the 8 and the last ball of the group pocketed on one stroke"


@LOSSES.check("EB-15c", "off_table", "foreign_object")
def eight_off_the_table(shot: EightBallShot) -> Found:
    """At any time (EB-13b); on the break by POL-7."""
    if shot.eight_off and not (shot.breaking and shot.settings.eight_off_on_break == "spotted"):
        yield LOSS, "the 8 off the table"


@LOSSES.check("EB-15d", "pocket", "nominated", "call_valid")
def eight_in_another_pocket(shot: EightBallShot) -> Found:
    """Also where it fell on a safety, or its pocket had to be called and wasn't (EB-2b, EB-12)."""
    if shot.facts.stroke and shot.eight_down and shot.on_the_eight and shot.eight_down not in shot.as_called:
        yield LOSS, "the 8 in a pocket that was not called"


@LOSSES.check("EB-15e", "pocket", "before")
def eight_too_early(shot: EightBallShot) -> Found:
    if shot.facts.stroke and shot.eight_down and not shot.breaking and not shot.on_the_eight:
        yield LOSS, "the 8 pocketed before the group was cleared"


@LOSSES.check("EB-5j", "pocket", "off_table")
def eight_and_cue_ball_on_the_break(shot: EightBallShot) -> Found:
    """Only on coin-operated tables, where the 8 on a legal break wins (EB-5i)."""
    if shot.breaking and shot.part.coin_table and shot.eight_down and shot.lost_cue_ball:
        yield LOSS, "the 8 and the cue ball pocketed on the break"


ALL_FOULS: Fouls[Any] = Fouls(LOSSES, FOULS, GENERAL)
