"""Snooker: what follows from a stroke, a foul, a choice, and the end of a frame, in the order of its rule book.

The penalties of section 3.11 are in ``snooker_penalties``. Points of a foul go to the other side (SN-3.10.3a); nothing
is taken from anybody. In doubles the sides score and the persons play in turn (SN-3.14).
"""

import math
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from referee.rules.administration import finish_frame, who
from referee.rules.engine import Game, Shot
from referee.rules.facts import CUE
from referee.rules.geometry_snooker import (
    COLOURS,
    may_be_angled,
    reds_triangle,
    snookered,
    snookered_in_d,
    spot_colours,
)
from referee.rules.officials import Official
from referee.rules.outcome import Call, Finding, MatchEnd, Outcome, call, nothing_played
from referee.rules.snooker_calls import break_over, score_calls, spot_calls, touching_calls
from referee.rules.snooker_miss import LOSING_FAILURES, called, counted
from referee.rules.snooker_part import SnookerPart
from referee.rules.snooker_penalties import (
    FOULS,
    REDS,
    SnookerShot,
    before_nomination,
    first_on,
    is_red,
    reds,
    value,
)
from referee.rules.snooker_setup import check_rack, complete, readings
from referee.rules.state import Option, State
from referee.rules.table import Table
from tracking.records import Answer, ShotRecord, before
from tracking.strict_json import MalformedRecord, Point

LEAST_PENALTY = 4
UNMOVED_MM = 0.1
A_FRAME_UNPLAYED = 147


