"""A house with many tables: several processes on one PostgreSQL, each of which can serve every match."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from sandtable.server.settings import Settings
from sandtable.server.store import StoreError, open_store
from server.conftest import Postgres
from server.helpers import Client, Live, Running, run, serving, settings_for
from server.test_play import play_out


@asynccontextmanager
async def house(settings: Settings, processes: int = 2) -> AsyncIterator[list[Running]]:
    """So many servers on one database."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(serving(settings)) for _ in range(processes)]


@asynccontextmanager
async def at(client: Client, running: Running) -> AsyncIterator[Client]:
    """The same account at another process."""
    other = Client(client.http, running.url)
    other.token, other.user = client.token, client.user
    yield other


async def seats_at(stack: AsyncExitStack, one: Running, other: Running) -> tuple[Client, Client, str, Live, Live]:
    """Anna plays red at one process, Bert blue at another."""
    anna = await stack.enter_async_context(one.client("Anna"))
    bert = await stack.enter_async_context(other.client("Bert"))
    match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "invitation"}})
    await bert.join(match["invitations"]["blue"])
    red = await stack.enter_async_context(anna.live(match["id"]))
    blue = await stack.enter_async_context(bert.live(match["id"]))
    await red.until("welcome")
    await blue.until("welcome")
    return anna, bert, match["id"], red, blue


def test_two_seats_at_two_processes_play_a_whole_match(postgres: Postgres, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, database=postgres.database("two"))

    async def story() -> None:
        async with AsyncExitStack() as stack:
            one, other = await stack.enter_async_context(house(settings))
            anna, bert, match, red, blue = await seats_at(stack, one, other)
            result = await play_out({"red": red, "blue": blue}, random.Random(2))
            assert result["how"] == "rules"
            assert red.view["version"] == blue.view["version"]
            mine = await anna.http.get(f"{one.url}/api/matches/{match}/record")
            theirs = await bert.http.get(f"{other.url}/api/matches/{match}/record")
            assert mine.text == theirs.text

    run(story)


def test_of_two_processes_that_act_at_once_one_wins_and_the_other_says_stale(
    postgres: Postgres, tmp_path: Path
) -> None:
    settings = settings_for(tmp_path, database=postgres.database("atonce"))

    async def story() -> None:
        async with AsyncExitStack() as stack:
            one, other = await stack.enter_async_context(house(settings))
            anna = await stack.enter_async_context(one.client())
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            here = await stack.enter_async_context(anna.live(match["id"], side="blue"))
            there_anna = await stack.enter_async_context(at(anna, other))
            there = await stack.enter_async_context(there_anna.live(match["id"], side="blue"))
            stale = 0
            for live in (here, there):
                await live.until("welcome")
            for _ in range(12):
                if not here.actions:
                    break
                version = here.view["version"]
                answers = await asyncio.gather(
                    here.ask("act", version=version, n=0), there.ask("act", version=version, n=0)
                )
                kinds = sorted(answer["t"] for answer in answers)
                assert kinds == ["done", "refused"], answers
                refused = next(answer for answer in answers if answer["t"] == "refused")
                assert refused["code"] == "stale"
                stale += 1
                await asyncio.gather(here.at(version + 1), there.at(version + 1))
                assert here.view == there.view
            assert stale

    run(story)


def test_what_one_process_does_the_others_tell(postgres: Postgres, tmp_path: Path) -> None:
    """Talk, seats, orders, presence and open questions reach the players at the other process."""
    settings = settings_for(tmp_path, database=postgres.database("told"))

    async def story() -> None:
        async with AsyncExitStack() as stack:
            one, other = await stack.enter_async_context(house(settings))
            _, bert, match, red, blue = await seats_at(stack, one, other)
            await red.until("presence", connected={"red": True, "blue": True})
            await red.ask("chat", text="Hello over there")
            assert (await blue.until("chat"))["lines"][0]["text"] == "Hello over there"
            many = await asyncio.gather(red.ask("chat", text="one"), blue.ask("chat", text="two"))
            assert {answer["t"] for answer in many} == {"done"}, "two who talk at once are both heard"
            await red.ask("offer_draw")
            asked = await blue.until(
                "update",
                requests=[{"kind": "draw", "by": "red", "text": "Red offers a draw", "yours": False, "answer": True}],
            )
            assert asked["version"] == red.view["version"]
            await blue.ask("answer", kind="draw", agree=True)
            while red.result is None:
                await red.receive()
            assert red.result["how"] == "draw"
            card = (await bert.get(f"{other.url}/api/matches/{match}"))["match"]
            assert card["status"] == "over"

    run(story)


