"""From the first page to the first move, by clicks alone, on a server that has never run before."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from browser.table import Player, Served


def test_from_the_first_page_to_the_first_move(player: Callable[..., Player], fresh_server: Served) -> None:
    anna = player(1366, 768, at=fresh_server)
    anna.open("")
    card = anna.page.locator("[data-scenario='aslsk2/S9']")
    expect(card).to_contain_text("6 turns · Allied moves first")
    expect(card).to_contain_text("partly reconstructed")
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
    expect(anna.get("chances")).to_contain_text("Between two computer players of the level Regular: Italian")
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
