"""Taking back: at once where nothing was learned, by consent elsewhere, and the button says why not."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from browser.table import Player
from browser.test_two_players import invited


def test_allowed_then_refused_then_asked(player: Callable[..., Player]) -> None:
    anna, bert = player(), player()
    invited(anna, bert)
    bert.page.mouse.click(*bert.middle("d4"))
    anna.says("Red: ")
    expect(anna.get("undo")).to_have_attribute("aria-disabled", "true")
    anna.get("undo").click(force=True)
    expect(anna.get("message")).not_to_be_empty()
    anna.do("End the turn")
    bert.says("Blue: ")

    bert.pick("b2")
    bert.page.mouse.click(*bert.middle("f1"))
    expect(bert.page.locator("[data-stack=f1]")).to_have_count(1)
    bert.get("undo").click()
    expect(bert.page.locator("[data-stack=e2]")).to_have_count(1)

    bert.do("End the turn")
    anna.says("Red: ")
    expect(bert.get("undo")).to_contain_text("Ask")
    assert bert.get("undo").get_attribute("title")
    bert.get("undo").click()
    expect(anna.get("request")).to_be_visible()
    anna.shot("asked-to-take-back")
    anna.get("request").get_by_role("button", name="Agree").click()
    bert.says("Blue: ")
    expect(bert.page.locator("[data-choice]", has_text="End the turn")).to_have_count(1)
