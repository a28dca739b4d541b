"""Accounts: guests, names and passwords, tokens, settings and notices."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandtable.server.settings import Smtp
from sandtable.server.tokens import LIFETIME_MS, Signer
from server.helpers import Answered, Client, run, serving, settings_for

PASSWORD = "correct horse"


def test_a_guest_is_known_by_a_cookie_that_scripts_cannot_read(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, httpx.AsyncClient(base_url=running.url) as http:
            assert (await http.get("/api/me")).json() == {"user": None, "unread": 0}
            answer = await http.post("/api/guest", json={"name": "Anna"})
            cookie = answer.headers["set-cookie"].lower()
            assert "httponly" in cookie
            assert "samesite=lax" in cookie
            assert "token" not in answer.json()
            me = (await http.get("/api/me")).json()["user"]
            assert (me["name"], me["guest"]) == ("Anna", True)
            again = await http.post("/api/guest", json={"name": "Other"})
            assert again.json()["user"]["id"] == me["id"]

    run(story)


def test_a_guest_becomes_a_named_account_and_keeps_its_matches(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna, running.client() as bert:
            match = await anna.new_match()
            user = (await anna.post("/api/register", {"name": "Anna", "password": PASSWORD}))["user"]
            assert (user["id"], user["guest"]) == (anna.user["id"], False)
            with pytest.raises(Answered, match="taken"):
                await bert.post("/api/register", {"name": " ANNA ", "password": PASSWORD})
            async with httpx.AsyncClient(base_url=running.url) as http:
                other = Client(http, running.url)
                for name, password in (("Anna", "wrong horse"), ("Nobody", PASSWORD)):
                    with pytest.raises(Answered, match="Name or password is wrong"):
                        await other.post("/api/login", {"name": name, "password": password})
                await other.post("/api/login", {"name": "anna", "password": PASSWORD})
                listed = (await other.get("/api/matches"))["matches"]
                assert [found["id"] for found in listed] == [match["id"]]
                rows = await running.state.store.read("SELECT password FROM users WHERE name_key = 'anna'")
                assert rows[0][0].startswith("$argon2id$")

    run(story)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"name": "A", "password": PASSWORD}, "2 to 30"),
        ({"name": "<b>Anna</b>", "password": PASSWORD}, "2 to 30"),
        ({"name": "Anna", "password": "short"}, "8 to 200"),
        ({"name": "Anna"}, "password"),
    ],
)
def test_names_and_passwords_have_rules(tmp_path: Path, body: dict[str, str], words: str) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            with pytest.raises(Answered, match=words):
                await anna.post("/api/register", body)

    run(story)


def test_logging_out_everywhere_makes_tokens_void(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            headers = {"Authorization": f"Bearer {anna.token}"}
            async with httpx.AsyncClient(base_url=running.url, headers=headers) as program:
                assert (await program.get("/api/matches")).status_code == 200
                await anna.post("/api/logout", {"everywhere": True})
                assert (await program.get("/api/matches")).status_code == 401
            assert (await anna.get("/api/me"))["user"] is None

    run(story)


def test_a_new_password_ends_other_sessions(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            await anna.post("/api/register", {"name": "Anna", "password": PASSWORD})
            old = anna.token
            with pytest.raises(Answered, match="old password"):
                await anna.post("/api/me", {"password": "battery staple", "old_password": "x"}, "PUT")
            await anna.post("/api/me", {"password": "battery staple", "old_password": PASSWORD}, "PUT")
            assert (await anna.get("/api/me"))["user"]["name"] == "Anna"
            async with httpx.AsyncClient(base_url=running.url) as http:
                answer = await http.get("/api/matches", headers={"Authorization": f"Bearer {old}"})
                assert answer.status_code == 401

    run(story)


def test_tokens_that_were_not_signed_here_or_are_old_say_nothing() -> None:
    signer, other = Signer(b"k" * 32), Signer(b"x" * 32)
    token = signer.sign("u1", 0, 1000)
    assert signer.read(token, 2000) is not None
    assert other.read(token, 2000) is None
    assert signer.read(token.replace("u1", "u2"), 2000) is None
    assert signer.read(token, 1001 + LIFETIME_MS) is None
    for damaged in ("", ".", "a.b", token[:-1], token + "x", "ü" * 10):
        assert signer.read(damaged, 2000) is None


def test_settings_are_kept_and_bounded(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            user = (await anna.post("/api/me", {"settings": {"theme": "dark"}, "name": "Anna B"}, "PUT"))["user"]
            assert (user["settings"], user["name"]) == ({"theme": "dark"}, "Anna B")
            with pytest.raises(Answered, match="4 kB"):
                await anna.post("/api/me", {"settings": {"x": "y" * 5000}}, "PUT")

    run(story)


class Post:
    """A webhook's receiver, or a mail server that takes one letter at a time."""

    def __init__(self) -> None:
        self.got: asyncio.Queue[str] = asyncio.Queue()

    async def webhook(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.partition("content-length:")[2].split()[0])
        self.got.put_nowait((await reader.readexactly(length)).decode())
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async def mail(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hello\r\n")
        while line := (await reader.readline()).decode().strip():
            word = line.upper()[:4]
            writer.write(b"354 go\r\n" if word == "DATA" else b"221 bye\r\n" if word == "QUIT" else b"250 ok\r\n")
            if word == "DATA":
                self.got.put_nowait((await reader.readuntil(b"\r\n.\r\n")).decode())
                writer.write(b"250 taken\r\n")
            if word == "QUIT":
                break
        writer.close()


def test_an_absent_player_is_told_by_webhook_that_it_is_his_turn(tmp_path: Path) -> None:
    async def story() -> None:
        post = Post()
        receiver = await asyncio.start_server(post.webhook, "127.0.0.1", 0)
        port = receiver.sockets[0].getsockname()[1]
        async with serving(settings_for(tmp_path)) as running, running.client() as anna, running.client() as bert:
            with pytest.raises(Answered, match="https"):
                await anna.post("/api/me", {"notify": {"webhook": "file:///etc/passwd"}}, "PUT")
            await anna.post("/api/me", {"notify": {"webhook": f"http://127.0.0.1:{port}/x", "on": ["turn"]}}, "PUT")
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "invitation"}}, title="Duel")
            await bert.join(match["invitations"]["blue"])
            async with bert.live(match["id"]) as blue:
                await blue.until("welcome")
                await blue.act(0)
            told = json.loads(await asyncio.wait_for(post.got.get(), 10))
            assert told["event"] == "turn"
            assert told["url"].endswith(f"/#/match/{match['id']}")
            assert "Duel" in told["text"]
        receiver.close()

    run(story)


