"""Folding records and official lines into a match's course, also where some of them leave questions open.

A :class:`Course` holds the states that are possible after what was judged so far: one, unless a question is open
whose answer changes the state. The next record is judged in each of them, and the verdict is what they agree on.
"""

import math
import operator
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from referee.rules.engine import Game, confirmed, question_of_on, question_of_turn
from referee.rules.facts import CUE
from referee.rules.identity import names_known
from referee.rules.officials import Official
from referee.rules.outcome import Outcome
from referee.rules.questions import MOST_RUNS, Branch, Oracle, Question, TooManyQuestions, deciding, explore, numbered
from referee.rules.state import State
from referee.rules.verdict import Asked, Verdict, common_calls, merged, outcome_fields
from tracking.records import Pocket, ShotRecord
from tracking.strict_json import MalformedRecord

LEAST_RUNS = 16
"""So many runs of a record are made in each possible state even if there are many of these."""

ENDING = ("concede", "award", "disqualify", "void")
"""Lines that end a frame, or the match, from whatever state."""

OF_POTS = ("potted", "spot_place")
"""Questions to which the balls before the next stroke are an answer."""

ON_SPOT_MM, FAR_MM = 15.0, 300.0
"""A ball that a hand puts on its spot lies so near to it, and one that ran to a pocket farther away doesn't."""

