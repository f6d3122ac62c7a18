"""The line to the server: cut, it says so and shows nothing old as new; back, it has missed nothing."""

from collections.abc import Callable
from typing import Any

from browsing import Server, hit, pot


def test_server_lost_and_regained(serve: Callable[..., Server], open_page: Callable[..., Any]) -> None:
    from playwright.sync_api import expect

    server = serve()
    id = server.match()
    board = open_page(f"{server.url}/board", width=1280, height=720, theme="dark")
    strip = open_page(f"{server.url}/board?overlay=1", width=1280, height=720)
    server.stroke(hit("red-1"), pot("red-1"))
    for page in (board, strip):
        expect(page.locator(".side.left .score")).to_have_text("1")
        expect(page.locator("html")).to_have_attribute("data-line", "live")
    assert strip.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"

    server.kill()
    expect(board.get_by_role("alert")).to_contain_text("No connection to cueref since")
    expect(board.locator("html")).to_have_attribute("data-line", "down")
    expect(strip.locator("html")).to_have_attribute("data-line", "down")

    server.start()
    server.post(f"/api/matches/{id}/resume", {})
    server.post("/api/nomination", {"nominated": {"ball": "pink"}})
    server.stroke(hit("pink"), pot("pink"))
    expect(board.get_by_role("alert")).to_be_hidden()
    for page in (board, strip):
        expect(page.locator(".side.left .score")).to_have_text("7")
        expect(page.locator("html")).to_have_attribute("data-line", "live")
    expect(board.locator("#call")).to_have_text("Seven")


def test_a_match_that_is_set_aside_is_gone_from_the_wall(
    serve: Callable[..., Server], open_page: Callable[..., Any]
) -> None:
    from playwright.sync_api import expect

    server = serve()
    server.match("8-ball", players=["Ann", "Bob"], lang="ru")
    page = open_page(f"{server.url}/board?lang=ru", width=1280, height=720)
    expect(page.locator(".side.active h2")).to_contain_text("Ann")
    server.post("/api/match/end", {})
    expect(page.locator("#sides")).to_contain_text("Матч не идёт")
    server.match("9-ball", players=["Eva", "Ion"])
    expect(page.locator(".side.active h2")).to_contain_text("Eva")
