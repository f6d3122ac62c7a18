"""The API of the running match: what officials enter, and what everybody may read."""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from referee.app.desk.desk import Desk
from referee.app.desk.games import games_json
from referee.app.desk.lines import MOST_DIFFERENCES, told
from referee.app.said import clause_in_words
from referee.app.server.access import REFEREE
from referee.app.server.answers import DONE, FOUND, NAMED, STATE
from referee.app.server.bodies import (
    AnswerBody,
    CorrectBody,
    InsertBody,
    NewMatchBody,
    NominationBody,
    ObservedLinesBody,
    OfficialBody,
    PutBackBody,
    SearchQuery,
    SettingBody,
    ShotBody,
    UndoBody,
)
from referee.app.server.endpoints import Call, Endpoint, Handler
from referee.app.server.errors import Refused
from referee.app.server.record_bodies import plain
from referee.rules.book import book


def desk_of(call: Call) -> Desk:
    """The running match. Raises Refused where there is none."""
    desk = call.house.matches.current
    if desk is None:
        raise Refused(409, "no match is running; set one up or resume one first")
    return desk


@contextlib.contextmanager
def unchanged(desk: Desk, after: int | None) -> Iterator[None]:
    """Nobody enters anything meanwhile; raises Refused where somebody did since ``after``."""
    with desk.lock:
        check_after(desk, after)
        yield


def check_after(desk: Desk, after: int | None) -> None:
    if after is not None and after != desk.seq:
        raise Refused(409, "something else was entered meanwhile; look again", "after")


def previewed(desk: Desk, after: int | None, line: Mapping[str, Any]) -> dict[str, Any]:
    """What a line would change; other inputs go on meanwhile."""
    check_after(desk, after)
    found = desk.preview(line)
    return {"differences": found[:MOST_DIFFERENCES], "total": len(found)}


def state(call: Call) -> dict[str, Any]:
    desk = call.house.matches.current
    if desk is None:
        return {"seq": 0, "state": {"match": None}}
    seq, state = desk.latest()
    return {"seq": seq, "state": state}


def games(call: Call) -> dict[str, Any]:
    return games_json()


def create(call: Call) -> dict[str, Any]:
    body: NewMatchBody = call.body
    header = plain(body)
    if body.players is not None and body.teams is not None:
        raise Refused(422, "players or teams, not both", "teams")
    return {"id": call.house.matches.create(header).id}


def search(call: Call) -> dict[str, Any]:
    query: SearchQuery = call.query
    found = call.house.matches.search(query.q, query.game, query.player)
    return {"matches": found[query.offset : query.offset + query.limit], "total": len(found)}


def resume(call: Call) -> dict[str, Any]:
    return {"id": call.house.matches.resume(call.path["id"]).id}


def end(call: Call) -> dict[str, Any]:
    desk = desk_of(call)
    call.house.matches.end()
    return {"id": desk.id}


def nominate(call: Call) -> dict[str, Any]:
    body: NominationBody = call.body
    desk = desk_of(call)
    desk.nominate(None if body.nominated is None else plain(body.nominated))
    return done(desk)


def observe(call: Call) -> dict[str, Any]:
    body: ObservedLinesBody = call.body
    desk, seen = desk_of(call), [plain(each) for each in body.observed]
    if body.incident:
        if body.n is not None:
            raise Refused(422, "n or incident, not both", "incident")
        with unchanged(desk, body.after):
            return done(desk, desk.shot({"type": "shot", "events": [], "observed": seen}))
    if body.n is not None and body.preview:
        return previewed(desk, body.after, desk.observed_line(body.n, seen))
    with unchanged(desk, body.after):
        return done(desk, desk.observe(body.n, seen))


def official(call: Call) -> dict[str, Any]:
    body: OfficialBody = call.body
    desk, line = desk_of(call), plain(body)
    line.pop("after", None)
    if line.pop("preview", False):
        return previewed(desk, body.after, line)
    with unchanged(desk, body.after):
        return done(desk, desk.official(line))


def answer(call: Call) -> dict[str, Any]:
    body: AnswerBody = call.body
    desk = desk_of(call)
    if body.preview:
        return previewed(desk, body.after, desk.answer_line(body.n, body.question, body.value, body.ball))
    with unchanged(desk, body.after):
        return done(desk, desk.answer(body.n, body.question, body.value, body.ball))


def undo(call: Call) -> dict[str, Any]:
    body: UndoBody = call.body
    desk = desk_of(call)
    if body.redo and body.line is not None:
        raise Refused(422, "line or redo, not both", "redo")
    if body.preview:
        return previewed(desk, body.after, {"kind": "undo"} if body.redo else desk.undo_line(body.line))
    with unchanged(desk, body.after):
        return done(desk, desk.redo() if body.redo else desk.undo(body.line))