MOST_WORLDS = 48
"""More possible states than this are not told apart: the course is lost until a new frame or a correction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One possible state, the outcome of the last stroke in it, and the questions that keep it apart from others."""

    state: State
    last: Outcome | None = None
    asked: tuple[Asked, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What may be the case now. ``lost``: beside these worlds there are others that were not followed up."""

    worlds: tuple[World, ...]
    lost: tuple[Asked, ...] = ()

    @property
    def likely(self) -> World:
        """The first world: what holds if every open question has its likeliest or most harmless answer."""
        return self.worlds[0]

    @property
    def open(self) -> tuple[Asked, ...]:
        """All questions of earlier shots that are still open."""
        found = dict.fromkeys(asked for world in self.worlds for asked in world.asked)
        return (*self.lost, *found)


def begin(state: State) -> Course:
    return Course(worlds=(World(state=state),))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """One reading: the outcome in one world with one set of answers."""

    world: World
    branch: Branch[Outcome]
    asked: tuple[Asked, ...]


def judge(game: Game, course: Course, record: ShotRecord, n: int | None, *, condoned: bool = False) -> "Judged":
    """The verdict on a shot record, and the course after it. Raises MalformedRecord where it can't be of this match."""
    known = confirmed(record)
    reads: list[_Read] = []
    questions: dict[Question, None] = {}
    lost = list(course.lost)
    worlds, settled = _fitting(game, course.worlds, record)
    most = max(LEAST_RUNS, MOST_RUNS // len(worlds))
    for world in worlds:
        for start, about in _starts(game, world.state):
            # Where several states are possible it is being asked already what is on the table.
            unseen = game.unseen(start, record) if len(worlds) == 1 else ()

            def run(oracle: Oracle, state: State = start, unseen: tuple[str, ...] = unseen) -> Outcome:
                return game.judge(state, record, oracle, condoned=condoned, unseen=unseen)

            try:
                branches = explore(run, known, most)
            except TooManyQuestions:
                lost.append(Asked(question=question_of_on(game), n=n))
                branches = [Branch(answers={}, result=run(Oracle(known)))]
            found = deciding(branches, _same)
            questions.update(dict.fromkeys(found))
            before = (*world.asked, *(Asked(question=q, n=n) for q in about))
            for branch in branches:
                own = tuple(Asked(question=q, n=n) for q in branch.answers if q in found)
                reads.append(_Read(world=world, branch=branch, asked=(*before, *own)))
    if any(read.branch.result is None for read in reads):
        lost += [asked for read in reads if read.branch.result is None for asked in read.asked]
    judged = _judged(game, reads, tuple(dict.fromkeys(lost)), list(questions), n, stroke=True)
    fields = judged.verdict.fields
    fields = {**fields, "potted": names_known(fields["potted"], record, known, game.alike, game.sort_of)}
    if settled:
        fields["settled"] = [each.to_json(None) for each in settled]
    return replace(judged, verdict=replace(judged.verdict, fields=fields), settled=settled)


def _fitting(game: Game, worlds: tuple[World, ...], record: ShotRecord) -> tuple[tuple[World, ...], tuple[Asked, ...]]:
    """The worlds whose balls are those that are seen before a record, and the questions that this settles.

    Where it is open whether a ball fell, the next picture of the table tells. Only what a camera has seen counts, of
    balls that are surely such, and only how many there are of each sort on which the worlds differ.
    """
    seen = record.present
    if len(worlds) == 1 or seen is None or record.doubtful or not worlds[0].state.settings.measured_mm:
        return worlds, ()
    if any(asked.question.question not in OF_POTS for world in worlds for asked in world.asked):
        return worlds, ()  # where names are in doubt, too, the balls that are there don't tell
    back = {ball for world in worlds if world.last is not None for ball in _put_on_its_spot(world.last, record)}
    spotted = [w for w in worlds if w.last is not None and back <= set(_put_on_its_spot(w.last, record))]
    if back and spotted and len(spotted) < len(worlds):
        if len(spotted) > 1:
            return tuple(spotted), ()
        return (replace(spotted[0], asked=()),), _asked_in(worlds)
    there = _sorts(game, seen)
    counts = [_sorts(game, world.state.balls) for world in worlds]
    differing = [sort for sort in {*there, *(s for each in counts for s in each)} if len({c[sort] for c in counts}) > 1]
    fitting = [w for w, c in zip(worlds, counts, strict=True) if all(c[sort] == there[sort] for sort in differing)]
    if not differing or not fitting:
        return worlds, ()
    if len(fitting) > 1:
        return tuple(fitting), ()
    return (replace(fitting[0], asked=()),), _asked_in(worlds)


def _asked_in(worlds: tuple[World, ...]) -> tuple[Asked, ...]:
    return tuple(dict.fromkeys(asked for world in worlds for asked in world.asked))


def _put_on_its_spot(last: Outcome, record: ShotRecord) -> Iterator[str]:
    """Balls that this outcome puts on a spot, and that lie there now though they ran to a pocket in the stroke.

    None rolls back from there to its spot: a hand put it there, since it had dropped.
    """
    stroke = last.state.record
    ran = {e.ball: e.pocket for e in stroke.events if isinstance(e, Pocket)} if stroke is not None else {}
    for ball, place in last.spot.items():
        now = (record.before or {}).get(ball)
        if ball not in ran or now is None or math.dist(now, place) > ON_SPOT_MM:
            continue
        if math.dist(place, last.state.table.pockets[ran[ball]]) > FAR_MM:
            yield ball


def _sorts(game: Game, balls: Collection[str]) -> Counter[Hashable]:
    """How many object balls there are of each sort that the game tells apart."""
    return Counter(game.alike(ball) for ball in balls if ball != CUE)


def declare(game: Game, course: Course, line: Official, n: int | None) -> "Judged":
    """The verdict on an official line, and the course after it; ``n`` is the number of the stroke before it.

    A line that is impossible in some of the possible worlds rules them out. Raises MalformedRecord where it is
    impossible in all.
    """
    known = {} if line.record is None else confirmed(line.record)
    reads: list[_Read] = []
    questions: dict[Question, None] = {}
    refused: MalformedRecord | None = None
    for world in course.worlds:

        def run(oracle: Oracle, start: World = world) -> Outcome:
            return game.official(start.state, line, start.last, oracle)

        try:
            branches = explore(run, known)
        except MalformedRecord as error:
            refused = refused or error
            continue
        found = deciding(branches, _same)
        questions.update(dict.fromkeys(found))
        for branch in branches:
            own = tuple(Asked(question=q, n=n) for q in branch.answers if q in found)
            reads.append(_Read(world=world, branch=branch, asked=(*world.asked, *own)))
    if not reads:
        assert refused is not None
        raise refused
    return _judged(game, reads, course.lost, list(questions), n, stroke=False, ends=line.kind in ENDING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A verdict and the course after it."""

    verdict: Verdict
    course: Course
    settled: tuple[Asked, ...] = ()
    """Questions of earlier shots that the balls before this one have answered."""


def _starts(game: Game, state: State) -> Iterator[tuple[State, tuple[Question, ...]]]:
    """The states in which a record may have begun: whose turn it was and what was on may be unknown."""
    strikers: list[State] = [state]
    about: tuple[Question, ...] = ()
    if state.striker is None:
        strikers = [replace(state, striker=person) for person in state.order]
        about = (question_of_turn(game),)
    for each in strikers:
        if each.on:
            yield each, about
        else:
            for reading in game.readings(each):
                yield reading, (*about, question_of_on(game))


def _judged(
    game: Game,
    reads: list[_Read],
    lost: tuple[Asked, ...],
    questions: list[Question],
    n: int | None,
    *,
    stroke: bool,
    ends: bool = False,
) -> Judged:
    good = [(read, read.branch.result) for read in reads if read.branch.result is not None]
    outcomes = [outcome for _, outcome in good]
    if not outcomes:
        raise MalformedRecord("events", "a record that leaves something to judge", "one with too many gaps")
    fields = [outcome_fields(outcome, game.state_json(outcome.state)) for outcome in outcomes]
    common = merged(fields)
    open_before: dict[Asked, None] = {}
    if len(good) > 1:
        open_before = _telling(good, [{**each, "state": None} for each in fields])
    # Beside lost worlds only a line that ends the frame whatever happened before is known to have ended it.
    ended = not stroke and (ends or not lost) and all(outcome.frame.over for outcome in outcomes)
    if lost:
        common = common if ended else _nothing_known(common)
        open_before.update(dict.fromkeys(lost))
    asked = [Asked(question=question, n=n) for question in questions]
    asked += [each for each in open_before if each not in asked]
    common["undecided"] = [each.to_json(n) for each in asked]
    worlds = _worlds([(read, outcome) for read, outcome in good], stroke=stroke)
    if len(worlds) > MOST_WORLDS:
        lost = (*lost, *(each for world in worlds for each in world.asked))
        worlds = worlds[:1]
    if ended or (outcomes[0].frame.over and len(worlds) == 1 and not lost):
        worlds = [replace(worlds[0], asked=())] if len(worlds) == 1 else worlds
        lost = ()
    calls = common_calls(outcomes) if not lost else ()
    course = Course(worlds=tuple(worlds), lost=tuple(dict.fromkeys(lost)))
    return Judged(verdict=Verdict(fields=common, calls=calls), course=course)


def _telling(good: list[tuple[_Read, Outcome]], fields: list[dict[str, Any]]) -> dict[Asked, None]:
    """The questions of earlier shots that keep readings with different verdicts apart."""
    kinds = numbered(fields, operator.eq)
    everywhere = set.intersection(*(set(read.asked) for read, _ in good))
    worlds = {(id(read.world), kind): read.world for (read, _), kind in zip(good, kinds, strict=True)}
    found: dict[Asked, None] = {}
    for (one, kind), world in worlds.items():
        for (other, another), its in worlds.items():
            if kind != another and one != other:
                found.update(dict.fromkeys((*world.asked, *its.asked)))
    alike: dict[Any, dict[int, _Read]] = {}
    for (read, _), kind in zip(good, kinds, strict=True):
        same = alike.setdefault((id(read.world), frozenset(read.branch.answers.items())), {})
        same.setdefault(kind, read)
    for same in alike.values():
        if len(same) > 1:
            found.update(dict.fromkeys(each for read in same.values() for each in read.asked if each in everywhere))
    return found


def _worlds(good: list[tuple[_Read, Outcome]], *, stroke: bool) -> list[World]:
    """The different states that are left, each once."""
    worlds: list[World] = []
    for read, outcome in good:
        last = outcome if stroke or read.world.last is None or outcome.legal is not None else read.world.last
        world = World(state=outcome.state, last=last, asked=read.asked)
        same = next((i for i, each in enumerate(worlds) if each.state == world.state and _same(each.last, last)), None)
        if same is None:
            worlds.append(world)
        else:
            kept = worlds[same]
            shared = tuple(each for each in kept.asked if each in world.asked)
            worlds[same] = replace(kept, asked=shared)
    if len(worlds) == 1:
        worlds[0] = replace(worlds[0], asked=())
    return worlds


def _same(one: Outcome | None, other: Outcome | None) -> bool:
    return one == other


_UNKNOWN: dict[str, Callable[[Any], Any]] = {
    "legal": lambda _: None,
    "fouls": lambda _: [],
    "penalty": lambda _: None,
    "potted": lambda _: [],
    "spot": lambda _: {},
    "restore": lambda _: {},
    "next": lambda old: {**old, "player": None, "on": None, "cue_ball": None, "free_ball": False, "options": []},
    "frame": lambda old: {**old, "over": False, "winner": None},
}


def _nothing_known(fields: dict[str, Any]) -> dict[str, Any]:
    """A verdict where anything may have happened."""
    points = dict.fromkeys(fields["points"], 0)
    score = {side: fields["score"][side] - fields["points"][side] for side in points}
    known = {name: _UNKNOWN[name](value) if name in _UNKNOWN else value for name, value in fields.items()}
    return {**known, "points": points, "score": score}
