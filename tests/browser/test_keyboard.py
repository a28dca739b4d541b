"""A player without a mouse does everything: cursor, selection, preview, actions, help."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from browser.table import Player


def test_keyboard_only(player: Callable[..., Player]) -> None:
    anna = player()
    anna.sit(anna.new("outpost", seats={"red": {"kind": "me"}, "blue": {"kind": "hotseat"}}))
    keys = anna.page.keyboard
    if anna.has("curtain"):
        keys.press("Enter")
        expect(anna.get("curtain")).to_have_count(0)
    keys.press("1")
    expect(anna.get("curtain")).to_be_visible()
    keys.press("Enter")
    expect(anna.get("curtain")).to_have_count(0)

    anna.pass_by()
    expect(anna.get("curtain")).to_be_visible()
    keys.press("Enter")
    expect(anna.get("curtain")).to_have_count(0)

    keys.press("n")
    expect(anna.page.locator(".counter.selected")).to_have_count(1)
    expect(anna.get("stack")).to_contain_text("Blue 1")
    keys.press("ArrowDown")
    expect(anna.get("cursor")).to_have_attribute("data-cell", "e4")
    keys.press("Enter")
    expect(anna.page.locator("[data-stack=e4]")).to_have_count(1)
    expect(anna.page.locator("p.unseen")).to_contain_text("e4, woods: Blue 1")
    keys.press("u")
    expect(anna.page.locator("[data-stack=e4]")).to_have_count(0)

    keys.press("?")
    expect(anna.page.get_by_role("dialog", name="Keys and gestures")).to_be_visible()
    keys.press("Escape")
    expect(anna.page.locator("dialog")).to_have_count(0)
    keys.press("/")
    keys.type("blue 2 f1")
    keys.press("Enter")
    expect(anna.page.locator("[data-stack=f1]")).to_have_count(1)
    anna.pass_by()
    expect(anna.get("curtain")).to_be_visible()
