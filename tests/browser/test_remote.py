"""Playing over days: notices of every kind, the clock's end, draws, and seats that are given up."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from email import message_from_string
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.table import Player, Served
from browser.test_two_players import invited
from sandtable.server.settings import Smtp
from server.test_accounts import Post

LOOKS_AWAY = """
window.told = [];
window.Notification = class {
  static permission = 'default';
  static async requestPermission() { return (window.Notification.permission = 'granted'); }
  constructor(title, about) { window.told.push(`${title}: ${about.body}`); }
};
window.away = false;
Object.defineProperty(document, 'hidden', { get: () => window.away });
"""


class Receiver:
    """A mail server and the receiver of a webhook, in a thread of their own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.letters, self.calls = Post(), Post()
        self.mail, self.web = [self._open(one) for one in (self.letters.mail, self.calls.webhook)]

    def _open(self, answer: Any) -> int:
        server = asyncio.run_coroutine_threadsafe(asyncio.start_server(answer, "127.0.0.1", 0), self._loop).result(10)
        return int(server.sockets[0].getsockname()[1])

    def next(self, post: Post) -> str:
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(post.got.get(), 20), self._loop).result(25)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    one = Receiver()
    yield one
    one.close()


def test_a_player_who_is_away_gets_a_letter_and_a_call(
    player: Callable[..., Player], receiver: Receiver, tmp_path: Path
) -> None:
    smtp = Smtp("127.0.0.1", receiver.mail, "", "", "club@example.org", "none")
    server = Served(tmp_path, smtp=smtp, public_url="https://club.example.org")
    try:
        anna, bert = player(at=server), player(at=server)
        invited(anna, bert)
        anna.open("account")
        anna.page.get_by_label("E-mail").fill("anna@example.org")
        anna.page.get_by_label("Webhook").fill(f"http://127.0.0.1:{receiver.web}/hook")
        anna.page.get_by_role("button", name="Save").click()
        anna.says("Saved.")
        code = receiver.next(receiver.letters).partition("Sandtable is ")[2][:6]
        anna.page.get_by_label("Code from the e-mail").fill(code)
        anna.page.get_by_role("button", name="Confirm").click()
        anna.says("The address is confirmed.")
        anna.shot("notices")

        bert.page.mouse.click(*bert.middle("d4"))
        letter = message_from_string(receiver.next(receiver.letters))
        assert letter["To"] == "anna@example.org"
        assert letter["Subject"] == "Sandtable: It is your turn in The Post."
        assert "https://club.example.org/#/match/" in str(letter.get_payload())
        call = json.loads(receiver.next(receiver.calls))
        assert (call["event"], call["title"]) == ("turn", "The Post")
        anna.page.goto(call["url"].replace("https://club.example.org", server.url))
        anna.says("Red: ")
    finally:
        server.stop()


def test_the_browser_says_that_it_is_my_turn(player: Callable[..., Player]) -> None:
    anna, bert = player(), player()
    anna.context.add_init_script(LOOKS_AWAY)
    anna.page.reload()
    invited(anna, bert)
    anna.get("menu").click()
    anna.page.get_by_role("button", name="Notify me when it is my turn").click()
    anna.says("Notices of this browser are on.")
    anna.page.get_by_role("button", name="Close").click()
    assert not anna.page.title().startswith("●")
    anna.page.evaluate("window.away = true")
    bert.page.mouse.click(*bert.middle("d4"))
    anna.says("Red: ")
    assert anna.page.title().startswith("● Your turn")
    assert anna.page.evaluate("window.told") == ["Sandtable: It is your turn: The Post"]
    bert.page.get_by_role("tab", name="Chat").click()
    bert.page.get_by_label("Say something").fill("Are you there?")
    bert.page.get_by_label("Say something").press("Enter")
    expect(anna.page.get_by_role("tab", name="Chat (1)")).to_be_visible()
    assert "Are you there?" in anna.page.evaluate("window.told")[-1]
    anna.open("")
    expect(anna.page.locator("li.waits")).to_contain_text("your turn")
    expect(anna.page).to_have_title("(1) Sandtable")


def test_a_win_by_time_is_claimed(player: Callable[..., Player], served: Served) -> None:
    anna, bert = player(), player()
    match = invited(anna, bert, clock={"bank": 600, "increment": 0})
    bert.page.mouse.click(*bert.middle("d4"))
    anna.says("Red: ")
    expect(bert.page.get_by_role("button", name="Claim the win by time")).to_have_count(0)

    def run_out() -> None:
        live = served.state.hall._live[match]
        live.clocks = type(live.clocks)({**live.clocks.left, "red": 0}, live.clocks.at)
        live.audience.welcome_all()

    served.do(run_out)
    bert.page.get_by_role("button", name="Claim the win by time").click()
    expect(bert.page.get_by_role("dialog")).to_contain_text("Blue victory")
    expect(anna.get("ending")).to_contain_text("The time of Red is up")
    anna.shot("time-is-up")


def test_a_draw_is_agreed(player: Callable[..., Player]) -> None:
    anna, bert = player(), player()
    invited(anna, bert)
    anna.get("menu").click()
    anna.page.get_by_role("button", name="Offer a draw").click()
    expect(anna.get("request")).to_contain_text("Red offers a draw")
    bert.get("request").get_by_role("button", name="Agree").click()
    expect(anna.page.get_by_role("dialog")).to_contain_text("A draw")
    expect(bert.get("ending")).to_contain_text("A draw was agreed")
