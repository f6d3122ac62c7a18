"""The course of a match beside the strokes: frames' ends, and the official lines that all games treat alike."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from referee.rules.facts import CUE
from referee.rules.officials import Official
from referee.rules.outcome import Call, FrameEnd, MatchEnd, Outcome, call, nothing_played
from referee.rules.state import Option, State
from tracking.strict_json import MalformedRecord

if TYPE_CHECKING:
    from referee.rules.engine import Game


def finish_frame(game: "Game", outcome: Outcome, *, winner: str | None, result: str) -> Outcome:
    """The outcome with the frame ended: the match ended too, or the state before the next frame's first stroke."""
    state = replace(outcome.state, breaker=opener_of(outcome.state))
    frames = dict(state.frames)
    if winner is not None:
        frames[winner] += 1
    counted = replace(state, frames=frames, options=(), foul_by=None, before=None, record=None)
    match = game.match_end(counted, winner)
    calls = [*outcome.calls, call("frame_" + result, winner=winner, score=dict(outcome.score))]
    if match.over:
        after = replace(
            counted,
            striker=None,
            finished=True,
            champion=match.winner,
            ending=(winner, result),
            free_ball=False,
            break_points=0,
        )
        calls.append(_match_call(match, frames, state))
    else:
        first = game.opener(state, winner)
        order = state.order if first is None else rotated(state.order, first)
        after = game.begin_frame(
            replace(
                counted, striker=first, order=order, breaker=None, score=state.sides.zero(), break_points=0, strokes=0
            )
        )
    end = FrameEnd(over=True, winner=winner, result=result)
    return replace(outcome, state=after, frame=end, match=match, calls=tuple(calls))


def _match_call(match: MatchEnd, frames: Mapping[str, int], state: State) -> Call:
    if match.winner is None:
        return call("match_drawn")
    loser = state.sides.opponent(match.winner)
    if match.aggregate is not None:
        won, lost = match.aggregate[match.winner], match.aggregate[loser]
        return call("match_won_on_points", winner=match.winner, won=won, lost=lost)
    return call("match_won", winner=match.winner, won=frames[match.winner], lost=frames[loser])


def replay_frame(game: "Game", state: State) -> State:
    """The state for playing this frame again: the same opener, the same order, no points."""
    opener = opener_of(state)
    order = state.order if opener is None else rotated(state.order, opener)
    return game.begin_frame(
        replace(
            state,
            striker=opener,
            order=order,
            breaker=None,
            score=state.sides.zero(),
            break_points=0,
            strokes=0,
            options=(),
            foul_by=None,
            before=None,
            record=None,
            free_ball=False,
        )
    )


def opener_of(state: State) -> str | None:
    """Who opens or opened this frame, None where nobody knows."""
    return state.breaker or (state.striker if state.strokes == 0 else None)


def rotated(order: tuple[str, ...], first: str) -> tuple[str, ...]:
    start = order.index(first) if first in order else 0
    return order[start:] + order[:start]


# ---------------------------------------------------------------------------------------------- official lines


def who(state: State, name: str | None, field: str) -> str:
    """A side or person named in a line."""
    return state.sides.read(name, field)


