"""Two browsers share a side: one commands and invites, the other comes by the link and has his platoon."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from browser.table import Player


def test_a_friend_shares_the_side(player: Callable[..., Player]) -> None:
    anna, bert = player(), player()
    match = anna.new("outpost", seats={"red": {"kind": "me"}, "blue": {"kind": "computer", "level": "random"}})
    anna.sit(match)
    anna.says("Red: ")
    anna.get("menu").click()
    anna.page.get_by_label("Change the seat of Red").select_option("partner")
    anna.says("Invitation to share Red")
    bert.open(anna.invitation())
    bert.get("join").click()
    bert.page.wait_for_selector("[data-testid=board]")
    anna.page.keyboard.press("Escape")
    for one in (anna, bert):
        one.page.get_by_role("tab", name="Standing").click()
        expect(one.page.locator("[data-panel=platoons] .row")).to_have_count(2)
        expect(one.page.locator("[data-panel=platoons]")).to_contain_text("who commands: to act")
    bert.shot("sharing")

    # He acts with his own unit; with hers he cannot, and the turn is hers to end.
    expect(bert.get("prompt")).to_contain_text("Red:")
    expect(bert.page.locator("[data-choice]", has_text="End")).to_have_count(0)
    bert.pick("r3")
    bert.says("Selected: ")
    bert.page.keyboard.press("Escape")
    bert.pick("r1")
    expect(bert.page.locator(".selected", has_text="Selected: ")).to_have_count(0)

    # She gives him the rest.
    anna.pick("r1")
    anna.pick("r2", modifiers=["Shift"])
    anna.get("menu").click()
    anna.page.get_by_role("button", name="give the selected units to").click()
    expect(bert.page.locator("[data-panel=platoons] .row").first).to_contain_text("no units")
    bert.pick("r1")
    bert.says("Selected: ")
