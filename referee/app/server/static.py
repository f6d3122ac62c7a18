"""The pages: files that come with cueref, by names that exist, with the types that browsers insist on."""

from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from referee.app.server.errors import refusal

FOLDER = Path(__file__).parent / "pages"
PAGES = {
    "/": "menu.html",
    "/setup": "setup.html",
    "/board": "board.html",
    "/table": "table.html",
    "/desk": "desk.html",
    "/review": "review.html",
    "/statistics": "statistics.html",
}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}


@cache
def _files() -> dict[str, Path]:
    """All files that may be served, by their path under ``pages``: a request is only ever looked up here."""
    return {
        path.relative_to(FOLDER).as_posix(): path
        for path in sorted(FOLDER.rglob("*"))
        if path.is_file() and path.suffix in TYPES
    }


def _file(name: str) -> Response:
    path = _files().get(name)
    if path is None:  # files may have come since, while pages are being written
        _files.cache_clear()
        path = _files().get(name)
    if path is None or not path.is_file():
        return refusal(404, "there is nothing at this address")
    return FileResponse(path, media_type=TYPES[path.suffix], headers={"Cache-Control": "no-cache"})


def page_routes() -> list[Route]:
    async def page(request: Request) -> Response:
        return _file(PAGES[request.url.path])

    async def file(request: Request) -> Response:
        return _file(request.path_params["path"])

    return [*(Route(path, page) for path in PAGES), Route("/pages/{path:path}", file)]
