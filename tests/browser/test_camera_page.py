"""A file as a camera: the table confirmed, shots followed, replayed, reviewed and corrected."""

from collections.abc import Callable
from typing import Any

from browsing import ROOT, Server, key, until

CLIP = ROOT / "sample_videos" / "red_and_black.mp4"
"""A red is potted, then the black; played again and again it is another red, another black."""


def test_from_calibration_to_review(serve: Callable[..., Server], open_page: Callable[..., Any]) -> None:
    from playwright.sync_api import expect

    server = serve(str(CLIP), "--loop", "--speed", "2")
    page = open_page(f"{server.url}/setup?lang=ru", theme="dark")
    key(page, "name-0").fill("Анна")
    key(page, "name-1").fill("Борис")
    key(page, "start").click()

    # The table: found, its points shown, one dragged and used; then confirmed.
    expect(page.locator("#steps [aria-current]")).to_contain_text("Стол")
    key(page, "find").click()
    expect(key(page, "accept")).to_be_enabled()
    expect(page.locator("#calibrate").get_by_role("status")).to_contain_text("Стол найден")
    key(page, "drag").click()
    corner = page.locator("[data-point='top-left']")
    expect(corner).to_be_visible()
    before = corner.get_attribute("transform")
    corner.focus()
    page.keyboard.press("ArrowRight")
    until(page, lambda: corner.get_attribute("transform") != before)
    page.keyboard.press("ArrowLeft")
    key(page, "use").click()
    expect(key(page, "accept")).to_be_enabled()
    assert server.get("/api/calibration")["rms_mm"] < 5.0
    key(page, "accept").click()
    page.wait_for_url("**/desk")

    # Three shots are followed: a red, the black, and the clip's red once more.
    for n, score in ((1, 1), (2, 8), (3, 9)):
        expect(key(page, f"shot-{n}")).to_be_visible(timeout=60_000)
        assert server.state()["shots"][n - 1]["legal"] is True
        assert server.state()["shots"][n - 1]["points"]["Анна"] == score - (0, 1, 8)[n - 1]
    expect(page.locator("#drawn [data-ball='cue']")).to_be_visible()

    # The last shot once more, at once.
    page.locator("#quick [data-key=replay]").click()
    video = page.get_by_role("dialog").locator("video")
    expect(video).to_be_visible()
    until(page, lambda: video.evaluate("node => node.readyState >= 2 && node.videoWidth > 0"))
    page.keyboard.press("Escape")

    # Everybody sees the table, and by the log what was scored.
    page.goto(f"{server.url}/table?lang=en")
    expect(page.locator(".scores")).to_contain_text("Анна")
    expect(page.locator("#drawn [data-ball='blue']")).to_be_visible()

    # Review: the frame that decides, one step on, a record corrected after its differences were shown.
    server.post("/api/match/end", {})
    page.goto(f"{server.url}/review?lang=en&n=1")
    expect(page.locator("#shot h2")).to_contain_text("Shot 1")
    picture = page.locator("#stage img")
    until(page, lambda: picture.evaluate("node => node.complete && node.naturalWidth > 0"))
    first = page.locator(".readout").text_content()
    key(page, "on-1").click()
    expect(page.locator(".readout")).not_to_have_text(str(first))
    until(page, lambda: picture.evaluate("node => node.complete && node.naturalWidth > 0"))
    key(page, "back-1").click()
    expect(page.locator(".readout")).to_have_text(str(first))
    expect(page.locator(".timeline .shot-block.current")).to_have_count(1)
    expect(page.locator("#proof .proof button")).not_to_have_count(0)
    key(page, "correct").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="blue", exact=True).click()
    key(page, "preview").click()
    rows = dialog.get_by_role("status").get_by_role("row")
    expect(rows.filter(has_text="Verdict").first).to_contain_text("foul")
    key(page, "accept").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#shot .tag")).to_have_text("foul")
    expect(page.locator("#shot")).to_contain_text("SN-3.11.2b")