def _concede(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    winner = state.sides.opponent(who(state, line.player, "player"))
    return finish_frame(game, nothing_played(state), winner=winner, result="conceded")


def _award(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    winner = state.sides.of(who(state, line.to, "to"))
    return finish_frame(game, nothing_played(state), winner=winner, result="awarded")


def _disqualify(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    loser = who(state, line.player, "player")
    award = Official(kind="award", to=state.sides.opponent(loser), reason="disqualified")
    outcome = game.official(state, award, last)
    return out_of_the_match(outcome, state.sides.opponent(loser))


def out_of_the_match(outcome: Outcome, winner: str) -> Outcome:
    """The outcome with the match over for this side: the other one is excluded (SN-4.2)."""
    state = replace(outcome.state, striker=None, finished=True, champion=winner, options=())
    end = MatchEnd(over=True, winner=winner, aggregate=outcome.match.aggregate)
    return replace(outcome, state=state, match=end, calls=(*outcome.calls, call("disqualified", winner=winner)))


def _void(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    again = replay_frame(game, state)
    end = FrameEnd(over=True, winner=None, result="void")
    return nothing_played(again, frame=end, rack="full", calls=(call("frame_void"),))


def _warn(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    players = line.players or ((line.player,) if line.player else state.sides.names)
    names = [who(state, each, "player") for each in players]
    return nothing_played(state, calls=(call("warn_" + str(line.about), players=names),))


def _ask(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    who(state, line.player, "player")
    if line.about == "difference":
        first, second = (state.score[side] for side in state.sides.names)
        points = abs(first - second)
        return nothing_played(state, answer=points, calls=(call("difference", points=points),))
    at = state.placed or state.positions.get(CUE)
    if at is None:
        return nothing_played(state, calls=(call("place_first"),))
    good = game.may_place(state, at)
    return nothing_played(state, answer=good, calls=(call("placement_good" if good else "placement_bad"),))


def _place(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    assert line.at is not None
    good = not state.in_hand or game.may_place(state, line.at)
    calls: tuple[Call, ...] = (call("place_again"),) if game.warns_of_placement and not good else ()
    return nothing_played(replace(state, placed=line.at if state.in_hand else state.placed), calls=calls)


def _order(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    if state.before is not None:
        raise MalformedRecord("kind", "another line: the order is fixed before the first stroke (SN-3.14.1)", line.kind)
    order = tuple(who(state, each, "players") for each in line.players)
    sides = [state.sides.of(each) for each in order]
    alternate = all(a != b for a, b in pairwise(sides))
    if set(order) != set(state.sides.persons) or len(order) != len(state.sides.persons) or not alternate:
        raise MalformedRecord("players", "every player once, the sides in turn", list(line.players))
    return nothing_played(replace(state, order=order, striker=None if state.finished else order[0]))


def _restored(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    places = line.balls or {}
    unknown = [ball for ball in places if ball not in game.ball_names]
    if unknown:
        raise MalformedRecord(f"balls.{unknown[0]}", "a ball of this game", unknown[0])
    positions = {**state.positions, **places} if state.positions else dict(state.positions)
    return last.again(replace(state, balls=state.balls | frozenset(places), positions=positions))


def _won_the_break(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    winner = who(state, line.winner, "winner")
    person = state.person(winner)
    chosen = replace(state, striker=person, order=rotated(state.order, person))
    return nothing_played(chosen, calls=(call("won_" + line.kind, winner=winner),))


def break_choice(state: State, winner: str, clause: str) -> State:
    """The state in which the winner of a lag or lot breaks, or has the other one break (PG-6b)."""
    options = tuple(Option(id=each, player=winner, clause=clause) for each in ("break_self", "break_other"))
    return replace(state, striker=winner, order=rotated(state.order, winner), options=options)


def _choose(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    player, option = who(state, line.player, "player"), line.option or ""
    side = state.sides.of(player)
    open_ids = [each.id for each in state.options if state.sides.of(each.player) == side]
    if option in open_ids:
        if option in ("break_self", "break_other"):
            first = state.person(player) if option == "break_self" else state.follower(player)
            begun = replace(state, striker=first, order=rotated(state.order, first), options=())
            return nothing_played(begun)
        outcome = game.choices(state, line, last)
        if outcome is not None:  # a ball that falls later no longer belongs to the stroke that is settled by this
            return replace(outcome, state=replace(outcome.state, record=None))
    if option == "accept" and open_ids:  # always possible: what holds if nobody chooses
        return last.again(replace(state, options=()))
    allowed = "one of the open options of this player: " + (", ".join(open_ids) or "none")
    raise MalformedRecord("option", allowed, option)


def _no_change(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    return last.again(state)


OFFICIALS: dict[str, Callable[["Game", State, Official, Outcome], Outcome]] = {
    "toss": _won_the_break,
    "lag": _won_the_break,
    "order": _order,
    "choose": _choose,
    "concede": _concede,
    "warn": _warn,
    "award": _award,
    "disqualify": _disqualify,
    "void": _void,
    "restored": _restored,
    "place_cue_ball": _place,
    "ask": _ask,
    "rack": _no_change,
}


def treat(game: "Game", state: State, line: Official, last: Outcome) -> Outcome:
    """What follows from a line of a kind that needs no knowledge of the game."""
    handler = OFFICIALS.get(line.kind)
    return nothing_played(state) if handler is None else handler(game, state, line, last)
