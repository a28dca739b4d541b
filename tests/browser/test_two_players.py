"""Two browsers play each other; what is hidden from a player does not come to his browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from browser.table import Player


def invited(anna: Player, bert: Player, **settings: Any) -> str:
    """Anna plays Red; Bert takes Blue by the link that Anna's page shows."""
    match = anna.new("outpost", seats={"red": {"kind": "me"}, "blue": {"kind": "invitation"}}, **settings)
    anna.sit(match)
    link = anna.invitation()
    assert link.startswith("join/")
    bert.open(link)
    bert.get("join").click()
    bert.page.wait_for_selector("[data-testid=board]")
    return match


def test_hidden_pieces_stay_hidden(player: Callable[..., Player]) -> None:
    anna, bert = player(), player()
    told: list[str] = []
    anna.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: told.append(str(frame))))
    invited(anna, bert)
    bert.page.mouse.click(*bert.middle("c3"))
    expect(bert.page.locator("[data-piece=b3]")).to_have_count(1)
    anna.says("Red: ")
    assert "b3" in bert.pieces()
    assert "b3" not in anna.pieces()
    assert "hides its ambusher in c3" in bert.log()
    assert "c3" not in anna.log()
    assert told
    assert not any("ambusher" in frame.lower() or '"id":"b3"' in frame for frame in told)

    anna.pick("r2")
    anna.page.mouse.click(*anna.middle("b3"))
    expect(bert.page.locator("[data-stack=b3]")).to_have_count(1)
    expect(bert.get("reaction")).to_be_visible()
    bert.shot("reaction")
    bert.get("reaction").get_by_role("button", name="Ambusher fires").first.click()
    expect(bert.get("preview")).to_contain_text("hit")
    bert.shot("odds")
    bert.get("confirm").click()
    anna.says("shows itself in c3")
    expect(anna.page.locator("[data-piece=b3]")).to_have_count(1)


def test_chat_draw_and_resignation(player: Callable[..., Player]) -> None:
    anna, bert = player(), player()
    invited(anna, bert)
    anna.page.get_by_role("tab", name="Chat").click()
    anna.page.get_by_label("Say something").fill("Good luck")
    anna.page.get_by_label("Say something").press("Enter")
    expect(bert.page.get_by_role("tab", name="Chat (1)")).to_be_visible()
    anna.get("menu").click()
    anna.page.get_by_role("button", name="Offer a draw").click()
    bert.get("request").get_by_role("button", name="Decline").click()
    expect(anna.get("request")).to_have_count(0)
    anna.get("menu").click()
    anna.get("resign").click()
    anna.get("resign-sure").click()
    expect(bert.get("ending")).to_be_visible()
    bert.page.get_by_role("button", name="Rematch").click()
    bert.says("Send this link")


def test_a_watcher_sees_what_everybody_knows(player: Callable[..., Player]) -> None:
    anna, bert, carl = player(), player(), player()
    invited(anna, bert)
    anna.get("menu").click()
    link = anna.page.get_by_label("Link for observers").input_value()
    carl.page.goto(link)
    carl.page.wait_for_selector("[data-testid=board]")
    bert.page.mouse.click(*bert.middle("c3"))
    carl.says("Waiting for Red")
    assert "b3" not in carl.pieces()
    assert not carl.has("undo")


def test_standing_orders_hold_fire(player: Callable[..., Player]) -> None:
    anna, bert = player(), player()
    invited(anna, bert)
    bert.page.mouse.click(*bert.middle("c3"))
    bert.page.get_by_role("tab", name="Orders").click()
    bert.get("order-all").click()
    bert.page.get_by_label("Order for All my units").select_option("never")
    anna.says("Red: ")
    anna.pick("r2")
    anna.page.mouse.click(*anna.middle("b3"))
    anna.says("Red 2 moves to b3")
    expect(anna.page.locator("[data-choice]", has_text="Red 1 moves to").first).to_be_visible()
    assert not bert.has("reaction")


def test_a_seat_that_is_given_up_is_taken_by_the_link_that_its_player_sees(player: Callable[..., Player]) -> None:
    anna, bert, carl = player(), player(), player()
    invited(anna, bert)
    bert.get("menu").click()
    bert.page.get_by_label("Change the seat of Blue").select_option("invitation")
    expect(bert.get("refused")).to_contain_text("Send this link to whoever plays Blue")
    carl.open(bert.invitation())
    carl.get("join").click()
    carl.page.wait_for_selector("[data-testid=board]")
    carl.says("Blue: ")
    anna.get("menu").click()
    expect(anna.page.get_by_role("dialog")).not_to_contain_text("nobody yet")
