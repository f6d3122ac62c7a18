"""What every request passes first: is it addressed to this server, and does it come from one of its own pages?

A page elsewhere must not be able to use a browser that may change a match. So the ``Host`` must be one of this
server's names (else a foreign name could be pointed here), and an ``Origin``, which browsers send with everything that
changes something and with every websocket, must be this server's own.
"""

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.app.server.errors import refusal

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
LONGEST_URL = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The names under which this server may be addressed. addresses: any address written as numbers is one, too;
    that is safe, since a foreign name that is pointed here is still a name. port: None, any."""

    hosts: Collection[str] = ("localhost", "127.0.0.1", "::1")
    addresses: bool = False
    port: int | None = None

    def know(self, host: str) -> bool:
        """Whether a ``Host`` header names this server."""
        name, port = split_host(host)
        if name is None or (self.port is not None and port not in (self.port, None)):
            return False
        return name in self.hosts or (self.addresses and _is_address(name))


def split_host(host: str) -> tuple[str | None, int | None]:
    """``[::1]:80`` → (``::1``, 80); (None, None) where it is no host."""
    name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not name:
        name, port = host, ""
    if port and not (port.isascii() and port.isdigit() and len(port) <= 5):
        return None, None
    bare = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    return bare.lower().rstrip("."), int(port) if port else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """ASGI middleware: refuses what isn't addressed to this server or comes from elsewhere; adds safe headers."""

    def __init__(self, app: ASGIApp, names: Names) -> None:
        self.app = app
        self.names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        wrong = self._wrong_with(scope)
        if wrong is None:
            await self.app(scope, receive, _with_headers(scope, send))
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": wrong[1]})
            return
        await refusal(*wrong)(scope, receive, _with_headers(scope, send))

    def _wrong_with(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.names.know(hosts[0]):
            return 403, "this server isn't known by that name; use the address that it printed"
        if len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"") > LONGEST_URL:
            return 414, "the address is too long"
        origins = headers.getlist("origin")
        if any(not _own(origin, hosts[0], scope["scheme"]) for origin in origins):
            return 403, "requests from other sites' pages are refused"
        api = str(scope["path"]).startswith(("/api", "/media"))
        if api and headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            return 403, "requests from other sites' pages are refused"
        return None


def _own(origin: str, host: str, scheme: str) -> bool:
    secure = scheme in ("https", "wss")
    return origin.lower() == f"{'https' if secure else 'http'}://{host.lower()}"


def _with_headers(scope: Scope, send: Send) -> Send:
    path = str(scope.get("path", ""))

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if path.startswith("/api"):
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
