"""Faults: killed, locked out, disk full, restarted. What was acknowledged is never lost."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import websockets

from sandtable.server.store import Conflict, NotSaved, Statement, StoreError, open_store, sqlite
from server.crashing import crash
from server.helpers import run, serving, settings_for
from server.test_table import duel, move


def test_killing_the_server_loses_nothing(tmp_path: Path) -> None:
    found = asyncio.run(crash(str(tmp_path / "c.sqlite"), kills=5, players=6, seed=2))
    assert found["promises"] > 50
    assert found["reconnected"] >= 5


def test_a_locked_database_is_said_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)

    async def story() -> None:
        async with duel(tmp_path) as t:
            other = sqlite3.connect(tmp_path / "test.sqlite", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            refused = await move(t.red, "r1", "b1")
            assert (refused["code"], t.red.view["version"]) == ("not_saved", 1)
            assert "locked" in refused["text"]
            assert (await t.red.ask("chat", text="hello?"))["code"] == "not_saved"
            answer = await t.anna.http.post("/api/matches", json={"game": "outpost"})
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "not_saved")
            other.execute("ROLLBACK")
            other.close()
            assert (await move(t.red, "r1", "b1"))["t"] == "done"

    run(story)


def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            store = t.running.state.store
            pages = (await store.read("PRAGMA page_count"))[0][0]
            await store.write(Statement(f"PRAGMA max_page_count = {pages}"))
            refused = None
            for number in range(400):
                refused = await t.red.ask("chat", text=f"{number} " + "x" * 490)
                if refused["t"] == "refused":
                    break
            assert refused is not None
            assert (refused["code"], "disk is full" in refused["text"]) == ("not_saved", True)
            await store.write(Statement("PRAGMA max_page_count = 1000000"))
            assert (await move(t.red, "r1", "b1"))["t"] == "done"
            await t.blue.at(2)

    run(story)


def test_a_match_goes_on_after_a_restart_in_the_middle_of_a_reaction_window(tmp_path: Path) -> None:
    async def story() -> None:
        settings = settings_for(tmp_path)
        async with duel(tmp_path) as t:
            await t.blue.ask("orders", orders={"forced": False, "rules": [{"unit": "b1", "do": "never"}]})
            await move(t.red, "r1", "b1")
            await t.blue.at(2)
            offered = t.blue.actions
            tokens = t.anna.token, t.bert.token
            log = [line for m in t.red.told if m["t"] in ("welcome", "update") for line in m["log"]]
            async with t.bert.live(t.match["id"], since=2) as again:  # a reload in the same window
                welcome = await again.until("welcome")
                assert welcome["actions"] == offered
                assert {line["version"] for line in welcome["log"]} == {2}
        async with serving(settings) as running, running.client() as anna, running.client() as bert:
            anna.token, bert.token = tokens
            async with anna.live(t.match["id"]) as red, bert.live(t.match["id"]) as blue:
                assert (await red.until("welcome"))["log"] == log
                welcome = await blue.until("welcome")
                assert welcome["actions"] == offered
                assert welcome["orders"]["rules"] == [{"unit": "b1", "do": "never", "only": []}]
                await blue.act(blue.choice("done"))
                await red.at(blue.view["version"])
                assert red.view["to_act"] == ["red"]

    run(story)


def test_computers_go_on_after_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            running.state.hall.computers.choose = lambda *_: asyncio.sleep(3600)  # it is still thinking at the end
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "computer", "level": "random"}})
            token = anna.token
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            anna.token = token
            while running.state.hall._live.get(match["id"]) is None:
                await asyncio.sleep(0.01)  # nobody asked for it: it was resumed by itself
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                while not live.actions:
                    await live.receive()

    run(story)


def test_a_match_that_was_changed_behind_the_servers_back_is_read_anew(tmp_path: Path) -> None:
    """As when a second server runs on the same database: the promise of the other one holds."""

    async def story() -> None:
        async with duel(tmp_path) as t:
            other = sqlite3.connect(tmp_path / "test.sqlite", isolation_level=None)
            entry = '["red",{"type":"Done"}]'
            row = (t.match["id"], entry)
            other.execute("INSERT INTO steps (match_id, n, entry, at) VALUES (?, 2, ?, 0)", row)
            other.execute("UPDATE matches SET version = 2 WHERE id = ?", (t.match["id"],))
            other.close()
            refused = await move(t.red, "r1", "b1")
            assert refused["code"] == "stale"
            welcome = [message for message in t.red.told if message["t"] == "welcome"][-1]
            assert (welcome["version"], welcome["view"]["to_act"]) == (2, ["blue"])

    run(story)


def test_a_connection_while_the_database_is_away_is_told_to_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(connection: Any) -> None:
        raise NotSaved("The database does not answer.")

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match()
            monkeypatch.setattr(running.state.gate, "user", away)
            async with anna.live(match["id"]) as live:
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await live.until("welcome")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013

    run(story)
    assert not [record for record in caplog.records if record.exc_info]


def test_writes_that_come_together_share_a_commit_but_not_a_fault(tmp_path: Path) -> None:
    async def story() -> None:
        store = await open_store(str(tmp_path / "s.sqlite"))
        add = "INSERT INTO meta (key, value) VALUES (?, ?)"
        jobs = [store.write(Statement(add, (f"k{n % 7}", str(n)), 1)) for n in range(20)]
        answers = await asyncio.gather(*jobs, return_exceptions=True)
        assert [isinstance(answer, Conflict) for answer in answers] == [n >= 7 for n in range(20)]
        assert len(await store.read("SELECT key FROM meta")) == 7
        await store.close()
        with pytest.raises(StoreError):
            await store.write(Statement(add, ("late", "1")))

    run(story)


def test_a_long_log_is_begun_anew_as_soon_as_nobody_else_is_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the tidier is at work the writer is refused: he tries again after each commit until it is done."""
    monkeypatch.setattr(sqlite, "TIDY_COMMITS", 5)
    monkeypatch.setattr(sqlite, "LATE", 2)
    tried: list[str] = []

    def bring_over(connection: sqlite3.Connection, how: str = "PASSIVE") -> int:
        tried.append(how)
        return -1 if tried.count("RESTART") < 4 else 0

    monkeypatch.setattr(sqlite, "_bring_over", bring_over)

    async def story() -> None:
        store = await open_store(str(tmp_path / "s.sqlite"))
        for number in range(16):
            await store.write(Statement("INSERT INTO meta (key, value) VALUES (?, ?)", (str(number), "x"), 1))
        await store.close()

    run(story)
    assert tried.count("RESTART") == 4


