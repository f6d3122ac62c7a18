"""A browser for each worker, a server for each test that asks for one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import ARGUMENTS, CHROMIUM, HEARD, Server

WAIT_MS = 20_000
"""An expectation is met within milliseconds; so long is only waited on a machine that is busy with something else."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Python's playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium: install your system's package chromium to run the tests in a browser")
    playwright.expect.set_options(timeout=WAIT_MS)
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens pages; a test fails where a page reports an error."""
    contexts: list[Any] = []
    errors: list[str] = []

    def opened(url: str, *, width: int = 1180, height: int = 820, lang: str = "en", theme: str = "light") -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, locale=lang, color_scheme=theme)
        context.add_init_script(HEARD)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda note: errors.append(note.text) if "Security Policy" in note.text else None)
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers; they are stopped when the test ends."""
    servers: list[Server] = []

    def started(*arguments: str, folder: str = "matches") -> Server:
        server = Server(tmp_path / folder, *arguments)
        servers.append(server)
        return server.start()

    yield started
    for server in servers:
        server.kill()
