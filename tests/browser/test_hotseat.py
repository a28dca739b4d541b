"""Two friends at one screen play a whole short game by clicks."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from browser.table import Player


def test_from_the_card_to_the_first_decision(player: Callable[..., Player]) -> None:
    anna = player()
    anna.open("")
    anna.page.locator("[data-scenario='outpost/post']").click()
    anna.page.select_option("[data-seat=blue]", "hotseat")
    anna.page.select_option("[data-option=reds]", "4")
    anna.get("start").click()
    anna.says("Hide at c1")
    anna.shot("first-decision")
    assert {"r1", "r2", "r3", "r4", "b1", "b2"} == anna.pieces()


def test_a_whole_game_by_clicks(player: Callable[..., Player]) -> None:
    anna = player()
    anna.sit(anna.new("outpost", seats={"red": {"kind": "me"}, "blue": {"kind": "hotseat"}}))
    if anna.has("curtain"):
        anna.hand_over()
    anna.page.mouse.click(*anna.middle("d4"))
    anna.hand_over()
    assert "b3" not in anna.pieces(), "red must not see the ambusher"

    anna.pick("r2")
    anna.page.mouse.click(*anna.middle("b3"))
    expect(anna.page.locator("[data-stack=b3]")).to_have_count(1)
    assert anna.where("r2") == "b3"
    rounds = 0
    while not anna.has("result"):
        rounds += 1
        assert rounds < 60, "the game does not come to its end"
        if anna.has("curtain"):
            anna.hand_over()
        elif anna.has("reaction"):
            anna.do("Hold fire")
        elif anna.page.locator("[data-choice]", has_text="End the turn").count():
            anna.do("End the turn")
        anna.page.wait_for_timeout(60)
    expect(anna.get("ending")).to_be_visible()
    anna.shot("ending")
    assert "blue" in anna.get("result").inner_text().lower()
