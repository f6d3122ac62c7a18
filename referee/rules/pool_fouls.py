"""The infringements of the general rules of pool (PG).

A game's own book comes first: where it has a clause of its own for something, its ``Fouls`` object cites that one and
takes what was done from the functions of this module (``missed_legal_balls``, ``no_cushion`` ...). Amounts are points;
an ordinary foul is ``FOUL``.
"""

from collections.abc import Iterator

from referee.rules.facts import CUE
from referee.rules.geometry import NEARLY_MM
from referee.rules.outcome import Fouls
from referee.rules.pool_shot import PoolShot
from tracking.records import Answer, Event, before
from tracking.strict_json import Point

FOUL = 1
ON_LINE_MM = 1e-6

Found = Iterator[tuple[int, str]]


# ------------------------------------------------------------------------------------- for the games' own clauses


def missed_legal_balls(shot: PoolShot) -> Found:
    """The first contact was with none of the balls that may be hit first (PG-16a, PG-16b)."""
    first = shot.facts.first_contact
    if not shot.facts.stroke or first & shot.legal_first:
        return
    yield FOUL, f"wrong ball hit first: {', '.join(sorted(first))}" if first else "no ball hit"


def no_cushion(shot: PoolShot) -> Found:
    """A ball was hit, but afterwards none was pocketed and none reached a cushion (PG-17)."""
    if shot.facts.stroke and shot.facts.first_contact and not shot.pots and not shot.cushion_reached:
        yield FOUL, "no ball pocketed and no cushion reached after the contact"


def object_balls_off(shot: PoolShot) -> Found:
    """PG-23d, for object balls: by a stroke or a touch."""
    for ball in shot.off:
        if ball != CUE and (shot.facts.stroke or shot.touched):
            yield FOUL, f"off the table: {ball}"


def played_in_the_house(shot: PoolShot) -> Found:
    """From the house at a ball in the house, not by way of the foot cushion (PG-7c, POL-18)."""
    if not shot.from_house:
        return
    for contact in shot.facts.first_contact_events:
        ball = contact.other(CUE) or ""
        if shot.in_house(ball) and not _came_back(shot, contact):
            yield FOUL, f"ball in the house played from the house: {ball}"


def _before_leaving(shot: PoolShot, contact: Event) -> bool:
    """Whether the cue ball had not left the house yet."""
    left = shot.left_house(contact)
    if left is Answer.UNKNOWN:
        return not shot.ask("left_house", (True, False), clause="PG-7d")
    return left is Answer.NO


def _came_back(shot: PoolShot, contact: Event) -> bool:
    if shot.settings.house_shots == "leave_house":
        return not _before_leaving(shot, contact)
    rebounds = [e for e in shot.facts.cushions if e.ball == CUE and e.cushion == "top"]
    answers = {before(e, contact) if e.certain else Answer.UNKNOWN for e in rebounds}
    answers -= {Answer.NO}
    if not answers and not shot.cue_ball_hidden(contact.t_s):
        return False
    return Answer.YES in answers or bool(shot.ask("foot_cushion_first", (True, False), clause="PG-7c"))


def cue_ball_lost(shot: PoolShot) -> Found:
    """The cue ball pocketed (PG-18) or off the table (PG-23d)."""
    if shot.lost_cue_ball and (shot.facts.stroke or shot.touched):
        yield FOUL, f"cue ball {shot.lost_cue_ball}"


# ------------------------------------------------------------------------------------- the general rules themselves

GENERAL: Fouls[PoolShot] = Fouls()


@GENERAL.check("PG-3", "tip_fault")
def not_with_the_tip(shot: PoolShot) -> Found:
    if shot.facts.seen("tip_fault"):
        yield FOUL, "cue ball not struck with the tip"


@GENERAL.check("PG-7a", "bad_placement", "before")
def placed_outside(shot: PoolShot) -> Found:
    place, wrong = _placed(shot), shot.facts.seen("bad_placement")
    if not wrong and shot.from_house and place is not None:
        wrong = shot.outside(place[1] - shot.table.head_string, "bad_placement", clause="PG-7a")
    if wrong:
        yield FOUL, "cue ball in hand played from outside its area"


@GENERAL.check("PG-14b", "before")
def placed_on_the_line(shot: PoolShot) -> Found:
    """The head string is no part of the house (POL-23)."""
    place = _placed(shot)
    on_line = place is not None and abs(place[1] - shot.table.head_string) <= ON_LINE_MM
    exact = not shot.settings.measured_mm
    if shot.from_house and on_line and exact and shot.settings.cue_ball_on_line == "foul":
        yield FOUL, "cue ball played from on the head string"


def _placed(shot: PoolShot) -> Point | None:
    return (shot.record.before or {}).get(CUE, shot.state.placed)


@GENERAL.check("PG-7d", "contact", "crossed", "before")
def touched_in_the_house(shot: PoolShot) -> Found:
    """A ball in the house touched before the cue ball crossed the head string."""
    if not shot.from_house:
        return
    for contact in shot.facts.cue_contacts:
        ball = contact.other(CUE) or ""
        if contact.certain and shot.in_house(ball) and _before_leaving(shot, contact):
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
    if shot.facts.struck_twice:
        yield FOUL, "cue ball struck more than once"


@GENERAL.check("PG-20b", "before", "contact")
def played_into_a_frozen_ball(shot: PoolShot) -> Found:
    if not shot.facts.stroke:
        return
    for ball in sorted(shot.objects - shot.legal_first):
        if shot.played_into(ball) and shot.touching(ball):
            yield FOUL, f"played into a ball that touched the cue ball: {ball}"


@GENERAL.check("PG-21", "push")
def push_stroke(shot: PoolShot) -> Found:
    if shot.facts.seen("push"):
        yield FOUL, "push stroke"


@GENERAL.check("PG-22b", "miscue", "jump")
def miscue_on_a_jump(shot: PoolShot) -> Found:
    """Only on a jump: a miscue alone is none of the general rules' fouls."""
    jumps = [jump for jump in shot.facts.jumps if jump.ball == CUE]
    if not shot.facts.seen("miscue") or not jumps or shot.settings.jump_miscue == "legal":
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
