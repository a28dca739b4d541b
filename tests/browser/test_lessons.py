"""Every lesson by clicks alone: as it asks, and when the player does something else; on a desktop and on a phone."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.clicks import (
    CARRIES_OUT,
    DESKTOP,
    GIVEN_UP,
    OFFERED,
    PASSIVE,
    PHONE,
    SKIPPED,
    choose,
    confirm,
    pass_by,
    settle,
    state,
)
from browser.table import Player
from sandtable.engine import get_game

GAMES = ("aslguide", "aslsk2", "pbi", "sasl", "underbelly")
LESSONS = {f"{game}/{lesson.id}": lesson for game in GAMES for lesson in get_game(game).lessons()}
PATIENCE = 300
"""Seconds in which a lesson is through, on a busy machine."""


def begin(one: Player, name: str) -> None:
    one.context.add_init_script(SKIPPED)
    game, lesson = name.split("/")
    one.open(f"learn/{game}")
    one.page.locator(f"[data-lesson={lesson}]").click()
    one.page.wait_for_selector("[data-testid=lesson]", timeout=60_000)


def asked(one: Player) -> tuple[str, str | None]:
    """What is asked, and the step of the lesson."""
    return one.get("prompt").first.inner_text(), one.get("lesson").get_attribute("data-step")


def follow(one: Player, name: str) -> None:
    """Do what the step says: its piece, its place, and whatever carries that out."""
    lesson = LESSONS[name]
    step = lesson.steps[int(one.get("lesson").get_attribute("data-step") or 0)]
    game = name.split("/")[0]
    begun = asked(one)
    for piece in step.pieces[:1]:
        choose(one, piece)
    if step.cells:
        before = state(one)
        one.page.mouse.click(*one.place(f"{game}/{lesson.scenario}", step.cells[-1]))
        settle(one, before)
    for _ in range(3):
        if not confirm(one):
            break
    carry = [n for n, text in enumerate(one.page.locator(OFFERED).all_inner_texts()) if CARRIES_OUT.search(text)]
    if carry:
        before = state(one)
        one.page.locator(OFFERED).nth(carry[0]).click()
        settle(one, before)
        confirm(one)
    elif asked(one) == begun and one.page.locator(OFFERED).count():  # by the list, then: what names the place, or acts
        texts = one.page.locator(OFFERED).all_inner_texts()
        named = [n for n, text in enumerate(texts) if step.cells and step.cells[-1] in text]
        acting = [n for n, text in enumerate(texts) if not any(word in text for word in (*PASSIVE, *GIVEN_UP))]
        before = state(one)
        one.page.locator(OFFERED).nth([*named, *acting, 0][0]).click()
        settle(one, before)
        confirm(one)


def walk(one: Player, name: str, *, on_path: bool) -> list[str]:
    """Through a lesson to its end; gives the steps that were shown."""
    shown: list[str] = []
    tried: dict[str, int] = {}
    source = random.Random(5)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        lesson = one.get("lesson")
        ending = one.page.locator("dialog[open]").get_by_role("button", name="Close")
        if ending.count():  # off its path a lesson's game may be lost
            ending.click()
            expect(one.page.locator("dialog[open]")).to_have_count(0)
        if lesson.get_attribute("data-ended"):
            return shown
        number = lesson.get_attribute("data-step") or ""
        if number not in shown:
            shown.append(number)
        if lesson.get_by_role("button", name="Next").count():
            lesson.get_by_role("button", name="Next").click()
            one.page.wait_for_timeout(60)
        elif confirm(one):
            pass
        elif one.page.locator(OFFERED).count():
            tried[number] = tried.get(number, 0) + 1
            if on_path and tried[number] <= 4:
                follow(one, name)
            else:
                pass_by(one, source)
        else:  # the computer is at work, or its worker still starts
            one.page.wait_for_timeout(200)
    one.shot("lesson-stuck")
    raise AssertionError(f"{name} does not end; it stands at {one.get('lesson').inner_text()}")


def first_move(one: Player) -> None:
    """The squad in N2 goes to N3, by two clicks."""
    one.page.wait_for_selector("[data-piece=r1]")
    expect(one.page.locator("[data-choice]").first).to_be_visible()
    one.pick("r1")
    one.page.mouse.click(*one.place("aslguide/intro", "N3"))
    expect(one.page.locator("[data-stack=N3] [data-piece=r1]")).to_have_count(1)
    expect(one.get("lesson")).to_have_attribute("data-step", "1")


def test_three_clicks_from_the_first_page_to_the_first_own_move(player: Callable[..., Player]) -> None:
    anna = player(1366, 768)
    anna.open("")
    anna.get("learn").click()  # one
    expect(anna.get("lesson")).to_contain_text("Welcome", timeout=60_000)
    anna.shot("lesson")
    first_move(anna)  # two and three


PLACES = [(name, size) for name in LESSONS for size in (DESKTOP, PHONE)]
IDS = [f"{name}-{'phone' if size is PHONE else 'desktop'}" for name, size in PLACES]


@pytest.mark.parametrize(("name", "size"), PLACES, ids=IDS)
def test_a_lesson_as_it_asks(player: Callable[..., Player], name: str, size: dict[str, int]) -> None:
    anna = player(**size)
    begin(anna, name)
    walk(anna, name, on_path=True)
    expect(anna.get("lesson")).to_contain_text("well done")
    first = next(n for n, step in enumerate(LESSONS[name].steps) if step.until)
    passed = (anna.get("lesson").get_attribute("data-passed") or "").split()
    assert str(first) not in passed, "the first step was done as it asks, by clicks"


@pytest.mark.parametrize(("name", "size"), PLACES, ids=IDS)
def test_a_lesson_off_its_path(player: Callable[..., Player], name: str, size: dict[str, int]) -> None:
    anna = player(**size)
    begin(anna, name)
    walk(anna, name, on_path=False)
    over = anna.has("result")
    expect(anna.get("lesson")).to_contain_text("the game is over" if over else "well done", ignore_case=True)
    begun = anna.page.url
    if anna.page.locator("dialog[open]").count():  # who has won and why
        anna.page.keyboard.press("Escape")
    anna.get("lesson-again").click()
    expect(anna.get("lesson")).to_have_attribute("data-step", "0", timeout=60_000)
    assert anna.page.url != begun, "the lesson begins again in a match of its own"


def test_a_lesson_follows_taking_back(player: Callable[..., Player]) -> None:
    anna = player(1366, 768)
    begin(anna, "aslguide/first-game")
    first_move(anna)
    anna.get("undo").click()
    expect(anna.get("lesson")).to_have_attribute("data-step", "0")
    anna.page.reload()
    anna.page.wait_for_selector("[data-testid=lesson]")
    expect(anna.get("lesson")).to_have_attribute("data-step", "0")