def test_a_seat_is_taken_once_at_whichever_process(postgres: Postgres, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, database=postgres.database("seat"))

    async def story() -> None:
        async with AsyncExitStack() as stack:
            one, other = await stack.enter_async_context(house(settings))
            anna, bert, carl = [await stack.enter_async_context(where.client()) for where in (one, one, other)]
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "invitation"}})
            link = match["invitations"]["blue"]
            await carl.http.get(f"{other.url}/api/invitations/{link.rpartition('/')[2]}")  # it is in memory there too
            found = await asyncio.gather(bert.join(link), carl.join(link), return_exceptions=True)
            good = [one for one in found if not isinstance(one, BaseException)]
            assert len(good) == 1, found
            (bad,) = [one for one in found if isinstance(one, BaseException)]
            assert getattr(bad, "code", "") in ("taken", "not_found"), bad

    run(story)


def test_a_notice_that_is_lost_loses_nothing(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_for(tmp_path, database=postgres.database("lost"))

    async def story() -> None:
        async with AsyncExitStack() as stack:
            one, other = await stack.enter_async_context(house(settings))
            _, _, _, red, blue = await seats_at(stack, one, other)
            monkeypatch.setattr(other.state.hall.house, "_hear", lambda kind, words: None)
            monkeypatch.setattr(one.state.hall.house, "_hear", lambda kind, words: None)
            mover, watcher = (red, blue) if red.actions else (blue, red)
            assert (await mover.act(0))["t"] == "done"
            await asyncio.wait_for(watcher.at(mover.view["version"]), 10)

    run(story)


def test_limits_and_log_outs_hold_over_all_processes(postgres: Postgres, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, database=postgres.database("limits"), connections=3, login_delay=0.0)

    async def story() -> None:
        async with AsyncExitStack() as stack:
            one, other = await stack.enter_async_context(house(settings))
            for running in (one, other):
                running.state.accounts._hasher = PasswordHasher(1, 8, 1)  # the limit counts, not the hash
            anna = await stack.enter_async_context(one.client())
            await anna.post("/api/register", {"name": "Annabel", "password": "correct horse"})
            stranger = await stack.enter_async_context(other.client())
            refused = []
            for number in range(14):
                where = (one, other)[number % 2]
                body = {"name": "Annabel", "password": f"wrong {number}"}
                refused.append((await stranger.http.post(f"{where.url}/api/login", json=body)).status_code)
            assert refused == [403] * 10 + [429] * 4
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            there = await stack.enter_async_context(at(anna, other))
            lives = []
            for number in range(3):
                client = (anna, there)[number % 2]
                live = await stack.enter_async_context(client.live(match["id"]))
                await live.until("welcome")
                lives.append(live)
            async with there.live(match["id"]) as fourth:
                with pytest.raises(Exception, match="4408"):
                    await fourth.until("welcome")
            await anna.post("/api/logout", {"everywhere": True})
            for live in lives:
                with pytest.raises(Exception, match="4401"):
                    await live.until("never")
            headers = {"Authorization": f"Bearer {anna.token}"}
            assert (await stranger.http.get(f"{other.url}/api/me", headers=headers)).json()["user"] is None

    run(story)


def test_a_second_start_on_the_same_file_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        settings = settings_for(tmp_path)
        async with serving(settings):
            with pytest.raises(StoreError, match="Another server runs with the database"):
                await open_store(settings.database, alone=True)
            looked = await open_store(settings.database, existing=True)  # a backup may be made
            await looked.close()
        again = await open_store(settings.database, alone=True)
        await again.close()

    run(story)


def test_processes_that_start_at_once_make_the_tables_once(postgres: Postgres) -> None:
    database = postgres.database("migrations")

    async def story() -> None:
        stores: list[Any] = await asyncio.gather(*[open_store(database) for _ in range(6)])
        for store in stores:
            await store.close()

    run(story)
