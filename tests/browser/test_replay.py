"""Looking back: scrubber, steps, sides, a link to a moment, records down and up."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from browser.table import Player

WATCHED = {"red": {"kind": "computer", "level": "recruit"}, "blue": {"kind": "computer", "level": "recruit"}}


def test_replay_of_a_finished_match(player: Callable[..., Player], tmp_path: Path) -> None:
    anna = player()
    match = anna.new("outpost", seats=WATCHED)
    anna.open(f"match/{match}")
    expect(anna.get("result")).to_be_visible(timeout=40_000)

    anna.open(f"replay/{match}/3")
    expect(anna.get("scrubber")).to_have_value("3")
    last = int(anna.get("scrubber").get_attribute("max") or 0)
    assert last > 5
    anna.page.get_by_label("Step on").click()
    expect(anna.get("scrubber")).to_have_value("4")
    expect(anna.page).to_have_url(re.compile(f"/replay/{match}/4$"))
    anna.page.get_by_label("Next turn").click()
    anna.says("Turn 2")
    anna.shot("replay")
    anna.page.keyboard.press("End")
    expect(anna.get("scrubber")).to_have_value(str(last))
    assert "observer" not in anna.page.locator("select").input_value()

    anna.page.keyboard.press("Home")
    anna.page.get_by_label("Step on").click()
    expect(anna.page.locator("[data-piece=b3]")).to_have_count(1)
    anna.page.get_by_label("seen by").select_option("red")
    expect(anna.page.locator("[data-piece=b3]")).to_have_count(0)

    with anna.page.expect_download() as waiting:
        anna.page.get_by_text("Download the record").click()
    record = tmp_path / "record.jsonl"
    waiting.value.save_as(record)
    anna.open("")
    anna.page.set_input_files("input[type=file]", record)
    expect(anna.get("scrubber")).to_have_attribute("max", str(last))
