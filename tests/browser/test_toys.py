"""The toy parts of the squad-level tests in the client: what a part brings is clicked, read and seen on the map."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from toys import flare, tower

from browser.table import Player
from sandtable.engine import registry
from sandtable.games.aslguide import GAME as GUIDE_GAME
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.rulesets import GUIDE

GAME = SquadGame("toys", "Toys", GUIDE, GUIDE_GAME._load, {}, parts=(*COMMON, flare.PART, tower.PART))
OPEN_HANDED = "localStorage.setItem('sandtable', JSON.stringify({curtain: false, show: 'off', pace: 'skip'}))"


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._registered, GAME.id, GAME)


@pytest.fixture
def anna(player: Callable[..., Player]) -> Player:
    one = player(1440, 900)
    one.context.add_init_script(OPEN_HANDED)
    one.sit(one.new("toys", "intro", seats={"russian": {"kind": "me"}, "german": {"kind": "hotseat"}}))
    return one


def test_a_flare_is_shot_by_a_click_and_its_counter_and_words_are_seen(anna: Player) -> None:
    anna.pass_until("Prep Fire: pick")
    choice = anna.page.locator("[data-choice]", has_text="Shoot a flare over").first
    said = re.search(r"Shoot a flare over (\w+)", choice.inner_text())
    assert said is not None
    choice.click()
    anna.says(f"A flare lights up {said[1]}")
    counter = anna.page.locator(f".mark[data-mark='{said[1]}']").filter(has_text="A flare: -1")
    expect(counter.locator("use")).to_be_visible()
    anna.shot("toy-flare")


def test_a_unit_climbs_the_tower_and_is_seen_there(anna: Player) -> None:
    anna.pass_until("Pick a unit to move")
    held = anna.page.locator("[data-stack]").evaluate_all("all => all.map(one => one.dataset.stack)")
    climber = anna.page.locator("[data-stack=G4] .counter").last.get_attribute("data-piece")
    anna.page.locator(f".counter[data-piece={climber}]").click()
    expect(anna.page.locator("[data-goal='H3 tower']")).to_be_attached()
    assert "H3 tower" not in held
    anna.page.mouse.click(*anna.place("toys/intro", "H3 tower"))
    expect(anna.get("walk").first).to_be_visible()
    anna.shot("toy-tower-way")
    anna.get("walk").first.click()
    anna.says("Fire at the moving units, or hold fire")  # below the tower the enemy has his chance
    anna.pass_by()
    anna.do("Enter H3 tower")
    expect(anna.page.locator(f"[data-stack='H3 tower'] [data-piece={climber}]")).to_be_visible()
    assert "H3 tower" in anna.log()
    anna.shot("toy-tower")
