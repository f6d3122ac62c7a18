"""What was forgotten at the table: a choice and a nomination put in later, a shot taken back; what changes is shown."""

from collections.abc import Callable
from typing import Any

from browsing import Server, hit, key, pot, until


def test_what_was_forgotten_is_put_in_at_its_place(serve: Callable[..., Server], open_page: Callable[..., Any]) -> None:
    from playwright.sync_api import expect

    server = serve()
    server.match()
    server.stroke()  # Ann hits nothing, and Bob has her play again, which nobody enters
    server.stroke(hit("red-1"), pot("red-1"))
    server.stroke(hit("black"), pot("black"))
    assert server.state()["board"]["score"] == {"Ann": 0, "Bob": 12}
    page = open_page(f"{server.url}/desk?lang=en")

    key(page, "shot-1").click()
    key(page, "say-later").click()
    key(page, "later-play_again-Bob").click()
    rows = page.get_by_role("dialog").last.get_by_role("row")
    expect(rows.filter(has_text="Score").last).to_contain_text("Ann 8, Bob 4")
    assert server.state()["board"]["score"] == {"Ann": 0, "Bob": 12}
    key(page, "accept-change").click()
    until(page, lambda: server.state()["board"]["score"] == {"Ann": 8, "Bob": 4})

    key(page, "shot-2").click()
    page.locator("[data-key^=take-back-]").first.click()
    key(page, "accept-change").click()
    until(page, lambda: [shot["n"] for shot in server.state()["shots"]] == [1, 3])
    expect(page.get_by_role("dialog")).to_have_count(0)

    # A nomination that nobody entered; said in Russian as in English.
    page.goto(f"{server.url}/desk?lang=ru")
    key(page, "shot-3").click()
    expect(page.get_by_role("dialog")).to_contain_text("Строки этого удара")
    page.get_by_role("dialog").get_by_role("button", name="Исправить").click()
    key(page, "declared-ball").select_option("blue")
    key(page, "preview").click()
    expect(page.get_by_role("dialog").last).to_contain_text("Что изменится")
    key(page, "accept").click()
    until(page, lambda: server.get("/api/shots/3")["record"].get("nominated") == {"ball": "blue"})
