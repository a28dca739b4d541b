"""The pages show which boards are here and how to add others."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from browser.table import Player


def test_a_mission_shows_its_boards_and_how_to_add_them(player: Callable[..., Player]) -> None:
    anna = player(1366, 900)
    anna.open("new/sasl/1")
    here = anna.get("boards-here")
    expect(here).to_contain_text("This mission rolls its boards from")
    here.get_by_text("Which boards may come up").click()
    expect(here).to_contain_text("c1 ✓")
    expect(here).to_contain_text("a hills board, made for this mission")
    anna.page.locator("[data-option=boards]").select_option("shipped")
    expect(here).to_contain_text("Highcombe, Stanrigg, which come with Sandtable")
    here.get_by_text("Add boards").click()
    expect(here).to_contain_text("sandtable board import FOLDER")
    here.scroll_into_view_if_needed()
    anna.shot("boards")


def test_the_first_page_lists_the_boards_and_a_game_without_rolled_ones_shows_none(
    player: Callable[..., Player],
) -> None:
    anna = player(1366, 900)
    anna.open("")
    boards = anna.get("boards")
    expect(boards).to_contain_text("Barleymow")
    boards.get_by_text("Add boards").click()
    expect(boards).to_contain_text("sandtable board import FOLDER")
    anna.open("new/aslsk2/S9")
    expect(anna.get("chances")).to_be_visible()
    expect(anna.get("boards-here")).to_have_count(0)
