"""The line-of-sight tool, on the small board and on a real one."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from browser.table import Player

HOT = {"red": {"kind": "me"}, "blue": {"kind": "hotseat"}}


def point(one: Player, cell: str) -> None:
    box = one.page.locator(f"[data-stack={cell}]").bounding_box()
    assert box
    one.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)


def test_hold_the_key_and_point(player: Callable[..., Player]) -> None:
    anna = player()
    anna.sit(anna.new("outpost", seats=HOT))
    if anna.has("curtain"):
        anna.hand_over()
    point(anna, "a3")
    anna.page.keyboard.down("l")
    point(anna, "a1")
    expect(anna.get("los-verdict")).to_contain_text("a3 → a1: clear")
    point(anna, "e2")
    expect(anna.get("los-verdict")).to_contain_text("a3 → e2: blocked")
    expect(anna.get("los-verdict")).to_contain_text("Woods")
    expect(anna.get("los-thread")).to_have_count(1)
    anna.page.keyboard.up("l")
    anna.shot("line-of-sight")
    anna.page.keyboard.press("Escape")
    expect(anna.get("los-verdict")).to_have_count(0)


def test_everything_visible_is_shaded(player: Callable[..., Player]) -> None:
    anna = player()
    anna.sit(anna.new("outpost", seats=HOT))
    if anna.has("curtain"):
        anna.hand_over()
    point(anna, "a3")
    anna.page.keyboard.press("v")
    expect(anna.get("seen").locator("polygon.dark").first).to_be_attached()
    anna.page.keyboard.press("v")
    expect(anna.get("seen")).to_have_count(0)
