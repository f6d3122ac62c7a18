"""Photographs the pages for the manual: ``python tests/browser/screenshots.py docs/screenshots``.

A sample clip serves as camera; what people would say is entered by the script.
"""

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from browsing import ARGUMENTS, CHROMIUM, HEARD, ROOT, Server, key
from playwright.sync_api import expect, sync_playwright

SIZE = {"width": 1180, "height": 820}
QUALITY = 72
NAMES = {"en": ["Ann Field", "Bob Moss"], "ru": ["Анна Полева", "Борис Мохов"]}
THEMES = {"en": "light", "ru": "dark"}
LOADED = "(image) => new Promise((done) => image.addEventListener('load', done, { once: true }))"


def photograph(page: Any, folder: Path, name: str) -> None:
    """The page as it is, as a small WebP."""
    expect(page.locator(".toast")).to_have_count(0, timeout=20_000)
    pixels = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    cv2.imwrite(str(folder / f"{name}.webp"), pixels, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    print(f"{name}: {(folder / f'{name}.webp').stat().st_size // 1000} kB")


def play(page: Any, server: Server, folder: Path, lang: str) -> None:
    """From the setting up to the review, on the clip in which a red and the black are potted."""
    go = f"{server.url}{{}}lang={lang}"
    page.goto(go.format("/setup?"))
    for i, name in enumerate(NAMES[lang]):
        key(page, f"name-{i}").fill(name)
    key(page, "frames").fill("4")
    page.locator("body").evaluate("() => document.activeElement.blur()")
    photograph(page, folder, f"setup-{lang}")
    key(page, "start").click()
    key(page, "find").click()
    page.locator("[data-key=accept]:enabled").wait_for()
    for _ in range(2):  # the one that was on its way may show what was before
        page.locator("#calibrate img").evaluate(LOADED)
    photograph(page, folder, f"calibration-{lang}")
    key(page, "accept").click()
    page.wait_for_url("**/desk")
    page.goto(go.format("/table?"))
    page.locator(".scores .num").filter(has_text=re.compile("^8$")).wait_for(timeout=120_000)
    page.locator("#drawn .trail").nth(1).wait_for()
    photograph(page, folder, f"table-{lang}")
    page.goto(go.format("/board?"))
    page.locator(".side .score").first.wait_for()
    photograph(page, folder, f"board-{lang}")
    server.post("/api/match/end", {})
    page.goto(go.format("/review?n=2&"))
    page.locator("#proof .proof button").first.wait_for()
    page.locator("#stage .stage:not(.loading) img[src]").wait_for()
    page.locator(".timeline .shot-block").first.wait_for()
    photograph(page, folder, f"review-{lang}")
    page.goto(go.format("/statistics?"))
    page.locator(".heat").first.wait_for()
    photograph(page, folder, f"statistics-{lang}")
    page.goto(go.format("/?"))
    page.locator("#kept .matches li").first.wait_for()
    photograph(page, folder, f"menu-{lang}")


def foul(page: Any, server: Server, folder: Path, lang: str) -> None:
    """The desk after the wrong ball was hit first, a miss called and the stroke to be played again."""
    second = NAMES[lang][1]
    page.goto(f"{server.url}/desk?lang={lang}")
    key(page, "shot-1").wait_for(timeout=60_000)
    page.locator("#quick [data-key=miss]").click()
    key(page, f"option-replay-{second}").click()
    page.locator(".put-back li b").first.wait_for()
    page.locator(".put-back-card img").evaluate(LOADED)
    photograph(page, folder, f"desk-{lang}")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as scratch:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        for lang, names in NAMES.items():
            context = chromium.new_context(viewport=SIZE, locale=lang, color_scheme=THEMES[lang])
            context.add_init_script(HEARD)
            camera = ("--loop", "--speed", "1.5")
            match = ("--auto", "--start", "--game", "snooker", "--players", ",".join(names), "--frames", "4")
            red, wrong = (str(ROOT / "sample_videos" / name) for name in ("red_and_black.mp4", "wrong_ball_first.mp4"))
            watching = Server(Path(scratch) / f"a-{lang}", red, *camera)
            fouling = Server(Path(scratch) / f"b-{lang}", wrong, *camera, *match, "--lang", lang)
            for server, scene in ((watching, play), (fouling, foul)):
                try:
                    scene(context.new_page(), server.start(), folder, lang)
                finally:
                    server.kill()
            context.close()
        chromium.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
