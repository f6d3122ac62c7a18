"""The server's application, put together: pages, API, websocket, review, behind one guard."""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from referee.app.desk.matches import Matches
from referee.app.server import camera_api, match_api, media_api, session_api, statistics_api
from referee.app.server.access import Access
from referee.app.server.endpoints import Endpoint, House, failed, not_found, wrong_method
from referee.app.server.errors import refusal
from referee.app.server.guard import Guard, Names
from referee.app.server.openapi import described
from referee.app.server.socket import follow
from referee.app.server.static import page_routes

TICK_S = 1.0
ENDPOINTS: tuple[Endpoint, ...] = (
    *session_api.ENDPOINTS,
    *match_api.ENDPOINTS,
    *camera_api.ENDPOINTS,
    *media_api.ENDPOINTS,
    *statistics_api.ENDPOINTS,
)


def build_app(
    matches: Matches,
    *,
    camera: Any = None,
    access: Access | None = None,
    names: Names | None = None,
    endpoints: Sequence[Endpoint] = (),
    more: Sequence[BaseRoute] = (),
) -> Starlette:
    """The application. camera: the eye (None: off). access: the referee's code (None: everybody may change things).

    names: under which it may be addressed (default: this machine's own). endpoints, more: further entries of the API
    and routes, behind the same guard.
    """
    house = House(matches=matches, camera=camera, access=access)
    every = (*ENDPOINTS, *endpoints)
    if camera is not None:
        matches.on_change(functools.partial(camera_api.watch, camera))

    async def socket(websocket: WebSocket) -> None:
        await follow(house, websocket)

    routes: list[BaseRoute] = [endpoint.route(house) for endpoint in every]
    routes += described(every)
    routes += [WebSocketRoute("/api/socket", socket), *more, *page_routes()]

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        ticking = asyncio.create_task(_tick(matches))
        try:
            yield
        finally:
            ticking.cancel()
            await asyncio.gather(ticking, return_exceptions=True)
            await run_in_threadpool(matches.close)

    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Guard, names=names or Names())],
        exception_handlers={404: not_found, 405: wrong_method, HTTPException: _refused, Exception: failed},
    )
    app.state.house = house
    return app


async def _tick(matches: Matches) -> None:
    while True:
        await asyncio.sleep(TICK_S)
        desk = matches.current
        if desk is not None:
            with contextlib.suppress(Exception):  # what can't be written now is said at the next input
                await run_in_threadpool(desk.tick)


def _refused(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 400)
    return refusal(status, str(getattr(error, "detail", "this can't be answered")))
