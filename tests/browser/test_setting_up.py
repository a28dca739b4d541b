"""A mission is set up by clicks on its page, on a desktop and on a phone; then the map lies on the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.clicks import DESKTOP, PHONE, SKIPPED
from browser.table import Player

PATIENCE = 90_000
"""Milliseconds in which a map is made on a busy machine."""


def choose(one: Player, row: str, value: str) -> None:
    one.page.locator(f"[data-row='{row}']").get_by_role("button", name=value, exact=True).click()
    expect(one.page.locator(f"[data-row='{row}']")).to_contain_text("✓")


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_mission_is_chosen_rolled_and_begun(player: Callable[..., Player], screen: dict[str, Any]) -> None:
    one = player(**screen)
    one.context.add_init_script(SKIPPED)
    match = one.new("sasl", "any", options={"set_up": "steps", "boards": "shipped", "own": "none"})
    one.open(f"match/{match}")
    one.page.wait_for_selector("[data-testid=setting-up]", timeout=60_000)
    expect(one.page.locator(".to-act")).to_be_hidden()  # the choices are on the page itself
    choose(one, "Mission", "Mission 1: Cautious Advance")
    choose(one, "Theatre", "Eastern ETO")
    one.page.locator("[data-row='Your nation (FRIENDLY)'] .roll").click()
    expect(one.page.locator("[data-row='Your nation (FRIENDLY)']")).to_contain_text("✓")
    one.get("show-chart").first.click()
    expect(one.get("chart").locator(".marked")).to_have_count(1)
    one.page.locator("dialog[open]").get_by_role("button", name="Close").click()
    one.get("roll-everything").click()
    expect(one.get("board")).to_be_visible(timeout=PATIENCE)
    expect(one.get("setting-up")).to_have_count(0)
    expect(one.page.locator("[data-stack]").first).to_be_visible(timeout=PATIENCE)
