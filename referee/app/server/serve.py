"""Running the server until it is stopped."""

import socket
import ssl
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from referee.app.server.guard import Names

PORT = 8147
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class CannotServe(Exception):
    """The address or the certificate can't be used; the text says why and what to do."""


def names_of(host: str, port: int, more: tuple[str, ...] = ()) -> Names:
    """The names under which a server bound to ``host`` may be addressed; ``more``: further ones, by the user."""
    hosts = {*LOOPBACK, *(each.lower() for each in more)}
    if host in LOOPBACK:
        return Names(hosts=hosts, port=port)
    own = socket.gethostname().lower()
    hosts |= {host.lower(), own, own.partition(".")[0], own.partition(".")[0] + ".local"}
    return Names(hosts=hosts, addresses=True, port=port)


def run(app: Starlette, host: str = "127.0.0.1", port: int = PORT, certificate: Path | None = None,
        key: Path | None = None) -> None:  # fmt: skip
    """Serves until interrupted. Raises CannotServe."""
    if (certificate is None) != (key is None):
        raise CannotServe("--certificate and --key belong together: give both or none")
    if certificate is not None and key is not None:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
        except (OSError, ssl.SSLError) as error:
            raise CannotServe(f"{certificate}, {key}: no certificate and key in PEM ({error})") from None
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        said = error.strerror or str(error)
        raise CannotServe(f"{host}:{port}: can't listen there ({said}); choose another --host or --port") from None
    serve_on(app, listening, certificate, key)


def serve_on(
    app: Starlette, listening: socket.socket, certificate: Path | None = None, key: Path | None = None
) -> None:
    """Serves on a socket that listens already, until interrupted."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ssl_certfile=certificate,
        ssl_keyfile=key,
        ws="websockets-sansio",
        ws_max_size=4096,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=32 * 1024,
        limit_concurrency=512,
    )
    uvicorn.Server(config).run(sockets=[listening])
