"""A match run by hand on the referee's tablet: set up, nominated, judged, asked, chosen, overruled, taken back."""

import json
from collections.abc import Callable
from typing import Any

from browsing import Server, hit, key, pot, until

REDS = {"red-1": [900.0, 2700.0], "red-2": [600.0, 2900.0]}
COLOURS = {
    "yellow": [1181.0, 737.0],
    "brown": [889.0, 737.0],
    "green": [597.0, 737.0],
    "blue": [889.0, 1784.5],
    "pink": [889.0, 2676.75],
    "black": [889.0, 3245.0],
}
TABLE = {"cue": [300.0, 1200.0], **COLOURS, **REDS}


def said(page: Any) -> list[str]:
    """What was spoken in this tab."""
    spoken: list[str] = json.loads(page.evaluate("sessionStorage.getItem('said') || '[]'"))
    return spoken


def test_match_by_hand(serve: Callable[..., Server], open_page: Callable[..., Any], browser: Any) -> None:
    from playwright.sync_api import expect

    server = serve()
    page = open_page(f"{server.url}/setup")
    key(page, "name-0").fill("Ann")
    key(page, "name-1").fill("Bob")
    key(page, "frames").fill("3")
    key(page, "start").click()
    page.wait_for_url("**/desk")
    state = server.state()
    assert (state["match"]["game"], state["match"]["players"]) == ("snooker", ["Ann", "Bob"])
    assert state["match"]["frames_to_win"] == 3

    # A red is noted by hand: first hit, potted, pocket, end of the stroke.
    key(page, "voice").click()
    hand = page.locator("#hand")
    hand.get_by_role("button", name="First hit: red").click()
    hand.get_by_role("button", name="Potted: red").click()
    key(page, "hand-top-left").click()
    key(page, "hand-end").click()
    expect(page.locator("#verdict")).to_contain_text("One")
    assert server.state()["board"]["score"] == {"Ann": 1, "Bob": 0}

    # A colour is on: only colours can be nominated; the black is, and is potted.
    nominate = page.locator("#nominate")
    expect(nominate.locator("[data-ball]")).to_have_count(6)
    nominate.get_by_role("button", name="black").click()
    expect(nominate.get_by_role("status")).to_contain_text("black")
    assert server.state()["nominated"] == {"ball": "black"}
    server.stroke(hit("black"), pot("black"))
    expect(page.locator("#score")).to_contain_text("8")

    # The wrong ball first: a foul, and its options. A question is answered, an option taken.
    server.stroke(hit("blue"))
    expect(page.locator("#verdict .tag")).to_have_text("foul")
    expect(page.locator("#verdict")).to_contain_text("SN-3.11.2b")
    asked = page.locator("#questions article").filter(has_text="Snookered?")
    asked.get_by_role("button", name="No", exact=True).click()
    expect(asked).to_have_count(0)
    assert not [each for each in server.state()["questions"] if each["question"] == "snookered"]
    key(page, "option-play_again-Bob").click()
    expect(page.locator("#score .active .name")).to_have_text("Ann")
    assert server.state()["board"]["player"] == "Ann"

    # Overruled: it was the red after all. What changes is shown before it is accepted.
    key(page, "overrule").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="red", exact=True).click()
    expect(key(page, "accept")).to_be_disabled()
    key(page, "preview").click()
    expect(dialog.get_by_role("status").get_by_role("row").filter(has_text="Verdict").first).to_contain_text("no foul")
    assert server.state()["shots"][-1]["legal"] is False
    key(page, "accept").click()
    expect(page.locator("#shots li").first.get_by_role("img")).to_have_accessible_name("no foul")
    assert server.state()["shots"][-1]["legal"] is True

    # And taken back: the foul stands again.
    key(page, "undo").click()
    expect(page.locator("#shots li").first.get_by_role("img")).not_to_have_accessible_name("no foul")
    assert server.state()["board"]["score"] == {"Ann": 8, "Bob": 5}

    # Every call was spoken once, in order, and what was taken back in words.
    expect(page.locator("#score .said")).not_to_be_empty()
    calls = [". ".join(call["announce"]["en"]) for call in server.state()["calls"]]
    until(page, lambda: len(said(page)) > len(calls))
    assert said(page) == ["Calls are spoken", *calls]
    assert any("taken back" in call for call in calls)

    # After a reload nothing is said twice.
    page.reload()
    expect(page.locator("#score")).to_contain_text("8")
    page.locator("#score").click()
    server.stroke(hit("red-3"))
    expect(page.locator("#shots li").first).to_contain_text("4")
    new = [". ".join(call["announce"]["en"]) for call in server.state()["calls"][len(calls) :]]
    until(page, lambda: len(said(page)) > len(calls) + len(new))
    assert said(page) == ["Calls are spoken", *calls, *new]


