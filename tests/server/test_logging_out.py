"""Logging out everywhere, losing a seat, changing a password: whatever was under way at that moment ends with it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from sandtable.server.forms import SeatRow
from sandtable.server.refusal import Refused
from sandtable.server.store import Statement
from server.helpers import Answered, run, serving, settings_for
from server.test_attacks import closed_with
from server.test_table import duel


def test_a_change_under_way_does_not_bring_old_tokens_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thief keeps changing the settings, so that one of his requests ends after the owner has logged out."""

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna, running.client() as thief:
            store, write, go_on = running.state.store, running.state.store.write, asyncio.Event()

            async def slowly(*statements: Statement) -> None:
                await write(*statements)
                if "settings" in statements[0].sql:
                    await go_on.wait()

            monkeypatch.setattr(store, "write", slowly)
            thief.http.cookies = anna.http.cookies
            changing = asyncio.ensure_future(thief.post("/api/me", {"settings": {"mine": "now"}}, "PUT"))
            await asyncio.sleep(0.05)
            token = {"Authorization": f"Bearer {anna.token}"}
            await anna.post("/api/logout", {"everywhere": True})
            go_on.set()
            await changing
            answer = await thief.http.get("/api/me", headers=token)
            assert answer.json()["user"] is None

    run(story)


def test_who_is_logged_out_while_the_match_is_loaded_does_not_come_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match()
            hall = running.state.hall
            for_user, loading, go_on = hall.for_user, asyncio.Event(), asyncio.Event()

            async def slowly(*what: Any) -> Any:
                loading.set()
                await go_on.wait()
                return await for_user(*what)

            monkeypatch.setattr(hall, "for_user", slowly)
            coming = asyncio.ensure_future(closed_with(anna.live(match["id"])))
            await loading.wait()
            await anna.post("/api/logout", {"everywhere": True})
            go_on.set()
            assert await asyncio.wait_for(coming, 10) == 4401

    run(story)


def test_nothing_is_heard_from_who_was_logged_out_and_does_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            live = t.running.state.hall.in_memory(t.match["id"])
            for connection in live.audience.connections:
                connection.queue.put_nowait = lambda _: None  # as if its line were full: it is not even told
            await t.anna.post("/api/logout", {"everywhere": True})
            await t.red.send("resign")
            await asyncio.sleep(0.2)
            assert live.result is None
            assert [connection.side for connection in live.audience.connections] == ["blue"]

    run(story)


def test_what_waited_while_a_seat_was_lost_is_not_done(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            live = t.running.state.hall.in_memory(t.match["id"])
            async with live.lock:
                resigning = asyncio.ensure_future(t.red.ask("resign"))
                await asyncio.sleep(0.1)
                live.seats["red"] = SeatRow("red", "open")
            assert (await asyncio.wait_for(resigning, 10))["code"] == "forbidden"
            assert live.result is None
            refused = await t.red.ask("goals", version=live.version, pieces=["r1"])
            assert refused["code"] == "forbidden"

    run(story)


def test_a_password_that_was_changed_meanwhile_opens_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna, running.client() as thief:
            user = (await anna.post("/api/register", {"name": "Anna", "password": "correct horse"}))["user"]
            accounts, go_on = running.state.accounts, asyncio.Event()
            verify, tried = accounts._verify, asyncio.Semaphore(0)

            async def slowly(*what: Any) -> bool:
                right: bool = await verify(*what)
                tried.release()
                await go_on.wait()
                return right

            monkeypatch.setattr(accounts, "_verify", slowly)
            coming = asyncio.ensure_future(thief.post("/api/login", {"name": "Anna", "password": "correct horse"}))
            changing = asyncio.ensure_future(
                accounts.change_password(await accounts.get(user["id"]), "correct horse", "another horse")
            )
            await tried.acquire()
            await tried.acquire()
            monkeypatch.setattr(accounts, "_verify", verify)
            await accounts.change_password(await accounts.get(user["id"]), "correct horse", "third horse")
            go_on.set()
            with pytest.raises(Answered, match="wrong"):
                await coming
            with pytest.raises(Refused, match="a moment ago"):
                await changing
            await thief.post("/api/login", {"name": "Anna", "password": "third horse"})

    run(story)


def test_a_step_that_is_no_number_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match()
            for step in ("9" * 5000, "-1", "%C2%B2", "one"):
                with pytest.raises(Answered) as refused:
                    await anna.get(f"/api/matches/{match['id']}/replay/{step}")
                assert refused.value.status == 404
            for since in ("9" * 5000, "%C2%B2", "-1"):
                async with anna.live(match["id"], since=since) as live:
                    assert (await live.until("welcome"))["version"] == 0

    run(story)
