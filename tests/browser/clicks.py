"""Playing by clicks alone, as somebody does who reads what is offered and presses buttons."""

from __future__ import annotations

import contextlib
import random
import re

from playwright.sync_api import Error as PlaywrightError

from browser.table import Player

DESKTOP = {"width": 1366, "height": 768}
PHONE = {"width": 390, "height": 780, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
OFFERED = "[data-choice]:visible"
PASSIVE = ("End ", "Hold", "No ", "Nobody", "Use no", "done", "enough", "finished", "nothing more", "Press on", "Halt")
CARRIES_OUT = re.compile(
    "Enter.*(Fire at|Begin|tries to rally|attack)|^(Fire at|Begin the battle|All attack)", re.DOTALL
)
GIVEN_UP = ("another", "Do not", "aside", "Cancel", "stays", "Leave")
SKIPPED = "localStorage.setItem('sandtable', JSON.stringify({curtain: false, pace: 'skip'}))"


def state(one: Player) -> str:
    """Everything that changes when something happens."""
    return str(one.page.evaluate("document.querySelector('#app').innerText"))


def settle(one: Player, before: str) -> bool:
    """Wait until the page is another and nothing is asked of the server; False if it stays as it is."""
    calm = 0
    for _ in range(400):  # a busy machine answers late
        one.page.wait_for_timeout(50)
        calm = 0 if one.page.locator(".page[aria-busy=true]").count() else calm + 1
        if calm > 1 and state(one) != before:
            return True
        if calm > 12:
            break
    return False


def confirm(one: Player) -> bool:
    """Say yes to what is asked once more: odds, a way, the end of a phase."""
    for name in ("confirm", "walk"):
        if one.get(name).count() and one.get(name).first.is_visible():
            before = state(one)
            one.get(name).first.click()
            return settle(one, before)
    return False


def pass_by(one: Player, source: random.Random) -> None:
    """The passive choice, which ends, holds or declines something; where there is none, any that is not given up."""
    before = state(one)
    buttons = one.page.locator(OFFERED)
    texts = buttons.all_inner_texts()
    passive = [n for word in PASSIVE for n, text in enumerate(texts) if word in text and "Do not" not in text]
    others = [n for n, text in enumerate(texts) if not any(word in text for word in GIVEN_UP)]
    buttons.nth(passive[0] if passive else source.choice(others or [0])).click()
    settle(one, before)


def choose(one: Player, piece: str) -> None:
    """Click a piece, be it below others of its stack."""
    found = one.page.locator(f".counter[data-piece='{piece}']")
    if not found.count():
        return
    box = found.first.bounding_box()
    if box is not None:
        one.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        one.page.wait_for_timeout(150)
    with contextlib.suppress(PlaywrightError):
        before = state(one)
        found.first.click(timeout=1500)
        settle(one, before)