def test_balls_back_after_a_miss(serve: Callable[..., Server], open_page: Callable[..., Any]) -> None:
    from playwright.sync_api import expect

    server = serve()
    server.match(state={"balls": TABLE, "on": ["red"]})
    page = open_page(f"{server.url}/desk?lang=ru")
    after = {**TABLE, "cue": [1500.0, 2000.0], "blue": [1100.0, 1900.0]}
    server.stroke(hit("blue"), before=TABLE, after=after)
    expect(page.locator("#verdict .tag")).to_have_text("фол")
    page.locator("#quick [data-key=miss]").click()
    key(page, "option-replay-Bob").click()
    back = page.locator(".put-back li")
    expect(back).to_have_count(len(TABLE))
    expect(back.filter(has_text="синий")).to_be_visible()
    key(page, "restored").click()
    expect(page.locator("#putback")).to_be_empty()
    assert server.state()["board"]["player"] == "Ann"
    assert server.state()["putback"] is None


def test_only_what_the_state_allows(serve: Callable[..., Server], open_page: Callable[..., Any]) -> None:
    """9-ball: a push-out only on the stroke after the break; a foul seen by a person counts with its clause."""
    from playwright.sync_api import expect

    server = serve()
    server.match("9-ball")
    page = open_page(f"{server.url}/desk")
    expect(page.locator("#nominate")).to_contain_text("Nothing is declared")
    cushions = [{"kind": "cushion", "ball": str(n), "cushion": "top"} for n in (2, 3, 4, 5)]
    server.stroke(hit("1"), *cushions, pot("6"))
    key(page, "push-out").click()
    expect(key(page, "push-out")).to_have_attribute("aria-pressed", "true")
    assert server.state()["nominated"] == {"push_out": True}
    server.stroke(hit("3"))
    expect(page.locator("#choices")).to_contain_text("Bob chooses")
    key(page, "option-accept-Bob").click()
    expect(page.locator("#choices")).to_be_empty()
    server.stroke(hit("1"), {"kind": "cushion", "ball": "1", "cushion": "left"})
    key(page, "foul-double_hit").click()
    expect(page.locator("#verdict")).to_contain_text("PG-20a")
    assert server.state()["position"]["9-ball"]["fouls"] == {"Ann": 0, "Bob": 1}


def test_viewers_look_and_referees_enter_a_code(
    serve: Callable[..., Server], open_page: Callable[..., Any], tmp_path: Any
) -> None:
    from playwright.sync_api import expect

    code = tmp_path / "code"
    code.write_text("green-baize-42\n")
    server = serve("--code-file", str(code), "--game", "8-ball", "--start", "--players", "Ann,Bob")
    page = open_page(f"{server.url}/desk")
    expect(page.locator("#notices")).to_contain_text("looking on")
    key(page, "concede").click()
    page.get_by_role("dialog").get_by_role("button", name="Ann").click()
    key(page, "yes").click()
    expect(page.get_by_text("Only a referee may do this")).to_be_visible()
    page.goto(f"{server.url}/")
    page.locator("#code").fill("red-baize-42")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("alert").filter(has_text="not the referee's code")).to_be_visible()
    page.locator("#code").fill("green-baize-42")
    page.get_by_role("button", name="Enter").click()
    expect(page.locator("#who .chip")).to_have_text("Referee")
    page.goto(f"{server.url}/desk")
    key(page, "concede").click()
    page.get_by_role("dialog").get_by_role("button", name="Ann").click()
    key(page, "yes").click()
    expect(page.locator("#score")).to_contain_text("Game conceded")
    assert server.state()["board"]["frames"] == {"Ann": 0, "Bob": 1}
