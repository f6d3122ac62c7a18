"""Every page in both languages, light and dark, for wall, tablet and phone: nothing overflows, all can be touched."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import Server, hit, key, pot

LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8").split("\n", 1)[1]
SIZES = {"wall": (1920, 1080), "tablet": (1180, 820), "upright": (820, 1180), "phone": (390, 844)}
PAGES = ("/", "/setup", "/board", "/table", "/desk", "/review", "/statistics")
READY = {
    "/": "#kept .matches li, #kept .empty",
    "/setup": "[data-key=start]",
    "/board": ".side .score",
    "/table": ".scores tr",
    "/desk": "#quick button",
    "/review": "#reviews > *",
    "/statistics": "#who > *",
}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_can_be_read_and_touched(serve: Callable[..., Server], open_page: Callable[..., Any], theme: str) -> None:
    server = serve()
    server.match(players=["Alexandra Konstantinopolskaya", "Bo"])
    server.stroke(hit("red-1"), pot("red-1"))
    server.post("/api/nomination", {"nominated": {"ball": "black"}})
    server.stroke(hit("blue"))
    page = open_page(server.url, theme=theme)
    wrong = []
    for lang in ("en", "ru"):
        for path in PAGES:
            page.goto(f"{server.url}{path}?lang={lang}")
            page.locator(READY[path]).first.wait_for()
            page.locator("html[data-line=live]").wait_for(state="attached")
            for size, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                wrong += [f"{path} {lang} {size}: {each}" for each in page.evaluate(LOOK)]
    assert wrong == [], "\n".join(wrong)


def test_keyboard_and_screen_reader(serve: Callable[..., Server], open_page: Callable[..., Any]) -> None:
    """Everything is reached by Tab and works by keys; pages have landmarks, and calls are read out."""
    from playwright.sync_api import expect

    server = serve()
    server.match()
    page = open_page(f"{server.url}/desk")
    expect(page.locator("#quick button").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    for landmark in ("banner", "navigation", "main"):
        expect(page.get_by_role(landmark)).to_have_count(1)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Undo")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    server.stroke(hit("red-1"), pot("red-1"))
    expect(page.locator("[aria-live=assertive]")).to_have_text("One")
    page.keyboard.press("n")
    expect(page.locator("#nominate").get_by_role("button").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#nominate").get_by_role("status")).to_contain_text("yellow")
    page.keyboard.press("u")
    expect(page.locator("#verdict")).to_contain_text("No shot has been seen yet")
    page.keyboard.press("l")
    expect(page.get_by_role("heading", name="Матч", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "ru"
    dark = page.evaluate("document.documentElement.dataset.theme")
    page.keyboard.press("d")
    assert page.evaluate("document.documentElement.dataset.theme") != dark
    expect(key(page, "theme")).to_be_visible()
