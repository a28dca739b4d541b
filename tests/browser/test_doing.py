"""Click a unit, click where it should go or what it should hit, counted in clicks and messages."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from playwright.sync_api import expect

import sandtable
from browser.table import Player
from sandtable.engine import Match
from sandtable.engine.plan import goals, plans

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


def reached(scenario: str, wanted: Callable[[Match, str], tuple[str, str] | None]) -> tuple[Match, str, str]:
    """A position of random play in which a piece can be shown to do something, with that piece and the place."""
    for seed in range(40):
        match = sandtable.new(scenario, seed=seed)
        source = random.Random(seed)
        while match.outcome is None:
            side = match.to_act[0]
            found = wanted(match, side)
            if found is not None:
                return match, *found
            match.apply(side, source.choice(list(match.actions(side))))
    raise AssertionError("no such position came up")


def sit_down(one: Player, match: Match) -> Counted:
    """At the position of a match, all sides at this screen."""
    one.context.add_init_script(OPEN_HANDED)
    counted = Counted(one)
    seats = {side: {"kind": "hotseat"} for side in match.sides}
    one.sit(one.new(match.header.game, position=match.position(), seats=seats))
    expect(one.page.locator("[data-choice]").first).to_be_visible()
    return counted


def test_a_unit_routs_to_a_place_two_hexes_away_with_four_clicks(player: Callable[..., Player]) -> None:
    def routs(match: Match, side: str) -> tuple[str, str] | None:
        if match.view(side)["prompt"] != "Rout broken units":
            return None
        taken = {piece["at"] for piece in match.view(side)["pieces"]}
        for action in match.actions(side):
            said = match.describe(side, action)
            for goal in goals(match, side, said.pieces[:1]) if said.role == "start" else ():
                if goal.cell in taken:
                    continue
                found = plans(match, side, said.pieces[:1], goal.cell)[0]
                if found and found[0].path is not None and len(found[0].path.cells) > 2:
                    return said.pieces[0], goal.cell
        return None

    match, piece, cell = reached(GUIDE, routs)
    anna = player(1440, 900)
    counted = sit_down(anna, match)
    start = anna.where(piece)
    counted.click(piece)
    expect(anna.page.locator(f"[data-goal={cell}]")).to_have_count(1)
    counted.place(cell)
    counted.press("[data-testid=walk]")
    expect(anna.page.locator(f"[data-stack={start}] [data-piece={piece}]")).to_have_count(0)
    assert counted.clicks <= 4


def test_a_gun_shoots_with_four_clicks(player: Callable[..., Player]) -> None:
    def shoots(match: Match, side: str) -> tuple[str, str] | None:
        if not match.view(side)["prompt"].startswith("Prep Fire"):
            return None
        for action in match.actions(side):
            said = match.describe(side, action)
            if said.text.startswith("Shoot with"):
                for goal in goals(match, side, said.pieces[:1]):
                    if goal.targets:
                        return said.pieces[0], goal.cell
        return None

    match, gun, cell = reached("aslsk2/S12", shoots)
    anna = player(1440, 900)
    counted = sit_down(anna, match)
    counted.click(gun)
    expect(anna.page.locator(f"[data-stack={cell}] .counter.aimed").first).to_be_visible()
    counted.press(f"[data-stack={cell}] .counter.aimed")
    expect(anna.page.locator("[data-testid=choices-here], [data-testid=confirm]").first).to_be_visible()
    if anna.get("choices-here").count():
        counted.press("[data-testid=choices-here] [role=menuitem]")
    if anna.get("confirm").count():
        counted.press("[data-testid=confirm]")
    anna.says(f"at {cell}")
    assert counted.clicks <= 4
