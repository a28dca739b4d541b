"""Processes of a house are killed while bots play, workers take jobs, and every process tells how it is.

`python tools/many_tables.py` does the same with four servers, two workers and 200 matches.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandtable.cli import main
from sandtable.server import computers, jobs
from sandtable.server import house as houses
from sandtable.server.computers import Worker
from sandtable.server.forms import Clocks
from sandtable.server.house import SharedHouse
from sandtable.server.refusal import Overtaken
from sandtable.server.store import Statement, open_store
from sandtable.server.store.base import now
from sandtable.server.store.postgres import PostgresStore
from server.conftest import Postgres
from server.helpers import run, serving, settings_for
from server.howsoon import latency_across
from server.manytables import Process
from server.test_accounts import Post
from server.test_house import at, house, seats_at
from server.underfire import under_fire


def test_killed_processes_and_a_restarted_database_lose_nothing(postgres: Postgres) -> None:
    database = postgres.database("fire")
    found = asyncio.run(
        under_fire(postgres, database, servers=2, workers=1, tables=4, kills=2, restarts=1, pause=0.1, seed=5)
    )
    assert found["faults"] == []
    assert found["stuck"] == 0
    assert found["promises"] > 10


def test_a_seat_at_another_process_sees_every_action(postgres: Postgres) -> None:
    found = asyncio.run(latency_across(postgres.database("latency"), actions=10))
    assert found["actions"] == 10


def test_a_worker_that_dies_gives_its_job_back(postgres: Postgres, tmp_path: Path) -> None:
    """No server of this house thinks itself; the first worker is killed while its player thinks for ever."""
    database = postgres.database("worker")
    settings = settings_for(tmp_path, database=database, workers=0)

    async def story() -> None:
        async with AsyncExitStack() as stack:
            running = await stack.enter_async_context(serving(settings))
            anna = await stack.enter_async_context(running.client())
            seats = {"red": {"kind": "me"}, "blue": {"kind": "computer", "level": "random"}}
            match = await anna.new_match(seats=seats)
            live = await stack.enter_async_context(anna.live(match["id"]))
            await live.until("welcome")
            store = running.state.store
            while not await store.read("SELECT 1 FROM jobs"):
                await asyncio.sleep(0.02)
            text = (await anna.http.get("/metrics")).text
            assert "sandtable_jobs_waiting 1" in text
            # A worker takes the job and is never heard of again.
            taken = await store.ask(jobs.TAKE, "dead/1", now() + jobs.LEASE_MS, now(), now(), False, [])
            assert taken[0][0] == match["id"]
            began = time.monotonic()
            worker = Process(database, serves=False)
            worker.launch()
            stack.callback(worker.stop)
            await worker.answers()
            await live.at(1)
            assert time.monotonic() - began >= jobs.LEASE_MS / 1000 - 1
            late = Statement(jobs.DONE, ('{"action": {}}', match["id"], 0, "blue", "random", "dead/1"), 1)
            with pytest.raises(Exception, match="look again"):
                await store.write(late)  # what the dead one had to say comes too late
            record = (await store.read("SELECT count(*) FROM steps WHERE match_id = ? AND n = 1", match["id"]))[0][0]
            assert record == 1

    run(story)


def test_a_match_that_no_worker_knows_does_not_wait_for_ever(postgres: Postgres) -> None:
    """A busy worker had always another job of a match that it knew."""

    async def story() -> None:
        store = await open_store(postgres.database("fairness"))
        assert isinstance(store, PostgresStore)
        for match, waited in (("known", 0), ("a little longer", 100), ("long", 5000)):
            await store.write(Statement(jobs.ADD, (match, 0, "red", "random", False, "1", "", now() - waited), 1))
        taken = [await store.ask(jobs.TAKE, "w", now() + 9000, now(), now(), False, ["known"]) for _ in range(3)]
        assert [rows[0][0] for rows in taken] == ["long", "known", "a little longer"]
        await store.close()

    run(story)


def test_a_job_that_nobody_needs_any_more_is_thrown_away(postgres: Postgres, tmp_path: Path) -> None:
    """Two processes went on with the same match: one has made the move, the other must not have it thought of again."""
    settings = settings_for(tmp_path, database=postgres.database("overtaken"), workers=0)

    async def story() -> None:
        async with serving(settings) as running, running.client() as anna:
            queue, store = running.state.hall.computers, running.state.store
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                before = (await running.state.hall.get(match["id"])).match.clone()
                await live.act(0)
            choosing = asyncio.ensure_future(queue.choose(before, "red", "random", 1))
            while not (rows := await store.read("SELECT match_id, version, side, level FROM jobs")):
                await asyncio.sleep(0.02)
            worker = Worker((), "1")
            worker.knows[match["id"]] = 1  # it has seen the match go on
            await queue.bench._answer(worker, "w", jobs.Job(*rows[0], "1", "", 1, now()))
            with pytest.raises(Overtaken):
                await choosing
            assert await store.read("SELECT * FROM jobs") == []

    run(story)


def test_a_match_that_another_process_has_taken_over_is_let_go(postgres: Postgres, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, database=postgres.database("wheels"))

    async def story() -> None:
        async with serving(settings) as running:
            house, store = running.state.hall.house, running.state.store
            assert await house.drives("m")
            await store.write(Statement("UPDATE drives SET process = 'other', until = ?", (now() + 60_000,), 1))
            await house._beat()
            assert not await house.drives("m")

    run(story)


def test_that_workers_are_killed_is_not_the_players_fault(postgres: Postgres, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, database=postgres.database("blamed"), workers=0)

    async def story() -> None:
        async with AsyncExitStack() as stack:
            running = await stack.enter_async_context(serving(settings))
            anna = await stack.enter_async_context(running.client())
            seats = {"red": {"kind": "me"}, "blue": {"kind": "computer", "level": "random"}}
            match = await anna.new_match(seats=seats)
            store = running.state.store
            while not await store.read("SELECT 1 FROM jobs"):
                await asyncio.sleep(0.02)
            for number in range(5):  # each takes the job and is never heard of again
                await store.ask(jobs.TAKE, f"dead/{number}", now() - 1, now(), now(), False, [])
            worker = Process(settings.database, serves=False)
            worker.launch()
            stack.callback(worker.stop)
            card = match
            while card["version"] == 0 and not any(seat.get("stalled") for seat in card["seats"]):
                await asyncio.sleep(0.1)
                card = (await anna.get(f"/api/matches/{match['id']}"))["match"]
            assert not any(
                seat.get("stalled") for seat in (await anna.get(f"/api/matches/{match['id']}"))["match"]["seats"]
            )

    run(story)


def test_a_player_that_hangs_is_taken_from_its_worker(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computers, "PATIENCE", (0.3, 0.3, 0.3))
    settings = settings_for(tmp_path, database=postgres.database("hangs"))

    async def story() -> None:
        async with serving(settings) as running, running.client() as anna:
            seats = {"red": {"kind": "me"}, "blue": {"kind": "computer", "level": "sleeper"}}
            match = await anna.new_match(seats=seats)
            async with anna.live(match["id"]) as live:
                told = (await live.until("chat"))["lines"][0]["text"]
                assert "did not choose within" in told
                assert "3 times" in told

    run(story)


def test_what_goes_on_by_itself_goes_on_when_its_process_is_gone(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(houses, "GONE_MS", 1500)
    settings = settings_for(tmp_path, database=postgres.database("wheel"))

    async def story() -> None:
        async with serving(settings) as running, running.client() as anna:
            store = running.state.store
            await store.write(
                Statement("INSERT INTO processes (name, kind, seen) VALUES ('dead', 'serve', ?)", (now(),))
            )
            seats = {"red": {"kind": "computer"}, "blue": {"kind": "computer"}}
            monkeypatch.setattr(SharedHouse, "drives", lambda self, match_id: _never())
            match = await anna.new_match(seats=seats)
            monkeypatch.undo()
            sql = "INSERT INTO drives (match_id, process, until) VALUES (?, 'dead', ?)"
            await store.write(Statement(sql, (match["id"], now() + 1500)))
            for _ in range(600):
                if (await anna.get(f"/api/matches/{match['id']}"))["match"]["version"] > 0:
                    return
                await asyncio.sleep(0.05)
            raise AssertionError("nobody went on with the match")

    run(story)


async def _never() -> bool:
    return False


def test_a_player_is_told_once_by_all_processes_together(postgres: Postgres, tmp_path: Path) -> None:
    """Not at all while he is connected to another process, and then once, whichever process sees the reason."""
    settings = settings_for(tmp_path, database=postgres.database("notices"))

    async def story() -> None:
        async with AsyncExitStack() as stack:
            post = Post()
            receiver = await asyncio.start_server(post.webhook, "127.0.0.1", 0)
            url = f"http://127.0.0.1:{receiver.sockets[0].getsockname()[1]}/x"
            one, other = await stack.enter_async_context(house(settings))
            anna, bert, match, red, blue = await seats_at(stack, one, other)
            await bert.post("/api/me", {"notify": {"webhook": url, "on": ["chat"]}}, "PUT")
            anna_there = await stack.enter_async_context(at(anna, other))
            second = await stack.enter_async_context(anna_there.live(match, side="red"))
            await second.until("welcome")
            await red.until("presence", connected={"red": True, "blue": True})
            await red.ask("chat", text="Bert is here: he is not told")
            await blue.socket.close()
            await red.until("presence", connected={"red": True, "blue": False})
            await second.until("presence", connected={"red": True, "blue": False})
            await red.ask("chat", text="Bert?")
            await second.ask("chat", text="Bert, are you there?")
            await asyncio.wait_for(post.got.get(), 10)
            await asyncio.sleep(0.5)
            assert post.got.empty()
            receiver.close()

    run(story)


def test_the_clock_of_the_house_is_the_databases_and_stands_while_nobody_is_there(
    postgres: Postgres, tmp_path: Path
) -> None:
    settings = settings_for(tmp_path, database=postgres.database("clocks"))

    async def story() -> None:
        async with house(settings) as (one, other):
            before = now()
            store = one.state.store
            await asyncio.sleep(1.2)
            assert one.state.hall.house.since == other.state.hall.house.since
            # Somebody sets the database's clock an hour ahead: the processes go on counting.
            await store.write(
                Statement("INSERT INTO meta (key, value) VALUES ('clock', '3600000') ON CONFLICT (key) DO NOTHING")
            )
            await asyncio.sleep(2.5)
            assert now() - before < 60_000
            assert abs(int((await store.read("SELECT value FROM meta WHERE key = 'clock'"))[0][0])) < 60_000
        clocks = Clocks({"red": 1000}, now() - 5000)
        assert clocks.at_time(now(), ("red",), since=now()).left["red"] > 900, "the house was closed"

    run(story)


def test_every_process_tells_how_it_is(postgres: Postgres, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, database=postgres.database("metrics"))

    async def story() -> None:
        async with AsyncExitStack() as stack:
            one, other = await stack.enter_async_context(house(settings))
            _, _, _, red, blue = await seats_at(stack, one, other)
            mover = red if red.actions else blue
            await mover.act(0)
            async with httpx.AsyncClient() as http:
                texts = [(await http.get(f"{where.url}/metrics")).text for where in (one, other)]
                assert (await http.get(f"{one.url}/health")).json() == {"ok": True}
            values: list[dict[str, Any]] = []
            for text in texts:
                rows = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
                values.append({name: float(value) for name, _, value in rows})
            assert sum(found["sandtable_actions_total"] for found in values) == 1
            assert sum(found["sandtable_action_seconds_count"] for found in values) == 1
            assert [found["sandtable_connections"] for found in values] == [1, 1]
            assert [found['sandtable_matches{status="running"}'] for found in values] == [1, 1]
            assert [found["sandtable_database_up"] for found in values] == [1, 1]

    run(story)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["work"], "Workers take their jobs from PostgreSQL"),
        (["work", "--database", "x.sqlite"], "Workers take their jobs from PostgreSQL"),
        (["serve", "--port", "0", "--workers", "0", "--database", "x.sqlite"], "Without PostgreSQL there are no other"),
        (["serve", "--port", "0", "--proxy", "nowhere", "--database", "x.sqlite"], "is not an address or a network"),
        (["admin", "queue", "--database", "x.sqlite"], "There is no database"),
    ],
)
def test_wrong_invocations_are_one_sentence(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


def test_the_queue_is_shown(postgres: Postgres, capsys: pytest.CaptureFixture[str]) -> None:
    database = postgres.database("queue")

    async def story() -> None:
        store = await open_store(database)
        row = ("m1", 0, "red", "random", False, "1", "", now() - 2000)
        await store.write(Statement(jobs.ADD, row, 1))
        await store.close()

    run(story)
    assert main(["admin", "queue", "--database", database]) in (0, None)
    told = re.fullmatch(
        r"0 decisions are under way, 1 decisions wait, the first for (\d+\.\d) s\.\n", capsys.readouterr().out
    )
    assert told is not None
    assert 2 <= float(told[1]) < 60


def test_what_killed_processes_left_behind_is_thrown_away(postgres: Postgres, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, database=postgres.database("clean"))

    async def story() -> None:
        async with serving(settings) as running:
            store, old = running.state.store, now() - 30 * 24 * 3600 * 1000
            await store.write(Statement("INSERT INTO processes VALUES ('dead', 'serve', ?)", (old,)))
            await store.write(Statement("INSERT INTO presence VALUES ('c', 'dead', 'm', 'u', '', 'watch')"))
            await store.write(Statement("INSERT INTO drives VALUES ('m', 'dead', ?)", (old,)))
            await store.write(Statement("INSERT INTO limits VALUES ('k', ?, 1)", (float(old),)))
            await store.write(Statement(jobs.ADD, ("m", 0, "red", "random", False, "1", "", old), 1))
            await running.state.hall.house.clean()
            for table in ("presence", "drives", "limits", "jobs"):
                assert await store.read(f"SELECT * FROM {table}") == [], table
            assert [row[0] for row in await store.read("SELECT name FROM processes")] == [running.state.hall.house.name]

    run(story)
