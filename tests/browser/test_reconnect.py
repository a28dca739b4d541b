"""Reload and reconnect in the middle of a reaction window."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from browser.table import Player, Served


def test_a_window_outlives_reload_and_restart(player: Callable[..., Player], fresh_server: Served) -> None:
    anna, bert = player(at=fresh_server), player(at=fresh_server)
    match = anna.new("outpost", seats={"red": {"kind": "me"}, "blue": {"kind": "invitation"}})
    anna.sit(match)
    bert.open(anna.invitation())
    bert.get("join").click()
    bert.page.mouse.click(*bert.middle("c3"))
    anna.says("Red: ")
    anna.pick("r2")
    anna.page.mouse.click(*anna.middle("b3"))
    expect(bert.get("reaction")).to_be_visible()

    bert.page.reload()
    expect(bert.get("reaction")).to_be_visible()

    fresh_server.stop()
    expect(bert.get("offline")).to_be_visible()
    bert.shot("offline")
    fresh_server.start()
    expect(bert.get("offline")).to_have_count(0)
    expect(bert.get("reaction")).to_be_visible()
    bert.page.keyboard.press("Space")
    anna.says("Red 1 moves to")
    # what the browser says about the sockets that could not be opened is no fault of the page
    for one in (anna, bert):
        one.faults = [fault for fault in one.faults if "WebSocket" not in fault and "ERR_" not in fault]
