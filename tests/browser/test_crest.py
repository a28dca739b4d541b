"""Crest status in the client: taken by a click, and seen on the map with the way it faces."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.table import Player
from sandtable.engine import registry

sys.path.append(str(Path(__file__).parents[1] / "games" / "asl"))

from asl_support import CARDS, GAMES, everything, unit

OPEN_HANDED = "localStorage.setItem('sandtable', JSON.stringify({curtain: false, show: 'off', pace: 'skip'}))"


@pytest.fixture(autouse=True)
def _parade_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(CARDS.parent))
    for game in GAMES:
        monkeypatch.setitem(registry._registered, game.id, game)


def test_a_squad_goes_up_to_the_crest_and_is_fired_at_there(player: Callable[..., Player]) -> None:
    stand = [unit("r", "russian 4-4-7", "G3"), unit("r2", "russian 4-4-7", "G3"), unit("g", "german 4-6-7", "J4")]
    anna = player(1440, 900)
    anna.context.add_init_script(OPEN_HANDED)
    seats = {"russian": {"kind": "me"}, "german": {"kind": "hotseat"}}
    anna.sit(anna.new("aslall", position=everything("MPh", *stand).position(), seats=seats))
    anna.pick("r2")
    anna.do("Move 4-4-7")
    anna.do("Start moving step by step")
    anna.do("Go up to the Crest, facing H2")
    anna.says("Fire at the moving units, or hold fire")
    expect(anna.page.locator("[data-stack='G3 crest'] [data-piece=r2]")).to_be_visible()
    expect(anna.page.locator(".mark[data-mark='G3 crest'] use")).to_be_visible()
    anna.shot("crest")
    anna.page.locator(".counter[data-piece=g]").click()
    anna.do("Defensive First Fire with")
    expect(anna.page.locator("[data-choice]", has_text="Fire at G3 crest")).to_be_visible()
    anna.shot("crest-fire")
