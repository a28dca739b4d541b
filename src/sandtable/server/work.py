"""A process that only thinks: it takes jobs of the house's computer players, on whichever machine."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Callable

from sandtable.players.hands import usual_hands
from sandtable.players.thinking import check_fits, usual_budget
from sandtable.server.house import house_of
from sandtable.server.jobs import Bench
from sandtable.server.settings import BadSetting, Settings
from sandtable.server.store import open_store
from sandtable.server.store.postgres import PostgresStore
from sandtable.server.worker import load_games


async def _work(settings: Settings, ready: Callable[[], None]) -> None:
    store = await open_store(settings.database)
    assert isinstance(store, PostgresStore)
    house = house_of(store, "work")
    bench = Bench(settings, store, house)
    ended = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows has no such signals for loops
            asyncio.get_running_loop().add_signal_handler(name, ended.set)

    async def look() -> None:
        bench.wake()

    try:
        await house.open(lambda kind, words: bench.wake() if kind == "job" else None, look)
        bench.open()
        ready()
        await ended.wait()
    finally:
        await bench.close()
        await house.close()
        await store.close()


def run_workers(settings: Settings, ready: Callable[[], None], *, verbose: bool = False) -> int:
    """Take jobs until interrupted; the exit code is 0."""
    if not settings.database.startswith(("postgresql://", "postgres://")):
        raise BadSetting("Workers take their jobs from PostgreSQL: name the house's with --database postgresql://...")
    load_games(settings.games)
    check_fits(usual_budget(), settings.think_seconds)
    usual_hands()  # a wrong number is told of now
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    asyncio.run(_work(settings, ready))
    return 0
