"""A phone: touch, tabs instead of columns, nothing wider than the screen."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from browser.table import Player


def test_play_on_a_phone(player: Callable[..., Player]) -> None:
    anna = player(390, 780, has_touch=True, is_mobile=True, device_scale_factor=2)
    anna.sit(anna.new("outpost", seats={"red": {"kind": "me"}, "blue": {"kind": "hotseat"}}))
    if anna.has("curtain"):
        anna.get("handover").tap()
    anna.page.get_by_label("Show the whole map").tap()
    anna.page.touchscreen.tap(*anna.middle("d4"))
    anna.get("handover").tap()
    anna.page.locator("[data-piece=r2]").tap()
    expect(anna.page.locator(".counter.selected")).to_have_count(1)
    anna.shot("phone")
    anna.page.touchscreen.tap(*anna.middle("b3"))
    expect(anna.page.locator("[data-stack=b3]")).to_have_count(1)
    wide = anna.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0
    if anna.has("curtain"):
        anna.get("handover").tap()
    anna.page.get_by_label("Line of sight").tap()
    anna.page.locator("[data-piece=r1]").tap()
    anna.page.locator("[data-piece=b1]").tap()
    expect(anna.get("los-verdict")).to_contain_text("a1 → e3")
    anna.page.get_by_label("Line of sight").tap()
    expect(anna.get("los-verdict")).to_have_count(0)
    anna.page.get_by_role("tab", name="Log").tap()
    expect(anna.page.locator("ol.log")).to_be_visible()
    anna.page.get_by_role("tab", name="Stack").tap()
    expect(anna.get("stack")).to_be_visible()


def test_the_tabs_of_a_phone_stay_where_they_are(player: Callable[..., Player]) -> None:
    anna = player(390, 780, has_touch=True, is_mobile=True, device_scale_factor=2)
    anna.sit(anna.new("outpost", seats={"red": {"kind": "me"}, "blue": {"kind": "me"}}))
    tops = set()
    for name in ("Act", "Log", "Standing", "Stack"):
        anna.page.get_by_role("tab", name=name).tap()
        box = anna.page.locator(".tabs").bounding_box()
        assert box is not None
        tops.add(round(box["y"]))
    assert len(tops) == 1


def test_a_tablet_held_upright(player: Callable[..., Player]) -> None:
    anna = player(820, 1180, has_touch=True)
    anna.sit(anna.new("outpost", seats={"red": {"kind": "me"}, "blue": {"kind": "hotseat"}}))
    board = anna.get("board").bounding_box()
    log = anna.page.locator("ol.log").bounding_box()
    assert board is not None
    assert log is not None
    assert board["width"] == 820
    assert log["y"] > board["y"] + board["height"], "the decision and the log stand below the map"
    assert anna.page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    anna.shot("tablet")


def test_the_list_of_games_fits(player: Callable[..., Player]) -> None:
    anna = player(390, 780, has_touch=True, is_mobile=True)
    anna.open("")
    expect(anna.page.locator("[data-scenario]").first).to_be_visible()
    assert anna.page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    anna.shot("phone-home")