def correct(call: Call) -> dict[str, Any]:
    body: CorrectBody = call.body
    desk = desk_of(call)
    if body.preview:
        return previewed(desk, body.after, desk.correct_line(body.n, plain(body.record)))
    with unchanged(desk, body.after):
        return done(desk, desk.correct(body.n, plain(body.record)))


def insert(call: Call) -> dict[str, Any]:
    body: InsertBody = call.body
    desk = desk_of(call)
    if body.preview:
        return previewed(desk, body.after, desk.insert_line(body.follows, plain(body.record)))
    with unchanged(desk, body.after):
        return done(desk, desk.insert(body.follows, plain(body.record)))


def shot(call: Call) -> dict[str, Any]:
    body: ShotBody = call.body
    desk = desk_of(call)
    return done(desk, desk.shot(plain(body.record)))


def setting(call: Call) -> dict[str, Any]:
    body: SettingBody = call.body
    desk = desk_of(call)
    desk.setting(body.name, body.value)
    return done(desk)


def put_back(call: Call) -> dict[str, Any]:
    body: PutBackBody = call.body
    if body.n is not None and body.positions is not None:
        raise Refused(422, "n or positions, not both", "positions")
    desk = desk_of(call)
    desk.put_back(body.n, body.positions)
    return done(desk)


def one_shot(call: Call) -> dict[str, Any]:
    """A shot's record and verdict, the texts of its clauses, and the events that prove each foul."""
    number = call.path["n"]
    desk = desk_of(call)
    found = desk.shot_in_full(int(number)) if number.isascii() and number.isdigit() and len(number) < 8 else None
    if found is None:
        raise Refused(404, "no such shot is in force")
    clauses = [foul["clause"] for foul in found["verdict"]["fouls"]]
    clauses += [each["clause"] for each in found["verdict"]["undecided"]]
    texts = book()
    known = [texts[name] for name in dict.fromkeys(clauses) if name in texts]
    return found | {"clauses": [clause_in_words(each) for each in known]}


def done(desk: Desk, verdict: dict[str, Any] | None = None) -> dict[str, Any]:
    """The answer to an input that was taken: the log line's number, and the verdict after it."""
    return {"seq": desk.seq, "verdict": told(verdict)}


INPUT = (400, 401, 403, 409, 413, 415, 422, 507)


def _input(
    path: str, handle: Handler, body: type[BaseModel], summary: str, returns: Mapping[str, Any] = DONE
) -> Endpoint:
    """Something that officials enter."""
    return Endpoint(
        method="POST",
        path=path,
        handle=handle,
        body=body,
        summary=summary,
        returns=returns,
        role=REFEREE,
        refusals=INPUT,
    )


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/state",
        handle=state,
        returns=STATE,
        summary="The running match as pages show it",
    ),
    Endpoint(method="GET", path="/api/games", handle=games, summary="Games, tables, rules and words for the pages"),
    Endpoint(
        method="GET",
        path="/api/matches",
        handle=search,
        returns=FOUND,
        query=SearchQuery,
        refusals=(422,),
        summary="The matches that are kept, the newest first",
    ),
    _input(
        "/api/matches", create, NewMatchBody, "Set up a match; the one that was running is set aside", returns=NAMED
    ),
    Endpoint(
        method="POST",
        path="/api/matches/{id}/resume",
        handle=resume,
        returns=NAMED,
        role=REFEREE,
        refusals=(404, 409, 507),
        summary="Go on with an earlier match",
    ),
    Endpoint(
        method="POST",
        path="/api/match/end",
        handle=end,
        returns=NAMED,
        role=REFEREE,
        refusals=(409, 507),
        summary="Set the running match aside; it can be resumed",
    ),
    _input("/api/nomination", nominate, NominationBody, "What is declared for the next stroke"),
    _input("/api/observed", observe, ObservedLinesBody, "What no camera sees"),
    _input("/api/official", official, OfficialBody, "A line of an official"),
    _input("/api/answer", answer, AnswerBody, "Settle a question"),
    _input("/api/undo", undo, UndoBody, "Take a line back"),
    _input("/api/correct", correct, CorrectBody, "Correct a shot's record; all that followed is judged anew"),
    _input("/api/insert", insert, InsertBody, "Put in a shot that wasn't recorded when it was played"),
    _input("/api/shot", shot, ShotBody, "Enter a record by hand"),
    _input("/api/setting", setting, SettingBody, "Change a setting"),
    _input("/api/putback", put_back, PutBackBody, "Which layout is to be restored"),
    Endpoint(
        method="GET",
        path="/api/shots/{n}",
        handle=one_shot,
        refusals=(404, 409),
        summary="A shot's record, verdict, clauses, and what proves them",
    ),
)
