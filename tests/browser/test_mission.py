"""A mission of Solitaire ASL by clicks alone: from the page that sets it up to the verdict."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.clicks import DESKTOP, OFFERED, SKIPPED, confirm, pass_by, settle, state
from browser.table import Player

PATIENCE = 500
"""Seconds for the mission, on a busy machine."""
PLACED = 6
"""Clicks that place somebody before the set-up is ended."""
QUICK = SKIPPED.replace("curtain: false", "curtain: false, show: 'off'")


@pytest.mark.parametrize(("mission", "seed"), [("2", 5), ("8", 7)])
def test_a_mission_from_the_set_up_to_the_verdict(player: Callable[..., Player], mission: str, seed: int) -> None:
    anna = player(**DESKTOP)
    anna.context.add_init_script(QUICK)
    anna.open(f"match/{anna.new('sasl', mission, options={'set_up': 'steps', 'boards': 'shipped'}, seed=seed)}")
    anna.get("roll-everything").click(timeout=60_000)
    expect(anna.page.locator("[data-choice]").first).to_be_visible(timeout=90_000)
    source, end, placed = random.Random(1), time.monotonic() + PATIENCE, 0
    while time.monotonic() < end and not anna.has("ending"):
        buttons = anna.page.locator(OFFERED)
        if confirm(anna):
            continue
        if not buttons.count():
            anna.page.wait_for_timeout(150)
        elif placed < PLACED:
            placed += 1
            before = state(anna)
            buttons.first.click()
            settle(anna, before)
        else:
            pass_by(anna, source)
    expect(anna.get("ending")).to_be_visible()
    expect(anna.get("verdict")).to_contain_text("Total VP, FRIENDLY : ENEMY")
    assert anna.faults == []
