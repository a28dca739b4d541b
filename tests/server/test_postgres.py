"""PostgreSQL for real: a whole game, a restart in the middle of play, a killed server, a backup moved over."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from sandtable.server.backup import backup, restore
from sandtable.server.store import Conflict, Statement, StoreError, open_store
from server.conftest import Postgres
from server.crashing import crash
from server.helpers import run, serving, settings_for
from server.test_play import play_out


def test_a_whole_game_and_a_restart_of_the_server(postgres: Postgres, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, database=postgres.database("whole"))

    async def story() -> None:
        seats = {"red": {"kind": "me"}, "blue": {"kind": "me"}}
        async with serving(settings) as running, running.client() as anna:
            match = await anna.new_match(seats=seats)
            async with anna.live(match["id"], side="red") as red, anna.live(match["id"], side="blue") as blue:
                await red.until("welcome")
                await blue.until("welcome")
                await blue.act(0)
                token = anna.token
        async with serving(settings) as running, running.client() as anna:
            anna.token = token
            async with anna.live(match["id"], side="red") as red, anna.live(match["id"], side="blue") as blue:
                assert (await red.until("welcome"))["version"] == 1
                await blue.until("welcome")
                result = await play_out({"red": red, "blue": blue}, random.Random(2))
                assert result["how"] == "rules"

    run(story)


def test_postgresql_is_restarted_during_play(postgres: Postgres, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, database=postgres.database("restarted"))

    async def story() -> None:
        async with serving(settings) as running, running.client() as anna:
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            async with anna.live(match["id"], side="blue") as blue, anna.live(match["id"], side="red") as red:
                await blue.until("welcome")
                await red.until("welcome")
                await asyncio.to_thread(postgres.stop)
                refused = await blue.ask("act", version=0, n=0)
                assert (refused["t"], refused["code"]) == ("refused", "not_saved")
                assert "database does not answer" in refused["text"]
                assert blue.view["version"] == 0
                await asyncio.to_thread(postgres.start)
                answer = await blue.act(0)
                while answer["t"] == "refused":
                    assert answer["code"] == "not_saved"
                    answer = await blue.act(0)
                await red.at(1)
                assert red.actions

    run(story)


def test_killing_the_server_loses_nothing_in_postgresql(postgres: Postgres) -> None:
    database = postgres.database("killed")
    found = asyncio.run(crash(database, kills=2, players=4, seed=3))
    assert found["promises"] > 20
    assert found["reconnected"] >= 2


def test_a_backup_of_sqlite_is_brought_back_into_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    moved = postgres.database("moved")

    async def story() -> None:
        settings = settings_for(tmp_path)
        async with serving(settings) as running, running.client() as anna:
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}}, title="Wandering")
            async with anna.live(match["id"], side="blue") as blue:
                await blue.until("welcome")
                await blue.act(2)
            counts = await backup(settings.database, tmp_path / "b.gz")
            token = anna.token
        assert await restore(moved, tmp_path / "b.gz") == counts
        async with serving(settings_for(tmp_path, database=moved)) as running, running.client() as anna:
            anna.token = token
            async with anna.live(match["id"], side="red") as red:
                welcome = await red.until("welcome")
                assert (welcome["version"], welcome["match"]["title"]) == (1, "Wandering")

    run(story)


def test_writes_are_whole_or_not_at_all(postgres: Postgres) -> None:
    database = postgres.database("writes")

    async def story() -> None:
        store = await open_store(database)
        add = "INSERT INTO meta (key, value) VALUES (?, ?)"
        await store.write(Statement(add, ("a", "1"), 1))
        with pytest.raises(Conflict):
            await store.write(Statement(add, ("b", "1"), 1), Statement(add, ("a", "2"), 1))
        with pytest.raises(Conflict, match="look again"):
            await store.write(Statement(add, ("c", "1"), 1), Statement("DELETE FROM meta WHERE key = 'x'", (), 1))
        rows: list[Any] = await store.read("SELECT key, value FROM meta")
        assert rows == [("a", "1")]
        await store.close()
        again = await open_store(database)  # the tables are there already
        assert await again.read("SELECT value FROM meta WHERE key = ?", "a") == [("1",)]
        await again.close()

    run(story)


def test_a_database_that_is_not_there_is_one_sentence(postgres: Postgres) -> None:
    async def story() -> None:
        with pytest.raises(StoreError, match="cannot be opened"):
            await open_store(f"{postgres.url}/nowhere")

    run(story)
