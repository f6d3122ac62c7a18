"""An analyzed clip on the review page: what was assumed is said, a shot corrected, and all of it taken back."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from browsing import free_port, key, until

from referee.app.desk.matches import Matches
from referee.app.review.api import review_endpoints
from referee.app.review.shelf import open_folder
from referee.app.server.app import build_app
from referee.app.server.serve import names_of
from tests.app.review.frame_of_snooker import analyzed, lines, settings, stroke


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """A blue is hit, and then another; nobody said what was on."""
    return analyzed(tmp_path / "clip", (stroke(1, "blue"), stroke(2, "blue")), settings(state=None))


@pytest.fixture
def address(clip: Path) -> Iterator[str]:
    port = free_port()
    app = build_app(Matches(clip), names=names_of("127.0.0.1", port), endpoints=review_endpoints(open_folder(clip)))
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning", ws="websockets-sansio"))
    thread = threading.Thread(target=server.run)
    thread.start()
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(20)


def test_what_was_assumed_is_said_and_a_shot_corrected(clip: Path, address: str, open_page: Callable[..., Any]) -> None:
    from playwright.sync_api import expect

    page = open_page(f"{address}/review?n=1&lang=en")
    expect(page.locator("#shot .tag")).to_have_text("no foul")
    key(page, "opening").click()
    key(page, "opening-on").select_option(label="Red was on")
    key(page, "opening-A").fill("12")
    key(page, "opening-preview").click()
    rows = page.get_by_role("dialog").last.get_by_role("row")
    expect(rows.filter(has_text="Score").first).to_contain_text("A 12, B 5")
    assert not (clip / "reviewed.jsonl").exists()
    key(page, "accept-change").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#shot .tag")).to_have_text("foul")
    expect(page.locator("#shot")).to_contain_text("SN-3.11.2b")
    until(page, lambda: lines(clip / "reviewed.jsonl")[0]["score"] == {"A": 12, "B": 5})

    # The red was hit after all: no foul, and B's blue in the second stroke is the foul now.
    key(page, "correct").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="red", exact=True).first.click()
    key(page, "preview").click()
    expect(dialog.get_by_role("row").filter(has_text="Verdict").first).to_contain_text("no foul")
    key(page, "accept").click()
    expect(page.locator("#shot .tag")).to_have_text("no foul")
    scores = [verdict["score"] for verdict in lines(clip / "reviewed.jsonl")]
    assert scores == [{"A": 12, "B": 0}, {"A": 17, "B": 0}]
    assert [verdict["score"] for verdict in lines(clip / "verdicts.jsonl")] == [{"A": 0, "B": 0}, {"A": 5, "B": 0}]
