"""A whole game of the guide by clicks alone."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from browser.clicks import DESKTOP, OFFERED, PHONE, SKIPPED, confirm, pass_by, settle, state
from browser.table import Player

PATIENCE = 600
"""Seconds for the whole game, on a busy machine."""
BOLD = 0.12
"""How often the player does something instead of passing."""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_game_of_the_guide_to_its_end(player: Callable[..., Player], size: dict[str, int]) -> None:
    anna = player(**size)
    anna.context.add_init_script(SKIPPED)
    anna.open("")
    anna.get("play-now").click()
    anna.page.wait_for_selector("[data-testid=board]", timeout=60_000)
    source = random.Random(3)
    end, clicks = time.monotonic() + PATIENCE, 0
    while time.monotonic() < end and not anna.has("ending"):
        if confirm(anna):
            clicks += 1
        elif anna.page.locator(OFFERED).count():
            clicks += 1
            buttons = anna.page.locator(OFFERED)
            if source.random() < BOLD and buttons.count() > 1:
                before = state(anna)
                buttons.nth(source.randrange(buttons.count())).click()
                settle(anna, before)
            else:
                pass_by(anna, source)
        else:
            anna.page.wait_for_timeout(150)
    assert anna.has("ending"), f"not over after {clicks} clicks: {anna.get('prompt').inner_text()}"
    assert "victory" in anna.page.get_by_role("dialog").inner_text()
