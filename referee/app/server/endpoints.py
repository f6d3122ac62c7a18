"""How a request becomes a call: body and query validated by the model that also describes them, one way for all."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.app.desk.matches import Matches, NoSuchMatch
from referee.app.desk.store import FullDisk, StoreError
from referee.app.server.access import REFEREE, Access
from referee.app.server.errors import Refused, refusal
from tracking.strict_json import MalformedRecord, parse_json

COOKIE = "cueref"
LARGEST_BODY = 256 * 1024
DEEPEST = 24
LONGEST_LIST = 4096


class Body(BaseModel):
    """A request's body or query. Fields that aren't known are refused: they are most often misspelt."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What the server serves: the matches, the camera's eye (None: off), who may change something (None: anybody)."""

    matches: Matches
    camera: Any = None
    access: Access | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request, as its handler sees it."""

    house: House
    request: Request
    path: Mapping[str, str]
    body: Any = None
    query: Any = None


Handler = Callable[[Call], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One entry of the API. ``handle`` runs in a thread and returns JSON or a Response. role: who may call it.
    answers: status → what it means, for the description; ``returns``: the model or schema of the answer."""

    method: str
    path: str
    handle: Handler
    summary: str
    role: str = "viewer"
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    returns: Mapping[str, Any] = field(default_factory=dict)
    media: str = "application/json"
    other_media: tuple[str, ...] = ()
    refusals: tuple[int, ...] = ()

    def route(self, house: House) -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                return await self._answer(house, request)
            except Refused as refused:
                return refused.response()

        return Route(self.path, endpoint, methods=[self.method], name=f"{self.method} {self.path}")

    async def _answer(self, house: House, request: Request) -> Response:
        if self.role == REFEREE and role_of(house, request) != REFEREE:
            raise Refused(401, "only holders of the referee's code may change something; enter it first")
        body = None if self.body is None else await read_body(request, self.body)
        query = None if self.query is None else read_query(request, self.query)
        call = Call(house=house, request=request, path=request.path_params, body=body, query=query)
        return await run_in_threadpool(functools.partial(_response, self.handle, call))


def _response(handle: Handler, call: Call) -> Response:
    """Written out in the thread that worked it out, so that a long answer holds up nobody else."""
    result = guarded(handle, call)
    return result if isinstance(result, Response) else JSONResponse(result)


def guarded(handle: Handler, call: Call) -> Any:
    """A handler's result; what the desk refuses becomes a clear answer."""
    try:
        return handle(call)
    except MalformedRecord as error:
        raise Refused(422, str(error), error.path) from None
    except NoSuchMatch:
        raise Refused(404, "no such match") from None
    except FullDisk as error:
        raise Refused(507, str(error)) from None
    except StoreError as error:
        raise Refused(409, str(error)) from None


def role_of(house: House, request: Any) -> str:
    """What whoever sent this request may do; without a code, everybody on this machine is the referee."""
    return REFEREE if house.access is None else house.access.role(request.cookies.get(COOKIE))


async def read_body(request: Request, model: type[BaseModel]) -> BaseModel:
    """The JSON body, validated. Raises Refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "the body must be JSON, with Content-Type: application/json")
    data = await limited(request)
    try:
        value = parse_json(data.decode("utf-8"))
    except (MalformedRecord, UnicodeDecodeError):
        raise Refused(400, "the body is not JSON in UTF-8") from None
    check_shape(value)
    return validated(model, value)


async def limited(request: Request) -> bytes:
    """The body, no longer than allowed. Raises Refused."""
    length = request.headers.get("content-length", "0")
    if length.isascii() and length.isdigit() and len(length) < 12 and int(length) > LARGEST_BODY:
        raise Refused(413, f"the body is larger than {LARGEST_BODY // 1024} KiB")
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > LARGEST_BODY:
            raise Refused(413, f"the body is larger than {LARGEST_BODY // 1024} KiB")
        chunks.append(chunk)
    return b"".join(chunks)


def check_shape(value: Any) -> None:
    """Raises Refused for JSON nested or listed beyond any use."""
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise Refused(400, f"the body is nested deeper than {DEEPEST} levels")
        below: list[Any] = []
        for each in level:
            inside = list(each.values()) if isinstance(each, dict) else each if isinstance(each, list) else ()
            if len(inside) > LONGEST_LIST:
                raise Refused(400, f"the body has a list of more than {LONGEST_LIST}")
            below += [item for item in inside if isinstance(item, dict | list)]
            if isinstance(each, dict):
                _check_texts(each.keys())
            _check_texts(inside)
        level = below
    _check_texts([value])


def _check_texts(values: Any) -> None:
    for each in values:
        if isinstance(each, str) and any("\ud800" <= sign <= "\udfff" for sign in each):
            raise Refused(400, "the body holds text that is not Unicode")


def read_query(request: Request, model: type[BaseModel]) -> BaseModel:
    """The query's parameters, validated; each once. Raises Refused."""
    pairs = request.query_params.multi_items()
    names = [name for name, _ in pairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Refused(422, f"{twice}: give it once", twice)
    return validated(model, dict(pairs), strict=False)


def validated(model: type[BaseModel], value: Any, *, strict: bool | None = None) -> BaseModel:
    try:
        return model.model_validate(value, strict=strict)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "body"
        raise Refused(422, f"{where}: {first['msg'][:1].lower()}{first['msg'][1:]}", where) from None


def not_found(request: Request, error: Exception) -> Response:
    return refusal(404, "there is nothing at this address")


def wrong_method(request: Request, error: Exception) -> Response:
    allow = getattr(error, "headers", None) or {}
    return refusal(405, "this address doesn't know that method", headers=dict(allow))


def failed(request: Request, error: Exception) -> Response:
    return refusal(500, "the server failed at this; the terminal it runs in says more")
