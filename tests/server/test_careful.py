"""Passwords, codes, notices, logging out, health and backups: what a careless server would get wrong."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import websockets

from sandtable.server import gate, limits, notices
from sandtable.server.backup import backup
from sandtable.server.limits import network_of
from sandtable.server.notices import place_of, public
from sandtable.server.refusal import Refused
from sandtable.server.settings import Smtp
from sandtable.server.store import StoreError
from server.helpers import Answered, run, serving, settings_for
from server.test_accounts import Post
from server.test_attacks import drained
from server.test_table import duel, move

SMTP = Smtp("127.0.0.1", 1, "", "", "club@example.org", "none")


def test_one_accounts_password_is_tried_slowly_from_wherever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "PASSWORD_BURST", 4)

    async def story() -> None:
        settings = settings_for(tmp_path, login_delay=0.05)
        async with serving(settings) as running, running.client() as anna, running.client() as eve:
            await anna.post("/api/register", {"name": "Anna", "password": "correct horse"})
            where = ["198.51.100.1"]
            monkeypatch.setattr(gate, "_address", lambda request: where[0])
            await anna.post("/api/login", {"name": "Anna", "password": "correct horse"})
            codes, took = [], []
            for number in range(6):
                where[0] = f"198.51.100.{number + 2}"  # each guess from another address
                began = time.monotonic()
                with pytest.raises(Answered) as refused:
                    await eve.post("/api/login", {"name": "ANNA ", "password": f"guess {number}"})
                codes.append(refused.value.code)
                took.append(time.monotonic() - began)
            assert codes == ["forbidden"] * 3 + ["too_many"] * 3
            assert took[2] > 0.1
            where[0] = "198.51.100.1"
            await anna.post("/api/login", {"name": "Anna", "password": "correct horse"})  # she is not locked out
            with pytest.raises(Answered, match="wrong"):
                await eve.post("/api/login", {"name": "Bert", "password": "guess work"})  # nor is anybody else

    run(story)


@pytest.mark.parametrize(
    ("address", "counts_for"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("?", "?"),
    ],
)
def test_all_addresses_that_one_line_has_are_one(address: str, counts_for: str) -> None:
    """A guest with IPv6 has 2^64 addresses: guesses and connections from all of them count together."""
    assert network_of(address) == counts_for


def test_a_crowd_at_one_limit_makes_nobody_forgotten_at_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CALLERS", 10)

    async def story() -> None:
        memory = limits.Memory()
        passwords, requests = limits.Limit(memory, "password", 0.01, 2), limits.Limit(memory, "request", 1, 100)
        await passwords.check("anna")
        await passwords.check("anna")
        for number in range(50):
            await requests.check(f"198.51.100.{number}")
        with pytest.raises(Refused):
            await passwords.check("anna")

    run(story)


def test_a_mailbox_gets_few_codes_under_whatever_spelling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr(notices, "send_mail", lambda _, to, *more: sent.append(to))

    async def story() -> None:
        async with serving(settings_for(tmp_path, smtp=SMTP)) as running:
            for number in range(gate.CODES_PER_HOUR + 2):
                async with running.client() as eve:  # each of them an account of its own
                    await eve.http.put("/api/me", json={"notify": {"email": f"Anna+{number}@example.org"}})
            await asyncio.sleep(0.1)
            assert len(sent) == gate.CODES_PER_HOUR

    run(story)


def test_a_refused_code_stores_nothing_and_guesses_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            with pytest.raises(Answered, match="cannot send e-mail"):
                await anna.post("/api/me", {"name": "Anna", "notify": {"email": "a@example.org"}}, "PUT")
            kept = (await anna.get("/api/me"))["user"]
            assert (kept["notify"]["email"], kept["name"].startswith("Guest")) == ("", True)
        monkeypatch.setattr(notices, "send_mail", lambda *_: None)
        async with serving(settings_for(tmp_path, smtp=SMTP)) as running, running.client() as anna:
            for number in range(gate.CODES_PER_HOUR):
                await anna.post("/api/me", {"notify": {"email": f"a{number}@example.org"}}, "PUT")
            with pytest.raises(Answered) as refused:
                await anna.post("/api/me", {"notify": {"email": "b@example.org"}}, "PUT")
            assert refused.value.code == "too_many"
            assert (await anna.get("/api/me"))["user"]["notify"]["email"] == "a4@example.org"
            guesses = [anna.http.post("/api/me/email", json={"code": f"{n:06}"}) for n in range(30)]
            answers = await asyncio.gather(*guesses)
            tried = [answer for answer in answers if answer.status_code != 429]
            assert len(tried) <= gate.GUESSES_PER_HOUR

    run(story)


def test_a_change_that_is_refused_in_one_point_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna, running.client() as eve:
            await anna.post("/api/register", {"name": "Anna", "password": "correct horse"})
            before = (await eve.get("/api/me"))["user"]
            for more in ({"settings": {"much": "x" * 5000}}, {"notify": {"webhook": "http://["}}):
                with pytest.raises(Answered):
                    await eve.post("/api/me", {"name": "Evelyn", **more}, "PUT")
                assert (await eve.get("/api/me"))["user"] == before
            change = {"old_password": "correct horse", "password": "another horse", "name": "Berta"}
            with pytest.raises(Answered, match="stays"):
                await anna.post("/api/me", change, "PUT")
            await anna.post("/api/login", {"name": "Anna", "password": "correct horse"})

    run(story)


def test_nothing_is_acknowledged_into_a_lost_log_and_nothing_said_is_lost(tmp_path: Path) -> None:
    """Somebody tidies up and removes the file with -wal at its end, which holds the newest actions."""

    async def story() -> None:
        async with duel(tmp_path) as t:
            os.unlink(tmp_path / "test.sqlite-wal")
            sick = await t.anna.http.get("/api/health")
            assert (sick.status_code, "log of the database" in sick.text) == (503, True)
            refused = await move(t.red, "r1", "b1")
            assert (refused["t"], refused["code"]) == ("refused", "not_saved")
        async with serving(settings_for(tmp_path)) as running:
            assert await running.state.store.read("SELECT COUNT(*) FROM steps") == [(1,)]

    run(story)


def test_slow_webhooks_hold_no_other_notice_up(tmp_path: Path) -> None:
    """Many accounts of one attacker, each with an address that nobody has seen before, none of which ever answers."""
    slow = [socket.create_server(("127.0.0.1", 0)) for _ in range(6)]

    async def story() -> None:
        quick = Post()
        receiver = await asyncio.start_server(quick.webhook, "localhost", 0)
        async with serving(settings_for(tmp_path)) as running:
            tell = running.state.hall.notices._by_webhook
            began = time.monotonic()
            waiting = [
                asyncio.ensure_future(tell(f"u{n}", f"http://127.0.0.1:{port}/{n}", {"event": "turn"}))
                for n, port in enumerate([server.getsockname()[1] for server in slow] * 10)
            ]
            await asyncio.sleep(0.05)
            port = receiver.sockets[0].getsockname()[1]
            await tell("anna", f"http://localhost:{port}/", {"event": "turn"})
            assert time.monotonic() - began < 5
            assert json.loads(quick.got.get_nowait()) == {"event": "turn"}
            for task in waiting:
                task.cancel()
        receiver.close()
        for server in slow:
            server.close()

    run(story)


def test_names_that_are_slow_to_find_hold_no_other_notice_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has a domain has any number of names in it, and his name server may take its time."""
    found, go_on = socket.getaddrinfo, threading.Event()

    def slowly(host: str, *more: Any, **named: Any) -> Any:
        if host.endswith(".evil.example"):
            go_on.wait(20)
            raise socket.gaierror
        return found(host, *more, **named)

    async def story() -> None:
        quick = Post()
        receiver = await asyncio.start_server(quick.webhook, "localhost", 0)
        async with serving(settings_for(tmp_path)) as running:
            tell = running.state.hall.notices._by_webhook
            monkeypatch.setattr(socket, "getaddrinfo", slowly)
            waiting = [asyncio.ensure_future(tell(f"u{n}", f"https://n{n}.evil.example/", {})) for n in range(100)]
            await asyncio.sleep(0.05)
            port = receiver.sockets[0].getsockname()[1]
            await asyncio.wait_for(tell("anna", f"http://localhost:{port}/", {"event": "turn"}), 5)
            assert json.loads(quick.got.get_nowait()) == {"event": "turn"}
            go_on.set()
            await asyncio.gather(*waiting)
        receiver.close()

    run(story)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://a.evil.example/1", "https://b.c.evil.example:8443/2", True),
        ("https://evil.example", "https://EVIL.example./", True),
        ("http://203.0.113.7:81/", "http://203.0.113.7:82/", True),
        ("https://[2606:2800::1]/", "https://[2606:2800:0::1]:444/", True),
        ("https://club.example/", "https://evil.example/", False),
        ("http://203.0.113.7/", "http://203.0.113.8/", False),
    ],
)
def test_whose_webhook_it_is(one: str, other: str, same: bool) -> None:
    assert (place_of(one, private=False) == place_of(other, private=False)) is same