def test_the_log_of_a_busy_database_stays_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is brought into the file beside the writing, which never pauses here for long enough to begin it anew."""
    monkeypatch.setattr(sqlite, "TIDY_COMMITS", 10)
    monkeypatch.setattr(sqlite, "LONG_LOG", 100)

    async def story() -> None:
        store = await open_store(str(tmp_path / "s.sqlite"))
        longest = 0
        for number in range(2000):
            await store.write(Statement("INSERT INTO meta (key, value) VALUES (?, ?)", (str(number), "x" * 5000), 1))
            longest = max(longest, (tmp_path / "s.sqlite-wal").stat().st_size)
        assert longest < 16_000_000, "400 commits may be late, a fifth of the 36 MB that were written"
        assert len(await store.read("SELECT key FROM meta")) == 2000
        await store.close()
        assert not (tmp_path / "s.sqlite-wal").exists()

    run(story)


def test_the_log_stays_short_where_the_thread_that_tidies_never_comes_to_its_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "TIDY_COMMITS", 10)
    monkeypatch.setattr(sqlite.SqliteStore, "_tidy_on", lambda self, connection: connection.close())

    async def story() -> None:
        store = await open_store(str(tmp_path / "s.sqlite"))
        for number in range(2000):
            await store.write(Statement("INSERT INTO meta (key, value) VALUES (?, ?)", (str(number), "x" * 5000), 1))
        assert (tmp_path / "s.sqlite-wal").stat().st_size < 8_000_000, "everything that was written would be 36 MB"
        await store.close()

    run(story)


def test_a_database_of_a_later_version_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        path = str(tmp_path / "s.sqlite")
        store = await open_store(path)
        await store.write(Statement("INSERT INTO migrations (number, applied) VALUES (9999, 0)"))
        await store.close()
        with pytest.raises(StoreError, match="later version"):
            await open_store(path)

    run(story)


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite").write_text("This is a letter, not a database. " * 100)

    async def story() -> None:
        with pytest.raises(StoreError, match="cannot be opened"):
            await open_store(str(tmp_path / "x.sqlite"))
        with pytest.raises(StoreError, match="cannot be opened"):
            await open_store(str(tmp_path / "no" / "such" / "folder" / "x.sqlite"))

    run(story)
