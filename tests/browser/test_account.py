"""Accounts, theme, clocks and lessons."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Dialog, expect

from browser.table import Player


def test_a_guest_becomes_a_named_account_and_comes_back(player: Callable[..., Player]) -> None:
    anna = player()
    match = anna.new("outpost", title="Kept")
    anna.open("account")
    form = anna.get("register")
    form.get_by_label("Name").fill("Anna Karenina")
    form.get_by_label("Password").fill("a long password")
    form.get_by_role("button").click()
    anna.says("You have an account now.")
    anna.page.get_by_test_id("theme").select_option("dark")
    expect(anna.page.locator("html")).to_have_attribute("data-theme", "dark")

    again = player()
    again.open("account")
    form = again.get("login")
    form.get_by_label("Name").fill("Anna Karenina")
    form.get_by_label("Password").fill("a wrong password")
    form.get_by_role("button").click()
    expect(again.page.get_by_role("alert")).not_to_be_empty()
    form.get_by_label("Password").fill("a long password")
    form.get_by_role("button").click()
    again.says("You are logged in.")
    again.open("")
    expect(again.page.locator(f"[data-match='{match}'] a")).to_be_visible()
    again.faults.clear()  # the browser notes the refused password on its console


def test_an_account_that_is_logged_out_elsewhere_is_not_thrown_away_unasked(player: Callable[..., Player]) -> None:
    anna = player()
    anna.new("outpost")
    anna.open("account")
    form = anna.get("register")
    form.get_by_label("Name").fill("Wanda Tinasky")
    form.get_by_label("Password").fill("a long password")
    form.get_by_role("button").click()
    anna.says("You have an account now.")
    (kept,) = anna.context.cookies()
    anna.post("logout", {"everywhere": True})
    anna.context.add_cookies([kept])  # another window of hers has logged out everywhere; this one has not heard of it
    asked: list[str] = []

    def no(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    anna.page.on("dialog", no)
    anna.page.reload()
    expect(anna.page.get_by_role("alert").first).not_to_be_empty()
    assert asked
    assert all("This browser was Wanda Tinasky" in words for words in asked)
    assert [cookie["value"] for cookie in anna.context.cookies()] == [kept["value"]]
    anna.faults.clear()  # the browser notes the refusal on its console


def test_clocks_run(player: Callable[..., Player]) -> None:
    anna = player()
    anna.sit(
        anna.new(
            "outpost",
            clock={"bank": 600, "increment": 5},
            seats={"red": {"kind": "invitation"}, "blue": {"kind": "me"}},
        )
    )
    expect(anna.page.locator(".clock.running")).to_contain_text("Blue")
    expect(anna.page.locator(".clock.running")).to_contain_text("09:5")


def test_a_lesson_goes_on_when_the_player_has_done_it(player: Callable[..., Player]) -> None:
    anna = player()
    anna.open("learn/outpost")
    anna.page.locator("[data-lesson=first]").click()
    expect(anna.get("lesson")).to_contain_text("Move a piece.")
    expect(anna.page.locator("[data-choice]", has_text="Red 1 moves to").first).to_be_visible()
    anna.shot("lesson")
    anna.do("Red 1 moves to")
    expect(anna.get("lesson")).to_contain_text("End the turn.")
    anna.do("End the turn")
    expect(anna.get("lesson")).to_contain_text("well done")
