"""After the end: who won and why, the story with its turning points, a report; the replay with words for every step."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from browser.table import Player

WATCHED = {"red": {"kind": "computer", "level": "recruit"}, "blue": {"kind": "computer", "level": "recruit"}}


def test_resigning_is_told_in_plain_words(player: Callable[..., Player], tmp_path: Path) -> None:
    anna = player(1366, 768)
    anna.sit(anna.new("outpost", seats={"red": {"kind": "me"}, "blue": {"kind": "computer", "level": "recruit"}}))
    anna.get("menu").click()
    anna.get("resign").click()
    anna.get("resign-sure").click()
    expect(anna.page.get_by_role("dialog", name="Blue victory")).to_be_visible()
    expect(anna.page.get_by_role("dialog")).to_have_count(1)
    expect(anna.get("ending")).to_have_text("Red resigned.")
    expect(anna.get("story")).to_contain_text("Losses")
    with anna.page.expect_download() as waiting:
        anna.get("report").click()
    page = tmp_path / "report.html"
    waiting.value.save_as(page)
    assert "Blue victory: Red resigned." in page.read_text(encoding="utf-8")


def test_every_step_of_a_replay_has_words_and_the_slider_marks(player: Callable[..., Player]) -> None:
    anna = player(1366, 768)
    match = anna.new("outpost", seats=WATCHED)
    anna.open(f"match/{match}")
    expect(anna.get("result")).to_be_visible(timeout=40_000)
    anna.open(f"replay/{match}/0")
    expect(anna.get("marks").locator(".turn").first).to_be_attached()
    last = int(anna.get("scrubber").get_attribute("max") or 0)
    for step in range(last + 1):
        expect(anna.get("step")).to_have_text(re.compile(r"^\S+ .+"))
        if step < last:
            anna.page.get_by_label("Step on").click()
            expect(anna.get("scrubber")).to_have_value(str(step + 1))


RECORD = Path(__file__).parents[1] / "games" / "pbi" / "golden" / "crossroads.jsonl"


def test_the_story_of_a_record_opens_the_replay_where_it_turned(player: Callable[..., Player]) -> None:
    anna = player(1366, 900)
    anna.post("guest", {})
    study = anna.post("records", {"record": RECORD.read_text(encoding="utf-8"), "title": "Crossroads"})["match"]["id"]
    anna.open(f"replay/{study}/0")
    anna.get("tell").click()
    expect(anna.get("story").locator("polyline")).to_be_attached(timeout=60_000)
    expect(anna.get("story")).to_contain_text("Luck")
    expect(anna.get("marks").locator(".loss").first).to_be_attached(timeout=30_000)
    anna.get("turning-point").first.click()
    expect(anna.get("scrubber")).not_to_have_value("0")
    expect(anna.get("step")).to_contain_text("in")
    anna.shot("story")


def test_an_explanation_by_tap(player: Callable[..., Player]) -> None:
    anna = player(390, 780, has_touch=True, is_mobile=True)
    anna.sit(anna.new("aslguide", lesson="rally"))
    words = anna.get("lesson").locator("u").first
    words.tap()
    expect(anna.get("hint")).to_be_visible()
    anna.page.touchscreen.tap(200, 40)
    expect(anna.get("hint")).to_have_count(0)