def test_an_email_address_is_confirmed_by_a_code(tmp_path: Path) -> None:
    async def story() -> None:
        post = Post()
        receiver = await asyncio.start_server(post.mail, "127.0.0.1", 0)
        port = receiver.sockets[0].getsockname()[1]
        smtp = Smtp("127.0.0.1", port, "", "", "club@example.org", "none")
        async with serving(settings_for(tmp_path, smtp=smtp)) as running, running.client() as anna:
            with pytest.raises(Answered, match="not an e-mail"):
                await anna.post("/api/me", {"notify": {"email": "anna"}}, "PUT")
            user = (await anna.post("/api/me", {"notify": {"email": "anna@example.org"}}, "PUT"))["user"]
            assert user["notify"]["email_confirmed"] is False
            letter = await asyncio.wait_for(post.got.get(), 10)
            code = letter.partition("Sandtable is ")[2][:6]
            with pytest.raises(Answered, match="not the code"):
                await anna.post("/api/me/email", {"code": "x"})
            confirmed: dict[str, Any] = (await anna.post("/api/me/email", {"code": code}))["user"]
            assert confirmed["notify"]["email_confirmed"] is True
        receiver.close()

    run(story)


def test_without_a_mail_server_no_address_is_taken(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            with pytest.raises(Answered, match="cannot send e-mail"):
                await anna.post("/api/me", {"notify": {"email": "anna@example.org"}}, "PUT")

    run(story)
