"""Entering and leaving as the referee."""

from typing import Any

from starlette.responses import JSONResponse, Response

from referee.app.server.access import REFEREE, TooManyTries
from referee.app.server.bodies import CodeBody
from referee.app.server.endpoints import COOKIE, Call, Endpoint, role_of
from referee.app.server.errors import Refused
from referee.app.server.sessions import LONGEST_S


def role(call: Call) -> dict[str, Any]:
    return {"role": role_of(call.house, call.request), "code_needed": call.house.access is not None}


def enter(call: Call) -> Response:
    body: CodeBody = call.body
    access = call.house.access
    if access is None:
        return JSONResponse({"role": REFEREE})
    client = call.request.client
    try:
        token = access.enter(body.code, client.host if client else "")
    except TooManyTries as error:
        raise Refused(429, str(error), "code", {"Retry-After": str(max(1, round(error.wait_s)))}) from None
    if token is None:
        raise Refused(401, "that is not the referee's code", "code")
    response = JSONResponse({"role": REFEREE})
    secure = call.request.url.scheme == "https"
    response.set_cookie(
        COOKIE, token, httponly=True, samesite="strict", secure=secure, path="/", max_age=int(LONGEST_S)
    )
    return response


def leave(call: Call) -> Response:
    token = call.request.cookies.get(COOKIE)
    if call.house.access is not None and token:
        call.house.access.leave(token)
    response = JSONResponse({"role": role_of(call.house, call.request) if call.house.access is None else "viewer"})
    response.delete_cookie(COOKIE, httponly=True, samesite="strict", path="/")
    return response


ENDPOINTS = (
    Endpoint(method="GET", path="/api/session", handle=role, summary="Who asks: viewer or referee"),
    Endpoint(
        method="POST",
        path="/api/session",
        handle=enter,
        body=CodeBody,
        refusals=(400, 401, 403, 413, 415, 422, 429),
        summary="Enter as the referee",
    ),
    Endpoint(method="DELETE", path="/api/session", handle=leave, summary="Leave", refusals=(403,)),
)
