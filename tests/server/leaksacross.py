"""A search for leaks across processes: whoever looks on at another process is told the very same as at the same one.

What a process tells its own players is searched by `leaksearch`; this shows that others tell nothing else.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import sandtable
from server.helpers import Client, Live, serving, settings_for

OWN = ("now", "id")
"""Fields that are the moment's or the receiver's own."""


def told(live: Live) -> dict[int, Any]:
    """What a connection was told of each step."""
    updates = [message for message in live.told if message["t"] == "update"]
    return {u["version"]: {name: value for name, value in u.items() if name not in OWN} for u in updates}


async def search_across(database: str, what: str, *, seed: int, steps: int) -> tuple[int, list[str]]:
    """Play at random at two processes; the messages that were compared, and those that differ."""
    source = random.Random(seed)
    game, _, scenario = what.partition("/")
    settings = settings_for(Path(), database=database)
    async with AsyncExitStack() as stack:
        here, there = [await stack.enter_async_context(serving(settings)) for _ in range(2)]
        anna = await stack.enter_async_context(here.client("Anna"))
        sides = sandtable.new(what, seed=1).sides
        match = await anna.new_match(game=game, scenario=scenario, seats={side: {"kind": "me"} for side in sides})
        away = Client(anna.http, there.url)
        away.token = anna.token
        lives: dict[tuple[str, int], Live] = {}
        for place, client in enumerate((anna, away)):
            for side in (*sides, "observer"):
                live = await stack.enter_async_context(client.live(match["id"], side=side, full=1))
                lives[side, place] = live
                await live.until("welcome")
        for side in sides:
            await lives[side, 0].ask("orders", orders={"forced": False, "idle": False})
        for _ in range(steps):
            movers = [side for side in sides if lives[side, 0].actions]
            if lives[sides[0], 0].result or not movers:
                break
            mover = lives[movers[0], source.randrange(2)]
            version = mover.view["version"]
            await mover.send("act", version=version, n=source.randrange(len(mover.actions)))
            await asyncio.gather(*[live.at(version + 1) for live in lives.values()])
        compared, found = 0, []
        for side in (*sides, "observer"):
            one, other = told(lives[side, 0]), told(lives[side, 1])
            compared += len(one)
            found += [f"{side}: step {n}" for n in one if one[n] != other.get(n)]
        return compared, found
