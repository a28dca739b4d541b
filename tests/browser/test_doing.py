"""Click a unit, click where it should go or what it should hit, counted in clicks and messages."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import expect

from browser.table import Player

GUIDE = "aslguide/intro"
OPEN_HANDED = "localStorage.setItem('sandtable', JSON.stringify({curtain: false, show: 'off'}))"


class Counted:
    """Somebody whose clicks and messages are counted."""

    def __init__(self, one: Player) -> None:
        self.one = one
        self.clicks = 0
        self.sent: list[str] = []
        one.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: self._frame(frame)))

    def _frame(self, frame: str | bytes) -> None:
        kind = json.loads(frame)["t"]
        if kind not in ("goals", "pace"):
            self.sent.append(kind)

    def click(self, piece: str) -> None:
        self.one.page.locator(f".counter[data-piece={piece}]").click()
        self.clicks += 1

    def press(self, selector: str) -> None:
        self.one.page.locator(selector).first.click()
        self.clicks += 1

    def place(self, cell: str) -> None:
        self.one.page.mouse.click(*self.one.place(GUIDE, cell))
        self.clicks += 1


def guide(one: Player) -> Counted:
    one.context.add_init_script(OPEN_HANDED)
    counted = Counted(one)
    one.sit(one.new("aslguide", "intro", seats={"russian": {"kind": "me"}, "german": {"kind": "hotseat"}}))
    return counted


def test_a_stack_with_its_leader_fires_with_four_clicks_and_three_messages(player: Callable[..., Player]) -> None:
    anna = player(1440, 900)
    counted = guide(anna)
    anna.pass_until("Prep Fire: pick")
    counted.sent.clear()
    counted.click("r24")  # the leader of a stack of squads
    counted.click("r24")  # once more: everybody in the hex
    expect(anna.page.locator(".counter.selected")).to_have_count(4)
    expect(anna.page.locator(".counter.aimed").first).to_be_visible()
    counted.press(".counter.aimed")
    expect(anna.get("preview")).to_contain_text("Fire at")
    expect(anna.get("headline").first).to_contain_text("%")
    counted.press("[data-testid=confirm]")
    anna.says("final DR")
    assert "10-2 X" in anna.log()
    assert counted.clicks <= 4
    assert len(counted.sent) <= 3, counted.sent


def test_advance_by_click_and_a_key_that_comes_too_late(player: Callable[..., Player]) -> None:
    anna = player(1440, 900)
    counted = guide(anna)
    anna.pass_until("Advance units")
    start = anna.where("r11")
    counted.click("r11")
    expect(anna.page.locator("[data-figure]").first).to_be_attached()
    cell = anna.page.locator("[data-goal]").first.get_attribute("data-goal") or ""
    counted.place(cell)
    expect(anna.page.locator(f"[data-stack={cell}] [data-piece=r11]")).to_have_count(1)
    assert start != cell
    assert counted.clicks <= 4
    # the choice that Space stood for has changed: the next Space at once ends nothing
    prompt = anna.get("prompt").inner_text()
    anna.page.keyboard.press("Space")
    anna.page.wait_for_timeout(300)
    assert anna.get("prompt").inner_text() == prompt


def test_a_way_shows_its_danger_beside_the_button(player: Callable[..., Player]) -> None:
    anna = player(1440, 900)
    counted = guide(anna)
    anna.pass_until("Pick a unit to move")
    start = anna.where("r11")
    counted.click("r11")
    expect(anna.page.locator("[data-figure]").nth(3)).to_be_attached()
    goals = anna.page.locator("[data-goal]").evaluate_all("all => all.map(one => one.dataset.goal)")
    inside = [
        cell for cell in goals if 60 < anna.place(GUIDE, cell)[0] < 1000 and 120 < anna.place(GUIDE, cell)[1] < 820
    ]
    far = next(cell for cell in reversed(inside) if not anna.page.locator(f"[data-stack={cell}]").count())
    counted.place(far)
    expect(anna.get("way")).to_contain_text(f"To {far}: ")
    expect(anna.get("way")).to_contain_text("way")
    counted.press("[data-testid=walk]")
    expect(anna.page.locator(f"[data-stack={start}] [data-piece=r11]")).to_have_count(0)
    assert counted.clicks <= 4


def test_ending_a_phase_with_units_that_can_act_asks_once(player: Callable[..., Player]) -> None:
    anna = player(1440, 900)
    guide(anna)
    anna.pass_until("Prep Fire: pick")
    anna.page.wait_for_timeout(600)
    anna.page.keyboard.press("Space")
    expect(anna.get("preview")).to_contain_text("can still act")
    anna.page.keyboard.press("Escape")
    anna.says("Prep Fire: pick")
    anna.page.wait_for_timeout(600)
    anna.page.keyboard.press("Space")
    anna.says("Pick a unit to move")


def test_an_optional_step_that_was_passed_can_be_opened(player: Callable[..., Player]) -> None:
    anna = player(1440, 900)
    guide(anna)
    anna.says("Prep Fire: pick")
    assert "No weapons change hands" in anna.log()
    anna.get("open-step").first.click()
    expect(anna.get("prompt").filter(has_text="Transfer weapons").or_(anna.get("hint"))).to_be_visible()