def test_logging_out_everywhere_closes_open_connections(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            await t.anna.post("/api/logout", {"everywhere": True})
            assert await drained(t.red) == 4401
            with pytest.raises(websockets.ConnectionClosed):
                await t.red.socket.send("{}")
            assert (await t.blue.ask("ping"))["t"] == "pong"

    run(story)


def test_health_tells_the_truth_and_nothing_is_acknowledged_into_a_lost_file(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            assert (await t.anna.http.get("/api/health")).json() == {"ok": True}
            for name in ("test.sqlite", "test.sqlite-wal", "test.sqlite-shm"):
                os.rename(tmp_path / name, tmp_path / f"away-{name}")
            await asyncio.sleep(0.6)
            sick = await t.anna.http.get("/api/health")
            assert (sick.status_code, "no longer in its place" in sick.text) == (503, True)
            refused = await move(t.red, "r1", "b1")
            assert (refused["code"], "no longer in its place" in refused["text"]) == ("not_saved", True)
            assert not (tmp_path / "test.sqlite").exists()
            for name in ("test.sqlite", "test.sqlite-wal", "test.sqlite-shm"):
                os.rename(tmp_path / f"away-{name}", tmp_path / name)
            await asyncio.sleep(0.6)
            assert (await t.anna.http.get("/api/health")).status_code == 200
            assert (await move(t.red, "r1", "b1"))["t"] == "done"

    run(story)


def test_health_sees_a_full_and_a_damaged_database(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            for _ in range(10):
                await anna.new_match()
            await running.state.store.read("PRAGMA wal_checkpoint(TRUNCATE)")
            file = tmp_path / "test.sqlite"
            with file.open("r+b") as damaged:
                damaged.seek(4096 * 3)
                damaged.write(b"\xff" * 4096 * 4)
            await asyncio.sleep(0.6)
            sick = await anna.http.get("/api/health")
            assert (sick.status_code, sick.json()["error"]["code"]) == (503, "not_saved")
            assert "Traceback" not in sick.text

    run(story)


def test_a_backup_of_a_mistyped_database_makes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        wrong, empty = tmp_path / "sandtabel.sqlite", tmp_path / "empty.sqlite"
        empty.touch()
        for database in (wrong, empty):
            with pytest.raises(StoreError, match="check its name"):
                await backup(str(database), tmp_path / "b.gz")
        assert not wrong.exists()
        assert empty.stat().st_size == 0
        assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.sqlite"]

    run(story)


@pytest.mark.parametrize(
    ("address", "right"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("10.0.0.1", False),
        ("127.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b:1::a00:1", False),
        ("2002:a00:1::1", False),
        ("2002:7f00:1::", False),
        ("::a00:1", False),
        ("2001:0:a00:1::1", False),
        ("224.0.0.1", False),
        ("169.254.169.254", False),
        ("fec0::1", False),
        ("::ffff:0:10.0.0.1", False),
        ("2606:2800:220:1:0:5efe:10.0.0.1", False),
        ("192.88.99.1", False),
        ("::ffff:93.184.216.34", True),
    ],
)
def test_webhooks_reach_the_open_internet_only(address: str, right: bool) -> None:
    assert public(address) is right
