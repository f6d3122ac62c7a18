"""The websocket on which pages follow the match: what was missed, then everything as it happens."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable
from typing import Any

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from referee.app.cli import installed_version
from referee.app.desk.hub import Subscription
from referee.app.server.endpoints import House, role_of

MOST_VIEWERS = 200
LONGEST_MESSAGE = 256
TOO_SLOW, TOO_MANY, NOT_UNDERSTOOD = 1013, 1013, 1008


async def follow(house: House, socket: WebSocket) -> None:
    """One page, from its ``hello`` until it goes, or is too slow and has to ask anew with its last number."""
    if house.matches.hub.viewers >= MOST_VIEWERS:
        await socket.close(TOO_MANY, "too many pages follow this match")
        return
    await socket.accept()
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server is stopping
            loop.call_soon_threadsafe(news.set)

    since, match = _since(socket)
    subscription, seq, first = await run_in_threadpool(_begin, house, wake, since, match, role_of(house, socket))
    try:
        async with anyio.create_task_group() as both:

            async def until_gone(talking: Awaitable[None]) -> None:
                with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):  # the page is gone
                    await talking
                both.cancel_scope.cancel()

            both.start_soon(until_gone, _send(socket, first, seq, subscription, news))
            both.start_soon(until_gone, _hear(socket))
    finally:
        house.matches.hub.leave(subscription)


def _begin(
    house: House, wake: Any, since: int | None, match: str | None, role: str
) -> tuple[Subscription, int, list[str]]:
    """The subscription, and what is sent before anything that comes by it, up to a line's number.

    Nothing falls between the two: what is told after the subscription began waits in it. No lock is taken, so that a
    page is served while a long correction is being judged.
    """
    subscription = house.matches.hub.subscribe(wake)
    desk = house.matches.current
    if desk is None:
        hello = {"type": "hello", "seq": 0, "role": role, "match": None, "server": installed_version()}
        state = {"type": "snapshot", "seq": 0, "match": None, "state": {"match": None}}
        return subscription, 0, [_text(hello), _text(state)]
    seq, shown = desk.latest()
    hello = {"type": "hello", "seq": seq, "role": role, "match": desk.id, "server": installed_version()}
    same = since is not None and 0 <= since <= seq and match in (None, desk.id)
    missed = [each for each in desk.messages_since(since) if each["seq"] <= seq] if same and since is not None else []
    state = {"type": "snapshot", "seq": seq, "match": desk.id, "state": shown}
    return subscription, seq, [_text(each) for each in (hello, *missed, state)]


async def _send(socket: WebSocket, first: list[str], seq: int, subscription: Subscription, news: asyncio.Event) -> None:
    """``seq``: what is of a line up to this one has been sent; where another match begins, its lines count anew."""
    for text in first:
        await socket.send_text(text)
    while True:
        await news.wait()
        news.clear()
        for message in subscription.take():
            if message.body["type"] == "snapshot":
                seq = 0
            if message.seq is None or message.seq > seq or message.body["type"] == "snapshot":
                await socket.send_text(message.text)
        if subscription.overflowed:
            await socket.close(TOO_SLOW, "too slow; ask anew from the last number")
            return


async def _hear(socket: WebSocket) -> None:
    """Pages say nothing but ``ping``."""
    while True:
        text = await socket.receive_text()
        try:
            understood = len(text) <= LONGEST_MESSAGE and json.loads(text).get("type") == "ping"
        except (ValueError, AttributeError, RecursionError):
            understood = False
        if not understood:
            await socket.close(NOT_UNDERSTOOD, "only ping is understood here; changes go by HTTP")
            return
        await socket.send_text('{"type": "pong"}')


def _since(socket: WebSocket) -> tuple[int | None, str | None]:
    text = socket.query_params.get("since", "")
    since = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None
    return since, socket.query_params.get("match")


def _text(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, allow_nan=False)