class Snooker(Game):
    name = "snooker"
    ball_names = frozenset({CUE, *COLOURS, *REDS})
    ons = frozenset({"red", "colour", *COLOURS})
    doubtful_clauses: ClassVar = ("SN-3.3.3a", "SN-3.3.3a", "SN-2.11.1")
    turn_clause = "SN-3.3.1"
    checks = FOULS.checks
    shot_type = SnookerShot
    warns_of_placement = False  # SN-5.1.2b

    # -------------------------------------------------------------------------------- the start of a frame (3.2, 3.3)

    def alike(self, ball: str) -> Hashable:
        return ball.partition("-")[0]

    def unseen(self, state: State, record: ShotRecord) -> tuple[str, ...]:
        """A colour that was to be put on its spot and isn't there hasn't been put there (SN-3.11.2d)."""
        part = state.part
        assert isinstance(part, SnookerPart)
        return tuple(ball for ball in super().unseen(state, record) if ball not in part.spotted)

    def opening(self, table: Table) -> dict[str, Point]:
        return {**{colour: table.spots[colour] for colour in COLOURS}, **reds_triangle(table)}

    def begin_frame(self, state: State) -> State:
        rack = self.opening(state.table)
        part = replace(state.part, respotted_black=False, spotted={})
        return replace(
            state,
            balls=frozenset(rack),
            positions=rack,
            cue_ball="in_hand_D",
            on=("red",),
            free_ball=False,
            part=part,
        )

    def check_rack(self, shot: Shot) -> Outcome:
        return check_rack(shot)

    # -------------------------------------------------------------------------------- a stroke (3.3 to 3.9)

    def stroke(self, shot: Shot) -> Outcome:
        assert isinstance(shot, SnookerShot)
        fell_first = self._fell_before_it_was_hit(shot)
        findings = () if shot.condoned else self._findings(shot)
        if fell_first:
            if not self._hit_before_the_fall(shot):
                findings = tuple(each for each in findings if each.clause not in CAUSED_BY_THE_FALL)
            return self._foul(shot, findings, put_back=True) if findings else self._replayed(shot)
        return self._foul(shot, findings) if findings else self._legal(shot)

    def _findings(self, shot: SnookerShot) -> tuple[Finding, ...]:
        found = list(FOULS.found(shot))
        if shot.state.sides.of(shot.offender) != shot.state.side and not shot.facts.seen("out_of_turn"):
            found = [each for each in found if each.clause in BY_ANYBODY]
        if found and before_nomination(shot):
            what = "foul after a red, before a colour was nominated"
            found.insert(0, Finding(clause="SN-3.11.4a", value=7, what=what))
        found = [replace(each, value=max(LEAST_PENALTY, each.value)) for each in found]
        return tuple(sorted(found, key=lambda each: -each.value))

    def _fell_before_it_was_hit(self, shot: SnookerShot) -> bool:
        """A hanging ball that would have been hit fell first: all is put back (SN-3.8.2)."""
        return any(
            bool(shot.ask("would_have_hit", (False, True), clause="SN-3.8.2a", ball=fell.ball))
            for fell in shot.facts.fallen
            if before(fell, shot.facts.strikes[0]) is not Answer.YES
        )

    def _hit_before_the_fall(self, shot: SnookerShot) -> bool:
        """Whether a ball had been hit before one fell, so that the fall has nothing to do with which it was."""
        facts = shot.facts
        hits = [hit for hit in facts.cue_contacts if hit.certain]
        return any(before(hit, fell) is Answer.YES for hit in hits for fell in facts.fallen)

    def _legal(self, shot: SnookerShot) -> Outcome:
        points, counted, down = self._scored(shot)
        restore = shot.put_back
        spot, unknown = self._spots(shot, self._to_spot(shot) - down, restore)
        broke = shot.state.break_points + points
        state = shot.left(
            spot=spot,
            unknown=unknown,
            restore=restore,
            score=shot.state.add({shot.state.sides.of(shot.offender): points}),
            cue_ball=self._cue_ball(shot),
            free_ball=False,
            foul_by=None,
            part=replace(shot.part, spotted=spot, failures=0),
        )
        left = state.balls
        if points:
            on = ("colour",) if shot.state.on == ("red",) else first_on(left)
            state = replace(state, break_points=broke, on=on)
        else:
            on = first_on(left)
            state = replace(state, break_points=0, on=on, striker=shot.state.follower())
        outcome = Outcome(
            state=state,
            legal=True,
            penalty=0,
            points={shot.state.sides.of(shot.offender): points},
            score=state.score,
            potted=counted,
            spot=spot,
            restore=restore,
            match=self._match(state),
            calls=score_calls(shot, state, points, broke, spot),
        )
        return self._over(replace(outcome, made=broke)) if points and self._only_black(shot) else outcome

    def _scored(self, shot: SnookerShot) -> tuple[int, tuple[str, ...], frozenset[str]]:
        """Points, the balls that count, and the colours that stay down (SN-3.3.5 to 3.3.7, 3.9.5 to 3.9.7)."""
        potted, free, on = shot.potted, shot.free_ball, shot.state.on
        if on == ("red",):
            counted = tuple(ball for ball in potted if is_red(ball) or ball == free)
            return len(counted), counted, frozenset()
        if shot.colour_on:
            counted = tuple(ball for ball in potted if ball in shot.true_on)
            return sum(map(value, counted)), counted, frozenset()
        counted = tuple(ball for ball in potted if ball in on) or tuple(ball for ball in potted if ball == free)
        return (value(on[0]) if counted else 0), counted, frozenset(on) & frozenset(counted)

    def _to_spot(self, shot: SnookerShot) -> frozenset[str]:
        """Colours that are to be put on the table again (SN-2.11.2, 2.13.2, 2.11.2b)."""
        gone = {ball for ball in (*shot.potted, *shot.off_table) if ball in COLOURS}
        return frozenset(gone) | {ball for ball, there in shot.missing_colours.items() if not there}

    def _spots(
        self, shot: SnookerShot, colours: Collection[str], restore: Mapping[str, Point]
    ) -> tuple[dict[str, Point], list[str]]:
        """Where these colours go (SN-3.6), and those of which that isn't known."""
        if not colours:
            return {}, []
        settings, places = shot.settings, shot.after
        if places is not None:
            lying = {ball: place for ball, place in {**places, **restore}.items() if ball not in colours}
            by_own_spot = settings.spotting_order == "own_spot_first"
            clearance = settings.clearance_mm
            return (
                spot_colours(colours, lying, shot.table, clearance_mm=clearance, own_spot_first=by_own_spot),
                [],
            )
        spots: dict[str, Point] = {}
        unknown = []
        for colour in sorted(colours, key=COLOURS.index, reverse=True):
            place = shot.ask("spot_place", (True, False), clause="SN-3.6.1", ball=colour)
            if place is False:
                unknown.append(colour)
            else:
                spots[colour] = _named_place(place, shot.table, colour)
        return spots, unknown

    def _cue_ball(self, shot: SnookerShot) -> str | Point:
        """In hand after an in-off or off the table (SN-2.7.1), else where it came to rest (SN-3.10.1e)."""
        if CUE in (*shot.potted, *shot.off_table):
            return "in_hand_D"
        if shot.facts.stroke or not shot.state.in_hand:
            return "as_it_lies"
        return self._cue_ball_of_an_incident(shot)

    def _cue_ball_of_an_incident(self, shot: SnookerShot) -> str | Point:
        """A foul made after the cue ball in hand was placed puts it in play where it lies (SN-2.7.2)."""
        said = shot.oracle.confirmed("placed")
        if said is None and shot.record.before is not None:
            said = CUE in shot.present
        if said is None and shot.state.placed is not None:
            said = True
        if said is None:
            said = shot.ask("placed", (False, True), clause="SN-2.7.2")
        return "as_it_lies" if said else shot.state.cue_ball

    def _replayed(self, shot: SnookerShot) -> Outcome:
        """The stroke counts for nothing and is played again from where all balls lay (SN-3.8.2a)."""
        state, restore = self._put_back(shot)
        return nothing_played(
            replace(state, strokes=shot.state.strokes),
            legal=True,
            penalty=0,
            restore=restore,
            match=self._match(state),
            calls=(call("stroke_replayed"),),
        )

    def _put_back(self, shot: SnookerShot) -> tuple[State, dict[str, Point]]:
        """The state before the stroke, and the balls that have to be moved for it."""
        places, rest = shot.before or {}, shot.after or {}
        restore = {ball: place for ball, place in places.items() if not _lies_at(rest.get(ball), place)}
        cue_ball = places.get(CUE, shot.state.cue_ball)
        return replace(shot.state, balls=shot.present, positions=places, cue_ball=cue_ball, options=()), restore

    # -------------------------------------------------------------------------------- a foul (3.10)

    def _foul(self, shot: SnookerShot, findings: tuple[Finding, ...], *, put_back: bool = False) -> Outcome:
        sides, offender = shot.state.sides, shot.offender
        penalty = max(each.value for each in findings)
        points = {sides.opponent(offender): penalty}
        if put_back:
            state, restore = self._put_back(shot)
            spot: dict[str, Point] = {}
            unknown: list[str] = []
        else:
            restore = shot.put_back
            spot, unknown = self._spots(shot, self._to_spot(shot), restore)
            state = shot.left(
                spot=spot,
                unknown=unknown,
                restore=restore,
                cue_ball=self._cue_ball(shot),
            )
        next_player = self._after_foul_by(shot.state, offender)
        state = replace(
            state,
            score=shot.state.add(points),
            striker=next_player,
            on=first_on(state.balls),
            free_ball=False,
            break_points=0,
            foul_by=offender,
            before=shot.left().before,
        )
        miss = called(shot, state)
        state = replace(state, part=replace(counted(shot, miss), spotted=spot))
        outcome = Outcome(
            state=state,
            legal=False,
            fouls=findings,
            penalty=penalty,
            points=points,
            score=state.score,
            spot=spot,
            restore=restore,
            match=self._match(state),
            calls=(
                *break_over(shot),
                call("foul_and_miss" if miss else "foul", points=penalty),
                *spot_calls(spot, shot.table),
            ),
        )
        if self._only_black(shot):
            return self._over(outcome)
        failures = state.part.failures
        if failures == LOSING_FAILURES:
            return self._frame_over(outcome, "lost", sides.opponent(offender))
        if failures == LOSING_FAILURES - 1:
            outcome = replace(outcome, calls=(*outcome.calls, call("last_miss", player=offender)))
        return self._with_options(shot, outcome, miss)

    def _after_foul_by(self, state: State, offender: str) -> str:
        """Who plays next: the one who follows the player whose turn it was; he himself if the other side fouled."""
        assert state.striker is not None
        if state.sides.of(offender) != state.side:
            return state.striker
        return state.follower()

    def _with_options(self, shot: SnookerShot, outcome: Outcome, miss: bool) -> Outcome:
        state = outcome.state
        assert state.striker is not None
        hidden = self._is_snookered(shot, state)
        angled = not state.in_hand and self._is_angled(shot, state)
        ids = [("play_again", "SN-3.10.3b")]
        ids += [("replay", "SN-3.10.3c")] if miss else []
        ids += [("free_ball", "SN-3.9.1")] if hidden else []
        ids += [("from_D", "SN-2.16.r2")] if angled and shot.settings.angled_remedy == "from_D" else []
        options = tuple(Option(id=each, player=state.striker, clause=clause) for each, clause in ids)
        calls = [*outcome.calls]
        calls += [call("in_hand")] if state.in_hand else []
        calls += [call("free_ball")] if hidden else []
        calls += [call("angled")] if angled else []
        calls += touching_calls(state)
        return replace(outcome, state=replace(state, options=options, free_ball=hidden), calls=tuple(calls))

    def _is_snookered(self, shot: SnookerShot, state: State) -> bool:
        """Whether the next striker is snookered (SN-2.15, SN-3.9.1)."""
        places = state.positions
        on = _balls_on(state)
        known = all(ball in places for ball in state.balls - {CUE}) and (state.in_hand or CUE in places)
        said = shot.oracle.confirmed("snookered")
        if said is not None:
            return bool(said)
        if not on:
            return False
        test = shot.settings.snookered

        def hidden(table: Table) -> bool:
            if state.in_hand:
                return snookered_in_d(places, on, table, test)
            return snookered(places[CUE], places, on, table, test)

        return shot.in_doubt(hidden if known else None, "snookered", "SN-3.9.1")

    def _is_angled(self, shot: SnookerShot, state: State) -> bool:
        """Whether the cue ball is left angled by the foul (SN-2.16); a camera can only say where it may be."""
        said = shot.oracle.confirmed("angled")
        if said is not None:
            return bool(said)
        places = state.positions
        on = _balls_on(state)
        if all(ball in places for ball in (CUE, *on)) and not may_be_angled(places[CUE], places, on, shot.table):
            return False
        return bool(shot.ask("angled", (False, True), clause="SN-2.16.1"))

    # -------------------------------------------------------------------------------- between strokes (3.8.1, 3.12)

    def incident(self, shot: Shot) -> Outcome:
        assert isinstance(shot, SnookerShot)
        findings = () if shot.condoned else self._findings(shot)
        if findings:
            return self._foul(shot, findings)
        state = shot.state
        if not shot.record.events and not any(seen.kind != "confirm" for seen in shot.record.observed):
            return nothing_played(state, match=self._match(state))
        restore = shot.put_back
        spot, unknown = self._spots(shot, self._to_spot(shot) if shot.potted else (), restore)
        after = replace(
            shot.left(spot=spot, unknown=unknown, restore=restore),
            options=state.options,
            before=state.before,
            placed=state.placed,
            part=replace(shot.part, spotted=spot) if shot.record.events else shot.part,
        )
        calls: tuple[Call, ...] = (call("ball_replaced"),) if restore else ()
        return nothing_played(
            after, legal=True, penalty=0, spot=spot, restore=restore, match=self._match(after), calls=calls
        )

    # -------------------------------------------------------------------------------- choices (3.10.3, 2.16)

    def choices(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        if line.option == "free_ball":
            chosen = tuple(each for each in state.options if each.id == "free_ball")
            return last.again(replace(state, options=chosen, free_ball=True), calls=(call("free_ball"),))
        if line.option == "from_D":
            return last.again(self._taken_in_hand(state), calls=(call("in_hand"),))
        offender = self._offender(state)
        if line.option == "play_again":
            part = replace(state.part, failures=0)
            again = replace(state, striker=offender, free_ball=False, options=(), foul_by=None, part=part)
            return last.again(again, calls=(call("play_again", player=offender),))
        if line.option == "replay" and state.before is not None:
            return self._replay(state, state.before, offender, last)
        return None

    def _taken_in_hand(self, state: State) -> State:
        """The cue ball in hand (SN-2.16.r2); who may place it may be snookered no more (SN-2.15.2)."""
        on = _balls_on(state)
        known = all(ball in state.positions for ball in state.balls - {CUE})
        free = state.free_ball and not (
            known and not snookered_in_d(state.positions, on, state.table, state.settings.snookered)
        )
        options = tuple(each for each in state.options if free and each.id == "free_ball")
        return replace(state, options=options, free_ball=free, cue_ball="in_hand_D", balls=state.balls - {CUE})

    def _offender(self, state: State) -> str:
        """The person who fouled last; where only his side is known, the one who played before the striker."""
        if state.foul_by in state.order:
            return str(state.foul_by)
        assert state.striker is not None
        return state.order[state.order.index(state.striker) - 1]

    def _replay(self, state: State, prior: State, offender: str, last: Outcome) -> Outcome:
        """From the original position; reds that fell or left the table stay out (SN-3.10.3c, POL-11)."""
        out = (
            frozenset(reds(prior.balls)) - state.balls if state.settings.miss_replay == "reds_stay_out" else frozenset()
        )
        balls = prior.balls - out
        places = {ball: place for ball, place in prior.positions.items() if ball in balls}
        restore = {ball: place for ball, place in places.items() if not _lies_at(state.positions.get(ball), place)}
        again = replace(
            state,
            striker=offender,
            balls=balls,
            positions=places,
            on=prior.on if prior.on != ("red",) or reds(balls) else first_on(balls),
            free_ball=prior.free_ball,
            cue_ball=places.get(CUE, prior.cue_ball),
            options=(),
            foul_by=None,
            before=None,
        )
        spot = {ball: place for ball, place in last.spot.items() if ball not in restore}
        calls = (call("balls_replaced", player=offender),)
        return last.again(again, restore=restore, spot=spot, calls=calls)

    # -------------------------------------------------------------------------------- the end of a frame (3.3.8, 4.3)

    def _only_black(self, shot: SnookerShot) -> bool:
        return shot.balls - {CUE} == {"black"}

    def _over(self, outcome: Outcome) -> Outcome:
        """With only the black left the first score or foul ends the frame, unless the scores are equal (SN-3.3.8)."""
        state = outcome.state
        part: SnookerPart = state.part
        totals = self._totals(state)
        if part.aggregate is not None:
            last = part.last_frame or part.frames_left == 0
            level = last and len(set(totals.values())) == 1  # SN-3.3.8.n
        else:
            level = len(set(state.score.values())) == 1
        if level:
            return self._black_again(outcome)
        return self._frame_over(outcome, "won")

    def _black_again(self, outcome: Outcome) -> Outcome:
        """The black is spotted, lots are drawn and play goes on from the D (SN-3.3.8a to c)."""
        spot = {"black": outcome.state.table.spots["black"]}
        state = replace(
            outcome.state,
            striker=None,
            balls=frozenset(spot),
            positions=spot,
            cue_ball="in_hand_D",
            on=("black",),
            break_points=0,
            foul_by=None,
            options=(),
            before=None,
            part=replace(outcome.state.part, respotted_black=True, spotted=spot),
        )
        return replace(outcome, state=state, spot=spot, calls=(*outcome.calls, call("respotted_black")))

    def _frame_over(self, outcome: Outcome, result: str, winner: str | None = None, fine: int = 0) -> Outcome:
        """The frame to the higher score (SN-3.1b), or to the side it is given; ``fine``: off the loser's aggregate."""
        state = outcome.state
        part: SnookerPart = state.part
        first, second = state.sides.names
        ahead = state.score[first] - state.score[second]
        if winner is None and ahead:
            winner = first if ahead > 0 else second
        if winner is None and result == "won":
            result = "tied"
        totals = self._totals(state)
        if winner is not None:
            totals[state.sides.opponent(winner)] -= fine
        left = None if part.frames_left is None else max(0, part.frames_left - 1)
        over = replace(
            part,
            aggregate=None if part.aggregate is None else totals,
            frames_left=left,
            last_frame=part.last_frame or part.frames_left == 0,
            spotted={},
        )
        ended = replace(outcome, state=replace(state, part=over), spot={} if result == "tied" else outcome.spot)
        done = finish_frame(self, replace(ended, spot={}), winner=winner, result=result)
        if done.state.finished:
            return done
        part = replace(done.state.part, last_frame=left == 0)
        return replace(done, state=replace(done.state, part=part))

    def match_end(self, state: State, winner: str | None) -> MatchEnd:
        part: SnookerPart = state.part
        if part.aggregate is None:
            return super().match_end(state, winner)
        first, second = state.sides.names
        ahead = part.aggregate[first] - part.aggregate[second]
        best = None if ahead == 0 else first if ahead > 0 else second
        return MatchEnd(over=part.last_frame, winner=best if part.last_frame else None, aggregate=part.aggregate)

    def _totals(self, state: State) -> dict[str, int]:
        """Each side's points over all frames up to now."""
        earlier = state.part.aggregate or {}
        return {side: earlier.get(side, 0) + state.score[side] for side in state.sides.names}

    def _match(self, state: State) -> MatchEnd:
        return MatchEnd(aggregate=None if state.part.aggregate is None else self._totals(state))

    def own_official(self, state: State, line: Official, last: Outcome) -> Outcome | None:
        if line.kind == "concede":
            loser = state.sides.of(who(state, line.player, "player"))
            if state.settings.concession == "striker" and state.striker is not None and loser != state.side:
                raise MalformedRecord("player", "the striker, who alone may concede", line.player)
            return self._frame_over(nothing_played(state), "conceded", state.sides.opponent(loser))
        if line.kind == "award":
            winner = state.sides.of(who(state, line.to, "to"))
            claim = line.reason == "claim" and state.settings.last_black == "claim"
            return self._claimed(state, winner) if claim else self._awarded(state, winner)
        if line.kind == "toss" and state.strokes:
            outcome = last.again(self._drawn(state, who(state, line.winner, "winner")))
            return replace(outcome, calls=(call("won_toss", winner=line.winner),))
        return None

    def _drawn(self, state: State, winner: str) -> State:
        """Who won the lot plays the respotted black; of a pair any (SN-3.3.8b, 3.14.4)."""
        person = state.person(winner)
        start = state.order.index(person)
        return replace(state, striker=person, order=state.order[start:] + state.order[:start])

    def _claimed(self, state: State, winner: str) -> Outcome:
        """The frame on the last black, with a lead of more than its value (DIF-9)."""
        lead = state.score[winner] - state.score[state.sides.opponent(winner)]
        if state.balls - {CUE} != {"black"} or lead <= value("black"):
            raise MalformedRecord("for", "a claim with only the black left and a lead of more than seven", "claim")
        return self._frame_over(nothing_played(state), "won", winner)

    def _awarded(self, state: State, winner: str) -> Outcome:
        """The offender's points are annulled, the other side gets what is on the table, a red for eight (SN-4.3)."""
        loser = state.sides.opponent(winner)
        left = 8 * len(reds(state.balls)) + sum(value(ball) for ball in state.balls if ball in COLOURS)
        points = {winner: left, loser: -state.score[loser]}
        given = replace(state, score=state.add(points))
        outcome = nothing_played(given, points=points)
        fine = A_FRAME_UNPLAYED * (state.part.frames_left or 0)
        return self._frame_over(outcome, "awarded", winner, fine)

    # -------------------------------------------------------------------------------- states of cases

    def read_part(self, data: Mapping[str, Any], state: State, dot: str) -> SnookerPart:
        return SnookerPart.from_json(data, state.sides, dot)

    def part_json(self, state: State) -> dict[str, Any]:
        part: SnookerPart = state.part
        return part.to_json()

    def complete(self, state: State, given: Collection[str]) -> State:
        return complete(state, given)

    def readings(self, state: State) -> Iterator[State]:
        return readings(state)


BY_ANYBODY = ("SN-3.11.2e", "SN-3.11.4b")
"""What a player who isn't at the table can do."""
CAUSED_BY_THE_FALL = ("SN-3.11.1f", "SN-3.11.2b", "SN-3.11.3", "SN-3.11.4c")
"""Not hitting the ball on, where it fell before it could be hit (SN-3.8.2)."""


def _balls_on(state: State) -> list[str]:
    return [ball for ball in state.balls if ball in state.on or (is_red(ball) and state.on == ("red",))]


def _lies_at(place: Point | None, wanted: Point) -> bool:
    return place is not None and math.dist(place, wanted) <= UNMOVED_MM


def _named_place(place: Any, table: Table, colour: str) -> Point:
    """Where the referee spotted a colour: a position, another colour's spot, or its own."""
    if isinstance(place, tuple):
        return float(place[0]), float(place[1])
    return table.spots.get(str(place), table.spots[colour])
