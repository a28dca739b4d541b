"""The same client plays hexes, squares and operational maps: real scenarios, as players would handle them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from playwright.sync_api import expect

from browser.table import Player

SQUAD = "aslsk2/S15"
OPEN_HANDED = "localStorage.setItem('sandtable', JSON.stringify({curtain: false}))"


def table(one: Player, scenario: str, sides: Sequence[str], **options: str) -> None:
    """A hot-seat match without curtains."""
    one.context.add_init_script(OPEN_HANDED)
    game, name = scenario.split("/")
    one.sit(one.new(game, name, options=options, seats={side: {"kind": "hotseat"} for side in sides}))


def middle(one: Player, piece: str) -> tuple[float, float]:
    box = one.page.locator(f".counter[data-piece={piece}]").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_fire_group_by_clicks_with_its_odds(player: Callable[..., Player]) -> None:
    anna = player(1400, 860)
    table(anna, SQUAD, ("american", "german"))
    anna.pass_until("Prep Fire: pick")
    stack = anna.where("g5")
    anna.page.mouse.move(*middle(anna, "g5"))
    expect(anna.page.locator(f"[data-stack={stack}].open")).to_have_count(1)
    anna.pick("gw5")
    expect(anna.page.locator(".counter.selected")).to_have_count(1)
    anna.pick("g5", modifiers=["Shift"])
    expect(anna.page.locator(".counter.selected")).to_have_count(2)
    expect(anna.page.locator(".counter.aimed").first).to_be_visible()
    anna.page.locator(".counter.aimed").last.click()
    expect(anna.get("preview")).to_contain_text("Firepower")
    expect(anna.get("preview")).to_contain_text("LMG E")
    expect(anna.get("preview")).to_contain_text("DRM")
    assert anna.page.locator(".window").evaluate("one => one.scrollLeft") == 0, "the map moves, not the tools on it"
    anna.shot("fire")
    anna.page.keyboard.press("Enter")
    expect(anna.get("news").locator(".dice").first).to_be_visible()


def test_a_way_with_its_cost_and_danger(player: Callable[..., Player]) -> None:
    anna = player(1400, 860)
    table(anna, SQUAD, ("american", "german"))
    anna.pass_until("Pick a unit to move")
    start = anna.where("g10")
    anna.page.mouse.move(*middle(anna, "g10"))
    anna.page.mouse.down()
    anna.page.mouse.move(*anna.place(SQUAD, "I3"), steps=6)
    anna.page.mouse.move(*anna.place(SQUAD, "I2"), steps=3)
    expect(anna.get("way")).to_contain_text("To I2: ")
    anna.shot("move")
    anna.page.mouse.up()
    expect(anna.page.locator(f"[data-stack={start}] [data-piece=g10]")).to_have_count(0)


def test_the_line_of_sight_tool_on_a_board(player: Callable[..., Player]) -> None:
    anna = player(1400, 860)
    table(anna, SQUAD, ("american", "german"))
    anna.page.mouse.move(*anna.place(SQUAD, "I7"))
    anna.page.keyboard.down("l")
    anna.page.mouse.move(*anna.place(SQUAD, "N5"), steps=3)
    expect(anna.get("los-verdict")).to_contain_text("I7 → N5: blocked")
    expect(anna.get("los-verdict")).to_contain_text("J6: crest line")
    anna.shot("line-of-sight-squad")
    anna.page.keyboard.up("l")


def test_set_up_from_the_tray(player: Callable[..., Player]) -> None:
    anna = player(1400, 860)
    table(anna, SQUAD, ("american", "german"), setup="players")
    anna.page.locator(".trays [data-piece=a1]").click()
    anna.page.mouse.click(*anna.place(SQUAD, "S6"))
    expect(anna.page.locator("[data-stack=S6] [data-piece=a1]")).to_have_count(1)
    anna.page.locator(".trays [data-piece=a2]").hover()
    anna.page.mouse.down()
    anna.page.mouse.move(*anna.place(SQUAD, "S7"), steps=4)
    anna.page.mouse.up()
    expect(anna.page.locator("[data-stack=S7] [data-piece=a2]")).to_have_count(1)
    anna.shot("set-up")
    anna.do("Place all the rest for me")
    expect(anna.page.locator(".trays [data-piece=a3]")).to_have_count(0)


def test_squares_and_an_operational_map(player: Callable[..., Player]) -> None:
    anna = player(1400, 860, color_scheme="dark")
    table(anna, "pbi/crossroads", ("attacker", "defender"))
    assert len(anna.pieces()) > 20
    anna.shot("dark")
    anna = player(1400, 860)
    table(anna, "underbelly/campaign", ("allied", "german"))
    anna.page.keyboard.press("0")
    expect(anna.page.locator("[data-goal]").first).to_be_attached()
    anna.shot("operational")
    cell = anna.page.locator("[data-goal]").first.get_attribute("data-goal") or ""
    anna.page.mouse.click(*anna.middle(cell))
    expect(anna.page.locator(f"[data-stack='{cell}']")).to_have_count(1)
    assert anna.page.get_by_label("Line of sight").count() == 0, "nobody fires at sight here"
    anna.page.keyboard.press("s")
    expect(anna.get("layer").locator("polyline").first).to_be_attached()
    anna.shot("supply")
    anna.page.get_by_label("Show Supply").click()
    expect(anna.get("layer")).to_have_count(0)
