"""From the first page to the first move, by clicks alone, on a server that has never run before."""

from __future__ import annotations

import threading
from collections.abc import Callable

from playwright.sync_api import Route, expect

from browser.table import Player, Served


def test_from_the_first_page_to_the_first_move(player: Callable[..., Player], fresh_server: Served) -> None:
    anna = player(1366, 768, at=fresh_server)
    anna.open("")
    card = anna.page.locator("[data-scenario='aslsk2/S9']")
    expect(card).to_contain_text("6 turns · Allied moves first")
    expect(card).not_to_contain_text("reconstructed")
    card.click()
    options = anna.page.locator("[data-seat=italian] option")
    expect(options).not_to_have_count(0)
    levels = options.all_inner_texts()
    assert levels[:3] == ["me", "a friend at this screen (hot-seat)", "a friend, by invitation link"]
    assert {"computer: Random", "computer: Recruit", "computer: Veteran"} <= set(levels)
    anna.page.locator("[data-seat=italian]").select_option("computer:veteran")
    anna.page.locator("[data-think=italian]").select_option("0.5")
    anna.says("Looks ahead")
    anna.says("10 x 3-4-6")
    expect(anna.get("chances")).to_contain_text("Italian 55%")
    above = anna.get("chances").bounding_box()
    below = anna.get("start").bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"], "the chances stand above Play"
    anna.get("reconstructed").locator("summary").click()
    anna.get("chances").scroll_into_view_if_needed()
    anna.shot("new-match")
    anna.get("start").click()
    anna.page.wait_for_selector("[data-testid=board]", timeout=60_000)
    expect(anna.get("prompt")).to_contain_text("Allied:")
    anna.page.locator(".trays [data-piece=a1]").click()
    expect(anna.page.locator("[data-goal]").first).to_be_attached()
    boxes = [box for goal in anna.page.locator("[data-goal]").all() if (box := goal.bounding_box())]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    inside = [(x, y) for x, y in middles if 300 < x < 900 and 80 < y < 700]
    assert inside, "some of the places where the squad may stand are in the window"
    anna.page.mouse.click(*inside[0])
    expect(anna.page.locator(".trays [data-piece=a2]")).to_be_visible()
    expect(anna.get("undo")).to_have_attribute("aria-disabled", "false")
    anna.get("menu").click()
    expect(anna.page.get_by_role("dialog")).to_contain_text("Italian: Veteran (0.5")


def test_play_now_is_a_fair_seat_and_asks_something_sensible(player: Callable[..., Player]) -> None:
    anna = player(1366, 768)
    anna.open("")
    expect(anna.get("play-now")).to_contain_text("chances 57%")
    anna.page.locator("img.battle").evaluate("one => one.decode()")
    anna.shot("home")
    anna.get("play-now").click()
    anna.page.wait_for_selector("[data-testid=board]", timeout=60_000)
    expect(anna.page.locator("[data-choice]").first).to_be_visible(timeout=30_000)
    anna.get("menu").click()
    expect(anna.page.get_by_role("dialog")).to_contain_text("German: Recruit (computer)")
    anna.page.get_by_role("button", name="Close").click()
    anna.open("")
    expect(anna.get("continue")).to_contain_text("1 match waits for you")
    expect(anna.page.locator("[data-match]").first).to_contain_text("your turn")
    anna.get("continue").click()
    anna.page.wait_for_selector("[data-testid=board]")


def test_alone_and_with_a_friend_from_the_first_page(player: Callable[..., Player]) -> None:
    anna, bert = player(1366, 768), player()
    anna.open("")
    anna.get("solitaire").click()
    anna.get("pick").select_option("outpost/post")
    anna.get("alone").click()
    anna.page.wait_for_selector("[data-testid=board]")
    anna.open("")
    anna.get("friend").click()
    anna.get("pick").select_option("outpost/post")
    anna.page.locator("[data-testid=open-network], [data-testid=qr]").first.wait_for()
    if anna.has("open-network"):
        anna.get("open-network").click()
    expect(anna.get("friend-panel")).to_contain_text("http://127.0.0.2:")
    expect(anna.get("qr")).to_be_visible()
    assert anna.get("qr").evaluate("one => one.decode().then(() => one.naturalWidth > 0)")
    anna.shot("friend")
    anna.get("invite").click()
    anna.page.wait_for_selector("[data-testid=board]")
    bert.open(anna.invitation())
    bert.get("join").click()
    bert.page.wait_for_selector("[data-testid=board]")


def test_the_boards_and_lessons_that_are_here(player: Callable[..., Player]) -> None:
    anna = player(1366, 768)
    anna.open("")
    expect(anna.get("boards")).to_contain_text("Board 1")
    expect(anna.get("boards")).to_contain_text("sandtable board import")
    anna.page.get_by_role("link", name="All lessons").click()
    for game in ("aslguide", "aslsk2", "pbi", "underbelly"):
        expect(anna.page.locator(f"[data-lesson][data-game={game}]").first).to_be_visible()
    assert anna.page.locator("[data-lesson]").first.get_attribute("data-game") == "aslguide"


def test_a_mission_that_the_rules_lead(player: Callable[..., Player]) -> None:
    """The match makes its own map, and each decision of the tables shows its table with the row marked."""
    anna = player(1366, 768)
    match = anna.new("sasl", "1")
    anna.open("new/sasl/1")
    expect(anna.page.locator("#app")).to_contain_text("ENEMY: led by the rules")
    expect(anna.page.locator("[data-seat]")).to_have_count(1)
    anna.sit(match)
    expect(anna.page.locator("[data-piece]").first).to_be_attached()
    anna.get("show-chart").filter(has_text="Table A8").first.click()
    expect(anna.get("chart")).to_be_visible()
    expect(anna.page.locator("tr.marked")).to_have_count(1)
    anna.shot("table")


def test_a_page_that_waits_for_the_games_says_so(player: Callable[..., Player]) -> None:
    anna = player(1366, 768)
    anna.open("")
    waiting: list[Route] = []
    gone_on = threading.Event()
    anna.page.route("**/api/games", lambda route: route.continue_() if gone_on.is_set() else waiting.append(route))
    anna.page.goto("about:blank")
    anna.open("new/aslsk2/S9")
    expect(anna.page.get_by_role("status")).to_have_text("Looking up the scenario …")
    gone_on.set()
    for route in waiting:
        route.continue_()
    expect(anna.get("start")).to_be_visible(timeout=120_000)  # the first page waits for all games to be ready
    expect(anna.page.get_by_text("Looking up the scenario")).to_have_count(0)
    anna.page.unroute_all(behavior="ignoreErrors")
