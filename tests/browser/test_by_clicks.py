"""The first turn of every game by clicks alone, on a desktop and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.table import Player

SCREENS = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 780, "has_touch": True}}
OPEN_HANDED = "localStorage.setItem('sandtable', JSON.stringify({curtain: false, show: 'off'}))"


def decide(one: Player, n: int) -> None:
    """One decision: confirm what is asked, else carry out a declaration, else now one choice and now another."""
    if one.page.get_by_test_id("choices-here").count():
        one.page.get_by_role("menuitem").first.click()
    elif one.has("confirm"):
        one.get("confirm").click()
    elif one.page.locator("[data-role=resolve]").count():
        one.page.locator("[data-role=resolve]").first.click()
    else:
        ends = one.page.locator("[data-role=pass], [data-role=stop]")
        other = one.page.locator("[data-choice]:not([data-role=pass], [data-role=stop], [data-role=cancel])")
        wanted = other if other.count() and (n % 3 or not ends.count()) else ends
        (wanted.nth(n % max(wanted.count(), 1)) if wanted.count() else one.page.locator("[data-choice]").first).click()


@pytest.mark.parametrize("screen", sorted(SCREENS))
@pytest.mark.parametrize(
    ("scenario", "sides"),
    [
        ("aslguide/intro", ("russian", "german")),
        ("aslsk2/S15", ("american", "german")),
        ("pbi/crossroads", ("attacker", "defender")),
        ("underbelly/historical", ("allied", "german")),
    ],
)
def test_decisions_by_clicks(player: Callable[..., Player], screen: str, scenario: str, sides: tuple[str, str]) -> None:
    anna = player(**SCREENS[screen])
    anna.context.add_init_script(OPEN_HANDED)
    game, name = scenario.split("/")
    anna.sit(anna.new(game, name, seats={side: {"kind": "hotseat"} for side in sides}))
    expect(anna.page.locator("[data-choice]").first).to_be_visible()
    head = anna.page.locator("header").bounding_box()
    assert head is not None
    changed = 0
    for n in range(24):
        if anna.has("result"):
            break
        before = anna.page.locator("section.side").inner_text()
        decide(anna, n)
        for _ in range(40):
            anna.page.wait_for_timeout(100)
            if anna.page.locator("section.side").inner_text() != before and anna.page.locator("[data-choice]").count():
                changed += 1
                break
    assert changed >= 12 or anna.has("result"), "most clicks on a choice bring the match on"
    assert anna.page.locator("header").bounding_box() == head, "the header keeps its height"
    assert not anna.has("offline")
