"""The walkthrough of a first game, by clicks, to its end: fire, rout, close combat, rally, movement, advance."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from browser.table import Player

PLAN: list[tuple[str, list[str]]] = [
    ("Fire at the moving units", ["First Fire with 5-4-6 a1", "Hold fire"]),
    ("add firers and leaders", ["Add MMG w1", "8-1 a2 directs", "Fire at"]),
    ("Rout broken units", ["a6"]),
    ("Rout to", ["Rout to R8"]),
    ("Declare your attacks", ["All attack all"]),
    ("Choose the target hex", ["Aim at S", "Aim at T", "Aim at R", "Aim at"]),
    ("rally", ["3-4-6 a6"]),
    ("Pick the hex to advance into", ["Advance to V8"]),
]
"""What the player clicks, by what he is asked; the first that is offered."""

AT_STEP = {"Fire: pick": "Prep Fire with 5-4-6 a1", "Send the squad": "Advance 5-4-6 a5"}
"""What a step of the lesson asks for."""


REMEMBER = """
() => {
  window.shownSteps = [];
  const look = () => {
    const number = document.querySelector("[data-testid=lesson] small")?.textContent?.match(/(\\d+) of 13/);
    if (number && !window.shownSteps.includes(number[1])) window.shownSteps.push(number[1]);
  };
  look();
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
}
"""
"""The page itself notes every step that it shows: a quick opponent can be through with one between two looks."""


def wanted(one: Player, said: str) -> str | None:
    """The words of the button that the lesson, or else common sense, asks for."""
    prompt = one.get("prompt").inner_text()
    offered = one.page.locator("section.side [data-choice]").all_inner_texts()
    plans = [[words] for at, words in AT_STEP.items() if at in said]
    plans += [words for question, words in PLAN if question in prompt]
    for plan in plans:
        for words in plan:
            if any(words in text for text in offered):
                return words
    return None


def test_a_first_game_to_its_end(player: Callable[..., Player]) -> None:
    anna = player(1366, 768)
    anna.open("learn/aslsk2")
    anna.page.locator("[data-lesson=first-game]").click()
    lesson = anna.get("lesson")
    expect(lesson).to_contain_text("Welcome")
    anna.page.get_by_label("The computer's pace").select_option("skip")
    anna.page.evaluate(REMEMBER)
    lesson.get_by_role("button", name="Next").click()
    seen: list[str] = []
    stuck, skipped, last = 0, 0, ""
    for _ in range(200):
        said = lesson.inner_text()
        now = said + anna.get("prompt").inner_text() + anna.log()[-200:]
        asked = anna.page.locator("section.side [data-choice]").count()
        stuck, last = (stuck + 1 if now == last and asked else 0), now
        number = re.search(r"(\d+) of 13", said)
        if number and number[1] not in seen:
            seen.append(number[1])
            anna.shot(f"first-game-{number[1]:0>2}")
        if "well done" in said:
            break
        if stuck > 20:  # the dice have taken away what the step speaks of: a player goes on, and so does the lesson
            skipped, stuck = skipped + 1, 0
            lesson.get_by_role("button", name="Skip this step").click()
        elif anna.has("preview"):
            anna.get("confirm").click()
        elif "click the squad in T9" in said and "Pick a unit to move" in anna.get("prompt").inner_text():
            anna.pick("a5")
            anna.page.mouse.click(*anna.place("aslsk2/S15", "U9"))
            expect(anna.get("way")).to_contain_text("To U9")
            anna.get("walk").click()
        elif anna.page.locator("section.side [data-choice]").count():
            words = wanted(anna, said)
            if words:
                anna.page.locator("section.side [data-choice]", has_text=words).first.click()
            else:
                anna.page.keyboard.press("Space")
        else:  # the computer is at work, or its worker still starts
            anna.page.wait_for_selector("section.side [data-choice], [data-testid=preview]", timeout=120_000)
        anna.page.wait_for_timeout(150)
    expect(lesson).to_contain_text("well done")
    shown = anna.page.evaluate("window.shownSteps")
    assert shown == [str(n) for n in range(1, 14)], "no step was left out"
    assert skipped <= 2
    told = anna.log()
    assert "Defensive First Fire: 5-4-6 a1, MMG w1, 8-1 a2" in told
    assert "Prep Fire: 5-4-6 a1" in told
    assert "5-4-6 a5: from T9 to U9" in told
    assert "kill number" in told
