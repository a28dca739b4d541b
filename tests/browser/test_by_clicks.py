"""One turn of every game by clicks alone, on a desktop and on a phone; the guide's whole game is in test_full_game."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.clicks import DESKTOP, OFFERED, PHONE, SKIPPED, confirm, pass_by, settle, state
from browser.table import Player

PATIENCE = 400
"""Seconds for the turn, on a busy machine."""
DONE = 6
"""So much is done before the player begins to pass, and now and then later."""
BOLD = 0.3
TURN = re.compile(r"[Tt]urn (\d+)")
BEGUN = [
    ("aslsk2/S15", ("american", "german"), {}),
    ("pbi/crossroads", ("attacker", "defender"), {}),
    ("underbelly/historical", ("allied", "german"), {}),
    ("sasl/1", ("friendly",), {"options": {"set_up": "rolled"}}),
]


def turn_of(one: Player) -> int:
    found = TURN.search(one.page.locator("header").inner_text())
    return int(found[1]) if found else 0


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(("scenario", "sides", "more"), BEGUN, ids=[scenario for scenario, _, _ in BEGUN])
def test_a_turn_by_clicks(
    player: Callable[..., Player], size: dict[str, int], scenario: str, sides: tuple[str, ...], more: dict[str, Any]
) -> None:
    anna = player(**size)
    anna.context.add_init_script(SKIPPED)
    game, name = scenario.split("/")
    anna.sit(anna.new(game, name, seats={side: {"kind": "hotseat"} for side in sides}, **more))
    expect(anna.page.locator("[data-choice]").first).to_be_visible(timeout=60_000)
    head = anna.page.locator("header").bounding_box()
    assert head is not None
    source = random.Random(7)
    end, done = time.monotonic() + PATIENCE, 0
    while time.monotonic() < end and turn_of(anna) < 2 and not anna.has("result"):
        if confirm(anna):
            done += 1
        elif anna.page.locator(OFFERED).count():
            buttons = anna.page.locator(OFFERED)
            if buttons.count() > 1 and (done < DONE or source.random() < BOLD):
                before = state(anna)
                buttons.nth(source.randrange(buttons.count())).click()
                done += settle(anna, before)
            else:
                pass_by(anna, source)
        else:
            anna.page.wait_for_timeout(150)
    assert turn_of(anna) >= 2 or anna.has("result"), f"the turn is not over: {anna.get('prompt').first.inner_text()}"
    assert done >= DONE, "something was done by clicks, not only passed by"
    assert anna.page.locator("header").bounding_box() == head, "the header keeps its height"
    assert not anna.has("offline")
